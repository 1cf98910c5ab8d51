// SPDX-License-Identifier: MIT
#include "film/preview_plan.h"

#include <math.h>

#include "film/film_scenes.h"
#include "film/frame_ranges.h"

enum { CELL_WIDTH = 320, ANIMATION_WIDTH = 480, SUPERSAMPLE = 2 };

/* Properties of each type of preview, by JobPreviewType. */
typedef struct Kind {
    const SinkKind *sink;
    int width;     /* largest width for "auto"; 0: the width of the film */
    bool opaque;   /* even if the film has alpha */
    bool animated; /* shows frames at the rate of the preview, up to the end of its range */
    int max_fps;   /* greatest frame rate of an animation; 0: no limit */
} Kind;

static const Kind kinds[] = {
    [PREVIEW_SHEET] = {&sink_sheet, CELL_WIDTH, true, false, 0},
    [PREVIEW_STILL] = {&sink_png, 0, false, false, 0},
    [PREVIEW_WEBP] = {&sink_webp, ANIMATION_WIDTH, false, true, 0},
    [PREVIEW_GIF] = {&sink_gif, ANIMATION_WIDTH, true, true, SINK_GIF_MAX_FPS},
};

/* ---- frames ---- */

FrameRanges preview_spread(const FrameRanges *from, int count, Arena *arena)
{
    const int64_t available = film_frame_count(from);
    if (count > available)
        count = (int)available;
    FrameRanges out = {arena_array(arena, FrameRange, (size_t)count), (size_t)count};
    for (int64_t i = 0; i < count; i++) {
        /* i (available - 1) / (count - 1), to the nearest */
        const int64_t steps = count - 1;
        const int64_t index =
            steps ? (2 * i * (available - 1) + steps) / (2 * steps) : (available - 1) / 2;
        const int64_t frame = frame_ranges_at(from, index);
        out.items[i] = (FrameRange){frame, frame};
    }
    return out;
}

/* Tolerance in frames for times that are rounded decimals of frame times. */
static const double TOLERANCE = 1e-6;

/* The frames between two times, with or without the second one. */
static FrameRanges select_range(const FrameRanges *from, const double range_s[2], bool include_end,
                                Rational fps, Arena *arena)
{
    const double first = ceil(range_s[0] * fps.num / fps.den - TOLERANCE);
    const double end = range_s[1] * fps.num / fps.den;
    const double last = include_end ? floor(end + TOLERANCE) : ceil(end - TOLERANCE) - 1;
    FrameRanges out = {arena_array(arena, FrameRange, from->count), 0};
    for (size_t i = 0; i < from->count; i++) {
        FrameRange r = from->items[i];
        if (last < (double)r.first || first > (double)r.last)
            continue;
        if (first > (double)r.first)
            r.first = (int64_t)first;
        if (last < (double)r.last)
            r.last = (int64_t)last;
        if (r.first <= r.last)
            out.items[out.count++] = r;
    }
    return out;
}

FrameRanges preview_steps(const FrameRanges *from, Rational fps, Rational slower, Arena *arena)
{
    const double step = (double)fps.num * slower.den / ((double)fps.den * slower.num);
    const int64_t available = film_frame_count(from);
    ARENA_LIST(FrameRange) list = {0};
    for (;;) {
        const int64_t index = llround((double)list.count * step);
        if (index >= available)
            return (FrameRanges){list.items, list.count};
        const int64_t frame = frame_ranges_at(from, index);
        *arena_push(arena, &list) = (FrameRange){frame, frame};
    }
}

static FrameRanges still_frame(const Film *film, const JobPreview *p, Arena *arena)
{
    const Rational fps = film->job->render.fps;
    const int64_t frame = p->frame >= 0 ? p->frame : llround(p->time_s * fps.num / fps.den);
    FrameRanges out = {arena_array(arena, FrameRange, 1), 1};
    out.items[0] = (FrameRange){frame, frame};
    return out;
}

static FrameRanges middles_of_scenes(const Film *film, Arena *arena)
{
    FrameRanges out = {arena_array(arena, FrameRange, film->scene_count), film->scene_count};
    for (size_t i = 0; i < film->scene_count; i++) {
        const int64_t frame = film->scenes[i].start + (film->scenes[i].count - 1) / 2;
        out.items[i] = (FrameRange){frame, frame};
    }
    return out;
}

static bool is_part(const JobPreview *p)
{
    return p->range_s[0] > 0 || p->range_s[1] > 0;
}

static FrameRanges choose_frames(const Film *film, const JobPreview *p, Rational rate, Arena *arena)
{
    const bool animated = kinds[p->type].animated;
    const Rational fps = film->job->render.fps;
    if (p->type == PREVIEW_STILL)
        return still_frame(film, p, arena);
    if (p->by_scene)
        return middles_of_scenes(film, arena);
    const FrameRanges from =
        is_part(p) ? select_range(&film->frames, p->range_s, !animated, fps, arena) : film->frames;
    return animated ? preview_steps(&from, fps, rate, arena)
                    : preview_spread(&from, p->cells[0] * p->cells[1], arena);
}

static Rational slower(Rational a, Rational b)
{
    return (int64_t)a.num * b.den < (int64_t)b.num * a.den ? a : b;
}

/* The frame rate: at most that of the film, and that of the format. */
static Rational choose_rate(const Film *film, const JobPreview *p, size_t index, Diag *diag)
{
    const Kind *kind = &kinds[p->type];
    const Rational fps = film->job->render.fps, max = {kind->max_fps, 1};
    if (!kind->animated)
        return fps;
    const Rational rate = slower(p->fps, fps);
    if (!kind->max_fps || (int64_t)rate.num <= (int64_t)max.num * rate.den)
        return rate;
    diag_warn(diag, WARN_PREVIEW,
              "previews.%zu.fps: a .gif has at most %d frames/s; written with %d", index, max.num,
              max.num);
    return max;
}

