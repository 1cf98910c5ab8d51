// SPDX-License-Identifier: MIT
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "diag_log.h"
#include "unit_test.h"

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
    assert_true(diag_warn(d, WARN_BAD_VALUE, "odd"));
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

static const DiagLocation *locate(void *user, const char *key, const char *name)
{
    static DiagLocation found;
    unsigned *calls = user;
    ++*calls;
    found = (DiagLocation){
        .file = "job.yaml", .line = 4, .column = 7, .key = name ? name : key, .excerpt = ""};
    return strcmp(key, "nowhere") != 0 ? &found : NULL;
}

/* The locator is asked for a key when a message is written, not before. */
static void test_keys(void **state)
{
    (void)state;
    DiagLog log;
    unsigned calls = 0;
    diag_log_init(&log);
    assert_null(diag_key(&log.diag, "models.%d", 1));
    log.diag.locator = (DiagLocator){locate, &calls};
    const DiagLocation *place = diag_key(&log.diag, "models.%d.file", 2);
    assert_int_equal(calls, 0);
    assert_false(diag_fail_at(&log.diag, place, DIAG_JOB, "gone"));
    diag_warn_at(&log.diag, diag_named_key(&log.diag, "a.b", "morphs"), WARN_CLOTH, "odd");
    diag_file(&log.diag, "m.pmx");
    diag_place(&log.diag, diag_key(&log.diag, "nowhere"));
    assert_false(diag_fail(&log.diag, DIAG_JOB, "here"));
    assert_int_equal(calls, 3);
    if (!strstr(log.text, "job.yaml:4:7: models.2.file: gone") ||
        !strstr(log.text, "job.yaml:4:7: a.b: odd") || !strstr(log.text, "m.pmx: here"))
        fail_msg("%s", log.text);
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
    const bool heap_grows = memory_has_failed();
    diag_file(&log.diag, "a.png");
    diag_error(&log.diag, "not a PNG file");
    assert_int_equal(log.diag.kind, DIAG_DATA);
    if (!heap_grows) /* then errno says nothing */
        skip();
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
        diag_warn(&log.diag, WARN_BAD_VALUE, "sort %d", 1);
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
    log.diag.rules.strict = true;
    assert_false(diag_warn(&log.diag, WARN_BAD_VALUE, "odd"));
    assert_string_equal(log.text, "error: odd\n");
    assert_int_equal(log.diag.kind, DIAG_DATA);
    assert_int_equal(log.diag.warnings, 0);
}

