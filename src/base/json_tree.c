// SPDX-License-Identifier: MIT
#include "base/json_tree.h"

#include <string.h>

#include "base/json_read.h"

enum { BLOCK = 64 };

typedef struct Builder {
    JsonReader r;
    JsonValue *free;
    size_t free_count;
    Arena *arena;
} Builder;

static JsonValue *add_value(Builder *b)
{
    if (!b->free_count) {
        b->free = arena_array(b->arena, JsonValue, BLOCK);
        b->free_count = BLOCK;
    }
    b->free_count--;
    return b->free++;
}

static JsonValue *read_value(Builder *b);

static void read_items(JsonValue *value, Builder *b)
{
    const bool is_object = value->kind == JSON_OBJECT;
    JsonValue *first = NULL, **end = &first;
    const char *key = NULL;
    json_read_open(&b->r, is_object ? '{' : '[');
    while (is_object ? json_read_key(&key, &b->r) : json_read_item(&b->r)) {
        JsonValue *item = read_value(b);
        item->key = key;
        *end = item;
        end = &item->next;
        value->count++;
    }
    value->items = arena_array(b->arena, const JsonValue *, value->count);
    uint32_t i = 0;
    for (const JsonValue *item = first; item; item = item->next)
        value->items[i++] = item;
}

/* The depth of this recursion is that of the reader (JSON_READ_DEPTH). */
static JsonValue *read_value(Builder *b)
{
    JsonValue *value = add_value(b);
    switch (json_read_peek(&b->r)) {
    case '{':
        value->kind = JSON_OBJECT;
        read_items(value, b);
        break;
    case '[':
        value->kind = JSON_LIST;
        read_items(value, b);
        break;
    case '"':
        value->kind = JSON_TEXT;
        value->text = json_read_text(&b->r);
        break;
    case 't':
    case 'f':
        value->kind = JSON_BOOL;
        value->number = json_read_peek(&b->r) == 't';
        json_read_skip(&b->r);
        break;
    case 'n':
        json_read_skip(&b->r);
        break;
    default:
        value->kind = JSON_NUMBER;
        value->number = json_read_number(&b->r);
    }
    return value;
}

const JsonValue *json_tree_read(unsigned *line, const void *text, size_t size, Arena *arena)
{
    Builder b = {.r = json_read_init(text, size, arena), .arena = arena};
    const JsonValue *root = read_value(&b);
    if (!json_read_failed(&b.r))
        return root;
    *line = json_read_line(&b.r);
    return NULL;
}

const JsonValue *json_member(const JsonValue *object, const char *key)
{
    if (!object || object->kind != JSON_OBJECT)
        return NULL;
    for (uint32_t i = 0; i < object->count && i < JSON_SEARCHED; i++)
        if (!strcmp(object->items[i]->key, key))
            return object->items[i];
    return NULL;
}

const JsonValue *json_item(const JsonValue *list, uint32_t index)
{
    return index < json_count(list) ? list->items[index] : NULL;
}

uint32_t json_count(const JsonValue *list)
{
    return list ? list->count : 0;
}

double json_number(const JsonValue *value, double otherwise)
{
    return value && value->kind == JSON_NUMBER ? value->number : otherwise;
}

bool json_bool(const JsonValue *value, bool otherwise)
{
    return value && value->kind == JSON_BOOL ? value->number != 0 : otherwise;
}

const char *json_string(const JsonValue *value, const char *otherwise)
{
    return value && value->kind == JSON_TEXT ? value->text : otherwise;
}

int32_t json_index(const JsonValue *value)
{
    const double number = json_number(value, -1);
    return number >= 0 && number <= INT32_MAX && number == (double)(int32_t)number ? (int32_t)number
                                                                                   : -1;
}

bool json_numbers(double *out, size_t count, const JsonValue *list)
{
    if (list && (list->kind != JSON_LIST || list->count != count))
        return false;
    for (uint32_t i = 0; i < json_count(list); i++) {
        if (list->items[i]->kind != JSON_NUMBER)
            return false;
        out[i] = list->items[i]->number;
    }
    return true;
}
