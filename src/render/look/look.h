// SPDX-License-Identifier: MIT
/*
 * look.h - the look of a film: its effects, in their order (README.md)
 *
 * To add an effect, write its file with its row, add its options here and its row to the table in
 * look.c.
 */
#pragma once

#include "render/lens.h"
#include "render/look/defocus.h"
#include "render/look/diffusion.h"
#include "render/look/glow.h"
#include "render/look/grade.h"
#include "render/look/ssao.h"
#include "render/renderer.h"

/* An effect that is NULL is not part of the look. */
typedef struct LookOptions {
    FocusOptions focus; /* lens for defocus and for the images that are averaged */
    const SsaoOptions *ssao;
    const DefocusOptions *defocus;
    const GlowOptions *glow;
    const DiffusionOptions *diffusion;
    const GradeOptions *grade;
} LookOptions;

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
