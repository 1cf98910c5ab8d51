#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "diag_log.h"

static void test_places(void **state)
{
    (void)state;
    DiagLog log;
    diag_log_init(&log);
    Diag *d = &log.diag;
    assert_false(diag_error(d, "nothing is open"));
    diag_file(d, "model.pmx");
    assert_false(diag_error(d, "too short"));
    diag_item(d, "bone", 12);
    assert_false(diag_error(d, "parent index %d out of range (0..%d)", 999, 341));
    diag_item(d, NULL, 0);
    assert_true(diag_warn(d, "odd"));
    diag_line(d, 14, 8);
    diag_note(d, "here");
    diag_file(d, "other.pmx");
    diag_note(d, "there");
    assert_string_equal(log.text,
                        "error: nothing is open\n"
                        "error: model.pmx: too short\n"
                        "error: model.pmx: bone 12: parent index 999 out of range (0..341)\n"
                        "warning: model.pmx: odd\n"
                        "model.pmx:14:8: here\n"
                        "other.pmx: there\n");
    assert_int_equal(d->errors, 3);
    assert_int_equal(d->warnings, 1);
}

static void test_the_first_kind_stays(void **state)
{
    (void)state;
    DiagLog log;
    diag_log_init(&log);
    assert_int_equal(log.diag.kind, DIAG_NONE);
    diag_fail(&log.diag, DIAG_MISSING, "gone");
    diag_fail(&log.diag, DIAG_IO, "full");
    assert_int_equal(log.diag.kind, DIAG_MISSING);
}

/* A library reports a failed allocation as damage; errno has the cause. */
static void test_lack_of_memory_is_a_resource_error(void **state)
{
    (void)state;
    DiagLog log;
    diag_log_init(&log);
    errno = ENOMEM;
    diag_file(&log.diag, "a.png");
    diag_error(&log.diag, "not a PNG file");
    assert_int_equal(log.diag.kind, DIAG_DATA);
    diag_log_init(&log);
    diag_file(&log.diag, "a.png");
    errno = ENOMEM;
    diag_error(&log.diag, "not a PNG file");
    errno = 0;
    assert_int_equal(log.diag.kind, DIAG_RESOURCE);
    assert_int_equal(log.diag.errors, 1);
    assert_string_equal(log.text, "error: a.png: out of memory: not a PNG file\n");
}

static void test_many_warnings_are_counted(void **state)
{
    (void)state;
    DiagLog log;
    diag_log_init(&log);
    diag_file(&log.diag, "a.vmd");
    for (int i = 0; i < 10; i++) {
        diag_item(&log.diag, "key", (uint64_t)i);
        diag_warn(&log.diag, "sort %d", 1);
    }
    diag_flush(&log.diag);
    assert_string_equal(log.text, "warning: a.vmd: key 0: sort 1\n"
                                  "warning: a.vmd: key 1: sort 1\n"
                                  "warning: a.vmd: key 2: sort 1\n"
                                  "warning: a.vmd: 7 more warnings like these\n");
    assert_int_equal(log.diag.warnings, 10);
}

static void test_strict(void **state)
{
    (void)state;
    DiagLog log;
    diag_log_init(&log);
    log.diag.strict = true;
    assert_false(diag_warn(&log.diag, "odd"));
    assert_string_equal(log.text, "error: odd\n");
    assert_int_equal(log.diag.kind, DIAG_DATA);
    assert_int_equal(log.diag.warnings, 0);
}

static void test_long_names_and_messages_are_cut(void **state)
{
    (void)state;
    static char name[5000], message[9000];
    memset(name, 'n', sizeof name - 1);
    memset(message, 'm', sizeof message - 1);
    DiagLog log;
    diag_log_init(&log);
    diag_file(&log.diag, name);
    diag_item(&log.diag, "bone", UINT64_MAX);
    diag_error(&log.diag, "%s", message);
    assert_true(strlen(log.text) < 4200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_the_first_kind_stays),
        cmocka_unit_test(test_lack_of_memory_is_a_resource_error),
        cmocka_unit_test(test_many_warnings_are_counted),
        cmocka_unit_test(test_strict),
        cmocka_unit_test(test_long_names_and_messages_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
