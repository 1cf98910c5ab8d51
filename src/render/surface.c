#include "render/surface.h"

#include <string.h>

#include "render/gl/shader.h"

enum { UNIFORM_MATERIAL = 0, UNIT_TEXTURE = 0, UNIT_SPHERE = 1, UNIT_TOON = 2, UNIT_SHADOW = 3 };
enum { SHADOW_BINDING = 1 };
/* Indices: of blended materials whose hidden triangles are worth finding, and of what must have
 * been drawn before. */
enum { LEAST_BLENDED = 6000, LEAST_OPAQUE = 6000 };
static const float ALPHA_TEST = 0.005f;                      /* render/README.md 2.3 */
static const float OPAQUE_ALPHA = 0.99f, DENSE_ALPHA = 0.5f; /* as in surface.frag */

/* The uniform u_material of surface.frag. */
typedef struct MaterialBlock {
    float base[4], specular[4];
    float texture_mul[4], texture_add[4], sphere_mul[4], sphere_add[4], toon_mul[4], toon_add[4];
    float lambert[4];
    float toon_lit[4], toon_dark[4]; /* fourth components: rows, edge */
} MaterialBlock;

void surface_init(Surfaces *surfaces, const GlApi *gl, bool soft_shadow, int anisotropy,
                  int supersample, const char *shader_dir)
{
    *surfaces = (Surfaces){.shader_dir = shader_dir,
                           .soft_shadow = soft_shadow,
                           .samplers = texture_samplers(gl, anisotropy, supersample)};
}

/* Returns the program of a variant, built on first use; 0 after an error was reported. */
static GLuint variant_program(Surfaces *surfaces, const GlApi *gl, unsigned features, Diag *diag)
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
    };
    const ShaderSpec spec = {.vertex = "surface.vert",
                             .fragment = "surface.frag",
                             .defines = defines,
                             .define_count = sizeof defines / sizeof *defines};
    GLuint *program = &surfaces->programs[features];

    if (*program == 0)
        *program = shader_build(gl, &spec, surfaces->shader_dir, diag);
    return *program;
}

static float saturate(float value)
{
    return value > 0.0f ? (value < 1.0f ? value : 1.0f) : 0.0f;
}

