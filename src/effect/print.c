// SPDX-License-Identifier: MIT
#include "effect/print.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "effect/fold.h"
#include "effect/intrinsics.h"
#include "effect/number.h"

/* ---- text ---- */

static void append(Printer *p, Text *text, const char *part, size_t size)
{
    if (p->parser->failed)
        return;
    p->size += size;
    if (p->size > p->limit) {
        parser_fail(p->parser, (Place){.line = 1}, "the shaders in GLSL are longer than %d bytes",
                    EFFECT_MAX_OUTPUT);
        return;
    }
    while (text->count + size + 1 > text->capacity)
        text->items = arena_grow(p->parser->arena, text->items, text->count, &text->capacity, 1);
    memcpy(text->items + text->count, part, size);
    text->count += size;
    text->items[text->count] = '\0';
}

void print(Printer *p, const char *format, ...)
{
    char buffer[256];
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    const int size = vsnprintf(buffer, sizeof buffer, format, args);
    if (size >= (int)sizeof buffer)
        append(p, p->out, arena_vprintf(p->parser->arena, format, again), (size_t)size);
    else
        append(p, p->out, buffer, (size_t)size);
    va_end(again);
    va_end(args);
}

/* ---- names ---- */

/* A letter, a number and the name in characters of GLSL, without two '_' in a row. */
static const char *make_name(Printer *p, char kind, unsigned index, const char *name)
{
    enum { MAX_NAME = 64 };
    char *out = arena_printf(p->parser->arena, "%c%u_%.*s", kind, index, MAX_NAME, name);
    for (char *at = strchr(out, '_') + 1; *at; at++)
        if ((uint8_t)*at >= 0x80 || (*at == '_' && at[-1] == '_'))
            *at = 'x';
    return out;
}

const char *print_parameter_name(Printer *p, const Variable *variable)
{
    return make_name(p, 'u', variable->index, variable->name);
}

const char *print_variable_name(Printer *p, const Variable *variable)
{
    switch (variable->kind) {
    case VARIABLE_PARAMETER:
        if (variable->is_written)
            return make_name(p, 'w', variable->index, variable->name);
        return print_parameter_name(p, variable);
    case VARIABLE_STATIC:
        return make_name(p, 'g', variable->index, variable->name);
    case VARIABLE_LOCAL:
    case VARIABLE_ARGUMENT:
        break;
    }
    return make_name(p, 'v', variable->index, variable->name);
}

const char *print_function_name(Printer *p, const Function *function)
{
    return make_name(p, 'f', function->index, function->name);
}

const char *print_member_name(Printer *p, const Struct *structure, size_t member)
{
    return make_name(p, 'm', (unsigned)member, structure->members[member].name);
}

static void print_struct(Printer *p, Struct *structure)
{
    Text *const out = p->out;
    structure->stamp = p->stamp;
    for (size_t i = 0; i < structure->member_count; i++)
        print_type(p, structure->members[i].type); /* structs of members come first */
    p->out = &p->structs;
    print(p, "struct %s {\n", make_name(p, 's', structure->index, structure->name));
    for (size_t i = 0; i < structure->member_count; i++)
        print(p, "    %s %s%s;\n", print_type(p, structure->members[i].type),
              print_member_name(p, structure, i), print_array(p, structure->members[i].type));
    print(p, "};\n\n");
    p->out = out;
}

const char *print_type(Printer *p, Type type)
{
    static const char *const SCALARS[] = {"void", "bool", "int", "float"};
    static const char *const VECTORS[] = {"", "bvec", "ivec", "vec"};
    Arena *arena = p->parser->arena;
    if (type.base == EFFECT_STRUCT) {
        if (type.structure->stamp != p->stamp)
            print_struct(p, type.structure);
        return make_name(p, 's', type.structure->index, type.structure->name);
    }
    if (type.base == EFFECT_SAMPLER)
        return type.dimension == EFFECT_CUBE ? "samplerCube"
               : type.dimension == EFFECT_3D ? "sampler3D"
                                             : "sampler2D";
    if (type.rows > 1)
        return arena_printf(arena, "mat%ux%u", type.rows, type.columns);
    if (type.columns > 1)
        return arena_printf(arena, "%s%u", VECTORS[type.base], type.columns);
    return SCALARS[type.base];
}

const char *print_array(Printer *p, Type type)
{
    return type.elements ? arena_printf(p->parser->arena, "[%u]", type.elements) : "";
}

/* ---- what a shader reaches ---- */

static void reach_variable(Printer *p, Variable *variable)
{
    if (variable->kind > VARIABLE_STATIC || variable->stamp == p->stamp)
        return;
    variable->stamp = p->stamp;
    if (variable->kind == VARIABLE_STATIC && variable->value)
        print_reach_node(p, variable->value);
    *arena_push(p->parser->arena, &p->globals) = variable;
}

void print_reach_node(Printer *p, const Node *node)
{
    p->operations++;
    if (node->kind == NODE_VARIABLE)
        reach_variable(p, node->variable);
    else if (node->kind == NODE_CALL)
        print_reach_function(p, node->function);
    for (const Node *at = node->first; at; at = at->next)
        print_reach_node(p, at);
}

