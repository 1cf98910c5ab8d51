// SPDX-License-Identifier: MIT
/* Arbitrary bytes: valid records, independent of how the bytes are split; each is exactly one line
 * of the input. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "fuzz.h"
#include "job/job.h"
#include "run/checkpoint/ledger.h"

enum { MAX_KEPT = 64 };

typedef struct Records {
    const char *bytes;
    size_t size, count;
    LedgerEntry first[MAX_KEPT];
} Records;

static void collect(void *user, const LedgerEntry *picture)
{
    Records *records = user;
    char digest[DIGEST_TEXT_SIZE], identity[FRAME_IDENTITY_TEXT_SIZE], line[LEDGER_LINE_SIZE];
    const bool known = picture_digest_is_known(&picture->identity.picture);
    digest_text(digest, &picture->record.digest);
    frame_identity_text(identity, &picture->identity);
    const int size = snprintf(line, sizeof line,
                              "{\"frame\":%" PRId64 ",\"output\":%zu,\"bytes\":%" PRIu64
                              ",\"sha256\":\"%s%s%s\"}\n",
                              picture->frame, picture->output, picture->record.bytes, digest,
                              known ? "\",\"identity\":\"" : "", known ? identity : "");
    if (picture->frame < 0 || picture->frame > OUTPUT_FRAME_MAX ||
        picture->output >= LEDGER_MAX_OUTPUTS ||
        !memmem(records->bytes, records->size, line, (size_t)size))
        abort();
    if (records->count < MAX_KEPT)
        records->first[records->count] = *picture;
    records->count++;
}

/* Without the padding. */
static bool are_equal(const Records *a, const Records *b)
{
    for (size_t i = 0; i < MAX_KEPT; i++) {
        const LedgerEntry *left = &a->first[i], *right = &b->first[i];
        if (left->frame != right->frame || left->output != right->output ||
            left->record.bytes != right->record.bytes ||
            !digest_equal(&left->record.digest, &right->record.digest) ||
            memcmp(&left->identity, &right->identity, sizeof left->identity) != 0)
            return false;
    }
    return true;
}

static LedgerTail read_in_steps(Records *records, size_t step)
{
    Diag diag = fuzz_diag();
    LedgerReader reader = {
        .visit = collect, .user = records, .diag = &diag, .scratch = arena_create()};
    for (size_t at = 0; at < records->size; at += step)
        ledger_read_bytes(&reader, records->bytes + at,
                          records->size - at < step ? records->size - at : step);
    arena_destroy(reader.scratch);
    return reader.tail;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Records whole = {.bytes = (const char *)data, .size = size}, steps = whole;
    const LedgerTail one = read_in_steps(&whole, size ? size : 1);
    const LedgerTail two = read_in_steps(&steps, size ? 1 + data[0] % 200 : 1);
    if (whole.count != steps.count || one.runs != two.runs || strcmp(one.run, two.run) != 0 ||
        one.frames != (int64_t)whole.count || !are_equal(&whole, &steps))
        abort();
    return 0;
}
