// SPDX-License-Identifier: MIT
/*
 * serve_request.h - a line of a client: what it asks for, as a command line of this program
 *
 *     {"id":"7","verb":"still","job":"dance.yaml","frames":"30","output":"out/30.png"}
 *
 * The members are in help/text: 'odori help serve'.  A line is checked here and read no further:
 * what a job contains, the process of the request finds.
 */
#pragma once

#include "base/arena.h"
#include "base/hash.h"
#include "record/json_read.h"

typedef enum ServeVerb {
    SERVE_RENDER,
    SERVE_STILL,
    SERVE_CHECK,
    SERVE_INFO,
    SERVE_PLAN,
    SERVE_CANCEL,
    SERVE_STATUS,
    SERVE_SHUTDOWN,
    SERVE_VERBS
} ServeVerb;

typedef struct ServeRequest {
    const char
        *id; /* as JSON: a text or a whole number; "null" if the line has none that is valid */
    ServeVerb verb;
    const char *const *words; /* "odori", "render", ..., NULL */
    size_t word_count;
    const char *job;    /* the name of its job file; or NULL */
    const char *input;  /* the job as JSON, which the program reads from standard input; or NULL */
    const char *output; /* the only output; or NULL */
    bool overwrite;
    double deadline_s;  /* since the line was received; 0: none */
    int priority;       /* the highest first */
    const char *target; /* SERVE_CANCEL: the id of the request to cancel */
    bool has_scene;     /* a film of a process that keeps it may be that of the request */
    Digest scene;       /* equal for all requests that name the same inputs */
} ServeRequest;

/* The words of the host, such as --limits FILE, that each command line has; ended by NULL. */
typedef struct ServeHost {
    const char *const *words;
} ServeHost;

/* A value on one line. */
const char *serve_json_text(const JsonValue *value, Arena *arena);

/* Parses a line into the arena.  False: *error is a sentence; request->id is set if it can be. */
bool serve_request_parse(ServeRequest *request, const char **error, const ServeHost *host,
                         const char *line, size_t size, Arena *arena);
