// SPDX-License-Identifier: MIT
#include "mutate.h"

#include <stdlib.h>
#include <string.h>

#include "layout.h"

static const uint32_t FLOAT_BITS[] = {
    0x7FC00000, 0xFFC00000, 0x7F800001, /* NaN: quiet, negative, signalling */
    0x7F800000, 0xFF800000,             /* infinity */
    0x7F7FFFFF, 0xFF7FFFFF, 0x7F7FC99E, /* 3.4e38, -3.4e38, 3.4e38 exactly */
    0x6A045951, 0xEA045951, 0x501502F9, /* 1e25, -1e25, 1e10 */
    0x4F000000, 0xCF000000, 0x4F800000, /* 2^31, -2^31, 2^32 */
    0x5F000000, 0x5F800000, 0x4B800000, /* 2^63, 2^64, 2^24 */
    0x49742400, 0xC9742400, 0x49742408, /* 1e6, -1e6, 1000000.5 */
    0x00000001, 0x80000001, 0x007FFFFF, /* denormal */
    0x00800000, 0x1E3CE508, 0x80000000, /* smallest normal, 1e-20, -0 */
    0x00000000, 0x3F800000, 0xBF800000, /* 0, 1, -1 */
    0x40490FDB, 0xC0490FDB, 0x3F000000, /* pi, -pi, 0.5 */
    0x38D1B717, 0x3F7FFFFF, 0x3F800001, /* 1e-4, 1 - eps, 1 + eps */
    0x447A0000, 0xC2C80000, 0x42B40000, /* 1000, -100, 90 */
};

static const uint64_t INTEGERS[] = {0,          1,
                                    2,          3,
                                    4,          16,
                                    31,         32,
                                    63,         64,
                                    100,        127,
                                    128,        255,
                                    256,        1000,
                                    32767,      32768,
                                    65535,      65536,
                                    1000000,    0x3FFFFFFF,
                                    0x7FFFFFFF, 0x80000000,
                                    0xFFFFFFFF, UINT64_C(0x100000000),
                                    INT64_MAX,  (uint64_t)INT64_MIN,
                                    UINT64_MAX};

#define COUNT(array) (sizeof(array) / sizeof *(array))

typedef struct Editor {
    Buffer *buffer;
    Layout layout;
    Random *random;
} Editor;

/* ---- integers ---- */

static uint64_t load(const Editor *e, size_t at, size_t width)
{
    uint64_t value = 0;
    for (size_t i = 0; i < width; i++)
        value |= (uint64_t)e->buffer->data[at + i]
                 << 8 * (e->layout.big_endian ? width - 1 - i : i);
    return value;
}

static void store(Editor *e, size_t at, size_t width, uint64_t value)
{
    for (size_t i = 0; i < width; i++)
        e->buffer->data[at + i] =
            (uint8_t)(value >> 8 * (e->layout.big_endian ? width - 1 - i : i));
}

/* Any field of a kind; NULL if there is none. */
static const Field *pick(const Editor *e, FieldKind kind)
{
    const size_t start = random_below(e->random, e->layout.count);
    for (size_t i = 0; i < e->layout.count; i++) {
        const Field *f = &e->layout.fields[(start + i) % e->layout.count];
        if (f->kind == kind)
            return f;
    }
    return NULL;
}

static void change_int(Editor *e, const Field *f)
{
    const uint64_t value = load(e, f->offset, f->size);
    switch (random_below(e->random, 4)) {
    case 0:
        store(e, f->offset, f->size, value + 1);
        break;
    case 1:
        store(e, f->offset, f->size, value - 1);
        break;
    case 2:
        store(e, f->offset, f->size, value ^ UINT64_C(1) << random_below(e->random, 8 * f->size));
        break;
    default:
        store(e, f->offset, f->size, INTEGERS[random_below(e->random, COUNT(INTEGERS))]);
    }
}

/* Loops arise from the record's own index, and from any other valid one. */
static void change_index(Editor *e, const Field *f)
{
    const size_t count = e->layout.section_counts[(unsigned char)f->section & 127];
    const uint64_t values[] = {f->index,
                               f->index + 1,
                               count,
                               count - 1,
                               0,
                               UINT64_MAX,
                               random_below(e->random, count + 1),
                               random_below(e->random, count + 1),
                               INTEGERS[random_below(e->random, COUNT(INTEGERS))]};
    store(e, f->offset, f->size, values[random_below(e->random, COUNT(values))]);
}

/* ---- floats: one, or several in a row ---- */

static void store_float(Editor *e, const Field *f, uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    const double wide = (double)value;
    uint64_t wide_bits;
    memcpy(&wide_bits, &wide, sizeof wide_bits);
    store(e, f->offset, f->size, f->size == 8 ? wide_bits : bits);
}

