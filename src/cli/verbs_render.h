/*
 * verbs_render.h - the verbs that draw
 */
#ifndef CLI_VERBS_RENDER_H
#define CLI_VERBS_RENDER_H

#include <stdbool.h>

#include "cli/arguments.h"
#include "job/job.h"

/* One job file, or models, motions and a sound instead; false after a usage error. */
bool source_find(JobSource *source, const Arguments *args, Diag *diag);

/* --frames of a render is a key of the job; it is looked at first, for a message of its own. */
bool use_frames(Arguments *args, Arena *arena, Diag *diag);

bool verb_render(Progress *progress, const Arguments *given, Arena *arena, Diag *diag);
bool verb_preview(Progress *progress, const Arguments *given, Arena *arena, Diag *diag);
bool verb_demo(Progress *progress, const Arguments *given, Arena *arena, Diag *diag);
bool verb_join(Progress *progress, const Arguments *given, Arena *arena, Diag *diag);
bool verb_bake(Progress *progress, const Arguments *given, Arena *arena, Diag *diag);

#endif
