// SPDX-License-Identifier: MIT
#include "format/motion/npz.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/parser_entry.h"
#include "base/reader.h"

/* Elements of a .npy file, by its header. */
typedef struct Elements {
    char order, kind; /* '<' or '>' or '|'; 'f', 'i', 'u' or 'b' */
    uint32_t size;    /* bytes of each */
    bool is_fortran;  /* the first index changes fastest */
} Elements;

static const char *file_of(const char *name, Arena *arena)
{
    return arena_printf(arena, "%s.npy", name);
}

bool npz_load(Archive *out, Bytes bytes, Arena *arena, Diag *diag)
{
    return archive_load_bytes(out, bytes.data, bytes.size, arena, diag);
}

const char *npz_find(const Archive *npz, const char *const *names)
{
    Arena *scratch = arena_create();
    while (*names && !archive_find(npz, file_of(*names, scratch)))
        names++;
    arena_destroy(scratch);
    return *names;
}

/* ---- the header: the text of a dictionary of Python ---- */

/* What follows a key, without blanks; or NULL. */
static const char *value_of(const char *header, const char *key)
{
    const char *at = strstr(header, key);
    at = at ? strchr(at + strlen(key), ':') : NULL;
    return at ? at + 1 + strspn(at + 1, " ") : NULL;
}

static bool read_type(Elements *out, const NpzArray *array, const char *value, Diag *diag)
{
    const char *end = value && *value == '\'' ? strchr(value + 1, '\'') : NULL;
    const int length = end ? (int)(end - value - 1) : 0;
    if (length >= 2 && value[2] == 'O')
        return diag_error(diag,
                          "array '%s' holds Python objects, a pickle, which can run code of its "
                          "author when it is read; save it as numbers: numpy.savez(FILE, %s=...)",
                          array->name, array->name);
    const bool is_number = length == 3 && strchr("<>|=", value[1]) && strchr("fiub", value[2]);
    *out = (Elements){.order = is_number ? value[1] : 0,
                      .kind = is_number ? value[2] : 0,
                      .size = is_number ? (uint32_t)(value[3] - '0') : 0};
    const bool known = out->kind == 'f' ? out->size == 4 || out->size == 8
                       : out->kind == 'b'
                           ? out->size == 1
                           : out->size == 1 || out->size == 2 || out->size == 4 || out->size == 8;
    return (is_number && known) ||
           diag_error(diag, "array '%s' is of the type %.*s, not of numbers (f4, f8, i1 to i8)",
                      array->name, end ? length + 2 : 0, end ? value : "");
}

static bool read_shape(NpzArray *array, const char *value, Diag *diag)
{
    const char *at = value && *value == '(' ? value + 1 : "";
    array->count = 1;
    while (*at >= '0' && *at <= '9') {
        char *end;
        const unsigned long long size = strtoull(at, &end, 10);
        if (array->dims == NPZ_MAX_DIMS || size > UINT32_MAX ||
            (size && array->count > SIZE_MAX / size))
            return diag_error(diag, "array '%s': its shape has too many numbers (at most %d)",
                              array->name, NPZ_MAX_DIMS);
        array->shape[array->dims++] = (uint32_t)size;
        array->count *= (size_t)size;
        at = end + strspn(end, "L, ");
    }
    return *at == ')' || diag_error(diag, "array '%s': its header has no shape", array->name);
}

/* "\x93NUMPY", u8 major, u8 minor version, u16 (1.0) or u32 size, header, elements. */
static bool read_header(Elements *out, NpzArray *array, Reader *r, Diag *diag)
{
    Arena *scratch = arena_create();
    const uint8_t *magic = read_bytes(r, 6);
    const bool is_npy = magic && !memcmp(magic, "\x93NUMPY", 6);
    const uint8_t major = read_u8(r);
    read_u8(r);
    const uint32_t size = major == 1 ? read_u16(r) : read_u32(r);
    const uint8_t *text = read_bytes(r, size);
    bool good = is_npy && !r->failed && major >= 1 && major <= 3;
    if (!good)
        diag_error(diag, "array '%s' is not an .npy file of version 1 to 3, or it is cut off",
                   array->name);
    const char *header = good ? arena_strndup(scratch, (const char *)text, size) : "";
    good = good && read_type(out, array, value_of(header, "'descr'"), diag) &&
           read_shape(array, value_of(header, "'shape'"), diag);
    const char *order = value_of(header, "'fortran_order'");
    out->is_fortran = order && *order == 'T';
    arena_destroy(scratch);
    return good;
}

/* ---- the elements ---- */

static double read_element(const uint8_t *bytes, const Elements *e)
{
    uint8_t own[8]; /* in the order of Reader */
    for (uint32_t i = 0; i < e->size; i++)
        own[i] = bytes[e->order == '>' ? e->size - 1 - i : i];
    return e->kind == 'f'   ? reader_real(own, e->size)
           : e->kind == 'i' ? (double)reader_integer(own, e->size)
                            : (double)reader_bits(own, e->size);
}

/* Where an element in the order of the file belongs in C order. */
static size_t place_of(const NpzArray *array, size_t index)
{
    size_t place = 0, stride = array->count;
    for (uint32_t i = 0; i < array->dims; i++) {
        const size_t side = array->shape[i];
        assert(side > 0); /* an array without elements has no place */
        stride /= side;
        place += index % side * stride;
        index /= side;
    }
    return place;
}

static bool read_elements(NpzArray *array, const Elements *e, Reader *r, Arena *arena, Diag *diag)
{
    assert(e->size > 0); /* read_type accepts no other */
    if (array->count > reader_left(r) / e->size)
        return diag_error(
            diag, "array '%s': %zu numbers of %" PRIu32 " bytes exceed its file (%zu bytes)",
            array->name, array->count, e->size, reader_left(r));
    float *items = arena_array(arena, float, array->count);
    for (size_t i = 0; i < array->count; i++) {
        const double value = read_element(read_bytes(r, e->size), e);
        if (!(fabs(value) <= NPZ_MAX_VALUE))
            return diag_error(diag, "array '%s': number %zu is %g (at most %d)", array->name, i,
                              value, NPZ_MAX_VALUE);
        items[e->is_fortran ? place_of(array, i) : i] = (float)value;
    }
    array->items = items;
    return true;
}

bool npz_array(NpzArray *out, const Archive *npz, const char *name, Arena *arena, Diag *diag)
{
    parser_enter("npz");
    const ArchiveFile *file = archive_find(npz, file_of(name, arena));
    Elements elements = {0};
    *out = (NpzArray){.name = name};
    if (!file || file->problem)
        return diag_error(diag, "array '%s': %s", name, file ? file->problem : "not in the file");
    Reader r = reader_init(file->data, file->size);
    return read_header(&elements, out, &r, diag) && read_elements(out, &elements, &r, arena, diag);
}
