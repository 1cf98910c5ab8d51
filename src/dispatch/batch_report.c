// SPDX-License-Identifier: MIT
#include "dispatch/batch_report.h"

#include <inttypes.h>
#include <string.h>
#include <utf8proc.h>

#include "base/file.h"
#include "base/markdown.h"
#include "base/path.h"
#include "base/text_escape.h"
#include "base/text_stream.h"
#include "run/checkpoint/written_files.h"

enum { MAX_COLUMNS = 8, GAP = 2 };

/* ---- a table ---- */

typedef struct Table {
    size_t columns;
    ARENA_LIST(const char *) cells; /* row by row */
    Arena *arena;
} Table;

static void add(Table *table, const char *cell)
{
    *arena_push(table->arena, &table->cells) = text_escape(cell, table->arena);
}

/* Width of a text in terminal columns. */
static size_t terminal_width(const char *text)
{
    size_t width = 0;
    utf8proc_int32_t code;
    while (*text) {
        const utf8proc_ssize_t size = utf8proc_iterate((const utf8proc_uint8_t *)text, -1, &code);
        if (size <= 0)
            return width + strlen(text);
        width += (size_t)utf8proc_charwidth(code);
        text += size;
    }
    return width;
}

static void write_table(FILE *out, const Table *table)
{
    const size_t columns = table->columns;
    size_t widths[MAX_COLUMNS] = {0};
    for (size_t i = 0; i < table->cells.count; i++) {
        const size_t width = terminal_width(table->cells.items[i]);
        if (width > widths[i % columns])
            widths[i % columns] = width;
    }
    for (size_t i = 0; i < table->cells.count; i++) {
        const char *cell = table->cells.items[i];
        const bool last = i % columns == columns - 1;
        fputs(cell, out);
        for (size_t n = terminal_width(cell); !last && n < widths[i % columns] + GAP; n++)
            fputc(' ', out);
        if (last)
            fputc('\n', out);
    }
}

static void write_markdown(FILE *out, const Table *table)
{
    const size_t columns = table->columns;
    for (size_t i = 0; i < table->cells.count; i++) {
        fputs(i % columns ? " | " : "| ", out);
        markdown_write_text(out, table->cells.items[i]);
        if (i % columns < columns - 1)
            continue;
        fputs(" |\n", out);
        for (size_t k = 0; i < columns && k < columns; k++)
            fputs(k ? "---|" : "|---|", out);
        fputs(i < columns ? "\n" : "", out);
    }
}

/* ---- cells ---- */

static const char *frames_cell(const BatchResult *result, int64_t frames, Arena *arena)
{
    if (result && result->rendered >= 0 && result->state != BATCH_DONE && frames >= 0)
        return arena_printf(arena, "%" PRId64 "/%" PRId64, result->rendered, frames);
    return frames < 0 ? "?" : arena_printf(arena, "%" PRId64, frames);
}

static const char *output_cell(const BatchItem *item)
{
    return item->output_count ? path_relative(item->outputs[0]) : "-";
}

/* A table with `columns` headings. */
static Table begin_table(const char *const *headings, size_t columns, Arena *arena)
{
    Table table = {.columns = columns, .arena = arena};
    for (size_t i = 0; i < columns; i++)
        add(&table, headings[i]);
    return table;
}

static Table result_table(const BatchPlan *plan, const BatchResult *results, Arena *arena)
{
    static const char *const headings[] = {"JOB", "RESULT", "FRAMES", "TRIES", "WALL s", "OUTPUT"};
    Table table = begin_table(headings, sizeof headings / sizeof *headings, arena);
    for (size_t i = 0; i < plan->batch->job_count; i++) {
        const BatchItem *item = &plan->items[i];
        const BatchResult *result = &results[i];
        const bool explained = result->state != BATCH_DONE && result->message;
        add(&table, item->job->name);
        add(&table, batch_state_names[result->state]);
        add(&table, frames_cell(result, result->frames, arena));
        add(&table, arena_printf(arena, "%d", result->tries));
        add(&table, arena_printf(arena, "%.1f", result->wall_s));
        add(&table, explained ? result->message : output_cell(item));
    }
    return table;
}

/* ---- the results ---- */

