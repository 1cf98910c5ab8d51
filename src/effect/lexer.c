// SPDX-License-Identifier: MIT
#include "effect/lexer.h"

#include <string.h>

#include "base/text.h"

/* ---- texts that are kept once: a hash table with open addressing ---- */

struct Names {
    Arena *arena;
    const char **slots;
    size_t count, capacity; /* a power of two */
};

Names *names_create(Arena *arena)
{
    Names *names = arena_alloc(arena, sizeof *names);
    names->arena = arena;
    names->capacity = 1024;
    names->slots = arena_array(arena, const char *, names->capacity);
    return names;
}

static const char **slot_of(const Names *names, const char *text, size_t size)
{
    const uint64_t hash = text_hash(text, size);
    size_t i = (size_t)(hash ^ hash >> 32) & (names->capacity - 1);
    while (names->slots[i] &&
           (strncmp(names->slots[i], text, size) != 0 || names->slots[i][size] != '\0'))
        i = (i + 1) & (names->capacity - 1);
    return &names->slots[i];
}

const char *names_keep(Names *names, const char *text, size_t size)
{
    const char **slot = slot_of(names, text, size);
    if (*slot)
        return *slot;
    if (2 * names->count >= names->capacity) {
        const char **old = names->slots;
        const size_t old_capacity = names->capacity;
        names->capacity *= 2;
        names->slots = arena_array(names->arena, const char *, names->capacity);
        for (size_t i = 0; i < old_capacity; i++)
            if (old[i])
                *slot_of(names, old[i], strlen(old[i])) = old[i];
        slot = slot_of(names, text, size);
    }
    names->count++;
    return *slot = arena_strndup(names->arena, text, size);
}

bool token_is(const Token *token, const char *text)
{
    return (token->kind == TOKEN_PUNCTUATOR || token->kind == TOKEN_NAME) &&
           !strcmp(token->text, text);
}

/* ---- characters ---- */

void lexer_init(Lexer *lexer, const char *text, size_t size, uint16_t file, Names *names,
                Arena *arena)
{
    *lexer = (Lexer){.names = names,
                     .arena = arena,
                     .at = text,
                     .end = text + size,
                     .line = 1,
                     .line_start = text,
                     .file = file,
                     .new_line = true};
}

/* The bytes of a continued line's end at `at`: back-slash and line break; 0 if it is none. */
static size_t continuation(const Lexer *lexer)
{
    const char *at = lexer->at;
    if (at == lexer->end || *at != '\\')
        return 0;
    at++;
    if (at < lexer->end && *at == '\r')
        at++;
    return at < lexer->end && *at == '\n' ? (size_t)(at + 1 - lexer->at) : 0;
}

static void count_line(Lexer *lexer)
{
    lexer->line++;
    lexer->line_start = lexer->at;
}

/* The next character, 0 at the end; continued lines are passed. */
static char peek(Lexer *lexer)
{
    for (size_t size; (size = continuation(lexer)) > 0;) {
        lexer->at += size;
        count_line(lexer);
    }
    return lexer->at < lexer->end ? *lexer->at : '\0';
}

/* The character after the next one, on the same line. */
static char peek_second(Lexer *lexer)
{
    peek(lexer);
    Lexer ahead = *lexer;
    if (ahead.at == ahead.end)
        return '\0';
    ahead.at++;
    return peek(&ahead);
}

/* Passes a character, unless the text has ended: peek may have passed a continued line just before
 * its end. */
static void skip(Lexer *lexer)
{
    if (lexer->at == lexer->end)
        return;
    const char c = *lexer->at++;
    if (c == '\n') {
        count_line(lexer);
        lexer->new_line = true;
    }
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_one_of(char c, const char *set)
{
    return c && strchr(set, c);
}

static bool is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (uint8_t)c >= 0x80 ||
           is_digit(c);
}

/* Passes a comment; false if there is none at this place. */
static bool skip_comment(Lexer *lexer)
{
    if (peek(lexer) != '/')
        return false;
    const char second = peek_second(lexer);
    if (second == '/') {
        while (peek(lexer) && peek(lexer) != '\n')
            skip(lexer);
        return true;
    }
    if (second != '*')
        return false;
    skip(lexer);
    peek(lexer);
    skip(lexer);
    const bool new_line = lexer->new_line; /* a comment of several lines does not start a line */
    while (lexer->at < lexer->end && !(peek(lexer) == '*' && peek_second(lexer) == '/'))
        skip(lexer);
    for (int i = 0; i < 2 && peek(lexer); i++)
        skip(lexer);
    lexer->new_line = new_line;
    return true;
}

/* Passes blanks and comments, and line breaks unless in a directive. */
static bool skip_blanks(Lexer *lexer, bool in_directive)
{
    const char *start = lexer->at;
    for (;;) {
        const char c = peek(lexer);
        if (lexer->at == lexer->end || (c == '\n' && in_directive))
            break;
        if ((uint8_t)c <= ' ') /* also NUL within the text */
            skip(lexer);
        else if (!skip_comment(lexer))
            break;
    }
    return lexer->at != start;
}

static void put(Lexer *lexer, size_t at, char c)
{
    if (at == lexer->capacity) {
        const size_t capacity = lexer->capacity ? 2 * lexer->capacity : 256;
        char *buffer = arena_alloc(lexer->arena, capacity);
        if (at)
            memcpy(buffer, lexer->buffer, at);
        lexer->buffer = buffer;
        lexer->capacity = capacity;
    }
    lexer->buffer[at] = c;
}

