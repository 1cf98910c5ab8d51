// SPDX-License-Identifier: MIT
/*
 * sound_stream.h - an open file with the decoder of its sound
 *
 * Shared by sound.h and sound_reader.h, so that what can be used can be compared.  Containers and
 * codecs are whitelisted; no other file is opened, and other streams are not read.
 */
#pragma once

#include "base/diag.h"
#include "media/libav.h"
#include "media/media_file.h"

typedef struct SoundStream {
    MediaFile media;
    AVCodecContext *codec;
    AVPacket *packet; /* of the file */
    AVFrame *frame;   /* of the decoder */
    int index;        /* of the stream */
} SoundStream;

/* Opens a file and its decoder, without threads, and sets the file of `diag`.  Errors:
 * DIAG_MISSING, DIAG_DATA, DIAG_RESOURCE. */
bool sound_stream_open(SoundStream *stream, const char *file, Diag *diag);
void sound_stream_close(SoundStream *stream); /* also after an error */
