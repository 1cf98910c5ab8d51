// SPDX-License-Identifier: MIT
/*
 * state_cache.h - evaluated frames of one film, in the process that keeps it
 *
 * A frame that is drawn again, by another camera or in another light, needs no physics, and a later
 * one only that of the frames between.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "film/film_types.h"

typedef struct StateCache StateCache;

/* For a film with one scene and one state a frame; NULL for others, and where there is no memory.
 * It exists until the process ends. */
StateCache *state_cache_create(const Film *film, Arena *arena);

/* Where the simulation that is to advance to a frame is kept, one of a few: the nearest one before
 * it, else a place for another one (NULL), or the one that was used longest ago. */
struct FramePacker **state_cache_packer(StateCache *cache, int64_t frame);

/* Sets the packed states of a frame as they would be evaluated now, with the camera and the light
 * of the film.  False if they are not known. */
bool state_cache_read(void *packed, const StateCache *cache, const Film *film, int64_t frame);
void state_cache_keep(const StateCache *cache, const Film *film, int64_t frame, const void *packed);
