/*
 * state.h - what of a job is done, on disk, so that a stopped render goes on and many machines share one
 *
 * One folder per job, beside its first output: out/dance.mp4 has out/.dance.mp4.odori/
 *
 *   job.json                   what the folder is of: format version, digest, the resolved job, each
 *                              input with its size and digest, versions; written once
 *   lock                       empty; its bytes are locked, one a piece, by who draws that piece
 *   job.0003-of-0016.json      what becomes job.json in a moment
 *   bake/DIGEST.bake           evaluated frames (job/bake.h), if somebody baked
 *   piece/0-000012.nut         output 0, piece 12 (film.h says which pictures it holds)
 *   ledger/0001-of-0004.jsonl  one file a shard, so that no two machines append to one: a line for each
 *                              picture that is done: {"frame":120,"output":0,"bytes":512,"sha256":"..."},
 *                              appended after the rename; and {"run":"HOST PID"} where a run begins.
 *                              A torn last line is dropped
 *   report.json                when the outputs are there: what they are, by size and digest
 *
 * Only what the ledgers say and the files' digests confirm is done; that a file exists means nothing.
 * Pieces and stills do not depend on shards, so another number of shards goes on with what is there.
 *
 * The folder belongs to one job: its digest covers all that reaches a picture or a sound (job/identity.h).
 * Errors: DIAG_CREATE (the folder is another job's, of another format version, or cannot be made),
 * DIAG_INCOMPLETE (locked by another program), DIAG_IO, DIAG_MISSING (an input cannot be read),
 * DIAG_USAGE (a shard alone cannot take another job's folder over).  What a signal stopped returns
 * false or NULL without an error.
 *
 * One State a process; children inherit its locks, so that whoever comes next waits (2 s at the most)
 * until the last child of a killed run is gone.  Not thread-safe.
 */
#ifndef JOB_STATE_H
#define JOB_STATE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "job/film.h"
#include "job/identity.h"
#include "output/sink.h"

enum { STATE_VERSION = 1 };

typedef enum StateMode {
    STATE_RESUME,    /* go on with what is there */
    STATE_OVERWRITE, /* throw away what is there, also another job's */
    STATE_NO_CLOBBER, /* like resume, but an output that exists and is not this folder's is an error
                       * (DIAG_CREATE): not known to the ledgers or the report, and older than job.json */
    STATE_LOOK       /* read only: no lock, nothing made; a folder that is not there is empty */
} StateMode;

typedef struct StateOptions {
    const char *folder; /* NULL: state_folder */
    StateMode mode;
    FilmShard shard; /* locks its pieces; {1, 1} all, {0, 0} none (bake) */
    int give_up; /* so many runs of this shard in a row without a new picture: DIAG_INTERNAL; 0: never;
                  * -1: this is no run, it draws nothing (join) */
    const volatile sig_atomic_t *stop; /* polled while files are read; or NULL */
} StateOptions;

typedef struct State State;

/* The folder that a film has by itself; NULL when no output of it can go on (null:, a WebP). */
const char *state_folder(const Film *film, Arena *arena);

/*
 * Opens or makes the folder: locks, compares the job, takes away temporaries that dead runs left (here,
 * and beside the outputs for the pictures of this shard), reads all ledgers and looks at each file of
 * this shard that they name.  What is said below of places is said of this shard's; of all for {1, 1}.
 * The film must outlive the state.  NULL after an error.
 */
State *state_open(const Film *film, const StateOptions *options, Diag *diag);
void state_close(State *state); /* NULL is fine */

/* Is a picture there, by its digest?  For an output in pieces: its whole piece.  What an output does not
 * take (all of null:) never lacks; one that cannot go on (a WebP) lacks all until the film is finished. */
bool state_has(const State *state, size_t output, int64_t place);

/* Is every output there under its final name, as the report says, with this title and these credits?
 * Then nothing is left to do, but for previews. */
bool state_is_finished(const State *state);

/* Is every preview there, as the report says? */
bool state_has_previews(const State *state);

const Identity *state_identity(const State *state);
const char *state_folder_of(const State *state); /* without a slash at its end */

/* Places that some output lacks, as output frames, rising.  What cannot go on is left out: its run knows. */
JobFrames state_missing(const State *state, Arena *arena);

/* Where a piece is, or goes; and where the bake is looked for. */
const char *state_piece_file(const State *state, size_t output, int64_t piece, Arena *arena);
const char *state_bake_file(const State *state, const Digest *digest, Arena *arena);

/* Enters a picture with a file of its own, after its rename. */
bool state_add_picture(State *state, size_t output, int64_t place, const SinkRecord *record,
                       Diag *diag);

/* Enters the pictures of a piece, after reading it. */
bool state_add_piece(State *state, size_t output, int64_t piece, Diag *diag);

/* When the outputs and previews are there: writes the report, then takes the pieces and the bake away. */
bool state_finish(State *state, Diag *diag);

#endif
