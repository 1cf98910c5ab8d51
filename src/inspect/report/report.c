// SPDX-License-Identifier: MIT
#include "inspect/report/report.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/text_stream.h"
#include "film/film_scenes.h"
#include "film/path_conflicts.h"
#include "film/preview_plan.h"
#include "inspect/check_film.h"
#include "inspect/frame_capture.h"
#include "inspect/report/page.h"
#include "media/picture.h"
#include "run/checkpoint/checkpoint.h"
#include "run/checkpoint/checkpoint_files.h"

enum { THUMBNAIL_WIDTH = 480 };

/* State that is needed while the data is collected. */
typedef struct Collection {
    ReportData *data;
    Film film;
    Film base;               /* the film of base_job, if there is one */
    FrameRanges frames;      /* frames of the sheet */
    FrameRanges base_frames; /* frames of the sheet that the base has, too */
    FrameCapture samples;    /* contains the frames of the sheet */
    Progress *progress;
    const volatile sig_atomic_t *stop;
} Collection;

/* ---- options and the file ---- */

bool report_parse_limit(uint64_t *bytes, const char *text)
{
    static const char units[] = "KMGkmg";
    char number[32];
    const size_t length = strlen(text);
    if (!length || length >= sizeof number)
        return false;
    memcpy(number, text, length + 1);
    const char *unit = strchr(units, number[length - 1]);
    double value, factor = 1;
    if (unit) {
        number[length - 1] = '\0';
        for (size_t i = 0; i <= (size_t)(unit - units) % 3; i++)
            factor *= 1 << 10;
    }
    if (!text_to_double(&value, number) || value < 0 || value * factor > FILE_MAX_SIZE)
        return false;
    *bytes = (uint64_t)(value * factor);
    return true;
}

bool report_check_output(const char *file, const Job *job, bool overwrite, Diag *diag)
{
    char start[512];
    FILE *in = fopen(file, "rbe");
    size_t wanted;
    const char *page = page_start(&wanted);
    const size_t size = in ? fread(start, 1, wanted, in) : 0;
    assert(wanted <= sizeof start);
    if (in)
        fclose(in);
    const bool is_report = size == wanted && !memcmp(start, page, size);
    return path_conflicts_check_file("--output", file, job, NULL, diag) &&
           (is_report || file_check_new(file, overwrite, diag));
}

/* ---- sampled frames ---- */

/* Two observers of one loop. */
typedef struct Samples {
    FrameObserver times;
    const Film *film;
    LinkStretches *links; /* [scene_count] */
} Samples;

static void evaluated(void *user, int64_t frame, const void *packed, double cpu_s)
{
    const Samples *s = user;
    s->times.evaluated(s->times.user, frame, packed, cpu_s);
    const FilmMoment moment = film_moment(s->film, frame);
    for (int i = 0; i < moment.count; i++)
        link_stretches_add(&s->links[moment.shown[i].scene], frame,
                           (const uint8_t *)packed + film_states_offset(s->film, &moment, i));
}

static void rendered(void *user, int64_t frame, const FrameTimes *times)
{
    const Samples *s = user;
    s->times.rendered(s->times.user, frame, times);
}

/* One worker, so that frames do not compete for the cores whose time is measured. */
static bool render_samples(Collection *c, Diag *diag)
{
    ReportData *data = c->data;
    StageTimesLog log;
    Samples samples = {.times = stage_times_observe(&log, &c->film, data->arena),
                       .film = &c->film,
                       .links = data->links};
    const FrameObserver observer = {.user = &samples, .evaluated = evaluated, .rendered = rendered};
    c->samples = (FrameCapture){.render = c->film.render,
                                .frames = c->frames,
                                .workers = 1,
                                .observer = &observer,
                                .time_stages = true,
                                .arena = data->arena};
    const bool good =
        frame_capture_run(&data->run, &c->samples, &c->film, c->progress, c->stop, diag);
    c->samples.observer = NULL;
    if (!good)
        return false;
    for (size_t i = 0; i < c->film.scene_count; i++)
        link_stretches_sort(&data->links[i]);
    data->times = log.list;
    data->first = log.list.items[0];
    if (data->times.count > 1) { /* the first frame compiles shaders and loads textures */
        data->times.items++;
        data->times.count--;
    }
    return true;
}

static bool make_sheet(Collection *c, Diag *diag)
{
    ReportData *data = c->data;
    Arena *scratch = arena_create();
    bool good = true;
    for (size_t i = 0; good && i < c->frames.count; i++) {
        SheetFrame *cell = &data->sheet[data->sheet_count++];
        arena_reset(scratch);
        cell->frame = c->frames.items[i].first;
        const Image image = frame_capture_image(&c->samples, cell->frame, scratch);
        good = html_image_create(&cell->image, &image, THUMBNAIL_WIDTH, data->arena, diag);
    }
    arena_destroy(scratch);
    return good;
}

