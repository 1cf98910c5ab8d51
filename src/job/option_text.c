#include "job/option_text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "base/text.h"
#include "base/text_stream.h"

enum { NAME_SIZE = 128, TEXT_SIZE = 256 };

/* ---- a job as YAML ---- */

static const void *place(const void *base, const Option *option)
{
    return (const char *)base + option->offset;
}

static size_t count_of(const void *base, const Option *option)
{
    return *(const size_t *)(const void *)((const char *)base + option->count_offset);
}

static const void *pointer_at(const void *base, const Option *option)
{
    return *(void *const *)place(base, option);
}

/* As few digits as read back as the same number, but ten at least, so that 60 is not 6e+01. */
static void put_number(FILE *out, double value)
{
    char text[32] = "null"; /* NaN: nothing is there */
    double back;
    for (int digits = 10; digits <= 17 && !isnan(value); digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (text_to_double(&back, text) && back == value)
            break;
    }
    fputs(text, out);
}

/* A JSON text is a YAML text. */
static void put_text(FILE *out, const char *text)
{
    Json json = json_init(out);
    if (text)
        json_text(&json, text);
    else
        fputs("null", out);
}

static void put_path(FILE *out, const Option *option, const char *path)
{
    char folder[2048], full[8192];
    for (size_t i = 0; path && option->choices && option->choices[i]; i++)
        if (!strcmp(option->choices[i], path)) {
            fputs(path, out);
            return;
        }
    const bool kept = !path || path[0] == '/' || path[strlen(path) - 1] == ':';
    if (kept || !getcwd(folder, sizeof folder)) {
        put_text(out, path);
    } else {
        snprintf(full, sizeof full, "%s/%s", folder, path);
        put_text(out, full);
    }
}

static void put_int(FILE *out, const Option *option, int value)
{
    if (option->word && value == option->word_value)
        fputs(option->word, out);
    else
        fprintf(out, "%d", value);
}

static void put_numbers(FILE *out, const double *values, int count)
{
    if (isnan(values[0])) {
        fputs("null", out);
        return;
    }
    fputc('[', out);
    for (int i = 0; i < count; i++) {
        fputs(i ? ", " : "", out);
        put_number(out, values[i]);
    }
    fputc(']', out);
}

static void put_flags(FILE *out, const Option *option, unsigned flags)
{
    const char *between = "";
    fputc('[', out);
    for (size_t i = 0; option->choices[i]; i++)
        if (flags >> i & 1) {
            fprintf(out, "%s%s", between, option->choices[i]);
            between = ", ";
        }
    fputc(']', out);
}

static void put_frames(FILE *out, const JobFrames *frames)
{
    if (!frames->count) {
        fputs("all", out);
        return;
    }
    fputc('"', out);
    for (size_t i = 0; i < frames->count; i++)
        fprintf(out, "%s%" PRId64 "-%" PRId64, i ? "," : "", frames->items[i].first,
                frames->items[i].last);
    fputc('"', out);
}

static void put_rate(FILE *out, JobRational rate)
{
    if (rate.den == 1)
        fprintf(out, "%d", rate.num);
    else
        fprintf(out, "\"%d/%d\"", rate.num, rate.den);
}

static void put_texts(FILE *out, const char *const *texts, size_t count)
{
    fputc('[', out);
    for (size_t i = 0; i < count; i++) {
        fputs(i ? ", " : "", out);
        put_text(out, texts[i]);
    }
    fputc(']', out);
}

static void put_weights(FILE *out, const JobMorph *morphs, size_t count)
{
    fputc('{', out);
    for (size_t i = 0; i < count; i++) {
        fputs(i ? ", " : "", out);
        put_text(out, morphs[i].name);
        fputs(": ", out);
        put_number(out, morphs[i].weight);
    }
    fputc('}', out);
}

static void put_capsules(FILE *out, const JobCapsule *capsules, size_t count)
{
    fputc('[', out);
    for (size_t i = 0; i < count; i++) {
        fputs(i ? ", [" : "[", out);
        put_text(out, capsules[i].from);
        fputs(", ", out);
        put_text(out, capsules[i].to);
        fputs(", ", out);
        put_number(out, capsules[i].radius);
        fputc(']', out);
    }
    fputc(']', out);
}

