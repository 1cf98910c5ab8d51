// SPDX-License-Identifier: MIT
#include "hlsl_rewrite.h"

#include <stdio.h>
#include <string.h>

#include "base/text_stream.h"
#include "effect/print.h"

static const char PRELUDE[] =
    "float4 oracle_texel(int s, float3 c, float lod) { return 0.5 + 0.5 * sin(float4("
    "c.x * 3.1 + s, c.y * 2.7 + c.z, (c.x + c.y) * 1.9 + s * 0.7, c.x * c.y + lod)); }\n"
    "float4 oracle_tex1D(int s, float c) { return oracle_texel(s, c, 0); }\n"
    "float4 oracle_tex2D(int s, float2 c) { return oracle_texel(s, float3(c, 0), 0); }\n"
    "float4 oracle_tex3D(int s, float3 c) { return oracle_texel(s, c, 0); }\n"
    "float4 oracle_texCUBE(int s, float3 c) { return oracle_texel(s, c, 0); }\n"
    "float4 oracle_tex2Dlod(int s, float4 c) { return oracle_texel(s, float3(c.xy, 0), c.w); }\n"
    "float4 oracle_tex2Dbias(int s, float4 c) { return oracle_texel(s, float3(c.xy, 0), c.w); }\n"
    "float4 oracle_tex2Dproj(int s, float4 c) { return oracle_texel(s, float3(c.xy / c.w, 0), 0); "
    "}\n"
    "float4 oracle_texCUBElod(int s, float4 c) { return oracle_texel(s, c.xyz, c.w); }\n";

typedef struct Rewriter {
    Parser *parser;
    FILE *out;
    const Token *at;
    int samplers;
    unsigned values;
    unsigned stamp; /* of what the entry reaches */
} Rewriter;

static bool begins(const Token *token, const char *text)
{
    return token->kind == TOKEN_NAME && !strncmp(token->text, text, strlen(text));
}

static bool is_left_out(const Token *token)
{
    static const char *const WORDS[] = {"uniform", "shared", "volatile", "inline", "extern"};
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++)
        if (token_is(token, WORDS[i]))
            return true;
    return false;
}

static void put(Rewriter *r, const Token *token)
{
    if (is_left_out(token))
        return;
    if (begins(token, "half"))
        fprintf(r->out, "float%s ", token->text + 4);
    else if (begins(token, "sampler"))
        fputs("int ", r->out);
    else if (begins(token, "tex1D") || begins(token, "tex2D") || begins(token, "tex3D") ||
             begins(token, "texCUBE"))
        fprintf(r->out, "oracle_%s ", token->text);
    else
        fprintf(r->out, "%s%s", token->text,
                token_is(token, ";") || token_is(token, "{") ? "\n" : " ");
}

/* Passes a bracket with its contents. */
static void skip_block(Rewriter *r, const char *open, const char *close)
{
    int depth = 0;
    do {
        depth += token_is(r->at, open) - token_is(r->at, close);
        r->at++;
    } while (depth > 0 && r->at->kind != TOKEN_END);
}

static void skip_semantic(Rewriter *r)
{
    while (token_is(r->at, ":")) {
        r->at += 2;
        if (token_is(r->at, "("))
            skip_block(r, "(", ")");
    }
}

/* Whether the entry calls the function whose name is at the token: glslang crashes on long texts.
 */
static bool is_reached(const Rewriter *r, const Token *name)
{
    for (size_t i = 0; i < r->parser->functions.count; i++) {
        const Function *function = r->parser->functions.items[i];
        if (!memcmp(&function->place, &name->place, sizeof name->place))
            return function->stamp == r->stamp;
    }
    return true;
}

/* From "(" to the end of the body, or ";". */
static void put_function(Rewriter *r)
{
    int depth = 0;
    do {
        depth += token_is(r->at, "(") - token_is(r->at, ")");
        if (token_is(r->at, ":"))
            skip_semantic(r);
        else
            put(r, r->at++);
    } while (depth > 0 || token_is(r->at, ")"));
    skip_semantic(r);
    do {
        depth += token_is(r->at, "{") - token_is(r->at, "}");
        if (token_is(r->at, "static")) /* glslang crashes on local ones */
            r->at++;
        else
            put(r, r->at++);
    } while (depth > 0);
}

static double next_value(Rewriter *r)
{
    r->values = (r->values * 37 + 11) % 97;
    return 0.15 + 0.0075 * r->values;
}

