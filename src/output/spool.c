// SPDX-License-Identifier: MIT
#include "output/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "base/file.h"
#include "base/file_calls.h"
#include "base/write_limit.h"

enum { PATH_SIZE = 4096, LEVEL = 1 };

struct Spool {
    const char *file;
    int fd, width, height;
    size_t bytes;    /* size of an image */
    uint8_t *pixels; /* the last image that was read */
    uint8_t *packed; /* [capacity] one compressed image */
    size_t capacity;
    off_t read_offset;
};

static bool fail(const Spool *spool, const char *what, Diag *diag)
{
    return diag_fail(diag, DIAG_IO, "'%s': cannot use the temporary file of images: %s",
                     spool->file, what);
}

/* ---- the file ---- */

static bool open_file(Spool *spool, Diag *diag)
{
    char path[PATH_SIZE], name[PATH_SIZE];
    const int size = snprintf(path, sizeof path, "%s.pictures", spool->file);

    if (size >= (int)sizeof path || !file_temporary_name(name, sizeof name, path))
        return diag_fail(diag, DIAG_CREATE, "'%s': the path is too long", spool->file);
    if (!file_make_parent_dirs(spool->file, diag))
        return false;
    spool->fd = file_calls_open(AT_FDCWD, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (spool->fd < 0)
        return diag_fail(diag, diag_errno_kind(errno, DIAG_CREATE), "cannot create '%s': %s", name,
                         strerror(errno));
    file_calls_unlink(AT_FDCWD, name); /* the file exists until its descriptor is closed */
    return true;
}

static bool write_all(const Spool *spool, const void *data, size_t size, Diag *diag)
{
    const uint8_t *bytes = data;
    if (!write_limit_add((int64_t)size))
        return write_limit_check(diag);
    while (size) {
        const ssize_t n = write(spool->fd, bytes, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return fail(spool, n < 0 ? strerror(errno) : "no bytes were written", diag);
        bytes += n;
        size -= (size_t)n;
    }
    return true;
}

static bool read_all(Spool *spool, void *data, size_t size, Diag *diag)
{
    uint8_t *bytes = data;
    while (size) {
        const ssize_t n = pread(spool->fd, bytes, size, spool->read_offset);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return fail(spool, n < 0 ? strerror(errno) : "unexpected end of file", diag);
        bytes += n;
        size -= (size_t)n;
        spool->read_offset += n;
    }
    return true;
}

/* ---- an image: size_t, then as many compressed bytes ---- */

bool spool_write(Spool *spool, const Image *image, Diag *diag)
{
    const size_t size =
        ZSTD_compress(spool->packed, spool->capacity, image->pixels, spool->bytes, LEVEL);
    if (ZSTD_isError(size))
        return diag_fail(diag, DIAG_RESOURCE, "'%s': cannot compress an image: %s", spool->file,
                         ZSTD_getErrorName(size));
    return write_all(spool, &size, sizeof size, diag) &&
           write_all(spool, spool->packed, size, diag);
}

bool spool_read(Image *image, Spool *spool, Diag *diag)
{
    size_t size;
    if (!read_all(spool, &size, sizeof size, diag))
        return false;
    if (size > spool->capacity)
        return fail(spool, "an image is damaged", diag);
    if (!read_all(spool, spool->packed, size, diag))
        return false;
    if (ZSTD_decompress(spool->pixels, spool->bytes, spool->packed, size) != spool->bytes)
        return fail(spool, "an image is damaged", diag);
    *image = (Image){spool->width, spool->height, false, spool->pixels};
    return true;
}

Spool *spool_create(const char *file, int width, int height, Arena *arena, Diag *diag)
{
    Spool *spool = arena_array(arena, Spool, 1);
    *spool = (Spool){.file = file,
                     .fd = -1,
                     .width = width,
                     .height = height,
                     .bytes = 4 * (size_t)width * (size_t)height};
    spool->capacity = ZSTD_compressBound(spool->bytes);
    spool->pixels = arena_alloc(arena, spool->bytes);
    spool->packed = arena_alloc(arena, spool->capacity);
    return open_file(spool, diag) ? spool : NULL;
}

void spool_destroy(Spool *spool)
{
    if (spool)
        close(spool->fd);
}
