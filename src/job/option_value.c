#include "job/option_value.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "base/path.h"
#include "base/text.h"
#include "base/text_stream.h"
#include "job/option_parse.h"

/* ---- fields of a struct ---- */

static const void *field(const Option *option, const void *base)
{
    return (const char *)base + option->offset;
}

static const void *pointer_field(const Option *option, const void *base)
{
    return *(void *const *)field(option, base);
}

static size_t count_field(const Option *option, const void *base)
{
    return *(const size_t *)(const void *)((const char *)base + option->count_offset);
}

void *option_field(const OptionSlot *slot)
{
    return (char *)slot->out + slot->option->offset;
}

bool option_is_default(const Option *option, const void *base, Arena *arena)
{
    TextStream stream;
    option_value_type(option->type)->write(text_stream_open(&stream, arena), option, base);
    return !strcmp(text_stream_close(&stream), option->value);
}

OptionItems option_items(const Option *option, void *base)
{
    char *at = (char *)base + option->offset;
    if (option->type == OPTION_SECTION)
        return (OptionItems){at, 1};
    char *first = *(char **)(void *)at;
    return (OptionItems){first,
                         option->type == OPTION_LIST ? count_field(option, base) : first != NULL};
}

bool option_read_count(const OptionSlot *slot, YamlKind kind, const char *expected,
                       OptionReader *reader)
{
    if (slot->node->kind != kind)
        return option_wrong_value(slot, slot->node, expected, reader);
    if (slot->node->count > OPTION_MAX_ITEMS) {
        char name[OPTION_NAME_SIZE];
        option_write_location(name, sizeof name, slot->location);
        return option_error(reader, slot->node, "%s: %zu items; expected at most %d", name,
                            slot->node->count, OPTION_MAX_ITEMS);
    }
    *(size_t *)(void *)((char *)slot->out + slot->option->count_offset) = slot->node->count;
    return true;
}

/* ---- booleans, integers, numbers ---- */

static bool is_plain(const YamlNode *node)
{
    return node->kind == YAML_SCALAR && node->plain;
}

static bool read_bool(const OptionSlot *slot, OptionReader *reader)
{
    const YamlNode *node = slot->node;
    const bool is_true = is_plain(node) && !strcmp(node->text, "true");

    if (!is_true && !(is_plain(node) && !strcmp(node->text, "false")))
        return option_wrong_value(slot, node, "true or false", reader);
    *(bool *)option_field(slot) = is_true;
    return true;
}

static void write_bool(FILE *out, const Option *option, const void *base)
{
    fputs(*(const bool *)field(option, base) ? "true" : "false", out);
}

static bool is_accepted(const Option *option, int64_t value)
{
    if (!option->values)
        return (double)value >= option->min && (double)value <= option->max;
    for (size_t i = 0; option->values[i]; i++)
        if (option->values[i] == value)
            return true;
    return false;
}

static bool parse_int(int *out, const OptionSlot *slot, const YamlNode *node, OptionReader *reader)
{
    int64_t value;
    if (!is_plain(node) || !text_to_int64(&value, node->text))
        return option_wrong_value(slot, node, "a whole number", reader);
    if (!is_accepted(slot->option, value))
        return option_out_of_range(slot, node, reader);
    *out = (int)value;
    return true;
}

static bool read_int(const OptionSlot *slot, OptionReader *reader)
{
    const char *word = slot->option->word;
    if (word && slot->node->kind == YAML_SCALAR && !strcmp(slot->node->text, word)) {
        *(int *)option_field(slot) = slot->option->word_value;
        return true;
    }
    return parse_int(option_field(slot), slot, slot->node, reader);
}

static void write_int(FILE *out, const Option *option, const void *base)
{
    const int value = *(const int *)field(option, base);
    if (option->word && value == option->word_value)
        fputs(option->word, out);
    else
        fprintf(out, "%d", value);
}

static bool parse_number(double *out, const OptionSlot *slot, const YamlNode *node,
                         OptionReader *reader)
{
    const Option *option = slot->option;
    if (!is_plain(node) || !text_to_double(out, node->text))
        return option_wrong_value(slot, node, "a number", reader);
    if (option_is_ranged(option) && (*out < option->min || *out > option->max))
        return option_out_of_range(slot, node, reader);
    return true;
}

static bool read_number(const OptionSlot *slot, OptionReader *reader)
{
    return parse_number(option_field(slot), slot, slot->node, reader);
}

