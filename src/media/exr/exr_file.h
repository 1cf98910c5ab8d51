// SPDX-License-Identifier: MIT
/*
 * exr_file.h - OpenEXR files in memory: any number of channels of one size, and text attributes
 *
 * Scanlines with ZIP compression, which loses nothing, through the C core of OpenEXR.  Equal values
 * give equal bytes for the same versions of OpenEXR and its deflate library.  Without the library
 * at build time writing and reading are errors.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/image.h"

/* The version of OpenEXR, "3.1.5"; NULL if it was not there at build time. */
const char *exr_version(void);

typedef enum ExrType { EXR_TYPE_HALF, EXR_TYPE_FLOAT } ExrType;

typedef struct ExrChannel {
    const char *name; /* "R", "N.X": without blanks, each once */
    ExrType type;
} ExrChannel;

typedef struct ExrAttribute {
    const char *name, *value; /* name: at most 31 bytes */
} ExrAttribute;

typedef struct ExrSpec {
    int width, height; /* size of the display window */
    ImageRect window;  /* the part of it that is stored, not empty: the data window; all 0: all */
    const ExrChannel *channels;
    size_t channel_count;
    const ExrAttribute *attributes;
    size_t attribute_count;
    int fps_num, fps_den;
    int64_t frame;             /* for the time code, from 0 */
    const ImageCamera *camera; /* README, camera; NULL: none */
} ExrSpec;

/* Sets one row of each channel, [channel][width], in the order of the ExrSpec. */
typedef void ExrRowReader(void *user, float *const *rows, int y);

/* Writes a file into memory of the arena.  Returns false after an error was reported. */
bool exr_write(Bytes *out, const ExrSpec *spec, ExrRowReader *read_row, void *user, Arena *arena,
               Diag *diag);

/* The contents of a file: channels in ascending order of their names. */
typedef struct ExrImage {
    int width, height; /* size of the display window */
    ImageRect window;  /* stored pixels, from the upper left corner of the display window */
    ExrChannel *channels;
    float **values; /* [channel_count][pixels of the window] rows from the top */
    size_t channel_count;
    ExrAttribute *attributes; /* those that are texts */
    size_t attribute_count;
} ExrImage;

enum { EXR_MAX_SAMPLES = 1 << 29 }; /* limit of what is read: 2 GiB, 36 channels of 4096 x 3640 */

/* Reads a file of one part with scanlines.  Integer channels become floats. */
bool exr_read(ExrImage *out, Bytes file, Arena *arena, Diag *diag);
