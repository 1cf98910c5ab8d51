#include "job/help/option_help.h"

#include <assert.h>
#include <string.h>

#include "job/help/roff.h"
#include "job/option_value.h"

enum { NAME_SIZE = 128, TEXT_SIZE = 512, MAX_LISTED = 12 /* choices */ };

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
static void write_accepts(char *out, size_t size, const Option *option)
{
    const char *accepts = option_value_type(option->type)->accepts;
    char list[TEXT_SIZE / 2] = "";
    if (option->choices)
        option_write_choices(list, sizeof list, option);
    else if (!accepts)
        option_write_range(list, sizeof list, option);

    if (option->type == OPTION_FLAGS && count_choices(option) > MAX_LISTED)
        snprintf(out, size, "list of names");
    else if (option->type == OPTION_FLAGS || option->type == OPTION_CHOICES)
        snprintf(out, size, "list of %s", list);
    else if (option->choices && accepts)
        snprintf(out, size, "%s, %s", list, accepts);
    else if (option->length)
        snprintf(out, size, "%d x %s", option->length, list);
    else if (option->table && option->table->short_key)
        snprintf(out, size, "%s or %s", accepts, option->type == OPTION_LIST ? "files" : "file");
    else
        snprintf(out, size, "%s", accepts && !option->choices ? accepts : list);
}

static void write_description(char *out, size_t size, const Option *option)
{
    snprintf(out, size, "%s%s%s%s", option->help, option->unit ? " [" : "",
             option->unit ? option->unit : "", option->unit ? "]" : "");
}

/* A section has no default of its own. */
static const char *default_of(const Option *option)
{
    return !option->value ? "required" : option->type == OPTION_SECTION ? "" : option->value;
}

/* "1..240; default 60" */
static void write_summary(char *out, size_t size, const Option *option)
{
    char accepts[TEXT_SIZE - 128];
    const char *value = default_of(option);
    write_accepts(accepts, sizeof accepts, option);
    snprintf(out, size, "%s%s%s%s", accepts, accepts[0] && value[0] ? "; " : "",
             option->value && value[0] ? "default " : "", value);
}

/* ---- walking a table ---- */

typedef struct Walk {
    void (*write)(FILE *out, const char *name, const Option *option);
    FILE *out;
} Walk;

static void walk_table(const Walk *walk, const OptionTable *table, const char *prefix);

static void walk_row(const Walk *walk, const char *name, const Option *option)
{
    char below[NAME_SIZE + 4];
    walk->write(walk->out, name, option);
    snprintf(below, sizeof below, "%s%s", name, option->type == OPTION_LIST ? ".N." : ".");
    if (option->table)
        walk_table(walk, option->table, below);
}

static void walk_table(const Walk *walk, const OptionTable *table, const char *prefix)
{
    for (size_t i = 0; i < table->count; i++) {
        char name[NAME_SIZE];
        snprintf(name, sizeof name, "%s%s", prefix, table->rows[i].key);
        walk_row(walk, name, &table->rows[i]);
    }
}

/* ---- help ---- */

static void write_help_row(FILE *out, const char *name, const Option *option)
{
    char summary[TEXT_SIZE], description[TEXT_SIZE];
    write_summary(summary, sizeof summary, option);
    write_description(description, sizeof description, option);
    fprintf(out, "%s: %s\n    %s\n", name, description, summary);
}

bool option_help(FILE *out, const OptionTable *table, const char *dotted)
{
    const Walk walk = {write_help_row, out};
    const Option *option = dotted ? option_at_table(table, dotted) : NULL;
    if (option)
        walk_row(&walk, dotted, option);
    else if (!dotted)
        walk_table(&walk, table, "");
    return option || !dotted;
}

/* ---- man page ---- */

static void write_manual_row(FILE *out, const char *name, const Option *option)
{
    char text[TEXT_SIZE];
    roff_item(out, name);
    write_description(text, sizeof text, option);
    roff_text(out, ".IP", text);
    fputs(".br\n", out);
    write_summary(text, sizeof text, option);
    roff_text(out, ".IP", text);
}

void option_manual(FILE *out, const OptionTable *table)
{
    const Walk walk = {write_manual_row, out};
    bool in_section = false;
    for (size_t i = 0; i < table->count; i++) {
        const Option *option = &table->rows[i];
        if (option->table || in_section || i == 0) {
            in_section = option->table != NULL;
            fprintf(out, ".SS %s\n", in_section ? option->key : "General");
        }
        walk_row(&walk, option->key, option);
    }
}

/* ---- Markdown ---- */

static void write_cell(FILE *out, const char *text)
{
    for (; *text; text++)
        fprintf(out, *text == '|' ? "\\%c" : "%c", *text);
}

static void write_markdown_row(FILE *out, const char *name, const Option *option)
{
    char accepts[TEXT_SIZE], description[TEXT_SIZE];
    write_accepts(accepts, sizeof accepts, option);
    write_description(description, sizeof description, option);
    fprintf(out, "| `%s` | ", name);
    write_cell(out, accepts);
    fputs(" | ", out);
    if (default_of(option)[0])
        fprintf(out, option->value ? "`%s`" : "*%s*", default_of(option));
    fputs(" | ", out);
    write_cell(out, description);
    fputs(" |\n", out);
}

void option_markdown(FILE *out)
{
    const Walk walk = {write_markdown_row, out};
    fputs("| key | accepts | default | meaning |\n|---|---|---|---|\n", out);
    walk_table(&walk, &option_job, "");
}
