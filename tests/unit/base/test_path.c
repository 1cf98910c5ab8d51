// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"
#include "diag_log.h"
#include "scratch.h"
#include "unit_test.h"

static void make_file(Scratch *scratch, const char *name)
{
    DiagLog log;
    diag_log_init(&log);
    if (!file_save(scratch_path(scratch, name), name, strlen(name), &log.diag))
        fail_msg("%s", log.text);
}

static void test_parts(void **state)
{
    (void)state;
    static const struct {
        const char *path, *directory, *name, *extension;
    } rows[] = {
        {"a/b.c", "a/", "b.c", "c"},
        {"b.c", "", "b.c", "c"},
        {"a.b/c", "a.b/", "c", ""},
        {"/x", "/", "x", ""},
        {"a/", "a/", "", ""},
        {"", "", "", ""},
        {"a.tar.gz", "", "a.tar.gz", "gz"},
        {"a.", "", "a.", ""},
    };
    Arena *arena = arena_create();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(path_directory(rows[i].path, arena), rows[i].directory) ||
            strcmp(path_name(rows[i].path), rows[i].name) ||
            strcmp(path_extension(rows[i].path), rows[i].extension))
            fail_msg("'%s'", rows[i].path);
    assert_string_equal(path_join("a/", "b", arena), "a/b");
    assert_string_equal(path_join("a/", "/b", arena), "/b");
    assert_string_equal(path_join("", "b", arena), "b");
    const char *absolute = path_absolute("a/b", arena);
    assert_true(absolute[0] == '/' && !strcmp(path_relative(absolute), "a/b"));
    assert_string_equal(path_absolute("/b", arena), "/b");
    assert_string_equal(path_relative("/dev/null"), "/dev/null");
    assert_string_equal(path_relative(path_absolute("", arena)), path_absolute("", arena));
    assert_string_equal(path_relative("b"), "b");
    arena_destroy(arena);
}

#define KANA_NFC "が"
#define KANA_NFD "か\u3099"

static void make_tree(Scratch *s)
{
    scratch_make(s);
    make_file(s, "secret.png");
    make_file(s, "root/shared/toon.bmp");
    make_file(s, "root/model/a.png");
    make_file(s, "root/model/Tex/Face.PNG");
    make_file(s, "root/model/tex/other.png");
    make_file(s, "root/model/" KANA_NFD "/" KANA_NFD ".png");
    make_file(s, "root/model/\x95\x5C\x83\x4A.png"); /* 表カ.png as CP932 bytes */
    make_file(s, "root/model/èτ.png");       /* 顔 is 8A E7 in CP932, which are èτ in CP437 */
    make_file(s, "root/model/\xC1\xB3.png"); /* 脸.png in GBK */
    make_file(s, "root/model/\xBE\xF3\xB1\xBC.png"); /* 얼굴.png in CP949 */
    make_file(s, "root/model/\xC1\x79.png");         /* 臉.png in Big5 */
    make_file(s, "root/model/only.tga");
    make_file(s, "root/model/表.bmp");
    if (symlink("../../secret.png", scratch_path(s, "root/model/link.png")) ||
        symlink("../shared/toon.bmp", scratch_path(s, "root/model/inner.png")))
        fail_msg("no links");
}

