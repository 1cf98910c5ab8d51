// SPDX-License-Identifier: MIT
#include "format/motion/fbx_tree.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#define ZLIB_CONST /* next_in points to const */
#include <zlib.h>

#include "base/parser_entry.h"
#include "base/text.h"

enum { MIN_VERSION = 7000, MAX_VERSION = 7999, MAX_WORD = 64, MAX_RATIO = 1100 };

/* The records that are open, and the end of each one's list of children. */
typedef struct Stack {
    struct {
        FbxNode *node; /* NULL: skipped, with everything in it */
        FbxNode **end;
        size_t size; /* binary: where it ends in the file */
    } open[FBX_MAX_DEPTH];
    size_t depth;
    FbxNode *root;
    FbxNode **root_end;
} Stack;

static Bytes bytes_of(const uint8_t *data, size_t size)
{
    return (Bytes){data, size};
}

bool fbx_is(Bytes text, const char *wanted)
{
    return text.size == strlen(wanted) && !memcmp(text.data, wanted, text.size);
}

/* ---- which records are kept ---- */

static bool is_one_of(Bytes name, const char *const *names)
{
    for (; *names; names++)
        if (fbx_is(name, *names))
            return true;
    return false;
}

static bool is_kept(const Stack *s, Bytes name)
{
    static const char *const outermost[] = {
        "FBXHeaderExtension", "GlobalSettings", "Definitions", "Objects", "Connections", NULL};
    static const char *const objects[] = {"Model",          "Pose",
                                          "Deformer",       "AnimationStack",
                                          "AnimationLayer", "AnimationCurveNode",
                                          "AnimationCurve", NULL};
    if (!s->depth)
        return is_one_of(name, outermost);
    const FbxNode *parent = s->open[s->depth - 1].node;
    return parent && (s->depth > 1 || !fbx_is(parent->name, "Objects") || is_one_of(name, objects));
}

/* A new record in the one that is open; NULL if it is skipped. */
static FbxNode *add_node(Stack *s, Bytes name, Arena *arena)
{
    if (!is_kept(s, name))
        return NULL;
    FbxNode ***end = s->depth ? &s->open[s->depth - 1].end : &s->root_end;
    FbxNode *node = arena_array(arena, FbxNode, 1);
    node->name = name;
    **end = node;
    *end = &node->next;
    return node;
}

static bool open_node(Stack *s, FbxNode *node, size_t size, Diag *diag)
{
    if (s->depth == FBX_MAX_DEPTH)
        return diag_error(diag, "records are nested more than %d deep", FBX_MAX_DEPTH);
    s->open[s->depth].node = node;
    s->open[s->depth].end = node ? &node->first : NULL;
    s->open[s->depth++].size = size;
    return true;
}

/* ---- binary files ---- */

typedef struct Binary {
    const uint8_t *data;
    size_t size, at;
    bool big_endian, wide; /* wide: sizes have 64 bits, from 7.5 on */
    Arena *arena;
    Diag *diag;
} Binary;

static uint64_t integer_at(const uint8_t *data, unsigned size, bool big_endian)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < size; i++)
        value |= (uint64_t)data[big_endian ? size - 1 - i : i] << (8 * i);
    return value;
}

static unsigned item_size(char type)
{
    switch (type) {
    case 'Y':
        return 2;
    case 'I':
    case 'F':
    case 'i':
    case 'f':
        return 4;
    case 'L':
    case 'D':
    case 'l':
    case 'd':
        return 8;
    case 'B':
    case 'C':
    case 'Z':
    case 'b':
    case 'c':
        return 1;
    default:
        return 0;
    }
}

static double number_at(int64_t *integer, const uint8_t *data, char type, bool big_endian)
{
    const unsigned size = item_size(type);
    const uint64_t bits = integer_at(data, size, big_endian);
    double number;
    float single;
    if (size == 4 && (type | 0x20) == 'f') {
        const uint32_t half = (uint32_t)bits;
        memcpy(&single, &half, sizeof single);
        *integer = 0;
        return (double)single;
    }
    if (type == 'D' || type == 'd') {
        memcpy(&number, &bits, sizeof number);
        *integer = 0;
        return number;
    }
    *integer = size == 8   ? (int64_t)bits
               : size == 4 ? (int32_t)(uint32_t)bits
               : size == 2 ? (int16_t)(uint16_t)bits
                           : (int64_t)bits;
    return (double)*integer;
}

