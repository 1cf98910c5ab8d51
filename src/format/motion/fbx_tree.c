// SPDX-License-Identifier: MIT
#include "format/motion/fbx_tree.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <zlib.h>

#include "base/parser_entry.h"
#include "base/text.h"

enum { MIN_VERSION = 7000, MAX_VERSION = 7999, MAX_WORD = 64, MAX_RATIO = 1100 };

bool fbx_is(Bytes text, const char *wanted)
{
    return text.size == strlen(wanted) && !memcmp(text.data, wanted, text.size);
}

/* ---- binary files ---- */

typedef struct Binary {
    const uint8_t *data;
    size_t at;
    unsigned word; /* bytes of a size: 4, from 7.5 on 8 */
    Arena *arena;
    Diag *diag;
} Binary;

static uint64_t integer_at(const uint8_t *data, size_t size)
{
    uint64_t value = 0;
    for (size_t i = 0; i < size; i++)
        value |= (uint64_t)data[i] << (8 * i);
    return value;
}

static unsigned item_size(char type)
{
    static const char types[] = "BCZbcYIFifLDld"; /* of 1, 2, 4 and 8 bytes */
    const char *found = type ? strchr(types, type) : NULL;
    const size_t at = found ? (size_t)(found - types) : 14;
    return at < 5 ? 1 : at < 6 ? 2 : at < 10 ? 4 : at < 14 ? 8 : 0;
}

static FbxValue number_at(const uint8_t *data, char type)
{
    FbxValue value = {.type = 'n'};
    const unsigned size = item_size(type);
    assert(size > 0); /* the reader refuses unknown types */
    const uint64_t bits = integer_at(data, size), sign = (uint64_t)1 << (8 * size - 1);
    const uint32_t low = (uint32_t)bits;
    float single;
    if ((type | 0x20) == 'd') {
        memcpy(&value.number, &bits, sizeof bits);
    } else if ((type | 0x20) == 'f') {
        memcpy(&single, &low, sizeof single);
        value.number = (double)single;
    } else {
        value.integer = (int64_t)((bits ^ sign) - sign);
        value.number = (double)value.integer;
    }
    return value;
}

/*
 * A value is a type and its bytes.  Y B C Z I L F D: one number; S R: u32 size, bytes; arrays f d l
 * i b c: u32 number of items, u32 1 if compressed by zlib, u32 size in the file, bytes.
 */
static bool read_value(FbxValue *value, Binary *b, size_t end)
{
    const char type = (char)b->data[b->at++];
    const uint8_t *data = b->data + b->at;
    const bool is_array = type && strchr("fdlibc", type), is_text = type == 'S' || type == 'R';
    const size_t left = end - b->at, head = is_array ? 12 : is_text ? 4 : item_size(type);
    if (!head)
        return diag_error(b->diag, "at byte %zu: a value of unknown type 0x%02x", b->at - 1,
                          (unsigned)(uint8_t)type);
    const size_t size = left < head || !(is_array || is_text) ? 0 : integer_at(data + head - 4, 4);
    if (left < head || size > left - head)
        return diag_error(b->diag, "at byte %zu: a value of %zu bytes exceeds its record (%zu)",
                          b->at, head + size, left);
    if (is_array)
        *value = (FbxValue){.type = 'a', .item = type, .bytes = {data, head + size}};
    else if (is_text)
        *value = (FbxValue){.type = 's', .bytes = {data + head, size}};
    else
        *value = number_at(data, type);
    b->at += head + size;
    return true;
}

/*
 * A record: its end in the file, number of values and bytes of values (u32 each, u64 from 7.5 on),
 * u8 size of the name, name, values, then its children if bytes are left.  A record of zeros ends
 * a list.
 */
