// SPDX-License-Identifier: MIT
/*
 * result_schema.h - a table of results as JSON Schema (draft 2020-12)
 *
 * Objects have no other members than the schema lists.
 */
#pragma once

#include <stdio.h>

#include "record/result.h"

void result_schema(FILE *out, const ResultTable *table, const char *id);
