// SPDX-License-Identifier: MIT
#include "output/file_io.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/file.h"
#include "base/file_calls.h"
#include "base/write_limit.h"
#include "media/libav.h"
#include "output/ffmpeg_compat.h"

enum { BUFFER_SIZE = 1 << 18 }; /* as libavformat's for files */

typedef struct FileIo {
    int fd;
    bool is_stream;
    int64_t at, size; /* the position, and the largest one that was reached */
    const volatile sig_atomic_t *stop;
} FileIo;

static bool count_bytes(FileIo *file, int size)
{
    const int64_t grown = file->at + size - file->size;
    file->at += size;
    if (grown <= 0 || file->is_stream)
        return true;
    file->size += grown;
    return write_limit_add(grown);
}

static int write_bytes(void *user, FfmpegWrittenByte *data, int size)
{
    FileIo *file = user;
    if (!count_bytes(file, size))
        return AVERROR(errno);
    for (int done = 0; done < size;) {
        if (file->stop && *file->stop)
            return AVERROR_EXIT;
        const ssize_t n = write(file->fd, data + done, (size_t)(size - done));
        if (n < 0 && errno != EINTR)
            return AVERROR(errno);
        done += n > 0 ? (int)n : 0;
    }
    return size;
}

static int64_t seek(void *user, int64_t offset, int whence)
{
    FileIo *file = user;
    const off_t now = lseek(file->fd, 0, SEEK_CUR);
    if (whence == AVSEEK_SIZE) {
        const off_t size = lseek(file->fd, 0, SEEK_END);
        return lseek(file->fd, now, SEEK_SET) < 0 || size < 0 ? AVERROR(errno) : size;
    }
    const off_t at = lseek(file->fd, offset, whence & ~AVSEEK_FORCE);
    if (at < 0)
        return AVERROR(errno);
    file->at = at;
    return at;
}

int file_io_open(AVIOContext **out, const char *path, const volatile sig_atomic_t *stop)
{
    enum { FLAGS = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW };
    FileIo *file = av_malloc(sizeof *file);
    uint8_t *buffer = av_malloc(BUFFER_SIZE);
    const int fd = file && buffer ? file_calls_open(AT_FDCWD, path, FLAGS, 0666) : -1;
    const int code = file && buffer ? AVERROR(errno) : AVERROR(ENOMEM);
    *out =
        fd < 0 ? NULL : avio_alloc_context(buffer, BUFFER_SIZE, 1, file, NULL, write_bytes, seek);
    if (*out) {
        *file = (FileIo){.fd = fd, .is_stream = file_is_stream(path), .stop = stop};
        return 0;
    }
    if (fd >= 0)
        close(fd);
    av_free(buffer);
    av_free(file);
    return fd < 0 ? code : AVERROR(ENOMEM);
}

int file_io_close(AVIOContext **io)
{
    if (!*io)
        return 0;
    FileIo *file = (*io)->opaque;
    avio_flush(*io);
    int code = (*io)->error;
    /* Linux closes the file even if it reports an interruption. */
    if (close(file->fd) != 0 && errno != EINTR && code >= 0)
        code = AVERROR(errno);
    av_free(file);
    av_freep(&(*io)->buffer);
    avio_context_free(io);
    return code;
}
