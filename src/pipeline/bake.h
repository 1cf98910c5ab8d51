/*
 * bake.h - the evaluated frames of a film, on disk
 *
 * A bake holds the packed FrameState of every output frame that a job draws, so that many machines
 * can draw without simulating, bit for bit as if they had.  It names what it was made from by
 * digest; a bake of anything else is refused.
 *
 * The file, little-endian (version 1):
 *   "odori-bake\n" NUL NUL NUL NUL NUL, u32 version, u32 0
 *   digest[32] of all that evaluation depends on, i32 fps numerator, i32 denominator,
 *   u64 bytes of a packed state, u64 number of ranges, then i64 first and i64 last of each range
 *   groups of up to BAKE_GROUP frames, each one zstd frame with checksum: the states, each XORed
 * with the one before it in the group, their bytes then sorted by place modulo 4 (floats change in
 * their low bytes) u64 offset of each group and of their end, u64 number of groups, "odoriend" Not
 * thread-safe.
 */
#ifndef PIPELINE_BAKE_H
#define PIPELINE_BAKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/hash.h"
#include "job/job.h"

enum { BAKE_VERSION = 1, BAKE_GROUP = 32 };

/* What a bake is of. */
typedef struct BakeInfo {
    Digest digest;
    JobRational fps;
    size_t state_bytes;
    JobFrames frames;
} BakeInfo;

typedef struct BakeWriter BakeWriter;

/* Written beside `path`; there under its own name only after bake_finish. */
BakeWriter *bake_create(const char *path, const BakeInfo *info, Diag *diag);
bool bake_add(BakeWriter *writer, const void *state, Diag *diag); /* frames in order */
bool bake_finish(BakeWriter *writer, uint64_t *bytes, Diag *diag);
void bake_destroy(BakeWriter *writer); /* takes an unfinished file away; NULL is fine */

typedef struct Bake Bake;

/*
 * Opens a bake and checks it against `info`: digest, fps and state size must be equal, and every
 * frame of info->frames must be in it.  Errors: DIAG_MISSING, DIAG_DATA (damaged, or of another
 * job).
 */
Bake *bake_open(const char *path, const BakeInfo *info, Diag *diag);

/* The packed state of an output frame, valid until the next call. */
const void *bake_frame(Bake *bake, int64_t frame, Diag *diag);
void bake_close(Bake *bake);

#endif
