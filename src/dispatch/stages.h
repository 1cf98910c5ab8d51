/*
 * stages.h - a film drawn by many machines: baked once, drawn in shards, joined
 *
 * What those three stages are, however a scheduler is told of them (slurm.h, k8s.h).  All machines
 * see the same files; each step takes what the one before it left in the state folder (state.h), so
 * that any of them can be run again.
 */
#ifndef DISPATCH_STAGES_H
#define DISPATCH_STAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/arena.h"
#include "film/film.h"

typedef enum StageKind { STAGE_BAKE, STAGE_SHARDS, STAGE_JOIN, STAGE_KINDS } StageKind;

extern const char *const stage_names[STAGE_KINDS]; /* "bake", "shards", "join" */

typedef struct StageResources {
    int cores;
    int memory_mib;
} StageResources;

typedef struct Stages {
    const char *name; /* of the job, one line */
    bool bake;        /* evaluate once, before the shards; else each shard does it for itself */
    int shards;
    StageResources resources[STAGE_KINDS];
    const char *program;
    const char *const *arguments; /* job files and flags that every stage receives */
    size_t argument_count;
    const char *output; /* -o of the film, or NULL */
    const char *state;  /* the state folder */
} Stages;

/* Is a bake of use: has the film physics or cloth, and no bake yet? */
bool stages_need_bake(const Film *film);

/* Fills in name and needs. `loaded`: arena_bytes of the arena that film_load filled. */
void stages_fill(Stages *stages, const Film *film, size_t loaded, Arena *arena);

typedef struct StageCommand {
    const char **items;
    size_t count, room;
} StageCommand;

/* The command of a step, the program first; which shard it is comes behind. */
StageCommand stages_command(const Stages *stages, StageKind kind, Arena *arena);

#endif
