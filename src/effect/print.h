// SPDX-License-Identifier: MIT
/*
 * print.h - functions of the tree as GLSL 330
 *
 * A Printer makes the text of one shader.  Its parts are collected apart and joined by shader.c:
 * structs, helpers (functions that GLSL lacks), variables, functions.  All names are new: a letter
 * for the kind, a number and the name in the effect, so that none is a word of GLSL.  The variables
 * of a shader are those that its entry reaches.
 */
#pragma once

#include "effect/parser.h"

/* Text that grows. */
typedef struct Text {
    char *items;
    size_t count, capacity;
} Text;

typedef struct Printer {
    Parser *parser; /* for errors, and the arena */
    bool is_fragment;
    unsigned stamp;      /* of this shader */
    bool is_target;      /* the target of an assignment is printed */
    bool is_bare;        /* the next node needs no brackets */
    unsigned depth;      /* of calls, while reached functions are found */
    unsigned operations; /* found so far, with those of called functions at each call */
    size_t size, limit;  /* bytes of all texts */
    Text helpers, structs, functions;
    Text *out;                             /* one of these, or another one */
    ARENA_LIST(const char *) helper_texts; /* that are in `helpers` */
    ARENA_LIST(Function *) order;          /* that are reached, callees first */
    ARENA_LIST(Variable *) globals;        /* that are reached */
} Printer;

/* Appends to printer->out; after the limit, an error. */
void print(Printer *printer, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Finds functions and global variables that an expression or a function reaches. */
void print_reach_node(Printer *printer, const Node *node);
void print_reach_function(Printer *printer, Function *function);

/* "vec3", "mat4x3", "s2_VS_OUTPUT"; of an array, its elements.  Prints structs where needed. */
const char *print_type(Printer *printer, Type type);
const char *print_array(Printer *printer, Type type); /* "[4]" or "" */

const char *print_variable_name(Printer *printer, const Variable *variable);
const char *print_parameter_name(Printer *printer, const Variable *variable); /* of the uniform */
const char *print_function_name(Printer *printer, const Function *function);
const char *print_member_name(Printer *printer, const Struct *structure, size_t member);

void print_node(Printer *printer, const Node *node);
void print_zero(Printer *printer, Type type);
void print_constants(Printer *printer, Type type, const double *numbers);
void print_function(Printer *printer, const Function *function);
