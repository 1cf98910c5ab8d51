// SPDX-License-Identifier: MIT
#include "format/model/pmd.h"

#include <inttypes.h>
#include <string.h>

#include "base/encoding.h"
#include "base/parser_entry.h"
#include "base/reader.h"
#include "format/model/pmd_convert.h"
#include "format/model/pmx_record.h"
#include "format/model/pmx_repair.h"
#include "format/model/texture_field.h"

/*
 * PMD, little-endian, CP932 texts (format/model/README.md 1).  Memory stays below 32 times the file
 * size plus 256 KiB: the largest ratio is that of IK links (2 bytes in the file, 32 in memory).
 */

enum {
    VERTEX_SIZE = 38,
    MATERIAL_SIZE = 70,
    BONE_SIZE = 39,
    IK_SIZE = 11,
    MORPH_SIZE = 25,
    OFFSET_SIZE = 16,
    BODY_SIZE = 83,
    JOINT_SIZE = 124,
    NAME_SIZE = 20,
    COMMENT_SIZE = 256,
    GROUP_NAME_SIZE = 50,
    TOON_NAME_SIZE = 100
};

typedef struct PmdFile {
    Reader r;
    Pmd pmd;
    const char **morph_names; /* [file_morph_count] */
    bool truncated;           /* the rest of the file cannot be read */
    Encoding encoding;        /* of the next texts */
} PmdFile;

static const char *read_text(PmdFile *f, size_t size)
{
    const uint8_t *bytes = read_bytes(&f->r, size);
    return bytes && bytes[0] ? encoding_decode(bytes, size, f->encoding, f->pmd.arena) : "";
}

/* The encoding of the names at `offset` in the `count` records that follow, which the file has. */
static Encoding encoding_of(const PmdFile *f, uint32_t count, size_t record_size, size_t offset)
{
    EncodingScores scores = {0};
    char name[NAME_SIZE], last[NAME_SIZE] = "";
    for (uint32_t i = 0; i < count; i++) {
        memcpy(name, f->r.data + f->r.at + i * record_size + offset, NAME_SIZE);
        if (strncmp(name, last, NAME_SIZE) != 0)
            encoding_score(&scores, name, NAME_SIZE, strnlen(name, NAME_SIZE) == NAME_SIZE);
        memcpy(last, name, NAME_SIZE);
    }
    return encoding_choose(&scores);
}

static int32_t read_index(PmdFile *f)
{
    const uint16_t index = read_u16(&f->r);
    return index == PMD_NONE ? PMX_NONE : index;
}

/* ---- required sections; a truncated one is an error ---- */

static bool check_count(PmdFile *f, uint32_t count, size_t size, const char *item,
                        const char *items)
{
    const size_t available = reader_left(&f->r) / size;
    if (f->r.failed)
        return diag_error(f->pmd.diag, "file ends before the number of %s", items);
    if (count <= available)
        return true;
    if (count > f->r.size / size)
        return diag_error(f->pmd.diag, "number of %s %" PRIu32 " out of range (0..%zu)", items,
                          count, available);
    diag_item(f->pmd.diag, item, available);
    return diag_error(f->pmd.diag,
                      "file ends inside this record, after %zu bytes of it (%" PRIu32
                      " %s expected)",
                      reader_left(&f->r) - available * size, count, items);
}

/* f32[3] position, f32[3] normal, f32[2] uv, u16[2] bones, u8 weight of the first in %, u8 no edge
 */
static void read_vertex(PmxVertex *v, PmdFile *f)
{
    read_floats(v->position, 3, &f->r);
    read_floats(v->normal, 3, &f->r);
    read_floats(v->uv, 2, &f->r);
    const uint16_t a = read_u16(&f->r), b = read_u16(&f->r);
    const uint8_t percent = read_u8(&f->r);
    v->edge_scale = read_u8(&f->r) == 0 ? 1.0f : 0.0f;
    v->deform = percent > 0 && percent < 100 ? PMX_BDEF2 : PMX_BDEF1;
    if (v->deform == PMX_BDEF1) {
        v->bones[0] = percent ? a : b;
        v->weights[0] = 1.0f;
    } else {
        v->bones[0] = a;
        v->bones[1] = b;
        v->weights[0] = (float)percent / 100.0f;
        v->weights[1] = 1.0f - v->weights[0];
    }
}

