// SPDX-License-Identifier: MIT
#include "render/shadow/ground_map.h"

#include <math.h>

enum {
    SIDE = GROUND_SIDE,
    MARGIN = GROUND_MAX_RADIUS + 2, /* texels without shadow around it */
    STEPS_PER_DOUBLE = 2,           /* sizes of texels per factor of two */
    UNIFORM_WORLD = 0,              /* the casters' program: this and the next two */
    UNIFORM_MAP = 3,
    UNIFORM_LIGHT = 4,
    UNIFORM_CLIP = 0, /* the plane's program: this and the next three */
    UNIFORM_AREA = 4,
    UNIFORM_PLACE = 5,
    UNIFORM_COLOR = 6,
    UNIT_SHADE = 0
};
static const float MIN_TEXEL = 1.0f / 256.0f; /* MMD units */
static const float BLUR = 1.0f / 16.0f;       /* blur radius, part of the widest edge of a shadow */

/* Creates the programs and the surface for the first frame with a shadow. */
static bool create(GroundMap *map, const DrawContext *context, Diag *diag)
{
    const GlApi *gl = context->gl;

    map->casters = draw_program(context, "ground_map.vert", "ground_map.frag", diag);
    map->plane = draw_program(context, "ground_plane.vert", "ground_plane.frag", diag);
    if (map->casters == 0 || map->plane == 0)
        return false;
    map->slice_texture = gl_texture(gl, GL_RGBA8, 1, SIDE, SIDE);
    map->shade_texture = gl_texture(gl, GL_R8, 1, SIDE, SIDE);
    map->sampler = gl_sampler(gl, GL_CLAMP_TO_EDGE, GL_LINEAR, GL_LINEAR);
    gl->CreateFramebuffers(1, &map->framebuffer);
    gl->NamedFramebufferTexture(map->framebuffer, GL_COLOR_ATTACHMENT0, map->slice_texture, 0);
    map->slices = arena_array(context->arena, uint32_t, SIDE * SIDE);
    map->scratch = arena_alloc(context->arena, ground_scratch_size);
    map->shade = arena_array(context->arena, uint8_t, SIDE * SIDE);
    return gl_is_complete(gl, map->framebuffer) ||
           diag_fail(diag, DIAG_RESOURCE, "OpenGL rejected a map of %dx%d texels for the ground",
                     SIDE, SIDE);
}

/* ---- the part of the ground that has shadows ---- */

typedef struct Extent {
    float low[2], high[2];
    float bottom, top; /* heights of the casters above the ground */
} Extent;

static void add_caster(Extent *extent, const BoundingBox *box, const Placement *placement,
                       const GroundRays *rays, float ground)
{
    for (int i = 0; i < 8; i++) {
        float corner[3], at[3];

        box_corner(corner, box, i);
        view_place(at, placement, corner);
        const float y = at[1] - ground, reach = fabsf(y) * rays->spread;
        extent->bottom = fminf(extent->bottom, y);
        extent->top = fmaxf(extent->top, y);
        for (int axis = 0; axis < 2; axis++) {
            const float middle = at[2 * axis] + y * rays->center[axis];

            extent->low[axis] = fminf(extent->low[axis], middle - reach);
            extent->high[axis] = fmaxf(extent->high[axis], middle + reach);
        }
    }
}

static Extent find_extent(const DrawContext *context, const GroundRays *rays)
{
    Extent extent = {{FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX}, FLT_MAX, -FLT_MAX};

    for (size_t a = 0; a < context->actor_count; a++) {
        const Actor *actor = &context->actors[a];

        if (!actor->visible || !actor->has_ground_shadow)
            continue;
        for (uint32_t i = 0; i < actor->mesh->pmx->material_count; i++)
            if (actor->casts_on_ground[i]) {
                const BoundingBox box = deform_bounds(&actor->deform, i);

                add_caster(&extent, &box, &actor->state->placement, rays, context->view.ground);
            }
    }
    return extent;
}

/* Texels have one of few sizes and are aligned to a grid that is fixed in the world, so that
 * shadows do not crawl.  Returns whether there is anything to draw. */
static bool fit(GroundMap *map, const Extent *extent, const GroundRays *rays)
{
    const float sizes[2] = {extent->high[0] - extent->low[0], extent->high[1] - extent->low[1]};

    if (!(sizes[0] > 0.0f && sizes[1] > 0.0f))
        return false;
    const float needed =
        fmaxf(fmaxf(sizes[0], sizes[1]) / (float)(SIDE - 2 * MARGIN - 1), MIN_TEXEL);
    map->texel = exp2f(ceilf(log2f(needed) * STEPS_PER_DOUBLE) / STEPS_PER_DOUBLE);
    int counts[2];
    for (int axis = 0; axis < 2; axis++) {
        map->low[axis] = (floorf(extent->low[axis] / map->texel) - MARGIN) * map->texel;
        counts[axis] = (int)ceilf((extent->high[axis] - map->low[axis]) / map->texel) + MARGIN;
        counts[axis] = counts[axis] < SIDE ? counts[axis] : SIDE;
    }
    map->shape.width = counts[0];
    map->shape.height = counts[1];

    const float widest = 2.0f * rays->spread * fmaxf(extent->top, -extent->bottom);
    const float radius = ceilf(widest * BLUR / map->texel);
    map->shape.radius = (int)fminf(fmaxf(radius, 1.0f), GROUND_MAX_RADIUS);
    map->bottom = extent->bottom;
    map->slice = fmaxf(extent->top - extent->bottom, 1e-3f) / (float)GROUND_SLICES;
    return true;
}

