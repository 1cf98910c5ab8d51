// SPDX-License-Identifier: MIT
#include "run/pipeline/render_job.h"

#include <inttypes.h>

#include "base/clock.h"
#include "base/write_root.h"
#include "film/frame_ranges.h"
#include "render/gl/gl_probe.h"
#include "run/checkpoint/checkpoint_files.h"
#include "run/checkpoint/checkpoint_outputs.h"
#include "run/checkpoint/lock.h"
#include "run/pipeline/output_set.h"
#include "run/pipeline/pass_notes.h"
#include "run/pipeline/picture_digest.h"
#include "run/pipeline/preview.h"
#include "run/pipeline/stage_times.h"

typedef struct Run {
    Film *film;
    FrameDrawer *drawer; /* that the film is drawn by already; or NULL */
    const CheckpointOptions *options;
    KeptStates *kept;       /* of an edited job; or NULL */
    Checkpoint *checkpoint; /* NULL where no output can be resumed and no directory was given */
    OutputLocks *locks;     /* without a checkpoint */
    SoundPrefetch *sound;   /* sound of the whole film; or NULL */
    Progress *progress;
    Arena *arena;
    Diag *diag;
} Run;

static bool is_whole(const Run *run)
{
    return run->options->shard.count == 1;
}

static bool is_finished(const Run *run)
{
    return run->checkpoint && checkpoint_is_finished(run->checkpoint);
}

/* ---- open ---- */

/* An output that cannot be written in segments cannot be rendered in shards. */
static bool check_shards(const Run *run)
{
    const Film *film = run->film;
    for (size_t i = 0; run->options->shard.count > 1 && i < film->output_count; i++) {
        const FilmOutput *out = &film->outputs[i];
        if (out->kind->ordered && !out->kind->segments && out->kind != &sink_null)
            return diag_fail(
                run->diag, DIAG_JOB,
                "'%s' cannot be written in segments, so the job cannot be rendered in shards",
                out->options.file);
    }
    return true;
}

/* For films that cannot be resumed only the record of written files is kept. */
static bool guard_whole_files(Run *run)
{
    const CheckpointOptions *options = run->options;
    const OutputRecords records = {0};
    const char *directory = checkpoint_record_directory(run->film->job, run->arena);
    if (!write_root_check_beside(directory, run->diag))
        return false;
    WrittenFiles *written = written_files_load(directory, options->mode == CHECKPOINT_OVERWRITE,
                                               options->stop, run->arena);
    written_files_guard_film(written, run->film);
    if (!checkpoint_outputs_check(written, run->film, (FilmSpan){0, 0}, &records, run->diag))
        return false;
    run->locks = output_locks_acquire(run->film, (FilmSpan){0, LOCK_TO_END}, options->stop,
                                      run->arena, run->diag);
    return run->locks != NULL;
}

static bool open_checkpoint(Run *run)
{
    PictureEvaluation evaluation = {
        .progress = run->progress, .stop = run->options->stop, .keeps = is_whole(run)};
    CheckpointOptions options = *run->options;
    options.identify = picture_digest_all;
    options.user = &evaluation;
    run->checkpoint = checkpoint_open(run->film, &options, run->diag);
    run->kept = evaluation.kept;
    if (run->checkpoint)
        written_files_guard_film(checkpoint_written(run->checkpoint), run->film);
    return run->checkpoint != NULL;
}

static bool has_checkpoint_directory(const Run *run)
{
    return run->options->directory || checkpoint_directory(run->film, run->arena);
}

static void close_run(Run *run)
{
    sound_prefetch_destroy(run->sound);
    checkpoint_close(run->checkpoint);
    kept_states_destroy(run->kept);
    output_locks_release(run->locks);
    arena_destroy(run->arena);
}

/* ---- render ---- */

/* Reports the start of the run and, if it draws, with which OpenGL. */
static bool report_start(const Run *run)
{
    const Film *film = run->film;
    const FilmSpan span = film_shard_span(film, run->options->shard);
    GlProbe probe;
    const GlProbe *gl = run->checkpoint ? checkpoint_gl(run->checkpoint) : &probe;

    if (!run->checkpoint && !gl_probe(&probe, film->render.backend, run->diag))
        return false;
    if (gl)
        snprintf(run->progress->renderer, sizeof run->progress->renderer, "%s, %s", gl->backend,
                 gl->renderer);
    progress_start(run->progress, film->job->name, span.end - span.first,
                   film_frame_at(film, span.first), film_frame_at(film, span.end - 1));
    return true;
}

/* A film of few segments has none for some of its shards, which then do nothing. */
static bool is_empty_shard(const Run *run)
{
    const FilmShard shard = run->options->shard;
    const FilmSpan span = film_shard_span(run->film, shard);
    const int64_t segments = film_segment_count(run->film);
    if (span.first < span.end)
        return false;
    diag_note(run->diag,
              "shard %d/%d has no segment, because the film has %" PRId64
              "; there is nothing to render",
              shard.index, shard.count, segments);
    return true;
}

/* Renders the missing frames; stage times are kept in the checkpoint directory, also those of a run
 * that was stopped. */
