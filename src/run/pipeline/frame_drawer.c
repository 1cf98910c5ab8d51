// SPDX-License-Identifier: MIT
#include "run/pipeline/frame_drawer.h"

#include "film/film_images.h"
#include "film/film_scenes.h"
#include "film/overlays.h"
#include "run/pipeline/scene_drawer.h"
#include "scene/texture_pixels.h"

struct FrameDrawer {
    const Film *film;
    FrameDrawerOptions options;
    bool continues;       /* renderer_continue */
    SceneDrawer **scenes; /* [scene_count] NULL: closed */
    size_t current;       /* the scene whose context is current; scene_count: none */
    size_t painted;       /* the scene whose passes were drawn last */
    Overlays *overlays;
    uint8_t *pixels;  /* of the second scene of a transition; NULL: there is none */
    int64_t timed;    /* the frame of `times` */
    FrameTimes times; /* its picture and its passes */
};

FrameDrawer *frame_drawer_create(const Film *film, Arena *arena)
{
    FrameDrawer *d = arena_array(arena, FrameDrawer, 1);
    d->film = film;
    d->scenes = arena_array(arena, SceneDrawer *, film->scene_count);
    d->current = film->scene_count;
    d->timed = -1;
    d->overlays = overlays_open(film, arena);
    for (size_t i = 1; i < film->scene_count; i++)
        if (film_overlap(film, i) > 0 && !d->pixels)
            d->pixels = arena_calloc(arena, film_image_bytes(film, PIXEL_RGBA8), 1);
    return d;
}

static void set_timers(const FrameDrawer *d, size_t scene)
{
    Renderer *renderer = scene_drawer_renderer(d->scenes[scene]);
    renderer_time_stages(renderer, d->options.time_stages);
    if (d->options.time_passes)
        renderer_time_passes(renderer);
}

void frame_drawer_set(FrameDrawer *d, FrameDrawerOptions options)
{
    d->options = options;
    for (size_t i = 0; i < d->film->scene_count; i++)
        if (d->scenes[i])
            set_timers(d, i);
}

static void close_before(FrameDrawer *d, size_t end)
{
    for (size_t i = 0; i < end && !d->options.keep; i++)
        if (d->scenes[i]) {
            scene_drawer_close(d->scenes[i]);
            d->scenes[i] = NULL;
            d->current = d->film->scene_count;
        }
}

void frame_drawer_destroy(FrameDrawer *d)
{
    if (!d)
        return;
    close_before(d, d->film->scene_count);
    overlays_close(d->overlays);
}

bool frame_drawer_open(FrameDrawer *d, size_t scene, GlContext *context, Diag *diag)
{
    const Film *film = d->film;
    const Scene *pixels = &film->scenes[scene].scene;
    if (!context)
        context = gl_create(film->render.backend, diag);
    d->current = scene;
    if (context && !texture_pixels_restore(pixels, diag)) {
        gl_destroy(context);
        return false;
    }
    d->scenes[scene] = context ? scene_drawer_open(film, scene, context, diag) : NULL;
    if (!film_keeps_pixels(film, scene))
        texture_pixels_discard(pixels);
    if (d->scenes[scene])
        set_timers(d, scene);
    return d->scenes[scene] != NULL;
}

/* The drawer of a scene, whose context becomes current; NULL after an error. */
static SceneDrawer *use(FrameDrawer *d, size_t scene, Diag *diag)
{
    if (!d->scenes[scene] && !frame_drawer_open(d, scene, NULL, diag))
        return NULL;
    if (d->current != scene && !renderer_use(scene_drawer_renderer(d->scenes[scene]), diag))
        return NULL;
    d->current = scene;
    renderer_continue(scene_drawer_renderer(d->scenes[scene]), d->continues);
    return d->scenes[scene];
}

void frame_drawer_continue(FrameDrawer *drawer, bool on)
{
    drawer->continues = on;
}

static void start_times(FrameDrawer *d, int64_t frame)
{
    if (d->timed != frame)
        frame_times_start(&d->times);
    d->timed = frame;
}

/* Draws one of the scenes of a frame of the film, with its titles and pictures. */
static bool draw_scene(Image *image, FrameDrawer *d, const FilmMoment *moment, int index,
                       const void *packed, int64_t frame, Diag *diag)
{
    const FilmShown shown = moment->shown[index];
    const uint8_t *states = (const uint8_t *)packed + film_states_offset(d->film, moment, index);
    SceneDrawer *scene = use(d, shown.scene, diag);
    return scene && scene_drawer_draw(image, scene, &d->times, states, shown.frame, diag) &&
           overlays_draw(image, d->overlays, shown.scene, frame, diag);
}

bool frame_drawer_draw(Image *image, FrameDrawer *d, const void *packed, int64_t frame, Diag *diag)
{
    const FilmMoment moment = film_moment(d->film, frame);
    Image second = *image;
    second.pixels = d->pixels;

    start_times(d, frame);
    close_before(d, moment.shown[0].scene);
    for (int i = 0; i < moment.count; i++)
        if ((moment.count == 1 || transition_shows(moment.transition, moment.time, i)) &&
            !draw_scene(i == 0 ? image : &second, d, &moment, i, packed, frame, diag))
            return false;
    if (moment.count > 1)
        transition_mix(image, &second, moment.transition, moment.time);
    return overlays_draw(image, d->overlays, OVERLAY_OF_FILM, frame, diag);
}

bool frame_drawer_draw_passes(Image *images, FrameDrawer *d, const void *packed, int64_t frame,
                              Diag *diag)
{
    const FilmMoment moment = film_moment(d->film, frame);
    const int index = moment.count > 1 && transition_is_past_middle(moment.time);
    const FilmShown shown = moment.shown[index];

    start_times(d, frame);
    close_before(d, moment.shown[0].scene);
    SceneDrawer *scene = use(d, shown.scene, diag);
    d->painted = shown.scene;
    return scene && scene_drawer_draw_passes(images, scene,
                                             (const uint8_t *)packed +
                                                 film_states_offset(d->film, &moment, index),
                                             shown.frame, diag);
}

void frame_drawer_parts(ImageRect *parts, const FrameDrawer *d)
{
    const Film *film = d->film;
    for (size_t i = 0; i < film->image_count; i++)
        parts[i] = film->images[i].pass == PASS_BEAUTY
                       ? (ImageRect){0, 0, film->render.width, film->render.height}
                       : scene_drawer_part(d->scenes[d->painted], film->images[i].pass);
}

FrameTimes *frame_drawer_times(FrameDrawer *drawer)
{
    return &drawer->times;
}

void frame_drawer_take_pass_times(FxPassTime *sums, const FrameDrawer *d)
{
    for (size_t i = 0; i < d->film->scene_count; i++) {
        if (d->scenes[i])
            renderer_take_pass_times(sums, scene_drawer_renderer(d->scenes[i]));
        sums += fx_pass_count(&d->film->scenes[i].scene.effects);
    }
}
