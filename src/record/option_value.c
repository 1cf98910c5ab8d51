// SPDX-License-Identifier: MIT
#include "record/option_value.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "base/path.h"
#include "base/text.h"
#include "base/text_stream.h"
#include "base/units.h"
#include "record/option_parse.h"

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

void option_set_items(const OptionSlot *slot, void *items, size_t count)
{
    *(void **)option_field(slot) = items;
    *(size_t *)(void *)((char *)slot->out + slot->option->count_offset) = count;
}

bool option_check_items(const OptionSlot *slot, YamlKind kind, const char *expected,
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

/* "4000k" is 4000 and "2.5M" 2500: the unit of the option is a thousand. */
static bool parse_kilo(int64_t *out, const char *text, Arena *arena)
{
    const size_t size = strlen(text);
    const char last = size ? text[size - 1] : '\0';
    double value;
    if ((last != 'k' && last != 'K' && last != 'M') || text[0] == '-' ||
        !text_to_double(&value, arena_strndup(arena, text, size - 1)) || value > 1e9)
        return false;
    *out = llround(last == 'M' ? value * 1000 : value);
    return true;
}

static bool parse_int(int *out, const OptionSlot *slot, const YamlNode *node, OptionReader *reader)
{
    const bool kilo = slot->option->kilo && node->kind == YAML_SCALAR;
    int64_t value;
    if (!(kilo && parse_kilo(&value, node->text, reader->arena)) &&
        (!is_plain(node) || !text_to_int64(&value, node->text)))
        return option_wrong_value(
            slot, node, kilo ? "a number such as 4000, 4000k or 4M" : "a whole number", reader);
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

/* A number of seconds may be written with its unit: 3s. */
static bool parse_double(double *out, const Option *option, const YamlNode *node, Arena *arena)
{
    const char *text = node->text;
    const size_t size = strlen(text);
    if (option_is_seconds(option) && size > 1 && text[size - 1] == 's')
        text = arena_strndup(arena, text, size - 1);
    return text_to_double(out, text);
}

static bool parse_number(double *out, const OptionSlot *slot, const YamlNode *node,
                         OptionReader *reader)
{
    const Option *option = slot->option;
    if (!is_plain(node) || !parse_double(out, option, node, reader->arena))
        return option_wrong_value(slot, node, "a number", reader);
    if (option_is_ranged(option) && (*out < option->min || *out > option->max))
        return option_out_of_range(slot, node, reader);
    return true;
}

static bool read_number(const OptionSlot *slot, OptionReader *reader)
{
    return parse_number(option_field(slot), slot, slot->node, reader);
}

static void clear_numbers(const OptionSlot *slot)
{
    const OptionType type = slot->option->type;
    const int count = type == OPTION_NUMBER ? 1 : type == OPTION_COLOR ? 3 : slot->option->length;
    double *numbers = option_field(slot);
    for (int i = 0; i < count; i++)
        numbers[i] = (double)NAN;
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

static float to_float(const Option *option, double value)
{
    return (float)value * option->scale;
}

static bool read_float(const OptionSlot *slot, OptionReader *reader)
{
    double value = 0;
    if (!parse_number(&value, slot, slot->node, reader))
        return false;
    *(float *)option_field(slot) = to_float(slot->option, value);
    return true;
}

static void clear_float(const OptionSlot *slot)
{
    *(float *)option_field(slot) = NAN;
}

/* The number with the fewest digits that is read as the same float. */
static void write_float(FILE *out, const Option *option, const void *base)
{
    const float value = *(const float *)field(option, base);
    const double exact = (double)value / (double)option->scale;
    double number = exact;
    for (int digits = 1; digits <= 9; digits++) {
        char text[32];
        snprintf(text, sizeof text, "%.*g", digits, exact);
        if (text_to_double(&number, text) && to_float(option, number) == value)
            break;
    }
    write_double(out, isnan(exact) ? exact : number);
}

/* ---- lists of a fixed number of integers or numbers ---- */

static bool check_length(const OptionSlot *slot, OptionReader *reader)
{
    char expected[64];
    if (slot->node->kind == YAML_LIST && slot->node->count == (size_t)slot->option->length)
        return true;
    snprintf(expected, sizeof expected, "%sa list of %d numbers",
             slot->node->kind == YAML_SCALAR && slot->option->length == 2
                 ? "WxH, such as 1920x1080, or "
                 : "",
             slot->option->length);
    return option_wrong_value(slot, slot->node, expected, reader);
}

/* "640x360" or "9:16" as a list of two numbers at the same place; any other node as it is. */
static const YamlNode *split_by_x(const YamlNode *node, Arena *arena)
{
    const char *x = node->kind == YAML_SCALAR ? strpbrk(node->text, "x:") : NULL;
    if (!x || x == node->text || !x[1] || x[1 + strspn(x + 1, "0123456789")] ||
        strspn(node->text, "0123456789") != (size_t)(x - node->text))
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

bool option_has_choice(const Option *option, const char *text)
{
    return text_find(text_choices(option->choices), text) >= 0;
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
static void write_full_path(FILE *out, const Option *option, const char *path)
{
    char directory[2048], full[8192];
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

static void write_path(FILE *out, const Option *option, const void *base)
{
    write_full_path(out, option, pointer_field(option, base));
}

/* ---- choices and flags ---- */

static bool parse_choice(int *out, const OptionSlot *slot, const YamlNode *node,
                         OptionReader *reader)
{
    char list[OPTION_NAME_SIZE], expected[OPTION_NAME_SIZE + 64];

    *out =
        node->kind == YAML_SCALAR ? text_find(text_choices(slot->option->choices), node->text) : -1;
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
    Rational *rate = option_field(slot);
    if (slot->node->kind != YAML_SCALAR || !option_parse_rate(rate, slot->node->text))
        return option_wrong_value(slot, slot->node, "a number", reader);
    const double value = (double)rate->num / rate->den;
    if (value < slot->option->min || value > slot->option->max)
        return option_out_of_range(slot, slot->node, reader);
    reader->fps = *rate;
    return true;
}

static void write_rate(FILE *out, const Option *option, const void *base)
{
    const Rational *rate = field(option, base);
    if (rate->den == 1)
        fprintf(out, "%d", rate->num);
    else
        fprintf(out, "\"%d/%d\"", rate->num, rate->den);
}

/* A wrong rate was reported. */
static Rational rate_of(const OptionReader *reader)
{
    return reader->fps.num ? reader->fps : (Rational){MOTION_FPS, 1};
}

static bool read_frames(const OptionSlot *slot, OptionReader *reader)
{
    if (slot->node->kind != YAML_SCALAR ||
        !option_parse_frames(option_field(slot), slot->node->text, rate_of(reader), reader->arena))
        return option_wrong_value(slot, slot->node,
                                  "all or ascending ranges like 0-1799, 0-99,400-499, m150-m300 "
                                  "(motion frames), 5s-10s, 0:05-0:10, 5s+5s or 5s-",
                                  reader);
    return true;
}

static void write_frames(FILE *out, const Option *option, const void *base)
{
    const FrameRanges *frames = field(option, base);
    fputs(frames->count ? "\"" : "all", out);
    for (size_t i = 0; i < frames->count; i++) {
        fprintf(out, "%s%" PRId64 "-", i ? "," : "", frames->items[i].first);
        if (frames->items[i].last != FRAME_RANGE_END)
            fprintf(out, "%" PRId64, frames->items[i].last);
    }
    fputs(frames->count ? "\"" : "", out);
}

/* ---- lengths of time ---- */

static bool read_length(const OptionSlot *slot, OptionReader *reader)
{
    const Option *option = slot->option;
    const char *text = slot->node->text;
    FrameTime time;
    if (slot->node->kind != YAML_SCALAR ||
        !option_parse_frame_time(&time, text, strlen(text), FRAME_OUTPUT) ||
        (time.unit == FRAME_OUTPUT && time.value != floor(time.value)))
        return option_wrong_value(slot, slot->node,
                                  "a number of frames, m15 (motion frames) or a time like 0.5s",
                                  reader);
    const int64_t frames = frame_time_output(time, rate_of(reader));
    if ((double)frames < option->min || (double)frames > option->max)
        return option_out_of_range(slot, slot->node, reader);
    *(int *)option_field(slot) = (int)frames;
    return true;
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

/* ---- lists and maps of texts, choices, weights, names, files, capsules ---- */

/* The items of a pointer with a count. */
typedef struct ItemType {
    size_t size;
    YamlKind kind;
    bool or_one; /* also a scalar in place of a list of one */
    const char *expected;
    bool (*read)(void *item, const OptionSlot *slot, const YamlNode *node, OptionReader *reader);
    void (*write)(FILE *out, const Option *option, const void *item);
} ItemType;

/* It may be empty. */
static bool read_any_text(void *item, const OptionSlot *slot, const YamlNode *node,
                          OptionReader *reader)
{
    *(const char **)item = node->text;
    return (node->kind == YAML_SCALAR && !yaml_is_null(node)) ||
           option_wrong_value(slot, node, "a text", reader);
}

static bool read_name(void *item, const OptionSlot *slot, const YamlNode *node,
                      OptionReader *reader)
{
    *(const char **)item = node->text;
    return is_text(node) || option_wrong_value(slot, node, "a text", reader);
}

static void write_name(FILE *out, const Option *option, const void *item)
{
    (void)option;
    write_string(out, *(const char *const *)item);
}

static bool read_choice_item(void *item, const OptionSlot *slot, const YamlNode *node,
                             OptionReader *reader)
{
    return parse_choice(item, slot, node, reader);
}

static void write_choice_item(FILE *out, const Option *option, const void *item)
{
    write_string(out, option->choices[*(const int *)item]);
}

static bool read_weight(void *item, const OptionSlot *slot, const YamlNode *node,
                        OptionReader *reader)
{
    NamedNumber *morph = item;
    const OptionLocation location = {slot->location, node->key->text, 0};
    const OptionSlot weight = {slot->option, node, &location, NULL};
    morph->name = node->key->text;
    return parse_number(&morph->weight, &weight, node, reader);
}

static void write_weight(FILE *out, const Option *option, const void *item)
{
    const NamedNumber *morph = item;
    (void)option;
    write_string(out, morph->name);
    fputs(": ", out);
    write_double(out, morph->weight);
}

static bool read_rename(void *item, const OptionSlot *slot, const YamlNode *node,
                        OptionReader *reader)
{
    *(NamePair *)item = (NamePair){node->key->text, node->text};
    return is_text(node) || option_wrong_value(slot, node, "a name", reader);
}

static void write_rename(FILE *out, const Option *option, const void *item)
{
    const NamePair *rename = item;
    (void)option;
    write_string(out, rename->from);
    fputs(": ", out);
    write_string(out, rename->to);
}

/* A path as of read_path, or one of the words. */
static bool read_named_file(void *item, const OptionSlot *slot, const YamlNode *node,
                            OptionReader *reader)
{
    NamedFile *named = item;
    const OptionLocation location = {slot->location, node->key->text, 0};
    const OptionSlot file = {slot->option, node, &location, NULL};
    if (!is_text(node))
        return option_wrong_value(&file, node, "a path", reader);
    *named = (NamedFile){node->key->text, node->text};
    if (option_keeps_path(slot->option, node->text))
        return true;
    named->file = path_resolve_input(reader->directory, node->text, reader->arena);
    return is_allowed_path(&file, named->file, reader);
}

static void write_named_file(FILE *out, const Option *option, const void *item)
{
    const NamedFile *named = item;
    write_string(out, named->name);
    fputs(": ", out);
    write_full_path(out, option, named->file);
}

static bool read_capsule(void *item, const OptionSlot *slot, const YamlNode *node,
                         OptionReader *reader)
{
    NamedCapsule *capsule = item;
    const YamlNode *from = yaml_item(node, 0), *to = yaml_item(node, 1);
    if (is_text(node) && strcmp(node->text, "auto") == 0)
        return true; /* without bones */
    if (node->kind != YAML_LIST || node->count != 3 || !is_text(from) || !is_text(to))
        return option_wrong_value(slot, node, "auto or [bone, bone, radius]", reader);
    capsule->from = from->text;
    capsule->to = to->text;
    return parse_number(&capsule->radius, slot, yaml_item(node, 2), reader);
}

static void write_capsule(FILE *out, const Option *option, const void *item)
{
    const NamedCapsule *capsule = item;
    (void)option;
    if (!capsule->from) {
        fputs("auto", out);
        return;
    }
    fputc('[', out);
    write_string(out, capsule->from);
    fputs(", ", out);
    write_string(out, capsule->to);
    fputs(", ", out);
    write_double(out, capsule->radius);
    fputc(']', out);
}

static const ItemType *item_type(OptionType type)
{
    static const char texts[] = "a text or a list of texts";
    static const ItemType types[] = {
        [OPTION_TEXTS] = {sizeof(char *), YAML_LIST, false, "a list of texts", read_any_text,
                          write_name},
        [OPTION_NAMES] = {sizeof(char *), YAML_LIST, true, texts, read_name, write_name},
        [OPTION_CHOICES] = {sizeof(int), YAML_LIST, true, texts, read_choice_item,
                            write_choice_item},
        [OPTION_WEIGHTS] = {sizeof(NamedNumber), YAML_MAP, false, "a map from names to numbers",
                            read_weight, write_weight},
        [OPTION_RENAMES] = {sizeof(NamePair), YAML_MAP, false, "a map from names to names",
                            read_rename, write_rename},
        [OPTION_FILES] = {sizeof(NamedFile), YAML_MAP, false, "a map from names to files",
                          read_named_file, write_named_file},
        [OPTION_CAPSULES] = {sizeof(NamedCapsule), YAML_LIST, false,
                             "a list of [bone, bone, radius] or auto", read_capsule, write_capsule},
    };
    assert(types[type].read && types[type].write);
    return &types[type];
}

static bool read_items(const OptionSlot *slot, OptionReader *reader)
{
    const ItemType *type = item_type(slot->option->type);
    const YamlNode *node = slot->node;
    const bool one = type->or_one && node->kind == YAML_SCALAR;
    size_t count = 0;
    if (!one && !option_check_items(slot, type->kind, type->expected, reader))
        return false;
    char *items = arena_calloc(reader->arena, one ? 1 : node->count, type->size);
    const YamlNode *item = one ? node : node->first;
    while (item && type->read(items + count * type->size, slot, item, reader)) {
        item = one ? NULL : item->next;
        count++;
    }
    option_set_items(slot, items, count);
    return !item;
}

static void write_items(FILE *out, const Option *option, const void *base)
{
    const ItemType *type = item_type(option->type);
    const char *items = pointer_field(option, base);
    const size_t count = count_field(option, base);
    fputc(type->kind == YAML_MAP ? '{' : '[', out);
    for (size_t i = 0; i < count; i++) {
        fputs(i ? ", " : "", out);
        type->write(out, option, items + i * type->size);
    }
    fputc(type->kind == YAML_MAP ? '}' : ']', out);
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
    static const OptionValueType types[] = {
        [OPTION_BOOL] = {read_bool, NULL, write_bool, "boolean", "true, false"},
        [OPTION_INT] = {read_int, NULL, write_int, "integer", NULL},
        [OPTION_NUMBER] = {read_number, clear_numbers, write_number, "number", NULL},
        [OPTION_FLOAT] = {read_float, clear_float, write_float, "number", NULL},
        [OPTION_INTS] = {read_ints, NULL, write_ints, "array", NULL},
        [OPTION_NUMBERS] = {read_numbers, clear_numbers, write_numbers, "array", NULL},
        [OPTION_COLOR] = {read_color, clear_numbers, write_color, "string array",
                          "\"#rrggbb\" or [r, g, b]"},
        [OPTION_TEXT] = {read_text, clear_pointer, write_text, SCALAR, "text"},
        [OPTION_PATH] = {read_path, clear_pointer, write_path, SCALAR, "file"},
        [OPTION_CHOICE] = {read_choice, NULL, write_choice, "string", NULL},
        [OPTION_FLAGS] = {read_flags, clear_flags, write_flags, "array", NULL},
        [OPTION_RATE] = {read_rate, NULL, write_rate, "number string", NULL},
        [OPTION_FRAMES] = {read_frames, NULL, write_frames, "string integer", "all, ranges"},
        [OPTION_LENGTH] = {read_length, NULL, write_int, "string integer", "frames, seconds"},
        [OPTION_TEXTS] = {read_items, NULL, write_items, "array", "list of texts"},
        [OPTION_NAMES] = {read_items, NULL, write_items, SCALAR " array", "text or list of texts"},
        [OPTION_CHOICES] = {read_items, NULL, write_items, "string array", NULL},
        [OPTION_CUTS] = {read_cuts, NULL, write_cuts, "string number", "none, auto, seconds"},
        [OPTION_WEIGHTS] = {read_items, NULL, write_items, "object", "map of name: number"},
        [OPTION_RENAMES] = {read_items, NULL, write_items, "object", "map of name: name"},
        [OPTION_FILES] = {read_items, NULL, write_items, "object", "map of name: file"},
        [OPTION_CAPSULES] = {read_items, NULL, write_items, "array",
                             "list of auto or [bone, bone, radius]"},
        [OPTION_TREE] = {read_tree, NULL, NULL, "", NULL},
        [OPTION_SECTION] = {NULL, NULL, NULL, "object", "map"},
        [OPTION_OPTIONAL] = {NULL, NULL, NULL, "object", "map"},
        [OPTION_LIST] = {NULL, NULL, NULL, "array", "list of maps"},
    };
    return &types[type];
}

bool option_is_list(const Option *option)
{
    return strstr(option_value_type(option->type)->json_types, "array") != NULL;
}
