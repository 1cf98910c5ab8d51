// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path_tree.h"
#include "diag_log.h"
#include "scratch.h"
#include "unit_test.h"
#include "zip_fixture.h"

static void make_file(Scratch *scratch, const char *name)
{
    DiagLog log;
    diag_log_init(&log);
    if (!file_save(scratch_path(scratch, name), name, strlen(name), &log.diag))
        fail_msg("%s", log.text);
}

static void make_tree(Scratch *s)
{
    static const char *const files[] = {
        "outside/gone.png",
        "outside/secret.png",
        "m/flat.png",
        "m/tex/moved.png",
        "m/tex/BODY.PNG",
        "m/a/b/c/deep.tga",
        "m/a/twice.png",
        "m/tex/twice.png",
        "m/tex/eye.jpg",
        "m/tex/顔.png",
        "m/tex/\x95\x5C.png", /* 表 as CP932 bytes */
        "m/tex/hair.png",
        "m/tex/mix.png",
        "m/a/mix.bmp",
        "m/.hidden/hidden.png",
        "m/1/2/3/4/5/6/7/8/last.png",
        "m/1/2/3/4/5/6/7/8/9/below.png",
        "m/pack.zip/packed.png",
    };
    scratch_make(s);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        make_file(s, files[i]);
    if (symlink("../outside", scratch_path(s, "m/link")) ||
        symlink("../../outside/gone.png", scratch_path(s, "m/tex/gone.png")))
        fail_msg("no links");
}

static void test_find(void **state)
{
    (void)state;
    static const struct {
        const char *what, *reference;
        PathMatch match;
        const char *found; /* below m/ */
        const char *same;  /* the first of several */
    } rows[] = {
        {"where it says", "tex\\moved.png", PATH_FOLDED, "tex/moved.png", NULL},
        {"beside the model", "tex\\flat.png", PATH_MOVED, "flat.png", NULL},
        {"in another directory", "textures/moved.png", PATH_MOVED, "tex/moved.png", NULL},
        {"in a directory below", "moved.png", PATH_MOVED, "tex/moved.png", NULL},
        {"in another case", "x\\Body.png", PATH_MOVED, "tex/BODY.PNG", NULL},
        {"on the author's disk", "C:\\mmd\\tex2\\moved.png", PATH_MOVED, "tex/moved.png", NULL},
        {"above the model", "..\\..\\deep.tga", PATH_MOVED, "a/b/c/deep.tga", NULL},
        {"another format", "deep.bmp", PATH_MOVED, "a/b/c/deep.tga", NULL},
        {"another format, another case", "x/EYE.Tga", PATH_MOVED, "tex/eye.jpg", NULL},
        {"Japanese", "x/顔.png", PATH_MOVED, "tex/顔.png", NULL},
        {"Japanese, another format", "x/顔.bmp", PATH_MOVED, "tex/顔.png", NULL},
        {"bytes of CP932 on disk", "x\\表.png", PATH_MOVED, "tex/\x95\x5C.png", NULL},
        {"bytes of CP932, another format", "x\\表.tga", PATH_MOVED, "tex/\x95\x5C.png", NULL},
        {"a sphere is another picture", "x/hair.spa", PATH_MISSING, NULL, NULL},
        {"two of the name", "twice.png", PATH_MISSING, NULL, "a/twice.png"},
        {"two of another format", "x/mix.tga", PATH_MISSING, NULL, "a/mix.bmp"},
        {"the name before other formats", "x/mix.png", PATH_MOVED, "tex/mix.png", NULL},
        {"a hidden directory", "hidden.png", PATH_MISSING, NULL, NULL},
        {"as deep as allowed", "last.png", PATH_MOVED, "1/2/3/4/5/6/7/8/last.png", NULL},
        {"too deep", "below.png", PATH_MISSING, NULL, NULL},
        {"outside, by links", "secret.png", PATH_MISSING, NULL, NULL},
        {"outside, a link to a file", "x/gone.png", PATH_MISSING, NULL, NULL},
        {"a part of a name", "at.png", PATH_MISSING, NULL, NULL},
        {"a directory is no picture", "x/tex", PATH_MISSING, NULL, NULL},
        {"nothing", "", PATH_MISSING, NULL, NULL},
    };
    Scratch scratch;
    Arena *arena = arena_create();
    make_tree(&scratch);
    PathTree tree = path_tree_init(arena_strdup(arena, scratch_path(&scratch, "m/")), arena);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *found;
        ArchiveNames same;
        const PathMatch match = path_tree_find(&found, &same, &tree, rows[i].reference, true);
        if (match != rows[i].match || !found != !rows[i].found ||
            (found && strcmp(path_tree_below(&tree, found), rows[i].found) != 0) ||
            (same.count > 1) != (rows[i].same != NULL) ||
            (rows[i].same && strcmp(path_tree_below(&tree, same.items[0]), rows[i].same) != 0))
            fail_msg("%s: %d, %s, %zu", rows[i].what, match, found ? found : "nothing", same.count);
    }
    const char *found;
    assert_int_equal(path_tree_find(&found, NULL, &tree, "deep.bmp", false), PATH_MISSING);
    assert_int_equal(path_tree_find(&found, NULL, &tree, "x/moved.png", false), PATH_MOVED);
    arena_destroy(arena);
    scratch_remove(&scratch);
}

