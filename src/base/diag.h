// SPDX-License-Identifier: MIT
/*
 * diag.h - errors and warnings, each reported once, with its location
 *
 * A function that can fail takes a `Diag *` last and returns false after it has reported the error.
 * The caller adds nothing, cleans up and returns false.  A message reads "file: item 12: problem
 * (range)": lower case, no full stop, text values in single quotes.
 *
 * An error has a kind, from which cli alone chooses the exit status.  The kind of the first error
 * is kept.  A warning means that the input was repaired as MMD does it, and the message says how.
 * Warnings with the same format string form a category: the first ones of a file are shown, the
 * rest is counted.  Each warning has a class (base/warning.h), which the rules of the Diag may make
 * an error or hide.
 *
 * An error that is reported while memory_has_failed() becomes one of kind DIAG_RESOURCE, and a
 * warning ends the process (base/README.md 2): libraries report lack of memory as any other
 * problem.
 *
 * Not thread-safe.  Texts are copied, except the static strings of diag_item.
 */
#pragma once

#include "base/text.h"
#include "base/warning.h"

/* cli maps each kind to one exit status. */
typedef enum DiagKind {
    DIAG_NONE = 0,
    DIAG_FAILED,     /* 1   partial failure: some items failed, the others succeeded */
    DIAG_USAGE,      /* 2   the command line */
    DIAG_DATA,       /* 65  damaged model, motion, picture, sound */
    DIAG_MISSING,    /* 66  an input does not exist or cannot be read */
    DIAG_RESOURCE,   /* 69  no memory, no such encoder, no OpenGL */
    DIAG_INTERNAL,   /* 70  internal error */
    DIAG_CREATE,     /* 73  the output cannot be created */
    DIAG_IO,         /* 74  I/O error, disk full */
    DIAG_INCOMPLETE, /* 75  timeout, frames missing, lock held */
    DIAG_JOB         /* 78  job file invalid */
} DiagKind;

typedef enum DiagLevel { DIAG_NOTE, DIAG_WARNING, DIAG_ERROR } DiagLevel;

/* One message, as it is shown and in parts.  All texts are valid only during the call. */
typedef struct DiagMessage {
    DiagLevel level;
    const char *shown;     /* with all parts, without "error: " and newline */
    const char *code;      /* class of a warning, diag_kind_name of an error, "note" */
    const char *file;      /* "" if the message has none */
    unsigned line, column; /* 0 if unknown */
    const char *text;      /* without file and line, hint and excerpt */
    const char *hint;      /* "did you mean 'x'?"; "" if there is none */
} DiagMessage;

/* Receives each message.  `user` is the pointer of diag_init, or of the observer. */
typedef void DiagSink(void *user, const DiagMessage *message);

/* The position of a value in a text file, for messages about what the value names. */
typedef struct DiagLocation {
    const char *file;      /* NULL: the location of the Diag is used */
    unsigned line, column; /* from 1 */
    const char *key;       /* "models.0.file"; NULL: none */
    const char *excerpt;   /* lines below an error, each after a line break; "" for none */
} DiagLocation;

/* Finds where the value of a key is, such as "models.0.attach.bone"; `name`, which may contain
 * dots, is one more word of the key; or NULL.  Returns NULL if no text gives the value. */
typedef struct DiagLocator {
    const DiagLocation *(*find)(void *user, const char *key, const char *name);
    void *user;
} DiagLocator;

/* The treatment of the warnings of each class, as bits of WarningClass. */
typedef struct DiagRules {
    bool strict;                     /* every warning is an error, unless it is hidden */
    uint32_t errors, hidden, shown;  /* from the command line; they override those of the job */
    uint32_t job_errors, job_hidden; /* from the job */
    bool quirks; /* warnings about quirks are shown; otherwise only those in `shown` are */
} DiagRules;

enum {
    DIAG_CATEGORIES = 64,
    DIAG_SHOWN_PER_CATEGORY = 3,
    DIAG_FILE_SIZE = 1024,
    DIAG_KEY_SIZE = 256
};

typedef struct DiagCategory {
    const char *format;
    unsigned count;
} DiagCategory;