static void reach_statements(Printer *p, const Statement *statement)
{
    for (; statement; statement = statement->next) {
        if (statement->value)
            print_reach_node(p, statement->value);
        if (statement->step)
            print_reach_node(p, statement->step);
        if (statement->variable && statement->variable->value)
            print_reach_node(p, statement->variable->value);
        reach_statements(p, statement->initial);
        reach_statements(p, statement->body);
        reach_statements(p, statement->otherwise);
    }
}

/* The compiler of GLSL copies a function into every call of it. */
static void add_operations(Printer *p, const Function *function)
{
    p->operations += function->operations;
    if (p->operations > EFFECT_MAX_OPERATIONS)
        parser_fail(p->parser, function->place,
                    "with the functions that it calls, a shader has more than %d operations",
                    EFFECT_MAX_OPERATIONS);
}

/* Its body, and what that calls. */
static void reach_body(Printer *p, Function *function)
{
    const unsigned before = p->operations;
    p->operations = 0;
    function->is_walked = true;
    p->depth++;
    reach_statements(p, function->body);
    p->depth--;
    function->is_walked = false;
    function->operations = p->operations;
    p->operations = before;
}

void print_reach_function(Printer *p, Function *function)
{
    if (p->parser->failed)
        return;
    if (function->is_walked || p->depth == EFFECT_MAX_DEPTH) {
        parser_fail(p->parser, function->place,
                    function->is_walked ? "function '%s' calls itself"
                                        : "function '%s' is called through too many others",
                    function->name);
        return;
    }
    if (function->stamp == p->stamp) {
        add_operations(p, function);
        return;
    }
    if (!function->body) {
        parser_fail(p->parser, function->place, "function '%s' has no body", function->name);
        return;
    }
    function->stamp = p->stamp;
    reach_body(p, function);
    add_operations(p, function);
    *arena_push(p->parser->arena, &p->order) = function;
}

/* ---- helpers ---- */

/* Adds the text of a function that GLSL lacks, for one type, once. */
static void use_helper(Printer *p, const char *helper, Type type)
{
    const bool scalar = type_is_scalar(type);
    const char *bar = strchr(helper, '@');
    const char *end = bar && scalar ? bar : helper + strlen(helper);
    const char *name = print_type(p, type);
    const char *bools = print_type(p, type_with_base(type, EFFECT_BOOL));
    const char *ints = print_type(p, type_with_base(type, EFFECT_INT));
    char *text = arena_strdup(p->parser->arena, "");
    for (const char *at = bar && !scalar ? bar + 1 : helper; at < end;) {
        const size_t size = strcspn(at, "$");
        const int part = (int)(at + size < end ? size : (size_t)(end - at));
        at += part;
        const char *word = "";
        if (at < end) {
            word = at[1] == 'B' ? bools : at[1] == 'I' ? ints : name;
            at += 2;
        }
        text = arena_printf(p->parser->arena, "%s%.*s%s", text, part, at - part - (*word ? 2 : 0),
                            word);
    }
    if (text_find(TEXT_WORDS(p->helper_texts.items, p->helper_texts.count), text) >= 0)
        return;
    *arena_push(p->parser->arena, &p->helper_texts) = text;
    append(p, &p->helpers, text, strlen(text));
    append(p, &p->helpers, "\n\n", 2);
}

/* ---- values ---- */

static void print_number(Printer *p, unsigned base, double number)
{
    if (base == EFFECT_BOOL) {
        print(p, number != 0 ? "true" : "false");
    } else if (base == EFFECT_INT) {
        /* Larger ones are unsigned in HLSL; both have the same bits. */
        const int32_t value = (int32_t)number_bits(number);
        if (value == INT32_MIN)
            print(p, "(-2147483647 - 1)");
        else
            print(p, value < 0 ? "(%d)" : "%d", value);
    } else {
        char text[32];
        const float value = (float)fmin(fmax(number, -0x1.fffffep127), 0x1.fffffep127);
        snprintf(text, sizeof text, "%.9g", (double)value);
        if (!strpbrk(text, ".e"))
            strcat(text, ".0");
        print(p, signbit(value) ? "(%s)" : "%s", text);
    }
}

static void print_constant(Printer *p, Type type, const double **numbers)
{
    if (type_is_scalar(type)) {
        print_number(p, type.base, *(*numbers)++);
        return;
    }
    print(p, "%s%s(", print_type(p, type), print_array(p, type));
    uint32_t count = type.elements ? type.elements : type_components(type);
    if (type.base == EFFECT_STRUCT && !type.elements)
        count = (uint32_t)type.structure->member_count;
    for (uint32_t i = 0; i < count && !p->parser->failed; i++) {
        const Type part = type.elements                ? type_element(type)
                          : type.base == EFFECT_STRUCT ? type.structure->members[i].type
                                                       : type_vector((EffectBase)type.base, 1);
        print(p, i ? ", " : "");
        print_constant(p, part, numbers);
    }
    print(p, ")");
}

