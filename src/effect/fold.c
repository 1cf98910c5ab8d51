// SPDX-License-Identifier: MIT
#include "effect/fold.h"

#include <math.h>

#include "effect/intrinsics.h"

static double as_base(double number, unsigned base)
{
    if (base == EFFECT_BOOL)
        return number != 0;
    return base == EFFECT_INT ? trunc(number) : (double)(float)number;
}

/* Integers are of 32 bits, as in the shader. */
static bool fold_operator(double *out, Op op, double a, double b, unsigned base)
{
    const bool is_int = base != EFFECT_FLOAT;
    const bool whole = fabs(a) < 0x1p53 && fabs(b) < 0x1p53;
    const int64_t ia = whole ? (int64_t)a : 0, ib = whole ? (int64_t)b : 0;
    switch (op) {
    case OP_ADD:
        *out = a + b;
        break;
    case OP_SUB:
        *out = a - b;
        break;
    case OP_MUL:
        *out = a * b;
        break;
    case OP_DIV:
        *out = is_int ? trunc(a / b) : a / b;
        return b != 0;
    case OP_MOD:
        *out = fmod(a, b);
        return b != 0;
    case OP_LT:
        *out = a < b;
        break;
    case OP_GT:
        *out = a > b;
        break;
    case OP_LE:
        *out = a <= b;
        break;
    case OP_GE:
        *out = a >= b;
        break;
    case OP_EQ:
        *out = a == b;
        break;
    case OP_NE:
        *out = a != b;
        break;
    case OP_AND:
        *out = a != 0 && b != 0;
        break;
    case OP_OR:
        *out = a != 0 || b != 0;
        break;
    case OP_SHL:
        *out = (double)(int64_t)((uint64_t)ia << (ib & 31));
        return whole;
    case OP_SHR:
        *out = (double)(ia >> (ib & 31));
        return whole;
    case OP_BIT_AND:
        *out = (double)(ia & ib);
        return whole;
    case OP_BIT_OR:
        *out = (double)(ia | ib);
        return whole;
    case OP_BIT_XOR:
        *out = (double)(ia ^ ib);
        return whole;
    default:
        return false;
    }
    return !is_int || fabs(*out) <= 0xFFFFFFFFu;
}

static bool fold_convert(Value *out, const Value *from, Type from_type, Type to)
{
    out->count = type_components(to);
    for (unsigned i = 0; i < out->count; i++) {
        unsigned source = i; /* a vector loses its last components, or changes its shape */
        if (from->count == 1)
            source = 0;
        else if (from->count != out->count && from_type.rows > 1)
            source = i / to.columns * from_type.columns + i % to.columns;
        if (source >= from->count)
            return false;
        out->numbers[i] = as_base(from->numbers[source], to.base);
    }
    return true;
}

static const double *constants_of(const Node *node)
{
    return node->kind == NODE_VARIABLE && !node->variable->is_written ? node->variable->constants
                                                                      : NULL;
}

static bool fold_variable(Value *out, const Node *node)
{
    const double *constants = constants_of(node);
    if (!constants || !type_is_number(node->type))
        return false;
    out->count = type_components(node->type);
    for (unsigned i = 0; i < out->count; i++)
        out->numbers[i] = constants[i];
    return true;
}

/* An element of a constant array, vector or matrix. */
static bool fold_index(Value *out, const Node *node)
{
    Value index, whole;
    const Node *array = node->first;
    const uint32_t size = type_size(node->type);
    if (!fold(&index, node_operand(node, 1)) || !(index.numbers[0] >= 0) || size > FOLD_MAX)
        return false;
    const double at = index.numbers[0] * size;
    out->count = size;
    if (constants_of(array) && at + size <= type_size(array->type)) {
        for (unsigned i = 0; i < size; i++)
            out->numbers[i] = constants_of(array)[(size_t)at + i];
        return true;
    }
    if (array->type.elements || !fold(&whole, array) || at + size > whole.count)
        return false;
    for (unsigned i = 0; i < size; i++)
        out->numbers[i] = whole.numbers[(size_t)at + i];
    return true;
}

static bool fold_intrinsic(Value *out, const Node *node)
{
    Value operands[3] = {{0}};
    size_t count = 0;
    if (!node->intrinsic->fold || node_operand_count(node) > 3)
        return false;
    for (const Node *at = node->first; at; at = at->next)
        if (!fold(&operands[count++], at))
            return false;
    out->count = type_components(node->type);
    for (unsigned i = 0; i < out->count; i++)
        out->numbers[i] = node->intrinsic->fold(operands[0].numbers[i], operands[1].numbers[i],
                                                operands[2].numbers[i]);
    return true;
}

