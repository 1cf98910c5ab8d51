// SPDX-License-Identifier: MIT
#include "record/options.h"

#include <string.h>

const Option *option_find(const OptionTable *table, const char *key)
{
    for (size_t i = 0; i < table->count; i++)
        if (!strcmp(table->rows[i].key, key))
            return &table->rows[i];
    return NULL;
}

/* Copies the next word of a dotted key; false at its end, or if the word is too long. */
static bool next_word(char *out, size_t size, const char **at)
{
    const size_t length = strcspn(*at, ".");
    if (!**at || length >= size)
        return false;
    memcpy(out, *at, length);
    out[length] = '\0';
    *at += length + ((*at)[length] == '.');
    return true;
}

static bool is_index(const char *word)
{
    return !strcmp(word, "N") || (word[0] && !word[strspn(word, "0123456789")]);
}

const Option *option_at_table(const OptionTable *table, const char *dotted)
{
    const Option *option = NULL;
    char word[64];

    while (next_word(word, sizeof word, &dotted)) {
        if (option && option->type == OPTION_LIST && is_index(word))
            continue;
        option = table ? option_find(table, word) : NULL;
        if (!option)
            return NULL;
        table = option->table;
    }
    return *dotted ? NULL : option;
}

bool option_is_ranged(const Option *option)
{
    return option->min < option->max || option->min > 0;
}

bool option_is_seconds(const Option *option)
{
    const bool is_number = option->type == OPTION_NUMBER || option->type == OPTION_FLOAT;
    return is_number && option->unit && !strcmp(option->unit, "s");
}

bool option_affects_film(const Option *option)
{
    return option->role == ROLE_VALUE && option->stage <= STAGE_ENCODING;
}
