// SPDX-License-Identifier: MIT
#include "run/pipeline/kept_states.h"

#include <string.h>

#include "base/arena.h"
#include "film/film.h"
#include "film/film_scenes.h"

struct KeptStates {
    const Film *film;
    Arena *arena;
    size_t state_bytes, bytes; /* bytes: kept in all */
    uint8_t *segment;          /* the states of the segment that is added; NULL: too large */
    bool is_drawn;             /* a frame of it */
    uint8_t **segments;        /* [segments of the film] their states; NULL: not kept */
};

KeptStates *kept_states_create(const Film *film)
{
    Arena *arena = arena_create();
    KeptStates *kept = arena_array(arena, KeptStates, 1);
    *kept =
        (KeptStates){.film = film,
                     .arena = arena,
                     .state_bytes = film_state_bytes(film),
                     .segments = arena_array(arena, uint8_t *, (size_t)film_segment_count(film))};
    const FilmSpan first = film_segment(film, 0); /* no other one is longer */
    if ((size_t)(first.end - first.first) <= KEPT_STATES_BYTES / 2 / kept->state_bytes)
        kept->segment = arena_alloc(arena, (size_t)(first.end - first.first) * kept->state_bytes);
    return kept;
}

void kept_states_destroy(KeptStates *kept)
{
    if (kept)
        arena_destroy(kept->arena);
}

void kept_states_add(KeptStates *kept, int64_t index, const void *packed, bool is_drawn)
{
    const int64_t number = index / kept->film->segment_frames;
    const FilmSpan span = film_segment(kept->film, number);
    const size_t size = (size_t)(span.end - span.first) * kept->state_bytes;
    if (!kept->segment)
        return;
    memcpy(kept->segment + (size_t)(index - span.first) * kept->state_bytes, packed,
           kept->state_bytes);
    kept->is_drawn |= is_drawn;
    if (index + 1 < span.end)
        return;
    if (kept->is_drawn && kept->bytes + size <= KEPT_STATES_BYTES / 2) {
        kept->segments[number] = arena_copy(kept->arena, kept->segment, size);
        kept->bytes += size;
    }
    kept->is_drawn = false;
}

const void *kept_states_find(const KeptStates *kept, int64_t index)
{
    const uint8_t *segment = kept ? kept->segments[index / kept->film->segment_frames] : NULL;
    const FilmSpan span =
        segment ? film_segment(kept->film, index / kept->film->segment_frames) : (FilmSpan){0, 0};
    return segment ? segment + (size_t)(index - span.first) * kept->state_bytes : NULL;
}
