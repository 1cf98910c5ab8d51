// SPDX-License-Identifier: MIT
#include "run/pipeline/frame_loop.h"

#include <string.h>

#include "base/archive_path.h"
#include "base/clock.h"
#include "base/encoding.h"
#include "base/file_calls.h"
#include "base/memory.h"
#include "base/text.h"
#include "film/burn_in.h"
#include "film/credits.h"
#include "film/film_images.h"
#include "film/film_scenes.h"
#include "film/subtitle_load.h"
#include "run/pipeline/bake_run.h"
#include "run/pipeline/frame_drawer.h"
#include "run/pipeline/output_set.h"
#include "run/pipeline/picture_changes.h"
#include "run/pipeline/picture_digest.h"
#include "run/sandbox_paths.h"
#include "run/workers/worker_pool.h"
#include "sandbox/file_broker.h"
#include "scene/texture_pixels.h"

_Static_assert(sizeof(FrameReceipt) <= WORKER_RECEIPT_SIZE, "a frame's slot holds its receipt");

/* What a frame is drawn for; it follows the states of a frame in its slot. */
typedef struct FrameUse {
    bool is_prior;  /* for the effects of later frames; no output gets it */
    bool continues; /* effects find what they drew in the frame before */
} FrameUse;

typedef struct FrameLoop {
    const Film *film;
    Checkpoint *checkpoint; /* or NULL; the child processes only read it */
    FilmSpan span;
    const FrameLoopOptions *options;
    Progress *progress;
    RenderReport *report; /* its frames: some of them again after the encoder was killed */
    double start_s;
    PictureDigester *digester; /* with a checkpoint */
    PictureChanges *changes;   /* or NULL */
    bool shares;               /* the workers share renderers */
    int64_t skipped;           /* frames that were complete before */
    int64_t first;             /* the first frame that is missing */
} FrameLoop;

/* ---- a worker process: FrameState -> image -> unordered sinks ---- */

typedef struct Worker {
    const FrameLoop *loop;
    Arena *arena;
    FrameDrawer *drawer;
    bool shared;                 /* the scenes belong to the process that forked this one */
    bool confined;               /* OpenGL writes no file, such as compiled shaders, at its end */
    Caption *burn_in;            /* or NULL */
    CreditRoll *credits;         /* or NULL */
    SubtitleRenderer *subtitles; /* or NULL */
    OutputSet *outputs;
} Worker;

static void worker_close(void *context)
{
    Worker *w = context;
    output_set_close(w->outputs);
    caption_destroy(w->burn_in);
    credit_roll_destroy(w->credits);
    subtitle_renderer_destroy(w->subtitles);
    /* To release what is shared would copy it; the end of the process releases the rest. */
    if (!w->shared && !w->confined)
        frame_drawer_destroy(w->drawer);
    arena_destroy(w->arena);
}

/* Opens subtitles, credits and the text of burn_in, which are drawn over the scene. */
static bool open_additions(Worker *w, Diag *diag)
{
    const Film *film = w->loop->film;
    if (film->subtitles.script &&
        !(w->subtitles = subtitle_renderer_create(&film->subtitles, film->render.width,
                                                  film->render.height, diag)))
        return false;
    if (!credits_open(&w->credits, film, w->arena, diag))
        return false;
    return !film->job->burn_in || (w->burn_in = burn_in_open(film, w->arena, diag)) != NULL;
}

/* The profile of a worker: a driver for a device starts threads and opens files at any time. */
static bool draws_on_cpu(const GlContext *gl)
{
    return strstr(gl_renderer(gl), "llvmpipe") || strstr(gl_renderer(gl), "softpipe");
}

static const char *loop_directory(const FrameLoop *loop)
{
    return loop->checkpoint ? checkpoint_directory_of(loop->checkpoint) : NULL;
}

/* A program that has no broker, such as a test, writes by itself. */
static void leave_to_broker(SandboxRules *rules, Arena *arena)
{
    if (file_calls_socket() >= 0)
        *rules = file_broker_remaining(rules, arena);
}

/* Allows the files that a worker opens while it renders; `loading`: and while OpenGL is loaded,
 * whose threads keep the rights of this moment. */
