#include "render/stage_layer.h"

#include "render/same_bytes.h"

static bool same_rect(TargetRect a, TargetRect b)
{
    return a.left == b.left && a.top == b.top && a.right == b.right && a.bottom == b.bottom;
}

static bool same_key(const StageLayerKey *a, const StageLayerKey *b)
{
    return a->actors == b->actors && a->background == b->background &&
           same_rect(a->window, b->window) && same_bytes(&a->view, &b->view, sizeof a->view);
}

StageLayerUse stage_layer_next(StageLayer *layer, const StageLayerKey *key)
{
    const bool same = key != NULL && layer->has_key && same_key(&layer->key, key);

    layer->has_key = key != NULL;
    if (key != NULL)
        layer->key = *key;
    layer->valid = layer->valid && same;
    if (layer->valid)
        return STAGE_LAYER_KEPT;
    return same ? STAGE_LAYER_SAVE : STAGE_LAYER_NONE;
}

static bool create_buffers(StageLayer *layer, const Target *target, const GlApi *gl, Diag *diag)
{
    gl->DeleteFramebuffers(1, &layer->framebuffer); /* 0 is ignored */
    gl->DeleteRenderbuffers(2, layer->buffers);
    layer->width = target->width;
    layer->height = target->height;
    layer->buffers[0] = target_create_buffer(target, gl, 1, GL_RGBA8);
    layer->buffers[1] = target_create_buffer(target, gl, 1, target_depth_format(target));
    gl->CreateFramebuffers(1, &layer->framebuffer);
    gl->NamedFramebufferRenderbuffer(layer->framebuffer, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                                     layer->buffers[0]);
    gl->NamedFramebufferRenderbuffer(layer->framebuffer, target_depth_attachment(target),
                                     GL_RENDERBUFFER, layer->buffers[1]);
    if (gl->GetError() == GL_NO_ERROR &&
        gl->CheckNamedFramebufferStatus(layer->framebuffer, GL_DRAW_FRAMEBUFFER) ==
            GL_FRAMEBUFFER_COMPLETE)
        return true;
    return diag_fail(diag, DIAG_RESOURCE, "out of memory for the picture of the stage, %dx%d",
                     layer->width, layer->height);
}

static void copy(const GlApi *gl, GLuint from, GLuint to, TargetRect r)
{
    gl->BlitNamedFramebuffer(
        from, to, r.left, r.top, r.right, r.bottom, r.left, r.top, r.right, r.bottom,
        GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT, GL_NEAREST);
}

bool stage_layer_save(StageLayer *layer, const Target *target, const GlApi *gl, Arena *arena,
                      Diag *diag)
{
    const size_t bytes = 4 * (size_t)target->spec.width * (size_t)target->spec.height;

    if ((layer->width != target->width || layer->height != target->height) &&
        !create_buffers(layer, target, gl, diag))
        return false;
    if (layer->image == NULL)
        layer->image = arena_array(arena, uint8_t, bytes);

    Image image = {.pixels = layer->image};
    copy(gl, target->draw, layer->framebuffer, (TargetRect){0, 0, target->width, target->height});
    target_read(&image, target, gl, target->window, target->background);
    layer->valid = true;
    return true;
}

void stage_layer_restore(const StageLayer *layer, const Target *target, const GlApi *gl,
                         TargetRect area)
{
    if (area.left < area.right)
        copy(gl, layer->framebuffer, target->draw, target_surface_rect(target, area));
}
