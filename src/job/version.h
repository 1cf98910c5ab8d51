/*
 * version.h - which program this is, built with what
 */
#ifndef JOB_VERSION_H
#define JOB_VERSION_H

#include <stdbool.h>
#include <stdio.h>

#include "base/json.h"
#include "render/gl_probe.h"

#define ODORI_VERSION "0.2.0"
#define ODORI_RELEASE_DATE "2026-11-22" /* of this version; the date of the manual pages */

/* gl: the OpenGL that renders by default; NULL: not available. */
void version_write(FILE *out, bool json, const GlProbe *gl);

/* The same as one JSON object within another. */
void version_write_parts(Json *json);

#endif