static bool restrict_worker_files(const Worker *w, SandboxRules *rules, bool loading, Diag *diag)
{
    const SandboxMode mode = (SandboxMode)w->loop->film->job->limits.sandbox;
    leave_to_broker(rules, w->arena);
    if (loading)
        sandbox_allow_system(rules, w->arena);
    else
        sandbox_allow_shader_cache(rules, w->arena);
    return sandbox_restrict_files(rules, mode, diag);
}

static SandboxRules worker_rules(const Worker *w)
{
    SandboxRules rules = {0};
    sandbox_paths_add_worker(&rules, w->loop->film, loop_directory(w->loop), w->arena);
    return rules;
}

/* A worker with contexts of its own.  It is confined before OpenGL gets anything of a model.  The
 * scene of the first frame is opened; the others are when they are drawn. */
static bool open_first_scene(Worker *w, Diag *diag)
{
    const Film *film = w->loop->film;
    const SandboxMode mode = (SandboxMode)film->job->limits.sandbox;
    SandboxRules loading = worker_rules(w), rules = worker_rules(w);
    if (!file_broker_join(&loading, diag) || !restrict_worker_files(w, &loading, true, diag))
        return false;
    GlContext *gl = gl_create(film->render.backend, diag);
    if (!gl)
        return false;
    const bool confined = draws_on_cpu(gl) ? restrict_worker_files(w, &rules, false, diag) &&
                                                 sandbox_restrict_calls(SANDBOX_WORKER, mode, diag)
                                           : sandbox_restrict_calls(SANDBOX_GPU, mode, diag);
    if (!confined) {
        gl_destroy(gl);
        return false;
    }
    w->confined = draws_on_cpu(gl) && mode != SANDBOX_OFF;
    return frame_drawer_open(w->drawer, film_moment(film, w->loop->first).shown[0].scene, gl, diag);
}

/* A worker whose renderer was made before it was forked. */
static bool confine_worker(const Worker *w, Diag *diag)
{
    const SandboxMode mode = (SandboxMode)w->loop->film->job->limits.sandbox;
    SandboxRules rules = worker_rules(w);
    return file_broker_join(&rules, diag) && restrict_worker_files(w, &rules, false, diag) &&
           sandbox_restrict_calls(SANDBOX_WORKER, mode, diag);
}

static Worker *worker_create(const FrameLoop *loop)
{
    Arena *arena = arena_create();
    Worker *w = arena_array(arena, Worker, 1);
    FrameDrawer *open = loop->options->drawer;
    *w = (Worker){.loop = loop,
                  .arena = arena,
                  .drawer = open ? open : frame_drawer_create(loop->film, arena),
                  .shared = open != NULL};
    return w;
}

static void *worker_open(void *user, void *shared, Diag *diag)
{
    const FrameLoop *loop = user;
    Worker *w = shared ? shared : worker_create(loop);
    frame_drawer_set(w->drawer, (FrameDrawerOptions){loop->options->time_stages,
                                                     loop->report->pass_count > 0, w->shared});
    if ((w->shared ? confine_worker(w, diag) : open_first_scene(w, diag)) &&
        open_additions(w, diag))
        w->outputs = output_set_open(loop->film, loop->checkpoint, false, diag);
    if (!w->outputs) {
        worker_close(w);
        return NULL;
    }
    return w;
}

/* ---- the process that forks the workers, and a renderer for all of them ---- */

/* Besides the rights of a worker: if main dies, it looks for temporary files of the outputs. */
static SandboxRules spawner_rules(const Worker *w)
{
    const FrameLoop *loop = w->loop;
    SandboxRules rules = worker_rules(w);
    sandbox_allow(&rules, loop_directory(loop), SANDBOX_READ | SANDBOX_WRITE, w->arena);
    for (size_t i = 0; i < loop->film->output_count; i++)
        sandbox_paths_add_file(&rules, loop->film->outputs[i].options.file,
                               SANDBOX_READ | SANDBOX_WRITE, w->arena);
    return rules;
}

/* OpenGL is loaded here or in the workers. */
static bool confine_spawner(void *user, Diag *diag)
{
    const Worker *w = worker_create(user);
    SandboxRules rules = spawner_rules(w);
    return restrict_worker_files(w, &rules, true, diag);
}

