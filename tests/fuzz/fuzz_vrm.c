/* Arbitrary bytes: an error message, or an avatar that satisfies pmx.h. */
#include "asset_check.h"
#include "format/model/vrm.h"
#include "fuzz.h"

static bool load(Bytes bytes, Arena *arena, Diag *diag)
{
    PmxModel model;
    if (!vrm_load(&model, bytes, &(SideFiles){0}, arena, diag))
        return false;
    fuzz_require(pmx_check(&model, diag) && !model.accessory);
    return true;
}

/* As fuzz_gltf.c. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_loader(load, data, size, (size_t)1 << 30);
}
