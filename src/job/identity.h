/*
 * identity.h - what makes two renders the same: a digest of all that reaches a picture or a sound
 *
 * Covers the resolved job, except what cannot change a picture (names of files, workers, limits,
 * previews, where bakes are), the ending of each output's name, the bytes of every input (models,
 * motions, textures, toons, accessories, background, sound, sound fonts, shaders), EVALUATE_VERSION,
 * PICTURE_VERSION and the version of libavcodec.
 */
#ifndef JOB_IDENTITY_H
#define JOB_IDENTITY_H

#include "base/arena.h"
#include "base/diag.h"
#include "base/hash.h"
#include "job/film.h"

/* Raise it in the commit that changes what a frame looks like: unfinished films are not gone on with. */
enum { PICTURE_VERSION = 1 };

typedef struct IdentityInput {
    const char *file; /* as opened */
    uint64_t bytes;
    Digest digest;
} IdentityInput;

typedef struct Identity {
    Digest digest;
    const char *job; /* the resolved job as YAML, complete, reloadable (option_dump) */
    IdentityInput *inputs;
    size_t input_count;
} Identity;

/* Reads every input once.  DIAG_MISSING when one cannot be read (any more). */
bool identity_make(Identity *identity, const Film *film, Arena *arena, Diag *diag);

#endif
