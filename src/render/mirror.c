// SPDX-License-Identifier: MIT
#include "render/mirror.h"

#include <string.h>

enum {
    UNIFORM_CLIP = 0,
    UNIFORM_CENTER = 4,
    UNIFORM_HALF_SIDE = 5,
    UNIFORM_STRENGTH = 6,
    UNIFORM_RADIUS = 7,
    UNIT_TEXTURE = 0
};
static const float HALF_SIDE = 2e4f; /* MMD units */

View mirror_view(const View *view, float height)
{
    View out = *view;
    mat4 reflection;

    glm_mat4_identity(reflection);
    reflection[1][1] = -1.0f;
    reflection[3][1] = 2.0f * height;
    glm_mat4_mul(out.clip, reflection, out.clip);
    out.axes.eye[1] = 2.0f * height - out.axes.eye[1];
    out.axes.right[1] = -out.axes.right[1];
    out.axes.up[1] = -out.axes.up[1];
    out.axes.forward[1] = -out.axes.forward[1];
    return out;
}

bool mirror_is_visible(const Mirror *mirror, const View *view)
{
    return mirror->options.strength > 0.0f && view->axes.eye[1] > mirror->options.height;
}

ImageRect mirror_widen(const Mirror *mirror, ImageRect area, int width, int height)
{
    const int margin = (int)(mirror->options.blur * (float)height) + 1;

    if (area.left >= area.right)
        return area;
    return (ImageRect){area.left > margin ? area.left - margin : 0,
                       area.top > margin ? area.top - margin : 0,
                       area.right < width - margin ? area.right + margin : width,
                       area.bottom < height - margin ? area.bottom + margin : height};
}

static bool create_surface(Mirror *mirror, const GlApi *gl, int width, int height, Diag *diag)
{
    gl->DeleteFramebuffers(1, &mirror->framebuffer); /* 0 is ignored */
    gl->DeleteTextures(1, &mirror->texture);
    gl->DeleteRenderbuffers(1, &mirror->depth);
    mirror->width = width;
    mirror->height = height;
    mirror->texture = gl_texture(gl, GL_RGBA8, 1, width, height);
    gl->CreateFramebuffers(1, &mirror->framebuffer);
    gl->NamedFramebufferTexture(mirror->framebuffer, GL_COLOR_ATTACHMENT0, mirror->texture, 0);
    mirror->depth = gl_attach_buffer(gl, mirror->framebuffer, GL_DEPTH_ATTACHMENT, 1,
                                     GL_DEPTH_COMPONENT32F, width, height);
    return gl_is_complete(gl, mirror->framebuffer) ||
           diag_fail(diag, DIAG_RESOURCE, "OpenGL rejected a surface of %dx%d for a mirror", width,
                     height);
}

bool mirror_begin(Mirror *mirror, const DrawContext *context, Diag *diag)
{
    const GlApi *gl = context->gl;
    const Target *target = &context->target;

    if (mirror->program == 0)
        mirror->program = draw_program(context, "mirror.vert", "mirror.frag", diag);
    if (mirror->program == 0)
        return false;
    if ((mirror->width != target->width || mirror->height != target->height) &&
        !create_surface(mirror, gl, target->width, target->height, diag))
        return false;
    gl->BindFramebuffer(GL_FRAMEBUFFER, mirror->framebuffer);
    gl->ClearColor(0.0f, 0.0f, 0.0f, 0.0f);
    gl->DepthMask(GL_TRUE);
    gl->ClearDepth(context->view.reversed_depth ? 0.0 : 1.0);
    gl->Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    gl->Enable(GL_DEPTH_TEST);
    gl->FrontFace(GL_CCW); /* a reflection turns the winding around */
    return true;
}

void mirror_end(const DrawContext *context)
{
    context->gl->FrontFace(GL_CW);
    context->gl->BindFramebuffer(GL_FRAMEBUFFER, context->target.draw);
}

void mirror_draw_plane(const Mirror *mirror, const DrawContext *context, ImageRect area)
{
    const GlApi *gl = context->gl;
    const View *view = &context->view;
    const Target *target = &context->target;
    const MirrorOptions *o = &mirror->options;
    const ImageRect r = target_surface_rect(target, area);
    const float pixels = (float)(target->spec.height * target->spec.scale);

    target_draw_overlays(target, false, false);
    gl->UseProgram(mirror->program);
    gl->Uniform4fv(UNIFORM_CLIP, 4, view->clip[0]);
    gl->Uniform3f(UNIFORM_CENTER, view->axes.eye[0], o->height, view->axes.eye[2]);
    gl->Uniform1f(UNIFORM_HALF_SIDE, HALF_SIDE);
    gl->Uniform1f(UNIFORM_STRENGTH, o->strength);
    gl->Uniform1f(UNIFORM_RADIUS, o->blur * pixels);
    gl->BindTextureUnit(UNIT_TEXTURE, mirror->texture);
    gl->BindSampler(UNIT_TEXTURE, 0);
    gl->Enable(GL_BLEND);
    gl->BlendFuncSeparate(GL_ONE, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    gl->DepthMask(GL_FALSE);
    draw_towards_eye(context, 1.0f, 64.0f); /* the floor of a stage is at the same place */
    gl->Enable(GL_SCISSOR_TEST);
    gl->Scissor(r.left, r.top, r.right - r.left, r.bottom - r.top);
    draw_shape(context, GL_TRIANGLE_STRIP, 4);
    gl->Disable(GL_SCISSOR_TEST);
    gl->Disable(GL_POLYGON_OFFSET_FILL);
    gl->DepthMask(GL_TRUE);
    gl->BlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    target_draw_overlays(target, true, true);
}
