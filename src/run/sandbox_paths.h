// SPDX-License-Identifier: MIT
/*
 * sandbox_paths.h - the files that the processes of a job may use (sandbox/sandbox.h)
 *
 * Everything is added to `rules`; the files of a job itself by cli/sandbox_session.h.  Of an output
 * the directory can be written, because a file is written beside its final name, but only names
 * that begin like its own (sandbox/file_names.h); an output that is a device or a FIFO, only
 * itself.
 */
#pragma once

#include "film/film_types.h"
#include "sandbox/sandbox.h"

/* A file or a pattern such as "%05d.png" that a verb reads or writes; "-" and "null:" are no files.
 */
void sandbox_paths_add_file(SandboxRules *rules, const char *file, unsigned access, Arena *arena);

/* The files that the encoder opens, and those that workers still open after their OpenGL context
 * exists.
 * `checkpoint`: its directory, or NULL. */
void sandbox_paths_add_worker(SandboxRules *rules, const Film *film, const char *checkpoint,
                              Arena *arena);
void sandbox_paths_add_encoder(SandboxRules *rules, const Film *film, const char *checkpoint,
                               Arena *arena);
