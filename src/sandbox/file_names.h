// SPDX-License-Identifier: MIT
/*
 * file_names.h - the names that a file broker writes for a file or an image sequence
 *
 * The file is given by its name, in which "%05d" stands for digits and for itself: the names of
 * a sequence and of a single file look alike (base/name_pattern.h).  Beside the file itself, a path
 * in its directory matches if after a dot it begins with the name, up to another dot: temporary
 * files, locks and checkpoint directories are named like this, with everything below them:
 * ".film.mp4.123.tmp", ".film.mp4.odori/ledger/0001-of-0001.jsonl".  The file can be such a
 * directory, too.
 */
#pragma once

#include <stdbool.h>

bool file_names_match(const char *file, const char *path);
