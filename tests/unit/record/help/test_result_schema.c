// SPDX-License-Identifier: MIT
/* A struct with every type and form of a result: its JSON and its schema, compared as a whole. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/help/result_schema.h"
#include "unit_test.h"

typedef struct Point {
    float x;
} Point;

static const ResultField Point_fields[] = {
    MEMBER(Point, x, "abscissa", .unit = "m"),
};
RESULT(Point, "a point");

static const char *const words[] = {"no", "yes", NULL};

typedef struct All {
    bool flag;
    int small, missing;
    int64_t large;
    uint64_t huge;
    unsigned answer;
    double number, unknown;
    const char *text, *none;
    Digest digest;
    FrameRanges frames;
    int size[2];
    const char **names;
    size_t name_count;
    Point point, *points;
    size_t point_count;
    const Point *nowhere, *here;
} All;

static const ResultField All_fields[] = {
    MEMBER(All, flag, "h"),
    MEMBER(All, small, "h"),
    MEMBER_NAMED(All, missing, "lost", "h", .nullable = true),
    MEMBER(All, large, "h"),
    MEMBER(All, huge, "h"),
    MEMBER_WORD(All, answer, words, "h"),
    MEMBER(All, number, "h"),
    MEMBER(All, unknown, "h", .nullable = true),
    MEMBER(All, text, "h"),
    MEMBER(All, none, "h", .nullable = true),
    MEMBER(All, digest, "h"),
    MEMBER(All, frames, "h"),
    MEMBER_ARRAY(All, size, "h"),
    MEMBER_VALUES(All, names, name_count, "h"),
    MEMBER_RECORD(All, point, Point, "h"),
    MEMBER_LIST(All, points, point_count, Point, "h"),
    MEMBER_OPTIONAL(All, nowhere, Point, "h"),
    MEMBER_PART(All, here, Point),
};
RESULT(All, "all");

/* The text with apostrophes instead of quotes, without its line breaks. */
static char *closed(FILE *out, char *const *text)
{
    fclose(out);
    char *to = *text;
    for (const char *at = *text; *at; at++)
        if (*at != '\n')
            *to++ = *at == '"' ? '\'' : *at;
    *to = '\0';
    return *text;
}

static void test_values(void **state)
{
    FrameRange ranges[] = {{1, 2}, {5, 5}};
    const char *names[] = {"a", "\xE8\xB8\x8A"};
    Point points[] = {{0.1f}, {2}};
    const All all = {.flag = true,
                     .small = -3,
                     .missing = -1,
                     .large = INT64_MIN,
                     .huge = INT64_MAX,
                     .answer = 1,
                     .number = 0.25,
                     .unknown = (double)NAN,
                     .text = "\"",
                     .digest = {{0xAB}},
                     .frames = {ranges, 2},
                     .size = {4, 3},
                     .names = names,
                     .name_count = 2,
                     .point = {1},
                     .points = points,
                     .point_count = 2,
                     .here = &points[1]};
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    (void)state;
    assert_non_null(out);
    result_print(out, &All_result, &all);
    assert_string_equal(
        closed(out, &text),
        "{'flag':true,'small':-3,'lost':null,'large':-9223372036854775808,"
        "'huge':9223372036854775807,'answer':'yes','number':0.25,'unknown':null,'text':'\\'',"
        "'none':null,'digest':'ab00000000000000000000000000000000000000000000000000000000000000',"
        "'frames':[[1,2],[5,5]],'size':[4,3],'names':['a','\xE8\xB8\x8A'],'point':{'x':1},"
        "'points':[{'x':0.100000001},{'x':2}],'nowhere':null,'x':2}");
    free(text);
}

#define H "{'description':'h','type':"
#define X "'x':{'description':'abscissa [m]','type':'number'}"
#define POINT \
    "'title':'a point','additionalProperties':false,'required':['x'],'properties':{" X "}}"

