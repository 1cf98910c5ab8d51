#include "format/motion/vpd.h"

#include <math.h>
#include <string.h>

#include "base/text.h"

static const char magic[] = "Vocaloid Pose Data";

typedef struct BoneKeys {
    VmdBoneKey *items;
    size_t count, room;
} BoneKeys;

typedef struct MorphKeys {
    VmdMorphKey *items;
    size_t count, room;
} MorphKeys;

/* ---- text ---- */

typedef struct Cursor {
    const char *at;
    const char *line_start;
    unsigned line;
} Cursor;

static void place(const Cursor *c, Diag *diag)
{
    diag_line(diag, c->line, (unsigned)(c->at - c->line_start) + 1);
}

static void step(Cursor *c)
{
    const bool is_line_end = *c->at == '\n';
    c->at++;
    if (is_line_end) {
        c->line_start = c->at;
        c->line++;
    }
}

static bool is_blank(char ch)
{
    return ch == ' ' || ch == '\t' || ch == '\r' || ch == '\n' || ch == '\f' || ch == '\v';
}

static bool is_comment(const Cursor *c)
{
    return c->at[0] == '/' && c->at[1] == '/';
}

/* Over white space and comments. */
static void skip(Cursor *c)
{
    while (is_blank(*c->at) || is_comment(c)) {
        if (is_comment(c))
            while (*c->at && *c->at != '\n')
                step(c);
        else
            step(c);
    }
}

/* What stands here up to `end`, a comment or the end of the line, without blanks around it. */
static char *take_words(Cursor *c, char end, Arena *arena)
{
    while (*c->at == ' ' || *c->at == '\t')
        step(c);
    const char *start = c->at;
    while (*c->at && *c->at != '\n' && *c->at != end && !is_comment(c))
        step(c);
    size_t size = (size_t)(c->at - start);
    while (size && is_blank(start[size - 1]))
        size--;
    return arena_strndup(arena, start, size);
}

static bool take_char(Cursor *c, char ch)
{
    skip(c);
    if (*c->at != ch)
        return false;
    step(c);
    return true;
}

static bool take_word(Cursor *c, const char *word)
{
    const size_t size = strlen(word);
    skip(c);
    if (strncmp(c->at, word, size))
        return false;
    c->at += size;
    return true;
}

static bool take_number(float *out, Cursor *c)
{
    enum { LONGEST = 63 };
    char text[LONGEST + 1] = {0};
    double value;

    skip(c);
    const size_t size = strspn(c->at, "0123456789+-.eE");
    if (!size || size > LONGEST)
        return false;
    memcpy(text, c->at, size);
    if (!text_to_double(&value, text) || !isfinite((float)value))
        return false;
    *out = (float)value;
    c->at += size;
    return true;
}

/* "1.0,2.0,3.0;" */
static bool take_numbers(float *out, size_t count, Cursor *c)
{
    for (size_t i = 0; i < count; i++)
        if ((i && !take_char(c, ',')) || !take_number(&out[i], c))
            return false;
    return take_char(c, ';');
}

/* ---- blocks ---- */

/* "12{name", after the word Bone or Morph; the name ends with its line. */
static bool take_block_name(VmdName *name, Cursor *c, Arena *arena)
{
    skip(c);
    c->at += strspn(c->at, "0123456789");
    if (!take_char(c, '{'))
        return false;
    *name = vmd_name_of(take_words(c, '}', arena));
    return true;
}

static bool read_bone(BoneKeys *keys, Cursor *c, Arena *arena)
{
    VmdBoneKey key = {.curves = {CURVE_LINEAR, CURVE_LINEAR, CURVE_LINEAR, CURVE_LINEAR}};
    if (!take_block_name(&key.name, c, arena) || !take_numbers(key.translation, 3, c) ||
        !take_numbers(key.rotation, 4, c) || !take_char(c, '}'))
        return false;
    vmd_normalize(key.rotation);
    *arena_push(arena, keys) = key;
    return true;
}

static bool read_morph(MorphKeys *keys, Cursor *c, Arena *arena)
{
    VmdMorphKey key = {0};
    if (!take_block_name(&key.name, c, arena) || !take_numbers(&key.weight, 1, c) ||
        !take_char(c, '}'))
        return false;
    *arena_push(arena, keys) = key;
    return true;
}

/*
 *     Bone0{name                Morph0{name      (MikuMikuMoving only)
 *       x,y,z;                    weight;
 *       x,y,z,w;                }
 *     }
 */
static bool read_blocks(BoneKeys *bones, MorphKeys *morphs, Cursor *c, Arena *arena, Diag *diag)
{
    for (skip(c); *c->at; skip(c)) {
        const bool is_bone = take_word(c, "Bone");
        const bool ok = is_bone                 ? read_bone(bones, c, arena)
                        : take_word(c, "Morph") ? read_morph(morphs, c, arena)
                                                : false;
        if (ok)
            continue;
        place(c, diag);
        if (*c->at)
            return diag_error(diag, "not a block 'BoneN{name x,y,z; x,y,z,w;}' from here on");
        diag_warn(diag, "the file is cut in this block, which is left out");
    }
    return true;
}

bool vpd_load(VmdMotion *motion, Bytes bytes, Arena *arena, Diag *diag)
{
    BoneKeys bones = {0};
    MorphKeys morphs = {0};
    float announced;

    *motion = (VmdMotion){.is_pose = true};
    /* CP932 by the book; Japanese CP932 is hardly ever valid UTF-8, which newer tools write. */
    char *text = text_is_utf8(bytes.data, bytes.size)
                     ? text_from_utf8(bytes.data, bytes.size, arena)
                     : text_from_cp932(bytes.data, bytes.size, arena);
    Cursor c = {text, text, 1};
    place(&c, diag);
    if (!take_word(&c, magic))
        return diag_error(diag, "not a VPD pose: it does not start with '%s'", magic);
    take_words(&c, '\n', arena); /* "file" */

    skip(&c);
    motion->model_name = take_words(&c, ';', arena);
    if (!take_char(&c, ';') || !take_numbers(&announced, 1, &c)) {
        place(&c, diag);
        return diag_error(diag, "a pose must begin with 'model name;' and 'number of bones;'");
    }
    if (!read_blocks(&bones, &morphs, &c, arena, diag))
        return false;
    diag_line(diag, 0, 0);
    if ((float)bones.count != announced)
        diag_warn(diag, "%.0f bones are announced, %zu are there", (double)announced, bones.count);

    motion->bone_keys = bones.items;
    motion->bone_key_count = (uint32_t)bones.count;
    motion->morph_keys = morphs.items;
    motion->morph_key_count = (uint32_t)morphs.count;
    return true;
}

bool vpd_or_vmd_load(VmdMotion *motion, Bytes bytes, Arena *arena, Diag *diag)
{
    static const char motion_magic[] = "Vocaloid Motion Data";
    const char *text = (const char *)bytes.data;
    const size_t bom = bytes.size >= 3 && !memcmp(text, "\xEF\xBB\xBF", 3) ? 3 : 0;

    if (bytes.size >= strlen(motion_magic) && !memcmp(text, motion_magic, strlen(motion_magic)))
        return vmd_load(motion, bytes, arena, diag);
    if (bytes.size - bom >= strlen(magic) && !memcmp(text + bom, magic, strlen(magic)))
        return vpd_load(motion, bytes, arena, diag);
    return diag_error(diag, "neither a VMD motion nor a VPD pose");
}
