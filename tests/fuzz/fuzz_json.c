// SPDX-License-Identifier: MIT
/* Any text as JSON: refused at a line that exists, or a tree of limited size. */
#include <math.h>
#include <string.h>

#include "fuzz.h"
#include "record/json_read.h"

/* The number of values below. */
static size_t walk(const JsonValue *value)
{
    static const int64_t max_int = INT64_C(999999999999999999);
    size_t count = 1;
    int64_t integer = 0;
    fuzz_require(isfinite(value->number) && (value->kind == JSON_TEXT) == (value->text != NULL));
    json_get_integer(&integer, value);
    fuzz_require(-max_int <= integer && integer <= max_int);
    for (uint32_t i = 0; i < json_count(value); i++) {
        fuzz_require((value->kind == JSON_OBJECT) == (value->items[i]->key != NULL));
        count += walk(value->items[i]);
    }
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Arena *arena = arena_create();
    unsigned line = 0;
    const JsonValue *root = json_read(&line, data, size, arena);
    fuzz_require(line >= 1 && line <= size + 1);
    if (root)
        fuzz_require(walk(root) <= size && json_read_own(NULL, data, size, arena) != NULL);
    fuzz_require(arena_bytes(arena) <= 80 * size + 256 * 1024);
    arena_destroy(arena);
    return 0;
}
