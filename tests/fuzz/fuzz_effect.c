// SPDX-License-Identifier: MIT
/*
 * Arbitrary text as an effect: an error message, or an effect whose parts name each other
 * correctly.  What is preprocessed, parsed and printed has caps of its own (effect.h), so the
 * memory does not follow the size of the text.
 */
#include <string.h>

#include "base/text.h"
#include "effect/effect.h"
#include "fuzz.h"

/* The text includes itself, and a second file. */
static bool read_file(void *user, EffectText *text, const char *path)
{
    static const char other[] = "#define OTHER(a) a##1\nfloat other = 1;\n";
    const bool is_self = strstr(path, "self") != NULL;
    if (!is_self && !strstr(path, "other"))
        return false;
    *text = is_self ? *(const EffectText *)user : (EffectText){other, sizeof other - 1};
    return true;
}

static void check_annotations(const EffectAnnotation *annotations, size_t count)
{
    for (size_t i = 0; i < count; i++)
        fuzz_require((annotations[i].type.base == EFFECT_STRING) == (annotations[i].text != NULL) &&
                     (annotations[i].values != NULL) ==
                         (effect_type_size(annotations[i].type) > 0));
}

static void check_uniforms(const Effect *effect, const EffectShader *shader,
                           const EffectUniform *uniforms, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        fuzz_require(uniforms[i].parameter >= 0 &&
                     (size_t)uniforms[i].parameter < effect->parameter_count);
        const EffectParameter *parameter = &effect->parameters[uniforms[i].parameter];
        fuzz_require(!parameter->literal && strstr(shader->text, uniforms[i].name));
        fuzz_require((parameter->sampler != NULL) == (uniforms[i].dimension != 0));
    }
}

static void check_shader(const Effect *effect, const EffectShader *shader)
{
    if (!shader)
        return;
    check_uniforms(effect, shader, shader->uniforms, shader->uniform_count);
    check_uniforms(effect, shader, shader->samplers, shader->sampler_count);
    fuzz_require(shader->sampler_count <= EFFECT_MAX_SAMPLERS && strstr(shader->text, "main()"));
    fuzz_require(text_is_utf8(shader->text, strlen(shader->text)));
}

static void check(const Effect *effect)
{
    for (size_t i = 0; i < effect->parameter_count; i++) {
        const EffectParameter *parameter = &effect->parameters[i];
        const EffectSampler *sampler = parameter->sampler;
        check_annotations(parameter->annotations, parameter->annotation_count);
        fuzz_require(!sampler || (sampler->texture < (int)effect->parameter_count &&
                                  sampler->address_u >= EFFECT_WRAP &&
                                  sampler->address_u <= EFFECT_MIRROR_ONCE));
        fuzz_require(effect_find_parameter(effect, parameter->name) == (int)i);
    }
    for (size_t i = 0; i < effect->technique_count; i++) {
        const EffectTechnique *technique = &effect->techniques[i];
        check_annotations(technique->annotations, technique->annotation_count);
        for (size_t k = 0; k < technique->pass_count; k++) {
            const EffectPass *pass = &technique->passes[k];
            check_annotations(pass->annotations, pass->annotation_count);
            check_shader(effect, pass->vertex);
            check_shader(effect, pass->fragment);
            for (size_t s = 0; s < pass->state_count; s++)
                fuzz_require(pass->states[s].parameter < (int)effect->parameter_count);
        }
    }
}

static bool load(Bytes bytes, Arena *arena, Diag *diag)
{
    EffectText text = {bytes.data, bytes.size};
    const EffectSource source = {.name = "a.fx", .text = text, .read = read_file, .user = &text};
    Effect *effect;
    if (!effect_load(&effect, &source, arena, diag))
        return false;
    check(effect);
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_loader(load, data, size, (size_t)512 << 20);
}
