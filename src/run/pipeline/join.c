#include "run/pipeline/join.h"

#include <inttypes.h>

#include "film/frame_ranges.h"
#include "run/checkpoint/checkpoint_files.h"
#include "run/pipeline/output_set.h"
#include "run/pipeline/preview.h"

/* ---- missing frames ---- */

static bool is_complete(const Film *film, const Checkpoint *checkpoint, Arena *arena, Diag *diag)
{
    const JobFrames missing = checkpoint_missing(checkpoint, arena);
    const int64_t count = film_frame_count(&missing);
    return !count ||
           diag_fail(diag, DIAG_INCOMPLETE, "%" PRId64 " of %" PRId64 " frames are missing: %s",
                     count, film->frame_count, frame_ranges_text(&missing, arena));
}

/* ---- outputs ---- */

static bool join_output(const Film *film, const Checkpoint *checkpoint, const SoundPrefetch *sound,
                        size_t index, const volatile sig_atomic_t *stop, Diag *diag)
{
    const SinkOptions options = sound_prefetch_options(sound, film, index);
    const size_t count = (size_t)film_segment_count(film);
    Arena *arena = arena_create();
    const char **segments = arena_array(arena, const char *, count);
    for (size_t i = 0; i < count; i++)
        segments[i] = checkpoint_segment_file(checkpoint, index, (int64_t)i, arena);
    const bool ok =
        film->outputs[index].kind->segments->join(&options, segments, count, stop, diag);
    arena_destroy(arena);
    return ok;
}

static bool join_outputs(const Film *film, const Checkpoint *checkpoint, const SoundPrefetch *sound,
                         Progress *progress, const volatile sig_atomic_t *stop, Diag *diag)
{
    progress_stage_of_items(progress, "join", (int64_t)film->output_count);
    for (size_t i = 0; i < film->output_count; i++) {
        if (film->outputs[i].kind->segments &&
            (*stop || !join_output(film, checkpoint, sound, i, stop, diag)))
            return false;
        progress_step(progress, (int64_t)i + 1);
    }
    return true;
}

/* Outputs that an earlier run finished keep their bytes. */
static bool write_outputs(const Film *film, const Checkpoint *checkpoint,
                          const SoundPrefetch *sound, Progress *progress,
                          const volatile sig_atomic_t *stop, Arena *arena, Diag *diag)
{
    if (!checkpoint_is_finished(checkpoint))
        return is_complete(film, checkpoint, arena, diag) &&
               join_outputs(film, checkpoint, sound, progress, stop, diag);
    diag_note(diag, "all outputs exist and are complete; nothing to render (use --overwrite to "
                    "render them again)");
    return true;
}

bool join_film(const Film *film, Checkpoint *checkpoint, const SoundPrefetch *sound,
               Progress *progress, const volatile sig_atomic_t *stop, Diag *diag)
{
    Arena *arena = arena_create();
    bool ok = !checkpoint || write_outputs(film, checkpoint, sound, progress, stop, arena, diag);
    if (!checkpoint || !checkpoint_is_finished(checkpoint) || !checkpoint_has_previews(checkpoint))
        ok = ok && preview_render(film, true, progress, stop, diag) &&
             (!checkpoint || checkpoint_finish(checkpoint, diag));
    arena_destroy(arena);
    if (ok)
        output_set_report_files(film, progress);
    return ok;
}

bool join_run(const Job *job, const CheckpointOptions *options, Progress *progress,
              const volatile sig_atomic_t *stop, Diag *diag)
{
    Arena *arena = arena_create();
    Film film;
    Checkpoint *checkpoint = NULL;

    progress_stage(progress, "load", 0, 0);
    bool ok = film_load(&film, job, arena, diag);
    if (ok && !options->directory && !checkpoint_directory(&film, arena))
        ok = diag_fail(diag, DIAG_JOB,
                       "none of the outputs of this job is written in segments: nothing to join");
    ok = ok && (checkpoint = checkpoint_open(&film, options, diag)) != NULL;
    if (ok) {
        progress_start(progress, job->name, film.frame_count, film_frame_at(&film, 0),
                       film_frame_at(&film, film.frame_count - 1));
        written_files_guard_film(checkpoint_written(checkpoint), &film);
        ok = join_film(&film, checkpoint, NULL, progress, stop, diag);
    }
    checkpoint_close(checkpoint);
    arena_destroy(arena);
    return ok;
}
