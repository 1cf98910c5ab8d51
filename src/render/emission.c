#include "render/emission.h"

#include <math.h>
#include <string.h>

#include "render/gl/shader.h"

enum { UNIFORM_COLOR = 0, UNIFORM_ALPHA = 1, UNIT_TEXTURE = 0 };
static const float MAX_STRENGTH = EMISSION_MAX_STRENGTH; /* as alpha 1 */

void emission_init(Emission *emission, const EmissionOptions *options, int width, int scale,
                   Arena *arena)
{
    const size_t side = 2 * (size_t)scale; /* of a half-size pixel */

    *emission = (Emission){.options = *options};
    emission->strip = arena_array(arena, uint8_t, 4 * side * side * (size_t)((width + 1) / 2));
}

/* ---- drawing ---- */

static bool build_programs(Emission *emission, const GlApi *gl, const char *shader_dir, Diag *diag)
{
    for (int texture = 0; texture < 2; texture++) {
        const ShaderDefine define = {"TEXTURE", texture};
        const ShaderSpec spec = {.vertex = "emission.vert",
                                 .fragment = "emission.frag",
                                 .defines = &define,
                                 .define_count = 1};

        emission->programs[texture] = shader_build(gl, &spec, shader_dir, diag);
        if (emission->programs[texture] == 0)
            return false;
    }
    return true;
}

static void draw_material(const Emission *emission, const GlApi *gl, const Actor *actor,
                          uint32_t number, float strength, const Samplers *samplers)
{
    const MaterialState *state = &actor->state->materials[number];
    const GLuint texture = actor->textures[number].texture;
    const MeshMaterial *mesh = &actor->mesh->materials[number];
    float color[4];

    for (int c = 0; c < 3; c++) { /* AutoLuminous: (diffuse + emissive / 2) / 2 */
        const float value = 0.5f * (state->diffuse[c] + 0.5f * state->ambient[c]);
        color[c] = fminf(fmaxf(value, 0.0f), 1.0f);
    }
    color[3] = strength / MAX_STRENGTH;
    gl->UseProgram(emission->programs[texture != 0]);
    gl->Uniform4fv(UNIFORM_COLOR, 1, color);
    gl->Uniform1f(UNIFORM_ALPHA, fminf(state->diffuse[3], 1.0f));
    if (texture != 0) {
        gl->BindTextureUnit(UNIT_TEXTURE, texture);
        gl->BindSampler(UNIT_TEXTURE, samplers->repeat);
    }
    if (actor->mesh->pmx->materials[number].flags & PMX_DOUBLE_SIDED)
        gl->Disable(GL_CULL_FACE);
    else
        gl->Enable(GL_CULL_FACE);
    gl->DrawElements(mesh->mode, (GLsizei)mesh->count, GL_UNSIGNED_INT,
                     (const void *)(mesh->first * sizeof(uint32_t)));
}

static void draw_actor(const Emission *emission, const GlApi *gl, const Actor *actor,
                       const Samplers *samplers)
{
    const PmxModel *pmx = actor->mesh->pmx;

    gl->BindVertexArray(actor->deform.vertices);
    gl->BindBufferBase(GL_UNIFORM_BUFFER, 0, actor->block);
    for (uint32_t i = 0; i < pmx->material_count; i++) {
        const float strength = emission_strength(&actor->state->materials[i],
                                                 pmx->materials[i].name, &emission->options);
        if (strength > 0.0f && actor->in_view[i])
            draw_material(emission, gl, actor, i, strength, samplers);
    }
}

bool emission_any(const Emission *emission, const Actor *actors, size_t actor_count)
{
    for (size_t a = 0; a < actor_count; a++)
        for (uint32_t i = 0; actors[a].visible && i < actors[a].mesh->pmx->material_count; i++)
            if (actors[a].in_view[i] &&
                emission_strength(&actors[a].state->materials[i],
                                  actors[a].mesh->pmx->materials[i].name, &emission->options) > 0)
                return true;
    return false;
}

/* Over the depth of the picture, without writing it; slightly towards the eye, so that rounding
 * does not hide a surface behind itself. */
static void begin(const GlApi *gl, const Target *target, const View *view)
{
    const float towards_eye = view->reversed_depth ? 1.0f : -1.0f;

    gl->BindFramebuffer(GL_FRAMEBUFFER, target->draw);
    target_draw_overlays(gl, false, false);
    gl->ClearColor(0.0f, 0.0f, 0.0f, 0.0f);
    gl->Clear(GL_COLOR_BUFFER_BIT);
    gl->Disable(GL_BLEND);
    gl->CullFace(GL_BACK);
    gl->DepthMask(GL_FALSE);
    gl->Enable(GL_POLYGON_OFFSET_FILL);
    gl->PolygonOffset(towards_eye, 4.0f * towards_eye);
}

static void end(const GlApi *gl)
{
    gl->Disable(GL_POLYGON_OFFSET_FILL);
    gl->DepthMask(GL_TRUE);
    target_draw_overlays(gl, true, true);
}

/* ---- reading ---- */

static void add_sample(float out[3], const uint8_t *sample, float weight)
{
    const float part = weight * MAX_STRENGTH * (float)sample[3] / (255.0f * 255.0f);

    for (int c = 0; c < 3; c++)
        out[c] += part * (float)sample[c];
}

/* Adds two rows of the image, which are in the strip, to a row of half-size pixels. */
static void add_rows(float (*row)[3], const Emission *emission, TargetRect part, int scale,
                     float weight)
{
    const int width = (part.right - part.left) * scale, rows = (part.bottom - part.top) * scale;
    const uint8_t *sample = emission->strip;
    static const uint8_t nothing[4] = {0};

    for (int y = 0; y < rows; y++)
        for (int x = 0; x < width; x++, sample += 4)
            if (memcmp(sample, nothing, 4) != 0)
                add_sample(row[(part.left + x / scale) / 2], sample, weight);
}

static void read_light(float (*out)[3], float weight, const Emission *emission, const GlApi *gl,
                       const Target *target, TargetRect drawn)
{
    const int scale = target->spec.scale, half_width = (target->spec.width + 1) / 2;
    const float each = weight / (float)(4 * scale * scale);

    for (int y = drawn.top & ~1; y < drawn.bottom; y += 2) {
        TargetRect part = {drawn.left, y, drawn.right, y + 2};
        part.top = part.top > drawn.top ? part.top : drawn.top;
        part.bottom = part.bottom < drawn.bottom ? part.bottom : drawn.bottom;
        target_read_surface(emission->strip, target, gl, part);
        add_rows(out + (size_t)(y / 2) * (size_t)half_width, emission, part, scale, each);
    }
}

bool emission_draw(float (*out)[3], float weight, Emission *emission, const GlApi *gl,
                   const Target *target, const Actor *actors, size_t actor_count, const View *view,
                   const Samplers *samplers, TargetRect drawn, const char *shader_dir, Diag *diag)
{
    if (drawn.left >= drawn.right)
        return true;
    if (emission->programs[0] == 0 && !build_programs(emission, gl, shader_dir, diag))
        return false;
    begin(gl, target, view);
    for (size_t i = 0; i < actor_count; i++)
        if (actors[i].visible)
            draw_actor(emission, gl, &actors[i], samplers);
    end(gl);
    target_resolve(target, gl, drawn);
    read_light(out, weight, emission, gl, target, drawn);
    return true;
}