/* Opens all scenes, the first one in the context; false if the driver has threads, as that of a
 * device has. */
static bool open_shared_scenes(const Worker *w, GlContext *gl, Diag *diag)
{
    const Film *film = w->loop->film;
    SandboxRules rules = spawner_rules(w);
    const int threads = gl_threads_open();
    bool open =
        draws_on_cpu(gl) && restrict_worker_files(w, &rules, false, diag) &&
        sandbox_restrict_calls(SANDBOX_SPAWNER, (SandboxMode)film->job->limits.sandbox, diag);
    for (size_t i = 0; open && i < film->scene_count; i++) {
        open = frame_drawer_open(w->drawer, i, i == 0 ? gl : NULL, diag);
        texture_pixels_discard(&film->scenes[i].scene);
    }
    return gl_threads_allow_fork(threads) && open;
}

/* If it fails, nothing is closed: the process ends. */
static void *share_renderer(void *user, Diag *diag)
{
    const FrameLoop *loop = user;
    gl_disable_shader_cache();
    Worker *w = worker_create(loop);
    GlContext *gl = gl_create(loop->film->render.backend, diag);
    w->shared = true;
    if (!gl || !open_shared_scenes(w, gl, diag))
        return NULL;
    memory_trim();
    return w;
}

static void discard_pixels(const Film *film)
{
    for (size_t i = 0; i < film->scene_count; i++)
        texture_pixels_discard(&film->scenes[i].scene);
}

/* In main.  A run that follows decodes them again. */
static void forget_pixels(void *user)
{
    const FrameLoop *loop = user;
    if (loop->options->last)
        discard_pixels(loop->film);
}

/* ---- a worker: a frame ---- */

/* The fade-in and the fade-out of the film. */
static void draw_fade(Image *image, const Film *film, int64_t frame)
{
    const JobFade *fade = film->job->fade;
    const int64_t since = frame - film->fade.first, left = film->fade.last - frame;
    if (fade && since >= 0 && since < fade->in)
        transition_fade(image, fade->color, (TransitionTime){since, fade->in});
    if (fade && left >= 0 && left < fade->out)
        transition_fade(image, fade->color, (TransitionTime){left, fade->out});
}

static bool draw_picture(Image *image, Worker *w, const void *packed, int64_t frame, Diag *diag)
{
    const Film *film = w->loop->film;
    if (!frame_drawer_draw(image, w->drawer, packed, frame, diag))
        return false;
    if (w->subtitles)
        subtitle_renderer_draw(image, w->subtitles, subtitle_time_ms(film, frame));
    if (w->credits)
        credits_draw(image, w->credits, film, frame);
    draw_fade(image, film, frame);
    if (w->burn_in)
        burn_in_draw(image, w->burn_in, film, frame);
    return true;
}

/* The picture, if an output takes it, and the passes. */
static bool draw_images(Image *images, Worker *w, uint8_t *pixels, const void *packed,
                        int64_t frame, Diag *diag)
{
    const Film *film = w->loop->film;
    for (size_t i = 0; i < film->image_count; i++) {
        images[i] = film_image(film, i, pixels);
        if (film->images[i].pass == PASS_BEAUTY &&
            !draw_picture(&images[i], w, packed, frame, diag))
            return false;
    }
    return frame_drawer_draw_passes(images, w->drawer, packed, frame, diag);
}

/* The times of the passes of effects follow the images of a frame. */
static FxPassTime *pass_times(const FrameLoop *loop, uint8_t *pixels)
{
    return (FxPassTime *)(void *)(pixels + loop->film->image_bytes);
}

static void take_pass_times(const Worker *w, uint8_t *pixels)
{
    FxPassTime *times = pass_times(w->loop, pixels);
    const size_t count = w->loop->report->pass_count;
    for (size_t i = 0; i < count; i++)
        times[i] = (FxPassTime){0};
    if (count > 0)
        frame_drawer_take_pass_times(times, w->drawer);
}

/* The image of the picture; NULL if no output takes it. */
static uint8_t *picture_pixels(const Film *film, uint8_t *pixels)
{
    for (size_t i = 0; i < film->image_count; i++)
        if (film->images[i].pass == PASS_BEAUTY)
            return film_image(film, i, pixels).pixels;
    return NULL;
}

