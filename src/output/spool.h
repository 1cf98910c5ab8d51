/*
 * spool.h - pictures put aside until all are there
 *
 * In a file without a name, beside the one that they are for, packed; gone with the process that
 * opened it. They come back in the order they were put.  Errors: DIAG_CREATE, DIAG_IO,
 * DIAG_RESOURCE.
 */
#ifndef OUTPUT_SPOOL_H
#define OUTPUT_SPOOL_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/image.h"

typedef struct Spool Spool;

/* For pictures of one size; `file` names the place.  NULL after an error. */
Spool *spool_create(const char *file, int width, int height, Arena *arena, Diag *diag);
void spool_destroy(Spool *spool); /* NULL is fine */

bool spool_write(Spool *spool, const Image *image, Diag *diag);

/* The next one, from the first on; its pixels are the spool's, until the next call.  No put after
 * it. */
bool spool_read(Image *image, Spool *spool, Diag *diag);

#endif
