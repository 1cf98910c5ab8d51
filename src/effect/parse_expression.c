// SPDX-License-Identifier: MIT
#include <string.h>

#include "effect/fold.h"
#include "effect/number.h"
#include "effect/parser.h"

enum { MAX_ARGUMENTS = 64 };

typedef struct BinaryOperator {
    const char *text;
    Op op;
    int precedence;
} BinaryOperator;

static const BinaryOperator BINARY[] = {
    {"||", OP_OR, 1},     {"&&", OP_AND, 2}, {"|", OP_BIT_OR, 3}, {"^", OP_BIT_XOR, 4},
    {"&", OP_BIT_AND, 5}, {"==", OP_EQ, 6},  {"!=", OP_NE, 6},    {"<", OP_LT, 7},
    {">", OP_GT, 7},      {"<=", OP_LE, 7},  {">=", OP_GE, 7},    {"<<", OP_SHL, 8},
    {">>", OP_SHR, 8},    {"+", OP_ADD, 9},  {"-", OP_SUB, 9},    {"*", OP_MUL, 10},
    {"/", OP_DIV, 10},    {"%", OP_MOD, 10}};

static const struct {
    const char *text;
    Op op;
} ASSIGNMENTS[] = {{"+=", OP_ADD},  {"-=", OP_SUB},     {"*=", OP_MUL},    {"/=", OP_DIV},
                   {"%=", OP_MOD},  {"&=", OP_BIT_AND}, {"|=", OP_BIT_OR}, {"^=", OP_BIT_XOR},
                   {"<<=", OP_SHL}, {">>=", OP_SHR}};

/* A node with its operands; an error where the tree is so deep that a walk would exhaust the stack.
 */
static Node *make(Parser *parser, NodeKind kind, Op op, Type type, Place place, Node *a, Node *b,
                  Node *c)
{
    Node *node = node_create(parser->arena, kind, type, place);
    node->op = (uint8_t)op;
    Node *operands[] = {a, b, c};
    for (size_t i = 0; i < 3 && operands[i]; i++)
        node_append(node, operands[i]);
    if (node->depth > EFFECT_MAX_TREE)
        parser_fail(parser, place, "an expression of more than %d nested operations",
                    EFFECT_MAX_TREE);
    return node;
}

/* ---- operators ---- */

static bool is_comparison(Op op)
{
    return op >= OP_LT && op <= OP_NE;
}

static bool is_bitwise(Op op)
{
    return op == OP_SHL || op == OP_SHR || (op >= OP_BIT_AND && op <= OP_BIT_XOR);
}

/* The type in which an operation is computed. */
static Type operation_type(Parser *parser, Op op, Type a, Type b, Place place)
{
    Type type = convert_common_type(parser, a, b, place);
    if (op == OP_AND || op == OP_OR)
        return type_with_base(type, EFFECT_BOOL);
    if (is_bitwise(op))
        return type_with_base(type, EFFECT_INT);
    if (type.base == EFFECT_BOOL && op != OP_EQ && op != OP_NE)
        type = type_with_base(type, EFFECT_INT);
    if (type_is_matrix(type) && op != OP_ADD && op != OP_SUB && op != OP_MUL && op != OP_DIV)
        parser_fail(parser, place, "this operation on matrices is not supported");
    return type;
}

static Node *make_binary(Parser *parser, Op op, Node *a, Node *b, Place place)
{
    const Type type = operation_type(parser, op, a->type, b->type, place);
    const Type result = is_comparison(op) ? type_with_base(type, EFFECT_BOOL) : type;
    a = convert_implicitly(parser, a, type);
    b = convert_implicitly(parser, b, type);
    return make(parser, NODE_BINARY, op, result, place, a, b, NULL);
}