static bool draw_prior(Worker *w, uint8_t *pixels, const void *packed, int64_t frame, Diag *diag)
{
    Image image = {.pixels = picture_pixels(w->loop->film, pixels)};
    return draw_picture(&image, w, packed, frame, diag);
}

static bool worker_render(void *context, uint8_t *pixels, FrameTimes *times, FrameReceipt *receipt,
                          const void *packed, int64_t frame, Diag *diag)
{
    Worker *w = context;
    Image images[PASS_COUNT];
    ImageRect *parts = film_image_parts(w->loop->film, pixels);
    FrameUse use;
    memcpy(&use, (const uint8_t *)packed + film_state_bytes(w->loop->film), sizeof use);
    frame_drawer_continue(w->drawer, use.continues);
    if (use.is_prior)
        return draw_prior(w, pixels, packed, frame, diag);
    if (!draw_images(images, w, pixels, packed, frame, diag))
        return false;

    FrameTimes *drawn = frame_drawer_times(w->drawer);
    frame_times_lap(drawn, STAGE_OTHER);
    frame_drawer_parts(parts, w->drawer);
    const bool ok = output_set_write(w->outputs, images, parts, frame, receipt, diag);
    frame_times_lap(drawn, STAGE_WRITE);
    *times = *drawn;
    take_pass_times(w, pixels);
    return ok;
}

/* ---- the encoder process: images in order -> ordered sinks ---- */

typedef struct Encoder {
    Arena *arena;
    const Film *film;
    OutputSet *outputs;
} Encoder;

static void encoder_close(void *context)
{
    Encoder *e = context;
    output_set_close(e->outputs);
    arena_destroy(e->arena);
}

/* Before the codecs start threads. */
static bool confine_encoder(const FrameLoop *loop, Arena *arena, Diag *diag)
{
    const SandboxMode mode = (SandboxMode)loop->film->job->limits.sandbox;
    SandboxRules rules = {0};
    sandbox_paths_add_encoder(&rules, loop->film, loop_directory(loop), arena);
    if (!file_broker_join(&rules, diag))
        return false;
    leave_to_broker(&rules, arena);
    sandbox_allow_libraries(&rules, arena);
    return sandbox_restrict_files(&rules, mode, diag) &&
           sandbox_restrict_calls(SANDBOX_ENCODER, mode, diag);
}

/* Whether the film is written to standard output, whose reader may exit at any time: the encoder
 * then ends by SIGPIPE, as other programs do. */
static bool has_standard_output(const Film *film)
{
    for (size_t i = 0; i < film->output_count; i++)
        if (!strcmp(film->outputs[i].options.file, FILE_STDOUT))
            return true;
    return false;
}

static void *encoder_open(void *user, Diag *diag)
{
    const FrameLoop *loop = user;
    discard_pixels(loop->film);
    if (has_standard_output(loop->film))
        signal(SIGPIPE, SIG_DFL);
    Arena *arena = arena_create();
    Encoder *e = arena_array(arena, Encoder, 1);
    *e = (Encoder){.arena = arena, .film = loop->film};
    if (confine_encoder(loop, arena, diag))
        e->outputs = output_set_open(loop->film, loop->checkpoint, true, diag);
    if (e->outputs)
        return e;
    encoder_close(e);
    return NULL;
}

static bool encoder_write(void *context, uint8_t *pixels, int64_t frame, Diag *diag)
{
    const Encoder *e = context;
    Image images[PASS_COUNT];
    for (size_t i = 0; i < e->film->image_count; i++)
        images[i] = film_image(e->film, i, pixels);
    return output_set_write(e->outputs, images, film_image_parts(e->film, pixels), frame, NULL,
                            diag);
}

static bool encoder_finish(void *context, Diag *diag)
{
    const Encoder *e = context;
    return output_set_finish(e->outputs, diag);
}

/* ---- the main process ---- */

/* Records a frame in the ledger: as an image with a file of its own, or, when it is the last one of
 * a segment, together with that segment. */
