#include <string.h>

#include "diag_log.h"
#include "format/project/emm.h"
#include "unit_test.h"

static Emm load(const char *text, Arena *arena)
{
    DiagLog log;
    Emm emm;
    diag_log_init(&log);
    assert_true(emm_load(&emm, (Bytes){(const uint8_t *)text, strlen(text)}, arena, &log.diag));
    return emm;
}

static void test_entries(void **state)
{
    static const struct {
        const char *section, *object, *path;
        bool effect;
    } rows[] = {
        {"Object", "Pmd1", "UserFile\\一.pmx", false},
        {"Effect", "Pmd1", "a b\\main.fx", true},
        {"effect@AL_EmitterRT", "acs2[17]", "C:\\x=y.fxsub", true},
    };
    Arena *arena = arena_create();
    (void)state;
    const Emm emm =
        load("Pmd9 = before.fx\n; comment = 1\r\n[Info]\r\nVersion = 3\r\n[Object]\r\n"
             "Pmd1 = UserFile\\\x88\xEA.pmx\r\n[Effect]\r\nDefault = none\r\n"
             "\tPmd1\t=\t a b\\main.fx  \r\nPmd1.show = false\r\nPmd1[2].show = true\r\n"
             "Pmd3 = none\r\nPmd4 = HIDE\r\nPmd5 =\r\nPmd = x.fx\r\nPmd6x = x.fx\r\n"
             "[effect@AL_EmitterRT]\nOwner = Acs2\nacs2[17] = C:\\x=y.fxsub\n"
             "[Other]\nPmd1 = x.fx\n[",
             arena);
    assert_int_equal(emm.count, sizeof rows / sizeof *rows);
    for (size_t i = 0; i < emm.count; i++) {
        assert_string_equal(emm.entries[i].section, rows[i].section);
        assert_string_equal(emm.entries[i].object, rows[i].object);
        assert_string_equal(emm.entries[i].path, rows[i].path);
        assert_int_equal(emm_is_effect(&emm.entries[i]), rows[i].effect);
    }
    assert_int_equal(load("", arena).count, 0);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_entries)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
