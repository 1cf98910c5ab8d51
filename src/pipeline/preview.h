/*
 * preview.h - small pictures of a film: contact sheets and stills
 *
 * Each is drawn at its own small size by the same farm as the film, from the few frames it shows
 * (film/preview_plan.h).  Previews of one size share a run: frames are asked for in rising order,
 * each once.
 */
#ifndef PIPELINE_PREVIEW_H
#define PIPELINE_PREVIEW_H

#include <signal.h>
#include <stdbool.h>

#include "base/arena.h"
#include "base/diag.h"
#include "film/film.h"
#include "base/progress.h"

/* Makes film->previews.  beside: after the film's own frames, which alone progress counts then. */
bool preview_make(const Film *film, bool beside, Progress *progress,
                  const volatile sig_atomic_t *stop, Diag *diag);

typedef struct PreviewOptions {
    const char *output;  /* one sheet, to this file, instead of the job's previews; or NULL */
    const char *summary; /* a Markdown page about the job with its first preview; or NULL */
} PreviewOptions;

/*
 * The verb: only the previews of a job, nothing else.  Without any the job gets a sheet of 6 x 4,
 * NAME-sheet.png beside its first output.  Texts for `progress` go into the arena.
 */
bool preview_run(const Job *job, const PreviewOptions *options, Progress *progress,
                 const volatile sig_atomic_t *stop, Arena *arena, Diag *diag);

#endif
