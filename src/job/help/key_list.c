#include "job/help/key_list.h"

#include <string.h>

static void add_key(KeyList *list, const char *name, const Option *option, Arena *arena)
{
    const char *separator = option->type == OPTION_LIST ? ".N." : ".";
    *arena_push(arena, list) = (Key){name, option};
    for (size_t i = 0; option->table && i < option->table->count; i++) {
        const Option *row = &option->table->rows[i];
        add_key(list, arena_printf(arena, "%s%s%s", name, separator, row->key), row, arena);
    }
}

KeyList key_list_of(const OptionTable *table, Arena *arena)
{
    KeyList list = {0};
    for (size_t i = 0; i < table->count; i++)
        add_key(&list, table->rows[i].key, &table->rows[i], arena);
    return list;
}

KeyList key_list_below(const char *name, const Option *option, Arena *arena)
{
    KeyList list = {0};
    add_key(&list, name, option, arena);
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