void print_constants(Printer *p, Type type, const double *numbers)
{
    print_constant(p, type, &numbers);
}

void print_zero(Printer *p, Type type)
{
    const bool is_float = type.base == EFFECT_FLOAT || type.rows > 1;
    const char *zero = is_float ? "0.0" : type.base == EFFECT_BOOL ? "false" : "0";
    if (type.elements || type.base == EFFECT_STRUCT) {
        const uint32_t count =
            type.elements ? type.elements : (uint32_t)type.structure->member_count;
        print(p, "%s%s(", print_type(p, type), print_array(p, type));
        for (uint32_t i = 0; i < count && !p->parser->failed; i++) {
            print(p, i ? ", " : "");
            print_zero(p, type.elements ? type_element(type) : type.structure->members[i].type);
        }
        print(p, ")");
    } else if (type_is_scalar(type)) {
        print(p, "%s", zero);
    } else {
        print(p, "%s(%s)", print_type(p, type), zero);
    }
}

/* ---- operators ---- */

static const char *const OPERATORS[] = {
    [OP_ADD] = "+",     [OP_SUB] = "-",        [OP_MUL] = "*",       [OP_DIV] = "/",
    [OP_MOD] = "%",     [OP_SHL] = "<<",       [OP_SHR] = ">>",      [OP_LT] = "<",
    [OP_GT] = ">",      [OP_LE] = "<=",        [OP_GE] = ">=",       [OP_EQ] = "==",
    [OP_NE] = "!=",     [OP_AND] = "&&",       [OP_OR] = "||",       [OP_BIT_AND] = "&",
    [OP_BIT_OR] = "|",  [OP_BIT_XOR] = "^",    [OP_NEG] = "-",       [OP_NOT] = "!",
    [OP_BIT_NOT] = "~", [OP_INCREMENT] = "++", [OP_DECREMENT] = "--"};

/* Of vectors, component by component. */
static const char *const VECTOR_FUNCTIONS[OP_DECREMENT + 1] = {
    [OP_LT] = "lessThan",         [OP_GT] = "greaterThan", [OP_LE] = "lessThanEqual",
    [OP_GE] = "greaterThanEqual", [OP_EQ] = "equal",       [OP_NE] = "notEqual",
    [OP_AND] = "hlsl_and",        [OP_OR] = "hlsl_or"};

static const char *const AND_HELPER = "$B hlsl_and($B a, $B b) { return a && b; }@"
                                      "$B hlsl_and($B a, $B b) { return $B($I(a) & $I(b)); }";
static const char *const OR_HELPER = "$B hlsl_or($B a, $B b) { return a || b; }@"
                                     "$B hlsl_or($B a, $B b) { return $B($I(a) | $I(b)); }";

/* In Direct3D 9 a quotient is a product with the reciprocal, and 0 times anything is 0. */
static const char *const DIVISOR_HELPER =
    "$T hlsl_divisor($T x) { return x == 0.0 ? 1.17549435e-38 : x; }@"
    "$T hlsl_divisor($T x) { return mix(x, $T(1.17549435e-38), equal(x, $T(0.0))); }";

static const char *const SELECT_HELPER =
    "$T hlsl_select($B c, $T a, $T b) { return $T($I(c) * $I(a) + (1 - $I(c)) * $I(b)); }";

static bool has_effects(const Node *node)
{
    if (node->kind == NODE_ASSIGN || node->kind == NODE_ASSIGN_OP || node->kind == NODE_STEP ||
        node->kind == NODE_CALL)
        return true;
    for (const Node *at = node->first; at; at = at->next)
        if (has_effects(at))
            return true;
    return false;
}

static void print_pair(Printer *p, const char *function, const Node *a, const Node *b)
{
    print(p, "%s(", function);
    print_node(p, a);
    print(p, ", ");
    print_node(p, b);
    print(p, ")");
}

static void print_divisor(Printer *p, const Node *node)
{
    Value value;
    bool is_safe = fold(&value, node) && !type_is_matrix(node->type);
    for (unsigned i = 0; is_safe && i < value.count; i++)
        is_safe = value.numbers[i] != 0;
    if (is_safe || type_is_matrix(node->type) || node->type.base != EFFECT_FLOAT) {
        print_node(p, node);
        return;
    }
    use_helper(p, DIVISOR_HELPER, node->type);
    print(p, "hlsl_divisor(");
    print_node(p, node);
    print(p, ")");
}

static void print_binary(Printer *p, Op op, const Node *a, const Node *b)
{
    const Type type = a->type;
    const bool vector = type_is_vector(type);
    if (op == OP_MUL && type_is_matrix(type)) {
        print_pair(p, "matrixCompMult", a, b);
    } else if (op == OP_MOD && type.base == EFFECT_FLOAT) {
        const Intrinsic *intrinsic = intrinsic_find("fmod", 2);
        use_helper(p, intrinsic->helper, type);
        print_pair(p, intrinsic->glsl, a, b);
    } else if ((op == OP_AND || op == OP_OR) && (vector || has_effects(b))) {
        /* HLSL evaluates both operands */
        use_helper(p, op == OP_AND ? AND_HELPER : OR_HELPER, type);
        print_pair(p, VECTOR_FUNCTIONS[op], a, b);
    } else if (vector && VECTOR_FUNCTIONS[op]) {
        print_pair(p, VECTOR_FUNCTIONS[op], a, b);
    } else {
        print(p, "(");
        print_node(p, a);
        print(p, " %s ", OPERATORS[op]);
        if (op == OP_DIV)
            print_divisor(p, b);
        else
            print_node(p, b);
        print(p, ")");
    }
}

