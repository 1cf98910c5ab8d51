// SPDX-License-Identifier: MIT
/* Macros, conditions and includes: the tokens that remain, with a blank between two. */
#include <string.h>

#include "effect/preprocessor.h"
#include "effect_fixture.h"
#include "unit_test.h"

typedef struct Row {
    const char *what, *text, *expected;
} Row;

static const EffectFile FILES[] = {
    {"pack/sub/one.fxsub", "one\n#include \"two.fxsub\"\n"},
    {"pack/sub/two.fxsub", "two"},
    {"pack/top.fxsub", "top"},
    {"other.fxsub", "#pragma once\nother"},
    {"pack/loop.fxsub", "#include \"loop.fxsub\""},
    {"pack/bad.fxsub", "a\n\n #error of bad\n"},
    {"pack/unclosed.fxsub", "#if 1\n"},
    {NULL, NULL},
};

static bool read_text(void *user, EffectText *text, const char *path)
{
    (void)user;
    for (const EffectFile *file = FILES; file->path; file++)
        if (text_equal_ignoring_case(file->path, path)) {
            *text = (EffectText){file->text, strlen(file->text)};
            return true;
        }
    return false;
}

/* The tokens of a text, of which only the first bytes count, or the error message. */
static const char *run_first(const char *text, size_t size, Arena *arena)
{
    static DiagLog log;
    Preprocessed out;
    const EffectSource source = {.name = "pack/a.fx", .text = {text, size}, .read = read_text};
    diag_log_init(&log);
    if (!preprocess(&out, &source, names_create(arena), arena, &log.diag))
        return log.text;
    const char *joined = "";
    for (size_t i = 0; i + 1 < out.tokens.count; i++) {
        const Token *token = &out.tokens.items[i];
        const char *quote = token->kind == TOKEN_STRING ? "'" : "";
        joined = arena_printf(arena, "%s%s%s%s%s", joined, i ? " " : "", quote, token->text, quote);
    }
    return joined;
}

static const char *run(const char *text, Arena *arena)
{
    return run_first(text, strlen(text), arena);
}

static void check(const Row *rows, size_t count, bool whole)
{
    for (size_t i = 0; i < count; i++) {
        Arena *arena = arena_create();
        const char *result = run(rows[i].text, arena);
        if (whole ? strcmp(result, rows[i].expected) != 0 : !strstr(result, rows[i].expected))
            fail_msg("%s: '%s', expected '%s'", rows[i].what, result, rows[i].expected);
        arena_destroy(arena);
    }
}

static void test_tokens(void **state)
{
    static const Row rows[] = {
        {"comments", "a/* b\n c */d // e\nf", "a d f"},
        {"a line that continues", "a\\\nb // c \\\n d\ne", "ab e"},
        {"CRLF", "a\r\n#define b c\r\nb\r\n", "a c"},
        {"numbers", "1.5f .5 1. 1e-3 0x1F 1.xx 2.0.x 3u 1.e5",
         "1.5f .5 1. 1e-3 0x1F 1 . xx 2.0 . x 3u 1.e5"},
        {"punctuators", "a<<=b>>c++-- <=>= ##::", "a <<= b >> c ++ -- <= >= ## ::"},
        {"strings", "\"a\\\\b\" \"c\\\"d\" \"e\\f\"", "'a\\b' 'c\"d' 'e\\f'"},
        {"a string of two lines", "\"a\nb\" c", "'a\nb' c"},
        {"names beyond ASCII", "\xE3\x81\x82 b", "\xE3\x81\x82 b"},
    };
    (void)state;
    check(rows, sizeof rows / sizeof *rows, true);
}

/* Nothing behind the end of a text is read. */
static void test_end(void **state)
{
    static const char text[] = "a /* \\\n*/ b \\\n\"c";
    Arena *arena = arena_create();
    (void)state;
    assert_string_equal(run_first(text, strlen("a /* \\\n"), arena), "a");
    assert_string_equal(run_first(text, strlen("a /* \\\n*"), arena), "a");
    assert_string_equal(run_first(text, strlen("a /* \\\n*/ b \\\n"), arena), "a b");
    arena_destroy(arena);
}