/* ---- size ---- */

static RenderOptions scaled_options(const Film *film, int width)
{
    RenderOptions render = film->render;
    const int64_t w = film->render.width, h = film->render.height;
    const int64_t height = (2 * width * h + w) / (2 * w);
    render.width = width;
    render.height = height < 1 ? 1 : height > INT32_MAX ? INT32_MAX : (int)height;
    render.samples = 1;
    render.supersample = SUPERSAMPLE;
    return render;
}

static RenderOptions choose_render(const Film *film, const JobPreview *p)
{
    const Kind *kind = &kinds[p->type];
    const int own = film->render.width;
    const int width = p->width ? p->width : kind->width && kind->width < own ? kind->width : own;
    RenderOptions render =
        width == own && p->type != PREVIEW_SHEET ? film->render : scaled_options(film, width);
    if (kind->opaque) {
        render.alpha = false;
        render.background[3] = 1;
    }
    return render;
}

static bool check_size(const Job *job, const FilmPreview *preview, size_t index, Diag *diag)
{
    const RenderOptions *r = &preview->render;
    SheetLayout layout = {0};
    if (r->height > IMAGE_MAX_SIDE / r->supersample || r->width > IMAGE_MAX_SIDE / r->supersample)
        return diag_fail(
            diag, DIAG_JOB,
            "previews.%zu: an image of %dx%d pixels is too large (at most %d per side)", index,
            r->width, r->height, IMAGE_MAX_SIDE / r->supersample);
    const SheetSpec spec = sink_sheet_spec(&preview->output.options);
    if (preview->output.kind == &sink_sheet && !sheet_layout(&layout, &spec))
        return diag_fail(
            diag, DIAG_JOB,
            "previews.%zu: a sheet of %d x %d cells of %dx%d pixels exceeds %d pixels in "
            "width or height",
            index, spec.columns, spec.rows, r->width, r->height, IMAGE_MAX_SIDE);
    const bool is_sheet = preview->output.kind == &sink_sheet;
    return host_limits_check_image(&job->host, preview->render.width, preview->render.height,
                                   diag) &&
           (!is_sheet || host_limits_check_image(&job->host, layout.width, layout.height, diag));
}

/* ---- one preview ---- */

/* A still can show a frame of the dance that is not rendered, but none after its end: all frames
 * before it would be simulated. */
static bool check_still(const Film *film, const JobPreview *p, int64_t frame, size_t index,
                        Diag *diag)
{
    int64_t last = film_end(film);
    if (film->frames.items[film->frames.count - 1].last > last)
        last = film->frames.items[film->frames.count - 1].last;
    return frame <= last ||
           diag_fail(diag, DIAG_JOB, "previews.%zu.%s: frame %lld is after the film (0..%lld)",
                     index, p->frame >= 0 ? "frame" : "time_s", (long long)frame, (long long)last);
}

/* Warns about a range that ends after the film. */
static bool warn_range_end(const Film *film, const JobPreview *p, size_t index, Diag *diag)
{
    const Rational fps = film->job->render.fps;
    const int64_t last = film->frames.items[film->frames.count - 1].last;
    const double end_s = (double)((last + 1) * fps.den) / fps.num;
    if (p->range_s[1] <= end_s + TOLERANCE)
        return true;
    return diag_warn(diag, WARN_PREVIEW,
                     "previews.%zu.range_s: the film ends at %g s, before the end %g of the range",
                     index, end_s, p->range_s[1]);
}

/* Adds preview `index` of the job to film->previews. */
static bool plan_one(Film *film, size_t index, Arena *arena, Diag *diag)
{
    const JobPreview *p = &film->job->previews[index];
    FilmPreview *out = &film->previews[film->preview_count];
    const Rational rate = choose_rate(film, p, index, diag);
    const FrameRanges frames = choose_frames(film, p, rate, arena);
    if (!frames.count) /* possible if only a part of the film is rendered */
        return diag_warn(diag, WARN_PREVIEW,
                         "previews.%zu.range_s: no frames in %g..%g s; the preview is skipped",
                         index, p->range_s[0], p->range_s[1]);
    if (p->type == PREVIEW_STILL && !check_still(film, p, frames.items[0].first, index, diag))
        return false;
    out->render = choose_render(film, p);
    out->installed_font = p->type == PREVIEW_SHEET && p->font == LABELS_AUTO;
    out->output = (FilmOutput){
        .kind = kinds[p->type].sink,
        .frames = frames,
        .options =
            {
                .file = p->file,
                .width = out->render.width,
                .height = out->render.height,
                .fps_num = rate.num,
                .fps_den = rate.den,
                .alpha = out->render.alpha,
                .first_frame = frames.items[0].first,
                .frame_count = (int64_t)frames.count,
                .sheet.columns = p->cells[0],
                .sheet.rows = p->cells[1],
                .sheet.last_frame = p->by_scene ? -1 : frames.items[frames.count - 1].last,
            },
    };
    film->preview_count++;
    return (p->type == PREVIEW_STILL || warn_range_end(film, p, index, diag)) &&
           check_size(film->job, out, index, diag);
}

bool preview_plan(Film *film, Arena *arena, Diag *diag)
{
    const Job *job = film->job;
    bool good = true;
    film->previews = arena_array(arena, FilmPreview, job->preview_count);
    film->preview_count = 0;
    diag_file(diag, job->file);
    for (size_t i = 0; i < job->preview_count; i++)
        good &= plan_one(film, i, arena, diag);
    diag_file(diag, NULL);
    return good;
}
