// SPDX-License-Identifier: MIT
/* Each rule that pmx_check enforces, by a model that breaks it and by one at its limit. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "asset_check.h"
#include "byte_list.h"
#include "diag_log.h"
#include "format/model/pmx.h"
#include "model_fixture.h"
#include "unit_test.h"

static void expect(PmxModel *m, const char *edit, const char *message)
{
    DiagLog log;
    diag_log_init(&log);
    diag_file(&log.diag, "m.pmx");
    const bool good = pmx_check(m, &log.diag);
    if (good == (message != NULL) || (message && !strstr(log.text, message)))
        fail_msg("%s: %s", edit, good ? "accepted" : log.text);
}

/* Edits a fresh model `m` and expects that it is refused with this message. */
#define REFUSED(message, edit)            \
    do {                                  \
        Arena *arena = arena_create();    \
        PmxModel m = fixture_full(arena); \
        edit;                             \
        expect(&m, #edit, message);       \
        arena_destroy(arena);             \
    } while (0)
#define ACCEPTED(edit) REFUSED(NULL, edit)

#define BAD_TEXT "\xFF"

static void test_texts(void **state)
{
    (void)state;
    static const char message[] = "error: m.pmx: a text is not UTF-8\n";
    ACCEPTED((void)m);
    REFUSED(message, m.name = BAD_TEXT);
    REFUSED(message, m.name = NULL);
    REFUSED(message, m.name_en = BAD_TEXT);
    REFUSED(message, m.comment = BAD_TEXT);
    REFUSED(message, m.comment_en = BAD_TEXT);
    REFUSED(message, m.textures[0] = BAD_TEXT);
    REFUSED(message, m.textures[m.texture_count - 1] = BAD_TEXT);
    REFUSED(message, m.materials[0].name = BAD_TEXT);
    REFUSED(message, m.materials[m.material_count - 1].name_en = BAD_TEXT);
    REFUSED(message, m.materials[0].memo = BAD_TEXT);
    REFUSED(message, m.bones[0].name = BAD_TEXT);
    REFUSED(message, m.bones[m.bone_count - 1].name_en = BAD_TEXT);
    REFUSED(message, m.morphs[0].name = BAD_TEXT);
    REFUSED(message, m.morphs[m.morph_count - 1].name_en = BAD_TEXT);
    REFUSED(message, m.display_frames[0].name = BAD_TEXT);
    REFUSED(message, m.display_frames[m.display_frame_count - 1].name_en = BAD_TEXT);
    REFUSED(message, m.bodies[0].name = BAD_TEXT);
    REFUSED(message, m.bodies[m.body_count - 1].name_en = BAD_TEXT);
    REFUSED(message, m.joints[0].name = BAD_TEXT);
    REFUSED(message, m.joints[m.joint_count - 1].name_en = BAD_TEXT);
    REFUSED(message, m.soft_bodies[0].name = BAD_TEXT);
    REFUSED(message, m.soft_bodies[0].name_en = BAD_TEXT);
}

static void test_geometry(void **state)
{
    (void)state;
    static const char weights[] = "weights do not sum to 1, or a bone is out of range",
                      face[] = "which is out of range",
                      material[] = "index range, texture or a value is invalid";
    REFUSED("vertex 0: deform", m.vertices[0].deform = 5);
    REFUSED("vertex 4: weights", m.vertices[4].bones[3] = 6);
    REFUSED("vertex 0: weights", m.vertices[0].bones[0] = -1);
    REFUSED(weights, m.vertices[1].weights[0] += 2e-5f);
    REFUSED(weights, m.vertices[1].weights[0] -= 2e-5f);
    ACCEPTED(m.vertices[1].weights[0] += 5e-6f);
    ACCEPTED(m.vertices[4].bones[3] = 5);
    REFUSED("vertex 2: normal is zero", memset(m.vertices[2].normal, 0, 12));
    for (int k = 0; k < 3; k++) {
        ACCEPTED(memset(m.vertices[2].normal, 0, 12); m.vertices[2].normal[k] = 1);
        REFUSED("vertex 2: a value is not finite", m.vertices[2].normal[k] = INFINITY);
    }
    REFUSED("extra UV 1 has", m.extra_uv[0][0][0] = NAN);
    REFUSED("extra UV 2 has", m.extra_uv[1][4][3] = NAN);
    REFUSED("number of face indices 5 is not a multiple of 3", m.index_count = 5);
    REFUSED("face index 0 refers to vertex 5", m.indices[0] = 5);
    REFUSED(face, m.indices[5] = 5);
    ACCEPTED(m.indices[5] = 4);
    REFUSED("material 0", m.materials[0].index_count = 2);
    REFUSED(material, m.materials[0].index_count = 9);
    REFUSED(material, m.materials[1].first_index = 2);
    REFUSED(material, m.materials[1].first_index = 9; m.materials[1].index_count = 0);
    ACCEPTED(m.materials[1].first_index = 6; m.materials[1].index_count = 0);
    REFUSED("material 1", m.materials[1].texture = 3);
    REFUSED(material, m.materials[1].texture = -2);
    ACCEPTED(m.materials[1].texture = 2);
    ACCEPTED(m.materials[1].texture = PMX_NONE);
    REFUSED(material, m.materials[1].sphere_texture = 3);
    REFUSED(material, m.materials[1].shared_toon = true; m.materials[1].toon = 10);
    REFUSED(material, m.materials[1].shared_toon = true; m.materials[1].toon = PMX_NONE);
    ACCEPTED(m.materials[1].shared_toon = true; m.materials[1].toon = 9);
    REFUSED(material, m.materials[1].shared_toon = false; m.materials[1].toon = 3);
    ACCEPTED(m.materials[1].shared_toon = false; m.materials[1].toon = PMX_NONE);
    REFUSED(material, m.materials[1].sphere_mode = 4);
    ACCEPTED(m.materials[1].sphere_mode = 3);
}

static void test_bones(void **state)
{
    (void)state;
    static const char message[] = "an index, the IK or a value is invalid";
    REFUSED("bone 0: an index", m.bones[0].parent = 6);
    REFUSED("bone 5: an index", m.bones[5].parent = 6);
    REFUSED(message, m.bones[5].tail_bone = -2);
    REFUSED(message, m.bones[5].append_source = 6);
    REFUSED(message, m.bones[5].fixed_axis[0] = 2);
    for (int k = 0; k < 3; k++) {
        ACCEPTED(memset(m.bones[5].fixed_axis, 0, 12); m.bones[5].fixed_axis[k] = -1);
        REFUSED(message, memset(m.bones[5].fixed_axis, 0, 12); m.bones[5].fixed_axis[k] = 0.999f);
        REFUSED(message, memset(m.bones[5].fixed_axis, 0, 12); m.bones[5].fixed_axis[k] = 1.001f);
    }
    ACCEPTED(memset(m.bones[5].fixed_axis, 0, 12));
    REFUSED("bone 4: an index", m.bones[4].ik.effector = 6);
    REFUSED(message, m.bones[4].ik.effector = PMX_NONE);
    REFUSED(message, m.bones[4].ik.loops = -1);
    REFUSED(message, m.bones[4].ik.loops = 257);
    ACCEPTED(m.bones[4].ik.loops = 0);
    ACCEPTED(m.bones[4].ik.loops = 256);
    REFUSED(message, m.bones[4].ik.links[0].bone = 6);
    REFUSED(message, m.bones[4].ik.links[1].bone = 6);
    REFUSED(message, m.bones[4].ik.links[1].bone = m.bones[4].ik.effector);
    for (int k = 0; k < 3; k++) {
        REFUSED(message, m.bones[4].ik.links[0].lower[k] = 1; m.bones[4].ik.links[0].upper[k] = 0);
        ACCEPTED(m.bones[4].ik.links[0].lower[k] = 1; m.bones[4].ik.links[0].upper[k] = 1);
    }
    REFUSED(message, m.bones[4].flags = 0);
    ACCEPTED(m.bones[4].flags = 0; m.bones[4].ik.link_count = 0);
    REFUSED("bone 0: is its own ancestor", m.bones[0].parent = 0);
    REFUSED("is its own ancestor", m.bones[2].parent = 3; m.bones[3].parent = 2);
    ACCEPTED(for (int i = 0; i < 6; i++) m.bones[i].parent = i - 1); /* a chain of all bones */
    ACCEPTED(for (int i = 0; i < 6; i++) m.bones[i].parent = i < 5 ? i + 1 : PMX_NONE);
}

static void test_morphs(void **state)
{
    (void)state;
    REFUSED("morph 0: type or panel", m.morphs[0].panel = 5);
    REFUSED("morph 8: type or panel", m.morphs[8].type = 11);
    ACCEPTED(m.morphs[0].panel = 4);
    for (uint32_t i = 0; i < 9; i++) {
        Arena *arena = arena_create();
        PmxModel m = fixture_full(arena);
        PmxMorph *morph = &m.morphs[i];
        const uint32_t last = morph->count - 1;
        uint32_t limit = m.vertex_count;
        int32_t *index = NULL;
        char message[64];
        switch (morph->type) {
        case PMX_MORPH_GROUP:
        case PMX_MORPH_FLIP:
            index = &morph->offsets.group[last].morph, limit = m.morph_count;
            break;
        case PMX_MORPH_BONE:
            index = &morph->offsets.bone[last].bone, limit = m.bone_count;
            break;
        case PMX_MORPH_MATERIAL:
            index = &morph->offsets.material[last].material, limit = m.material_count;
            break;
        case PMX_MORPH_IMPULSE:
            index = &morph->offsets.impulse[last].body, limit = m.body_count;
            break;
        case PMX_MORPH_VERTEX:
            index = (int32_t *)&morph->offsets.vertex[last].vertex;
            break;
        default:
            index = (int32_t *)&morph->offsets.uv[last].vertex;
        }
        *index = (int32_t)limit - 1;
        expect(&m, "last index", NULL);
        *index = (int32_t)limit;
        snprintf(message, sizeof message, "morph %u: offset %u is invalid", i, last);
        expect(&m, "index behind the last", message);
        *index = PMX_NONE;
        expect(&m, "no index", morph->type == PMX_MORPH_MATERIAL ? NULL : message);
        arena_destroy(arena);
    }
    REFUSED("display frame 1: item 2 out of range",
            m.display_frames[1].items[2] = ((PmxDisplayItem){false, 6}));
    REFUSED("item 2 out of range", m.display_frames[1].items[2] = ((PmxDisplayItem){true, 9}));
    ACCEPTED(m.display_frames[1].items[2] = ((PmxDisplayItem){false, 5}));
    ACCEPTED(m.display_frames[1].items[2] = ((PmxDisplayItem){true, 8}));
}

static void test_dynamics(void **state)
{
    (void)state;
    static const char body[] = "bone, mode, shape or a value is invalid",
                      joint[] = "a rigid body, the type or a value is invalid",
                      soft[] = "soft body 0: an anchor, a pin or a value is invalid";
    REFUSED("rigid body 0: bone", m.bodies[0].bone = 6);
    REFUSED("rigid body 2: bone", m.bodies[2].bone = -2);
    ACCEPTED(m.bodies[0].bone = PMX_NONE);
    REFUSED(body, m.bodies[0].group = 16);
    ACCEPTED(m.bodies[0].group = 15);
    REFUSED(body, m.bodies[0].shape = 3);
    ACCEPTED(m.bodies[0].shape = 2);
    REFUSED(body, m.bodies[0].mode = 3);
    for (int k = 0; k < 3; k++) {
        REFUSED(body, m.bodies[0].size[k] = -1e-3f);
        ACCEPTED(m.bodies[0].size[k] = 0);
    }
    REFUSED(body, m.bodies[1].mode = PMX_PHYSICS; m.bodies[1].mass = 0);
    ACCEPTED(m.bodies[1].mode = PMX_FOLLOW_BONE; m.bodies[1].mass = 0);
    ACCEPTED(m.bodies[1].mode = PMX_PHYSICS_WITH_BONE; m.bodies[1].mass = 0.5f);
    REFUSED("joint 0: a rigid body", m.joints[0].body_a = 3);
    REFUSED("joint 1: a rigid body", m.joints[1].body_b = 3);
    REFUSED(joint, m.joints[0].body_a = PMX_NONE);
    REFUSED(joint, m.joints[0].body_b = PMX_NONE);
    ACCEPTED(m.joints[0].body_a = m.joints[0].body_b = PMX_NONE);
    REFUSED(joint, m.joints[0].type = 6);
    ACCEPTED(m.joints[0].type = 5);
    REFUSED(soft, m.soft_bodies[0].material = 2);
    ACCEPTED(m.soft_bodies[0].material = PMX_NONE);
    REFUSED(soft, m.soft_bodies[0].anchors[0].body = 3);
    REFUSED(soft, m.soft_bodies[0].anchors[0].vertex = 5);
    ACCEPTED(m.soft_bodies[0].anchors[0].vertex = 4);
    REFUSED(soft, m.soft_bodies[0].pins[0] = 5);
    REFUSED(soft, m.soft_bodies[0].pins[1] = 5);
    ACCEPTED(m.soft_bodies[0].pins[1] = 4);
}

/* ---- the smallest size of a record, in the message for a count that the file cannot hold ---- */

/* A PMX 2.1 file up to the count of a section: earlier sections are empty, except for one bone. */
static void put_head(ByteList *b, int section, uint8_t extra_uvs, uint8_t index_size)
{
    const uint8_t globals[] = {8,          1,          extra_uvs,  index_size, index_size,
                               index_size, index_size, index_size, index_size};
    b->size = 0;
    bytes_text(b, "PMX ", 4);
    bytes_f32(b, 2.1f);
    for (size_t i = 0; i < sizeof globals; i++)
        bytes_u8(b, globals[i]);
    bytes_zeros(b, 16);
    for (int i = 0; i < section; i++)
        bytes_u32(b, 0);
}

/* Sizes from the layout of PMX 2.1: fixed bytes, and the number of indices with index_size. */
static void test_smallest_sizes(void **state)
{
    (void)state;
    enum { LEFT = 9999 };
    static const struct {
        const char *items;
        size_t fixed, indices;
    } rows[] = {
        {"vertices", 12 + 12 + 8 + 1 + 4, 1},
        {"face indices", 0, 1},
        {"textures", 4, 0},
        {"materials", 4 + 4 + 16 + 12 + 4 + 12 + 1 + 16 + 4 + 1 + 1 + 1 + 4 + 4, 2},
        {"bones", 4 + 4 + 12 + 4 + 2, 2},
        {"morphs", 4 + 4 + 1 + 1 + 4, 0},
        {"display frames", 4 + 4 + 1 + 4, 0},
        {"rigid bodies", 4 + 4 + 1 + 2 + 1 + 12 + 12 + 12 + 5 * 4 + 1, 1},
        {"joints", 4 + 4 + 1 + 8 * 12, 2},
        {"soft bodies",
         4 + 4 + 1 + 1 + 2 + 1 + 4 + 4 + 4 + 4 + 4 + 12 * 4 + 6 * 4 + 4 * 4 + 3 * 4 + 4 + 4, 1},
    };
    static ByteList b;
    for (int i = 0; i < (int)(sizeof rows / sizeof *rows); i++)
        for (uint8_t index_size = 1; index_size <= 4; index_size *= 2) {
            const uint8_t extra_uvs = i ? 0 : index_size; /* 16 bytes each in a vertex */
            const size_t size = rows[i].fixed + rows[i].indices * index_size + 16u * extra_uvs;
            Arena *arena = arena_create();
            DiagLog log;
            PmxModel m;
            char message[96];
            put_head(&b, i, extra_uvs, index_size);
            bytes_u32(&b, UINT32_MAX);
            bytes_zeros(&b, LEFT);
            diag_log_init(&log);
            diag_file(&log.diag, "m.pmx");
            snprintf(message, sizeof message, "number of %s -1 out of range (0..%zu)",
                     rows[i].items, LEFT / size);
            pmx_load(&m, (Bytes){b.data, b.size}, arena, &log.diag);
            if (!strstr(log.text, message))
                fail_msg("%s: %s", message, log.text);
            arena_destroy(arena);
        }
}

/* The same for the offsets of a morph, by its type. */
static void test_offset_sizes(void **state)
{
    (void)state;
    enum { LEFT = 9999, MORPHS = 5, NAME_PANEL = 9 };
    static const size_t fixed[] = {4, 12, 28, 16, 16, 16, 16, 16, 1 + 28 * 4, 4, 1 + 24};
    static ByteList b;
    for (uint8_t type = 0; type <= PMX_MORPH_IMPULSE; type++)
        for (uint8_t index_size = 1; index_size <= 4; index_size *= 2) {
            Arena *arena = arena_create();
            DiagLog log;
            PmxModel m;
            char message[96];
            put_head(&b, MORPHS, 0, index_size);
            bytes_u32(&b, 1);
            bytes_zeros(&b, NAME_PANEL);
            bytes_u8(&b, type);
            bytes_u32(&b, UINT32_MAX);
            bytes_zeros(&b, LEFT);
            diag_log_init(&log);
            diag_file(&log.diag, "m.pmx");
            snprintf(message, sizeof message, "morph 0: number of offsets -1 out of range (0..%zu)",
                     LEFT / (fixed[type] + index_size));
            pmx_load(&m, (Bytes){b.data, b.size}, arena, &log.diag);
            if (!strstr(log.text, message))
                fail_msg("%s: %s", message, log.text);
            arena_destroy(arena);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts),        cmocka_unit_test(test_geometry),
        cmocka_unit_test(test_bones),        cmocka_unit_test(test_morphs),
        cmocka_unit_test(test_dynamics),     cmocka_unit_test(test_smallest_sizes),
        cmocka_unit_test(test_offset_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