static void test_macros(void **state)
{
    static const Row rows[] = {
        {"object", "#define A 1 + 2\nA A", "1 + 2 1 + 2"},
        {"undefined", "#define A 1\n#undef A\nA", "A"},
        {"defined again", "#define A 1\n#define A 2\nA", "2"},
        {"within itself", "#define A A B\n#define B A\nA", "A A"},
        {"arguments", "#define F(x, y) y x\nF(1, (2, 3))", "( 2 , 3 ) 1"},
        {"arguments on other lines", "#define F(x) [x]\nF\n(\n1\n)", "[ 1 ]"},
        {"not called", "#define F(x) x\nF + 1", "F + 1"},
        {"a blank before the bracket", "#define F (x)\nF(1)", "( x ) ( 1 )"},
        {"empty argument", "#define F(x, y) [x|y]\nF(,)", "[ | ]"},
        {"no parameters", "#define F() 1\nF()", "1"},
        {"nested calls", "#define F(x) x x\nF(F(1))", "1 1 1 1"},
        {"a call made by a macro", "#define F(x) <x>\n#define G F\nG(1)", "< 1 >"},
        {"paste", "#define P(a, b) a##b\nP(x, 1) P(tex, P(2, D))", "x1 texP ( 2 , D )"},
        {"paste names", "#define P(a) tex##a##Samp\nP(2D)", "tex2DSamp"},
        {"paste does not expand", "#define A 1\n#define P(x) x##2\nP(A)", "A2"},
        {"paste texts", "#define T \"a.png\"\n#define P(a, b) a##b\nP(\"x/\", T)", "'x/' 'a.png'"},
        {"paste what makes no token", "#define P(a, b) a##b\nP(+, 1) P(x, +)", "+ 1 x +"},
        {"text of an argument", "#define S(x) #x\nS(a b  + \"c\")", "'a b + \"c\"'"},
        {"continued", "#define A 1 \\\n 2\nA", "1 2"},
        {"in a technique", "#define T(n) technique n<string s = \"x\";>{}\nT(a)",
         "technique a < string s = 'x' ; > { }"},
        {"MME", "#ifdef MME_MIPMAP\nmip\n#endif\n#ifdef MIKUMIKUMOVING\nmoving\n#endif", "mip"},
    };
    (void)state;
    check(rows, sizeof rows / sizeof *rows, true);
}

static void test_conditions(void **state)
{
    static const Row rows[] = {
        {"if", "#if 1\na\n#else\nb\n#endif", "a"},
        {"elif", "#if 0\na\n#elif 1\nb\n#elif 1\nc\n#else\nd\n#endif", "b"},
        {"nested in a skipped one", "#if 0\n#if 1\na\n#else\nb\n#endif\n#else\nc\n#endif", "c"},
        {"ifdef", "#define A\n#ifdef A\na\n#endif\n#ifndef A\nb\n#endif", "a"},
        {"defined", "#define A\n#if defined(A) && !defined B\na\n#endif", "a"},
        {"precedence", "#if 1 + 2 * 3 == 7 && 8 >> 1 == 4 || 0\na\n#endif", "a"},
        {"brackets", "#if (1 + 2) * 3 == 9\na\n#endif", "a"},
        {"signs", "#if -1 < 0 && ~0 == -1 && !0\na\n#endif", "a"},
        {"division", "#if 7 / 2 == 3 && 7 % 4 == 3\na\n#endif", "a"},
        {"choice", "#if (0 ? 1 : 2) == 2\na\n#endif", "a"},
        {"macros", "#define Q 3\n#define IS(x) (x == 3)\n#if IS(Q)\na\n#endif", "a"},
        {"unknown names are 0", "#if UNKNOWN == 0\na\n#endif", "a"},
        {"quotes in skipped text", "#if 0\nit's \"open\n#endif\na", "a"},
        {"errors in skipped text", "#if 0\n#error no\n#include \"no\"\n#unknown\n#endif\na", "a"},
        {"a directive in arguments", "#define F(x) x\nF(1\n#if 0\n2\n#endif\n3)", "1 3"},
    };
    (void)state;
    check(rows, sizeof rows / sizeof *rows, true);
}

static void test_includes(void **state)
{
    static const Row rows[] = {
        {"back-slashes and case", "#include \"SUB\\One.fxsub\"\nb", "one two b"},
        {"angle brackets", "#include <sub/one.fxsub>", "one two"},
        {"beside the effect", "#include \"sub/../top.fxsub\"", "top"},
        {"above", "#include \"../other.fxsub\"", "other"},
        {"once", "#include \"../other.fxsub\"\n#include \"../other.fxsub\"", "other"},
        {"two slashes", "#include \"sub//one.fxsub\" // a comment", "one two"},
        {"named by a macro", "#define FILE \"top.fxsub\"\n#include FILE\n", "top"},
    };
    (void)state;
    check(rows, sizeof rows / sizeof *rows, true);
}