/*
 * A value is a type and its bytes.  Y B C Z I L F D: one number; S R: u32 size, bytes; arrays f d l
 * i b c: u32 number of items, u32 1 if compressed by zlib, u32 size in the file, bytes.
 */
static bool read_value(FbxValue *value, Binary *b, size_t end)
{
    const char type = (char)b->data[b->at++];
    const size_t left = end - b->at;
    const bool is_array = strchr("fdlibc", type) && type, is_text = type == 'S' || type == 'R';
    const size_t head = is_array ? 12 : is_text ? 4 : item_size(type);
    if (!head)
        return diag_error(b->diag, "at byte %zu: a value of unknown type 0x%02x", b->at - 1,
                          (unsigned)(uint8_t)type);
    if (left < head)
        return diag_error(b->diag, "at byte %zu: a value exceeds its record", b->at);
    const uint8_t *data = b->data + b->at;
    const size_t size = is_array  ? integer_at(data + 8, 4, b->big_endian)
                        : is_text ? integer_at(data, 4, b->big_endian)
                                  : 0;
    if (size > left - head)
        return diag_error(b->diag, "at byte %zu: %zu bytes of a value exceed its record (%zu)",
                          b->at, size, left - head);
    *value = (FbxValue){.type = is_array ? 'a' : is_text ? 's' : 'n', .item = type};
    if (is_array)
        value->bytes = bytes_of(data, head + size);
    else if (is_text)
        value->bytes = bytes_of(data + head, size);
    else
        value->number = number_at(&value->integer, data, type, b->big_endian);
    b->at += head + size;
    return true;
}

/*
 * A record: its end in the file, number of values and bytes of values (u32 each, u64 from 7.5 on),
 * u8 size of the name, name, values, then its children if bytes are left.  A record of zeros ends
 * a list.
 */
static bool read_record(Stack *s, Binary *b, size_t limit)
{
    const unsigned word = b->wide ? 8 : 4;
    const size_t start = b->at;
    if (limit - start < 3 * word + 1)
        return diag_error(b->diag, "at byte %zu: the file ends in a record", start);
    const uint8_t *head = b->data + start;
    const uint64_t end = integer_at(head, word, b->big_endian),
                   count = integer_at(head + word, word, b->big_endian),
                   size = integer_at(head + 2 * (size_t)word, word, b->big_endian);
    const size_t name = head[3 * word], body = start + 3 * word + 1;
    b->at = body;
    if (!end && s->depth) {
        b->at = s->open[--s->depth].size;
        return true;
    }
    if (end < body || end > limit || name > end - body || size > end - body - name || count > size)
        return diag_error(b->diag,
                          "at byte %zu: a record with end %" PRIu64 " and %" PRIu64
                          " values of %" PRIu64 " bytes is damaged (its end is at most %zu)",
                          start, end, count, size, limit);
    FbxNode *node = add_node(s, bytes_of(b->data + body, name), b->arena);
    if (!node) {
        b->at = (size_t)end;
        return true;
    }
    b->at = body + name;
    node->values = arena_array(b->arena, FbxValue, count);
    for (; node->value_count < count; node->value_count++) {
        if (b->at >= body + name + size)
            return diag_error(b->diag, "at byte %zu: a record has fewer values than it says",
                              start);
        if (!read_value(&node->values[node->value_count], b, body + name + size))
            return false;
    }
    b->at = body + name + (size_t)size;
    if (b->at == end)
        return true;
    return open_node(s, node, (size_t)end, b->diag);
}