static void print_target(Printer *p, const Node *node)
{
    p->is_target = true;
    print_node(p, node);
    p->is_target = false;
}

/* Whether it is elements of a matrix that are not components of one column of GLSL. */
static bool has_several_rows(const Node *node)
{
    bool one_row = node->kind == NODE_ELEMENTS;
    for (unsigned i = 1; i < node->component_count; i++)
        one_row &= node->components[i] / 4 == node->components[0] / 4;
    return node->kind == NODE_ELEMENTS && !one_row;
}

/* The name of a function that sets elements of a matrix, and returns their values. */
static const char *use_setter(Printer *p, const Node *elements)
{
    Arena *arena = p->parser->arena;
    const char *name = "hlsl_set", *body = "";
    for (unsigned i = 0; i < elements->component_count; i++) {
        const unsigned row = elements->components[i] / 4, column = elements->components[i] % 4;
        name = arena_printf(arena, "%s_%u%u", name, row, column);
        body = arena_printf(arena, "%s m[%u][%u] = v.%c;", body, row, column, "xyzw"[i]);
    }
    const char *type = print_type(p, elements->type);
    use_helper(p,
               arena_printf(arena, "%s %s(inout %s m, %s v) {%s return v; }", type, name,
                            print_type(p, elements->first->type), type, body),
               TYPE_FLOAT);
    return name;
}

static void print_assign(Printer *p, const Node *target, const Node *value, const char *open,
                         const char *close)
{
    if (has_several_rows(target)) {
        print(p, "%s(", use_setter(p, target));
        print_target(p, target->first);
        print(p, ", ");
        print_node(p, value);
        print(p, ")");
        return;
    }
    print(p, "%s", open);
    print_target(p, target);
    print(p, " = ");
    print_node(p, value);
    print(p, "%s", close);
}

/* a op= b, in the types of both where GLSL has it; else a = a op b. */
static void print_assign_op(Printer *p, const Node *node, const char *open, const char *close)
{
    const Node *target = node->first, *value = target->next;
    const Op op = (Op)node->op;
    Arena *arena = p->parser->arena;
    const bool same_base = target->type.base == value->type.base;
    if (same_base && !(op == OP_MUL && type_is_matrix(target->type)) &&
        !(op == OP_MOD && target->type.base == EFFECT_FLOAT) && op != OP_AND && op != OP_OR &&
        !has_several_rows(target)) {
        print(p, "%s", open);
        print_target(p, target);
        print(p, " %s= ", OPERATORS[op]);
        if (op == OP_DIV)
            print_divisor(p, value);
        else
            print_node(p, value);
        print(p, "%s", close);
        return;
    }
    Node *a = arena_copy(arena, target, sizeof *a), *b = arena_copy(arena, value, sizeof *b);
    a->next = b->next = NULL;
    Node *left = a;
    if (!same_base) {
        left = node_create(arena, NODE_CONVERT, value->type, node->place);
        node_append(left, a);
    }
    Node *operation = node_create(arena, NODE_BINARY, value->type, node->place);
    operation->op = (uint8_t)op;
    node_append(operation, left);
    node_append(operation, b);
    Node *result = node_create(arena, NODE_CONVERT, target->type, node->place);
    node_append(result, operation);
    print_assign(p, target, same_base ? operation : result, open, close);
}

static void print_conditional(Printer *p, const Node *node)
{
    const Node *condition = node->first, *a = condition->next, *b = a->next;
    if (type_is_scalar(condition->type)) {
        print(p, "(");
        print_node(p, condition);
        print(p, " ? ");
        print_node(p, a);
        print(p, " : ");
        print_node(p, b);
        print(p, ")");
        return;
    }
    const bool mixes = node->type.base == EFFECT_FLOAT; /* GLSL 330 mixes floats only */
    if (!mixes)
        use_helper(p, SELECT_HELPER, node->type);
    print(p, mixes ? "mix(" : "hlsl_select(");
    print_node(p, mixes ? b : condition);
    print(p, ", ");
    print_node(p, a);
    print(p, ", ");
    print_node(p, mixes ? condition : b);
    print(p, ")");
}

/* ---- conversions ---- */

static void print_call_of(Printer *p, const char *function, const Node *node)
{
    print(p, "%s(", function);
    print_node(p, node);
    print(p, ")");
}

