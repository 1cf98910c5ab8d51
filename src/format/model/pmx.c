#include "format/model/pmx.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "format/model/pmx_file.h"
#include "format/model/pmx_repair.h"

/*
 * Memory: counts are checked against the bytes left, so the arena stays below 32 times the file
 * size plus 256 KiB.  The largest ratios are those of short names (5 bytes in the file, one arena
 * unit of 64 in memory) and of IK links (2 bytes in the file, 32 in memory).
 */

void pmx_file_fail(PmxFile *f, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (!f->r.failed)
        vsnprintf(f->problem, sizeof f->problem, format, args);
    va_end(args);
    f->r.failed = true;
}

int32_t pmx_read_index(PmxFile *f, uint8_t size)
{
    const int32_t index = size == 1   ? read_i8(&f->r)
                          : size == 2 ? read_i16(&f->r)
                                      : read_i32(&f->r);
    return f->r.failed ? PMX_NONE : index;
}

uint32_t pmx_read_vertex(PmxFile *f)
{
    return f->vertex_size == 1   ? read_u8(&f->r)
           : f->vertex_size == 2 ? read_u16(&f->r)
                                 : read_u32(&f->r);
}

/* i32 size in bytes, then the text, without a terminator */
const char *pmx_read_text(PmxFile *f, const char *what)
{
    const int32_t size = read_i32(&f->r);
    if (f->r.failed || size == 0)
        return "";
    if (size < 0 || (size_t)size > reader_left(&f->r)) {
        pmx_file_fail(f, "%s of %" PRId32 " bytes exceeds the %zu bytes left", what, size,
                      reader_left(&f->r));
        return "";
    }
    const uint8_t *bytes = read_bytes(&f->r, (size_t)size);
    if (!f->utf8)
        return text_from_utf16le(bytes, (size_t)size, f->arena);
    const bool marked = size >= 3 && !memcmp(bytes, "\xEF\xBB\xBF", 3);
    const size_t skip = marked ? 3 : 0;
    return text_from_utf8(bytes + skip, (size_t)size - skip, f->arena);
}

uint32_t pmx_read_count(PmxFile *f, size_t min_size, const char *what)
{
    const int32_t count = read_i32(&f->r);
    if (f->r.failed)
        return 0;
    const size_t available = reader_left(&f->r) / min_size;
    if (count >= 0 && (size_t)count <= available)
        return (uint32_t)count;
    pmx_file_fail(f, "number of %s %" PRId32 " out of range (0..%zu)", what, count, available);
    return 0;
}

/* ---- sections ---- */

/* Damage up to the last bone is an error; after the bones it is a warning
 * (format/model/README.md 6.1). */
typedef enum Requirement { REQUIRED, OPTIONAL } Requirement;

static bool report_truncation(const PmxFile *f, Requirement requirement, const char *items,
                              const char *problem)
{
    if (requirement == REQUIRED)
        return diag_error(f->diag, "%s", problem);
    diag_warn(f->diag, WARN_TRUNCATED,
              "%s; the complete %s are kept, the rest of the file is ignored", problem, items);
    return false;
}

static bool report_bad_record(const PmxFile *f, Requirement requirement, const PmxSection *s,
                              uint32_t index, uint32_t count, size_t start)
{
    char problem[256];
    if (f->problem[0])
        snprintf(problem, sizeof problem, "%s", f->problem);
    else
        snprintf(problem, sizeof problem,
                 "file ends inside this record, after %zu bytes of it (%" PRIu32 " %s expected)",
                 f->r.size - start, count, s->items);
    diag_item(f->diag, s->item, index);
    report_truncation(f, requirement, s->items, problem);
    diag_item(f->diag, NULL, 0);
    return false;
}

/*
 * The number of records announced, and how many of them can be tried.  A truncated file announces
 * more records than follow and is read up to its end; a count that exceeds the whole file is
 * damaged data, and nothing is read from there on.
 */
static bool read_section_count(PmxFile *f, const PmxSection *s, Requirement requirement,
                               uint32_t *announced, uint32_t *readable)
{
    char problem[256];
    const int32_t count = read_i32(&f->r);
    const size_t available = reader_left(&f->r) / s->min_size;
    const bool plausible = !f->r.failed && count >= 0 && (size_t)count <= f->r.size / s->min_size;
    *announced = plausible ? (uint32_t)count : 0;
    *readable = *announced > available ? (uint32_t)available : *announced;
    if (plausible)
        return true;
    if (f->r.failed)
        snprintf(problem, sizeof problem, "file ends before the number of %s", s->items);
    else
        snprintf(problem, sizeof problem, "number of %s %" PRId32 " out of range (0..%zu)",
                 s->items, count, available);
    return report_truncation(f, requirement, s->items, problem);
}

/*
 * Reads a section into an array in the arena; *records is a pointer to the struct of a record.
 * Returns false if nothing after the section can be read.
 */
static bool read_section(void *records, uint32_t *count, PmxFile *f, PmxSection s,
                         Requirement requirement)
{
    uint32_t announced, readable;
    if (!read_section_count(f, &s, requirement, &announced, &readable))
        return false;
    unsigned char *at = arena_calloc(f->arena, readable, s.size);
    memcpy(records, &at, sizeof at);
    for (uint32_t i = 0; i < announced; i++, at += s.size) {
        const size_t start = f->r.at;
        if (i < readable)
            s.read(f, at, i);
        if (i == readable || f->r.failed)
            return report_bad_record(f, requirement, &s, i, announced, start);
        ++*count;
    }
    return true;
}