static bool read_vertices(PmdFile *f)
{
    PmxModel *m = f->pmd.model;
    const uint32_t count = read_u32(&f->r);
    if (!check_count(f, count, VERTEX_SIZE, "vertex", "vertices"))
        return false;
    m->vertices = arena_array(f->pmd.arena, PmxVertex, count);
    m->vertex_count = count;
    for (uint32_t i = 0; i < count; i++)
        read_vertex(&m->vertices[i], f);
    return true;
}

static bool read_indices(PmdFile *f)
{
    PmxModel *m = f->pmd.model;
    const uint32_t count = read_u32(&f->r);
    if (!check_count(f, count, sizeof(uint16_t), "face index", "face indices"))
        return false;
    m->indices = arena_array(f->pmd.arena, uint32_t, count);
    m->index_count = count;
    for (uint32_t i = 0; i < count; i++)
        m->indices[i] = read_u16(&f->r);
    return true;
}

static int32_t add_texture(PmxModel *model, const char *name)
{
    if (!name)
        return PMX_NONE;
    model->textures[model->texture_count] = name; /* duplicates are removed in pmd_convert */
    return (int32_t)model->texture_count++;
}

/* Flags that PMD does not store; alpha 0.98 means "no self-shadow" (format/model/README.md 1.3). */
static uint8_t material_flags(float alpha, bool edge)
{
    unsigned flags = edge ? PMX_EDGE | PMX_GROUND_SHADOW : 0;
    if (alpha < 1.0f)
        flags |= PMX_DOUBLE_SIDED;
    if (!(alpha >= 0.98f && alpha < 0.99f))
        flags |= PMX_CAST_SHADOW | PMX_RECEIVE_SHADOW;
    return (uint8_t)flags;
}

/*
 * f32[4] diffuse, f32 power, f32[3] specular, f32[3] ambient, u8 toon, u8 edge, u32 index count,
 * u8[20] textures
 */
static void read_material(PmdFile *f, uint32_t index)
{
    PmxMaterial *m = &f->pmd.model->materials[index];
    m->name = arena_printf(f->pmd.arena, "材質%" PRIu32, index + 1);
    m->name_en = arena_printf(f->pmd.arena, "material %" PRIu32, index + 1);
    m->memo = "";
    read_floats(m->diffuse, 4, &f->r);
    m->specular_power = read_f32(&f->r);
    read_floats(m->specular, 3, &f->r);
    read_floats(m->ambient, 3, &f->r);
    f->pmd.material_toons[index] = read_u8(&f->r);
    m->flags = material_flags(m->diffuse[3], read_u8(&f->r) != 0);
    m->edge_color[3] = m->diffuse[3];
    m->edge_size = 1.0f;
    m->index_count = read_u32(&f->r);
    m->toon = PMX_NONE;
    const TextureField field = texture_field_split(read_text(f, NAME_SIZE), f->pmd.arena);
    m->texture = add_texture(f->pmd.model, field.texture);
    m->sphere_texture = add_texture(f->pmd.model, field.sphere);
    m->sphere_mode = (uint8_t)field.sphere_mode;
}

static bool read_materials(PmdFile *f)
{
    PmxModel *m = f->pmd.model;
    const uint32_t count = read_u32(&f->r);
    if (!check_count(f, count, MATERIAL_SIZE, "material", "materials"))
        return false;
    m->materials = arena_array(f->pmd.arena, PmxMaterial, count);
    m->material_count = count;
    m->textures = arena_array(f->pmd.arena, const char *, 2 * (size_t)count + PMD_TOONS);
    f->pmd.material_toons = arena_array(f->pmd.scratch, uint8_t, count);
    f->encoding = encoding_of(f, count, MATERIAL_SIZE, MATERIAL_SIZE - NAME_SIZE);
    for (uint32_t i = 0; i < count; i++)
        read_material(f, i);
    return true;
}

/* u8[20] name, u16 parent, u16 tail, u8 type, u16 extra, f32[3] position */
static bool read_bones(PmdFile *f)
{
    PmxModel *m = f->pmd.model;
    const uint32_t count = read_u16(&f->r);
    if (!check_count(f, count, BONE_SIZE, "bone", "bones"))
        return false;
    m->bones = arena_array(f->pmd.arena, PmxBone, count);
    m->bone_count = count;
    f->pmd.bones = arena_array(f->pmd.scratch, PmdBone, count);
    f->encoding = encoding_of(f, count, BONE_SIZE, 0);
    for (uint32_t i = 0; i < count; i++) {
        PmxBone *b = &m->bones[i];
        b->name = read_text(f, NAME_SIZE);
        b->name_en = "";
        b->parent = read_index(f);
        f->pmd.bones[i].tail = read_u16(&f->r);
        f->pmd.bones[i].type = read_u8(&f->r);
        f->pmd.bones[i].extra = read_u16(&f->r);
        read_floats(b->position, 3, &f->r);
    }
    return true;
}

