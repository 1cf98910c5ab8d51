#include "effect/effect.h"

#include <string.h>

#include "base/parser_entry.h"
#include "effect/shader.h"

/* Dimensions of samplers are known when all functions were read. */
static void finish_parameters(Parser *parser)
{
    for (size_t i = 0; i < parser->variables.count; i++) {
        const Variable *variable = parser->variables.items[i];
        if (variable->kind == VARIABLE_PARAMETER)
            parser->parameters.items[variable->index].type = parser_public_type(variable->type);
    }
}

static bool print_passes(Parser *parser)
{
    size_t size = 0, pass = 0;
    unsigned stamp = 0;
    for (size_t t = 0; t < parser->techniques.count; t++) {
        EffectTechnique *technique = &parser->techniques.items[t];
        EffectPass *passes = arena_array(parser->arena, EffectPass, technique->pass_count);
        for (size_t i = 0; i < technique->pass_count; i++) {
            PassShaders shaders;
            if (!shaders_print(&shaders, parser, &parser->passes.items[pass++], &size, &stamp))
                return false;
            passes[i] = technique->passes[i];
            passes[i].vertex = shaders.vertex;
            passes[i].fragment = shaders.fragment;
        }
        technique->passes = passes;
    }
    return true;
}

bool effect_load(Effect **out, const EffectSource *source, Arena *arena, Diag *diag)
{
    Preprocessed *text = arena_alloc(arena, sizeof *text);
    Parser *parser = arena_alloc(arena, sizeof *parser);
    parser_enter("effect");
    diag_file(diag, source->name);
    if (!preprocess(text, source, names_create(arena), arena, diag))
        return false;
    *parser = (Parser){.token = text->tokens.items, .text = text, .arena = arena, .diag = diag};
    if (!parse_effect(parser))
        return false;
    finish_parameters(parser);
    if (!print_passes(parser))
        return false;

    Effect *effect = arena_alloc(arena, sizeof *effect);
    *effect = (Effect){.name = source->name,
                       .parameters = parser->parameters.items,
                       .parameter_count = parser->parameters.count,
                       .techniques = parser->techniques.items,
                       .technique_count = parser->techniques.count,
                       .files = text->names.items,
                       .file_count = text->names.count,
                       .notes = parser->notes.items,
                       .note_count = parser->notes.count};
    *out = effect;
    return true;
}

int effect_find_parameter(const Effect *effect, const char *name)
{
    return text_find(TEXT_NAMES(EffectParameter, name, effect->parameters, effect->parameter_count),
                     name);
}

const EffectAnnotation *effect_find_annotation(const EffectAnnotation *annotations, size_t count,
                                               const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (text_equal_ignoring_case(annotations[i].name, name))
            return &annotations[i];
    return NULL;
}

size_t effect_type_size(EffectType type)
{
    const size_t count = (size_t)type.rows * type.columns;
    return type.elements ? count * type.elements : count;
}
