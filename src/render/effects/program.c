// SPDX-License-Identifier: MIT
#include "render/effects/program.h"

#include <math.h>
#include <string.h>

#include "effect/number.h"
#include "render/gl/shader.h"

/* ---- programs ---- */

static bool report(const EffectPass *pass, const EffectShader *shader, const char *log, Diag *diag)
{
    return diag_fail(diag, DIAG_DATA, "the pass '%s' is refused by OpenGL: %s: %s", pass->name,
                     shader->entry, log);
}

/* Returns 0 after an error was reported. */
static GLuint compile(const GlApi *gl, GLenum stage, const EffectPass *pass,
                      const EffectShader *shader, const char *define, Diag *diag)
{
    const char *const texts[] = {"#version 330\n", define, shader->text};
    char log[SHADER_LOG_SIZE];
    const GLuint name = shader_compile(log, gl, stage, texts, 3);
    if (name == 0)
        report(pass, shader, log, diag);
    return name;
}

static GLuint link_pass(const GlApi *gl, const EffectPass *pass, GLuint vertex, GLuint fragment,
                        Diag *diag)
{
    char log[SHADER_LOG_SIZE];
    const GLuint program = shader_link(log, gl, vertex, fragment, NULL, 0);
    if (program == 0)
        report(pass, pass->fragment, log, diag);
    return program;
}

/* Adds the uniforms and samplers of a shader that the program uses; one that both shaders declare
 * is added once. */
static void add_uniforms(FxProgram *out, const EffectShader *shader, const GlApi *gl)
{
    for (size_t i = 0; i < shader->uniform_count; i++) {
        const GLint location = gl->GetUniformLocation(out->name, shader->uniforms[i].name);
        bool known = location < 0;

        for (size_t k = 0; k < out->uniform_count; k++)
            known |= out->uniforms[k].location == location;
        if (!known)
            out->uniforms[out->uniform_count++] =
                (FxUniform){location, shader->uniforms[i].parameter};
    }
    for (size_t i = 0; i < shader->sampler_count; i++) {
        const EffectUniform *sampler = &shader->samplers[i];
        const GLint location = gl->GetUniformLocation(out->name, sampler->name);
        size_t unit = 0;

        if (location < 0)
            continue;
        while (unit < out->sampler_count && (out->samplers[unit].parameter != sampler->parameter ||
                                             out->samplers[unit].dimension != sampler->dimension))
            unit++;
        gl->Uniform1i(location, (GLint)unit);
        if (unit == out->sampler_count)
            out->samplers[out->sampler_count++] =
                (FxSamplerSlot){sampler->parameter, sampler->dimension};
    }
}

/* Whether a text discards pixels, other than those of the alpha test. */
static bool may_discard(const char *text)
{
    static const char TEST[] = "odori_alpha_ref)) ";
    const size_t length = sizeof TEST - 1;

    for (const char *at = text; (at = strstr(at, "discard")) != NULL; at++)
        if ((size_t)(at - text) < length || memcmp(at - length, TEST, length) != 0)
            return true;
    return false;
}

bool fx_program_build(FxProgram *out, const EffectPass *pass, const char *alpha_test,
                      const GlApi *gl, Arena *arena, Diag *diag)
{
    const EffectShader *shaders[2] = {pass->vertex, pass->fragment};
    const char *define =
        alpha_test != NULL ? arena_printf(arena, "#define ODORI_ALPHA_FUNC %s\n", alpha_test) : "";
    const GLuint vertex = compile(gl, GL_VERTEX_SHADER, pass, pass->vertex, define, diag);
    const GLuint fragment =
        vertex != 0 ? compile(gl, GL_FRAGMENT_SHADER, pass, pass->fragment, define, diag) : 0;

    *out = (FxProgram){0};
    if (fragment != 0)
        out->name = link_pass(gl, pass, vertex, fragment, diag);
    gl->DeleteShader(vertex);
    gl->DeleteShader(fragment);
    if (out->name == 0)
        return false;
    gl->UseProgram(out->name);
    out->viewport = gl->GetUniformLocation(out->name, "odori_viewport");
    out->fragment = gl->GetUniformLocation(out->name, "odori_fragment");
    out->alpha_reference = gl->GetUniformLocation(out->name, "odori_alpha_ref");
    out->uniforms =
        arena_array(arena, FxUniform, shaders[0]->uniform_count + shaders[1]->uniform_count);
    out->samplers =
        arena_array(arena, FxSamplerSlot, shaders[0]->sampler_count + shaders[1]->sampler_count);
    for (int i = 0; i < 2; i++)
        add_uniforms(out, shaders[i], gl);
    out->discards = alpha_test != NULL || may_discard(pass->fragment->text);
    return true;
}

/* ---- uniforms ---- */

