// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "asset_check.h"
#include "byte_list.h"
#include "diag_log.h"
#include "format/model/pmx.h"
#include "model_damage.h"
#include "model_fixture.h"
#include "shared_data.h"
#include "unit_test.h"

static bool load(PmxModel *model, Bytes bytes, Arena *arena, DiagLog *log)
{
    diag_log_init(log);
    log->diag.rules.quirks = true;
    diag_file(&log->diag, "m.pmx");
    return pmx_load(model, bytes, arena, &log->diag);
}

/* ---- a file written by hand ---- */

enum { VERTICES = 201 }; /* above 127, because vertex indices are unsigned */

static void write_header(ByteList *b)
{
    static const uint8_t globals[] = {9, 1, 1, 1, 1,
                                      1, 2, 1, 1, 0xEE}; /* nine globals: the last is skipped */
    bytes_text(b, "Pmx ", 4);
    bytes_f32(b, 2.00000005f);
    for (size_t i = 0; i < sizeof globals; i++)
        bytes_u8(b, globals[i]);
    bytes_sized_text(b, "\xEF\xBB\xBFm");
    bytes_sized_text(b, "");
    bytes_sized_text(b, "a\xFFz");
    bytes_sized_text(b, "");
}

static void write_vertex(ByteList *b, uint32_t i)
{
    static const float weights[] = {2, 5, 1, 1};
    static const unsigned bones[] = {0, 0xFFFF, 1, 0};
    bytes_f32_3(b, (float)i, 0, 0);
    bytes_f32_3(b, 0, 0, 1);
    bytes_f32(b, 0.5f);
    bytes_f32(b, 0.25f);
    for (int k = 0; k < 4; k++)
        bytes_f32(b, (float)k);
    if (i == 199) {
        bytes_u8(b, 2);
        for (int k = 0; k < 4; k++)
            bytes_u16(b, bones[k]);
        for (int k = 0; k < 4; k++)
            bytes_f32(b, weights[k]);
    } else if (i == 200) {
        bytes_u8(b, 3);
        bytes_u16(b, 1);
        bytes_u16(b, 0);
        bytes_f32(b, 0.75f);
        for (int k = 1; k <= 3; k++)
            bytes_f32_3(b, (float)k, (float)k, (float)k);
    } else {
        bytes_u8(b, 0);
        bytes_u16(b, 1);
    }
    bytes_f32(b, 1.5f);
}

static void write_material(ByteList *b)
{
    bytes_sized_text(b, "skin");
    bytes_sized_text(b, "");
    for (int k = 0; k < 11; k++)
        bytes_f32(b, (float)k);
    bytes_u8(b, 0x1F);
    for (int k = 0; k < 5; k++)
        bytes_f32(b, (float)-k);
    bytes_u8(b, 0);
    bytes_u8(b, 0xFF); /* no sphere texture */
    bytes_u8(b, 0xFF); /* unknown sphere mode */
    bytes_u8(b, 0);
    bytes_u8(b, 0); /* own toon: texture 0 */
    bytes_sized_text(b, "memo");
    bytes_u32(b, 3);
}

static void write_bones(ByteList *b)
{
    bytes_u32(b, 2);
    bytes_sized_text(b, "root");
    bytes_sized_text(b, "");
    bytes_f32_3(b, 1, 2, 3);
    bytes_u16(b, 0xFFFF);
    bytes_u32(b, 0);
    bytes_u16(b, 0x0001 | 0x0002);
    bytes_u16(b, 1);

    bytes_sized_text(b, "all");
    bytes_sized_text(b, "every part");
    bytes_f32_3(b, 4, 5, 6);
    bytes_u16(b, 0);
    bytes_u32(b, (uint32_t)-3);
    bytes_u16(b, 0x0200 | 0x0400 | 0x0800 | 0x2000 | 0x0020);
    bytes_f32_3(b, 0, 0, 7); /* tail */
    bytes_u16(b, 0);         /* append */
    bytes_f32(b, -0.5f);
    bytes_f32_3(b, 0, 3, 4); /* axis */
    bytes_f32_3(b, 1, 0, 0);
    bytes_f32_3(b, 0, 0, 1);
    bytes_u32(b, 42); /* external parent */
    bytes_u16(b, 0);  /* effector */
    bytes_u32(b, 300);
    bytes_f32(b, 0.25f);
    bytes_u32(b, 1);
    bytes_u16(b, 1);
    bytes_u8(b, 1);
    bytes_f32_3(b, 2, -1, 0);
    bytes_f32_3(b, -2, 1, 0);
}

static void write_file(ByteList *b)
{
    write_header(b);
    bytes_u32(b, VERTICES);
    for (uint32_t i = 0; i < VERTICES; i++)
        write_vertex(b, i);
    bytes_u32(b, 3);
    bytes_u8(b, 0);
    bytes_u8(b, 200);
    bytes_u8(b, 199);
    bytes_u32(b, 1);
    bytes_sized_text(b, "t\\a.png  ");
    bytes_u32(b, 1);
    write_material(b);
    write_bones(b);
    bytes_zeros(b, 16); /* no morphs, display frames, bodies, joints */
    bytes_u8(b, 0);     /* one byte after the end */
}

