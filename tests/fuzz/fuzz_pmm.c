// SPDX-License-Identifier: MIT
/* Arbitrary bytes: an error message, or a project that satisfies pmm.h. */
#include "format/project/pmm.h"

#include <math.h>

#include "asset_check.h"
#include "fuzz.h"

static void check_parent(const PmmProject *project, PmmParent parent)
{
    fuzz_require(parent.model >= -1 && parent.model < (int32_t)project->model_count);
    fuzz_require(
        parent.model < 0 ||
        (parent.bone >= 0 && (uint32_t)parent.bone < project->models[parent.model].bone_count));
}

static void check_parents(const PmmProject *project, const PmmParentKey *keys, uint32_t count,
                          uint32_t bone_count)
{
    for (uint32_t i = 0; i < count; i++) {
        check_parent(project, keys[i].parent);
        fuzz_require(i == 0 || keys[i].frame >= keys[i - 1].frame);
        fuzz_require(keys[i].own_bone >= -1 && keys[i].own_bone < (int32_t)bone_count);
    }
}

static void check_accessory(const PmmProject *project, const PmmAccessory *accessory)
{
    fuzz_require(accessory->key_count > 0 && accessory->keys[0].frame == 0);
    for (uint32_t k = 0; k < accessory->key_count; k++) {
        const PmmAccessoryKey *key = &accessory->keys[k];
        check_parent(project, key->parent);
        fuzz_require(k == 0 || key->frame > key[-1].frame);
        fuzz_require(key->opacity >= 0 && key->opacity <= 1 && isfinite(key->scale));
    }
}

/* Version 1: two bones, of which the second has IK, and a morph. */
static bool read_names(PmmModelBones *out, void *user, const char *path, Arena *arena, Diag *diag)
{
    static const char *bones[] = {"center", "ik"}, *morphs[] = {"base"};
    static int32_t ik[] = {1};
    (void)user;
    (void)arena;
    if (!*path)
        return diag_error(diag, "no path");
    *out = (PmmModelBones){bones, morphs, 2, 1, ik, 1};
    return true;
}

static bool load(Bytes bytes, Arena *arena, Diag *diag)
{
    static const PmmModelNames names = {read_names, NULL};
    PmmProject project;
    if (!pmm_load(&project, bytes, &names, arena, diag))
        return false;
    for (uint32_t i = 0; i < project.model_count; i++) {
        const PmmModel *model = &project.models[i];
        fuzz_require(vmd_check(&model->motion, diag));
        fuzz_require(isfinite(model->edge_width));
        check_parents(&project, model->parents, model->parent_count, model->bone_count);
    }
    fuzz_require(vmd_check(&project.stage, diag));
    check_parents(&project, project.camera_parents, project.camera_parent_count, 0);
    for (uint32_t i = 0; i < project.accessory_count; i++)
        check_accessory(&project, &project.accessories[i]);
    fuzz_require(project.gravity_count > 0 && project.gravity[0].frame == 0);
    fuzz_require(project.end < 0 || project.end >= project.begin);
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* a text of one letter has two bytes, and a line of the arena for itself and for its copy */
    return fuzz_loader(load, data, size, 160 * size);
}
