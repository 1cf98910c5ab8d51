// SPDX-License-Identifier: MIT
#include "render/geometry.h"

#include <string.h>

#include "render/image_parts.h"

enum {
    UNIFORM_DEPTH,
    UNIFORM_ID,
    UNIFORM_ALPHA,
    UNIFORM_RIGHT,
    UNIFORM_UP,
    UNIFORM_SIZE,
    UNIFORM_BEFORE,
    UNIFORM_AFTER,
    UNIFORM_SIDE
};
enum { UNIT_TEXTURE = 0, LABELS = 5 /* bit */, STRIP_ROWS = 16 };
static const float SOLID_ALPHA = 0.5f; /* as in geometry.frag */
static const float ALPHA_TEST = 0.005f;

typedef struct Format {
    GLenum storage, format, type;
    size_t bytes; /* bytes per pixel */
} Format;

/* The formats of the values, by bit of `wanted`. */
static const Format formats[GEOMETRY_BITS] = {
    {GL_R32F, GL_RED, GL_FLOAT, 4},           {GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, 4},
    {GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, 4}, {GL_RGBA16F, GL_RGBA, GL_HALF_FLOAT, 8},
    {GL_RGBA32F, GL_RGBA, GL_FLOAT, 16},      {GL_R16UI, GL_RED_INTEGER, GL_UNSIGNED_SHORT, 2},
};
static const Format small_labels = {GL_R8UI, GL_RED_INTEGER, GL_UNSIGNED_BYTE, 1};

static const Format *format_of(const Geometry *geometry, unsigned bit)
{
    return bit == LABELS && geometry->small_labels ? &small_labels : &formats[bit];
}

/* ---- set-up, in the first frame ---- */

static bool build_programs(Geometry *geometry, const DrawContext *context, Diag *diag)
{
    for (int texture = 0; texture < 2; texture++) {
        const unsigned wanted = geometry->wanted;
        const ShaderDefine defines[] = {
            {"TEXTURE", texture},
            {"DEPTH", (wanted & GEOMETRY_DEPTH) != 0},
            {"ID", (wanted & GEOMETRY_ID) != 0},
            {"NORMAL", (wanted & (GEOMETRY_NORMAL | GEOMETRY_WORLD_NORMAL)) != 0},
            {"MOTION", (wanted & GEOMETRY_MOTION) != 0},
            {"LABEL", (wanted & GEOMETRY_LABELS) != 0}};
        const ShaderSpec spec = {.vertex = "geometry.vert",
                                 .fragment = "geometry.frag",
                                 .defines = defines,
                                 .define_count = sizeof defines / sizeof *defines};

        geometry->programs[texture] = shader_build(context->gl, &spec, context->shader_dir, diag);
        if (geometry->programs[texture] == 0)
            return false;
    }
    return true;
}

static GLuint attach(const Geometry *geometry, const GlApi *gl, GLenum attachment, GLenum format)
{
    const GLuint texture = gl_texture(gl, format, 1, geometry->width, geometry->height);

    gl->NamedFramebufferTexture(geometry->framebuffer, attachment, texture, 0);
    return texture;
}

static bool is_wanted(const Geometry *geometry, unsigned bit)
{
    return geometry->wanted >> bit & 1;
}

static bool create_framebuffer(Geometry *geometry, const GlApi *gl, Diag *diag)
{
    GLenum buffers[GEOMETRY_BITS];

    gl->CreateFramebuffers(1, &geometry->framebuffer);
    geometry->depth = attach(geometry, gl, GL_DEPTH_ATTACHMENT, GL_DEPTH_COMPONENT32F);
    for (unsigned i = 0; i < GEOMETRY_BITS; i++) {
        buffers[i] = is_wanted(geometry, i) ? GL_COLOR_ATTACHMENT0 + i : GL_NONE;
        if (is_wanted(geometry, i))
            geometry->values[i] = attach(geometry, gl, buffers[i], format_of(geometry, i)->storage);
    }
    gl->NamedFramebufferDrawBuffers(geometry->framebuffer, GEOMETRY_BITS, buffers);
    return gl_is_complete(gl, geometry->framebuffer) ||
           diag_fail(diag, DIAG_RESOURCE, "OpenGL rejected a surface of %dx%d for passes",
                     geometry->width, geometry->height);
}

/* ---- drawing ---- */

static void clear_texture(GLuint texture, const GlApi *gl, ImageRect part, GLenum format,
                          GLenum type, const void *value)
{
    gl->ClearTexSubImage(texture, 0, part.left, part.top, 0, part.right - part.left,
                         part.bottom - part.top, 1, format, type, value);
}

/* Clears only what is read, and not by glClear: with a scissor rectangle that draws a rectangle for
 * each buffer, which took longer than drawing a character. */