static const ResultField BatchResult_fields[] = {
    MEMBER_WORD(BatchResult, state, batch_state_names, "state of the job"),
    MEMBER(BatchResult, rendered, "completed frames, if they are known", .nullable = true),
    MEMBER(BatchResult, tries, "runs of the job"),
    MEMBER_NAMED(BatchResult, exit_status, "exit",
                 "exit status of the last run; 128 and the number of a signal that ended it"),
    MEMBER(BatchResult, wall_s, "wall time of all runs", .unit = "seconds"),
    MEMBER(BatchResult, message, "reason of the failure, or the job numbers of Slurm",
           .nullable = true),
};
RESULT(BatchResult, "what the runs of a job have done");

typedef struct ReportJob {
    const char *name;
    int64_t frames;
    const char **outputs, **sets;
    size_t output_count, set_count;
    const char *bake;
    const BatchResult *result;
} ReportJob;

static const ResultField ReportJob_fields[] = {
    MEMBER(ReportJob, name, "name of the job"),
    MEMBER(ReportJob, frames, "frames of the film, if they are known", .nullable = true),
    MEMBER_VALUES(ReportJob, outputs, output_count, "files of outputs and previews"),
    MEMBER_VALUES(ReportJob, sets, set_count, "keys that the manifest sets, as of --set"),
    MEMBER(ReportJob, bake, "name of the bake that it shares with other jobs", .nullable = true),
    MEMBER_OPTIONAL_PART(ReportJob, result, BatchResult),
};
RESULT(ReportJob, "a job of the batch");

static const ResultField BatchCapacity_fields[] = {
    MEMBER(BatchCapacity, parallel_jobs, "jobs that run at the same time"),
    MEMBER(BatchCapacity, workers, "workers of each job"),
    MEMBER(BatchCapacity, memory_mib, "estimated peak of the memory of these jobs", .unit = "MiB"),
    MEMBER(BatchCapacity, available_mib, "memory of this machine", .unit = "MiB"),
};
RESULT(BatchCapacity, "what runs at the same time");

typedef struct StateCounts {
    size_t of[BATCH_SUBMITTED + 1]; /* by BatchState */
} StateCounts;

static const ResultField StateCounts_fields[] = {
    MEMBER_NAMED(StateCounts, of[BATCH_WAITING], "waiting", "jobs that no run has begun"),
    MEMBER_NAMED(StateCounts, of[BATCH_RUNNING], "running", "jobs that are rendered now"),
    MEMBER_NAMED(StateCounts, of[BATCH_DONE], "done", "jobs of which all outputs are complete"),
    MEMBER_NAMED(StateCounts, of[BATCH_FAILED], "failed", "jobs that ended with an error"),
    MEMBER_NAMED(StateCounts, of[BATCH_STOPPED], "stopped",
                 "jobs that the next run of the batch resumes"),
    MEMBER_NAMED(StateCounts, of[BATCH_SUBMITTED], "submitted", "jobs in the queue of Slurm"),
};
RESULT(StateCounts, "numbers of jobs");

typedef struct BatchReport {
    const char *batch, *base, *directory;
    const BatchCapacity *capacity;
    const StateCounts *counts;
    const ReportJob *jobs;
    size_t job_count;
} BatchReport;

static const ResultField BatchReport_fields[] = {
    MEMBER(BatchReport, batch, "manifest"),
    MEMBER(BatchReport, base, "job file of all jobs that name none", .nullable = true),
    MEMBER(BatchReport, directory, "directory of the logs, results and bakes"),
    MEMBER_PART(BatchReport, capacity, BatchCapacity),
    MEMBER_OPTIONAL_PART(BatchReport, counts, StateCounts),
    MEMBER_LIST(BatchReport, jobs, job_count, ReportJob, "jobs in the order of the manifest"),
};
const ResultTable batch_result = RESULT_TABLE(BatchReport, "jobs of a batch");

static StateCounts count_states(const BatchPlan *plan, const BatchResult *results)
{
    StateCounts counts = {{0}};
    for (size_t i = 0; i < plan->batch->job_count; i++)
        counts.of[results[i].state]++;
    return counts;
}

/* "4 done, 1 failed" */
static void write_counts(FILE *out, const BatchPlan *plan, const BatchResult *results)
{
    const StateCounts counts = count_states(plan, results);
    const char *between = "";
    for (int state = BATCH_WAITING; state <= BATCH_SUBMITTED; state++)
        if (counts.of[state]) {
            fprintf(out, "%s%zu %s", between, counts.of[state], batch_state_names[state]);
            between = ", ";
        }
    fputc('\n', out);
}

