/*
 * effect_known.h - well-known effects by the names of their files, and the keys of `look` that have
 * the same purpose
 *
 * Used by effects.mode map and by the import of projects.  Constant data (scene/effects/README.md
 * 4 has the sources).
 */
#pragma once

#include "base/arena.h"

/* What an accessory controls an effect with, and what becomes of it. */
typedef enum EffectControl { EFFECT_NO_CONTROL, EFFECT_SI, EFFECT_TR } EffectControl;

typedef struct KnownEffect {
    const char *name;      /* the start of the name of a file, without case, blanks, '-' and '_' */
    const char *look;      /* key of `look` */
    EffectControl control; /* Si as shown in MMD, or Tr: a factor of the strength */
} KnownEffect;

/* The row of a file, whose path may be one of Windows; NULL if there is none. */
const KnownEffect *effect_known_find(const char *path, Arena *arena);
