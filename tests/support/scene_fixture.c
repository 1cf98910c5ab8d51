// SPDX-License-Identifier: MIT
#include "scene_fixture.h"

#include <math.h>
#include <stdio.h>

Scene *fixture_scene(PmxModel pmx, const VmdMotion *motion, Compat compat, Arena *arena)
{
    Diag diag = diag_quiet();

    Model *model = arena_alloc(arena, sizeof *model);
    *model = (Model){.file = "model.pmx", .pmx = pmx};
    model_prepare(model, arena, &diag);

    SceneModel *m = arena_alloc(arena, sizeof *m);
    *m = (SceneModel){.model = model,
                      .id = "model",
                      .placement = PLACEMENT_NONE,
                      .attach_model = -1,
                      .attach_bone = -1,
                      .spec = {MODEL_DEFAULT},
                      .morph_constants = arena_array(arena, float, pmx.morph_count),
                      .hidden = arena_array(arena, bool, pmx.material_count)};
    for (uint32_t i = 0; i < pmx.morph_count; i++)
        m->morph_constants[i] = NAN;
    const MotionLayer layer = {.vmd = motion, .spec = {.file = "motion.vmd", MOTION_DEFAULT}};
    motion_bind(&m->motion, model, &layer, motion != NULL, compat.fixed_axis == FIXED_AXIS_KEYS,
                arena, &diag);

    Scene *scene = arena_alloc(arena, sizeof *scene);
    *scene = (Scene){.models = m,
                     .model_count = 1,
                     .attach_order = arena_array(arena, uint32_t, 1),
                     .camera = CAMERA_DEFAULT,
                     .light = LIGHT_DEFAULT,
                     .shadow = SHADOW_DEFAULT,
                     .compat = compat};
    return scene;
}

VmdBoneKey fixture_key(const char *bone, uint32_t frame, float x, float y, float z)
{
    return (VmdBoneKey){.name = vmd_name_from_utf8(bone),
                        .frame = frame,
                        .translation = {x, y, z},
                        .rotation = {0, 0, 0, 1},
                        .curves = {CURVE_LINEAR, CURVE_LINEAR, CURVE_LINEAR, CURVE_LINEAR}};
}

VmdBoneKey fixture_turn_key(const char *bone, uint32_t frame, const float axis[3], float degrees)
{
    VmdBoneKey key = fixture_key(bone, frame, 0, 0, 0);
    const double half = (double)degrees * M_PI / 360;
    for (int i = 0; i < 3; i++)
        key.rotation[i] = (float)((double)axis[i] * sin(half));
    key.rotation[3] = (float)cos(half);
    return key;
}

VmdMotion fixture_motion_of(VmdBoneKey *keys, uint32_t count)
{
    return (VmdMotion){.model_name = "", .bone_keys = keys, .bone_key_count = count};
}
