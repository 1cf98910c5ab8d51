// SPDX-License-Identifier: MIT
#include "scene/motion_kind.h"

#include <inttypes.h>

/* ---- what a motion holds ---- */

typedef struct KeyCount {
    uint32_t count;
    const char *name;
} KeyCount;

/* "7501 bone keys and 12 morph keys", or "no keys". */
static const char *describe(const VmdMotion *vmd, Arena *arena)
{
    const KeyCount counts[] = {
        {vmd->bone_key_count, "bone"},     {vmd->morph_key_count, "morph"},
        {vmd->camera_key_count, "camera"}, {vmd->light_key_count, "light"},
        {vmd->shadow_key_count, "shadow"}, {vmd->property_key_count, "property"},
    };
    const char *text = "";
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (counts[i].count)
            text = arena_printf(arena, "%s%s%" PRIu32 " %s key%s", text, *text ? ", " : "",
                                counts[i].count, counts[i].name, counts[i].count == 1 ? "" : "s");
    return *text ? text : "no keys";
}

/* ---- where it belongs ---- */

static bool is_dance(const VmdMotion *vmd)
{
    return vmd->bone_key_count || vmd->morph_key_count || vmd->property_key_count;
}

static bool is_light(const VmdMotion *vmd)
{
    return vmd->light_key_count || vmd->shadow_key_count;
}

/* "; use it as camera: { motion: FILE }" for the first kind of keys that it has, or "". */
static const char *advice(const VmdMotion *vmd)
{
    return vmd->camera_key_count ? "; use it as camera: { motion: FILE }"
           : is_dance(vmd)       ? "; use it in motions of a model"
           : is_light(vmd)       ? "; use it as light: { motion: FILE }"
                                 : "";
}

static bool refuse(const MotionSpec *spec, const VmdMotion *vmd, const char *needed, Arena *arena,
                   Diag *diag)
{
    return diag_fail_at(diag, diag_key(diag, "%s.file", spec->key), DIAG_JOB,
                        "'%s' has no %s keys; it is a %s with %s%s", spec->file, needed,
                        vmd->is_pose ? "pose" : "motion", describe(vmd, arena), advice(vmd));
}

static bool has_used_keys(const VmdMotion *vmd, unsigned parts)
{
    return (parts & MOTION_BONES && vmd->bone_key_count) ||
           (parts & MOTION_MORPHS && vmd->morph_key_count) ||
           (parts & MOTION_PROPERTIES && vmd->property_key_count);
}

bool motion_kind_check_dance(const MotionSpec *spec, const VmdMotion *vmd, Arena *arena, Diag *diag)
{
    if (has_used_keys(vmd, spec->only))
        return true;
    if (!is_dance(vmd) && (vmd->camera_key_count || is_light(vmd)))
        return refuse(spec, vmd, "bone or morph", arena, diag);
    return diag_warn_at(diag, diag_key(diag, "%s.file", spec->key), WARN_UNUSED_MOTION,
                        is_dance(vmd) ? "'%s' has %s, none of which 'only' selects"
                                      : "'%s' has %s; it has no effect",
                        spec->file, describe(vmd, arena));
}

bool motion_kind_check_camera(const MotionSpec *spec, const VmdMotion *vmd, Arena *arena,
                              Diag *diag)
{
    return vmd->camera_key_count || refuse(spec, vmd, "camera", arena, diag);
}

bool motion_kind_check_light(const MotionSpec *spec, const VmdMotion *vmd, Arena *arena, Diag *diag)
{
    return is_light(vmd) || refuse(spec, vmd, "light or shadow", arena, diag);
}
