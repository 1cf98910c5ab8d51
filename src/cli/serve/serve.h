// SPDX-License-Identifier: MIT
/*
 * serve.h - a server: requests of several clients, a line each, and what comes of them
 *
 * One process without threads.  It parses lines of JSON of a limited size, and nothing else: not
 * the jobs, and no file.  README.md describes it.
 */
#pragma once

#include <signal.h>

#include "cli/serve/serve_request.h"
#include "cli/session.h"

typedef struct ServeOptions {
    const char *socket; /* path; NULL: standard input and output, unless `passed` is a socket */
    int passed;         /* a socket that listens already; -1: none */
    int queue;          /* requests that may wait */
    int parallel;       /* requests that run at a time */
    int scenes;         /* films that stay loaded */
    int64_t scenes_mib; /* their memory */
    ServeHost host;
    const Arguments *args;
    const HostLimits *limits;
} ServeOptions;

/* Serves until it is told to stop: by a request, a signal, or the end of standard input. */
bool serve_run(const ServeOptions *options, const volatile sig_atomic_t *stop, Diag *diag);
