// SPDX-License-Identifier: MIT
#include "effect/effect.h"

#include <string.h>

#include "base/parser_entry.h"
#include "effect/shader.h"

/* Whether a pass has a pixel shader alone. */
static bool lacks_vertex_shader(const PassSource *pass)
{
    return pass->fragment && pass->fragment->function && (!pass->vertex || !pass->vertex->function);
}

/*
 * Direct3D draws a pass without a vertex shader with the one that is set, which is MMD's: this one
 * gives the semantics that full.fx, which does the same as MMD, gives to its pixel shaders.
 */
static const char STANDARD_VERTEX[] =
    "float4x4 standard_clip : WORLDVIEWPROJECTION;\n"
    "float4x4 standard_world : WORLD;\n"
    "float3 standard_eye : POSITION < string Object = \"Camera\"; >;\n"
    "float4 standard_vertex(float4 p : POSITION, float3 n : NORMAL, float2 t : TEXCOORD0,\n"
    "    out float2 a : TEXCOORD0, out float2 b : TEXCOORD1, out float3 normal : TEXCOORD2,\n"
    "    out float3 eye : TEXCOORD3) : POSITION\n"
    "{\n"
    "    a = b = t;\n"
    "    normal = normalize(mul(n, (float3x3)standard_world));\n"
    "    eye = standard_eye - mul(p, standard_world).xyz;\n"
    "    return mul(p, standard_clip);\n"
    "}\n";

static void add_vertex_shaders(Parser *parser, Preprocessed *text, Names *names)
{
    const PassSource *lacking = NULL;
    for (size_t i = 0; i < parser->passes.count && !lacking; i++)
        if (lacks_vertex_shader(&parser->passes.items[i]))
            lacking = &parser->passes.items[i];
    if (!lacking)
        return;
    const size_t functions = parser->functions.count;
    Lexer lexer;
    Token token;
    const size_t first = text->tokens.count;
    lexer_init(&lexer, STANDARD_VERTEX, sizeof STANDARD_VERTEX - 1, 0, names, parser->arena);
    do {
        token = lexer_next(&lexer, false);
        *arena_push(parser->arena, &text->tokens) = token;
    } while (token.kind != TOKEN_END);
    parser->token = text->tokens.items + first;
    if (!parse_effect(parser))
        return;
    if (parser->functions.count == functions) {
        parser_fail(parser, lacking->place,
                    "'standard_vertex', the vertex shader of this pass, is declared");
        return;
    }
    Function *function = parser->functions.items[functions];
    for (size_t i = 0; i < parser->passes.count; i++) {
        PassSource *pass = &parser->passes.items[i];
        if (!lacks_vertex_shader(pass))
            continue;
        pass->vertex = arena_alloc(parser->arena, sizeof *pass->vertex);
        *pass->vertex =
            (Compilation){.function = function,
                          .model = pass->fragment->model,
                          .values = arena_array(parser->arena, Node *, function->argument_count),
                          .place = pass->place};
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
    Names *names = names_create(arena);
    parser_enter("effect");
    diag_file(diag, source->name);
    if (!preprocess(text, source, names, arena, diag))
        return false;
    *parser = (Parser){.token = text->tokens.items, .text = text, .arena = arena, .diag = diag};
    if (!parse_effect(parser))
        return false;
    add_vertex_shaders(parser, text, names);
    /* Dimensions of samplers are known when all functions were read. */
    for (size_t i = 0; i < parser->variables.count; i++) {
        const Variable *variable = parser->variables.items[i];
        if (variable->kind == VARIABLE_PARAMETER)
            parser->parameters.items[variable->index].type = parser_public_type(variable->type);
    }
    if (parser->failed || !print_passes(parser))
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
