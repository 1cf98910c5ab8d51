#include "render/shadow/ground_map.h"

#include <float.h>
#include <math.h>

#include "render/gl/shader.h"

enum {
    SIDE = GROUND_SIDE,
    MARGIN = GROUND_MAX_RADIUS + 2, /* texels without shadow around it */
    STEPS_PER_DOUBLE = 2,           /* sizes of texels per factor of two */
    UNIFORM_WORLD = 0,              /* of the casters */
    UNIFORM_MAP = 3,
    UNIFORM_LIGHT = 4,
    UNIFORM_CLIP = 0, /* of the plane */
    UNIFORM_AREA = 4,
    UNIFORM_PLACE = 5,
    UNIFORM_COLOR = 6,
    UNIT_SHADE = 0
};
static const float SMALLEST_TEXEL = 1.0f / 256.0f; /* MMD units */
static const float BLUR = 1.0f / 16.0f;            /* of the widest edge of a shadow */

/* ---- set-up, on first use ---- */

static GLuint create_texture(const GlApi *gl, GLenum format)
{
    GLuint texture = 0;

    gl->CreateTextures(GL_TEXTURE_2D, 1, &texture);
    gl->TextureStorage2D(texture, 1, format, SIDE, SIDE);
    return texture;
}

static bool create_surface(GroundMap *map, const GlApi *gl, Arena *arena, Diag *diag)
{
    map->slice_texture = create_texture(gl, GL_RGBA8);
    map->shade_texture = create_texture(gl, GL_R8);
    gl->CreateSamplers(1, &map->sampler);
    gl->SamplerParameteri(map->sampler, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    gl->SamplerParameteri(map->sampler, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    gl->SamplerParameteri(map->sampler, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    gl->SamplerParameteri(map->sampler, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    gl->CreateFramebuffers(1, &map->framebuffer);
    gl->NamedFramebufferTexture(map->framebuffer, GL_COLOR_ATTACHMENT0, map->slice_texture, 0);
    map->slices = arena_array(arena, uint32_t, SIDE * SIDE);
    map->scratch = arena_alloc(arena, ground_scratch_size);
    map->shade = arena_array(arena, uint8_t, SIDE * SIDE);
    if (gl->GetError() == GL_NO_ERROR &&
        gl->CheckNamedFramebufferStatus(map->framebuffer, GL_DRAW_FRAMEBUFFER) ==
            GL_FRAMEBUFFER_COMPLETE)
        return true;
    return diag_fail(diag, DIAG_RESOURCE, "OpenGL rejected a map of %dx%d texels for the ground",
                     SIDE, SIDE);
}

static bool create(GroundMap *map, const GlApi *gl, const char *shader_dir, Arena *arena,
                   Diag *diag)
{
    const ShaderSpec casters = {.vertex = "ground_map.vert", .fragment = "ground_map.frag"};
    const ShaderSpec plane = {.vertex = "ground_plane.vert", .fragment = "ground_plane.frag"};

    map->casters = shader_build(gl, &casters, shader_dir, diag);
    map->plane = shader_build(gl, &plane, shader_dir, diag);
    return map->casters != 0 && map->plane != 0 && create_surface(map, gl, arena, diag);
}

/* ---- the part of the ground that has shadows ---- */

typedef struct Extent {
    float low[2], high[2];
    float bottom, top; /* of the casters, above the ground */
} Extent;

static void add_caster(Extent *extent, const BoundingBox *box, const Placement *placement,
                       const GroundRays *rays, float ground)
{
    for (int i = 0; i < 8; i++) {
        const float corner[3] = {i & 1 ? box->high[0] : box->low[0],
                                 i & 2 ? box->high[1] : box->low[1],
                                 i & 4 ? box->high[2] : box->low[2]};
        float at[3];

        view_place(at, placement, corner);
        const float y = at[1] - ground, around = fabsf(y) * rays->spread;
        extent->bottom = fminf(extent->bottom, y);
        extent->top = fmaxf(extent->top, y);
        for (int axis = 0; axis < 2; axis++) {
            const float middle = at[2 * axis] + y * rays->center[axis];

            extent->low[axis] = fminf(extent->low[axis], middle - around);
            extent->high[axis] = fmaxf(extent->high[axis], middle + around);
        }
    }
}

static Extent find_extent(const Actor *actors, size_t actor_count, const GroundRays *rays,
                          float ground)
{
    Extent extent = {{FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX}, FLT_MAX, -FLT_MAX};

    for (size_t a = 0; a < actor_count; a++)
        for (uint32_t i = 0; actors[a].visible && actors[a].has_ground_shadow &&
                             i < actors[a].mesh->pmx->material_count;
             i++)
            if (actors[a].casts_on_ground[i]) {
                const BoundingBox box = deform_bounds(&actors[a].deform, i);

                add_caster(&extent, &box, &actors[a].state->placement, rays, ground);
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
    const float least =
        fmaxf(fmaxf(sizes[0], sizes[1]) / (float)(SIDE - 2 * MARGIN - 1), SMALLEST_TEXEL);
    map->texel = exp2f(ceilf(log2f(least) * STEPS_PER_DOUBLE) / STEPS_PER_DOUBLE);
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

/* Moves of the slices, at their middle, seen along each ray. */
static void set_moves(GroundMap *map, const GroundRays *rays)
{
    for (int ray = 0; ray < GROUND_RAYS; ray++)
        for (int i = 0; i < GROUND_SLICES; i++)
            for (int axis = 0; axis < 2; axis++) {
                const float y = map->bottom + ((float)i + 0.5f) * map->slice;

                map->shape.moves[ray][i][axis] =
                    (int)lrintf(y * rays->shifts[ray][axis] / map->texel);
            }
}

static void begin_slices(const GroundMap *map, const GlApi *gl, const GroundRays *rays)
{
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
}

/* As for sharp shadows, the faces of one side cast the complete shadow of a watertight run. */
static void draw_material(const GlApi *gl, const MeshMaterial *mesh)
{
    for (uint32_t i = 0; i < mesh->shape_run_count; i++) {
        const MeshRun *run = &mesh->shape_runs[i];

        if (run->watertight)
            gl->Enable(GL_CULL_FACE);
        else
            gl->Disable(GL_CULL_FACE);
        gl->DrawElements(mesh->mode, (GLsizei)run->count, GL_UNSIGNED_INT,
                         (const void *)(run->first * sizeof(uint32_t)));
    }
}

static void draw_actor(const GlApi *gl, const Actor *actor, float ground)
{
    mat4 world;
    float rows[3][4];

    view_placement(world, &actor->state->placement);
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++)
            rows[row][column] = world[column][row];
    rows[1][3] -= ground;
    gl->Uniform4fv(UNIFORM_WORLD, 3, rows[0]);
    gl->BindVertexArray(actor->deform.vertices);
    for (uint32_t i = 0; i < actor->mesh->pmx->material_count; i++)
        if (actor->casts_on_ground[i])
            draw_material(gl, &actor->mesh->materials[i]);
}

static void read_map(GroundMap *map, const GlApi *gl)
{
    gl->Disable(GL_COLOR_LOGIC_OP);
    gl->PixelStorei(GL_PACK_ROW_LENGTH, map->shape.width);
    gl->ReadPixels(0, 0, map->shape.width, map->shape.height, GL_RGBA, GL_UNSIGNED_INT_8_8_8_8_REV,
                   map->slices);
    ground_shade(map->shade, map->slices, &map->shape, map->scratch);
    gl->TextureSubImage2D(map->shade_texture, 0, 0, 0, map->shape.width, map->shape.height, GL_RED,
                          GL_UNSIGNED_BYTE, map->shade);
}

bool ground_map_draw(GroundMap *map, const GlApi *gl, const Actor *actors, size_t actor_count,
                     const View *view, const char *shader_dir, Arena *arena, Diag *diag)
{
    const GroundRays rays = ground_rays(view->to_light, map->options.angle);
    const Extent extent = find_extent(actors, actor_count, &rays, view->ground);

    map->any = fit(map, &extent, &rays);
    if (!map->any)
        return true;
    if (map->slices == NULL && !create(map, gl, shader_dir, arena, diag))
        return false;
    set_moves(map, &rays);
    begin_slices(map, gl, &rays);
    for (size_t i = 0; i < actor_count; i++)
        if (actors[i].visible && actors[i].has_ground_shadow)
            draw_actor(gl, &actors[i], view->ground);
    read_map(map, gl);
    return true;
}

void ground_map_draw_plane(const GroundMap *map, const GlApi *gl, const View *view,
                           const float color[4], GLuint vertices)
{
    /* Half a texel inside, where filtering finds all four neighbours. */
    const float width = (float)(map->shape.width - 1), height = (float)(map->shape.height - 1);
    const float area[4] = {map->low[0] + 0.5f * map->texel, map->low[1] + 0.5f * map->texel,
                           width * map->texel, height * map->texel};
    const float place[4] = {view->ground, width, height, 0.0f};

    if (!map->any)
        return;
    gl->UseProgram(map->plane);
    gl->Uniform4fv(UNIFORM_CLIP, 4, view->clip[0]);
    gl->Uniform4fv(UNIFORM_AREA, 1, area);
    gl->Uniform4fv(UNIFORM_PLACE, 1, place);
    gl->Uniform4fv(UNIFORM_COLOR, 1, color);
    gl->BindTextureUnit(UNIT_SHADE, map->shade_texture);
    gl->BindSampler(UNIT_SHADE, map->sampler);
    gl->BindVertexArray(vertices);
    gl->Disable(GL_CULL_FACE);
    gl->DrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}