static void test_a_file_written_by_hand(void **state)
{
    (void)state;
    static ByteList b;
    Arena *arena = arena_create();
    DiagLog log;
    PmxModel m;
    b.size = 0;
    write_file(&b);
    assert_true(load(&m, (Bytes){b.data, b.size}, arena, &log));
    assert_true(pmx_check(&m, &log.diag));
    assert_string_equal(m.name, "m");
    assert_string_equal(m.comment, "a\xEF\xBF\xBDz");
    assert_string_equal(log.text,
                        "warning: m.pmx: 1 bytes after the last section are ignored\n"
                        "warning: m.pmx: 1 vertices have bones out of range or negative weights, "
                        "which are ignored\n");

    assert_int_equal(m.vertex_count, VERTICES);
    const PmxVertex *v = &m.vertices[198];
    assert_true(v->deform == PMX_BDEF1 && v->bones[0] == 1 && v->weights[0] == 1.0f);
    assert_true(v->position[0] == 198 && v->normal[2] == 1 && v->uv[1] == 0.25f);
    assert_true(v->edge_scale == 1.5f && m.extra_uv[0][198][3] == 3);
    v = &m.vertices[199];
    assert_true(v->deform == PMX_BDEF4 && v->bones[1] == 0 && v->bones[2] == 1);
    assert_true(v->weights[0] == 0.5f && v->weights[1] == 0 && v->weights[2] == 0.25f);
    v = &m.vertices[200];
    assert_true(v->deform == PMX_SDEF && v->bones[0] == 1 && v->weights[1] == 0.25f);
    assert_true(v->sdef_c[0] == 1 && v->sdef_r0[1] == 2 && v->sdef_r1[2] == 3);
    assert_int_equal(m.indices[1], 200);
    assert_string_equal(m.textures[0], "t\\a.png");

    const PmxMaterial *p = &m.materials[0];
    assert_true(p->diffuse[3] == 3 && p->specular[0] == 4 && p->specular_power == 7);
    assert_true(p->ambient[2] == 10 && p->flags == 0x1F && p->edge_color[3] == -3);
    assert_true(p->edge_size == -4 && p->texture == 0 && p->sphere_texture == PMX_NONE);
    assert_true(p->sphere_mode == PMX_SPHERE_OFF && !p->shared_toon && p->toon == 0);
    assert_string_equal(p->memo, "memo");
    arena_destroy(arena);
}

static void test_bones_written_by_hand(void **state)
{
    (void)state;
    static ByteList b;
    Arena *arena = arena_create();
    DiagLog log;
    PmxModel m;
    b.size = 0;
    write_file(&b);
    assert_true(load(&m, (Bytes){b.data, b.size}, arena, &log));
    assert_int_equal(m.bone_count, 2);
    assert_true(m.bones[0].parent == PMX_NONE && m.bones[0].tail_bone == 1);
    const PmxBone *bone = &m.bones[1];
    assert_string_equal(bone->name_en, "every part");
    assert_true(bone->position[1] == 5 && bone->parent == 0 && bone->layer == -3);
    assert_true(bone->tail_offset[2] == 7 && bone->tail_bone == PMX_NONE);
    assert_true(bone->append_source == 0 && bone->append_ratio == -0.5f);
    assert_float_equal(bone->fixed_axis[1], 0.6f, 1e-7f); /* normalized */
    assert_float_equal(bone->fixed_axis[2], 0.8f, 1e-7f);
    assert_true(bone->local_x[0] == 1 && bone->local_z[2] == 1 && bone->external_key == 42);
    assert_true(bone->ik.effector == 0 && bone->ik.loops == 256 && bone->ik.unit_angle == 0.25f);
    assert_int_equal(bone->ik.link_count, 1);
    assert_true(bone->ik.links[0].lower[0] == -2 && bone->ik.links[0].upper[0] == 2);
    assert_true(bone->ik.links[0].lower[1] == -1 && bone->ik.links[0].upper[1] == 1);
    arena_destroy(arena);
}

/* ---- damaged files ---- */

static Bytes full_file(Arena *arena)
{
    const PmxModel model = fixture_full(arena);
    return pmx_write(&model, (PmxWriteOptions){0}, arena);
}

/* Size of the part of full_file up to its bones. */
static size_t size_with_bones(Arena *arena)
{
    enum { COUNTS_AFTER = 4 * 4 };
    PmxModel model = fixture_full(arena);
    model.morph_count = model.display_frame_count = model.body_count = model.joint_count = 0;
    model.soft_body_count = 0;
    return pmx_write(&model, (PmxWriteOptions){0}, arena).size - COUNTS_AFTER;
}

static void test_headers(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        size_t at;
        uint8_t value;
        const char *expected; /* "" for none */
    } rows[] = {
        {"other magic", 0, 'Q', "error: m.pmx: not a PMX model: it does not start with 'PMX '\n"},
        {"version 32", 7, 0x42, "error: m.pmx: version 33.6 is not supported (2.0, 2.1)\n"},
        {"seven globals", 8, 7, "error: m.pmx: header: 7 globals, expected at least 8\n"},
        {"encoding 2", 9, 2, "error: m.pmx: text encoding 2 out of range (0..1)\n"},
        {"five extra UVs", 10, 5, "error: m.pmx: extra UV count 5 out of range (0..4)\n"},
        {"vertex index of 3", 11, 3, "error: m.pmx: size of a vertex index: 3 is not 1, 2 or 4\n"},
        {"body index of 0", 16, 0,
         "error: m.pmx: size of a rigid body index: 0 is not 1, 2 or 4\n"},
        {"name of 16 MB", 20, 1, "error: m.pmx: model name of 16777220 bytes exceeds the "},
        {"name of less than nothing", 20, 0xFF, "error: m.pmx: model name of -16777212 bytes"},
    };
    Arena *arena = arena_create();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const Bytes whole = full_file(arena);
        uint8_t *bytes = arena_copy(arena, whole.data, whole.size);
        DiagLog log;
        PmxModel m;
        bytes[rows[i].at] = rows[i].value;
        if (load(&m, (Bytes){bytes, whole.size}, arena, &log) ||
            strncmp(log.text, rows[i].expected, strlen(rows[i].expected)) != 0)
            fail_msg("%s: %s", rows[i].what, log.text);
    }
    arena_destroy(arena);
}

