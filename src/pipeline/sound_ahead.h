/*
 * sound_ahead.h - encodes the sound of a film in main while its frames are rendered
 *
 * Otherwise main would encode it after the last frame, on one core.  The bytes are the same.
 */
#ifndef PIPELINE_SOUND_AHEAD_H
#define PIPELINE_SOUND_AHEAD_H

#include "film/film.h"
#include "output/sink.h"

typedef struct SoundAhead SoundAhead;

/* For all outputs that are joined from segments.  The film must outlive it. */
SoundAhead *sound_ahead_create(const Film *film, Arena *arena);
void sound_ahead_destroy(SoundAhead *ahead); /* NULL is fine */

/* Encodes the next `seconds` of the sound, as far as there are.  Errors are reported by the join.
 * NULL is fine. */
void sound_ahead_step(SoundAhead *ahead, double seconds);

/* The options of an output for SinkSegments.join, with the packets that it needs not encode.  NULL
 * is fine. */
SinkOptions sound_ahead_options(const SoundAhead *ahead, const Film *film, size_t output);

#endif
