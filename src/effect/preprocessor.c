// SPDX-License-Identifier: MIT
#include "effect/preprocessor.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/encoding.h"
#include "base/text.h"
#include "effect/number.h"
#include "effect/source_text.h"

enum {
    MAX_TOKENS = 1 << 20, /* of all directives, arguments and expansions */
    MAX_CONDITIONS = 256  /* #if within #if */
};

typedef struct Macro {
    const char *name; /* kept by the Names */
    bool is_function, is_busy;
    const char **parameters;
    size_t parameter_count;
    const Token *body;
    size_t body_count;
    struct Macro *next; /* in its slot */
} Macro;

/* Tokens that are read before those of the file: the expansion of a macro, or tokens put back. */
typedef struct Pending {
    const Token *tokens;
    size_t count, at;
    Macro *macro; /* busy until they are read; or NULL */
    struct Pending *below;
} Pending;

typedef struct File {
    Lexer lexer;
    size_t conditions; /* of outer files */
    struct File *below;
} File;

/* An #if: whether its tokens are read now, and whether one of its branches was. */
typedef struct Condition {
    bool taken, was_taken, has_else;
    Place place;
} Condition;

/* Where tokens come from: a list alone (an argument, a directive), or the files. */
typedef struct Stream {
    Pending *pending;
    bool reads_files;
} Stream;

enum { MACRO_SLOTS = 1024 };

typedef struct Preprocessor {
    const EffectSource *source;
    Preprocessed *out;
    Names *names;
    Arena *arena;
    Diag *diag;
    bool failed;
    Macro *macros[MACRO_SLOTS];
    File *file;
    Token end; /* of the effect */
    unsigned file_depth, depth;
    size_t expansions, tokens, text_size;
    Condition conditions[MAX_CONDITIONS];
    size_t condition_count;
    ARENA_LIST(const char *) once; /* files with #pragma once */
} Preprocessor;

/* ---- errors ---- */

bool preprocessor_error(const Preprocessed *text, Place place, Diag *diag, const char *format,
                        va_list args)
{
    char message[512], stack[512] = "";
    vsnprintf(message, sizeof message, format, args);
    const IncludedFile *file = &text->files.items[place.file];
    for (const IncludedFile *at = file; at->includer.line;) {
        const Place by = at->includer;
        const size_t used = strlen(stack);
        at = &text->files.items[by.file];
        snprintf(stack + used, sizeof stack - used, "%s%s:%u", used ? ", " : "; included by ",
                 at->name, by.line);
    }
    const DiagLocation location = {
        .file = file->name, .line = place.line, .column = place.column, .excerpt = ""};
    return diag_fail_at(diag, &location, DIAG_DATA, "%s%s", message, stack);
}