static void set_nan(const OptionSlot *slot, int count)
{
    double *numbers = option_field(slot);
    for (int i = 0; i < count; i++)
        numbers[i] = (double)NAN;
}

static void clear_number(const OptionSlot *slot)
{
    set_nan(slot, 1);
}

/* The fewest digits that read back as the same number, but at least ten, so that 60 is not 6e+01;
 * null for NaN. */
static void write_double(FILE *out, double value)
{
    char text[32] = "null";
    double parsed;
    for (int digits = 10; digits <= 17 && !isnan(value); digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (text_to_double(&parsed, text) && parsed == value)
            break;
    }
    fputs(text, out);
}

static void write_number(FILE *out, const Option *option, const void *base)
{
    write_double(out, *(const double *)field(option, base));
}

/* ---- lists of a fixed number of integers or numbers ---- */

static bool check_length(const OptionSlot *slot, OptionReader *reader)
{
    char expected[64];
    if (slot->node->kind == YAML_LIST && slot->node->count == (size_t)slot->option->length)
        return true;
    snprintf(expected, sizeof expected, "a list of %d numbers", slot->option->length);
    return option_wrong_value(slot, slot->node, expected, reader);
}

/* "640x360" as a list of two numbers at the same place; any other node as it is. */
static const YamlNode *split_by_x(const YamlNode *node, Arena *arena)
{
    const char *x = node->kind == YAML_SCALAR ? strchr(node->text, 'x') : NULL;
    if (!x || x == node->text || !x[1] || node->text[strspn(node->text, "0123456789x")] ||
        strchr(x + 1, 'x'))
        return node;
    const char *words[] = {arena_strndup(arena, node->text, (size_t)(x - node->text)), x + 1};
    YamlNode *list = yaml_new_node(YAML_LIST, "", node, arena);
    for (int i = 0; i < 2; i++) {
        YamlNode *item = yaml_new_node(YAML_SCALAR, words[i], node, arena);
        item->plain = true;
        yaml_append(list, NULL, item);
    }
    return list;
}

static bool read_ints(const OptionSlot *given, OptionReader *reader)
{
    int *out = option_field(given);
    const YamlNode *node = given->node;
    const OptionSlot copy = {given->option,
                             given->option->by_x ? split_by_x(node, reader->arena) : node,
                             given->location, given->out};
    const OptionSlot *slot = &copy;
    bool good = check_length(slot, reader);
    for (const YamlNode *item = slot->node->first; good && item; item = item->next)
        good = parse_int(out++, slot, item, reader);
    return good;
}

static void write_ints(FILE *out, const Option *option, const void *base)
{
    const int *values = field(option, base);
    for (int i = 0; i < option->length; i++)
        fprintf(out, "%s%d", i ? ", " : "[", values[i]);
    fputc(']', out);
}

static bool read_numbers(const OptionSlot *slot, OptionReader *reader)
{
    double *out = option_field(slot);
    bool good = check_length(slot, reader);
    for (const YamlNode *item = slot->node->first; good && item; item = item->next)
        good = parse_number(out++, slot, item, reader);
    return good;
}

static void clear_numbers(const OptionSlot *slot)
{
    set_nan(slot, slot->option->length);
}

static void write_doubles(FILE *out, const double *values, int count)
{
    if (isnan(values[0])) {
        fputs("null", out);
        return;
    }
    for (int i = 0; i < count; i++) {
        fputs(i ? ", " : "[", out);
        write_double(out, values[i]);
    }
    fputc(']', out);
}

static void write_numbers(FILE *out, const Option *option, const void *base)
{
    write_doubles(out, field(option, base), option->length);
}

/* ---- colors ---- */

static bool read_color(const OptionSlot *slot, OptionReader *reader)
{
    double *color = option_field(slot);
    const YamlNode *node = slot->node;

    if (node->kind == YAML_SCALAR && option_parse_color(color, node->text))
        return true;
    bool good = node->kind == YAML_LIST && node->count == 3;
    for (const YamlNode *item = node->first; good && item; item = item->next)
        good = is_plain(item) && text_to_double(color, item->text) && *color >= 0 && *color++ <= 1;
    return good ||
           option_wrong_value(slot, node, "a color: \"#rrggbb\" or [r, g, b] of 0..1", reader);
}

static void clear_color(const OptionSlot *slot)
{
    set_nan(slot, 3);
}

static void write_color(FILE *out, const Option *option, const void *base)
{
    write_doubles(out, field(option, base), 3);
}

