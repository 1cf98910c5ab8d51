// SPDX-License-Identifier: MIT
/*
 * info.h - facts about a model, motion, pose, image, sound or MIDI file
 *
 * The format is detected from the first bytes, or from the extension where the format has no
 * signature.  Text output has one fact per line ("bones: 341"), JSON output one object per file on
 * one line, which always includes the names; both are written by the same rows.
 */
#pragma once

#include <stdio.h>

#include "base/diag.h"
#include "record/result.h"
#include "scene/model.h"
#include "scene/motion.h"

typedef struct InfoOptions {
    bool json;
    bool names;        /* list bones, morphs, materials and textures in text output too */
    bool bones;        /* the bones of a model as a tree */
    const char *model; /* file of a model to which motions are compared; or NULL */
} InfoOptions;

extern const ResultTable info_result;

/* Writes the facts of one file.  False after an error was reported; nothing is written then. */
bool info_write(FILE *out, const char *path, const InfoOptions *options, Diag *diag);

/*
 * Loads a model and counts how many names of a motion it has, as `check` does, but without its
 * warnings.
 *
 * path  of the motion
 */
bool info_fit_motion(MotionFit *out, Model *model, const char *model_path, const VmdMotion *motion,
                     const char *path, Arena *arena, Diag *diag);
