// SPDX-License-Identifier: MIT
#include "format/motion/fbx_tree.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <zlib.h>

#include "base/parser_entry.h"
#include "base/reader.h"
#include "base/text.h"

enum { MIN_VERSION = 7000, MAX_VERSION = 7999, MAX_WORD = 64, MAX_RATIO = 1100 };

/* A value: its type in a binary file, or 'w', a word of a text. */
typedef struct Value {
    char type;
    Bytes bytes; /* without the type, the size of a text, and quotes */
} Value;

bool fbx_is(Bytes text, const char *wanted)
{
    return text.size == strlen(wanted) && !memcmp(text.data, wanted, text.size);
}

static Bytes after(Bytes bytes, size_t size)
{
    return (Bytes){bytes.data + size, bytes.size - size};
}

/* ---- binary files ---- */

static unsigned number_size(char type)
{
    static const char types[] = "BCZbcYIFifLDld"; /* of 1, 2, 4 and 8 bytes */
    const char *found = type ? strchr(types, type) : NULL;
    const size_t at = found ? (size_t)(found - types) : 14;
    return at < 5 ? 1 : at < 6 ? 2 : at < 10 ? 4 : at < 14 ? 8 : 0;
}

/*
 * Takes a value: its type and bytes.  Y B C Z I L F D: one number; S R: u32 size, bytes; arrays f d
 * l i b c: u32 number of items, u32 1 if compressed by zlib, u32 size in the file, bytes.
 */
static bool next_binary(Value *value, Bytes *rest)
{
    const char type = rest->size ? (char)rest->data[0] : '\0';
    const bool is_array = type && strchr("fdlibc", type), is_text = type == 'S' || type == 'R';
    const size_t head = is_array ? 12 : is_text ? 4 : number_size(type), left = rest->size - 1;
    if (!head || left < head)
        return false;
    const uint8_t *data = rest->data + 1;
    const size_t size = is_array || is_text ? (size_t)reader_bits(data + head - 4, 4) : 0;
    if (size > left - head)
        return false;
    *value = (Value){type, is_text ? (Bytes){data + head, size} : (Bytes){data, head + size}};
    *rest = after(*rest, 1 + head + size);
    return true;
}

/* A number as both, as ids need more than the 53 bits of a double; false for another value. */
static bool read_number(double *real, int64_t *integer, Value value)
{
    const unsigned size = number_size(value.type);
    char text[MAX_WORD] = "";
    if (value.type == 'w') {
        if (value.bytes.size < sizeof text)
            memcpy(text, value.bytes.data, value.bytes.size);
        if (!text_to_int64(integer, text))
            *integer = 0;
        return text_to_double(real, text);
    }
    if (!size || size != value.bytes.size)
        return false;
    const bool is_real = strchr("fFdD", value.type);
    *integer = is_real ? 0 : reader_integer(value.bytes.data, size);
    *real = is_real ? reader_real(value.bytes.data, size) : (double)*integer;
    return true;
}

typedef struct Binary {
    const uint8_t *data;
    unsigned word; /* bytes of a size: 4, from 7.5 on 8 */
    Arena *arena;
    Diag *diag;
} Binary;

/*
 * A record: its end in the file, number of values and bytes of values (u32 each, u64 from 7.5 on),
 * u8 size of the name, name, values, then its children if bytes are left.  A record of zeros ends
 * a list.
 */
static bool read_records(FbxNode *parent, const Binary *b, size_t at, size_t limit, unsigned depth)
{
    const size_t head = 3 * (size_t)b->word + 1;
    for (FbxNode **last = &parent->first; at < limit; last = &(*last)->next) {
        const uint8_t *data = b->data + at;
        if (limit - at < head)
            return diag_error(b->diag, "at byte %zu: the file ends in a record", at);
        const uint64_t end = reader_bits(data, b->word),
                       size = reader_bits(data + 2 * (size_t)b->word, b->word);
        const size_t name = data[head - 1], body = at + head;
        if (!end)
            return true;
        if (end < body || end > limit || name > end - body || size > end - body - name)
            return diag_error(b->diag,
                              "at byte %zu: a record with end %" PRIu64 " and %" PRIu64
                              " bytes of values is damaged (its end is at most %zu)",
                              at, end, size, limit);
        if (depth == FBX_MAX_DEPTH)
            return diag_error(b->diag, "records are nested more than %d deep", FBX_MAX_DEPTH);
        FbxNode *node = *last = arena_array(b->arena, FbxNode, 1);
        const Bytes values = {data + head + name, (size_t)size};
        *node = (FbxNode){.name = {data + head, name}, .values = values};
        Value value;
        for (Bytes rest = values; rest.size;)
            if (!next_binary(&value, &rest))
                return diag_error(b->diag,
                                  "at byte %zu: a value of type 0x%02x is unknown or exceeds its "
                                  "record (%zu bytes)",
                                  (size_t)(rest.data - b->data), (unsigned)*rest.data, rest.size);
        if (!read_records(node, b, body + name + values.size, (size_t)end, depth + 1))
            return false;
        at = (size_t)end;
    }
    return true;
}

