// SPDX-License-Identifier: MIT
/* problem_list: messages of a Diag, kept with their places and hints */

#include <string.h>

#include "base/problem_list.h"
#include "diag_log.h"
#include "unit_test.h"

static void keeps_messages(void **state)
{
    Arena *arena = arena_create();
    ProblemList list = {.arena = arena};
    DiagLog log;
    (void)state;
    diag_log_init(&log);
    log.diag.observer = problem_list_add;
    log.diag.observer_user = &list;
    diag_note(&log.diag, "a note");
    diag_warn(&log.diag, WARN_MISFIT, "without a location");
    diag_file(&log.diag, "model.pmx");
    diag_item(&log.diag, "bone", 12);
    diag_warn(&log.diag, WARN_BAD_VALUE, "in a file");
    const DiagLocation location = {.file = "job.yaml", .line = 4, .column = 11, .excerpt = ""};
    diag_fail_at(&log.diag, &location, DIAG_JOB, "unknown key 'sise'; did you mean 'size'?");

    assert_int_equal(list.count, 3);
    static const struct {
        DiagLevel level;
        const char *code, *location, *text;
    } expected[] = {
        {DIAG_WARNING, "misfit", "-", "without a location"},
        {DIAG_WARNING, "bad-value", "model.pmx", "bone 12: in a file"},
        {DIAG_ERROR, "job", "job.yaml:4:11", "unknown key 'sise'; did you mean 'size'?"},
    };
    for (size_t i = 0; i < 3; i++) {
        const DiagMessage *m = &list.items[i];
        assert_int_equal(m->level, expected[i].level);
        assert_string_equal(m->code, expected[i].code);
        assert_string_equal(problem_location(m, "-", arena), expected[i].location);
        assert_string_equal(problem_text(m, arena), expected[i].text);
    }
    assert_string_equal(list.items[2].hint, "did you mean 'size'?");
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(keeps_messages)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
