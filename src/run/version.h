// SPDX-License-Identifier: MIT
/*
 * version.h - the versions of the program and of the libraries it uses
 */
#pragma once

#include <stdio.h>

#include "base/json.h"
#include "record/result.h"
#include "render/gl/gl_probe.h"

#define ODORI_VERSION "0.3.0-dev" /* "-dev": before the release; other files follow (make lint) */
#define ODORI_RELEASE_DATE "2026-11-22" /* date of this version and of the manual pages */

extern const ResultTable version_result; /* what the JSON form contains */

/* Writes the versions as text or as JSON, ended by a newline; and the license that holds for this
 * binary, by that of FFmpeg.
 * gl: the OpenGL that renders by default; NULL if it is not available */
void version_write(FILE *out, bool json, const GlProbe *gl);

/* The versions that a film depends on most. */
typedef struct VersionParts {
    const char *odori, *revision, *ffmpeg;
} VersionParts;

VersionParts version_parts(void);