/* ---- texts and paths ---- */

static bool is_text(const YamlNode *node)
{
    return node->kind == YAML_SCALAR && !yaml_is_null(node) && node->text[0];
}

static bool read_text(const OptionSlot *slot, OptionReader *reader)
{
    if (!is_text(slot->node))
        return option_wrong_value(slot, slot->node, "a text", reader);
    *(const char **)option_field(slot) = slot->node->text;
    return true;
}

static void clear_pointer(const OptionSlot *slot)
{
    *(const char **)option_field(slot) = NULL;
}

/* As JSON, which is also YAML. */
static void write_string(FILE *out, const char *text)
{
    Json json = json_init(out);
    json_text(&json, text);
}

static void write_text(FILE *out, const Option *option, const void *base)
{
    write_string(out, pointer_field(option, base));
}

/* Index of a text in the choices, or -1. */
static int find_choice(const Option *option, const char *text)
{
    for (int i = 0; option->choices && option->choices[i]; i++)
        if (!strcmp(option->choices[i], text))
            return i;
    return -1;
}

bool option_has_choice(const Option *option, const char *text)
{
    return find_choice(option, text) >= 0;
}

bool option_keeps_path(const Option *option, const char *path)
{
    return option_has_choice(option, path) || (option->role == ROLE_OUTPUT && file_is_null(path));
}

static bool is_allowed_path(const OptionSlot *slot, const char *path, OptionReader *reader)
{
    char name[OPTION_NAME_SIZE];
    if (!reader->confined || option_is_from_command_line(slot->node) ||
        path_is_below(path, reader->confined))
        return true;
    option_write_location(name, sizeof name, slot->location);
    return option_error(reader, slot->node,
                        "%s: '%s' is not below the directory of the job file (paths: %s)", name,
                        slot->node->text, reader->confined_by);
}

static bool read_path(const OptionSlot *slot, OptionReader *reader)
{
    if (!read_text(slot, reader))
        return false;
    const char **path = option_field(slot);
    if (option_keeps_path(slot->option, *path))
        return true;
    *path = slot->option->role == ROLE_OUTPUT
                ? path_join(reader->directory, *path, reader->arena)
                : path_resolve_input(reader->directory, *path, reader->arena);
    return is_allowed_path(slot, *path, reader);
}

/* As an absolute path, so that it does not depend on the current directory. */
static void write_path(FILE *out, const Option *option, const void *base)
{
    char directory[2048], full[8192];
    const char *path = pointer_field(option, base);
    if (path && option_has_choice(option, path)) {
        fputs(path, out);
        return;
    }
    const bool unchanged = !path || path[0] == '/' || option_keeps_path(option, path);
    if (unchanged || !getcwd(directory, sizeof directory)) {
        write_string(out, path);
    } else {
        snprintf(full, sizeof full, "%s/%s", directory, path);
        write_string(out, full);
    }
}

/* ---- choices and flags ---- */

static bool parse_choice(int *out, const OptionSlot *slot, const YamlNode *node,
                         OptionReader *reader)
{
    char list[OPTION_NAME_SIZE], expected[OPTION_NAME_SIZE + 64];

    *out = node->kind == YAML_SCALAR ? find_choice(slot->option, node->text) : -1;
    if (*out >= 0)
        return true;
    option_write_choices(list, sizeof list, slot->option);
    snprintf(expected, sizeof expected, "one of %s", list);
    return option_wrong_value(slot, node, expected, reader);
}

static bool read_choice(const OptionSlot *slot, OptionReader *reader)
{
    int index;
    if (!parse_choice(&index, slot, slot->node, reader))
        return false;
    *(int *)option_field(slot) = index;
    return true;
}

static void write_choice(FILE *out, const Option *option, const void *base)
{
    fputs(option->choices[*(const int *)field(option, base)], out);
}

static bool read_flags(const OptionSlot *slot, OptionReader *reader)
{
    unsigned *flags = option_field(slot);
    char list[OPTION_NAME_SIZE], expected[OPTION_NAME_SIZE + 64];
    int index;

    if (slot->node->kind != YAML_LIST || !slot->node->count) {
        option_write_choices(list, sizeof list, slot->option);
        snprintf(expected, sizeof expected, "a list of %s", list);
        return option_wrong_value(slot, slot->node, expected, reader);
    }
    *flags = 0;
    for (const YamlNode *item = slot->node->first; item; item = item->next) {
        if (!parse_choice(&index, slot, item, reader))
            return false;
        assert(index >= 0);
        *flags |= 1u << index;
    }
    return true;
}

