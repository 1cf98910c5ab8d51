// SPDX-License-Identifier: MIT
/*
 * subtitle_memory.h - an upper bound of the memory that libass needs for the lines of a script
 *
 * libass draws each line into bitmaps that are as large as the line, also where that is outside of
 * the frame: a line of a few bytes can ask for gigabytes.  Only fonts whose glyphs are much larger
 * than an em exceed the bound.
 */
#pragma once

#include <ass/ass.h>

#include "typesetting/subtitles.h"

/* The most that lines which are visible at the same time need.  The arena is for scratch data. */
SubtitlePeak subtitle_memory_peak(const ASS_Track *track, const SubtitleFrame *frame, Arena *arena);
