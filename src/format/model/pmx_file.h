/*
 * pmx_file.h - state of reading a PMX file; shared by pmx.c and the readers of its sections
 *
 * A section is a count and that many records.  A record reader fills one zeroed struct and does not
 * validate it; pmx_repair handles ranges, NaN and references.  If a record cannot be read, the
 * Reader has failed, and `problem` may contain the reason.
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
    char problem[128]; /* "" if the file ends */
} PmxFile;

/* How to read one type of record. */
typedef struct PmxSection {
    const char *item, *items; /* for messages: "bone", "bones" */
    size_t size;              /* of the struct */
    size_t min_size;          /* of a record in the file, bytes */
    void (*read)(PmxFile *f, void *out, uint32_t index);
} PmxSection;

/* ---- values; 0, -1 or "" after a failure ---- */

int32_t pmx_read_index(PmxFile *f, uint8_t size); /* signed */
uint32_t pmx_read_vertex(PmxFile *f);             /* unsigned; with 4 bytes, -1 becomes 2^32 - 1 */
const char *pmx_read_text(PmxFile *f, const char *what);

/* A number of elements of at least `min_size` bytes each; fails if they do not fit the file. */
uint32_t pmx_read_count(PmxFile *f, size_t min_size, const char *what);

/* Fails the current record with a reason. */
void pmx_file_fail(PmxFile *f, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- sections (their smallest record size depends on the index sizes) ---- */

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

/* ---- fields that PMD stores in the same way ---- */

/* u8 group, u16 mask, u8 shape, f32[3] size, position, rotation, f32 mass, linear damping, angular
 * damping, restitution, friction, u8 mode */
void pmx_read_body_fields(PmxBody *body, Reader *r);

/* f32[3] each: position, rotation, linear lower and upper limit, angular lower and upper limit,
 * linear spring, angular spring */
void pmx_read_joint_fields(PmxJoint *joint, Reader *r);

#endif
