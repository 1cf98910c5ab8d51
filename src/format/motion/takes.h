// SPDX-License-Identifier: MIT
/*
 * takes.h - which of several animations in a file is the motion
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"

typedef struct Takes {
    const char **names; /* [count] */
    bool *moves;        /* [count] whether it moves a joint */
    uint32_t count;
} Takes;

/* The index of the take with a name, or, if that is NULL, of the first one that moves a joint; -1
 * after an error. */
int32_t takes_choose(const Takes *takes, const char *wanted, Arena *arena, Diag *diag);