static void test_truncated_files_report_the_position(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const Bytes whole = full_file(arena);
    const size_t bones_end = size_with_bones(arena);
    const struct {
        const char *what;
        size_t size;
        bool loads;
        uint32_t morphs;
        const char *expected;
    } rows[] = {
        /* 4 + 6 name, 4, 12 position, 1 + 4 + 2, 12 tail, 5 append, 12 axis, 24 axes, 4 key: 90 */
        {"inside the last bone", bones_end - 1, false, 0,
         "error: m.pmx: bone 5: file ends inside this record, after 89 bytes of it (6 bones "
         "expected)\n"},
        {"after the bones", bones_end, true, 0,
         "warning: m.pmx: file ends before the number of morphs; the complete morphs are kept, "
         "the rest of the file is ignored\n"},
        /* 4 count, 4 + 6 name, 4 size */
        {"inside a name", bones_end + 22, true, 0,
         "warning: m.pmx: morph 0: English name of 10 bytes exceeds the 4 bytes left; the complete "
         "morphs are kept, the rest of the file is ignored\n"},
        {"inside the soft body", whole.size - 1, true, 9,
         "warning: m.pmx: soft body 0: number of pins 2 out of range (0..1); the complete soft "
         "bodies are kept, the rest of the file is ignored\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        DiagLog log;
        PmxModel m;
        if (load(&m, (Bytes){whole.data, rows[i].size}, arena, &log) != rows[i].loads ||
            strcmp(log.text, rows[i].expected) != 0)
            fail_msg("%s: %s", rows[i].what, log.text);
        assert_int_equal(m.morph_count, rows[i].morphs);
    }
    arena_destroy(arena);
}

/* Some files have damaged counts on purpose, to stop editors; the sections before are used. */
static void test_a_count_beyond_the_file(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        int32_t count;
        const char *expected;
    } rows[] = {
        {"huge", 0x7FFFFFFF, "warning: m.pmx: number of morphs 2147483647 out of range (0.."},
        {"negative", -1, "warning: m.pmx: number of morphs -1 out of range (0.."},
    };
    Arena *arena = arena_create();
    const Bytes whole = full_file(arena);
    const size_t at = size_with_bones(arena);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint8_t *bytes = arena_copy(arena, whole.data, whole.size);
        DiagLog log;
        PmxModel m;
        memcpy(bytes + at, &rows[i].count, sizeof rows[i].count);
        if (!load(&m, (Bytes){bytes, whole.size}, arena, &log) ||
            strncmp(log.text, rows[i].expected, strlen(rows[i].expected)) != 0)
            fail_msg("%s: %s", rows[i].what, log.text);
        assert_int_equal(m.bone_count, 6);
        assert_int_equal(m.morph_count, 0);
    }
    arena_destroy(arena);
}

static void test_damaged_files(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    model_damage_truncate(pmx_load, full_file(arena), size_with_bones(arena));
    model_damage_flip(pmx_load, full_file(arena));
    arena_destroy(arena);
}

/* Writes the damaged model with wide indices, and loads it. */
static PmxModel reload(const PmxModel *damaged, Arena *arena, DiagLog *log)
{
    PmxModel m;
    if (!load(&m, pmx_write(damaged, (PmxWriteOptions){.index_size = 4}, arena), arena, log))
        fail_msg("refused: %s", log->text);
    if (!pmx_check(&m, &log->diag))
        fail_msg("invalid: %s", log->text);
    return m;
}

static void expect_message(const DiagLog *log, const char *message)
{
    if (!strstr(log->text, message))
        fail_msg("'%s' is not in: %s", message, log->text);
}

static void test_bones_are_repaired(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    DiagLog log;
    PmxModel d = fixture_full(arena);
    d.bones[0].parent = 0; /* its own parent */
    d.bones[2].parent = 3; /* the parent of 3 is 2 */
    d.bones[5].parent = 999;
    d.bones[1].tail_bone = -7;
    d.bones[5].append_source = 6;
    d.bones[5].position[0] = NAN;
    d.bones[4].ik.loops = -5;
    d.bones[4].ik.unit_angle = INFINITY;
    d.bones[4].ik.links[1].bone = 3; /* the effector */
    d.bones[3].name = d.bones[2].name;
    PmxModel m = reload(&d, arena, &log);
    assert_true(m.bones[0].parent == PMX_NONE && m.bones[2].parent == PMX_NONE);
    assert_int_equal(m.bones[3].parent, 2);
    assert_true(m.bones[5].parent == PMX_NONE && m.bones[5].append_source == PMX_NONE);
    assert_true(m.bones[1].tail_bone == PMX_NONE && m.bones[5].position[0] == 0);
    assert_true(m.bones[4].ik.loops == 0 && m.bones[4].ik.unit_angle == 0);
    assert_int_equal(m.bones[4].ik.link_count, 1);
    expect_message(&log, "m.pmx: bone 5: parent 999 out of range (0..5); none is used\n");
    expect_message(&log, "m.pmx: bone 2: is its own ancestor; its parent is ignored\n");
    expect_message(&log, "m.pmx: 1 bones have the name of an earlier one, e.g. '左ひざ'\n");

    d = fixture_full(arena);
    d.bones[4].ik.effector = PMX_NONE;
    m = reload(&d, arena, &log);
    assert_false(m.bones[4].flags & PMX_BONE_IK);
    assert_int_equal(m.bones[4].ik.link_count, 0);
    arena_destroy(arena);
}

