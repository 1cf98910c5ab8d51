// SPDX-License-Identifier: MIT
/*
 * spool.h - a temporary file of images, for encoders that need all images before they start
 *
 * The file is compressed, beside the output, and unlinked, so it disappears with the process.
 * Images are read in the order in which they were written.  Not thread-safe.  Errors: DIAG_CREATE,
 * DIAG_IO, DIAG_RESOURCE.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/image.h"

typedef struct Spool Spool;

/* For images of one size; `file` is the path of the output.  NULL after an error. */
Spool *spool_create(const char *file, int width, int height, Arena *arena, Diag *diag);
void spool_destroy(Spool *spool); /* NULL is fine */

bool spool_write(Spool *spool, const Image *image, Diag *diag);

/* Reads the next image; its pixels belong to the spool and are valid until the next call.  Nothing
 * can be written after the first read. */
bool spool_read(Image *image, Spool *spool, Diag *diag);