/* ---- the film ---- */

/* The pictures of the last run.  What is none is left out; nothing is decoded. */
static void load_changed(ReportData *data, const char *directory)
{
    enum { MAX_BYTES = 4 << 20, MAX_WIDTH = 1024 };
    Diag silent = diag_quiet();
    const RunRecord *run = &data->runs.items[0];
    for (size_t i = 0; data->runs.count && i < run->shown_count; i++) {
        ChangedFrame *changed = &data->changed[data->changed_count];
        const char *file = run_record_picture(directory, i, data->arena);
        *changed = (ChangedFrame){.frame = run->shown[i]};
        data->changed_count +=
            checkpoint_load_file(&changed->png, file, MAX_BYTES, data->arena, &silent) &&
            changed->png.size > 4 && !memcmp(changed->png.data, "\x89PNG", 4) &&
            picture_size(&changed->width, &changed->height, changed->png) &&
            changed->width <= MAX_WIDTH;
    }
}

/* Whether the outputs are complete and of this job; reads the recorded runs and times. */
static bool read_checkpoint(Collection *c)
{
    ReportData *data = c->data;
    const char *state = data->options->state;
    const CheckpointOptions options = {
        .directory = state ? state : checkpoint_directory(&c->film, data->arena),
        .mode = CHECKPOINT_READ_ONLY,
        .shard = {1, 1},
        .max_stalled_runs = -1,
        .stop = c->stop};
    Diag silent = diag_quiet();
    Checkpoint *checkpoint =
        options.directory ? checkpoint_open(&c->film, &options, &silent) : NULL;
    if (!checkpoint)
        return false;
    const bool finished = checkpoint_is_finished(checkpoint);
    run_records_load(&data->runs, options.directory, &checkpoint_fingerprint(checkpoint)->digest,
                     data->arena, &silent);
    load_changed(data, options.directory);
    checkpoint_close(checkpoint);
    const StageTimesList times = stage_times_load(
        arena_printf(data->arena, "%s/%s", options.directory, CHECKPOINT_TIMES_NAME), data->arena);
    if (times.count) {
        data->times = times;
        data->times_of_film = true;
    }
    return finished;
}

