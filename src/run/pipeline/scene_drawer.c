// SPDX-License-Identifier: MIT
#include "run/pipeline/scene_drawer.h"

#include "film/film_images.h"
#include "film/film_layers.h"
#include "film/film_scenes.h"
#include "film/sub_frames.h"
#include "media/video_source.h"
#include "picture/look/focus.h"
#include "picture/look/light.h"
#include "picture/look/look.h"
#include "picture/look/pattern.h"
#include "picture/passes/pass_painter.h"
#include "render/view.h"

struct SceneDrawer {
    Arena *arena;
    const Film *film;
    const FilmScene *scene;
    Renderer *renderer;
    VideoSource *background; /* opened at the first frame; NULL: there is none */
    FrameState *state;
    FrameState *before, *after; /* NULL without motion vectors */
    Accumulator *accumulator;   /* NULL: one image a frame */
    Look *look;
    PassPainter *painter; /* NULL if there are no passes */
    int64_t prepared;     /* the frame whose state the renderer has; -1: none */
};

/* NULL if the film has only the picture. */
static PassPainter *create_painter(const Film *film, size_t scene, Arena *arena)
{
    Pass passes[PASS_COUNT];
    size_t count = 0;
    for (size_t i = 0; i < film->image_count; i++)
        if (film->images[i].pass != PASS_BEAUTY)
            passes[count++] = film->images[i].pass;
    return count ? pass_painter_create(&film->passes, &film->scenes[scene].scene,
                                       film_labels_before(film, scene), passes, count,
                                       film->render.width, film->render.height, arena)
                 : NULL;
}

SceneDrawer *scene_drawer_open(const Film *film, size_t scene, GlContext *context, Diag *diag)
{
    Arena *arena = arena_create();
    SceneDrawer *d = arena_array(arena, SceneDrawer, 1);
    const FilmScene *s = &film->scenes[scene];
    const int width = film->render.width, height = film->render.height;
    const RenderOptions render = film_scene_render(&film->render, s);

    *d = (SceneDrawer){.arena = arena, .film = film, .scene = s, .prepared = -1};
    d->state = frame_state_create(&s->scene, arena);
    if (film_has_image(film, PASS_MOTION)) {
        d->before = frame_state_create(&s->scene, arena);
        d->after = frame_state_create(&s->scene, arena);
    }
    d->painter = create_painter(film, scene, arena);
    d->look = look_create(&s->look, width, height, arena);
    if (sub_frames_samples(s->job) > 1)
        d->accumulator = accumulator_create(width, height, light_tables_create(arena), arena);
    d->renderer = renderer_create_in(context, &s->scene, &render, diag);
    if (d->renderer)
        return d;
    scene_drawer_close(d);
    return NULL;
}

void scene_drawer_close(SceneDrawer *d)
{
    if (!d)
        return;
    video_source_close(d->background);
    renderer_destroy(d->renderer);
    arena_destroy(d->arena);
}

Renderer *scene_drawer_renderer(const SceneDrawer *d)
{
    return d->renderer;
}

static void unpack(FrameState *state, const SceneDrawer *d, const void *packed, int index)
{
    const Scene *scene = &d->scene->scene;
    frame_state_unpack(state, (const uint8_t *)packed + (size_t)index * frame_state_size(scene),
                       scene);
}

static void set_lens(const SceneDrawer *d, const PatternSample *sample)
{
    static const FocusOptions none;
    const FocusOptions *focus = d->scene->look.focus ? d->scene->look.focus : &none;
    const float radius = focus->aperture / 2;
    const RenderLens lens = {.offset = {sample->lens[0] * radius, sample->lens[1] * radius},
                             .focus = focus_distance(focus, d->state),
                             .pixel = {sample->pixel[0], sample->pixel[1]}};
    renderer_set_lens(d->renderer, &lens);
}

/* The frame of the background video. */
static bool set_background(SceneDrawer *d, int64_t frame, Diag *diag)
{
    const VideoSourceSpec video = film_video_source(d->film, d->scene);
    const Image *image;
    if (!video.file)
        return true;
    if (!d->background)
        d->background = video_source_open(&video, diag);
    if (!d->background ||
        !video_source_read(&image, d->background, film_video_time_s(d->scene, frame), diag))
        return false;
    diag_file(diag, NULL);
    renderer_set_background(d->renderer, image);
    return true;
}

bool scene_drawer_draw(Image *image, SceneDrawer *d, FrameTimes *times, const void *packed,
                       int64_t frame, Diag *diag)
{
    const int count = sub_frames_samples(d->scene->job);
    const bool moves = sub_frames_count(d->scene->job) > 1;

    if (!set_background(d, frame, diag))
        return false;
    look_begin(d->look);
    if (d->accumulator)
        accumulator_clear(d->accumulator);
    for (int i = 0; i < count; i++) {
        const PatternSample sample = pattern_sample(i, count);
        if (moves || i == 0)
            unpack(d->state, d, packed, i);
        if (d->accumulator)
            set_lens(d, &sample);
        if (!render_frame(image, d->renderer, d->state, diag))
            return false;
        frame_times_add(times, renderer_times(d->renderer));
        frame_times_restart(times);
        if (!look_change_image(image, d->look, d->renderer, d->state, i, count, diag))
            return false;
        if (d->accumulator)
            accumulator_add(d->accumulator, image);
        frame_times_lap(times, STAGE_LOOK);
    }
    if (d->accumulator)
        accumulator_mean(image, d->accumulator);
    else
        d->prepared = frame;
    look_change_frame(image, d->look, frame);
    frame_times_lap(times, STAGE_LOOK);
    return true;
}

/* The frames before and after, if there are motion vectors. */
static void set_moments(const SceneDrawer *d, const void *packed)
{
    const int count = sub_frames_count(d->scene->job);

    if (!d->before)
        return;
    unpack(d->before, d, packed, count);
    unpack(d->after, d, packed, count + 1);
    render_set_moments(d->renderer, d->before, d->after);
}

bool scene_drawer_draw_passes(Image *images, SceneDrawer *d, const void *packed, int64_t frame,
                              Diag *diag)
{
    const Film *film = d->film;
    if (!d->painter)
        return true;
    if (d->prepared != frame) {
        unpack(d->state, d, packed, 0); /* the first moment, without a lens */
        renderer_set_lens(d->renderer, NULL);
        render_prepare(d->renderer, d->state);
    }
    for (size_t i = 0; i < film->image_count; i++)
        pass_painter_use(d->painter, film->images[i].pass, &images[i]);
    set_moments(d, packed);
    if (!pass_painter_begin(d->painter, d->renderer, d->state, diag))
        return false;
    for (size_t i = 0; i < film->image_count; i++)
        if (film->images[i].pass != PASS_BEAUTY &&
            !pass_painter_paint(&images[i], d->painter, d->renderer, film->images[i].pass, diag))
            return false;
    return true;
}

ImageRect scene_drawer_part(const SceneDrawer *drawer, Pass pass)
{
    return pass_painter_part(drawer->painter, pass);
}
