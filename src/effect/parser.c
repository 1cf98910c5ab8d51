// SPDX-License-Identifier: MIT
#include "effect/parser.h"

/* ---- tokens ---- */

void parser_fail(Parser *parser, Place place, const char *format, ...)
{
    if (parser->failed)
        return;
    va_list args;
    va_start(args, format);
    preprocessor_error(parser->text, place, parser->diag, format, args);
    va_end(args);
    parser->failed = true;
    parser->token = &parser->text->tokens.items[parser->text->tokens.count - 1];
}

void parser_note(Parser *parser, Place place, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    *arena_push(parser->arena, &parser->notes) =
        (EffectNote){.file = parser->text->files.items[place.file].name,
                     .line = place.line,
                     .text = arena_vprintf(parser->arena, format, args)};
    va_end(args);
}

bool parser_at(const Parser *parser, const char *text)
{
    return token_is(parser->token, text);
}

bool parser_at_end(const Parser *parser)
{
    return parser->token->kind == TOKEN_END;
}

bool parser_at_word(const Parser *parser, const char *word)
{
    return parser->token->kind == TOKEN_NAME && text_equal_ignoring_case(parser->token->text, word);
}

bool parser_accept(Parser *parser, const char *text)
{
    const bool found = parser_at(parser, text);
    parser->token += found;
    return found;
}

void parser_expect(Parser *parser, const char *text)
{
    if (parser_accept(parser, text))
        return;
    if (parser_at_end(parser))
        parser_fail(parser, parser->token->place, "expected '%s', not the end of the text", text);
    else
        parser_fail(parser, parser->token->place, "expected '%s', not '%.64s'", text,
                    parser->token->text);
}

const char *parser_name(Parser *parser, const char *what)
{
    if (parser->token->kind == TOKEN_NAME)
        return (parser->token++)->text;
    parser_fail(parser, parser->token->place, "expected %s, not '%.64s'", what,
                parser_at_end(parser) ? "the end of the text" : parser->token->text);
    return "";
}

bool parser_deepen(Parser *parser)
{
    if (++parser->depth > EFFECT_MAX_DEPTH)
        parser_fail(parser, parser->token->place, "nested more than %d deep", EFFECT_MAX_DEPTH);
    return !parser->failed;
}

void parser_leave(Parser *parser)
{
    parser->depth--;
}

/* ---- names: a slot holds the symbols of its names, the inmost first ---- */

static Symbol **slot_of(Parser *parser, const char *name)
{
    return &parser->symbols[((uintptr_t)name >> 6) % SYMBOL_SLOTS];
}

void symbols_open(Parser *parser)
{
    parser->scope++;
}

/*
 * The compiler of Direct3D 9 keeps the variables of a for statement after its end, so that "for
 * (int i = 0; ...) {} x[i]" is valid; a new declaration replaces them.
 */
void symbols_close(Parser *parser, bool leak_variables)
{
    parser->scope--;
    for (Symbol **at = &parser->last_symbol; *at && (*at)->scope > parser->scope;) {
        Symbol *symbol = *at;
        if (leak_variables && symbol->kind == SYMBOL_VARIABLE) {
            symbol->scope = parser->scope;
            symbol->is_leaked = true;
            at = &symbol->previous;
            continue;
        }
        *at = symbol->previous;
        Symbol **slot = slot_of(parser, symbol->name);
        while (*slot != symbol)
            slot = &(*slot)->shadowed;
        *slot = symbol->shadowed;
    }
}

Symbol *symbols_add(Parser *parser, SymbolKind kind, const char *name)
{
    Symbol **slot = slot_of(parser, name), *symbol = arena_alloc(parser->arena, sizeof *symbol);
    *symbol = (Symbol){.name = name,
                       .kind = kind,
                       .scope = parser->scope,
                       .shadowed = *slot,
                       .previous = parser->last_symbol};
    *slot = parser->last_symbol = symbol;
    return symbol;
}

Symbol *symbols_find(const Parser *parser, SymbolKind kind, const char *name)
{
    Symbol *symbol = parser->symbols[((uintptr_t)name >> 6) % SYMBOL_SLOTS];
    while (symbol && (symbol->name != name || symbol->kind != kind))
        symbol = symbol->shadowed;
    return symbol;
}

Variable *parser_find_parameter(const Parser *parser, const char *name)
{
    Symbol *symbol = symbols_find(parser, SYMBOL_VARIABLE, name);
    return symbol && symbol->variable->kind == VARIABLE_PARAMETER ? symbol->variable : NULL;
}
