/*
 * pmx_file.h - the bytes of a PMX file on their way in: what pmx.c and its section readers share
 *
 * A section is a count and that many records.  A record reader fills one zeroed struct and looks at
 * nothing but the bytes; ranges, NaN and references are pmx_repair's business.  When a record
 * cannot be read, the Reader is failed, and `problem` may say why.
 */
#ifndef FORMAT_MODEL_PMX_FILE_H
#define FORMAT_MODEL_PMX_FILE_H

#include "base/reader.h"
#include "format/model/pmx.h"

typedef struct PmxFile {
    Reader r;
    bool utf8; /* else UTF-16LE */
    uint8_t vertex_size, texture_size, material_size, bone_size, morph_size,
        body_size; /* of an index */
    PmxModel *model;
    Arena *arena;
    Diag *diag;
    char problem[128]; /* "" when the file just ends */
} PmxFile;

/* What a kind of record is called, its size in memory, its min_size size in the file, and its
 * reader.
 */
typedef struct PmxSection {
    const char *item, *items; /* "bone", "bones" */
    size_t size, min_size;
    void (*read)(PmxFile *f, void *out, uint32_t index);
} PmxSection;

/* ---- values; after a failure they are 0, -1 or "" ---- */

int32_t pmx_read_index(PmxFile *f, uint8_t size); /* signed */
uint32_t pmx_read_vertex(PmxFile *f);             /* unsigned below 4 bytes; -1 comes as 2^32 - 1 */
const char *pmx_read_text(PmxFile *f, const char *what);

/* A count of parts, each of at min_size `min_size` bytes; more than there is room for is a failure.
 */
uint32_t pmx_read_count(PmxFile *f, size_t min_size, const char *what);

/* Fails the record with a reason. */
void pmx_file_fail(PmxFile *f, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- sections, as descriptions (their min_size size depends on the index sizes) ---- */

PmxSection pmx_section_vertices(const PmxFile *f);
PmxSection pmx_section_indices(const PmxFile *f);
PmxSection pmx_section_textures(const PmxFile *f);
PmxSection pmx_section_materials(const PmxFile *f);
PmxSection pmx_section_bones(const PmxFile *f);
PmxSection pmx_section_morphs(const PmxFile *f);
PmxSection pmx_section_display_frames(const PmxFile *f);
PmxSection pmx_section_bodies(const PmxFile *f);
PmxSection pmx_section_joints(const PmxFile *f);
PmxSection pmx_section_soft_bodies(const PmxFile *f);

#endif
