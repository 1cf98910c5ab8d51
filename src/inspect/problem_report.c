// SPDX-License-Identifier: MIT
#include "inspect/problem_report.h"

#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "base/text_stream.h"
#include "inspect/report/html.h"

/* ---- JSON ---- */

static const char *const severity_words[] = {
    [DIAG_NOTE] = "note", [DIAG_WARNING] = "warning", [DIAG_ERROR] = "error", NULL};

static const ResultField Problem_fields[] = {
    MEMBER_WORD(Problem, severity, severity_words, "whether it is an error"),
    MEMBER(Problem, code, "class of a warning (help warnings), kind of an error"),
    MEMBER(Problem, file, "file with the problem", .nullable = true),
    MEMBER(Problem, line, "line in it, from 1 on", .nullable = true),
    MEMBER(Problem, column, "column in the line, from 1 on", .nullable = true),
    MEMBER(Problem, message, "message"),
    MEMBER(Problem, hint, "what to write instead", .nullable = true),
};
const ResultTable Problem_result = RESULT_TABLE(Problem, "an error or a warning");

Problem *problem_list_results(const ProblemList *list, Arena *arena)
{
    Problem *problems = arena_array(arena, Problem, list->count);
    for (size_t i = 0; i < list->count; i++) {
        const DiagMessage *m = &list->items[i];
        problems[i] = (Problem){.severity = m->level,
                                .code = m->code,
                                .file = *m->file ? m->file : NULL,
                                .line = m->line ? (int)m->line : -1,
                                .column = m->column ? (int)m->column : -1,
                                .message = m->text,
                                .hint = *m->hint ? m->hint : NULL};
    }
    return problems;
}

/* ---- GitHub ---- */

/* The workflow commands of GitHub: %, CR and LF are escaped, in properties : and , too. */
static void write_github_text(FILE *out, const char *text, bool property)
{
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '%' || c < 0x20 || c == 0x7F || (property && (c == ':' || c == ',')))
            fprintf(out, "%%%02X", c);
        else
            fputc(c, out);
    }
}

static void write_annotation(FILE *out, const DiagMessage *m, Arena *arena)
{
    fprintf(out, "::%s ", m->level == DIAG_ERROR ? "error" : "warning");
    if (*m->file) {
        fputs("file=", out);
        write_github_text(out, m->file, true);
        if (m->line)
            fprintf(out, ",line=%u,col=%u", m->line, m->column);
        fputc(',', out);
    }
    fputs("title=", out);
    write_github_text(out, m->code, true);
    fputs("::", out);
    write_github_text(out, problem_text(m, arena), false);
    fputc('\n', out);
}

void problem_list_write_github(FILE *out, const ProblemList *list)
{
    for (size_t i = 0; i < list->count; i++)
        write_annotation(out, &list->items[i], list->arena);
}

/* ---- JUnit ---- */

static void write_attribute(FILE *out, const char *name, const char *value)
{
    fprintf(out, " %s=\"", name);
    html_text(out, value);
    fputc('"', out);
}

static void write_case_start(FILE *out, const char *suite, const char *name)
{
    fputs("    <testcase", out);
    write_attribute(out, "classname", suite);
    write_attribute(out, "name", name);
}

static void write_problem(FILE *out, const DiagMessage *m, const char *suite, Arena *arena)
{
    const bool error = m->level == DIAG_ERROR;
    const char *name = arena_printf(arena, "%s: %s", problem_location(m, suite, arena), m->code);
    write_case_start(out, suite, name);
    fputs(error ? ">\n      <failure" : ">\n      <system-out>", out);
    if (error) {
        write_attribute(out, "type", m->code);
        write_attribute(out, "message", m->text);
        fputc('>', out);
    }
    html_text(out, problem_text(m, arena));
    fprintf(out, "</%s>\n    </testcase>\n", error ? "failure" : "system-out");
}

/* An older report is recognized by its first bytes. */
static const char JUNIT_START[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites ";

static void write_junit(FILE *out, const ProblemList *list, const JunitReport *report)
{
    Arena *arena = list->arena;
    const size_t subjects = report->failed ? 0 : report->subject_count;
    const char *suite = arena_printf(arena, "odori %s", report->suite);
    size_t errors = 0;
    for (size_t i = 0; i < list->count; i++)
        errors += list->items[i].level == DIAG_ERROR;
    const char *counts = arena_printf(arena, "tests=\"%zu\" failures=\"%zu\" errors=\"0\"",
                                      list->count + subjects, errors);
    fprintf(out, "%s%s>\n  <testsuite name=\"%s\" %s>\n", JUNIT_START, counts, suite, counts);
    for (size_t i = 0; i < subjects; i++) {
        write_case_start(out, suite, report->subjects[i]);
        fputs("/>\n", out);
    }
    for (size_t i = 0; i < list->count; i++)
        write_problem(out, &list->items[i], suite, arena);
    fputs("  </testsuite>\n</testsuites>\n", out);
}

/* Whether a file does not exist, or begins like a report. */
static bool may_replace(const char *path, Diag *diag)
{
    char start[sizeof JUNIT_START - 1];
    FILE *in = fopen(path, "rb");
    if (!in)
        return true; /* a file that cannot be read is reported when it is written */
    const size_t size = fread(start, 1, sizeof start, in);
    fclose(in);
    return (size == sizeof start && !memcmp(start, JUNIT_START, size)) ||
           diag_fail(diag, DIAG_CREATE, "--junit: '%s' exists and is not a JUnit report", path);
}

bool problem_list_save_junit(const char *path, const ProblemList *list, const JunitReport *report,
                             Diag *diag)
{
    TextStream stream;
    if (!may_replace(path, diag))
        return false;
    write_junit(text_stream_open(&stream, list->arena), list, report);
    const char *text = text_stream_close(&stream);
    return file_save(path, text, stream.size, diag);
}