static void print_convert(Printer *p, const Node *node)
{
    const Node *from = node->first;
    const Type to = node->type;
    if (type_is_matrix(to) && from->type.rows == to.rows && from->type.columns == to.columns) {
        print_node(p, from); /* matrices of integers are of floats in GLSL */
    } else if (type_is_matrix(to) && type_is_scalar(from->type)) {
        print(p, "(%s(", print_type(p, to)); /* a matrix of one number is diagonal in GLSL */
        for (unsigned i = 0; i < to.rows; i++)
            print(p, "%svec%u(1.0)", i ? ", " : "", to.columns);
        print(p, ") * float(");
        print_node(p, from);
        print(p, "))");
    } else if (type_is_matrix(from->type) && type_is_scalar(to)) {
        print(p, "%s(", print_type(p, to));
        print_node(p, from);
        print(p, "[0][0])");
    } else {
        print_call_of(p, print_type(p, to), from);
    }
}

static void print_construct(Printer *p, const Node *node)
{
    print(p, "%s%s(", print_type(p, node->type), print_array(p, node->type));
    for (const Node *at = node->first; at && !p->parser->failed; at = at->next) {
        print(p, at == node->first ? "" : ", ");
        print_node(p, at);
    }
    print(p, ")");
}

/* ---- parts ---- */

static void print_swizzle(Printer *p, const Node *node)
{
    const Node *from = node->first;
    if (type_is_scalar(from->type)) {
        if (node->component_count == 1)
            print_node(p, from);
        else
            print_call_of(p, print_type(p, node->type), from);
        return;
    }
    print_node(p, from);
    print(p, ".");
    for (unsigned i = 0; i < node->component_count; i++)
        print(p, "%c", "xyzw"[node->components[i]]);
}

/* Elements of one row are components of a column of GLSL; others are put together. */
static void print_elements(Printer *p, const Node *node)
{
    const uint8_t *at = node->components;
    if (!has_several_rows(node)) {
        print_node(p, node->first);
        print(p, "[%d].", at[0] / 4);
        for (unsigned i = 0; i < node->component_count; i++)
            print(p, "%c", "xyzw"[at[i] % 4]);
        return;
    }
    if (p->is_target) {
        parser_fail(p->parser, node->place,
                    "++ and -- of matrix elements of several rows are not supported");
        return;
    }
    print(p, "%s(", print_type(p, node->type));
    for (unsigned i = 0; i < node->component_count; i++) {
        print(p, i ? ", " : "");
        print_node(p, node->first);
        print(p, "[%d][%d]", at[i] / 4, at[i] % 4);
    }
    print(p, ")");
}

static void print_index(Printer *p, const Node *node)
{
    const Node *array = node->first, *index = array->next;
    const Type type = array->type;
    const unsigned count = type.elements ? type.elements : type.rows > 1 ? type.rows : type.columns;
    Value value;
    print_node(p, array);
    if (fold(&value, index)) {
        const double at = fmin(fmax(value.numbers[0], 0), count - 1);
        print(p, "[%d]", (int)at);
        return;
    }
    print(p, "[clamp(");
    const bool is_target = p->is_target;
    p->is_target = false;
    print_node(p, index);
    p->is_target = is_target;
    print(p, ", 0, %u)]", count - 1);
}

/* ---- calls ---- */

static void print_arguments(Printer *p, const Node *first)
{
    print(p, "(");
    for (const Node *at = first; at && !p->parser->failed; at = at->next) {
        print(p, at == first ? "" : ", ");
        print_node(p, at);
    }
    print(p, ")");
}

static bool converts_output(const Function *function, size_t i, const Node *argument)
{
    return function->arguments[i]->is_out &&
           !type_equal(function->arguments[i]->type, argument->type);
}

/* A function with the types of the arguments, which converts those that are outputs. */
static const char *print_wrapper(Printer *p, const Node *call)
{
    const Function *function = call->function;
    const char *name = print_function_name(p, function);
    Text *const out = p->out, text = {0};
    Text wrapper = text;
    p->out = &wrapper;
    print(p, "%s w%s(", print_type(p, function->type), name);
    size_t i = 0;
    for (const Node *at = call->first; at; at = at->next, i++) {
        const Variable *parameter = function->arguments[i];
        const Type type = parameter->is_out ? at->type : parameter->type;
        print(p, "%s%s%s a%zu%s", i ? ", " : "",
              parameter->is_out ? (parameter->is_in ? "inout " : "out ") : "", print_type(p, type),
              i, print_array(p, type));
    }
    print(p, ")\n{\n");
    i = 0;
    for (const Node *at = call->first; at; at = at->next, i++) {
        const Type type = function->arguments[i]->type;
        if (!converts_output(function, i, at))
            continue;
        print(p, "    %s b%zu = ", print_type(p, type), i);
        if (function->arguments[i]->is_in)
            print(p, "%s(a%zu)", print_type(p, type), i);
        else
            print_zero(p, type);
        print(p, ";\n");
    }
    const bool is_void = function->type.base == EFFECT_VOID;
    print(p, "    ");
    if (!is_void)
        print(p, "%s result%s = ", print_type(p, function->type), print_array(p, function->type));
    print(p, "%s(", name);
    i = 0;
    for (const Node *at = call->first; at; at = at->next, i++)
        print(p, "%s%c%zu", i ? ", " : "", converts_output(function, i, at) ? 'b' : 'a', i);
    print(p, ");\n");
    i = 0;
    for (const Node *at = call->first; at; at = at->next, i++)
        if (converts_output(function, i, at))
            print(p, "    a%zu = %s(b%zu);\n", i, print_type(p, at->type), i);
    print(p, is_void ? "}\n\n" : "    return result;\n}\n\n");
    p->out = out;
    for (i = 0; i < p->helper_texts.count; i++)
        if (wrapper.items && !strcmp(p->helper_texts.items[i], wrapper.items))
            return arena_printf(p->parser->arena, "w%s", name);
    if (wrapper.items) {
        *arena_push(p->parser->arena, &p->helper_texts) = wrapper.items;
        append(p, &p->functions, wrapper.items, wrapper.count);
    }
    return arena_printf(p->parser->arena, "w%s", name);
}

