// SPDX-License-Identifier: MIT
/*
 * effect_known.h - well-known effects by the names of their files, and the keys of a job that have
 * the same purpose
 *
 * Used by effects.mode map and by the import of projects.  Constant data (scene/effects/README.md
 * 4 has the sources).
 */
#pragma once

#include "base/arena.h"

/* What an accessory controls an effect with: its scale as MMD shows it, or its opacity. */
typedef enum EffectControl { EFFECT_NO_CONTROL, EFFECT_SI, EFFECT_TR } EffectControl;

typedef struct KnownEffect {
    const char *name; /* the start of the name of a file, without case, blanks, '-' and '_' */
    const char *key;  /* what takes its place: "look.glow"; a section of `look`, or another key */
    EffectControl control;
    const char *strength; /* key of the section that is `factor` times the control; or NULL */
    double factor, max;   /* max: the largest value of that key */
} KnownEffect;

/* The row of a file, whose path may be one of Windows; NULL if there is none. */
const KnownEffect *effect_known_find(const char *path, Arena *arena);

/* The section of `look`, "glow"; NULL if its counterpart is another key. */
const char *effect_known_look(const KnownEffect *known);
