// SPDX-License-Identifier: MIT
/*
 * job_archives.h - archives that a job names as files: "file: pack.zip"
 *
 * A value that names an archive becomes the path of the only file in it that can be meant: the
 * model, motion, sound, image or video.  A path into an archive, "pack.zip/model.pmx", needs
 * nothing of this (base/archive_path.h).
 */
#pragma once

#include "base/archive.h"
#include "base/arena.h"
#include "base/diag.h"
#include "format/file_kind.h"
#include "job/job.h"

/* The files of an archive that can be used so, by their extensions; names of macOS's resource
 * directory do not count.  A .pmd model counts if there is no .pmx, an accessory or scene if
 * there is neither. */
typedef ARENA_LIST(const char *) ArchiveMatches;

ArchiveMatches archive_matches(const Archive *archive, FileUse use, Arena *arena);

/* Replaces the paths of a job that name archives.  An error, at the value, if an archive has no
 * such file or several, which it lists. */
bool job_open_archives(Job *job, Arena *arena, Diag *diag);
