// SPDX-License-Identifier: MIT
#include <inttypes.h>
#include <math.h>

#include "film/film.h"
#include "inspect/report/html.h"
#include "inspect/report/page.h"
#include "inspect/report/plot.h"

static const char *const labels[FRAME_STAGES] = {
    [STAGE_EVALUATE] = "Evaluate: motion, IK, physics",
    [STAGE_UPLOAD] = "Upload",
    [STAGE_SKIN] = "Skin",
    [STAGE_CLEAR] = "Clear",
    [STAGE_SHADOW] = "Shadow map",
    [STAGE_SURFACE] = "Surfaces",
    [STAGE_EDGE] = "Edges",
    [STAGE_RESOLVE] = "Resolve",
    [STAGE_READ] = "Read back",
    [STAGE_EFFECTS] = "Effects",
    [STAGE_LOOK] = "Look",
    [STAGE_OTHER] = "Passes, texts, background",
    [STAGE_WRITE] = "Write stills",
};

/* ---- time ---- */

static double sum_of(const StageTimes *times)
{
    double sum = 0;
    for (size_t i = 0; i < FRAME_STAGES; i++)
        sum += 1e3 * times->times.s[i];
    return sum;
}

/* Skips stages with less than a thousandth of the time, and writing, unless it was recorded. */
static bool is_shown(const ReportData *data, size_t stage)
{
    double sum = 0, total = 0;
    for (size_t i = 0; i < data->times.count; i++) {
        sum += 1e3 * data->times.items[i].times.s[stage];
        total += sum_of(&data->times.items[i]);
    }
    return sum > 1e-3 * total && (data->times_of_film || stage != STAGE_WRITE);
}

static const double *stage_values(const ReportData *data, size_t stage)
{
    double *values = arena_array(data->arena, double, data->times.count);
    for (size_t i = 0; i < data->times.count; i++)
        values[i] = 1e3 * data->times.items[i].times.s[stage];
    return values;
}

void page_write_times(FILE *out, const void *report)
{
    const ReportData *data = report;
    const StageTimesList *list = &data->times;
    const Rational fps = data->film->job->render.fps;
    Plot plot = {.description = "CPU time of each stage over the time of the film",
                 .unit = "ms per frame",
                 .count = list->count,
                 .frames_per_s = (double)fps.num / fps.den,
                 .stacked = true};
    double *x = arena_array(data->arena, double, list->count);
    for (size_t i = 0; i < list->count; i++)
        x[i] = (double)list->items[i].frame;
    plot.x = x;
    for (size_t s = 0; s < FRAME_STAGES; s++)
        if (is_shown(data, s))
            plot.series[plot.series_count++] = (PlotSeries){labels[s], stage_values(data, s), s};
    plot_write(out, &plot);
}

typedef struct StageSums {
    double mean[FRAME_STAGES], largest[FRAME_STAGES], total;
    int64_t slowest[FRAME_STAGES]; /* frame of the largest */
} StageSums;

static StageSums sum_stages(const ReportData *data)
{
    const StageTimesList *list = &data->times;
    StageSums sums = {0};
    for (size_t s = 0; s < FRAME_STAGES; s++) {
        for (size_t i = 0; i < list->count; i++) {
            const double ms = 1e3 * list->items[i].times.s[s];
            sums.mean[s] += ms / (double)list->count;
            if (ms > sums.largest[s]) {
                sums.largest[s] = ms;
                sums.slowest[s] = list->items[i].frame;
            }
        }
        sums.total += is_shown(data, s) ? sums.mean[s] : 0;
    }
    return sums;
}

void page_write_stages(FILE *out, const void *report)
{
    const ReportData *data = report;
    const StageSums sums = sum_stages(data);
    for (size_t s = 0; s < FRAME_STAGES; s++) {
        if (!is_shown(data, s))
            continue;
        const double share = sums.total > 0 ? 100 * sums.mean[s] / sums.total : 0;
        fprintf(out, "<tr><td><i class=\"s%zu\"></i>%s</td>", s, labels[s]);
        fprintf(
            out,
            "<td class=\"n\">%.2f ms</td><td class=\"n\">%.2f ms</td><td class=\"n hide\">%" PRId64
            "</td><td class=\"n\">%.1f %%</td></tr>\n",
            sums.mean[s], sums.largest[s], sums.slowest[s], share);
    }
    fprintf(out,
            "<tr><th scope=\"row\">Sum</th><td class=\"n\">%.2f ms</td><td></td><td "
            "class=\"hide\"></td><td></td></tr>",
            sums.total);
}

