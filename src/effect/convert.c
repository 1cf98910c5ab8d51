// SPDX-License-Identifier: MIT
#include <math.h>

#include "effect/intrinsics.h"
#include "effect/parser.h"

static Node *nothing(Parser *parser, Type type, Place place)
{
    return node_create(parser->arena, NODE_ZERO, type, place);
}

/* ---- conversions ---- */

static double as_base(double number, EffectBase base)
{
    if (base == EFFECT_BOOL)
        return number != 0;
    return base == EFFECT_INT ? trunc(number) : number;
}

static Node *convert(Parser *parser, Node *node, Type type)
{
    if (node->kind == NODE_LITERAL) {
        const EffectBase base = (EffectBase)type.base;
        node = node_literal(parser->arena, type_vector(base, 1), as_base(node->number, base),
                            node->place);
        if (type_is_scalar(type))
            return node;
    }
    Node *converted = node_create(parser->arena, NODE_CONVERT, type, node->place);
    node_append(converted, node);
    return converted;
}

/* A sampler whose dimension is not known gets it from its use. */
static void unify_samplers(Parser *parser, Node *node, uint8_t *dimension)
{
    Variable *variable = node->kind == NODE_VARIABLE ? node->variable : NULL;
    if (!variable)
        return;
    if (!variable->type.dimension)
        variable->type.dimension = *dimension;
    else if (!*dimension)
        *dimension = variable->type.dimension;
    if (variable->type.dimension != *dimension)
        parser_fail(parser, node->place, "sampler '%s' is read with different dimensions",
                    variable->name);
}

Node *convert_implicitly(Parser *parser, Node *node, Type type)
{
    if (parser->failed || type_equal(node->type, type))
        return node;
    if (type_distance(node->type, type) < 0 || node->type.base == EFFECT_SAMPLER) {
        parser_fail(parser, node->place, "cannot convert %s to %s",
                    type_name(node->type, parser->arena), type_name(type, parser->arena));
        return nothing(parser, type, node->place);
    }
    return convert(parser, node, type);
}

Node *convert_by_cast(Parser *parser, Node *node, Type type)
{
    const Type from = node->type;
    if (node->kind == NODE_LITERAL && node->number == 0 && !type_is_number(type) &&
        type_size(type) > 0)
        return nothing(parser, type, node->place);
    if (type_is_number(from) && type_is_number(type) &&
        type_components(from) == type_components(type) && !type_equal(from, type))
        return convert(parser, node, type); /* float4 to float2x2, and back */
    return convert_implicitly(parser, node, type);
}

Node *convert_to_bool(Parser *parser, Node *node)
{
    if (!parser->failed && !type_is_scalar(node->type))
        parser_fail(parser, node->place, "a condition is a %s, not one number",
                    type_name(node->type, parser->arena));
    return convert_implicitly(parser, node, TYPE_BOOL);
}

/* The shape of both: a scalar takes the other one's; else the smaller of each size. */
Type convert_common_type(Parser *parser, Type a, Type b, Place place)
{
    const EffectBase base = (EffectBase)(a.base > b.base ? a.base : b.base); /* bool, int, float */
    if (!type_is_number(a) || !type_is_number(b) ||
        (!type_is_scalar(a) && !type_is_scalar(b) && (a.rows > 1) != (b.rows > 1))) {
        parser_fail(parser, place, "no operation on %s and %s", type_name(a, parser->arena),
                    type_name(b, parser->arena));
        return TYPE_FLOAT;
    }
    if (type_is_scalar(a))
        return type_with_base(b, base);
    if (type_is_scalar(b))
        return type_with_base(a, base);
    return type_matrix(base, a.rows < b.rows ? a.rows : b.rows,
                       a.columns < b.columns ? a.columns : b.columns);
}

/* ---- what an assignment changes ---- */

static bool has_duplicates(const Node *swizzle)
{
    unsigned seen = 0;
    for (int i = 0; i < swizzle->component_count; i++) {
        const unsigned bit = 1u << swizzle->components[i];
        if (seen & bit)
            return true;
        seen |= bit;
    }
    return false;
}

