#include "job/preview_plan.h"

#include <math.h>

enum { CELL_WIDTH = 320, SUPERSAMPLE = 2 };

/* ---- frames ---- */

static int64_t nth_frame(const JobFrames *frames, int64_t index)
{
    size_t range = 0;
    while (index > frames->items[range].last - frames->items[range].first) {
        index -= frames->items[range].last - frames->items[range].first + 1;
        range++;
    }
    return frames->items[range].first + index;
}

JobFrames preview_spread(const JobFrames *from, int count, Arena *arena)
{
    const int64_t there = film_frame_count(from);
    if (count > there)
        count = (int)there;
    JobFrames out = {arena_array(arena, JobRange, (size_t)count), (size_t)count};
    for (int64_t i = 0; i < count; i++) {
        /* i (there - 1) / (count - 1), to the nearest */
        const int64_t steps = count - 1;
        const int64_t index = steps ? (2 * i * (there - 1) + steps) / (2 * steps) : (there - 1) / 2;
        const int64_t frame = nth_frame(from, index);
        out.items[i] = (JobRange){frame, frame};
    }
    return out;
}

/* The frames between two moments, both included. */
static JobFrames clip(const JobFrames *from, const double range_s[2], JobRational fps, Arena *arena)
{
    const double first = ceil(range_s[0] * fps.num / fps.den);
    const double last = floor(range_s[1] * fps.num / fps.den);
    JobFrames out = {arena_array(arena, JobRange, from->count), 0};
    for (size_t i = 0; i < from->count; i++) {
        JobRange r = from->items[i];
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

static JobFrames sheet_frames(const Film *film, const JobPreview *p, Arena *arena)
{
    const bool part = p->range_s[0] > 0 || p->range_s[1] > 0;
    const JobFrames from =
        part ? clip(&film->frames, p->range_s, film->job->render.fps, arena) : film->frames;
    return preview_spread(&from, p->cells[0] * p->cells[1], arena);
}

static JobFrames still_frames(const Film *film, const JobPreview *p, Arena *arena)
{
    const JobRational fps = film->job->render.fps;
    const int64_t frame = p->frame >= 0 ? p->frame : llround(p->time_s * fps.num / fps.den);
    JobFrames out = {arena_array(arena, JobRange, 1), 1};
    out.items[0] = (JobRange){frame, frame};
    return out;
}

/* ---- size ---- */

static RenderOptions small(const Film *film, int width)
{
    RenderOptions render = film->render;
    const int64_t w = film->render.width, h = film->render.height;
    const int64_t height = (2 * width * h + w) / (2 * w);
    render.width = width;
    render.height = height < 1 ? 1 : height > INT32_MAX ? INT32_MAX : (int)height;
    render.supersample = SUPERSAMPLE;
    return render;
}

/* A sheet is opaque, whatever the film is. */
static RenderOptions sheet_render(const Film *film, const JobPreview *p)
{
    const int narrow = film->render.width < CELL_WIDTH ? film->render.width : CELL_WIDTH;
    RenderOptions render = small(film, p->width ? p->width : narrow);
    render.alpha = false;
    render.background[3] = 1;
    return render;
}

static RenderOptions still_render(const Film *film, const JobPreview *p)
{
    return !p->width || p->width == film->render.width ? film->render : small(film, p->width);
}

static bool check_size(const FilmPreview *preview, size_t index, Diag *diag)
{
    const RenderOptions *r = &preview->render;
    SheetLayout layout;
    if (r->height > IMAGE_MAX_SIDE / r->supersample || r->width > IMAGE_MAX_SIDE / r->supersample)
        return diag_fail(diag, DIAG_JOB, "previews.%zu: a picture of %dx%d pixels is too large",
                         index, r->width, r->height);
    const SheetSpec spec = sink_sheet_spec(&preview->output.options);
    if (preview->output.kind == &sink_sheet && !sheet_layout(&layout, &spec))
        return diag_fail(diag, DIAG_JOB,
                         "previews.%zu: %d x %d cells of %dx%d pixels make a sheet wider or higher "
                         "than %d pixels",
                         index, spec.columns, spec.rows, r->width, r->height, IMAGE_MAX_SIDE);
    return true;
}

/* ---- one preview ---- */

/* Adds preview `index` of the job to the film's. */
static bool plan_one(Film *film, size_t index, Arena *arena, Diag *diag)
{
    const JobPreview *p = &film->job->previews[index];
    FilmPreview *out = &film->previews[film->preview_count];
    const JobRational fps = film->job->render.fps;
    const bool sheet = p->type == PREVIEW_SHEET;
    const JobFrames frames =
        sheet ? sheet_frames(film, p, arena) : still_frames(film, p, arena);
    if (!frames.count) /* so it may be when only a part of the film is drawn */
        return diag_warn(diag,
                         "previews.%zu.range_s: no frame that is drawn lies in %g..%g s: left out",
                         index, p->range_s[0], p->range_s[1]);
    out->render = sheet ? sheet_render(film, p) : still_render(film, p);
    out->output = (FilmOutput){
        .kind = sheet ? &sink_sheet : &sink_png,
        .frames = frames,
        .options = {
            .file = p->file, .width = out->render.width, .height = out->render.height,
            .fps_num = fps.num, .fps_den = fps.den, .alpha = out->render.alpha,
            .first_frame = frames.items[0].first, .frame_count = (int64_t)frames.count,
            .columns = p->cells[0], .rows = p->cells[1],
            .last_frame = frames.items[frames.count - 1].last,
        },
    };
    film->preview_count++;
    return check_size(out, index, diag);
}

bool preview_plan(Film *film, Arena *arena, Diag *diag)
{
    const Job *job = film->job;
    bool good = true;
    film->previews = arena_array(arena, FilmPreview, job->preview_count);
    film->preview_count = 0;
    diag_file(diag, job->file);
    for (size_t i = 0; i < job->preview_count; i++)
        if (job_preview_is_built(&job->previews[i]))
            good &= plan_one(film, i, arena, diag);
    diag_file(diag, NULL);
    return good;
}
