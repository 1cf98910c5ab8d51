#include "pipeline/render_job.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "evaluate/frame.h"
#include "pipeline/bake_run.h"
#include "film/burn_in.h"
#include "job/burn_in_text.h"
#include "workers/worker_pool.h"
#include "film/film.h"
#include "pipeline/join.h"
#include "pipeline/preview.h"
#include "pipeline/output_set.h"
#include "render/renderer.h"

/* What each entry of a frame's times is; CPU seconds of the worker. */
enum {
    TIME_DRAW,
    TIME_UPLOAD,
    TIME_SKIN,
    TIME_CLEAR,
    TIME_SHADOW,
    TIME_SURFACE,
    TIME_EDGE,
    TIME_RESOLVE,
    TIME_READ,
    TIME_WRITE
};

_Static_assert(sizeof(FrameReceipt) <= WORKER_RECEIPT_SIZE, "goes with a drawn frame");

typedef struct Run {
    const Film *film;
    Checkpoint *state; /* or NULL; the children only read it */
    FilmSpan places;
    const RunOptions *options;
    Progress *progress;
    double start_s, first_frame_s;
    double times[WORKER_TIMES];
    int64_t skipped, done; /* done: drawn by this run */
} Run;

/* ---- a worker: FrameState -> picture -> its unordered sinks ---- */

typedef struct Worker {
    Run *run;
    Arena *arena;
    FrameState *state;
    Renderer *renderer;
    VideoSource *clip; /* behind everything, or NULL */
    Caption *caption;  /* over everything, or NULL */
    OutputSet *takers;
} Worker;

static void worker_close(void *context)
{
    Worker *w = context;
    output_set_close(w->takers);
    video_source_close(w->clip);
    renderer_destroy(w->renderer);
    arena_destroy(w->arena);
    free(w);
}

static bool open_clip(Worker *w, Diag *diag)
{
    const VideoSourceSpec spec = film_video_source(w->run->film);
    if (!spec.file)
        return true;
    w->clip = video_source_open(&spec, diag);
    diag_file(diag, NULL);
    return w->clip != NULL;
}

/* The video's picture at the moment of the frame. */
static bool set_background(Worker *w, int64_t frame, Diag *diag)
{
    const Image *image;
    if (!w->clip)
        return true;
    return video_source_read(&image, w->clip, film_video_time_s(w->run->film, frame), diag) &&
           renderer_set_background(w->renderer, image, diag);
}

static bool open_caption(Worker *w, Diag *diag)
{
    if (!w->run->film->job->burn_in)
        return true;
    w->caption = burn_in_caption(w->run->film, w->arena, diag);
    return w->caption != NULL;
}

/* Writes the frame's number and moment into its picture. */
static void burn_in(Image *image, const Worker *w, int64_t frame)
{
    char text[BURN_IN_TEXT_SIZE];
    if (!w->caption)
        return;
    burn_in_text(text, w->run->film->job, frame);
    caption_draw(image, w->caption, text);
}

static void *worker_open(void *user, Diag *diag)
{
    Run *run = user;
    Worker *w = calloc(1, sizeof *w);
    if (!w) {
        diag_fail(diag, DIAG_RESOURCE, "out of memory");
        return NULL;
    }
    w->run = run;
    w->arena = arena_create();
    w->state = frame_state_create(&run->film->scene, w->arena);
    w->renderer = renderer_create(&run->film->scene, &run->film->render, diag);
    if (w->renderer && open_clip(w, diag) && open_caption(w, diag))
        w->takers = output_set_open(run->film, run->state, false, diag);
    if (!w->takers) {
        worker_close(w);
        return NULL;
    }
    renderer_time_stages(w->renderer, run->options->time_stages);
    return w;
}

