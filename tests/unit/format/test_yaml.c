#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "format/yaml.h"
#include "heard.h"

typedef struct Bench {
    Arena *arena;
    Heard heard;
    YamlSource source;
    YamlNode *root;
} Bench;

static bool load(Bench *bench, const char *text, size_t size)
{
    bench->arena = arena_create();
    heard_init(&bench->heard);
    bench->source = (YamlSource){.name = "x.yaml", .text = text, .size = size};
    return yaml_load(&bench->root, &bench->source, bench->arena, &bench->heard.diag);
}

static void done(Bench *bench)
{
    arena_destroy(bench->arena);
}

/* What is refused, and the words and place of it. */
static void test_refused(void **state)
{
    static const struct {
        const char *what, *text, *told;
    } rows[] = {
        {"anchor", "a: &x 1\n", "x.yaml:1:4: anchors (&name) are not allowed"},
        {"alias", "a: 1\nb: *x\n", "x.yaml:2:4: aliases (*name) are not allowed"},
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
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Bench bench;
        if (load(&bench, rows[i].text, strlen(rows[i].text)) ||
            !strstr(bench.heard.text, rows[i].told) || bench.heard.diag.kind != DIAG_JOB ||
            bench.heard.diag.errors != 1)
            fail_msg("%s: heard:\n%s", rows[i].what, bench.heard.text);
        done(&bench);
    }
}

static void test_zero_byte(void **state)
{
    Bench bench;
    (void)state;
    assert_false(load(&bench, "a: b\0c\n", 7));
    assert_non_null(strstr(bench.heard.text, "x.yaml:1:1: this line is not valid UTF-8 text"));
    done(&bench);
    assert_false(load(&bench, "a: \"b\\0c\"\n", 10));
    assert_non_null(strstr(bench.heard.text, "a scalar must not contain a NUL byte"));
    done(&bench);
}

/* Kinds, places in characters, and which scalars were plain. */
static void test_tree(void **state)
{
    static const char text[] = "\"日本\": {x: 2, y: \"3\", z: }\n"
                               "list:\n"
                               "  - a: 1\n"
                               "  -\n"
                               "  - |\n"
                               "    two\n"
                               "    lines\n"
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
    assert_int_equal(list->count, 3);
    assert_int_equal(yaml_item(list, 0)->kind, YAML_MAP);
    assert_true(yaml_is_null(yaml_item(list, 1)));
    assert_string_equal(yaml_item(list, 2)->text, "two\nlines\n");
    assert_int_equal(yaml_item(list, 2)->line, 6); /* of its text */
    assert_null(yaml_item(list, 3));
    done(&bench);
}

static void test_nothing(void **state)
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

/* Text of one piece said again and again. */
static char *repeated(const char *piece, size_t size)
{
    char *text = malloc(size + 1);
    assert_non_null(text);
    for (size_t i = 0; i < size; i++)
        text[i] = piece[i % strlen(piece)];
    text[size] = '\0';
    return text;
}

/* Each of these is a megabyte, refused in a blink. */
static void test_floods(void **state)
{
    static const struct {
        const char *piece, *told;
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
        if (load(&bench, text, YAML_MAX_SIZE) || !strstr(bench.heard.text, rows[i].told))
            fail_msg("%s...: heard:\n%.300s", rows[i].piece, bench.heard.text);
        assert_true(bench.heard.used < 2000); /* no megabyte is quoted */
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
    assert_non_null(strstr(bench.heard.text,
                           "x.yaml: document of 1048577 bytes is too large (at most 1048576)"));
    done(&bench);
    assert_true(load(&bench, text, YAML_MAX_SIZE));
    done(&bench);
    free(text);
}

/* 32 levels are fine, 33 are not. */
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
    assert_non_null(strstr(bench.heard.text, "x.yaml:1:33: nested too deeply"));
    done(&bench);
}

/* The caret stands under the place, two columns for a wide character; controls are not passed on.
 */
static void test_excerpt(void **state)
{
    static const char text[] = "a: 1\nb: { \"頭\": [x, \"\\e[31m\"], c: d }\n";
    Bench bench;
    (void)state;
    assert_true(load(&bench, text, sizeof text - 1));
    const YamlNode *b = yaml_find(bench.root, "b");
    assert_false(yaml_error(yaml_find(b, "c"), &bench.heard.diag, "'%s' is odd", "d"));
    assert_string_equal(bench.heard.text, "error: x.yaml:2:29: 'd' is odd\n"
                                          "    2 | b: { \"頭\": [x, \"\\e[31m\"], c: d }\n"
                                          "      |                              ^\n");
    const YamlNode *escape = yaml_item(yaml_find(b, "頭"), 1);
    yaml_error(escape, &bench.heard.diag, "'%s' is odd", escape->text);
    assert_null(strchr(bench.heard.text, '\033'));
    done(&bench);
}

/* "key=value": the document begins behind the =, and places count from the key. */
static void test_start(void **state)
{
    static const char text[] = "render.size=[640, *a]";
    Bench bench = {.arena = arena_create()};
    (void)state;
    heard_init(&bench.heard);
    bench.source =
        (YamlSource){.name = "--set", .text = text, .size = sizeof text - 1, .start = 12};
    assert_false(yaml_load(&bench.root, &bench.source, bench.arena, &bench.heard.diag));
    assert_string_equal(bench.heard.text, "error: --set:1:19: aliases (*name) are not allowed\n"
                                          "    1 | render.size=[640, *a]\n"
                                          "      |                   ^\n");
    done(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused), cmocka_unit_test(test_zero_byte),
        cmocka_unit_test(test_tree),    cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_floods),  cmocka_unit_test(test_size),
        cmocka_unit_test(test_depth),   cmocka_unit_test(test_excerpt),
        cmocka_unit_test(test_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