static void test_find(void **state)
{
    (void)state;
    static const struct {
        const char *what, *reference;
        bool images, rooted;
        PathMatch match;
        const char *found; /* below root/model/ */
    } rows[] = {
        {"exact spelling", "a.png", false, false, PATH_EXACT, "a.png"},
        {"other case", "A.PNG", false, false, PATH_FOLDED, "a.png"},
        {"backslash", "Tex\\Face.PNG", false, false, PATH_FOLDED, "Tex/Face.PNG"},
        {"yen sign", "Tex¥Face.PNG", false, false, PATH_FOLDED, "Tex/Face.PNG"},
        {"yen sign, full width", "Tex￥face.png", false, false, PATH_FOLDED, "Tex/Face.PNG"},
        {"the other of two directories", "TEX\\OTHER.png", false, false, PATH_FOLDED,
         "tex/other.png"},
        {"a wrong turn first", "tex/face.png", false, false, PATH_FOLDED, "Tex/Face.PNG"},
        {"doubled separators and dots", ".\\\\Tex//.\\Face.PNG", false, false, PATH_FOLDED,
         "Tex/Face.PNG"},
        {"there and back", "x/../a.png", false, false, PATH_FOLDED, "a.png"},
        {"blanks behind", "a.png  ", false, false, PATH_FOLDED, "a.png"},
        {"composed here, apart on disk", KANA_NFC "\\" KANA_NFC ".png", false, false, PATH_FOLDED,
         KANA_NFD "/" KANA_NFD ".png"},
        {"CP932 bytes on disk", "表カ.png", false, false, PATH_FOLDED, "\x95\x5C\x83\x4A.png"},
        {"GBK on disk", "脸.png", false, false, PATH_FOLDED, "\xC1\xB3.png"},
        {"CP949 on disk", "얼굴.PNG", false, false, PATH_FOLDED, "\xBE\xF3\xB1\xBC.png"},
        {"Big5 on disk", "臉.png", false, false, PATH_FOLDED, "\xC1\x79.png"},
        {"CP932 decoded as CP437 on disk", "顔.PNG", false, false, PATH_FOLDED, "èτ.png"},
        {"absolute, with a drive", "C:\\mmd\\Gene\\tex\\face.png", false, false, PATH_NAME_ONLY,
         "Tex/Face.PNG"},
        {"absolute", "/home/me/a.png", false, false, PATH_NAME_ONLY, "a.png"},
        {"a server", "\\\\server\\share\\a.png", false, false, PATH_NAME_ONLY, "a.png"},
        {"other extension", "only.png", true, false, PATH_OTHER_EXTENSION, "only.tga"},
        {"other extension, not wanted", "only.png", false, false, PATH_MISSING, NULL},
        {"other extension, elsewhere too", "D:\\x\\表.png", true, false, PATH_OTHER_EXTENSION,
         "表.bmp"},
        {"not there", "b.png", true, false, PATH_MISSING, NULL},
        {"a directory is no file", "Tex", true, false, PATH_MISSING, NULL},
        {"a file in place of a directory", "a.png/a.png", true, false, PATH_MISSING, NULL},
        {"nothing", "", true, false, PATH_MISSING, NULL},
        {"blanks", "   ", true, false, PATH_MISSING, NULL},
        {"dots", "..\\.", true, true, PATH_MISSING, NULL},
        {"only an extension", ".png", true, false, PATH_MISSING, NULL},
        {"up, not allowed", "../shared/toon.bmp", false, false, PATH_MISSING, NULL},
        {"up, below the root", "..\\Shared\\toon.bmp", false, true, PATH_FOLDED,
         "../shared/toon.bmp"},
        {"up and back", "../model/a.png", false, true, PATH_EXACT, "../model/a.png"},
        {"up, above the root", "../../secret.png", false, true, PATH_MISSING, NULL},
        {"up, above the root, back by name", "../../../a.png", false, true, PATH_NAME_ONLY,
         "a.png"},
        {"a link that leads out", "link.png", false, true, PATH_MISSING, NULL},
        {"a link that stays below the root", "inner.png", false, true, PATH_EXACT, "inner.png"},
        {"a link out of the directory, no root", "inner.png", false, false, PATH_MISSING, NULL},
    };
    Scratch scratch;
    Arena *arena = arena_create();
    make_tree(&scratch);
    const char *root = arena_strdup(arena, scratch_path(&scratch, "root/"));
    const char *directory = arena_strdup(arena, scratch_path(&scratch, "root/model/"));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *found;
        const PathMatch match = path_resolve(&found, directory, rows[i].rooted ? root : NULL,
                                             rows[i].reference, rows[i].images, arena);
        const char *expected = rows[i].found ? path_join(directory, rows[i].found, arena) : NULL;
        if (match != rows[i].match || (found == NULL) != (expected == NULL) ||
            (found && strcmp(found, expected)))
            fail_msg("%s: %d, %s", rows[i].what, match, found ? found : "nothing");
    }
    arena_destroy(arena);
    scratch_remove(&scratch);
}

static void test_find_input(void **state)
{
    (void)state;
    static const struct {
        const char *what, *path, *found; /* below root/model/ */
    } rows[] = {
        {"exact spelling", "a.png", "a.png"},
        {"other case", "tex/FACE.png", "Tex/Face.PNG"},
        {"backslash", "Tex\\Face.PNG", "Tex/Face.PNG"},
        {"composed here, apart on disk", KANA_NFC "/" KANA_NFC ".png",
         KANA_NFD "/" KANA_NFD ".png"},
        {"up, other case", "../Shared/TOON.bmp", "../shared/toon.bmp"},
        {"far up, as a job may", "..\\..\\SECRET.png", "../../secret.png"},
        {"not there", "b.png", "b.png"},
        {"no other directory for a full path", "/nowhere/a.png", "/nowhere/a.png"},
        {"no other extension", "only.png", "only.png"},
        {"a drive", "C:\\a.png", "C:\\a.png"},
        {"a directory stays", "Tex", "Tex"},
        {"nothing", "", ""},
    };
    Scratch scratch;
    Arena *arena = arena_create();
    make_tree(&scratch);
    const char *directory = arena_strdup(arena, scratch_path(&scratch, "root/model/"));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *found = path_resolve_input(directory, rows[i].path, arena);
        if (strcmp(found, path_join(directory, rows[i].found, arena)))
            fail_msg("%s: %s", rows[i].what, found);
    }
    arena_destroy(arena);
    scratch_remove(&scratch);
}

/* Ten thousand directories deep, and a name of a megabyte: an answer, not a crash. */
static void test_long_references(void **state)
{
    (void)state;
    static char deep[20001], ups[30001], wide[1 << 20];
    for (size_t i = 0; i < 20000; i++)
        deep[i] = i % 2 ? '\\' : 'a';
    for (size_t i = 0; i < 30000; i++)
        ups[i] = "../"[i % 3];
    memset(wide, 'x', sizeof wide - 1);
    const char *const references[] = {deep, ups, wide};
    Arena *arena = arena_create();
    for (size_t i = 0; i < 3; i++) {
        const char *found;
        assert_int_equal(path_resolve(&found, "", NULL, references[i], true, arena), PATH_MISSING);
        assert_null(found);
    }
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_find),
        cmocka_unit_test(test_find_input),
        cmocka_unit_test(test_long_references),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