static bool worker_draw(void *context, uint8_t *picture, double times[WORKER_TIMES], void *note,
                        const void *packed, int64_t frame, Diag *diag)
{
    Worker *w = context;
    const Film *film = w->run->film;
    Image image = {film->render.width, film->render.height, film->render.alpha, picture};
    frame_state_unpack(w->state, packed, &film->scene);
    if (!set_background(w, frame, diag) || !render_frame(&image, w->renderer, w->state, diag))
        return false;
    burn_in(&image, w, frame);

    const RenderTimes t = renderer_times(w->renderer);
    const double ms[] = {t.total,   t.upload, t.skin,    t.clear, t.shadow,
                         t.surface, t.edge,   t.resolve, t.read};
    for (size_t i = 0; i < sizeof ms / sizeof ms[0]; i++)
        times[i] = ms[i] * 1e-3;
    const double start_s = clock_thread_cpu_s();
    const bool ok = output_set_write(w->takers, &image, frame, note, diag);
    times[TIME_WRITE] = clock_thread_cpu_s() - start_s;
    return ok;
}

/* ---- the encoder: pictures in order -> the ordered sinks ---- */

typedef struct Encoder {
    const Film *film;
    OutputSet *takers;
} Encoder;

static void *encoder_open(void *user, Diag *diag)
{
    const Run *run = user;
    Encoder *e = calloc(1, sizeof *e);
    if (!e) {
        diag_fail(diag, DIAG_RESOURCE, "out of memory");
        return NULL;
    }
    *e = (Encoder){run->film, output_set_open(run->film, run->state, true, diag)};
    if (!e->takers) {
        free(e);
        return NULL;
    }
    return e;
}

static bool encoder_write(void *context, const uint8_t *picture, int64_t frame, Diag *diag)
{
    const Encoder *e = context;
    const RenderOptions *r = &e->film->render;
    const Image image = {r->width, r->height, r->alpha, (uint8_t *)(uintptr_t)picture};
    return output_set_write(e->takers, &image, frame, NULL, diag);
}

static bool encoder_finish(void *context, Diag *diag)
{
    const Encoder *e = context;
    return output_set_finish(e->takers, diag);
}

static void encoder_close(void *context)
{
    Encoder *e = context;
    output_set_close(e->takers);
    free(e);
}

/* ---- main ---- */

/* The outputs of a frame are whole: that goes into the ledger. */
static bool enter(const Run *run, int64_t frame, const FrameReceipt *note, Diag *diag)
{
    const Film *film = run->film;
    const int64_t place = film_index_of(film, frame), piece = place / film->segment_frames;
    for (size_t i = 0; i < film->output_count; i++) {
        if (note->taken >> i & 1 &&
            !checkpoint_add_picture(run->state, i, place, &note->records[i], diag))
            return false;
        if (film->outputs[i].kind->pieces && !checkpoint_has(run->state, i, place) &&
            place + 1 == film_segment(film, piece).end &&
            !checkpoint_add_segment(run->state, i, piece, diag))
            return false;
    }
    return true;
}

static bool frame_done(void *user, int64_t frame, const double times[WORKER_TIMES],
                       const void *note, Diag *diag)
{
    Run *run = user;
    if (!run->done)
        run->first_frame_s = clock_monotonic_s() - run->start_s;
    for (int i = 0; i < WORKER_TIMES; i++)
        run->times[i] += times[i];
    if (!run->options->uncounted)
        progress_frame(run->progress, frame, times[TIME_DRAW] * 1e3);
    progress_step(run->progress, run->skipped + ++run->done);
    return !run->state || enter(run, frame, note, diag);
}

static void time_goes_on(void *user, const WorkerPoolStatus *life)
{
    Progress *progress = ((const Run *)user)->progress;
    progress->life =
        (ProgressLife){life->workers, life->alive, life->worker_mib, life->encoder_mib};
    progress_tick(progress);
}

static void child_gone(void *user, pid_t pid)
{
    const Run *run = user;
    output_set_sweep(run->film, run->state, pid);
}

