/*
 * arguments.h - the command line, taken apart
 *
 * Two tables say it all, verbs and flags; parsing, `odori help` and the manual page come from them.
 * Flags may stand anywhere behind the verb; -- ends them; --flag=value and -oFILE work.
 */
#ifndef CLI_ARGUMENTS_H
#define CLI_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/diag.h"
#include "job/job.h"
#include "base/progress.h"

typedef struct Texts {
    const char **items;
    size_t count, room;
} Texts;

typedef struct Arguments {
    const struct Verb *verb;
    Texts files, sets; /* what is no flag; --set */
    struct {           /* flags that stand for a key */
        JobFlag *items;
        size_t count, room;
    } keys;
    const char *output, *frames, *model, *bone, *fps, *vertices, *assets, *summary, *shards,
        *sbatch, *image, *claim, *mount, *state, *shard, *max_stalled_runs, *threshold;
    int progress; /* ProgressMode */
    int color;    /* ProgressColor */
    bool quiet, verbose, tried, strict, slurm, json, names, times, dump_config, no_physics, help,
        markdown, man, submit, no_bake, resume, overwrite, no_clobber;
} Arguments;

typedef struct Verb {
    const char *name;
    const char *operands; /* "JOB [--set key=value]..." */
    const char *summary;  /* one line */
    const char *more;     /* paragraphs of its help */
    size_t least_files;
    const char *flags; /* names of the flags that it takes, with blanks between */
    bool draws;        /* takes long, and tells how far it is */
    bool (*run)(Progress *progress, const Arguments *args, Arena *arena, Diag *diag);
} Verb;

/* False after an error (DIAG_USAGE).  `verbs` ends with a row without name. */
bool arguments_parse(Arguments *args, int argc, char **argv, const Verb *verbs, Arena *arena,
                     Diag *diag);

const Verb *verb_find(const Verb *verbs, const char *name);

struct Flag;
bool verb_takes(const Verb *verb, const struct Flag *flag);

#endif
