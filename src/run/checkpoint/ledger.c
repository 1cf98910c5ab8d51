// SPDX-License-Identifier: MIT
#include "run/checkpoint/ledger.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/parser_entry.h"
#include "base/path.h"
#include "base/text_stream.h"
#include "record/json_read.h"
#include "record/values.h"
#include "run/checkpoint/checkpoint_files.h"

/* ---- lines ---- */

/* With the line break; returns its size. */
static size_t write_entry(char out[LEDGER_LINE_SIZE], const LedgerEntry *entry)
{
    char digest[DIGEST_TEXT_SIZE], identity[FRAME_IDENTITY_TEXT_SIZE];
    const bool known = picture_digest_is_known(&entry->identity.picture);
    digest_text(digest, &entry->record.digest);
    frame_identity_text(identity, &entry->identity);
    return (size_t)snprintf(
        out, LEDGER_LINE_SIZE,
        "{\"frame\":%" PRId64 ",\"output\":%zu,\"bytes\":%" PRIu64 ",\"sha256\":\"%s\"%s%s%s}\n",
        entry->frame, entry->output, entry->record.bytes, digest, known ? ",\"identity\":\"" : "",
        known ? identity : "", known ? "\"" : "");
}

static size_t write_run(char out[LEDGER_LINE_SIZE], const char *run)
{
    return (size_t)snprintf(out, LEDGER_LINE_SIZE, "{\"run\":\"%s\"}\n", run);
}

/* Whether a line is exactly as it is written, without its line break. */
static bool is_written(const char *line, const char *written, size_t size)
{
    return strlen(line) + 1 == size && !memcmp(line, written, size - 1);
}

static bool read_entry(LedgerEntry *entry, const JsonValue *root, const char *line)
{
    char written[LEDGER_LINE_SIZE];
    int64_t output = -1, bytes = -1;
    *entry = (LedgerEntry){.frame = -1};
    json_get_integer(&entry->frame, json_member(root, "frame"));
    json_get_integer(&output, json_member(root, "output"));
    json_get_integer(&bytes, json_member(root, "bytes"));
    entry->output = (size_t)output;
    entry->record.bytes = (uint64_t)bytes;
    const char *identity = json_string(json_member(root, "identity"), NULL);
    if (identity && !frame_identity_parse(&entry->identity, identity))
        return false;
    return entry->frame >= 0 && entry->frame <= OUTPUT_FRAME_MAX && output >= 0 &&
           output < LEDGER_MAX_OUTPUTS && bytes >= 0 &&
           digest_parse(&entry->record.digest, json_string(json_member(root, "sha256"), "")) &&
           is_written(line, written, write_entry(written, entry));
}

static bool read_run(char out[LEDGER_RUN_SIZE], const JsonValue *root, const char *line)
{
    char written[LEDGER_LINE_SIZE];
    const char *run = json_string(json_member(root, "run"), NULL);
    if (!run || strlen(run) >= LEDGER_RUN_SIZE ||
        !is_written(line, written, write_run(written, run)))
        return false;
    strcpy(out, run);
    return true;
}

/* ---- reading ---- */

static void handle_line(LedgerReader *r)
{
    LedgerEntry entry;
    r->line++;
    arena_reset(r->scratch);
    const bool whole = !r->too_long && strlen(r->text) == r->used; /* no NUL within */
    const JsonValue *root = whole ? json_read(NULL, r->text, r->used, r->scratch) : NULL;
    if (read_entry(&entry, root, r->text)) {
        r->tail.runs = 0;
        r->tail.frames++;
        if (r->visit)
            r->visit(r->user, &entry);
    } else if (read_run(r->tail.run, root, r->text)) {
        r->tail.runs++;
    } else {
        diag_line(r->diag, r->line, 1);
        diag_warn(r->diag, WARN_CHECKPOINT, "not a line of a ledger; ignored");
    }
    r->used = 0;
    r->too_long = false;
}

void ledger_read_bytes(LedgerReader *r, const char *bytes, size_t size)
{
    for (const char *end = bytes + size; bytes < end;) {
        const char *newline = memchr(bytes, '\n', (size_t)(end - bytes));
        const size_t part = (size_t)((newline ? newline : end) - bytes);
        if (part < sizeof r->text - r->used) {
            memcpy(r->text + r->used, bytes, part);
            r->used += part;
        } else {
            r->too_long = true;
        }
        r->text[r->used] = '\0';
        bytes += part + (newline != NULL);
        if (newline)
            handle_line(r);
    }
}

