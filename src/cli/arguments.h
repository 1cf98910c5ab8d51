/*
 * arguments.h - command line parsing
 *
 * Two tables describe the command line: verbs (verbs.c) and flags (flags.c).  Parsing, help, manual
 * pages and shell completion are all derived from them.  Flags may appear anywhere after the verb;
 * `--` ends them; `--flag=value` and `-oFILE` are accepted.  An optional value must follow `=`.
 */
#ifndef CLI_ARGUMENTS_H
#define CLI_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/progress.h"
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
    const char *output_format, *frames, *model, *bone, *fps, *vertices, *assets, *summary, *shards,
        *strict, *junit, *camera, *sbatch, *image, *limits, *bundle, *claim, *mount, *state, *shard,
        *max_stalled_runs, *threshold, *tolerance, *base, *embed_limit, *morphs;
    int progress; /* ProgressMode */
    int color;    /* ProgressColor */
    int format;   /* ReportFormat */
    int legs;     /* MocapLegs */
    bool bones, quiet, verbose, previews, measure, slurm, json, names, times, dump_config,
        no_physics, help, markdown, man, submit, no_bake, resume, overwrite, no_clobber,
        accept_renderer, hall;
} Arguments;

typedef bool VerbFunction(Progress *progress, const Arguments *args, Arena *arena, Diag *diag);

typedef struct Verb {
    const char *name;
    const char *operands;    /* synopsis: "JOB [--set KEY=VALUE]..." */
    const char *summary;     /* one line, a phrase without a full stop */
    const char *description; /* paragraphs, each ended by a newline; "" for none */
    size_t min_operands;
    const char *words;      /* words that the first operand can be, separated by blanks; or "" */
    const char *extensions; /* of files that can be operands: "yaml pmx"; "*" any; "" no files */
    const char *flags;      /* names of the accepted flags, separated by blanks */
    bool shows_progress;
    VerbFunction *run;
} Verb;

/* Returns false after an error of kind DIAG_USAGE.  `verbs` ends with a row without a name. */
bool arguments_parse(Arguments *args, int argc, char **argv, const Verb *verbs, Arena *arena,
                     Diag *diag);

/* The row of a verb, or NULL. */
const Verb *verb_find(const Verb *verbs, const char *name);

struct Flag;
bool verb_accepts(const Verb *verb, const struct Flag *flag);

#endif