/* "Kaydara FBX Binary  \0\x1A", u8 1 if big-endian, u32 version; records up to one of zeros. */
static bool read_binary(FbxTree *tree, Bytes bytes, Arena *arena, Diag *diag)
{
    enum { HEAD = 27 };
    if (bytes.size < HEAD)
        return diag_error(diag, "the file ends in its header");
    if (bytes.data[22])
        return diag_error(diag, "a big-endian FBX file is not read");
    tree->version = (uint32_t)reader_bits(bytes.data + 23, 4);
    const Binary b = {bytes.data, tree->version >= 7500 ? 8 : 4, arena, diag};
    return tree->version < MIN_VERSION || tree->version > MAX_VERSION ||
           read_records(&tree->root, &b, HEAD, bytes.size, 0);
}

/* ---- text files ---- */

/* The next character after blanks and comments; NUL at the end. */
static char peek(Bytes *t)
{
    for (bool comment = false; t->size; *t = after(*t, 1)) {
        const char c = (char)*t->data;
        comment = c == ';' || (comment && c != '\n');
        if (!comment && (unsigned char)c > ' ')
            return c;
    }
    return '\0';
}

static bool skip(Bytes *t, char wanted)
{
    const bool found = peek(t) == wanted;
    *t = after(*t, found);
    return found;
}

static Bytes next_word(Bytes *t)
{
    const Bytes start = *t;
    while (t->size && *t->data > ' ' && !strchr(",:{}\";", *t->data))
        *t = after(*t, 1);
    return (Bytes){start.data, start.size - t->size};
}

/* Takes a text in quotes or a word, after commas. */
static bool next_text(Value *value, Bytes *rest)
{
    while (skip(rest, ','))
        continue;
    if (peek(rest) != '"') {
        *value = (Value){'w', next_word(rest)};
        return value->bytes.size;
    }
    const Bytes start = after(*rest, 1);
    const uint8_t *end = start.size ? memchr(start.data, '"', start.size) : NULL;
    if (!end)
        return false;
    *value = (Value){'S', {start.data, (size_t)(end - start.data)}};
    *rest = after(start, value->bytes.size + 1);
    return true;
}

typedef struct Text {
    Bytes file, rest;
    Arena *arena;
    Diag *diag;
} Text;

static bool fail_text(const Text *t, const char *expected)
{
    unsigned line = 1, column = 1;
    for (const uint8_t *c = t->file.data; c < t->rest.data; c++) {
        line += *c == '\n';
        column = *c == '\n' ? 1 : column + 1;
    }
    diag_line(t->diag, line, column);
    diag_error(t->diag, "expected %s", expected);
    diag_line(t->diag, 0, 0);
    return false;
}

/* "Name: value, value { records }"; a word with a colon begins the next record.  An array, "*3 { a:
 * 1,2,3 }", is a record with the record "a". */
static bool read_text_records(FbxNode *parent, Text *t, unsigned depth)
{
    if (depth > FBX_MAX_DEPTH)
        return diag_error(t->diag, "records are nested more than %d deep", FBX_MAX_DEPTH);
    for (FbxNode **last = &parent->first; peek(&t->rest) && *t->rest.data != '}';
         last = &(*last)->next) {
        FbxNode *node = *last = arena_array(t->arena, FbxNode, 1);
        *node = (FbxNode){.name = next_word(&t->rest), .is_text = true};
        if (!node->name.size || !t->rest.size || *t->rest.data != ':')
            return fail_text(t, "the name of a record, with a colon");
        t->rest = after(t->rest, 1);
        const Bytes start = t->rest;
        Value value;
        for (Bytes rest = start; next_text(&value, &rest); t->rest = rest)
            if (value.type == 'w' && rest.size && *rest.data == ':')
                break;
        node->values = (Bytes){start.data, start.size - t->rest.size};
        while (skip(&t->rest, ','))
            continue;
        if (skip(&t->rest, '{') &&
            !(read_text_records(node, t, depth + 1) &&
              (skip(&t->rest, '}') || fail_text(t, "} at the end of a record"))))
            return false;
    }
    return true;
}

static bool read_text(FbxTree *tree, Bytes bytes, Arena *arena, Diag *diag)
{
    const bool has_mark = bytes.size >= 3 && !memcmp(bytes.data, "\xEF\xBB\xBF", 3);
    Text t = {bytes, after(bytes, has_mark ? 3 : 0), arena, diag};
    if (!read_text_records(&tree->root, &t, 0))
        return false;
    if (t.rest.size)
        return fail_text(&t, "the name of a record, not '}'");
    const FbxNode *version = fbx_child(fbx_child(&tree->root, "FBXHeaderExtension"), "FBXVersion");
    tree->version = (uint32_t)fmin(fmax(fbx_number(version, 0, 0), 0), 1e6);
    return true;
}

