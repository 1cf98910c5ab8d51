// SPDX-License-Identifier: MIT
#include "media/libav.h"

#include <assert.h>
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/process_memory.h"

/* In the order of the members of Libav. */
static const char *const names[] = {
#define FUNCTION(name) #name,
#include "media/libav.inc"
#undef FUNCTION
};
enum { COUNT = sizeof names / sizeof *names };

static union {
    Libav functions;
    void *symbols[COUNT]; /* POSIX guarantees that the bits are compatible */
} table;
static_assert(sizeof table.functions == sizeof table.symbols, "Libav has pointers only");

/* A child ends silently: its parent reports it (base/memory.h). */
static _Noreturn void fail(const char *reason)
{
    if (!process_is_child())
        dprintf(STDERR_FILENO, "odori: error: %s\n", reason);
    _exit(MEMORY_EXIT);
}

#define FILE_OF(name, major) "lib" name ".so." AV_STRINGIFY(major)

const char *libav_release(void)
{
    const int error = errno;
    void *library = dlopen(FILE_OF("avutil", LIBAVUTIL_VERSION_MAJOR), RTLD_LAZY | RTLD_GLOBAL);
    union {
        void *symbol;
        const char *(*function)(void);
    } release = {library ? dlsym(library, "av_version_info") : NULL};
    if (!release.symbol)
        fail(dlerror());
    errno = error;
    return release.function();
}

static void open_libraries(void)
{
    const int error = errno; /* callers compare it before and after their calls of libav */
    static const char *const files[] = {FILE_OF("avutil", LIBAVUTIL_VERSION_MAJOR),
                                        FILE_OF("avcodec", LIBAVCODEC_VERSION_MAJOR),
                                        FILE_OF("avformat", LIBAVFORMAT_VERSION_MAJOR),
                                        FILE_OF("swresample", LIBSWRESAMPLE_VERSION_MAJOR),
                                        FILE_OF("swscale", LIBSWSCALE_VERSION_MAJOR)};
    /* Global, as if they were linked: a symbol of the program comes first (tests replace some), and
     * run/version.c finds those of the encoders.  Only once all are open: global ones would be
     * searched for each symbol of a hundred libraries that follow, a fifth of the time. */
    const size_t count = sizeof files / sizeof *files;
    for (size_t i = 0; i < 2 * count; i++)
        if (!dlopen(files[i % count], RTLD_LAZY | (i < count ? RTLD_LOCAL : RTLD_GLOBAL)))
            fail(dlerror());
    for (size_t i = 0; i < COUNT; i++)
        if (!(table.symbols[i] = dlsym(RTLD_DEFAULT, names[i])))
            fail(dlerror());
    errno = error;
}

const Libav *libav(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_libraries);
    return &table.functions;
}
