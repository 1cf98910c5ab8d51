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
 * Memory: counts are checked against the bytes left, so what the arena takes stays below 32 times
 * the file plus 256 KiB.  The dearest bytes are those of short names (5 in the file, one arena unit
 * of 64 in memory) and of IK links (2 in the file, 32 in memory).
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
        pmx_file_fail(f, "%s of %" PRId32 " bytes announced, %zu left", what, size,
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
    pmx_file_fail(f, "%" PRId32 " %s announced, room for %zu", count, what, available);
    return 0;
}

/* ---- sections ---- */

/*
 * Up to the bones a model cannot be drawn without every record: trouble is an error.  Behind them
 * it is a warning: what is complete stays, the rest of the file is left out (reference 6, 1 and 3).
 */
typedef enum Requirement { REQUIRED, OPTIONAL } Requirement;

typedef struct Records {
    void *items;
    uint32_t count;
    bool complete; /* false: nothing after them can be read */
} Records;

static bool report_truncation(const PmxFile *f, Requirement requirement, const char *items,
                              const char *problem)
{
    if (requirement == REQUIRED)
        return diag_error(f->diag, "%s", problem);
    diag_warn(f->diag, "%s; the %s that are whole are kept, what follows is left out", problem,
              items);
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
                 "file ends before the record does, %zu bytes into it (%" PRIu32 " %s announced)",
                 f->r.size - start, count, s->items);
    diag_item(f->diag, s->item, index);
    report_truncation(f, requirement, s->items, problem);
    diag_item(f->diag, NULL, 0);
    return false;
}

/*
 * How many records to try.  A file that was cut announces more than is left of it, and is read up
 * to the cut; a count too big for the complete file was damaged, and nothing is believed from there
 * on.
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
    else if (count < 0)
        snprintf(problem, sizeof problem, "number of %s %" PRId32 " out of range (0..%zu)",
                 s->items, count, available);
    else
        snprintf(problem, sizeof problem,
                 "%" PRId32 " %s announced, but the file ends after %zu at the most", count,
                 s->items, available);
    return report_truncation(f, requirement, s->items, problem);
}

static Records read_section(PmxFile *f, PmxSection s, Requirement requirement)
{
    Records records = {0};
    uint32_t announced, readable;
    if (!read_section_count(f, &s, requirement, &announced, &readable))
        return records;
    unsigned char *at = arena_calloc(f->arena, readable, s.size);
    records.items = at;
    for (uint32_t i = 0; i < announced; i++, at += s.size) {
        const size_t start = f->r.at;
        if (i < readable)
            s.read(f, at, i);
        if (i == readable || f->r.failed) {
            report_bad_record(f, requirement, &s, i, announced, start);
            return records;
        }
        records.count++;
    }
    records.complete = true;
    return records;
}

/* The extra UVs stand inside the vertices; their arrays are made for the count about to be read. */
static void allocate_extra_uv(PmxFile *f)
{
    Reader peek = f->r;
    const uint32_t count = read_u32(&peek);
    const size_t available = reader_left(&peek) / pmx_section_vertices(f).min_size;
    for (uint32_t k = 0; k < f->model->extra_uv_count; k++)
        f->model->extra_uv[k] = arena_calloc(f->arena, count < available ? count : available,
                                             sizeof *f->model->extra_uv[k]);
}

static bool read_geometry(PmxFile *f)
{
    PmxModel *m = f->model;
    allocate_extra_uv(f);
    Records records = read_section(f, pmx_section_vertices(f), REQUIRED);
    m->vertices = records.items;
    m->vertex_count = records.count;
    if (!records.complete)
        return false;
    records = read_section(f, pmx_section_indices(f), REQUIRED);
    m->indices = records.items;
    m->index_count = records.count;
    if (!records.complete)
        return false;
    records = read_section(f, pmx_section_textures(f), REQUIRED);
    m->textures = records.items;
    m->texture_count = records.count;
    if (!records.complete)
        return false;
    records = read_section(f, pmx_section_materials(f), REQUIRED);
    m->materials = records.items;
    m->material_count = records.count;
    if (!records.complete)
        return false;
    records = read_section(f, pmx_section_bones(f), REQUIRED);
    m->bones = records.items;
    m->bone_count = records.count;
    return records.complete;
}

static bool read_soft_bodies(PmxFile *f)
{
    if (f->model->version < 2.05f || !reader_left(&f->r))
        return true;
    const Records records = read_section(f, pmx_section_soft_bodies(f), OPTIONAL);
    f->model->soft_bodies = records.items;
    f->model->soft_body_count = records.count;
    return records.complete;
}

static void read_optional_sections(PmxFile *f)
{
    PmxModel *m = f->model;
    Records records = read_section(f, pmx_section_morphs(f), OPTIONAL);
    m->morphs = records.items;
    m->morph_count = records.count;
    if (!records.complete)
        return;
    records = read_section(f, pmx_section_display_frames(f), OPTIONAL);
    m->display_frames = records.items;
    m->display_frame_count = records.count;
    if (!records.complete)
        return;
    records = read_section(f, pmx_section_bodies(f), OPTIONAL);
    m->bodies = records.items;
    m->body_count = records.count;
    if (!records.complete)
        return;
    records = read_section(f, pmx_section_joints(f), OPTIONAL);
    m->joints = records.items;
    m->joint_count = records.count;
    if (records.complete && read_soft_bodies(f) && reader_left(&f->r))
        diag_warn(f->diag, "%zu bytes after the last section left out", reader_left(&f->r));
}

/* ---- header ---- */

static bool read_index_size(uint8_t *size, uint8_t value, const char *of, Diag *diag)
{
    *size = value;
    return value == 1 || value == 2 || value == 4 ||
           diag_error(diag, "size of a %s index: %u is none of 1, 2, 4", of, (unsigned)value);
}

/* u8[] globals: text encoding, extra UV count, index sizes of vertex, texture, material, bone,
 * morph, body */
static bool read_globals(PmxFile *f)
{
    enum { GLOBALS = 8 };
    const uint8_t count = read_u8(&f->r);
    if (!f->r.failed && count < GLOBALS)
        return diag_error(f->diag, "header: %u globals, at least %d needed", (unsigned)count,
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
        return diag_error(f->diag, "version %g is unknown (2.0, 2.1)", (double)version);
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
    if (!read_header(&f) || !read_geometry(&f))
        return false;
    read_optional_sections(&f);
    pmx_repair(model, arena, diag);
    return true;
}
