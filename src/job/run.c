#include "job/run.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/file.h"
#include "evaluate/frame.h"
#include "job/bake_run.h"
#include "job/burn_in.h"
#include "job/farm.h"
#include "job/film.h"
#include "job/preview.h"
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

typedef struct Run {
    const Film *film;
    const RunOptions *options;
    Progress *progress;
    double start_s, first_frame_s;
    double times[FARM_TIMES];
    int64_t done;
} Run;

static double clock_s(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- sinks of one process: the ordered or the unordered ones ---- */

typedef struct Sinks {
    const Film *film;
    Sink **sinks; /* [output_count]; NULL for those of the other sort */
} Sinks;

static void close_sinks(Sinks *s)
{
    for (size_t i = 0; s->sinks && i < s->film->output_count; i++)
        if (s->sinks[i])
            s->film->outputs[i].kind->destroy(s->sinks[i]);
    free(s->sinks);
    s->sinks = NULL;
}

static bool open_sinks(Sinks *s, const Film *film, bool ordered, Diag *diag)
{
    s->film = film;
    s->sinks = calloc(film->output_count + 1, sizeof *s->sinks);
    if (!s->sinks)
        return diag_fail(diag, DIAG_RESOURCE, "out of memory");
    for (size_t i = 0; i < film->output_count; i++) {
        const FilmOutput *out = &film->outputs[i];
        if (out->kind->ordered != ordered)
            continue;
        s->sinks[i] = out->kind->create(&out->options, diag);
        if (!s->sinks[i]) {
            close_sinks(s);
            return false;
        }
    }
    return true;
}

static bool write_sinks(Sinks *s, const Image *image, int64_t frame, Diag *diag)
{
    for (size_t i = 0; i < s->film->output_count; i++)
        if (s->sinks[i] && film_output_takes(&s->film->outputs[i], frame) &&
            !s->film->outputs[i].kind->write(s->sinks[i], image, frame, diag))
            return false;
    return true;
}

/* ---- a worker: FrameState -> picture -> its unordered sinks ---- */

typedef struct Worker {
    Run *run;
    Arena *arena;
    FrameState *state;
    Renderer *renderer;
    Clip *clip;       /* behind everything, or NULL */
    Caption *caption; /* over everything, or NULL */
    Sinks sinks;
} Worker;

static void worker_close(void *context)
{
    Worker *w = context;
    close_sinks(&w->sinks);
    clip_close(w->clip);
    renderer_destroy(w->renderer);
    arena_destroy(w->arena);
    free(w);
}

static bool open_clip(Worker *w, Diag *diag)
{
    const ClipSpec spec = film_clip(w->run->film);
    if (!spec.file)
        return true;
    w->clip = clip_open(&spec, diag);
    diag_file(diag, NULL);
    return w->clip != NULL;
}

/* The video's picture at the moment of the frame. */
static bool set_background(Worker *w, int64_t frame, Diag *diag)
{
    const Image *image;
    if (!w->clip)
        return true;
    return clip_read(&image, w->clip, film_clip_time_s(w->run->film, frame), diag) &&
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
    if (!w->renderer || !open_clip(w, diag) || !open_caption(w, diag) ||
        !open_sinks(&w->sinks, run->film, false, diag)) {
        worker_close(w);
        return NULL;
    }
    renderer_time_stages(w->renderer, run->options->time_stages);
    return w;
}

static bool worker_draw(void *context, uint8_t *picture, double times[FARM_TIMES],
                        void *note, const void *packed, int64_t frame, Diag *diag)
{
    Worker *w = context;
    (void)note;
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
    const double start_s = clock_s(CLOCK_THREAD_CPUTIME_ID);
    const bool ok = write_sinks(&w->sinks, &image, frame, diag);
    times[TIME_WRITE] = clock_s(CLOCK_THREAD_CPUTIME_ID) - start_s;
    return ok;
}

/* ---- the encoder: pictures in order -> the ordered sinks ---- */

static void *encoder_open(void *user, Diag *diag)
{
    Run *run = user;
    Sinks *s = calloc(1, sizeof *s);
    if (!s || !open_sinks(s, run->film, true, diag)) {
        free(s);
        return NULL;
    }
    return s;
}

static bool encoder_write(void *context, const uint8_t *picture, int64_t frame, Diag *diag)
{
    Sinks *s = context;
    const RenderOptions *r = &s->film->render;
    const Image image = {r->width, r->height, r->alpha, (uint8_t *)(uintptr_t)picture};
    return write_sinks(s, &image, frame, diag);
}

static bool encoder_finish(void *context, Diag *diag)
{
    Sinks *s = context;
    for (size_t i = 0; i < s->film->output_count; i++)
        if (s->sinks[i] && !s->film->outputs[i].kind->finish(s->sinks[i], diag))
            return false;
    return true;
}

static void encoder_close(void *context)
{
    close_sinks(context);
    free(context);
}

/* ---- main ---- */

static bool frame_done(void *user, int64_t frame, const double times[FARM_TIMES], const void *note,
                       Diag *diag)
{
    Run *run = user;
    (void)note;
    (void)diag;
    if (!run->done)
        run->first_frame_s = clock_s(CLOCK_MONOTONIC) - run->start_s;
    for (int i = 0; i < FARM_TIMES; i++)
        run->times[i] += times[i];
    if (!run->options->uncounted)
        progress_frame(run->progress, frame, times[TIME_DRAW] * 1e3);
    progress_step(run->progress, ++run->done);
    return true;
}

static void time_goes_on(void *user, const FarmLife *life)
{
    Progress *progress = ((const Run *)user)->progress;
    progress->life = (ProgressLife){life->workers, life->alive, life->worker_mib, life->encoder_mib};
    progress_tick(progress);
}

static void child_gone(void *user, pid_t pid)
{
    const Film *film = ((const Run *)user)->film;
    for (size_t i = 0; i < film->output_count; i++)
        file_remove_temporaries(film->outputs[i].options.file, pid);
}

static FarmSpec farm_spec(Run *run, int workers)
{
    const Film *film = run->film;
    const size_t side = (size_t)film->render.width * (size_t)film->render.height;
    FarmSpec spec = {
        .workers = workers,
        .state_bytes = frame_state_size(&film->scene),
        .picture_bytes = side * 4,
        .frame_timeout_s = film->job->limits.frame_timeout_s,
        .user = run,
        .open = worker_open, .draw = worker_draw, .close = worker_close,
        .memory_mib = film->job->limits.memory_mib,
        .done = frame_done, .tick = time_goes_on, .gone = child_gone,
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
static bool draw_frames(const Film *film, StateSource *source, Farm *farm, double *evaluate_s,
                        Diag *diag)
{
    for (size_t r = 0; r < film->frames.count; r++) {
        const JobRange range = film->frames.items[r];
        for (int64_t frame = range.first; frame <= range.last; frame++) {
            void *slot = farm_begin(farm, diag);
            const double start_s = clock_s(CLOCK_THREAD_CPUTIME_ID);
            if (!slot || !state_source_put(slot, source, frame, diag))
                return false;
            *evaluate_s += clock_s(CLOCK_THREAD_CPUTIME_ID) - start_s;
            if (!farm_submit(farm, frame, diag))
                return false;
        }
    }
    return farm_finish(farm, diag);
}

/* Pictures with files of their own were written by many processes: looked at here, all of them. */
static bool verify_pictures(const Film *film, Diag *diag)
{
    for (size_t i = 0; i < film->output_count; i++) {
        const FilmOutput *out = &film->outputs[i];
        if (!out->kind->verify)
            continue;
        for (size_t r = 0; r < film->frames.count; r++)
            for (int64_t f = film->frames.items[r].first; f <= film->frames.items[r].last; f++)
                if (film_output_takes(out, f) && !out->kind->verify(&out->options, f, diag))
                    return false;
    }
    return true;
}

static void fill_report(RunReport *report, const Run *run, const Farm *farm, int workers)
{
    const double *t = run->times;
    *report = (RunReport){
        .frames = run->done, .workers = workers,
        .wall_s = clock_s(CLOCK_MONOTONIC) - run->start_s, .first_frame_s = run->first_frame_s,
        .evaluate_s = report->evaluate_s, .draw_s = t[TIME_DRAW], .write_s = t[TIME_WRITE],
        .encode_s = farm_encoder_cpu_s(farm),
        .upload_s = t[TIME_UPLOAD], .skin_s = t[TIME_SKIN], .clear_s = t[TIME_CLEAR],
        .shadow_s = t[TIME_SHADOW],
        .surface_s = t[TIME_SURFACE], .edge_s = t[TIME_EDGE], .resolve_s = t[TIME_RESOLVE],
        .read_s = t[TIME_READ],
        .respawned = farm_respawned(farm),
    };
}

static void tell_outputs(const Film *film, Progress *progress)
{
    for (size_t i = 0; i < film->output_count; i++) {
        const char *file = film->outputs[i].options.file;
        struct stat st;
        progress_output(progress, file, stat(file, &st) == 0 ? (int64_t)st.st_size : -1);
    }
}

bool run_film(RunReport *report, const Film *film, const RunOptions *options, Progress *progress,
              const volatile sig_atomic_t *stop, Diag *diag)
{
    Arena *arena = arena_create();
    Run *run = arena_array(arena, Run, 1);
    *run = (Run){.film = film, .options = options, .progress = progress,
                 .start_s = clock_s(CLOCK_MONOTONIC)};
    memset(report, 0, sizeof *report);

    StateSource source;
    bool ok = state_source_open(&source, film, progress, stop, arena, diag);
    if (ok) {
        const int cores = film_workers(film->job);
        const int workers = cores < film->frame_count ? cores : (int)film->frame_count;
        const FarmSpec spec = farm_spec(run, workers);
        Farm *farm = farm_create(&spec, stop, diag);
        ok = farm && draw_frames(film, &source, farm, &report->evaluate_s, diag) &&
             verify_pictures(film, diag);
        if (farm)
            fill_report(report, run, farm, workers);
        farm_destroy(farm);
    }
    state_source_close(&source);
    if (ok)
        tell_outputs(film, progress);
    arena_destroy(arena);
    return ok;
}

bool run_render(RunReport *report, const Job *job, const RunOptions *options, Progress *progress,
                const volatile sig_atomic_t *stop, Diag *diag)
{
    const double start_s = clock_s(CLOCK_MONOTONIC);
    memset(report, 0, sizeof *report);
    Arena *arena = arena_create();
    Film film;

    progress_stage(progress, "load", 0, 0);
    bool ok = film_load(&film, job, arena, diag);
    if (ok) {
        const JobFrames *frames = &film.frames;
        const double loaded_s = clock_s(CLOCK_MONOTONIC) - start_s;
        progress_start(progress, job->name, film.frame_count, frames->items[0].first,
                       frames->items[frames->count - 1].last);
        progress_stage(progress, "render", film.frame_count, 0);
        ok = run_film(report, &film, options, progress, stop, diag);
        report->wall_s += loaded_s;
        report->first_frame_s += loaded_s;
    }
    ok = ok && preview_make(&film, true, progress, stop, diag);
    arena_destroy(arena);
    return ok;
}