static bool record_frame(const FrameLoop *loop, int64_t frame, const FrameReceipt *receipt,
                         Diag *diag)
{
    const Film *film = loop->film;
    Checkpoint *checkpoint = loop->checkpoint;
    const int64_t index = film_index_of(film, frame), segment = index / film->segment_frames;
    for (size_t i = 0; i < film->output_count; i++) {
        if (receipt->written >> i & 1 &&
            !checkpoint_add_frame(checkpoint, i, index, &receipt->records[i], diag))
            return false;
        if (film->outputs[i].kind->segments && !checkpoint_has(checkpoint, i, index) &&
            index + 1 == film_segment(film, segment).end &&
            !checkpoint_add_segment(checkpoint, i, segment, diag))
            return false;
    }
    return true;
}

static bool observe_frame(const FrameLoop *loop, int64_t frame, uint8_t *pixels,
                          const FrameTimes *times, Diag *diag)
{
    const FrameObserver *observer = loop->options->observer;
    if (observer && observer->rendered)
        observer->rendered(observer->user, frame, times);
    if (!observer || !observer->drawn)
        return true;
    const Image image = film_image(loop->film, 0, pixels);
    return observer->drawn(observer->user, frame, &image, diag);
}

static bool frame_done(void *user, int64_t frame, uint8_t *pixels, const FrameTimes *times,
                       const FrameReceipt *receipt, Diag *diag)
{
    const double sound_s = 0.1; /* much more than a frame, so that it ends before the film does */
    FrameLoop *loop = user;
    RenderReport *report = loop->report;
    if (!report->frames)
        report->first_frame_s = clock_monotonic_s() - loop->start_s;
    sound_prefetch_step(loop->options->sound, sound_s);
    frame_times_add(&report->times, times);
    for (size_t i = 0; i < report->pass_count; i++)
        fx_pass_time_add(&report->passes[i], &pass_times(loop, pixels)[i]);
    if (!loop->options->auxiliary)
        progress_frame(loop->progress, frame, frame_times_draw_s(times) * 1e3);
    progress_step(loop->progress, loop->skipped + ++report->frames);
    picture_changes_after(loop->changes, frame, pixels);
    return observe_frame(loop, frame, pixels, times, diag) &&
           (!loop->checkpoint || record_frame(loop, frame, receipt, diag));
}

static void keep_largest(int64_t *largest, int64_t value)
{
    *largest = value > *largest ? value : *largest;
}

static void update_progress(void *user, const WorkerPoolStatus *status)
{
    FrameLoop *loop = user;
    Progress *progress = loop->progress;
    keep_largest(&loop->report->main_mib, status->main_mib);
    keep_largest(&loop->report->worker_mib, status->worker_mib);
    keep_largest(&loop->report->encoder_mib, status->encoder_mib);
    progress->processes = (ProgressProcesses){status->workers, status->alive, status->worker_mib,
                                              status->encoder_mib};
    progress_tick(progress);
}

static void child_ended(void *user, pid_t pid)
{
    const FrameLoop *loop = user;
    output_set_clean(loop->film, loop->checkpoint, pid);
}

static WorkerPoolSpec pool_spec(FrameLoop *loop, int workers)
{
    const Film *film = loop->film;
    WorkerPoolSpec spec = {
        .workers = workers,
        .state_bytes = film_state_bytes(film) + sizeof(FrameUse),
        .pixel_bytes = film->image_bytes + loop->report->pass_count * sizeof(FxPassTime),
        .frame_timeout_s = film->job->limits.frame_timeout_s,
        .memory_mib = film->job->limits.memory_mib,
        .frame_origin = film->job->limits.frame_origin,
        .memory_origin = film->job->limits.memory_origin,
        .total_mib = film->job->host.memory_mib,
        .cpu_s = film->job->host.cpu_s,
        .user = loop,
        .confine = confine_spawner,
        .open = worker_open,
        .render = worker_render,
        .close = worker_close,
        .done = frame_done,
        .tick = update_progress,
        .child_exited = child_ended,
    };
    loop->shares = !loop->options->drawer && film_shares_renderer(film, workers);
    if (loop->shares) {
        spec.prepare = share_renderer;
        spec.prepared = forget_pixels;
    }
    if (film->ordered) {
        spec.encoder_open = encoder_open;
        spec.encoder_write = encoder_write;
        spec.encoder_finish = encoder_finish;
        spec.encoder_close = encoder_close;
    }
    return spec;
}

