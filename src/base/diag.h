/*
 * diag.h - problems, told once, with their place
 *
 * What can fail takes a `Diag *` last and returns false after it told the Diag why.  The caller
 * adds nothing, cleans up and returns false.  A message reads "file: item 12: what is wrong
 * (range)": lower case, no full stop, text values in single quotes.
 *
 * An error has a kind, from which cli alone chooses the exit status.  The first error's kind stays.
 * A warning means: repaired as MMD does, and the message says how.  Warnings with the same format
 * string are one sort: a few are shown per file, the rest counted.  Under `strict` they are errors.
 *
 * Not thread-safe.  Texts handed in are copied, except the static strings of diag_item.
 */
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What kind of trouble; cli maps each to one exit status (design, section 4). */
typedef enum DiagKind {
    DIAG_NONE = 0,
    DIAG_FAILED,     /* 1   some of what was asked for failed, the rest was done */
    DIAG_USAGE,      /* 2   the command line */
    DIAG_DATA,       /* 65  damaged model, motion, picture, sound */
    DIAG_MISSING,    /* 66  an input is not there or cannot be read */
    DIAG_RESOURCE,   /* 69  memory limit, encoder or GL absent */
    DIAG_INTERNAL,   /* 70  our own fault */
    DIAG_CREATE,     /* 73  the output cannot be created */
    DIAG_IO,         /* 74  I/O error, disk full */
    DIAG_INCOMPLETE, /* 75  timeout, frames missing, lock held */
    DIAG_JOB         /* 78  job file invalid */
} DiagKind;

typedef enum DiagLevel { DIAG_NOTE, DIAG_WARNING, DIAG_ERROR } DiagLevel;

/* Receives each finished line, without "error: " and newline. `user` is the pointer of diag_init.
 */
typedef void DiagSink(void *user, DiagLevel level, const char *message);

enum { DIAG_SORTS = 64, DIAG_SHOWN_PER_SORT = 3, DIAG_PLACE_SIZE = 1024 };

typedef struct DiagSort {
    const char *format;
    unsigned count;
} DiagSort;

typedef struct Diag {
    DiagSink *sink;
    void *user;
    bool strict;
    DiagKind kind; /* of the first error; DIAG_NONE while there is none */
    unsigned errors, warnings;

    char file[DIAG_PLACE_SIZE]; /* place: file name as the user wrote it, "" for none */
    const char *item;           /* "bone", "vertex"; NULL for none */
    uint64_t index;
    unsigned line, column; /* 1-based; 0 for none; used instead of item */

    DiagSort sorts[DIAG_SORTS];
    size_t sort_count;
} Diag;

/* sink NULL prints "odori: error: ..." lines to stderr. */
void diag_init(Diag *diag, DiagSink *sink, void *user);

/* A DiagSink that ignores messages, for code that only needs to know whether a call fails. */
void diag_ignore(void *user, DiagLevel level, const char *message);

/* The place of what is told from now on.  NULL or "" clears.  Sets back item and line, and first
 * tells how many warnings of the previous file were held back. */
void diag_file(Diag *diag, const char *file);
void diag_item(Diag *diag, const char *item, uint64_t index); /* item: a string constant, or NULL */
void diag_line(Diag *diag, unsigned line, unsigned column);

/* Tells that counted warnings were held back ("... 12 more like: ...").  Call at the end of a
 * stage. */
void diag_flush(Diag *diag);

/* Always return false, so that `return diag_error(...)` reads well.  diag_error is kind DIAG_DATA.
 */
bool diag_error(Diag *diag, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool diag_fail(Diag *diag, DiagKind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Return true (false when strict makes it an error; most callers need not look). */
bool diag_warn(Diag *diag, const char *format, ...) __attribute__((format(printf, 2, 3)));
void diag_note(Diag *diag, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