/* ---- the map ---- */

/* Draws the slices of the casters as bits. */
static void draw_slices(const GroundMap *map, const DrawContext *context, const GroundRays *rays)
{
    const GlApi *gl = context->gl;
    const float scale_x = 2.0f / ((float)map->shape.width * map->texel);
    const float scale_z = -2.0f / ((float)map->shape.height * map->texel);
    const float place[4] = {scale_x, scale_z, -1.0f - map->low[0] * scale_x,
                            1.0f - map->low[1] * scale_z};
    const float light[4] = {rays->center[0], rays->center[1], map->bottom, 1.0f / map->slice};

    gl->BindFramebuffer(GL_FRAMEBUFFER, map->framebuffer);
    gl->Viewport(0, 0, map->shape.width, map->shape.height);
    gl->ClearColor(0.0f, 0.0f, 0.0f, 0.0f);
    gl->Clear(GL_COLOR_BUFFER_BIT);
    gl->Disable(GL_DEPTH_TEST);
    gl->Disable(GL_BLEND);
    gl->CullFace(GL_BACK);
    gl->Enable(GL_COLOR_LOGIC_OP);
    gl->LogicOp(GL_OR);
    gl->UseProgram(map->casters);
    gl->Uniform4fv(UNIFORM_MAP, 1, place);
    gl->Uniform4fv(UNIFORM_LIGHT, 1, light);
    for (size_t a = 0; a < context->actor_count; a++) {
        const Actor *actor = &context->actors[a];
        mat4 world;
        float rows[3][4];

        if (!actor->visible || !actor->has_ground_shadow)
            continue;
        view_placement(world, &actor->state->placement);
        for (int row = 0; row < 3; row++)
            for (int column = 0; column < 4; column++)
                rows[row][column] = world[column][row];
        rows[1][3] -= context->view.ground;
        gl->Uniform4fv(UNIFORM_WORLD, 3, rows[0]);
        draw_ground_casters(context, actor);
    }
    gl->Disable(GL_COLOR_LOGIC_OP);
}

bool ground_map_draw(GroundMap *map, const DrawContext *context, Diag *diag)
{
    const GlApi *gl = context->gl;
    const GroundRays rays = ground_rays(context->view.to_light, map->options.angle);
    const Extent extent = find_extent(context, &rays);

    map->any = fit(map, &extent, &rays);
    if (!map->any)
        return true;
    if (map->slices == NULL && !create(map, context, diag))
        return false;
    for (int ray = 0; ray < GROUND_RAYS; ray++) /* where each ray sees the middle of each slice */
        for (int i = 0; i < GROUND_SLICES; i++)
            for (int axis = 0; axis < 2; axis++) {
                const float y = map->bottom + ((float)i + 0.5f) * map->slice;

                map->shape.moves[ray][i][axis] =
                    (int)lrintf(y * rays.shifts[ray][axis] / map->texel);
            }
    draw_slices(map, context, &rays);
    gl->PixelStorei(GL_PACK_ROW_LENGTH, map->shape.width);
    gl->ReadPixels(0, 0, map->shape.width, map->shape.height, GL_RGBA, GL_UNSIGNED_INT_8_8_8_8_REV,
                   map->slices);
    ground_shade(map->shade, map->slices, &map->shape, map->scratch);
    gl->TextureSubImage2D(map->shade_texture, 0, 0, 0, map->shape.width, map->shape.height, GL_RED,
                          GL_UNSIGNED_BYTE, map->shade);
    return true;
}

void ground_map_draw_plane(const GroundMap *map, const DrawContext *context, const float color[4])
{
    const GlApi *gl = context->gl;
    /* Half a texel inside, where filtering finds all four neighbours. */
    const float width = (float)(map->shape.width - 1), height = (float)(map->shape.height - 1);
    const float area[4] = {map->low[0] + 0.5f * map->texel, map->low[1] + 0.5f * map->texel,
                           width * map->texel, height * map->texel};
    const float place[4] = {context->view.ground, width, height, 0.0f};

    if (!map->any)
        return;
    gl->UseProgram(map->plane);
    gl->Uniform4fv(UNIFORM_CLIP, 4, context->view.clip[0]);
    gl->Uniform4fv(UNIFORM_AREA, 1, area);
    gl->Uniform4fv(UNIFORM_PLACE, 1, place);
    gl->Uniform4fv(UNIFORM_COLOR, 1, color);
    gl->BindTextureUnit(UNIT_SHADE, map->shade_texture);
    gl->BindSampler(UNIT_SHADE, map->sampler);
    draw_shape(context, GL_TRIANGLE_STRIP, 4);
}
