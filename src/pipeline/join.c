#include "pipeline/join.h"

#include <inttypes.h>

#include "film/frame_ranges.h"
#include "pipeline/output_set.h"
#include "pipeline/preview.h"

/* ---- what is missing ---- */

static bool is_complete(const Film *film, const Checkpoint *state, Arena *arena, Diag *diag)
{
    const JobFrames missing = checkpoint_missing(state, arena);
    const int64_t count = film_frame_count(&missing);
    return !count ||
           diag_fail(diag, DIAG_INCOMPLETE, "%" PRId64 " of %" PRId64 " frames are missing: %s",
                     count, film->frame_count, frame_ranges_text(&missing, arena));
}

/* ---- outputs ---- */

static bool join_output(const Film *film, const Checkpoint *state, size_t index,
                        const volatile sig_atomic_t *stop, Diag *diag)
{
    const FilmOutput *output = &film->outputs[index];
    const size_t count = (size_t)film_segment_count(film);
    Arena *arena = arena_create();
    const char **pieces = arena_array(arena, const char *, count);
    for (size_t i = 0; i < count; i++)
        pieces[i] = checkpoint_segment_file(state, index, (int64_t)i, arena);
    const bool ok = output->kind->segments->join(&output->options, pieces, count, stop, diag);
    arena_destroy(arena);
    return ok;
}

static bool join_outputs(const Film *film, const Checkpoint *state, Progress *progress,
                         const volatile sig_atomic_t *stop, Diag *diag)
{
    progress_stage(progress, "join", (int64_t)film->output_count, 0);
    for (size_t i = 0; i < film->output_count; i++) {
        if (film->outputs[i].kind->segments && (*stop || !join_output(film, state, i, stop, diag)))
            return false;
        progress_step(progress, (int64_t)i + 1);
    }
    return true;
}

/* What an earlier run has finished stays, with its bytes. */
static bool make_outputs(const Film *film, const Checkpoint *state, Progress *progress,
                         const volatile sig_atomic_t *stop, Arena *arena, Diag *diag)
{
    if (!checkpoint_is_finished(state))
        return is_complete(film, state, arena, diag) &&
               join_outputs(film, state, progress, stop, diag);
    diag_note(diag,
              "the outputs are there, and whole: nothing to draw (--overwrite draws them anew)");
    return true;
}

bool join_film(const Film *film, Checkpoint *state, Progress *progress,
               const volatile sig_atomic_t *stop, Diag *diag)
{
    Arena *arena = arena_create();
    bool ok = !state || make_outputs(film, state, progress, stop, arena, diag);
    if (!state || !checkpoint_is_finished(state) || !checkpoint_has_previews(state))
        ok = ok && preview_make(film, true, progress, stop, diag) &&
             (!state || checkpoint_finish(state, diag));
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
    Checkpoint *state = NULL;

    progress_stage(progress, "load", 0, 0);
    bool ok = film_load(&film, job, arena, diag);
    if (ok && !options->folder && !checkpoint_folder(&film, arena))
        ok = diag_fail(diag, DIAG_JOB, "no output of this job can be joined");
    ok = ok && (state = checkpoint_open(&film, options, diag)) != NULL;
    if (ok) {
        progress_start(progress, job->name, film.frame_count, film_frame_at(&film, 0),
                       film_frame_at(&film, film.frame_count - 1));
        ok = join_film(&film, state, progress, stop, diag);
    }
    checkpoint_close(state);
    arena_destroy(arena);
    return ok;
}
