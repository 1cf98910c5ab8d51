/*
 * frame_source.h - the pictures of a video, of a folder, of a pattern (out/%05d.png) or of one file
 *
 * One after another, by rising number: of a video from 0 on; of files the last digits of their
 * names; files without digits, and one file alone, count from 0 in the order of their names.
 */
#ifndef INSPECT_FRAME_SOURCE_H
#define INSPECT_FRAME_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/image.h"

typedef struct FrameSource FrameSource;

/* NULL after an error: DIAG_MISSING, DIAG_DATA. */
FrameSource *frame_source_open(const char *name, Diag *diag);
void frame_source_close(FrameSource *source); /* NULL is fine */

bool frame_source_is_numbered(const FrameSource *source); /* by the names of files */

/* The next picture, valid until the next call; *image NULL: there is no more. */
bool frame_source_read(const Image **image, int64_t *number, FrameSource *source, Diag *diag);

#endif