/* A value that fits on the key's line. */
static void put_value(FILE *out, const Option *option, const void *base)
{
    const void *at = place(base, option);
    switch (option->type) {
    case OPTION_BOOL:
        fputs(*(const bool *)at ? "true" : "false", out);
        break;
    case OPTION_INT:
        put_int(out, option, *(const int *)at);
        break;
    case OPTION_NUMBER:
        put_number(out, *(const double *)at);
        break;
    case OPTION_INTS:
        fprintf(out, "[%d, %d]", ((const int *)at)[0], ((const int *)at)[1]);
        break;
    case OPTION_NUMBERS:
        put_numbers(out, at, option->length);
        break;
    case OPTION_COLOR:
        put_numbers(out, at, 3);
        break;
    case OPTION_TEXT:
        put_text(out, *(const char *const *)at);
        break;
    case OPTION_PATH:
        put_path(out, option, *(const char *const *)at);
        break;
    case OPTION_CHOICE:
        fputs(option->choices[*(const int *)at], out);
        break;
    case OPTION_FLAGS:
        put_flags(out, option, *(const unsigned *)at);
        break;
    case OPTION_RATE:
        put_rate(out, *(const JobRational *)at);
        break;
    case OPTION_FRAMES:
        put_frames(out, at);
        break;
    case OPTION_TEXTS:
        put_texts(out, pointer_at(base, option), count_of(base, option));
        break;
    case OPTION_WEIGHTS:
        put_weights(out, pointer_at(base, option), count_of(base, option));
        break;
    case OPTION_CAPSULES:
        put_capsules(out, pointer_at(base, option), count_of(base, option));
        break;
    default: /* sections are spread over lines */
        break;
    }
}

static void put_table(FILE *out, const OptionTable *table, const void *base, int indent,
                      bool in_list);

static void put_list(FILE *out, const Option *option, const void *base, int indent)
{
    const char *items = pointer_at(base, option);
    const size_t count = count_of(base, option);
    fputs(count ? "\n" : " []\n", out);
    for (size_t i = 0; i < count; i++)
        put_table(out, option->table, items + i * option->table->size, indent + 2, true);
}

static void put_row(FILE *out, const Option *option, const void *base, int indent)
{
    const void *pointer;
    fprintf(out, "%s:", option->key);
    switch (option->type) {
    case OPTION_SECTION:
        fputc('\n', out);
        put_table(out, option->table, place(base, option), indent + 2, false);
        break;
    case OPTION_MAYBE:
        pointer = pointer_at(base, option);
        fputs(pointer ? "\n" : " null\n", out);
        if (pointer)
            put_table(out, option->table, pointer, indent + 2, false);
        break;
    case OPTION_LIST:
        put_list(out, option, base, indent);
        break;
    default:
        fputc(' ', out);
        put_value(out, option, base);
        fputc('\n', out);
    }
}

static void put_table(FILE *out, const OptionTable *table, const void *base, int indent,
                      bool in_list)
{
    bool first = in_list;
    for (size_t i = 0; i < table->count; i++) {
        const Option *option = &table->rows[i];
        fprintf(out, "%*s%s", first ? indent - 2 : indent, "", first ? "- " : "");
        first = false;
        put_row(out, option, base, indent);
    }
}

void option_dump(FILE *out, const Job *job)
{
    put_table(out, &option_job, job, 0, false);
}

/* ---- a job as keys and values ---- */

typedef struct Visit {
    OptionTake *take;
    void *user;
    Arena *scratch;
} Visit;

static void visit_table(const Visit *visit, const char *prefix, const OptionTable *table,
                        const void *base, OptionAffects reach);

static void visit_items(const Visit *visit, const char *name, const Option *option,
                        const void *base, OptionAffects reach)
{
    const char *items = pointer_at(base, option);
    const size_t count = count_of(base, option);
    char text[NAME_SIZE + 32];
    snprintf(text, sizeof text, "%zu", count);
    visit->take(visit->user, name, text, reach);
    for (size_t i = 0; i < count; i++) {
        snprintf(text, sizeof text, "%s.%zu.", name, i);
        visit_table(visit, text, option->table, items + i * option->table->size, reach);
    }
}

static void visit_value(const Visit *visit, const char *name, const Option *option,
                        const void *base, OptionAffects reach)
{
    TextStream stream;
    put_value(text_stream_open(&stream, visit->scratch), option, base);
    const char *text = text_stream_close(&stream);
    visit->take(visit->user, name, text, option->type == OPTION_PATH ? AFFECTS_NOTHING : reach);
}

