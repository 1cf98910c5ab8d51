// SPDX-License-Identifier: MIT
#include "render/stage_layer.h"

#include <string.h>

#include "render/same_bytes.h"

StageLayerUse stage_layer_next(StageLayer *layer, const StageLayerKey *key)
{
    const bool same =
        key != NULL && layer->has_key && same_bytes(&layer->key, key, sizeof layer->key);

    layer->has_key = key != NULL;
    if (key != NULL)
        layer->key = *key;
    layer->valid = layer->valid && same;
    if (layer->valid)
        return STAGE_LAYER_KEPT;
    return same ? STAGE_LAYER_SAVE : STAGE_LAYER_NONE;
}

static bool create_buffers(StageLayer *layer, const Target *target, Diag *diag)
{
    const GlApi *gl = target->gl;

    gl->DeleteFramebuffers(1, &layer->framebuffer); /* 0 is ignored */
    gl->DeleteRenderbuffers(2, layer->buffers);
    layer->width = target->width;
    layer->height = target->height;
    gl->CreateFramebuffers(1, &layer->framebuffer);
    layer->buffers[0] =
        target_attach_buffer(target, layer->framebuffer, GL_COLOR_ATTACHMENT0, 1, GL_RGBA8);
    layer->buffers[1] =
        target_attach_buffer(target, layer->framebuffer, target_depth_attachment(target), 1,
                             target_depth_format(target));
    return gl_is_complete(gl, layer->framebuffer) ||
           diag_fail(diag, DIAG_RESOURCE, "out of memory for the picture of the stage, %dx%d",
                     layer->width, layer->height);
}

static void copy(const GlApi *gl, GLuint from, GLuint to, ImageRect r)
{
    gl->BlitNamedFramebuffer(
        from, to, r.left, r.top, r.right, r.bottom, r.left, r.top, r.right, r.bottom,
        GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT, GL_NEAREST);
}

bool stage_layer_save(StageLayer *layer, const Target *target, Arena *arena, Diag *diag)
{
    const size_t bytes = 4 * (size_t)target->spec.width * (size_t)target->spec.height;

    if ((layer->width != target->width || layer->height != target->height) &&
        !create_buffers(layer, target, diag))
        return false;
    if (layer->image == NULL)
        layer->image = arena_array(arena, uint8_t, bytes);

    Image image = {.pixels = layer->image};
    copy(target->gl, target->draw, layer->framebuffer,
         (ImageRect){0, 0, target->width, target->height});
    target_read(&image, target, target->window, target->background);
    layer->valid = true;
    layer->has_depths = false;
    return true;
}

const float *stage_layer_depths(StageLayer *layer, Target *target, Arena *arena)
{
    const size_t pixels = (size_t)target->spec.width * (size_t)target->spec.height;

    if (layer->has_depths)
        return layer->depths;
    if (layer->depths == NULL)
        layer->depths = arena_array(arena, float, pixels);
    memset(layer->depths, 0, pixels * sizeof *layer->depths);
    target_read_depths(layer->depths, target, layer->framebuffer, target->window, arena);
    layer->has_depths = true;
    return layer->depths;
}

void stage_layer_restore(const StageLayer *layer, const Target *target, ImageRect area)
{
    if (area.left < area.right)
        copy(target->gl, layer->framebuffer, target->draw, target_surface_rect(target, area));
}
