// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "asset_check.h"
#include "byte_list.h"
#include "diag_log.h"
#include "format/model/model_file.h"
#include "format/model/pmd.h"
#include "format/model/pmx.h"
#include "model_damage.h"
#include "model_fixture.h"
#include "pmd_fixture.h"
#include "shared_data.h"
#include "unit_test.h"

static size_t size_with_bones(void)
{
    static ByteList b;
    b.size = 0;
    pmd_put_geometry(&b);
    pmd_put_bones(&b);
    return b.size;
}

static bool load(PmxModel *model, const ByteList *b, size_t size, Arena *arena, DiagLog *log)
{
    diag_log_init(log);
    diag_file(&log->diag, "m.pmd");
    return model_file_load(model, (Bytes){b->data, size}, "a.pmd", &(SideFiles){0}, arena,
                           &log->diag);
}

static PmxModel load_whole(Arena *arena, DiagLog *log)
{
    static ByteList b;
    PmxModel m;
    pmd_put_all(&b);
    if (!load(&m, &b, b.size, arena, log) || !pmx_check(&m, &log->diag))
        fail_msg("%s", log->text);
    return m;
}

static void test_geometry(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    DiagLog log;
    const PmxModel m = load_whole(arena, &log);
    assert_true(m.from_pmd && m.version == 1.0f);
    assert_string_equal(m.name, "あ");
    assert_string_equal(m.name_en, "english");
    assert_string_equal(m.comment_en, "english comment");
    assert_string_equal(
        log.text, "warning: m.pmd: morph 0: 1 of 3 offsets have an index out of range and are "
                  "ignored\n");

    const PmxVertex *v = m.vertices;
    assert_true(v[0].deform == PMX_BDEF1 && v[0].bones[0] == PMD_KNEE && v[0].edge_scale == 1);
    assert_true(v[1].deform == PMX_BDEF1 && v[1].bones[0] == PMD_FOOT && v[1].edge_scale == 0);
    assert_true(v[2].deform == PMX_BDEF2 && v[2].bones[0] == PMD_KNEE && v[2].bones[1] == PMD_FOOT);
    assert_true(v[2].weights[0] == 0.4f && v[2].position[0] == 2 && v[2].uv[1] == 0.75f);

    assert_int_equal(m.texture_count, 4);
    assert_string_equal(m.textures[0], "a.bmp");
    assert_string_equal(m.textures[1], "s.SPA");
    assert_string_equal(m.textures[2], "s.sph");
    assert_string_equal(m.textures[3], "own.bmp");
    arena_destroy(arena);
}

static void test_materials(void **state)
{
    (void)state;
    enum { SHADOWS = PMX_CAST_SHADOW | PMX_RECEIVE_SHADOW };
    static const struct {
        int32_t texture, sphere;
        int mode, flags, toon;
        bool shared;
    } rows[] = {
        {0, 1, PMX_SPHERE_ADD, PMX_EDGE | PMX_GROUND_SHADOW | SHADOWS, 3, false},
        {-1, 2, PMX_SPHERE_MULTIPLY, PMX_DOUBLE_SIDED, 6, true}, /* 0.98: no self-shadow */
        {0, -1, PMX_SPHERE_OFF, PMX_DOUBLE_SIDED | SHADOWS, -1, false},
    };
    Arena *arena = arena_create();
    DiagLog log;
    const PmxModel m = load_whole(arena, &log);
    assert_int_equal(m.material_count, 3);
    for (uint32_t i = 0; i < 3; i++) {
        const PmxMaterial *p = &m.materials[i];
        if (p->texture != rows[i].texture || p->sphere_texture != rows[i].sphere ||
            p->sphere_mode != rows[i].mode || p->flags != rows[i].flags ||
            p->toon != rows[i].toon || p->shared_toon != rows[i].shared)
            fail_msg("material %u", i);
        assert_true(p->first_index == 3 * i && p->index_count == 3);
        assert_true(p->specular_power == 5 && p->specular[2] == 0.6f && p->ambient[0] == 0.7f);
        char name[] = "material 1";
        name[9] = (char)('1' + i);
        assert_string_equal(p->name_en, name);
        assert_true(p->edge_color[3] == p->diffuse[3] && p->edge_size == 1);
    }
    arena_destroy(arena);
}