void convert_mark_written(Parser *parser, Node *target)
{
    Node *at = target;
    while (at->first && (at->kind == NODE_SWIZZLE || at->kind == NODE_ELEMENTS ||
                         at->kind == NODE_INDEX || at->kind == NODE_MEMBER)) {
        if ((at->kind == NODE_SWIZZLE || at->kind == NODE_ELEMENTS) && has_duplicates(at))
            parser_fail(parser, at->place, "an assignment to a component twice");
        at = at->first;
    }
    if (parser->failed)
        return;
    if (at->kind != NODE_VARIABLE || at->variable->type.base == EFFECT_SAMPLER)
        parser_fail(parser, target->place, "the target of an assignment is no variable");
    else if (at->variable->is_const)
        parser_fail(parser, target->place, "'%s' is const", at->variable->name);
    else
        at->variable->is_written = true;
}

/* ---- calls of functions of the effect ---- */

/* How far arguments are from parameters in all; -1 if they do not fit. */
static int call_distance(const Function *function, Node **arguments, size_t count)
{
    int sum = 0;
    if (count < function->required_count || count > function->argument_count)
        return -1;
    for (size_t i = 0; i < count; i++) {
        const int distance = type_distance(arguments[i]->type, function->arguments[i]->type);
        if (distance < 0)
            return -1;
        sum += distance;
    }
    return sum;
}

static Function *best_function(const Parser *parser, const char *name, Node **arguments,
                               size_t count, int *distance)
{
    const Symbol *symbol = symbols_find(parser, SYMBOL_FUNCTION, name);
    Function *best = NULL;
    for (Function *at = symbol ? symbol->function : NULL; at; at = at->next) {
        const int d = call_distance(at, arguments, count);
        if (d >= 0 && (!best || d <= *distance)) { /* of equal ones the first in the text */
            best = at;
            *distance = d;
        }
    }
    return best;
}

static Node *copy(Parser *parser, const Node *node)
{
    Node *out = arena_copy(parser->arena, node, sizeof *node);
    out->first = out->next = NULL;
    for (const Node *at = node->first; at; at = at->next)
        node_append(out, copy(parser, at));
    return out;
}

Node *convert_argument(Parser *parser, Node *argument, Variable *parameter)
{
    if (parameter->type.base != EFFECT_SAMPLER)
        return convert_implicitly(parser, argument, parameter->type);
    if (argument->type.base != EFFECT_SAMPLER || argument->kind != NODE_VARIABLE)
        parser_fail(parser, argument->place, "the argument for '%s' is no sampler",
                    parameter->name);
    unify_samplers(parser, argument, &parameter->type.dimension);
    return argument;
}

static Node *call_function(Parser *parser, Function *function, Place place, Node **arguments,
                           size_t count)
{
    Node *call = node_create(parser->arena, NODE_CALL, function->type, place);
    call->function = function;
    if (function == parser->function)
        parser_fail(parser, place, "function '%s' calls itself", function->name);
    for (size_t i = 0; i < function->argument_count && !parser->failed; i++) {
        Variable *parameter = function->arguments[i];
        Node *argument = i < count ? arguments[i] : copy(parser, parameter->value);
        if (parameter->is_out)
            convert_mark_written(parser, argument); /* the printer converts the result */
        else
            argument = convert_argument(parser, argument, parameter);
        node_append(call, argument);
    }
    return call;
}

/* ---- calls of intrinsics ---- */

/* The common shape of the first `count` arguments. */
static Type shape_of(Parser *parser, Node **arguments, size_t count, Place place)
{
    Type type = arguments[0]->type;
    if (!type_is_number(type))
        type = convert_common_type(parser, type, type, place); /* an error */
    for (size_t i = 1; i < count; i++)
        type = convert_common_type(parser, type, arguments[i]->type, place);
    return type;
}

static void convert_arguments(Parser *parser, Node **arguments, size_t count, Type type)
{
    for (size_t i = 0; i < count; i++)
        arguments[i] = convert_implicitly(parser, arguments[i], type);
}

