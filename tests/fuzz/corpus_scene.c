// SPDX-License-Identifier: MIT
/* Scenes for fuzz_evaluate.c: settings, a model and a motion. */
#include "corpus.h"

#include "byte_list.h"
#include "format/model/pmx.h"
#include "format/motion/vmd.h"
#include "model_fixture.h"
#include "motion_fixture.h"
#include "scene_fixture.h"
#include "sheet_fixture.h"

static void add_scene(Corpus *corpus, const char settings[8], const PmxModel *pmx,
                      const VmdMotion *vmd, Arena *arena)
{
    const Bytes parts[] = {{(const uint8_t *)settings, 8},
                           pmx_write(pmx, (PmxWriteOptions){.utf8 = true}, arena),
                           vmd_write(vmd, arena)};
    ByteList *list = arena_array(arena, ByteList, 1);
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < parts[i].size; k++)
            bytes_u8(list, parts[i].data[k]);
    corpus_add(corpus, (Bytes){list->data, list->size}, arena);
}

/* A sheet as a soft body, on a chain of rigid bodies. */
static PmxModel hanging_sheet(Arena *arena)
{
    enum { BODIES = 4 };
    PmxModel pmx = fixture_sheet((SheetSpec){4, 4, 3, 3, 10, true}, arena);
    pmx.bodies = arena_array(arena, PmxBody, BODIES);
    pmx.joints = arena_array(arena, PmxJoint, BODIES - 1);
    pmx.body_count = BODIES;
    pmx.joint_count = BODIES - 1;
    for (int i = 0; i < BODIES; i++)
        pmx.bodies[i] = (PmxBody){.name = "b",
                                  .name_en = "",
                                  .bone = i < 3 ? i : PMX_NONE,
                                  .mask = 0xFFFF,
                                  .shape = (uint8_t)(i % 3),
                                  .size = {0.5f, 0.5f, 0.5f},
                                  .position = {(float)i, 10, 0},
                                  .mass = 1,
                                  .mode = (uint8_t)(i % 3)};
    for (int i = 0; i + 1 < BODIES; i++)
        pmx.joints[i] = (PmxJoint){.name = "j",
                                   .name_en = "",
                                   .body_a = i,
                                   .body_b = i + 1,
                                   .position = {(float)i + 0.5f, 10, 0},
                                   .angular_lower = {-1, -1, -1},
                                   .angular_upper = {1, 1, 1},
                                   .linear_spring = {10, 0, 0}};
    fixture_pin(&pmx, 0);
    fixture_anchor(&pmx, 3, 1);
    return pmx;
}

static VmdMotion moving(Arena *arena)
{
    static const float axis[] = {0, 0, 1};
    VmdBoneKey *keys = arena_array(arena, VmdBoneKey, 4);
    keys[0] = fixture_key("middle", 0, 0, 0, 0);
    keys[1] = fixture_key("middle", 9, 3, 1, -2);
    keys[2] = fixture_turn_key("左足", 5, axis, 60);
    keys[3] = fixture_key("左足ＩＫ", 7, 0, 3, -2);
    return fixture_motion_of(keys, 4);
}

void corpus_make_evaluate(Corpus *corpus, Arena *arena)
{
    const VmdMotion motion = moving(arena), full_motion = fixture_full_motion(arena);
    const PmxModel sheet = hanging_sheet(arena), full = fixture_full(arena);
    PmxModel rig = fixture_full(arena);
    rig.soft_body_count = 0;
    add_scene(corpus, "\x3A\0\0\0\0\0\0\0", &sheet, &motion, arena);
    add_scene(corpus, "\x05\1\2\0\0\1\2\0", &full, &full_motion, arena);
    add_scene(corpus, "\x40\2\1\0\0\2\0\1", &rig, &motion, arena);
}