static void test_bones(void **state)
{
    (void)state;
    enum { SHOWN = PMX_BONE_ROTATABLE | PMX_BONE_VISIBLE | PMX_BONE_OPERABLE };
    static const struct {
        int flags, layer, tail, source;
        float ratio;
    } rows[PMD_BONES + 1] = {
        [PMD_CENTER] = {SHOWN | PMX_BONE_MOVABLE | PMX_BONE_TAIL_IS_BONE, 0, PMD_KNEE, -1, 0},
        [PMD_KNEE] = {SHOWN | PMX_BONE_TAIL_IS_BONE, 0, PMD_FOOT, -1, 0},
        [PMD_FOOT] = {PMX_BONE_ROTATABLE, 0, -1, -1, 0},
        [PMD_GOAL] = {SHOWN | PMX_BONE_MOVABLE | PMX_BONE_IK, 1, -1, -1, 0},
        [PMD_FOLLOWER] = {SHOWN | PMX_BONE_APPEND_ROTATION, 2, -1, PMD_SOURCE, 1},
        [PMD_SOURCE] = {SHOWN, 0, -1, -1, 0},
        [PMD_PARTLY] = {PMX_BONE_ROTATABLE | PMX_BONE_APPEND_ROTATION, 2, -1, PMD_SOURCE, -1},
        [PMD_TWIST] = {SHOWN | PMX_BONE_FIXED_AXIS | PMX_BONE_TAIL_IS_BONE, 0, PMD_TIP, -1, 0},
        [PMD_TIP] = {PMX_BONE_ROTATABLE, 0, -1, -1, 0},
        [PMD_CHILD] = {SHOWN, 2, -1, -1, 0}, /* not evaluated before its parent */
        [PMD_BONES] = {PMX_BONE_ROTATABLE | PMX_BONE_MOVABLE | PMX_BONE_IK, 1, -1, -1, 0},
    };
    Arena *arena = arena_create();
    DiagLog log;
    const PmxModel m = load_whole(arena, &log);
    assert_int_equal(m.bone_count, PMD_BONES + 1); /* one for the second IK of the goal */
    for (uint32_t i = 0; i <= PMD_BONES; i++) {
        const PmxBone *b = &m.bones[i];
        if (b->flags != rows[i].flags || b->layer != rows[i].layer ||
            b->tail_bone != rows[i].tail || b->append_source != rows[i].source ||
            fabsf(b->append_ratio - rows[i].ratio) > 1e-6f)
            fail_msg("bone %u '%s'", i, b->name);
    }
    assert_string_equal(m.bones[PMD_CENTER].name, "センター");
    assert_string_equal(m.bones[PMD_KNEE].name_en, "left knee");
    assert_true(m.bones[PMD_TWIST].fixed_axis[1] == -1);
    assert_string_equal(m.bones[PMD_BONES].name, "goal+");
    assert_true(m.bones[PMD_BONES].parent == PMD_GOAL && m.bones[PMD_BONES].position[1] == 1);
    arena_destroy(arena);
}

static void test_ik(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    DiagLog log;
    const PmxModel m = load_whole(arena, &log);
    const PmxIk *ik = &m.bones[PMD_GOAL].ik;
    assert_true(ik->effector == PMD_FOOT && ik->loops == 40 && ik->unit_angle == 2.0f);
    assert_true(ik->link_count == 2 && ik->links[0].bone == PMD_KNEE &&
                ik->links[1].bone == PMD_CENTER);
    assert_true(ik->links[0].limited && !ik->links[1].limited);
    assert_float_equal(ik->links[0].lower[0], -3.14159265f, 1e-6f);
    assert_float_equal(ik->links[0].upper[0], -0.0087266f, 1e-6f);
    assert_true(ik->links[0].lower[1] == 0 && ik->links[0].upper[2] == 0);
    assert_float_equal(m.bones[PMD_BONES].ik.unit_angle, 0.12f, 1e-6f);
    assert_int_equal(m.bones[PMD_BONES].ik.links[0].bone, PMD_TWIST);
    arena_destroy(arena);
}

