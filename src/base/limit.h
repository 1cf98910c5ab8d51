// SPDX-License-Identifier: MIT
/*
 * limit.h - upper bounds that the host of a run sets, and the one message for exceeding them
 *
 * A limits file (job/host_limits.h) fills Limits; whoever is about to load, allocate or compute
 * checks a value first.  A Limit that is all zero allows everything.
 */
#pragma once

#include "base/diag.h"

typedef struct Limit {
    double max;         /* 0: no limit */
    const char *name;   /* key of the limits file: "vertices" */
    const char *source; /* its origin: "limits.yaml:4", "profile untrusted", "default" */
} Limit;

/* Whether the limit exists and the value exceeds it. */
bool limit_exceeded(const Limit *limit, double value);

/* Reports "vertices: 1200000 exceeds the limit of 1000000 (limits.yaml:4)" if it does, of kind
 * DIAG_RESOURCE.  `unit` follows the numbers, " MiB"; "" for counts. */
bool limit_check(const Limit *limit, double value, const char *unit, Diag *diag);

/* The lower of a limit and another bound (0: none). */
double limit_lower(const Limit *limit, double other);
