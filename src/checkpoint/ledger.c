#include "checkpoint/ledger.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "job/job.h"

/* ---- reading ---- */

/* Passes a text that must stand here. */
static bool pass(const char **at, const char *text)
{
    const size_t length = strlen(text);
    if (strncmp(*at, text, length) != 0)
        return false;
    *at += length;
    return true;
}

/* Digits without leading zeros, 0..most. */
static bool read_number(int64_t *out, const char **at, int64_t most)
{
    enum { MOST_DIGITS = 18 };
    const char *digits = *at;
    *out = 0;
    while (**at >= '0' && **at <= '9' && *at - digits < MOST_DIGITS)
        *out = 10 * *out + (*(*at)++ - '0');
    return *at > digits && (*digits != '0' || *at - digits == 1) && *out <= most;
}

static bool parse_picture(LedgerPicture *picture, const char *at)
{
    enum { HEX = DIGEST_TEXT_SIZE - 1 };
    int64_t output, bytes;
    if (!pass(&at, "{\"frame\":") || !read_number(&picture->frame, &at, JOB_MAX_FRAME) ||
        !pass(&at, ",\"output\":") || !read_number(&output, &at, LEDGER_MAX_OUTPUTS - 1) ||
        !pass(&at, ",\"bytes\":") || !read_number(&bytes, &at, INT64_MAX) ||
        !pass(&at, ",\"sha256\":\"") || !digest_parse(&picture->record.digest, at))
        return false;
    at += HEX;
    picture->output = (size_t)output;
    picture->record.bytes = (uint64_t)bytes;
    return !strcmp(at, "\"}");
}

static bool parse_run(char *out, size_t size, const char *at)
{
    if (!pass(&at, "{\"run\":\""))
        return false;
    const size_t length = strcspn(at, "\"\\");
    if (length >= size || strcmp(at + length, "\"}") != 0)
        return false;
    memcpy(out, at, length);
    out[length] = '\0';
    return true;
}

static void take_line(LedgerReader *r)
{
    LedgerPicture picture;
    r->line++;
    if (r->too_long || strlen(r->text) != r->used) { /* a NUL within */
        diag_line(r->diag, r->line, 1);
        diag_warn(r->diag, "no line of a ledger; passed over");
    } else if (parse_picture(&picture, r->text)) {
        r->tail.runs = 0;
        r->tail.pictures++;
        r->take(r->user, &picture);
    } else if (parse_run(r->tail.run, sizeof r->tail.run, r->text)) {
        r->tail.runs++;
    } else {
        diag_line(r->diag, r->line, 1);
        diag_warn(r->diag, "no line of a ledger; passed over");
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
            take_line(r);
    }
}

bool ledger_read(const char *file, LedgerTake *take, void *user, LedgerTail *tail, Diag *diag)
{
    char block[1 << 14];
    LedgerReader reader = {.take = take, .user = user, .diag = diag};
    ssize_t n = -1;
    const int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    *tail = (LedgerTail){0};
    if (fd < 0)
        return errno == ENOENT ||
               diag_fail(diag, DIAG_IO, "cannot read '%s': %s", file, strerror(errno));
    diag_file(diag, file);
    while ((n = read(fd, block, sizeof block)) != 0 && (n > 0 || errno == EINTR))
        ledger_read_bytes(&reader, block, n > 0 ? (size_t)n : 0);
    const int error = errno;
    close(fd);
    diag_file(diag, NULL);
    *tail = reader.tail;
    return n == 0 || diag_fail(diag, DIAG_IO, "cannot read '%s': %s", file, strerror(error));
}

/* ---- writing ---- */

static bool fail(const Ledger *ledger, const char *what, Diag *diag)
{
    return diag_fail(diag, DIAG_IO, "cannot %s '%s': %s", what, ledger->file, strerror(errno));
}

/* Where the last whole line ends; -1 when the file cannot be read. */
static off_t whole_lines(int fd)
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

static int cut(int fd, off_t size)
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
    ledger->fd = open(file, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (ledger->fd < 0)
        return diag_fail(diag, file_error_kind(errno, DIAG_CREATE), "cannot create '%s': %s", file,
                         strerror(errno));
    const off_t whole = whole_lines(ledger->fd);
    if (whole < 0)
        return fail(ledger, "read", diag);
    if (lseek(ledger->fd, 0, SEEK_END) > whole && cut(ledger->fd, whole) != 0)
        return fail(ledger, "cut the torn end of", diag);
    return true;
}

/* Whole lines, all or none. */
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
                (void)cut(ledger->fd, before); /* else whoever opens it next does */
            return false;
        }
        text += n;
        size -= (size_t)n;
    }
    return true;
}

bool ledger_add(Ledger *ledger, const LedgerPicture *pictures, size_t count, Diag *diag)
{
    char block[1 << 14];
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        const LedgerPicture *p = &pictures[i];
        char digest[DIGEST_TEXT_SIZE];
        digest_text(digest, &p->record.digest);
        used += (size_t)snprintf(block + used, sizeof block - used,
                                 "{\"frame\":%" PRId64 ",\"output\":%zu,\"bytes\":%" PRIu64
                                 ",\"sha256\":\"%s\"}\n",
                                 p->frame, p->output, p->record.bytes, digest);
        const bool full = sizeof block - used < LEDGER_LINE_SIZE;
        if ((full || i + 1 == count) && !append(ledger, block, used, diag))
            return false;
        used = full ? 0 : used;
    }
    return true;
}

/* A host's name, without what would need to be escaped. */
static void read_host(char *out, size_t size)
{
    if (gethostname(out, size) != 0)
        snprintf(out, size, "unknown");
    out[size - 1] = '\0';
    for (char *c = out; *c; c++)
        if ((unsigned char)*c <= ' ' || (unsigned char)*c >= 127 || *c == '"' || *c == '\\')
            *c = '-';
}

bool ledger_add_run(Ledger *ledger, Diag *diag)
{
    char host[65], line[128];
    read_host(host, sizeof host);
    const int size = snprintf(line, sizeof line, "{\"run\":\"%s %ld\"}\n", host, (long)getpid());
    return append(ledger, line, (size_t)size, diag);
}

bool ledger_sync(Ledger *ledger, Diag *diag)
{
    int rc;
    do
        rc = fdatasync(ledger->fd);
    while (rc != 0 && errno == EINTR);
    return rc == 0 || errno == EINVAL || errno == EROFS || fail(ledger, "sync", diag);
}

void ledger_close(Ledger *ledger)
{
    if (ledger->fd >= 0)
        close(ledger->fd);
    ledger->fd = -1;
}