static void test_errors(void **state)
{
    static const Row rows[] = {
        {"missing file", "\n#include \"none.fxsub\"",
         "pack/a.fx:2:2: there is no file 'none.fxsub' to include"},
        {"stack", "\n\n#include \"bad.fxsub\"",
         "pack/bad.fxsub:3:3: #error of bad; included by pack/a.fx:3"},
        {"endless", "#include \"loop.fxsub\"", "files include each other more than 32 deep"},
        {"no endif", "a\n#if 1\n", "pack/a.fx:2:2: #if without #endif"},
        {"no endif in a file", "#include \"unclosed.fxsub\"\n#endif\n",
         "pack/unclosed.fxsub:1:2: #if without #endif; included by pack/a.fx:1"},
        {"endif alone", "#endif\n", "#endif without #if"},
        {"else twice", "#if 0\n#else\n#else\n#endif", "#else without #if"},
        {"unknown", "#foo\n", "unknown directive #foo"},
        {"define", "#define 1\n", "#define without a name"},
        {"parameters", "#define F(a\n", "the parameters of macro 'F' are not names in brackets"},
        {"too many arguments", "#define F(a) a\nF(1, 2)", "macro 'F' has 1 parameters"},
        {"too few arguments", "#define F(a, b) a\nF(1)", "macro 'F' has 2 parameters, not 1"},
        {"no bracket", "#define F(a) a\nF(1", "the arguments of macro 'F' have no ')'"},
        {"division by zero", "#if 1 / 0\n#endif", "#if divides by zero"},
        {"no value", "#if\n#endif", "#if: expected a value"},
        {"no bracket in if", "#if (1\n#endif", "#if lacks ')'"},
        {"two values", "#if 1 2\n#endif", "#if: unexpected '2'"},
        {"no quote", "a \"b", "pack/a.fx:1:3: a text has no second '\"'"},
    };
    (void)state;
    check(rows, sizeof rows / sizeof *rows, false);
}

/* Text that grows without end is an error, in bounded time and memory. */
static void test_caps(void **state)
{
    static const Row rows[] = {
        {"doubling",
         "#define A B B B B\n#define B C C C C\n#define C D D D D\n#define D E E E E\n"
         "#define E F F F F\n#define F G G G G\n#define G H H H H\n#define H I I I I\n"
         "#define I J J J J\n#define J K K K K\n#define K x x x x\nA",
         "pack/a.fx:12:1: "},
        {"an argument that is left out",
         "#define Z(x)\n#define E(x) Z(x)\n#define F(x) x x x x\n"
         "E(F(F(F(F(F(F(F(F(F(F(1)))))))))))",
         "pack/a.fx:4:3: macros and their arguments have more than"},
        {"deep conditions", NULL, "#if is nested more than"},
        {"deep arguments", NULL, "macros are nested more than 128 deep"},
        {"deep brackets", NULL, "#if is nested more than 128 deep"},
        {"long", NULL, "the file is larger than 1048576 bytes"},
    };
    enum { SIZE = 1 << 21 };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        char *text = arena_alloc(arena, SIZE), *at = text;
        static const char *const repeated[] = {"", "", "#if 1\n", "F(", "(", "a "};
        static const int counts[] = {0, 0, 1000, 500, 500, 600000};
        if (i == 3)
            at = stpcpy(at, "#define F(x) x\n");
        if (i == 4)
            at = stpcpy(at, "#if ");
        for (int k = 0; k < counts[i]; k++)
            at = stpcpy(at, repeated[i]);
        for (int k = 0; i == 3 && k < counts[i]; k++)
            at = stpcpy(at, ")");
        const char *result = run(rows[i].text ? rows[i].text : text, arena);
        if (!strstr(result, rows[i].expected))
            fail_msg("%s: '%.200s'", rows[i].what, result);
        assert_true(arena_bytes(arena) < (256u << 20));
        arena_destroy(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tokens),     cmocka_unit_test(test_macros),
        cmocka_unit_test(test_conditions), cmocka_unit_test(test_includes),
        cmocka_unit_test(test_errors),     cmocka_unit_test(test_caps),
        cmocka_unit_test(test_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
