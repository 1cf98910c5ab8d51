// SPDX-License-Identifier: MIT
/*
 * tree.h - the state of a directory, to see whether anything in it has changed
 */
#pragma once

#include <stdbool.h>

#include "base/hash.h"

/* A digest of the names, kinds and modes of everything below a directory, the contents of files and
 * the targets of links; of the directory itself only of entries that `skip` does not name (NULL:
 * none). */
Digest tree_digest(const char *directory, bool (*skip)(const char *name));
