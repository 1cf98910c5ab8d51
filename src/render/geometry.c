#include "render/geometry.h"

#include <string.h>

#include "gl/shader.h"

enum { UNIFORM_DEPTH = 0, UNIFORM_ID = 1, UNIFORM_ALPHA = 2, UNIT_TEXTURE = 0 };
enum { ATTACHMENTS = 3 };              /* bit i of `wanted` is attachment i */
static const float SOLID_ALPHA = 0.5f; /* as in geometry.frag */

/* ---- set-up, in the first frame ---- */

static bool build_programs(Geometry *geometry, const GlApi *gl, const char *shader_dir, Diag *diag)
{
    for (int texture = 0; texture < 2; texture++) {
        const ShaderDefine define = {"TEXTURE", texture};
        const ShaderSpec spec = {.vertex = "geometry.vert",
                                 .fragment = "geometry.frag",
                                 .defines = &define,
                                 .define_count = 1};

        geometry->programs[texture] = shader_build(gl, &spec, shader_dir, diag);
        if (geometry->programs[texture] == 0)
            return false;
    }
    return true;
}

static void attach(const Geometry *geometry, const GlApi *gl, GLenum attachment, GLenum format)
{
    GLuint buffer = 0;

    gl->CreateRenderbuffers(1, &buffer);
    gl->NamedRenderbufferStorage(buffer, format, geometry->width, geometry->height);
    gl->NamedFramebufferRenderbuffer(geometry->framebuffer, attachment, GL_RENDERBUFFER, buffer);
}

static bool create_framebuffer(Geometry *geometry, const GlApi *gl, Diag *diag)
{
    static const GLenum formats[ATTACHMENTS] = {GL_R32F, GL_R32UI, GL_RGBA8};
    GLenum buffers[ATTACHMENTS];

    gl->CreateFramebuffers(1, &geometry->framebuffer);
    attach(geometry, gl, GL_DEPTH_ATTACHMENT, GL_DEPTH_COMPONENT32F);
    for (unsigned i = 0; i < ATTACHMENTS; i++) {
        const bool wanted = geometry->wanted >> i & 1;

        buffers[i] = wanted ? GL_COLOR_ATTACHMENT0 + i : GL_NONE;
        if (wanted)
            attach(geometry, gl, buffers[i], formats[i]);
    }
    gl->NamedFramebufferDrawBuffers(geometry->framebuffer, ATTACHMENTS, buffers);
    if (gl->GetError() == GL_NO_ERROR &&
        gl->CheckNamedFramebufferStatus(geometry->framebuffer, GL_DRAW_FRAMEBUFFER) ==
            GL_FRAMEBUFFER_COMPLETE)
        return true;
    return diag_fail(diag, DIAG_RESOURCE, "OpenGL rejected a surface of %dx%d for passes",
                     geometry->width, geometry->height);
}

/* ---- drawing ---- */

static void clear(const Geometry *geometry, const GlApi *gl)
{
    static const GLfloat nothing[4] = {0};
    static const GLuint no_id[4] = {0};

    gl->DepthMask(GL_TRUE);
    gl->Clear(GL_DEPTH_BUFFER_BIT);
    if (geometry->wanted & GEOMETRY_DEPTH)
        gl->ClearNamedFramebufferfv(geometry->framebuffer, GL_COLOR, 0, nothing);
    if (geometry->wanted & GEOMETRY_ID)
        gl->ClearNamedFramebufferuiv(geometry->framebuffer, GL_COLOR, 1, no_id);
    if (geometry->wanted & GEOMETRY_NORMAL)
        gl->ClearNamedFramebufferfv(geometry->framebuffer, GL_COLOR, 2, nothing);
}

/* The plane whose dot product with a point of the model is its distance along the view. */
static void depth_plane(float out[4], const View *view, const Placement *placement)
{
    const float *forward = view->axes.forward;
    mat4 world;

    view_placement(world, placement);
    out[3] = 0.0f;
    for (int row = 0; row < 3; row++)
        out[3] += forward[row] * (world[3][row] - view->axes.eye[row]);
    for (int column = 0; column < 3; column++) {
        out[column] = 0.0f;
        for (int row = 0; row < 3; row++)
            out[column] += forward[row] * world[column][row];
    }
}

