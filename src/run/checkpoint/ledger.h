// SPDX-License-Identifier: MIT
/*
 * ledger.h - the record of completed frames, as lines of JSON
 *
 *     {"run":"host 4242"}                                             start of a run
 *     {"frame":120,"output":0,"bytes":512,"sha256":"64 hex digits","identity":"44 hex digits"}
 *                                                                     a completed frame
 *
 * A ledger has one writer, the owner of its shard, which only appends complete lines, one write()
 * per batch; a failed write is undone by truncating the file.  An incomplete last line of a crashed
 * run is truncated when the owner opens the file, and ignored by readers.  Any other line that does
 * not have exactly the form above is ignored with a warning (file:line), and its frame is rendered
 * again.  A frame whose identity (frame_identity.h) is not known has none.  A recorded frame is
 * compared with its file before it is used, so that no fsync of the ledger is needed after a still:
 * a power failure loses lines, and lost lines only cost time. Errors: DIAG_CREATE (cannot be
 * created), DIAG_IO.  Not thread-safe.
 */
#pragma once

#include <signal.h>
#include <time.h>

#include "base/arena.h"
#include "base/diag.h"
#include "output/sink.h"
#include "run/checkpoint/frame_identity.h"

enum { LEDGER_MAX_OUTPUTS = 1000, LEDGER_LINE_SIZE = 512, LEDGER_RUN_SIZE = 128 };

typedef struct LedgerEntry {
    int64_t frame; /* number of the output frame, 0..OUTPUT_FRAME_MAX */
    size_t output; /* 0..LEDGER_MAX_OUTPUTS - 1 */
    SinkRecord record;
    FrameIdentity identity; /* zeros: not known */
} LedgerEntry;

/* Summary of a ledger. */
typedef struct LedgerTail {
    int runs;                  /* runs since the last completed frame */
    char run[LEDGER_RUN_SIZE]; /* the last one: "host 4242"; "" if there is none */
    int64_t frames;            /* completed, in total */
} LedgerTail;

typedef void LedgerVisitor(void *user, const LedgerEntry *entry);

/* Calls `visit`, which may be NULL, for every completed frame, in the order of the lines.  A
 * missing file is the same as an empty one. */
bool ledger_read(const char *file, LedgerVisitor *visit, void *user, LedgerTail *tail, Diag *diag);

/* The ledger of one shard in a checkpoint directory. */
typedef struct LedgerFile {
    const char *name; /* "0001-of-0004"; first, for text_compare */
    LedgerTail tail;
    struct timespec changed;
} LedgerFile;

typedef ARENA_LIST(LedgerFile) LedgerList;

/* Reads all ledgers of a checkpoint directory in the order of their last change: for a frame in two
 * of them the later entry counts.  Polls *stop (or NULL): false without an error if set. */
bool ledger_read_all(LedgerList *list, const char *directory, LedgerVisitor *visit, void *user,
                     const volatile sig_atomic_t *stop, Arena *arena, Diag *diag);

/* Reads a ledger in blocks of any size. */
typedef struct LedgerReader {
    LedgerVisitor *visit;
    void *user;
    LedgerTail tail;
    Diag *diag;
    Arena *scratch; /* reset at each line */
    unsigned line;
    size_t used; /* bytes of an incomplete line */
    bool too_long;
    char text[LEDGER_LINE_SIZE];
} LedgerReader;

void ledger_read_bytes(LedgerReader *reader, const char *bytes, size_t size);

typedef struct Ledger {
    int fd;
    char file[4096];
} Ledger;

/* Creates missing directories.  ledger_close may be called after a failure, and twice. */
bool ledger_open(Ledger *ledger, const char *file, Diag *diag);
bool ledger_add(Ledger *ledger, const LedgerEntry *entries, size_t count, Diag *diag);
bool ledger_add_run(Ledger *ledger, Diag *diag); /* this host, this process */
void ledger_run_name(char *out, size_t size);    /* "host 4242" */
bool ledger_sync(Ledger *ledger, Diag *diag);
void ledger_close(Ledger *ledger);

/* Writes a ledger with these lines in place of one that may exist. */
bool ledger_replace(const char *file, const LedgerEntry *entries, size_t count, Diag *diag);