static void test_schema(void **state)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    (void)state;
    assert_non_null(out);
    result_schema(out, &All_result, NULL, "i");
    assert_string_equal(
        closed(out, &text),
        "{'$schema':'https://json-schema.org/draft/2020-12/schema','$id':'i','type':'object',"
        "'title':'all','additionalProperties':false,'required':['flag','small','lost','large',"
        "'huge','answer','number','unknown','text','none','digest','frames','size','names','point',"
        "'points','nowhere','x'],'properties':{"
        "'flag':" H "'boolean'},'small':" H "'integer'},"
        "'lost':" H "['integer','null'],'minimum':0},'large':" H "'integer'},"
        "'huge':" H "'integer','minimum':0},'answer':" H "'string','enum':['no','yes']},"
        "'number':" H "'number'},'unknown':" H "['number','null']},"
        "'text':" H "'string'},'none':" H "['string','null']},"
        "'digest':" H "'string','pattern':'^[0-9a-f]{64}$'},"
        "'frames':" H "'array','items':{'type':'array','items':{'type':'integer','minimum':0},"
        "'minItems':2,'maxItems':2}},"
        "'size':" H "'array','items':{'type':'integer'},'minItems':2,'maxItems':2},"
        "'names':" H "'array','items':{'type':'string'}},"
        "'point':" H "'object'," POINT ","
        "'points':" H "'array','items':{'type':'object'," POINT "},"
        "'nowhere':" H "['object','null']," POINT "," X "}}");
    free(text);
}

/* ---- cases, streams, parts that may be missing, and text ---- */

typedef struct Line {
    unsigned parts;
    const char *note;
} Line;

static const ResultField Line_fields[] = {
    MEMBER(Line, parts, "h"),
    MEMBER(Line, note, "h", .nullable = true),
};
static const ResultTable line_result = RESULT_CASE_TABLE(Line, "a line", "line", "curve");
static const ResultTable dot_result = RESULT_CASE_TABLE(Point, "a dot", "dot");
static const ResultTable *const shapes[] = {&line_result, &dot_result, NULL};

typedef struct Shape {
    const Point *middle;
    ResultStream points;
    ResultCase shape;
} Shape;

static const ResultField Shape_fields[] = {
    MEMBER_OPTIONAL_PART(Shape, middle, Point),
    MEMBER_STREAM(Shape, points, Point, "h"),
    MEMBER_CASE(Shape, shape, "kind", shapes, "h"),
};
RESULT(Shape, "a shape");

/* Two points, then the end. */
static const void *next_point(void *user)
{
    Point *point = user;
    return ++point->x <= 2 ? point : NULL;
}

static void test_cases(void **state)
{
    const Line line = {3, NULL};
    Point at = {0};
    const Shape shape = {NULL, {next_point, &at}, {"curve", &line_result, &line}};
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    (void)state;
    assert_non_null(out);
    result_print_line(out, &Shape_result, &shape);
    assert_string_equal(closed(out, &text),
                        "{'points':[{'x':1},{'x':2}],'kind':'curve','parts':3,'note':null}");
    free(text);

    out = open_memstream(&text, &size);
    result_schema(out, &Shape_result, NULL, "i");
    assert_string_equal(
        closed(out, &text),
        "{'$schema':'https://json-schema.org/draft/2020-12/schema','$id':'i','type':'object',"
        "'title':'a shape','unevaluatedProperties':false,'required':['points','kind'],"
        "'properties':{" X ",'points':" H "'array','items':{'type':'object'," POINT "},"
        "'kind':" H "'string','enum':['line','curve','dot']}},"
        "'dependentRequired':{'x':['x']},'allOf':["
        "{'if':{'properties':{'kind':{'enum':['line','curve']}}},'then':{'title':'a line',"
        "'required':['parts','note'],'properties':{'parts':" H "'integer','minimum':0},"
        "'note':" H "['string','null']}}}},"
        "{'if':{'properties':{'kind':{'enum':['dot']}}},'then':{'title':'a dot',"
        "'required':['x'],'properties':{" X "}}}]}");
    free(text);

    out = open_memstream(&text, &size);
    result_text(out, &Shape_result, &shape, false);
    fclose(out);
    assert_string_equal(text, "  kind: curve\n  parts: 3\n");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_schema),
        cmocka_unit_test(test_cases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
