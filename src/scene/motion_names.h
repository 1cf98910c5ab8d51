/*
 * motion_names.h - the names in a motion and those of a model: look-up, renames, how many fit
 *
 * Rules: scene/README.md 1.3 and 1.6.  Part of motion.c, which calls these functions in the order
 * of this file, for one layer after another.  Everything is in the given arena.
 */
#ifndef SCENE_MOTION_NAMES_H
#define SCENE_MOTION_NAMES_H

#include "scene/motion.h"

typedef struct NamedIndex {
    const VmdName *name;
    uint32_t index;
} NamedIndex;

/* Sorted names of a model. */
typedef struct NameTable {
    NamedIndex *items;
    uint32_t count;
} NameTable;

/* The lowest index with this name, or -1. */
int32_t name_table_find(const NameTable *table, const VmdName *name);

typedef struct Rename { /* a MotionRename with indices */
    VmdName from;
    int32_t bone, morph; /* -1: the model has no bone or morph with the new name */
} Rename;

typedef struct MotionNames {
    const Model *model;
    NameTable bones, morphs;
    const Rename *renames; /* of the current layer */
    size_t rename_count;
} MotionNames;

MotionNames motion_names_create(const Model *model, Arena *arena);

/* Resolves the renames of a layer.  Errors (DIAG_JOB): a name that the motion or the model does not
 * have. */
bool motion_names_set_layer(MotionNames *names, const MotionLayer *layer, Arena *arena, Diag *diag);

/* The bone or morph that a name in the motion moves, or -1. */
int32_t motion_names_bone(const MotionNames *names, const VmdName *name);
int32_t motion_names_morph(const MotionNames *names, const VmdName *name);

/* The name of the bone of the model that a name in the motion is mapped to; itself if not renamed.
 */
const VmdName *motion_names_renamed_bone(const MotionNames *names, const VmdName *name);

/* ---- how many names fit ---- */

typedef struct TallyItem {
    VmdName name;
    int32_t track;  /* -1: not in the model */
    uint32_t order; /* in the file */
} TallyItem;

typedef struct NameTally {
    TallyItem *items;
    uint32_t count;
} NameTally;

NameTally name_tally_create(uint32_t capacity, Arena *arena);
void name_tally_add(NameTally *tally, const VmdName *name, int32_t track); /* of one key */

/* "59 of 72 bones and 0 of 12 morphs"; a kind without names is omitted. */
const char *motion_fit_text(const MotionFit *fit, Arena *arena);

/* Fills *fit and warns about names that do not fit.  False if the warning is an error. */
bool motion_names_report(MotionFit *fit, const MotionNames *names, const MotionLayer *layer,
                         NameTally *bones, NameTally *morphs, Arena *arena, Diag *diag);

#endif
