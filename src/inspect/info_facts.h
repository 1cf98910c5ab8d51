// SPDX-License-Identifier: MIT
/*
 * info_facts.h - what `info` finds in each kind of file, as a record with its rows
 *
 * Parts of info.h.  The functions load a file into a record in the arena: the word of its kind, the
 * table and the struct.  False after an error was reported.
 */
#pragma once

#include "base/arena.h"
#include "base/file.h"
#include "inspect/info.h"
#include "record/result.h"
#include "scene/motion_share.h"

typedef struct InfoFile {
    const char *path;
    Bytes bytes;
    const InfoOptions *options;
    Arena *arena;
} InfoFile;

/* The animations of a file that is motion capture, besides; none if no take moves a body. */
typedef struct InfoTakes {
    NameList names;
    double seconds; /* of the first one that moves a joint */
    unsigned parts; /* of a body that were recognized */
} InfoTakes;

InfoTakes info_takes(const InfoFile *file);

typedef bool InfoLoad(ResultCase *out, const InfoFile *file, Diag *diag);

extern const ResultTable model_info_result, motion_info_result, mocap_info_result,
    effect_info_result, assignments_info_result;

InfoLoad info_load_model, info_load_motion, info_load_mocap, info_load_effect;
InfoLoad info_load_assignments; /* .emd or .emm */