static void visit_row(const Visit *visit, const char *name, const Option *option, const void *base,
                      OptionAffects reach)
{
    char below[NAME_SIZE + 4];
    const void *section = NULL;
    switch (option->type) {
    case OPTION_LIST:
        visit_items(visit, name, option, base, reach);
        return;
    case OPTION_SECTION:
        section = place(base, option);
        break;
    case OPTION_MAYBE:
        section = pointer_at(base, option);
        visit->take(visit->user, name, section ? "given" : "null", reach);
        break;
    default:
        visit_value(visit, name, option, base, reach);
    }
    snprintf(below, sizeof below, "%s.", name);
    if (section)
        visit_table(visit, below, option->table, section, reach);
}

static void visit_table(const Visit *visit, const char *prefix, const OptionTable *table,
                        const void *base, OptionAffects reach)
{
    for (size_t i = 0; i < table->count; i++) {
        const Option *option = &table->rows[i];
        char name[NAME_SIZE];
        snprintf(name, sizeof name, "%s%s", prefix, option->key);
        visit_row(visit, name, option, base, option->reach > reach ? option->reach : reach);
    }
}

void option_each(const Job *job, OptionTake *take, void *user)
{
    const Visit visit = {take, user, arena_create()};
    visit_table(&visit, "", &option_job, job, AFFECTS_PICTURE);
    arena_destroy(visit.scratch);
}

/* ---- JSON Schema ---- */

static void schema_pair(Json *json, const char *key, const char *value)
{
    json_key(json, key);
    json_text(json, value);
}

/* { "type": type } and what a caller adds before closing */
static void schema_open(Json *json, const char *type)
{
    json_open(json, '{');
    if (type)
        schema_pair(json, "type", type);
}

static bool is_ranged(const Option *option)
{
    return option->min < option->max || option->min > 0;
}

static void schema_range(Json *json, const Option *option)
{
    if (!is_ranged(option))
        return;
    json_key(json, "minimum");
    json_short(json, option->min);
    json_key(json, "maximum");
    json_short(json, option->max);
}

static void schema_choices(Json *json, const char *const *choices)
{
    json_key(json, "enum");
    json_open(json, '[');
    for (size_t i = 0; choices[i]; i++)
        json_text(json, choices[i]);
    json_close(json, ']');
}

static void schema_number(Json *json, const Option *option, const char *type)
{
    schema_open(json, type);
    schema_range(json, option);
    json_close(json, '}');
}

/* A list of numbers, of `length` if it is fixed. */
static void schema_numbers(Json *json, const Option *option, const char *type, int length)
{
    schema_open(json, "array");
    json_key(json, "items");
    schema_number(json, option, type);
    json_key(json, "minItems");
    json_int(json, length);
    json_key(json, "maxItems");
    json_int(json, length);
    json_close(json, '}');
}

static void schema_texts(Json *json, const char *const *choices)
{
    schema_open(json, "array");
    json_key(json, "items");
    schema_open(json, "string");
    if (choices)
        schema_choices(json, choices);
    json_close(json, '}');
    json_close(json, '}');
}

static void schema_pattern(Json *json, const char *pattern)
{
    schema_open(json, "string");
    schema_pair(json, "pattern", pattern);
    json_close(json, '}');
}

static void schema_color(Json *json)
{
    static const Option part = {.min = 0, .max = 1};
    schema_pattern(json, "^#[0-9a-fA-F]{6}$");
    schema_numbers(json, &part, "number", 3);
}

static void schema_capsules(Json *json)
{
    schema_open(json, "array");
    json_key(json, "items");
    schema_open(json, "array");
    json_key(json, "prefixItems");
    json_open(json, '[');
    for (int i = 0; i < 3; i++) {
        schema_open(json, i < 2 ? "string" : "number");
        json_close(json, '}');
    }
    json_close(json, ']');
    json_close(json, '}');
    json_close(json, '}');
}

static void schema_table(Json *json, const OptionTable *table);

static void schema_list(Json *json, const Option *option)
{
    schema_open(json, "array");
    json_key(json, "items");
    json_open(json, '{');
    json_key(json, "anyOf");
    json_open(json, '[');
    schema_table(json, option->table);
    if (option->table->short_key) {
        schema_open(json, "string");
        json_close(json, '}');
    }
    json_close(json, ']');
    json_close(json, '}');
    if (is_ranged(option)) {
        json_key(json, "minItems");
        json_short(json, option->min);
        json_key(json, "maxItems");
        json_short(json, option->max);
    }
    json_close(json, '}');
}