/* A value of a numeric type, without elements; input: of a shader, which depends on the pixel. */
static void put_value(Rewriter *r, Type type, bool input)
{
    const unsigned count = type_components(type);
    fprintf(r->out, "%s(", type_name(type, r->parser->arena));
    for (unsigned i = 0; i < count; i++) {
        const double value = next_value(r);
        fprintf(r->out, "%s", i ? ", " : "");
        if (type.base == EFFECT_BOOL)
            fputs("true", r->out);
        else if (type.base == EFFECT_INT)
            fprintf(r->out, "%d", (int)(value * 4));
        else
            fprintf(r->out, input ? "%.4f + c.x * %.4f" : "%.4f", value, value * 0.01);
    }
    fputs(")", r->out);
}

static void put_values(Rewriter *r, Type type)
{
    fputs(type.elements ? "{" : "", r->out);
    for (uint32_t i = 0; i < (type.elements ? type.elements : 1); i++) {
        fputs(i ? ", " : "", r->out);
        put_value(r, type.elements ? type_element(type) : type, false);
    }
    fputs(type.elements ? "}" : "", r->out);
}

/* One variable, from its name to "," or ";". */
static void put_variable(Rewriter *r, const char *type)
{
    const char *name = (r->at++)->text;
    const Symbol *symbol = symbols_find(r->parser, SYMBOL_VARIABLE, name);
    const Type t = symbol ? symbol->variable->type : TYPE_FLOAT;
    const bool is_object = t.base == EFFECT_TEXTURE || t.base == EFFECT_STRING ||
                           (symbol && symbol->variable->stamp != r->stamp);
    if (t.base == EFFECT_SAMPLER && !is_object)
        fprintf(r->out, "static const int %s = %d;\n", name, r->samplers++ % 7);
    else if (!is_object)
        fprintf(r->out, "static %s %s ", type, name);
    while (token_is(r->at, "["))
        while (!token_is(r->at++, "]")) /* the elements are those of the type */
            continue;
    if (t.elements && !is_object && t.inner)
        fprintf(r->out, "[%u][%u]", t.elements / t.inner, t.inner);
    else if (t.elements && !is_object)
        fprintf(r->out, "[%u]", t.elements);
    skip_semantic(r);
    if (token_is(r->at, "<"))
        while (!token_is(r->at++, ">"))
            continue;
    const bool has_value = token_is(r->at, "=");
    int depth = 0;
    while (depth > 0 || (!token_is(r->at, ",") && !token_is(r->at, ";"))) {
        depth += (token_is(r->at, "(") || token_is(r->at, "{")) -
                 (token_is(r->at, ")") || token_is(r->at, "}"));
        if (t.base != EFFECT_SAMPLER && !is_object)
            put(r, r->at);
        r->at++;
    }
    if (t.base == EFFECT_SAMPLER || is_object)
        return;
    if (!has_value) {
        fputs("= ", r->out);
        put_values(r, t);
    }
    fputs(";\n", r->out);
}

static void put_declaration(Rewriter *r)
{
    bool is_const = false;
    while (is_left_out(r->at) || token_is(r->at, "static") || token_is(r->at, "const")) {
        is_const |= token_is(r->at, "const");
        r->at++;
    }
    const Token *type = r->at++;
    char name[64];
    snprintf(name, sizeof name, "%s%s%s", is_const ? "const " : "",
             begins(type, "half") ? "float" : type->text,
             begins(type, "half") ? type->text + 4 : "");
    if (r->at->kind == TOKEN_NAME && token_is(&r->at[1], "(") && !is_reached(r, r->at)) {
        while (!token_is(r->at, "{") && !token_is(r->at, ";"))
            r->at++;
        skip_block(r, "{", "}");
        return;
    }
    if (r->at->kind == TOKEN_NAME && token_is(&r->at[1], "(")) {
        put(r, type);
        put(r, r->at++);
        put_function(r);
        return;
    }
    for (;;) {
        put_variable(r, name);
        if (!token_is(r->at++, ","))
            return;
    }
}

static void put_globals(Rewriter *r)
{
    while (r->at->kind != TOKEN_END) {
        if (token_is(r->at, ";")) {
            r->at++;
        } else if (r->at->kind == TOKEN_NAME &&
                   text_equal_ignoring_case(r->at->text, "technique")) {
            while (!token_is(r->at, "{"))
                r->at++;
            skip_block(r, "{", "}");
        } else if (token_is(r->at, "struct")) {
            while (!token_is(r->at, ";") || !token_is(r->at - 1, "}")) {
                if (token_is(r->at, ":"))
                    skip_semantic(r);
                else
                    put(r, r->at++);
            }
            put(r, r->at++);
        } else {
            put_declaration(r);
        }
    }
}

/* ---- the function that calls an entry ---- */

