// SPDX-License-Identifier: MIT
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diag_log.h"
#include "record/yaml.h"
#include "unit_test.h"

typedef struct Bench {
    Arena *arena;
    DiagLog log;
    YamlSource source;
    YamlNode *root;
} Bench;

static bool load(Bench *bench, const char *text, size_t size)
{
    bench->arena = arena_create();
    diag_log_init(&bench->log);
    bench->source = (YamlSource){.name = "x.yaml", .text = text, .size = size};
    return yaml_load(&bench->root, &bench->source, bench->arena, &bench->log.diag);
}

static void done(Bench *bench)
{
    arena_destroy(bench->arena);
}

/* Invalid documents, with the message and position of the error. */
static void test_refused(void **state)
{
    static const struct {
        const char *what, *text, *expected;
    } rows[] = {
        {"anchor", "a: &x 1\n", "x.yaml:1:4: anchors (&name) are not allowed"},
        {"alias", "a: 1\nb: *x\n", "x.yaml:2:4: aliases (*name) are not allowed"},
        {"same key twice in one line", "{b: 1, a: 2, c: 3, a: 4, a: 5}\n",
         "x.yaml:1:20: duplicate key 'a', first used in line 1"},
        {"tag", "a: !!int 1\n", "x.yaml:1:4: tags (!type) are not allowed"},
        {"tag of a map", "a: !m {b: 1}\n", "tags (!type) are not allowed"},
        {"merge key", "a: 1\nb:\n  <<: {c: 1}\n", "x.yaml:3:3: merge keys (<<) are not allowed"},
        {"second document", "a: 1\n---\nb: 1\n", "x.yaml:2:1: a second document is not allowed"},
        {"directive", "%YAML 1.2\n---\na: 1\n", "x.yaml:1:1: directives"},
        {"duplicate key", "a: 1\nb: 2\na: 3\n",
         "x.yaml:3:1: duplicate key 'a', first used in line 1"},
        {"key twice, inside", "m: {a: 1, b: 2, \"a\": 3}\n",
         "x.yaml:1:17: duplicate key 'a', first used in line 1"},
        {"a list as key", "? [a, b]\n: 1\n", "x.yaml:1:3: a key must be a scalar"},
        {"not UTF-8", "a: 1\nb: \xFF\n", "x.yaml:2:1: this line is not valid UTF-8 text"},
        {"never closed", "a: [1,\n  2\n", "x.yaml:1:4: flow sequence without a closing bracket"},
        {"tab", "a:\n\tb: 1\n", "x.yaml:"},
        {"quote never closed", "a: \"b\n",
         "x.yaml:1:5: double-quoted scalar without closing quote"},
        {"two values", "a: b: c\n", "x.yaml:1:5: "},
        {"two apostrophes", "a: 'b''''c'\n",
         "x.yaml:1:5: two apostrophes in a row need double quotes"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Bench bench;
        if (load(&bench, rows[i].text, strlen(rows[i].text)) ||
            !strstr(bench.log.text, rows[i].expected) || bench.log.diag.kind != DIAG_JOB ||
            bench.log.diag.errors != 1)
            fail_msg("%s: log:\n%s", rows[i].what, bench.log.text);
        done(&bench);
    }
}

static void test_zero_byte(void **state)
{
    Bench bench;
    (void)state;
    assert_false(load(&bench, "a: b\0c\n", 7));
    assert_non_null(strstr(bench.log.text, "x.yaml:1:1: this line is not valid UTF-8 text"));
    done(&bench);
    assert_false(load(&bench, "a: \"b\\0c\"\n", 10));
    assert_non_null(strstr(bench.log.text, "a scalar must not contain a NUL byte"));
    done(&bench);
}

/* Kinds, positions in characters, and which scalars are plain. */
static void test_tree(void **state)
{
    static const char text[] = "\"日本\": {x: 2, y: \"3\", z: }\n"
                               "list:\n"
                               "  - a: 1\n"
                               "  -\n"
                               "  - |\n"
                               "    two\n"
                               "    lines\n"
                               "  - '''it''s'''\n"
                               "# the end\n";
    Bench bench;
    (void)state;
    assert_true(load(&bench, text, sizeof text - 1));
    assert_int_equal(bench.root->kind, YAML_MAP);
    assert_int_equal(bench.root->count, 2);

    const YamlNode *map = yaml_find(bench.root, "日本");
    assert_int_equal(map->kind, YAML_MAP);
    assert_int_equal(map->line, 1);
    assert_int_equal(map->column, 7);
    assert_string_equal(yaml_find(map, "x")->text, "2");
    assert_true(yaml_find(map, "x")->plain);
    assert_int_equal(yaml_find(map, "x")->column, 11);
    assert_string_equal(yaml_find(map, "y")->text, "3");
    assert_false(yaml_find(map, "y")->plain);
    assert_int_equal(yaml_find(map, "y")->column, 17); /* of the quote */
    assert_true(yaml_is_null(yaml_find(map, "z")));
    assert_null(yaml_find(map, "w"));

    const YamlNode *list = yaml_find(bench.root, "list");
    assert_int_equal(list->kind, YAML_LIST);
    assert_int_equal(list->count, 4);
    assert_int_equal(yaml_item(list, 0)->kind, YAML_MAP);
    assert_true(yaml_is_null(yaml_item(list, 1)));
    assert_string_equal(yaml_item(list, 2)->text, "two\nlines\n");
    assert_int_equal(yaml_item(list, 2)->line, 6); /* of its text */
    assert_string_equal(yaml_item(list, 3)->text, "'it's'");
    assert_null(yaml_item(list, 4));
    done(&bench);
}

static void test_empty_documents(void **state)
{
    static const char *const texts[] = {"", "# only a comment\n", "---\n", "\n\n", "null\n", "~"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        Bench bench;
        assert_true(load(&bench, texts[i], strlen(texts[i])));
        assert_true(yaml_is_null(bench.root));
        done(&bench);
    }
}

/* `size` bytes of repeated text. */
static char *repeated(const char *piece, size_t size)
{
    char *text = malloc(size + 1);
    assert_non_null(text);
    for (size_t i = 0; i < size; i++)
        text[i] = piece[i % strlen(piece)];
    text[size] = '\0';
    return text;
}

/* Each of these is a megabyte and must be refused quickly. */
static void test_floods(void **state)
{
    static const struct {
        const char *piece, *expected;
    } rows[] = {
        {"[", "too many values"},
        {"{a: ", "too many values"},
        {"[a,", "too many values"},
        {"[]", "too many values"},
        {"%", "directives"},
        {"- ", "nested too deeply"},
        {"-\n", "too many values"},
        {"&a ", ""},
        {"? ", "a key must be a scalar"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Bench bench;
        char *text = repeated(rows[i].piece, YAML_MAX_SIZE);
        if (load(&bench, text, YAML_MAX_SIZE) || !strstr(bench.log.text, rows[i].expected))
            fail_msg("%s...: log:\n%.300s", rows[i].piece, bench.log.text);
        assert_true(bench.log.used < 2000); /* no megabyte is quoted */
        done(&bench);
        free(text);
    }
}

static void test_size(void **state)
{
    Bench bench;
    char *text = repeated(" ", YAML_MAX_SIZE + 1);
    (void)state;
    assert_false(load(&bench, text, YAML_MAX_SIZE + 1));
    assert_non_null(
        strstr(bench.log.text, "x.yaml: document of 1048577 bytes is too large (at most 1048576)"));
    done(&bench);
    assert_true(load(&bench, text, YAML_MAX_SIZE));
    done(&bench);
    free(text);
}

/* 32 levels are allowed, 33 are not. */
static void test_depth(void **state)
{
    char text[128] = "";
    Bench bench;
    (void)state;
    memset(text, '[', YAML_MAX_DEPTH);
    memset(text + YAML_MAX_DEPTH, ']', YAML_MAX_DEPTH);
    assert_true(load(&bench, text, strlen(text)));
    done(&bench);
    memset(text, '[', YAML_MAX_DEPTH + 1);
    memset(text + YAML_MAX_DEPTH + 1, ']', YAML_MAX_DEPTH + 1);
    assert_false(load(&bench, text, strlen(text)));
    assert_non_null(strstr(bench.log.text, "x.yaml:1:33: nested too deeply"));
    done(&bench);
}

/* The caret is below the column, with two columns for a wide character; no control characters. */
static void test_excerpt(void **state)
{
    static const char text[] = "a: 1\nb: { \"頭\": [x, \"\\e[31m\"], c: d }\n";
    Bench bench;
    (void)state;
    assert_true(load(&bench, text, sizeof text - 1));
    const YamlNode *b = yaml_find(bench.root, "b");
    assert_false(yaml_error(yaml_find(b, "c"), &bench.log.diag, "'%s' is odd", "d"));
    assert_string_equal(bench.log.text, "error: x.yaml:2:29: 'd' is odd\n"
                                        "    2 | b: { \"頭\": [x, \"\\e[31m\"], c: d }\n"
                                        "      |                              ^\n");
    const YamlNode *escape = yaml_item(yaml_find(b, "頭"), 1);
    yaml_error(escape, &bench.log.diag, "'%s' is odd", escape->text);
    assert_null(strchr(bench.log.text, '\033'));
    done(&bench);
}

/* A long line: at most 96 characters are shown, starting so that the caret is at most 80 columns to
 * the right; characters before the window count as one column each, wide ones as two. */
static void test_excerpt_of_a_long_line(void **state)
{
    static const struct {
        const char *what, *piece;
        size_t size; /* bytes of the line */
        unsigned column;
        unsigned first, count; /* expected: characters first..first + count - 1, from 1 */
        unsigned caret;        /* blanks before it */
    } rows[] = {
        {"start of the line", "0123456789", 200, 1, 1, 96, 0},
        {"short line", "0123456789", 96, 96, 16, 81, 80},
        {"last column of the first window", "0123456789", 200, 81, 1, 96, 80},
        {"first column of the next window", "0123456789", 200, 82, 2, 96, 80},
        {"middle of the line", "0123456789", 400, 200, 120, 96, 80},
        {"end of the line", "0123456789", 200, 200, 120, 81, 80},
        {"beyond the end", "0123456789", 100, 101, 21, 80, 80},
        {"wide characters", "\u65e5", 3 * 200, 100, 20, 96, 160},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char expected[1024] = "", *text = repeated(rows[i].piece, rows[i].size);
        const size_t piece = (unsigned char)rows[i].piece[0] < 0x80 ? 1 : strlen(rows[i].piece);
        const YamlSource source = {.name = "x", .text = text, .size = rows[i].size};
        const YamlNode node = {.source = &source, .line = 1, .column = rows[i].column};
        DiagLog log;
        diag_log_init(&log);
        assert_false(yaml_error(&node, &log.diag, "bad"));
        snprintf(expected, sizeof expected, "error: x:1:%u: bad\n    1 | %.*s\n      | %*s^\n",
                 rows[i].column, (int)(rows[i].count * piece), text + (rows[i].first - 1) * piece,
                 (int)rows[i].caret, "");
        if (strcmp(log.text, expected) != 0)
            fail_msg("%s: log:\n%s", rows[i].what, log.text);
        free(text);
    }
}

/* Control characters are shown as one blank each; the line ends before CR LF. */
static void test_excerpt_of_control_characters(void **state)
{
    static const char text[] = "a\n\tb\x7f\x1f"
                               "cd\r\ne";
    const YamlSource source = {.name = "x", .text = text, .size = sizeof text - 1};
    (void)state;
    for (unsigned line = 1; line <= 4; line++) {
        static const char *const shown[] = {"a", " b  cd", "e", ""};
        char expected[256];
        const YamlNode node = {.source = &source, .line = line, .column = 5};
        DiagLog log;
        diag_log_init(&log);
        yaml_error(&node, &log.diag, "a\nb\x1f\x7f %s", "c");
        const size_t size = strlen(shown[line - 1]);
        snprintf(expected, sizeof expected, "error: x:%u:5: a b   c\n    %u | %s\n      | %*s^\n",
                 line, line, shown[line - 1], size < 4 ? (int)size : 4, "");
        assert_string_equal(log.text, expected);
    }
}

/* One line of text that parses to the same tree. */
static void test_write_flow(void **state)
{
    static const char text[] = "a: [640, -1.5e1, x_1, \"a b\", '', ~, null, \"null\", a-b, true]\n"
                               "\"b c\": {d: [], e: {}, f: , null: 1, ~: 2, : 3}\n";
    static const char flow[] = "{a: [640, -1.5e1, x_1, \"a b\", \"\", null, null, \"null\", "
                               "\"a-b\", true], \"b c\": {d: [], e: {}, f: null, "
                               "null: 1, \"~\": 2, \"\": 3}}";
    char out[256] = "";
    Bench bench, again;
    (void)state;
    assert_true(load(&bench, text, sizeof text - 1));
    const YamlNode *copy = yaml_copy(bench.root, bench.arena);
    assert_true(copy->count == 2 && copy->line == 1 && copy->column == 1 && !copy->next);
    assert_int_equal(yaml_find(copy, "b c")->line, 2);
    FILE *file = fmemopen(out, sizeof out, "w");
    yaml_write_flow(file, copy);
    fclose(file);
    assert_string_equal(out, flow);
    assert_true(load(&again, flow, sizeof flow - 1));
    assert_int_equal(yaml_find(again.root, "a")->count, 10);
    assert_string_equal(yaml_find(yaml_find(again.root, "b c"), "")->text, "3");
    assert_string_equal(yaml_find(yaml_find(again.root, "b c"), "~")->text, "2");
    done(&again);
    done(&bench);
}

/* Nodes made by a program: appended in order, with the position of their origin. */
static void test_append(void **state)
{
    Bench bench;
    (void)state;
    assert_true(load(&bench, "k: [1]\n", 7));
    YamlNode *list = yaml_find(bench.root, "k");
    yaml_append(list, NULL, yaml_new_node(YAML_SCALAR, "2", list, bench.arena));
    yaml_append(list, NULL, yaml_new_node(YAML_SCALAR, "3", list, bench.arena));
    assert_int_equal(list->count, 3);
    assert_string_equal(yaml_item(list, 2)->text, "3");
    assert_int_equal(yaml_item(list, 1)->column, list->column);
    assert_int_equal(yaml_item(list, 1)->line, 1);
    assert_null(yaml_item(bench.root, 0));
    assert_null(yaml_find(list, "k"));
    done(&bench);
}

/* "key=value": the document starts after the =, and columns count from the key. */
static void test_start(void **state)
{
    static const char text[] = "render.size=[640, *a]";
    Bench bench = {.arena = arena_create()};
    (void)state;
    diag_log_init(&bench.log);
    bench.source =
        (YamlSource){.name = "--set", .text = text, .size = sizeof text - 1, .start = 12};
    assert_false(yaml_load(&bench.root, &bench.source, bench.arena, &bench.log.diag));
    assert_string_equal(bench.log.text, "error: --set:1:19: aliases (*name) are not allowed\n"
                                        "    1 | render.size=[640, *a]\n"
                                        "      |                   ^\n");
    done(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_zero_byte),
        cmocka_unit_test(test_tree),
        cmocka_unit_test(test_empty_documents),
        cmocka_unit_test(test_floods),
        cmocka_unit_test(test_size),
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_excerpt),
        cmocka_unit_test(test_start),
        cmocka_unit_test(test_excerpt_of_a_long_line),
        cmocka_unit_test(test_excerpt_of_control_characters),
        cmocka_unit_test(test_write_flow),
        cmocka_unit_test(test_append),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