static WorkerPoolSpec farm_spec(Run *run, int workers)
{
    const Film *film = run->film;
    const size_t side = (size_t)film->render.width * (size_t)film->render.height;
    WorkerPoolSpec spec = {
        .workers = workers,
        .state_bytes = frame_state_size(&film->scene),
        .picture_bytes = side * 4,
        .frame_timeout_s = film->job->limits.frame_timeout_s,
        .user = run,
        .open = worker_open,
        .draw = worker_draw,
        .close = worker_close,
        .memory_mib = film->job->limits.memory_mib,
        .done = frame_done,
        .tick = time_goes_on,
        .gone = child_gone,
    };
    if (film->ordered) {
        spec.encoder_open = encoder_open;
        spec.encoder_write = encoder_write;
        spec.encoder_finish = encoder_finish;
        spec.encoder_close = encoder_close;
    }
    return spec;
}

/* The way of every frame: evaluated here in order, drawn by a worker, encoded in order. */
static bool draw_frames(const Run *run, FrameStateSource *source, WorkerPool *farm,
                        double *evaluate_s, Diag *diag)
{
    for (int64_t place = run->places.first; place < run->places.end; place++) {
        if (!output_set_needs(run->film, run->state, place))
            continue;
        const int64_t frame = film_frame_at(run->film, place);
        void *slot = worker_pool_begin(farm, diag);
        const double start_s = clock_thread_cpu_s();
        if (!slot || !frame_state_source_write(slot, source, frame, diag))
            return false;
        *evaluate_s += clock_thread_cpu_s() - start_s;
        if (!worker_pool_submit(farm, frame, diag))
            return false;
    }
    return worker_pool_finish(farm, diag);
}

/* Pictures with files of their own were written by many processes: looked at here, all of them. */
static bool verify_pictures(const Run *run, Diag *diag)
{
    const Film *film = run->film;
    for (size_t i = 0; i < film->output_count; i++) {
        const FilmOutput *out = &film->outputs[i];
        for (int64_t p = run->places.first; out->kind->verify && p < run->places.end; p++) {
            const int64_t frame = film_frame_at(film, p);
            if (film_output_takes(out, frame) && !out->kind->verify(&out->options, frame, diag))
                return false;
        }
    }
    return true;
}

static void fill_report(RunReport *report, const Run *run, const WorkerPool *farm, int workers)
{
    const double *t = run->times;
    *report = (RunReport){
        .frames = run->done,
        .workers = workers,
        .wall_s = clock_monotonic_s() - run->start_s,
        .first_frame_s = run->first_frame_s,
        .evaluate_s = report->evaluate_s,
        .draw_s = t[TIME_DRAW],
        .write_s = t[TIME_WRITE],
        .encode_s = worker_pool_encoder_cpu_s(farm),
        .upload_s = t[TIME_UPLOAD],
        .skin_s = t[TIME_SKIN],
        .clear_s = t[TIME_CLEAR],
        .shadow_s = t[TIME_SHADOW],
        .surface_s = t[TIME_SURFACE],
        .edge_s = t[TIME_EDGE],
        .resolve_s = t[TIME_RESOLVE],
        .read_s = t[TIME_READ],
        .respawned = worker_pool_respawned(farm),
    };
}

static int64_t count_needed(const Run *run)
{
    int64_t count = 0;
    for (int64_t place = run->places.first; place < run->places.end; place++)
        count += output_set_needs(run->film, run->state, place);
    return count;
}

/* Draws what is missing among the run's places, `count` of them. */
static bool draw_missing(RunReport *report, Run *run, int64_t count,
                         const volatile sig_atomic_t *stop, Arena *arena, Diag *diag)
{
    const Film *film = run->film;
    FrameStateSource source;
    bool ok = frame_state_source_open(&source, film, run->state, run->progress, stop, arena, diag);
    if (ok) {
        const int cores = film_workers(film->job);
        const int workers = cores < count ? cores : (int)count;
        const WorkerPoolSpec spec = farm_spec(run, workers);
        WorkerPool *farm = worker_pool_create(&spec, stop, diag);
        ok = farm && draw_frames(run, &source, farm, &report->evaluate_s, diag);
        if (farm)
            fill_report(report, run, farm, workers);
        worker_pool_destroy(farm);
    }
    frame_state_source_close(&source);
    return ok;
}

