// SPDX-License-Identifier: MIT
/*
 * look_preset.h - looks by name: look: soft
 *
 * A look is a list of keys of the section `look`, by which the tree of a job is completed before it
 * is read: key by key, so that what the job gives itself wins, also null.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"

struct YamlNode;

typedef struct LookPreset {
    const char *name; /* NULL after the last one */
    const char *help;
    int cost_percent; /* more CPU time of a film (picture/look/README.md 8) */
    const char *keys; /* lines of YAML */
} LookPreset;

/* In the order of the key's words. */
const LookPreset *look_preset_list(void);

/* Completes `look` of a job or of a scene.  An unknown name is left to the reader of the tree. */
bool look_preset_apply(struct YamlNode *root, Arena *arena, Diag *diag);

/* Makes a job one of several scenes: its own look, then each of the others in place of that, each
 * with its name as title, without titles and the like of the film.  Error: a job with scenes. */
bool look_preset_compare(struct YamlNode *root, Arena *arena, Diag *diag);
