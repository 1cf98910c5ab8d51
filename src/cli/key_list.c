#include "cli/key_list.h"

#include <string.h>

void key_list_add(KeyList *list, const OptionTable *table, const char *prefix, Arena *arena)
{
    for (size_t i = 0; i < table->count; i++) {
        const Option *option = &table->rows[i];
        const char *name = arena_printf(arena, "%s%s", prefix, option->key);
        const char *below = option->type == OPTION_LIST ? ".N." : ".";
        *arena_push(arena, list) = (Key){name, option};
        if (option->table)
            key_list_add(list, option->table, arena_printf(arena, "%s%s", name, below), arena);
    }
}

KeyList key_list_of_job(Arena *arena)
{
    KeyList list = {0};
    key_list_add(&list, &option_job, "", arena);
    return list;
}

const char *key_with_index(const char *name, const char *index, Arena *arena)
{
    const char *copy = "";
    while (*name) {
        const size_t size = strcspn(name, ".");
        const bool is_index =
            size && (strspn(name, "0123456789") == size || (size == 1 && name[0] == 'N'));
        copy = arena_printf(arena, "%s%s%.*s", copy, copy[0] ? "." : "",
                            is_index ? (int)strlen(index) : (int)size, is_index ? index : name);
        name += size + (name[size] == '.');
    }
    return copy;
}