bool ledger_read(const char *file, LedgerVisitor *visit, void *user, LedgerTail *tail, Diag *diag)
{
    parser_enter("ledger");
    char block[1 << 14];
    ssize_t n = -1;
    const int fd = checkpoint_open_file(file, O_RDONLY | O_NONBLOCK);
    *tail = (LedgerTail){0};
    if (fd < 0)
        return errno == ENOENT ||
               diag_fail(diag, DIAG_IO, "cannot read '%s': %s", file, strerror(errno));
    LedgerReader reader = {.visit = visit, .user = user, .diag = diag, .scratch = arena_create()};
    diag_file(diag, file);
    while ((n = read(fd, block, sizeof block)) != 0 && (n > 0 || errno == EINTR))
        ledger_read_bytes(&reader, block, n > 0 ? (size_t)n : 0);
    const int error = errno;
    close(fd);
    arena_destroy(reader.scratch);
    diag_file(diag, NULL);
    *tail = reader.tail;
    return n == 0 || diag_fail(diag, DIAG_IO, "cannot read '%s': %s", file, strerror(error));
}

/* ---- all ledgers of a directory ---- */

static int by_change(const void *a, const void *b)
{
    const LedgerFile *left = a, *right = b;
    if (left->changed.tv_sec != right->changed.tv_sec)
        return left->changed.tv_sec < right->changed.tv_sec ? -1 : 1;
    if (left->changed.tv_nsec != right->changed.tv_nsec)
        return left->changed.tv_nsec < right->changed.tv_nsec ? -1 : 1;
    return strcmp(left->name, right->name);
}

static bool find_ledgers(LedgerList *found, const char *directory, Arena *arena, Diag *diag)
{
    DIR *list = checkpoint_open_list(directory);
    if (!list)
        return errno == ENOENT || errno == ENOTDIR ||
               diag_fail(diag, DIAG_IO, "cannot read '%s': %s", directory, strerror(errno));
    for (const struct dirent *entry; (entry = readdir(list)) != NULL;) {
        struct stat st;
        if (!checkpoint_is_ledger_name(entry->d_name) ||
            fstatat(dirfd(list), entry->d_name, &st, 0) != 0 || !S_ISREG(st.st_mode))
            continue;
        const size_t length = strlen(entry->d_name) - strlen(".jsonl");
        *arena_push(arena, found) = (LedgerFile){
            .name = arena_strndup(arena, entry->d_name, length), .changed = st.st_mtim};
    }
    closedir(list);
    if (found->count)
        qsort(found->items, found->count, sizeof *found->items, by_change);
    return true;
}

bool ledger_read_all(LedgerList *list, const char *directory, LedgerVisitor *visit, void *user,
                     const volatile sig_atomic_t *stop, Arena *arena, Diag *diag)
{
    const char *ledgers = arena_printf(arena, "%s/ledger", directory);
    bool ok = find_ledgers(list, ledgers, arena, diag);
    for (size_t i = 0; ok && i < list->count; i++) {
        LedgerFile *item = &list->items[i];
        ok = ledger_read(arena_printf(arena, "%s/%s.jsonl", ledgers, item->name), visit, user,
                         &item->tail, diag) &&
             !(stop && *stop);
    }
    return ok;
}

/* ---- writing ---- */

static bool fail(const Ledger *ledger, const char *what, Diag *diag)
{
    return diag_fail(diag, DIAG_IO, "cannot %s '%s': %s", what, ledger->file, strerror(errno));
}

/* End of the last complete line; -1 if the file cannot be read. */
static off_t end_of_last_line(int fd)
{
    char block[4096];
    for (off_t end = lseek(fd, 0, SEEK_END); end != 0;) {
        const off_t first = end > (off_t)sizeof block ? end - (off_t)sizeof block : 0;
        const ssize_t n = end < 0 ? -1 : pread(fd, block, (size_t)(end - first), first);
        if (n < 0 && errno == EINTR && end > 0)
            continue;
        if (n <= 0)
            return -1;
        for (ssize_t i = n; i > 0; i--)
            if (block[i - 1] == '\n')
                return first + i;
        end = first;
    }
    return 0;
}

