// SPDX-License-Identifier: MIT
#include "format/model/xfile.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/parser_entry.h"
#include "base/text.h"
#include "format/file_kind.h"
#include "format/model/pmx_repair.h"
#include "format/model/texture_field.h"
#include "format/model/xfile_lexer.h"
#include "format/model/xfile_mesh.h"

static const float UNITS = 10.0f; /* MMD units per unit of the file */

typedef struct XMaterial {
    const char *name; /* "" for none */
    size_t index;     /* in the file */
    float diffuse[4], power, specular[3], emissive[3];
    int32_t texture, sphere;
    PmxSphereMode sphere_mode;
} XMaterial;

/* An entry of the material list of a Mesh. */
typedef struct Slot {
    const XMaterial *own; /* NULL: use `reference`; if that is NULL too, the Mesh has no material */
    const char *reference;
    uint32_t index_count;
} Slot;

/*
 * Memory stays below 64 times the inflated file size plus 256 KiB: the largest ratio is that of
 * references to materials (3 bytes in the file, 160 in memory).
 */
typedef struct XFile {
    XLexer lex;
    PmxModel *model;
    XShape shape;
    ARENA_LIST(const XMaterial *) materials;
    ARENA_LIST(Slot) slots;
    ARENA_LIST(const char *) textures;
    Arena *arena;      /* the arena of the model */
    Arena *scratch;    /* freed after loading */
    Arena *mesh_arena; /* reset for each Mesh */
    Diag *diag;
} XFile;

/* ---- members of a block ---- */

typedef enum Type {
    TYPE_OTHER,
    TYPE_FRAME,
    TYPE_MATRIX,
    TYPE_MESH,
    TYPE_NORMALS,
    TYPE_UVS,
    TYPE_MATERIALS,
    TYPE_MATERIAL,
    TYPE_TEXTURE
} Type;

static Type current_type(const XLexer *lex)
{
    static const char *const names[] = {
        [TYPE_FRAME] = "Frame",
        [TYPE_MATRIX] = "FrameTransformMatrix",
        [TYPE_MESH] = "Mesh",
        [TYPE_NORMALS] = "MeshNormals",
        [TYPE_UVS] = "MeshTextureCoords",
        [TYPE_MATERIALS] = "MeshMaterialList",
        [TYPE_MATERIAL] = "Material",
        [TYPE_TEXTURE] = "TextureFilename",
    };
    for (size_t i = TYPE_FRAME; i < sizeof names / sizeof *names; i++)
        if (xfile_lexer_at_name(lex, names[i]))
            return (Type)i;
    return TYPE_OTHER;
}

typedef enum Member { MEMBER_NONE, MEMBER_BLOCK, MEMBER_REFERENCE, MEMBER_BROKEN } Member;

typedef struct Head {
    Type type;
    const uint8_t *name; /* as in the file; NULL if absent */
    size_t name_size;
} Head;

static const char *decode_text(const XFile *f, const uint8_t *bytes, size_t size, Arena *arena)
{
    if (!bytes || !size)
        return "";
    return f->lex.utf8     ? text_from_utf8(bytes, size, arena)
           : f->lex.binary ? encoding_decode_text(bytes, size, arena)
                           : encoding_decode(bytes, size, f->lex.encoding, arena);
}

/* "TYPE [NAME] {", after TYPE was read; the token after the brace becomes the current one. */
static Member open_block(XFile *f, Head *head)
{
    for (xfile_lexer_next(&f->lex); f->lex.kind != XTOKEN_OPEN; xfile_lexer_next(&f->lex)) {
        if (f->lex.kind != XTOKEN_NAME && f->lex.kind != XTOKEN_NUMBER) {
            xfile_lexer_fail(&f->lex, "expected '{'");
            return MEMBER_BROKEN;
        }
        if (!head->name) {
            head->name = f->lex.bytes;
            head->name_size = f->lex.size;
        }
    }
    xfile_lexer_next(&f->lex);
    return MEMBER_BLOCK;
}

/*
 * Finds the next member of a block: a block (the current token is then the first one inside), a
 * reference, or the end (the current token is then the first one after the block).  Other tokens
 * are skipped.
 */
