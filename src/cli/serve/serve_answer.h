// SPDX-License-Identifier: MIT
/*
 * serve_answer.h - lines that clients get
 */
#pragma once

#include <stdbool.h>

#include "base/arena.h"
#include "record/result.h"

typedef struct ServeResult {
    bool ok;
    int status;
    const char *code, *message;
    bool warm;
    int attempts;
    double wait_s, wall_s, cpu_s;
} ServeResult;

typedef struct ServeStatus {
    int clients, queued, running, scenes;
    int64_t scenes_mib;
    unsigned long finished, restarted;
} ServeStatus;

/* What `result` of a line is; what status prints, for the verb schema. */
extern const ResultTable serve_result, serve_status_result;

/* id: as JSON.  outputs: of the last event, as JSON; or NULL. */
const char *serve_answer_result(const char *id, const ServeResult *result, const char *outputs,
                                Arena *arena);
const char *serve_answer_status(const char *id, const ServeStatus *status, Arena *arena);
