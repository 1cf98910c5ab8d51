// SPDX-License-Identifier: MIT
#include "record/option_error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { RANGE_SIZE = 96 };

void option_write_location(char *out, size_t size, const OptionLocation *location)
{
    out[0] = '\0';
    if (!location->parent)
        return;
    option_write_location(out, size, location->parent);
    const size_t used = strlen(out);
    if (location->key)
        snprintf(out + used, size - used, "%s%s", used ? "." : "", location->key);
    else
        snprintf(out + used, size - used, ".%zu", location->index);
}

bool option_is_from_command_line(const YamlNode *node)
{
    const char *name = node->source ? node->source->name : "-";
    return name[0] == '-' || !strcmp(name, OPTION_COMMAND_LINE);
}

static bool is_flag(const YamlNode *node)
{
    const char *name = node->source ? node->source->name : "";
    return !strncmp(name, "--", 2) && strcmp(name, "--set") != 0;
}

bool option_error(OptionReader *reader, const YamlNode *node, const char *format, ...)
{
    char message[1024];
    va_list args;

    if (reader->errors >= OPTION_MAX_ERRORS)
        return false;
    const int size = snprintf(message, sizeof message, "%s", reader->prefix ? reader->prefix : "");
    va_start(args, format);
    vsnprintf(message + size, sizeof message - (size_t)size, format, args);
    va_end(args);
    reader->errors++;
    /* A value of a flag is part of the command line; those of --set are parts of the job. */
    if (reader->diag->kind == DIAG_NONE && is_flag(node))
        reader->diag->kind = DIAG_USAGE;
    return yaml_error(node, reader->diag, "%s", message);
}

void option_write_choices(char *out, size_t size, const Option *option)
{
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; option->choices[i] && used < size; i++)
        used +=
            (size_t)snprintf(out + used, size - used, "%s%s", i ? ", " : "", option->choices[i]);
}

void option_write_range(char *out, size_t size, const Option *option)
{
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; option->values && option->values[i] && used < size; i++)
        used += (size_t)snprintf(out + used, size - used, "%s%d", i ? ", " : "", option->values[i]);
    if (option->min > 0 && option->min == option->max)
        snprintf(out, size, "%.10g", option->min);
    else if (option_is_ranged(option))
        snprintf(out, size, "%s%s%.10g..%.10g", option->word ? option->word : "",
                 option->word ? " or " : "", option->min, option->max);
}

/* " (0..1)" or "" */
static void write_range_in_brackets(char out[RANGE_SIZE], const Option *option)
{
    char range[RANGE_SIZE - 4];
    option_write_range(range, sizeof range, option);
    if (range[0])
        snprintf(out, RANGE_SIZE, " (%s)", range);
    else
        out[0] = '\0';
}

bool option_wrong_value(const OptionSlot *slot, const YamlNode *node, const char *expected,
                        OptionReader *reader)
{
    char name[OPTION_NAME_SIZE], range[RANGE_SIZE];
    option_write_location(name, sizeof name, slot->location);
    write_range_in_brackets(range, slot->option);
    if (node->kind == YAML_LIST)
        return option_error(reader, node, "%s: expected %s%s, not a list of %zu", name, expected,
                            range, node->count);
    if (node->kind == YAML_MAP)
        return option_error(reader, node, "%s: expected %s%s, not a map", name, expected, range);
    if (yaml_is_null(node) || !node->text[0])
        return option_error(reader, node, "%s: value is empty; expected %s%s", name, expected,
                            range);
    if (!node->plain)
        return option_error(reader, node, "%s: \"%s\" in quotes is not %s%s", name, node->text,
                            expected, range);
    return option_error(reader, node, "%s: '%s' is not %s%s", name, node->text, expected, range);
}

bool option_out_of_range(const OptionSlot *slot, const YamlNode *node, OptionReader *reader)
{
    char name[OPTION_NAME_SIZE], range[RANGE_SIZE];
    option_write_location(name, sizeof name, slot->location);
    write_range_in_brackets(range, slot->option);
    return option_error(reader, node, "%s: %s is out of range%s", name, node->text, range);
}
