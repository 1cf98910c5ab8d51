// SPDX-License-Identifier: MIT
/*
 * bake.h - a file of the evaluated frames of a film
 *
 * A bake contains the packed FrameState of every output frame of a job, so that many machines can
 * render without simulating, with the same bits.  It contains a digest of everything that the
 * states depend on; opening it for another job is an error.
 *
 * The file, little-endian (version 1):
 *   "odori-bake\n" NUL NUL NUL NUL NUL, u32 version, u32 0
 *   digest[32] of everything that evaluation depends on, i32 fps numerator, i32 denominator,
 *   u64 bytes of a packed state, u64 number of ranges, then i64 first and i64 last of each range
 *   groups of up to BAKE_GROUP frames, each one zstd frame with a checksum: the states, each XORed
 *     with the previous one of its group, their bytes then grouped by offset modulo 4 (floats
 * differ mostly in their low bytes) u64 offset of each group and of the end of the last, u64 number
 * of groups, "odoriend"
 *
 * Not thread-safe.
 */
#pragma once

#include "base/diag.h"
#include "base/hash.h"
#include "job/job.h"

enum { BAKE_VERSION = 1, BAKE_GROUP = 32 };

/* The contents of a bake, and the digest of the job for which it was made. */
typedef struct BakeInfo {
    Digest digest;
    Rational fps;
    size_t state_bytes;
    FrameRanges frames;
} BakeInfo;

typedef struct BakeWriter BakeWriter;

/* Writes a temporary file beside `path`, which bake_finish renames.  NULL after an error. */
BakeWriter *bake_create(const char *path, const BakeInfo *info, Diag *diag);
bool bake_write_frame(BakeWriter *writer, const void *state, Diag *diag); /* in frame order */
/* Commits the file; *bytes is its size. */
bool bake_finish(BakeWriter *writer, uint64_t *bytes, Diag *diag);
void bake_destroy(BakeWriter *writer); /* removes an unfinished file; NULL is fine */

typedef struct Bake Bake;

/*
 * Opens a bake and compares it with `info`: digest, fps and state size must be equal, and it must
 * contain every frame of info->frames.  NULL after an error: DIAG_MISSING, DIAG_DATA (damaged, or
 * made for another job).
 */
Bake *bake_open(const char *path, const BakeInfo *info, Diag *diag);

/* The packed state of an output frame, valid until the next call; NULL after an error. */
const void *bake_read_frame(Bake *bake, int64_t frame, Diag *diag);
void bake_close(Bake *bake); /* NULL is fine */
