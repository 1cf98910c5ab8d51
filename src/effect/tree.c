// SPDX-License-Identifier: MIT
#include "effect/tree.h"

#include <string.h>

const Type TYPE_VOID = {.base = EFFECT_VOID};
const Type TYPE_BOOL = {.base = EFFECT_BOOL, .rows = 1, .columns = 1};
const Type TYPE_INT = {.base = EFFECT_INT, .rows = 1, .columns = 1};
const Type TYPE_FLOAT = {.base = EFFECT_FLOAT, .rows = 1, .columns = 1};

Type type_vector(EffectBase base, unsigned columns)
{
    return type_matrix(base, 1, columns);
}

Type type_matrix(EffectBase base, unsigned rows, unsigned columns)
{
    return (Type){.base = (uint8_t)base, .rows = (uint8_t)rows, .columns = (uint8_t)columns};
}

Type type_with_base(Type type, EffectBase base)
{
    type.base = (uint8_t)base;
    return type;
}

Type type_element(Type type)
{
    if (type.elements)
        type.elements = type.inner = 0;
    else if (type.rows > 1)
        type.rows = 1;
    else
        type.columns = 1;
    return type;
}

bool type_equal(Type a, Type b)
{
    return a.base == b.base && a.rows == b.rows && a.columns == b.columns &&
           a.elements == b.elements && a.inner == b.inner && a.structure == b.structure;
}

bool type_is_number(Type type)
{
    return !type.elements &&
           (type.base == EFFECT_BOOL || type.base == EFFECT_INT || type.base == EFFECT_FLOAT);
}

bool type_is_scalar(Type type)
{
    return type_is_number(type) && type_components(type) == 1;
}

bool type_is_vector(Type type)
{
    return type_is_number(type) && type.rows == 1 && type.columns > 1;
}

bool type_is_matrix(Type type)
{
    return type_is_number(type) && type.rows > 1;
}

unsigned type_components(Type type)
{
    return (unsigned)type.rows * type.columns;
}

uint32_t type_size(Type type)
{
    uint64_t size = type_components(type);
    if (type.base == EFFECT_STRUCT) {
        size = 0;
        for (size_t i = 0; i < type.structure->member_count; i++)
            size += type_size(type.structure->members[i].type);
    }
    size *= type.elements ? type.elements : 1;
    return size < UINT32_MAX ? (uint32_t)size : UINT32_MAX;
}

const char *type_name(Type type, Arena *arena)
{
    static const char *const BASES[] = {"void",   "bool",    "int",     "float",
                                        "string", "texture", "sampler", "struct"};
    static const char *const DIMENSIONS[] = {"", "1D", "2D", "3D", "CUBE"};
    const char *name = BASES[type.base];
    if (type.base == EFFECT_STRUCT)
        name = type.structure->name;
    else if (type.base == EFFECT_SAMPLER || type.base == EFFECT_TEXTURE)
        name = arena_printf(arena, "%s%s", name, DIMENSIONS[type.dimension]);
    else if (type.rows > 1)
        name = arena_printf(arena, "%s%ux%u", name, type.rows, type.columns);
    else if (type.columns > 1)
        name = arena_printf(arena, "%s%u", name, type.columns);
    if (type.inner)
        return arena_printf(arena, "%s[%u][%u]", name, type.elements / type.inner, type.inner);
    return type.elements ? arena_printf(arena, "%s[%u]", name, type.elements) : name;
}

static int base_distance(EffectBase from, EffectBase to)
{
    if (from == to)
        return 0;
    return from == EFFECT_INT && to == EFFECT_FLOAT ? 1 : 2;
}

int type_distance(Type from, Type to)
{
    enum { SPREAD = 16, TRUNCATE = 64 };
    if (from.base == EFFECT_SAMPLER && to.base == EFFECT_SAMPLER)
        return from.elements == to.elements ? 0 : -1;
    if (!type_is_number(from) || !type_is_number(to))
        return type_equal(from, to) ? 0 : -1;
    const int distance = base_distance(from.base, to.base);
    if (from.rows == to.rows && from.columns == to.columns)
        return distance;
    if (type_is_scalar(from))
        return distance + SPREAD;
    if (to.rows <= from.rows && to.columns <= from.columns &&
        (type_is_scalar(to) || (from.rows > 1) == (to.rows > 1)))
        return distance + TRUNCATE * (int)(type_components(from) - type_components(to));
    return -1;
}

Node *node_create(Arena *arena, NodeKind kind, Type type, Place place)
{
    Node *node = arena_alloc(arena, sizeof *node);
    node->kind = (uint8_t)kind;
    node->type = type;
    node->place = place;
    node->depth = 1;
    return node;
}

void node_append(Node *node, Node *operand)
{
    Node **last = &node->first;
    while (*last)
        last = &(*last)->next;
    *last = operand;
    if (operand->depth >= node->depth)
        node->depth = operand->depth < UINT16_MAX ? (uint16_t)(operand->depth + 1) : UINT16_MAX;
}

Node *node_literal(Arena *arena, Type type, double number, Place place)
{
    Node *node = node_create(arena, NODE_LITERAL, type, place);
    node->number = number;
    return node;
}

Node *node_variable(Arena *arena, Variable *variable, Place place)
{
    Node *node = node_create(arena, NODE_VARIABLE, variable->type, place);
    node->variable = variable;
    return node;
}

Node *node_operand(const Node *node, size_t index)
{
    Node *operand = node->first;
    while (operand && index--)
        operand = operand->next;
    return operand;
}

size_t node_operand_count(const Node *node)
{
    size_t count = 0;
    for (const Node *at = node->first; at; at = at->next)
        count++;
    return count;
}
