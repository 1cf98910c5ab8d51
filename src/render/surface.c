// SPDX-License-Identifier: MIT
#include "render/surface.h"

#include <string.h>

enum { UNIFORM_MATERIAL = 0, UNIFORM_MAPS = 11 };
enum { UNIT_TEXTURE = 0, UNIT_SPHERE = 1, UNIT_TOON = 2, UNIT_SHADOW = 3, UNIT_MAPS = 4 };
enum { SHADOW_BINDING = 1 };
/* Indices: of blended materials whose hidden triangles are worth finding, and of what must have
 * been drawn before. */
enum { MIN_BLENDED = 6000, MIN_OPAQUE = 6000 };
static const float ALPHA_TEST = 0.005f;                      /* render/README.md 2.3 */
static const float OPAQUE_ALPHA = 0.99f, DENSE_ALPHA = 0.5f; /* as in surface.frag */

/* The uniform u_material of surface.frag. */
typedef struct MaterialBlock {
    float base[4], specular[4];
    float texture_mul[4], texture_add[4], sphere_mul[4], sphere_add[4], toon_mul[4], toon_add[4];
    float lambert[4];
    float toon_lit[4], toon_dark[4]; /* fourth components: rows, edge */
} MaterialBlock;

/* Returns the program of a variant, built on first use; 0 after an error was reported. */
static GLuint variant_program(Surfaces *surfaces, const DrawContext *context, unsigned features,
                              Diag *diag)
{
    const ShaderDefine defines[] = {
        {"TEXTURE", (features & SURFACE_TEXTURE) != 0},
        {"SPHERE", (int)((features & SURFACE_SPHERE) >> SURFACE_SPHERE_SHIFT)},
        {"TOON", (features & SURFACE_TOON) != 0},
        {"TOON_STEP", (features & SURFACE_TOON_STEP) != 0},
        {"SPECULAR", (features & SURFACE_SPECULAR) != 0},
        {"VERTEX_COLOR", (features & SURFACE_VERTEX_COLOR) != 0},
        {"FACTORS", (features & SURFACE_FACTORS) != 0},
        {"ALPHA_TEST", (features & SURFACE_ALPHA_TEST) != 0},
        {"LAMBERT", (features & SURFACE_LAMBERT) != 0},
        {"BOTH_SIDES", (features & SURFACE_BOTH_SIDES) != 0},
        {"OPAQUE", (features & SURFACE_OPAQUE) != 0},
        {"DENSE", (features & SURFACE_DENSE) != 0},
        {"FAINT", (features & SURFACE_FAINT) != 0},
        {"SHADOW", (features & SURFACE_SHADOW) != 0},
        {"LIGHT", (features & SURFACE_LIGHT) != 0},
        {"SOFT", surfaces->soft_shadow},
        {"MAPS", (features & SURFACE_MAPS) != 0},
        {"MTOON", 0},
    };
    const ShaderSpec spec = {.vertex = "surface.vert",
                             .fragment = "surface.frag",
                             .library = "shadow.glsl",
                             .defines = defines,
                             .define_count = sizeof defines / sizeof *defines};
    GLuint *program = &surfaces->programs[features];

    if (*program == 0)
        *program = shader_build(context->gl, &spec, context->shader_dir, diag);
    return *program;
}

static float saturate(float value)
{
    return value > 0.0f ? (value < 1.0f ? value : 1.0f) : 0.0f;
}

static MaterialBlock material_block(const Actor *actor, uint32_t number, const View *view)
{
    const MaterialState *material = &actor->state->materials[number];
    const ToonRamp *toon = &actor->textures[number].toon;
    MaterialBlock block;

    for (int i = 0; i < 3; i++) {
        block.base[i] =
            saturate(material->diffuse[i] * view->light_color[i] + material->ambient[i]);
        block.specular[i] = material->specular[i] * view->light_color[i];
        block.lambert[i] = material->diffuse[i] * view->light_color[i];
        block.toon_lit[i] = toon->lit[i];
        block.toon_dark[i] = toon->dark[i];
    }
    block.toon_lit[3] = toon->rows;
    block.toon_dark[3] = toon->edge;
    block.base[3] = saturate(material->diffuse[3]);
    block.specular[3] = material->specular_power;
    block.lambert[3] = 0.0f;
    memcpy(block.texture_mul, material->texture_mul, sizeof block.texture_mul);
    memcpy(block.texture_add, material->texture_add, sizeof block.texture_add);
    memcpy(block.sphere_mul, material->sphere_mul, sizeof block.sphere_mul);
    memcpy(block.sphere_add, material->sphere_add, sizeof block.sphere_add);
    memcpy(block.toon_mul, material->toon_mul, sizeof block.toon_mul);
    memcpy(block.toon_add, material->toon_add, sizeof block.toon_add);
    return block;
}

