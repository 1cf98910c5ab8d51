// SPDX-License-Identifier: MIT
/* Arbitrary bytes, as the scene and as its materials: an error message, or a model that satisfies
 * pmx.h. */
#include "asset_check.h"
#include "format/model/obj.h"
#include "fuzz.h"

static bool give(void *user, Bytes *bytes, const char *name, bool optional, Arena *arena,
                 Diag *diag)
{
    (void)name, (void)optional, (void)arena, (void)diag;
    *bytes = *(const Bytes *)user;
    return true;
}

static bool load(Bytes bytes, Arena *arena, Diag *diag)
{
    PmxModel model;
    if (!obj_load(&model, bytes, &(SideFiles){give, &bytes}, arena, diag))
        return false;
    fuzz_require(pmx_check(&model, diag) && model.accessory);
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_loader(load, data, size, 1024 * size);
}