static bool read_records(FbxNode *parent, Binary *b, size_t limit, unsigned depth)
{
    const size_t head = 3 * (size_t)b->word + 1;
    for (FbxNode **last = &parent->first; b->at < limit; last = &(*last)->next) {
        const size_t start = b->at;
        const uint8_t *data = b->data + start;
        if (limit - start < head)
            return diag_error(b->diag, "at byte %zu: the file ends in a record", start);
        const uint64_t end = integer_at(data, b->word), count = integer_at(data + b->word, b->word),
                       size = integer_at(data + 2 * (size_t)b->word, b->word);
        const size_t name = data[head - 1], body = start + head;
        if (!end)
            return true;
        if (end < body || end > limit || name > end - body || size > end - body - name ||
            count > size)
            return diag_error(b->diag,
                              "at byte %zu: a record with end %" PRIu64 " and %" PRIu64
                              " values of %" PRIu64 " bytes is damaged (its end is at most %zu)",
                              start, end, count, size, limit);
        if (depth == FBX_MAX_DEPTH)
            return diag_error(b->diag, "records are nested more than %d deep", FBX_MAX_DEPTH);
        FbxNode *node = *last = arena_array(b->arena, FbxNode, 1);
        const size_t children = body + name + (size_t)size;
        *node = (FbxNode){.name = {data + head, name},
                          .values = arena_array(b->arena, FbxValue, count)};
        for (b->at = body + name; node->value_count < count; node->value_count++) {
            if (b->at >= children)
                return diag_error(b->diag, "at byte %zu: a record has fewer values than it says",
                                  start);
            if (!read_value(&node->values[node->value_count], b, children))
                return false;
        }
        b->at = children;
        if (!read_records(node, b, (size_t)end, depth + 1))
            return false;
        b->at = (size_t)end;
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
    tree->version = (uint32_t)integer_at(bytes.data + 23, 4);
    Binary b = {bytes.data, HEAD, tree->version >= 7500 ? 8 : 4, arena, diag};
    return tree->version < MIN_VERSION || tree->version > MAX_VERSION ||
           read_records(&tree->root, &b, bytes.size, 0);
}

/* ---- text files ---- */

typedef struct Text {
    const char *start, *at, *end;
    Arena *arena;
    Diag *diag;
} Text;

static bool fail_text(const Text *t, const char *expected)
{
    unsigned line = 1, column = 1;
    for (const char *c = t->start; c < t->at; c++) {
        line += *c == '\n';
        column = *c == '\n' ? 1 : column + 1;
    }
    diag_line(t->diag, line, column);
    diag_error(t->diag, "expected %s", expected);
    diag_line(t->diag, 0, 0);
    return false;
}

/* The next character after blanks and comments; NUL at the end. */
static char peek(Text *t)
{
    for (bool comment = false; t->at < t->end; t->at++) {
        comment = *t->at == ';' || (comment && *t->at != '\n');
        if (!comment && (unsigned char)*t->at > ' ')
            return *t->at;
    }
    return '\0';
}

static bool skip(Text *t, char wanted)
{
    const bool found = peek(t) == wanted;
    t->at += found;
    return found;
}

static Bytes next_word(Text *t)
{
    const char *start = t->at;
    while (t->at < t->end && (unsigned char)*t->at > ' ' && !strchr(",:{}\";*", *t->at))
        t->at++;
    return (Bytes){(const uint8_t *)start, (size_t)(t->at - start)};
}

/* Up to a character, which is skipped. */
static bool read_until(FbxValue *value, Text *t, char end)
{
    const char *start = t->at, *found = memchr(start, end, (size_t)(t->end - start));
    t->at = found ? found + 1 : t->end;
    value->bytes = (Bytes){(const uint8_t *)start, (size_t)(t->at - start) - (found != NULL)};
    return found;
}

static FbxValue word_value(Bytes word)
{
    FbxValue value = {.type = 's', .bytes = word};
    char text[MAX_WORD] = "";
    if (word.size < sizeof text)
        memcpy(text, word.data, word.size);
    if (text_to_double(&value.number, text))
        value.type = 'n';
    if (!text_to_int64(&value.integer, text)) /* ids need more than the 53 bits of a double */
        value.integer = 0;
    return value;
}

/* A text, a number, a word, or an array, "*3 { a: 1,2,3 }", which is parsed when it is used. */
static bool read_text_value(FbxValue *value, Text *t)
{
    *value = (FbxValue){.type = 's'};
    if (skip(t, '"'))
        return read_until(value, t, '"') || fail_text(t, "\" at the end of a text");
    if (skip(t, '*')) {
        *value = (FbxValue){.type = 'a', .item = 't'};
        next_word(t);
        if (skip(t, '{') && fbx_is((peek(t), next_word(t)), "a") && skip(t, ':') &&
            read_until(value, t, '}'))
            return true;
        return fail_text(t, "{ a: and numbers, }");
    }
    *value = word_value(next_word(t));
    return value->bytes.size || fail_text(t, "a value");
}

/* A word with a colon begins the next record. */
static bool read_text_values(FbxNode *node, Text *t)
{
    ARENA_LIST(FbxValue) values = {0};
    FbxValue value;
    for (bool more = true;;) {
        if (skip(t, ',')) {
            more = true;
            continue;
        }
        const char *before = t->at;
        if (!more || t->at == t->end || *t->at == '{' || *t->at == '}')
            break;
        if (!read_text_value(&value, t))
            return false;
        if (value.type != 'a' && *before != '"' && t->at < t->end && *t->at == ':') {
            t->at = before;
            break;
        }
        more = false;
        *arena_push(t->arena, &values) = value;
    }
    node->values = values.items;
    node->value_count = (uint32_t)values.count;
    return true;
}

/* "Name: value, value { records }" */
static bool read_text_records(FbxNode *parent, Text *t, unsigned depth)
{
    if (depth > FBX_MAX_DEPTH)
        return diag_error(t->diag, "records are nested more than %d deep", FBX_MAX_DEPTH);
    for (FbxNode **last = &parent->first; peek(t) && *t->at != '}'; last = &(*last)->next) {
        FbxNode *node = *last = arena_array(t->arena, FbxNode, 1);
        node->name = next_word(t);
        if (!node->name.size || t->at == t->end || *t->at != ':')
            return fail_text(t, "the name of a record, with a colon");
        t->at++;
        if (!read_text_values(node, t) ||
            (skip(t, '{') && !(read_text_records(node, t, depth + 1) &&
                               (skip(t, '}') || fail_text(t, "} at the end of a record")))))
            return false;
    }
    return true;
}

static bool read_text(FbxTree *tree, Bytes bytes, Arena *arena, Diag *diag)
{
    const char *start = (const char *)bytes.data;
    const bool has_mark = bytes.size >= 3 && !memcmp(start, "\xEF\xBB\xBF", 3);
    Text t = {start, start + 3 * has_mark, start + bytes.size, arena, diag};
    if (!read_text_records(&tree->root, &t, 0))
        return false;
    if (peek(&t))
        return fail_text(&t, "the name of a record, not '}'");
    const FbxNode *version = fbx_child(fbx_child(&tree->root, "FBXHeaderExtension"), "FBXVersion");
    tree->version = (uint32_t)fmin(fmax(fbx_number(version, 0), 0), 1e6);
    return true;
}

bool fbx_tree_read(FbxTree *tree, Bytes bytes, Arena *arena, Diag *diag)
{
    static const char magic[] = "Kaydara FBX Binary";
    parser_enter("fbx");
    *tree = (FbxTree){.is_text =
                          bytes.size < sizeof magic || memcmp(bytes.data, magic, sizeof magic - 1)};
    if (!(tree->is_text ? read_text : read_binary)(tree, bytes, arena, diag))
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

static FbxValue value_at(const FbxNode *node, uint32_t index, char type)
{
    return node && index < node->value_count && node->values[index].type == type
               ? node->values[index]
               : (FbxValue){0};
}

double fbx_number(const FbxNode *node, uint32_t index)
{
    const double number = value_at(node, index, 'n').number;
    return isfinite(number) ? number : 0;
}

int64_t fbx_integer(const FbxNode *node, uint32_t index)
{
    return value_at(node, index, 'n').integer;
}

Bytes fbx_text(const FbxNode *node, uint32_t index)
{
    return value_at(node, index, 's').bytes;
}

/* ---- arrays ---- */

static bool binary_array(FbxNumbers *out, const FbxValue *value, Arena *arena, Diag *diag)
{
    const uint8_t *head = value->bytes.data, *data = head + 12;
    const size_t count = integer_at(head, 4), encoding = integer_at(head + 4, 4),
                 size = value->bytes.size - 12, each = item_size(value->item);
    assert(each > 0); /* as above */
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
    for (size_t i = 0; good && i < count; i++)
        out->items[i] = number_at(data + i * each, value->item).number;
    arena_destroy(own);
    return good || diag_error(diag, "an array does not unpack to its %zu bytes", count * each);
}

static bool text_array(FbxNumbers *out, const FbxValue *array, Arena *arena, Diag *diag)
{
    ARENA_LIST(double) list = {0};
    const char *start = (const char *)array->bytes.data;
    Text t = {start, start, start + array->bytes.size, arena, diag};
    for (; peek(&t); skip(&t, ',')) {
        const FbxValue value = word_value(next_word(&t));
        if (value.type != 'n')
            return diag_error(diag, "'%.*s' is no number of an array",
                              value.bytes.size < MAX_WORD ? (int)value.bytes.size : MAX_WORD,
                              value.bytes.data);
        if (list.count == FBX_MAX_ITEMS)
            return diag_error(diag, "an array has more than %d numbers", FBX_MAX_ITEMS);
        *arena_push(arena, &list) = value.number;
    }
    *out = (FbxNumbers){list.items, list.count};
    return true;
}

bool fbx_numbers(FbxNumbers *out, const FbxNode *node, const char *child, Arena *arena, Diag *diag)
{
    const FbxValue value = value_at(fbx_child(node, child), 0, 'a');
    *out = (FbxNumbers){0};
    if (value.type && !(value.item == 't' ? text_array : binary_array)(out, &value, arena, diag))
        return false;
    for (size_t i = 0; i < out->count; i++)
        if (!isfinite(out->items[i]))
            return diag_error(diag, "number %zu of %s is not finite", i, child);
    return true;
}