void page_write_times_source(FILE *out, const void *report)
{
    const ReportData *data = report;
    if (data->times_of_film)
        fprintf(out, "%s, recorded when rendered.", text_frames((int64_t)data->times.count).text);
    else
        fprintf(out,
                "%s of the contact sheet, rendered at the size of the film by one process. "
                "The first frame took %.0f ms, because it starts OpenGL; it is not shown.",
                text_frames((int64_t)data->times.count).text, sum_of(&data->first));
}

/* ---- memory ---- */

static void write_memory_row(FILE *out, const char *name, uint64_t bytes, int64_t measured_mib)
{
    fprintf(out, "<tr><td>%s</td><td class=\"n\">%.0f MiB</td>", name,
            ceil((double)bytes / (1 << 20)));
    if (measured_mib)
        fprintf(out, "<td class=\"n\">%" PRId64 " MiB</td></tr>\n", measured_mib);
    else
        fputs("<td class=\"n\">–</td></tr>\n", out);
}

void page_write_memory(FILE *out, const void *report)
{
    const ReportData *data = report;
    const MemoryEstimate *m = &data->memory;
    char worker[64];
    snprintf(worker, sizeof worker, "Each of %d workers", data->workers);
    write_memory_row(out, "Main, with the assets", m->main, data->run.main_mib);
    if (m->shared)
        write_memory_row(out, "Shared by the workers", m->shared, 0);
    write_memory_row(out, data->workers == 1 ? "Worker" : worker, m->worker,
                     m->shared ? 0 : data->run.worker_mib);
    if (m->encoder)
        write_memory_row(out, "Encoder", m->encoder, 0);
    write_memory_row(out, "Frames in progress", m->ring, 0);
    write_memory_row(out, "All together", m->peak, 0);
}

void page_write_memory_of_worker(FILE *out, const void *report)
{
    const ReportData *data = report;
    if (data->memory.shared && data->run.worker_mib)
        fprintf(out, " Its only worker, which shares nothing, needed %" PRId64 " MiB.",
                data->run.worker_mib);
}

/* ---- physics ---- */

enum { MAX_LINKS = 8 };

static void write_links(FILE *out, const ReportData *data, const LinkStretches *links)
{
    if (!links->count)
        return;
    html_element_printf(out, "p",
                        "Largest distance of a simulated bone from its parent, relative to its "
                        "distance at rest, in %zu frames. %zu links are simulated.",
                        data->sheet_count, links->count);
    fputs("<table><thead><tr><th scope=\"col\">Bone</th><th scope=\"col\">Model</th><th "
          "scope=\"col\" class=\"n\">Stretch</th><th scope=\"col\" class=\"n\">Frame</th></tr>"
          "</thead><tbody>\n",
          out);
    for (size_t i = 0; i < links->count && i < MAX_LINKS; i++) {
        const LinkStretch *link = &links->items[i];
        const SceneModel *model = &links->scene->models[link->model];
        fputs("<tr>", out);
        html_element(out, "td", model->model->pmx.bones[link->bone].name);
        html_element(out, "td", model->id);
        fprintf(out, "<td class=\"n\">%.3f</td><td class=\"n\">%" PRId64 "</td></tr>\n",
                link->ratio, link->frame);
    }
    fputs("</tbody></table>\n", out);
}

bool page_has_physics(const void *report)
{
    const ReportData *data = report;
    for (size_t i = 0; i < data->film->scene_count; i++)
        if (data->links[i].count)
            return true;
    return false;
}

void page_write_physics(FILE *out, const void *report)
{
    const ReportData *data = report;
    if (!page_has_physics(data))
        return;
    page_section_begin(out, "physics", "Physics");
    for (size_t i = 0; i < data->film->scene_count; i++)
        write_links(out, data, &data->links[i]);
    page_section_end(out);
}
