#include "render/mirror.h"

#include <string.h>

#include "render/gl/shader.h"

enum {
    UNIFORM_CLIP = 0,
    UNIFORM_CENTER = 4,
    UNIFORM_HALF_SIDE = 5,
    UNIFORM_STRENGTH = 6,
    UNIFORM_RADIUS = 7,
    UNIT_TEXTURE = 0
};
static const float HALF_SIDE = 2e4f; /* MMD units */

static void reflect_direction(float direction[3])
{
    direction[1] = -direction[1];
}

View mirror_view(const View *view, float height)
{
    View out = *view;
    mat4 reflection;

    glm_mat4_identity(reflection);
    reflection[1][1] = -1.0f;
    reflection[3][1] = 2.0f * height;
    glm_mat4_mul(out.clip, reflection, out.clip);
    out.axes.eye[1] = 2.0f * height - out.axes.eye[1];
    reflect_direction(out.axes.right);
    reflect_direction(out.axes.up);
    reflect_direction(out.axes.forward);
    return out;
}

bool mirror_is_visible(const Mirror *mirror, const View *view)
{
    return mirror->options.strength > 0.0f && view->axes.eye[1] > mirror->options.height;
}

TargetRect mirror_widen(const Mirror *mirror, TargetRect area, int width, int height)
{
    const int margin = (int)(mirror->options.blur * (float)height) + 1;

    if (area.left >= area.right)
        return area;
    return (TargetRect){area.left > margin ? area.left - margin : 0,
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
    gl->CreateTextures(GL_TEXTURE_2D, 1, &mirror->texture);
    gl->TextureStorage2D(mirror->texture, 1, GL_RGBA8, width, height);
    gl->CreateRenderbuffers(1, &mirror->depth);
    gl->NamedRenderbufferStorage(mirror->depth, GL_DEPTH_COMPONENT32F, width, height);
    gl->CreateFramebuffers(1, &mirror->framebuffer);
    gl->NamedFramebufferTexture(mirror->framebuffer, GL_COLOR_ATTACHMENT0, mirror->texture, 0);
    gl->NamedFramebufferRenderbuffer(mirror->framebuffer, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER,
                                     mirror->depth);
    if (gl->GetError() == GL_NO_ERROR &&
        gl->CheckNamedFramebufferStatus(mirror->framebuffer, GL_DRAW_FRAMEBUFFER) ==
            GL_FRAMEBUFFER_COMPLETE)
        return true;
    return diag_fail(diag, DIAG_RESOURCE, "OpenGL rejected a surface of %dx%d for a mirror", width,
                     height);
}

static bool build_program(Mirror *mirror, const GlApi *gl, const char *shader_dir, Diag *diag)
{
    const ShaderSpec spec = {.vertex = "mirror.vert", .fragment = "mirror.frag"};

    if (mirror->program == 0)
        mirror->program = shader_build(gl, &spec, shader_dir, diag);
    return mirror->program != 0;
}

bool mirror_begin(Mirror *mirror, const GlApi *gl, const Target *target, bool reversed_depth,
                  const char *shader_dir, Diag *diag)
{
    if (!build_program(mirror, gl, shader_dir, diag))
        return false;
    if ((mirror->width != target->width || mirror->height != target->height) &&
        !create_surface(mirror, gl, target->width, target->height, diag))
        return false;
    gl->BindFramebuffer(GL_FRAMEBUFFER, mirror->framebuffer);
    gl->ClearColor(0.0f, 0.0f, 0.0f, 0.0f);
    gl->DepthMask(GL_TRUE);
    gl->ClearDepth(reversed_depth ? 0.0 : 1.0);
    gl->Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    gl->Enable(GL_DEPTH_TEST);
    gl->FrontFace(GL_CCW); /* a reflection turns the winding around */
    return true;
}

void mirror_end(const GlApi *gl, const Target *target)
{
    gl->FrontFace(GL_CW);
    gl->BindFramebuffer(GL_FRAMEBUFFER, target->draw);
}

void mirror_draw_plane(const Mirror *mirror, const GlApi *gl, const Target *target,
                       const View *view, TargetRect area, GLuint vertices)
{
    const float towards_eye = view->reversed_depth ? 1.0f : -1.0f;
    const MirrorOptions *o = &mirror->options;
    const TargetRect r = target_surface_rect(target, area);
    const float pixels = (float)(target->spec.height * target->spec.scale);

    gl->UseProgram(mirror->program);
    gl->Uniform4fv(UNIFORM_CLIP, 4, view->clip[0]);
    gl->Uniform3f(UNIFORM_CENTER, view->axes.eye[0], o->height, view->axes.eye[2]);
    gl->Uniform1f(UNIFORM_HALF_SIDE, HALF_SIDE);
    gl->Uniform1f(UNIFORM_STRENGTH, o->strength);
    gl->Uniform1f(UNIFORM_RADIUS, o->blur * pixels);
    gl->BindTextureUnit(UNIT_TEXTURE, mirror->texture);
    gl->BindSampler(UNIT_TEXTURE, 0);
    gl->BindVertexArray(vertices);
    gl->Disable(GL_CULL_FACE);
    gl->Enable(GL_BLEND);
    gl->BlendFuncSeparate(GL_ONE, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    gl->DepthMask(GL_FALSE);
    gl->Enable(GL_POLYGON_OFFSET_FILL); /* the floor of a stage is at the same place */
    gl->PolygonOffset(towards_eye, 64.0f * towards_eye);
    gl->Enable(GL_SCISSOR_TEST);
    gl->Scissor(r.left, r.top, r.right - r.left, r.bottom - r.top);
    gl->DrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    gl->Disable(GL_SCISSOR_TEST);
    gl->Disable(GL_POLYGON_OFFSET_FILL);
    gl->DepthMask(GL_TRUE);
    gl->BlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
}
