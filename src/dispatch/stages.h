// SPDX-License-Identifier: MIT
/*
 * stages.h - a film rendered by many machines: bake, shards, join
 *
 * The commands and resources of the three stages, independent of the scheduler (submit_script.h,
 * k8s.h). All machines share the files; each stage continues from the checkpoint directory, so that
 * any of them can be run again.
 */
#pragma once

#include <stdio.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "film/film_types.h"

typedef enum StageKind { STAGE_BAKE, STAGE_SHARDS, STAGE_JOIN, STAGE_KINDS } StageKind;

extern const char *const stage_names[STAGE_KINDS]; /* "bake", "shards", "join" */

/* Resources of one process of a stage. */
typedef struct StageResources {
    int cores;
    int memory_mib;
} StageResources;

typedef struct Stages {
    const char *name; /* name of the job on one line */
    bool bake;        /* simulate once before the shards; otherwise each shard simulates */
    int shards;
    int node_cores; /* the most that a machine has, if that is known; 0: unknown */
    StageResources resources[STAGE_KINDS];
    const char *program;
    const char *const *arguments; /* job files and flags that every stage receives */
    size_t argument_count;
    bool accept_renderer;   /* the shards may be rendered by different renderers */
    const char *output;     /* argument of -o, or NULL */
    const char *checkpoint; /* its directory */
} Stages;

/* Whether the film has physics or cloth and no bake yet (physics.bake is auto). */
bool stages_need_bake(const Film *film);

/* Sets name and resources.  `loaded`: arena_bytes of the arena that film_load filled. */
void stages_fill(Stages *stages, const Film *film, size_t loaded, Arena *arena);

/* Writes name, bake, resources and checkpoint of the film as bytes for another process. */
void stages_write(FILE *out, const Stages *stages);

/* Sets the same fields.  The bytes may come from a process that has read hostile files.  False
 * after an error of kind DIAG_INTERNAL was reported. */
bool stages_load(Stages *stages, Bytes bytes, Arena *arena, Diag *diag);

typedef ARENA_LIST(const char *) StageCommand;

/* The command line of a stage, starting with the program, without the option --shard. */
StageCommand stages_command(const Stages *stages, StageKind kind, Arena *arena);

/*
 * A name of the form that Kubernetes asks for (RFC 1123: a-z, 0-9 and -), at most 39 characters:
 * those of `name` that are allowed, and a digest of it and the arguments, since 踊り has none.
 */
enum { STAGES_LABEL_SIZE = 40 };
void stages_label(char out[STAGES_LABEL_SIZE], const Stages *stages);
