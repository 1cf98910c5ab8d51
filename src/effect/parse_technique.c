// SPDX-License-Identifier: MIT
#include <string.h>

#include "effect/fold.h"
#include "effect/number.h"
#include "effect/parser.h"
#include "effect/states.h"

enum { MAX_COMPILE_ARGUMENTS = 64 };

static void skip_to_semicolon(Parser *parser)
{
    while (!parser_at(parser, ";") && !parser_at(parser, "}") && !parser_at_end(parser))
        parser->token++;
}

/* ---- annotations: "< string Script = "..."; float2 Ratio = {1, 1}; >" ---- */

const char *parse_text(Parser *parser)
{
    const Place place = parser->token->place;
    if (parser->token->kind != TOKEN_STRING)
        parser_fail(parser, place, "expected a text in quotes, not '%.64s'", parser->token->text);
    size_t size = 0;
    const Token *first = parser->token;
    for (; parser->token->kind == TOKEN_STRING; parser->token++)
        size += strlen(parser->token->text);
    char *out = arena_alloc(parser->arena, size + 1);
    for (char *at = out; first < parser->token; first++)
        at = stpcpy(at, first->text);
    return out;
}

EffectType parser_public_type(Type type)
{
    return (EffectType){.base = (EffectBase)type.base,
                        .rows = type.rows,
                        .columns = type.columns,
                        .elements = (uint16_t)type.elements,
                        .dimension = (EffectDimension)type.dimension};
}

const float *parser_values(Parser *parser, const double *numbers, Type type)
{
    const uint32_t count = type_size(type);
    float *values = arena_array(parser->arena, float, count);
    for (uint32_t i = 0; i < count; i++)
        values[i] = (float)numbers[i];
    return values;
}

static EffectAnnotation parse_annotation(Parser *parser)
{
    EffectAnnotation annotation = {0};
    Type type = parse_type(parser);
    bool is_open = false;
    annotation.name = parser_name(parser, "the name of an annotation");
    parse_array(parser, &type, &is_open);
    const Place place = parser->token->place;
    parser_expect(parser, "=");
    if (type.base == EFFECT_STRING) {
        annotation.text = parse_text(parser);
    } else if (!parser->failed) {
        Node *value = parse_initializer(parser, &type, is_open);
        const double *numbers = parser->failed || !type_size(type) || type.base == EFFECT_STRUCT
                                    ? NULL
                                    : fold_all(value, parser->arena);
        if (!numbers)
            parser_fail(parser, place, "the value of annotation '%s' is not constant",
                        annotation.name);
        else
            annotation.values = parser_values(parser, numbers, type);
    }
    annotation.type = parser_public_type(type);
    return annotation;
}

/* The ">" may be the first character of ">=", where a value follows. */
static void parse_end_of_annotations(Parser *parser)
{
    if (!parser_at(parser, ">=")) {
        parser_expect(parser, ">");
        return;
    }
    parser->text->tokens.items[parser->token - parser->text->tokens.items].text = "=";
}

void parse_annotations(Parser *parser, const EffectAnnotation **out, size_t *count)
{
    ARENA_LIST(EffectAnnotation) annotations = {0};
    if (!parser_accept(parser, "<"))
        return;
    parser->stops_at_greater = true;
    while (!parser_at(parser, ">") && !parser_at(parser, ">=") && !parser_at_end(parser)) {
        const EffectAnnotation annotation = parse_annotation(parser);
        *arena_push(parser->arena, &annotations) = annotation;
        if (!parser_accept(parser, ";"))
            break;
    }
    parser->stops_at_greater = false;
    parse_end_of_annotations(parser);
    *out = annotations.items;
    *count = annotations.count;
}

/* ---- values of states ---- */

/* "<name>", "(name)" or "name" of a parameter; NULL, and nothing is passed, if it is none. */
static Variable *parse_reference(Parser *parser)
{
    const Token *start = parser->token;
    const char *close = parser_accept(parser, "<") ? ">" : parser_accept(parser, "(") ? ")" : NULL;
    Variable *found = parser->token->kind == TOKEN_NAME
                          ? parser_find_parameter(parser, parser->token->text)
                          : NULL;
    parser->token += found != NULL;
    const bool closed = !close || parser_accept(parser, close);
    if (found && closed && (parser_at(parser, ";") || parser_at(parser, "}")))
        return found;
    parser->token = start;
    return NULL;
}

