// SPDX-License-Identifier: MIT
/*
 * tree.h - the typed tree of an effect: types, variables, functions, expressions, statements
 *
 * The parser makes it (parser.h) and resolves all names, overloads and implicit conversions, so
 * that a printer only writes what is there: both operands of an operator have the type that the
 * operation has, arguments have the types of the parameters, and a NODE_CONVERT stands wherever
 * HLSL converts by itself.  Everything is in one arena.
 */
#pragma once

#include "effect/effect.h"
#include "effect/lexer.h"

typedef struct Struct Struct;

/* A type.  Vectors have one row; a matrix has several rows. */
typedef struct Type {
    uint8_t base; /* EffectBase */
    uint8_t rows, columns;
    uint8_t dimension; /* of a sampler: EffectDimension */
    uint32_t elements; /* of an array, in all; 0: no array */
    uint32_t inner;    /* of an array of arrays: elements of each; else 0 */
    Struct *structure;
} Type;

typedef struct Member {
    const char *name, *semantic; /* "" without one */
    Type type;
} Member;

struct Struct {
    const char *name;
    Member *members;
    size_t member_count;
    unsigned index; /* in the order of the text */
    unsigned stamp; /* of the shader that uses it, last (print.h) */
};

typedef struct Node Node;
typedef struct Function Function;
typedef struct Intrinsic Intrinsic;

typedef enum VariableKind {
    VARIABLE_PARAMETER, /* of the effect: a uniform, a texture, a sampler, a string */
    VARIABLE_STATIC,    /* global, with a value of its own in each invocation */
    VARIABLE_LOCAL,
    VARIABLE_ARGUMENT /* of a function */
} VariableKind;

typedef struct Variable {
    const char *name, *semantic; /* "" without one */
    VariableKind kind;
    Type type;
    Place place;
    bool is_const, is_shared, is_uniform;
    bool is_in, is_out;      /* of an argument */
    bool is_written;         /* somewhere in a function */
    unsigned index;          /* of a parameter or static: in the order of the text; of a local: its
                              * number in its function */
    unsigned stamp;          /* of the shader that uses it, last (print.h) */
    Node *value;             /* initial, or default of an argument; or NULL */
    const double *constants; /* initial value, if it is constant; not the value where is_written */
} Variable;

typedef enum NodeKind {
    NODE_LITERAL,     /* number; a bool is 0 or 1 */
    NODE_VARIABLE,    /* variable */
    NODE_UNARY,       /* op: '-' '!' '~' */
    NODE_STEP,        /* op: OP_INCREMENT, OP_DECREMENT; is_postfix */
    NODE_BINARY,      /* op; both operands have the type of the operation */
    NODE_ASSIGN,      /* target, value, converted to its type */
    NODE_ASSIGN_OP,   /* op, target, value, with the operands' type in `operation` */
    NODE_CONDITIONAL, /* condition, a, b; the condition has as many components, or one */
    NODE_COMMA,       /* a, b */
    NODE_CALL,        /* function; arguments */
    NODE_INTRINSIC,   /* intrinsic; arguments */
    NODE_CONVERT,     /* to the type of the node: other base, or fewer components, or one to all */
    NODE_CONSTRUCT,   /* components from those of the arguments; an array from its elements; a
                       * struct from its members */
    NODE_ZERO,        /* a value of any type, all zeros */
    NODE_SWIZZLE,     /* components of a vector */
    NODE_ELEMENTS,    /* elements of a matrix: components are row * 4 + column */
    NODE_INDEX,       /* array, vector or matrix; index */
    NODE_MEMBER       /* number: its index */
} NodeKind;

typedef enum Op {
    OP_NONE,
    OP_ADD,
    OP_SUB,
    OP_MUL,
    OP_DIV,
    OP_MOD,
    OP_SHL,
    OP_SHR,
    OP_LT,
    OP_GT,
    OP_LE,
    OP_GE,
    OP_EQ,
    OP_NE,
    OP_AND,
    OP_OR,
    OP_BIT_AND,
    OP_BIT_OR,
    OP_BIT_XOR,
    OP_NEG,
    OP_NOT,
    OP_BIT_NOT,
    OP_INCREMENT,
    OP_DECREMENT
} Op;

