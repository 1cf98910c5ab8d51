// SPDX-License-Identifier: MIT
#include <math.h>
#include <string.h>

#include "effect/fold.h"
#include "effect/parser.h"

static Statement *make(Parser *parser, StatementKind kind)
{
    Statement *statement = arena_alloc(parser->arena, sizeof *statement);
    statement->kind = kind;
    return statement;
}

static Statement *parse_statement(Parser *parser);

/* Statements up to the brace, which is not passed. */
static Statement *parse_statements(Parser *parser)
{
    Statement *first = NULL, **last = &first;
    while (!parser_at(parser, "}") && !parser_at_end(parser)) {
        *last = parse_statement(parser);
        while (*last)
            last = &(*last)->next;
    }
    return first;
}

Statement *parse_block(Parser *parser)
{
    Statement *block = make(parser, STATEMENT_BLOCK);
    parser_expect(parser, "{");
    symbols_open(parser);
    block->body = parse_statements(parser);
    symbols_close(parser, false);
    parser_expect(parser, "}");
    return block;
}

/* A statement with a scope of its own, as the body of a loop. */
static Statement *parse_body(Parser *parser)
{
    symbols_open(parser);
    Statement *body = parse_statement(parser);
    symbols_close(parser, false);
    return body;
}

static bool at_declaration(const Parser *parser)
{
    static const char *const WORDS[] = {"const",     "static",       "uniform",
                                        "row_major", "column_major", "precise"};
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++)
        if (parser_at(parser, WORDS[i]))
            return true;
    return parse_at_type(parser) && parser->token[1].kind == TOKEN_NAME &&
           !symbols_find(parser, SYMBOL_VARIABLE, parser->token->text);
}

static Variable *declare(Parser *parser, Type type, bool is_const)
{
    Variable *variable = arena_alloc(parser->arena, sizeof *variable);
    bool is_open = false;
    *variable = (Variable){.kind = VARIABLE_LOCAL,
                           .type = type,
                           .is_const = is_const,
                           .place = parser->token->place,
                           .index = parser->function->local_count++};
    variable->name = parser_name(parser, "the name of a variable");
    parse_array(parser, &variable->type, &is_open);
    if (!parser->failed && !type_size(variable->type) && !is_open)
        parser_fail(parser, variable->place, "a variable of type %s",
                    type_name(type, parser->arena));

    const Symbol *known = symbols_find(parser, SYMBOL_VARIABLE, variable->name);
    if (known && known->scope == parser->scope && !known->is_leaked)
        parser_fail(parser, variable->place, "'%s' is declared twice", variable->name);
    if (parser_accept(parser, "="))
        variable->value = parse_initializer(parser, &variable->type, is_open);
    else if (is_open)
        parser_fail(parser, variable->place, "the array '%s' has no size", variable->name);
    if (is_const && variable->value && !parser->failed)
        variable->constants = fold_all(variable->value, parser->arena);
    if (!parser->failed)
        symbols_add(parser, SYMBOL_VARIABLE, variable->name)->variable = variable;
    return variable;
}

/* "const float a = 1, b[2];": a statement for each variable. */
static Statement *parse_declaration(Parser *parser)
{
    Statement *first = NULL, **last = &first;
    bool is_const = false;
    while (!parse_at_type(parser) && !parser_at_end(parser)) {
        is_const |= parser_at(parser, "const");
        parser->token++;
    }
    const Type type = parse_type(parser);
    if (parser_accept(parser, ";"))
        return make(parser, STATEMENT_BLOCK); /* a struct alone */
    do {
        *last = make(parser, STATEMENT_DECLARE);
        (*last)->variable = declare(parser, type, is_const);
        last = &(*last)->next;
    } while (parser_accept(parser, ","));
    parser_expect(parser, ";");
    return first;
}

static Statement *parse_expression_statement(Parser *parser)
{
    Statement *statement = make(parser, STATEMENT_EXPRESSION);
    statement->value = parse_expression(parser);
    parser_expect(parser, ";");
    return statement;
}

static Node *parse_condition(Parser *parser)
{
    parser_expect(parser, "(");
    Node *condition = parse_expression(parser);
    parser_expect(parser, ")");
    return convert_to_bool(parser, condition);
}

static Statement *parse_if(Parser *parser)
{
    Statement *statement = make(parser, STATEMENT_IF);
    statement->value = parse_condition(parser);
    statement->body = parse_body(parser);
    if (parser_accept(parser, "else"))
        statement->otherwise = parse_body(parser);
    return statement;
}

static Statement *parse_loop_body(Parser *parser)
{
    parser->loops++;
    parser->breaks++;
    Statement *body = parse_body(parser);
    parser->loops--;
    parser->breaks--;
    return body;
}

