/* Any bytes: pictures within bounds, the same ones however the bytes come; each is a line, to the
 * letter. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "job/job.h"
#include "checkpoint/ledger.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST = 64 };

typedef struct Seen {
    const char *bytes;
    size_t size, count;
    LedgerPicture first[MOST];
} Seen;

static void ignore(void *user, DiagLevel level, const char *message)
{
    (void)user, (void)level, (void)message;
}

static void see(void *user, const LedgerPicture *picture)
{
    Seen *seen = user;
    char digest[DIGEST_TEXT_SIZE], line[LEDGER_LINE_SIZE];
    digest_text(digest, &picture->record.digest);
    const int size =
        snprintf(line, sizeof line,
                 "{\"frame\":%" PRId64 ",\"output\":%zu,\"bytes\":%" PRIu64 ",\"sha256\":\"%s\"}\n",
                 picture->frame, picture->output, picture->record.bytes, digest);
    if (picture->frame < 0 || picture->frame > JOB_MAX_FRAME ||
        picture->output >= LEDGER_MAX_OUTPUTS ||
        !memmem(seen->bytes, seen->size, line, (size_t)size))
        abort();
    if (seen->count < MOST)
        seen->first[seen->count] = *picture;
    seen->count++;
}

static LedgerTail read_in_steps(Seen *seen, size_t step)
{
    Diag diag;
    diag_init(&diag, ignore, NULL);
    LedgerReader reader = {.take = see, .user = seen, .diag = &diag};
    for (size_t at = 0; at < seen->size; at += step)
        ledger_read_bytes(&reader, seen->bytes + at,
                          seen->size - at < step ? seen->size - at : step);
    return reader.tail;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Seen whole = {.bytes = (const char *)data, .size = size}, steps = whole;
    const LedgerTail one = read_in_steps(&whole, size ? size : 1);
    const LedgerTail two = read_in_steps(&steps, size ? 1 + data[0] % 200 : 1);
    if (whole.count != steps.count || one.runs != two.runs || strcmp(one.run, two.run) != 0 ||
        one.pictures != (int64_t)whole.count ||
        memcmp(whole.first, steps.first, sizeof whole.first) != 0)
        abort();
    return 0;
}