/* Reports the first error only; from then on, files and lists have no more tokens. */
static void fail(Preprocessor *p, Place place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void fail(Preprocessor *p, Place place, const char *format, ...)
{
    if (p->failed)
        return;
    va_list args;
    va_start(args, format);
    preprocessor_error(p->out, place, p->diag, format, args);
    va_end(args);
    p->failed = true;
}

/* ---- macros ---- */

static Macro **macro_slot(Preprocessor *p, const char *name)
{
    const uintptr_t address = (uintptr_t)name; /* texts are kept once, 64 bytes apart */
    Macro **slot = &p->macros[(address >> 6) % MACRO_SLOTS];
    while (*slot && (*slot)->name != name)
        slot = &(*slot)->next;
    return slot;
}

static Macro *find_macro(Preprocessor *p, const char *name)
{
    return *macro_slot(p, name);
}

static void undefine(Preprocessor *p, const char *name)
{
    Macro **slot = macro_slot(p, name);
    if (*slot)
        *slot = (*slot)->next;
}

/* ---- streams of tokens ---- */

static const Token END = {.text = ""};

static void push(Preprocessor *p, Stream *stream, const Token *tokens, size_t count, Macro *macro)
{
    Pending *pending = arena_alloc(p->arena, sizeof *pending);
    *pending = (Pending){tokens, count, 0, macro, stream->pending};
    stream->pending = pending;
    if (macro)
        macro->is_busy = true;
}

static Token next_of_files(Preprocessor *p);

static Token next_raw(Preprocessor *p, Stream *stream)
{
    while (!p->failed && stream->pending) {
        Pending *top = stream->pending;
        if (top->at < top->count)
            return top->tokens[top->at++];
        if (top->macro)
            top->macro->is_busy = false;
        stream->pending = top->below;
    }
    return !p->failed && stream->reads_files ? next_of_files(p) : END;
}

static bool append(Preprocessor *p, TokenList *list, Token token)
{
    if (++p->tokens > MAX_TOKENS)
        fail(p, token.place, "macros and their arguments have more than %d tokens", MAX_TOKENS);
    if (p->failed)
        return false;
    *arena_push(p->arena, list) = token;
    return true;
}

static Token next_expanded(Preprocessor *p, Stream *stream);

static TokenList expand_list(Preprocessor *p, const Token *tokens, size_t count)
{
    TokenList out = {0};
    Stream stream = {0};
    push(p, &stream, tokens, count, NULL);
    if (++p->depth > EFFECT_MAX_DEPTH)
        fail(p, count ? tokens[0].place : END.place, "macros are nested more than %d deep",
             EFFECT_MAX_DEPTH);
    for (Token token; (token = next_expanded(p, &stream)).kind != TOKEN_END;)
        append(p, &out, token);
    p->depth--;
    return out;
}

/* The arguments of a call, after its "(".  False where the text ends before its ")". */
static bool read_arguments(Preprocessor *p, Stream *stream, const Macro *macro, Place place,
                           TokenList **out)
{
    const size_t wanted = macro->parameter_count;
    TokenList *lists = arena_array(p->arena, TokenList, wanted + 1);
    size_t count = 0;
    unsigned depth = 0;
    for (;;) {
        Token token = next_raw(p, stream);
        if (token.kind == TOKEN_END) {
            fail(p, place, "the arguments of macro '%s' have no ')'", macro->name);
            return false;
        }
        if (token_is(&token, "(")) {
            depth++;
        } else if (token_is(&token, ")") && depth-- == 0) {
            break;
        } else if (token_is(&token, ",") && depth == 0) {
            if (++count < wanted || wanted == 0)
                continue;
            fail(p, place, "macro '%s' has %zu parameters, and more arguments", macro->name,
                 wanted);
            return false;
        }
        if (!append(p, &lists[count < wanted ? count : wanted], token))
            return false;
    }
    if (count + 1 < wanted || (wanted == 0 && lists[0].count)) {
        fail(p, place, "macro '%s' has %zu parameters, not %zu", macro->name, wanted, count + 1);
        return false;
    }
    *out = lists;
    return true;
}

static Token make_string(Preprocessor *p, const TokenList *list, Place place)
{
    const char *text = "";
    for (size_t i = 0; i < list->count; i++) {
        const Token *token = &list->items[i];
        const char *quote = token->kind == TOKEN_STRING ? "\"" : "";
        text = arena_printf(p->arena, "%s%s%s%s%s", text, i && token->after_blank ? " " : "", quote,
                            token->text, quote);
        if (strlen(text) > EFFECT_MAX_TEXT / 64) {
            fail(p, place, "a text made by # is longer than %d bytes", EFFECT_MAX_TEXT / 64);
            break;
        }
    }
    return (Token){.text = names_keep(p->names, text, strlen(text)),
                   .place = place,
                   .kind = TOKEN_STRING,
                   .after_blank = true};
}

/* a ## b: the token that both texts make together, in the place of *a.  False if they make none, as
 * two texts in quotes: both remain then. */
static bool paste(Preprocessor *p, Token *a, const Token *b)
{
    const char *text = arena_printf(p->arena, "%s%s", a->text, b->text);
    Lexer lexer;
    lexer_init(&lexer, text, strlen(text), a->place.file, p->names, p->arena);
    Token token = lexer_next(&lexer, true);
    if (a->kind == TOKEN_STRING || b->kind == TOKEN_STRING || lexer.at != lexer.end)
        return false;
    if (strlen(text) > EFFECT_MAX_TEXT / 64)
        fail(p, a->place, "'%.64s' and '%.64s' make too long a token with ##", a->text, b->text);
    token.place = a->place;
    token.after_blank = a->after_blank;
    token.starts_line = false;
    *a = token;
    return true;
}

static size_t find_parameter(const Macro *macro, const Token *token)
{
    size_t i = 0;
    while (i < macro->parameter_count &&
           (token->kind != TOKEN_NAME || macro->parameters[i] != token->text))
        i++;
    return i;
}

/* The body of a macro with its arguments. */
static TokenList substitute(Preprocessor *p, const Macro *macro, const TokenList *arguments,
                            Token call)
{
    const size_t few = macro->body_count < 8 ? macro->body_count : 0; /* most macros */
    TokenList out = {.items = arena_array(p->arena, Token, few), .capacity = few};
    TokenList *expanded = arena_array(p->arena, TokenList, macro->parameter_count);
    bool *is_expanded = arena_array(p->arena, bool, macro->parameter_count);
    bool paste_next = false;
    for (size_t i = 0; i < macro->body_count && !p->failed; i++) {
        Token token = macro->body[i];
        const Token *next = i + 1 < macro->body_count ? &macro->body[i + 1] : &END;
        size_t parameter = find_parameter(macro, &token);
        const TokenList one = {.items = &token, .count = 1};
        TokenList list;
        token.place = call.place;
        if (token_is(&token, "##") && i > 0) {
            paste_next = true;
            continue;
        }
        if (token_is(&token, "#") && macro->is_function &&
            find_parameter(macro, next) < macro->parameter_count) {
            const bool after_blank = token.after_blank;
            token = make_string(p, &arguments[find_parameter(macro, next)], call.place);
            token.after_blank = after_blank;
            list = one;
            i++;
        } else if (parameter == macro->parameter_count) {
            list = one;
        } else if (paste_next || token_is(next, "##")) {
            list = arguments[parameter];
        } else {
            if (!is_expanded[parameter])
                expanded[parameter] =
                    expand_list(p, arguments[parameter].items, arguments[parameter].count);
            is_expanded[parameter] = true;
            list = expanded[parameter];
        }
        for (size_t k = 0; k < list.count; k++) {
            Token item = list.items[k];
            item.place = call.place;
            if (k == 0)
                item.after_blank = token.after_blank;
            if (k > 0 || !paste_next || !out.count || !paste(p, &out.items[out.count - 1], &item))
                append(p, &out, item);
        }
        paste_next = false;
    }
    if (out.count)
        out.items[0].after_blank = call.after_blank;
    return out;
}

/* Puts the expansion of a macro before the tokens of the stream; false if it is not called. */
static bool expand(Preprocessor *p, Stream *stream, Macro *macro, Token call)
{
    TokenList *arguments = arena_array(p->arena, TokenList, macro->parameter_count);
    if (macro->is_function) {
        const Token next = next_raw(p, stream);
        if (!token_is(&next, "(")) {
            if (next.kind != TOKEN_END)
                push(p, stream, arena_copy(p->arena, &next, sizeof next), 1, NULL);
            return false;
        }
        if (!read_arguments(p, stream, macro, call.place, &arguments))
            return true;
    }
    if (++p->expansions > EFFECT_MAX_EXPANSIONS)
        fail(p, call.place, "macros are expanded more than %d times", EFFECT_MAX_EXPANSIONS);
    const TokenList body = substitute(p, macro, arguments, call);
    push(p, stream, body.items, body.count, macro);
    return true;
}

static Token next_expanded(Preprocessor *p, Stream *stream)
{
    for (;;) {
        Token token = next_raw(p, stream);
        if (token.kind != TOKEN_NAME || token.never_expand)
            return token;
        Macro *macro = find_macro(p, token.text);
        if (!macro)
            return token;
        if (macro->is_busy) {
            token.never_expand = true;
            return token;
        }
        if (!expand(p, stream, macro, token))
            return token;
    }
}

/* ---- directives ---- */

static TokenList read_directive(Preprocessor *p)
{
    TokenList list = {0};
    for (Token token; (token = lexer_next(&p->file->lexer, true)).kind != TOKEN_END;)
        append(p, &list, token);
    return list;
}

static void define(Preprocessor *p, Place place)
{
    const TokenList line = read_directive(p);
    if (!line.count || line.items[0].kind != TOKEN_NAME) {
        fail(p, place, "#define without a name");
        return;
    }
    Macro *macro = arena_alloc(p->arena, sizeof *macro);
    size_t at = 1;
    macro->name = line.items[0].text;
    if (line.count > 1 && token_is(&line.items[1], "(") && !line.items[1].after_blank) {
        ARENA_LIST(const char *) parameters = {0};
        macro->is_function = true;
        for (at = 2; at < line.count && line.items[at].kind == TOKEN_NAME; at++) {
            *arena_push(p->arena, &parameters) = line.items[at].text;
            if (at + 1 < line.count && token_is(&line.items[at + 1], ","))
                at++;
        }
        if (at == line.count || !token_is(&line.items[at], ")")) {
            fail(p, place, "the parameters of macro '%s' are not names in brackets", macro->name);
            return;
        }
        at++;
        macro->parameters = parameters.items;
        macro->parameter_count = parameters.count;
    }
    macro->body = line.items + at;
    macro->body_count = line.count - at;
    undefine(p, macro->name);
    Macro **slot = macro_slot(p, macro->name);
    *slot = macro;
}

/* ---- #if: an expression of numbers; names are 0 ---- */

typedef struct Reading {
    Preprocessor *p;
    const Token *tokens;
    size_t count, at;
    Place place;
} Reading;

static const Token *peek(const Reading *r)
{
    return r->at < r->count ? &r->tokens[r->at] : &END;
}

static bool accept(Reading *r, const char *text)
{
    const bool found = token_is(peek(r), text);
    r->at += found;
    return found;
}

typedef struct Operator {
    const char *text;
    int precedence;
} Operator;

static const Operator OPERATORS[] = {{"||", 1}, {"&&", 2}, {"|", 3},  {"^", 4}, {"&", 5},
                                     {"==", 6}, {"!=", 6}, {"<", 7},  {">", 7}, {"<=", 7},
                                     {">=", 7}, {"<<", 8}, {">>", 8}, {"+", 9}, {"-", 9},
                                     {"*", 10}, {"/", 10}, {"%", 10}};

static int64_t whole(double value)
{
    return fabs(value) < 0x1p62 ? (int64_t)value : 0;
}

static double apply(Reading *r, const char *op, double a, double b)
{
    const int shift = (int)(whole(b) & 31);
    const uint64_t ua = (uint64_t)whole(a), ub = (uint64_t)whole(b);
    if (!strcmp(op, "||"))
        return a != 0 || b != 0;
    if (!strcmp(op, "&&"))
        return a != 0 && b != 0;
    if (!strcmp(op, "|"))
        return (double)(int64_t)(ua | ub);
    if (!strcmp(op, "^"))
        return (double)(int64_t)(ua ^ ub);
    if (!strcmp(op, "&"))
        return (double)(int64_t)(ua & ub);
    if (!strcmp(op, "=="))
        return a == b;
    if (!strcmp(op, "!="))
        return a != b;
    if (!strcmp(op, "<"))
        return a < b;
    if (!strcmp(op, ">"))
        return a > b;
    if (!strcmp(op, "<="))
        return a <= b;
    if (!strcmp(op, ">="))
        return a >= b;
    if (!strcmp(op, "<<"))
        return (double)(int64_t)(ua << shift);
    if (!strcmp(op, ">>"))
        return (double)(whole(a) >> shift);
    if (!strcmp(op, "+"))
        return a + b;
    if (!strcmp(op, "-"))
        return a - b;
    if (!strcmp(op, "*"))
        return a * b;
    if (b == 0) {
        fail(r->p, r->place, "#if divides by zero");
        return 0;
    }
    return *op == '/' ? trunc(a / b) : fmod(a, b);
}

static double read_expression(Reading *r, int precedence);

static double read_value(Reading *r)
{
    const Token *token = peek(r);
    Number number;
    double value = 0;
    if (++r->p->depth > EFFECT_MAX_DEPTH)
        fail(r->p, r->place, "#if is nested more than %d deep", EFFECT_MAX_DEPTH);
    if (r->p->failed) {
        value = 0;
    } else if (accept(r, "!")) {
        value = read_value(r) == 0;
    } else if (accept(r, "-")) {
        value = -read_value(r);
    } else if (accept(r, "+")) {
        value = read_value(r);
    } else if (accept(r, "~")) {
        value = (double)~whole(read_value(r));
    } else if (accept(r, "(")) {
        value = read_expression(r, 0);
        if (!accept(r, ")"))
            fail(r->p, r->place, "#if lacks ')'");
    } else if (token->kind == TOKEN_NUMBER && number_parse(&number, token->text)) {
        value = number.value;
        r->at++;
    } else if (token->kind == TOKEN_NAME) {
        value = token_is(token, "true");
        r->at++;
    } else {
        fail(r->p, r->place, "#if: expected a value, not '%.64s'", token->text);
    }
    r->p->depth--;
    return value;
}

/* Operators that bind at least as strongly as `precedence`; 0: also ?:. */
static double read_expression(Reading *r, int precedence)
{
    double left = read_value(r);
    for (;;) {
        const Operator *op = NULL;
        for (size_t i = 0; i < sizeof OPERATORS / sizeof *OPERATORS; i++)
            if (token_is(peek(r), OPERATORS[i].text) && OPERATORS[i].precedence >= precedence)
                op = &OPERATORS[i];
        if (op) {
            r->at++;
            left = apply(r, op->text, left, read_expression(r, op->precedence + 1));
        } else if (precedence == 0 && accept(r, "?")) {
            const double yes = read_expression(r, 0);
            if (!accept(r, ":"))
                fail(r->p, r->place, "#if lacks ':'");
            const double no = read_expression(r, 0);
            left = left != 0 ? yes : no;
        } else {
            return left;
        }
        if (r->p->failed)
            return 0;
    }
}

/* defined X, defined(X): 0 or 1, before macros are expanded. */
static TokenList resolve_defined(Preprocessor *p, const TokenList *line, Place place)
{
    TokenList out = {0};
    for (size_t i = 0; i < line->count; i++) {
        Token token = line->items[i];
        if (token_is(&token, "defined")) {
            const bool bracket = i + 1 < line->count && token_is(&line->items[i + 1], "(");
            const size_t name = i + 1 + bracket, last = name + bracket;
            if (last >= line->count || line->items[name].kind != TOKEN_NAME ||
                (bracket && !token_is(&line->items[last], ")"))) {
                fail(p, place, "'defined' without a name");
                break;
            }
            token.kind = TOKEN_NUMBER;
            token.text = find_macro(p, line->items[name].text) ? "1" : "0";
            i = last;
        }
        append(p, &out, token);
    }
    return out;
}

static bool condition_holds(Preprocessor *p, Place place)
{
    const TokenList line = read_directive(p);
    const TokenList resolved = resolve_defined(p, &line, place);
    const TokenList tokens = expand_list(p, resolved.items, resolved.count);
    Reading reading = {p, tokens.items, tokens.count, 0, place};
    const double value = read_expression(&reading, 0);
    if (reading.at < reading.count)
        fail(p, place, "#if: unexpected '%.64s'", peek(&reading)->text);
    return value != 0;
}

static bool is_defined(Preprocessor *p, Place place)
{
    const TokenList line = read_directive(p);
    if (!line.count || line.items[0].kind != TOKEN_NAME) {
        fail(p, place, "#ifdef without a name");
        return false;
    }
    return find_macro(p, line.items[0].text) != NULL;
}

static void begin_condition(Preprocessor *p, Place place, bool taken)
{
    if (p->condition_count == MAX_CONDITIONS)
        fail(p, place, "#if is nested more than %d deep", MAX_CONDITIONS);
    else
        p->conditions[p->condition_count++] = (Condition){taken, taken, false, place};
}

/* ---- files ---- */

static void open_file(Preprocessor *p, const char *name, EffectText text, Place includer)
{
    const char *utf8 = encoding_decode_text(text.bytes, text.size, p->arena);
    File *file = arena_alloc(p->arena, sizeof *file);
    *arena_push(p->arena, &p->out->files) = (IncludedFile){name, includer};
    if (text_find(TEXT_WORDS(p->out->names.items, p->out->names.count), name) < 0)
        *arena_push(p->arena, &p->out->names) = name;
    lexer_init(&file->lexer, utf8, strlen(utf8), (uint16_t)(p->out->files.count - 1), p->names,
               p->arena);
    file->below = p->file;
    file->conditions = p->condition_count;
    p->file = file;
    p->file_depth++;
}

static void close_file(Preprocessor *p)
{
    if (p->condition_count > p->file->conditions)
        fail(p, p->conditions[p->condition_count - 1].place, "#if without #endif");
    if (!p->file->below)
        p->end = lexer_next(&p->file->lexer, true);
    p->file = p->file->below;
    p->file_depth--;
}

/* Whether an include names the file at the place, with its path. */
static bool include_beside(Preprocessor *p, const char *beside, const char *path, Place place)
{
    EffectText text;
    const char *name = source_text_path(beside, path, p->arena);
    if (text_find(TEXT_WORDS(p->once.items, p->once.count), name) >= 0)
        return true;
    if (!p->source->read || !p->source->read(p->source->user, &text, name))
        return false;
    if (text.size > EFFECT_MAX_TEXT)
        fail(p, place, "'%s' is larger than %d bytes", name, EFFECT_MAX_TEXT);
    else
        open_file(p, name, text, place);
    return true;
}

static void include(Preprocessor *p, Place place)
{
    const char *rest = lexer_rest_of_line(&p->file->lexer);
    Lexer lexer;
    lexer_init(&lexer, rest, strlen(rest), place.file, p->names, p->arena);
    const char close = *rest == '<' ? '>' : '"';
    const char *end = *rest == '<' || *rest == '"' ? strchr(rest + 1, close) : NULL;
    const char *path = end ? arena_strndup(p->arena, rest + 1, (size_t)(end - rest - 1)) : NULL;
    if (!end) { /* the name may be a macro */
        TokenList line = {0};
        for (Token token; (token = lexer_next(&lexer, true)).kind != TOKEN_END;)
            append(p, &line, token);
        line = expand_list(p, line.items, line.count);
        if (line.count == 1 && line.items[0].kind == TOKEN_STRING)
            path = line.items[0].text;
    }
    if (!path || !*path)
        fail(p, place, "#include without the name of a file");
    else if (p->file_depth == EFFECT_MAX_INCLUDE_DEPTH)
        fail(p, place, "files include each other more than %d deep", EFFECT_MAX_INCLUDE_DEPTH);
    else if (p->out->files.count >= EFFECT_MAX_FILES)
        fail(p, place, "more than %d files are included", EFFECT_MAX_FILES);
    else if (!include_beside(p, p->out->files.items[place.file].name, path, place) &&
             !include_beside(p, p->source->name, path, place))
        fail(p, place, "there is no file '%s' to include%s", path,
             strstr(path, "..") ? " in the directories that effects may read (effects.packages)"
                                : "");
}

/* ---- the directives, and the tokens between them ---- */

static bool is_skipping(const Preprocessor *p)
{
    return p->condition_count && !p->conditions[p->condition_count - 1].taken;
}

/* #if, #elif, #else, #endif: also where tokens are skipped. */
static bool read_condition(Preprocessor *p, const Token *name)
{
    const bool skipping = is_skipping(p), inner = p->condition_count > p->file->conditions;
    Condition *last = inner ? &p->conditions[p->condition_count - 1] : NULL;
    const Place place = name->place;
    if (token_is(name, "if") || token_is(name, "ifdef") || token_is(name, "ifndef")) {
        if (skipping)
            begin_condition(p, place, false);
        else if (token_is(name, "if"))
            begin_condition(p, place, condition_holds(p, place));
        else
            begin_condition(p, place, is_defined(p, place) == token_is(name, "ifdef"));
        if (skipping && !p->failed)
            p->conditions[p->condition_count - 1].was_taken = true; /* no branch of it is read */
        return true;
    }
    const bool is_else = token_is(name, "else");
    if (!is_else && !token_is(name, "elif") && !token_is(name, "endif"))
        return false;
    if (!last || (last->has_else && !token_is(name, "endif"))) {
        fail(p, place, "#%s without #if", name->text);
    } else if (token_is(name, "endif")) {
        p->condition_count--;
    } else {
        last->has_else = is_else;
        last->taken = !last->was_taken && (is_else || condition_holds(p, place));
        last->was_taken |= last->taken;
    }
    return true;
}

static void read_other_directive(Preprocessor *p, const Token *name)
{
    const char *rest;
    if (token_is(name, "define")) {
        define(p, name->place);
    } else if (token_is(name, "undef")) {
        const TokenList line = read_directive(p);
        if (line.count)
            undefine(p, line.items[0].text);
    } else if (token_is(name, "include")) {
        include(p, name->place);
    } else if (token_is(name, "error")) {
        rest = lexer_rest_of_line(&p->file->lexer);
        fail(p, name->place, "#error %.200s", rest);
    } else if (token_is(name, "pragma")) {
        rest = lexer_rest_of_line(&p->file->lexer);
        if (!strcmp(rest, "once"))
            *arena_push(p->arena, &p->once) = p->out->files.items[name->place.file].name;
    } else if (token_is(name, "line") || token_is(name, "warning")) {
        lexer_rest_of_line(&p->file->lexer);
    } else {
        fail(p, name->place, "unknown directive #%.64s", name->text);
    }
}

static void read_directive_line(Preprocessor *p)
{
    File *file = p->file;
    const Token name = lexer_next(&file->lexer, true);
    if (name.kind == TOKEN_END)
        return;
    if (!read_condition(p, &name) && !is_skipping(p))
        read_other_directive(p, &name);
    lexer_rest_of_line(&file->lexer);
}

static Token next_of_files(Preprocessor *p)
{
    while (p->file && !p->failed) {
        /* Text that is skipped may have quotes without their second one. */
        Token token = lexer_next(&p->file->lexer, is_skipping(p));
        if (token.kind == TOKEN_END) {
            if (p->file->lexer.at < p->file->lexer.end)
                lexer_pass_line(&p->file->lexer);
            else
                close_file(p);
        } else if (token.starts_line && token_is(&token, "#")) {
            read_directive_line(p);
        } else if (!is_skipping(p)) {
            if (token.kind == TOKEN_BAD)
                fail(p, token.place, "a text has no second '\"'");
            return token;
        }
    }
    return p->failed ? END : p->end;
}

static void define_macros(Preprocessor *p)
{
    static const EffectMacro DEFAULTS[] = {{"MME_MIPMAP", ""}}; /* README 2 */
    const size_t count = sizeof DEFAULTS / sizeof *DEFAULTS;
    for (size_t i = 0; i < count + p->source->macro_count; i++) {
        const EffectMacro *macro = i < count ? &DEFAULTS[i] : &p->source->macros[i - count];
        const char *line = arena_printf(p->arena, "%s %s", macro->name, macro->value);
        File file = {.below = p->file};
        lexer_init(&file.lexer, line, strlen(line), 0, p->names, p->arena);
        p->file = &file;
        define(p, (Place){.line = 1});
        p->file = file.below;
    }
}

bool preprocess(Preprocessed *out, const EffectSource *source, Names *names, Arena *arena,
                Diag *diag)
{
    *out = (Preprocessed){0};
    Preprocessor *p = arena_alloc(arena, sizeof *p);
    *p = (Preprocessor){.source = source, .out = out, .names = names, .arena = arena, .diag = diag};
    const bool too_large = source->text.size > EFFECT_MAX_TEXT;
    open_file(p, source->name, too_large ? (EffectText){"", 0} : source->text, (Place){0});
    if (too_large)
        fail(p, (Place){.line = 1}, "the file is larger than %d bytes", EFFECT_MAX_TEXT);
    define_macros(p);

    Stream stream = {.reads_files = true};
    Token token;
    do {
        token = next_expanded(p, &stream);
        p->text_size += strlen(token.text) + 1;
        if (p->text_size > EFFECT_MAX_TEXT)
            fail(p, token.place, "the text is longer than %d bytes after preprocessing",
                 EFFECT_MAX_TEXT);
        *arena_push(arena, &out->tokens) = token;
    } while (token.kind != TOKEN_END);
    return !p->failed;
}
