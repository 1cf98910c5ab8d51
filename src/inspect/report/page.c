// SPDX-License-Identifier: MIT
#include "inspect/report/page.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/embedded_text.h"
#include "film/film.h"
#include "inspect/report/html.h"

/* ---- parts of sections ---- */

void page_section_begin(FILE *out, const char *id, const char *title)
{
    fprintf(out, "<section id=\"%s\" aria-labelledby=\"%s-title\">\n<h2 id=\"%s-title\">", id, id,
            id);
    html_text(out, title);
    fputs("</h2>\n", out);
}

void page_section_end(FILE *out)
{
    fputs("</section>\n", out);
}

void page_fact(FILE *out, const char *name, const char *value)
{
    fputs("<div>", out);
    html_element(out, "dt", name);
    html_element(out, "dd", value);
    fputs("</div>\n", out);
}

const char *page_format_bytes(uint64_t bytes, Arena *arena)
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
    double value = (double)bytes;
    size_t unit = 0;
    while (value >= 999.5 && unit + 1 < sizeof units / sizeof *units) {
        value /= 1000;
        unit++;
    }
    return arena_printf(arena, unit && value < 99.95 ? "%.1f %s" : "%.0f %s", value, units[unit]);
}

const char *page_format_time(const Job *job, double frame, Arena *arena)
{
    const Rational fps = job->render.fps;
    const long hundredths = lround(frame * fps.den * 100 / fps.num);
    return arena_printf(arena, "%ld:%02ld.%02ld", hundredths / 6000, hundredths / 100 % 60,
                        hundredths % 100);
}

/* ---- fields of the page ---- */

static const Job *job_of(const void *report)
{
    return ((const ReportData *)report)->film->job;
}

static void write_name(FILE *out, const void *report)
{
    html_text(out, job_of(report)->name);
}

static void write_file(FILE *out, const void *report)
{
    html_text(out, job_of(report)->file);
}

static void write_tall(FILE *out, const void *report)
{
    const RenderOptions *render = &((const ReportData *)report)->film->render;
    fputs(render->height > render->width ? " tall" : "", out);
}

static void write_contents(FILE *out, const void *report)
{
    const ReportData *data = report;
    const struct {
        const char *id, *title;
        bool shown;
    } links[] = {
        {"problems", "Warnings", data->options->problems->count != 0},
        {"difference", "Before and after", data->difference.before != NULL},
        {"sheet", "Contact sheet", true},
        {"runs", "Runs", data->runs.count != 0},
        {"times", "Time", true},
        {"memory", "Memory", true},
        {"physics", "Physics", page_has_physics(data)},
        {"job", "Job", true},
        {"credits", "Credits", true},
        {"versions", "Versions", true},
    };
    for (size_t i = 0; i < sizeof links / sizeof *links; i++)
        if (links[i].shown)
            fprintf(out, "<li><a href=\"#%s\">%s</a></li>", links[i].id, links[i].title);
}

const char *page_start(size_t *size)
{
    const char *page = embedded_text_find(embedded_texts, "page.html");
    const char *generator = strstr(page, "name=\"generator\"");
    assert(generator);
    *size = (size_t)(generator - page) + strcspn(generator, "\n");
    return page;
}

void page_write(FILE *out, const ReportData *data)
{
    const TextField fields[] = {
        {"name", .write = write_name},
        {"file", .write = write_file},
        {"style", .text = embedded_text_find(embedded_texts, "page.css")}, /* no '<', no '&' */
        {"contents", .write = write_contents},
        {"film", .write = page_write_film},
        {"problems", .write = page_write_problems},
        {"difference", .write = page_write_difference},
        {"tall", .write = write_tall},
        {"sheet", .write = page_write_sheet},
        {"runs", .write = page_write_runs},
        {"times_source", .write = page_write_times_source},
        {"times", .write = page_write_times},
        {"stages", .write = page_write_stages},
        {"memory", .write = page_write_memory},
        {"memory_of_worker", .write = page_write_memory_of_worker},
        {"physics", .write = page_write_physics},
        {"value_count", .write = page_write_value_count},
        {"values", .write = page_write_values},
        {"job", .write = page_write_job},
        {"credits", .write = page_write_credits},
        {"models", .write = page_write_models},
        {"versions", .write = page_write_versions},
        {0},
    };
    embedded_text_write(out, embedded_text_find(embedded_texts, "page.html"), fields, data);
}