/* "RED | GREEN", "0x0F", "TRUE", "0.5": up to four numbers. */
static unsigned parse_state_value(Parser *parser, StateValues values, const char *name, double *out)
{
    double number;
    if (parser->token->kind == TOKEN_NAME && state_word(&number, values, parser->token->text)) {
        uint32_t bits = 0;
        do {
            if (!state_word(&number, values, parser->token->text))
                parser_fail(parser, parser->token->place, "'%.64s' is no value of state '%s'",
                            parser->token->text, name);
            bits |= (uint32_t)number;
            parser->token += !parser->failed;
        } while (parser_accept(parser, "|"));
        *out = bits;
        return 1;
    }
    Type type = type_vector(EFFECT_FLOAT, 4);
    Value value = {0};
    const Place place = parser->token->place;
    Node *node =
        parser_at(parser, "{") ? parse_initializer(parser, &type, false) : parse_expression(parser);
    if (!parser->failed && (!fold(&value, node) || value.count > 4))
        parser_fail(parser, place, "the value of state '%s' is not constant", name);
    for (unsigned i = 0; i < value.count && i < 4; i++)
        out[i] = value.numbers[i];
    return value.count;
}

/* ---- samplers ---- */

static void set_sampler_state(EffectSampler *sampler, SamplerState state, const double *v,
                              unsigned count)
{
    switch (state) {
    case SAMPLER_TEXTURE:
    case SAMPLER_IGNORED:
        break;
    case SAMPLER_ADDRESS_U:
        sampler->address_u = (EffectAddress)v[0];
        break;
    case SAMPLER_ADDRESS_V:
        sampler->address_v = (EffectAddress)v[0];
        break;
    case SAMPLER_ADDRESS_W:
        sampler->address_w = (EffectAddress)v[0];
        break;
    case SAMPLER_MIN_FILTER:
        sampler->min_filter = (EffectFilter)v[0];
        break;
    case SAMPLER_MAG_FILTER:
        sampler->mag_filter = (EffectFilter)v[0];
        break;
    case SAMPLER_MIP_FILTER:
        sampler->mip_filter = (EffectFilter)v[0];
        break;
    case SAMPLER_FILTER:
        sampler->min_filter = sampler->mag_filter = (EffectFilter)v[0];
        sampler->mip_filter = v[0] > EFFECT_POINT ? EFFECT_LINEAR : (EffectFilter)v[0];
        break;
    case SAMPLER_BORDER_COLOR:
        if (count == 1) { /* 0xAARRGGBB */
            const uint32_t color = number_bits(v[0]);
            for (unsigned i = 0; i < 4; i++)
                sampler->border_color[i] = (float)(color >> (i < 3 ? 16 - 8 * i : 24) & 255) / 255;
        }
        for (unsigned i = 0; i < count && count > 1; i++)
            sampler->border_color[i] = (float)v[i];
        break;
    case SAMPLER_LOD_BIAS:
        sampler->lod_bias = (float)v[0];
        break;
    case SAMPLER_MAX_MIP_LEVEL:
        sampler->max_mip_level = number_bits(v[0]);
        break;
    case SAMPLER_MAX_ANISOTROPY:
        sampler->max_anisotropy = number_bits(v[0]);
        break;
    case SAMPLER_SRGB:
        sampler->srgb = v[0] != 0;
        break;
    }
}

/* Values that an enumerator of the state has. */
static bool is_in_range(SamplerState state, double value)
{
    switch (sampler_state_values(state)) {
    case VALUES_ADDRESS:
        return value >= EFFECT_WRAP && value <= EFFECT_MIRROR_ONCE;
    case VALUES_FILTER:
        return value >= EFFECT_FILTER_NONE && value <= EFFECT_ANISOTROPIC;
    default:
        return state == SAMPLER_BORDER_COLOR || state == SAMPLER_LOD_BIAS ||
               (value >= 0 && value <= 64);
    }
}