static Member next_member(XFile *f, Head *head, bool top)
{
    *head = (Head){0};
    for (;; xfile_lexer_next(&f->lex)) {
        switch (f->lex.kind) {
        case XTOKEN_NAME:
            head->type = current_type(&f->lex);
            return open_block(f, head);
        case XTOKEN_OPEN:
            /* "{ NAME }" */
            xfile_lexer_next(&f->lex);
            if (f->lex.kind == XTOKEN_NAME || f->lex.kind == XTOKEN_NUMBER) {
                head->name = f->lex.bytes;
                head->name_size = f->lex.size;
            }
            return xfile_skip_block(&f->lex) ? MEMBER_REFERENCE : MEMBER_BROKEN;
        case XTOKEN_CLOSE:
            if (top)
                continue;
            xfile_lexer_next(&f->lex);
            return MEMBER_NONE;
        case XTOKEN_END:
            if (top && !f->lex.r.failed && !f->lex.invalid)
                return MEMBER_NONE;
            xfile_lexer_fail(&f->lex, "");
            return MEMBER_BROKEN;
        default:
            continue;
        }
    }
}

/* Handles a block (must read it to its end) or a reference. */
typedef bool HandleMember(XFile *f, const Head *head, bool is_reference, void *context);

/* Handles all members of a block up to its end; top: the block is the file. */
static bool read_members(XFile *f, bool top, HandleMember *handle, void *context)
{
    Head head;
    for (;;) {
        const Member member = next_member(f, &head, top);
        if (member == MEMBER_NONE || member == MEMBER_BROKEN)
            return member == MEMBER_NONE;
        if (!handle(f, &head, member == MEMBER_REFERENCE, context))
            return false;
    }
}

/* ---- materials ---- */

static int32_t add_texture(XFile *f, const char *name)
{
    if (!name)
        return PMX_NONE;
    *arena_push(f->scratch, &f->textures) = name;
    return (int32_t)f->textures.count - 1;
}

/* TextureFilename: "name"; */
static bool read_material_member(XFile *f, const Head *head, bool is_reference, void *context)
{
    XMaterial *m = context;
    if (is_reference)
        return true;
    if (head->type == TYPE_TEXTURE && f->lex.kind == XTOKEN_STRING && m->texture == PMX_NONE &&
        m->sphere == PMX_NONE) {
        const TextureField field =
            texture_field_split(decode_text(f, f->lex.bytes, f->lex.size, f->scratch), f->arena);
        m->texture = add_texture(f, field.texture);
        m->sphere = add_texture(f, field.sphere);
        m->sphere_mode = field.sphere_mode;
    }
    return xfile_skip_block(&f->lex);
}

/* rgba face; power; rgb specular; rgb emissive; then TextureFilename */
static bool read_material(XFile *f, const Head *head)
{
    XMaterial *m = arena_array(f->scratch, XMaterial, 1);

    *m = (XMaterial){.texture = PMX_NONE, .sphere = PMX_NONE, .sphere_mode = PMX_SPHERE_OFF};
    m->name = decode_text(f, head->name, head->name_size, f->arena);
    m->index = f->materials.count;
    *arena_push(f->scratch, &f->materials) = m;
    return xfile_read_floats(m->diffuse, 4, &f->lex) && xfile_read_floats(&m->power, 1, &f->lex) &&
           xfile_read_floats(m->specular, 3, &f->lex) &&
           xfile_read_floats(m->emissive, 3, &f->lex) &&
           read_members(f, false, read_material_member, m);
}

static Slot *add_slot(XFile *f)
{
    Slot *slot = arena_push(f->scratch, &f->slots);
    *slot = (Slot){0};
    return slot;
}

static bool read_slot(XFile *f, const Head *head, bool is_reference, void *context)
{
    (void)context;
    if (is_reference) {
        add_slot(f)->reference = decode_text(f, head->name, head->name_size, f->scratch);
        return true;
    }
    if (head->type != TYPE_MATERIAL)
        return xfile_skip_block(&f->lex);
    if (!read_material(f, head))
        return false;
    add_slot(f)->own = f->materials.items[f->materials.count - 1];
    return true;
}