static void test_vertices_are_repaired(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    DiagLog log;
    PmxModel d = fixture_full(arena);
    d.vertices[0].bones[0] = PMX_NONE;
    d.vertices[1].bones[0] = 99;
    d.vertices[2].weights[0] = -1;
    d.vertices[2].weights[1] = 3;
    memset(d.vertices[4].weights, 0, sizeof d.vertices[4].weights);
    memset(d.vertices[4].normal, 0, sizeof d.vertices[4].normal);
    d.vertices[3].sdef_c[1] = NAN;
    d.extra_uv[1][2][0] = INFINITY;
    PmxModel m = reload(&d, arena, &log);
    assert_true(m.vertices[0].bones[0] == 0 && m.vertices[0].weights[0] == 1);
    assert_true(m.vertices[1].weights[0] == 0 && m.vertices[1].weights[1] == 1);
    assert_float_equal(m.vertices[2].weights[1], 3 / 3.5f, 1e-6f);
    assert_true(m.vertices[4].weights[0] == 1 && m.vertices[4].normal[1] == 1);
    assert_true(m.vertices[3].deform == PMX_BDEF2 && m.extra_uv[1][2][0] == 0);
    expect_message(
        &log, "m.pmx: vertex 3: 1 values are not finite or too large; 0 or the limit is used\n");

    /* SDEF with three equal points remains SDEF, unless all are 0. */
    d = fixture_full(arena);
    memcpy(d.vertices[3].sdef_r0, d.vertices[3].sdef_c, sizeof d.vertices[3].sdef_c);
    memcpy(d.vertices[3].sdef_r1, d.vertices[3].sdef_c, sizeof d.vertices[3].sdef_c);
    assert_int_equal(reload(&d, arena, &log).vertices[3].deform, PMX_SDEF);
    memset(d.vertices[3].sdef_c, 0, sizeof d.vertices[3].sdef_c);
    memset(d.vertices[3].sdef_r0, 0, sizeof d.vertices[3].sdef_c);
    memset(d.vertices[3].sdef_r1, 0, sizeof d.vertices[3].sdef_c);
    assert_int_equal(reload(&d, arena, &log).vertices[3].deform, PMX_BDEF2);

    d = fixture_strip(arena);
    d.bone_count = 0;
    m = reload(&d, arena, &log);
    assert_int_equal(m.bone_count, 1);
    arena_destroy(arena);
}

typedef struct Floats {
    const char *item;
    float *at;
    size_t count;
} Floats;

enum { MAX_FLOATS = 80 };

static void add_floats(Floats *out, size_t *count, const char *item, float *at, size_t size)
{
    assert_true(*count < MAX_FLOATS);
    out[(*count)++] = (Floats){item, at, size};
}

static void list_morph_floats(Floats *out, size_t *n, PmxMorph *m, const char *item)
{
    PmxMaterialOffset *o = m->offsets.material;
    switch (m->type) {
    case PMX_MORPH_GROUP:
    case PMX_MORPH_FLIP:
        add_floats(out, n, item, &m->offsets.group[0].ratio, 1);
        break;
    case PMX_MORPH_VERTEX:
        add_floats(out, n, item, m->offsets.vertex[1].offset, 3);
        break;
    case PMX_MORPH_BONE:
        add_floats(out, n, item, m->offsets.bone[1].translation, 3);
        add_floats(out, n, item, m->offsets.bone[1].rotation, 4);
        break;
    case PMX_MORPH_MATERIAL:
        add_floats(out, n, item, o->diffuse, 4);
        add_floats(out, n, item, o->specular, 3);
        add_floats(out, n, item, &o->specular_power, 1);
        add_floats(out, n, item, o->ambient, 3);
        add_floats(out, n, item, o->edge_color, 4);
        add_floats(out, n, item, &o->edge_size, 1);
        add_floats(out, n, item, o->texture, 4);
        add_floats(out, n, item, o->sphere, 4);
        add_floats(out, n, item, o->toon, 4);
        break;
    case PMX_MORPH_IMPULSE:
        add_floats(out, n, item, m->offsets.impulse[0].velocity, 3);
        add_floats(out, n, item, m->offsets.impulse[0].torque, 3);
        break;
    default:
        add_floats(out, n, item, m->offsets.uv[0].offset, 4);
    }
}

