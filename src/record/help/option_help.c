// SPDX-License-Identifier: MIT
#include "record/help/option_help.h"

#include <assert.h>
#include <string.h>

#include "record/help/roff.h"
#include "record/option_read.h"
#include "record/option_value.h"

enum { LIST_SIZE = 256, MAX_LISTED = 12 /* choices */ };

/* ---- lists of keys ---- */

/* What the file has at its top level, too, is described there. */
static bool is_described(const Option *option, const OptionTable *root)
{
    const Option *top = option_find(root, option->key);
    return option->table && top && top != option && top->type == option->type;
}

static void add_row(OptionKeys *list, const OptionTable *root, const char *name,
                    const Option *parent, const Option *row, Arena *arena)
{
    const char *separator = parent->type == OPTION_LIST ? ".N." : ".";
    const char *own = arena_printf(arena, "%s%s%s", name, separator, row->key);
    *arena_push(arena, list) = (OptionKey){own, row, parent->table};
    for (size_t i = 0; row->table && !is_described(row, root) && i < row->table->count; i++)
        add_row(list, root, own, row, &row->table->rows[i], arena);
}

/* above: the table of which it is a row */
static void add_key(OptionKeys *list, const OptionTable *root, const OptionTable *above,
                    const char *name, const Option *option, Arena *arena)
{
    *arena_push(arena, list) = (OptionKey){name, option, above};
    for (size_t i = 0; option->table && i < option->table->count; i++)
        add_row(list, root, name, option, &option->table->rows[i], arena);
}

OptionKeys option_help_list(const OptionTable *table, Arena *arena)
{
    OptionKeys list = {0};
    for (size_t i = 0; i < table->count; i++)
        add_key(&list, table, table, table->rows[i].key, &table->rows[i], arena);
    return list;
}

/* A key by its dotted name, and all keys below it; their names begin with `name`. */
static OptionKeys list_below(const OptionTable *root, const char *name, const Option *option,
                             Arena *arena)
{
    OptionKeys list = {0};
    const char *dot = strrchr(name, '.');
    const char *parent = dot ? arena_strndup(arena, name, (size_t)(dot - name)) : NULL;
    const Option *above = parent ? option_at_table(root, parent) : NULL;
    add_key(&list, root, above ? above->table : root, name, option, arena);
    return list;
}

const char *option_help_general_name(const char *name, Arena *arena)
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

/* ---- texts of a row ---- */

static size_t count_choices(const Option *option)
{
    size_t count = 0;
    assert(option->choices);
    while (option->choices[count])
        count++;
    return count;
}

/* "1..240", "auto or 1..64", "1, 4", "true, false", "plane, pmxe", "text" */
static const char *accepted(const Option *option, Arena *arena)
{
    const char *accepts = option_value_type(option->type)->accepts;
    char list[LIST_SIZE] = "";
    if (option->choices)
        option_write_choices(list, sizeof list, option);
    else if (!accepts)
        option_write_range(list, sizeof list, option);

    if (option->type == OPTION_FLAGS && count_choices(option) > MAX_LISTED)
        return "list of names";
    if (option->type == OPTION_FLAGS || option->type == OPTION_CHOICES)
        return arena_printf(arena, "list of %s", list);
    if (option->type == OPTION_FILES && option->choices)
        return arena_printf(arena, "map of name: %s, file", list);
    if (option->choices && accepts)
        return arena_printf(arena, "%s, %s", list, accepts);
    if (option->length)
        return arena_printf(arena, "%d x %s", option->length, list);
    const Option *main = option->table && option->table->short_key
                             ? option_find(option->table, option->table->short_key)
                             : NULL;
    if (main && main->type == OPTION_NAMES)
        return arena_printf(arena, "%s or texts", accepts);
    if (main)
        return arena_printf(arena, "%s or %s", accepts,
                            main->type == OPTION_CHOICE   ? "word"
                            : option->type == OPTION_LIST ? "files"
                                                          : "file");
    return accepts && !option->choices ? accepts : arena_strdup(arena, list);
}

