// SPDX-License-Identifier: MIT
/*
 * kept_states.h - the evaluated states of the frames that an edited job draws, from the comparison
 * with its earlier version to their drawing, so that they are evaluated once
 *
 * Holds the states of at most KEPT_STATES_BYTES; those of more frames are evaluated again.
 */
#pragma once

#include <stdbool.h>

#include "film/film_types.h"

enum { KEPT_STATES_BYTES = 64 << 20 /* half of them for the segment that is added */ };

typedef struct KeptStates KeptStates;

KeptStates *kept_states_create(const Film *film); /* the film must outlive it */
void kept_states_destroy(KeptStates *kept);       /* NULL is fine */

/*
 * Adds the packed states of a frame; index: in ascending order, each once.  A frame is kept if it,
 * or another one of its segment, is drawn.
 */
void kept_states_add(KeptStates *kept, int64_t index, const void *packed, bool is_drawn);

/* The states of a frame; NULL if they are not kept, or without KeptStates. */
const void *kept_states_find(const KeptStates *kept, int64_t index);
