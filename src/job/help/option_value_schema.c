#include "job/help/option_value_schema.h"

#include <assert.h>

#include "job/job.h"

static void schema_range(Json *json, const Option *option)
{
    if (!option_is_ranged(option))
        return;
    json_pair_short(json, "minimum", option->min);
    json_pair_short(json, "maximum", option->max);
}

/* A JSON array of the accepted words or integers, with null if the option has a default. */
static void schema_enum(Json *json, const Option *option)
{
    json_pair_open(json, "enum", '[');
    for (size_t i = 0; option->choices && option->choices[i]; i++)
        json_text(json, option->choices[i]);
    for (size_t i = 0; option->values && option->values[i]; i++)
        json_int(json, option->values[i]);
    if (option->word)
        json_text(json, option->word);
    if (option->value && option->type != OPTION_FLAGS && option->type != OPTION_CHOICES)
        json_text(json, NULL);
    json_close(json, ']');
}

/* "items": numbers within the range, exactly `length` of them. */
static void schema_numbers(Json *json, const Option *option, const char *type, int length)
{
    json_pair_open(json, "items", '{');
    json_pair_text(json, "type", type);
    schema_range(json, option);
    json_close(json, '}');
    json_pair_int(json, "minItems", length);
    json_pair_int(json, "maxItems", length);
}

static void schema_int(Json *json, const Option *option)
{
    schema_range(json, option);
    if (option->values)
        schema_enum(json, option);
    else if (option->word) /* "auto" is the only word of all tables */
        json_pair_text(json, "pattern", "^auto$");
}

static void schema_ints(Json *json, const Option *option)
{
    schema_numbers(json, option, "integer", option->length);
    if (option->by_x)
        json_pair_text(json, "pattern", "^[0-9]+x[0-9]+$");
}

static void schema_number_list(Json *json, const Option *option)
{
    schema_numbers(json, option, "number", option->length);
}

static void schema_color(Json *json, const Option *option)
{
    static const Option component = {.min = 0, .max = 1};
    (void)option;
    json_pair_text(json, "pattern", "^#[0-9a-fA-F]{6}$");
    schema_numbers(json, &component, "number", 3);
}

static void schema_text(Json *json, const Option *option)
{
    (void)option;
    json_pair_int(json, "minLength", 1);
}

static void schema_flags(Json *json, const Option *option)
{
    json_pair_open(json, "items", '{');
    schema_enum(json, option);
    json_close(json, '}');
    if (option->type == OPTION_FLAGS)
        json_pair_int(json, "minItems", 1);
}

static void schema_rate(Json *json, const Option *option)
{
    schema_range(json, option);
    json_pair_text(json, "pattern", "^[0-9]+(\\.[0-9]+)?(/[0-9]+)?$");
}

static void schema_frames(Json *json, const Option *option)
{
#define TIME "(m[0-9]{1,8}(\\.[0-9]+)?|[0-9]{1,8}(\\.[0-9]+)?s|[0-9]{1,8})"
    (void)option;
    json_pair_int(json, "minimum", 0);
    json_pair_int(json, "maximum", JOB_MAX_FRAME);
    json_pair_text(json, "pattern", "^(all|" TIME "(-" TIME ")?(, *" TIME "(-" TIME ")?)*)$");
#undef TIME
}

/* Any scalar is a text: 12 is a valid name. */
static void schema_scalar_types(Json *json)
{
    json_pair_open(json, "type", '[');
    json_text(json, "string");
    json_text(json, "number");
    json_text(json, "boolean");
    json_close(json, ']');
}

static void schema_texts(Json *json, const Option *option)
{
    (void)option;
    json_pair_open(json, "items", '{');
    schema_scalar_types(json);
    json_close(json, '}');
    json_pair_int(json, "maxItems", OPTION_MAX_ITEMS);
}

static void schema_cuts(Json *json, const Option *option)
{
    schema_range(json, option);
    json_pair_text(json, "pattern", "^(none|auto|[0-9]+(\\.[0-9]+)?s?)$");
}

static void schema_weights(Json *json, const Option *option)
{
    json_pair_open(json, "additionalProperties", '{');
    json_pair_text(json, "type", "number");
    schema_range(json, option);
    json_close(json, '}');
    json_pair_int(json, "maxProperties", OPTION_MAX_ITEMS);
}

static void schema_renames(Json *json, const Option *option)
{
    (void)option;
    json_pair_open(json, "additionalProperties", '{');
    schema_scalar_types(json);
    json_close(json, '}');
    json_pair_int(json, "maxProperties", OPTION_MAX_ITEMS);
}

static void schema_capsules(Json *json, const Option *option)
{
    json_pair_open(json, "items", '{');
    json_pair_open(json, "anyOf", '[');
    json_open(json, '{');
    json_pair_text(json, "const", "auto");
    json_close(json, '}');
    json_open(json, '{');
    json_pair_text(json, "type", "array");
    json_pair_open(json, "prefixItems", '[');
    for (int i = 0; i < 3; i++) {
        json_open(json, '{');
        json_pair_text(json, "type", i < 2 ? "string" : "number");
        if (i == 2)
            schema_range(json, option);
        json_close(json, '}');
    }
    json_close(json, ']');
    json_pair_int(json, "minItems", 3);
    json_pair_int(json, "maxItems", 3);
    json_close(json, '}');
    json_close(json, ']');
    json_close(json, '}');
    json_pair_int(json, "maxItems", OPTION_MAX_ITEMS);
}

void option_value_schema(Json *json, const Option *option)
{
    static void (*const types[])(Json *, const Option *) = {
        [OPTION_BOOL] = schema_range,          [OPTION_INT] = schema_int,
        [OPTION_NUMBER] = schema_range,        [OPTION_INTS] = schema_ints,
        [OPTION_NUMBERS] = schema_number_list, [OPTION_COLOR] = schema_color,
        [OPTION_TEXT] = schema_text,           [OPTION_PATH] = schema_text,
        [OPTION_CHOICE] = schema_enum,         [OPTION_FLAGS] = schema_flags,
        [OPTION_RATE] = schema_rate,           [OPTION_FRAMES] = schema_frames,
        [OPTION_TEXTS] = schema_texts,         [OPTION_NAMES] = schema_texts,
        [OPTION_CHOICES] = schema_flags,       [OPTION_CUTS] = schema_cuts,
        [OPTION_WEIGHTS] = schema_weights,     [OPTION_RENAMES] = schema_renames,
        [OPTION_CAPSULES] = schema_capsules,   [OPTION_TREE] = schema_range,
    };
    assert(option->type < sizeof types / sizeof *types);
    types[option->type](json, option);
}