static int truncate_file(int fd, off_t size)
{
    int rc;
    do
        rc = ftruncate(fd, size);
    while (rc != 0 && errno == EINTR);
    return rc;
}

bool ledger_open(Ledger *ledger, const char *file, Diag *diag)
{
    ledger->fd = -1;
    if (snprintf(ledger->file, sizeof ledger->file, "%s", file) >= (int)sizeof ledger->file)
        return diag_fail(diag, DIAG_CREATE, "'%s': the path is too long", file);
    if (!file_make_parent_dirs(file, diag))
        return false;
    ledger->fd = checkpoint_open_file(file, O_RDWR | O_CREAT | O_APPEND);
    if (ledger->fd < 0)
        return diag_fail(diag, diag_errno_kind(errno, DIAG_CREATE), "cannot create '%s': %s", file,
                         strerror(errno));
    const off_t end = end_of_last_line(ledger->fd);
    if (end < 0)
        return fail(ledger, "read", diag);
    if (lseek(ledger->fd, 0, SEEK_END) > end && truncate_file(ledger->fd, end) != 0)
        return fail(ledger, "truncate the incomplete last line of", diag);
    return true;
}

/* Appends complete lines, all of them or none. */
static bool append(Ledger *ledger, const char *text, size_t size, Diag *diag)
{
    const off_t before = lseek(ledger->fd, 0, SEEK_END);
    while (size) {
        const ssize_t n = write(ledger->fd, text, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            fail(ledger, "write", diag);
            if (before >= 0)
                (void)truncate_file(ledger->fd, before); /* else ledger_open does */
            return false;
        }
        text += n;
        size -= (size_t)n;
    }
    return true;
}

bool ledger_add(Ledger *ledger, const LedgerEntry *entries, size_t count, Diag *diag)
{
    char block[1 << 14];
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        used += write_entry(block + used, &entries[i]);
        const bool full = sizeof block - used < LEDGER_LINE_SIZE;
        if ((full || i + 1 == count) && !append(ledger, block, used, diag))
            return false;
        used = full ? 0 : used;
    }
    return true;
}

/* The host name, with characters that JSON would escape replaced. */
static void read_host(char *out, size_t size)
{
    if (gethostname(out, size) != 0)
        snprintf(out, size, "unknown");
    out[size - 1] = '\0';
    for (char *c = out; *c; c++)
        if ((unsigned char)*c <= ' ' || (unsigned char)*c >= 127 || *c == '"' || *c == '\\')
            *c = '-';
}

void ledger_run_name(char *out, size_t size)
{
    char host[65];
    read_host(host, sizeof host);
    snprintf(out, size, "%s %ld", host, (long)getpid());
}

bool ledger_add_run(Ledger *ledger, Diag *diag)
{
    char run[LEDGER_RUN_SIZE], line[LEDGER_LINE_SIZE];
    ledger_run_name(run, sizeof run);
    return append(ledger, line, write_run(line, run), diag);
}

bool ledger_sync(Ledger *ledger, Diag *diag)
{
    int rc;
    do
        rc = fdatasync(ledger->fd);
    while (rc != 0 && errno == EINTR);
    return rc == 0 || errno == EINVAL || errno == EROFS || fail(ledger, "sync", diag);
}

bool ledger_replace(const char *file, const LedgerEntry *entries, size_t count, Diag *diag)
{
    Arena *arena = arena_create();
    TextStream stream;
    FILE *out = text_stream_open(&stream, arena);
    for (size_t i = 0; i < count; i++) {
        char line[LEDGER_LINE_SIZE];
        fwrite(line, 1, write_entry(line, &entries[i]), out);
    }
    const char *text = text_stream_close(&stream);
    const bool ok = file_make_parent_dirs(file, diag) && file_save(file, text, stream.size, diag);
    arena_destroy(arena);
    return ok;
}

void ledger_close(Ledger *ledger)
{
    if (ledger->fd >= 0)
        close(ledger->fd);
    ledger->fd = -1;
}
