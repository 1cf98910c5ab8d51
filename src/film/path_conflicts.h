// SPDX-License-Identifier: MIT
/*
 * path_conflicts.h - outputs that would replace an input or each other
 *
 * Paths are compared by the files that they denote: by device and inode of existing files, else by
 * device and inode of the nearest existing directory and the rest of the path.  Symbolic links,
 * hard links, "./" and other mount points therefore make no difference.  An image sequence
 * such as "%05d.png" denotes the files of all of its frames.
 *
 * Messages name the keys (or flags) and both paths.  Not thread-safe.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "film/film_types.h"

typedef struct PathConflicts PathConflicts;

/* `kind`: of the errors, DIAG_JOB or DIAG_USAGE.  Lives in the arena. */
PathConflicts *path_conflicts_create(DiagKind kind, Arena *arena);

/* Adds a file that is read; label: "models.0.file" or "--flag".  file NULL is skipped. */
void path_conflicts_add_input(PathConflicts *conflicts, const char *label, const char *file);

/* The same for a file, a directory or a pattern such as "%05d.png" whose files are read. */
void path_conflicts_add_source(PathConflicts *conflicts, const char *label, const char *source);

/* Adds every file that a job reads; scene (or NULL): the textures of its models, too; film: those
 * of all of its scenes. */
void path_conflicts_add_job(PathConflicts *conflicts, const Job *job, const Scene *scene);
void path_conflicts_add_film(PathConflicts *conflicts, const Film *film);

/* The inputs that were added. */
size_t path_conflicts_input_count(const PathConflicts *conflicts);
const char *path_conflicts_input_label(const PathConflicts *conflicts, size_t index);
const char *path_conflicts_input_file(const PathConflicts *conflicts, size_t index);

/* Adds a file that is written; frames: those of an image sequence (count 0: all), or NULL.  False
 * after an error: it is the same file as an input or as an output that was added before, or its
 * name is too long for the files beside it (DIAG_CREATE). */
bool path_conflicts_add_output(PathConflicts *conflicts, const char *label, const char *file,
                               const FrameRanges *frames, Diag *diag);

/* Checks the outputs and previews of a film (DIAG_JOB; DIAG_USAGE if --output names them), or a
 * file that a verb writes for a job (DIAG_USAGE; scene NULL: it is loaded to find the textures). */
bool path_conflicts_check_film(const Film *film, Diag *diag);
bool path_conflicts_check_file(const char *label, const char *file, const Job *job,
                               const Scene *scene, Diag *diag);