/* ---- optional sections; of a truncated one the complete records are kept ---- */

static void report_truncation(PmdFile *f, const char *items)
{
    f->truncated = true;
    diag_warn(
        f->pmd.diag, WARN_TRUNCATED,
        "file ends inside the %s; the complete ones are kept, the rest of the file is ignored",
        items);
}

static uint32_t limit_count(PmdFile *f, uint32_t count, size_t size, const char *items)
{
    const size_t available = reader_left(&f->r) / size;
    if (!f->r.failed && count <= available)
        return count;
    report_truncation(f, items);
    return (uint32_t)available;
}

/* u16 count, then u16 bone, u16 effector, u8 link count, u16 loops, f32 weight, u16[] links */
static void read_iks(PmdFile *f)
{
    const uint32_t count = limit_count(f, read_u16(&f->r), IK_SIZE, "IK records");
    f->pmd.iks = arena_array(f->pmd.scratch, PmdIk, count);
    for (uint32_t i = 0; i < count; i++) {
        PmdIk *ik = &f->pmd.iks[i];
        ik->bone = read_u16(&f->r);
        ik->effector = read_u16(&f->r);
        ik->link_count = read_u8(&f->r);
        ik->loops = read_u16(&f->r);
        ik->weight = read_f32(&f->r);
        ik->links = read_bytes(&f->r, 2u * ik->link_count);
        if (f->r.failed) {
            report_truncation(f, "IK records");
            return;
        }
        f->pmd.ik_count++;
    }
}

/* The first morph of panel 0 lists the vertices of the others: {u32 vertex, f32[3] position} */
static bool read_base(PmdFile *f, uint32_t count)
{
    f->pmd.base = arena_array(f->pmd.scratch, uint32_t, count);
    f->pmd.base_count = count;
    for (uint32_t i = 0; i < count; i++) {
        float position[3];
        f->pmd.base[i] = read_u32(&f->r);
        read_floats(position, 3, &f->r);
    }
    return true;
}

/* u8[20] name, u32 count, u8 panel, then {u32 index in base, f32[3] offset} */
static bool read_morph(PmdFile *f, uint32_t file_index)
{
    const char *name = read_text(f, NAME_SIZE);
    const uint32_t count = read_u32(&f->r);
    const uint8_t panel = read_u8(&f->r);
    if (f->r.failed || count > reader_left(&f->r) / OFFSET_SIZE)
        return false;
    f->morph_names[file_index] = name;
    f->pmd.morph_index[file_index] = PMX_NONE;
    if (panel == 0 && !f->pmd.base)
        return read_base(f, count);
    f->pmd.morph_index[file_index] = (int32_t)f->pmd.model->morph_count;
    PmxMorph *m = &f->pmd.model->morphs[f->pmd.model->morph_count++];
    *m = (PmxMorph){
        .name = name, .name_en = "", .panel = panel, .type = PMX_MORPH_VERTEX, .count = count};
    m->offsets.vertex = arena_array(f->pmd.arena, PmxVertexOffset, count);
    for (uint32_t i = 0; i < count; i++) {
        m->offsets.vertex[i].vertex = read_u32(&f->r);
        read_floats(m->offsets.vertex[i].offset, 3, &f->r);
    }
    return true;
}

static void read_morphs(PmdFile *f)
{
    const uint32_t count = limit_count(f, read_u16(&f->r), MORPH_SIZE, "morphs");
    f->pmd.model->morphs = arena_array(f->pmd.arena, PmxMorph, count);
    f->pmd.morph_index = arena_array(f->pmd.scratch, int32_t, count);
    f->morph_names = arena_array(f->pmd.arena, const char *, count);
    for (uint32_t i = 0; i < count; i++) {
        if (!read_morph(f, i)) {
            report_truncation(f, "morphs");
            return;
        }
        f->pmd.file_morph_count++;
    }
}

