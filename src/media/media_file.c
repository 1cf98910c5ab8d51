// SPDX-License-Identifier: MIT
#include "media/media_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/parser_entry.h"

enum { IO_BUFFER = 32 * 1024 };

static int input_read(void *opaque, uint8_t *out, int size)
{
    MediaFile *input = opaque;
    ssize_t n;
    do
        n = read(input->fd, out, (size_t)size);
    while (n < 0 && errno == EINTR);
    if (n < 0 && !input->error)
        input->error = errno;
    return n < 0 ? AVERROR(errno) : n == 0 ? AVERROR_EOF : (int)n;
}

static int64_t input_seek(void *opaque, int64_t offset, int whence)
{
    const MediaFile *input = opaque;
    if (whence == AVSEEK_SIZE)
        return input->size;
    const off_t at = lseek(input->fd, offset, whence & ~AVSEEK_FORCE);
    return at < 0 ? AVERROR(errno) : at;
}

/* Files that a file refers to are not opened. */
static int refuse_other_files(AVFormatContext *context, AVIOContext **out, const char *url,
                              int flags, AVDictionary **options)
{
    (void)context;
    (void)url;
    (void)flags;
    (void)options;
    *out = NULL;
    return AVERROR(EPERM);
}

static bool open_input(MediaFile *input, const char *path, Diag *diag)
{
    struct stat st;

    input->fd = file_open_input(path, diag);
    if (input->fd < 0)
        return false;
    if (fstat(input->fd, &st) != 0)
        return diag_fail(diag, diag_errno_kind(errno, DIAG_MISSING), "cannot read: %s",
                         strerror(errno));
    if (!S_ISREG(st.st_mode))
        return diag_fail(diag, DIAG_MISSING, "not a regular file");
    input->size = st.st_size;
    return true;
}

bool media_file_check(const MediaFile *file, bool failed, Diag *diag)
{
    /* libav also returns AVERROR(ENOMEM) if a damaged file asks for too much; only malloc sets
     * errno. */
    if (failed && memory_has_failed() && !file->error)
        return diag_fail(diag, DIAG_RESOURCE, "out of memory for the decoder");
    if (!failed && errno == ENOMEM)
        errno = 0; /* diag_warn inspects it, too */
    return !file->error || diag_fail(diag, diag_errno_kind(file->error, DIAG_MISSING),
                                     "cannot read: %s", strerror(file->error));
}

static bool open_demuxer(MediaFile *file, const char *demuxers, const char *decoders,
                         const char *unreadable, Diag *diag)
{
    AVDictionary *options = NULL;
    uint8_t *buffer = av_malloc(IO_BUFFER);
    AVIOContext *io =
        buffer ? avio_alloc_context(buffer, IO_BUFFER, 0, file, input_read, NULL, input_seek)
               : NULL;
    file->demuxer = avformat_alloc_context();
    if (!io || !file->demuxer) {
        if (io)
            av_freep(&io->buffer);
        else
            av_free(buffer);
        avio_context_free(&io);
        avformat_free_context(file->demuxer);
        file->demuxer = NULL;
        return diag_fail(diag, DIAG_RESOURCE, "out of memory for the decoder");
    }
    file->demuxer->pb = io;
    file->demuxer->io_open = refuse_other_files;
    av_dict_set(&options, "format_whitelist", demuxers, 0);
    av_dict_set(&options, "codec_whitelist", decoders, 0);
    av_dict_set(&options, "protocol_whitelist", "none", 0);
    const int code = avformat_open_input(&file->demuxer, NULL, NULL, &options);
    av_dict_free(&options);
    if (code >= 0)
        return true;
    av_freep(&io->buffer); /* the demuxer is freed, but not its custom input */
    avio_context_free(&io);
    return media_file_check(file, true, diag) && diag_error(diag, "%s", unreadable);
}

bool media_file_open(MediaFile *file, const char *path, const char *demuxers, const char *decoders,
                     const char *unreadable, Diag *diag)
{
    parser_enter("media");
    *file = (MediaFile){.fd = -1};
    errno = 0;
    if (open_input(file, path, diag) && open_demuxer(file, demuxers, decoders, unreadable, diag))
        return true;
    media_file_close(file);
    return false;
}

void media_file_close(MediaFile *file)
{
    if (file->demuxer) {
        AVIOContext *io = file->demuxer->pb;
        avformat_close_input(&file->demuxer); /* does not free the custom pb */
        if (io)
            av_freep(&io->buffer);
        avio_context_free(&io);
    }
    if (file->fd >= 0)
        close(file->fd);
    file->fd = -1;
}