/* "Kaydara FBX Binary  \0\x1A", u8 1 if big-endian, u32 version; records up to one of zeros. */
static bool read_binary(FbxTree *tree, Stack *s, Bytes bytes, Arena *arena, Diag *diag)
{
    enum { HEAD = 27 };
    if (bytes.size < HEAD)
        return diag_error(diag, "the file ends in its header");
    tree->big_endian = bytes.data[22] == 1;
    tree->version = (uint32_t)integer_at(bytes.data + 23, 4, tree->big_endian);
    if (tree->version < MIN_VERSION || tree->version > MAX_VERSION)
        return true;
    Binary b = {bytes.data, bytes.size, HEAD, tree->big_endian, tree->version >= 7500, arena, diag};
    for (;;) {
        while (s->depth && b.at >= s->open[s->depth - 1].size)
            s->depth--;
        const size_t limit = s->depth ? s->open[s->depth - 1].size : b.size;
        const unsigned word = b.wide ? 8 : 4;
        if (!s->depth && (limit - b.at < word || !integer_at(b.data + b.at, word, b.big_endian)))
            return true;
        if (!read_record(s, &b, limit))
            return false;
    }
}

/* ---- text files ---- */

typedef struct Text {
    const char *at, *end, *line_start;
    unsigned line;
    Arena *arena;
    Diag *diag;
} Text;

static bool fail_text(Text *t, const char *expected)
{
    diag_line(t->diag, t->line, (unsigned)(t->at - t->line_start) + 1);
    diag_error(t->diag, "expected %s", expected);
    diag_line(t->diag, 0, 0);
    return false;
}

/* Blanks and comments. */
static void skip_blanks(Text *t)
{
    for (; t->at < t->end; t->at++) {
        if (*t->at == ';')
            while (t->at + 1 < t->end && t->at[1] != '\n')
                t->at++;
        else if (*t->at == '\n') {
            t->line++;
            t->line_start = t->at + 1;
        } else if ((unsigned char)*t->at > ' ')
            return;
    }
}

static char peek(Text *t)
{
    skip_blanks(t);
    return t->at < t->end ? *t->at : '\0';
}

static bool is_word(char c)
{
    return (unsigned char)c > ' ' && !strchr(",:{}\";*", c);
}

static Bytes next_word(Text *t)
{
    const char *start = t->at;
    while (t->at < t->end && is_word(*t->at))
        t->at++;
    return bytes_of((const uint8_t *)start, (size_t)(t->at - start));
}

static bool parse_number(double *out, Bytes word)
{
    char text[MAX_WORD];
    if (!word.size || word.size >= sizeof text)
        return false;
    memcpy(text, word.data, word.size);
    text[word.size] = '\0';
    return text_to_double(out, text);
}

/* Ids may need more than the 53 bits of a double. */
static FbxValue word_value(Bytes word)
{
    char text[MAX_WORD] = "";
    FbxValue value = {.type = 's', .bytes = word};
    if (!parse_number(&value.number, word))
        return value;
    memcpy(text, word.data, word.size);
    if (!text_to_int64(&value.integer, text))
        value.integer = 0;
    value.type = 'n';
    return value;
}

static bool read_text_value(FbxValue *value, Text *t)
{
    const char c = peek(t);
    if (c == '"') {
        const char *start = ++t->at;
        while (t->at < t->end && *t->at != '"') {
            if (*t->at == '\n') {
                t->line++;
                t->line_start = t->at + 1;
            }
            t->at++;
        }
        if (t->at == t->end)
            return fail_text(t, "\" at the end of a text");
        *value =
            (FbxValue){.type = 's', .bytes = {(const uint8_t *)start, (size_t)(t->at++ - start)}};
        return true;
    }
    t->at += c == '*';
    const Bytes word = next_word(t);
    if (!word.size)
        return fail_text(t, "a value");
    *value = word_value(word);
    if (c == '*')
        value->type = '*';
    return true;
}

/* "1.5,2,3" of an array, up to the brace that ends it; they are parsed when they are needed. */
static Bytes array_text(Text *t)
{
    const char *start = t->at;
    for (; t->at < t->end && *t->at != '}'; t->at++)
        if (*t->at == '\n') {
            t->line++;
            t->line_start = t->at + 1;
        }
    return bytes_of((const uint8_t *)start, (size_t)(t->at - start));
}

/* The values of a record, and the brace before its children.  A word with a colon begins the next
 * record. */
