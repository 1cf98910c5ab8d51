// SPDX-License-Identifier: MIT
/*
 * subtitle_text.h - subtitle files as one script of Advanced SubStation Alpha (ASS) in UTF-8
 *
 * Reads ASS and SSA as they are, and translates SubRip (.srt): times are rounded to 1/100 s, the
 * tags <b>, <i>, <u> and a leading {\anN} are kept, other tags are removed.  Text is UTF-8, UTF-16
 * or CP932 (Shift-JIS).
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"

enum { SUBTITLE_MAX_BYTES = 4 << 20, SUBTITLE_MAX_EVENTS = 20000 };

/* A file that is neither, or larger than the limits, is an error (DIAG_DATA).  Lines of SubRip
 * without valid times are skipped with a warning. */
bool subtitle_text_read(const char **script, Bytes file, Arena *arena, Diag *diag);
