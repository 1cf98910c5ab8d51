/*
 * steps.h - a film drawn by many machines: baked once, drawn in shards, joined
 *
 * What those three steps are, however a scheduler is told of them (slurm.h, k8s.h).  All machines
 * see the same files; each step takes what the one before it left in the state folder (state.h), so
 * that any of them can be run again.
 */
#ifndef JOB_STEPS_H
#define JOB_STEPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/arena.h"
#include "job/film.h"

typedef enum StepKind { STEP_BAKE, STEP_SHARDS, STEP_JOIN, STEP_KINDS } StepKind;

extern const char *const step_names[STEP_KINDS]; /* "bake", "shards", "join" */

typedef struct StepNeed {
    int cores;
    int memory_mib;
} StepNeed;

typedef struct Steps {
    const char *name; /* of the job, one line */
    bool bake;        /* evaluate once, before the shards; else each shard does it for itself */
    int shards;
    StepNeed needs[STEP_KINDS];
    const char *program;
    const char *const *words; /* files and flags that all steps are given */
    size_t word_count;
    const char *output; /* -o of the film, or NULL */
    const char *state;  /* the state folder */
} Steps;

/* Is a bake of use: has the film physics or cloth, and no bake yet? */
bool steps_want_bake(const Film *film);

/* Fills in name and needs. `loaded`: arena_bytes of the arena that film_load filled. */
void steps_fill(Steps *steps, const Film *film, size_t loaded, Arena *arena);

typedef struct StepWords {
    const char **items;
    size_t count, room;
} StepWords;

/* The command of a step, the program first; which shard it is comes behind. */
StepWords steps_command(const Steps *steps, StepKind kind, Arena *arena);

#endif
