// SPDX-License-Identifier: MIT
/*
 * preset.h - settings for a place where films are shown: --preset shorts
 *
 * A preset is a YAML map of dotted keys, as a layer of a batch; "outputs+" is a list of outputs
 * that are added beside a film.  Those of the program are text/preset-NAME.yaml, whose first line
 * is "# .EXTENSION: DESCRIPTION"; a user's own are files of the same form.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"

struct YamlNode;

typedef struct Preset {
    const char *name;      /* NULL after the last one */
    const char *extension; /* of the output of a film that names none: "mp4" */
    const char *help;      /* "vertical, for ..." */
    const char *keys;      /* the lines after the first one */
} Preset;

/* Those of the program, in the order of their names. */
const Preset *preset_list(Arena *arena);

/* The one with this name, or one without a name. */
Preset preset_find(const char *name, Arena *arena);

/* The values of a preset, in the file if that is not NULL.  NULL after an error: DIAG_USAGE for an
 * unknown name, or as of a job file. */
const struct YamlNode *preset_load(const char *name, const char *file, Arena *arena, Diag *diag);