static bool render_frames(RenderReport *report, const Run *run, Arena *timed)
{
    StageTimesLog log;
    const FrameObserver observer = stage_times_observe(&log, run->film, run->arena);
    const FrameLoopOptions loop = {.time_stages = timed != NULL,
                                   .passes = timed,
                                   .last = true,
                                   .kept = run->kept,
                                   .drawer = run->drawer,
                                   .sound = run->checkpoint ? run->sound : NULL,
                                   .observer = timed ? &observer : NULL};
    const bool ok = frame_loop_run(report, run->film, run->checkpoint,
                                   film_shard_span(run->film, run->options->shard), &loop,
                                   run->progress, run->options->stop, run->diag);
    return (!run->checkpoint || !timed ||
            stage_times_append(&log.list,
                               arena_printf(run->arena, "%s/%s",
                                            checkpoint_directory_of(run->checkpoint),
                                            CHECKPOINT_TIMES_NAME),
                               run->diag)) &&
           ok;
}

/* ---- join ---- */

static bool is_complete(const Run *run)
{
    const FrameRanges missing = checkpoint_missing(run->checkpoint, run->arena);
    const int64_t count = film_frame_count(&missing);
    return !count || diag_fail(run->diag, DIAG_INCOMPLETE, "%" PRId64 " of %s %s missing: %s",
                               count, text_frames(run->film->frame_count).text,
                               count == 1 ? "is" : "are", frame_ranges_text(&missing, run->arena));
}

static bool join_outputs(const Run *run)
{
    const Film *film = run->film;
    const size_t count = (size_t)film_segment_count(film);
    const char **segments = arena_array(run->arena, const char *, count);
    progress_stage_of_items(run->progress, "join", (int64_t)film->output_count);
    for (size_t i = 0; i < film->output_count; i++) {
        const SinkSegments *kind = film->outputs[i].kind->segments;
        const SinkOptions options = sound_prefetch_options(run->sound, film, i);
        for (size_t s = 0; kind && s < count; s++)
            segments[s] = checkpoint_segment_file(run->checkpoint, i, (int64_t)s, run->arena);
        if (kind && (*run->options->stop ||
                     !kind->join(&options, segments, count, run->options->stop, run->diag)))
            return false;
        progress_step(run->progress, (int64_t)i + 1);
    }
    return true;
}

/* Joins the outputs from their segments, renders the previews and writes the report.  Outputs that
 * an earlier run finished keep their bytes. */
static bool join(const Run *run)
{
    Checkpoint *checkpoint = run->checkpoint;
    if (is_finished(run))
        diag_note(run->diag, "all outputs exist and are complete; nothing to render (use "
                             "--overwrite to render them again)");
    else if (checkpoint && (!is_complete(run) || !join_outputs(run)))
        return false;
    if (!is_finished(run) || !checkpoint_has_previews(checkpoint))
        if (!preview_render(run->film, true, run->progress, run->options->stop, run->diag) ||
            (checkpoint && !checkpoint_finish(checkpoint, run->diag)))
            return false;
    output_set_report_files(run->film, run->progress);
    return true;
}

/* ---- the verbs ---- */

/* Renders a film that is loaded, since `start_s`. */
static bool render_film(RenderReport *report, Run *run, Arena *timed, double start_s)
{
    bool ok = check_shards(run) &&
              (has_checkpoint_directory(run) ? open_checkpoint(run) : guard_whole_files(run));
    const double loaded_s = clock_monotonic_s() - start_s;
    if (!ok || is_empty_shard(run))
        return ok;
    ok = pass_notes_write(run->film, run->diag) && report_start(run);
    if (ok && is_whole(run))
        run->sound = sound_prefetch_create(run->film, run->arena);
    ok = ok && ((is_whole(run) && is_finished(run)) || render_frames(report, run, timed));
    ok = ok && (!is_whole(run) || join(run));
    report->wall_s += loaded_s;
    report->first_frame_s += loaded_s;
    return ok;
}

static Run begin_run(const CheckpointOptions *options, Progress *progress, Diag *diag)
{
    Arena *arena = arena_create();
    progress_stage(progress, "load", 0, 0);
    return (Run){.film = arena_array(arena, Film, 1),
                 .options = options,
                 .progress = progress,
                 .arena = arena,
                 .diag = diag};
}

bool render_job(RenderReport *report, const Job *job, const CheckpointOptions *options,
                Arena *timed, Progress *progress, Diag *diag)
{
    const double start_s = clock_monotonic_s();
    Run run = begin_run(options, progress, diag);
    *report = (RenderReport){0};
    gl_probe_begin((GlChoice){(GlBackend)job->render.gl, job->render.device + 1});
    const bool ok =
        film_load(run.film, job, run.arena, diag) && render_film(report, &run, timed, start_s);
    gl_probe_cancel(); /* nothing is missing, or an error */
    close_run(&run);
    return ok;
}

bool render_job_warm(RenderReport *report, WarmFilm *warm, const CheckpointOptions *options,
                     Progress *progress, Diag *diag)
{
    *report = (RenderReport){0};
    Run run = begin_run(options, progress, diag);
    run.film = &warm->film;
    run.drawer = warm->drawer;
    const bool ok = render_film(report, &run, NULL, clock_monotonic_s());
    close_run(&run);
    return ok;
}

bool render_job_join(const Job *job, const CheckpointOptions *options, Progress *progress,
                     Diag *diag)
{
    Run run = begin_run(options, progress, diag);
    const Film *film = run.film;
    bool ok = film_load(run.film, job, run.arena, diag);
    if (ok && !has_checkpoint_directory(&run))
        ok = diag_fail(diag, DIAG_JOB,
                       "none of the outputs of this job is written in segments: nothing to join");
    ok = ok && open_checkpoint(&run);
    if (ok) {
        progress_start(progress, job->name, film->frame_count, film_frame_at(film, 0),
                       film_frame_at(film, film->frame_count - 1));
        ok = join(&run);
    }
    close_run(&run);
    return ok;
}
