// SPDX-License-Identifier: MIT
/*
 * texture_pixels.h - the decoded textures of a scene, which are not needed once OpenGL has them
 *
 * The images keep their addresses and sizes.  Both functions concern this process alone: processes
 * that share the memory keep theirs.
 */
#pragma once

#include "scene/scene.h"

/* The size of all pixels, bytes; that of models which occur several times once. */
uint64_t texture_pixels_size(const Scene *scene);

/* Returns the memory of all pixels to the system; their values are lost. */
void texture_pixels_discard(const Scene *scene);

/* Decodes the files again, if the pixels were discarded.  False after an error: a file has changed
 * since it was loaded. */
bool texture_pixels_restore(const Scene *scene, Diag *diag);