static void test_morphs_and_display(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    DiagLog log;
    const PmxModel m = load_whole(arena, &log);
    assert_int_equal(m.morph_count, 1); /* the base is not a morph */
    assert_string_equal(m.morphs[0].name, "あ");
    assert_string_equal(m.morphs[0].name_en, "aaa");
    assert_true(m.morphs[0].panel == 3 && m.morphs[0].type == PMX_MORPH_VERTEX);
    assert_int_equal(m.morphs[0].count, 2); /* index 2 is not in the base */
    assert_true(m.morphs[0].offsets.vertex[0].vertex == 0);
    assert_true(m.morphs[0].offsets.vertex[1].vertex == 2);
    assert_true(m.morphs[0].offsets.vertex[1].offset[1] == 1);

    assert_int_equal(m.display_frame_count, 3);
    assert_string_equal(m.display_frames[0].name, "Root");
    assert_true(m.display_frames[1].item_count == 1 && m.display_frames[1].items[0].is_morph);
    assert_int_equal(m.display_frames[1].items[0].index, 0);
    assert_string_equal(m.display_frames[2].name, "legs");
    assert_string_equal(m.display_frames[2].name_en, "Legs");
    assert_true(m.display_frames[2].item_count == 1 &&
                m.display_frames[2].items[0].index == PMD_KNEE);
    arena_destroy(arena);
}

static void test_physics(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    DiagLog log;
    const PmxModel m = load_whole(arena, &log);
    assert_int_equal(m.body_count, 3);
    const PmxBody *b = m.bodies;
    assert_true(b[0].bone == PMD_CENTER && b[0].position[0] == 0.5f && b[0].position[1] == 10.25f);
    assert_true(b[1].bone == PMD_FOOT && b[1].position[1] == 1.25f);
    assert_true(b[2].bone == PMX_NONE && b[2].position[1] == 10.25f); /* moves no bone */
    assert_true(b[0].group == 3 && b[0].mask == 0xFFF7 && b[0].shape == PMX_CAPSULE);
    assert_true(b[0].rotation[2] == 0.3f && b[0].mass == 1 && b[0].friction == 5);
    assert_true(b[0].mode == PMX_FOLLOW_BONE && b[1].mode == PMX_PHYSICS);
    assert_int_equal(m.joint_count, 1);
    assert_true(m.joints[0].body_b == 1 && m.joints[0].linear_lower[0] == 2);
    assert_true(m.joints[0].angular_spring[0] == 7);
    arena_destroy(arena);
}

/* ---- older and damaged files ---- */

static void write_header_and_counts(ByteList *b)
{
    b->size = 0;
    bytes_text(b, "Pmd", 3);
    bytes_f32(b, 1);
    bytes_zeros(b, 276);
    bytes_zeros(b, 12); /* no vertices, indices, materials */
}

/* Names of toons: those of MMD are shared, toon00 is no toon, others are textures. */
static void test_toon_names(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int toon; /* shared 0..9; -1: none; -2: a texture */
    } rows[10] = {{"toon00.bmp", -1}, {"toon01.bmp", 0}, {"TOON09.BMP", 8},  {"toon10.bmp", 9},
                  {"toon11.bmp", -2}, {"toon1.bmp", -2}, {"tool01.bmp", -2}, {"toon01.png", -2},
                  {"toon0:.bmp", -2}, {"", -1}};
    static ByteList b;
    Arena *arena = arena_create();
    DiagLog log;
    PmxModel m;
    b.size = 0;
    bytes_text(&b, "Pmd", 3);
    bytes_f32(&b, 1);
    bytes_zeros(&b, 276 + 8);
    bytes_u32(&b, 11);
    for (unsigned i = 0; i < 11; i++) {
        bytes_zeros(&b, 12);
        bytes_f32(&b, i ? 0.0f : 1.0f); /* alpha */
        bytes_zeros(&b, 28);
        bytes_u8(&b, i); /* toon 10 does not exist */
        bytes_zeros(&b, 25);
    }
    bytes_zeros(&b, 2 + 2 + 2 + 1 + 1 + 4 + 1); /* no bones, ..., no English names */
    for (int i = 0; i < 10; i++)
        bytes_text(&b, rows[i].name, 100);
    if (!load(&m, &b, b.size, arena, &log))
        fail_msg("%s", log.text);
    for (int i = 0; i < 10; i++) {
        const PmxMaterial *p = &m.materials[i];
        const bool expected = rows[i].toon >= 0    ? p->shared_toon && p->toon == rows[i].toon
                              : rows[i].toon == -1 ? !p->shared_toon && p->toon == PMX_NONE
                                                   : !p->shared_toon && p->toon >= 0 &&
                                                         !strcmp(m.textures[p->toon], rows[i].name);
        if (!expected)
            fail_msg("%s: %d", rows[i].name, p->toon);
    }
    assert_true(!m.materials[10].shared_toon && m.materials[10].toon == PMX_NONE);
    assert_int_equal(m.texture_count, 5);
    assert_int_equal(m.materials[0].flags, PMX_CAST_SHADOW | PMX_RECEIVE_SHADOW); /* no edge */
    assert_int_equal(m.materials[1].flags, PMX_CAST_SHADOW | PMX_RECEIVE_SHADOW | PMX_DOUBLE_SIDED);
    arena_destroy(arena);
}

