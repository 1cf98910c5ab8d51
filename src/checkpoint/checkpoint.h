/*
 * checkpoint.h - what of a job is done, on disk, so that a stopped render goes on and many machines
 * share one
 *
 * One folder per job, beside its first output: out/dance.mp4 has out/.dance.mp4.odori/
 *
 *   job.json                   what the folder is of: format version, digest, the resolved job,
 * each input with its size and digest, versions; written once lock                       empty; its
 * bytes are locked, one a piece, by who draws that piece job.0003-of-0016.json      what becomes
 * job.json in a moment bake/DIGEST.bake           evaluated frames (pipeline/bake.h), if somebody
 * baked piece/0-000012.nut         output 0, piece 12 (film.h says which pictures it holds)
 *   ledger/0001-of-0004.jsonl  one file a shard, so that no two machines append to one: a line for
 * each picture that is done: {"frame":120,"output":0,"bytes":512,"sha256":"..."}, appended after
 * the rename; and {"run":"HOST PID"} where a run begins. A torn last line is dropped report.json
 * when the outputs are there: what they are, by size and digest
 *
 * Only what the ledgers say and the files' digests confirm is done; that a file exists means
 * nothing. Pieces and stills do not depend on shards, so another number of shards goes on with what
 * is there.
 *
 * The folder belongs to one job: its digest covers all that reaches a picture or a sound
 * (checkpoint/fingerprint.h). Errors: DIAG_CREATE (the folder is another job's, of another format
 * version, or cannot be made), DIAG_INCOMPLETE (locked by another program), DIAG_IO, DIAG_MISSING
 * (an input cannot be read), DIAG_USAGE (a shard alone cannot take another job's folder over). What
 * a signal stopped returns false or NULL without an error.
 *
 * One State a process; children inherit its locks, so that whoever comes next waits (2 s at the
 * most) until the last child of a killed run is gone.  Not thread-safe.
 */
#ifndef CHECKPOINT_CHECKPOINT_H
#define CHECKPOINT_CHECKPOINT_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "film/film.h"
#include "checkpoint/fingerprint.h"
#include "output/sink.h"

enum { CHECKPOINT_VERSION = 1 };

typedef enum CheckpointMode {
    CHECKPOINT_RESUME,     /* go on with what is there */
    CHECKPOINT_OVERWRITE,  /* throw away what is there, also another job's */
    CHECKPOINT_NO_CLOBBER, /* like resume, but an output that exists and is not this folder's is an
                            * error (DIAG_CREATE): not known to the ledgers or the report, and older
                            * than job.json */
    CHECKPOINT_READ_ONLY /* read only: no lock, nothing made; a folder that is not there is empty */
} CheckpointMode;

typedef struct CheckpointOptions {
    const char *folder; /* NULL: checkpoint_folder */
    CheckpointMode mode;
    FilmShard shard;                   /* locks its pieces; {1, 1} all, {0, 0} none (bake) */
    int max_stalled_runs;              /* so many runs of this shard in a row without a new picture:
                                        * DIAG_INTERNAL; 0: never;              -1: this is no run, it draws nothing (join) */
    bool accept_renderer; /* frames may be drawn by renderers that differ (renderer_record.h) */
    const volatile sig_atomic_t *stop; /* polled while files are read; or NULL */
} CheckpointOptions;

typedef struct Checkpoint Checkpoint;

/* The folder that a film has by itself; NULL when no output of it can go on (null:, a WebP). */
const char *checkpoint_folder(const Film *film, Arena *arena);

/*
 * Opens or makes the folder: locks, compares the job, takes away temporaries that dead runs left
 * (here, and beside the outputs for the pictures of this shard), reads all ledgers and looks at
 * each file of this shard that they name.  What is said below of places is said of this shard's; of
 * all for {1, 1}. The film must outlive the state.  NULL after an error.
 */
Checkpoint *checkpoint_open(const Film *film, const CheckpointOptions *options, Diag *diag);
void checkpoint_close(Checkpoint *state); /* NULL is fine */

/* Is a picture there, by its digest?  For an output in pieces: its whole piece.  What an output
 * does not take (all of null:) never lacks; one that cannot go on (a WebP) lacks all until the film
 * is finished. */
bool checkpoint_has(const Checkpoint *state, size_t output, int64_t place);

/* Is every output there under its final name, as the report says, with this title and these
 * credits? Then nothing is left to do, but for previews. */
bool checkpoint_is_finished(const Checkpoint *state);

/* Is every preview there, as the report says? */
bool checkpoint_has_previews(const Checkpoint *state);

/* The OpenGL that this run draws with; NULL if it draws nothing. */
const GlProbe *checkpoint_gl(const Checkpoint *state);

const Fingerprint *checkpoint_fingerprint(const Checkpoint *state);
const char *checkpoint_folder_of(const Checkpoint *state); /* without a slash at its end */

/* Places that some output lacks, as output frames, rising.  What cannot go on is left out: its run
 * knows. */
JobFrames checkpoint_missing(const Checkpoint *state, Arena *arena);

/* Where a piece is, or goes; and where the bake is looked for. */
const char *checkpoint_segment_file(const Checkpoint *state, size_t output, int64_t piece,
                                    Arena *arena);
const char *checkpoint_bake_file(const Checkpoint *state, const Digest *digest, Arena *arena);

/* Enters a picture with a file of its own, after its rename. */
bool checkpoint_add_picture(Checkpoint *state, size_t output, int64_t place,
                            const SinkRecord *record, Diag *diag);

/* Enters the pictures of a piece, after reading it. */
bool checkpoint_add_segment(Checkpoint *state, size_t output, int64_t piece, Diag *diag);

/* When the outputs and previews are there: writes the report, then takes the pieces and the bake
 * away. */
bool checkpoint_finish(Checkpoint *state, Diag *diag);

#endif