/* The floats of one record of each type. */
static size_t list_floats(Floats *out, PmxModel *m)
{
    static const char *const morphs[] = {"morph 0", "morph 1", "morph 2", "morph 3", "morph 4",
                                         "morph 5", "morph 6", "morph 7", "morph 8"};
    size_t n = 0;
    PmxVertex *v = &m->vertices[3];
    PmxMaterial *p = &m->materials[1];
    PmxBone *b = &m->bones[5];
    PmxBody *body = &m->bodies[1];
    PmxJoint *j = &m->joints[0];
    PmxSoftBody *s = &m->soft_bodies[0];
    add_floats(out, &n, "vertex 3", v->position, 3);
    add_floats(out, &n, "vertex 3", v->normal, 3);
    add_floats(out, &n, "vertex 3", v->uv, 2);
    add_floats(out, &n, "vertex 3", &v->edge_scale, 1);
    add_floats(out, &n, "vertex 3", v->sdef_c, 3);
    add_floats(out, &n, "vertex 3", v->sdef_r0, 3);
    add_floats(out, &n, "vertex 3", v->sdef_r1, 3);
    add_floats(out, &n, "vertex 2", m->vertices[2].weights, 4);
    add_floats(out, &n, "material 1", p->diffuse, 4);
    add_floats(out, &n, "material 1", p->specular, 3);
    add_floats(out, &n, "material 1", &p->specular_power, 1);
    add_floats(out, &n, "material 1", p->ambient, 3);
    add_floats(out, &n, "material 1", p->edge_color, 4);
    add_floats(out, &n, "material 1", &p->edge_size, 1);
    add_floats(out, &n, "bone 5", b->position, 3);
    add_floats(out, &n, "bone 5", b->tail_offset, 3);
    add_floats(out, &n, "bone 5", &b->append_ratio, 1);
    add_floats(out, &n, "bone 5", b->fixed_axis, 3);
    add_floats(out, &n, "bone 5", b->local_x, 3);
    add_floats(out, &n, "bone 5", b->local_z, 3);
    add_floats(out, &n, "bone 4", &m->bones[4].ik.unit_angle, 1);
    add_floats(out, &n, "bone 4", m->bones[4].ik.links[0].lower, 3);
    add_floats(out, &n, "bone 4", m->bones[4].ik.links[0].upper, 3);
    for (uint32_t i = 0; i < m->morph_count; i++)
        list_morph_floats(out, &n, &m->morphs[i], morphs[i]);
    add_floats(out, &n, "rigid body 1", body->size, 3);
    add_floats(out, &n, "rigid body 1", body->position, 3);
    add_floats(out, &n, "rigid body 1", body->rotation, 3);
    add_floats(out, &n, "rigid body 1", &body->mass, 1);
    add_floats(out, &n, "rigid body 1", &body->linear_damping, 1);
    add_floats(out, &n, "rigid body 1", &body->angular_damping, 1);
    add_floats(out, &n, "rigid body 1", &body->restitution, 1);
    add_floats(out, &n, "rigid body 1", &body->friction, 1);
    add_floats(out, &n, "joint 0", j->position, 3);
    add_floats(out, &n, "joint 0", j->rotation, 3);
    add_floats(out, &n, "joint 0", j->linear_lower, 3);
    add_floats(out, &n, "joint 0", j->linear_upper, 3);
    add_floats(out, &n, "joint 0", j->angular_lower, 3);
    add_floats(out, &n, "joint 0", j->angular_upper, 3);
    add_floats(out, &n, "joint 0", j->linear_spring, 3);
    add_floats(out, &n, "joint 0", j->angular_spring, 3);
    add_floats(out, &n, "soft body 0", &s->mass, 1);
    add_floats(out, &n, "soft body 0", &s->margin, 1);
    add_floats(out, &n, "soft body 0", s->config, 12);
    add_floats(out, &n, "soft body 0", s->cluster, 6);
    add_floats(out, &n, "soft body 0", s->stiffness, 3);
    return n;
}

/* Every float of every type of record: repaired with one warning, and found by pmx_check. */
static void test_values_out_of_range(void **state)
{
    (void)state;
    static const float bad[] = {NAN, INFINITY, -1e10f, 3.4e38f};
    Floats floats[MAX_FLOATS];
    size_t count = 1;
    for (size_t i = 0; i < count; i++) {
        size_t size = 1;
        for (size_t k = 0; k / 4 < size; k++) {
            Arena *arena = arena_create();
            DiagLog log;
            char expected[128];
            PmxModel d = fixture_full(arena);
            count = list_floats(floats, &d);
            size = floats[i].count;
            floats[i].at[k / 4] = bad[k % 4];
            diag_log_init(&log);
            if (pmx_check(&d, &log.diag))
                fail_msg("%s: float %zu of list %zu is not checked", floats[i].item, k / 4, i);
            reload(&d, arena, &log);
            snprintf(expected, sizeof expected,
                     "warning: m.pmx: %s: 1 values are not finite or too large; 0 or the limit is "
                     "used\n",
                     floats[i].item);
            if (!strstr(log.text, expected))
                fail_msg("%s: float %zu of list %zu: %s", floats[i].item, k / 4, i, log.text);
            arena_destroy(arena);
        }
    }
    assert_true(count > 50);
}

/* 100 of the smallest records of each section, at the end of the file as far as possible: a larger
 * smallest size in the reader would refuse them. */
