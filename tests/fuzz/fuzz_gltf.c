// SPDX-License-Identifier: MIT
/* Arbitrary bytes: an error message, or a scene that satisfies pmx.h. */
#include "asset_check.h"
#include "format/model/gltf_scene.h"
#include "fuzz.h"

static bool load(Bytes bytes, Arena *arena, Diag *diag)
{
    PmxModel model;
    if (!gltf_scene_load(&model, bytes, &(SideFiles){0}, arena, diag))
        return false;
    fuzz_require(pmx_check(&model, diag) && model.accessory);
    return true;
}

/* Instances and sparse accessors multiply what a file has, by the limits of gltf_limit. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { MAX_BYTES_PER_BYTE = 4096, MAX_OF_SMALL = 64 << 20 };
    return fuzz_loader(load, data, size, MAX_BYTES_PER_BYTE * size + MAX_OF_SMALL);
}