static bool has_factors(const float mul[4], const float add[4])
{
    for (int i = 0; i < 4; i++)
        if (mul[i] != 1.0f || add[i] != 0.0f)
            return true;
    return false;
}

static unsigned texture_features(const Actor *actor, uint32_t number)
{
    const MaterialTextures *t = &actor->textures[number];
    const MaterialState *state = &actor->state->materials[number];
    const bool texture = has_factors(state->texture_mul, state->texture_add);
    const bool sphere = has_factors(state->sphere_mul, state->sphere_add);
    const bool toon = has_factors(state->toon_mul, state->toon_add);
    unsigned features = texture || sphere || toon ? SURFACE_FACTORS : 0;

    if (t->texture != 0 && (texture || !t->texture_neutral))
        features |= SURFACE_TEXTURE;
    if (t->sphere != 0 && (sphere || !t->sphere_neutral))
        features |= (unsigned)actor->mesh->pmx->materials[number].sphere_mode
                    << SURFACE_SPHERE_SHIFT;
    if (t->toon.texture != 0 && (toon || !t->toon.white))
        features |= t->toon.step ? SURFACE_TOON_STEP : SURFACE_TOON;
    if (t->texture_alpha || t->sphere_alpha)
        features |= SURFACE_ALPHA_TEST;
    return features;
}

static unsigned material_features(const Actor *actor, uint32_t number, const MaterialBlock *block,
                                  bool shadow)
{
    const unsigned toons = SURFACE_TOON | SURFACE_TOON_STEP;
    const unsigned flags = actor->mesh->pmx->materials[number].flags;
    const float *specular = block->specular;
    const bool receives = shadow && flags & PMX_RECEIVE_SHADOW && !actor->is_ground[number];
    unsigned features = texture_features(actor, number);

    if (actor->mesh->pmx->materials[number].mtoon != NULL)
        return (features & SURFACE_ALPHA_TEST) | (receives ? SURFACE_SHADOW : 0);
    if (specular[3] > 0.0f && (specular[0] != 0.0f || specular[1] != 0.0f || specular[2] != 0.0f))
        features |= SURFACE_SPECULAR;
    if (actor->mesh->pmx->materials[number].maps.used)
        features |= SURFACE_MAPS;
    if (flags & PMX_VERTEX_COLOR && actor->mesh->extra != NULL)
        features |= SURFACE_VERTEX_COLOR | SURFACE_ALPHA_TEST;
    if (actor->mesh->pmx->accessory)
        features |= SURFACE_LAMBERT;
    if (actor->entry->model->is_cloth)
        features |= SURFACE_BOTH_SIDES | (features & toons ? 0u : SURFACE_LAMBERT);
    /* Without toon, highlight and Lambert term a shadow changes nothing. */
    if (!receives || !(features & (toons | SURFACE_SPECULAR | SURFACE_LAMBERT)))
        return features;
    if (features & toons) /* receivers use only its last color (render/README.md 8.1) */
        features = (features & ~toons) | SURFACE_TOON_STEP;
    return features | SURFACE_SHADOW;
}

static void bind_texture(const GlApi *gl, GLuint unit, GLuint texture, GLuint sampler)
{
    if (texture == 0)
        return;
    gl->BindTextureUnit(unit, texture);
    gl->BindSampler(unit, sampler);
}

static bool is_opaque(unsigned features, const MaterialBlock *block)
{
    return block->base[3] >= 1.0f && !(features & SURFACE_ALPHA_TEST);
}

/* Adds the features of the part; false if nothing of the material belongs to it. */
static bool select_part(unsigned *features, SurfacePart part, const MaterialBlock *block)
{
    static const unsigned PARTS[] = {[SURFACE_PART_OPAQUE] = SURFACE_OPAQUE,
                                     [SURFACE_PART_DENSE] = SURFACE_DENSE,
                                     [SURFACE_PART_FAINT] = SURFACE_FAINT,
                                     [SURFACE_PART_FAINT_DEPTHS] = SURFACE_FAINT};
    const bool opaque = is_opaque(*features, block);
    const float alpha = block->base[3];

    if (part == SURFACE_PART_ALL || (opaque && part == SURFACE_PART_OPAQUE))
        return true;
    if (opaque || (alpha < OPAQUE_ALPHA && part == SURFACE_PART_OPAQUE) ||
        (alpha < DENSE_ALPHA && part == SURFACE_PART_DENSE))
        return false;
    *features |= SURFACE_ALPHA_TEST | PARTS[part];
    return true;
}