static void test_smallest_records(void **state)
{
    (void)state;
    enum { COUNT = 100, SECTIONS = 8 };
    for (int section = 0; section < SECTIONS; section++) {
        Arena *arena = arena_create();
        DiagLog log;
        PmxModel d = fixture_empty();
        d.vertices = arena_array(arena, PmxVertex, COUNT);
        d.materials = arena_array(arena, PmxMaterial, COUNT);
        d.bones = arena_array(arena, PmxBone, COUNT);
        d.morphs = arena_array(arena, PmxMorph, COUNT);
        d.display_frames = arena_array(arena, PmxDisplayFrame, COUNT);
        d.bodies = arena_array(arena, PmxBody, COUNT);
        d.joints = arena_array(arena, PmxJoint, COUNT);
        d.soft_bodies = arena_array(arena, PmxSoftBody, COUNT);
        for (int i = 0; i < COUNT; i++) {
            d.vertices[i] = fixture_vertex(0, 0, 0, 0);
            d.materials[i] = fixture_material("", 0, 0);
            d.bones[i] = fixture_bone("", PMX_NONE, 0, 0, 0);
            d.bones[i].flags = PMX_BONE_TAIL_IS_BONE;
            d.morphs[i].name = d.morphs[i].name_en = "";
            d.display_frames[i].name = d.display_frames[i].name_en = "";
            d.bodies[i].name = d.bodies[i].name_en = "";
            d.joints[i].name = d.joints[i].name_en = "";
            d.soft_bodies[i].name = d.soft_bodies[i].name_en = "";
        }
        uint32_t *const counts[SECTIONS] = {&d.vertex_count, &d.material_count,      &d.bone_count,
                                            &d.morph_count,  &d.display_frame_count, &d.body_count,
                                            &d.joint_count,  &d.soft_body_count};
        *counts[section] = COUNT;
        PmxModel m;
        if (!load(&m, pmx_write(&d, (PmxWriteOptions){0}, arena), arena, &log))
            fail_msg("section %d: %s", section, log.text);
        const uint32_t loaded[SECTIONS] = {m.vertex_count, m.material_count,      m.bone_count,
                                           m.morph_count,  m.display_frame_count, m.body_count,
                                           m.joint_count,  m.soft_body_count};
        if (loaded[section] != COUNT)
            fail_msg("section %d: %u records, %s", section, loaded[section], log.text);
        arena_destroy(arena);
    }
}

/* Values at the limits are kept, the next ones are repaired. */
static void test_limits(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    DiagLog log;
    PmxModel d = fixture_full(arena);
    d.bodies[1].group = 15;
    d.bodies[1].shape = PMX_CAPSULE;
    d.bodies[1].mode = PMX_PHYSICS_WITH_BONE;
    d.joints[0].type = PMX_JOINT_HINGE;
    d.bones[4].ik.loops = 256;
    d.materials[0].sphere_mode = PMX_SPHERE_SUB_TEXTURE;
    d.materials[0].toon = 9;
    d.morphs[1].panel = 4;
    d.display_frames[0].special = true;
    d.display_frames[1].special = false;
    PmxModel m = reload(&d, arena, &log);
    assert_true(m.display_frames[0].special && !m.display_frames[1].special);
    assert_true(m.bodies[1].group == 15 && m.bodies[1].shape == 2 && m.bodies[1].mode == 2);
    assert_true(m.joints[0].type == PMX_JOINT_HINGE && m.bones[4].ik.loops == 256);
    assert_true(m.materials[0].sphere_mode == 3 && m.materials[0].toon == 9);
    assert_true(m.materials[0].shared_toon && m.morphs[1].panel == 4);

    d.bodies[0].group = 16;
    d.bodies[1].shape = 3;
    d.bodies[2].mode = 3;
    d.joints[0].type = 6;
    d.bones[4].ik.loops = 257;
    d.materials[0].sphere_mode = 4;
    d.materials[0].toon = 10;
    d.morphs[1].panel = 5;
    d.bodies[0].bone = 6;
    d.soft_bodies[0].material = 2;
    m = reload(&d, arena, &log);
    assert_true(m.bodies[0].group == 0 && m.bodies[1].shape == 0 && m.bodies[2].mode == 0);
    assert_true(m.bodies[1].group == 15 && m.bodies[1].mode == 2);
    assert_true(m.joints[0].type == 0 && m.bones[4].ik.loops == 256);
    assert_true(m.materials[0].sphere_mode == 0 && m.materials[0].toon == PMX_NONE);
    assert_true(m.morphs[1].panel == 4 && m.bodies[0].bone == PMX_NONE);
    assert_int_equal(m.soft_bodies[0].material, PMX_NONE);
    expect_message(&log, "m.pmx: rigid body 0: bone 6 out of range (0..5); none is used\n");
    expect_message(&log, "m.pmx: material 0: shared toon 10 out of range (0..9); none is used\n");
    expect_message(&log, "m.pmx: rigid body 1: group 15, shape 3 or mode 2 out of range (0..15, "
                         "0..2, 0..2); 0 is used\n");
    arena_destroy(arena);
}

