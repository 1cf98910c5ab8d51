// SPDX-License-Identifier: MIT
/* Arbitrary bytes: refused, or read to the end; a valid value is also valid item by item. */
#include <string.h>

#include "base/json_read.h"
#include "fuzz.h"

/* Reads objects, lists and strings item by item; skips other values. */
static void walk(JsonReader *r, const char *end)
{
    const char *key;
    while (r->at < end && strchr(" \n\r\t", *r->at) && *r->at)
        r->at++;
    if (r->at < end && *r->at == '{')
        for (json_read_open(r, '{'); json_read_key(&key, r);)
            walk(r, end);
    else if (r->at < end && *r->at == '[')
        for (json_read_open(r, '['); json_read_item(r);)
            walk(r, end);
    else if (r->at < end && *r->at == '"')
        json_read_text(r);
    else
        json_read_skip(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const int64_t max_int = INT64_C(999999999999999999);
    Arena *arena = arena_create();
    JsonReader skipped = json_read_init(data, size, arena);
    json_read_skip(&skipped);
    const bool refused = json_read_failed(&skipped);
    fuzz_require(skipped.at <= skipped.end && json_read_line(&skipped) <= size + 1);
    if (!refused) { /* an invalid value may fail at another position */
        JsonReader walked = json_read_init(data, size, arena);
        walk(&walked, walked.end);
        fuzz_require(!json_read_failed(&walked));
    }
    JsonReader number = json_read_init(data, size, arena);
    const int64_t value = json_read_int(&number);
    fuzz_require(-max_int <= value && value <= max_int);
    fuzz_require(arena_bytes(arena) <= 80 * size + 256 * 1024);
    arena_destroy(arena);
    return 0;
}
