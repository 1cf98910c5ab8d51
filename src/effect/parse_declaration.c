// SPDX-License-Identifier: MIT
#include <string.h>

#include "effect/fold.h"
#include "effect/parser.h"

typedef struct Qualifiers {
    bool is_static, is_const, is_shared, is_uniform, is_in, is_out;
} Qualifiers;

/* Words before a type; those that change no value are passed. */
static Qualifiers parse_qualifiers(Parser *parser)
{
    static const char *const WORDS[] = {"extern",          "volatile",     "inline",
                                        "row_major",       "precise",      "linear",
                                        "nointerpolation", "column_major", "centroid"};
    Qualifiers q = {0};
    for (bool found = true; found;) {
        found = false;
        for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++)
            found |= parser_accept(parser, WORDS[i]);
        const bool in_out = parser_accept(parser, "inout");
        q.is_static |= parser_at(parser, "static");
        q.is_const |= parser_at(parser, "const");
        q.is_shared |= parser_at(parser, "shared");
        q.is_uniform |= parser_at(parser, "uniform");
        q.is_in |= in_out || parser_at(parser, "in");
        q.is_out |= in_out || parser_at(parser, "out");
        found |= in_out || parser_accept(parser, "static") || parser_accept(parser, "const") ||
                 parser_accept(parser, "shared") || parser_accept(parser, "uniform") ||
                 parser_accept(parser, "in") || parser_accept(parser, "out");
    }
    return q;
}

/* ---- functions ---- */

static Variable *parse_argument(Parser *parser)
{
    Variable *variable = arena_alloc(parser->arena, sizeof *variable);
    const Qualifiers q = parse_qualifiers(parser);
    int sampler_register = -1;
    *variable = (Variable){.kind = VARIABLE_ARGUMENT,
                           .is_const = q.is_const,
                           .is_uniform = q.is_uniform,
                           .is_in = q.is_in || !q.is_out,
                           .is_out = q.is_out};
    variable->type = parse_type(parser);
    variable->place = parser->token->place;
    variable->name = parser_name(parser, "the name of a parameter");
    parse_array(parser, &variable->type, NULL);
    variable->semantic = parse_semantic(parser, &sampler_register);
    if (!parser->failed && variable->type.base != EFFECT_SAMPLER && !type_size(variable->type))
        parser_fail(parser, variable->place, "parameter '%s' has type %s", variable->name,
                    type_name(variable->type, parser->arena));
    if (variable->type.base == EFFECT_SAMPLER && variable->is_out)
        parser_fail(parser, variable->place, "sampler '%s' cannot be an output", variable->name);
    if (parser_accept(parser, "="))
        variable->value = parse_initializer(parser, &variable->type, false);
    return variable;
}

static void parse_arguments(Parser *parser, Function *function)
{
    ARENA_LIST(Variable *) arguments = {0};
    parser_expect(parser, "(");
    if (parser_at(parser, "void") && token_is(&parser->token[1], ")"))
        parser->token++;
    while (!parser_at(parser, ")") && !parser_at_end(parser)) {
        Variable *variable = parse_argument(parser);
        *arena_push(parser->arena, &arguments) = variable;
        if (arguments.count > 64)
            parser_fail(parser, variable->place, "more than 64 parameters");
        variable->index = function->local_count++;
        if (!variable->value && function->required_count < arguments.count - 1)
            parser_fail(parser, variable->place, "parameter '%s' has no default", variable->name);
        function->required_count += !variable->value;
        if (!parser_accept(parser, ","))
            break;
    }
    parser_expect(parser, ")");
    function->arguments = arguments.items;
    function->argument_count = arguments.count;
}

static bool has_same_arguments(const Function *a, const Function *b)
{
    if (a->argument_count != b->argument_count)
        return false;
    for (size_t i = 0; i < a->argument_count; i++)
        if (!type_equal(a->arguments[i]->type, b->arguments[i]->type))
            return false;
    return true;
}

/* The function of the same name and arguments that was declared before, or the new one. */
static Function *add_function(Parser *parser, Function *function)
{
    Symbol *symbol = symbols_find(parser, SYMBOL_FUNCTION, function->name);
    for (Function *at = symbol ? symbol->function : NULL; at; at = at->next) {
        if (!has_same_arguments(at, function))
            continue;
        if (at->body && parser_at(parser, "{"))
            parser_fail(parser, function->place, "function '%s' is defined twice", function->name);
        for (size_t i = 0; i < at->argument_count; i++) {
            function->arguments[i]->type.dimension |= at->arguments[i]->type.dimension;
            if (!function->arguments[i]->value)
                function->arguments[i]->value = at->arguments[i]->value;
        }
        if (!at->body) {
            at->arguments = function->arguments;
            at->local_count = function->local_count;
            at->semantic = function->semantic;
        }
        return at;
    }
    if (!symbol)
        symbol = symbols_add(parser, SYMBOL_FUNCTION, function->name);
    function->next = symbol->function;
    function->overload = symbol->function ? symbol->function->overload + 1 : 0;
    symbol->function = function;
    function->index = (unsigned)parser->functions.count;
    *arena_push(parser->arena, &parser->functions) = function;
    return function;
}