static void set_integers(const GlApi *gl, GLint location, const EffectType *type, GLsizei count,
                         const float *values)
{
    enum { MAX = 1024 };
    GLint integers[MAX];
    const size_t size = effect_type_size(*type);

    if (size > MAX)
        return;
    for (size_t i = 0; i < size; i++)
        integers[i] =
            type->base == EFFECT_BOOL ? values[i] != 0.0f : (GLint)number_bits((double)values[i]);
    switch (type->columns) {
    case 1:
        gl->Uniform1iv(location, count, integers);
        break;
    case 2:
        gl->Uniform2iv(location, count, integers);
        break;
    case 3:
        gl->Uniform3iv(location, count, integers);
        break;
    default:
        gl->Uniform4iv(location, count, integers);
        break;
    }
}

void fx_uniform_set(const GlApi *gl, GLint location, const EffectType *type, const float *values)
{
    const GLsizei count = type->elements > 0 ? type->elements : 1;

    if (type->base != EFFECT_FLOAT && type->rows == 1) {
        set_integers(gl, location, type, count, values);
        return;
    }
    switch (type->rows * 4 + type->columns - 5) { /* rows and columns from 1 */
    case 0:
        gl->Uniform1fv(location, count, values);
        break;
    case 1:
        gl->Uniform2fv(location, count, values);
        break;
    case 2:
        gl->Uniform3fv(location, count, values);
        break;
    case 3:
        gl->Uniform4fv(location, count, values);
        break;
    case 5:
        gl->UniformMatrix2fv(location, count, GL_FALSE, values);
        break;
    case 6:
        gl->UniformMatrix2x3fv(location, count, GL_FALSE, values);
        break;
    case 7:
        gl->UniformMatrix2x4fv(location, count, GL_FALSE, values);
        break;
    case 9:
        gl->UniformMatrix3x2fv(location, count, GL_FALSE, values);
        break;
    case 10:
        gl->UniformMatrix3fv(location, count, GL_FALSE, values);
        break;
    case 11:
        gl->UniformMatrix3x4fv(location, count, GL_FALSE, values);
        break;
    case 13:
        gl->UniformMatrix4x2fv(location, count, GL_FALSE, values);
        break;
    case 14:
        gl->UniformMatrix4x3fv(location, count, GL_FALSE, values);
        break;
    case 15:
        gl->UniformMatrix4fv(location, count, GL_FALSE, values);
        break;
    default: /* float2x1 and the like are vectors to Direct3D, and no matrices of GLSL */
        break;
    }
}

/* ---- samplers ---- */

static GLint address_of(EffectAddress address)
{
    switch (address) {
    case EFFECT_MIRROR:
        return GL_MIRRORED_REPEAT;
    case EFFECT_CLAMP:
        return GL_CLAMP_TO_EDGE;
    case EFFECT_BORDER:
        return GL_CLAMP_TO_BORDER;
    case EFFECT_MIRROR_ONCE:
        return GL_MIRROR_CLAMP_TO_EDGE;
    default:
        return GL_REPEAT;
    }
}

static GLint minify_of(const EffectSampler *s)
{
    const bool linear = s->min_filter >= EFFECT_LINEAR;

    if (s->mip_filter == EFFECT_FILTER_NONE)
        return linear ? GL_LINEAR : GL_NEAREST;
    if (s->mip_filter == EFFECT_POINT)
        return linear ? GL_LINEAR_MIPMAP_NEAREST : GL_NEAREST_MIPMAP_NEAREST;
    return linear ? GL_LINEAR_MIPMAP_LINEAR : GL_NEAREST_MIPMAP_LINEAR;
}

GLuint fx_sampler_create(const GlApi *gl, const EffectSampler *s, int anisotropy)
{
    const GLuint name = gl_sampler(gl, address_of(s->address_u), minify_of(s),
                                   s->mag_filter >= EFFECT_LINEAR ? GL_LINEAR : GL_NEAREST);
    const bool anisotropic =
        s->min_filter == EFFECT_ANISOTROPIC || s->mag_filter == EFFECT_ANISOTROPIC;

    gl->SamplerParameteri(name, GL_TEXTURE_WRAP_T, address_of(s->address_v));
    gl->SamplerParameteri(name, GL_TEXTURE_WRAP_R, address_of(s->address_w));
    gl->SamplerParameterfv(name, GL_TEXTURE_BORDER_COLOR, s->border_color);
    gl->SamplerParameterf(name, GL_TEXTURE_LOD_BIAS, s->lod_bias);
    gl->SamplerParameterf(name, GL_TEXTURE_MIN_LOD, (float)s->max_mip_level);
    if (anisotropic && s->max_anisotropy > 1 && anisotropy > 1)
        gl->SamplerParameterf(name, GL_TEXTURE_MAX_ANISOTROPY,
                              fminf((float)s->max_anisotropy, (float)anisotropy));
    return name;
}
