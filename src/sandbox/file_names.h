// SPDX-License-Identifier: MIT
/*
 * file_names.h - the names that a file broker writes for a pattern
 *
 * A pattern such as "%05d.png" or "%03d/image.png" is relative to a directory.  A path below the
 * directory matches if its components are those of the pattern, where "%05d" stands for digits. The
 * first part of the path is enough, because directories are created, too.
 *
 * After a dot a component only has to begin like that of the pattern, up to another dot, and "%05d"
 * also stands for itself: temporary files, locks and checkpoint directories are named like this,
 * with everything below them: ".film.mp4.123.tmp", ".film.mp4.odori/ledger/0001-of-0001.jsonl".  A
 * pattern can be such a name, too.
 */
#pragma once

#include <stdbool.h>

bool file_names_match(const char *pattern, const char *path);
