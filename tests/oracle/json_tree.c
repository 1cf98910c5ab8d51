// SPDX-License-Identifier: MIT
#include "json_tree.h"

#include <stdlib.h>
#include <string.h>

typedef struct Parser {
    const char *at;
    Arena *arena;
    bool failed;
} Parser;

static void skip_space(Parser *p)
{
    p->at += strspn(p->at, " \t\r\n");
}

static bool take(Parser *p, char c)
{
    skip_space(p);
    if (*p->at != c)
        return false;
    p->at++;
    return true;
}

static const char *parse_text(Parser *p)
{
    if (!take(p, '"')) {
        p->failed = true;
        return "";
    }
    const char *start = p->at;
    while (*p->at && *p->at != '"')
        p->at += *p->at == '\\' && p->at[1] ? 2 : 1;
    char *text = arena_strndup(p->arena, start, (size_t)(p->at - start));
    p->failed |= *p->at != '"';
    p->at += *p->at == '"';
    return text;
}

typedef struct Items {
    JsonTree *items;
    size_t count, capacity;
} Items;

static JsonTree parse_value(Parser *p);

static JsonTree parse_items(Parser *p, JsonKind kind, char end)
{
    Items list = {0};
    if (!take(p, end)) {
        do {
            const char *key = NULL;
            if (kind == JSON_OBJECT) {
                key = parse_text(p);
                p->failed |= !take(p, ':');
            }
            JsonTree item = parse_value(p);
            item.key = key;
            *arena_push(p->arena, &list) = item;
        } while (!p->failed && take(p, ','));
        p->failed |= !take(p, end);
    }
    return (JsonTree){.kind = kind, .items = list.items, .count = list.count};
}

static JsonTree parse_word(Parser *p)
{
    static const struct {
        const char *word;
        JsonTree value;
    } words[] = {{"null", {.kind = JSON_NULL}},
                 {"true", {.kind = JSON_BOOL, .number = 1}},
                 {"false", {.kind = JSON_BOOL}}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strncmp(p->at, words[i].word, strlen(words[i].word))) {
            p->at += strlen(words[i].word);
            return words[i].value;
        }
    char *end;
    const double number = strtod(p->at, &end);
    p->failed |= end == p->at;
    p->at = end;
    return (JsonTree){.kind = JSON_NUMBER, .number = number};
}

static JsonTree parse_value(Parser *p)
{
    if (p->failed)
        return (JsonTree){0};
    if (take(p, '{'))
        return parse_items(p, JSON_OBJECT, '}');
    if (take(p, '['))
        return parse_items(p, JSON_ARRAY, ']');
    if (*p->at == '"')
        return (JsonTree){.kind = JSON_TEXT, .text = parse_text(p)};
    return parse_word(p);
}

bool json_tree_parse(JsonTree *out, const char *text, Arena *arena)
{
    Parser p = {text, arena, false};
    *out = parse_value(&p);
    return !p.failed;
}

const JsonTree *json_tree_get(const JsonTree *object, const char *key)
{
    static const JsonTree nothing = {.kind = JSON_NULL, .text = ""};
    for (size_t i = 0; i < object->count; i++)
        if (object->items[i].key && !strcmp(object->items[i].key, key))
            return &object->items[i];
    return &nothing;
}

void json_tree_floats(float *out, size_t count, const JsonTree *array)
{
    memset(out, 0, count * sizeof *out);
    for (size_t i = 0; i < count && i < array->count; i++)
        out[i] = (float)array->items[i].number;
}
