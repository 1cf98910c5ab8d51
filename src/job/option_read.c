#include "job/option_read.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "base/text.h"

enum { NAME_SIZE = 256, RANGE_SIZE = 96, MAX_RANGES = 10000 };

/* Where in the job we are, for messages: "models.0.motions.1.speed". */
typedef struct Where {
    const struct Where *up;
    const char *key; /* or NULL for a list's item */
    size_t index;
} Where;

static void put_where(char *out, size_t size, const Where *where)
{
    if (where->up) {
        put_where(out, size, where->up);
        const size_t used = strlen(out);
        if (used && where->key)
            snprintf(out + used, size - used, ".%s", where->key);
        else if (where->key)
            snprintf(out, size, "%s", where->key);
        else
            snprintf(out + used, size - used, ".%zu", where->index);
    } else {
        out[0] = '\0';
    }
}

bool option_error(OptionReader *reader, const YamlNode *node, const char *format, ...)
{
    char message[1024];
    va_list args;

    if (reader->errors >= OPTION_MAX_ERRORS)
        return false;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    reader->errors++;
    return yaml_error(node, reader->diag, "%s", message);
}

/* ---- what a key accepts, in words ---- */

static void put_choices(char *out, size_t size, const char *const *choices)
{
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; choices[i] && used < size; i++)
        used += (size_t)snprintf(out + used, size - used, "%s%s", i ? ", " : "", choices[i]);
}

static bool is_ranged(const Option *option)
{
    return option->min < option->max || option->min > 0;
}

/* "(auto or 1..64)", "(0..1)", "" */
static void put_range(char out[RANGE_SIZE], const Option *option)
{
    out[0] = '\0';
    if (is_ranged(option))
        snprintf(out, RANGE_SIZE, " (%s%s%.10g..%.10g)", option->word ? option->word : "",
                 option->word ? " or " : "", option->min, option->max);
}

/* The value as the message shows it. */
static const char *shown(const YamlNode *node)
{
    return node->kind == YAML_LIST ? "a list" : node->kind == YAML_MAP ? "a map" : node->text;
}

typedef struct Slot { /* one value to be read */
    const Option *option;
    const YamlNode *node;
    const Where *where;
    void *out; /* the struct that holds it */
} Slot;

static void *place(const Slot *slot)
{
    return (char *)slot->out + slot->option->offset;
}

static size_t *place_of_count(const Slot *slot)
{
    return (size_t *)(void *)((char *)slot->out + slot->option->count_offset);
}

/* "KEY: 'VALUE' is not WHAT (RANGE)" */
static bool wrong(const Slot *slot, const YamlNode *node, OptionReader *reader, const char *what)
{
    char name[NAME_SIZE], range[RANGE_SIZE];
    put_where(name, sizeof name, slot->where);
    put_range(range, slot->option);
    if (node->kind != YAML_SCALAR)
        return option_error(reader, node, "%s: %s is not %s%s", name, shown(node), what, range);
    if (yaml_is_null(node))
        return option_error(reader, node, "%s: nothing is not %s%s", name, what, range);
    if (!node->plain)
        return option_error(reader, node, "%s: \"%s\" in quotes is not %s%s", name, node->text,
                            what, range);
    return option_error(reader, node, "%s: '%s' is not %s%s", name, node->text, what, range);
}

static bool out_of_range(const Slot *slot, const YamlNode *node, OptionReader *reader)
{
    char name[NAME_SIZE], range[RANGE_SIZE];
    put_where(name, sizeof name, slot->where);
    put_range(range, slot->option);
    return option_error(reader, node, "%s: %s is out of range%s", name, node->text, range);
}

/* ---- scalars ---- */

static bool read_bool(const Slot *slot, OptionReader *reader)
{
    const YamlNode *node = slot->node;
    const bool plain = node->kind == YAML_SCALAR && node->plain;
    const bool yes = plain && !strcmp(node->text, "true");

    if (!yes && !(plain && !strcmp(node->text, "false")))
        return wrong(slot, node, reader, "true or false");
    *(bool *)place(slot) = yes;
    return true;
}

static bool parse_number(double *out, const Slot *slot, const YamlNode *node, OptionReader *reader)
{
    if (node->kind != YAML_SCALAR || !node->plain || !text_to_double(out, node->text))
        return wrong(slot, node, reader, "a number");
    const Option *option = slot->option;
    if (is_ranged(option) && (*out < option->min || *out > option->max))
        return out_of_range(slot, node, reader);
    return true;
}

