#include "run/pipeline/frame_drawer.h"

#include "base/clock.h"
#include "film/film_images.h"
#include "film/sub_frames.h"
#include "render/look/accumulator.h"
#include "render/look/pattern.h"
#include "run/pipeline/frame_look.h"
#include "render/lens.h"

struct FrameDrawer {
    const Film *film;
    FrameState *state;
    FrameState *before, *after; /* of motion vectors; else NULL */
    Accumulator *accumulator;   /* NULL: one image a frame */
    FrameLook *look;
    PassPainter *painter; /* NULL if there are no passes */
    int64_t prepared;     /* the frame whose state the renderer has; -1: none */
    int64_t timed;        /* the frame of `times` */
    FrameTimes times;
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
    d->look = frame_look_create(film, arena);
    if (sub_frames_samples(film->job) > 1)
        d->accumulator = accumulator_create(film->render.width, film->render.height,
                                            light_tables_create(arena), arena);
    return d;
}

static void add_times(RenderTimes *sum, RenderTimes t)
{
    sum->upload += t.upload;
    sum->skin += t.skin;
    sum->clear += t.clear;
    sum->shadow += t.shadow;
    sum->surface += t.surface;
    sum->edge += t.edge;
    sum->resolve += t.resolve;
    sum->read += t.read;
    sum->total += t.total;
}

/* One of `count` images of the frame. */
static bool render(Image *image, FrameDrawer *d, Renderer *renderer, int count, Diag *diag)
{
    if (!render_frame(image, renderer, d->state, diag))
        return false;
    const double start_s = clock_thread_cpu_s();
    add_times(&d->times.render, renderer_times(renderer));
    const bool ok = frame_look_image(image, d->look, renderer, d->state, count, diag);
    d->times.look_s += clock_thread_cpu_s() - start_s;
    return ok;
}

static void unpack(FrameState *state, const FrameDrawer *d, const void *packed, int index)
{
    const Scene *scene = &d->film->scene;
    frame_state_unpack(state, (const uint8_t *)packed + (size_t)index * frame_state_size(scene),
                       scene);
}

/* ---- several images a frame ---- */

static void set_lens(const FrameDrawer *d, Renderer *renderer, const PatternSample *sample)
{
    const float radius = d->film->look.focus.aperture / 2;
    const RenderLens lens = {.offset = {sample->lens[0] * radius, sample->lens[1] * radius},
                             .focus = frame_look_focus(&d->film->look.focus, d->state),
                             .pixel = {sample->pixel[0], sample->pixel[1]}};
    renderer_set_lens(renderer, &lens);
}

static void accumulate(FrameDrawer *d, const Image *image)
{
    const double start_s = clock_thread_cpu_s();
    accumulator_add(d->accumulator, image);
    d->times.look_s += clock_thread_cpu_s() - start_s;
}

static bool render_mean(Image *image, FrameDrawer *d, Renderer *renderer, const void *packed,
                        Diag *diag)
{
    const int count = sub_frames_samples(d->film->job);
    const bool moves = sub_frames_count(d->film->job) > 1;

    accumulator_clear(d->accumulator);
    for (int i = 0; i < count; i++) {
        const PatternSample sample = pattern_sample(i, count);
        if (moves || i == 0)
            unpack(d->state, d, packed, i);
        set_lens(d, renderer, &sample);
        if (!render(image, d, renderer, count, diag))
            return false;
        accumulate(d, image);
    }
    accumulator_mean(image, d->accumulator);
    return true;
}

/* ---- a frame ---- */

/* The picture and the passes of a frame add up. */
static void start_times(FrameDrawer *d, int64_t frame)
{
    if (d->timed != frame)
        d->times = (FrameTimes){0};
    d->timed = frame;
}

static void apply_look(Image *image, FrameDrawer *d, int64_t frame)
{
    const double start_s = clock_thread_cpu_s();

    frame_look_finish(image, d->look, frame);
    d->times.look_s += clock_thread_cpu_s() - start_s;
}

bool frame_drawer_draw(Image *image, FrameDrawer *drawer, Renderer *renderer, const void *packed,
                       int64_t frame, Diag *diag)
{
    start_times(drawer, frame);
    frame_look_begin(drawer->look);
    if (drawer->accumulator) {
        if (!render_mean(image, drawer, renderer, packed, diag))
            return false;
    } else {
        unpack(drawer->state, drawer, packed, 0);
        if (!render(image, drawer, renderer, 1, diag))
            return false;
        drawer->prepared = frame;
    }
    apply_look(image, drawer, frame);
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
    const double start_s = clock_thread_cpu_s();
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
    drawer->times.render.total += 1e3 * (clock_thread_cpu_s() - start_s);
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

FrameTimes frame_drawer_times(const FrameDrawer *drawer)
{
    return drawer->times;
}