static Node *make_unary(Parser *parser, Op op, Node *a, Place place)
{
    Type type = a->type;
    if (!type_is_number(type))
        parser_fail(parser, place, "no operation on %s", type_name(type, parser->arena));
    if (op == OP_NOT)
        type = type_with_base(type, EFFECT_BOOL);
    else if (op == OP_BIT_NOT || type.base == EFFECT_BOOL)
        type = type_with_base(type, EFFECT_INT);
    if (op == OP_NEG && a->kind == NODE_LITERAL)
        return node_literal(parser->arena, type, -a->number, place);
    return make(parser, NODE_UNARY, op, type, place, convert_implicitly(parser, a, type), NULL,
                NULL);
}

static Node *make_step(Parser *parser, Op op, Node *a, bool is_postfix, Place place)
{
    if (!type_is_number(a->type) || type_is_matrix(a->type) || a->type.base == EFFECT_BOOL)
        parser_fail(parser, place, "no ++ or -- of %s", type_name(a->type, parser->arena));
    convert_mark_written(parser, a);
    Node *node = make(parser, NODE_STEP, op, a->type, place, a, NULL, NULL);
    node->is_postfix = is_postfix;
    return node;
}

/* ---- names, calls and literals ---- */

static size_t parse_arguments(Parser *parser, Node **arguments)
{
    size_t count = 0;
    parser_expect(parser, "(");
    if (parser_accept(parser, ")"))
        return 0;
    do {
        Node *argument = parse_assignment(parser);
        if (count < MAX_ARGUMENTS)
            arguments[count++] = argument;
        else
            parser_fail(parser, argument->place, "more than %d arguments", MAX_ARGUMENTS);
    } while (parser_accept(parser, ","));
    parser_expect(parser, ")");
    return count;
}

/* float3(a, b), (float3)(a): all components, or a cast of one value. */
static Node *parse_constructor(Parser *parser, Type type, Place place)
{
    Node *arguments[MAX_ARGUMENTS];
    const size_t count = parse_arguments(parser, arguments);
    unsigned components = 0;
    if (count == 1 && !parser->failed)
        return convert_by_cast(parser, arguments[0], type);
    Node *node = node_create(parser->arena, NODE_CONSTRUCT, type, place);
    for (size_t i = 0; i < count && !parser->failed; i++) {
        if (!type_is_number(arguments[i]->type) || type_is_matrix(arguments[i]->type))
            parser_fail(parser, arguments[i]->place, "a component of %s cannot be %s",
                        type_name(type, parser->arena),
                        type_name(arguments[i]->type, parser->arena));
        components += type_components(arguments[i]->type);
        node_append(node,
                    convert_implicitly(parser, arguments[i],
                                       type_with_base(arguments[i]->type, (EffectBase)type.base)));
    }
    if (!type_is_number(type) || components != type_components(type))
        parser_fail(parser, place, "%s from %u components", type_name(type, parser->arena),
                    components);
    return node;
}

static Node *parse_name(Parser *parser)
{
    const Token *token = parser->token;
    Symbol *symbol = symbols_find(parser, SYMBOL_VARIABLE, token->text);
    const bool is_call = token_is(&token[1], "(");
    if (is_call && !(parse_at_type(parser) && !symbol)) {
        Node *arguments[MAX_ARGUMENTS];
        parser->token++;
        const size_t count = parse_arguments(parser, arguments);
        return convert_call(parser, token->text, token->place, arguments, count);
    }
    if (!symbol && parse_at_type(parser)) {
        const Type type = parse_type(parser);
        return parse_constructor(parser, type, token->place);
    }
    parser->token++;
    if (symbol)
        return node_variable(parser->arena, symbol->variable, token->place);
    if (token_is(token, "true") || token_is(token, "false") || token_is(token, "TRUE") ||
        token_is(token, "FALSE"))
        return node_literal(parser->arena, TYPE_BOOL, text_equal_ignoring_case(token->text, "true"),
                            token->place);
    parser_fail(parser, token->place, "there is no variable '%.64s'", token->text);
    return node_literal(parser->arena, TYPE_FLOAT, 0, token->place);
}

