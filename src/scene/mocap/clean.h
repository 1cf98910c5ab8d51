// SPDX-License-Identifier: MIT
/*
 * clean.h - motions traced from video without their noise, jumps and sliding feet
 *           (scene/mocap/README.md 7)
 */
#pragma once

#include "scene/mocap/clean_feet.h"

typedef struct CleanReport {
    uint32_t bones;     /* that have a key on most frames, while they move */
    uint32_t trembling; /* of them: those with noise */
    double noise_deg;   /* its standard deviation: the median of these bones */
    uint32_t jumps;     /* that were removed */
    FeetReport feet;    /* before */
    bool traced;        /* most of the bones tremble; otherwise `auto` changes nothing */
} CleanReport;

/*
 * A motion with other keys for the bones that are cleaned; all others are those of `in`.  Bones are
 * found by their names in the model, before any renames.  False after an error: a motion that is
 * too long.
 */
bool clean_motion(VmdMotion *out, CleanReport *report, const VmdMotion *in, const Model *model,
                  const CleanSpec *spec, Arena *arena, Diag *diag);

/* What `clean: auto` would find in the motions of a model. */
CleanReport clean_measure(const ModelMotion *motion, const Model *model);

/* "noise of 0.41 degrees in 14 of 15 bones; planted feet slide by 0.6 units/s" */
const char *clean_report_text(const CleanReport *report, Arena *arena);
