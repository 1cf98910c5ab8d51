// SPDX-License-Identifier: MIT
#include "dispatch/batch_report.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <utf8proc.h>

#include "base/file.h"
#include "base/json.h"
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

static size_t count_state(const BatchPlan *plan, const BatchResult *results, BatchState state)
{
    size_t count = 0;
    for (size_t i = 0; i < plan->batch->job_count; i++)
        count += results[i].state == state;
    return count;
}

/* "4 done, 1 failed" */
static void write_counts(FILE *out, const BatchPlan *plan, const BatchResult *results)
{
    const char *between = "";
    for (int state = BATCH_WAITING; state <= BATCH_SUBMITTED; state++) {
        const size_t count = count_state(plan, results, (BatchState)state);
        if (count) {
            fprintf(out, "%s%zu %s", between, count, batch_state_names[state]);
            between = ", ";
        }
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

static void write_texts(Json *json, const char *key, const char *const *texts, size_t count)
{
    json_key(json, key);
    json_print(json, "[");
    for (size_t i = 0; i < count; i++)
        json_text(json, texts[i]);
    json_print(json, "]");
}

static void write_count(Json *json, const char *key, int64_t count)
{
    json_key(json, key);
    if (count < 0)
        json_text(json, NULL);
    else
        json_int(json, count);
}

static void write_item(Json *json, const BatchPlan *plan, const BatchItem *item,
                       const BatchResult *result)
{
    json_print(json, "\n{name:%s", item->job->name);
    write_count(json, "frames", result ? result->frames : item->frames);
    write_texts(json, "outputs", item->outputs, item->output_count);
    write_texts(json, "sets", item->sets, item->set_count);
    json_print(json, "bake:%s", item->bake < 0 ? NULL : plan->bakes[item->bake].name);
    if (result) {
        json_print(json, "result:%s", batch_state_names[result->state]);
        write_count(json, "drawn", result->rendered);
        json_print(json, "tries:%d exit:%d wall_s:%g message:%s", result->tries,
                   result->exit_status, round(result->wall_s * 1000) / 1000, result->message);
    }
    json_print(json, "}");
}

void batch_write_json(FILE *out, const BatchPlan *plan, const BatchResult *results)
{
    const BatchCapacity capacity = batch_capacity(plan);
    Json json = json_init(out);
    json_print(&json, "{batch:%s base:%s directory:%s", plan->batch->file, plan->batch->base,
               plan->directory);
    json_print(&json, "at_once:%d workers:%d memory_mib:%jd available_mib:%jd",
               capacity.parallel_jobs, capacity.workers, capacity.memory_mib,
               capacity.available_mib);
    for (int state = BATCH_WAITING; results && state <= BATCH_SUBMITTED; state++)
        write_count(&json, batch_state_names[state],
                    (int64_t)count_state(plan, results, (BatchState)state));
    json_print(&json, "jobs:[");
    for (size_t i = 0; i < plan->batch->job_count; i++)
        write_item(&json, plan, &plan->items[i], results ? &results[i] : NULL);
    json_print(&json, "]}\n");
}