/* The film itself, or else a part of it. */
static bool load_moving(Collection *c, Diag *diag)
{
    ReportData *data = c->data;
    const uint64_t limit = data->options->embed_limit;
    return report_film_load(&data->moving, &c->film, read_checkpoint(c), limit, data->arena,
                            diag) &&
           (data->moving.type || !limit ||
            report_film_render_part(&data->moving, &c->film, c->progress, c->stop, data->arena,
                                    diag));
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

/* Loads the job that is compared before anything is drawn, and lists the frames that both have. */
static bool load_base_job(Collection *c, Diag *diag)
{
    const ReportOptions *options = c->data->options;
    if (!options->base_job)
        return true;
    if (!film_load_previews(&c->base, options->base_job, c->data->arena, diag))
        return false;
    c->base_frames.items = arena_array(c->data->arena, FrameRange, c->frames.count);
    for (size_t i = 0; i < c->frames.count; i++)
        if (film_index_of(&c->base, c->frames.items[i].first) >= 0)
            c->base_frames.items[c->base_frames.count++] = c->frames.items[i];
    return c->base_frames.count || report_no_common_frame(options, diag);
}

/* Compares an image with a frame of the sheet. */
static bool compare_sample(Collection *c, const Image *before, int64_t frame, Diag *diag)
{
    Arena *arena = arena_create(), *scratch = arena_create();
    const Image image = frame_capture_image(&c->samples, frame, arena);
    const bool good = difference_add(&c->data->difference, before, &image, frame, scratch, diag);
    arena_destroy(arena);
    arena_destroy(scratch);
    return good;
}

/* Renders the frames of the sheet that the other job has. */
static bool compare_with_job(Collection *c, Diag *diag)
{
    FrameCapture before = {
        .render = c->base.render, .frames = c->base_frames, .arena = c->data->arena};
    Arena *scratch = arena_create();
    RenderReport run;
    bool good = frame_capture_run(&run, &before, &c->base, c->progress, c->stop, diag);
    for (size_t i = 0; good && i < before.frames.count; i++) {
        const int64_t frame = before.frames.items[i].first;
        arena_reset(scratch);
        const Image image = frame_capture_image(&before, frame, scratch);
        good = compare_sample(c, &image, frame, diag);
    }
    arena_destroy(scratch);
    return good;
}

/* The frame of the sheet that a film has under this number, or -1. */
static int64_t find_sample(const Collection *c, int64_t number, bool numbered)
{
    const int64_t frame = numbered ? number : film_frame_at(&c->film, number);
    for (size_t i = 0; i < c->frames.count; i++)
        if (c->frames.items[i].first == frame)
            return frame;
    return -1;
}

/* Compares the frames of the sheet that another film has. */
static bool compare_with_film(Collection *c, Diag *diag)
{
    FrameSource *source = frame_source_open(c->data->options->base, diag);
    const Image *image = NULL;
    int64_t number = 0;
    bool good = source != NULL;
    while (good) {
        good = frame_source_read(&image, &number, source, diag) && !*c->stop;
        if (!good || !image)
            break;
        const int64_t frame = find_sample(c, number, frame_source_is_numbered(source));
        good = frame < 0 || compare_sample(c, image, frame, diag);
    }
    frame_source_close(source);
    return good;
}

static int compare_points(const void *a, const void *b)
{
    const double x = ((const DifferencePoint *)a)->number, y = ((const DifferencePoint *)b)->number;
    return (x > y) - (x < y);
}

static bool compare_base(Collection *c, Diag *diag)
{
    ReportData *data = c->data;
    Difference *d = &data->difference;
    const ReportOptions *options = data->options;
    const Rational fps = c->film.job->render.fps;
    bool good = true;
    if (!options->base)
        return true;
    difference_init(d, fps.num / fps.den + 1, data->arena); /* frames in a second */
    d->before = options->base;
    d->after = arena_printf(data->arena, "%s, rendered for this page",
                            text_frames((int64_t)c->frames.count).text);
    progress_stage(c->progress, "compare", 0, 0);
    if (options->base_job) {
        good = compare_with_job(c, diag);
    } else if (data->moving.state == FILM_CURRENT) {
        d->after = data->moving.file;
        good = difference_add_films(d, options->base, data->moving.file, c->stop, diag);
    } else {
        good = compare_with_film(c, diag);
    }
    if (good && !d->points.count)
        return report_no_common_frame(options, diag);
    if (good)
        qsort(d->points.items, d->points.count, sizeof *d->points.items, compare_points);
    return good;
}

/* ---- all of it ---- */

static bool load(Collection *c, const Job *job, Diag *diag)
{
    ReportData *data = c->data;
    const ReportOptions *options = data->options;
    progress_stage(c->progress, "load", 0, 0);
    if (options->base && !options->base_job && !check_base_film(options->base, &job->render, diag))
        return false;
    if (!film_load(&c->film, job, data->arena, diag))
        return false;
    const char *source;
    data->workers = film_workers(&c->film, c->film.frame_count, &source);
    data->memory = estimate_memory(&c->film, arena_bytes(data->arena), data->workers);
    data->links = arena_array(data->arena, LinkStretches, c->film.scene_count);
    for (size_t i = 0; i < c->film.scene_count; i++)
        data->links[i] = link_stretches_create(&c->film.scenes[i].scene, data->arena);
    c->frames = preview_spread(&c->film.frames, REPORT_SHEET, data->arena);
    return load_base_job(c, diag);
}

static bool collect(Collection *c, Diag *diag)
{
    const FrameRanges *frames = &c->frames;
    progress_start(c->progress, c->film.job->name, (int64_t)frames->count, frames->items[0].first,
                   frames->items[frames->count - 1].first);
    return gl_probe(&c->data->gl, c->film.render.backend, diag) && render_samples(c, diag) &&
           make_sheet(c, diag) && load_moving(c, diag) && compare_base(c, diag) &&
           check_film(&c->film, diag);
}

static bool write_page(const char *file, FILE *out, const ReportData *data, Progress *progress,
                       Diag *diag)
{
    TextStream stream;
    page_write(text_stream_open(&stream, data->arena), data);
    const char *text = text_stream_close(&stream);
    if (!file) {
        fwrite(text, 1, stream.size, out); /* main checks standard output */
        return true;
    }
    if (!file_save(file, text, stream.size, diag))
        return false;
    progress_output_file(progress, file);
    return true;
}

bool report_write(const char *file, FILE *out, const Job *job, const ReportOptions *options,
                  Progress *progress, const volatile sig_atomic_t *stop, Diag *diag)
{
    Arena *arena = arena_create();
    Collection *c = arena_array(arena, Collection, 1);
    c->data = arena_array(arena, ReportData, 1);
    c->progress = progress;
    c->stop = stop;
    *c->data = (ReportData){.film = &c->film, .options = options, .arena = arena};
    const bool good =
        load(c, job, diag) && collect(c, diag) && write_page(file, out, c->data, progress, diag);
    arena_destroy(arena);
    return good;
}
