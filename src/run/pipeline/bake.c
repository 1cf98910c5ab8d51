// SPDX-License-Identifier: MIT
#include "run/pipeline/bake.h"

#include <inttypes.h>
#include <string.h>
#include <zstd.h>

#include "base/file.h"
#include "base/parser_entry.h"
#include "base/reader.h"
#include "film/frame_ranges.h"

enum { MAGIC_SIZE = 16, END_SIZE = 8, LEVEL = 3, MAX_RANGES = 1 << 20 };

static const char magic[MAGIC_SIZE] = "odori-bake\n";
static const char end_mark[END_SIZE + 1] = "odoriend";

/* ---- a group: states <-> bytes that compress well ---- */

static size_t plane_start(size_t state_bytes, size_t plane)
{
    return plane * (state_bytes / 4);
}

static void pack_state(uint8_t *out, const uint8_t *state, const uint8_t *previous, size_t size)
{
    const size_t words_end = size / 4 * 4;
    for (size_t i = 0; i < words_end; i++)
        out[plane_start(size, i % 4) + i / 4] = state[i] ^ (previous ? previous[i] : 0);
    for (size_t i = words_end; i < size; i++)
        out[i] = state[i] ^ (previous ? previous[i] : 0);
}

static void unpack_state(uint8_t *state, const uint8_t *in, const uint8_t *previous, size_t size)
{
    const size_t words_end = size / 4 * 4;
    for (size_t i = 0; i < words_end; i++)
        state[i] = in[plane_start(size, i % 4) + i / 4] ^ (previous ? previous[i] : 0);
    for (size_t i = words_end; i < size; i++)
        state[i] = in[i] ^ (previous ? previous[i] : 0);
}

/* ---- writing ---- */

struct BakeWriter {
    FileOut out;
    BakeInfo info;
    Arena *arena;
    uint8_t *sorted, *previous, *packed; /* a group, the last state, the compressed group */
    size_t packed_capacity;
    size_t in_group; /* frames in `sorted` */
    uint64_t offset;
    ZSTD_CCtx *zstd;
    ARENA_LIST(uint64_t) offsets;
};

static bool write_bytes(BakeWriter *w, const void *data, size_t size, Diag *diag)
{
    w->offset += size;
    return file_out_write(&w->out, data, size, diag);
}

static bool write_int(BakeWriter *w, uint64_t value, size_t size, Diag *diag)
{
    uint8_t bytes[8];
    for (size_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)(value >> 8 * i);
    return write_bytes(w, bytes, size, diag);
}

static bool write_header(BakeWriter *w, Diag *diag)
{
    const BakeInfo *info = &w->info;
    bool ok = write_bytes(w, magic, MAGIC_SIZE, diag) && write_int(w, BAKE_VERSION, 4, diag) &&
              write_int(w, 0, 4, diag) &&
              write_bytes(w, info->digest.bytes, sizeof info->digest.bytes, diag) &&
              write_int(w, (uint64_t)info->fps.num, 4, diag) &&
              write_int(w, (uint64_t)info->fps.den, 4, diag) &&
              write_int(w, info->state_bytes, 8, diag) && write_int(w, info->frames.count, 8, diag);
    for (size_t i = 0; ok && i < info->frames.count; i++)
        ok = write_int(w, (uint64_t)info->frames.items[i].first, 8, diag) &&
             write_int(w, (uint64_t)info->frames.items[i].last, 8, diag);
    return ok;
}

BakeWriter *bake_create(const char *path, const BakeInfo *info, Diag *diag)
{
    Arena *arena = arena_create();
    BakeWriter *w = arena_array(arena, BakeWriter, 1);
    w->arena = arena;
    w->info = *info;
    w->out.fd = -1;
    w->sorted = arena_calloc(arena, BAKE_GROUP, info->state_bytes);
    w->previous = arena_alloc(arena, info->state_bytes);
    w->packed_capacity = ZSTD_compressBound(BAKE_GROUP * info->state_bytes);
    w->packed = arena_alloc(arena, w->packed_capacity);
    w->zstd = ZSTD_createCCtx();
    if (!w->zstd) {
        diag_fail(diag, DIAG_RESOURCE, "out of memory for the bake");
    } else {
        ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_compressionLevel, LEVEL);
        ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_checksumFlag, 1);
        if (file_out_open(&w->out, path, diag) && write_header(w, diag))
            return w;
    }
    bake_destroy(w);
    return NULL;
}

static bool write_group(BakeWriter *w, Diag *diag)
{
    if (!w->in_group)
        return true;
    const size_t size = ZSTD_compress2(w->zstd, w->packed, w->packed_capacity, w->sorted,
                                       w->in_group * w->info.state_bytes);
    if (ZSTD_isError(size))
        return diag_fail(diag, DIAG_INTERNAL, "cannot compress the bake: %s",
                         ZSTD_getErrorName(size));
    *arena_push(w->arena, &w->offsets) = w->offset;
    w->in_group = 0;
    return write_bytes(w, w->packed, size, diag);
}

