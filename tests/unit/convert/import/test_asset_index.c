// SPDX-License-Identifier: MIT
#include <string.h>

#include "base/file.h"
#include "convert/import/asset_index.h"
#include "diag_log.h"
#include "scratch.h"
#include "unit_test.h"

static const char *const FILES[] = {
    "a/Model/Miku.pmx",
    "b/other/miku.PMX",
    "b/other/deep/sub/miku.pmx",
    "c/\x96\x58\x8E\x71.x", /* 帽子 in CP932 */
    "d/\xC3\xBB"
    "X\xC3\x84q/x.pmd", /* 帽子, taken for CP437: ûXÄq */
    ".hidden/secret.pmx",
};

static const struct {
    const char *wanted, *found;
} ROWS[] = {
    {"C:\\MMD\\model\\MIKU.PMX", "a/Model/Miku.pmx"},
    {"UserFile\\Other\\miku.pmx", "b/other/miku.PMX"},
    {"x/sub/miku.pmx", "b/other/deep/sub/miku.pmx"},
    {"Accessory\\帽子.X", "c/帽子.x"},
    {"D:\\Model\\帽子\\X.pmd", "d/\xC3\xBB"
                               "X\xC3\x84q/x.pmd"},
    {"iku.pmx", NULL},
    {"secret.pmx", NULL},
};

static void files_by_their_last_parts(void **state)
{
    Arena *arena = arena_create();
    AssetIndex *index;
    Scratch scratch;
    DiagLog log;
    (void)state;
    scratch_make(&scratch);
    diag_log_init(&log);
    for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++)
        assert_true(file_save(scratch_path(&scratch, FILES[i]), "x", 1, &log.diag));
    assert_true(asset_index_create(&index, scratch.directory, arena, &log.diag));
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        const char *found = asset_index_find(index, ROWS[i].wanted, arena);
        if (!found != !ROWS[i].found || (found && strcmp(found, ROWS[i].found) != 0))
            fail_msg("%s: %s", ROWS[i].wanted, found ? found : "none");
    }
    assert_string_equal(asset_index_tried("C:\\A\\B.pmx", arena), "'a/b.pmx', 'b.pmx'");
    assert_string_equal(asset_index_tried("a/b/c/d/e/F.x", arena),
                        "'c/d/e/f.x', 'd/e/f.x', 'e/f.x', 'f.x'");
    assert_string_equal(asset_index_tried("", arena), "");
    scratch_remove(&scratch);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(files_by_their_last_parts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
