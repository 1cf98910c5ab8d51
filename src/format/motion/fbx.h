// SPDX-License-Identifier: MIT
/*
 * fbx.h - the skeleton of an FBX file, binary or text, of versions 7.0 to 7.7, and one of its takes
 *
 * Joints are the models of the file that are bones or nulls, and what these depend on; of a file
 * without any, all models.  Its axes are made right-handed.
 */
#pragma once

#include "format/motion/mocap.h"

enum { FBX_MAX_LAYERS = 16, FBX_MAX_KEYS = 1 << 22 };

/* take: its name, or NULL for the first one that moves a joint. */
bool fbx_load(Mocap *mocap, Bytes bytes, const char *take, Arena *arena, Diag *diag);
