// SPDX-License-Identifier: MIT
/*
 * subtitle_text.h - subtitle files as one script of Advanced SubStation Alpha (ASS) in UTF-8
 *
 * Reads ASS and SSA as they are, and translates SubRip (.srt): times are rounded to 1/100 s, the
 * tags <b>, <i>, <u> and a leading {\anN} are kept, other tags are removed.  Text is UTF-8, UTF-16
 * or CP932 (Shift-JIS).  The size of the letters of SubRip follows the shorter side of the frame,
 * the margins of a tall frame those that players of tall films need (README.md 3).
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"

enum { SUBTITLE_MAX_BYTES = 4 << 20, SUBTITLE_MAX_EVENTS = 20000 };

/* Of a script that was translated, in its pixels; of others the resolution is 0. */
typedef struct SubtitleLayout {
    int width, height; /* resolution of the script */
    int side, bottom;  /* margins; that at the top is as large as that at the bottom */
    int size;          /* line height of the letters */
} SubtitleLayout;

typedef struct SubtitleScript {
    const char *text;
    SubtitleLayout layout;
} SubtitleScript;

/* A file that is neither, or larger than the limits, is an error (DIAG_DATA).  Lines of SubRip
 * without valid times are skipped with a warning.  width, height: of the frame, pixels. */
bool subtitle_text_read(SubtitleScript *out, Bytes file, int width, int height, Arena *arena,
                        Diag *diag);
