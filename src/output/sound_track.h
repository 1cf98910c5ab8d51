// SPDX-License-Identifier: MIT
/*
 * sound_track.h - encodes the sound of a film to the packets of one stream
 *
 * Splits the sound into frames of the encoder, resampled if the encoder does not support its rate,
 * and returns packets one by one; the muxer reads the next one when the video has reached its time.
 * Time stamps count samples from the first video frame; the encoder's priming samples have negative
 * ones, or replace the first samples in a container without times.  The samples belong to the
 * caller and must outlive the track.  Not thread-safe.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "media/libav.h"
#include "output/sink.h"

typedef struct SoundTrack SoundTrack;

/*
 * container  of the file: whether it stores the codec's header, instead of the packets, and times
 * returns    NULL after an error
 */
SoundTrack *sound_track_create(const AVCodec *codec, const SinkOptions *options,
                               const AVOutputFormat *container, Arena *arena, Diag *diag);
void sound_track_destroy(SoundTrack *track); /* NULL is fine */

/* The track of a film's file, encoded as that file needs it.  Reports no warning; NULL if it has no
 * sound, or after an error. */
SoundTrack *sound_track_open(const SinkOptions *options, Arena *arena, Diag *diag);

/* Encodes packets up to a time of the sound, in seconds, or until 8 MiB wait for sound_track_read,
 * which returns them first, and reports the first error. */
void sound_track_encode_ahead(SoundTrack *track, double until_s);

const AVCodecContext *sound_track_codec(const SoundTrack *track);

/* Reads the next packet, in the time base of the codec.  At the end returns true with *more false.
 */
bool sound_track_read(SoundTrack *track, AVPacket *packet, bool *more, Diag *diag);
