// SPDX-License-Identifier: MIT
/*
 * parser.h - tokens to the typed tree of an effect
 *
 * Shared by the parse_*.c files, which read one kind of construct each.  An error is reported once;
 * the parser then stands at the end of the text, so that all functions return soon.  They return
 * valid nodes in any case.
 */
#pragma once

#include "effect/preprocessor.h"
#include "effect/tree.h"

typedef struct StateBlock StateBlock; /* stateblock_state { ... }: parse_technique.c */

typedef enum SymbolKind { SYMBOL_VARIABLE, SYMBOL_FUNCTION, SYMBOL_TYPE, SYMBOL_STATES } SymbolKind;

typedef struct Symbol {
    const char *name; /* kept by the Names */
    SymbolKind kind;
    unsigned scope;
    bool is_leaked; /* of a for statement that has ended */
    union {
        Variable *variable;
        Function *function; /* the last of its name */
        Type type;
        StateBlock *states;
    };
    struct Symbol *shadowed; /* in its slot */
    struct Symbol *previous; /* added before */
} Symbol;

enum { SYMBOL_SLOTS = 1024 };

/* compile ps_3_0 F(a, b) */
typedef struct Compilation {
    Function *function; /* NULL: the shader is NULL */
    unsigned model;     /* 2, 3 */
    bool is_fragment;
    Node **values; /* of the arguments of the function; NULL: it is an input or output */
    Place place;
} Compilation;

typedef struct PassSource {
    Compilation *vertex, *fragment; /* NULL: not set */
    Place place;
} PassSource;

typedef struct Parser {
    const Token *token; /* the next one */
    const Preprocessed *text;
    Arena *arena;
    Diag *diag;
    bool failed;
    unsigned depth;         /* of brackets and blocks */
    bool stops_at_greater;  /* '>' ends an expression: in annotations */
    Function *function;     /* whose body is read, or NULL */
    unsigned loops, breaks; /* around the statement */

    Symbol *symbols[SYMBOL_SLOTS], *last_symbol;
    unsigned scope;

    ARENA_LIST(Variable *) variables; /* global, in the order of the text */
    ARENA_LIST(Function *) functions;
    ARENA_LIST(Struct *) structs;
    ARENA_LIST(EffectParameter) parameters; /* index: of a Variable of that kind */
    ARENA_LIST(EffectTechnique) techniques;
    ARENA_LIST(PassSource) passes; /* of all techniques */
    ARENA_LIST(EffectNote) notes;
} Parser;

/* Reads all.  False after an error. */
bool parse_effect(Parser *parser);

/* ---- tokens ---- */

void parser_fail(Parser *parser, Place place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void parser_note(Parser *parser, Place place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool parser_at(const Parser *parser, const char *text);
bool parser_at_end(const Parser *parser);
bool parser_accept(Parser *parser, const char *text);
void parser_expect(Parser *parser, const char *text);
const char *parser_name(Parser *parser, const char *what); /* "" after an error */
bool parser_deepen(Parser *parser); /* a level of nesting; false after an error */
void parser_leave(Parser *parser);
bool parser_at_word(const Parser *parser, const char *word); /* a name, without case */

/* ---- names ---- */

void symbols_open(Parser *parser);
void symbols_close(Parser *parser, bool leak_variables);
Symbol *symbols_add(Parser *parser, SymbolKind kind, const char *name);
Symbol *symbols_find(const Parser *parser, SymbolKind kind, const char *name);

/* ---- types: parse_type.c ---- */

bool parse_at_type(const Parser *parser);

/* "float4x3", "sampler2D", the name of a struct, or a struct with its members. */
Type parse_type(Parser *parser);
void parse_array(Parser *parser, Type *type, bool *is_open); /* "[4]"; is_open: "[]" is allowed */
Type parse_struct(Parser *parser);
void parse_typedef(Parser *parser);

/* ": SEMANTIC", ": register(s0)"; returns "" if there is none.  The register of a
 * sampler is stored if there is one. */
const char *parse_semantic(Parser *parser, int *sampler_register);

/* ---- expressions: parse_expression.c ---- */

Node *parse_expression(Parser *parser); /* with commas */
Node *parse_assignment(Parser *parser); /* without */

/* Constant expression; false after an error. */
bool parse_constant(Parser *parser, double *out, const char *what);

/* The value after "=", perhaps in braces; is_open: "float a[] = {...}" gets its elements. */
Node *parse_initializer(Parser *parser, Type *type, bool is_open);

/* ---- conversions and operations: convert.c ---- */

/* The node as the type, as HLSL converts by itself; an error if it does not. */
Node *convert_implicitly(Parser *parser, Node *node, Type type);
Node *convert_by_cast(Parser *parser, Node *node, Type type);
Node *convert_to_bool(Parser *parser, Node *node); /* a condition: a scalar */
Type convert_common_type(Parser *parser, Type a, Type b, Place place);
Node *convert_call(Parser *parser, const char *name, Place place, Node **arguments, size_t count);
Node *convert_argument(Parser *parser, Node *argument, Variable *parameter);
void convert_mark_written(Parser *parser, Node *target);

/* ---- statements: parse_statement.c ---- */

Statement *parse_block(Parser *parser);

/* ---- declarations: parse_declaration.c, parse_technique.c ---- */

void parse_annotations(Parser *parser, const EffectAnnotation **out, size_t *count);
const char *parse_text(Parser *parser); /* one or several texts in quotes, as one */

/* "= sampler_state { ... }", or nothing: the defaults. */
const EffectSampler *parse_sampler_state(Parser *parser, Variable *sampler, int register_index);

void parse_technique(Parser *parser);

/* "stateblock Name = stateblock_state { ... };" */
void parse_state_block(Parser *parser);

EffectType parser_public_type(Type type);
const float *parser_values(Parser *parser, const double *numbers, Type type);

/* The parameter with the name, for a texture or a state; NULL if there is none. */
Variable *parser_find_parameter(const Parser *parser, const char *name);
