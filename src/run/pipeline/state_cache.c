// SPDX-License-Identifier: MIT
#include "run/pipeline/state_cache.h"

#include <string.h>
#include <sys/mman.h>

#include "evaluate/frame.h"
#include "film/film.h"
#include "film/film_scenes.h"
#include "film/sub_frames.h"

enum { MAX_ENTRIES = 64, MAX_BYTES = 16 << 20, SIMULATIONS = 3 };

/* The packed states follow. */
typedef struct Entry {
    bool is_set;
    int64_t frame;
    double start; /* the motion frame at which its physics began */
} Entry;

typedef struct Simulation {
    struct FramePacker *packer; /* NULL: none */
    int64_t frame, use;         /* the last frame, and the number of that use */
} Simulation;

struct StateCache {
    uint8_t *entries;
    size_t entry_bytes, state_bytes, count;
    Simulation simulations[SIMULATIONS];
    int64_t uses;
};

StateCache *state_cache_create(const Film *film, Arena *arena)
{
    const size_t state = film_state_bytes(film), entry = (sizeof(Entry) + state + 63) / 64 * 64;
    size_t count = MAX_BYTES / entry;
    if (film->scene_count != 1 || sub_frames_states(film->job) != 1 || !count)
        return NULL;
    if (count > MAX_ENTRIES)
        count = MAX_ENTRIES;
    void *memory =
        mmap(NULL, count * entry, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    StateCache *cache = arena_array(arena, StateCache, 1);
    *cache =
        (StateCache){.entries = memory, .entry_bytes = entry, .state_bytes = state, .count = count};
    return cache;
}

struct FramePacker **state_cache_packer(StateCache *cache, int64_t frame)
{
    Simulation *nearest = NULL, *oldest = cache->simulations;
    for (Simulation *s = cache->simulations; s < cache->simulations + SIMULATIONS; s++) {
        if (s->packer && s->frame < frame && (!nearest || s->frame > nearest->frame))
            nearest = s;
        if (s->use < oldest->use)
            oldest = s;
    }
    Simulation *chosen = nearest ? nearest : oldest;
    chosen->frame = frame;
    chosen->use = ++cache->uses;
    return &chosen->packer;
}

static Entry *entry_of(const StateCache *cache, int64_t frame)
{
    return (Entry *)(void *)(cache->entries + (size_t)frame % cache->count * cache->entry_bytes);
}

/* The light and the camera are not kept. */
static void renew_view(void *packed, const Scene *scene)
{
    Arena *arena = arena_create();
    FrameState *state = frame_state_create(scene, arena);
    frame_state_unpack(state, packed, scene);
    evaluate_view(state, scene);
    frame_state_pack(packed, state, scene);
    arena_destroy(arena);
}

bool state_cache_read(void *packed, const StateCache *cache, const Film *film, int64_t frame)
{
    const Entry *entry = entry_of(cache, frame);
    const double start = film_start(film, 0, frame);
    if (!entry->is_set || entry->frame != frame || entry->start < start || entry->start > start)
        return false;
    memcpy(packed, entry + 1, cache->state_bytes);
    renew_view(packed, &film->scenes[0].scene);
    return true;
}

void state_cache_keep(const StateCache *cache, const Film *film, int64_t frame, const void *packed)
{
    Entry *entry = entry_of(cache, frame);
    *entry = (Entry){.is_set = true, .frame = frame, .start = film_start(film, 0, frame)};
    memcpy(entry + 1, packed, cache->state_bytes);
}
