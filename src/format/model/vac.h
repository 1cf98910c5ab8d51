// SPDX-License-Identifier: MIT
/*
 * vac.h - placement of an accessory (.vac, text in CP932 or UTF-8)
 *
 * One value per line: display name; name of the .x file, relative to this file; scale; position
 * "x,y,z" in MMD units; rotation "x,y,z" in degrees; name of the bone to attach to.  Lines at the
 * end may be missing.  There is no specification (format/model/README.md 5).
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"

typedef struct Vac {
    const char *name, *file; /* UTF-8; `file` as in the file, not "" */
    float scale;             /* > 0 */
    float position[3], rotation_deg[3];
    const char *bone; /* "" if there is none */
} Vac;

bool vac_load(Vac *vac, Bytes bytes, Arena *arena, Diag *diag);