static Node *parse_expression_in_brackets(Parser *parser)
{
    const bool stops = parser->stops_at_greater;
    parser->stops_at_greater = false;
    Node *node = parse_expression(parser);
    parser->stops_at_greater = stops;
    return node;
}

/* "(" that begins a cast: a type, perhaps an array, and ")". */
static bool at_cast(const Parser *parser)
{
    Parser ahead = *parser;
    ahead.token++;
    if (!parse_at_type(&ahead) || symbols_find(parser, SYMBOL_VARIABLE, ahead.token->text) ||
        parser_at(&ahead, "struct"))
        return false;
    ahead.token++;
    return parser_at(&ahead, ")") || parser_at(&ahead, "[") || parser_at(&ahead, "<");
}

static Node *parse_primary(Parser *parser)
{
    const Token *token = parser->token;
    Number number;
    if (token->kind == TOKEN_NAME)
        return parse_name(parser);
    if (token->kind == TOKEN_NUMBER && number_parse(&number, token->text)) {
        parser->token++;
        return node_literal(parser->arena, number.is_float ? TYPE_FLOAT : TYPE_INT, number.value,
                            token->place);
    }
    if (parser_accept(parser, "(")) {
        Node *node = parse_expression_in_brackets(parser);
        parser_expect(parser, ")");
        return node;
    }
    parser_fail(parser, token->place, "expected an expression, not '%.64s'",
                token->kind == TOKEN_END ? "the end of the text" : token->text);
    return node_literal(parser->arena, TYPE_FLOAT, 0, token->place);
}

/* ---- ".xyz", "._m00_m01", ".member", "[i]" ---- */

/* Components of a vector: letters of one of both sets. */
static bool read_swizzle(Node *node, const char *text, unsigned columns)
{
    static const char *const SETS[] = {"xyzw", "rgba"};
    for (size_t set = 0; set < 2; set++) {
        size_t i = 0;
        for (; text[i] && i < 4; i++) {
            const char *found = strchr(SETS[set], text[i]);
            if (!found || (unsigned)(found - SETS[set]) >= columns)
                break;
            node->components[i] = (uint8_t)(found - SETS[set]);
        }
        node->component_count = (uint8_t)i;
        if (i && !text[i])
            return true;
    }
    return false;
}

/* Elements of a matrix: "_m00" counts from 0, "_11" from 1. */
static bool read_elements(Node *node, const char *text, Type matrix)
{
    const bool from_zero = text[0] == '_' && text[1] == 'm';
    uint8_t count = 0;
    for (; *text && count < 4; count++) {
        const char *digits = text + 1 + from_zero;
        if (*text != '_' || (text[1] == 'm') != from_zero)
            return false;
        const char first = from_zero ? '0' : '1';
        if (digits[0] < first || digits[0] >= first + matrix.rows || digits[1] < first ||
            digits[1] >= first + matrix.columns)
            return false;
        node->components[count] = (uint8_t)(4 * (digits[0] - first) + digits[1] - first);
        text = digits + 2;
    }
    node->component_count = count;
    return count && !*text;
}

static Node *parse_member(Parser *parser, Node *node, Place place)
{
    const Type type = node->type;
    const char *name = parser_name(parser, "a member");
    if (parser->failed)
        return node;
    if (type.base == EFFECT_STRUCT && !type.elements) {
        for (size_t i = 0; i < type.structure->member_count; i++)
            if (type.structure->members[i].name == name) {
                Node *member = make(parser, NODE_MEMBER, OP_NONE, type.structure->members[i].type,
                                    place, node, NULL, NULL);
                member->number = (double)i;
                return member;
            }
    } else if (type_is_number(type)) {
        const bool matrix = type_is_matrix(type);
        Node *part = make(parser, matrix ? NODE_ELEMENTS : NODE_SWIZZLE, OP_NONE, type, place, node,
                          NULL, NULL);
        if (matrix ? read_elements(part, name, type) : read_swizzle(part, name, type.columns)) {
            part->type = type_vector((EffectBase)type.base, part->component_count);
            return part;
        }
    }
    parser_fail(parser, place, "%s has no member '%s'", type_name(type, parser->arena), name);
    return node;
}