/* The triangles of a blended material that may be seen. */
static void draw_listed(const GlApi *gl, const Actor *actor, uint32_t number,
                        const SurfaceLists *lists)
{
    gl_set_enabled(gl, GL_CULL_FACE,
                   !(actor->mesh->pmx->materials[number].flags & PMX_DOUBLE_SIDED));
    gl->VertexArrayElementBuffer(actor->deform.vertices, lists->buffer);
    visible_lists_draw(gl, lists->ranges[number]);
    gl->VertexArrayElementBuffer(actor->deform.vertices, actor->mesh->indices);
}

/* Makes the program, the textures and the constants of a material current. */
static bool use_material(Surfaces *surfaces, const DrawContext *context, const Actor *actor,
                         uint32_t number, const MaterialBlock *block, unsigned features, Diag *diag)
{
    const GlApi *gl = context->gl;
    const Samplers *samplers = &context->samplers;
    const MaterialTextures *textures = &actor->textures[number];
    const bool sub = actor->mesh->pmx->materials[number].sphere_mode == PMX_SPHERE_SUB_TEXTURE;
    const GLuint program = variant_program(surfaces, context, features, diag);

    if (program == 0)
        return false;
    gl->UseProgram(program);
    gl->Uniform4fv(UNIFORM_MATERIAL, sizeof *block / sizeof block->base, block->base);
    bind_texture(
        gl, UNIT_TEXTURE, textures->texture,
        (actor->magnified[number] ? samplers->first_level : samplers->surface)[textures->wrap]);
    bind_texture(gl, UNIT_SPHERE, textures->sphere, sub ? samplers->surface[0] : samplers->clamp);
    bind_texture(gl, UNIT_TOON, textures->toon.texture, samplers->toon);
    if (features & SURFACE_MAPS) {
        const PmxLightMaps *maps = &actor->mesh->pmx->materials[number].maps;

        const float values[] = {maps->emission[0], maps->emission[1], maps->emission[2],
                                maps->occlusion};

        gl->Uniform4fv(UNIFORM_MAPS, 1, values);
        for (GLuint i = 0; i < PMX_MAPS; i++)
            bind_texture(gl, UNIT_MAPS + i, textures->maps[i].name,
                         samplers->surface[textures->maps[i].wrap]);
    }
    return true;
}

/* The same for one of MToon. */
static bool use_mtoon(Surfaces *surfaces, const DrawContext *context, const Actor *actor,
                      uint32_t number, unsigned features, Diag *diag)
{
    static const struct {
        SurfaceFeature surface;
        MtoonFeature mtoon;
    } same[] = {{SURFACE_ALPHA_TEST, MTOON_ALPHA_TEST}, {SURFACE_SHADOW, MTOON_SHADOW},
                {SURFACE_LIGHT, MTOON_LIGHT},           {SURFACE_OPAQUE, MTOON_OPAQUE},
                {SURFACE_DENSE, MTOON_DENSE},           {SURFACE_FAINT, MTOON_FAINT}};
    unsigned bits = surfaces->soft_shadow && features & SURFACE_SHADOW ? MTOON_SOFT : 0;

    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        bits |= features & same[i].surface ? same[i].mtoon : 0;
    return mtoon_use(&surfaces->mtoon, context, actor, number, bits, diag);
}

