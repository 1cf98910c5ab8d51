// SPDX-License-Identifier: MIT
/* The JSON Schema of a small table with every type of value, compared as a whole. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/help/option_schema.h"
#include "unit_test.h"

typedef struct Field { /* schemas do not read it */
    size_t count;
} Field;

/* A frame, a motion frame or seconds, in the pattern of frames. */
#define TIME                                                           \
    "(m[0-9]{1,8}(\\\\.[0-9]+)?|[0-9]{1,8}(\\\\.[0-9]+)?s|[0-9]{1,8}|" \
    "[0-9]{1,8}(:[0-5]?[0-9]){1,2}(\\\\.[0-9]+)?s?)"
#define RANGES TIME "(-(" TIME ")?|\\\\+" TIME ")?"

static const char *const modes[] = {"one", "two", NULL};
static const int sample_counts[] = {1, 4, 0};

/* clang-format off */
static const Option leaf_rows[] = {
    {.key = "file", .type = OPTION_PATH, .help = "f"},
};
static const OptionTable short_table = {leaf_rows, 1, sizeof(Field), "file"};
static const OptionTable long_table = {leaf_rows, 1, sizeof(Field), NULL};

static const struct {
    Option row;
    const char *schema; /* after the description */
} rows[] = {
    {{.type = OPTION_BOOL, .value = "true"}, "'type':['boolean','null'],'default':true"},
    {{.type = OPTION_BOOL}, "'type':'boolean'"},
    {{.type = OPTION_INT, .min = 2, .max = 5}, "'type':'integer','minimum':2,'maximum':5"},
    {{.type = OPTION_INT, .min = 2, .max = 5, .word = "auto", .value = "auto"},
     "'type':['integer','string','null'],'minimum':2,'maximum':5,'pattern':'^auto$',"
     "'default':'auto'"},
    {{.type = OPTION_INT, .values = sample_counts, .value = "4"},
     "'type':['integer','null'],'enum':[1,4,null],'default':4"},
    {{.type = OPTION_INT, .values = sample_counts}, "'type':'integer','enum':[1,4]"},
    {{.type = OPTION_NUMBER, .min = -1, .max = 1.5, .value = "null"},
     "'type':['number','null'],'minimum':-1,'maximum':1.5,'default':null"},
    {{.type = OPTION_NUMBER}, "'type':'number'"},
    {{.type = OPTION_INTS, .length = 2, .min = 1, .max = 9, .value = "[3, 4]"},
     "'type':['array','null'],'items':{'type':'integer','minimum':1,'maximum':9},'minItems':2,"
     "'maxItems':2,'default':[3,4]"},
    {{.type = OPTION_NUMBERS, .length = 3}, "'type':'array','items':{'type':'number'},"
     "'minItems':3,'maxItems':3"},
    {{.type = OPTION_COLOR, .value = "\"#102030\""},
     "'type':['string','array','null'],'pattern':'^#[0-9a-fA-F]{6}$','items':{'type':'number',"
     "'minimum':0,'maximum':1},'minItems':3,'maxItems':3,'default':'#102030'"},
    {{.type = OPTION_TEXT}, "'type':['string','number','boolean'],'minLength':1"},
    {{.type = OPTION_PATH, .value = "null"},
     "'type':['string','number','boolean','null'],'minLength':1,'default':null"},
    {{.type = OPTION_CHOICE, .choices = modes}, "'type':'string','enum':['one','two']"},
    {{.type = OPTION_CHOICE, .choices = modes, .value = "two"},
     "'type':['string','null'],'enum':['one','two',null],'default':'two'"},
    {{.type = OPTION_FLAGS, .choices = modes, .value = "[one]"},
     "'type':['array','null'],'items':{'enum':['one','two']},'minItems':1,'default':['one']"},
    {{.type = OPTION_RATE, .min = 1, .max = 60, .value = "30"},
     "'type':['number','string','null'],'minimum':1,'maximum':60,"
     "'pattern':'^[0-9]+(\\\\.[0-9]+)?(/[0-9]+)?$','default':30"},
    {{.type = OPTION_FRAMES, .value = "all"},
     "'type':['string','integer','null'],'minimum':0,'maximum':99999999,"
     "'pattern':'^(all|" RANGES "(, *" RANGES ")*)$','default':'all'"},
    {{.type = OPTION_TEXTS, .value = "[]"},
     "'type':['array','null'],'items':{'type':['string','number','boolean']},'maxItems':1000,"
     "'default':[]"},
    {{.type = OPTION_NAMES, .value = "[]"},
     "'type':['string','number','boolean','array','null'],'items':{'type':['string','number',"
     "'boolean']},'maxItems':1000,'default':[]"},
    {{.type = OPTION_CHOICES, .choices = modes, .value = "[]"},
     "'type':['string','array','null'],'items':{'enum':['one','two']},'default':[]"},
    {{.type = OPTION_CUTS, .min = 0.5, .max = 9, .value = "none"},
     "'type':['string','number','null'],'minimum':0.5,'maximum':9,"
     "'pattern':'^(none|auto|[0-9]+(\\\\.[0-9]+)?s?)$','default':'none'"},
    {{.type = OPTION_WEIGHTS, .min = -10, .max = 10, .value = "{}"},
     "'type':['object','null'],'additionalProperties':{'type':'number','minimum':-10,"
     "'maximum':10},'maxProperties':1000,'default':{}"},
    {{.type = OPTION_FILES, .value = "{}"},
     "'type':['object','null'],'additionalProperties':{'type':['string','number','boolean']},"
     "'maxProperties':1000,'default':{}"},
    {{.type = OPTION_CAPSULES, .min = 0.001, .max = 9},
     "'type':'array','items':{'anyOf':[{'const':'auto'},{'type':'array','prefixItems':[{'type':'string'},"
     "{'type':'string'},{'type':'number','minimum':0.001,'maximum':9}],'minItems':3,'maxItems':3}]},'maxItems':1000"},
    {{.type = OPTION_TREE, .value = "{}"}, "'type':['object','null'],'default':{}"},
    {{.type = OPTION_TREE, .value = "[]"}, "'type':['array','null'],'default':[]"},
    {{.type = OPTION_TREE, .value = "null"}, "'default':null"},
    {{.type = OPTION_SECTION, .table = &long_table, .value = "{}"},
     "'type':['object','null'],'additionalProperties':false,'required':['file'],'properties':"
     "{'file':{'description':'f','type':['string','number','boolean'],'minLength':1}},"
     "'default':{}"},
    {{.type = OPTION_OPTIONAL, .table = &short_table, .value = "null"},
     "'type':['object','string','null'],'additionalProperties':false,'required':['file'],"
     "'properties':{'file':{'description':'f','type':['string','number','boolean'],"
     "'minLength':1}},'default':null"},
    {{.type = OPTION_LIST, .table = &short_table, .min = 1, .max = 8},
     "'type':'array','items':{'type':['object','string'],'additionalProperties':false,"
     "'required':['file'],'properties':{'file':{'description':'f','type':['string','number',"
     "'boolean'],'minLength':1}}},'minItems':1,'maxItems':8"},
    {{.type = OPTION_LIST, .table = &long_table, .value = "[]"},
     "'type':['array','null'],'items':{'type':'object','additionalProperties':false,"
     "'required':['file'],'properties':{'file':{'description':'f','type':['string','number',"
     "'boolean'],'minLength':1}}},'maxItems':1000,'default':[]"},
    {{.type = OPTION_TEXTS, .value = "[yes, \"true\", false, 1.5, {a: true}]"},
     "'type':['array','null'],'items':{'type':['string','number','boolean']},'maxItems':1000,"
     "'default':['yes','true',false,1.5,{'a':true}]"},
};
/* clang-format on */