static void test_files_that_end_early(void **state)
{
    (void)state;
    static ByteList whole, b;
    pmd_put_all(&whole);
    b.size = 0;
    pmd_put_geometry(&b);
    const size_t bones_at = b.size;
    pmd_put_bones(&b);
    const size_t ik_at = b.size;
    pmd_put_old_parts(&b);
    const size_t english_at = b.size;
    pmd_put_english(&b);
    const size_t toons_at = b.size;
    pmd_put_toons(&b);
    const size_t bodies_at = b.size;
    static const char offset_warning[] =
        "warning: m.pmd: morph 0: 1 of 3 offsets have an index out of range and are ignored\n";
    const struct {
        const char *what;
        size_t size;
        bool loads;
        const char *expected;
    } rows[] = {
        {"in the header", 100, false, "error: m.pmd: file ends inside its header (100 bytes)\n"},
        {"in a vertex", 283 + 4 + 40, false,
         "error: m.pmd: vertex 1: file ends inside this record, after 2 bytes of it (3 vertices "
         "expected)\n"},
        {"in a bone", bones_at + 2 + 39, false,
         "error: m.pmd: bone 1: file ends inside this record, after 0 bytes of it (10 bones "
         "expected)\n"},
        {"before IK", ik_at, true,
         "warning: m.pmd: file ends before the IK records; the model has none\n"},
        {"before English", english_at, true, offset_warning},
        {"before toons", toons_at, true, offset_warning},
        {"before bodies", bodies_at, true, offset_warning},
        {"in a joint", whole.size - 1, true,
         "warning: m.pmd: file ends inside the joints; the complete ones are kept, the rest of the "
         "file is ignored\n"
         "warning: m.pmd: morph 0: 1 of 3 offsets have an index out of range and are ignored\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        DiagLog log;
        PmxModel m;
        if (load(&m, &whole, rows[i].size, arena, &log) != rows[i].loads ||
            strcmp(log.text, rows[i].expected) != 0)
            fail_msg("%s: %s", rows[i].what, log.text);
        arena_destroy(arena);
    }
}

/* Without a list of toons, those of MMD are used in order. */
static void test_no_toon_list(void **state)
{
    (void)state;
    static ByteList b;
    Arena *arena = arena_create();
    DiagLog log;
    PmxModel m;
    b.size = 0;
    pmd_put_geometry(&b);
    pmd_put_bones(&b);
    pmd_put_old_parts(&b);
    assert_true(load(&m, &b, b.size, arena, &log));
    assert_true(m.materials[0].shared_toon && m.materials[0].toon == 0);
    assert_true(m.materials[1].shared_toon && m.materials[1].toon == 1);
    assert_true(!m.materials[2].shared_toon && m.materials[2].toon == PMX_NONE);
    arena_destroy(arena);
}

/* Bones stored before their parents, and IKs not in bone order, get additional layers. */
static void test_layers_keep_the_order(void **state)
{
    (void)state;
    static ByteList b;
    static const int layers[] = {1, 0, 3, 2, 4};
    Arena *arena = arena_create();
    DiagLog log;
    PmxModel m;
    write_header_and_counts(&b);
    bytes_u16(&b, 5);
    pmd_put_bone(&b, "early child", 1, 0, 0, 0, 0);
    pmd_put_bone(&b, "late parent", 0xFFFF, 0, 0, 0, 0);
    pmd_put_bone(&b, "second goal", 0xFFFF, 0, 2, 0, 0);
    pmd_put_bone(&b, "first goal", 0xFFFF, 0, 2, 0, 0);
    pmd_put_bone(&b, "follower", 0xFFFF, 0, 5, 0, 0);
    bytes_u16(&b, 2);
    pmd_put_ik(&b, 3, 1, 1, 0);
    pmd_put_ik(&b, 2, 1, 1, 0);
    assert_true(load(&m, &b, b.size, arena, &log));
    for (uint32_t i = 0; i < 5; i++)
        if (m.bones[i].layer != layers[i])
            fail_msg("bone '%s' is on layer %d", m.bones[i].name, m.bones[i].layer);
    arena_destroy(arena);
}

/* The rules hold for the first bone, too: a follower comes after all IKs, an IK after its links. */
static void test_layers_of_the_first_bone(void **state)
{
    (void)state;
    static const struct {
        unsigned types[2], goal, link; /* bone 0 is a link of every IK of the fixture */
        int layers[2];
    } rows[] = {{{5, 2}, 1, 2, {2, 2}}, {{2, 5}, 0, 1, {3, 2}}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        ByteList *b = calloc(1, sizeof *b);
        Arena *arena = arena_create();
        DiagLog log;
        PmxModel m;
        assert_non_null(b);
        write_header_and_counts(b);
        bytes_u16(b, 4);
        for (int i = 0; i < 2; i++)
            pmd_put_bone(b, i ? "second" : "first", 0xFFFF, 0, rows[r].types[i],
                         rows[r].types[i] == 5 ? 3 : 0, 0);
        pmd_put_bone(b, "link", 0xFFFF, 0, 0, 0, 0);
        pmd_put_bone(b, "source", 0xFFFF, 0, 0, 0, 0);
        bytes_u16(b, 1);
        pmd_put_ik(b, rows[r].goal, 3, 1, rows[r].link);
        assert_true(load(&m, b, b->size, arena, &log));
        for (int i = 0; i < 2; i++)
            if (m.bones[i].layer != rows[r].layers[i])
                fail_msg("row %zu: bone %d is on layer %d", r, i, m.bones[i].layer);
        arena_destroy(arena);
        free(b);
    }
}

static void test_detection_of_the_format(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    DiagLog log;
    PmxModel m;
    const PmxModel leg = fixture_leg(arena);
    diag_log_init(&log);
    assert_true(model_file_load(&m, pmx_write(&leg, (PmxWriteOptions){0}, arena), "a",
                                &(SideFiles){0}, arena, &log.diag));
    assert_false(m.from_pmd);
    assert_false(model_file_load(&m, (Bytes){(const uint8_t *)"Vocaloid", 8}, "a.pmd",
                                 &(SideFiles){0}, arena, &log.diag));
    assert_false(model_file_load(&m, (Bytes){NULL, 0}, "a", &(SideFiles){0}, arena, &log.diag));
    assert_int_equal(log.diag.errors, 2);
    arena_destroy(arena);
}

static void test_damaged_files(void **state)
{
    (void)state;
    static ByteList b;
    pmd_put_all(&b);
    model_damage_truncate(pmd_load, (Bytes){b.data, b.size}, size_with_bones());
    model_damage_flip(pmd_load, (Bytes){b.data, b.size});
}

/* ---- real files ---- */

static const struct {
    const char *file;
    uint32_t vertices, triangles, bones, ik, materials, edges, morphs, bodies, joints;
} real[] = {
    /* Counts of an independent program, which counts the base as a morph. */
    {"gene/Gene_light.pmd", 28646, 47106, 224, 6, 13, 5, 178 - 1, 87, 92},
    {"glasses/glasses.pmd", 2864, 5136, 17, 0, 7, 6, 18 - 1, 0, 0},
};

static void test_real_files(void **state)
{
    (void)state;
    int found = 0;
    for (size_t i = 0; i < sizeof real / sizeof *real; i++) {
        Arena *arena = arena_create();
        DiagLog log;
        Bytes bytes;
        PmxModel m;
        diag_log_init(&log);
        if (shared_data_load(&bytes, real[i].file, arena)) {
            found++;
            if (!pmd_load(&m, bytes, arena, &log.diag) || log.text[0] || !pmx_check(&m, &log.diag))
                fail_msg("%s: %s", real[i].file, log.text);
            uint32_t ik = 0, edges = 0;
            for (uint32_t k = 0; k < m.bone_count; k++)
                ik += (m.bones[k].flags & PMX_BONE_IK) != 0;
            for (uint32_t k = 0; k < m.material_count; k++)
                edges += (m.materials[k].flags & PMX_EDGE) != 0;
            if (m.vertex_count != real[i].vertices || m.index_count / 3 != real[i].triangles ||
                m.bone_count != real[i].bones || ik != real[i].ik ||
                m.material_count != real[i].materials || edges != real[i].edges ||
                m.morph_count != real[i].morphs || m.body_count != real[i].bodies ||
                m.joint_count != real[i].joints)
                fail_msg("%s: counts differ", real[i].file);
        }
        arena_destroy(arena);
    }
    if (!found)
        skip();
}

/* One character in both formats: the models must agree where the formats do. */
static void test_parity_with_pmx(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    DiagLog log;
    Bytes old_bytes = {0}, new_bytes = {0};
    PmxModel pmd, pmx;
    diag_log_init(&log);
    if (!shared_data_load(&old_bytes, "gene/Gene_light.pmd", arena) ||
        !shared_data_load(&new_bytes, "gene/Gene_light.pmx", arena)) {
        arena_destroy(arena);
        skip();
    }
    assert_true(pmd_load(&pmd, old_bytes, arena, &log.diag));
    assert_true(pmx_load(&pmx, new_bytes, arena, &log.diag));
    for (uint32_t i = 0; i < pmx.bone_count; i++) {
        const PmxBone *a = &pmd.bones[i], *b = &pmx.bones[i];
        if (strcmp(a->name, b->name) != 0 || a->parent != b->parent ||
            a->append_source != b->append_source || a->append_ratio != b->append_ratio ||
            a->ik.effector != b->ik.effector || a->ik.loops != b->ik.loops ||
            fabsf(a->ik.unit_angle - b->ik.unit_angle) > 1e-5f ||
            a->ik.link_count != b->ik.link_count)
            fail_msg("bone %u '%s'", i, b->name);
        for (uint32_t k = 0; k < b->ik.link_count; k++)
            assert_int_equal(a->ik.links[k].bone, b->ik.links[k].bone);
        for (int k = 0; k < 3; k++)
            assert_float_equal(a->fixed_axis[k], b->fixed_axis[k], 1e-4f);
    }
    for (uint32_t i = 0; i < pmx.body_count; i++)
        for (int k = 0; k < 3; k++)
            assert_float_equal(pmd.bodies[i].position[k], pmx.bodies[i].position[k], 1e-4f);
    for (uint32_t i = 0; i < pmx.texture_count; i++)
        assert_string_equal(pmd.textures[i], pmx.textures[i]);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_toon_names),
        cmocka_unit_test(test_geometry),
        cmocka_unit_test(test_materials),
        cmocka_unit_test(test_bones),
        cmocka_unit_test(test_ik),
        cmocka_unit_test(test_morphs_and_display),
        cmocka_unit_test(test_physics),
        cmocka_unit_test(test_files_that_end_early),
        cmocka_unit_test(test_no_toon_list),
        cmocka_unit_test(test_layers_keep_the_order),
        cmocka_unit_test(test_layers_of_the_first_bone),
        cmocka_unit_test(test_detection_of_the_format),
        cmocka_unit_test(test_damaged_files),
        cmocka_unit_test(test_real_files),
        cmocka_unit_test(test_parity_with_pmx),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
