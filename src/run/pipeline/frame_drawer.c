#include "run/pipeline/frame_drawer.h"

#include "film/film_images.h"
#include "film/sub_frames.h"
#include "render/lens.h"
#include "render/look/accumulator.h"
#include "render/look/look.h"
#include "render/look/pattern.h"
#include "render/passes/pass_painter.h"

struct FrameDrawer {
    const Film *film;
    FrameState *state;
    FrameState *before, *after; /* NULL without motion vectors */
    Accumulator *accumulator;   /* NULL: one image a frame */
    Look *look;
    PassPainter *painter; /* NULL if there are no passes */
    int64_t prepared;     /* the frame whose state the renderer has; -1: none */
    int64_t timed;        /* the frame of `times` */
    FrameTimes times;     /* its picture and its passes */
};

/* NULL if the film has only the picture. */
static PassPainter *create_painter(const Film *film, Arena *arena)
{
    Pass passes[PASS_COUNT];
    size_t count = 0;
    for (size_t i = 0; i < film->image_count; i++)
        if (film->images[i].pass != PASS_BEAUTY)
            passes[count++] = film->images[i].pass;
    return count ? pass_painter_create(&film->passes, &film->scene, passes, count,
                                       film->render.width, film->render.height, arena)
                 : NULL;
}

FrameDrawer *frame_drawer_create(const Film *film, Arena *arena)
{
    FrameDrawer *d = arena_array(arena, FrameDrawer, 1);

    d->film = film;
    d->state = frame_state_create(&film->scene, arena);
    if (film_has_image(film, PASS_MOTION)) {
        d->before = frame_state_create(&film->scene, arena);
        d->after = frame_state_create(&film->scene, arena);
    }
    d->painter = create_painter(film, arena);
    d->prepared = d->timed = -1;
    d->look = look_create(film->look, film->render.width, film->render.height, arena);
    if (sub_frames_samples(film->job) > 1)
        d->accumulator = accumulator_create(film->render.width, film->render.height,
                                            light_tables_create(arena), arena);
    return d;
}

static void unpack(FrameState *state, const FrameDrawer *d, const void *packed, int index)
{
    const Scene *scene = &d->film->scene;
    frame_state_unpack(state, (const uint8_t *)packed + (size_t)index * frame_state_size(scene),
                       scene);
}

static void set_lens(const FrameDrawer *d, Renderer *renderer, const PatternSample *sample)
{
    const float radius = d->film->look->focus.aperture / 2;
    const RenderLens lens = {.offset = {sample->lens[0] * radius, sample->lens[1] * radius},
                             .focus = lens_focus(&d->film->look->focus, d->state),
                             .pixel = {sample->pixel[0], sample->pixel[1]}};
    renderer_set_lens(renderer, &lens);
}

static void start_times(FrameDrawer *d, int64_t frame)
{
    if (d->timed != frame)
        frame_times_start(&d->times);
    d->timed = frame;
}

bool frame_drawer_draw(Image *image, FrameDrawer *d, Renderer *renderer, const void *packed,
                       int64_t frame, Diag *diag)
{
    const int count = sub_frames_samples(d->film->job);
    const bool moves = sub_frames_count(d->film->job) > 1;

    start_times(d, frame);
    look_begin(d->look);
    if (d->accumulator)
        accumulator_clear(d->accumulator);
    for (int i = 0; i < count; i++) {
        const PatternSample sample = pattern_sample(i, count);
        if (moves || i == 0)
            unpack(d->state, d, packed, i);
        if (d->accumulator)
            set_lens(d, renderer, &sample);
        if (!render_frame(image, renderer, d->state, diag))
            return false;
        frame_times_add(&d->times, renderer_times(renderer));
        frame_times_restart(&d->times);
        if (!look_change_image(image, d->look, renderer, d->state, count, diag))
            return false;
        if (d->accumulator)
            accumulator_add(d->accumulator, image);
        frame_times_lap(&d->times, STAGE_LOOK);
    }
    if (d->accumulator)
        accumulator_mean(image, d->accumulator);
    else
        d->prepared = frame;
    look_change_frame(image, d->look, frame);
    frame_times_lap(&d->times, STAGE_LOOK);
    return true;
}

/* The frames before and after, if there are motion vectors. */
static void set_moments(const FrameDrawer *d, Renderer *renderer, const void *packed)
{
    const int count = sub_frames_count(d->film->job);

    if (!d->before)
        return;
    unpack(d->before, d, packed, count);
    unpack(d->after, d, packed, count + 1);
    render_set_moments(renderer, d->before, d->after);
}

bool frame_drawer_draw_passes(Image *images, FrameDrawer *drawer, Renderer *renderer,
                              const void *packed, int64_t frame, Diag *diag)
{
    const Film *film = drawer->film;
    if (!drawer->painter)
        return true;
    start_times(drawer, frame);
    if (drawer->prepared != frame) {
        unpack(drawer->state, drawer, packed, 0); /* the first moment, without a lens */
        renderer_set_lens(renderer, NULL);
        render_prepare(renderer, drawer->state);
    }
    for (size_t i = 0; i < film->image_count; i++)
        pass_painter_use(drawer->painter, film->images[i].pass, &images[i]);
    set_moments(drawer, renderer, packed);
    if (!pass_painter_begin(drawer->painter, renderer, drawer->state, diag))
        return false;
    for (size_t i = 0; i < film->image_count; i++)
        if (film->images[i].pass != PASS_BEAUTY &&
            !pass_painter_paint(&images[i], drawer->painter, renderer, film->images[i].pass, diag))
            return false;
    return true;
}

void frame_drawer_parts(ImageRect *parts, const FrameDrawer *drawer)
{
    const Film *film = drawer->film;
    for (size_t i = 0; i < film->image_count; i++)
        parts[i] = film->images[i].pass == PASS_BEAUTY
                       ? (ImageRect){0, 0, film->render.width, film->render.height}
                       : pass_painter_part(drawer->painter, film->images[i].pass);
}

FrameTimes *frame_drawer_times(FrameDrawer *drawer)
{
    return &drawer->times;
}
