#include "inspect/report/page.h"

#include <math.h>

#include "inspect/report/html.h"
#include "inspect/report/page_parts.h"
#include "inspect/report/page_style.h"

const char page_start[] = "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" "
                          "lang=\"en\"><head><meta charset=\"utf-8\"/>\n<meta "
                          "name=\"generator\" content=\"odori report\"/>\n";

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
    const JobRational fps = job->render.fps;
    const long hundredths = lround(frame * fps.den * 100 / fps.num);
    return arena_printf(arena, "%ld:%02ld.%02ld", hundredths / 6000, hundredths / 100 % 60,
                        hundredths % 100);
}

static void write_head(FILE *out, const char *title)
{
    fputs(page_start, out);
    fputs("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src "
          "data:; media-src data:; style-src 'unsafe-inline'\"/>\n<title>",
          out);
    html_text(out, title);
    fputs("</title>\n<style>\n", out);
    fputs(page_style, out);
    fputs("</style>\n</head>\n<body>\n", out);
}

static void write_link(FILE *out, const char *id, const char *text)
{
    fprintf(out, "<li><a href=\"#%s\">%s</a></li>", id, text);
}

static void write_contents(FILE *out, const ReportData *data)
{
    fputs("<nav aria-label=\"Sections\"><ul>", out);
    if (data->options->problems->count)
        write_link(out, "problems", "Warnings");
    if (data->difference.before)
        write_link(out, "difference", "Before and after");
    write_link(out, "sheet", "Contact sheet");
    write_link(out, "times", "Time");
    write_link(out, "memory", "Memory");
    if (data->links.count)
        write_link(out, "physics", "Physics");
    write_link(out, "job", "Job");
    write_link(out, "credits", "Credits");
    write_link(out, "versions", "Versions");
    fputs("</ul></nav>\n", out);
}

void page_write(FILE *out, const ReportData *data)
{
    const Job *job = data->film->job;
    write_head(out, job->name);
    fputs("<header>\n", out);
    html_element(out, "h1", job->name);
    html_element_printf(out, "p", "%s, rendered by Odori", job->file);
    write_contents(out, data);
    fputs("</header>\n<main>\n", out);
    page_write_film(out, data);
    page_write_problems(out, data);
    page_write_difference(out, data);
    page_write_sheet(out, data);
    page_write_times(out, data);
    fputs("<div class=\"columns\">\n", out);
    page_write_memory(out, data);
    page_write_physics(out, data);
    fputs("</div>\n", out);
    page_write_job(out, data);
    page_write_credits(out, data);
    page_write_versions(out, data);
    fputs("</main>\n<footer>This page contains all of its images and refers to no other "
          "file.</footer>\n</body></html>\n",
          out);
}
