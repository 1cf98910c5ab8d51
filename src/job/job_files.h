/*
 * job_files.h - a job made of the files on a command line
 *
 *     odori render model.pmx dance.vmd face.vmd camera.vmd song.wav -o out.mp4
 *
 * Files are told apart by their names, motions by what they hold: a .vmd with camera keys and no
 * bone keys leads the camera.  Motions and poses belong to the model before them (to the first one
 * when they come earlier).
 */
#ifndef JOB_JOB_FILES_H
#define JOB_JOB_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/diag.h"

/* The text of a job file, or NULL after an error (DIAG_USAGE). */
char *job_from_files(const char *const *files, size_t count, Arena *arena, Diag *diag);

#endif