static void parse_sampler_assignment(Parser *parser, EffectSampler *sampler, Variable *variable)
{
    const Place place = parser->token->place;
    const char *name = parser_name(parser, "a state of a sampler");
    const int state = parser->failed ? -1 : sampler_state_find(name);
    double values[4] = {0};
    parser_expect(parser, "=");
    if (parser->failed)
        return;
    if (state == SAMPLER_TEXTURE) {
        const Variable *texture = parse_reference(parser);
        if (parser_at_word(parser, "NULL"))
            parser->token++;
        else if (!texture || texture->type.base != EFFECT_TEXTURE)
            parser_fail(parser, place, "the texture of sampler '%s' is no parameter",
                        variable->name);
        else
            sampler->texture = (int)texture->index;
        if (texture && !variable->type.dimension)
            variable->type.dimension = texture->type.dimension;
    } else if (state < 0) {
        parser_note(parser, place, "state '%s' of a sampler is ignored", name);
        skip_to_semicolon(parser);
    } else {
        const unsigned count =
            parse_state_value(parser, sampler_state_values((SamplerState)state), name, values);
        if (parser->failed)
            return;
        if (!is_in_range((SamplerState)state, values[0]))
            parser_fail(parser, place, "%g is no value of state '%s'", values[0], name);
        else
            set_sampler_state(sampler, (SamplerState)state, values, count);
    }
}

const EffectSampler *parse_sampler_state(Parser *parser, Variable *variable, int register_index)
{
    EffectSampler *sampler = arena_alloc(parser->arena, sizeof *sampler);
    *sampler = (EffectSampler){.texture = -1,
                               .register_index = register_index,
                               .address_u = EFFECT_WRAP,
                               .address_v = EFFECT_WRAP,
                               .address_w = EFFECT_WRAP,
                               .min_filter = EFFECT_POINT,
                               .mag_filter = EFFECT_POINT,
                               .mip_filter = EFFECT_FILTER_NONE,
                               .max_anisotropy = 1};
    if (parser_accept(parser, "=")) {
        if (parser_at_word(parser, "sampler_state"))
            parser->token++;
        else
            parser_fail(parser, parser->token->place, "expected 'sampler_state'");
    }
    if (parser_accept(parser, "{")) {
        while (!parser_at(parser, "}") && !parser_at_end(parser)) {
            if (parser_accept(parser, ";"))
                continue;
            parse_sampler_assignment(parser, sampler, variable);
            if (!parser_at(parser, "}"))
                parser_expect(parser, ";");
        }
        parser_expect(parser, "}");
    }
    return sampler;
}

/* ---- passes ---- */

static Function *find_function(Parser *parser, const char *name, Place place)
{
    const Symbol *symbol = symbols_find(parser, SYMBOL_FUNCTION, name);
    Function *found = NULL;
    for (Function *at = symbol ? symbol->function : NULL; at; at = at->next)
        if (at->body)
            found = at;
    if (!found)
        parser_fail(parser, place, "there is no function '%s' with a body", name);
    return found;
}

/* A parameter of an entry that is neither input nor output of the shader. */
static bool is_constant_parameter(const Variable *parameter)
{
    return parameter->is_uniform || parameter->type.base == EFFECT_SAMPLER ||
           (!*parameter->semantic && parameter->type.base != EFFECT_STRUCT && !parameter->is_out);
}

static void assign_arguments(Parser *parser, Compilation *out, Node **arguments, size_t count)
{
    const Function *function = out->function;
    size_t used = 0;
    out->values = arena_array(parser->arena, Node *, function->argument_count);
    for (size_t i = 0; i < function->argument_count; i++) {
        Variable *parameter = function->arguments[i];
        if (!is_constant_parameter(parameter))
            continue;
        if (used < count)
            out->values[i] = convert_argument(parser, arguments[used++], parameter);
        else if (parameter->value)
            out->values[i] = convert_argument(parser, parameter->value, parameter);
        else if (parameter->type.base == EFFECT_SAMPLER)
            parser_fail(parser, out->place, "sampler '%s' of '%s' has no argument", parameter->name,
                        function->name);
        else
            out->values[i] = node_create(parser->arena, NODE_ZERO, parameter->type, out->place);
    }
    if (used < count)
        parser_fail(parser, out->place, "'%s' has %zu parameters for constants, not %zu",
                    function->name, used, count);
}