static bool read_text_values(Stack *s, FbxNode *node, Text *t)
{
    ARENA_LIST(FbxValue) values = {0};
    FbxValue value;
    bool after_comma = false;
    for (;;) {
        const char c = peek(t);
        if (c == ',') {
            after_comma = true;
            t->at++;
            continue;
        }
        if (c == '{' || c == '}' || !c || (values.count && !after_comma))
            break;
        const Text before = *t;
        if (!read_text_value(&value, t))
            return false;
        if (c != '"' && !after_comma && t->at < t->end && *t->at == ':') {
            *t = before;
            break;
        }
        after_comma = false;
        *arena_push(t->arena, &values) = value;
        if (!node)
            values.count = 1; /* skipped records need no room */
    }
    if (node) {
        node->values = values.items;
        node->value_count = (uint32_t)values.count;
    }
    if (peek(t) != '{')
        return true;
    t->at++;
    return open_node(s, node, 0, t->diag);
}

static bool read_text(FbxTree *tree, Stack *s, Bytes bytes, Arena *arena, Diag *diag)
{
    Text t = {.at = (const char *)bytes.data,
              .end = (const char *)bytes.data + bytes.size,
              .line = 1,
              .arena = arena,
              .diag = diag};
    if (bytes.size >= 3 && !memcmp(t.at, "\xEF\xBB\xBF", 3))
        t.at += 3;
    t.line_start = t.at;
    for (;;) {
        if (peek(&t) == '}') {
            if (!s->depth)
                return fail_text(&t, "the name of a record, not '}'");
            s->depth--;
            t.at++;
            continue;
        }
        if (t.at == t.end)
            break;
        const Bytes name = next_word(&t);
        if (!name.size || t.at == t.end || *t.at != ':')
            return fail_text(&t, "the name of a record, with a colon");
        t.at++;
        FbxNode *parent = s->depth ? s->open[s->depth - 1].node : NULL;
        if (parent && parent->value_count && parent->values[0].type == '*' && fbx_is(name, "a")) {
            parent->values[0].bytes = array_text(&t);
            continue;
        }
        if (!read_text_values(s, add_node(s, name, arena), &t))
            return false;
    }
    if (s->depth)
        return fail_text(&t, "} at the end of a record");
    const FbxNode *header = fbx_find(tree->first, "FBXHeaderExtension");
    tree->version = (uint32_t)fmin(fmax(fbx_number(fbx_child(header, "FBXVersion"), 0), 0), 1e6);
    return true;
}

bool fbx_tree_read(FbxTree *tree, Bytes bytes, Arena *arena, Diag *diag)
{
    static const char magic[] = "Kaydara FBX Binary";
    parser_enter("fbx");
    *tree = (FbxTree){.is_text =
                          bytes.size < sizeof magic || memcmp(bytes.data, magic, sizeof magic - 1)};
    Stack stack = {.root_end = &tree->first};
    if (!(tree->is_text ? read_text : read_binary)(tree, &stack, bytes, arena, diag))
        return false;
    return (tree->version >= MIN_VERSION && tree->version <= MAX_VERSION) ||
           diag_error(diag,
                      "FBX of version %" PRIu32 " is not read (%d to %d); export it as FBX 2011 or "
                      "later",
                      tree->version, MIN_VERSION, MAX_VERSION);
}

/* ---- queries ---- */

const FbxNode *fbx_find(const FbxNode *first, const char *name)
{
    for (; first; first = first->next)
        if (fbx_is(first->name, name))
            return first;
    return NULL;
}

const FbxNode *fbx_child(const FbxNode *node, const char *name)
{
    return node ? fbx_find(node->first, name) : NULL;
}

static const FbxValue *value_at(const FbxNode *node, uint32_t index, char type)
{
    return node && index < node->value_count && node->values[index].type == type
               ? &node->values[index]
               : NULL;
}

double fbx_number(const FbxNode *node, uint32_t index)
{
    const FbxValue *value = value_at(node, index, 'n');
    return value && isfinite(value->number) ? value->number : 0;
}

int64_t fbx_integer(const FbxNode *node, uint32_t index)
{
    const FbxValue *value = value_at(node, index, 'n');
    return value ? value->integer : 0;
}

