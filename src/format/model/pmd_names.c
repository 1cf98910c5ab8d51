#include "format/model/pmd_names.h"

#include <inttypes.h>
#include <string.h>

#include "base/reader.h"
#include "base/text.h"

enum {
    NAME_SIZE = 20,
    HEAD_SIZE = 3 + 4 + NAME_SIZE + 256,
    VERTEX_SIZE = 38,
    INDEX_SIZE = 2,
    MATERIAL_SIZE = 70,
    BONE_SIZE = NAME_SIZE + 19,
    IK_SIZE = 11,
    MORPH_SIZE = NAME_SIZE + 5,
    OFFSET_SIZE = 16
};

typedef struct Loader {
    Reader r;
    Arena *arena;
    Diag *diag;
} Loader;

static bool check_count(Loader *l, uint32_t count, size_t size, const char *what)
{
    if (l->r.failed)
        return diag_error(l->diag, "file ends inside the model");
    return count <= reader_left(&l->r) / size ||
           diag_error(l->diag, "%s count %" PRIu32 " exceeds the file size", what, count);
}

static bool skip_records(Loader *l, size_t size, const char *what)
{
    const uint32_t count = read_u32(&l->r);
    if (!check_count(l, count, size, what))
        return false;
    (void)read_bytes(&l->r, count * size);
    return true;
}

static const char *read_name(Loader *l)
{
    const uint8_t *bytes = read_bytes(&l->r, NAME_SIZE);
    return bytes && bytes[0] ? text_from_cp932(bytes, NAME_SIZE, l->arena) : "";
}

static bool read_bones(PmmModelBones *out, Loader *l)
{
    out->bone_count = read_u16(&l->r);
    if (!check_count(l, out->bone_count, BONE_SIZE, "bone"))
        return false;
    out->bones = arena_array(l->arena, const char *, out->bone_count);
    for (uint32_t i = 0; i < out->bone_count; i++) {
        out->bones[i] = read_name(l);
        (void)read_bytes(&l->r, BONE_SIZE - NAME_SIZE);
    }
    return true;
}

/* u16 bone, u16 effector, u8 count, u16 loops, f32 angle, u16[count] links */
static bool read_iks(PmmModelBones *out, Loader *l)
{
    out->ik_count = read_u16(&l->r);
    if (!check_count(l, out->ik_count, IK_SIZE, "IK"))
        return false;
    out->ik = arena_array(l->arena, int32_t, out->ik_count);
    for (uint32_t i = 0; i < out->ik_count; i++) {
        out->ik[i] = read_u16(&l->r);
        (void)read_u16(&l->r);
        const size_t links = read_u8(&l->r);
        (void)read_bytes(&l->r, 6 + 2 * links);
    }
    return true;
}

/* u8[20] name, u32 count, u8 panel, then {u32 index, f32[3] offset} */
static bool read_morphs(PmmModelBones *out, Loader *l)
{
    out->morph_count = read_u16(&l->r);
    if (!check_count(l, out->morph_count, MORPH_SIZE, "morph"))
        return false;
    out->morphs = arena_array(l->arena, const char *, out->morph_count);
    for (uint32_t i = 0; i < out->morph_count; i++) {
        out->morphs[i] = read_name(l);
        const uint32_t count = read_u32(&l->r);
        (void)read_u8(&l->r);
        if (!check_count(l, count, OFFSET_SIZE, "morph vertex"))
            return false;
        (void)read_bytes(&l->r, (size_t)count * OFFSET_SIZE);
    }
    return !l->r.failed || diag_error(l->diag, "file ends inside the model");
}

bool pmd_names_load(PmmModelBones *out, Bytes bytes, Arena *arena, Diag *diag)
{
    Loader l = {reader_init(bytes.data, bytes.size), arena, diag};
    const uint8_t *head = read_bytes(&l.r, HEAD_SIZE);
    *out = (PmmModelBones){0};
    if (!head || memcmp(head, "Pmd", 3) != 0)
        return diag_error(diag, "not a PMD file");
    return skip_records(&l, VERTEX_SIZE, "vertex") && skip_records(&l, INDEX_SIZE, "index") &&
           skip_records(&l, MATERIAL_SIZE, "material") && read_bones(out, &l) &&
           read_iks(out, &l) && read_morphs(out, &l);
}
