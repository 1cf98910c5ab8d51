/*
 * info.h - facts about a model, motion, pose, picture, sound or song
 *
 * What a file is shows in its first bytes (sounds, songs: in its name).  Text is for people,
 * "bones: 341" a line; JSON is one object a file, on a line of its own, with the names too.
 */
#ifndef INSPECT_INFO_H
#define INSPECT_INFO_H

#include <stdbool.h>
#include <stdio.h>

#include "base/diag.h"

typedef struct InfoOptions {
    bool json;
    bool names; /* in text too: every bone, morph, material and texture */
} InfoOptions;

/* Writes what is known of one file; false when it cannot be read. */
bool info_write(FILE *out, const char *path, const InfoOptions *options, Diag *diag);

#endif
