// SPDX-License-Identifier: MIT
/* Arbitrary bytes: an error message, or usable values. */
#include <math.h>

#include "format/model/vac.h"
#include "fuzz.h"

static bool load(Bytes bytes, Arena *arena, Diag *diag)
{
    Vac vac;
    if (!vac_load(&vac, bytes, arena, diag))
        return false;
    fuzz_require(vac.name && vac.file && *vac.file && vac.bone && vac.scale > 0.0f);
    for (int k = 0; k < 3; k++)
        fuzz_require(isfinite(vac.position[k]) && isfinite(vac.rotation_deg[k]));
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_loader(load, data, size, 8 * size);
}
