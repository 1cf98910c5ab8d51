/*
 * sound_track.h - samples to the packets of one sound stream
 *
 * Cuts the sound into the encoder's frames, resampled if it does not take the rate, and hands out
 * packets one by one; the muxer asks for the next one whenever the pictures have come that far.
 * Time stamps count samples from the first picture; an encoder's priming lies before 0.
 * The samples belong to the caller and must outlive the track.
 */
#ifndef OUTPUT_SOUND_TRACK_H
#define OUTPUT_SOUND_TRACK_H

#include <libavcodec/avcodec.h>
#include <stdbool.h>

#include "base/arena.h"
#include "base/diag.h"
#include "output/sink.h"

typedef struct SoundTrack SoundTrack;

/* global_header: the container keeps the codec's header itself.  NULL after an error. */
SoundTrack *sound_track_create(const AVCodec *codec, const SinkOptions *options, bool global_header,
                               Arena *arena, Diag *diag);
void sound_track_destroy(SoundTrack *track); /* NULL is fine */

const AVCodecContext *sound_track_codec(const SoundTrack *track);

/* The next packet, in the time base of the codec.  At the end true with *more false. */
bool sound_track_read(SoundTrack *track, AVPacket *packet, bool *more, Diag *diag);

#endif
