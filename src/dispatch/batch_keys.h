// SPDX-License-Identifier: MIT
/*
 * batch_keys.h - the table of all keys of a batch manifest
 *
 * The parser (batch.h) reads a manifest by this table, so that unknown keys are reported with the
 * nearest known one; the manual page odori-batch(5) and the JSON Schema are written from it.
 */
#pragma once

#include <stdio.h>

#include "dispatch/batch.h"
#include "record/options.h"

/* All keys of a manifest; reads a BatchManifest.  The keys matrix, exclude and include are trees,
 * which the parser reads itself. */
extern const OptionTable batch_keys;

/* The keys of an item of include. */
extern const OptionTable batch_include_keys;

/* All keys for help and search: as batch_keys, with the keys of the items of include.  The table is
 * allocated in the arena. */
const OptionTable *batch_keys_reference(Arena *arena);