/* Rows: the rules, the class of a warning, what is reported. */
static void test_rules_of_classes(void **state)
{
    (void)state;
    const uint32_t misfit = warning_bit(WARN_MISFIT), order = warning_bit(WARN_BONE_ORDER);
    const struct {
        const char *what;
        DiagRules rules;
        WarningClass warning;
        const char *expected;
    } rows[] = {
        {"no rules", {0}, WARN_MISFIT, "warning: odd\n"},
        {"an error by its class", {.errors = misfit}, WARN_MISFIT, "error: odd\n"},
        {"another class", {.errors = order}, WARN_MISFIT, "warning: odd\n"},
        {"hidden", {.hidden = misfit}, WARN_MISFIT, ""},
        {"hidden although strict", {.strict = true, .hidden = misfit}, WARN_MISFIT, ""},
        {"a quirk", {0}, WARN_BONE_ORDER, ""},
        {"a quirk with -v", {.quirks = true}, WARN_BONE_ORDER, "warning: odd\n"},
        {"a quirk with -W", {.shown = order}, WARN_BONE_ORDER, "warning: odd\n"},
        {"a quirk with --strict", {.strict = true}, WARN_BONE_ORDER, "error: odd\n"},
        {"a quirk by its class", {.errors = order}, WARN_BONE_ORDER, "error: odd\n"},
        {"an error by the job", {.job_errors = misfit}, WARN_MISFIT, "error: odd\n"},
        {"hidden by the job", {.job_hidden = misfit}, WARN_MISFIT, ""},
        {"-W overrides the job",
         {.job_hidden = misfit, .shown = misfit},
         WARN_MISFIT,
         "warning: odd\n"},
        {"-W no- overrides the job", {.job_errors = misfit, .hidden = misfit}, WARN_MISFIT, ""},
        {"--strict overrides the job",
         {.job_hidden = misfit, .errors = misfit},
         WARN_MISFIT,
         "error: odd\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        DiagLog log;
        diag_log_init(&log);
        log.diag.rules = rows[i].rules;
        const bool good = diag_warn(&log.diag, rows[i].warning, "odd");
        if (strcmp(log.text, rows[i].expected) != 0)
            fail_msg("%s: '%s'", rows[i].what, log.text);
        assert_int_equal(good, strncmp(rows[i].expected, "error", 5) != 0);
    }
}

/* Class names are what scripts contain: lower case, unique, and not like a negation. */
static void test_names_of_classes(void **state)
{
    (void)state;
    for (int i = 0; i < WARN_CLASS_COUNT; i++) {
        const char *name = warning_names[i];
        assert_int_equal(strspn(name, "abcdefghijklmnopqrstuvwxyz-"), strlen(name));
        assert_int_equal(warning_find(name, (unsigned)strlen(name)), i);
        assert_true(strlen(warning_classes[i].help) > 20);
        assert_true(strncmp(name, "no-", 3) != 0);
    }
    assert_null(warning_names[WARN_CLASS_COUNT]);
    assert_int_equal(warning_find("misfits", 7), -1);
}

static void collect_parts(void *user, const DiagMessage *m)
{
    char *out = user;
    snprintf(out, 400, "%d|%s|%s|%u|%u|%s|%s", (int)m->level, m->code, m->file, m->line, m->column,
             m->text, m->hint);
}

static void test_messages_in_parts(void **state)
{
    (void)state;
    char parts[400] = "";
    DiagLog log;
    diag_log_init(&log);
    Diag *d = &log.diag;
    d->observer = collect_parts;
    d->observer_user = parts;
    const DiagLocation location = {"job.yaml", 4, 9, "models.0.file", "\n 1234 | x\n      | ^"};
    diag_file(d, "a.pmx");
    diag_item(d, "bone", 3);
    diag_fail_at(d, &location, DIAG_MISSING, "no file '%s'; did you mean '%s'?", "a\nb", "c; d");
    assert_string_equal(parts, "2|missing|job.yaml|4|9|models.0.file: no file 'a b'|"
                               "did you mean 'c; d'?");
    diag_warn(d, WARN_BAD_VALUE, "odd; 0 is used");
    assert_string_equal(parts, "1|bad-value|a.pmx|0|0|bone 3: odd; 0 is used|");
    diag_warn_at(d, &location, WARN_MISFIT, "0 of 2 fit");
    assert_string_equal(parts, "1|misfit|job.yaml|4|9|models.0.file: 0 of 2 fit|");
    diag_fail_at(d, NULL, DIAG_JOB, "no; see 'odori help'");
    assert_string_equal(parts, "2|job|a.pmx|0|0|bone 3: no|see 'odori help'");
    assert_string_equal(log.text,
                        "error: job.yaml:4:9: models.0.file: no file 'a b'; did you mean 'c; d'?\n"
                        " 1234 | x\n      | ^\n"
                        "warning: a.pmx: bone 3: odd; 0 is used\n"
                        "warning: job.yaml:4:9: models.0.file: 0 of 2 fit\n"
                        "error: a.pmx: bone 3: no; see 'odori help'\n");
}

static void test_unknown_names(void **state)
{
    (void)state;
    typedef struct Bone {
        int index;
        const char *name;
    } Bone;
    static const Bone bones[] = {{0, "upper"}, {1, "lower"}};
    const TextNames known = TEXT_NAMES(Bone, name, bones, 2);
    const DiagLocation location = {"job.yaml", 4, 9, "models.0", ""};
    DiagLog log;
    diag_log_init(&log);
    assert_false(diag_unknown_name(&log.diag, &location, "bone", "uper", "models/a.pmx", known));
    assert_false(diag_unknown_name(&log.diag, NULL, "bone", "hand", "a.pmx", known));
    assert_int_equal(log.diag.kind, DIAG_JOB);
    assert_string_equal(log.text, "error: job.yaml:4:9: models.0: no bone 'uper' in a.pmx; did you "
                                  "mean 'upper'?\n"
                                  "error: no bone 'hand' in a.pmx; known here: upper, lower\n");
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

static void test_no_message_is_repeated(void **state)
{
    (void)state;
    DiagLog log;
    DiagOnce once = {.count = 0};
    const DiagLocation first = {"job.yaml", 2, 3, "scenes.0.models.0.file", "\n    2 | m"},
                       second = {"job.yaml", 2, 3, "scenes.1.models.0.file", "\n    2 | m"},
                       below = {"job.yaml", 4, 3, "scenes.1.models.0.file", ""};
    diag_log_init(&log);
    Diag *d = &log.diag;
    d->once = &once;
    assert_false(diag_fail_at(d, &first, DIAG_MISSING, "no file"));
    assert_false(diag_fail_at(d, &second, DIAG_MISSING, "no file"));
    assert_false(diag_fail_at(d, &below, DIAG_MISSING, "no file"));
    assert_true(diag_warn_at(d, &second, WARN_VOICE, "no voice"));
    assert_true(diag_warn_at(d, &first, WARN_VOICE, "no voice"));
    diag_file(d, "model.pmx");
    for (unsigned i = 0; i < 2; i++) {
        diag_item(d, "bone", i);
        assert_false(diag_error(d, "odd"));
        assert_false(diag_error(d, "odd"));
    }
    assert_string_equal(log.text,
                        "error: job.yaml:2:3: scenes.0.models.0.file: no file\n    2 | m\n"
                        "error: job.yaml:4:3: scenes.1.models.0.file: no file\n"
                        "warning: job.yaml:2:3: scenes.1.models.0.file: no voice\n"
                        "error: model.pmx: bone 0: odd\n"
                        "error: model.pmx: bone 1: odd\n");
    assert_int_equal(d->errors, 4);
    assert_int_equal(d->warnings, 1);

    /* As an error, again; hidden, never one. */
    d->rules.strict = true;
    assert_false(diag_warn(d, WARN_MISFIT, "partial"));
    assert_false(diag_warn(d, WARN_MISFIT, "partial"));
    d->rules.hidden = warning_bit(WARN_MISFIT);
    assert_true(diag_warn(d, WARN_MISFIT, "partial"));
    d->once = NULL;
    assert_false(diag_error(d, "odd"));
    assert_false(diag_error(d, "odd"));
    assert_int_equal(d->errors, 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_keys),
        cmocka_unit_test(test_the_first_kind_stays),
        cmocka_unit_test(test_lack_of_memory_is_a_resource_error),
        cmocka_unit_test(test_many_warnings_are_counted),
        cmocka_unit_test(test_strict),
        cmocka_unit_test(test_rules_of_classes),
        cmocka_unit_test(test_names_of_classes),
        cmocka_unit_test(test_messages_in_parts),
        cmocka_unit_test(test_unknown_names),
        cmocka_unit_test(test_no_message_is_repeated),
        cmocka_unit_test(test_long_names_and_messages_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
