// SPDX-License-Identifier: MIT
/*
 * result_schema.h - a table of results as JSON Schema (draft 2020-12)
 *
 * Objects have no other members than the schema lists.
 *
 * failure  what may be there instead, or NULL
 */
#pragma once

#include <stdio.h>

#include "record/result.h"

void result_schema(FILE *out, const ResultTable *table, const ResultTable *failure, const char *id);
