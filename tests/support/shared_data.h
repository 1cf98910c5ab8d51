// SPDX-License-Identifier: MIT
/*
 * shared_data.h - real models and motions, which are not part of the repository
 *
 * They are in ../shared/data/ relative to the repository, or in the directory ODORI_TEST_DATA.
 */
#ifndef SUPPORT_SHARED_DATA_H
#define SUPPORT_SHARED_DATA_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/file.h"

/* The directory, ends with '/'. */
const char *shared_data_directory(void);

/* One file of it.  If it does not exist, false after a line on stderr; the test then calls skip().
 */
bool shared_data_load(Bytes *out, const char *name, Arena *arena);

#endif