static bool parse_int(int *out, const Slot *slot, const YamlNode *node, OptionReader *reader)
{
    int64_t value;
    if (node->kind != YAML_SCALAR || !node->plain || !text_to_int64(&value, node->text))
        return wrong(slot, node, reader, "a whole number");
    if ((double)value < slot->option->min || (double)value > slot->option->max)
        return out_of_range(slot, node, reader);
    *out = (int)value;
    return true;
}

static bool read_int(const Slot *slot, OptionReader *reader)
{
    const char *word = slot->option->word;
    if (word && slot->node->kind == YAML_SCALAR && !strcmp(slot->node->text, word)) {
        *(int *)place(slot) = slot->option->word_value;
        return true;
    }
    return parse_int(place(slot), slot, slot->node, reader);
}

static bool read_number(const Slot *slot, OptionReader *reader)
{
    return parse_number(place(slot), slot, slot->node, reader);
}

static bool read_text(const Slot *slot, OptionReader *reader)
{
    const YamlNode *node = slot->node;
    if (node->kind != YAML_SCALAR || yaml_is_null(node) || !node->text[0])
        return wrong(slot, node, reader, "a text");
    *(const char **)place(slot) = node->text;
    return true;
}

static bool is_choice(size_t *out, const char *const *choices, const char *text)
{
    for (*out = 0; choices[*out]; ++*out)
        if (!strcmp(choices[*out], text))
            return true;
    return false;
}

static bool read_path(const Slot *slot, OptionReader *reader)
{
    size_t choice;
    if (!read_text(slot, reader))
        return false;
    const char **path = place(slot);
    const bool kept = slot->option->choices && is_choice(&choice, slot->option->choices, *path);
    const bool special = (*path)[strlen(*path) - 1] == ':'; /* "null:" */
    if (!kept && !special)
        *path = slot->option->written ? path_join(reader->folder, *path, reader->arena)
                                      : path_find_input(reader->folder, *path, reader->arena);
    return true;
}

static bool parse_choice(size_t *out, const Slot *slot, const YamlNode *node, OptionReader *reader)
{
    const char *const *choices = slot->option->choices;
    char list[NAME_SIZE], what[NAME_SIZE + 64];

    if (node->kind == YAML_SCALAR && is_choice(out, choices, node->text))
        return true;
    put_choices(list, sizeof list, choices);
    snprintf(what, sizeof what, "one of %s", list);
    return wrong(slot, node, reader, what);
}

static bool read_choice(const Slot *slot, OptionReader *reader)
{
    size_t index;
    if (!parse_choice(&index, slot, slot->node, reader))
        return false;
    *(int *)place(slot) = (int)index;
    return true;
}

/* ---- frame rates, frame ranges, colours ---- */