/* The number in brackets, after the first one. */
static Node *parse_index_value(Parser *parser)
{
    Node *index = parse_expression_in_brackets(parser);
    parser_expect(parser, "]");
    return convert_implicitly(parser, index, TYPE_INT);
}

static Node *parse_index(Parser *parser, Node *node, Place place)
{
    const Type type = node->type;
    Node *index = parse_index_value(parser);
    if (!type.elements && !(type_is_number(type) && type_components(type) > 1)) {
        parser_fail(parser, place, "%s has no elements", type_name(type, parser->arena));
        return node;
    }
    if (type.inner) { /* an array of arrays is one array: a[i][j] is a[i * inner + j] */
        if (!parser_accept(parser, "["))
            parser_fail(parser, place, "a part of %s is not supported",
                        type_name(type, parser->arena));
        Node *inner = node_literal(parser->arena, TYPE_INT, type.inner, place);
        index = make_binary(parser, OP_MUL, index, inner, place);
        index = make_binary(parser, OP_ADD, index, parse_index_value(parser), place);
    }
    return make(parser, NODE_INDEX, OP_NONE, type_element(type), place, node, index, NULL);
}

static Node *parse_postfix(Parser *parser)
{
    Node *node = parse_primary(parser);
    for (;;) {
        const Place place = parser->token->place;
        if (parser_accept(parser, "."))
            node = parse_member(parser, node, place);
        else if (parser_accept(parser, "["))
            node = parse_index(parser, node, place);
        else if (parser_accept(parser, "++"))
            node = make_step(parser, OP_INCREMENT, node, true, place);
        else if (parser_accept(parser, "--"))
            node = make_step(parser, OP_DECREMENT, node, true, place);
        else
            return node;
    }
}

static Node *parse_unary(Parser *parser);

static Node *parse_cast(Parser *parser)
{
    parser_expect(parser, "(");
    Type type = parse_type(parser);
    parse_array(parser, &type, NULL);
    parser_expect(parser, ")");
    return convert_by_cast(parser, parse_unary(parser), type);
}

static Node *parse_unary_inside(Parser *parser)
{
    const Place place = parser->token->place;
    if (parser_accept(parser, "-"))
        return make_unary(parser, OP_NEG, parse_unary(parser), place);
    if (parser_accept(parser, "+"))
        return parse_unary(parser);
    if (parser_accept(parser, "!"))
        return make_unary(parser, OP_NOT, parse_unary(parser), place);
    if (parser_accept(parser, "~"))
        return make_unary(parser, OP_BIT_NOT, parse_unary(parser), place);
    if (parser_accept(parser, "++"))
        return make_step(parser, OP_INCREMENT, parse_unary(parser), false, place);
    if (parser_accept(parser, "--"))
        return make_step(parser, OP_DECREMENT, parse_unary(parser), false, place);
    return parser_at(parser, "(") && at_cast(parser) ? parse_cast(parser) : parse_postfix(parser);
}

static Node *parse_unary(Parser *parser)
{
    Node *node = parser_deepen(parser)
                     ? parse_unary_inside(parser)
                     : node_literal(parser->arena, TYPE_FLOAT, 0, parser->token->place);
    parser_leave(parser);
    return node;
}

/* Operators that bind at least as strongly as `precedence`. */
static Node *parse_binary(Parser *parser, int precedence)
{
    Node *left = parse_unary(parser);
    for (;;) {
        const BinaryOperator *found = NULL;
        const Place place = parser->token->place;
        for (size_t i = 0; i < sizeof BINARY / sizeof *BINARY; i++)
            if (parser_at(parser, BINARY[i].text) && BINARY[i].precedence >= precedence)
                found = &BINARY[i];
        if (!found || (parser->stops_at_greater && (found->op == OP_GT || found->op == OP_GE)))
            return left;
        parser->token++;
        Node *right = parse_binary(parser, found->precedence + 1);
        left = make_binary(parser, found->op, left, right, place);
    }
}

