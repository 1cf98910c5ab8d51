// SPDX-License-Identifier: MIT
#include "run/pipeline/warm_film.h"

#include <string.h>
#include <time.h>

#include "base/encoding.h"
#include "base/memory.h"
#include "film/film_images.h"
#include "film/film_scenes.h"
#include "job/job_visit.h"
#include "render/gl/gl_probe.h"
#include "run/checkpoint/warm_inputs.h"
#include "run/pipeline/bake_run.h"
#include "run/pipeline/state_cache.h"
#include "scene/texture_pixels.h"

/* ---- the keys of a job ---- */

typedef struct WarmKey {
    const char *key, *value;
} WarmKey;

typedef struct KeyList {
    ARENA_LIST(WarmKey) keys;
    Arena *arena;
} KeyList;

static bool is_of(const char *key, const char *const *names)
{
    for (; *names; names++) {
        const size_t size = strlen(*names);
        if (!strncmp(key, *names, size) && (!key[size] || key[size] == '.'))
            return true;
    }
    return false;
}

/* What film_change changes, or what decides no pixel. */
static bool is_free(const char *key)
{
    static const char *const names[] = {"name",           "outputs", "render.frames",
                                        "render.workers", "limits",  NULL};
    return is_of(key, names);
}

/* What scene_change_camera and scene_change_light change; 0: another key. */
static int view_of(const char *key)
{
    static const char *const camera[] = {
        "camera.fixed",  "camera.follow",  "camera.shot",         "camera.smooth_s",
        "camera.margin", "camera.fov_deg", "camera.rotation_deg", NULL};
    static const char *const light[] = {"light.color", "light.direction", NULL};
    return is_of(key, camera) ? FILM_CAMERA : is_of(key, light) ? FILM_LIGHT : 0;
}

bool warm_film_is_free(const char *key)
{
    return is_free(key) || view_of(key);
}

static void add_key(void *user, const char *key, const char *value, const Option *option)
{
    KeyList *list = user;
    (void)option;
    if (!is_free(key))
        *arena_push(list->arena, &list->keys) =
            (WarmKey){arena_strdup(list->arena, key), arena_strdup(list->arena, value)};
}

static KeyList keys_of(const Job *job, Arena *arena)
{
    KeyList list = {.arena = arena};
    job_visit_keys(job, add_key, &list);
    return list;
}

static bool is_equal(const WarmKey *a, const WarmKey *b)
{
    return !strcmp(a->key, b->key) && !strcmp(a->value, b->value);
}

/* The next key that film_change does not change, from *at on. */
static size_t skip_view(const WarmKey *keys, size_t count, size_t at)
{
    while (at < count && view_of(keys[at].key))
        at++;
    return at;
}

/* What of a camera or a light differs between two parts of the lists. */
static int compare_view(const WarmKey *a, size_t a_count, const WarmKey *b, size_t b_count)
{
    int view = 0;
    for (size_t i = 0; i < a_count || i < b_count; i++) {
        if (i < a_count && i < b_count && is_equal(&a[i], &b[i]))
            continue;
        view |= i < a_count ? view_of(a[i].key) : 0;
        view |= i < b_count ? view_of(b[i].key) : 0;
    }
    return view;
}

/* Both lists are in the order of the tables, so that equal keys follow each other. */
static bool fits(int *view, const WarmKey *a, size_t a_count, const WarmKey *b, size_t b_count)
{
    *view = 0;
    for (size_t i = 0, k = 0;; i++, k++) {
        const size_t from = i, other = k;
        i = skip_view(a, a_count, i);
        k = skip_view(b, b_count, k);
        *view |= compare_view(&a[from], i - from, &b[other], k - other);
        if (i == a_count || k == b_count)
            return i == a_count && k == b_count;
        if (!is_equal(&a[i], &b[k]))
            return false;
    }
}

/* ---- opening ---- */

/* Titles and pictures last until the end of the motions, or of the frames if they are longer;
 * with a history, effects need the frames before a still. */
static bool is_simple(const Film *film)
{
    const Job *job = film->job;
    const int64_t last = film->frames.items[film->frames.count - 1].last;
    return !job->scene_count && (!film->overlay_count || last <= film_end(film)) &&
           !film->preview_count && !job->effects.history && film->image_count == 1 &&
           film->images[0].pass == PASS_BEAUTY;
}

