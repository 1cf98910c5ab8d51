// SPDX-License-Identifier: MIT
#include "layout.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 16, NO_OWNER = LAYOUT_MAX_FIELDS };

typedef struct Walk {
    Layout *out;
    const uint8_t *data;
    size_t size, at;
    bool ended; /* the file is too short for the grammar */
    uint32_t record;
    uint64_t variables[128];
} Walk;

/* ---- the grammar's text ---- */

static const char *skip_block(const char *g)
{
    for (int depth = 1; depth > 0; g++) {
        assert(*g);
        depth += (*g == '{') - (*g == '}');
    }
    return g;
}

static uint64_t number(const char **g)
{
    char *end;
    const uint64_t value = strtoull(*g, &end, 10);
    *g = end;
    return value;
}

/* A number, or the value of a variable. */
static uint64_t amount(const Walk *w, const char **g)
{
    return isdigit((unsigned char)**g) ? number(g) : w->variables[(unsigned char)*(*g)++ & 127];
}

/* ---- fields ---- */

static void add_field(Walk *w, FieldKind kind, Field field)
{
    field.kind = kind;
    field.index = w->record;
    if (!w->ended && w->out->count < LAYOUT_MAX_FIELDS)
        w->out->fields[w->out->count++] = field;
}

/* The offset of the next `size` bytes, which are skipped. */
static size_t advance(Walk *w, uint64_t size)
{
    const size_t at = w->at;
    if (size > w->size - w->at)
        w->ended = true;
    else
        w->at += (size_t)size;
    return at;
}

static uint64_t read_int(Walk *w, size_t width)
{
    const size_t at = advance(w, width);
    uint64_t value = 0;
    w->ended = w->ended || width > sizeof value;
    for (size_t i = 0; i < width && !w->ended; i++) {
        const size_t place = w->out->big_endian ? width - 1 - i : i;
        value |= (uint64_t)w->data[at + i] << 8 * place;
    }
    return value;
}

static void walk_primitive(Walk *w, char op, size_t width, char section)
{
    const Field field = {.width = (uint8_t)width, .section = section, .offset = w->at};
    Field sized = field;
    sized.size = width;
    w->ended = w->ended || (op != 's' && width > sizeof(uint64_t));
    if (op == 't') {
        sized.size = read_int(w, width);
        sized.offset = advance(w, sized.size);
        add_field(w, FIELD_TEXT, sized);
    } else {
        advance(w, width);
        sized.width = op == 's' ? 0 : field.width;
        add_field(w,
                  op == 'f'   ? FIELD_FLOAT
                  : op == 'i' ? FIELD_INDEX
                  : op == 's' ? FIELD_TEXT
                              : FIELD_INT,
                  sized);
    }
}

/* u, f, i, s or t, with what follows the letter. */
static const char *primitive(Walk *w, char op, const char *g)
{
    const char section = op == 'i' ? *g : '\0';
    g += op == 's' && *g == '@';
    const size_t width = (size_t)amount(w, &g);
    if (op == 'u' && *g == '=') {
        const size_t at = w->at;
        w->variables[(unsigned char)g[1] & 127] = read_int(w, width);
        w->at = w->ended ? w->at : at;
        g += 2;
    }
    uint64_t times = 1;
    if (*g == '*') {
        g++;
        times = amount(w, &g);
    }
    for (uint64_t i = 0; i < times && !w->ended; i++)
        walk_primitive(w, op, width, section);
    return g;
}

/* ---- lists and conditions ---- */

static const char *walk_tokens(Walk *w, const char *g, int depth);

static void walk_records(Walk *w, const char *body, uint64_t count, size_t owner, int depth)
{
    const uint32_t outer = w->record;
    for (uint64_t i = 0; i < count && !w->ended && w->at < w->size; i++) {
        const size_t start = w->at;
        w->record = (uint32_t)i;
        walk_tokens(w, body, depth + 1);
        if (owner != NO_OWNER)
            add_field(w, FIELD_RECORD,
                      (Field){.offset = start, .size = w->at - start, .owner = owner});
        if (w->at == start) /* an empty record would repeat for ever */
            break;
    }
    w->record = outer;
}

static const char *list(Walk *w, const char *g, int depth)
{
    const size_t width = (size_t)number(&g), at = w->at;
    const char section = *g == '{' ? '\0' : *g++;
    const uint64_t count = read_int(w, width);
    const size_t owner = w->out->count < LAYOUT_MAX_FIELDS ? w->out->count : NO_OWNER;
    add_field(w, FIELD_COUNT, (Field){.width = (uint8_t)width, .offset = at, .size = width});
    if (section && !w->ended)
        w->out->section_counts[(unsigned char)section & 127] = (size_t)count;
    walk_records(w, g + 1, count, w->ended ? NO_OWNER : owner, depth);
    return skip_block(g + 1);
}

static const char *repetition(Walk *w, const char *g, int depth)
{
    const uint64_t count = *g == '{' ? UINT64_MAX : amount(w, &g);
    walk_records(w, g + 1, count, NO_OWNER, depth);
    return skip_block(g + 1);
}

static bool holds(uint64_t value, char relation, uint64_t constant)
{
    switch (relation) {
    case '=':
        return value == constant;
    case '!':
        return value != constant;
    case '&':
        return (value & constant) != 0;
    case '^':
        return (value & constant) == 0;
    case '<':
        return value < constant;
    default:
        return value > constant;
    }
}

static const char *condition(Walk *w, const char *g, int depth)
{
    const uint64_t value = w->variables[(unsigned char)g[0] & 127];
    const char relation = g[1];
    g += 2;
    const uint64_t constant = number(&g);
    if (holds(value, relation, constant) && !w->ended)
        walk_tokens(w, g + 1, depth + 1);
    return skip_block(g + 1);
}

static const char *seek_word(Walk *w, const char *g)
{
    const size_t length = strcspn(g, " }");
    const uint8_t *found = memmem(w->data, w->size, g, length);
    w->ended = found == NULL;
    w->at = found ? (size_t)(found - w->data) : w->size;
    return g + length;
}

static const char *seek_end(Walk *w, const char *g)
{
    const size_t back = (size_t)number(&g);
    w->ended = back > w->size;
    w->at = w->ended ? w->size : w->size - back;
    return g;
}

static const char *walk_token(Walk *w, const char *g, int depth)
{
    const char op = *g++;
    if (*g == ':') {
        g++;
        w->variables[(unsigned char)op & 127] = number(&g);
        return g;
    }
    switch (op) {
    case 'n':
        return list(w, g, depth);
    case '*':
        return repetition(w, g, depth);
    case '?':
        return condition(w, g, depth);
    case '@':
        return seek_word(w, g);
    case '<':
        return seek_end(w, g);
    case '>':
        w->out->big_endian = true;
        return g;
    case ' ':
        return g;
    default:
        return primitive(w, op, g);
    }
}

/* Up to the end of the block. */
static const char *walk_tokens(Walk *w, const char *g, int depth)
{
    assert(depth < MAX_DEPTH);
    while (*g && *g != '}')
        g = walk_token(w, g, depth);
    return g;
}

void layout_read(Layout *layout, const char *grammar, const uint8_t *data, size_t size)
{
    Walk w = {.out = layout, .data = data, .size = size};
    layout->count = 0;
    layout->big_endian = false;
    memset(layout->section_counts, 0, sizeof layout->section_counts);
    walk_tokens(&w, grammar, 0);
}