/* "compile vs_3_0 F(a, b)": arguments are for the parameters that are no inputs. */
static Compilation *parse_compilation(Parser *parser, bool is_fragment)
{
    Compilation *out = arena_alloc(parser->arena, sizeof *out);
    out->place = parser->token->place;
    out->is_fragment = is_fragment;
    const char *profile = parser_name(parser, "a profile");
    if (parser->failed)
        return out;
    if (strncmp(profile, is_fragment ? "ps_" : "vs_", 3) != 0 || profile[3] < '1' ||
        profile[3] > '3') {
        parser_fail(parser, out->place, "profile '%s' is not supported (%s_1_1 to %s_3_0)", profile,
                    is_fragment ? "ps" : "vs", is_fragment ? "ps" : "vs");
        return out;
    }
    out->model = profile[3] == '3' ? 3 : 2;
    const Place place = parser->token->place;
    const char *name = parser_name(parser, "a function");
    if (!parser->failed)
        out->function = find_function(parser, name, place);
    Node *arguments[MAX_COMPILE_ARGUMENTS];
    size_t count = 0;
    parser_expect(parser, "(");
    while (!parser_at(parser, ")") && !parser_at_end(parser)) {
        Node *argument = parse_assignment(parser);
        if (count < MAX_COMPILE_ARGUMENTS)
            arguments[count++] = argument;
        else
            parser_fail(parser, place, "more than %d arguments", MAX_COMPILE_ARGUMENTS);
        if (!parser_accept(parser, ","))
            break;
    }
    parser_expect(parser, ")");
    if (!parser->failed)
        assign_arguments(parser, out, arguments, count);
    return out;
}

static Compilation *parse_shader(Parser *parser, bool is_fragment)
{
    const bool bracket = parser_accept(parser, "(");
    Compilation *out = NULL;
    if (parser_at_word(parser, "NULL") || parser_at(parser, "0")) {
        parser->token++;
        out = arena_alloc(parser->arena, sizeof *out);
    } else if (parser_at_word(parser, "compile")) {
        parser->token++;
        out = parse_compilation(parser, is_fragment);
    } else if (parser_at_word(parser, "asm")) {
        parser_fail(parser, parser->token->place, "shaders in assembly language are not supported");
    } else {
        parser_fail(parser, parser->token->place, "expected 'compile' or NULL, not '%.64s'",
                    parser->token->text);
    }
    if (bracket)
        parser_expect(parser, ")");
    return out;
}

/* The states and shaders of a pass, or of a block that passes name. */
struct StateBlock {
    ARENA_LIST(EffectState) states;
    PassSource source;
};

/* "(Name)" of a block: its states and shaders are those of the pass. */
static void parse_use_of_block(Parser *parser, StateBlock *out)
{
    const char *close = parser_accept(parser, "<") ? ">" : parser_accept(parser, "(") ? ")" : NULL;
    const Place place = parser->token->place;
    const char *name = parser_name(parser, "a state block");
    const Symbol *symbol = symbols_find(parser, SYMBOL_STATES, name);
    if (close)
        parser_expect(parser, close);
    const StateBlock *block = symbol ? symbol->states : NULL;
    if (!block) {
        parser_fail(parser, place, "there is no state block '%s'", name);
        return;
    }
    for (size_t i = 0; i < block->states.count; i++)
        *arena_push(parser->arena, &out->states) = block->states.items[i];
    if (block->source.vertex)
        out->source.vertex = block->source.vertex;
    if (block->source.fragment)
        out->source.fragment = block->source.fragment;
}

