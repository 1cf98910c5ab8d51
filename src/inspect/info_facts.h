// SPDX-License-Identifier: MIT
/*
 * info_facts.h - facts about a file, each as a line of text and as a member of a JSON object
 *
 * Parts of info.h.  Both forms are always written, and info_write keeps the one that was asked for.
 * Text leaves out counts of 0 and empty texts; JSON has all members.
 */
#pragma once

#include "base/arena.h"
#include "base/file.h"
#include "base/json.h"
#include "base/text.h"
#include "inspect/info.h"

typedef struct Facts {
    FILE *text;
    Json json; /* inside the object of the file */
    const InfoOptions *options;
    Arena *arena;
} Facts;

void facts_text(Facts *facts, const char *key, const char *value);
void facts_count(Facts *facts, const char *key, uint64_t value);
void facts_number(Facts *facts, const char *key, double value);
void facts_names(Facts *facts, const char *key, TextNames names); /* in text only with --names */

/* Parts of a file, after its kind: false after an error. */
bool info_write_model(Facts *facts, const char *path, Bytes bytes, Diag *diag);
bool info_write_motion(Facts *facts, const char *path, Bytes bytes, Diag *diag);
bool info_write_mocap(Facts *facts, Bytes bytes, Diag *diag); /* motion capture */
bool info_write_effect(Facts *facts, const char *path, Bytes bytes, Diag *diag);
bool info_write_assignments(Facts *facts, Bytes bytes, Diag *diag); /* .emd or .emm */
bool info_write_texture(Facts *facts, Bytes bytes, Diag *diag);     /* DDS or Radiance */