/* A condition of several components chooses each by itself. */
static Node *make_conditional(Parser *parser, Node *condition, Node *a, Node *b, Place place)
{
    if (!type_is_number(condition->type) || type_is_matrix(condition->type))
        parser_fail(parser, place, "a condition is a %s",
                    type_name(condition->type, parser->arena));
    if (type_equal(a->type, b->type) && !type_is_number(a->type)) {
        condition = convert_to_bool(parser, condition);
        return make(parser, NODE_CONDITIONAL, OP_NONE, a->type, place, condition, a, b);
    }
    Type type = convert_common_type(parser, a->type, b->type, place);
    Type choice = TYPE_BOOL;
    if (type_components(condition->type) > 1) {
        const EffectBase base = (EffectBase)type.base;
        type = type_with_base(convert_common_type(parser, type, condition->type, place), base);
        choice = type_with_base(type, EFFECT_BOOL);
    }
    return make(parser, NODE_CONDITIONAL, OP_NONE, type, place,
                convert_implicitly(parser, condition, choice), convert_implicitly(parser, a, type),
                convert_implicitly(parser, b, type));
}

static Node *parse_conditional(Parser *parser)
{
    Node *condition = parse_binary(parser, 0);
    const Place place = parser->token->place;
    if (!parser_accept(parser, "?"))
        return condition;
    Node *a = parse_assignment(parser);
    parser_expect(parser, ":");
    Node *b = parse_assignment(parser);
    return make_conditional(parser, condition, a, b, place);
}

static Node *parse_assignment_inside(Parser *parser)
{
    Node *target = parse_conditional(parser);
    const Place place = parser->token->place;
    if (parser_accept(parser, "=")) {
        Node *value = parse_assignment(parser);
        convert_mark_written(parser, target);
        return make(parser, NODE_ASSIGN, OP_NONE, target->type, place, target,
                    convert_implicitly(parser, value, target->type), NULL);
    }
    for (size_t i = 0; i < sizeof ASSIGNMENTS / sizeof *ASSIGNMENTS; i++) {
        if (!parser_accept(parser, ASSIGNMENTS[i].text))
            continue;
        const Op op = ASSIGNMENTS[i].op;
        Node *value = parse_assignment(parser);
        const Type type = operation_type(parser, op, target->type, value->type, place);
        const Type result = type_with_base(target->type, (EffectBase)type.base);
        convert_mark_written(parser, target);
        if (type_components(type) != type_components(target->type))
            parser_fail(parser, place, "cannot convert %s to %s",
                        type_name(value->type, parser->arena),
                        type_name(target->type, parser->arena));
        Node *node = make(parser, NODE_ASSIGN_OP, op, target->type, place, target,
                          convert_implicitly(parser, value, result), NULL);
        node->operation = (EffectBase)type.base;
        return node;
    }
    return target;
}

Node *parse_assignment(Parser *parser)
{
    Node *node = parser_deepen(parser)
                     ? parse_assignment_inside(parser)
                     : node_literal(parser->arena, TYPE_FLOAT, 0, parser->token->place);
    parser_leave(parser);
    return node;
}

Node *parse_expression(Parser *parser)
{
    Node *node = parse_assignment(parser);
    while (parser_at(parser, ",")) {
        const Place place = (parser->token++)->place;
        Node *next = parse_assignment(parser);
        node = make(parser, NODE_COMMA, OP_NONE, next->type, place, node, next, NULL);
    }
    return node;
}

bool parse_constant(Parser *parser, double *out, const char *what)
{
    Node *node = parse_conditional(parser);
    Value value;
    if (!parser->failed && (!fold(&value, node) || value.count != 1))
        parser_fail(parser, node->place, "%s is not a constant number", what);
    *out = parser->failed ? 0 : value.numbers[0];
    return !parser->failed;
}

/* ---- initializers: the expressions in all braces, in order, are spread over the type ---- */