static void clear_flags(const OptionSlot *slot)
{
    *(unsigned *)option_field(slot) = 0;
}

static void write_flags(FILE *out, const Option *option, const void *base)
{
    const unsigned flags = *(const unsigned *)field(option, base);
    const char *separator = "";
    if (!flags) {
        fputs("null", out);
        return;
    }
    fputc('[', out);
    for (size_t i = 0; option->choices[i]; i++)
        if (flags >> i & 1) {
            fprintf(out, "%s%s", separator, option->choices[i]);
            separator = ", ";
        }
    fputc(']', out);
}

/* ---- frame rates and frame ranges ---- */

static bool read_rate(const OptionSlot *slot, OptionReader *reader)
{
    JobRational *rate = option_field(slot);
    if (slot->node->kind != YAML_SCALAR || !option_parse_rate(rate, slot->node->text))
        return option_wrong_value(slot, slot->node, "a number", reader);
    const double value = (double)rate->num / rate->den;
    if (value < slot->option->min || value > slot->option->max)
        return option_out_of_range(slot, slot->node, reader);
    return true;
}

static void write_rate(FILE *out, const Option *option, const void *base)
{
    const JobRational *rate = field(option, base);
    if (rate->den == 1)
        fprintf(out, "%d", rate->num);
    else
        fprintf(out, "\"%d/%d\"", rate->num, rate->den);
}

static bool read_frames(const OptionSlot *slot, OptionReader *reader)
{
    const JobRational fps =
        *(const JobRational *)(const void *)((char *)slot->out + slot->option->rate_offset);
    if (slot->node->kind != YAML_SCALAR ||
        !option_parse_frames(option_field(slot), slot->node->text,
                             fps.num ? fps : (JobRational){30, 1}, reader->arena))
        return option_wrong_value(slot, slot->node,
                                  "all or ascending ranges like 0-1799, 0-99,400-499, m150-m300 "
                                  "(motion frames) or 5s-10s",
                                  reader);
    return true;
}

static void write_frames(FILE *out, const Option *option, const void *base)
{
    const JobFrames *frames = field(option, base);
    fputs(frames->count ? "\"" : "all", out);
    for (size_t i = 0; i < frames->count; i++)
        fprintf(out, "%s%" PRId64 "-%" PRId64, i ? "," : "", frames->items[i].first,
                frames->items[i].last);
    fputs(frames->count ? "\"" : "", out);
}

/* ---- lists of texts, weights by name, capsules ---- */

static bool read_texts(const OptionSlot *slot, OptionReader *reader)
{
    if (!option_read_count(slot, YAML_LIST, "a list of texts", reader))
        return false;
    const char **texts = arena_array(reader->arena, const char *, slot->node->count);
    *(const char ***)option_field(slot) = texts;
    for (const YamlNode *item = slot->node->first; item; item = item->next) {
        if (item->kind != YAML_SCALAR || yaml_is_null(item))
            return option_wrong_value(slot, item, "a text", reader);
        *texts++ = item->text;
    }
    return true;
}

/* A list, or a scalar in place of a list of one. */
static bool read_list_or_one(const OptionSlot *slot, OptionReader *reader)
{
    if (slot->node->kind != YAML_SCALAR)
        return option_read_count(slot, YAML_LIST, "a text or a list of texts", reader);
    *(size_t *)(void *)((char *)slot->out + slot->option->count_offset) = 1;
    return true;
}

static const YamlNode *first_item(const YamlNode *node)
{
    return node->kind == YAML_SCALAR ? node : node->first;
}

static const YamlNode *next_item(const YamlNode *list, const YamlNode *item)
{
    return list->kind == YAML_SCALAR ? NULL : item->next;
}

static bool read_names(const OptionSlot *slot, OptionReader *reader)
{
    const YamlNode *node = slot->node;
    if (!read_list_or_one(slot, reader))
        return false;
    const char **names =
        arena_array(reader->arena, const char *, count_field(slot->option, slot->out));
    *(const char ***)option_field(slot) = names;
    for (const YamlNode *item = first_item(node); item; item = next_item(node, item)) {
        if (!is_text(item))
            return option_wrong_value(slot, item, "a text", reader);
        *names++ = item->text;
    }
    return true;
}

