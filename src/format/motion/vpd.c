// SPDX-License-Identifier: MIT
#include "format/motion/vpd.h"

#include <math.h>
#include <string.h>

#include "base/encoding.h"
#include "base/parser_entry.h"
#include "base/text.h"

typedef ARENA_LIST(VmdBoneKey) BoneKeys;

typedef ARENA_LIST(VmdMorphKey) MorphKeys;

/* ---- text ---- */

typedef struct Cursor {
    const char *at;
    const char *line_start;
    unsigned line;
} Cursor;

static void set_position(const Cursor *c, Diag *diag)
{
    diag_line(diag, c->line, (unsigned)(c->at - c->line_start) + 1);
}

static void advance(Cursor *c)
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

/* Skips white space and comments. */
static void skip(Cursor *c)
{
    while (is_blank(*c->at) || is_comment(c)) {
        if (is_comment(c))
            while (*c->at && *c->at != '\n')
                advance(c);
        else
            advance(c);
    }
}

/* The text up to `end`, a comment or the end of the line, without surrounding blanks. */
static char *parse_text(Cursor *c, char end, Arena *arena)
{
    while (*c->at == ' ' || *c->at == '\t')
        advance(c);
    const char *start = c->at;
    while (*c->at && *c->at != '\n' && *c->at != end && !is_comment(c))
        advance(c);
    size_t size = (size_t)(c->at - start);
    while (size && is_blank(start[size - 1]))
        size--;
    return arena_strndup(arena, start, size);
}

static bool accept_char(Cursor *c, char ch)
{
    skip(c);
    if (*c->at != ch)
        return false;
    advance(c);
    return true;
}

static bool accept_word(Cursor *c, const char *word)
{
    const size_t size = strlen(word);
    skip(c);
    if (strncmp(c->at, word, size))
        return false;
    c->at += size;
    return true;
}

static bool parse_number(float *out, Cursor *c)
{
    enum { MAX_SIZE = 63 };
    char text[MAX_SIZE + 1] = {0};
    double value;

    skip(c);
    const size_t size = strspn(c->at, "0123456789+-.eE");
    if (!size || size > MAX_SIZE)
        return false;
    memcpy(text, c->at, size);
    if (!text_to_double(&value, text) || !(fabs(value) <= VMD_MAX_VALUE))
        return false;
    *out = (float)value;
    c->at += size;
    return true;
}

/* "1.0,2.0,3.0;" */
static bool parse_numbers(float *out, size_t count, Cursor *c)
{
    for (size_t i = 0; i < count; i++)
        if ((i && !accept_char(c, ',')) || !parse_number(&out[i], c))
            return false;
    return accept_char(c, ';');
}

/* ---- blocks ---- */

/* "12{name", after the word Bone or Morph; the name ends with its line. */
static bool parse_block_name(VmdName *name, Cursor *c, Arena *arena)
{
    skip(c);
    c->at += strspn(c->at, "0123456789");
    if (!accept_char(c, '{'))
        return false;
    *name = vmd_name_from_utf8(parse_text(c, '}', arena));
    return true;
}

static bool read_bone(BoneKeys *keys, Cursor *c, Arena *arena)
{
    VmdBoneKey key = {.curves = {CURVE_LINEAR, CURVE_LINEAR, CURVE_LINEAR, CURVE_LINEAR}};
    if (!parse_block_name(&key.name, c, arena) || !parse_numbers(key.translation, 3, c) ||
        !parse_numbers(key.rotation, 4, c) || !accept_char(c, '}'))
        return false;
    vmd_normalize(key.rotation);
    *arena_push(arena, keys) = key;
    return true;
}

static bool read_morph(MorphKeys *keys, Cursor *c, Arena *arena)
{
    VmdMorphKey key = {0};
    if (!parse_block_name(&key.name, c, arena) || !parse_numbers(&key.weight, 1, c) ||
        !accept_char(c, '}'))
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
        const bool is_bone = accept_word(c, "Bone");
        const bool ok = is_bone                   ? read_bone(bones, c, arena)
                        : accept_word(c, "Morph") ? read_morph(morphs, c, arena)
                                                  : false;
        if (ok)
            continue;
        set_position(c, diag);
        if (*c->at)
            return diag_error(diag, "expected a block 'BoneN{name x,y,z; x,y,z,w;}'");
        diag_warn(diag, WARN_TRUNCATED, "file ends inside this block; the block is ignored");
    }
    return true;
}

bool vpd_load(VmdMotion *motion, Bytes bytes, Arena *arena, Diag *diag)
{
    parser_enter("vpd");
    BoneKeys bones = {0};
    MorphKeys morphs = {0};
    float declared;

    *motion = (VmdMotion){.is_pose = true};
    /* The format is CP932, but newer tools write UTF-8, and Chinese and Korean ones their own. */
    char *text = encoding_decode_text(bytes.data, bytes.size, arena);
    Cursor c = {text, text, 1};
    set_position(&c, diag);
    if (!accept_word(&c, VPD_MAGIC))
        return diag_error(diag, "not a VPD pose: it does not start with '" VPD_MAGIC "'");
    parse_text(&c, '\n', arena); /* "file" */

    skip(&c);
    motion->model_name = parse_text(&c, ';', arena);
    if (!accept_char(&c, ';') || !parse_numbers(&declared, 1, &c)) {
        set_position(&c, diag);
        return diag_error(diag, "expected 'model name;' and 'number of bones;'");
    }
    if (!read_blocks(&bones, &morphs, &c, arena, diag))
        return false;
    diag_line(diag, 0, 0);
    if ((float)bones.count != declared)
        diag_warn(diag, WARN_BAD_VALUE, "number of bones is %.0f, but the file has %zu",
                  (double)declared, bones.count);

    motion->bone_keys = bones.items;
    motion->bone_key_count = (uint32_t)bones.count;
    motion->morph_keys = morphs.items;
    motion->morph_key_count = (uint32_t)morphs.count;
    return true;
}
