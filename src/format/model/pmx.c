// SPDX-License-Identifier: MIT
#include "format/model/pmx.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/parser_entry.h"
#include "format/model/pmx_record.h"
#include "format/model/pmx_repair.h"

/*
 * Memory: counts are checked against the bytes left, so the arena stays below 32 times the file
 * size plus 256 KiB.  The largest ratios are those of short names (5 bytes in the file, one arena
 * unit of 64 in memory) and of IK links (2 bytes in the file, 32 in memory).
 */

/* ---- sections ---- */

/* Damage up to the last bone is an error; after the bones it is a warning
 * (format/model/README.md 6.1). */
typedef struct PmxFile {
    PmxIo io;
    Diag *diag;
} PmxFile;

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
    if (f->io.problem[0])
        snprintf(problem, sizeof problem, "%s", f->io.problem);
    else
        snprintf(problem, sizeof problem,
                 "file ends inside this record, after %zu bytes of it (%" PRIu32 " %s expected)",
                 f->io.r.size - start, count, s->items);
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
    const size_t min_size = pmx_section_min_size(&f->io, s);
    const int32_t count = read_i32(&f->io.r);
    const size_t available = reader_left(&f->io.r) / min_size;
    const bool plausible =
        !f->io.r.failed && count >= 0 && (size_t)count <= f->io.r.size / min_size;
    *announced = plausible ? (uint32_t)count : 0;
    *readable = *announced > available ? (uint32_t)available : *announced;
    if (plausible)
        return true;
    if (f->io.r.failed)
        snprintf(problem, sizeof problem, "file ends before the number of %s", s->items);
    else
        snprintf(problem, sizeof problem, "number of %s %" PRId32 " out of range (0..%zu)",
                 s->items, count, available);
    return report_truncation(f, requirement, s->items, problem);
}

/* Reads a section into an array of the model.  Returns false if nothing after it can be read. */
static bool read_section(PmxFile *f, const PmxSection *s, Requirement requirement)
{
    uint32_t announced, readable;
    if (!read_section_count(f, s, requirement, &announced, &readable))
        return false;
    unsigned char *model = (unsigned char *)f->io.model;
    uint32_t *count = (void *)(model + s->count_offset);
    unsigned char *at = arena_calloc(f->io.arena, readable, s->size);
    memcpy(model + s->records_offset, &at, sizeof at);
    for (uint32_t i = 0; i < announced; i++, at += s->size) {
        const size_t start = f->io.r.at;
        if (i < readable)
            s->record(&f->io, at, i);
        if (i == readable || f->io.r.failed)
            return report_bad_record(f, requirement, s, i, announced, start);
        ++*count;
    }
    return true;
}

/* Extra UVs are stored inside the vertices; allocates their arrays for the count that follows. */
static void allocate_extra_uv(PmxFile *f)
{
    Reader peek = f->io.r;
    const uint32_t count = read_u32(&peek);
    const size_t available = reader_left(&peek) / pmx_section_min_size(&f->io, &pmx_sections[0]);
    for (uint32_t k = 0; k < f->io.model->extra_uv_count; k++)
        f->io.model->extra_uv[k] = arena_calloc(f->io.arena, count < available ? count : available,
                                                sizeof *f->io.model->extra_uv[k]);
}

static bool read_required_sections(PmxFile *f)
{
    allocate_extra_uv(f);
    for (int i = 0; i < PMX_REQUIRED_SECTIONS; i++)
        if (!read_section(f, &pmx_sections[i], REQUIRED))
            return false;
    return true;
}

static void read_optional_sections(PmxFile *f)
{
    const int sections = f->io.model->version < 2.05f ? PMX_SECTIONS_2_0 : PMX_SECTIONS;
    for (int i = PMX_REQUIRED_SECTIONS; i < sections; i++)
        if ((i >= PMX_SECTIONS_2_0 && !reader_left(&f->io.r)) ||
            !read_section(f, &pmx_sections[i], OPTIONAL))
            return;
    if (reader_left(&f->io.r))
        diag_warn(f->diag, WARN_TRAILING_DATA, "%zu bytes after the last section are ignored",
                  reader_left(&f->io.r));
}

/* ---- header ---- */

/* u8[] globals: text encoding, extra UV count, index sizes of vertex, texture, material, bone,
 * morph, body */
static bool read_globals(PmxFile *f)
{
    enum { GLOBALS = 8 };
    const uint8_t count = read_u8(&f->io.r);
    if (!f->io.r.failed && count < GLOBALS)
        return diag_error(f->diag, "header: %u globals, expected at least %d", (unsigned)count,
                          GLOBALS);
    const uint8_t *g = read_bytes(&f->io.r, count);
    if (!g)
        return diag_error(f->diag, "file ends inside its header (%zu bytes)", f->io.r.size);
    if (g[0] > 1)
        return diag_error(f->diag, "text encoding %u out of range (0..1)", (unsigned)g[0]);
    if (g[1] > PMX_MAX_EXTRA_UV)
        return diag_error(f->diag, "extra UV count %u out of range (0..%d)", (unsigned)g[1],
                          PMX_MAX_EXTRA_UV);
    f->io.utf8 = g[0] == 1;
    f->io.model->extra_uv_count = g[1];
    for (int i = 0; i < PMX_INDEX_KINDS; i++) {
        static const char *const names[PMX_INDEX_KINDS] = {"vertex", "texture", "material",
                                                           "bone",   "morph",   "rigid body"};
        const uint8_t size = f->io.index_size[i] = g[2 + i];
        if (size != 1 && size != 2 && size != 4)
            return diag_error(f->diag, "size of a %s index: %u is not 1, 2 or 4", names[i],
                              (unsigned)size);
    }
    return true;
}

