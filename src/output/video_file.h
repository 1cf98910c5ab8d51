// SPDX-License-Identifier: MIT
/*
 * video_file.h - writes video packets to a container file, interleaved with sound
 *
 * The file is written under a temporary name beside its final one, closed, read back (opened as a
 * container, its frames counted), synced and renamed.  Video packets are written in decoding order;
 * the packets of SinkOptions.contents.sound are encoded here, up to the time of each video packet.
 * Memory holds one packet, besides what the muxer buffers to interleave the two streams.  Not
 * thread-safe.  Errors: DIAG_CREATE, DIAG_IO, DIAG_JOB (the container does not support the codecs),
 * DIAG_RESOURCE.
 */
#pragma once

#include <signal.h>

#include "base/arena.h"
#include "base/diag.h"
#include "media/libav.h"
#include "output/codec.h"
#include "output/sink.h"

typedef struct VideoFile VideoFile;

/*
 * choice   container of the file, video codec of `codec`, audio codec or NULL for no sound
 * codec    the open encoder, for the parameters of the stream
 * options  file, sound, tags; must outlive the VideoFile
 * stop     when not 0, calls return false soon, without an error; NULL: never
 * returns  NULL after an error
 */
VideoFile *video_file_create(const CodecChoice *choice, const AVCodecContext *codec,
                             const SinkOptions *options, const volatile sig_atomic_t *stop,
                             Arena *arena, Diag *diag);

/* Writes a packet and clears it; its time stamps count frames. */
bool video_file_write(VideoFile *file, AVPacket *packet, Diag *diag);

/* Writes the rest of the sound, closes, verifies that the file has `frames` frames, and renames. */
bool video_file_commit(VideoFile *file, int64_t frames, Diag *diag);

/* Removes the file unless it is committed.  NULL is fine. */
void video_file_destroy(VideoFile *file);