static MaterialBlock material_block(const MaterialState *material, const ToonRamp *toon,
                                    const View *view)
{
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

/* Receivers use only the last color of their toon (render/README.md 8.1).  Without toon, highlight
 * and Lambert term a shadow changes nothing. */
static unsigned shadow_features(unsigned features, const Actor *actor, uint32_t number)
{
    const unsigned toons = SURFACE_TOON | SURFACE_TOON_STEP;

    if (!(actor->mesh->pmx->materials[number].flags & PMX_RECEIVE_SHADOW) ||
        actor->is_ground[number] || !(features & (toons | SURFACE_SPECULAR | SURFACE_LAMBERT)))
        return features;
    if (features & toons)
        features = (features & ~toons) | SURFACE_TOON_STEP;
    return features | SURFACE_SHADOW;
}

static unsigned material_features(const Actor *actor, uint32_t number, const MaterialBlock *block,
                                  bool shadow)
{
    const float *specular = block->specular;
    unsigned features = texture_features(actor, number);

    if (specular[3] > 0.0f && (specular[0] != 0.0f || specular[1] != 0.0f || specular[2] != 0.0f))
        features |= SURFACE_SPECULAR;
    if (actor->mesh->pmx->materials[number].flags & PMX_VERTEX_COLOR && actor->mesh->extra != NULL)
        features |= SURFACE_VERTEX_COLOR | SURFACE_ALPHA_TEST;
    if (actor->mesh->pmx->accessory)
        features |= SURFACE_LAMBERT;
    if (actor->entry->model->is_cloth)
        features |= SURFACE_BOTH_SIDES |
                    (features & (SURFACE_TOON | SURFACE_TOON_STEP) ? 0u : SURFACE_LAMBERT);
    return shadow ? shadow_features(features, actor, number) : features;
}

static void bind_texture(const GlApi *gl, GLuint unit, GLuint texture, GLuint sampler)
{
    if (texture == 0)
        return;
    gl->BindTextureUnit(unit, texture);
    gl->BindSampler(unit, sampler);
}

static void bind_textures(const Surfaces *surfaces, const GlApi *gl, const Actor *actor,
                          uint32_t number)
{
    const Samplers *samplers = &surfaces->samplers;
    const MaterialTextures *textures = &actor->textures[number];
    const bool sub = actor->mesh->pmx->materials[number].sphere_mode == PMX_SPHERE_SUB_TEXTURE;

    bind_texture(gl, UNIT_TEXTURE, textures->texture, samplers->repeat);
    bind_texture(gl, UNIT_SPHERE, textures->sphere, sub ? samplers->repeat : samplers->clamp);
    bind_texture(gl, UNIT_TOON, textures->toon.texture, samplers->toon);
}

static void set_enabled(const GlApi *gl, GLenum capability, bool on)
{
    if (on)
        gl->Enable(capability);
    else
        gl->Disable(capability);
}

static void draw(const GlApi *gl, GLenum mode, uint32_t first, uint32_t count)
{
    gl->DrawElements(mode, (GLsizei)count, GL_UNSIGNED_INT,
                     (const void *)(first * sizeof(uint32_t)));
}

/* Back faces of watertight runs are culled where nothing shows them: opaque, seen from outside. */
static void draw_runs(const GlApi *gl, const Actor *actor, uint32_t number, bool opaque)
{
    const MeshMaterial *mesh = &actor->mesh->materials[number];
    const bool double_sided = actor->mesh->pmx->materials[number].flags & PMX_DOUBLE_SIDED;

    set_enabled(gl, GL_BLEND,
                !opaque); /* without blending an opaque surface is the same, and faster */
    set_enabled(gl, GL_CULL_FACE, !double_sided);
    if (!double_sided || !opaque || !actor->unclipped[number]) {
        draw(gl, mesh->mode, mesh->first, mesh->count);
        return;
    }
    for (uint32_t i = 0; i < mesh->run_count; i++) {
        set_enabled(gl, GL_CULL_FACE, mesh->runs[i].watertight);
        draw(gl, mesh->mode, mesh->runs[i].first, mesh->runs[i].count);
    }
}

static bool darkens_in_shadow(unsigned features)
{
    return features & SURFACE_SHADOW && features & (SURFACE_TOON_STEP | SURFACE_LAMBERT);
}

static const unsigned PARTS[] = {[SURFACE_PART_OPAQUE] = SURFACE_OPAQUE,
                                 [SURFACE_PART_DENSE] = SURFACE_DENSE,
                                 [SURFACE_PART_FAINT] = SURFACE_FAINT};

/* Adds the features of the part; false if nothing of the material belongs to it. */
static bool select_part(unsigned *features, SurfacePart part, float alpha)
{
    const bool opaque = alpha >= 1.0f && !(*features & SURFACE_ALPHA_TEST);

    if (part == SURFACE_PART_ALL || (opaque && part == SURFACE_PART_OPAQUE))
        return true;
    if (opaque || (alpha < OPAQUE_ALPHA && part == SURFACE_PART_OPAQUE) ||
        (alpha < DENSE_ALPHA && part == SURFACE_PART_DENSE))
        return false;
    *features |= SURFACE_ALPHA_TEST | PARTS[part];
    return true;
}

static bool is_opaque(unsigned features, const MaterialBlock *block)
{
    return block->base[3] >= 1.0f && !(features & SURFACE_ALPHA_TEST);
}

/* The triangles of a blended material that may be seen. */
static void draw_listed(const GlApi *gl, const Actor *actor, uint32_t number,
                        const SurfaceLists *lists)
{
    const VisibleRange range = lists->ranges[number];

    set_enabled(gl, GL_BLEND, true);
    set_enabled(gl, GL_CULL_FACE, !(actor->mesh->pmx->materials[number].flags & PMX_DOUBLE_SIDED));
    gl->VertexArrayElementBuffer(actor->deform.vertices, lists->visible->buffer);
    if (range.count > 0)
        draw(gl, GL_TRIANGLES, (uint32_t)range.first, (uint32_t)range.count);
    gl->VertexArrayElementBuffer(actor->deform.vertices, actor->mesh->indices);
}

static bool draw_material(Surfaces *surfaces, const GlApi *gl, const Actor *actor, uint32_t number,
                          const SurfaceLists *lists, const View *view, bool shadow,
                          SurfacePart part, Diag *diag)
{
    const MaterialState *state = &actor->state->materials[number];
    const MaterialBlock block = material_block(state, &actor->textures[number].toon, view);
    unsigned features = material_features(actor, number, &block, shadow);

    if (!select_part(&features, part, block.base[3]))
        return true;
    features |= surfaces->overlays ? SURFACE_LIGHT : 0;
    const GLuint program = variant_program(surfaces, gl, features, diag);
    if (program == 0)
        return false;
    gl->UseProgram(program);
    gl->Uniform4fv(UNIFORM_MATERIAL, sizeof block / sizeof block.base, block.base);
    bind_textures(surfaces, gl, actor, number);
    gl->StencilFunc(GL_ALWAYS, darkens_in_shadow(features) ? SURFACE_SHADOWED : 0, 0xff);
    if (actor->mesh->materials[number].mode == GL_POINTS)
        gl->PointSize(state->edge_size > 1.0f ? state->edge_size : 1.0f);
    if (lists != NULL && lists->listed[number])
        draw_listed(gl, actor, number, lists);
    else
        draw_runs(gl, actor, number, is_opaque(features, &block));
    return true;
}

/* A material that fails the alpha test even where its texture is opaque draws nothing. */
static bool is_drawn(const Actor *actor, uint32_t number)
{
    return actor->in_view[number] && actor->state->materials[number].diffuse[3] >= ALPHA_TEST;
}

void surface_find_receivers(Actor *actor, const View *view)
{
    for (uint32_t i = 0; i < actor->mesh->pmx->material_count; i++) {
        const MaterialBlock block =
            material_block(&actor->state->materials[i], &actor->textures[i].toon, view);

        actor->receives[i] =
            is_drawn(actor, i) && material_features(actor, i, &block, true) & SURFACE_SHADOW;
    }
}

bool surface_may_darken(const Actor *actor)
{
    const PmxModel *pmx = actor->mesh->pmx;
    const bool lambert = pmx->accessory || actor->entry->model->is_cloth;

    for (uint32_t i = 0; i < pmx->material_count; i++)
        if (pmx->materials[i].flags & PMX_RECEIVE_SHADOW &&
            (lambert || actor->textures[i].toon.texture != 0))
            return true;
    return false;
}

SurfaceSpan surface_all(const Actor *actor)
{
    return (SurfaceSpan){.end = actor->mesh->pmx->material_count};
}

/* Whether the material can be listed: it is drawn as blended triangles. */
static bool is_blended(const Actor *actor, uint32_t number, const View *view)
{
    const MaterialBlock block =
        material_block(&actor->state->materials[number], &actor->textures[number].toon, view);

    return actor->mesh->materials[number].mode == GL_TRIANGLES &&
           !is_opaque(material_features(actor, number, &block, false), &block);
}

/* Of the first material from which on three of four triangles are blended. */
SurfaceSpan surface_find_blended(SurfaceLists *lists, const Actor *actor, const View *view)
{
    const uint32_t end = actor->mesh->pmx->material_count;
    size_t blended = 0, all = 0, before = 0;
    uint32_t first = end;

    for (uint32_t i = end; i-- > 0;) {
        const size_t count = is_drawn(actor, i) ? actor->mesh->materials[i].count : 0;

        lists->listed[i] = count > 0 && is_blended(actor, i, view);
        blended += lists->listed[i] ? count : 0;
        all += count;
        before += count;
        if (blended >= LEAST_BLENDED && blended >= all / 4 * 3) {
            first = i;
            before = 0;
        }
    }
    if (before < LEAST_OPAQUE)
        first = end;
    for (uint32_t i = 0; i < first; i++)
        lists->listed[i] = false;
    return (SurfaceSpan){first, end, lists};
}

void surface_begin_stencil(const GlApi *gl)
{
    gl->Enable(GL_STENCIL_TEST);
    gl->StencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
}

void surface_end_stencil(const GlApi *gl)
{
    gl->Disable(GL_STENCIL_TEST);
}

bool surface_draw(Surfaces *surfaces, const GlApi *gl, const Actor *actor, SurfaceSpan span,
                  const View *view, const ShadowMap *shadow, SurfacePart part, Diag *diag)
{
    gl->BindVertexArray(actor->deform.vertices);
    gl->BindBufferBase(GL_UNIFORM_BUFFER, 0, actor->block);
    gl->BindBufferBase(GL_UNIFORM_BUFFER, SHADOW_BINDING, actor->shadow_block);
    bind_texture(gl, UNIT_SHADOW, shadow->soft > 0.0f ? shadow->texels.texture : shadow->map,
                 shadow->sampler);
    gl->CullFace(GL_BACK);
    gl->DepthMask(part != SURFACE_PART_FAINT);
    for (uint32_t i = span.first; i < span.end; i++)
        if (is_drawn(actor, i) &&
            !draw_material(surfaces, gl, actor, i, span.lists, view, shadow->on, part, diag))
            return false;
    gl->DepthMask(GL_TRUE);
    return true;
}