bool bake_write_frame(BakeWriter *w, const void *state, Diag *diag)
{
    const size_t size = w->info.state_bytes;
    pack_state(w->sorted + w->in_group * size, state, w->in_group ? w->previous : NULL, size);
    memcpy(w->previous, state, size);
    return ++w->in_group < BAKE_GROUP || write_group(w, diag);
}

bool bake_finish(BakeWriter *w, uint64_t *bytes, Diag *diag)
{
    if (!write_group(w, diag))
        return false;
    *arena_push(w->arena, &w->offsets) = w->offset;
    bool ok = true;
    for (size_t i = 0; ok && i < w->offsets.count; i++)
        ok = write_int(w, w->offsets.items[i], 8, diag);
    ok = ok && write_int(w, w->offsets.count - 1, 8, diag) &&
         write_bytes(w, end_mark, END_SIZE, diag);
    *bytes = w->offset;
    return ok && file_out_commit(&w->out, diag);
}

void bake_destroy(BakeWriter *w)
{
    if (!w)
        return;
    file_out_abort(&w->out);
    ZSTD_freeCCtx(w->zstd);
    arena_destroy(w->arena);
}

/* ---- reading ---- */

struct Bake {
    Arena *arena;
    const char *path;
    Bytes bytes;
    size_t state_bytes;
    FrameRanges frames;
    uint64_t *offsets; /* [groups + 1] */
    uint64_t groups, frame_count;
    uint64_t loaded; /* the group in `states`, or UINT64_MAX */
    uint8_t *sorted, *states;
};

static uint64_t read_u64(Reader *r)
{
    const uint64_t low = read_u32(r);
    return low | (uint64_t)read_u32(r) << 32;
}

static bool same_job(Bake *b, Reader *r, const BakeInfo *info, Diag *diag)
{
    const uint8_t *digest = read_bytes(r, sizeof info->digest.bytes);
    const uint32_t num = read_u32(r), den = read_u32(r);
    const uint64_t state_bytes = read_u64(r);
    if (r->failed)
        return diag_error(diag, "file ends in the header of the bake");
    if (num != (uint32_t)info->fps.num || den != (uint32_t)info->fps.den)
        return diag_error(diag,
                          "the bake has %" PRIu32 "/%" PRIu32 " frames per second, the job %d/%d",
                          num, den, info->fps.num, info->fps.den);
    if (memcmp(digest, info->digest.bytes, sizeof info->digest.bytes) != 0 ||
        state_bytes != info->state_bytes)
        return diag_error(diag,
                          "the bake was made from other models, motions or settings; bake again");
    b->state_bytes = info->state_bytes;
    return true;
}

static bool read_ranges(Bake *b, Reader *r, Diag *diag)
{
    const uint64_t count = read_u64(r);
    if (r->failed || count == 0 || count > MAX_RANGES || count > reader_left(r) / 16)
        return diag_error(diag, "frame range count %" PRIu64 " is out of range (1..%zu)", count,
                          reader_left(r) / 16);
    b->frames = (FrameRanges){arena_array(b->arena, FrameRange, (size_t)count), (size_t)count};
    int64_t last = -1;
    for (size_t i = 0; i < count; i++) {
        FrameRange *range = &b->frames.items[i];
        range->first = (int64_t)read_u64(r);
        range->last = (int64_t)read_u64(r);
        if (range->first <= last || range->last < range->first || range->last > OUTPUT_FRAME_MAX)
            return diag_error(diag,
                              "frame range %zu: %" PRId64 "-%" PRId64 " is out of order (0..%d)", i,
                              range->first, range->last, OUTPUT_FRAME_MAX);
        last = range->last;
        b->frame_count += (uint64_t)(range->last - range->first + 1);
    }
    return true;
}

static bool read_index(Bake *b, size_t groups_start, Diag *diag)
{
    enum { TRAILER = 8 + END_SIZE };
    const Bytes all = b->bytes;
    if (all.size < groups_start + TRAILER ||
        memcmp(all.data + all.size - END_SIZE, end_mark, END_SIZE))
        return diag_error(diag, "the bake is truncated: its end mark is missing");
    Reader r = reader_init(all.data + all.size - TRAILER, TRAILER);
    b->groups = read_u64(&r);
    const uint64_t expected = (b->frame_count + BAKE_GROUP - 1) / BAKE_GROUP;
    const size_t max_groups = (all.size - TRAILER - groups_start) / 8;
    if (b->groups != expected || b->groups >= max_groups)
        return diag_error(diag, "group count is %" PRIu64 " instead of %" PRIu64, b->groups,
                          expected);
    const size_t index_size = ((size_t)b->groups + 1) * 8,
                 index_at = all.size - TRAILER - index_size;
    r = reader_init(all.data + index_at, index_size);
    b->offsets = arena_array(b->arena, uint64_t, (size_t)b->groups + 1);
    for (size_t i = 0; i <= b->groups; i++) {
        b->offsets[i] = read_u64(&r);
        if (b->offsets[i] < (i ? b->offsets[i - 1] : groups_start) || b->offsets[i] > index_at)
            return diag_error(diag, "group %zu: offset %" PRIu64 " out of range (%zu..%zu)", i,
                              b->offsets[i], groups_start, index_at);
    }
    return true;
}

