// SPDX-License-Identifier: MIT
/*
 * option_schema.h - a table of options as JSON Schema (draft 2020-12), for editors
 *
 * A key that accepts several types has a list of types instead of anyOf, so that a validator
 * reports a mistake at its own key: "/render/fps must be <= 240".
 */
#pragma once

#include <stdio.h>

#include "record/options.h"

/* Writes the schema of a file whose root is a map by `table`. */
void option_schema(FILE *out, const OptionTable *table, const char *id, const char *title);
