#include "base/diag.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

enum { MESSAGE_SIZE = 4096 };

static void print_to_stderr(void *user, DiagLevel level, const char *message)
{
    (void)user;
    static const char *const words[] = {"", "warning: ", "error: "};
    fprintf(stderr, "odori: %s%s\n", words[level], message);
}

void diag_ignore(void *user, DiagLevel level, const char *message)
{
    (void)user;
    (void)level;
    (void)message;
}

void diag_init(Diag *diag, DiagSink *sink, void *user)
{
    memset(diag, 0, sizeof *diag);
    diag->sink = sink ? sink : print_to_stderr;
    diag->user = user;
}

static size_t format_location(const Diag *diag, char *out, size_t size)
{
    int n = 0;
    out[0] = '\0';
    if (diag->file[0] && diag->line)
        n = snprintf(out, size, "%s:%u:%u: ", diag->file, diag->line, diag->column);
    else if (diag->file[0] && diag->item)
        n = snprintf(out, size, "%s: %s %" PRIu64 ": ", diag->file, diag->item, diag->index);
    else if (diag->file[0])
        n = snprintf(out, size, "%s: ", diag->file);
    return n < 0 ? 0 : (size_t)n < size ? (size_t)n : size - 1;
}

/* Names in files and jobs may contain control characters, which would change the terminal. */
static void hide_controls(char *message)
{
    for (; *message; message++)
        if (((unsigned char)*message < 0x20 && *message != '\n' && *message != '\t') ||
            *message == 0x7f)
            *message = '?';
}

static void report(Diag *diag, DiagLevel level, const char *format, va_list args)
{
    char message[MESSAGE_SIZE];
    const size_t at = format_location(diag, message, sizeof message);
    vsnprintf(message + at, sizeof message - at, format, args);
    hide_controls(message);
    diag->sink(diag->user, level, message);
}

/*
 * A library that lacks memory reports that the file is damaged, that a codec does not start, or
 * whatever else went wrong for it.  The failed allocation has left errno, which diag_file clears.
 */
static bool is_short_of_memory(DiagKind kind)
{
    return errno == ENOMEM && kind != DIAG_RESOURCE && kind != DIAG_FAILED &&
           kind != DIAG_INCOMPLETE;
}

static void fail(Diag *diag, DiagKind kind, const char *format, va_list args)
{
    char cause[MESSAGE_SIZE];
    if (is_short_of_memory(kind)) {
        vsnprintf(cause, sizeof cause, format, args);
        diag_fail(diag, DIAG_RESOURCE, "out of memory: %s", cause);
        return;
    }
    if (diag->kind == DIAG_NONE)
        diag->kind = kind;
    diag->errors++;
    report(diag, DIAG_ERROR, format, args);
}

bool diag_error(Diag *diag, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fail(diag, DIAG_DATA, format, args);
    va_end(args);
    return false;
}

bool diag_fail(Diag *diag, DiagKind kind, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fail(diag, kind, format, args);
    va_end(args);
    return false;
}

/* How often this category has occurred before; -1 if the table is full. */
static int count_warning(Diag *diag, const char *format)
{
    for (size_t i = 0; i < diag->category_count; i++)
        if (diag->categories[i].format == format || !strcmp(diag->categories[i].format, format))
            return (int)diag->categories[i].count++;
    if (diag->category_count == DIAG_CATEGORIES)
        return -1;
    diag->categories[diag->category_count++] = (DiagCategory){format, 1};
    return 0;
}

bool diag_warn(Diag *diag, const char *format, ...)
{
    if (errno == ENOMEM) /* a repair would give another film than with memory */
        memory_exhausted(0);
    const bool shown = count_warning(diag, format) < DIAG_SHOWN_PER_CATEGORY;
    va_list args;
    va_start(args, format);
    if (diag->strict) {
        fail(diag, DIAG_DATA, format, args);
    } else {
        diag->warnings++;
        if (shown)
            report(diag, DIAG_WARNING, format, args);
    }
    va_end(args);
    return !diag->strict;
}

void diag_note(Diag *diag, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    report(diag, DIAG_NOTE, format, args);
    va_end(args);
}

void diag_flush(Diag *diag)
{
    diag->item = NULL;
    diag->line = diag->column = 0;
    unsigned hidden = 0;
    for (size_t i = 0; i < diag->category_count; i++)
        if (diag->categories[i].count > DIAG_SHOWN_PER_CATEGORY)
            hidden += diag->categories[i].count - DIAG_SHOWN_PER_CATEGORY;
    diag->category_count = 0;
    if (hidden && !diag->strict) {
        char message[MESSAGE_SIZE];
        const size_t at = format_location(diag, message, sizeof message);
        snprintf(message + at, sizeof message - at, "%u more warnings like these", hidden);
        diag->sink(diag->user, DIAG_WARNING, message);
    }
}

void diag_file(Diag *diag, const char *file)
{
    diag_flush(diag);
    snprintf(diag->file, sizeof diag->file, "%s", file ? file : "");
    errno = 0;
}

void diag_item(Diag *diag, const char *item, uint64_t index)
{
    diag->item = item;
    diag->index = index;
}

void diag_line(Diag *diag, unsigned line, unsigned column)
{
    diag->line = line;
    diag->column = column;
}