static bool fold_node(Value *out, const Node *node)
{
    Value a, b, c;
    switch ((NodeKind)node->kind) {
    case NODE_LITERAL:
        *out = (Value){.count = 1, .numbers = {node->number}};
        return true;
    case NODE_VARIABLE:
        return fold_variable(out, node);
    case NODE_UNARY:
        if (!fold(out, node->first))
            return false;
        for (unsigned i = 0; i < out->count; i++)
            out->numbers[i] = node->op == OP_NEG   ? -out->numbers[i]
                              : node->op == OP_NOT ? out->numbers[i] == 0
                                                   : -1 - out->numbers[i];
        return true;
    case NODE_BINARY:
        if (!fold(&a, node->first) || !fold(&b, node_operand(node, 1)))
            return false;
        out->count = a.count;
        for (unsigned i = 0; i < a.count; i++)
            if (!fold_operator(&out->numbers[i], (Op)node->op, a.numbers[i], b.numbers[i],
                               node->first->type.base))
                return false;
        return true;
    case NODE_CONDITIONAL:
        if (!fold(&a, node->first) || !fold(&b, node_operand(node, 1)) ||
            !fold(&c, node_operand(node, 2)))
            return false;
        out->count = b.count;
        for (unsigned i = 0; i < b.count; i++)
            out->numbers[i] = a.numbers[a.count == 1 ? 0 : i] != 0 ? b.numbers[i] : c.numbers[i];
        return true;
    case NODE_CONVERT:
        return fold(&a, node->first) && fold_convert(out, &a, node->first->type, node->type);
    case NODE_CONSTRUCT:
        out->count = 0;
        for (const Node *at = node->first; at; at = at->next) {
            if (!fold(&a, at) || out->count + a.count > FOLD_MAX)
                return false;
            for (unsigned i = 0; i < a.count; i++)
                out->numbers[out->count++] = a.numbers[i];
        }
        return out->count == type_components(node->type);
    case NODE_ZERO:
        *out = (Value){.count = type_components(node->type)};
        return true;
    case NODE_SWIZZLE:
    case NODE_ELEMENTS:
        if (!fold(&a, node->first))
            return false;
        out->count = node->component_count;
        for (unsigned i = 0; i < out->count; i++) {
            const unsigned at = node->components[i];
            out->numbers[i] = node->kind == NODE_SWIZZLE
                                  ? a.numbers[at]
                                  : a.numbers[at / 4 * node->first->type.columns + at % 4];
        }
        return true;
    case NODE_INDEX:
        return fold_index(out, node);
    case NODE_INTRINSIC:
        return fold_intrinsic(out, node);
    case NODE_STEP:
    case NODE_ASSIGN:
    case NODE_ASSIGN_OP:
    case NODE_COMMA:
    case NODE_CALL:
    case NODE_MEMBER:
        return false;
    }
    return false;
}

bool fold(Value *out, const Node *node)
{
    if (!type_is_number(node->type) || !fold_node(out, node))
        return false;
    for (unsigned i = 0; i < out->count; i++) {
        out->numbers[i] = as_base(out->numbers[i], node->type.base);
        if (!isfinite(out->numbers[i]))
            return false;
    }
    return true;
}

static bool fold_into(double *numbers, const Node *node)
{
    Value value;
    if (type_is_number(node->type)) {
        if (!fold(&value, node))
            return false;
        for (unsigned i = 0; i < value.count; i++)
            numbers[i] = value.numbers[i];
        return true;
    }
    if (constants_of(node)) {
        for (uint32_t i = 0; i < type_size(node->type); i++)
            numbers[i] = constants_of(node)[i];
        return true;
    }
    if (node->kind != NODE_CONSTRUCT)
        return node->kind == NODE_ZERO;
    for (const Node *at = node->first; at; at = at->next) {
        if (!fold_into(numbers, at))
            return false;
        numbers += type_size(at->type);
    }
    return true;
}

const double *fold_all(const Node *node, Arena *arena)
{
    double *numbers = arena_array(arena, double, type_size(node->type));
    return fold_into(numbers, node) ? numbers : NULL;
}