static void print_call(Printer *p, const Node *node)
{
    bool converts = false;
    size_t i = 0;
    for (const Node *at = node->first; at; at = at->next, i++) {
        converts |= converts_output(node->function, i, at);
        if (converts_output(node->function, i, at) &&
            type_distance(node->function->arguments[i]->type, at->type) < 0)
            parser_fail(p->parser, at->place, "cannot convert the output '%s' from %s to %s",
                        node->function->arguments[i]->name,
                        type_name(node->function->arguments[i]->type, p->parser->arena),
                        type_name(at->type, p->parser->arena));
    }
    print(p, "%s", converts ? print_wrapper(p, node) : print_function_name(p, node->function));
    print_arguments(p, node->first);
}

/* Vertex shaders have no derivatives: they read the first level of a texture. */
static void print_lookup(Printer *p, const Node *node)
{
    static const char *const COORDINATES[] = {"", "vec2(c.x, 0.5)", "c.xy", "c.xyz", "c.xyz"};
    static const char *const ARGUMENTS[] = {"", "float c", "vec2 c", "vec3 c", "vec3 c"};
    static const char *const SIMPLE[] = {"", "vec2(c, 0.5)", "c", "c", "c"};
    static const char *const NAMES[] = {"", "bias", "lod", "proj", "grad"};
    const Intrinsic *intrinsic = node->intrinsic;
    const Type sampler = {.base = EFFECT_SAMPLER, .dimension = (uint8_t)intrinsic->dimension};
    const char *type = print_type(p, sampler);
    const unsigned d = intrinsic->dimension;
    const char *c = COORDINATES[d], *lookup = "", *argument = ARGUMENTS[d], *more = "";
    const char *function = p->is_fragment ? "texture" : "textureLod";
    switch (intrinsic->lookup) {
    case LOOKUP_PLAIN:
        c = SIMPLE[d];
        lookup = p->is_fragment ? "" : ", 0.0";
        break;
    case LOOKUP_BIAS:
        argument = "vec4 c";
        lookup = p->is_fragment ? ", c.w" : ", 0.0";
        break;
    case LOOKUP_LOD:
        function = "textureLod";
        argument = "vec4 c";
        lookup = ", c.w";
        break;
    case LOOKUP_PROJ:
        argument = "vec4 c";
        c = arena_printf(p->parser->arena, "%s / c.w", d == EFFECT_1D ? "vec2(c.x, 0.5 * c.w)" : c);
        lookup = p->is_fragment ? "" : ", 0.0";
        break;
    case LOOKUP_GRAD:
        function = "textureGrad";
        c = SIMPLE[d];
        more = d == EFFECT_1D   ? ", float x, float y"
               : d == EFFECT_2D ? ", vec2 x, vec2 y"
                                : ", vec3 x, vec3 y";
        lookup = d == EFFECT_1D ? ", vec2(x, 0.0), vec2(y, 0.0)" : ", x, y";
        break;
    }
    const char *name = arena_printf(p->parser->arena, "hlsl_tex%u%s", d, NAMES[intrinsic->lookup]);
    use_helper(p,
               arena_printf(p->parser->arena, "vec4 %s(%s s, %s%s) { return %s(s, %s%s); }", name,
                            type, argument, more, function, c, lookup),
               TYPE_FLOAT);
    print(p, "%s", name);
    print_arguments(p, node->first);
}

/*
 * Matrices hold their rows as columns of GLSL, so that GLSL's M * v is HLSL's mul(v, M), and the
 * operands of a product change places.
 */
static void print_multiply(Printer *p, const Node *node)
{
    const Node *a = node->first, *b = a->next;
    if (a->type.rows == 1 && b->type.rows == 1 && type_is_vector(a->type) &&
        type_is_scalar(node->type)) {
        print_pair(p, "dot", a, b);
    } else if (type_equal(a->type, b->type) && type_equal(a->type, node->type) &&
               !type_is_matrix(a->type)) {
        print_binary(p, OP_MUL, a, b);
    } else if (p->parser->failed) {
        return;
    } else {
        print(p, "(");
        print_node(p, b);
        print(p, " * ");
        print_node(p, a);
        print(p, ")");
    }
}