/* ---- meshes ---- */

typedef struct MeshReader {
    XMesh mesh;
    size_t first_slot;
} MeshReader;

static bool read_mesh_member(XFile *f, const Head *head, bool is_reference, void *context)
{
    MeshReader *m = context;
    if (is_reference)
        return true;
    switch (head->type) {
    case TYPE_NORMALS:
        return xfile_mesh_read_normals(&m->mesh, &f->lex, f->mesh_arena) &&
               xfile_skip_block(&f->lex);
    case TYPE_UVS:
        return xfile_mesh_read_uvs(&m->mesh, &f->lex, f->mesh_arena) && xfile_skip_block(&f->lex);
    case TYPE_MATERIALS:
        if (f->slots.count > m->first_slot) /* only the first list counts */
            return xfile_skip_block(&f->lex);
        return xfile_mesh_read_slots(&m->mesh, &f->lex, f->mesh_arena) &&
               read_members(f, false, read_slot, NULL);
    default:
        return xfile_skip_block(&f->lex);
    }
}

/* ---- frames ---- */

/* p * m, where p is a row vector and m has rows of 4. */
static void transform_point(float p[3], const float m[16])
{
    const float x = p[0], y = p[1], z = p[2];
    for (int k = 0; k < 3; k++)
        p[k] = x * m[k] + y * m[4 + k] + z * m[8 + k] + m[12 + k];
}

/* The matrix for normals: cofactors are the inverse transpose times the determinant, of which only
 * the sign (negative for a reflection) matters and is removed. */
static void cofactors(float out[9], const float m[16])
{
    float determinant = 0.0f;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
            const int r1 = (r + 1) % 3, r2 = (r + 2) % 3, c1 = (c + 1) % 3, c2 = (c + 2) % 3;
            out[3 * r + c] = m[4 * r1 + c1] * m[4 * r2 + c2] - m[4 * r1 + c2] * m[4 * r2 + c1];
        }
    for (int c = 0; c < 3; c++)
        determinant += m[c] * out[c];
    for (int i = 0; i < 9 && determinant < 0.0f; i++)
        out[i] = -out[i];
}

static void normalize(float v[3])
{
    const double length = sqrt((double)v[0] * (double)v[0] + (double)v[1] * (double)v[1] +
                               (double)v[2] * (double)v[2]);
    for (int k = 0; k < 3; k++)
        v[k] = length > 0.0 ? (float)((double)v[k] / length) : 0.0f;
}

static void transform_vertices(PmxVertex *vertices, size_t count, const float m[16])
{
    float normal_matrix[9];
    cofactors(normal_matrix, m);
    for (size_t i = 0; i < count; i++) {
        float *n = vertices[i].normal;
        const float x = n[0], y = n[1], z = n[2];
        transform_point(vertices[i].position, m);
        for (int k = 0; k < 3; k++)
            n[k] = x * normal_matrix[k] + y * normal_matrix[3 + k] + z * normal_matrix[6 + k];
        normalize(n);
    }
}

typedef struct Frame {
    float matrix[16];
    bool has_matrix;
    unsigned depth; /* 0: the file */
} Frame;

static bool read_frame(XFile *f, unsigned depth);

static bool read_frame_member(XFile *f, const Head *head, bool is_reference, void *context)
{
    Frame *frame = context;
    if (is_reference) {
        diag_warn(f->diag, WARN_BAD_REFERENCE, "reference of a frame to '%s' is ignored",
                  decode_text(f, head->name, head->name_size, f->scratch));
        return true;
    }
    switch (head->type) {
    case TYPE_FRAME:
        return read_frame(f, frame->depth + 1);
    case TYPE_MATRIX:
        frame->has_matrix = true;
        return xfile_read_floats(frame->matrix, 16, &f->lex) && xfile_skip_block(&f->lex);
    case TYPE_MESH: {
        MeshReader m = {.first_slot = f->slots.count};

        arena_reset(f->mesh_arena);
        if (!xfile_mesh_read(&m.mesh, &f->lex, f->mesh_arena) ||
            !read_members(f, false, read_mesh_member, &m))
            return false;
        if (f->slots.count == m.first_slot)
            add_slot(f);
        m.mesh.material_count = (uint32_t)(f->slots.count - m.first_slot);
        uint32_t *counts = arena_array(f->mesh_arena, uint32_t, m.mesh.material_count);
        xfile_mesh_build(&f->shape, counts, &m.mesh, f->scratch, f->mesh_arena, f->diag);
        for (uint32_t i = 0; i < m.mesh.material_count; i++)
            f->slots.items[m.first_slot + i].index_count = counts[i];
        return true;
    }
    case TYPE_MATERIAL:
        return read_material(f, head);
    default:
        return xfile_skip_block(&f->lex);
    }
}

