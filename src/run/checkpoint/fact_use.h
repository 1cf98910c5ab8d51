// SPDX-License-Identifier: MIT
/*
 * fact_use.h - which bytes of a film a fact of its fingerprint decides
 *
 * By the key of the fact (run/checkpoint/fingerprint.h).  A key that is not known here counts as a
 * fact of all pictures: then more is drawn than need be, never less.
 */
#pragma once

#include "run/checkpoint/checkpoint_job.h"
#include "run/checkpoint/fingerprint.h"

typedef enum FactUse {
    FACT_PICTURE, /* every picture, or every picture of its scene */
    FACT_PLACE,   /* the evaluated states: placements, which effects read from the scene, too */
    FACT_STATE,   /* the evaluated states alone: motions, physics, the camera and the light */
    FACT_SHOWN,   /* what is drawn over some frames: titles, pictures, subtitles, credits, a fade */
    FACT_LENGTH,  /* which frames there are */
    FACT_OUTPUT,  /* the bytes of one output's images */
    FACT_SOUND    /* sound, and what else a video file contains besides its images */
} FactUse;

typedef struct FactPlace {
    FactUse use;
    int scene;        /* -1: of all scenes */
    int output;       /* FACT_OUTPUT: its index; -1: of all */
    const char *rest; /* the key without "scenes.N." or "outputs.N." */
} FactPlace;

FactPlace fact_place(const char *key);

/* What differs between a job and the one that a directory has. */
typedef struct FactChanges {
    unsigned uses;     /* bits by FactUse */
    bool all_pictures; /* of each scene */
    bool voice;        /* lips follow a voice, by the time of the sound */
} FactChanges;

FactChanges fact_changes(const CheckpointJob *before, const Fingerprint *now, Arena *arena);
