// SPDX-License-Identifier: MIT
/*
 * pmm_keys.h - keys of a project that no motion has, as lists of a job
 *
 * Models are named by pmm_keys_model_id.  What did not change is omitted.
 */
#pragma once

#include <stdio.h>

#include "format/project/pmm.h"

typedef struct PmmKeyWriter {
    FILE *out;
    const PmmProject *project;
    const char *const *model_files; /* [model_count]; NULL: not found, which carries nothing */
    Diag *diag;
} PmmKeyWriter;

/* "model-1" for 0 */
const char *pmm_keys_model_id(uint32_t model, Arena *arena);

/* A text as a JSON string, which is YAML, too. */
void pmm_keys_text(FILE *out, const char *text);
void pmm_keys_pair(FILE *out, const char *key, double value); /* a line; key: "scale: " */

/* The key attach_keys, with its line indented by `indent`; nothing if nothing is carried. */
void pmm_keys_parents(const PmmKeyWriter *w, const PmmParentKey *keys, uint32_t count,
                      const char *const *bones, const char *indent, Arena *arena);

/* Placement, opacity, shadow and visibility of an accessory, and what carries it: as constants
 * if they do not change. */
void pmm_keys_accessory(const PmmKeyWriter *w, const PmmAccessory *accessory, Arena *arena);

/* Whether anything carries it at any time. */
bool pmm_keys_is_carried(const PmmAccessory *accessory);

/* Gravity, its noise and keys, in the section `physics`. */
void pmm_keys_gravity(const PmmKeyWriter *w);