static void draw_material(const Geometry *geometry, const GlApi *gl, const Actor *actor,
                          uint32_t number, const float plane[4], GLuint id,
                          const Samplers *samplers)
{
    const MaterialState *state = &actor->state->materials[number];
    const MaterialTextures *textures = &actor->textures[number];
    const MeshMaterial *mesh = &actor->mesh->materials[number];
    const bool cutout = textures->texture != 0 && textures->texture_alpha;

    if (!actor->in_view[number] || state->diffuse[3] < SOLID_ALPHA)
        return;
    gl->UseProgram(geometry->programs[cutout]);
    gl->Uniform4fv(UNIFORM_DEPTH, 1, plane);
    gl->Uniform1ui(UNIFORM_ID, id);
    if (cutout) {
        gl->Uniform1f(UNIFORM_ALPHA, state->diffuse[3] < 1.0f ? state->diffuse[3] : 1.0f);
        gl->BindTextureUnit(UNIT_TEXTURE, textures->texture);
        gl->BindSampler(UNIT_TEXTURE, samplers->repeat);
    }
    if (actor->mesh->pmx->materials[number].flags & PMX_DOUBLE_SIDED)
        gl->Disable(GL_CULL_FACE);
    else
        gl->Enable(GL_CULL_FACE);
    if (mesh->mode == GL_POINTS)
        gl->PointSize(state->edge_size > 1.0f ? state->edge_size : 1.0f);
    gl->DrawElements(mesh->mode, (GLsizei)mesh->count, GL_UNSIGNED_INT,
                     (const void *)(mesh->first * sizeof(uint32_t)));
}

static void draw_actors(const Geometry *geometry, const GlApi *gl, const Actor *actors,
                        size_t actor_count, const View *view, const Samplers *samplers)
{
    GLuint id = 1; /* of the first material of the actor */

    for (size_t a = 0; a < actor_count; a++) {
        const Actor *actor = &actors[a];
        const uint32_t material_count = actor->mesh->pmx->material_count;
        float plane[4];

        if (actor->visible) {
            depth_plane(plane, view, &actor->state->placement);
            gl->BindVertexArray(actor->deform.vertices);
            gl->BindBufferBase(GL_UNIFORM_BUFFER, 0, actor->block);
            for (uint32_t i = 0; i < material_count; i++)
                draw_material(geometry, gl, actor, i, plane, id + i, samplers);
        }
        id += material_count;
    }
}

/* ---- reading ---- */

/* Reads attachment `index`, whose pixels have 4 bytes, if it is wanted. */
static void read_values(void *out, const Geometry *geometry, const GlApi *gl, unsigned index,
                        GLenum format, GLenum type, TargetRect drawn)
{
    const size_t width = (size_t)geometry->width;
    const size_t first = (size_t)drawn.top * width + (size_t)drawn.left;

    if (!(geometry->wanted >> index & 1))
        return;
    memset(out, 0, 4 * width * (size_t)geometry->height);
    gl->NamedFramebufferReadBuffer(geometry->framebuffer, GL_COLOR_ATTACHMENT0 + index);
    gl->PixelStorei(GL_PACK_ROW_LENGTH, geometry->width);
    if (drawn.left < drawn.right)
        gl->ReadPixels(drawn.left, drawn.top, drawn.right - drawn.left, drawn.bottom - drawn.top,
                       format, type, (uint8_t *)out + 4 * first);
}

static void begin(const Geometry *geometry, const GlApi *gl, const View *view)
{
    gl->BindFramebuffer(GL_FRAMEBUFFER, geometry->framebuffer);
    gl->Viewport(0, 0, geometry->width, geometry->height);
    gl->Enable(GL_DEPTH_TEST);
    gl->Disable(GL_BLEND);
    gl->CullFace(GL_BACK);
    gl->DepthFunc(view->reversed_depth ? GL_GEQUAL : GL_LEQUAL);
    gl->ClearDepth(view->reversed_depth ? 0.0 : 1.0);
    clear(geometry, gl);
}

bool geometry_draw(GeometryImage *out, Geometry *geometry, const GlApi *gl, const Actor *actors,
                   size_t actor_count, const View *view, const Samplers *samplers, TargetRect drawn,
                   const char *shader_dir, Diag *diag)
{
    if (geometry->framebuffer == 0 && (!build_programs(geometry, gl, shader_dir, diag) ||
                                       !create_framebuffer(geometry, gl, diag)))
        return false;
    begin(geometry, gl, view);
    draw_actors(geometry, gl, actors, actor_count, view, samplers);
    read_values(out->depth, geometry, gl, 0, GL_RED, GL_FLOAT, drawn);
    read_values(out->ids, geometry, gl, 1, GL_RED_INTEGER, GL_UNSIGNED_INT, drawn);
    read_values(out->normals, geometry, gl, 2, GL_RGBA, GL_UNSIGNED_BYTE, drawn);
    return true;
}
