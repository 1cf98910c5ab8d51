// SPDX-License-Identifier: MIT
/*
 * look.h - the look of a film: its effects, in their order (README.md)
 *
 * To add an effect, write its file with its row, declare its settings in look.inc and add its row
 * to the table in look.c.
 */
#pragma once

#include "picture/look/look_options.h"
#include "render/renderer.h"

/* Finds what the effects name in files and in the scene, which may lack models after an error:
 * options that have something to find are replaced by copies that have it. */
bool look_load(LookOptions *options, const Scene *scene, Arena *arena, Diag *diag);

/* Memory that the effects need for each pixel of an image, bytes. */
unsigned look_pixel_bytes(const LookOptions *options);

typedef struct Look Look;

/* Creates the effects for images of this size; options must outlive it. */
Look *look_create(const LookOptions *options, int width, int height, Arena *arena);

/* Begins a frame, before its first image. */
void look_begin(Look *look);

/* Changes an image that render_frame drew of the state, number `index` of `count` of the frame.
 * Returns false after an error was reported. */
bool look_change_image(Image *image, Look *look, Renderer *renderer, const FrameState *state,
                       int index, int count, Diag *diag);

/* Changes the frame, the mean of its images. */
void look_change_frame(Image *image, Look *look, int64_t number);
