// SPDX-License-Identifier: MIT
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/path.h"
#include "base/text_stream.h"
#include "film/film.h"
#include "inspect/report/html.h"
#include "inspect/report/page.h"
#include "inspect/report/plot.h"
#include "job/job_visit.h"
#include "run/version.h"

/* ---- warnings ---- */

void page_write_problems(FILE *out, const void *report)
{
    const ReportData *data = report;
    const ProblemList *problems = data->options->problems;
    if (!problems->count)
        return;
    page_section_begin(out, "problems", problems->count == 1 ? "Warning" : "Warnings");
    fputs("<ul class=\"problems\">\n", out);
    for (size_t i = 0; i < problems->count; i++) {
        const DiagMessage *m = &problems->items[i];
        fputs("<li>", out);
        html_element(out, "span class=\"class\"", m->code);
        html_element(out, "code class=\"place\"", problem_location(m, "", data->arena));
        html_element(out, "p", problem_text(m, data->arena));
        fputs("</li>\n", out);
    }
    fputs("</ul>\n", out);
    page_section_end(out);
}

/* ---- runs ---- */

static void write_run(FILE *out, const char *name, const RunRecord *run, Arena *arena)
{
    const RunRecord rest = {.changed_ranges = run->changed_ranges, .reason = run->reason};
    fputs("<tr>", out);
    html_element(out, "td", name);
    html_element(out, "td", run_record_drawn_text(run, arena));
    html_element(out, "td class=\"n\"",
                 isnan(run->seconds) ? "" : arena_printf(arena, "%.1f s", run->seconds));
    fputs("<td>", out);
    for (size_t i = 0; i < run->changes.count; i++)
        html_element(out, "div", job_change_text(&run->changes.items[i], arena));
    if (run->changes.more)
        html_element_printf(out, "div", "%" PRId64 " more", run->changes.more);
    html_element(out, "div", run_record_why_text(&rest, arena));
    fputs("</td></tr>\n", out);
}

/* How many pixels of each compared frame changed. */
static void write_changed_pixels(FILE *out, const RunRecord *run, const ReportData *data)
{
    const Rational fps = data->film->job->render.fps;
    const size_t count = run->compared_count;
    double *frames = arena_array(data->arena, double, count),
           *shares = arena_array(data->arena, double, count);
    for (size_t i = 0; i < count; i++) {
        frames[i] = (double)run->compared[i].frame;
        shares[i] = 100.0 * (double)run->compared[i].pixels / (double)run->picture_pixels;
    }
    plot_write(out, &(Plot){.description = "Changed pixels of each frame",
                            .unit = "% of the pixels of a frame",
                            .x = frames,
                            .count = count,
                            .frames_per_s = (double)fps.num / fps.den,
                            .series = {{"changed pixels", shares, 0}},
                            .series_count = 1,
                            .stacked = true});
}

/* The frames that changed most, before and after. */
static void write_changed_frames(FILE *out, const ReportData *data)
{
    fputs("<ul class=\"sheet pairs\">\n", out);
    for (size_t i = 0; i < data->changed_count; i++) {
        const ChangedFrame *frame = &data->changed[i];
        const char *time = page_format_time(data->film->job, (double)frame->frame, data->arena);
        fprintf(out,
                "<li><figure><img width=\"%" PRId64 "\" height=\"%" PRId64 "\" alt=\"Frame %" PRId64
                " before and after\" src=\"",
                frame->width, frame->height, frame->frame);
        html_data_uri(out, "image/png", frame->png);
        fprintf(out,
                "\"/><figcaption><span>%s</span><span>%" PRId64
                "</span></figcaption></figure></li>\n",
                time, frame->frame);
    }
    fputs("</ul>\n", out);
}

static void write_pixels(FILE *out, const ReportData *data)
{
    const RunRecord *run = &data->runs.items[0];
    if (!run->compared_count || !run->picture_pixels)
        return;
    html_element_printf(out, "p", "Pixels that changed: %s.",
                        run_record_pixels_text(run, data->arena));
    if (run->compared_count > 1)
        write_changed_pixels(out, run, data);
    if (data->changed_count)
        write_changed_frames(out, data);
}