/* A function that calls the intrinsic for each row of its matrices. */
static void use_rows(Printer *p, const Intrinsic *intrinsic, Type type)
{
    Arena *arena = p->parser->arena;
    const char *name = print_type(p, type), *rows = "", *parameters = "";
    for (unsigned i = 0; i < intrinsic->count; i++)
        parameters = arena_printf(arena, "%s%s%s %c", parameters, i ? ", " : "", name, 'a' + i);
    for (unsigned row = 0; row < type.rows; row++) {
        const char *arguments = "";
        for (unsigned i = 0; i < intrinsic->count; i++)
            arguments = arena_printf(arena, "%s%s%c[%u]", arguments, i ? ", " : "", 'a' + i, row);
        rows = arena_printf(arena, "%s%s%s(%s)", rows, row ? ", " : "", intrinsic->glsl, arguments);
    }
    use_helper(p,
               arena_printf(arena, "%s rows_%s(%s) { return %s(%s); }", name, intrinsic->glsl,
                            parameters, name, rows),
               TYPE_FLOAT);
}

/* A vector, filled up to four components with zeros, as an argument. */
static void print_padded(Printer *p, const Node *node)
{
    print(p, "(vec4(");
    print_node(p, node);
    for (unsigned i = type_components(node->type); i < 4; i++)
        print(p, ", 0.0");
    print(p, "))");
}

static void print_intrinsic(Printer *p, const Node *node)
{
    const Intrinsic *intrinsic = node->intrinsic;
    const Node *first = node->first;
    if (intrinsic->rule == RULE_TEXTURE) {
        print_lookup(p, node);
    } else if (intrinsic->rule == RULE_MULTIPLY) {
        print_multiply(p, node);
    } else if (intrinsic->rule == RULE_TEST && type_is_scalar(first->type)) {
        print_node(p, first);
    } else {
        const bool by_rows = type_is_matrix(first->type) && intrinsic_takes_rows(intrinsic);
        if (intrinsic->helper)
            use_helper(p, intrinsic->helper,
                       by_rows ? type_vector(EFFECT_FLOAT, first->type.columns) : first->type);
        if (by_rows)
            use_rows(p, intrinsic, first->type);
        print(p, "%s%s", by_rows ? "rows_" : "", intrinsic->glsl);
        if (intrinsic->rule == RULE_NOISE)
            print_padded(p, first);
        else
            print_arguments(p, first);
    }
}

void print_node(Printer *p, const Node *node)
{
    const char *open = p->is_bare ? "" : "(", *close = p->is_bare ? "" : ")";
    p->is_bare = false;
    if (p->parser->failed)
        return;
    switch ((NodeKind)node->kind) {
    case NODE_LITERAL:
        print_number(p, node->type.base, node->number);
        break;
    case NODE_VARIABLE:
        print(p, "%s", print_variable_name(p, node->variable));
        break;
    case NODE_UNARY:
        if (node->op == OP_NOT && type_is_vector(node->type)) {
            print_call_of(p, "not", node->first);
        } else {
            print(p, "(%s", OPERATORS[node->op]);
            print_node(p, node->first);
            print(p, ")");
        }
        break;
    case NODE_STEP:
        print(p, "%s%s", open, node->is_postfix ? "" : OPERATORS[node->op]);
        print_target(p, node->first);
        print(p, "%s%s", node->is_postfix ? OPERATORS[node->op] : "", close);
        break;
    case NODE_BINARY:
        print_binary(p, (Op)node->op, node->first, node->first->next);
        break;
    case NODE_ASSIGN:
        print_assign(p, node->first, node->first->next, open, close);
        break;
    case NODE_ASSIGN_OP:
        print_assign_op(p, node, open, close);
        break;
    case NODE_CONDITIONAL:
        print_conditional(p, node);
        break;
    case NODE_COMMA:
        print_pair(p, "", node->first, node->first->next);
        break;
    case NODE_CALL:
        print_call(p, node);
        break;
    case NODE_INTRINSIC:
        print_intrinsic(p, node);
        break;
    case NODE_CONVERT:
        print_convert(p, node);
        break;
    case NODE_CONSTRUCT:
        print_construct(p, node);
        break;
    case NODE_ZERO:
        print_zero(p, node->type);
        break;
    case NODE_SWIZZLE:
        print_swizzle(p, node);
        break;
    case NODE_ELEMENTS:
        print_elements(p, node);
        break;
    case NODE_INDEX:
        print_index(p, node);
        break;
    case NODE_MEMBER:
        print_node(p, node->first);
        print(p, ".%s", print_member_name(p, node->first->type.structure, (size_t)node->number));
        break;
    }
}

/* ---- statements ---- */

static void print_statements(Printer *p, const Statement *statement, unsigned level);

/* An expression as a statement, without brackets around it. */
static void print_bare(Printer *p, const Node *node)
{
    p->is_bare = true;
    print_node(p, node);
}

