#include <string.h>

#include "base/path.h"
#include "base/text_stream.h"
#include "film/film.h"
#include "film/version.h"
#include "inspect/report/html.h"
#include "inspect/report/page.h"
#include "job/option_dump.h"

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

/* ---- the job ---- */

static void write_values(FILE *out, const Job *job)
{
    fputs("<table class=\"stack\"><thead><tr><th scope=\"col\">Key</th><th scope=\"col\">Value</th>"
          "<th scope=\"col\">Source</th></tr></thead><tbody>\n",
          out);
    for (size_t i = 0; i < job->value_count; i++) {
        const JobValue *value = &job->values[i];
        fputs("<tr>", out);
        html_element(out, "td", value->key);
        fputs("<td>", out);
        html_element(out, "code", value->value);
        fputs("</td>", out);
        html_element(out, "td class=\"note\"", value->source);
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table>\n", out);
}

void page_write_job(FILE *out, const void *report)
{
    const ReportData *data = report;
    const Job *job = data->film->job;
    TextStream stream;
    option_dump(text_stream_open(&stream, data->arena), job);
    page_section_begin(out, "job", "Job");
    fprintf(out, "<details><summary>%zu values differ from their defaults</summary>\n",
            job->value_count);
    write_values(out, job);
    fputs("</details>\n<details><summary>The whole job with every default</summary>\n<pre "
          "tabindex=\"0\">",
          out);
    for (char *line = text_stream_close(&stream); *line;) {
        const size_t size = strcspn(line, "\n");
        const bool more = line[size] == '\n';
        line[size] = '\0';
        html_text(out, line);
        fputc('\n', out);
        line += size + more;
    }
    fputs("</pre></details>\n", out);
    page_section_end(out);
}

/* ---- credits ---- */

static void write_model_credit(FILE *out, const Model *model)
{
    const char *name = *model->pmx.name ? model->pmx.name : path_name(model->file);
    const char *comment = *model->pmx.comment ? model->pmx.comment : model->pmx.comment_en;
    fputs("<div>", out);
    html_element(out, "h3", name);
    html_element_printf(out, "p class=\"note\"", "%s", path_name(model->file));
    /* escapes line breaks visibly; the style sheet keeps those written here */
    fputs("<p class=\"comment\">", out);
    while (*comment) {
        char line[1024];
        const size_t size = strcspn(comment, "\r\n");
        snprintf(line, sizeof line, "%.*s", (int)(size < 1000 ? size : 1000), comment);
        html_text(out, line);
        comment += size;
        if (*comment == '\r' && comment[1] == '\n')
            comment++;
        if (*comment)
            comment++;
        fputc('\n', out);
    }
    fputs("</p></div>\n", out);
}

/* Whether an earlier entry of the scene has the same file. */
static bool is_repeated(const Scene *scene, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (scene->models[i].model == scene->models[index].model)
            return true;
    return false;
}

void page_write_credits(FILE *out, const void *report)
{
    const ReportData *data = report;
    const Job *job = data->film->job;
    const Scene *scene = &data->film->scene;
    page_section_begin(out, "credits", "Credits");
    if (job->credit_count) {
        fputs("<ul class=\"credits\">\n", out);
        for (size_t i = 0; i < job->credit_count; i++)
            html_element(out, "li", job->credits[i]);
        fputs("</ul>\n", out);
    }
    fputs("<div class=\"columns\">\n", out);
    for (size_t i = 0; i < scene->model_count; i++)
        if (!scene->models[i].model->is_cloth && !is_repeated(scene, i))
            write_model_credit(out, scene->models[i].model);
    fputs("</div>\n", out);
    page_section_end(out);
}

/* ---- versions ---- */

/* "libpng 1.6.39", "OpenGL: OSMesa, llvmpipe ..." */
static void write_version(FILE *out, const char *line)
{
    const char *colon = strstr(line, ": ");
    const size_t name = colon ? (size_t)(colon - line) : strcspn(line, " ");
    const char *value = line + name + (colon ? 2 : line[name] == ' ');
    fputs("<div>", out);
    html_element_printf(out, "dt", "%.*s", (int)name, line);
    html_element(out, "dd", value);
    fputs("</div>\n", out);
}

void page_write_versions(FILE *out, const void *report)
{
    const ReportData *data = report;
    TextStream stream;
    version_write(text_stream_open(&stream, data->arena), false, &data->gl);
    page_section_begin(out, "versions", "Versions");
    fputs("<dl class=\"facts small\">\n", out);
    for (char *line = text_stream_close(&stream); *line;) {
        const size_t size = strcspn(line, "\n");
        const bool more = line[size] == '\n';
        line[size] = '\0';
        write_version(out, line);
        line += size + more;
    }
    fputs("</dl>\n", out);
    page_section_end(out);
}