/* The messages of a stage of which none is reported twice: hashes of their texts and places, not of
 * the keys by which these places were found.  What is beyond them is reported each time. */
enum { DIAG_ONCE = 256 };
typedef struct DiagOnce {
    uint64_t seen[DIAG_ONCE];
    size_t count;
} DiagOnce;

typedef struct Diag {
    DiagSink *sink;
    void *user;
    DiagSink *observer; /* receives each message, too, for a report; or NULL */
    void *observer_user;
    DiagRules rules;
    DiagKind kind; /* the kind of the first error, else DIAG_NONE */
    unsigned errors, warnings;

    char file[DIAG_FILE_SIZE]; /* file name as the user wrote it, or "" */
    const char *item;          /* "bone", "vertex", or NULL */
    uint64_t index;
    unsigned line, column;     /* 1-based, used instead of item; 0 if unknown */
    const DiagLocation *place; /* as diag_place */
    DiagOnce *once;            /* or NULL */
    DiagLocator locator;       /* of `key`; or all zero */
    char key[DIAG_KEY_SIZE];   /* of diag_key */
    const char *key_name;

    DiagCategory categories[DIAG_CATEGORIES];
    size_t category_count;
} Diag;

/* sink NULL prints "odori: error: ..." lines to stderr. */
void diag_init(Diag *diag, DiagSink *sink, void *user);

/* A Diag that shows nothing, for code that only needs to know whether a call fails; its sink. */
Diag diag_quiet(void);
void diag_ignore(void *user, const DiagMessage *message);

/* Location of the following messages; NULL or "" clears it.  diag_file first calls diag_flush for
 * the previous file, resets item and line, and clears errno. */
void diag_file(Diag *diag, const char *file);
void diag_item(Diag *diag, const char *item, uint64_t index); /* item: a string constant, or NULL */
void diag_line(Diag *diag, unsigned line, unsigned column);

/* The location of the following messages that have none of their own: of the value that names what
 * is checked.  NULL: none.  It must live until it is replaced. */
void diag_place(Diag *diag, const DiagLocation *location);

/* The location of the value of a key of the settings, which the locator finds if a message is
 * written.  Valid until the next call of either; NULL without a locator. */
const DiagLocation *diag_key(Diag *diag, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
const DiagLocation *diag_named_key(Diag *diag, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* What the locator finds if this is the location of a key; any other location as it is. */
const DiagLocation *diag_locate(const Diag *diag, const DiagLocation *location);

/* Passes a line that was finished elsewhere to the sink alone: nothing is counted. */
void diag_forward(const Diag *diag, DiagLevel level, const char *shown);

/* Reports how many warnings were counted but not shown.  Call at the end of a stage. */
void diag_flush(Diag *diag);

/* Always return false, so that `return diag_error(...)` reads well.  diag_error is kind DIAG_DATA.
 */
bool diag_error(Diag *diag, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool diag_fail(Diag *diag, DiagKind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same at the location of a value, and with its key: "job.yaml:4:11: models.0.file: ...".
 * location NULL: at the location of the Diag. */
bool diag_fail_at(Diag *diag, const DiagLocation *location, DiagKind kind, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* "no bone 'x' in miku.pmx; did you mean 'y'?": `what` is "bone", `known` are the names in `file`,
 * of which the message has the last part. */
bool diag_unknown_name(Diag *diag, const DiagLocation *location, const char *what, const char *name,
                       const char *file, TextNames known);

/* Return true, or false if the rules make the warning an error; most callers ignore it. */
bool diag_warn(Diag *diag, WarningClass warning, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool diag_warn_at(Diag *diag, const DiagLocation *location, WarningClass warning,
                  const char *format, ...) __attribute__((format(printf, 4, 5)));
void diag_note(Diag *diag, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The kind of error for an errno: DIAG_IO or DIAG_RESOURCE if a retry may succeed (full disk,
 * failed read, too many open files), else `otherwise`. */
DiagKind diag_errno_kind(int error, DiagKind otherwise);

/* A stable word for a kind of error: "usage", "data", "missing", ...; "" for DIAG_NONE. */
const char *diag_kind_name(DiagKind kind);
