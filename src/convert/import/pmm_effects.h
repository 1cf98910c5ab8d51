// SPDX-License-Identifier: MIT
/*
 * pmm_effects.h - the effects of a project: what its .emm gives to models and accessories, and keys
 * of `look` for well-known ones whose files are absent
 *
 * Rules: convert/import/README.md 1.5.
 */
#pragma once

#include <stdio.h>

#include "base/diag.h"
#include "convert/import/asset_index.h"
#include "format/project/emm.h"
#include "format/project/pmm.h"

/* A model or an accessory of the .emm. */
typedef struct PmmObject {
    const char *name, *file; /* "Pmd2"; as found, absolute, or NULL */
    bool taken;              /* it belongs to a model or an accessory of the project */
} PmmObject;

typedef struct PmmEffects {
    Emm emm;
    ARENA_LIST(PmmObject) objects;
    ARENA_LIST(const char *) looks;  /* keys of `look`, each once */
    ARENA_LIST(const char *) others; /* names of files that are not drawn, each once */
    const AssetIndex *assets;
    const char *directory; /* of the assets, absolute, with its slash */
    Arena *arena;
} PmmEffects;

/* The path of the .emm beside a project; NULL if there is no such file. */
const char *pmm_effects_find_file(const char *project, Arena *arena);

/* Reads the .emm beside a project, if there is one.  False after an error.  effects: has assets,
 * directory and arena */
bool pmm_effects_load(PmmEffects *effects, const char *project, Diag *diag);

/* The name in the .emm of the next model or accessory, in the order of the project, with a file
 * that was found; NULL: it has none. */
const char *pmm_effects_object(PmmEffects *effects, const char *file);

/* Whether an accessory is drawn by an effect: the one beside its file, or one of the .emm.  file:
 * the accessory that was found, absolute; object: its name in the .emm, or NULL */
bool pmm_effects_has(const PmmEffects *effects, const char *file, const char *object);

/* Whether an accessory whose file is absent is a well-known effect, whose key is added. */
bool pmm_effects_is_known(PmmEffects *effects, const char *path, bool visible);

/* Writes the keys `effect`, `effects` and `targets` of an object, indented by four. */
void pmm_effects_write_object(FILE *out, PmmEffects *effects, const char *object);

/* Notes the effects of objects of the .emm that the project does not have. */
void pmm_effects_add_rest(PmmEffects *effects);

/* Writes the section `look` of a job, if there is anything for it. */
void pmm_effects_write_look(FILE *out, const PmmEffects *effects);

/* Warns about those that are not drawn. */
void pmm_effects_report(const PmmEffects *effects, Diag *diag);
