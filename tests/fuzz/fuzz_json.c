/* Any bytes: refused, or read to the end; opened item by item they say the same as when passed
 * over. */
#include <stdlib.h>
#include <string.h>

#include "base/json_read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Objects and lists as far as texts go; the rest is skipped. */
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
    enum { MOST_PER_BYTE = 80, MOST_MORE = 256 * 1024 };
    Arena *arena = arena_create();
    JsonReader skipped = json_read_init(data, size, arena);
    json_read_skip(&skipped);
    const bool refused = json_read_failed(&skipped);
    if (skipped.at > skipped.end || json_read_line(&skipped) > size + 1)
        abort();
    if (!refused) { /* what is whole reads the same by parts; what is not may stop elsewhere */
        JsonReader walked = json_read_init(data, size, arena);
        walk(&walked, walked.end);
        if (json_read_failed(&walked))
            abort();
    }
    JsonReader number = json_read_init(data, size, arena);
    const int64_t value = json_read_int(&number);
    if (value > INT64_C(999999999999999999) || value < -INT64_C(999999999999999999))
        abort();
    if (arena_bytes(arena) > MOST_PER_BYTE * size + MOST_MORE)
        abort();
    arena_destroy(arena);
    return 0;
}