static void test_archive(void **state)
{
    (void)state;
    static const ZipEntry entries[] = {
        {.name = "pack/m/a.pmx", .data = "1"},
        {.name = "pack/m/tex/face.png", .data = "1"},
        {.name = "pack/other.png", .data = "1"},
    };
    Scratch scratch;
    Arena *arena = arena_create();
    DiagLog log;
    diag_log_init(&log);
    scratch_make(&scratch);
    const Bytes zip = zip_fixture(entries, sizeof entries / sizeof *entries, arena);
    const char *path = arena_strdup(arena, scratch_path(&scratch, "pack.zip")), *found;
    assert_true(file_save(path, zip.data, zip.size, &log.diag));
    PathTree tree = path_tree_init(arena_printf(arena, "%s/pack/m/", path), arena);
    assert_int_equal(path_tree_find(&found, NULL, &tree, "x\\Face.png", true), PATH_MOVED);
    assert_string_equal(path_tree_below(&tree, found), "tex/face.png");
    assert_int_equal(path_tree_find(&found, NULL, &tree, "other.png", true), PATH_MISSING);
    archive_path_clear();
    arena_destroy(arena);
    scratch_remove(&scratch);
}

/* What is looked for behind a link out of the directory: nothing there is opened, which the system
 * would report. */
static void test_links_out(void **state)
{
    (void)state;
    static const char *const references[] = {"link/GONE.png",         "link\\sub\\x.png",
                                             "LINK/gone.png",         "gone.png",
                                             "..\\outside\\Gone.png", "x/secret.png"};
    Scratch scratch;
    Arena *arena = arena_create();
    char events[4096];
    make_tree(&scratch);
    mkdir(scratch_path(&scratch, "outside/sub"), 0700);
    const int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (fd < 0 ||
        inotify_add_watch(fd, scratch_path(&scratch, "outside"), IN_OPEN | IN_ACCESS) < 0 ||
        inotify_add_watch(fd, scratch_path(&scratch, "outside/sub"), IN_OPEN | IN_ACCESS) < 0)
        skip();
    PathTree tree = path_tree_init(arena_strdup(arena, scratch_path(&scratch, "m/")), arena);
    for (size_t i = 0; i < sizeof references / sizeof *references; i++) {
        const char *found;
        assert_int_equal(path_tree_find(&found, NULL, &tree, references[i], true), PATH_MISSING);
        if (read(fd, events, sizeof events) > 0)
            fail_msg("'%s' opens a directory outside", references[i]);
    }
    close(fd);
    arena_destroy(arena);
    scratch_remove(&scratch);
}

/* With too many files it cannot be known that one is the only one. */
static void test_many_files(void **state)
{
    (void)state;
    Scratch scratch;
    Arena *arena = arena_create();
    const char *found;
    make_tree(&scratch);
    for (int i = 0; i <= PATH_TREE_MAX_ENTRIES; i++) {
        char name[64];
        snprintf(name, sizeof name, "m/many/%d", i);
        if (!i)
            mkdir(scratch_path(&scratch, "m/many"), 0700);
        if (mkdir(scratch_path(&scratch, name), 0700))
            fail_msg("%s", name);
    }
    PathTree tree = path_tree_init(arena_strdup(arena, scratch_path(&scratch, "m/")), arena);
    assert_int_equal(path_tree_find(&found, NULL, &tree, "x/moved.png", true), PATH_MISSING);
    arena_destroy(arena);
    scratch_remove(&scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_find), cmocka_unit_test(test_archive),
                                       cmocka_unit_test(test_links_out),
                                       cmocka_unit_test(test_many_files)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
