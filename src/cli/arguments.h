// SPDX-License-Identifier: MIT
/*
 * arguments.h - command line parsing
 *
 * Two tables describe the command line: verbs (verbs.c) and flags (flags.c).  Parsing, help, manual
 * pages and shell completion are all derived from them.  Flags may appear anywhere after the verb;
 * `--` ends them; `--flag=value` and `-oFILE` are accepted.  An optional value must follow `=`.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "job/job.h"

typedef ARENA_LIST(const char *) TextList;

/* All strings point into argv or into the arena of arguments_parse; NULL if a flag was not given.
 */
typedef struct Arguments {
    const struct Verb *verb;
    TextList operands;        /* arguments that are not flags */
    TextList sets;            /* values of --set */
    TextList warnings;        /* values of -W */
    ARENA_LIST(JobFlag) keys; /* flags that set a key of the job, such as --workers */
    const char *output;       /* FILE_STDOUT for "-" */
    const char *output_format, *frames, *start, *to, *duration, *preset, *model, *scene, *bone,
        *fps, *vertices, *assets, *demo_dir, *summary, *shards, *strict, *junit, *camera,
        *scheduler, *submit_options, *image, *limits, *bundle, *claim, *mount, *state, *shard,
        *socket, *queue, *parallel, *scenes, *scenes_memory, *max_stalled_runs, *threshold,
        *tolerance, *base, *embed_limit, *morphs, *take;
    int progress;    /* ProgressMode */
    int color;       /* ProgressColor */
    int format;      /* ReportFormat */
    int legs;        /* MocapLegs */
    int clean;       /* 0: none; CleanMode + 1 */
    int up;          /* MocapUp */
    int vrm_version; /* VrmVersion */
    bool bones, looks, quiet, verbose, previews, measure, slurm, json, names, times, dump_config,
        print_job, dry_run, no_physics, help, markdown, man, submit, no_bake, overwrite, fresh,
        no_clobber, accept_renderer, stdio;
} Arguments;

/* Returns false after an error of kind DIAG_USAGE. */
bool arguments_parse(Arguments *args, int argc, char **argv, Arena *arena, Diag *diag);

/* Sets the rules by --strict, -W and -v.  Errors: DIAG_USAGE for an unknown class. */
bool arguments_warning_rules(DiagRules *rules, const Arguments *args, Arena *arena, Diag *diag);

/* Appends to `words` the flags that give another run of the program the same rules. */
void arguments_forward_warnings(TextList *words, const Arguments *args, Arena *arena);