/* Evaluates a frame; is_observed: that an output gets. */
static bool evaluate_states(void *states, const FrameLoop *loop, FrameStateSource *source,
                            int64_t frame, bool is_observed, Diag *diag)
{
    const double sound_s = 0.8;
    const FrameObserver *observer = loop->options->observer;
    const double start_s = clock_thread_cpu_s();
    const int64_t index = film_index_of(loop->film, frame);
    const void *kept = index < 0 ? NULL : kept_states_find(loop->options->kept, index);
    if (kept)
        memcpy(states, kept, film_state_bytes(loop->film));
    else if (!frame_state_source_read(states, source, frame, diag))
        return false;
    const double cpu_s = clock_thread_cpu_s() - start_s;
    loop->report->times.s[STAGE_EVALUATE] += cpu_s;
    if (loop->shares &&
        !loop->report->frames) /* a core waits for the process that forks the workers */
        sound_prefetch_step(loop->options->sound, sound_s);
    if (is_observed && observer && observer->evaluated)
        observer->evaluated(observer->user, frame, states, cpu_s);
    if (is_observed)
        picture_changes_before(loop->changes, frame);
    if (is_observed && loop->digester) {
        const PictureDigest picture = picture_digest(loop->digester, states, frame);
        checkpoint_set_picture(loop->checkpoint, film_index_of(loop->film, frame), &picture);
    }
    return true;
}

/* Evaluates every missing frame here, in order; the pool renders, encodes and reports it. */
static bool submit_frames(const FrameLoop *loop, FrameStateSource *source, WorkerPool *pool,
                          Diag *diag)
{
    const FrameUse use = {0};
    for (int64_t index = loop->span.first; index < loop->span.end; index++) {
        if (!output_set_needs(loop->film, loop->checkpoint, index))
            continue;
        const int64_t frame = film_frame_at(loop->film, index);
        uint8_t *slot = worker_pool_begin(pool, diag);
        if (!slot || !evaluate_states(slot, loop, source, frame, true, diag))
            return false;
        memcpy(slot + film_state_bytes(loop->film), &use, sizeof use);
        if (!worker_pool_submit(pool, frame, diag))
            return false;
    }
    return worker_pool_finish(pool, diag);
}

/* ---- effects.history: README 6 ---- */

static bool has_history(const FrameLoop *loop)
{
    const Film *film = loop->film;
    return film->job->effects.history && film->scenes[0].scene.effects.draws &&
           !loop->options->auxiliary && film_has_image(film, PASS_BEAUTY);
}

static bool is_missing(const FrameLoop *loop, int64_t frame)
{
    const int64_t index = film_index_of(loop->film, frame);
    return index >= loop->span.first && index < loop->span.end &&
           output_set_needs(loop->film, loop->checkpoint, index);
}

/* The last missing frame of first, ..., end - 1; -1 if there is none. */
static int64_t last_missing(const FrameLoop *loop, int64_t first, int64_t end)
{
    while (end > first && !is_missing(loop, end - 1))
        end--;
    return end > first ? end - 1 : -1;
}

static bool submit_copy(const void *states, const FrameLoop *loop, WorkerPool *pool, int64_t frame,
                        int worker, FrameUse use, Diag *diag)
{
    const size_t size = film_state_bytes(loop->film);
    uint8_t *slot = worker_pool_begin(pool, diag);
    if (!slot)
        return false;
    memcpy(slot, states, size);
    memcpy(slot + size, &use, sizeof use);
    return worker_pool_submit_to(pool, frame, worker, use.is_prior, diag);
}

/* A block of frames: those of its own for one worker, and, as the frames before, those of the next
 * block for the other one. */
