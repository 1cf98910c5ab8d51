#include "inspect/report/report_data.h"

#include <stdlib.h>

#include "base/path.h"
#include "run/checkpoint/checkpoint.h"
#include "run/checkpoint/checkpoint_files.h"
#include "film/preview_plan.h"
#include "inspect/check_film.h"

enum { THUMBNAIL_WIDTH = 480 };

/* ---- sampled frames ---- */

/* Two observers of one loop. */
typedef struct Samples {
    FrameObserver times;
    LinkStretches *links;
} Samples;

static void evaluated(void *user, int64_t frame, const void *packed, double cpu_s)
{
    const Samples *s = user;
    s->times.evaluated(s->times.user, frame, packed, cpu_s);
    link_stretches_add(s->links, frame, packed);
}

static void rendered(void *user, int64_t frame, const StageSeconds *times)
{
    const Samples *s = user;
    s->times.rendered(s->times.user, frame, times);
}

/* One worker, so that frames do not compete for the cores whose time is measured. */
static bool render_samples(ReportData *data, const JobFrames *frames, Progress *progress,
                           const volatile sig_atomic_t *stop, Diag *diag)
{
    StageTimesLog log;
    Samples samples = {.times = stage_times_observe(&log, data->film, data->arena),
                       .links = &data->links};
    const FrameObserver observer = {.user = &samples, .evaluated = evaluated, .rendered = rendered};
    data->samples = (FrameCapture){.render = data->film->render,
                                   .frames = *frames,
                                   .workers = 1,
                                   .observer = &observer,
                                   .time_stages = true,
                                   .arena = data->arena};
    const bool good =
        frame_capture_run(&data->run, &data->samples, data->film, progress, stop, diag);
    data->samples.observer = NULL;
    if (!good)
        return false;
    link_stretches_sort(&data->links);
    data->times = log.list;
    data->first = log.list.items[0];
    if (data->times.count > 1) { /* the first frame compiles shaders and loads textures */
        data->times.items++;
        data->times.count--;
    }
    return true;
}

static bool make_sheet(ReportData *data, const JobFrames *frames, Diag *diag)
{
    Arena *scratch = arena_create();
    bool good = true;
    for (size_t i = 0; good && i < frames->count; i++) {
        SheetFrame *cell = &data->sheet[data->sheet_count++];
        arena_reset(scratch);
        cell->frame = frames->items[i].first;
        const Image image = frame_capture_image(&data->samples, cell->frame, scratch);
        good = page_image_create(&cell->image, &image, THUMBNAIL_WIDTH, data->arena, diag);
    }
    arena_destroy(scratch);
    return good;
}

/* ---- the checkpoint ---- */

/* Whether the outputs are complete and of this job; reads the recorded times. */
static bool read_checkpoint(ReportData *data, const volatile sig_atomic_t *stop)
{
    const Film *film = data->film;
    const char *directory =
        data->options->state ? data->options->state : checkpoint_directory(film, data->arena);
    const CheckpointOptions how = {.directory = directory,
                                   .mode = CHECKPOINT_READ_ONLY,
                                   .shard = {1, 1},
                                   .max_stalled_runs = -1,
                                   .stop = stop};
    Diag silent;
    diag_init(&silent, diag_ignore, NULL);
    Checkpoint *checkpoint = directory ? checkpoint_open(film, &how, &silent) : NULL;
    if (!checkpoint)
        return false;
    const bool finished = checkpoint_is_finished(checkpoint);
    checkpoint_close(checkpoint);
    const StageTimesList times = stage_times_load(
        arena_printf(data->arena, "%s/%s", directory, CHECKPOINT_TIMES_NAME), data->arena);
    if (times.count) {
        data->times = times;
        data->times_of_film = true;
    }
    return finished;
}

/* ---- before and after ---- */

/* Reads the first frame of the film that is compared: whether it exists and has the right size. */
static bool check_base_film(const char *file, const JobRender *render, Diag *diag)
{
    const int *size = render->size;
    FrameSource *source = frame_source_open(file, diag);
    const Image *image = NULL;
    int64_t number;
    bool good = source && frame_source_read(&image, &number, source, diag);
    if (good && image && (image->width != size[0] || image->height != size[1]))
        good = diag_fail(diag, DIAG_FAILED, "--base: '%s': the sizes differ: %dx%d and %dx%d", file,
                         image->width, image->height, size[0], size[1]);
    frame_source_close(source);
    return good;
}

static bool report_no_common_frame(const ReportOptions *options, Diag *diag)
{
    return diag_fail(diag, DIAG_USAGE, "--base: '%s' has none of the frames of the report",
                     options->base);
}

/* Frames of a second apart count as different places of the film. */
static int64_t spacing_of(const Film *film)
{
    const JobRational fps = film->job->render.fps;
    return fps.num / fps.den + 1;
}

/* The sampled frame with this number, or -1. */
static int64_t find_sample(const Film *film, const JobFrames *frames, int64_t number, bool numbered)
{
    const int64_t frame = numbered ? number : film_frame_at(film, number);
    for (size_t i = 0; i < frames->count; i++)
        if (frames->items[i].first == frame)
            return frame;
    return -1;
}

static bool compare_sample(ReportData *data, const Image *before, int64_t frame, Diag *diag)
{
    Arena *arena = arena_create(), *scratch = arena_create();
    const Image image = frame_capture_image(&data->samples, frame, arena);
    const bool good = difference_add(&data->difference, before, &image, frame, scratch, diag);
    arena_destroy(arena);
    arena_destroy(scratch);
    return good;
}

