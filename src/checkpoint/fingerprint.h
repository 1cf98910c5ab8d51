/*
 * fingerprint.h - what makes two renders the same: a digest of all that reaches a picture or a
 * sound
 *
 * Covers the resolved job, except what cannot change a picture (names of files, models and the job,
 * workers, limits, previews, credits, where bakes are: the column `reach` of the option table), the
 * ending of each output's name, the bytes of every input in its place (models, motions, textures,
 * toons, accessories, background, sound, sound font, shaders), which frames are drawn and in pieces
 * of what length, EVALUATE_VERSION, PICTURE_VERSION and the version of libavcodec.
 *
 * A bake is no input: it says by itself what it is of, and is refused where evaluation would give
 * something else.
 */
#ifndef CHECKPOINT_FINGERPRINT_H
#define CHECKPOINT_FINGERPRINT_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/hash.h"
#include "film/film.h"

/* A file that is read for the film; one that the job names twice is one. */
typedef struct FingerprintInput {
    const char *file; /* as opened */
    uint64_t bytes;
    Digest digest;
} FingerprintInput;

/* One thing of a job, as text: "render.size" is "[1920, 1080]", "models.0.file" the SHA-256 of its
 * bytes. */
typedef struct FingerprintFact {
    const char *key, *value;
    const FingerprintInput *input; /* whose bytes the value tells; or NULL */
} FingerprintFact;

typedef struct FingerprintFacts {
    FingerprintFact *items;
    size_t count, capacity;
} FingerprintFacts;

typedef struct Fingerprint {
    Digest digest;
    FingerprintFacts facts; /* all that the digest covers, in the order of the option table */
    FingerprintFacts apart; /* the rest of the resolved job */
    FingerprintInput *inputs;
    size_t input_count;
    Digest previews; /* of all that says what previews look like */
} Fingerprint;

/* Reads every input once.  DIAG_MISSING when one cannot be read (any more).  Polls *stop (NULL:
 * none): false without an error then. */
bool fingerprint_make(Fingerprint *identity, const Film *film, const volatile sig_atomic_t *stop,
                      Arena *arena, Diag *diag);

#endif
