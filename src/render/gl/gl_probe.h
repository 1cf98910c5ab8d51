// SPDX-License-Identifier: MIT
/*
 * gl_probe.h - which OpenGL a context would use, without a context in this process
 *
 * A short-lived child process creates the context: a process that forks workers must not have one.
 * This one loads the library (gl_load).
 * Costs some 30 ms, which may pass beside other work.  Call it while no other thread runs.
 */
#pragma once

#include "base/diag.h"
#include "render/gl/gl.h"

typedef struct GlProbe {
    char backend[16];   /* gl_backend_name */
    char renderer[240]; /* gl_renderer, cut to this size */
} GlProbe;

/* Returns false after an error (DIAG_RESOURCE): no context can be created. */
bool gl_probe(GlProbe *probe, GlChoice choice, Diag *diag);

/* Starts the child ahead: gl_probe for the same choice then waits for its answer.  It ends with
 * this process. */
void gl_probe_begin(GlChoice choice);

/* The answer of gl_probe for a choice from now on: that of a context of this process. */
void gl_probe_remember(const GlContext *context, GlChoice choice);

/* Ends a child that gl_probe has not waited for. */
void gl_probe_cancel(void);
