#include "job/help/key_list.h"

#include <string.h>

static void add_keys(KeyList *list, const OptionTable *table, const char *prefix, Arena *arena)
{
    for (size_t i = 0; i < table->count; i++) {
        const Option *option = &table->rows[i];
        const char *name = arena_printf(arena, "%s%s", prefix, option->key);
        const char *below = option->type == OPTION_LIST ? ".N." : ".";
        *arena_push(arena, list) = (Key){name, option};
        if (option->table)
            add_keys(list, option->table, arena_printf(arena, "%s%s", name, below), arena);
    }
}

KeyList key_list_of(const OptionTable *table, Arena *arena)
{
    KeyList list = {0};
    add_keys(&list, table, "", arena);
    return list;
}

const char *key_general_name(const char *name, Arena *arena)
{
    const char *copy = "";
    while (*name) {
        const size_t size = strcspn(name, ".");
        const bool is_index = size && strspn(name, "0123456789") == size;
        copy = arena_printf(arena, "%s%s%.*s", copy, copy[0] ? "." : "", is_index ? 1 : (int)size,
                            is_index ? "N" : name);
        name += size + (name[size] == '.');
    }
    return copy;
}
