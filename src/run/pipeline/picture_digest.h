// SPDX-License-Identifier: MIT
/*
 * picture_digest.h - a digest of everything that decides the pixels of a frame
 *
 * Covers the packed states of the scenes that the frame shows, the facts of the job that every
 * picture of these scenes depends on (run/checkpoint/fact_use.h: settings, contents of models,
 * textures, effects, fonts and videos, versions of the program), the numbers of the frame, and of
 * titles, pictures, subtitles, credits, fades and transitions those that the frame shows.  Not the
 * driver: the checkpoint directory has one (renderer_record.h).
 *
 * With effects.history a picture depends on those before it, so that all facts of evaluation count.
 */
#pragma once

#include <signal.h>

#include "base/arena.h"
#include "base/diag.h"
#include "film/film_types.h"
#include "run/checkpoint/checkpoint.h"
#include "run/checkpoint/fingerprint.h"
#include "run/checkpoint/frame_identity.h"
#include "run/pipeline/kept_states.h"
#include "run/progress.h"

typedef struct PictureDigester PictureDigester;

/* In the arena; the film and the fingerprint must outlive it. */
PictureDigester *picture_digester_create(const Film *film, const Fingerprint *fingerprint,
                                         Arena *arena);

/* packed: the states of an output frame, as frame_state_source_read wrote them. */
PictureDigest picture_digest(const PictureDigester *digester, const void *packed, int64_t frame);

/* For CheckpointOptions.identify. */
typedef struct PictureEvaluation {
    Progress *progress;
    const volatile sig_atomic_t *stop;
    bool keeps;       /* states of frames that have another picture than before */
    KeptStates *kept; /* those states, after the call; or NULL */
} PictureEvaluation;

/* Evaluates all frames of a film; user: a PictureEvaluation. */
bool picture_digest_all(void *user, PictureDigest *pictures, const EarlierPictures *earlier,
                        const Film *film, const Fingerprint *fingerprint, Diag *diag);