/* Without line breaks and the blanks between tokens, and with ' for ". */
static void simplify(char *text)
{
    char *out = text;
    bool quoted = false;
    for (const char *at = text; *at; at++) {
        quoted ^= *at == '"';
        if (quoted || (*at != ' ' && *at != '\n'))
            *out++ = *at == '"' ? '\'' : *at;
    }
    *out = '\0';
}

static char *schema_of(const Option *row)
{
    const OptionTable table = {row, 1, sizeof(Field), NULL};
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    option_schema(out, &table, "i", "t");
    fclose(out);
    simplify(text);
    return text;
}

static void test_types(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char expected[1024];
        Option row = rows[i].row;
        row.key = "k";
        row.help = "h";
        row.unit = i ? NULL : "s";
        char *text = schema_of(&row);
        snprintf(expected, sizeof expected,
                 "{'$schema':'https://json-schema.org/draft/2020-12/schema','$id':'i','title':'t',"
                 "'type':'object','additionalProperties':false,'required':[%s],'properties':"
                 "{'k':{'description':'h%s',%s}}}",
                 row.value ? "" : "'k'", i ? "" : " [s]", rows[i].schema);
        assert_string_equal(text, expected);
        free(text);
    }
}

/* A key is given if it is neither null nor at its default. */
static void test_rules(void **state)
{
    static const Option rules[] = {
        {.key = "a", .type = OPTION_BOOL, .value = "false", .help = "h"},
        {.key = "b", .type = OPTION_NUMBER, .value = "null", .help = "h", .at_most_one = "a b"},
        {.key = "c", .type = OPTION_BOOL, .value = "false", .help = "h", .needs = "a"},
    };
    const OptionTable table = {rules, 3, sizeof(Field), NULL};
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    (void)state;
    assert_non_null(out);
    option_schema(out, &table, "i", "t");
    fclose(out);
    simplify(text);
    const char *expected =
        "'required':[],'allOf':[{'not':{'type':'object','required':['a','b'],'properties':"
        "{'a':{'not':{'enum':[null,false]}},'b':{'not':{'enum':[null]}}}}},"
        "{'if':{'type':'object','required':['c'],'properties':{'c':{'not':{'enum':[null,false]}}}},"
        "'then':{'type':'object','required':['a'],'properties':{'a':{'not':{'enum':[null,false]}}}}"
        "}],"
        "'properties':{'a':";
    if (!strstr(text, expected))
        fail_msg("%s", text);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
