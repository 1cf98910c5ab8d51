/*
 * vac.h - how an accessory is to be worn (.vac, text in CP932)
 *
 * One value a line: name to show; .x file, beside this one; scale; position "x,y,z" in MMD units;
 * rotation "x,y,z" in degrees; name of the bone that carries it.  Lines may be missing at the end.
 * There is no specification; MMD's own samples look so.
 */
#ifndef FORMAT_MODEL_VAC_H
#define FORMAT_MODEL_VAC_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"

typedef struct Vac {
    const char *name, *file; /* UTF-8; file as written, not "" */
    float scale;             /* > 0 */
    float position[3], rotation_deg[3];
    const char *bone; /* "" for none */
} Vac;

bool vac_load(Vac *vac, Bytes bytes, Arena *arena, Diag *diag);

#endif