/* Moves the next character to the text of the token. */
static size_t take(Lexer *lexer, size_t size)
{
    put(lexer, size, peek(lexer));
    skip(lexer);
    return size + 1;
}

static size_t take_digits(Lexer *lexer, size_t size)
{
    while (is_digit(peek(lexer)))
        size = take(lexer, size);
    return size;
}

/*
 * Digits, point, exponent, suffix.  In "1.xxx" the point belongs to a swizzle, in "1.f" and "1.e5"
 * to the number.
 */
static size_t take_number(Lexer *lexer)
{
    size_t size = 0;
    if (peek(lexer) == '0' && (peek_second(lexer) == 'x' || peek_second(lexer) == 'X')) {
        while (is_name(peek(lexer)))
            size = take(lexer, size);
        return size;
    }
    size = take_digits(lexer, size);
    const char after = peek(lexer) == '.' ? peek_second(lexer) : '\0';
    if (peek(lexer) == '.' && (!is_name(after) || is_digit(after) || is_one_of(after, "efhlEFHL")))
        size = take_digits(lexer, take(lexer, size));
    if (is_one_of(peek(lexer), "eE") &&
        (is_digit(peek_second(lexer)) || is_one_of(peek_second(lexer), "+-"))) {
        size = take(lexer, take(lexer, size));
        size = take_digits(lexer, size);
    }
    while (is_name(peek(lexer))) /* a suffix; also the rest of "2D", for ## */
        size = take(lexer, size);
    return size;
}

/* The text between quotes; false if the line or the file ends before. */
static bool take_string(Lexer *lexer, size_t *size, bool in_directive)
{
    skip(lexer);
    *size = 0;
    while (lexer->at < lexer->end) {
        const char c = peek(lexer);
        if (lexer->at == lexer->end || (c == '\n' && in_directive))
            break;
        if (c == '"') {
            skip(lexer);
            return true;
        }
        if (c == '\\' && is_one_of(peek_second(lexer), "\\\""))
            skip(lexer);
        *size = take(lexer, *size);
    }
    return false;
}

/* Punctuators of several characters, longer ones first. */
static const char *const PUNCTUATORS[] = {"<<=", ">>=", "==", "!=", "<=", ">=", "&&", "||",
                                          "+=",  "-=",  "*=", "/=", "%=", "&=", "|=", "^=",
                                          "++",  "--",  "<<", ">>", "##", "::"};

static size_t take_punctuator(Lexer *lexer)
{
    size_t size = take(lexer, 0);
    for (;;) {
        put(lexer, size, peek(lexer));
        bool longer = false;
        for (size_t i = 0; i < sizeof PUNCTUATORS / sizeof *PUNCTUATORS; i++)
            longer |= peek(lexer) && strlen(PUNCTUATORS[i]) > size &&
                      !strncmp(PUNCTUATORS[i], lexer->buffer, size + 1);
        if (!longer)
            return size;
        size = take(lexer, size);
    }
}

Token lexer_next(Lexer *lexer, bool in_directive)
{
    const bool blank = skip_blanks(lexer, in_directive);
    const char c = peek(lexer);
    const ptrdiff_t column = lexer->at - lexer->line_start + 1;
    Token token = {
        .place = {lexer->line, (uint16_t)(column < UINT16_MAX ? column : UINT16_MAX), lexer->file},
        .starts_line = lexer->new_line,
        .after_blank = blank || lexer->new_line,
        .text = ""};
    if (lexer->at == lexer->end || (c == '\n' && in_directive))
        return token;
    lexer->new_line = false;

    size_t size = 0;
    if (is_digit(c) || (c == '.' && is_digit(peek_second(lexer)))) {
        token.kind = TOKEN_NUMBER;
        size = take_number(lexer);
    } else if (is_name(c)) {
        token.kind = TOKEN_NAME;
        while (is_name(peek(lexer)))
            size = take(lexer, size);
    } else if (c == '"') {
        token.kind = take_string(lexer, &size, in_directive) ? TOKEN_STRING : TOKEN_BAD;
        lexer->new_line = false; /* a string of several lines does not start one */
    } else {
        token.kind = TOKEN_PUNCTUATOR;
        size = take_punctuator(lexer);
    }
    token.text = size ? names_keep(lexer->names, lexer->buffer, size) : "";
    return token;
}

const char *lexer_rest_of_line(Lexer *lexer)
{
    size_t size = 0, kept = 0;
    bool quoted = false; /* "a//b" has no comment */
    skip_blanks(lexer, true);
    while (peek(lexer) && peek(lexer) != '\n') {
        const char *before = lexer->at;
        quoted ^= *before == '"';
        if ((!quoted && skip_comment(lexer)) || (uint8_t)*before <= ' ') {
            if (lexer->at == before)
                skip(lexer);
            put(lexer, size++, ' ');
            continue;
        }
        size = take(lexer, size);
        kept = size;
    }
    return arena_strndup(lexer->arena, kept ? lexer->buffer : "", kept);
}

void lexer_pass_line(Lexer *lexer)
{
    if (peek(lexer) == '\n')
        skip(lexer);
}
