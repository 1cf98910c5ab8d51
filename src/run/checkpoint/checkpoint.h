// SPDX-License-Identifier: MIT
/*
 * checkpoint.h - the checkpoint directory of a film: completed frames on disk, so that a stopped
 * render can be resumed and several machines can share one
 *
 * One directory per job, beside its first output: out/dance.mp4 has out/.dance.mp4.odori/.  Its
 * files, locks and the order of writes are described in run/checkpoint/README.md 1 to 4.
 *
 * A frame is complete if a ledger records it and the digest of its file matches; the existence of a
 * file alone means nothing.  Segments and stills do not depend on shards, so a film can be resumed
 * with another number of shards.  The directory belongs to one job, by its fingerprint
 * (run/checkpoint/fingerprint.h).
 *
 * An output that exists and that the directory does not record is an error, except with
 * CHECKPOINT_OVERWRITE (run/checkpoint/checkpoint_outputs.h).
 *
 * Errors: DIAG_CREATE (the directory belongs to another job, has another format version, or cannot
 * be created; a file of others exists), DIAG_INCOMPLETE (locked by another process), DIAG_IO,
 * DIAG_MISSING (an input cannot be read), DIAG_USAGE (a single shard cannot overwrite the directory
 * of another job).  Functions that a signal stopped return false or NULL without an error.
 *
 * One Checkpoint per process; children inherit its locks, so that the next run waits (at most 2 s)
 * until the last child of a killed run is gone.  Not thread-safe.
 */
#pragma once

#include <signal.h>

#include "base/arena.h"
#include "base/diag.h"
#include "film/film_types.h"
#include "output/sink.h"
#include "run/checkpoint/fingerprint.h"
#include "run/checkpoint/frame_identity.h"
#include "run/checkpoint/run_record.h"
#include "run/checkpoint/written_files.h"

typedef enum CheckpointMode {
    CHECKPOINT_RESUME,     /* resume; of an edited job use again what has not changed */
    CHECKPOINT_FRESH,      /* the same, but draw all frames */
    CHECKPOINT_OVERWRITE,  /* remove the results of this or another job first */
    CHECKPOINT_NO_CLOBBER, /* resume; an edited job is an error (DIAG_CREATE) */
    CHECKPOINT_READ_ONLY   /* no lock, no writes; a missing directory is empty */
} CheckpointMode;

/* The frames of the earlier version of an edited job. */
typedef struct EarlierPictures {
    /* Whether one shows the same picture as the frame with this index. */
    bool (*has)(const void *user, int64_t index, const PictureDigest *picture);
    const void *user;
} EarlierPictures;

/* Evaluates all frames of an edited job: what each of them shows, [frame_count].  False after an
 * error, or a stop without one. */
typedef bool CheckpointIdentify(void *user, PictureDigest *pictures, const EarlierPictures *earlier,
                                const Film *film, const Fingerprint *fingerprint, Diag *diag);

typedef struct CheckpointOptions {
    const char *directory; /* NULL: checkpoint_directory */
    CheckpointMode mode;
    FilmShard shard;      /* its segments are locked; {1, 1} all, {0, 0} none (bake) */
    int max_stalled_runs; /* DIAG_INTERNAL after that many runs of this shard in a row without a new
                           * frame; 0: no limit; -1: not a run, nothing is rendered (join) */
    bool accept_renderer; /* frames may be rendered by different renderers (renderer_record.h) */
    const volatile sig_atomic_t *stop; /* polled while files are read; or NULL */
    CheckpointIdentify *identify;      /* with RESUME; NULL: edited jobs are rendered as a whole */
    void *user;                        /* of identify */
} CheckpointOptions;

typedef struct Checkpoint Checkpoint;

/*
 * Opens or creates the directory: locks the segments, compares the job, removes temporary files of
 * crashed runs (also beside the outputs, for the frames of this shard), reads all ledgers and
 * verifies every file of this shard that they record.  The functions below know the frame indices
 * of this shard only.  The film must outlive the checkpoint.  NULL after an error.
 */
Checkpoint *checkpoint_open(const Film *film, const CheckpointOptions *options, Diag *diag);
void checkpoint_close(Checkpoint *checkpoint); /* NULL is fine */

/* True if a frame, or for an output in segments its whole segment, is complete.  Always true for
 * frames that the output does not write, and for null: beside other outputs; false for an output
 * that cannot be resumed (WebP) until the film is finished. */
bool checkpoint_has(const Checkpoint *checkpoint, size_t output, int64_t index);

/* True if every output exists with the digest of the report, and with the title and credits of the
 * job.  Then only previews may be missing. */
bool checkpoint_is_finished(const Checkpoint *checkpoint);

/* True if every preview exists with the digest of the report. */
bool checkpoint_has_previews(const Checkpoint *checkpoint);

/* The OpenGL that this run renders with; NULL if it renders nothing. */
const struct GlProbe *checkpoint_gl(const Checkpoint *checkpoint);

const char *checkpoint_directory_of(const Checkpoint *checkpoint); /* without a slash at its end */
WrittenFiles *checkpoint_written(const Checkpoint *checkpoint); /* for written_files_guard_film */

/* Output frames that are missing in an output, ascending.  Outputs that cannot be resumed do not
 * count. */
FrameRanges checkpoint_missing(const Checkpoint *checkpoint, Arena *arena);

/* The path of a segment, and of the bake with a digest; the files need not exist. */
const char *checkpoint_segment_file(const Checkpoint *checkpoint, size_t output, int64_t segment,
                                    Arena *arena);
const char *checkpoint_bake_file(const Checkpoint *checkpoint, const Digest *digest, Arena *arena);

/* The fingerprint of the job. */
const Fingerprint *checkpoint_fingerprint(const Checkpoint *checkpoint);

/* Sets what a frame shows, before it, or its segment, is recorded. */
void checkpoint_set_picture(Checkpoint *checkpoint, int64_t index, const PictureDigest *picture);

/* What an edited job replaces, until its outputs are renamed (checkpoint_reuse.h); NULL if there is
 * nothing to compare with, and for shards. */
const struct EarlierFilm *checkpoint_earlier(const Checkpoint *checkpoint);

/*
 * Records frames that were compared with those of the earlier film, with runs.json.
 *
 * changes         [count] ascending; at most RUN_RECORD_COMPARED
 * picture_pixels  of a frame
 * shown           [shown_count] frames of the pictures run_record_picture
 */
void checkpoint_set_compared(Checkpoint *checkpoint, const FrameChange *changes, size_t count,
                             int64_t picture_pixels, const int64_t *shown, size_t shown_count);

/* Records a still; call it after the rename of its file. */
bool checkpoint_add_frame(Checkpoint *checkpoint, size_t output, int64_t index,
                          const SinkRecord *record, Diag *diag);

/* Reads a segment back and records its frames. */
bool checkpoint_add_segment(Checkpoint *checkpoint, size_t output, int64_t segment, Diag *diag);

/* Writes the report, then removes segments and bakes.  Outputs and previews must exist. */
bool checkpoint_finish(Checkpoint *checkpoint, Diag *diag);
