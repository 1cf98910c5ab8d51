// SPDX-License-Identifier: MIT
#include "mutate.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_REPEAT = 4096 };

static const char *const NUMBERS[] = {"nan",
                                      ".nan",
                                      "inf",
                                      "-.inf",
                                      "1e999",
                                      "-1e999",
                                      "3.4e38",
                                      "-3.4e38",
                                      "1e25",
                                      "-1e25",
                                      "1e-45",
                                      "1e-320",
                                      "-0",
                                      "0",
                                      "-1",
                                      "1",
                                      "2",
                                      "0.5",
                                      "100",
                                      "65536",
                                      "1000000",
                                      "1000001",
                                      "2147483647",
                                      "-2147483648",
                                      "2147483648",
                                      "4294967295",
                                      "4294967296",
                                      "9223372036854775807",
                                      "-9223372036854775808",
                                      "18446744073709551616",
                                      "99999999999999999999999999",
                                      "0x10",
                                      "1."};

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* A part of the text: bytes [start, end). */
typedef struct Span {
    size_t start, end;
} Span;

/* 'a' for parts of words, '0' of numbers, ' ' for space; other bytes are tokens of their own. */
static char class_of(uint8_t c)
{
    if (isdigit(c) || c == '.' || c == '-' || c == '+')
        return '0';
    if (isalpha(c) || c == '_' || c >= 0x80)
        return 'a';
    return c == ' ' || c == '\t' ? ' ' : (char)c;
}

static Span token_at(const Buffer *b, size_t at)
{
    const char class = class_of(b->data[at]);
    Span span = {at, at + 1};
    if (class != 'a' && class != '0' && class != ' ')
        return span;
    while (span.start > 0 && class_of(b->data[span.start - 1]) == class)
        span.start--;
    while (span.end < b->size && class_of(b->data[span.end]) == class)
        span.end++;
    return span;
}

/* With its line break. */
static Span line_at(const Buffer *b, size_t at)
{
    Span span = {at, at};
    while (span.start > 0 && b->data[span.start - 1] != '\n')
        span.start--;
    while (span.end < b->size && b->data[span.end] != '\n')
        span.end++;
    span.end += span.end < b->size;
    return span;
}

/* From a bracket to the one that closes it; else a token. */
static Span block_at(const Buffer *b, size_t at)
{
    int depth = 0;
    for (size_t i = at; i < b->size; i++) {
        const uint8_t c = b->data[i];
        depth += (c == '{' || c == '[' || c == '(') - (c == '}' || c == ']' || c == ')');
        if (i > at && depth <= 0)
            return (Span){at, i + 1};
        if (i == at && depth != 1)
            break;
    }
    return token_at(b, at);
}

static Span any_span(const Buffer *b, Random *random)
{
    const size_t at = random_below(random, b->size);
    switch (random_below(random, 4)) {
    case 0:
        return line_at(b, at);
    case 1:
        return block_at(b, at);
    default:
        return token_at(b, at);
    }
}

/* A number at or after a random place, or any token. */
static Span any_number(const Buffer *b, Random *random)
{
    const size_t start = random_below(random, b->size);
    for (size_t i = 0; i < b->size; i++) {
        const size_t at = (start + i) % b->size;
        if (isdigit(b->data[at]))
            return token_at(b, at);
    }
    return token_at(b, start);
}

static void replace(Buffer *b, Span span, const void *bytes, size_t size)
{
    buffer_replace(b, span.start, span.end - span.start, bytes, size);
}

static void replace_text(Buffer *b, Span span, const char *text)
{
    replace(b, span, text, strlen(text));
}

/* Puts `times` copies of a span over another one. */
static void copy_span(Buffer *b, Span from, Span to, size_t times)
{
    const size_t size = from.end - from.start;
    if (size * times > MAX_REPEAT)
        times = 1;
    uint8_t *copy = malloc(size * times + 1);
    if (!copy)
        return;
    for (size_t i = 0; i < times; i++)
        memcpy(copy + i * size, b->data + from.start, size);
    replace(b, to, copy, size * times);
    free(copy);
}

/* Puts a span into brackets of its own, once to a thousand times. */
static void nest(Buffer *b, Span span, Random *random)
{
    static const char *const pairs[][2] = {{"[", "]"}, {"{a: ", "}"}, {"{\"a\":", "}"}, {"(", ")"}};
    static const size_t depths[] = {1, 1, 2, 10, 70, 300};
    const char *const *pair = pairs[random_below(random, COUNT(pairs))];
    for (size_t i = depths[random_below(random, COUNT(depths))]; i > 0; i--) {
        replace_text(b, (Span){span.end, span.end}, pair[1]);
        replace_text(b, (Span){span.start, span.start}, pair[0]);
        span.end += strlen(pair[0]);
        if (span.end > b->size)
            return;
    }
}

static size_t count_of(const char *const *words)
{
    size_t count = 0;
    while (words && words[count])
        count++;
    return count;
}

void mutate_text(Buffer *b, const char *const *words, Random *random)
{
    static const size_t repeats[] = {1, 1, 1, 2, 10, 100};
    const Span span = any_span(b, random), other = any_span(b, random);
    const Span before = {span.start, span.start};
    const size_t word_count = count_of(words);
    switch (random_below(random, 8)) {
    case 0:
    case 1:
        replace_text(b, any_number(b, random), NUMBERS[random_below(random, COUNT(NUMBERS))]);
        break;
    case 2:
        replace(b, span, NULL, 0);
        break;
    case 3:
        copy_span(b, span, before, repeats[random_below(random, COUNT(repeats))]);
        break;
    case 4:
        copy_span(b, span, other, 1);
        break;
    case 5:
        nest(b, span, random);
        break;
    case 6:
        replace_text(b, span, NUMBERS[random_below(random, COUNT(NUMBERS))]);
        break;
    default:
        if (word_count)
            replace_text(b, random_below(random, 2) ? span : before,
                         words[random_below(random, word_count)]);
    }
}
