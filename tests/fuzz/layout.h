// SPDX-License-Identifier: MIT
/*
 * layout.h - the fields of a binary file, found by a grammar
 *
 * A grammar is a text of tokens that describes a format; layout_read walks over a file with it and
 * lists every field with its offset and kind, so that a mutator can change one of them.
 *
 *   uN       unsigned integer of N bytes; `uN=x` also sets variable x
 *   f4 f8    float, double
 *   iX       index into section X, of as many bytes as variable X says
 *   sN       N bytes of text; `s@x`: as many as variable x says
 *   tN       text after its size in bytes, an integer of N bytes
 *   nN{...}  count of N bytes, then as many records; `nNX{...}` are those of section X
 *   *{...}   records up to the end of the file; `*x{...}`: as many as variable x says
 *   ?x=K{..} only if x is K; also ! (is not), & (has a bit of), ^ (has no bit of), < and >
 *   X:K      sets variable X;  >  big-endian from here on
 *   <K       goes to K bytes before the end;  @WORD  goes to the first WORD
 *
 * A primitive token may end in *K or *x: repeated.  Variables are single letters.
 */
#ifndef FUZZ_LAYOUT_H
#define FUZZ_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum FieldKind {
    FIELD_INT,
    FIELD_FLOAT,
    FIELD_INDEX,
    FIELD_COUNT,
    FIELD_TEXT,
    FIELD_RECORD, /* of a list that begins with a FIELD_COUNT */
    FIELD_KINDS
} FieldKind;

typedef struct Field {
    FieldKind kind;
    uint8_t width;  /* bytes of the integer, or of the size before a text (0: fixed size) */
    char section;   /* of an index: what it refers to */
    size_t offset;  /* in the file */
    size_t size;    /* bytes; of a text without its size field */
    size_t owner;   /* of a record: its count, by its index in `fields` */
    uint32_t index; /* of the record that contains the field (or that it is) in its list */
} Field;

enum { LAYOUT_MAX_FIELDS = 8192 };

typedef struct Layout {
    Field fields[LAYOUT_MAX_FIELDS];
    size_t count;
    size_t section_counts[128]; /* by the letter of the section */
    bool big_endian;            /* at the end of the file */
} Layout;

/* Fields past the end of the file, or after LAYOUT_MAX_FIELDS, are not listed. */
void layout_read(Layout *layout, const char *grammar, const uint8_t *data, size_t size);

#endif