Bytes fbx_text(const FbxNode *node, uint32_t index)
{
    const FbxValue *value = value_at(node, index, 's');
    return value ? value->bytes : (Bytes){0};
}

/* ---- arrays ---- */

static bool unpack(uint8_t *out, size_t size, Bytes packed, Diag *diag)
{
    z_stream stream = {0};
    if (inflateInit(&stream) != Z_OK)
        return diag_fail(diag, DIAG_RESOURCE, "out of memory for zlib");
    stream.next_in = packed.data;
    stream.avail_in = (uInt)packed.size;
    stream.next_out = out;
    stream.avail_out = (uInt)size;
    const int result = inflate(&stream, Z_FINISH);
    const size_t missing = stream.avail_out;
    inflateEnd(&stream);
    return (result == Z_STREAM_END && !missing) ||
           diag_error(diag, "an array does not unpack to its %zu bytes", size);
}

static bool binary_array(FbxNumbers *out, const FbxTree *tree, const FbxValue *value, Arena *arena,
                         Diag *diag)
{
    const uint8_t *head = value->bytes.data, *data = head + 12;
    const uint32_t count = (uint32_t)integer_at(head, 4, tree->big_endian),
                   encoding = (uint32_t)integer_at(head + 4, 4, tree->big_endian);
    const size_t size = value->bytes.size - 12, each = item_size(value->item);
    assert(each);
    const size_t most = (encoding ? size * MAX_RATIO + 64 : size) / each;
    if (count > FBX_MAX_ITEMS || count > most)
        return diag_error(diag, "an array of %" PRIu32 " numbers is too large (at most %zu)", count,
                          most < FBX_MAX_ITEMS ? most : (size_t)FBX_MAX_ITEMS);
    if (encoding > 1)
        return diag_error(diag, "encoding %" PRIu32 " of an array is unknown (0..1)", encoding);
    Arena *own = arena_create();
    bool good = true;
    if (encoding && count) {
        uint8_t *unpacked = arena_array(own, uint8_t, count * each);
        good = unpack(unpacked, count * each, bytes_of(data, size), diag);
        data = unpacked;
    }
    *out = (FbxNumbers){arena_array(arena, double, count), count};
    int64_t unused;
    for (size_t i = 0; good && i < count; i++)
        out->items[i] = number_at(&unused, data + i * each, value->item, tree->big_endian);
    arena_destroy(own);
    return good;
}

static bool text_array(FbxNumbers *out, const FbxValue *value, Arena *arena, Diag *diag)
{
    ARENA_LIST(double) list = {0};
    Text t = {.at = (const char *)value->bytes.data,
              .end = (const char *)value->bytes.data + value->bytes.size};
    while (peek(&t)) {
        double number;
        const Bytes word = next_word(&t);
        if (!parse_number(&number, word))
            return diag_error(diag, "'%.*s' is no number of an array",
                              word.size < MAX_WORD ? (int)word.size : MAX_WORD, word.data);
        if (list.count == FBX_MAX_ITEMS)
            return diag_error(diag, "an array has more than %d numbers", FBX_MAX_ITEMS);
        *arena_push(arena, &list) = number;
        if (peek(&t) == ',')
            t.at++;
    }
    *out = (FbxNumbers){list.items, list.count};
    return true;
}

bool fbx_numbers(FbxNumbers *out, const FbxTree *tree, const FbxNode *node, const char *child,
                 Arena *arena, Diag *diag)
{
    const FbxNode *found = fbx_child(node, child);
    *out = (FbxNumbers){0};
    if (!found || !found->value_count)
        return true;
    const FbxValue *value = &found->values[0];
    if (value->type == 'a' || value->type == '*') {
        if (!(value->type == 'a' ? binary_array(out, tree, value, arena, diag)
                                 : text_array(out, value, arena, diag)))
            return false;
    } else {
        *out = (FbxNumbers){arena_array(arena, double, found->value_count), found->value_count};
        for (uint32_t i = 0; i < found->value_count; i++)
            out->items[i] = found->values[i].number;
    }
    for (size_t i = 0; i < out->count; i++)
        if (!isfinite(out->items[i]))
            return diag_error(diag, "number %zu of %s is not finite", i, child);
    return true;
}