static void change_floats(Editor *e, const Field *f)
{
    static const size_t runs[] = {1, 1, 1, 2, 3, 3, 4, 12};
    const Field *end = e->layout.fields + e->layout.count;
    const uint32_t bits = random_below(e->random, 8)
                              ? FLOAT_BITS[random_below(e->random, COUNT(FLOAT_BITS))]
                              : (uint32_t)random_next(e->random);
    for (size_t n = runs[random_below(e->random, COUNT(runs))]; n > 0 && f < end; f++)
        if (f->kind == FIELD_FLOAT) {
            store_float(e, f, bits);
            n--;
        }
}

/* ---- records: removed, repeated, exchanged ---- */

static void remove_record(Editor *e, const Field *record, const Field *count)
{
    const uint64_t value = load(e, count->offset, count->size);
    if (buffer_replace(e->buffer, record->offset, record->size, NULL, 0))
        store(e, count->offset, count->size, value - 1);
}

static void repeat_record(Editor *e, const Field *record, const Field *count)
{
    static const size_t repeats[] = {1, 1, 1, 2, 4, 16, 64, 256};
    const size_t times = repeats[random_below(e->random, COUNT(repeats))];
    uint8_t *copy = malloc(times * record->size + 1);
    if (!copy)
        return;
    for (size_t i = 0; i < times; i++)
        memcpy(copy + i * record->size, e->buffer->data + record->offset, record->size);
    const uint64_t value = load(e, count->offset, count->size);
    if (buffer_replace(e->buffer, record->offset, 0, copy, times * record->size))
        store(e, count->offset, count->size, value + times);
    free(copy);
}

/* Overwrites another record of the same size. */
static void copy_record(Editor *e, const Field *record)
{
    const Field *other = pick(e, FIELD_RECORD);
    if (other->size == record->size)
        memmove(e->buffer->data + other->offset, e->buffer->data + record->offset, record->size);
}

static void change_record(Editor *e, const Field *record)
{
    const Field *count = &e->layout.fields[record->owner];
    switch (random_below(e->random, 4)) {
    case 0:
        remove_record(e, record, count);
        break;
    case 1:
        copy_record(e, record);
        break;
    default:
        repeat_record(e, record, count);
    }
}

/* ---- texts ---- */

static void change_text(Editor *e, const Field *f)
{
    static const char *const texts[] = {"",   "\x1b[31m",  "a\nb", "\xFF\xFE", "\xD8\x00",
                                        "..", "/dev/zero", "*",    "ひざ",     "\xE2\x80\xAE"};
    const char *text = texts[random_below(e->random, COUNT(texts))];
    const size_t size = strlen(text);
    if (!f->width && f->size) { /* of a fixed size */
        const size_t at = random_below(e->random, f->size);
        memcpy(e->buffer->data + f->offset + at, text, size < f->size - at ? size : f->size - at);
    } else if (f->width && random_below(e->random, 4) == 0) {
        store(e, f->offset - f->width, f->width,
              INTEGERS[random_below(e->random, COUNT(INTEGERS))]);
    } else if (f->width && buffer_replace(e->buffer, f->offset, f->size, text, size)) {
        store(e, f->offset - f->width, f->width, size);
    }
}

/* Gives the field the value of another one: equal names, and indices that form loops. */
static void copy_value(Editor *e, const Field *f)
{
    const Field *other = pick(e, f->kind);
    if (other->size == f->size)
        memmove(e->buffer->data + f->offset, e->buffer->data + other->offset, f->size);
}

static void change_field(Editor *e, const Field *f)
{
    if (f->kind != FIELD_RECORD && random_below(e->random, 6) == 0) {
        copy_value(e, f);
        return;
    }
    switch (f->kind) {
    case FIELD_INDEX:
        change_index(e, f);
        break;
    case FIELD_FLOAT:
        change_floats(e, f);
        break;
    case FIELD_TEXT:
        change_text(e, f);
        break;
    case FIELD_RECORD:
        change_record(e, f);
        break;
    default:
        change_int(e, f);
    }
}

void mutate_layout(Buffer *buffer, const char *grammar, Random *random)
{
    static const FieldKind kinds[] = {FIELD_INT,   FIELD_FLOAT, FIELD_FLOAT, FIELD_INDEX,
                                      FIELD_INDEX, FIELD_COUNT, FIELD_TEXT,  FIELD_RECORD};
    Editor *e = malloc(sizeof *e);
    if (!e)
        return;
    e->buffer = buffer;
    e->random = random;
    layout_read(&e->layout, grammar, buffer->data, buffer->size);
    const Field *field =
        e->layout.count ? pick(e, kinds[random_below(random, COUNT(kinds))]) : NULL;
    if (field)
        change_field(e, field);
    free(e);
}
