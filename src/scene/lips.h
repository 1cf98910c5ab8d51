// SPDX-License-Identifier: MIT
/*
 * lips.h - lips that follow a voice, and blinks, as keys of a model's morphs (scene/README.md 5)
 *
 * The keys replace those of a motion for あ い う え お ん; a blink is added where no motion moves
 * the eyelids.  The result depends on the voice and the specification only.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "media/audio/voice.h"
#include "scene/model.h"
#include "scene/motion.h"

/* What was made, for `check`. */
typedef struct Lips {
    const char *file; /* of the voice; NULL: none */
    double length_s, voiced_s;
    double scale, periodicity, pauses; /* as in Voice */
    const char *morphs;                /* "あ い う え お": those that move */
    uint32_t keys, blinks;
} Lips;

/* The last frame of the film at which the voice moves the lips; 0: none. */
double lips_last_frame(const Voice *voice, const LipsSpec *spec);

/* Warns about a sound that is no voice, missing morphs and replaced keys (class voice).  Errors
 * (DIAG_JOB): renames. */
bool lips_bind(Lips *out, ModelMotion *motion, const Model *model, const Voice *voice,
               const LipsSpec *spec, Arena *arena, Diag *diag);
