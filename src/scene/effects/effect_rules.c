// SPDX-License-Identifier: MIT
#include "scene/effects/effect_rules.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* Both texts are folded.  On a mismatch the last '*' takes one more character. */
static bool match_folded(const char *pattern, const char *name)
{
    const char *star = NULL, *resume = NULL;
    while (*name) {
        if (*pattern == '*') {
            star = ++pattern;
            resume = name;
        } else if (*pattern == *name ||
                   (*pattern == '?' && ((unsigned char)*name & 0xC0) != 0x80)) {
            name++;
            while (*pattern == '?' && ((unsigned char)*name & 0xC0) == 0x80)
                name++; /* the rest of a UTF-8 character */
            pattern++;
        } else if (star) {
            pattern = star;
            name = ++resume;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return !*pattern;
}

bool effect_rules_match(const char *pattern, const char *name)
{
    Arena *scratch = arena_create();
    const bool matches = match_folded(text_fold(pattern, scratch), text_fold(name, scratch));
    arena_destroy(scratch);
    return matches;
}

/* "0-3,5,12-": false if the text is anything else. */
static bool has_number(const char *list, uint32_t number)
{
    bool found = false;
    for (const char *at = list; *at;) {
        char *end;
        if (!isdigit((unsigned char)*at))
            return false;
        const unsigned long first = strtoul(at, &end, 10);
        unsigned long last = first;
        if (*end == '-')
            last = isdigit((unsigned char)end[1]) ? strtoul(end + 1, &end, 10)
                                                  : (end++, (unsigned long)UINT32_MAX);
        found |= number >= first && number <= last;
        if (*end != ',' && *end)
            return false;
        at = end + (*end == ',');
    }
    return found;
}

bool effect_rules_has_material(const char *names, const PmxModel *pmx, uint32_t material)
{
    for (uint32_t i = 0; i < pmx->material_count; i++)
        if (!strcmp(pmx->materials[i].name, names))
            return material < pmx->material_count && !strcmp(pmx->materials[material].name, names);
    return has_number(names, material);
}

static char *trim(char *text)
{
    text += strspn(text, " \t\r\n");
    size_t size = strlen(text);
    while (size && strchr(" \t\r\n", text[size - 1]))
        text[--size] = '\0';
    return text;
}

EffectRules effect_rules_parse(const char *text, Arena *arena)
{
    ARENA_LIST(EffectRule) rules = {0};
    char *copy = arena_strdup(arena, text);
    for (char *at = copy, *next; at; at = next) {
        next = strchr(at, ';');
        if (next)
            *next++ = '\0';
        char *equals = strchr(at, '=');
        if (!equals)
            continue;
        *equals = '\0';
        const EffectRule rule = {trim(at), trim(equals + 1)};
        if (*rule.object && *rule.file)
            *arena_push(arena, &rules) = rule;
    }
    return (EffectRules){rules.items, rules.count};
}

const EffectRule *effect_rules_find(const EffectRules *rules, const char *object, bool is_self)
{
    for (size_t i = 0; i < rules->count; i++) {
        const EffectRule *rule = &rules->items[i];
        if (text_equal_ignoring_case(rule->object, "self")
                ? is_self
                : effect_rules_match(rule->object, object))
            return rule;
    }
    return NULL;
}
