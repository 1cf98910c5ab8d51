// SPDX-License-Identifier: MIT
/*
 * job_files.h - a job from the files on a command line
 *
 *     odori render model.pmx dance.vmd face.vmd camera.vmd song.wav lyrics.srt -o out.mp4
 *
 * The kind of a file is recognized by its extension; a .vmd with camera keys and without bone and
 * morph keys is a camera motion, and a .glb whose animation moves a body is a motion if there is a
 * model that it can move.  Motions and poses belong to the model before them, or to the
 * first model if there is none before them.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"

/* The output of a command line that names none, in the current directory: MODEL-MOTION.mp4, by the
 * names of the first files of these kinds. */
const char *job_files_output(const char *const *files, size_t count, const char *extension,
                             Arena *arena);

/* The text of a job file with the files of a source, or NULL after an error (DIAG_USAGE). */
struct JobSource;
char *job_from_files(const struct JobSource *source, Arena *arena, Diag *diag);