bool fbx_tree_read(FbxTree *tree, Bytes bytes, Arena *arena, Diag *diag)
{
    static const char magic[] = "Kaydara FBX Binary";
    parser_enter("fbx");
    *tree = (FbxTree){0};
    tree->root.is_text = bytes.size < sizeof magic || memcmp(bytes.data, magic, sizeof magic - 1);
    if (!(tree->root.is_text ? read_text : read_binary)(tree, bytes, arena, diag))
        return false;
    return (tree->version >= MIN_VERSION && tree->version <= MAX_VERSION) ||
           diag_error(diag,
                      "FBX of version %" PRIu32 " is not read (%d to %d); export it as FBX 2011 or "
                      "later",
                      tree->version, MIN_VERSION, MAX_VERSION);
}

/* ---- queries ---- */

const FbxNode *fbx_child(const FbxNode *node, const char *name)
{
    const FbxNode *child = node ? node->first : NULL;
    while (child && !fbx_is(child->name, name))
        child = child->next;
    return child;
}

static Value value_at(const FbxNode *node, uint32_t index)
{
    Value value = {0};
    Bytes rest = node ? node->values : (Bytes){0};
    for (uint32_t i = 0; node && i <= index; i++)
        if (!(node->is_text ? next_text : next_binary)(&value, &rest))
            return (Value){0};
    return value;
}

int64_t fbx_integer(const FbxNode *node, uint32_t index)
{
    double real;
    int64_t integer;
    return read_number(&real, &integer, value_at(node, index)) ? integer : 0;
}

Bytes fbx_text(const FbxNode *node, uint32_t index)
{
    const Value value = value_at(node, index);
    return value.type && strchr("SRw", value.type) ? value.bytes : (Bytes){0};
}

double fbx_number(const FbxNode *node, uint32_t index, double otherwise)
{
    const Value value = value_at(node, index);
    double real;
    int64_t integer;
    if (!value.type)
        return otherwise;
    return read_number(&real, &integer, value) && isfinite(real) ? real : 0;
}

/* ---- arrays ---- */

static bool binary_array(FbxNumbers *out, Value value, Arena *arena, Diag *diag)
{
    const uint8_t *head = value.bytes.data, *data = head + 12;
    const size_t count = reader_bits(head, 4), encoding = reader_bits(head + 4, 4),
                 size = value.bytes.size - 12, each = number_size(value.type);
    assert(each > 0); /* the caller passes no other types */
    const size_t most = (encoding ? size * MAX_RATIO + 64 : size) / each;
    if (count > FBX_MAX_ITEMS || count > most)
        return diag_error(diag, "an array of %zu numbers is too large (at most %zu)", count,
                          most < FBX_MAX_ITEMS ? most : (size_t)FBX_MAX_ITEMS);
    if (encoding > 1)
        return diag_error(diag, "encoding %zu of an array is unknown (0..1)", encoding);
    Arena *own = arena_create();
    bool good = true;
    if (encoding && count) {
        uint8_t *unpacked = arena_array(own, uint8_t, count * each);
        uLongf length = count * each;
        good = uncompress(unpacked, &length, data, size) == Z_OK && length == count * each;
        data = unpacked;
    }
    *out = (FbxNumbers){arena_array(arena, double, count), count};
    int64_t integer;
    for (size_t i = 0; good && i < count; i++)
        read_number(&out->items[i], &integer, (Value){value.type, {data + i * each, each}});
    arena_destroy(own);
    return good || diag_error(diag, "an array does not unpack to its %zu bytes", count * each);
}

static bool text_array(FbxNumbers *out, Bytes rest, Arena *arena, Diag *diag)
{
    ARENA_LIST(double) list = {0};
    int64_t integer;
    Value value;
    for (double number; next_text(&value, &rest); *arena_push(arena, &list) = number) {
        if (!read_number(&number, &integer, value))
            return diag_error(diag, "'%.*s' is no number of an array",
                              value.bytes.size < MAX_WORD ? (int)value.bytes.size : MAX_WORD,
                              (const char *)value.bytes.data);
        if (list.count == FBX_MAX_ITEMS)
            return diag_error(diag, "an array has more than %d numbers", FBX_MAX_ITEMS);
    }
    *out = (FbxNumbers){list.items, list.count};
    return true;
}

bool fbx_numbers(FbxNumbers *out, const FbxNode *node, const char *child, Arena *arena, Diag *diag)
{
    const FbxNode *array = fbx_child(node, child);
    const Value value = value_at(array, 0);
    const FbxNode *text = array && array->is_text ? fbx_child(array, "a") : NULL;
    *out = (FbxNumbers){0};
    if (text ? !text_array(out, text->values, arena, diag)
             : value.type && strchr("fdlibc", value.type) && !binary_array(out, value, arena, diag))
        return false;
    for (size_t i = 0; i < out->count; i++)
        if (!isfinite(out->items[i]))
            return diag_error(diag, "number %zu of %s is not finite", i, child);
    return true;
}