const char *option_description(const Option *option, Arena *arena)
{
    return option->unit ? arena_printf(arena, "%s [%s]", option->help, option->unit) : option->help;
}

/* A section has no default of its own. */
static const char *default_of(const Option *option)
{
    return !option->value ? "required" : option->type == OPTION_SECTION ? "" : option->value;
}

/* "; needs max_kbps; not with motion, fixed": the rules of its map about a key and others. */
static const char *rules_of(const OptionKey *key, Arena *arena)
{
    const Option *option = key->option, *keys[OPTION_RULE_KEYS];
    const char *text = option->needs ? arena_printf(arena, "; needs %s", option->needs) : "";
    for (size_t i = 0; i < key->table->count; i++) {
        const size_t count = option_rule_keys(keys, key->table, &key->table->rows[i]);
        const char *others = "";
        bool named = false;
        for (size_t k = 0; k < count; k++) {
            named |= keys[k] == option;
            if (keys[k] != option)
                others = arena_printf(arena, "%s%s%s", others, *others ? ", " : "", keys[k]->key);
        }
        if (named)
            text = arena_printf(arena, "%s; not with %s", text, others);
    }
    return text;
}

/* "1..240; default 60" */
static const char *summary(const OptionKey *key, const OptionTable *root, Arena *arena)
{
    const Option *option = key->option;
    const char *accepts = accepted(option, arena), *value = default_of(option);
    return arena_printf(arena, "%s%s%s%s%s%s", accepts, accepts[0] && value[0] ? "; " : "",
                        option->value && value[0] ? "default " : "", value,
                        is_described(option, root) ? "; keys as at the top level" : "",
                        rules_of(key, arena));
}

/* ---- documents ---- */

bool option_help(FILE *out, const OptionTable *table, const char *dotted, Arena *arena)
{
    const Option *option = dotted ? option_at_table(table, dotted) : NULL;
    if (dotted && !option)
        return false;
    const OptionKeys keys =
        option ? list_below(table, dotted, option, arena) : option_help_list(table, arena);
    for (size_t i = 0; i < keys.count; i++)
        fprintf(out, "%s: %s\n    %s\n", keys.items[i].name,
                option_description(keys.items[i].option, arena),
                summary(&keys.items[i], table, arena));
    return true;
}

void option_manual(FILE *out, const OptionTable *table, Arena *arena)
{
    bool in_section = false;
    for (size_t i = 0; i < table->count; i++) {
        const Option *option = &table->rows[i];
        const OptionKeys keys = list_below(table, option->key, option, arena);
        if (option->table || in_section || i == 0) {
            in_section = option->table != NULL;
            fprintf(out, ".SS %s\n", in_section ? option->key : "General");
        }
        for (size_t k = 0; k < keys.count; k++) {
            roff_item(out, keys.items[k].name);
            roff_text(out, ".IP", option_description(keys.items[k].option, arena));
            fputs(".br\n", out);
            roff_text(out, ".IP", summary(&keys.items[k], table, arena));
        }
    }
}

static void write_cell(FILE *out, const char *text)
{
    for (; *text; text++)
        fprintf(out, *text == '|' ? "\\%c" : "%c", *text);
}

void option_markdown(FILE *out, const OptionTable *table, Arena *arena)
{
    const OptionKeys keys = option_help_list(table, arena);
    fputs("| key | accepts | default | meaning |\n|---|---|---|---|\n", out);
    for (size_t i = 0; i < keys.count; i++) {
        const Option *option = keys.items[i].option;
        fprintf(out, "| `%s` | ", keys.items[i].name);
        write_cell(out, accepted(option, arena));
        fputs(" | ", out);
        if (default_of(option)[0])
            fprintf(out, option->value ? "`%s`" : "*%s*", default_of(option));
        fputs(" | ", out);
        write_cell(out, option_description(option, arena));
        fputs(" |\n", out);
    }
}