/*
 * mul: the rows of the second argument and the columns of the first are equal; the longer is cut.
 * Vectors are a row as the first argument, a column as the second.
 */
static Type multiply_types(Parser *parser, Node **arguments, Place place)
{
    Type a = type_with_base(arguments[0]->type, EFFECT_FLOAT);
    Type b = type_with_base(arguments[1]->type, EFFECT_FLOAT);
    if (!type_is_number(a) || !type_is_number(b) || type_is_scalar(a) || type_is_scalar(b) ||
        (a.rows == 1 && b.rows == 1)) {
        const Type type = convert_common_type(parser, a, b, place);
        const bool scaled = type_is_scalar(a) || type_is_scalar(b);
        convert_arguments(parser, arguments, 2, type);
        return scaled ? type : TYPE_FLOAT;
    }
    Type result = type_vector(EFFECT_FLOAT, b.columns);
    if (b.rows == 1) { /* matrix * column */
        const unsigned n = a.columns < b.columns ? a.columns : b.columns;
        a.columns = b.columns = (uint8_t)n;
        result = type_vector(EFFECT_FLOAT, a.rows);
    } else {
        const unsigned n = a.columns < b.rows ? a.columns : b.rows;
        a.columns = b.rows = (uint8_t)n;
        if (a.rows > 1)
            result = type_matrix(EFFECT_FLOAT, a.rows, b.columns);
    }
    arguments[0] = convert_implicitly(parser, arguments[0], a);
    arguments[1] = convert_implicitly(parser, arguments[1], b);
    return result;
}

static void convert_texture_arguments(Parser *parser, const Intrinsic *intrinsic, Node **arguments,
                                      Place place)
{
    uint8_t dimension = (uint8_t)intrinsic->dimension;
    if (arguments[0]->type.base != EFFECT_SAMPLER || arguments[0]->kind != NODE_VARIABLE)
        parser_fail(parser, place, "the first argument of %s is no sampler", intrinsic->name);
    else
        unify_samplers(parser, arguments[0], &dimension);
    for (size_t i = 1; i < intrinsic->count && !parser->failed; i++)
        arguments[i] = convert_implicitly(parser, arguments[i],
                                          type_vector(EFFECT_FLOAT, intrinsic->coordinates));
}