/* Quaternions and axes get unit length; limits of links are ordered; paths are cleaned. */
static void test_normalization(void **state)
{
    (void)state;
    static const float quaternion[] = {0, 3, 0, 4}, axis[] = {0, 0, -2};
    Arena *arena = arena_create();
    DiagLog log;
    PmxModel d = fixture_full(arena);
    memcpy(d.morphs[2].offsets.bone[1].rotation, quaternion, sizeof quaternion);
    memcpy(d.bones[5].fixed_axis, axis, sizeof axis);
    d.bones[4].ik.links[0].lower[1] = 2;
    d.bones[4].ik.links[0].upper[1] = -1;
    d.bones[4].ik.unit_angle = -0.5f;
    d.textures[0] = "tex/a.png  ";
    d.textures[1] = "s/.bmp";
    d.textures[2] = ".a.bmp";
    const PmxModel m = reload(&d, arena, &log);
    const float *q = m.morphs[2].offsets.bone[1].rotation;
    assert_float_equal(q[1], 0.6f, 1e-6f);
    assert_float_equal(q[3], 0.8f, 1e-6f);
    assert_true(q[0] == 0 && q[2] == 0);
    assert_float_equal(m.bones[5].fixed_axis[2], -1, 0);
    assert_true(m.bones[4].ik.links[0].lower[1] == -1 && m.bones[4].ik.links[0].upper[1] == 2);
    assert_float_equal(m.bones[4].ik.unit_angle, 0.5f, 0);
    assert_string_equal(m.textures[0], "tex/a.png");
    assert_string_equal(m.textures[1], "");
    assert_string_equal(m.textures[2], ".a.bmp");
    assert_int_equal(m.materials[0].sphere_texture, PMX_NONE);
    arena_destroy(arena);
}

/* A rotation with a value that is not finite, or of length 0, is the identity. */
static void test_rotations_are_repaired(void **state)
{
    (void)state;
    static const float bad[] = {NAN, INFINITY, -INFINITY, 2e6f};
    for (int k = 0; k < 4; k++)
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
            static const float identity[] = {0, 0, 0, 1};
            float q[4] = {0.5f, 0.5f, 0.5f, 0.5f};
            Arena *arena = arena_create();
            DiagLog log;
            PmxModel d = fixture_full(arena);
            q[k] = bad[i];
            memcpy(d.morphs[2].offsets.bone[1].rotation, q, sizeof q);
            memset(d.morphs[2].offsets.bone[0].rotation, 0, sizeof q);
            const PmxModel m = reload(&d, arena, &log);
            for (int bone = 0; bone < 2; bone++)
                assert_memory_equal(m.morphs[2].offsets.bone[bone].rotation, identity, sizeof q);
            arena_destroy(arena);
        }
}

static void test_materials_are_repaired(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    DiagLog log;
    PmxModel d = fixture_full(arena);
    d.indices[1] = 77; /* the only triangle of material 0 */
    d.materials[0].sphere_mode = 255;
    d.materials[0].toon = 12;
    d.materials[1].texture = 5;
    d.materials[1].toon = 2;
    d.textures[2] = "tex\\.png";
    PmxModel m = reload(&d, arena, &log);
    assert_int_equal(m.index_count, 3);
    assert_int_equal(m.indices[0], 2);
    assert_true(m.materials[0].index_count == 0 && m.materials[1].first_index == 0);
    assert_int_equal(m.materials[1].index_count, 3);
    assert_int_equal(m.materials[0].sphere_mode, PMX_SPHERE_OFF);
    assert_true(!m.materials[0].shared_toon && m.materials[0].toon == PMX_NONE);
    assert_true(m.materials[1].texture == PMX_NONE && m.materials[1].toon == PMX_NONE);
    expect_message(&log,
                   "m.pmx: 3 of 6 face indices are out of range (0..4) or not a complete triangle");
    expect_message(&log, "m.pmx: material 1: texture 5 out of range (0..2); none is used\n");

    d = fixture_full(arena);
    d.materials[1].index_count = 30;
    m = reload(&d, arena, &log);
    assert_true(m.materials[1].first_index == 3 && m.materials[1].index_count == 3);
    expect_message(&log,
                   "m.pmx: material 1: face index count 30 exceeds the 3 left, which are used\n");
    arena_destroy(arena);
}

static void test_morphs_and_physics_are_repaired(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    DiagLog log;
    PmxModel d = fixture_full(arena);
    d.morphs[1].offsets.vertex[0].vertex = 5;
    memset(d.morphs[2].offsets.bone[1].rotation, 0, 4 * sizeof(float));
    d.morphs[5].type = PMX_MORPH_UV3; /* the model has two extra UVs */
    d.morphs[6].offsets.material[1].material = 2;
    d.display_frames[1].items[2].index = 6;
    d.bodies[1].mass = 0;
    d.bodies[2].size[1] = -2;
    d.joints[1].body_b = 3;
    PmxModel m = reload(&d, arena, &log);
    assert_true(m.morphs[1].count == 1 && m.morphs[1].offsets.vertex[0].vertex == 4);
    assert_true(m.morphs[2].offsets.bone[1].rotation[3] == 1);
    assert_true(m.morphs[5].count == 0 && m.morphs[6].count == 1);
    assert_int_equal(m.display_frames[1].item_count, 2);
    assert_true(m.bodies[1].mode == PMX_FOLLOW_BONE && m.bodies[2].size[1] == 2);
    assert_true(m.joints[1].body_a == PMX_NONE && m.joints[1].body_b == PMX_NONE);
    expect_message(&log,
                   "m.pmx: morph 1: 1 of 2 offsets have an index out of range and are ignored\n");
    expect_message(
        &log,
        "m.pmx: rigid body 1: mass 0 of a dynamic body is not above 0; it follows its bone\n");
    expect_message(&log,
                   "m.pmx: joint 1: rigid bodies 1, 3 out of range (0..2); the joint is ignored\n");
    arena_destroy(arena);
}

/* ---- published files, with the counts of an independent program ---- */

