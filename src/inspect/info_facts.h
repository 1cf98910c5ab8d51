/*
 * info_facts.h - facts about a file as lines of text or as members of a JSON object
 *
 * Parts of info.h.  Text leaves out counts of 0 and empty texts; JSON has all members.
 */
#ifndef INSPECT_INFO_FACTS_H
#define INSPECT_INFO_FACTS_H

#include "base/arena.h"
#include "base/file.h"
#include "base/json.h"
#include "inspect/info.h"

typedef struct Facts {
    FILE *out;
    const InfoOptions *options;
    Json json;
    Arena *arena;
} Facts;

void facts_text(Facts *facts, const char *key, const char *value);
void facts_count(Facts *facts, const char *key, uint64_t value);
void facts_number(Facts *facts, const char *key, double value);

/* A list of names, in text only with --names.  begin: whether there is anything to write; end must
 * follow in any case. */
bool facts_names_begin(Facts *facts, const char *key);
void facts_name(Facts *facts, const char *name);
void facts_names_end(Facts *facts);

/* Parts of a file, after its kind: false after an error. */
bool info_write_model(Facts *facts, const char *path, Bytes bytes, Diag *diag);
bool info_write_motion(Facts *facts, const char *path, Bytes bytes, Diag *diag);
bool info_write_mocap(Facts *facts, Bytes bytes, Diag *diag); /* motion capture */

#endif
