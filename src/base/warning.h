// SPDX-License-Identifier: MIT
/*
 * warning.h - the classes of warnings
 *
 * Each warning has a class with a stable name, by which a user makes it an error (--strict=CLASS),
 * hides it (-W no-CLASS) or shows it (-W CLASS), and by which other programs identify it.  Constant
 * data and pure functions.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* In the order of the table; at most 32, because sets of classes are bits of a uint32_t. */
typedef enum WarningClass {
    WARN_MISSING_TEXTURE,
    WARN_OTHER_TEXTURE,
    WARN_BAD_TEXTURE,
    WARN_EFFECT,
    WARN_MISFIT,
    WARN_PARTIAL_FIT,
    WARN_UNUSED_MOTION,
    WARN_PAST_END,
    WARN_SOUND_LENGTH,
    WARN_SAME_PLACE,
    WARN_ATTACH,
    WARN_CLOTH,
    WARN_PREVIEW,
    WARN_MISSING_GLYPH,
    WARN_SUBTITLES,
    WARN_LOST_ALPHA,
    WARN_LOST_SOUND,
    WARN_TRUNCATED,
    WARN_TRAILING_DATA,
    WARN_BAD_VALUE,
    WARN_BAD_REFERENCE,
    WARN_EMPTY_MODEL,
    WARN_VOICE,
    WARN_BAD_SONG,
    WARN_PHYSICS,
    WARN_SOFT_BODY,
    WARN_BONE_ORDER,
    WARN_DUPLICATE_NAME,
    WARN_CHECKPOINT,
    WARN_WORKER,
    WARN_OVER_LIMIT,
    WARN_JOB,
    WARN_CLASS_COUNT
} WarningClass;

typedef struct WarningInfo {
    const char *name; /* "missing-texture" */
    const char *help; /* the fault, and what the program does about it */
    bool quirk;       /* a habit of a model's author, of no consequence; shown with -v only */
} WarningInfo;

extern const WarningInfo warning_classes[WARN_CLASS_COUNT];

/* The names, ended by NULL, for options and messages. */
extern const char *const warning_names[WARN_CLASS_COUNT + 1];

static inline uint32_t warning_bit(WarningClass warning)
{
    return (uint32_t)1 << warning;
}

/* The class with the name text[0..size), or -1. */
int warning_find(const char *text, unsigned size);