void page_write_runs(FILE *out, const void *report)
{
    const ReportData *data = report;
    if (!data->runs.count)
        return;
    page_section_begin(out, "runs", "Runs");
    fputs("<table class=\"stack\"><thead><tr><th scope=\"col\">Version of the job</th>"
          "<th scope=\"col\">Drawn</th><th scope=\"col\" class=\"n\">Duration</th>"
          "<th scope=\"col\">Changed</th></tr></thead><tbody>\n",
          out);
    for (size_t i = 0; i < data->runs.count; i++)
        write_run(out, i ? "before" : "this one", &data->runs.items[i], data->arena);
    fputs("</tbody></table>\n", out);
    write_pixels(out, data);
    page_section_end(out);
}

/* ---- the job ---- */

void page_write_value_count(FILE *out, const void *report)
{
    fprintf(out, "%zu", ((const ReportData *)report)->film->job->value_count);
}

void page_write_values(FILE *out, const void *report)
{
    const Job *job = ((const ReportData *)report)->film->job;
    for (size_t i = 0; i < job->value_count; i++) {
        const OptionSetting *value = &job->values[i];
        fputs("<tr>", out);
        html_element(out, "td", value->key);
        fputs("<td>", out);
        html_element(out, "code", value->value);
        fputs("</td>", out);
        html_element(out, "td class=\"note\"", value->source);
        fputs("</tr>\n", out);
    }
}

void page_write_job(FILE *out, const void *report)
{
    const ReportData *data = report;
    TextStream stream;
    job_write(text_stream_open(&stream, data->arena), data->film->job);
    html_lines(out, text_stream_close(&stream));
}

/* ---- credits ---- */

static void write_model_credit(FILE *out, const Model *model)
{
    const char *name = *model->pmx.name ? model->pmx.name : path_name(model->file);
    const char *comment = *model->pmx.comment ? model->pmx.comment : model->pmx.comment_en;
    fputs("<div>", out);
    html_element(out, "h3", name);
    html_element_printf(out, "p class=\"note\"", "%s", path_name(model->file));
    fputs("<p class=\"comment\">", out);
    html_lines(out, comment);
    fputs("</p></div>\n", out);
}

/* Whether an earlier entry of the film has the same file; generated cloth has none. */
static bool is_repeated(const Film *film, size_t scene, size_t index)
{
    const char *file = film->scenes[scene].scene.models[index].model->file;
    for (size_t s = 0; s <= scene; s++) {
        const Scene *other = &film->scenes[s].scene;
        for (size_t i = 0; i < (s < scene ? other->model_count : index); i++)
            if (!other->models[i].model->is_cloth && !strcmp(other->models[i].model->file, file))
                return true;
    }
    return false;
}

void page_write_credits(FILE *out, const void *report)
{
    const FilmCredits *credits = &((const ReportData *)report)->film->credits;
    if (!credits->count)
        return;
    fputs("<ul class=\"credits\">\n", out);
    for (size_t i = 0; i < credits->count; i++)
        html_element(out, "li", credits->lines[i]);
    fputs("</ul>\n", out);
}

void page_write_models(FILE *out, const void *report)
{
    const Film *film = ((const ReportData *)report)->film;
    for (size_t s = 0; s < film->scene_count; s++) {
        const Scene *scene = &film->scenes[s].scene;
        for (size_t i = 0; i < scene->model_count; i++)
            if (!scene->models[i].model->is_cloth && !is_repeated(film, s, i))
                write_model_credit(out, scene->models[i].model);
    }
}

/* ---- versions ---- */

/* Lines such as "libpng 1.6.39" and "OpenGL: OSMesa, llvmpipe ..." */
void page_write_versions(FILE *out, const void *report)
{
    const ReportData *data = report;
    TextStream stream;
    version_write(text_stream_open(&stream, data->arena), false, &data->gl);
    for (char *line = text_stream_close(&stream), *end; *line; line = end) {
        end = line + strcspn(line, "\n");
        if (*end)
            *end++ = '\0';
        const char *colon = strstr(line, ": ");
        const size_t size = colon ? (size_t)(colon - line) : strcspn(line, " ");
        page_fact(out, arena_strndup(data->arena, line, size),
                  line + size + (colon ? 2 : line[size] == ' '));
    }
}