static bool read_choices(const OptionSlot *slot, OptionReader *reader)
{
    const YamlNode *node = slot->node;
    if (!read_list_or_one(slot, reader))
        return false;
    int *indices = arena_array(reader->arena, int, count_field(slot->option, slot->out));
    *(int **)option_field(slot) = indices;
    for (const YamlNode *item = first_item(node); item; item = next_item(node, item))
        if (!parse_choice(indices++, slot, item, reader))
            return false;
    return true;
}

static void write_choices(FILE *out, const Option *option, const void *base)
{
    const int *indices = pointer_field(option, base);
    const size_t count = count_field(option, base);
    fputc('[', out);
    for (size_t i = 0; i < count; i++) {
        fputs(i ? ", " : "", out);
        write_string(out, option->choices[indices[i]]);
    }
    fputc(']', out);
}

static void write_texts(FILE *out, const Option *option, const void *base)
{
    const char *const *texts = pointer_field(option, base);
    const size_t count = count_field(option, base);
    fputc('[', out);
    for (size_t i = 0; i < count; i++) {
        fputs(i ? ", " : "", out);
        write_string(out, texts[i]);
    }
    fputc(']', out);
}

/* ---- cuts ---- */

static bool read_cuts(const OptionSlot *slot, OptionReader *reader)
{
    double *out = option_field(slot);
    if (slot->node->kind != YAML_SCALAR || !option_parse_cuts(out, slot->node->text))
        return option_wrong_value(slot, slot->node, "none, auto or a time like 4s", reader);
    return !(*out > 0 && (*out < slot->option->min || *out > slot->option->max)) ||
           option_out_of_range(slot, slot->node, reader);
}

static void write_cuts(FILE *out, const Option *option, const void *base)
{
    const double seconds = *(const double *)field(option, base);
    if (seconds > 0)
        write_double(out, seconds);
    else
        fputs(seconds < 0 ? "auto" : "none", out);
}

static bool read_weights(const OptionSlot *slot, OptionReader *reader)
{
    if (!option_read_count(slot, YAML_MAP, "a map from names to numbers", reader))
        return false;
    JobMorph *morphs = arena_array(reader->arena, JobMorph, slot->node->count);
    *(JobMorph **)option_field(slot) = morphs;
    for (const YamlNode *item = slot->node->first; item; item = item->next) {
        const OptionLocation location = {slot->location, item->key->text, 0};
        const OptionSlot weight = {slot->option, item, &location, NULL};
        morphs->name = item->key->text;
        if (!parse_number(&morphs++->weight, &weight, item, reader))
            return false;
    }
    return true;
}

static void write_weights(FILE *out, const Option *option, const void *base)
{
    const JobMorph *morphs = pointer_field(option, base);
    const size_t count = count_field(option, base);
    fputc('{', out);
    for (size_t i = 0; i < count; i++) {
        fputs(i ? ", " : "", out);
        write_string(out, morphs[i].name);
        fputs(": ", out);
        write_double(out, morphs[i].weight);
    }
    fputc('}', out);
}

static bool read_renames(const OptionSlot *slot, OptionReader *reader)
{
    if (!option_read_count(slot, YAML_MAP, "a map from names to names", reader))
        return false;
    JobRename *renames = arena_array(reader->arena, JobRename, slot->node->count);
    *(JobRename **)option_field(slot) = renames;
    for (const YamlNode *item = slot->node->first; item; item = item->next) {
        if (!is_text(item))
            return option_wrong_value(slot, item, "a name", reader);
        *renames++ = (JobRename){item->key->text, item->text};
    }
    return true;
}

static void write_renames(FILE *out, const Option *option, const void *base)
{
    const JobRename *renames = pointer_field(option, base);
    const size_t count = count_field(option, base);
    fputc('{', out);
    for (size_t i = 0; i < count; i++) {
        fputs(i ? ", " : "", out);
        write_string(out, renames[i].from);
        fputs(": ", out);
        write_string(out, renames[i].to);
    }
    fputc('}', out);
}

static bool read_capsules(const OptionSlot *slot, OptionReader *reader)
{
    if (!option_read_count(slot, YAML_LIST, "a list of [bone, bone, radius] or auto", reader))
        return false;
    JobCapsule *capsules = arena_array(reader->arena, JobCapsule, slot->node->count);
    *(JobCapsule **)option_field(slot) = capsules;
    for (const YamlNode *item = slot->node->first; item; item = item->next, capsules++) {
        const YamlNode *from = yaml_item(item, 0), *to = yaml_item(item, 1);
        if (is_text(item) && strcmp(item->text, "auto") == 0)
            continue; /* without bones */
        if (item->kind != YAML_LIST || item->count != 3 || !is_text(from) || !is_text(to))
            return option_wrong_value(slot, item, "auto or [bone, bone, radius]", reader);
        capsules->from = from->text;
        capsules->to = to->text;
        if (!parse_number(&capsules->radius, slot, yaml_item(item, 2), reader))
            return false;
    }
    return true;
}