/* The matrix applies to the whole frame, wherever it is stored in the frame. */
static bool read_frame(XFile *f, unsigned depth)
{
    const size_t first = f->shape.vertices.count;
    Frame frame = {.depth = depth};

    if (depth > XFILE_MAX_DEPTH)
        return xfile_lexer_fail(&f->lex, "frames are nested too deeply (at most 64)");
    if (!read_members(f, depth == 0, read_frame_member, &frame))
        return false;
    if (frame.has_matrix && f->shape.vertices.count > first)
        transform_vertices(f->shape.vertices.items + first, f->shape.vertices.count - first,
                           frame.matrix);
    return true;
}

/* ---- the model ---- */

static int compare_names(const void *a, const void *b)
{
    const XMaterial *left = *(const XMaterial *const *)a, *right = *(const XMaterial *const *)b;
    const int order = strcmp(left->name, right->name);
    return order ? order : (left->index > right->index) - (left->index < right->index);
}

/* Sorts by name for the search; of materials with one name the first in the file is kept. */
static void sort_materials(XFile *f)
{
    size_t kept = 0;
    if (f->materials.count)
        qsort(f->materials.items, f->materials.count, sizeof *f->materials.items, compare_names);
    for (size_t i = 0; i < f->materials.count; i++) {
        const XMaterial *m = f->materials.items[i];
        if (!kept || strcmp(m->name, f->materials.items[kept - 1]->name) != 0)
            f->materials.items[kept++] = m;
    }
    f->materials.count = kept;
}

