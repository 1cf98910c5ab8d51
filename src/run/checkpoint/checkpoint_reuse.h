// SPDX-License-Identifier: MIT
/*
 * checkpoint_reuse.h - what an edited job uses again of the film that its directory has
 *
 * A frame is used again if it has the same identity (frame_identity.h) in both: a still stays as it
 * is; a segment all of whose frames stay is copied from the finished file, whose digest must be
 * that of the report.  Nothing is used of a film that another driver drew, or whose ledgers have no
 * identities.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "film/film_types.h"
#include "run/checkpoint/checkpoint.h"
#include "run/checkpoint/completed_set.h"
#include "run/checkpoint/ledger.h"

/* The digest of the settings that decide the bytes of an output's images. */
Digest checkpoint_output_digest(const Fingerprint *fingerprint, size_t output);

/* What is known of an edited job. */
typedef struct ReuseJob {
    const Film *film;
    const Fingerprint *fingerprint;
    const CheckpointOptions *options;
    const char *directory;
    const char *renderer; /* with which this run would draw */
    bool only_compare;    /* nothing is written: segments count as restored */
} ReuseJob;

/* The finished film that an edited job replaces, as far as it can be compared with the new one. */
typedef struct EarlierFilm {
    size_t output;    /* of the edited film: its file shows the earlier one until it is replaced */
    const Film *film; /* only its frames; NULL: there is nothing to compare */
    const CompletedSet *stills; /* with the digests of its files; NULL: it is a video */
    FrameRanges frames;         /* of the edited film: those that can show something else */
} EarlierFilm;

typedef struct Reuse {
    ARENA_LIST(LedgerEntry) entries; /* frames that stay, by their output */
    FrameRanges changed;     /* frames whose picture is another one; count 0: not compared */
    const char *why_nothing; /* why no frame stays; or NULL */
    EarlierFilm earlier;
} Reuse;

/*
 * Compares the job with the one that the directory has, and restores the segments of its outputs
 * from the finished film.  The caller has the locks.  False after an error, or a stop without one.
 */
bool checkpoint_reuse(Reuse *out, const ReuseJob *job, Arena *arena, Diag *diag);

/* The frames that some output lacks beside those that stay. */
FrameRanges checkpoint_reuse_drawn(const Film *film, Reuse *reuse, Arena *arena);

/*
 * Restores segments of an output from its finished file, if that has the digest of the report.
 * False after an error.
 *
 * finished  what the report says of the file
 * parts     as SinkSegments.restore
 */
bool checkpoint_restore(const FilmOutput *output, const FileRecord *finished, const SinkPart *parts,
                        size_t count, const volatile sig_atomic_t *stop, Diag *diag);

/* Which frames a run would draw, by the records of the directory. */
typedef struct DrawForecast {
    int64_t count;
    FrameRanges drawn;
    const char *why; /* how the job differs, and why more is drawn; NULL: not begun, or resumed */
} DrawForecast;

/* options: directory, identify, user, stop.  False after an error, or a stop without one. */
bool checkpoint_forecast(DrawForecast *out, const Film *film, const Fingerprint *fingerprint,
                         const CheckpointOptions *options, Arena *arena, Diag *diag);