static void print_line(Printer *p, unsigned level)
{
    print(p, "%*s", (int)(4 * (level < 16 ? level : 16)), "");
}

static void print_block(Printer *p, const Statement *first, unsigned level)
{
    print(p, "{\n");
    print_statements(p, first, level + 1);
    print_line(p, level);
    print(p, "}");
}

/* The body of a statement, which may be a block or not. */
static void print_body(Printer *p, const Statement *body, unsigned level)
{
    print_block(p, body->kind == STATEMENT_BLOCK ? body->body : body, level);
}

static void print_declare(Printer *p, const Variable *variable)
{
    print(p, "%s %s%s = ", print_type(p, variable->type), print_variable_name(p, variable),
          print_array(p, variable->type));
    if (variable->value)
        print_node(p, variable->value);
    else
        print_zero(p, variable->type); /* no invocation sees what another one left */
    print(p, ";\n");
}

static void print_if(Printer *p, const Statement *statement, unsigned level)
{
    print(p, "if (");
    print_node(p, statement->value);
    print(p, ") ");
    print_body(p, statement->body, level);
    if (statement->otherwise) {
        print(p, " else ");
        print_body(p, statement->otherwise, level);
    }
    print(p, "\n");
}

static void print_statement(Printer *p, const Statement *statement, unsigned level)
{
    if (statement->kind == STATEMENT_FOR)
        print_statements(p, statement->initial, level); /* names are unique in a function */
    print_line(p, level);
    switch (statement->kind) {
    case STATEMENT_EXPRESSION:
        print_bare(p, statement->value);
        print(p, ";\n");
        break;
    case STATEMENT_DECLARE:
        print_declare(p, statement->variable);
        break;
    case STATEMENT_BLOCK:
        print_block(p, statement->body, level);
        print(p, "\n");
        break;
    case STATEMENT_IF:
        print_if(p, statement, level);
        break;
    case STATEMENT_FOR:
        print(p, "for (; ");
        if (statement->value)
            print_node(p, statement->value);
        print(p, "; ");
        if (statement->step)
            print_bare(p, statement->step);
        print(p, ") ");
        print_body(p, statement->body, level);
        print(p, "\n");
        break;
    case STATEMENT_WHILE:
        print(p, "while (");
        print_node(p, statement->value);
        print(p, ") ");
        print_body(p, statement->body, level);
        print(p, "\n");
        break;
    case STATEMENT_DO:
        print(p, "do ");
        print_body(p, statement->body, level);
        print(p, " while (");
        print_node(p, statement->value);
        print(p, ");\n");
        break;
    case STATEMENT_SWITCH:
        print(p, "switch (");
        print_node(p, statement->value);
        print(p, ") ");
        print_block(p, statement->body, level);
        print(p, "\n");
        break;
    case STATEMENT_CASE:
        print(p, statement->value ? "case " : "default");
        if (statement->value)
            print_node(p, statement->value);
        print(p, statement->next ? ":\n" : ": break;\n");
        break;
    case STATEMENT_RETURN:
        print(p, "return");
        if (statement->value) {
            print(p, " ");
            print_node(p, statement->value);
        }
        print(p, ";\n");
        break;
    case STATEMENT_BREAK:
        print(p, "break;\n");
        break;
    case STATEMENT_CONTINUE:
        print(p, "continue;\n");
        break;
    case STATEMENT_DISCARD:
        print(p, p->is_fragment ? "discard;\n" : ";\n");
        break;
    }
}

static void print_statements(Printer *p, const Statement *statement, unsigned level)
{
    for (; statement && !p->parser->failed; statement = statement->next)
        print_statement(p, statement, level);
}

static bool ends_with_return(const Statement *statement)
{
    while (statement && statement->next)
        statement = statement->next;
    return statement && statement->kind == STATEMENT_RETURN;
}

void print_function(Printer *p, const Function *function)
{
    Text text = {0};
    p->out = &text; /* wrappers that it needs come before it */
    print(p, "%s%s %s(", print_type(p, function->type), print_array(p, function->type),
          print_function_name(p, function));
    for (size_t i = 0; i < function->argument_count; i++) {
        const Variable *variable = function->arguments[i];
        print(p, "%s%s%s %s%s", i ? ", " : "",
              variable->is_out ? (variable->is_in ? "inout " : "out ") : "",
              print_type(p, variable->type), print_variable_name(p, variable),
              print_array(p, variable->type));
    }
    print(p, ")\n{\n");
    for (size_t i = 0; i < function->argument_count; i++) {
        const Variable *variable = function->arguments[i];
        if (!variable->is_out || variable->is_in)
            continue;
        print(p, "    %s = ", print_variable_name(p, variable));
        print_zero(p, variable->type);
        print(p, ";\n");
    }
    print_statements(p, function->body->body, 1);
    if (function->type.base != EFFECT_VOID && !ends_with_return(function->body->body)) {
        print(p, "    return ");
        print_zero(p, function->type);
        print(p, ";\n");
    }
    print(p, "}\n\n");
    p->out = &p->functions;
    if (text.items)
        append(p, &p->functions, text.items, text.count);
}
