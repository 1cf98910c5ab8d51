// SPDX-License-Identifier: MIT
/*
 * pmx_record.h - the records of a PMX file, each described once
 *
 * A function for each type of record names its fields in the order of the file.  What it does with
 * them depends on the mode: it reads or writes them, adds up their bytes, or repairs floats that
 * are not finite or too large.  Records are not validated here; pmx_repair handles references.
 */
#pragma once

#include "base/arena.h"
#include "base/reader.h"
#include "format/model/pmx.h"

/* The kind of thing that an index refers to, in the order of the sizes in the header. */
typedef enum PmxIndexKind {
    PMX_INDEX_VERTEX, /* unsigned, with 4 bytes too; all others are signed, -1 for none */
    PMX_INDEX_TEXTURE,
    PMX_INDEX_MATERIAL,
    PMX_INDEX_BONE,
    PMX_INDEX_MORPH,
    PMX_INDEX_BODY,
    PMX_INDEX_KINDS
} PmxIndexKind;

typedef enum PmxIoMode { PMX_READ, PMX_WRITE, PMX_MEASURE, PMX_REPAIR } PmxIoMode;

typedef struct PmxIo {
    PmxIoMode mode;
    bool utf8; /* texts; else UTF-16LE */
    uint8_t index_size[PMX_INDEX_KINDS];
    PmxModel *model; /* its vertices have their extra UVs here */
    Arena *arena;
    Reader r;                  /* PMX_READ: a failed one ends the record */
    char problem[128];         /* PMX_READ: why it failed; "" if the file ends */
    ARENA_LIST(uint8_t) bytes; /* PMX_WRITE */
    size_t size;               /* PMX_MEASURE: the sum so far, of the smallest possible record */
    unsigned repaired;         /* PMX_REPAIR: number of floats that were replaced */
} PmxIo;

/* A section of the file: its count, and that many records. */
typedef struct PmxSection {
    const char *item, *items; /* for messages: "bone", "bones" */
    size_t size;              /* bytes of the struct of a record */
    size_t records_offset,
        count_offset; /* offsets in PmxModel: pointer to the records, and their number */
    void (*record)(PmxIo *io, void *record, uint32_t index);
} PmxSection;

enum { /* indices of pmx_sections, and numbers of sections */
       PMX_SECTION_MATERIALS = 3,
       PMX_REQUIRED_SECTIONS = 5, /* up to the bones */
       PMX_SECTIONS_2_0 = 9,
       PMX_SECTION_SOFT_BODIES = 9,
       PMX_SECTIONS = 10
};

extern const PmxSection pmx_sections[PMX_SECTIONS];

/* Bytes of the smallest record of a section. */
size_t pmx_section_min_size(const PmxIo *io, const PmxSection *section);

/* Single values and records.  PMX_READ gives 0, -1 or "" after a failure. */
void pmx_io_u8(PmxIo *io, uint8_t *value);
void pmx_io_i32(PmxIo *io, int32_t *value);
void pmx_io_floats(PmxIo *io, float *values, size_t count);
void pmx_io_text(PmxIo *io, const char **text, const char *what);
void pmx_io_bone(PmxIo *io, void *bone, uint32_t index);    /* PMX_REPAIR: without its IK */
void pmx_io_offset(PmxIo *io, PmxMorph *morph, uint32_t i); /* an offset of a morph */

/* The part of a record that PMD stores in the same way: a rigid body without names and bone, a
 * joint without names, type and bodies. */
void pmx_io_body_values(PmxIo *io, PmxBody *body);
void pmx_io_joint_values(PmxIo *io, PmxJoint *joint);

/* Bytes of an offset of a type of morph in memory. */
size_t pmx_offset_struct_size(uint8_t type);

/* PMX_READ: fails the current record with a reason. */
void pmx_io_fail(PmxIo *io, const char *format, ...) __attribute__((format(printf, 2, 3)));
