#include "evaluate/physics/memory_bullet.hpp"

#include <new>

#include <LinearMath/btAlignedAllocator.h>

#define _Noreturn [[noreturn]] /* C has no attributes before C23 */
extern "C" {
#include "base/memory.h"
}

static void *bullet_alloc(size_t size)
{
    return memory_resize(nullptr, size);
}

void memory_bullet_init()
{
    btAlignedAllocSetCustom(bullet_alloc, memory_free);
    std::set_new_handler([] { memory_exhausted(0); });
}
