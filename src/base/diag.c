// SPDX-License-Identifier: MIT
#include "base/diag.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/path.h"
#include "base/text_escape.h"

enum { MESSAGE_SIZE = 4096 };

static void print_to_stderr(void *user, const DiagMessage *message)
{
    (void)user;
    static const char *const words[] = {"", "warning: ", "error: "};
    fprintf(stderr, "odori: %s%s\n", words[message->level], message->shown);
}

void diag_ignore(void *user, const DiagMessage *message)
{
    (void)user;
    (void)message;
}

void diag_init(Diag *diag, DiagSink *sink, void *user)
{
    memset(diag, 0, sizeof *diag);
    diag->sink = sink ? sink : print_to_stderr;
    diag->user = user;
}

Diag diag_quiet(void)
{
    return (Diag){.sink = diag_ignore};
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

/* Where the text of a message begins; it includes the item, which has no part of its own. */
static size_t text_start(const Diag *diag, size_t location_size)
{
    const bool has_item = diag->file[0] && !diag->line && diag->item;
    return has_item ? strlen(diag->file) + 2 : location_size;
}

/* Whether a line of the excerpt of a job file begins: "\n   12 | ..." or "\n      |   ^". */
static bool is_excerpt(const char *text)
{
    if (*text != '\n')
        return false;
    text += 1 + strspn(text + 1, " ");
    text += strspn(text, "0123456789");
    return !strncmp(text, " |", 2) || (*text == '|' && text[-1] == ' ');
}

/* Names in files and jobs may contain control characters, which would change the terminal. */
static void escape_controls(char *out, size_t size, const char *message)
{
    char next[TEXT_ESCAPE_SIZE];
    size_t used = 0, foreign = 0;
    for (uint8_t before = 0; *message;) {
        const bool layout = *message == '\t' || is_excerpt(message);
        if (before < 0x80)
            foreign = text_foreign_bytes(message);
        before = (uint8_t)*message;
        if (layout)
            snprintf(next, sizeof next, "%c", *message++);
        else if (foreign)
            snprintf(next, sizeof next, "\\x%02X", (unsigned)before);
        const size_t n = layout ? 1 : foreign ? strlen(next) : text_escape_next(next, &message);
        message += foreign > 0;
        foreign -= foreign > 0;
        if (n >= size - used)
            break;
        memcpy(out + used, next, n);
        used += n;
    }
    out[used] = '\0';
}

DiagKind diag_errno_kind(int error, DiagKind otherwise)
{
    switch (error) {
    case ENOSPC:
    case EDQUOT:
    case EIO:
    case ESTALE:
    case EMFILE:
    case ENFILE:
    case EINTR:
    case ETIMEDOUT:
    case ENOLCK:
        return DIAG_IO;
    case ENOMEM:
        return DIAG_RESOURCE;
    default:
        return otherwise;
    }
}

/* ---- messages in parts ---- */

const char *diag_kind_name(DiagKind kind)
{
    static const char *const names[] = {
        [DIAG_NONE] = "",
        [DIAG_FAILED] = "failed",
        [DIAG_USAGE] = "usage",
        [DIAG_DATA] = "data",
        [DIAG_MISSING] = "missing",
        [DIAG_RESOURCE] = "resource",
        [DIAG_INTERNAL] = "internal",
        [DIAG_CREATE] = "create",
        [DIAG_IO] = "io",
        [DIAG_INCOMPLETE] = "incomplete",
        [DIAG_JOB] = "job",
    };
    return names[kind];
}

/* The hint at the end of a message: after "; ", one of the beginnings.  Returns its start, or the
 * end of the text if there is none. */
static const char *find_hint(const char *text)
{
    static const char *const beginnings[] = {"did you mean ", "known here: ", "use ", "see ",
                                             "expected ",     "known are ",   "set "};
    const char *found = text + strlen(text);
    for (const char *at = strstr(text, "; "); at; at = strstr(at + 1, "; "))
        for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
            if (!strncmp(at + 2, beginnings[i], strlen(beginnings[i])))
                return at + 2;
    return found;
}

/* Ends `text`, which is everything after the location, before its hint and excerpt; returns the
 * hint. */
static const char *split_text(char *text)
{
    char *excerpt = text;
    while (*excerpt && !is_excerpt(excerpt))
        excerpt++;
    *excerpt = '\0';
    char *hint = text + (find_hint(text) - text);
    if (*hint)
        hint[-2] = '\0';
    return hint;
}

/* `text` is everything after the location. */
static void report(Diag *diag, DiagLevel level, const char *code, const char *text)
{
    char message[MESSAGE_SIZE], shown[MESSAGE_SIZE];
    const size_t at = format_location(diag, message, sizeof message);
    snprintf(message + at, sizeof message - at, "%s", text);
    escape_controls(shown, sizeof shown, message);
    char *parts = message + text_start(diag, at);
    const DiagMessage finished = {.level = level,
                                  .shown = shown,
                                  .code = code,
                                  .file = diag->file,
                                  .line = diag->line,
                                  .column = diag->line ? diag->column : 0,
                                  .hint = split_text(parts),
                                  .text = parts};
    diag->sink(diag->user, &finished);
    if (diag->observer)
        diag->observer(diag->observer_user, &finished);
}

/* Writes a text; keeps errno, by which fail() and warn() know that memory was short. */
static void write_text(char text[MESSAGE_SIZE], const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

static void write_text(char text[MESSAGE_SIZE], const char *format, va_list args)
{
    const int error = errno;
    vsnprintf(text, MESSAGE_SIZE, format, args);
    errno = error;
}

/*
 * A library that lacks memory reports that the file is damaged, that a codec does not start, or
 * whatever else went wrong for it.  The failed allocation has left errno, which diag_file clears.
 */
static bool is_short_of_memory(DiagKind kind)
{
    return memory_has_failed() && kind != DIAG_RESOURCE && kind != DIAG_FAILED &&
           kind != DIAG_INCOMPLETE;
}

/* Whether the message was reported at this place before; remembers it. */
static bool is_repeated(const Diag *diag, const char *message)
{
    DiagOnce *once = diag->once;
    char text[MESSAGE_SIZE];
    if (!once)
        return false;
    const size_t at = format_location(diag, text, sizeof text);
    snprintf(text + at, sizeof text - at, "%s", message);
    const uint64_t hash = text_hash(text, strlen(text));
    for (size_t i = 0; i < once->count; i++)
        if (once->seen[i] == hash)
            return true;
    if (once->count < DIAG_ONCE)
        once->seen[once->count++] = hash;
    return false;
}

/* `text`: the message with its key and excerpt. */
static bool fail(Diag *diag, DiagKind kind, const char *code, const char *message, const char *text)
{
    if (is_short_of_memory(kind))
        return diag_fail(diag, DIAG_RESOURCE, "out of memory: %s", text);
    if (diag->kind == DIAG_NONE)
        diag->kind = kind;
    if (is_repeated(diag, message))
        return false;
    diag->errors++;
    report(diag, DIAG_ERROR, code, text);
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

static bool is_error(const DiagRules *rules, WarningClass warning)
{
    const uint32_t chosen = rules->errors | (rules->job_errors & ~(rules->hidden | rules->shown));
    return rules->strict || chosen & warning_bit(warning);
}

static bool is_hidden(const DiagRules *rules, WarningClass warning)
{
    const uint32_t chosen = rules->hidden | (rules->job_hidden & ~(rules->errors | rules->shown));
    const bool quiet =
        warning_classes[warning].quirk && !rules->quirks && !(rules->shown & warning_bit(warning));
    return chosen & warning_bit(warning) || (quiet && !is_error(rules, warning));
}

/* `category`: the format string by which warnings of a kind are counted. */
static bool warn(Diag *diag, WarningClass warning, const char *category, const char *message,
                 const char *text)
{
    if (memory_has_failed()) /* a repair would give another film than with memory */
        memory_exhausted(0);
    if (is_hidden(&diag->rules, warning))
        return true;
    if (is_error(&diag->rules, warning))
        return fail(diag, DIAG_DATA, warning_names[warning], message, text);
    if (is_repeated(diag, message))
        return true;
    diag->warnings++;
    if (count_warning(diag, category) < DIAG_SHOWN_PER_CATEGORY)
        report(diag, DIAG_WARNING, warning_names[warning], text);
    return true;
}

/* ---- messages at a location ---- */

typedef struct SavedLocation {
    char file[DIAG_FILE_SIZE];
    const char *item;
    uint64_t index;
    unsigned line, column;
    const DiagLocation *place;
} SavedLocation;

/* Stands for what the locator finds. */
static const DiagLocation by_key = {.excerpt = ""};

const DiagLocation *diag_locate(const Diag *diag, const DiagLocation *location)
{
    const int error = errno; /* fail() reads it */
    if (location == &by_key)
        location = diag->locator.find
                       ? diag->locator.find(diag->locator.user, diag->key, diag->key_name)
                       : NULL;
    errno = error;
    return location;
}

static const DiagLocation *set_key(Diag *diag, const char *name, const char *format, va_list args)
{
    if (!diag->locator.find)
        return NULL;
    vsnprintf(diag->key, sizeof diag->key, format, args);
    diag->key_name = name;
    return &by_key;
}

const DiagLocation *diag_key(Diag *diag, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const DiagLocation *place = set_key(diag, NULL, format, args);
    va_end(args);
    return place;
}

const DiagLocation *diag_named_key(Diag *diag, const char *name, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const DiagLocation *place = set_key(diag, name, format, args);
    va_end(args);
    return place;
}

/* Writes "models.0.file: MESSAGE".  A location without a file leaves that of the Diag as it is. */
static void move_to(Diag *diag, SavedLocation *saved, char text[MESSAGE_SIZE],
                    const DiagLocation *location, const char *message)
{
    const int error = errno; /* fail() reads it */
    const bool keyed = location && location->key;
    snprintf(text, MESSAGE_SIZE, "%.300s%s%s", keyed ? location->key : "", keyed ? ": " : "",
             message);
    for (char *c = text; *c; c++) /* a line break in a name must not begin an excerpt */
        *c = *c == '\n' ? ' ' : *c;
    *saved = (SavedLocation){.item = diag->item,
                             .index = diag->index,
                             .line = diag->line,
                             .column = diag->column,
                             .place = diag->place};
    memcpy(saved->file, diag->file, sizeof saved->file);
    diag->place = NULL;
    if (location && location->file) {
        snprintf(diag->file, sizeof diag->file, "%s", location->file);
        diag_item(diag, NULL, 0);
        diag_line(diag, location->line, location->column);
    }
    errno = error;
}

static void move_back(Diag *diag, const SavedLocation *saved)
{
    memcpy(diag->file, saved->file, sizeof saved->file);
    diag_item(diag, saved->item, saved->index);
    diag_line(diag, saved->line, saved->column);
    diag->place = saved->place;
}

static void fail_at(Diag *diag, const DiagLocation *location, DiagKind kind, const char *message)
{
    char text[MESSAGE_SIZE];
    SavedLocation saved;
    location = diag_locate(diag, location);
    move_to(diag, &saved, text, location, message);
    const size_t used = strlen(text);
    snprintf(text + used, sizeof text - used, "%s", location ? location->excerpt : "");
    fail(diag, kind, diag_kind_name(kind), message, text);
    move_back(diag, &saved);
}

static bool warn_at(Diag *diag, const DiagLocation *location, WarningClass warning,
                    const char *category, const char *message)
{
    char text[MESSAGE_SIZE];
    SavedLocation saved;
    location = diag_locate(diag, location);
    move_to(diag, &saved, text, location, message);
    const bool good = warn(diag, warning, category, message, text);
    move_back(diag, &saved);
    return good;
}

void diag_place(Diag *diag, const DiagLocation *location)
{
    diag->place = diag_locate(diag, location);
}

bool diag_error(Diag *diag, const char *format, ...)
{
    char text[MESSAGE_SIZE];
    va_list args;
    va_start(args, format);
    write_text(text, format, args);
    va_end(args);
    return diag_fail(diag, DIAG_DATA, "%s", text);
}

bool diag_fail(Diag *diag, DiagKind kind, const char *format, ...)
{
    char text[MESSAGE_SIZE];
    va_list args;
    va_start(args, format);
    write_text(text, format, args);
    va_end(args);
    if (!diag->place)
        return fail(diag, kind, diag_kind_name(kind), text, text);
    fail_at(diag, diag->place, kind, text);
    return false;
}

bool diag_fail_at(Diag *diag, const DiagLocation *location, DiagKind kind, const char *format, ...)
{
    char text[MESSAGE_SIZE];
    va_list args;
    va_start(args, format);
    write_text(text, format, args);
    va_end(args);
    fail_at(diag, location, kind, text);
    return false;
}

bool diag_unknown_name(Diag *diag, const DiagLocation *location, const char *what, const char *name,
                       const char *file, TextNames known)
{
    Arena *arena = arena_create();
    diag_fail_at(diag, location, DIAG_JOB, "no %s '%s' in %s%s", what, name, path_name(file),
                 text_suggestion(name, known, arena));
    arena_destroy(arena);
    return false;
}

bool diag_warn(Diag *diag, WarningClass warning, const char *format, ...)
{
    char text[MESSAGE_SIZE];
    va_list args;
    va_start(args, format);
    write_text(text, format, args);
    va_end(args);
    return diag->place ? warn_at(diag, diag->place, warning, format, text)
                       : warn(diag, warning, format, text, text);
}

bool diag_warn_at(Diag *diag, const DiagLocation *location, WarningClass warning,
                  const char *format, ...)
{
    char text[MESSAGE_SIZE];
    va_list args;
    va_start(args, format);
    write_text(text, format, args);
    va_end(args);
    return warn_at(diag, location, warning, format, text);
}

void diag_note(Diag *diag, const char *format, ...)
{
    char text[MESSAGE_SIZE];
    va_list args;
    va_start(args, format);
    write_text(text, format, args);
    va_end(args);
    if (!is_repeated(diag, text))
        report(diag, DIAG_NOTE, "note", text);
}

void diag_forward(const Diag *diag, DiagLevel level, const char *shown)
{
    diag->sink(
        diag->user,
        &(DiagMessage){
            .level = level, .shown = shown, .code = "", .file = "", .text = shown, .hint = ""});
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
    if (hidden && !diag->rules.strict) {
        char message[MESSAGE_SIZE];
        const size_t at = format_location(diag, message, sizeof message);
        snprintf(message + at, sizeof message - at, "%u more warnings like these", hidden);
        diag_forward(diag, DIAG_WARNING, message);
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