static bool submit_block(const FrameLoop *loop, FrameStateSource *source, WorkerPool *pool,
                         FilmSpan block, int number, void *states, Diag *diag)
{
    const int64_t length = block.end - block.first;
    const int64_t own = last_missing(loop, block.first, block.end);
    const bool next = last_missing(loop, block.end, block.end + length) >= 0;
    for (int64_t frame = block.first; next ? frame < block.end : frame <= own; frame++) {
        const FrameUse of_own = {.is_prior = !is_missing(loop, frame), .continues = frame > 0};
        const FrameUse of_next = {.is_prior = true, .continues = frame > block.first};
        if (!evaluate_states(states, loop, source, frame, !of_own.is_prior, diag) ||
            (frame <= own && !submit_copy(states, loop, pool, frame, number % 2, of_own, diag)) ||
            (next && !submit_copy(states, loop, pool, frame, (number + 1) % 2, of_next, diag)))
            return false;
    }
    return true;
}

/* The same for a film whose effects find what they drew in frames before. */
static bool submit_history(const FrameLoop *loop, FrameStateSource *source, WorkerPool *pool,
                           Arena *arena, Diag *diag)
{
    const Film *film = loop->film;
    const int64_t last = last_missing(loop, 0, film_frame_at(film, loop->span.end - 1) + 1);
    const int64_t given = film->job->effects.history, length = given > 0 ? given : last + 1;
    void *states = arena_alloc(arena, film_state_bytes(film));
    int number = 0;
    for (int64_t first = 0; first <= last; first += length, number++)
        if (!submit_block(loop, source, pool, (FilmSpan){first, first + length}, number, states,
                          diag))
            return false;
    return worker_pool_finish(pool, diag);
}

/* Also finds the first one. */
static int64_t count_missing(FrameLoop *loop)
{
    int64_t count = 0;
    for (int64_t index = loop->span.first; index < loop->span.end; index++) {
        if (!output_set_needs(loop->film, loop->checkpoint, index))
            continue;
        if (!count++)
            loop->first = film_frame_at(loop->film, index);
    }
    return count;
}

/* Draws a still in this process, whose drawer is open, without the cost of others. */
static bool draw_here(FrameLoop *loop, FrameStateSource *source, Diag *diag)
{
    const Film *film = loop->film;
    Worker *w = worker_create(loop);
    uint8_t *packed = arena_alloc(w->arena, film_state_bytes(film) + sizeof(FrameUse));
    uint8_t *pixels = arena_alloc(w->arena, film->image_bytes);
    FrameReceipt *receipt = arena_array(w->arena, FrameReceipt, 1);
    FrameTimes times;
    frame_drawer_set(w->drawer, (FrameDrawerOptions){.keep = true});
    memset(packed + film_state_bytes(film), 0, sizeof(FrameUse));
    loop->report->workers = 1;
    const bool ok = evaluate_states(packed, loop, source, loop->first, true, diag) &&
                    open_additions(w, diag) &&
                    (w->outputs = output_set_open(film, loop->checkpoint, false, diag)) != NULL &&
                    worker_render(w, pixels, &times, receipt, packed, loop->first, diag) &&
                    frame_done(loop, loop->first, pixels, &times, receipt, diag);
    loop->report->wall_s = clock_monotonic_s() - loop->start_s;
    worker_close(w);
    return ok;
}

/* Renders the missing frames, of which there are `count`, in other processes.  *lost: one that
 * cannot be replaced was killed, and `restartable` is set. */
static bool run_pool(FrameLoop *loop, FrameStateSource *source, int64_t count, bool restartable,
                     bool *lost, const volatile sig_atomic_t *stop, Arena *arena, Diag *diag)
{
    RenderReport *report = loop->report;
    const bool history = has_history(loop);
    const char *from;
    const int cores = loop->options->workers && !history ? loop->options->workers
                                                         : film_workers(loop->film, count, &from);
    report->workers = cores < count || history ? cores : (int)count;
    WorkerPoolSpec spec = pool_spec(loop, report->workers);
    spec.restartable = restartable;
    archive_path_clear(); /* the workers need none of it */
    memory_trim();        /* nor what loading left */
    WorkerPool *pool = worker_pool_create(&spec, stop, diag);
    const bool ok = pool && (history ? submit_history(loop, source, pool, arena, diag)
                                     : submit_frames(loop, source, pool, diag));
    const WorkerPoolResult result = pool ? worker_pool_result(pool) : (WorkerPoolResult){0};
    *lost = !ok && result.lost_child;
    report->times.s[STAGE_ENCODE] += result.encoder_cpu_s;
    report->respawned += result.respawned;
    report->wall_s = clock_monotonic_s() - loop->start_s;
    worker_pool_destroy(pool);
    return ok;
}

