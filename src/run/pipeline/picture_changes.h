// SPDX-License-Identifier: MIT
/*
 * picture_changes.h - how many pixels of the drawn frames differ from those of the film that an
 * edited job replaces (README 7)
 *
 * Compares at most RUN_RECORD_COMPARED frames, which are evenly distributed among those that can
 * have changed, and keeps small pictures of RUN_PICTURES of them, before and after: of each sixth
 * the one that changed most.  The result does not depend on the order in which frames are drawn.
 * It is information alone: what cannot be read is not compared.  For the main process.
 */
#pragma once

#include "base/arena.h"
#include "film/film_types.h"
#include "run/checkpoint/checkpoint.h"

typedef struct PictureChanges PictureChanges;

/* NULL if there is nothing to compare with; the functions below accept that.  In the arena; the
 * film and the checkpoint must outlive it. */
PictureChanges *picture_changes_create(const Film *film, Checkpoint *checkpoint, Arena *arena);

/* Reads the earlier picture of a frame, before the new one can replace its file. */
void picture_changes_before(PictureChanges *changes, int64_t frame);

/* Compares it with the new one; pixels: those of the frame's slot. */
void picture_changes_after(PictureChanges *changes, int64_t frame, uint8_t *pixels);

/* Writes the pictures, hands the numbers to the checkpoint, and releases all memory. */
void picture_changes_finish(PictureChanges *changes);