static void put_inputs(Rewriter *r, Type type, const char *name)
{
    if (type.elements || type.base != EFFECT_STRUCT) {
        for (uint32_t i = 0; i < (type.elements ? type.elements : 1); i++) {
            fprintf(r->out, type.elements ? "%s[%u] = " : "%s = ", name, i);
            put_value(r, type.elements ? type_element(type) : type, true);
            fputs(";\n", r->out);
        }
        return;
    }
    for (size_t i = 0; i < type.structure->member_count; i++)
        put_inputs(r, type.structure->members[i].type,
                   arena_printf(r->parser->arena, "%s.%s", name, type.structure->members[i].name));
}

static void put_outputs(Rewriter *r, Type type, const char *name)
{
    static const char *const FORMS[] = {"", "float4(%s, 0, 0, 0)", "float4(%s, 0, 0)",
                                        "float4(%s, 0)", "%s"};
    if (type.base == EFFECT_STRUCT && !type.elements) {
        for (size_t i = 0; i < type.structure->member_count; i++)
            put_outputs(
                r, type.structure->members[i].type,
                arena_printf(r->parser->arena, "%s.%s", name, type.structure->members[i].name));
    } else if (!type.elements && type.rows == 1) {
        char form[64];
        snprintf(form, sizeof form, "o += %s * %.2f;\n", FORMS[type.columns], 0.5 + next_value(r));
        /* FORMS holds the only %s */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        fprintf(r->out, form, name);
#pragma GCC diagnostic pop
    }
}

static void put_caller(Rewriter *r, const Compilation *compilation)
{
    const Function *function = compilation->function;
    Arena *arena = r->parser->arena;
    fputs("float4 oracle(float4 c : TEXCOORD0) : SV_TARGET0\n{\nfloat4 o = 0;\n", r->out);
    for (size_t i = 0; i < function->argument_count; i++) {
        const Type type = function->arguments[i]->type;
        const char *name = arena_printf(arena, "argument%zu", i);
        if (type.base == EFFECT_SAMPLER) {
            fprintf(r->out, "int %s = 2;\n", name);
            continue;
        }
        const Type single = type.elements ? type_element(type) : type;
        fprintf(r->out, "%s %s%s;\n", type_name(single, arena), name,
                type.elements ? arena_printf(arena, "[%u]", type.elements) : "");
        put_inputs(r, type, name);
    }
    const bool is_void = function->type.base == EFFECT_VOID;
    fprintf(r->out, is_void ? "%s%s(" : "%s result = %s(",
            is_void ? "" : type_name(function->type, arena), function->name);
    for (size_t i = 0; i < function->argument_count; i++)
        fprintf(r->out, "%sargument%zu", i ? ", " : "", i);
    fputs(");\n", r->out);
    if (!is_void)
        put_outputs(r, function->type, "result");
    for (size_t i = 0; i < function->argument_count; i++)
        if (function->arguments[i]->is_out)
            put_outputs(r, function->arguments[i]->type, arena_printf(arena, "argument%zu", i));
    fputs("return o;\n}\n", r->out);
}

static const char *rewrite(Parser *parser, const Compilation *compilation, unsigned stamp)
{
    TextStream stream;
    Printer printer = {.parser = parser, .stamp = stamp};
    Rewriter r = {.parser = parser, .at = parser->text->tokens.items, .values = 5, .stamp = stamp};
    print_reach_function(&printer, compilation->function);
    r.out = text_stream_open(&stream, parser->arena);
    fputs(PRELUDE, r.out);
    put_globals(&r);
    put_caller(&r, compilation);
    return text_stream_close(&stream);
}

bool hlsl_rewrite(HlslEntries *out, const EffectSource *source, Arena *arena, Diag *diag)
{
    Preprocessed *text = arena_alloc(arena, sizeof *text);
    Parser *parser = arena_alloc(arena, sizeof *parser);
    if (!preprocess(text, source, names_create(arena), arena, diag))
        return false;
    *parser = (Parser){.token = text->tokens.items, .text = text, .arena = arena, .diag = diag};
    if (!parse_effect(parser))
        return false;
    ARENA_LIST(const Function *) known = {0};
    for (size_t i = 0; i < 2 * parser->passes.count; i++) {
        const PassSource *pass = &parser->passes.items[i / 2];
        const Compilation *compilation = i % 2 ? pass->fragment : pass->vertex;
        bool is_new = compilation && compilation->function;
        for (size_t k = 0; is_new && k < known.count; k++)
            is_new = known.items[k] != compilation->function;
        if (!is_new)
            continue;
        *arena_push(arena, &known) = compilation->function;
        *arena_push(arena, out) = (HlslEntry){compilation->function->name,
                                              rewrite(parser, compilation, (unsigned)known.count)};
    }
    return true;
}
