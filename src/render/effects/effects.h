// SPDX-License-Identifier: MIT
/*
 * effects.h - the effects of a frame: offscreen targets, models drawn by effects, and pre- and
 * post-effects around the scene
 *
 * The renderer owns one if an effect runs.  A frame is: effects_begin, effects_draw_targets, then
 * the scene, in which effects_draw_model takes the place of MMD's drawing; if there are pre- or
 * post-effects, effects_draw_chain asks for that scene where their scripts do.
 */
#pragma once

#include "render/effects/runtime.h"

typedef struct Effects Effects;

/* The scene without pre- and post-effects, premultiplied. */
typedef struct EffectsScene {
    const Image *image; /* NULL: none */
    GLuint samples;     /* texture that is drawn over it, `scale` times as large; 0: none */
    int scale;
} EffectsScene;

/* How MMD draws. */
typedef struct EffectsStandard {
    void *user;
    /* the materials of an actor that are in view; onto the framebuffer that is bound */
    bool (*surfaces)(void *user, const Actor *actor, Diag *diag);
    bool (*outlines)(void *user, const Actor *actor, bool is_picture, Diag *diag);
    /* Draws the scene on a surface that is cleared to `clear`; wide: colors do not end at 1.  False
     * after an error was reported. */
    bool (*scene)(EffectsScene *out, void *user, const float clear[4], bool wide, Diag *diag);
} EffectsStandard;

/* frame_s: seconds between frames.  NULL after an error was reported. */
Effects *effects_create(const Scene *scene, const DrawContext *draw,
                        const EffectsStandard *standard, int width, int height, double frame_s,
                        Diag *diag);

/* Measures the passes of the frames that follow (pass_times.h), each of which a glFinish begins and
 * ends. */
void effects_time_passes(Effects *effects);

/* Adds the times since the last call. */
void effects_take_pass_times(FxPassTime *sums, Effects *effects);

/* Whether some material, of the frame or of an offscreen target, is drawn by an effect: views are
 * changed then (fx_view_change). */
bool effects_draw_objects(const Effects *effects);

/* Whether the frames that follow find on targets what was drawn on them in the frame before. */
void effects_continue(Effects *effects, bool on);

/* After the view of the frame is known, before it is changed. */
void effects_begin(Effects *effects, const FrameState *state, const float ground_color[4],
                   bool self_shadow);

/* Draws what OFFSCREENRENDERTARGETs show.  Actors are up to date. */
bool effects_draw_targets(Effects *effects, Diag *diag);

/* Whether effects draw some of the model on the frame, or hide some of it. */
bool effects_has_model(const Effects *effects, size_t model);

/* Whether a pass of a material is drawn by MMD: the material has no effect, or one without a
 * technique for it. */
bool effects_is_standard(const Effects *effects, size_t model, uint32_t material, FxPassKind kind);

/* Draws surfaces and outlines of a model on a surface that is bound. */
bool effects_draw_model(Effects *effects, const FxSurface *surface, Actor *actor, Diag *diag);

/* Draws the ground shadows as far as effects do that. */
bool effects_draw_ground_shadows(Effects *effects, const FxSurface *surface, Diag *diag);

/* Whether pre- or post-effects run in this frame. */
bool effects_has_chain(const Effects *effects);

/* Runs pre- and post-effects, and reads the picture, premultiplied; background: what the screen is
 * at first. */
bool effects_draw_chain(Effects *effects, Image *image, const float background[4], Diag *diag);
