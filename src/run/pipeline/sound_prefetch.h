// SPDX-License-Identifier: MIT
/*
 * sound_prefetch.h - encodes the sound of a film in main while its frames are rendered
 *
 * Otherwise main would encode it after the last frame, on one core.  The bytes are the same.
 */
#pragma once

#include "film/film_types.h"
#include "output/sink.h"

typedef struct SoundPrefetch SoundPrefetch;

/* For all outputs that are joined from segments.  The film must outlive it. */
SoundPrefetch *sound_prefetch_create(const Film *film, Arena *arena);
void sound_prefetch_destroy(SoundPrefetch *ahead); /* NULL is fine */

/* Encodes the next `seconds` of the sound, as far as there are.  Errors are reported by the join.
 * NULL is fine. */
void sound_prefetch_step(SoundPrefetch *ahead, double seconds);

/* The options of an output for SinkSegments.join, with the packets that it needs not encode.  NULL
 * is fine. */
SinkOptions sound_prefetch_options(const SoundPrefetch *ahead, const Film *film, size_t output);