/* lists: NULL if all triangles are drawn; reversed: the last triangle first */
static bool draw_material(Surfaces *surfaces, const DrawContext *context, const Actor *actor,
                          uint32_t number, const SurfaceLists *lists, bool shadow, SurfacePart part,
                          bool reversed, Diag *diag)
{
    const GlApi *gl = context->gl;
    const Mtoon *mtoon = actor->mesh->pmx->materials[number].mtoon;
    const float point_size = actor->state->materials[number].edge_size;
    const MaterialBlock block = material_block(actor, number, &context->view);
    unsigned features = material_features(actor, number, &block, shadow);

    if (!select_part(&features, part, &block))
        return true;
    features |= context->target.has_overlays ? SURFACE_LIGHT : 0;
    if (mtoon != NULL ? !use_mtoon(surfaces, context, actor, number, features, diag)
                      : !use_material(surfaces, context, actor, number, &block, features, diag))
        return false;
    const bool darkens = features & SURFACE_SHADOW &&
                         (mtoon != NULL || features & (SURFACE_TOON_STEP | SURFACE_LAMBERT));
    gl->StencilFunc(GL_ALWAYS, darkens ? SURFACE_SHADOWED : 0, 0xff);
    if (actor->mesh->materials[number].mode == GL_POINTS)
        gl->PointSize(point_size > 1.0f ? point_size : 1.0f);
    const bool opaque = is_opaque(features, &block);
    /* Without blending an opaque surface is the same, and faster. */
    gl_set_enabled(gl, GL_BLEND, !opaque);
    const bool hides_nothing = mtoon != NULL && !mtoon->writes_depth;
    if (hides_nothing)
        gl->DepthMask(GL_FALSE);
    if (lists != NULL && lists->listed[number])
        draw_listed(gl, actor, number, lists);
    else
        draw_faces(context, actor, number, opaque, reversed);
    if (hides_nothing)
        gl->DepthMask(part != SURFACE_PART_FAINT);
    return true;
}

/* Whether a material would be drawn if it were in view. */
static bool is_seen(const Actor *actor, uint32_t number)
{
    return actor->drawn[number] && actor->state->materials[number].diffuse[3] >= ALPHA_TEST;
}

/* A material that fails the alpha test even where its texture is opaque draws nothing. */
bool surface_is_drawn(const Actor *actor, uint32_t number)
{
    return actor->in_view[number] && is_seen(actor, number);
}

void surface_find_receivers(Actor *actor, const View *view)
{
    for (uint32_t i = 0; i < actor->mesh->pmx->material_count; i++) {
        const MaterialBlock block = material_block(actor, i, view);

        actor->receives[i] =
            (surface_is_drawn(actor, i) || (view->surrounds && is_seen(actor, i))) &&
            material_features(actor, i, &block, true) & SURFACE_SHADOW;
    }
}

bool surface_may_darken(const Actor *actor)
{
    const PmxModel *pmx = actor->mesh->pmx;
    const bool lambert = pmx->accessory || actor->entry->model->is_cloth;

    for (uint32_t i = 0; i < pmx->material_count; i++)
        if (pmx->materials[i].flags & PMX_RECEIVE_SHADOW &&
            (lambert || actor->textures[i].toon.texture != 0 || pmx->materials[i].mtoon != NULL))
            return true;
    return false;
}

/* ---- hidden triangles of blended materials ---- */

/* Lists the blended materials from the first one on from which three of four triangles are blended,
 * if that is worth it.  Returns its number, or the number of materials. */
static uint32_t find_blended(SurfaceLists *lists, const DrawContext *context, const Actor *actor)
{
    const uint32_t end = actor->mesh->pmx->material_count;
    size_t blended = 0, all = 0, before = 0;
    uint32_t first = end;

    if (end > lists->material_capacity) {
        lists->listed = arena_array(context->arena, bool, end);
        lists->ranges = arena_array(context->arena, VisibleRange, end);
        lists->material_capacity = end;
    }
    lists->index_count = 0;
    for (uint32_t i = end; i-- > 0;) {
        const size_t count = surface_is_drawn(actor, i) ? actor->mesh->materials[i].count : 0;
        const MaterialBlock block = material_block(actor, i, &context->view);

        lists->listed[i] = count > 0 && actor->mesh->materials[i].mode == GL_TRIANGLES &&
                           !is_opaque(material_features(actor, i, &block, false), &block);
        blended += lists->listed[i] ? count : 0;
        all += count;
        before += count;
        if (blended >= MIN_BLENDED && blended >= all / 4 * 3) {
            first = i;
            before = 0;
            lists->index_count = blended;
        }
    }
    if (before < MIN_OPAQUE)
        first = end;
    for (uint32_t i = 0; i < first; i++)
        lists->listed[i] = false;
    return first;
}

/* Makes the lists of the materials that are listed, behind what has been drawn on the target.
 * Returns false if that is not possible. */
