// SPDX-License-Identifier: MIT
/*
 * state_cache.h - evaluated frames of one film, shared by the processes that are forked from its
 * own
 *
 * A frame that is drawn again, by another camera or in another light, needs no physics.  The memory
 * is shared: a process may end at any moment while it writes, and several may write, so that each
 * entry has a digest, and a damaged one counts as none.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "film/film_types.h"

typedef struct StateCache StateCache;

/* For a film with one state a frame; NULL for others, and where there is no memory.  It exists
 * until the process ends. */
StateCache *state_cache_create(const Film *film, Arena *arena);

/* Sets the packed states of a frame as they would be evaluated now, with the camera and the light
 * of the film.  False if they are not known. */
bool state_cache_read(void *packed, const StateCache *cache, const Film *film, int64_t frame);
void state_cache_keep(StateCache *cache, const Film *film, int64_t frame, const void *packed);