void batch_write_results(FILE *out, const BatchPlan *plan, const BatchResult *results)
{
    Arena *arena = arena_create();
    const Table table = result_table(plan, results, arena);
    write_table(out, &table);
    write_counts(out, plan, results);
    arena_destroy(arena);
}

bool batch_save_summary(const char *path, const BatchPlan *plan, const BatchResult *results,
                        bool overwrite, Diag *diag)
{
    Arena *arena = arena_create();
    const char *directory = arena_strndup(arena, plan->directory, strlen(plan->directory) - 1);
    const WrittenFiles *written = written_files_load(directory, overwrite, NULL, arena);
    TextStream stream;
    FILE *out = text_stream_open(&stream, arena);
    const Table table = result_table(plan, results, arena);
    fputs("## ", out);
    markdown_write_text(out, plan->batch->file);
    fputs("\n\n", out);
    write_markdown(out, &table);
    fputc('\n', out);
    write_counts(out, plan, results);
    const char *text = text_stream_close(&stream);
    const bool good =
        file_save_approved(path, text, stream.size, written_files_approval(written), diag);
    arena_destroy(arena);
    return good;
}

void batch_write_plan(FILE *out, const BatchPlan *plan)
{
    static const char *const headings[] = {"JOB", "FRAMES", "BAKE", "OUTPUT", "SETS"};
    const BatchCapacity capacity = batch_capacity(plan);
    const size_t count = plan->batch->job_count;
    Arena *arena = arena_create();
    Table table = begin_table(headings, sizeof headings / sizeof *headings, arena);
    for (size_t i = 0; i < count; i++) {
        const BatchItem *item = &plan->items[i];
        const char *sets = ""; /* without those of outputs, which follow */
        size_t set_count = 0;
        for (size_t k = 0; k < item->job->layer_count; k++)
            set_count += item->job->layers[k]->count;
        for (size_t k = 0; k < set_count; k++)
            sets = arena_printf(arena, "%s%s%s", sets, k ? "  " : "", item->sets[k]);
        add(&table, item->job->name);
        add(&table, frames_cell(NULL, item->frames, arena));
        add(&table, item->bake < 0 ? "-" : plan->bakes[item->bake].name);
        add(&table, output_cell(item));
        add(&table, sets);
    }
    write_table(out, &table);
    fprintf(out,
            "%zu job%s, %d in parallel with %d worker%s each, peak memory %" PRId64 " of %" PRId64
            " MiB",
            count, count == 1 ? "" : "s", capacity.parallel_jobs, capacity.workers,
            capacity.workers == 1 ? "" : "s", capacity.memory_mib, capacity.available_mib);
    if (plan->bake_count)
        fprintf(out, ", %zu shared bake%s", plan->bake_count, plan->bake_count == 1 ? "" : "s");
    fputc('\n', out);
    arena_destroy(arena);
}

/* ---- JSON ---- */

static ReportJob report_job(const BatchPlan *plan, const BatchItem *item, const BatchResult *result)
{
    return (ReportJob){.name = item->job->name,
                       .frames = result ? result->frames : item->frames,
                       .outputs = item->outputs,
                       .output_count = item->output_count,
                       .sets = item->sets,
                       .set_count = item->set_count,
                       .bake = item->bake < 0 ? NULL : plan->bakes[item->bake].name,
                       .result = result};
}

void batch_write_json(FILE *out, const BatchPlan *plan, const BatchResult *results)
{
    const size_t count = plan->batch->job_count;
    const BatchCapacity capacity = batch_capacity(plan);
    Arena *arena = arena_create();
    StateCounts counts;
    ReportJob *jobs = arena_array(arena, ReportJob, count);
    for (size_t i = 0; i < count; i++)
        jobs[i] = report_job(plan, &plan->items[i], results ? &results[i] : NULL);
    if (results)
        counts = count_states(plan, results);
    const BatchReport report = {.batch = plan->batch->file,
                                .base = plan->batch->base,
                                .directory = plan->directory,
                                .capacity = &capacity,
                                .counts = results ? &counts : NULL,
                                .jobs = jobs,
                                .job_count = count};
    result_print(out, &batch_result, &report);
    arena_destroy(arena);
}
