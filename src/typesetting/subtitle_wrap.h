// SPDX-License-Identifier: MIT
/*
 * subtitle_wrap.h - lines of translated subtitles that are too wide for the frame, broken
 *
 * libass breaks lines at spaces only.  A line with Japanese or Chinese that is wider than the frame
 * between its margins gets as few breaks as possible, at places that readers expect (line_break.h),
 * into rows of similar widths.  Other lines are left to libass, and so are scripts of their own.
 */
#pragma once

#include "base/arena.h"
#include "typesetting/font.h"
#include "typesetting/subtitle_text.h"

typedef struct SubtitleWrap {
    FontSources fonts;
    int width, height; /* of the frame, pixels */
    double scale;      /* of the letters */
} SubtitleWrap;

/* Sets script->text; false after an error of the fonts. */
bool subtitle_wrap(SubtitleScript *script, const SubtitleWrap *wrap, Arena *arena, Diag *diag);