/* u8 count, then u16 morph */
static void read_display_morphs(PmdFile *f)
{
    const uint32_t count = limit_count(f, read_u8(&f->r), 2, "shown morphs");
    f->pmd.display_morphs = arena_array(f->pmd.scratch, PmdDisplayItem, count);
    f->pmd.display_morph_count = count;
    for (uint32_t i = 0; i < count; i++)
        f->pmd.display_morphs[i].index = read_u16(&f->r);
}

/* Group names end with a line feed. */
static const char *read_group_name(PmdFile *f)
{
    const char *text = read_text(f, GROUP_NAME_SIZE);
    return arena_strndup(f->pmd.arena, text, strcspn(text, "\r\n"));
}

/* u8 count, then u8[50] name */
static void read_groups(PmdFile *f)
{
    const uint32_t count = limit_count(f, read_u8(&f->r), GROUP_NAME_SIZE, "group names");
    f->pmd.groups = arena_array(f->pmd.scratch, const char *, count);
    f->pmd.groups_en = arena_array(f->pmd.scratch, const char *, count);
    f->pmd.group_count = count;
    for (uint32_t i = 0; i < count; i++) {
        f->pmd.groups[i] = read_group_name(f);
        f->pmd.groups_en[i] = "";
    }
}

/* u32 count, then u16 bone, u8 group */
static void read_display_bones(PmdFile *f)
{
    const uint32_t count = limit_count(f, read_u32(&f->r), 3, "shown bones");
    f->pmd.display_bones = arena_array(f->pmd.scratch, PmdDisplayItem, count);
    f->pmd.display_bone_count = count;
    for (uint32_t i = 0; i < count; i++) {
        f->pmd.display_bones[i].index = read_u16(&f->r);
        f->pmd.display_bones[i].group = read_u8(&f->r);
    }
}

/* u8 present; if so u8[20] name, u8[256] comment, names of bones, morphs, groups */
static void read_english(PmdFile *f)
{
    PmxModel *m = f->pmd.model;
    if (read_u8(&f->r) != 1)
        return;
    m->name_en = read_text(f, NAME_SIZE);
    m->comment_en = read_text(f, COMMENT_SIZE);
    for (uint32_t i = 0; i < m->bone_count; i++)
        m->bones[i].name_en = read_text(f, NAME_SIZE);
    /* The base morph, the first in the file, has no English name. */
    for (uint32_t i = 1; i < f->pmd.file_morph_count; i++) {
        const char *name = read_text(f, NAME_SIZE);
        if (f->pmd.morph_index[i] != PMX_NONE)
            f->pmd.model->morphs[f->pmd.morph_index[i]].name_en = name;
    }
    for (uint32_t i = 0; i < f->pmd.group_count; i++)
        f->pmd.groups_en[i] = read_group_name(f);
    if (f->r.failed)
        report_truncation(f, "English names");
}

static void read_toons(PmdFile *f)
{
    const uint32_t count = limit_count(f, PMD_TOONS, TOON_NAME_SIZE, "toon names");
    for (uint32_t i = 0; i < count; i++)
        f->pmd.toons[i] = read_text(f, TOON_NAME_SIZE);
}

/* u8[20] name, u16 bone, then as in PMX, but the position is relative to the bone */
static void read_body(PmxBody *b, PmdFile *f)
{
    b->name = read_text(f, NAME_SIZE);
    b->name_en = "";
    b->bone = read_index(f);
    PmxIo io = {.mode = PMX_READ, .r = f->r};
    pmx_io_body_values(&io, b);
    f->r = io.r;
}

static void read_bodies(PmdFile *f)
{
    const uint32_t count = limit_count(f, read_u32(&f->r), BODY_SIZE, "rigid bodies");
    f->pmd.model->bodies = arena_array(f->pmd.arena, PmxBody, count);
    f->pmd.model->body_count = count;
    for (uint32_t i = 0; i < count; i++)
        read_body(&f->pmd.model->bodies[i], f);
}

/* u8[20] name, u32 body a, u32 body b, then as in PMX */
static void read_joint(PmxJoint *j, PmdFile *f)
{
    j->name = read_text(f, NAME_SIZE);
    j->name_en = "";
    j->body_a = read_i32(&f->r);
    j->body_b = read_i32(&f->r);
    PmxIo io = {.mode = PMX_READ, .r = f->r};
    pmx_io_joint_values(&io, j);
    f->r = io.r;
}

