#include "run/pipeline/render_job.h"

#include <string.h>

#include "base/clock.h"
#include "run/checkpoint/checkpoint_files.h"
#include "run/checkpoint/checkpoint_outputs.h"
#include "run/checkpoint/lock.h"
#include "run/checkpoint/output_lock.h"
#include "render/gl/gl_probe.h"
#include "run/pipeline/join.h"
#include "run/pipeline/pass_notes.h"
#include "run/pipeline/stage_times.h"

/* An output that cannot be written in segments cannot be rendered in shards. */
static bool check_shards(const Film *film, FilmShard shard, Diag *diag)
{
    for (size_t i = 0; shard.count > 1 && i < film->output_count; i++) {
        const FilmOutput *out = &film->outputs[i];
        if (out->kind->ordered && !out->kind->segments && out->kind != &sink_null)
            return diag_fail(
                diag, DIAG_JOB,
                "'%s' cannot be written in segments, so the job cannot be rendered in shards",
                out->options.file);
    }
    return true;
}

/* For films that cannot be resumed only the record of written files is kept. */
static bool guard_whole_files(OutputLocks **locks, Film *film, const RenderJobOptions *options,
                              const volatile sig_atomic_t *stop, Arena *arena, Diag *diag)
{
    const OutputRecords records = {0};
    WrittenFiles *written = written_files_load(checkpoint_record_directory(film->job, arena),
                                               options->mode == CHECKPOINT_OVERWRITE, stop, arena);
    written_files_guard_film(written, film);
    if (!checkpoint_outputs_check(written, film, (FilmSpan){0, 0}, &records, diag))
        return false;
    *locks = output_locks_acquire(film, (FilmSpan){0, LOCK_TO_END}, stop, arena, diag);
    return *locks != NULL;
}

/* *checkpoint stays NULL where no output can be resumed and no directory was given. */
static bool open_checkpoint(Checkpoint **checkpoint, OutputLocks **locks, Film *film,
                            const RenderJobOptions *options, const volatile sig_atomic_t *stop,
                            Arena *arena, Diag *diag)
{
    if (!options->checkpoint_directory && !checkpoint_directory(film, arena))
        return guard_whole_files(locks, film, options, stop, arena, diag);
    const CheckpointOptions how = {.directory = options->checkpoint_directory,
                                   .mode = options->mode,
                                   .shard = options->shard,
                                   .max_stalled_runs = options->max_stalled_runs,
                                   .accept_renderer = options->accept_renderer,
                                   .stop = stop};
    *checkpoint = checkpoint_open(film, &how, diag);
    if (*checkpoint)
        written_files_guard_film(checkpoint_written(*checkpoint), film);
    return *checkpoint != NULL;
}

/* Reports the start of the run and, if it draws, with which OpenGL. */
static bool report_start(const Film *film, const Checkpoint *checkpoint, FilmSpan span,
                         Progress *progress, Diag *diag)
{
    GlProbe probe;
    const GlProbe *gl = checkpoint ? checkpoint_gl(checkpoint) : &probe;
    char renderer[sizeof probe.backend + sizeof probe.renderer + 2];

    if (!checkpoint && !film_probe_gl(&probe, film, diag))
        return false;
    if (gl) {
        snprintf(renderer, sizeof renderer, "%s, %s", gl->backend, gl->renderer);
        progress->renderer = renderer;
    }
    progress_start(progress, film->job->name, span.end - span.first,
                   film_frame_at(film, span.first), film_frame_at(film, span.end - 1));
    progress->renderer = NULL;
    return true;
}

/* Renders the missing frames; stage times are kept in the checkpoint directory, also those of a run
 * that was stopped. */
static bool render_frames(RenderReport *report, const Film *film, Checkpoint *checkpoint,
                          SoundPrefetch *sound, const RenderJobOptions *options, Progress *progress,
                          const volatile sig_atomic_t *stop, Diag *diag)
{
    Arena *arena = arena_create();
    StageTimesLog log;
    const FrameObserver observer = stage_times_observe(&log, film, arena);
    const FrameLoopOptions loop = {.time_stages = options->time_stages,
                                   .last = true,
                                   .sound = sound,
                                   .observer = options->time_stages ? &observer : NULL};
    bool good = frame_loop_run(report, film, checkpoint, film_shard_span(film, options->shard),
                               &loop, progress, stop, diag);
    if (checkpoint && options->time_stages)
        good &= stage_times_append(&log.list,
                                   arena_printf(arena, "%s/%s", checkpoint_directory_of(checkpoint),
                                                CHECKPOINT_TIMES_NAME),
                                   diag);
    arena_destroy(arena);
    return good;
}

/* Renders the shard; joins the outputs when it is the whole film, whose sound is then `sound`. */
static bool render_and_join(RenderReport *report, const Film *film, Checkpoint *checkpoint,
                            SoundPrefetch *sound, const RenderJobOptions *options,
                            Progress *progress, const volatile sig_atomic_t *stop, Diag *diag)
{
    const FilmSpan span = film_shard_span(film, options->shard);
    const bool whole = options->shard.count == 1;
    if (!report_start(film, checkpoint, span, progress, diag))
        return false;
    if (!(checkpoint && whole && checkpoint_is_finished(checkpoint)) &&
        !render_frames(report, film, checkpoint, whole && checkpoint ? sound : NULL, options,
                       progress, stop, diag))
        return false;
    return !whole || join_film(film, checkpoint, sound, progress, stop, diag);
}

static bool render_film(RenderReport *report, const Film *film, Checkpoint *checkpoint,
                        const RenderJobOptions *options, Progress *progress,
                        const volatile sig_atomic_t *stop, Diag *diag)
{
    Arena *arena = arena_create();
    SoundPrefetch *sound = sound_prefetch_create(film, arena);
    const bool ok = render_and_join(report, film, checkpoint, sound, options, progress, stop, diag);
    sound_prefetch_destroy(sound);
    arena_destroy(arena);
    return ok;
}

bool render_job(RenderReport *report, const Job *job, const RenderJobOptions *options,
                Progress *progress, const volatile sig_atomic_t *stop, Diag *diag)
{
    const double start_s = clock_monotonic_s();
    Arena *arena = arena_create();
    Checkpoint *checkpoint = NULL;
    OutputLocks *locks = NULL;
    Film film;

    memset(report, 0, sizeof *report);
    progress_stage(progress, "load", 0, 0);
    gl_probe_begin((GlBackend)job->render.gl);
    bool ok = film_load(&film, job, arena, diag) && check_shards(&film, options->shard, diag) &&
              open_checkpoint(&checkpoint, &locks, &film, options, stop, arena, diag);
    const double loaded_s = clock_monotonic_s() - start_s;
    ok = ok && pass_notes_write(&film, diag) &&
         render_film(report, &film, checkpoint, options, progress, stop, diag);
    report->wall_s += loaded_s;
    report->first_frame_s += loaded_s;
    gl_probe_cancel(); /* nothing is missing, or an error */
    checkpoint_close(checkpoint);
    output_locks_release(locks);
    arena_destroy(arena);
    return ok;
}