struct Node {
    uint8_t kind, op;
    bool is_postfix;
    uint8_t component_count, components[4]; /* of a swizzle */
    uint16_t depth;                         /* of the tree below */
    Type type;
    Place place;
    Node *first, *next; /* operands; the next operand of the node above */
    union {
        double number;
        Variable *variable;
        Function *function;
        const Intrinsic *intrinsic;
        EffectBase operation; /* of NODE_ASSIGN_OP: the base in which it is computed */
    };
};

typedef enum StatementKind {
    STATEMENT_EXPRESSION,
    STATEMENT_DECLARE, /* variable */
    STATEMENT_BLOCK,   /* body */
    STATEMENT_IF,      /* value, body, otherwise */
    STATEMENT_FOR,     /* body: its first statements, `initial`; value: condition; step */
    STATEMENT_WHILE,
    STATEMENT_DO,
    STATEMENT_SWITCH, /* body with STATEMENT_CASE */
    STATEMENT_CASE,   /* value, or NULL: default */
    STATEMENT_RETURN, /* value or NULL */
    STATEMENT_BREAK,
    STATEMENT_CONTINUE,
    STATEMENT_DISCARD
} StatementKind;

typedef struct Statement Statement;
struct Statement {
    StatementKind kind;
    Statement *next;
    Node *value, *step;
    Variable *variable;
    Statement *initial, *body, *otherwise;
};

struct Function {
    const char *name, *semantic; /* of the result; "" without one */
    Type type;
    Place place;
    Variable **arguments;
    size_t argument_count, required_count; /* required: without a default */
    Statement *body;                       /* NULL: declared, not defined */
    unsigned index, overload; /* in the order of the text; among those of the same name */
    unsigned local_count;     /* variables of the body */
    unsigned stamp;           /* of the shader that uses it, last (print.h) */
    unsigned operations;      /* of the body and, at each call, of the called function */
    bool is_walked;           /* while its callees are found: a call of it is recursion */
    Function *next;           /* of the same name */
};

/* ---- types ---- */

extern const Type TYPE_VOID, TYPE_BOOL, TYPE_INT, TYPE_FLOAT;

Type type_vector(EffectBase base, unsigned columns); /* 1: a scalar */
Type type_matrix(EffectBase base, unsigned rows, unsigned columns);
Type type_with_base(Type type, EffectBase base);
Type type_element(Type type); /* of an array; of a matrix, its rows; of a vector, its components */

bool type_equal(Type a, Type b);
bool type_is_number(Type type); /* bool, int or float; scalar, vector or matrix, no array */
bool type_is_scalar(Type type);
bool type_is_vector(Type type); /* of 2 to 4 components */
bool type_is_matrix(Type type);
unsigned type_components(Type type);

/* Numbers in all elements and members; saturates at UINT32_MAX. */
uint32_t type_size(Type type);

/* "float4x3", "sampler2D", "VS_OUTPUT", "float[4]" for messages. */
const char *type_name(Type type, Arena *arena);

/*
 * How far an argument of one type is from a parameter of another: 0 the same; more for each of
 * another base, one component for all, and components left out; -1 if it does not convert.
 */
int type_distance(Type from, Type to);

/* ---- nodes ---- */

Node *node_create(Arena *arena, NodeKind kind, Type type, Place place);
void node_append(Node *node, Node *operand); /* also updates the depth */
Node *node_literal(Arena *arena, Type type, double number, Place place);
Node *node_variable(Arena *arena, Variable *variable, Place place);

/* Operand with the index; NULL if there are fewer. */
Node *node_operand(const Node *node, size_t index);
size_t node_operand_count(const Node *node);
