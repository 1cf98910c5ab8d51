// SPDX-License-Identifier: MIT
/*
 * preview.h - renders the previews of a film: contact sheets, stills and animations
 *
 * The frame loop renders each preview at its own size, from the frames that it shows
 * (film/preview_plan.h).  Previews with equal render options share a run, which renders each of
 * their frames once, in increasing order.
 */
#pragma once

#include <signal.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/problem_list.h"
#include "film/film_types.h"
#include "run/progress.h"

/* Renders film->previews.  auxiliary: after the frames of the film, so progress does not count
 * them. */
bool preview_render(const Film *film, bool auxiliary, Progress *progress,
                    const volatile sig_atomic_t *stop, Diag *diag);

typedef struct PreviewOptions {
    const char *output;          /* file of one sheet, instead of the job's previews; or NULL */
    const char *summary;         /* file of a Markdown page with the previews; or NULL */
    const ProblemList *problems; /* for the summary: an observer of the Diag adds them */
    bool by_scene;               /* the sheet of `output` shows the middle of each scene */
    bool overwrite;              /* replace files that this job did not write */
} PreviewOptions;

/* NAME-sheet.png in the directory of the first output, and NAME-looks.png. */
const char *preview_default_file(const Job *job, Arena *arena);
const char *preview_looks_file(const Job *job, Arena *arena);

/*
 * The verb `preview`: renders only the previews of a job.  A job without previews gets a sheet of
 * 6 x 4 cells, preview_default_file. Strings for `progress` are
 * allocated in the arena.
 */
bool preview_run(const Job *job, const PreviewOptions *options, Progress *progress,
                 const volatile sig_atomic_t *stop, Arena *arena, Diag *diag);
