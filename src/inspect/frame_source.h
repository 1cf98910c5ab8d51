/*
 * frame_source.h - frames of a video, of a directory, of a pattern (out/%05d.png) or of one image
 *
 * Frames are read one after another, by ascending number.  The frames of a video are numbered from
 * 0, image files by the last digits of their names.  A single image, and files of which at least
 * one name has no number or two have the same, are numbered from 0 in the order of their names.
 */
#ifndef INSPECT_FRAME_SOURCE_H
#define INSPECT_FRAME_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/image.h"

typedef struct FrameSource FrameSource;

/* NULL after an error was reported (DIAG_MISSING, DIAG_DATA). */
FrameSource *frame_source_open(const char *name, Diag *diag);
void frame_source_close(FrameSource *source); /* NULL is fine */

bool frame_source_is_numbered(const FrameSource *source); /* by file names */

/* Reads the next frame, which is valid until the next call; *image is NULL after the last. */
bool frame_source_read(const Image **image, int64_t *number, FrameSource *source, Diag *diag);

#endif