static bool make_lists(SurfaceLists *lists, VisibleLists *visible, const DrawContext *context,
                       const Actor *actor)
{
    const Mesh *mesh = actor->mesh;
    const ModelBlock block = view_for_model(&context->view, &actor->state->placement);
    const ScreenSpace space = screen_space(&context->target, (const float(*)[4])block.clip);
    const uint32_t *indices;
    const DeformVertex *vertices;

    if (!visible_lists_begin(visible, context, mesh, actor->surfaces, lists->index_count))
        return false;
    const bool mapped = deform_map(&actor->deform, &indices, &vertices);
    for (uint32_t i = 0; mapped && i < mesh->pmx->material_count; i++) {
        const MeshMaterial *material = &mesh->materials[i];
        const bool double_sided = mesh->pmx->materials[i].flags & PMX_DOUBLE_SIDED;

        if (!lists->listed[i])
            continue;
        for (int d = 0; d < MESH_DEFORMS; d++)
            for (uint32_t k = material->ranges[d].begin; k < material->ranges[d].end; k++)
                visible->vertices[k] = occlusion_vertex(&space, vertices[k].position);
        lists->ranges[i] =
            visible_lists_add(visible, double_sided ? OCCLUSION_BOTH_FACES : OCCLUSION_FRONT_FACES,
                              indices + material->first, material->count);
    }
    deform_unmap(&actor->deform);
    if (mapped)
        visible_lists_upload(visible, context->gl);
    lists->buffer = visible->buffer;
    return mapped;
}

bool surface_is_opaque(const Actor *actor, uint32_t number, const View *view)
{
    const MaterialBlock block = material_block(actor, number, view);

    return is_opaque(material_features(actor, number, &block, false), &block);
}

/* The number of materials before the first one in view that is blended, or has no triangles. */
static uint32_t count_opaque(const DrawContext *context, const Actor *actor)
{
    const uint32_t end = actor->mesh->pmx->material_count;

    for (uint32_t i = 0; i < end; i++) {
        const MaterialBlock block = material_block(actor, i, &context->view);

        if (surface_is_drawn(actor, i) &&
            (actor->mesh->materials[i].mode != GL_TRIANGLES ||
             !is_opaque(material_features(actor, i, &block, false), &block)))
            return i;
    }
    return end;
}

/* Draws the first `count` materials, opaque ones, from the last triangle to the first.  Of equal
 * depths the first one that is drawn wins, so the pixels are those of the order of the file if
 * nothing is on the target. */
static bool draw_reversed(Surfaces *surfaces, const DrawContext *context, const Actor *actor,
                          uint32_t count, bool shadow, SurfacePart part, Diag *diag)
{
    const bool reversed_depth = context->view.reversed_depth;
    bool ok = true;

    context->gl->DepthFunc(reversed_depth ? GL_GREATER : GL_LESS);
    for (uint32_t i = count; ok && i-- > 0;)
        if (surface_is_drawn(actor, i))
            ok = draw_material(surfaces, context, actor, i, NULL, shadow, part, true, diag);
    context->gl->DepthFunc(reversed_depth ? GL_GEQUAL : GL_LEQUAL);
    return ok;
}

bool surface_draw(Surfaces *surfaces, const DrawContext *context, const Actor *actor,
                  const ShadowMap *shadow, SurfacePart part, bool empty, VisibleLists *visible,
                  Diag *diag)
{
    const GlApi *gl = context->gl;
    const uint32_t end = actor->mesh->pmx->material_count;
    const uint32_t reversed = empty ? count_opaque(context, actor) : 0;
    uint32_t first_blended = visible != NULL ? find_blended(&surfaces->lists, context, actor) : end;
    const SurfaceLists *lists = NULL;

    gl->BindVertexArray(actor->deform.vertices);
    gl->BindBufferBase(GL_UNIFORM_BUFFER, 0, actor->block);
    gl->BindBufferBase(GL_UNIFORM_BUFFER, SHADOW_BINDING, actor->shadow_block);
    bind_texture(gl, UNIT_SHADOW, shadow->soft > 0.0f ? shadow->texels.texture : shadow->map,
                 shadow->sampler);
    gl->CullFace(GL_BACK);
    gl->DepthMask(part != SURFACE_PART_FAINT);
    if (!draw_reversed(surfaces, context, actor, reversed, shadow->on, part, diag))
        return false;
    if (first_blended < reversed)
        first_blended = reversed;
    for (uint32_t i = reversed; i < end; i++) {
        if (i == first_blended && make_lists(&surfaces->lists, visible, context, actor))
            lists = &surfaces->lists;
        if (surface_is_drawn(actor, i) &&
            !draw_material(surfaces, context, actor, i, lists, shadow->on, part, false, diag))
            return false;
    }
    gl->DepthMask(GL_TRUE);
    return true;
}