/* Each alternative that a key accepts, as items of an open anyOf. */
static void schema_alternatives(Json *json, const Option *option)
{
    static const char rate[] = "^[0-9]+(\\.[0-9]+)?(/[0-9]+)?$";
    static const char frames[] = "^(all|[0-9]+(-[0-9]+)?(, *[0-9]+(-[0-9]+)?)*)$";

    switch (option->type) {
    case OPTION_BOOL:
        schema_number(json, &(Option){0}, "boolean");
        break;
    case OPTION_INT:
        schema_number(json, option, "integer");
        if (option->word)
            schema_pattern(json, "^auto$");
        break;
    case OPTION_NUMBER:
        schema_number(json, option, "number");
        break;
    case OPTION_INTS:
        schema_numbers(json, option, "integer", option->length);
        break;
    case OPTION_NUMBERS:
        schema_numbers(json, option, "number", option->length);
        break;
    case OPTION_COLOR:
        schema_color(json);
        break;
    case OPTION_CHOICE:
        schema_open(json, "string");
        schema_choices(json, option->choices);
        json_close(json, '}');
        break;
    case OPTION_FLAGS:
        schema_texts(json, option->choices);
        break;
    case OPTION_RATE:
        schema_number(json, option, "number");
        schema_pattern(json, rate);
        break;
    case OPTION_FRAMES:
        schema_pattern(json, frames);
        schema_number(json, &(Option){0}, "integer");
        break;
    case OPTION_TEXTS:
        schema_texts(json, NULL);
        break;
    case OPTION_WEIGHTS:
        schema_open(json, "object");
        json_key(json, "additionalProperties");
        schema_number(json, option, "number");
        json_close(json, '}');
        break;
    case OPTION_CAPSULES:
        schema_capsules(json);
        break;
    case OPTION_SECTION:
    case OPTION_MAYBE:
        schema_table(json, option->table);
        break;
    case OPTION_LIST:
        schema_list(json, option);
        break;
    case OPTION_TEXT:
    case OPTION_PATH:
    case OPTION_TREE:
        break;
    }
    const bool text = option->type == OPTION_TEXT || option->type == OPTION_PATH;
    if (text || (option->table && option->table->short_key && option->type != OPTION_LIST)) {
        schema_open(json, text ? NULL : "string");
        if (text) { /* 12 is a fine name */
            json_key(json, "type");
            json_open(json, '[');
            json_text(json, "string");
            json_text(json, "number");
            json_close(json, ']');
        }
        json_close(json, '}');
    }
    if (option->value) {
        schema_open(json, "null");
        json_close(json, '}');
    }
}

static void describe(char *out, size_t size, const Option *option)
{
    snprintf(out, size, "%s%s%s%s", option->help, option->unit ? " [" : "",
             option->unit ? option->unit : "", option->unit ? "]" : "");
}

static void schema_option(Json *json, const Option *option)
{
    char text[TEXT_SIZE];
    json_key(json, option->key);
    json_newline(json);
    json_open(json, '{');
    describe(text, sizeof text, option);
    schema_pair(json, "description", text);
    if (option->value && !option->table)
        schema_pair(json, "x-default", option->value);
    json_key(json, "anyOf");
    json_open(json, '[');
    schema_alternatives(json, option);
    json_close(json, ']');
    json_close(json, '}');
}

static void schema_members(Json *json, const OptionTable *table)
{
    schema_pair(json, "type", "object");
    json_key(json, "additionalProperties");
    json_bool(json, false);
    json_key(json, "required");
    json_open(json, '[');
    for (size_t i = 0; i < table->count; i++)
        if (!table->rows[i].value)
            json_text(json, table->rows[i].key);
    json_close(json, ']');
    json_key(json, "properties");
    json_open(json, '{');
    for (size_t i = 0; i < table->count; i++)
        schema_option(json, &table->rows[i]);
    json_close(json, '}');
}

static void schema_table(Json *json, const OptionTable *table)
{
    json_open(json, '{');
    schema_members(json, table);
    json_close(json, '}');
}

void option_schema(FILE *out)
{
    Json json = json_init(out);
    json_open(&json, '{');
    schema_pair(&json, "$schema", "https://json-schema.org/draft/2020-12/schema");
    schema_pair(&json, "title", "Odori job file");
    schema_members(&json, &option_job);
    json_close(&json, '}');
    json_newline(&json);
}

/* ---- help ---- */

