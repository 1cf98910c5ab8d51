// SPDX-License-Identifier: MIT
#include "dispatch/batch_keys.h"

#include <string.h>

#define KEY_ROWS
#include "dispatch/batch_keys.inc"

enum { ROW_COUNT = sizeof BatchManifest_rows / sizeof *BatchManifest_rows };

const OptionTable *batch_keys_reference(Arena *arena)
{
    OptionTable *table = arena_array(arena, OptionTable, 1);
    Option *rows = arena_array(arena, Option, ROW_COUNT);
    memcpy(rows, BatchManifest_rows, sizeof BatchManifest_rows);
    for (size_t i = 0; i < ROW_COUNT; i++)
        if (!strcmp(rows[i].key, "include")) {
            rows[i].type = OPTION_LIST;
            rows[i].table = &batch_include_keys;
            rows[i].max = BATCH_MAX_JOBS;
        }
    *table = (OptionTable){rows, ROW_COUNT, sizeof(BatchManifest), NULL};
    return table;
}
