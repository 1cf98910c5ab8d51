// SPDX-License-Identifier: MIT
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
        const char *section;
        EmmKind kind;
        const char *object;
        int32_t subset;
        const char *value, *effect, *target;
        bool is_effect;
    } rows[] = {
        {"Object", EMM_FILE, "Pmd1", -1, "UserFile\\一.pmx", "UserFile\\一.pmx", NULL, false},
        {"Effect", EMM_DEFAULT, "", -1, "none", NULL, NULL, false},
        {"Effect", EMM_FILE, "Pmd1", -1, "a b\\main.fx", "a b\\main.fx", NULL, true},
        {"Effect", EMM_SHOW, "Pmd1", -1, "FALSE", "hide", NULL, false},
        {"Effect", EMM_SHOW, "Pmd1", 2, "true", NULL, NULL, false},
        {"Effect", EMM_FILE, "Pmd3", -1, "none", "none", NULL, false},
        {"Effect", EMM_FILE, "Pmd4", -1, "HIDE", "HIDE", NULL, false},
        {"Effect", EMM_FILE, "Obj", 7, "x.fx", "x.fx", NULL, true},
        {"effect@AL_EmitterRT", EMM_OWNER, "", -1, "Acs2", NULL, "AL_EmitterRT", false},
        {"effect@AL_EmitterRT", EMM_DEFAULT, "", -1, "*.pmx=a.fx;*=hide;", NULL, "AL_EmitterRT",
         false},
        {"effect@AL_EmitterRT", EMM_FILE, "acs2", 17, "C:\\x=y.fxsub", "C:\\x=y.fxsub",
         "AL_EmitterRT", true},
    };
    Arena *arena = arena_create();
    (void)state;
    const Emm emm = load(
        "Pmd9 = before.fx\n; comment = 1\r\n[Info]\r\nVersion = 3\r\n[Object]\r\n"
        "Pmd1 = UserFile\\\x88\xEA.pmx\r\n[Effect]\r\nDefault = none\r\n"
        "\tPmd1\t=\t a b\\main.fx  \r\nPmd1.show = FALSE\r\nPmd1[2].show = true\r\n"
        "Pmd3 = none\r\nPmd4 = HIDE\r\nPmd5 =\r\nPmd = x.fx\r\nPmd6x = x.fx\r\n"
        "Pmd6[] = x.fx\nPmd6[-1] = x.fx\nPmd6[4294967296] = x.fx\nPmd6[1 = x.fx\nPmd6.x = x.fx\n"
        "Obj[7] = x.fx\n"
        "[effect@AL_EmitterRT]\nOwner = Acs2\nDefault = *.pmx=a.fx;*=hide;\n"
        "acs2[17] = C:\\x=y.fxsub\n[Other]\nPmd1 = x.fx\n[",
        arena);
    assert_int_equal(emm.count, sizeof rows / sizeof *rows);
    for (size_t i = 0; i < emm.count; i++) {
        const EmmEntry *entry = &emm.entries[i];
        const char *effect = emm_effect(entry), *target = emm_target(entry);
        assert_string_equal(entry->section, rows[i].section);
        assert_int_equal(entry->kind, rows[i].kind);
        assert_string_equal(entry->object, rows[i].object);
        assert_int_equal(entry->subset, rows[i].subset);
        assert_string_equal(entry->value, rows[i].value);
        assert_string_equal(effect ? effect : "", rows[i].effect ? rows[i].effect : "");
        assert_string_equal(target ? target : "", rows[i].target ? rows[i].target : "");
        assert_int_equal(emm_is_effect(entry), rows[i].is_effect);
    }
    assert_int_equal(load("", arena).count, 0);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_entries)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
