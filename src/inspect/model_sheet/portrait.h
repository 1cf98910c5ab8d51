// SPDX-License-Identifier: MIT
/*
 * portrait.h - pictures of a model, for `odori info`
 */
#pragma once

#include "inspect/model_sheet/preview_session.h"

/* Front, side and face with the name and the counts, and the inside of a closed room, as PNG. */
bool portrait_write_views(const char *file, PreviewSession *session, Diag *diag);

/* The face with each morph at 1, below it its name, as PNG: those of brows, eyes and mouth, then
 * others that move or color something.  At most 240.  An error (DIAG_DATA) if there is none. */
bool portrait_write_morphs(const char *file, PreviewSession *session, Diag *diag);
