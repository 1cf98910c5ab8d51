// SPDX-License-Identifier: MIT
/*
 * media_file.h - an open file as the input of libavformat: no protocols, no references to other
 * files
 *
 * Whitelists define the demuxers of libavformat and the decoders of libavcodec that may be used.
 * Not thread-safe; a file opened before a fork must not be read by both processes.
 */
#pragma once

#include "base/diag.h"
#include "media/libav.h"

typedef struct MediaFile {
    int fd; /* -1 if closed */
    int64_t size;
    AVFormatContext *demuxer;
    int error; /* errno of the first failed read, or 0; demuxers treat a failure as the end of the
                  file */
} MediaFile;

/*
 * Opens a file.  `file` must not move until media_file_close.
 *
 * demuxers, decoders   comma-separated names
 * unreadable           message for a file of another format
 */
bool media_file_open(MediaFile *file, const char *path, const char *demuxers, const char *decoders,
                     const char *unreadable, Diag *diag);

/*
 * True if every read succeeded and, where libav failed, no allocation did since errno was set to 0
 * (media_file_open does that); else reports the error.  libav treats both as damaged data.
 *
 * failed  libav returned an error, or less data than the file declares.  Otherwise errno is not
 *         inspected: malloc may set it to ENOMEM and succeed with mmap after brk failed.
 */
bool media_file_check(const MediaFile *file, bool failed, Diag *diag);

void media_file_close(MediaFile *file); /* may be closed already */