static void read_joints(PmdFile *f)
{
    const uint32_t count = limit_count(f, read_u32(&f->r), JOINT_SIZE, "joints");
    f->pmd.model->joints = arena_array(f->pmd.arena, PmxJoint, count);
    f->pmd.model->joint_count = count;
    for (uint32_t i = 0; i < count; i++)
        read_joint(&f->pmd.model->joints[i], f);
}

typedef struct Section {
    const char *name;
    void (*read)(PmdFile *f);
    bool optional; /* older files end before this section */
} Section;

static const Section sections[] = {
    {"IK records", read_iks, false},
    {"morphs", read_morphs, false},
    {"shown morphs", read_display_morphs, false},
    {"group names", read_groups, false},
    {"shown bones", read_display_bones, false},
    {"English names", read_english, true},
    {"toon names", read_toons, true},
    {"rigid bodies", read_bodies, true},
    {"joints", read_joints, true},
};

static void read_sections(PmdFile *f)
{
    for (size_t i = 0; i < sizeof sections / sizeof *sections && !f->truncated; i++) {
        if (reader_left(&f->r)) {
            sections[i].read(f);
        } else {
            if (!sections[i].optional)
                diag_warn(f->pmd.diag, WARN_TRUNCATED,
                          "file ends before the %s; the model has none", sections[i].name);
            return;
        }
    }
    if (!f->truncated && reader_left(&f->r))
        diag_warn(f->pmd.diag, WARN_TRAILING_DATA, "%zu bytes after the last section are ignored",
                  reader_left(&f->r));
}

/* u8[3] "Pmd", f32 version, u8[20] name, u8[256] comment */
static bool read_header(PmdFile *f)
{
    PmxModel *m = f->pmd.model;
    const uint8_t *magic = read_bytes(&f->r, 3);
    if (!magic || memcmp(magic, "Pmd", 3) != 0)
        return diag_error(f->pmd.diag, "not a PMD model: it does not start with 'Pmd'");
    read_f32(&f->r); /* always 1 */
    m->version = 1.0f;
    m->from_pmd = true;
    m->name = read_text(f, NAME_SIZE);
    m->comment = read_text(f, COMMENT_SIZE);
    m->name_en = m->comment_en = "";
    return !f->r.failed ||
           diag_error(f->pmd.diag, "file ends inside its header (%zu bytes)", f->r.size);
}

static bool read_required(PmdFile *f, PmxModel *model, Bytes bytes, Arena *arena, Diag *diag)
{
    parser_enter("pmd");
    *model = (PmxModel){0};
    *f =
        (PmdFile){.r = reader_init(bytes.data, bytes.size),
                  .pmd = {.model = model, .arena = arena, .diag = diag, .scratch = arena_create()}};
    diag_item(diag, NULL, 0);
    return read_header(f) && read_vertices(f) && read_indices(f) && read_materials(f) &&
           read_bones(f);
}

bool pmd_load(PmxModel *model, Bytes bytes, Arena *arena, Diag *diag)
{
    PmdFile f;
    const bool loaded = read_required(&f, model, bytes, arena, diag);
    if (loaded) {
        read_sections(&f);
        pmd_convert(&f.pmd);
        pmx_repair(model, arena, diag);
    }
    arena_destroy(f.pmd.scratch);
    return loaded;
}

bool pmd_load_names(PmmModelBones *out, Bytes bytes, Arena *arena, Diag *diag)
{
    parser_enter("pmd_names");
    PmdFile f;
    PmxModel model;
    bool loaded = read_required(&f, &model, bytes, arena, diag);
    *out = (PmmModelBones){0};
    if (loaded) {
        read_iks(&f);
        read_morphs(&f);
        loaded = !f.truncated || diag_error(diag, "file ends inside the model");
    }
    if (loaded) {
        out->bones = arena_array(arena, const char *, model.bone_count);
        for (; out->bone_count < model.bone_count; out->bone_count++)
            out->bones[out->bone_count] = model.bones[out->bone_count].name;
        out->ik = arena_array(arena, int32_t, f.pmd.ik_count);
        for (; out->ik_count < f.pmd.ik_count; out->ik_count++)
            out->ik[out->ik_count] = f.pmd.iks[out->ik_count].bone;
        out->morphs = f.morph_names;
        out->morph_count = f.pmd.file_morph_count;
    }
    arena_destroy(f.pmd.scratch);
    return loaded;
}