/* u8[4] "PMX " (or "Pmx "), f32 version, globals, four texts */
static bool read_header(PmxFile *f)
{
    const uint8_t *magic = read_bytes(&f->io.r, 4);
    if (!magic || (memcmp(magic, "PMX ", 4) != 0 && memcmp(magic, "Pmx ", 4) != 0))
        return diag_error(f->diag, "not a PMX model: it does not start with 'PMX '");
    const float version = read_f32(&f->io.r);
    if (f->io.r.failed)
        return diag_error(f->diag, "file ends inside its header (%zu bytes)", f->io.r.size);
    if (!(fabsf(version - 2.0f) < 1e-3f || fabsf(version - 2.1f) < 1e-3f))
        return diag_error(f->diag, "version %g is not supported (2.0, 2.1)", (double)version);
    f->io.model->version = version < 2.05f ? 2.0f : 2.1f;
    if (!read_globals(f))
        return false;
    pmx_io_text(&f->io, &f->io.model->name, "model name");
    pmx_io_text(&f->io, &f->io.model->name_en, "English model name");
    pmx_io_text(&f->io, &f->io.model->comment, "comment");
    pmx_io_text(&f->io, &f->io.model->comment_en, "English comment");
    if (f->io.r.failed)
        return diag_error(f->diag, "%s",
                          f->io.problem[0] ? f->io.problem : "file ends inside its header");
    return true;
}

bool pmx_load(PmxModel *model, Bytes bytes, Arena *arena, Diag *diag)
{
    parser_enter("pmx");
    *model = (PmxModel){0};
    PmxFile f = {.io = {.mode = PMX_READ,
                        .r = reader_init(bytes.data, bytes.size),
                        .model = model,
                        .arena = arena},
                 .diag = diag};
    diag_item(diag, NULL, 0);
    if (!read_header(&f) || !read_required_sections(&f))
        return false;
    read_optional_sections(&f);
    pmx_repair(model, arena, diag);
    return true;
}

/* ---- writing ---- */

/* True if the model uses a feature of PMX 2.1. */
static bool needs_2_1(const PmxModel *m)
{
    enum { FLAGS_OF_2_1 = PMX_VERTEX_COLOR | PMX_POINTS | PMX_LINES };
    bool needs = m->soft_body_count > 0;
    for (uint32_t i = 0; i < m->vertex_count && !needs; i++)
        needs = m->vertices[i].deform == PMX_QDEF;
    for (uint32_t i = 0; i < m->material_count && !needs; i++)
        needs = (m->materials[i].flags & FLAGS_OF_2_1) != 0;
    for (uint32_t i = 0; i < m->morph_count && !needs; i++)
        needs = m->morphs[i].type >= PMX_MORPH_FLIP;
    for (uint32_t i = 0; i < m->joint_count && !needs; i++)
        needs = m->joints[i].type != PMX_JOINT_SPRING_6DOF;
    return needs;
}

/* Vertex indices are unsigned below 4 bytes; all others are signed, with -1 for "none". */
static uint8_t index_size(uint32_t count, bool is_signed, int requested)
{
    const uint32_t max1 = is_signed ? 0x80 : 0x100, max2 = is_signed ? 0x8000 : 0x10000;
    const int min = count <= max1 ? 1 : count <= max2 ? 2 : 4;
    return (uint8_t)(requested > min ? requested : min);
}

static void write_header(PmxIo *io, const PmxModel *m)
{
    float version = needs_2_1(m) ? 2.1f : 2.0f;
    uint8_t globals[] = {8, io->utf8, (uint8_t)m->extra_uv_count};
    const char *texts[] = {m->name, m->name_en, m->comment, m->comment_en};
    for (const char *c = "PMX "; *c; c++)
        pmx_io_u8(io, &(uint8_t){(uint8_t)*c});
    pmx_io_floats(io, &version, 1);
    for (size_t i = 0; i < sizeof globals; i++)
        pmx_io_u8(io, &globals[i]);
    for (int i = 0; i < PMX_INDEX_KINDS; i++)
        pmx_io_u8(io, &io->index_size[i]);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        pmx_io_text(io, &texts[i], NULL);
}

static void write_section(PmxIo *io, PmxModel *model, const PmxSection *s)
{
    unsigned char *base = (unsigned char *)model, *at;
    int32_t count;
    memcpy(&count, base + s->count_offset, sizeof count);
    memcpy(&at, base + s->records_offset, sizeof at);
    pmx_io_i32(io, &count);
    for (int32_t i = 0; i < count; i++)
        s->record(io, at + (size_t)i * s->size, (uint32_t)i);
}

Bytes pmx_write(const PmxModel *model, PmxWriteOptions options, Arena *arena)
{
    const int size = options.index_size;
    assert(size == 0 || size == 1 || size == 2 || size == 4);
    PmxModel copy = *model;
    PmxIo io = {.mode = PMX_WRITE,
                .utf8 = options.utf8,
                .model = &copy,
                .arena = arena,
                .index_size = {index_size(model->vertex_count, false, size),
                               index_size(model->texture_count, true, size),
                               index_size(model->material_count, true, size),
                               index_size(model->bone_count, true, size),
                               index_size(model->morph_count, true, size),
                               index_size(model->body_count, true, size)}};
    write_header(&io, model);
    const int sections = model->soft_body_count ? PMX_SECTIONS : PMX_SECTIONS_2_0;
    for (int i = 0; i < sections; i++)
        write_section(&io, &copy, &pmx_sections[i]);
    return (Bytes){io.bytes.items, io.bytes.count};
}
