// SPDX-License-Identifier: MIT
/*
 * dump.h - poses of a model at some frames, as another program computed them
 */
#ifndef ORACLE_DUMP_H
#define ORACLE_DUMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/file.h"

typedef struct DumpFrame {
    double frame;
    float (*bones)[7]; /* [bone_count] world position, rotation x y z w */
    float *morphs;     /* [morph_count] */
    bool has_camera;
    float camera[14]; /* target, rotation, distance, fov in degrees, eye, up */
} DumpFrame;

typedef struct Dump {
    bool from_saba;
    bool physics;      /* bodies were simulated */
    bool stock_curves; /* unmodified saba, which reads curves from the wrong key */
    const char *model, *motion, *camera; /* SHA-256 in hex, or saba's file names; NULL: none */
    uint32_t bone_count, morph_count;
    DumpFrame *frames;
    size_t frame_count;
} Dump;

bool dump_load(Dump *out, const char *path, Arena *arena);

/* All of a gzip file, with a NUL after it. */
bool gunzip(Bytes *out, const char *path, Arena *arena);

#endif