static int greatest_divisor(int a, int b)
{
    while (b) {
        const int rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static bool set_rate(JobRational *out, int64_t num, int64_t den)
{
    if (num <= 0 || den <= 0 || num > 100000000 || den > 100000000)
        return false;
    const int common = greatest_divisor((int)num, (int)den);
    *out = (JobRational){(int)num / common, (int)den / common};
    return true;
}

static bool parse_fraction(JobRational *out, const char *text, const char *slash)
{
    char left[16];
    int64_t num, den;
    if ((size_t)(slash - text) >= sizeof left)
        return false;
    snprintf(left, sizeof left, "%.*s", (int)(slash - text), text);
    return text_to_int64(&num, left) && text_to_int64(&den, slash + 1) && set_rate(out, num, den);
}

bool option_parse_rate(JobRational *out, const char *text)
{
    /* What people write for the rates of NTSC television. */
    static const struct {
        const char *text;
        int num;
    } ntsc[] = {{"23.976", 24000}, {"23.98", 24000}, {"29.97", 30000},
                {"47.952", 48000}, {"59.94", 60000}, {"119.88", 120000}};
    const char *slash = strchr(text, '/');
    double value;

    for (size_t i = 0; i < sizeof ntsc / sizeof *ntsc; i++)
        if (!strcmp(text, ntsc[i].text))
            return set_rate(out, ntsc[i].num, 1001);
    if (slash)
        return parse_fraction(out, text, slash);
    return text_to_double(&value, text) && value > 0 && value < 1e5 &&
           set_rate(out, llround(value * 1000), 1000);
}

static bool read_rate(const Slot *slot, OptionReader *reader)
{
    JobRational *rate = place(slot);
    if (slot->node->kind != YAML_SCALAR || !option_parse_rate(rate, slot->node->text))
        return wrong(slot, slot->node, reader, "a number");
    const double value = (double)rate->num / rate->den;
    if (value < slot->option->min || value > slot->option->max)
        return out_of_range(slot, slot->node, reader);
    return true;
}

/* Digits up to `stop` or the end. */
static const char *parse_frame(int64_t *out, const char *at)
{
    const size_t length = strspn(at, "0123456789");
    if (!length || length > 8) /* JOB_MAX_FRAME */
        return NULL;
    *out = strtoll(at, NULL, 10);
    return at + length;
}

bool option_parse_frames(JobFrames *out, const char *text, Arena *arena)
{
    struct {
        JobRange *items;
        size_t count, room;
    } ranges = {0};
    int64_t end = -1;

    *out = (JobFrames){0};
    if (!strcmp(text, "all"))
        return true;
    for (const char *at = text;; at++) {
        JobRange range;
        at = parse_frame(&range.first, at);
        if (!at)
            return false;
        range.last = range.first;
        if (*at == '-')
            at = parse_frame(&range.last, at + 1);
        if (!at || range.first <= end || range.last < range.first || ranges.count == MAX_RANGES)
            return false;
        end = range.last;
        *arena_push(arena, &ranges) = range;
        if (!*at)
            break;
        if (*at != ',')
            return false;
        at += strspn(at + 1, " ");
    }
    *out = (JobFrames){ranges.items, ranges.count};
    return true;
}

static bool read_frames(const Slot *slot, OptionReader *reader)
{
    if (slot->node->kind != YAML_SCALAR ||
        !option_parse_frames(place(slot), slot->node->text, reader->arena))
        return wrong(slot, slot->node, reader, "all or rising ranges like 0-1799 or 0-99,400-499");
    return true;
}

static int hex_digit(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *at = c ? strchr(digits, c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c) : NULL;
    return at ? (int)(at - digits) : -1;
}

static bool parse_hex_color(double out[3], const char *text)
{
    if (text[0] != '#' || strlen(text) != 7)
        return false;
    for (size_t i = 0; i < 3; i++) {
        const int high = hex_digit(text[1 + 2 * i]), low = hex_digit(text[2 + 2 * i]);
        if (high < 0 || low < 0)
            return false;
        out[i] = (high * 16 + low) / 255.0;
    }
    return true;
}

static bool read_color(const Slot *slot, OptionReader *reader)
{
    double *color = place(slot);
    const YamlNode *node = slot->node;

    if (node->kind == YAML_SCALAR && parse_hex_color(color, node->text))
        return true;
    bool good = node->kind == YAML_LIST && node->count == 3;
    for (const YamlNode *item = node->first; good && item; item = item->next)
        good = item->kind == YAML_SCALAR && item->plain && text_to_double(color, item->text) &&
               *color >= 0 && *color++ <= 1;
    return good || wrong(slot, node, reader, "a colour: \"#rrggbb\" or [r, g, b] of 0..1");
}

/* ---- lists of values ---- */

static bool check_length(const Slot *slot, OptionReader *reader)
{
    char what[64];
    if (slot->node->kind == YAML_LIST && slot->node->count == (size_t)slot->option->length)
        return true;
    snprintf(what, sizeof what, "a list of %d numbers", slot->option->length);
    return wrong(slot, slot->node, reader, what);
}

static bool read_ints(const Slot *slot, OptionReader *reader)
{
    int *out = place(slot);
    bool good = check_length(slot, reader);
    for (const YamlNode *item = slot->node->first; good && item; item = item->next)
        good = parse_int(out++, slot, item, reader);
    return good;
}

static bool read_numbers(const Slot *slot, OptionReader *reader)
{
    double *out = place(slot);
    bool good = check_length(slot, reader);
    for (const YamlNode *item = slot->node->first; good && item; item = item->next)
        good = parse_number(out++, slot, item, reader);
    return good;
}

static bool read_flags(const Slot *slot, OptionReader *reader)
{
    unsigned *flags = place(slot);
    char list[NAME_SIZE], what[NAME_SIZE + 64];
    size_t index;

    if (slot->node->kind != YAML_LIST || !slot->node->count) {
        put_choices(list, sizeof list, slot->option->choices);
        snprintf(what, sizeof what, "a list of %s", list);
        return wrong(slot, slot->node, reader, what);
    }
    *flags = 0;
    for (const YamlNode *item = slot->node->first; item; item = item->next) {
        if (!parse_choice(&index, slot, item, reader))
            return false;
        *flags |= 1u << index;
    }
    return true;
}

/* A list, not too long; for kinds that are stored as pointer and count. */
static bool check_items(const Slot *slot, YamlKind kind, OptionReader *reader, const char *what)
{
    if (slot->node->kind != kind)
        return wrong(slot, slot->node, reader, what);
    if (slot->node->count > OPTION_MAX_ITEMS) {
        char name[NAME_SIZE];
        put_where(name, sizeof name, slot->where);
        return option_error(reader, slot->node, "%s: %zu items are too many (at most %d)", name,
                            slot->node->count, OPTION_MAX_ITEMS);
    }
    *place_of_count(slot) = slot->node->count;
    return true;
}

static bool read_texts(const Slot *slot, OptionReader *reader)
{
    if (!check_items(slot, YAML_LIST, reader, "a list of texts"))
        return false;
    const char **texts = arena_array(reader->arena, const char *, slot->node->count);
    *(const char ***)place(slot) = texts;
    for (const YamlNode *item = slot->node->first; item; item = item->next) {
        if (item->kind != YAML_SCALAR || yaml_is_null(item))
            return wrong(slot, item, reader, "a text");
        *texts++ = item->text;
    }
    return true;
}

static bool read_weights(const Slot *slot, OptionReader *reader)
{
    if (!check_items(slot, YAML_MAP, reader, "a map of names and numbers"))
        return false;
    JobMorph *morphs = arena_array(reader->arena, JobMorph, slot->node->count);
    *(JobMorph **)place(slot) = morphs;
    for (const YamlNode *item = slot->node->first; item; item = item->next) {
        const Where where = {slot->where, item->key->text, 0};
        const Slot weight = {slot->option, item, &where, NULL};
        morphs->name = item->key->text;
        if (!parse_number(&morphs++->weight, &weight, item, reader))
            return false;
    }
    return true;
}

static bool is_name(const YamlNode *node)
{
    return node->kind == YAML_SCALAR && !yaml_is_null(node) && node->text[0];
}

static bool read_capsules(const Slot *slot, OptionReader *reader)
{
    if (!check_items(slot, YAML_LIST, reader, "a list of [bone, bone, radius]"))
        return false;
    JobCapsule *capsules = arena_array(reader->arena, JobCapsule, slot->node->count);
    *(JobCapsule **)place(slot) = capsules;
    for (const YamlNode *item = slot->node->first; item; item = item->next, capsules++) {
        const YamlNode *from = yaml_item(item, 0), *to = yaml_item(item, 1);
        if (item->kind != YAML_LIST || item->count != 3 || !is_name(from) || !is_name(to))
            return wrong(slot, item, reader, "[bone, bone, radius]");
        capsules->from = from->text;
        capsules->to = to->text;
        if (!parse_number(&capsules->radius, slot, yaml_item(item, 2), reader))
            return false;
    }
    return true;
}

/* ---- a struct by its table ---- */

static bool read_value(const Slot *slot, OptionReader *reader);

typedef struct Keys {
    const char *names[64];
    size_t count;
} Keys;

static void list_keys(Keys *keys, const OptionTable *table)
{
    for (size_t i = 0; i < table->count && keys->count < 64; i++)
        keys->names[keys->count++] = table->rows[i].key;
}

/* The dotted path of the only or first row of that name anywhere below a table. */
static bool find_elsewhere(char *out, size_t size, const OptionTable *table, const char *key)
{
    for (size_t i = 0; i < table->count; i++) {
        const Option *row = &table->rows[i];
        const char *between = row->type == OPTION_LIST ? ".0." : ".";
        char below[NAME_SIZE];
        if (!strcmp(row->key, key)) {
            snprintf(out, size, "%s", key);
            return true;
        }
        if (row->table && find_elsewhere(below, sizeof below, row->table, key)) {
            snprintf(out, size, "%s%s%.200s", row->key, between, below);
            return true;
        }
    }
    return false;
}

/* "did you mean 'fps'?" or "did you mean 'render.fps'?", or the keys there are. */
static void put_hint(char *out, size_t size, const OptionTable *table, const OptionTable *whole,
                     const char *key)
{
    Keys keys = {0};
    char elsewhere[NAME_SIZE];
    list_keys(&keys, table);
    const char *nearest = text_nearest(key, keys.names, keys.count);

    if (nearest)
        snprintf(out, size, "did you mean '%s'?", nearest);
    else if (find_elsewhere(elsewhere, sizeof elsewhere, whole, key))
        snprintf(out, size, "did you mean '%s'?", elsewhere);
    else {
        size_t used = (size_t)snprintf(out, size, "known here:");
        for (size_t i = 0; i < keys.count && used < size; i++)
            used += (size_t)snprintf(out + used, size - used, "%s %s", i ? "," : "", keys.names[i]);
    }
}

bool option_unknown_key(const YamlNode *key, const OptionTable *table, const char *name,
                        OptionReader *reader)
{
    char hint[512];
    put_hint(hint, sizeof hint, table, reader->whole ? reader->whole : &option_job, key->text);
    return option_error(reader, key, "unknown key '%s'; %s", name, hint);
}

/* A default from the table, as if it stood in the file. */
const YamlNode *option_default_node(const Option *option, const YamlNode *near,
                                    OptionReader *reader)
{
    Arena *arena = reader->arena;
    const char *value = option->value;
    const bool empty = !strcmp(value, "{}") || !strcmp(value, "[]");
    YamlNode *node = yaml_new_node(YAML_SCALAR, value, near, arena);
    node->plain = true;
    if (empty)
        node->kind = value[0] == '{' ? YAML_MAP : YAML_LIST;
    if (empty || !strchr("[{\"", value[0]))
        return node;
    YamlSource *source = arena_array(arena, YamlSource, 1);
    *source = (YamlSource){.name = option->key, .text = value, .size = strlen(value)};
    const bool good = yaml_load(&node, source, arena, reader->diag);
    assert(good);
    (void)good;
    return node;
}

static bool read_default(Slot *slot, const YamlNode *near, OptionReader *reader)
{
    const char *folder = reader->folder;
    slot->node = option_default_node(slot->option, near, reader);
    reader->folder = "";
    const bool good = read_value(slot, reader);
    reader->folder = folder;
    return good;
}

static void note_value(const Slot *slot, OptionReader *reader)
{
    char name[NAME_SIZE];
    if (!reader->trace || slot->option->table)
        return;
    put_where(name, sizeof name, slot->where);
    option_trace(reader->trace, name, slot->node, reader->arena);
}

static bool read_row(const Option *option, void *out, const YamlNode *map, const Where *up,
                     OptionReader *reader)
{
    const Where where = {up, option->key, 0};
    Slot slot = {option, map ? yaml_find(map, option->key) : NULL, &where, out};
    const bool optional = reader->optional_outputs && !up->up && !strcmp(option->key, "outputs");

    if (slot.node && (option->value || !yaml_is_null(slot.node))) {
        if (option->value && yaml_is_null(slot.node)) /* as if it were left out */
            return read_default(&slot, slot.node, reader);
        note_value(&slot, reader);
        return read_value(&slot, reader);
    }
    if (!option->value && !optional) {
        char name[NAME_SIZE];
        put_where(name, sizeof name, &where);
        return option_error(reader, slot.node ? slot.node : map, "%s is missing: %s", name,
                            option->help);
    }
    return optional || read_default(&slot, map, reader);
}

/* `map` may be NULL-like (null): all defaults then. */
static bool read_table(void *out, const OptionTable *table, const YamlNode *map, const Where *where,
                       OptionReader *reader)
{
    const unsigned before = reader->errors;

    for (const YamlNode *child = map->first; map->kind == YAML_MAP && child; child = child->next) {
        char name[NAME_SIZE];
        put_where(name, sizeof name, &(Where){where, child->key->text, 0});
        if (!option_find(table, child->key->text))
            option_unknown_key(child->key, table, name, reader);
    }
    for (size_t i = 0; i < table->count && reader->errors < OPTION_MAX_ERRORS; i++)
        read_row(&table->rows[i], out, map, where, reader);
    return reader->errors == before;
}

/* A text alone stands for {file: text}. */
const YamlNode *option_expand_short(const YamlNode *node, const OptionTable *table,
                                    OptionReader *reader)
{
    if (!table->short_key || node->kind != YAML_SCALAR || yaml_is_null(node))
        return node;
    YamlNode *map = yaml_new_node(YAML_MAP, "", node, reader->arena);
    YamlNode *copy = yaml_new_node(YAML_SCALAR, node->text, node, reader->arena);
    copy->plain = node->plain;
    yaml_append(map, yaml_new_node(YAML_SCALAR, table->short_key, node, reader->arena), copy);
    return map;
}

static bool read_map(const Slot *slot, void *out, const YamlNode *node, const Where *where,
                     OptionReader *reader)
{
    const OptionTable *table = slot->option->table;
    const YamlNode *map = option_expand_short(node, table, reader);
    const Slot here = {slot->option, node, where, out};
    if (map->kind != YAML_MAP)
        return wrong(&here, node, reader, table->short_key ? "a map or a file" : "a map");
    return read_table(out, table, map, where, reader);
}

static bool read_section(const Slot *slot, OptionReader *reader)
{
    return read_map(slot, place(slot), slot->node, slot->where, reader);
}

static bool read_maybe(const Slot *slot, OptionReader *reader)
{
    void **pointer = place(slot);
    *pointer = NULL;
    if (yaml_is_null(slot->node))
        return true;
    *pointer = arena_alloc(reader->arena, slot->option->table->size);
    return read_map(slot, *pointer, slot->node, slot->where, reader);
}

static bool read_tree(const Slot *slot, OptionReader *reader)
{
    (void)slot;
    (void)reader;
    return true;
}

static bool check_count(const Slot *slot, OptionReader *reader)
{
    const Option *option = slot->option;
    const double count = (double)slot->node->count;
    char name[NAME_SIZE];

    if (!is_ranged(option) || (count >= option->min && count <= option->max))
        return true;
    put_where(name, sizeof name, slot->where);
    return option_error(reader, slot->node, "%s: %zu items are too %s (%g..%g)", name,
                        slot->node->count, count < option->min ? "few" : "many", option->min,
                        option->max);
}

static bool read_list(const Slot *slot, OptionReader *reader)
{
    const OptionTable *table = slot->option->table;
    if (!check_items(slot, YAML_LIST, reader, "a list (lines that begin with -)") ||
        !check_count(slot, reader))
        return false;
    char *items = arena_calloc(reader->arena, slot->node->count, table->size);
    *(void **)place(slot) = items;
    bool good = true;
    Where where = {slot->where, NULL, 0};
    for (const YamlNode *item = slot->node->first; item; item = item->next, where.index++)
        good &= read_map(slot, items + where.index * table->size, item, &where, reader);
    return good;
}

/* Before this, a null where there may be nothing. */
static bool read_value(const Slot *slot, OptionReader *reader)
{
    static bool (*const readers[])(const Slot *, OptionReader *) = {
        [OPTION_BOOL] = read_bool,         [OPTION_INT] = read_int,
        [OPTION_NUMBER] = read_number,     [OPTION_INTS] = read_ints,
        [OPTION_NUMBERS] = read_numbers,   [OPTION_COLOR] = read_color,
        [OPTION_TEXT] = read_text,         [OPTION_PATH] = read_path,
        [OPTION_CHOICE] = read_choice,     [OPTION_FLAGS] = read_flags,
        [OPTION_RATE] = read_rate,         [OPTION_FRAMES] = read_frames,
        [OPTION_TEXTS] = read_texts,       [OPTION_WEIGHTS] = read_weights,
        [OPTION_CAPSULES] = read_capsules, [OPTION_SECTION] = read_section,
        [OPTION_MAYBE] = read_maybe,       [OPTION_LIST] = read_list,
        [OPTION_TREE] = read_tree,
    };
    const OptionType type = slot->option->type;
    const bool absent =
        yaml_is_null(slot->node) && slot->option->value && !strcmp(slot->option->value, "null");

    if (absent && (type == OPTION_TEXT || type == OPTION_PATH)) {
        *(const char **)place(slot) = NULL;
        return true;
    }
    if (absent && (type == OPTION_NUMBER || type == OPTION_NUMBERS || type == OPTION_COLOR)) {
        double *numbers = place(slot);
        const int count = type == OPTION_NUMBER  ? 1
                          : type == OPTION_COLOR ? 3
                                                 : slot->option->length;
        for (int i = 0; i < count; i++)
            numbers[i] = (double)NAN;
        return true;
    }
    return readers[type](slot, reader);
}

bool option_read(void *out, const OptionTable *table, const YamlNode *root, OptionReader *reader)
{
    const Where where = {0};
    memset(out, 0, table->size);
    const bool good = read_table(out, table, root, &where, reader);
    if (reader->errors >= OPTION_MAX_ERRORS)
        diag_note(reader->diag, "stopped after %d errors", OPTION_MAX_ERRORS);
    return good;
}