static void parse_pass_state(Parser *parser, StateBlock *out)
{
    const Place place = parser->token->place;
    const bool vertex = parser_at_word(parser, "VertexShader");
    const bool fragment = parser_at_word(parser, "PixelShader");
    const bool block = parser_at_word(parser, "StateBlock");
    const char *name = parser_name(parser, "a state");
    const int kind = parser->failed ? -1 : state_find(name);
    double values[4] = {0};
    if (parser_accept(parser, "[")) {
        double index;
        parse_constant(parser, &index, "the index of a state");
        parser_expect(parser, "]");
    }
    parser_expect(parser, "=");
    if (parser->failed) {
        return;
    } else if (vertex) {
        out->source.vertex = parse_shader(parser, false);
    } else if (fragment) {
        out->source.fragment = parse_shader(parser, true);
    } else if (block) {
        parse_use_of_block(parser, out);
    } else if (kind >= 0) {
        EffectState state = {.kind = (EffectStateKind)kind, .parameter = -1};
        const Variable *variable = parse_reference(parser);
        if (variable) {
            state.parameter = (int)variable->index;
        } else {
            parse_state_value(parser, state_values(state.kind), name, values);
            state.value = values[0];
        }
        if (variable && !type_is_scalar(variable->type))
            parser_fail(parser, place, "the value of state '%s' is no number", name);
        *arena_push(parser->arena, &out->states) = state;
    } else if (state_is_ignored(name)) {
        parser_note(parser, place, "state '%s' is ignored", name);
        skip_to_semicolon(parser);
    } else {
        parser_fail(parser, place, "there is no state '%s'", name);
    }
}

static void parse_states(Parser *parser, StateBlock *out)
{
    parser_expect(parser, "{");
    while (!parser_at(parser, "}") && !parser_at_end(parser)) {
        if (parser_accept(parser, ";"))
            continue;
        parse_pass_state(parser, out);
        if (out->states.count > EFFECT_MAX_STATES)
            parser_fail(parser, out->source.place, "more than %d states", EFFECT_MAX_STATES);
        if (!parser_at(parser, "}"))
            parser_expect(parser, ";");
    }
    parser_expect(parser, "}");
}

void parse_state_block(Parser *parser)
{
    StateBlock *block = arena_alloc(parser->arena, sizeof *block);
    block->source.place = parser->token->place;
    parser->token++;
    const char *name = parser_name(parser, "the name of a state block");
    parser_expect(parser, "=");
    if (parser_at_word(parser, "stateblock_state"))
        parser->token++;
    else
        parser_fail(parser, parser->token->place, "expected 'stateblock_state'");
    parse_states(parser, block);
    parser_expect(parser, ";");
    if (!parser->failed)
        symbols_add(parser, SYMBOL_STATES, name)->states = block;
}

static EffectPass parse_pass(Parser *parser)
{
    EffectPass pass = {.name = ""};
    StateBlock block = {.source = {.place = parser->token->place}};
    if (parser->token->kind == TOKEN_NAME)
        pass.name = parser_name(parser, "the name of a pass");
    parse_annotations(parser, &pass.annotations, &pass.annotation_count);
    parse_states(parser, &block);
    if (parser->passes.count == EFFECT_MAX_PASSES)
        parser_fail(parser, block.source.place, "more than %d passes", EFFECT_MAX_PASSES);
    pass.states = block.states.items;
    pass.state_count = block.states.count;
    *arena_push(parser->arena, &parser->passes) = block.source;
    return pass;
}

void parse_technique(Parser *parser)
{
    EffectTechnique technique = {.name = ""};
    ARENA_LIST(EffectPass) passes = {0};
    parser->token++;
    if (parser->token->kind == TOKEN_NAME)
        technique.name = parser_name(parser, "the name of a technique");
    parse_annotations(parser, &technique.annotations, &technique.annotation_count);
    parser_expect(parser, "{");
    while (parser_at_word(parser, "pass") || parser_at(parser, ";")) {
        if (parser_accept(parser, ";"))
            continue;
        parser->token++;
        const EffectPass pass = parse_pass(parser);
        *arena_push(parser->arena, &passes) = pass;
    }
    parser_expect(parser, "}");
    technique.passes = passes.items;
    technique.pass_count = passes.count;
    *arena_push(parser->arena, &parser->techniques) = technique;
}
