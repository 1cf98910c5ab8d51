/*
 * ledger.h - the lines that say which pictures are done
 *
 *     {"run":"host 4242"}                                             a run begins
 *     {"frame":120,"output":0,"bytes":512,"sha256":"64 hex digits"}   a picture is done
 *
 * One file, one writer (the owner of its shard), which only appends: whole lines, by one write each
 * batch. A write that fails is taken back.  What a death leaves of a last line is cut off when the
 * owner opens the file, and passed over by readers.  Any other line that is not as above, to the
 * letter, is passed over with a warning, file:line: what is not believed is drawn again, and what
 * is believed is compared with the picture's file.  So no sync is needed after a still, whose file
 * was synced before: a power cut costs lines, and lines cost drawing.  Errors: DIAG_CREATE (cannot
 * be made), DIAG_IO.
 */
#ifndef CHECKPOINT_LEDGER_H
#define CHECKPOINT_LEDGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "output/sink.h"

enum { LEDGER_MAX_OUTPUTS = 1000, LEDGER_LINE_SIZE = 512 };

typedef struct LedgerPicture {
    int64_t frame; /* number of the output frame, 0..JOB_MAX_FRAME */
    size_t output; /* 0..LEDGER_MAX_OUTPUTS - 1 */
    SinkRecord record;
} LedgerPicture;

/* What a file ends with. */
typedef struct LedgerTail {
    int runs;         /* runs since the last picture */
    char run[128];    /* the last of them: "host 4242"; "" for none */
    int64_t pictures; /* in all */
} LedgerTail;

typedef void LedgerTake(void *user, const LedgerPicture *picture);

/* Hands every picture to `take`, in the order of the lines.  A file that is not there is an empty
 * one. */
bool ledger_read(const char *file, LedgerTake *take, void *user, LedgerTail *tail, Diag *diag);

/* The same of bytes. */
typedef struct LedgerReader {
    LedgerTake *take;
    void *user;
    LedgerTail tail;
    Diag *diag;
    unsigned line;
    size_t used; /* bytes of a line that has not ended yet */
    bool too_long;
    char text[LEDGER_LINE_SIZE];
} LedgerReader;

void ledger_read_bytes(LedgerReader *reader, const char *bytes, size_t size);

typedef struct Ledger {
    int fd;
    char file[4096];
} Ledger;

/* Makes missing folders.  ledger_close is fine after a failure, and twice. */
bool ledger_open(Ledger *ledger, const char *file, Diag *diag);
bool ledger_add(Ledger *ledger, const LedgerPicture *pictures, size_t count, Diag *diag);
bool ledger_add_run(Ledger *ledger, Diag *diag); /* this host, this process */
bool ledger_sync(Ledger *ledger, Diag *diag);
void ledger_close(Ledger *ledger);

#endif