static Statement *parse_for(Parser *parser)
{
    Statement *statement = make(parser, STATEMENT_FOR);
    parser_expect(parser, "(");
    symbols_open(parser);
    if (at_declaration(parser))
        statement->initial = parse_declaration(parser);
    else if (!parser_accept(parser, ";"))
        statement->initial = parse_expression_statement(parser);
    if (!parser_at(parser, ";"))
        statement->value = convert_to_bool(parser, parse_expression(parser));
    parser_expect(parser, ";");
    if (!parser_at(parser, ")"))
        statement->step = parse_expression(parser);
    parser_expect(parser, ")");
    statement->body = parse_loop_body(parser);
    symbols_close(parser, true);
    return statement;
}

static Statement *parse_do(Parser *parser)
{
    Statement *statement = make(parser, STATEMENT_DO);
    statement->body = parse_loop_body(parser);
    parser_expect(parser, "while");
    statement->value = parse_condition(parser);
    parser_expect(parser, ";");
    return statement;
}

static Statement *parse_switch(Parser *parser)
{
    Statement *statement = make(parser, STATEMENT_SWITCH);
    parser_expect(parser, "(");
    statement->value = convert_implicitly(parser, parse_expression(parser), TYPE_INT);
    parser_expect(parser, ")");
    parser_expect(parser, "{");
    if (!parser_at(parser, "case") && !parser_at(parser, "default"))
        parser_fail(parser, parser->token->place, "a switch begins with 'case' or 'default'");
    symbols_open(parser);
    parser->breaks++;
    statement->body = parse_statements(parser);
    parser->breaks--;
    symbols_close(parser, false);
    parser_expect(parser, "}");
    return statement;
}

static Statement *parse_case(Parser *parser, bool is_default)
{
    Statement *statement = make(parser, STATEMENT_CASE);
    double value = 0;
    const Place place = parser->token->place;
    if (!parser->breaks)
        parser_fail(parser, place, "'case' outside of a switch");
    if (!is_default) {
        parse_constant(parser, &value, "a case");
        statement->value = node_literal(parser->arena, TYPE_INT, trunc(value), place);
    }
    parser_expect(parser, ":");
    return statement;
}

static Statement *parse_return(Parser *parser)
{
    Statement *statement = make(parser, STATEMENT_RETURN);
    const Type type = parser->function->type;
    const Place place = parser->token->place;
    if (!parser_at(parser, ";"))
        statement->value = convert_implicitly(parser, parse_expression(parser), type);
    else if (type.base != EFFECT_VOID)
        parser_fail(parser, place, "function '%s' returns a value", parser->function->name);
    parser_expect(parser, ";");
    return statement;
}

static Statement *parse_jump(Parser *parser, StatementKind kind, unsigned around, const char *word)
{
    if (!around)
        parser_fail(parser, parser->token->place, "'%s' outside of a loop", word);
    parser_expect(parser, ";");
    return make(parser, kind);
}

static Statement *parse_statement_inside(Parser *parser)
{
    /* [unroll], [loop], [branch], [flatten]: hints, which change no value. */
    while (parser_accept(parser, "[")) {
        while (!parser_at(parser, "]") && !parser_at_end(parser))
            parser->token++;
        parser_expect(parser, "]");
    }
    if (parser_at(parser, "{"))
        return parse_block(parser);
    if (parser_accept(parser, ";"))
        return make(parser, STATEMENT_BLOCK);
    if (parser_accept(parser, "if"))
        return parse_if(parser);
    if (parser_accept(parser, "for"))
        return parse_for(parser);
    if (parser_accept(parser, "while")) {
        Statement *statement = make(parser, STATEMENT_WHILE);
        statement->value = parse_condition(parser);
        statement->body = parse_loop_body(parser);
        return statement;
    }
    if (parser_accept(parser, "do"))
        return parse_do(parser);
    if (parser_accept(parser, "switch"))
        return parse_switch(parser);
    if (parser_accept(parser, "case"))
        return parse_case(parser, false);
    if (parser_accept(parser, "default"))
        return parse_case(parser, true);
    if (parser_accept(parser, "return"))
        return parse_return(parser);
    if (parser_accept(parser, "break"))
        return parse_jump(parser, STATEMENT_BREAK, parser->breaks, "break");
    if (parser_accept(parser, "continue"))
        return parse_jump(parser, STATEMENT_CONTINUE, parser->loops, "continue");
    if (parser_accept(parser, "discard"))
        return parse_jump(parser, STATEMENT_DISCARD, 1, "discard");
    if (parser_at(parser, "typedef")) {
        parse_typedef(parser);
        return make(parser, STATEMENT_BLOCK);
    }
    return parser_at(parser, "struct") || at_declaration(parser)
               ? parse_declaration(parser)
               : parse_expression_statement(parser);
}

static Statement *parse_statement(Parser *parser)
{
    Statement *statement =
        parser_deepen(parser) ? parse_statement_inside(parser) : make(parser, STATEMENT_BLOCK);
    parser_leave(parser);
    return statement;
}