static const XMaterial *find_material(const XFile *f, const char *name)
{
    size_t low = 0, high = f->materials.count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int order = strcmp(name, f->materials.items[middle]->name);
        if (order == 0)
            return f->materials.items[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

static const XMaterial white_material = {
    .name = "材質", .diffuse = {1, 1, 1, 1}, .texture = PMX_NONE, .sphere = PMX_NONE};

static const XMaterial *resolve_material(const XFile *f, const Slot *slot)
{
    if (slot->own)
        return slot->own;
    if (!slot->reference)
        return &white_material;
    const XMaterial *found = *slot->reference ? find_material(f, slot->reference) : NULL;
    if (found)
        return found;
    diag_warn(f->diag, WARN_BAD_REFERENCE, "unknown material '%s'; white is used", slot->reference);
    return &white_material;
}

static void make_material(PmxMaterial *out, const XMaterial *m, uint32_t index, Arena *arena)
{
    *out = (PmxMaterial){
        .name = *m->name ? m->name : arena_printf(arena, "材質%" PRIu32, index + 1),
        .name_en = "",
        .memo = "",
        .specular_power = m->power,
        .flags = PMX_GROUND_SHADOW | PMX_CAST_SHADOW | PMX_RECEIVE_SHADOW,
        .edge_color = {0, 0, 0, 1},
        .edge_size = 1.0f,
        .texture = m->texture,
        .sphere_texture = m->sphere,
        .sphere_mode = (uint8_t)m->sphere_mode,
        .toon = PMX_NONE,
    };
    memcpy(out->diffuse, m->diffuse, sizeof out->diffuse);
    memcpy(out->specular, m->specular, sizeof out->specular);
    memcpy(out->ambient, m->emissive, sizeof out->ambient);
    if (out->diffuse[3] < 1.0f)
        out->flags |= PMX_DOUBLE_SIDED;
}

static void make_materials(XFile *f)
{
    PmxModel *model = f->model;

    sort_materials(f);
    model->textures = arena_array(f->arena, const char *, f->textures.count);
    model->texture_count = (uint32_t)f->textures.count;
    if (f->textures.count)
        memcpy(model->textures, f->textures.items, f->textures.count * sizeof *model->textures);
    model->materials = arena_array(f->arena, PmxMaterial, f->slots.count);
    model->material_count = (uint32_t)f->slots.count;
    for (uint32_t i = 0; i < model->material_count; i++) {
        make_material(&model->materials[i], resolve_material(f, &f->slots.items[i]), i, f->arena);
        model->materials[i].index_count = f->slots.items[i].index_count;
    }
    texture_field_merge(model, f->scratch);
}

static void make_vertices(XFile *f)
{
    PmxModel *model = f->model;
    const XShape *shape = &f->shape;

    model->vertex_count = (uint32_t)shape->vertices.count;
    model->vertices = arena_copy(f->arena, shape->vertices.items,
                                 shape->vertices.count * sizeof *model->vertices);
    model->index_count = (uint32_t)shape->indices.count;
    model->indices =
        arena_copy(f->arena, shape->indices.items, shape->indices.count * sizeof *model->indices);
    for (uint32_t i = 0; i < model->vertex_count; i++) {
        for (int k = 0; k < 3; k++)
            model->vertices[i].position[k] *= UNITS;
        normalize(model->vertices[i].normal);
    }
    if (!model->vertex_count)
        diag_warn(f->diag, WARN_EMPTY_MODEL, "the file has no mesh; nothing is drawn");
}

static void make_model(XFile *f)
{
    *f->model = (PmxModel){.version = 2.0f, .accessory = true};
    f->model->name = f->model->name_en = f->model->comment = f->model->comment_en = "";
    pmx_add_center_bone(f->model, f->arena);
    make_materials(f);
    make_vertices(f);
    pmx_repair(f->model, f->arena, f->diag);
}

/* ---- the file ---- */

/* "xof ", version "0302" or "0303", format "txt ", "bin ", "tzip" or "bzip", float bits "0032" */
typedef struct Format {
    bool binary, compressed, doubles;
} Format;

static bool read_header(Format *format, Bytes bytes, Diag *diag)
{
    enum { FORMAT_OFFSET = 8, BITS_OFFSET = 12, FIELD_SIZE = 4 };
    static const struct {
        const char *word;
        bool binary, compressed;
    } formats[] = {
        {"txt ", false, false}, {"bin ", true, false}, {"tzip", false, true}, {"bzip", true, true}};

    if (file_kind_of_bytes(bytes) != FILE_X)
        return diag_error(diag, "not a DirectX file: it does not start with 'xof '");
    if (bytes.size < XFILE_HEADER_SIZE)
        return diag_error(diag, "file ends inside its header (%zu bytes)", bytes.size);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (!memcmp(bytes.data + FORMAT_OFFSET, formats[i].word, FIELD_SIZE)) {
            *format = (Format){formats[i].binary, formats[i].compressed,
                               !memcmp(bytes.data + BITS_OFFSET, "0064", FIELD_SIZE)};
            return true;
        }
    return diag_error(diag, "unknown DirectX format (expected txt, bin, tzip or bzip)");
}

static bool read_file(XFile *f, Bytes bytes)
{
    Format format = {false, false, false};
    if (!read_header(&format, bytes, f->diag))
        return false;
    Bytes body = {bytes.data + XFILE_HEADER_SIZE, bytes.size - XFILE_HEADER_SIZE};
    if (format.compressed && !xfile_inflate(&body, body, f->scratch, f->diag))
        return false;
    f->lex = xfile_lexer_init(body, format.binary, format.doubles, f->diag);
    return read_frame(f, 0);
}

bool xfile_load(PmxModel *model, Bytes bytes, Arena *arena, Diag *diag)
{
    parser_enter("xfile");
    XFile f = {.model = model,
               .arena = arena,
               .scratch = arena_create(),
               .mesh_arena = arena_create(),
               .diag = diag};

    diag_item(diag, NULL, 0);
    const bool good = read_file(&f, bytes);
    if (good)
        make_model(&f);
    arena_destroy(f.mesh_arena);
    arena_destroy(f.scratch);
    return good;
}