static Node *call_intrinsic(Parser *parser, const Intrinsic *intrinsic, Place place,
                            Node **arguments)
{
    const size_t count = intrinsic->count;
    Type shape = TYPE_FLOAT, result = TYPE_FLOAT;
    if (intrinsic->rule != RULE_TEXTURE && intrinsic->rule != RULE_MULTIPLY)
        shape = shape_of(parser, arguments, intrinsic->rule == RULE_REFRACT ? 2 : count, place);
    const Type floats = type_with_base(shape, EFFECT_FLOAT);
    const EffectBase number = shape.base == EFFECT_FLOAT ? EFFECT_FLOAT : EFFECT_INT;
    Type wanted = floats;

    switch (intrinsic->rule) {
    case RULE_FLOAT:
        result = floats;
        break;
    case RULE_NUMBER:
        result = wanted = type_with_base(shape, number);
        break;
    case RULE_SIGN:
    case RULE_BITS_TO_INT:
        result = type_with_base(shape, EFFECT_INT);
        break;
    case RULE_BITS_TO_FLOAT:
        result = floats;
        wanted = type_with_base(shape, EFFECT_INT);
        break;
    case RULE_CLASSIFY:
        result = type_with_base(shape, EFFECT_BOOL);
        break;
    case RULE_REDUCE:
        break;
    case RULE_TEST:
        result = TYPE_BOOL;
        wanted = type_with_base(shape, EFFECT_BOOL);
        break;
    case RULE_CROSS:
        result = wanted = type_vector(EFFECT_FLOAT, 3);
        break;
    case RULE_REFRACT:
        result = floats;
        arguments[2] = convert_implicitly(parser, arguments[2], TYPE_FLOAT);
        break;
    case RULE_NOISE:
        break;
    case RULE_LIT:
        result = type_vector(EFFECT_FLOAT, 4);
        wanted = TYPE_FLOAT;
        break;
    case RULE_DST:
        result = wanted = type_vector(EFFECT_FLOAT, 4);
        break;
    case RULE_MULTIPLY:
        result = multiply_types(parser, arguments, place);
        break;
    case RULE_TRANSPOSE:
        result = type_matrix(EFFECT_FLOAT, shape.columns, shape.rows);
        break;
    case RULE_DETERMINANT:
        if (shape.rows != shape.columns)
            parser_fail(parser, place, "the determinant of a matrix that is not square");
        break;
    case RULE_OUT:
        wanted = type_with_base(arguments[0]->type, EFFECT_FLOAT);
        result = count == 3 ? TYPE_VOID : wanted;
        for (size_t i = 1; i < count && !parser->failed; i++) {
            convert_mark_written(parser, arguments[i]);
            if (!type_equal(arguments[i]->type, wanted))
                parser_fail(parser, place, "argument %zu of %s is %s, not %s", i + 1,
                            intrinsic->name, type_name(arguments[i]->type, parser->arena),
                            type_name(wanted, parser->arena));
        }
        break;
    case RULE_CLIP:
        result = TYPE_VOID;
        break;
    case RULE_COLOR_TO_INT:
        result = type_vector(EFFECT_INT, 4);
        wanted = type_vector(EFFECT_FLOAT, 4);
        break;
    case RULE_TEXTURE:
        convert_texture_arguments(parser, intrinsic, arguments, place);
        result = type_vector(EFFECT_FLOAT, 4);
        break;
    }
    const bool own = intrinsic->rule == RULE_TEXTURE || intrinsic->rule == RULE_MULTIPLY;
    if (!own)
        convert_arguments(parser, arguments,
                          intrinsic->rule == RULE_OUT       ? 1
                          : intrinsic->rule == RULE_REFRACT ? 2
                                                            : count,
                          wanted);
    const bool matrix = intrinsic->rule == RULE_TRANSPOSE || intrinsic->rule == RULE_DETERMINANT;
    const bool by_rows =
        type_is_matrix(wanted) && intrinsic_takes_rows(intrinsic) && wanted.base == EFFECT_FLOAT;
    if (!own && !by_rows && type_is_matrix(wanted) != matrix)
        parser_fail(parser, place, "%s of %s is not supported", intrinsic->name,
                    type_name(wanted, parser->arena));

    Node *call = node_create(parser->arena, NODE_INTRINSIC, result, place);
    call->intrinsic = intrinsic;
    for (size_t i = 0; i < count && !parser->failed; i++)
        node_append(call, arguments[i]);
    return call;
}

/*
 * A function of the effect that fits but for conversions of bases comes before an intrinsic of the
 * same name, and that before one whose arguments change their shape.
 */
Node *convert_call(Parser *parser, const char *name, Place place, Node **arguments, size_t count)
{
    int distance = 0;
    Function *function = best_function(parser, name, arguments, count, &distance);
    const Intrinsic *intrinsic = intrinsic_find(name, count);
    if (parser->failed)
        return nothing(parser, TYPE_FLOAT, place);
    if (function && (!intrinsic || distance < 16))
        return call_function(parser, function, place, arguments, count);
    if (intrinsic)
        return call_intrinsic(parser, intrinsic, place, arguments);
    if (symbols_find(parser, SYMBOL_FUNCTION, name)) {
        const char *types = "";
        for (size_t i = 0; i < count && i < 8; i++)
            types = arena_printf(parser->arena, "%s%s%s", types, i ? ", " : "",
                                 type_name(arguments[i]->type, parser->arena));
        parser_fail(parser, place, "no function '%s' takes (%s)", name, types);
    } else if (intrinsic_find(name, SIZE_MAX)) {
        parser_fail(parser, place, "function '%s' does not take %zu arguments", name, count);
    } else {
        parser_fail(parser, place, "there is no function '%s'", name);
    }
    return nothing(parser, TYPE_FLOAT, place);
}
