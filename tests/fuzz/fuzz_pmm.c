/* Arbitrary bytes: an error message, or a project that satisfies pmm.h. */
#include "format/pmm.h"

#include <math.h>

#include "fuzz.h"

static void check_parent(const PmmProject *project, PmmParent parent)
{
    fuzz_require(parent.model >= -1 && parent.model < (int32_t)project->model_count);
    fuzz_require(
        parent.model < 0 ||
        (parent.bone >= 0 && (uint32_t)parent.bone < project->models[parent.model].bone_count));
}

static bool load(Bytes bytes, Arena *arena, Diag *diag)
{
    PmmProject project;
    if (!pmm_load(&project, bytes, arena, diag))
        return false;
    for (uint32_t i = 0; i < project.model_count; i++) {
        fuzz_require(vmd_check(&project.models[i].motion, diag));
        fuzz_require(isfinite(project.models[i].edge_width));
        check_parent(&project, project.models[i].parent);
    }
    fuzz_require(vmd_check(&project.stage, diag));
    for (uint32_t i = 0; i < project.accessory_count; i++)
        check_parent(&project, project.accessories[i].parent);
    fuzz_require(project.end < 0 || project.end >= project.begin);
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* a text of one letter has two bytes, and a line of the arena for itself and for its copy */
    return fuzz_loader(load, data, size, 160 * size);
}