static void clear(const Geometry *geometry, const GlApi *gl, ImageRect part, float depth)
{
    clear_texture(geometry->depth, gl, part, GL_DEPTH_COMPONENT, GL_FLOAT, &depth);
    for (unsigned i = 0; i < GEOMETRY_BITS; i++) {
        const Format *format = format_of(geometry, i);

        if (is_wanted(geometry, i))
            clear_texture(geometry->values[i], gl, part, format->format, format->type,
                          NULL); /* zeros */
    }
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

static void draw_material(const Geometry *geometry, const DrawContext *context, const Actor *actor,
                          uint32_t number, const float plane[4], GLuint id)
{
    const GlApi *gl = context->gl;
    const MaterialState *state = &actor->state->materials[number];
    const MaterialTextures *textures = &actor->textures[number];
    const bool labels = is_wanted(geometry, LABELS);
    const bool cutout =
        (textures->texture != 0 && textures->texture_alpha) || (labels && state->diffuse[3] < 1.0f);

    if (!actor->in_view[number] || state->diffuse[3] < (labels ? ALPHA_TEST : SOLID_ALPHA))
        return;
    gl->UseProgram(geometry->programs[cutout]);
    gl->Uniform4fv(UNIFORM_DEPTH, 1, plane);
    gl->Uniform1ui(UNIFORM_ID, id);
    if (cutout) {
        gl->Uniform1f(UNIFORM_ALPHA, state->diffuse[3] < 1.0f ? state->diffuse[3] : 1.0f);
        gl->BindTextureUnit(UNIT_TEXTURE, textures->texture); /* 0: opaque */
        gl->BindSampler(UNIT_TEXTURE, context->samplers.surface[textures->wrap]);
    }
    if (actor->mesh->materials[number].mode == GL_POINTS)
        gl->PointSize(state->edge_size > 1.0f ? state->edge_size : 1.0f);
    draw_faces(context, actor, number, !cutout, false);
}

/* motion: NULL if it is not wanted */
static void draw_actor(const Geometry *geometry, const DrawContext *context, const Actor *actor,
                       const ActorMotion *motion, GLuint first_id)
{
    const GlApi *gl = context->gl;
    const CameraAxes *axes = &context->view.axes;
    float plane[4];

    for (int i = 0; i < 2; i++) { /* uniforms that all materials share, in both programs */
        gl->UseProgram(geometry->programs[i]);
        gl->Uniform3f(UNIFORM_RIGHT, axes->right[0], axes->right[1], axes->right[2]);
        gl->Uniform3f(UNIFORM_UP, axes->up[0], axes->up[1], axes->up[2]);
        gl->Uniform1ui(UNIFORM_SIDE, (GLuint)geometry->side);
        if (motion == NULL)
            continue;
        gl->Uniform2f(UNIFORM_SIZE, (float)geometry->width, (float)geometry->height);
        gl->UniformMatrix4fv(UNIFORM_BEFORE, 1, GL_FALSE, motion->clip[MOTION_BEFORE][0]);
        gl->UniformMatrix4fv(UNIFORM_AFTER, 1, GL_FALSE, motion->clip[MOTION_AFTER][0]);
    }
    gl->BindVertexArray(motion != NULL ? motion->vertices : actor->deform.vertices);
    gl->BindBufferBase(GL_UNIFORM_BUFFER, 0, actor->block);
    depth_plane(plane, &context->view, &actor->state->placement);
    for (uint32_t i = 0; i < actor->mesh->pmx->material_count; i++)
        draw_material(geometry, context, actor, i, plane, first_id + i);
}

/* Draws the actors on a part of the surface, which is created for the first frame. */
static bool draw(Geometry *geometry, const DrawContext *context, const ActorMotion *motion,
                 ImageRect part, Diag *diag)
{
    const GlApi *gl = context->gl;
    const bool reversed_depth = context->view.reversed_depth;
    GLuint id = 1; /* id of the actor's first material */

    if (geometry->framebuffer == 0 &&
        (!build_programs(geometry, context, diag) || !create_framebuffer(geometry, gl, diag)))
        return false;
    gl->BindFramebuffer(GL_FRAMEBUFFER, geometry->framebuffer);
    gl->Viewport(0, 0, geometry->width, geometry->height);
    gl->Enable(GL_DEPTH_TEST);
    gl->Disable(GL_BLEND);
    gl->CullFace(GL_BACK);
    gl->DepthFunc(reversed_depth ? GL_GEQUAL : GL_LEQUAL);
    gl->DepthMask(GL_TRUE);
    if (part.left >= part.right)
        return true;
    clear(geometry, gl, part, reversed_depth ? 0.0f : 1.0f);
    gl->Enable(GL_SCISSOR_TEST);
    gl->Scissor(part.left, part.top, part.right - part.left, part.bottom - part.top);
    for (size_t a = 0; a < context->actor_count; a++) {
        const Actor *actor = &context->actors[a];

        if (actor->visible)
            draw_actor(geometry, context, actor,
                       geometry->wanted & GEOMETRY_MOTION ? &motion[a] : NULL, id);
        id += actor->mesh->pmx->material_count;
    }
    gl->Disable(GL_SCISSOR_TEST);
    return true;
}

/* ---- reading ---- */

/* Zeros in the rows of an image around the part that is read. */
static void clear_around(void *out, size_t pixel_bytes, size_t width, size_t height,
                         ImageRect drawn)
{
    const size_t left = pixel_bytes * (size_t)drawn.left, right = pixel_bytes * (size_t)drawn.right;
    const size_t stride = pixel_bytes * width;
    uint8_t *rows = out;

    memset(rows, 0, stride * (size_t)drawn.top);
    for (int y = drawn.top; y < drawn.bottom; y++) {
        memset(rows + stride * (size_t)y, 0, left);
        memset(rows + stride * (size_t)y + right, 0, stride - right);
    }
    memset(rows + stride * (size_t)drawn.bottom, 0, stride * (height - (size_t)drawn.bottom));
}

/* The part of the image that contains all surfaces. */
static ImageRect surfaces_area(const DrawContext *context)
{
    ImageRect area = {0, 0, 0, 0};

    for (size_t i = 0; i < context->actor_count; i++)
        if (context->actors[i].visible)
            area = image_rect_union(area, context->actors[i].surfaces);
    return area;
}

/* whole: also sets what is outside of the part. */
static void read_values(void *out, const Geometry *geometry, const GlApi *gl, unsigned bit,
                        ImageRect drawn, bool whole)
{
    const size_t width = (size_t)geometry->width, bytes = formats[bit].bytes;
    const size_t first = (size_t)drawn.top * width + (size_t)drawn.left;

    if (!is_wanted(geometry, bit))
        return;
    if (whole)
        clear_around(out, bytes, width, (size_t)geometry->height, drawn);
    gl->NamedFramebufferReadBuffer(geometry->framebuffer, GL_COLOR_ATTACHMENT0 + bit);
    gl->PixelStorei(GL_PACK_ROW_LENGTH, geometry->width);
    if (drawn.left < drawn.right)
        gl->ReadPixels(drawn.left, drawn.top, drawn.right - drawn.left, drawn.bottom - drawn.top,
                       formats[bit].format, formats[bit].type, (uint8_t *)out + bytes * first);
}

bool geometry_draw(GeometryImage *out, Geometry *geometry, const DrawContext *context,
                   const ActorMotion *motion, Diag *diag)
{
    const GlApi *gl = context->gl;
    const ImageRect part = out->part = surfaces_area(context);

    if (!draw(geometry, context, motion, part, diag))
        return false;
    read_values(out->depth, geometry, gl, 0, part, true);
    read_values(out->ids, geometry, gl, 1, part, true);
    read_values(out->normals, geometry, gl, 2, part, true);
    read_values(out->world_normals, geometry, gl, 3, part, false);
    read_values(out->motion, geometry, gl, 4, part, false);
    return true;
}

/* Sorts the samples of a row of pixels, `scale` rows of the surface, by pixel; bytes: of a sample.
 */
static void gather_samples(uint8_t *out, const uint8_t *rows, size_t pixels, size_t scale,
                           size_t bytes)
{
    const size_t run = scale * bytes;

    if (run == 2) { /* the usual case: two samples at once */
        for (size_t x = 0; x < pixels; x++) {
            memcpy(out + 4 * x, rows + 2 * x, 2);
            memcpy(out + 4 * x + 2, rows + 2 * (pixels + x), 2);
        }
        return;
    }
    for (size_t x = 0; x < pixels; x++)
        for (size_t y = 0; y < scale; y++)
            memcpy(out + run * (scale * x + y), rows + run * (pixels * y + x), run);
}

size_t geometry_label_size(size_t material_count)
{
    return material_count <= UINT8_MAX ? 1 : 2;
}

bool geometry_draw_labels(void *out, ImageRect *part, Geometry *geometry,
                          const DrawContext *context, int scale, size_t size, Diag *diag)
{
    const GlApi *gl = context->gl;
    const ImageRect drawn = *part = surfaces_area(context);
    const size_t side = (size_t)scale, width = (size_t)geometry->width / side;
    const size_t columns = (size_t)(drawn.right - drawn.left);
    const ImageRect surface = {drawn.left * scale, drawn.top * scale, drawn.right * scale,
                               drawn.bottom * scale};

    geometry->small_labels = size == 1;
    geometry->side = scale;
    const Format *format = format_of(geometry, LABELS);
    const size_t pixel = side * side * format->bytes;
    if (!draw(geometry, context, NULL, surface, diag))
        return false;
    if (geometry->rows == NULL)
        geometry->rows = arena_array(context->arena, uint8_t, width * pixel * STRIP_ROWS);
    gl->NamedFramebufferReadBuffer(geometry->framebuffer, GL_COLOR_ATTACHMENT0 + LABELS);
    gl->PixelStorei(GL_PACK_ROW_LENGTH, surface.right - surface.left);
    for (int top = drawn.top; columns > 0 && top < drawn.bottom; top += STRIP_ROWS) {
        const int end = top + STRIP_ROWS < drawn.bottom ? top + STRIP_ROWS : drawn.bottom;

        gl->ReadPixels(surface.left, top * scale, surface.right - surface.left, (end - top) * scale,
                       format->format, format->type, geometry->rows);
        for (int y = top; y < end; y++)
            gather_samples((uint8_t *)out + pixel * ((size_t)y * width + (size_t)drawn.left),
                           geometry->rows + columns * pixel * (size_t)(y - top), columns, side,
                           format->bytes);
    }
    return true;
}