typedef struct Counts {
    const char *file;
    uint32_t vertices, bdef[5], triangles, bones, ik, limited, materials, edges, double_sided;
    uint32_t groups, vertex_morphs, bone_morphs, uv_morphs, material_morphs, bodies, joints;
} Counts;

static const Counts real[] = {
    {"babylon-fixtures/constraint_test2.pmx", 48, {48}, 24, 2, 0, 0, 2, 2, 2, 0, 0, 0, 0, 0, 2, 1},
    {"gene/Gene_light.pmx",
     28646,
     {13552, 10178, 4916},
     47106,
     224,
     6,
     3,
     13,
     5,
     1,
     3,
     177,
     0,
     1,
     3,
     87,
     92},
    {"glasses/glasses.pmx", 2864, {2466, 398}, 5136, 17, 0, 0, 7, 6, 0, 2, 17, 7, 0, 13, 0, 0},
    {"mikumikudayo-sample/ひこうき.pmx", 4694, {4694}, 7860, 2, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0},
    {"miu-mmd-base/ボーンツリーテストモデル.pmx",
     0,
     {0},
     0,
     221,
     32,
     18,
     0,
     0,
     0,
     0,
     0,
     0,
     0,
     0,
     0,
     0},
    {"miu-mmd-base/曲げ柱tex.pmx", 170, {170}, 216, 2, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0},
    {"miu-trace-model/v4_trace_model.pmx",
     59947,
     {17841, 29278, 12828},
     60024,
     159,
     4,
     2,
     35,
     2,
     7,
     44,
     106,
     14,
     0,
     7,
     54,
     50},
    {"vmdgadgets/plane.pmx", 9, {9}, 8, 2, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0},
    {"yohawing-fixtures/bones/test_vertex_morph.pmx",
     3,
     {0, 0, 3},
     1,
     2,
     0,
     0,
     1,
     0,
     1,
     0,
     1,
     0,
     0,
     0,
     0,
     0},
    {"yohawing-fixtures/generated/sdef-two-bone-elbow.pmx",
     40,
     {0, 0, 0, 40},
     64,
     2,
     0,
     0,
     1,
     1,
     1,
     0,
     0,
     0,
     0,
     0,
     0,
     0},
    {"yohawing-fixtures/yw_test_model/yw_test_model.pmx",
     2141,
     {1438, 616, 87},
     3516,
     114,
     4,
     2,
     1,
     0,
     0,
     0,
     0,
     0,
     0,
     0,
     19,
     0},
};

static Counts count_all(const PmxModel *m, const char *file)
{
    Counts c = {.file = file,
                .vertices = m->vertex_count,
                .triangles = m->index_count / 3,
                .bones = m->bone_count,
                .materials = m->material_count,
                .bodies = m->body_count,
                .joints = m->joint_count};
    for (uint32_t i = 0; i < m->vertex_count; i++)
        c.bdef[m->vertices[i].deform]++;
    for (uint32_t i = 0; i < m->bone_count; i++) {
        c.ik += (m->bones[i].flags & PMX_BONE_IK) != 0;
        for (uint32_t k = 0; k < m->bones[i].ik.link_count; k++)
            c.limited += m->bones[i].ik.links[k].limited;
    }
    for (uint32_t i = 0; i < m->material_count; i++) {
        c.edges += (m->materials[i].flags & PMX_EDGE) != 0;
        c.double_sided += (m->materials[i].flags & PMX_DOUBLE_SIDED) != 0;
    }
    for (uint32_t i = 0; i < m->morph_count; i++) {
        c.groups += m->morphs[i].type == PMX_MORPH_GROUP;
        c.vertex_morphs += m->morphs[i].type == PMX_MORPH_VERTEX;
        c.bone_morphs += m->morphs[i].type == PMX_MORPH_BONE;
        c.uv_morphs += m->morphs[i].type == PMX_MORPH_UV;
        c.material_morphs += m->morphs[i].type == PMX_MORPH_MATERIAL;
    }
    return c;
}

static void test_real_files(void **state)
{
    (void)state;
    int found = 0;
    for (size_t i = 0; i < sizeof real / sizeof *real; i++) {
        Arena *arena = arena_create();
        DiagLog log;
        Bytes bytes;
        PmxModel m;
        if (shared_data_load(&bytes, real[i].file, arena)) {
            found++;
            if (!load(&m, bytes, arena, &log) || log.text[0] || !pmx_check(&m, &log.diag))
                fail_msg("%s: %s", real[i].file, log.text);
            const Counts c = count_all(&m, real[i].file);
            if (memcmp(&c, &real[i], sizeof c) != 0)
                fail_msg("%s: counts differ", real[i].file);
        }
        arena_destroy(arena);
    }
    if (!found)
        skip();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_smallest_records),
        cmocka_unit_test(test_values_out_of_range),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_normalization),
        cmocka_unit_test(test_a_file_written_by_hand),
        cmocka_unit_test(test_bones_written_by_hand),
        cmocka_unit_test(test_headers),
        cmocka_unit_test(test_truncated_files_report_the_position),
        cmocka_unit_test(test_a_count_beyond_the_file),
        cmocka_unit_test(test_damaged_files),
        cmocka_unit_test(test_bones_are_repaired),
        cmocka_unit_test(test_vertices_are_repaired),
        cmocka_unit_test(test_rotations_are_repaired),
        cmocka_unit_test(test_materials_are_repaired),
        cmocka_unit_test(test_morphs_and_physics_are_repaired),
        cmocka_unit_test(test_real_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