/* A texture that was not found may exist when the next job comes. */
static bool has_all_textures(const Scene *scene)
{
    for (size_t i = 0; i < scene->model_count; i++)
        for (uint32_t k = 0; k < scene->models[i].model->pmx.texture_count; k++)
            if (!scene->models[i].model->textures[k])
                return false;
    return true;
}

/* Draws the first frame and one after it.  The driver compiles what a draw call needs when it is
 * made first, and the renderer draws a second frame by what it knows of the one before. */
static bool draw_first_frames(const WarmFilm *warm, Progress *progress,
                              const volatile sig_atomic_t *stop, Diag *diag)
{
    const Film *film = &warm->film;
    const int64_t first = film_frame_at(film, 0);
    Arena *arena = arena_create();
    void *states = arena_alloc(arena, film_state_bytes(film));
    Image image = film_image(film, 0, arena_alloc(arena, film->image_bytes));
    FrameStateSource source;
    bool drawn = frame_state_source_open(&source, film, NULL, progress, stop, arena, diag);
    for (int64_t frame = first; drawn && frame < first + 2; frame++)
        drawn = frame_state_source_read(states, &source, frame, diag) &&
                frame_drawer_draw(&image, warm->drawer, states, frame, diag);
    frame_state_source_close(&source);
    arena_destroy(arena);
    return drawn;
}

static bool open_drawer(WarmFilm *warm, bool *kept, Progress *progress,
                        const volatile sig_atomic_t *stop, Diag *diag)
{
    const Film *film = &warm->film;
    const int threads = gl_threads_open();
    gl_disable_shader_cache();
    GlContext *gl = gl_create(film->render.backend, diag);
    if (gl)
        gl_probe_remember(gl, film->render.backend);
    warm->drawer = frame_drawer_create(film, warm->arena);
    const bool open = gl && frame_drawer_open(warm->drawer, 0, gl, diag) &&
                      draw_first_frames(warm, progress, stop, diag);
    *kept = gl_threads_allow_fork(threads) && open;
    texture_pixels_discard(&film->scenes[0].scene);
    memory_trim();
    return open;
}

bool warm_film_open(WarmFilm *warm, bool *kept, const Job *job, Progress *progress,
                    const volatile sig_atomic_t *stop, Arena *arena, Diag *diag)
{
    Fingerprint *fingerprint = arena_array(arena, Fingerprint, 1);
    const double start_s = (double)time(NULL);
    const KeyList list = keys_of(job, arena);
    *warm = (WarmFilm){.keys = list.keys.items, .key_count = list.keys.count, .arena = arena};
    *kept = false;
    progress_stage(progress, "load", 0, 0);
    encodings_hold(); /* as long as the process exists */
    if (!film_load(&warm->film, job, arena, diag))
        return false;
    if (!is_simple(&warm->film) || !has_all_textures(&warm->film.scenes[0].scene))
        return true;
    if (!fingerprint_make(fingerprint, &warm->film, stop, arena, diag))
        return false;
    warm->film.inputs = warm_inputs_create(fingerprint, start_s, arena);
    warm->film.states = state_cache_create(&warm->film, arena);
    return open_drawer(warm, kept, progress, stop, diag);
}

/* ---- the jobs that follow ---- */

bool warm_film_is_still(const WarmFilm *warm)
{
    return warm->film.frame_count == 1 && !warm->film.ordered;
}

bool warm_film_fits(FilmView *view, const WarmFilm *warm, const Job *job,
                    const volatile sig_atomic_t *stop)
{
    Arena *arena = arena_create();
    const KeyList list = keys_of(job, arena);
    int different;
    const bool same =
        fits(&different, warm->keys, warm->key_count, list.keys.items, list.keys.count) &&
        warm_inputs_hold(warm->film.inputs, stop);
    *view = (FilmView)different;
    arena_destroy(arena);
    return same;
}

bool warm_film_change(WarmFilm *warm, bool *kept, const Job *job, FilmView view, Arena *arena,
                      Diag *diag)
{
    warm->changed |= view;
    const bool changed = film_change(&warm->film, job, warm->changed, arena, diag);
    *kept = is_simple(&warm->film);
    return changed;
}
