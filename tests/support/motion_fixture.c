// SPDX-License-Identifier: MIT
#include "motion_fixture.h"

#include <string.h>

static VmdName name_of(const char *ascii)
{
    VmdName name = {0};
    memcpy(name.bytes, ascii, strlen(ascii));
    return name;
}

VmdMotion fixture_full_motion(Arena *arena)
{
    VmdMotion m = {.model_name = "カメラ・照明",
                   .bone_key_count = 2,
                   .morph_key_count = 1,
                   .camera_key_count = 1,
                   .light_key_count = 1,
                   .shadow_key_count = 1,
                   .property_key_count = 2};
    m.bone_keys = arena_array(arena, VmdBoneKey, 2);
    m.bone_keys[0] = (VmdBoneKey){name_of("head"),
                                  7,
                                  {1, 2, 3},
                                  {0, 0.6f, 0, 0.8f},
                                  {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}, {13, 14, 15, 16}},
                                  VMD_PHYSICS_OFF};
    m.bone_keys[1] = m.bone_keys[0];
    m.bone_keys[1].physics = VMD_PHYSICS_UNSPECIFIED;
    m.bone_keys[1].frame = 0;
    m.morph_keys = arena_array(arena, VmdMorphKey, 1);
    m.morph_keys[0] = (VmdMorphKey){name_of("smile"), 20, 0.25f};
    m.camera_keys = arena_array(arena, VmdCameraKey, 1);
    m.camera_keys[0] = (VmdCameraKey){.frame = 30,
                                      .distance = -45,
                                      .target = {1, 10, 2},
                                      .rotation = {0.1f, 0.2f, 0.3f},
                                      .fov_deg = 30,
                                      .orthographic = true};
    for (uint8_t i = 0; i < 6; i++)
        m.camera_keys[0].curves[i] =
            (Curve){i, (uint8_t)(10 + i), (uint8_t)(20 + i), (uint8_t)(30 + i)};
    m.light_keys = arena_array(arena, VmdLightKey, 1);
    m.light_keys[0] = (VmdLightKey){40, {0.6f, 0.5f, 0.4f}, {-0.5f, -1, 0.5f}};
    m.shadow_keys = arena_array(arena, VmdShadowKey, 1);
    m.shadow_keys[0] = (VmdShadowKey){50, 2, 0.01125f};
    m.property_keys = arena_array(arena, VmdPropertyKey, 2);
    m.property_keys[0] = (VmdPropertyKey){.frame = 60, .visible = true, .ik_count = 2};
    m.property_keys[0].ik = arena_array(arena, VmdIkSwitch, 2);
    m.property_keys[0].ik[0] = (VmdIkSwitch){name_of("legIK_fifteen_b"), true};
    m.property_keys[0].ik[1] = (VmdIkSwitch){name_of("toe"), false};
    m.property_keys[1].frame = 61;
    return m;
}