/* As run_pool, in this process or in others. */
static bool render_missing(FrameLoop *loop, int64_t count, bool restartable, bool *lost,
                           const volatile sig_atomic_t *stop, Diag *diag)
{
    const Film *film = loop->film;
    const bool here = loop->options->drawer && count == 1 && !film->ordered;
    Arena *arena = arena_create();
    FrameStateSource source;
    bool ok =
        frame_state_source_open(&source, film, loop->checkpoint, loop->progress, stop, arena, diag);
    for (size_t i = 0; ok && !loop->options->drawer && i < film->scene_count; i++)
        ok = !film_keeps_pixels(film, i) || texture_pixels_restore(&film->scenes[i].scene, diag);
    loop->digester =
        loop->checkpoint
            ? picture_digester_create(film, checkpoint_fingerprint(loop->checkpoint), arena)
            : NULL;
    if (ok)
        ok = here ? draw_here(loop, &source, diag)
                  : run_pool(loop, &source, count, restartable, lost, stop, arena, diag);
    frame_state_source_close(&source);
    arena_destroy(arena);
    return ok;
}

/* Frames that were written to a FIFO cannot be taken back. */
static bool has_stream(const Film *film)
{
    for (size_t i = 0; i < film->output_count; i++)
        if (file_is_stream(film->outputs[i].options.file))
            return true;
    return false;
}

/* Images with files of their own were written by many processes: main verifies all of them. */
static bool verify_images(const FrameLoop *loop, Diag *diag)
{
    const Film *film = loop->film;
    for (size_t i = 0; i < film->output_count; i++) {
        const FilmOutput *out = &film->outputs[i];
        for (int64_t p = loop->span.first; out->kind->verify && p < loop->span.end; p++) {
            const int64_t frame = film_frame_at(film, p);
            if (film_output_has_frame(out, frame) && !out->kind->verify(&out->options, frame, diag))
                return false;
        }
    }
    return true;
}

/* The passes of the effects of all scenes. */
static void list_passes(RenderReport *report, const Film *film, Arena *arena)
{
    ARENA_LIST(const char *) names = {0};
    for (size_t i = 0; i < film->scene_count; i++) {
        const SceneEffects *effects = &film->scenes[i].scene.effects;
        const char **own = fx_pass_names(effects, arena);
        for (size_t k = 0; k < fx_pass_count(effects); k++)
            *arena_push(arena, &names) = own[k];
    }
    report->pass_count = names.count;
    report->pass_names = names.items;
    report->passes = arena_array(arena, FxPassTime, names.count);
}

bool frame_loop_run(RenderReport *report, const Film *film, Checkpoint *checkpoint, FilmSpan span,
                    const FrameLoopOptions *options, Progress *progress,
                    const volatile sig_atomic_t *stop, Diag *diag)
{
    FrameLoop loop = {.film = film,
                      .checkpoint = checkpoint,
                      .span = span,
                      .options = options,
                      .progress = progress,
                      .report = report,
                      .start_s = clock_monotonic_s()};
    const int64_t total = span.end - span.first;
    Arena *arena = arena_create();
    bool ok = true, lost = false;

    HeldEncodings held = encodings_hold(); /* workers look bones and files up by their names */
    *report = (RenderReport){0};
    if (options->passes)
        list_passes(report, film, options->passes);
    progress_stage(progress, options->auxiliary ? "preview" : "render", total,
                   total - count_missing(&loop));
    loop.changes = picture_changes_create(film, checkpoint, arena);
    /* Once more, for what is not committed, if a process that cannot be replaced was killed. */
    for (int run = 0; run == 0 || (run == 1 && lost && !*stop); run++) {
        const int64_t count = count_missing(&loop);
        const bool restartable = run == 0 && !has_stream(film);
        lost = false;
        loop.skipped = total - count - report->frames;
        ok = !count || render_missing(&loop, count, restartable, &lost, stop, diag);
    }
    picture_changes_finish(loop.changes);
    arena_destroy(arena);
    encodings_release(&held);
    return ok && verify_images(&loop, diag);
}
