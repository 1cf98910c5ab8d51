#include "job/option_dump.h"

#include "base/text_stream.h"
#include "job/option_value.h"

static void write_table(FILE *out, const OptionTable *table, void *base, int indent, bool in_list)
{
    for (size_t i = 0; i < table->count; i++) {
        const Option *option = &table->rows[i];
        const bool dash = in_list && i == 0, is_list = option->type == OPTION_LIST;
        fprintf(out, "%*s%s%s:", dash ? indent - 2 : indent, "", dash ? "- " : "", option->key);
        if (option->table) {
            const OptionItems items = option_items(option, base);
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
    Job copy = *job;
    write_table(out, &option_job, &copy, 0, false);
}