/* The samples with the same frames of a film. */
static bool compare_with_film(ReportData *data, const JobFrames *frames,
                              const volatile sig_atomic_t *stop, Diag *diag)
{
    FrameSource *source = frame_source_open(data->options->base, diag);
    const Image *image = NULL;
    int64_t number = 0;
    bool good = source != NULL;
    while (good) {
        good = frame_source_read(&image, &number, source, diag) && !*stop;
        if (!good || !image)
            break;
        const int64_t frame =
            find_sample(data->film, frames, number, frame_source_is_numbered(source));
        good = frame < 0 || compare_sample(data, image, frame, diag);
    }
    frame_source_close(source);
    return good;
}

/* Of the frames, those that another film has. */
static JobFrames common_frames(const Film *film, const JobFrames *frames, Arena *arena)
{
    JobFrames out = {arena_array(arena, JobRange, frames->count), 0};
    for (size_t i = 0; i < frames->count; i++)
        if (film_index_of(film, frames->items[i].first) >= 0)
            out.items[out.count++] = frames->items[i];
    return out;
}

/* Loads the job that is compared before anything is drawn. */
static bool load_base_job(ReportData *data, Film *base, const JobFrames *frames, Diag *diag)
{
    const ReportOptions *options = data->options;
    if (!options->base_job)
        return true;
    if (!film_load_previews(base, options->base_job, data->arena, diag))
        return false;
    data->base = base;
    data->base_frames = common_frames(base, frames, data->arena);
    return data->base_frames.count || report_no_common_frame(options, diag);
}

/* The same samples of another job. */
static bool compare_with_job(ReportData *data, Progress *progress,
                             const volatile sig_atomic_t *stop, Diag *diag)
{
    const JobFrames *frames = &data->base_frames;
    FrameCapture before = {.render = data->base->render, .frames = *frames, .arena = data->arena};
    Arena *scratch = arena_create();
    RenderReport run;
    bool good = frame_capture_run(&run, &before, data->base, progress, stop, diag);
    for (size_t i = 0; good && i < frames->count; i++) {
        arena_reset(scratch);
        const int64_t frame = frames->items[i].first;
        const Image image = frame_capture_image(&before, frame, scratch);
        good = compare_sample(data, &image, frame, diag);
    }
    arena_destroy(scratch);
    return good;
}

static int compare_points(const void *a, const void *b)
{
    const double x = ((const DifferencePoint *)a)->number, y = ((const DifferencePoint *)b)->number;
    return (x > y) - (x < y);
}

static bool compare_base(ReportData *data, const JobFrames *frames, Progress *progress,
                         const volatile sig_atomic_t *stop, Diag *diag)
{
    Difference *d = &data->difference;
    const ReportOptions *options = data->options;
    bool good = true;
    if (!options->base)
        return true;
    difference_init(d, spacing_of(data->film), data->arena);
    d->before = options->base;
    d->after = arena_printf(data->arena, "%zu frames, rendered for this page", frames->count);
    progress_stage(progress, "compare", 0, 0);
    if (options->base_job) {
        good = compare_with_job(data, progress, stop, diag);
    } else if (data->moving.state == FILM_CURRENT) {
        d->after = data->moving.file;
        good = difference_add_films(d, options->base, data->moving.file, stop, diag);
    } else {
        good = compare_with_film(data, frames, stop, diag);
    }
    if (good && !d->points.count)
        return report_no_common_frame(options, diag);
    if (good)
        qsort(d->points.items, d->points.count, sizeof *d->points.items, compare_points);
    return good;
}

/* ---- all of it ---- */

static bool collect(ReportData *data, const JobFrames *frames, Progress *progress,
                    const volatile sig_atomic_t *stop, Diag *diag)
{
    const Film *film = data->film;
    const uint64_t limit = data->options->embed_limit;
    progress_start(progress, film->job->name, (int64_t)frames->count, frames->items[0].first,
                   frames->items[frames->count - 1].first);
    return film_probe_gl(&data->gl, film, diag) &&
           render_samples(data, frames, progress, stop, diag) && make_sheet(data, frames, diag) &&
           report_film_load(&data->moving, film, read_checkpoint(data, stop), limit, data->arena,
                            diag) &&
           (data->moving.type || !limit ||
            report_film_render_part(&data->moving, film, progress, stop, data->arena, diag)) &&
           compare_base(data, frames, progress, stop, diag) && check_film(film, diag);
}

bool report_data_collect(ReportData *data, Film *film, const Job *job, const ReportOptions *options,
                         Progress *progress, const volatile sig_atomic_t *stop, Arena *arena,
                         Diag *diag)
{
    Film base;
    *data = (ReportData){.film = film, .options = options, .arena = arena};
    progress_stage(progress, "load", 0, 0);
    if (options->base && !options->base_job && !check_base_film(options->base, &job->render, diag))
        return false;
    if (!film_load(film, job, arena, diag))
        return false;
    data->workers = film_workers(job);
    data->memory = estimate_memory(film, arena_bytes(arena), data->workers);
    data->links = link_stretches_create(&film->scene, arena);
    const JobFrames frames = preview_spread(&film->frames, REPORT_SHEET, arena);
    const bool good =
        load_base_job(data, &base, &frames, diag) && collect(data, &frames, progress, stop, diag);
    data->base = NULL;
    return good;
}
