// SPDX-License-Identifier: MIT
/*
 * doctor.h - what this machine offers to a run: OpenGL, sandbox, encoders, fonts, cores and memory;
 * what is missing or slow, and the cure
 *
 * Reads nothing that a stranger can have written.  Each context of OpenGL is created by a process
 * of its own (render/gl/gl_probe.h).
 */
#pragma once

#include <stdio.h>

#include "base/diag.h"
#include "record/result.h"

extern const ResultTable doctor_result; /* what the JSON form contains */

typedef struct DoctorOptions {
    bool json;
    const char *cache; /* directory of compiled shaders that is used; NULL: there is none */
} DoctorOptions;

/* False after an error (DIAG_RESOURCE): this machine cannot draw. */
bool doctor_write(FILE *out, const DoctorOptions *options, Diag *diag);