typedef struct Leaves {
    ARENA_LIST(Node *) nodes;
    size_t at;
} Leaves;

static void parse_leaves(Parser *parser, Leaves *leaves)
{
    if (!parser_at(parser, "{")) {
        Node *node = parse_assignment(parser);
        if (leaves->nodes.count >= 4 * EFFECT_MAX_ELEMENTS)
            parser_fail(parser, node->place, "more than %d values", 4 * EFFECT_MAX_ELEMENTS);
        *arena_push(parser->arena, &leaves->nodes) = node;
        return;
    }
    if (parser_deepen(parser)) {
        parser_expect(parser, "{");
        while (!parser_at(parser, "}") && !parser_at_end(parser)) {
            parse_leaves(parser, leaves);
            if (!parser_accept(parser, ","))
                break;
        }
        parser_expect(parser, "}");
    }
    parser_leave(parser);
}

static Node *next_leaf(Parser *parser, Leaves *leaves, Place place)
{
    if (leaves->at < leaves->nodes.count)
        return leaves->nodes.items[leaves->at++];
    parser_fail(parser, place, "an initializer has too few values");
    return node_literal(parser->arena, TYPE_FLOAT, 0, place);
}

static Node *take_value(Parser *parser, Type type, Leaves *leaves, Place place)
{
    Node *node = node_create(parser->arena, NODE_CONSTRUCT, type, place);
    Node *leaf = leaves->at < leaves->nodes.count ? leaves->nodes.items[leaves->at] : NULL;
    if (leaf && type_equal(leaf->type, type)) {
        leaves->at++;
        return leaf;
    }
    if (type.elements) {
        Node **last = &node->first;
        for (uint32_t i = 0; i < type.elements && !parser->failed; i++) {
            *last = take_value(parser, type_element(type), leaves, place);
            node->depth =
                (*last)->depth >= node->depth ? (uint16_t)((*last)->depth + 1) : node->depth;
            last = &(*last)->next;
        }
    } else if (type.base == EFFECT_STRUCT) {
        for (size_t i = 0; i < type.structure->member_count && !parser->failed; i++)
            node_append(node, take_value(parser, type.structure->members[i].type, leaves, place));
    } else if (!type_is_number(type)) {
        parser_fail(parser, place, "%s has no initial value", type_name(type, parser->arena));
    } else {
        unsigned missing = type_components(type);
        while (missing && !parser->failed) {
            leaf = next_leaf(parser, leaves, place);
            const unsigned components = type_components(leaf->type);
            if (!type_is_number(leaf->type) || components > missing ||
                (type_is_matrix(leaf->type) && components != type_components(type))) {
                parser_fail(parser, leaf->place, "cannot convert %s to a part of %s",
                            type_name(leaf->type, parser->arena), type_name(type, parser->arena));
                break;
            }
            missing -= components;
            leaf =
                convert_implicitly(parser, leaf, type_with_base(leaf->type, (EffectBase)type.base));
            if (components == type_components(type))
                return convert_by_cast(parser, leaf, type);
            node_append(node, leaf);
        }
    }
    return node;
}

Node *parse_initializer(Parser *parser, Type *type, bool is_open)
{
    const Place place = parser->token->place;
    if (!parser_at(parser, "{"))
        return convert_implicitly(parser, parse_assignment(parser), *type);
    Leaves leaves = {0};
    parse_leaves(parser, &leaves);
    if (is_open) {
        uint64_t components = 0;
        for (size_t i = 0; i < leaves.nodes.count; i++)
            components += type_size(leaves.nodes.items[i]->type);
        const uint32_t size = type_size(*type);
        const uint64_t elements = size ? components / size : 0;
        if (!elements || elements > EFFECT_MAX_ELEMENTS)
            parser_fail(parser, place, "an array without elements");
        else
            type->elements = (uint32_t)elements;
    }
    Node *node = take_value(parser, *type, &leaves, place);
    if (leaves.at < leaves.nodes.count)
        parser_fail(parser, place, "an initializer has too many values");
    return node;
}
