// SPDX-License-Identifier: MIT
/*
 * fingerprint.h - a digest of everything that affects the frames or the sound of a film
 *
 * Two renders with equal fingerprints have equal frames.  The digest covers
 *   - the resolved job, except keys that do not affect frames (option_affects_film: names of files,
 *     models and the job, workers, limits, previews, credits, the path of a bake);
 *   - the extension of each output;
 *   - the contents of every input that a key names (job_visit_files), and of the textures, toons,
 *     meshes, buffers and fonts that were found for them;
 *   - the frames and the length of a segment;
 *   - EVALUATE_VERSION, PICTURE_VERSION and the version of libavcodec.
 * A bake is not an input: it contains its own digest and is refused if evaluation would give other
 * frames.  The keys of facts are stored in job.json and must not change.
 */
#pragma once

#include <signal.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/hash.h"
#include "film/film_types.h"

/* A file that is read for the film; a file that the job names twice has one entry. */
typedef struct FingerprintInput {
    const char *file; /* as opened */
    uint64_t bytes;
    Digest digest;
} FingerprintInput;

/* A fact as text: "render.size" is "[1920, 1080]", "models.0.file" is the SHA-256 of the file. */
typedef struct FingerprintFact {
    const char *key, *value;
    const FingerprintInput *input; /* whose digest the value is; or NULL */
} FingerprintFact;

typedef ARENA_LIST(FingerprintFact) FingerprintFacts;

typedef struct Fingerprint {
    Digest digest;
    FingerprintFacts facts;       /* covered by the digest, in the order of the option table */
    FingerprintFacts other_facts; /* other values of the resolved job */
    FingerprintInput *inputs;
    size_t input_count;
    Digest previews; /* digest of everything that affects previews only */
} Fingerprint;

/* Reads every input once.  DIAG_MISSING if one cannot be read.  Polls *stop (or NULL): false
 * without an error if set. */
bool fingerprint_make(Fingerprint *fingerprint, const Film *film, const volatile sig_atomic_t *stop,
                      Arena *arena, Diag *diag);