/* "1..240", "auto, 1..64", "true, false", "plane, pmxe", "a text" */
static void put_accepts(char *out, size_t size, const Option *option)
{
    static const char *const words[] = {
        [OPTION_BOOL] = "true, false",
        [OPTION_COLOR] = "\"#rrggbb\" or [r, g, b]",
        [OPTION_TEXT] = "text",
        [OPTION_PATH] = "file",
        [OPTION_TEXTS] = "list of texts",
        [OPTION_WEIGHTS] = "map of name: number",
        [OPTION_SECTION] = "map",
        [OPTION_MAYBE] = "map",
        [OPTION_LIST] = "list of maps",
        [OPTION_FRAMES] = "all, ranges",
        [OPTION_CAPSULES] = "list of [bone, bone, radius]",
    };
    const char *word = option->type <= OPTION_LIST ? words[option->type] : NULL;
    size_t used = 0;

    out[0] = '\0';
    if (option->length)
        used = (size_t)snprintf(out, size, "%d x ", option->length);
    if (option->choices && option->type == OPTION_FLAGS)
        used = (size_t)snprintf(out, size, "list of ");
    if (option->choices)
        for (size_t i = 0; option->choices[i] && used < size; i++)
            used += (size_t)snprintf(out + used, size - used, "%s%s", i ? ", " : "",
                                     option->choices[i]);
    if (option->choices && option->type == OPTION_PATH)
        snprintf(out + used, size - used, ", file");
    else if (!option->choices && word)
        snprintf(out, size, "%s%s", word,
                 option->table && option->table->short_key
                     ? option->type == OPTION_LIST ? " or files" : " or file"
                     : "");
    else if (!option->choices && is_ranged(option))
        snprintf(out + used, size - used, "%s%s%.10g..%.10g", option->word ? option->word : "",
                 option->word ? ", " : "", option->min, option->max);
}

/* Sections have no default worth showing. */
static const char *default_of(const Option *option)
{
    const bool section = option->type == OPTION_SECTION;
    return !option->value ? "required" : section ? "" : option->value;
}

typedef void PutRow(FILE *out, const char *name, const Option *option);

static void walk(FILE *out, PutRow *put, const OptionTable *table, const char *prefix)
{
    for (size_t i = 0; i < table->count; i++) {
        const Option *option = &table->rows[i];
        char name[NAME_SIZE], below[NAME_SIZE + 4];
        snprintf(name, sizeof name, "%s%s", prefix, option->key);
        put(out, name, option);
        snprintf(below, sizeof below, "%s%s", name, option->type == OPTION_LIST ? ".N." : ".");
        if (option->table)
            walk(out, put, option->table, below);
    }
}

static void put_help_row(FILE *out, const char *name, const Option *option)
{
    char accepts[TEXT_SIZE], text[TEXT_SIZE];
    put_accepts(accepts, sizeof accepts, option);
    describe(text, sizeof text, option);
    fprintf(out, "%s: %s\n    %s", name, text, accepts);
    if (default_of(option)[0])
        fprintf(out, "; %s%s", option->value ? "default " : "", default_of(option));
    fputc('\n', out);
}

bool option_help(FILE *out, const char *dotted)
{
    if (!dotted || !strcmp(dotted, "job")) {
        walk(out, put_help_row, &option_job, "");
        return true;
    }
    const Option *option = option_at(dotted);
    if (!option)
        return false;
    char below[NAME_SIZE];
    put_help_row(out, dotted, option);
    snprintf(below, sizeof below, "%s%s", dotted, option->type == OPTION_LIST ? ".N." : ".");
    if (option->table)
        walk(out, put_help_row, option->table, below);
    return true;
}

/* A | would end the cell. */
static void put_cell(FILE *out, const char *text)
{
    for (; *text; text++)
        fprintf(out, *text == '|' ? "\\%c" : "%c", *text);
}

static void put_markdown_row(FILE *out, const char *name, const Option *option)
{
    char accepts[TEXT_SIZE], text[TEXT_SIZE];
    put_accepts(accepts, sizeof accepts, option);
    describe(text, sizeof text, option);
    fprintf(out, "| `%s` | ", name);
    put_cell(out, accepts);
    fputs(" | ", out);
    if (default_of(option)[0])
        fprintf(out, option->value ? "`%s`" : "*%s*", default_of(option));
    fputs(" | ", out);
    put_cell(out, text);
    fputs(" |\n", out);
}

void option_markdown(FILE *out)
{
    fputs("| key | accepts | default | meaning |\n|---|---|---|---|\n", out);
    walk(out, put_markdown_row, &option_job, "");
}
