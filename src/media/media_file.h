/*
 * media_file.h - an open file as libav's input: no names, no protocols, no other file that it names
 *
 * What may be read is said by whitelists of libavformat's demuxers and libavcodec's decoders.
 * Not thread-safe; a file opened before a fork must not be read on both sides.
 */
#ifndef MEDIA_MEDIA_FILE_H
#define MEDIA_MEDIA_FILE_H

#include <libavformat/avformat.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"

typedef struct MediaFile {
    int fd; /* -1: closed */
    int64_t size;
    AVFormatContext *demuxer;
    int error; /* errno of the first read that failed; demuxers take it for the end of the file */
} MediaFile;

/* Must stay in place until media_file_close.  unreadable: what is told of a file of another kind.
 */
bool media_file_open(MediaFile *file, const char *path, const char *demuxers, const char *decoders,
                     const char *unreadable, Diag *diag);

/* Whether, since errno was 0 (media_file_open sets it), all that was asked of the file could be
 * read, and there was memory to decode it; else tells the Diag.  libav itself takes both for
 * damage. */
bool media_file_check(const MediaFile *file, Diag *diag);

void media_file_close(MediaFile *file); /* closed already: fine */

#endif
