#include "job/option_dump.h"

#include "base/text_stream.h"
#include "job/option_value.h"

enum { NAME_SIZE = 128 };

/* The structs of a section or of a list of sections. */
typedef struct Items {
    const char *first;
    size_t count;
} Items;

static Items items_of(const Option *option, const void *base)
{
    const char *field = (const char *)base + option->offset;
    if (option->type == OPTION_SECTION)
        return (Items){field, 1};
    const char *pointer = *(char *const *)(const void *)field;
    if (option->type == OPTION_OPTIONAL)
        return (Items){pointer, pointer != NULL};
    return (Items){pointer,
                   *(const size_t *)(const void *)((const char *)base + option->count_offset)};
}

/* ---- as YAML ---- */

static void write_table(FILE *out, const OptionTable *table, const void *base, int indent,
                        bool in_list)
{
    for (size_t i = 0; i < table->count; i++) {
        const Option *option = &table->rows[i];
        const bool dash = in_list && i == 0, is_list = option->type == OPTION_LIST;
        fprintf(out, "%*s%s%s:", dash ? indent - 2 : indent, "", dash ? "- " : "", option->key);
        if (option->table) {
            const Items items = items_of(option, base);
            fputs(items.count ? "\n" : is_list ? " []\n" : " null\n", out);
            for (size_t k = 0; k < items.count; k++)
                write_table(out, option->table, items.first + k * option->table->size, indent + 2,
                            is_list);
        } else {
            fputc(' ', out);
            option_value_type(option->type)->write(out, option, base);
            fputc('\n', out);
        }
    }
}

void option_dump(FILE *out, const Job *job)
{
    write_table(out, &option_job, job, 0, false);
}

/* ---- as keys and values ---- */

typedef struct Walk {
    OptionVisitor *visit;
    void *user;
    Arena *scratch;
} Walk;

static void visit_table(const Walk *walk, const char *prefix, const OptionTable *table,
                        const void *base, OptionAffects affects);

static void visit_items(const Walk *walk, const char *name, const Option *option, const void *base,
                        OptionAffects affects)
{
    const Items items = items_of(option, base);
    const bool is_list = option->type == OPTION_LIST;
    char text[NAME_SIZE + 32];
    if (is_list)
        snprintf(text, sizeof text, "%zu", items.count);
    else
        snprintf(text, sizeof text, "%s", items.count ? "given" : "null");
    if (option->type != OPTION_SECTION)
        walk->visit(walk->user, name, text, affects);
    for (size_t i = 0; i < items.count; i++) {
        if (is_list)
            snprintf(text, sizeof text, "%s.%zu.", name, i);
        else
            snprintf(text, sizeof text, "%s.", name);
        visit_table(walk, text, option->table, items.first + i * option->table->size, affects);
    }
}

static void visit_value(const Walk *walk, const char *name, const Option *option, const void *base,
                        OptionAffects affects)
{
    TextStream stream;
    option_value_type(option->type)->write(text_stream_open(&stream, walk->scratch), option, base);
    const char *text = text_stream_close(&stream);
    walk->visit(walk->user, name, text, option->type == OPTION_PATH ? AFFECTS_NOTHING : affects);
}

static void visit_table(const Walk *walk, const char *prefix, const OptionTable *table,
                        const void *base, OptionAffects affects)
{
    for (size_t i = 0; i < table->count; i++) {
        const Option *option = &table->rows[i];
        const OptionAffects own = option->affects > affects ? option->affects : affects;
        char name[NAME_SIZE];
        snprintf(name, sizeof name, "%s%s", prefix, option->key);
        if (option->table)
            visit_items(walk, name, option, base, own);
        else
            visit_value(walk, name, option, base, own);
    }
}

void option_each(const Job *job, OptionVisitor *visit, void *user)
{
    const Walk walk = {visit, user, arena_create()};
    visit_table(&walk, "", &option_job, job, AFFECTS_FRAMES);
    arena_destroy(walk.scratch);
}