static bool contains(const FrameRanges *available, const FrameRanges *requested, int64_t *missing)
{
    for (size_t i = 0; i < requested->count; i++) {
        int64_t frame = requested->items[i].first;
        for (size_t k = 0; k < available->count; k++)
            if (available->items[k].first <= frame && frame <= available->items[k].last)
                frame = available->items[k].last + 1;
        if (frame <= requested->items[i].last) {
            *missing = frame;
            return false;
        }
    }
    return true;
}

static bool read_bake(Bake *b, const BakeInfo *info, Diag *diag)
{
    if (!file_load(&b->bytes, b->path, (size_t)1 << 36, b->arena, diag))
        return false;
    Reader r = reader_init(b->bytes.data, b->bytes.size);
    const uint8_t *start = read_bytes(&r, MAGIC_SIZE);
    if (!start || memcmp(start, magic, MAGIC_SIZE) != 0)
        return diag_error(diag, "not a bake file of odori");
    const uint32_t version = read_u32(&r);
    read_u32(&r);
    if (version != BAKE_VERSION)
        return diag_error(diag, "unknown bake version %" PRIu32 " (expected %d)", version,
                          BAKE_VERSION);
    if (!same_job(b, &r, info, diag) || !read_ranges(b, &r, diag) || !read_index(b, r.at, diag))
        return false;
    int64_t missing = 0;
    if (!contains(&b->frames, &info->frames, &missing))
        return diag_error(diag, "frame %" PRId64 " is not in the bake (%" PRId64 "..%" PRId64 ")",
                          missing, b->frames.items[0].first,
                          b->frames.items[b->frames.count - 1].last);
    return true;
}

Bake *bake_open(const char *path, const BakeInfo *info, Diag *diag)
{
    parser_enter("bake");
    Arena *arena = arena_create();
    Bake *b = arena_array(arena, Bake, 1);
    b->arena = arena;
    b->path = arena_strdup(arena, path);
    b->loaded = UINT64_MAX;
    diag_file(diag, path);
    const bool ok = read_bake(b, info, diag);
    diag_file(diag, NULL);
    if (!ok) {
        bake_close(b);
        return NULL;
    }
    b->sorted = arena_calloc(arena, BAKE_GROUP, b->state_bytes);
    b->states = arena_calloc(arena, BAKE_GROUP, b->state_bytes);
    return b;
}

static bool load_group(Bake *b, uint64_t group, Diag *diag)
{
    const uint64_t left = b->frame_count - group * BAKE_GROUP;
    const size_t count = left < BAKE_GROUP ? (size_t)left : BAKE_GROUP;
    const size_t expected = count * b->state_bytes;
    const size_t got = ZSTD_decompress(b->sorted, expected, b->bytes.data + b->offsets[group],
                                       (size_t)(b->offsets[group + 1] - b->offsets[group]));
    b->loaded = UINT64_MAX;
    if (ZSTD_isError(got) || got != expected) {
        diag_file(diag, b->path);
        diag_error(diag, "group %" PRIu64 " of frames is damaged: %s", group,
                   ZSTD_isError(got) ? ZSTD_getErrorName(got) : "too few bytes");
        diag_file(diag, NULL);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        uint8_t *state = b->states + i * b->state_bytes;
        unpack_state(state, b->sorted + i * b->state_bytes, i ? state - b->state_bytes : NULL,
                     b->state_bytes);
    }
    b->loaded = group;
    return true;
}

const void *bake_read_frame(Bake *b, int64_t frame, Diag *diag)
{
    const int64_t index = frame_ranges_find(&b->frames, frame);
    if (index < 0) {
        diag_fail(diag, DIAG_INTERNAL, "frame %" PRId64 " is not in the bake", frame);
        return NULL;
    }
    const uint64_t group = (uint64_t)index / BAKE_GROUP;
    if (b->loaded != group && !load_group(b, group, diag))
        return NULL;
    return b->states + (uint64_t)index % BAKE_GROUP * b->state_bytes;
}

void bake_close(Bake *b)
{
    if (b)
        arena_destroy(b->arena);
}