bool render_frames(RunReport *report, const Film *film, Checkpoint *state, FilmSpan places,
                   const RunOptions *options, Progress *progress, const volatile sig_atomic_t *stop,
                   Diag *diag)
{
    Arena *arena = arena_create();
    Run *run = arena_array(arena, Run, 1);
    *run = (Run){.film = film,
                 .state = state,
                 .places = places,
                 .options = options,
                 .progress = progress,
                 .start_s = clock_monotonic_s()};
    memset(report, 0, sizeof *report);

    const int64_t count = count_needed(run);
    run->skipped = places.end - places.first - count;
    progress_stage(progress, options->uncounted ? "preview" : "render", places.end - places.first,
                   run->skipped);
    const bool ok = (!count || draw_missing(report, run, count, stop, arena, diag)) &&
                    verify_pictures(run, diag);
    arena_destroy(arena);
    return ok;
}

void report_outputs(const Film *film, Progress *progress)
{
    for (size_t i = 0; i < film->output_count; i++) {
        const char *file = film->outputs[i].options.file;
        struct stat st;
        progress_output(progress, file, stat(file, &st) == 0 ? (int64_t)st.st_size : -1);
    }
}

/* ---- a job ---- */

/* What must be drawn in one go cannot be drawn by shards. */
static bool check_shards(const Film *film, const RunOptions *options, Diag *diag)
{
    for (size_t i = 0; options->shard.count > 1 && i < film->output_count; i++) {
        const FilmOutput *out = &film->outputs[i];
        if (out->kind->ordered && !out->kind->pieces && out->kind != &sink_null)
            return diag_fail(diag, DIAG_JOB, "'%s' can only be made in one piece, not in shards",
                             out->options.file);
    }
    return true;
}

/* Draws, and unless it is one shard of several, makes the outputs of it. */
static bool render_film(RunReport *report, const Film *film, Checkpoint *state,
                        const RunOptions *options, Progress *progress,
                        const volatile sig_atomic_t *stop, Diag *diag)
{
    const FilmSpan places = film_shard_span(film, options->shard);
    const bool whole = options->shard.count == 1;
    progress_start(progress, film->job->name, places.end - places.first,
                   film_frame_at(film, places.first), film_frame_at(film, places.end - 1));
    if (!(state && whole && checkpoint_is_finished(state)) &&
        !render_frames(report, film, state, places, options, progress, stop, diag))
        return false;
    return !whole || join_film(film, state, progress, stop, diag);
}

static bool open_state(Checkpoint **state, const Film *film, const RunOptions *options,
                       const volatile sig_atomic_t *stop, Arena *arena, Diag *diag)
{
    *state = NULL;
    if (!options->state && !checkpoint_folder(film, arena))
        return true;
    const CheckpointOptions how = {.folder = options->state,
                                   .mode = options->mode,
                                   .shard = options->shard,
                                   .max_stalled_runs = options->max_stalled_runs,
                                   .stop = stop};
    *state = checkpoint_open(film, &how, diag);
    return *state != NULL;
}

bool render_job(RunReport *report, const Job *job, const RunOptions *options, Progress *progress,
                const volatile sig_atomic_t *stop, Diag *diag)
{
    const double start_s = clock_monotonic_s();
    Arena *arena = arena_create();
    Checkpoint *state = NULL;
    Film film;

    memset(report, 0, sizeof *report);
    progress_stage(progress, "load", 0, 0);
    bool ok = film_load(&film, job, arena, diag) && check_shards(&film, options, diag) &&
              open_state(&state, &film, options, stop, arena, diag);
    const double loaded_s = clock_monotonic_s() - start_s;
    ok = ok && render_film(report, &film, state, options, progress, stop, diag);
    report->wall_s += loaded_s;
    report->first_frame_s += loaded_s;
    checkpoint_close(state);
    arena_destroy(arena);
    return ok;
}