static void write_capsules(FILE *out, const Option *option, const void *base)
{
    const JobCapsule *capsules = pointer_field(option, base);
    const size_t count = count_field(option, base);
    fputc('[', out);
    for (size_t i = 0; i < count; i++) {
        fputs(i ? ", " : "", out);
        if (!capsules[i].from) {
            fputs("auto", out);
            continue;
        }
        fputc('[', out);
        write_string(out, capsules[i].from);
        fputs(", ", out);
        write_string(out, capsules[i].to);
        fputs(", ", out);
        write_double(out, capsules[i].radius);
        fputc(']', out);
    }
    fputc(']', out);
}

/* ---- trees ---- */

static bool read_tree(const OptionSlot *slot, OptionReader *reader)
{
    (void)slot;
    (void)reader;
    return true;
}

/* ---- the table ---- */

/* Any scalar is a text: 12 is a valid name. */
#define SCALAR "string number boolean"

const OptionValueType *option_value_type(OptionType type)
{
    /* clang-format off */
    static const OptionValueType types[] = {
        [OPTION_BOOL]     = {read_bool,     NULL,          write_bool,     "boolean",
                              "true, false",                  false},
        [OPTION_INT]      = {read_int,      NULL,          write_int,      "integer",
                              NULL,                           false},
        [OPTION_NUMBER]   = {read_number,   clear_number,  write_number,   "number",
                              NULL,                           false},
        [OPTION_INTS]     = {read_ints,     NULL,          write_ints,     "array",
                              NULL,                           true},
        [OPTION_NUMBERS]  = {read_numbers,  clear_numbers, write_numbers,  "array",
                              NULL,                           true},
        [OPTION_COLOR]    = {read_color,    clear_color,   write_color,    "string array",
                              "\"#rrggbb\" or [r, g, b]",     true},
        [OPTION_TEXT]     = {read_text,     clear_pointer, write_text,     SCALAR,
                              "text",                         false},
        [OPTION_PATH]     = {read_path,     clear_pointer, write_path,     SCALAR,
                              "file",                         false},
        [OPTION_CHOICE]   = {read_choice,   NULL,          write_choice,   "string",
                              NULL,                           false},
        [OPTION_FLAGS]    = {read_flags,    clear_flags,   write_flags,    "array",
                              NULL,                           true},
        [OPTION_RATE]     = {read_rate,     NULL,          write_rate,     "number string",
                              NULL,                           false},
        [OPTION_FRAMES]   = {read_frames,   NULL,          write_frames,   "string integer",
                              "all, ranges",                  false},
        [OPTION_TEXTS]    = {read_texts,    NULL,          write_texts,    "array",
                              "list of texts",                true},
        [OPTION_NAMES]    = {read_names,    NULL,          write_texts,    SCALAR " array",
                              "text or list of texts",        true},
        [OPTION_CHOICES]  = {read_choices,  NULL,          write_choices,  "string array",
                              NULL,                           true},
        [OPTION_CUTS]     = {read_cuts,     NULL,          write_cuts,     "string number",
                              "none, auto, seconds",          false},
        [OPTION_WEIGHTS]  = {read_weights,  NULL,          write_weights,  "object",
                              "map of name: number",          false},
        [OPTION_RENAMES]  = {read_renames,  NULL,          write_renames,  "object",
                              "map of name: name",            false},
        [OPTION_CAPSULES] = {read_capsules, NULL,          write_capsules, "array",
                              "list of auto or [bone, bone, radius]", true},
        [OPTION_TREE]     = {read_tree,     NULL,          NULL,           "",
                              NULL,                           false},
        [OPTION_SECTION]  = {NULL,          NULL,          NULL,           "object",
                              "map",                          false},
        [OPTION_OPTIONAL] = {NULL,          NULL,          NULL,           "object",
                              "map",                          false},
        [OPTION_LIST]     = {NULL,          NULL,          NULL,           "array",
                              "list of maps",                 true},
    };
    /* clang-format on */
    return &types[type];
}