static void parse_function(Parser *parser, Type type, const char *name, Place place)
{
    Function *function = arena_alloc(parser->arena, sizeof *function);
    int sampler_register = -1;
    *function = (Function){.name = name, .type = type, .place = place};
    if (type.base == EFFECT_SAMPLER || type.base == EFFECT_TEXTURE || type.base == EFFECT_STRING)
        parser_fail(parser, place, "function '%s' returns %s", name,
                    type_name(type, parser->arena));
    symbols_open(parser);
    parse_arguments(parser, function);
    function->semantic = parse_semantic(parser, &sampler_register);
    if (!parser->failed) {
        parser->scope--; /* the function itself is global */
        function = add_function(parser, function);
        parser->scope++;
    }
    if (!parser_accept(parser, ";") && !parser->failed) {
        for (size_t i = 0; i < function->argument_count; i++)
            symbols_add(parser, SYMBOL_VARIABLE, function->arguments[i]->name)->variable =
                function->arguments[i];
        parser->function = function;
        function->body = parse_block(parser);
        parser->function = NULL;
    }
    symbols_close(parser, false);
}

/* ---- global variables ---- */

/* A value that is not constant makes a variable static: each invocation computes it. */
static bool is_parameter(const Variable *variable, const double *constants)
{
    if (variable->type.base == EFFECT_STRUCT)
        return false;
    return !variable->value || constants || *variable->semantic;
}

static void add_parameter(Parser *parser, Variable *variable, EffectParameter *parameter,
                          const double *constants)
{
    variable->index = (unsigned)parser->parameters.count;
    parameter->name = variable->name;
    parameter->semantic = variable->semantic;
    parameter->type = parser_public_type(variable->type);
    parameter->shared = variable->is_shared;
    if (constants)
        parameter->values = parser_values(parser, constants, variable->type);
    if (constants && variable->is_const && !*variable->semantic) {
        parameter->literal = true;
        variable->constants = constants;
    }
    if (parser->parameters.count == EFFECT_MAX_PARAMETERS)
        parser_fail(parser, variable->place, "more than %d parameters", EFFECT_MAX_PARAMETERS);
    *arena_push(parser->arena, &parser->parameters) = *parameter;
}

static void parse_variable(Parser *parser, Type type, const char *name, Place place, Qualifiers q)
{
    Variable *variable = arena_alloc(parser->arena, sizeof *variable);
    EffectParameter parameter = {0};
    bool is_open = false;
    int register_index = -1;
    *variable = (Variable){.name = name,
                           .kind = VARIABLE_STATIC,
                           .type = type,
                           .place = place,
                           .is_const = q.is_const,
                           .is_shared = q.is_shared};
    parse_array(parser, &variable->type, &is_open);
    variable->semantic = parse_semantic(parser, &register_index);
    parse_annotations(parser, &parameter.annotations, &parameter.annotation_count);
    if (!*variable->semantic)
        variable->semantic = parse_semantic(parser, &register_index);

    const Symbol *known = symbols_find(parser, SYMBOL_VARIABLE, name);
    if (known)
        parser_fail(parser, place, "'%s' is declared twice", name);
    const bool is_object =
        type.base == EFFECT_TEXTURE || type.base == EFFECT_SAMPLER || type.base == EFFECT_STRING;
    const double *constants = NULL;
    if (type.base == EFFECT_SAMPLER) {
        parameter.sampler = parse_sampler_state(parser, variable, register_index);
    } else if (type.base == EFFECT_STRING && parser_accept(parser, "=")) {
        parameter.text = parse_text(parser);
    } else if (!is_object && parser_accept(parser, "=")) {
        variable->value = parse_initializer(parser, &variable->type, is_open);
        if (!parser->failed)
            constants = fold_all(variable->value, parser->arena);
    }
    if (!parser->failed && !is_object && !type_size(variable->type))
        parser_fail(parser, place, "variable '%s' of type %s", name,
                    type_name(variable->type, parser->arena));
    if (parser->failed)
        return;
    if (q.is_static)
        variable->constants = constants;
    if (is_object || (!q.is_static && is_parameter(variable, constants))) {
        variable->kind = VARIABLE_PARAMETER;
        add_parameter(parser, variable, &parameter, constants);
    } else {
        variable->index = (unsigned)parser->variables.count;
    }
    *arena_push(parser->arena, &parser->variables) = variable;
    symbols_add(parser, SYMBOL_VARIABLE, name)->variable = variable;
}

static void parse_declaration(Parser *parser)
{
    static const char *const UNSUPPORTED[] = {"cbuffer",      "tbuffer",     "technique10",
                                              "technique11",  "interface",   "class",
                                              "VertexShader", "PixelShader", "namespace"};
    for (size_t i = 0; i < sizeof UNSUPPORTED / sizeof *UNSUPPORTED; i++)
        if (parser_at_word(parser, UNSUPPORTED[i]))
            parser_fail(parser, parser->token->place, "'%s' is not supported", parser->token->text);
    const Qualifiers q = parse_qualifiers(parser);
    const Type type = parse_type(parser);
    if (parser_accept(parser, ";"))
        return; /* a struct alone */
    do {
        const Place place = parser->token->place;
        const char *name = parser_name(parser, "the name of a variable or function");
        if (parser_at(parser, "(")) {
            parse_function(parser, type, name, place);
            return;
        }
        if (!parser->failed)
            parse_variable(parser, type, name, place, q);
    } while (parser_accept(parser, ","));
    parser_expect(parser, ";");
}

bool parse_effect(Parser *parser)
{
    while (!parser_at_end(parser)) {
        if (parser_accept(parser, ";"))
            continue;
        if (parser_at(parser, "typedef"))
            parse_typedef(parser);
        else if (parser_at_word(parser, "technique"))
            parse_technique(parser);
        else if (parser_at_word(parser, "stateblock"))
            parse_state_block(parser);
        else
            parse_declaration(parser);
    }
    return !parser->failed;
}