/* Extra UVs are stored inside the vertices; allocates their arrays for the count that follows. */
static void allocate_extra_uv(PmxFile *f)
{
    Reader peek = f->r;
    const uint32_t count = read_u32(&peek);
    const size_t available = reader_left(&peek) / pmx_section_vertices(f).min_size;
    for (uint32_t k = 0; k < f->model->extra_uv_count; k++)
        f->model->extra_uv[k] = arena_calloc(f->arena, count < available ? count : available,
                                             sizeof *f->model->extra_uv[k]);
}

static bool read_required_sections(PmxFile *f)
{
    PmxModel *m = f->model;
    allocate_extra_uv(f);
    return read_section(&m->vertices, &m->vertex_count, f, pmx_section_vertices(f), REQUIRED) &&
           read_section(&m->indices, &m->index_count, f, pmx_section_indices(f), REQUIRED) &&
           read_section(&m->textures, &m->texture_count, f, pmx_section_textures(f), REQUIRED) &&
           read_section(&m->materials, &m->material_count, f, pmx_section_materials(f), REQUIRED) &&
           read_section(&m->bones, &m->bone_count, f, pmx_section_bones(f), REQUIRED);
}

static void read_optional_sections(PmxFile *f)
{
    PmxModel *m = f->model;
    const bool complete =
        read_section(&m->morphs, &m->morph_count, f, pmx_section_morphs(f), OPTIONAL) &&
        read_section(&m->display_frames, &m->display_frame_count, f, pmx_section_display_frames(f),
                     OPTIONAL) &&
        read_section(&m->bodies, &m->body_count, f, pmx_section_bodies(f), OPTIONAL) &&
        read_section(&m->joints, &m->joint_count, f, pmx_section_joints(f), OPTIONAL) &&
        (m->version < 2.05f || !reader_left(&f->r) ||
         read_section(&m->soft_bodies, &m->soft_body_count, f, pmx_section_soft_bodies(f),
                      OPTIONAL));
    if (complete && reader_left(&f->r))
        diag_warn(f->diag, WARN_TRAILING_DATA, "%zu bytes after the last section are ignored",
                  reader_left(&f->r));
}

/* ---- header ---- */

static bool read_index_size(uint8_t *size, uint8_t value, const char *of, Diag *diag)
{
    *size = value;
    return value == 1 || value == 2 || value == 4 ||
           diag_error(diag, "size of a %s index: %u is not 1, 2 or 4", of, (unsigned)value);
}

/* u8[] globals: text encoding, extra UV count, index sizes of vertex, texture, material, bone,
 * morph, body */
static bool read_globals(PmxFile *f)
{
    enum { GLOBALS = 8 };
    const uint8_t count = read_u8(&f->r);
    if (!f->r.failed && count < GLOBALS)
        return diag_error(f->diag, "header: %u globals, expected at least %d", (unsigned)count,
                          GLOBALS);
    const uint8_t *g = read_bytes(&f->r, count);
    if (!g)
        return diag_error(f->diag, "file ends inside its header (%zu bytes)", f->r.size);
    if (g[0] > 1)
        return diag_error(f->diag, "text encoding %u out of range (0..1)", (unsigned)g[0]);
    if (g[1] > PMX_MAX_EXTRA_UV)
        return diag_error(f->diag, "extra UV count %u out of range (0..%d)", (unsigned)g[1],
                          PMX_MAX_EXTRA_UV);
    f->utf8 = g[0] == 1;
    f->model->extra_uv_count = g[1];
    return read_index_size(&f->vertex_size, g[2], "vertex", f->diag) &&
           read_index_size(&f->texture_size, g[3], "texture", f->diag) &&
           read_index_size(&f->material_size, g[4], "material", f->diag) &&
           read_index_size(&f->bone_size, g[5], "bone", f->diag) &&
           read_index_size(&f->morph_size, g[6], "morph", f->diag) &&
           read_index_size(&f->body_size, g[7], "rigid body", f->diag);
}

/* u8[4] "PMX " (or "Pmx "), f32 version, globals, four texts */
static bool read_header(PmxFile *f)
{
    const uint8_t *magic = read_bytes(&f->r, 4);
    if (!magic || (memcmp(magic, "PMX ", 4) != 0 && memcmp(magic, "Pmx ", 4) != 0))
        return diag_error(f->diag, "not a PMX model: it does not start with 'PMX '");
    const float version = read_f32(&f->r);
    if (f->r.failed)
        return diag_error(f->diag, "file ends inside its header (%zu bytes)", f->r.size);
    if (!(fabsf(version - 2.0f) < 1e-3f || fabsf(version - 2.1f) < 1e-3f))
        return diag_error(f->diag, "version %g is not supported (2.0, 2.1)", (double)version);
    f->model->version = version < 2.05f ? 2.0f : 2.1f;
    if (!read_globals(f))
        return false;
    f->model->name = pmx_read_text(f, "model name");
    f->model->name_en = pmx_read_text(f, "English model name");
    f->model->comment = pmx_read_text(f, "comment");
    f->model->comment_en = pmx_read_text(f, "English comment");
    if (f->r.failed)
        return diag_error(f->diag, "%s",
                          f->problem[0] ? f->problem : "file ends inside its header");
    return true;
}

bool pmx_load(PmxModel *model, Bytes bytes, Arena *arena, Diag *diag)
{
    *model = (PmxModel){0};
    PmxFile f = {
        .r = reader_init(bytes.data, bytes.size), .model = model, .arena = arena, .diag = diag};
    diag_item(diag, NULL, 0);
    if (!read_header(&f) || !read_required_sections(&f))
        return false;
    read_optional_sections(&f);
    pmx_repair(model, arena, diag);
    return true;
}
