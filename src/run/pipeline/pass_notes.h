// SPDX-License-Identifier: MIT
/*
 * pass_notes.h - what the values of a pass mean, as JSON beside the outputs
 *
 * "depth/%05d.png" has depth/depth.json, "out/mask.mkv" out/mask.mkv.json (picture/passes/README.md
 * 3; `odori schema pass-note`).
 */
#pragma once

#include "base/diag.h"
#include "film/film_types.h"
#include "record/result.h"

extern const ResultTable pass_note_result;

/* Writes the notes of all outputs that take depth or a mask; the text depends on the film only, so
 * that shards write the same.  False after an error was reported. */
bool pass_notes_write(const Film *film, Diag *diag);
