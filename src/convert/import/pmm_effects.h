/*
 * pmm_effects.h - the effects of a project: those that `look` has become its keys, others are named
 *
 * Known by the names of files: of accessories (AutoLuminous.x draws nothing itself), and of the
 * .emm beside the project (convert/import/README.md 1.5).
 */
#pragma once

#include <stdio.h>

#include "base/diag.h"
#include "format/project/pmm.h"

typedef struct PmmEffects {
    unsigned looks; /* bits of the keys of `look`, by their index in pmm_effects.c */
    ARENA_LIST(const char *) others; /* names of files that are not drawn */
} PmmEffects;

/* Whether an accessory is an effect, which is not drawn as a model; adds it. */
bool pmm_effects_add_accessory(PmmEffects *effects, const PmmAccessory *accessory, Arena *arena);

/* The path of the .emm beside a project; NULL if there is no such file. */
const char *pmm_effects_find_file(const char *project, Arena *arena);

/* Adds the effects of the .emm beside a project, if there is one.  False after an error. */
bool pmm_effects_add_file(PmmEffects *effects, const char *project, Arena *arena, Diag *diag);

/* Writes the section `look` of a job, if there is anything for it. */
void pmm_effects_write(FILE *out, const PmmEffects *effects);

/* Warns about those that are not drawn. */
void pmm_effects_report(const PmmEffects *effects, Arena *arena, Diag *diag);
