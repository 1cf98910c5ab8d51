// SPDX-License-Identifier: MIT
/*
 * version.h - the version of rendering and encoding
 */
#pragma once

/* Increase it in the commit that changes how frames look or how they are encoded: unfinished films
 * are rejected from then on. */
enum { PICTURE_VERSION = 34 };
