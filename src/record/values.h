// SPDX-License-Identifier: MIT
/*
 * values.h - types of values that an option may have besides those of C
 *
 * Plain data in the arena of the reader.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* The largest output frame number: 10 days at 100 frames/s, so that products with it fit 64 bits.
 */
enum { OUTPUT_FRAME_MAX = 99999999 };
#define FRAME_RANGE_END INT64_MAX /* the last frame of a range that has no end */

typedef struct Rational {
    int num, den; /* in lowest terms, both > 0 */
} Rational;

typedef struct FrameRange { /* output frames, first and last included */
    int64_t first, last;
} FrameRange;

typedef struct FrameRanges { /* ascending, not overlapping; count 0: all frames */
    FrameRange *items;
    size_t count;
} FrameRanges;

typedef struct NamePair {
    const char *from, *to; /* such as names of bones: in the motion, in the model */
} NamePair;

typedef struct NamedNumber {
    const char *name;
    double weight;
} NamedNumber;

typedef struct NamedFile {
    const char *name, *file;
} NamedFile;

typedef struct NamedCapsule {
    const char *from, *to; /* bones; NULL: capsules fitted to the mesh */
    double radius;
} NamedCapsule;

typedef struct OptionSetting { /* a key that is not a default */
    const char *key;           /* "models.0.file" */
    const char *value;         /* as written, on one line */
    const char *source;        /* "job.yaml:14", "--set", "--workers", "command line" */
} OptionSetting;
