// SPDX-License-Identifier: MIT
#include <inttypes.h>
#include <math.h>

#include "base/path.h"
#include "film/film.h"
#include "inspect/report/html.h"
#include "inspect/report/page.h"
#include "inspect/report/plot.h"
#include "run/pipeline/film_facts.h"

/* ---- the film ---- */

static void write_video(FILE *out, const ReportData *data)
{
    const ReportFilm *moving = &data->moving;
    fprintf(out,
            "<video controls=\"controls\" playsinline=\"playsinline\" preload=\"metadata\"%s "
            "width=\"%d\" height=\"%d\"",
            moving->is_part ? " loop=\"loop\" muted=\"muted\"" : "", moving->width, moving->height);
    if (data->sheet_count) {
        fputs(" poster=\"", out);
        html_data_uri(out, "image/webp", data->sheet[data->sheet_count / 2].image.webp);
        fputs("\"", out);
    }
    fputs(" src=\"", out);
    html_data_uri(out, moving->type, moving->contents);
    fputs("\"></video>\n", out);
}

static void write_moving(FILE *out, const ReportData *data)
{
    const ReportFilm *moving = &data->moving;
    fputs("<figure>\n", out);
    if (moving->type && moving->type[0] == 'v') {
        write_video(out, data);
    } else if (moving->type) {
        fprintf(out, "<img width=\"%d\" height=\"%d\" alt=\"A part of the film, repeated\" src=\"",
                moving->width, moving->height);
        html_data_uri(out, moving->type, moving->contents);
        fputs("\"/>\n", out);
    }
    fputs("<figcaption>", out);
    /* Says whether the film exists and is complete, and which part of it is shown. */
    const char *size = page_format_bytes(moving->bytes, data->arena);
    if (!moving->file)
        fputs("The job writes no film that a browser plays. ", out);
    else if (moving->state == FILM_MISSING)
        html_printf(out, "%s is not rendered yet. ", path_name(moving->file));
    else if (moving->state == FILM_CURRENT)
        html_printf(out, "%s, %s, complete. ", path_name(moving->file), size);
    else
        html_printf(out,
                    "%s, %s. Its checkpoint does not confirm it: it may be incomplete, or of an "
                    "earlier version of the job. ",
                    path_name(moving->file), size);
    if (moving->is_part)
        fprintf(out, "Shown: %.1f to %.1f s, at a small size.", moving->start_s, moving->end_s);
    fputs("</figcaption></figure>\n", out);
}

void page_write_film(FILE *out, const void *report)
{
    const ReportData *data = report;
    const bool moving = data->options->embed_limit != 0;
    fprintf(out, "<div class=\"top%s%s\">\n", moving ? " beside" : "",
            data->film->render.height > data->film->render.width ? " tall" : "");
    if (moving)
        write_moving(out, data);
    const FilmFacts facts = film_facts(data->film, data->arena);
    fputs("<dl class=\"facts\">\n", out);
    for (size_t i = 0; i < facts.count; i++)
        page_fact(out, facts.items[i].name, facts.items[i].text);
    fputs("</dl>\n", out);
    fputs("</div>\n", out);
}

/* ---- contact sheet ---- */

void page_write_sheet(FILE *out, const void *report)
{
    const ReportData *data = report;
    const Film *film = data->film;
    for (size_t i = 0; i < data->sheet_count; i++) {
        const SheetFrame *cell = &data->sheet[i];
        const char *time = page_format_time(film->job, (double)cell->frame, data->arena);
        fputs("<li><figure>", out);
        html_image(out, &cell->image,
                   arena_printf(data->arena, "Frame %" PRId64 " at %s", cell->frame, time));
        fprintf(out, "<figcaption><span>%s</span><span>%" PRId64 "</span></figcaption>", time,
                cell->frame);
        fputs("</figure></li>\n", out);
    }
}

/* ---- before and after ---- */

static const char *format_psnr(double psnr, Arena *arena)
{
    return isfinite(psnr) ? arena_printf(arena, "%.2f dB", psnr) : "equal";
}

static void write_view(FILE *out, const HtmlImage *image, const char *name)
{
    fputs("<figure>", out);
    html_image(out, image, name);
    html_element(out, "figcaption", name);
    fputs("</figure>", out);
}

static void write_worst(FILE *out, const ReportData *data)
{
    const Difference *d = &data->difference;
    for (size_t i = 0; i < d->worst_count; i++) {
        const WorstPair *w = &d->worst[i];
        html_element_printf(
            out, "h3", "Frame %" PRId64 " at %s: PSNR %.2f dB, SSIM %.5f", w->number,
            page_format_time(data->film->job, (double)w->number, data->arena), w->psnr, w->ssim);
        fprintf(out, "<div class=\"pair%s\">", w->heat.height > w->heat.width ? " tall" : "");
        write_view(out, &w->before, "Before");
        write_view(out, &w->after, "After");
        write_view(out, &w->heat, "Difference");
        fputs("</div>\n", out);
    }
    if (d->worst_count)
        fprintf(out,
                "<p class=\"note\">Largest difference of a channel: 0 <span class=\"ramp\"></span> "
                "%d or more of 255. Frames less than a second from a worse one are not "
                "shown.</p>\n",
                DIFFERENCE_MAP_END);
}

/* 1 - SSIM in percent: 0 is equal, and differences are easier to see than in PSNR. */
static void write_curve(FILE *out, const ReportData *data)
{
    const Difference *d = &data->difference;
    const Rational fps = data->film->job->render.fps;
    const size_t n = d->points.count;
    double *x = arena_array(data->arena, double, n), *y = arena_array(data->arena, double, n);
    for (size_t i = 0; i < n; i++) {
        x[i] = d->points.items[i].number;
        y[i] = fmax(0, 100 * (1 - d->points.items[i].ssim));
    }
    const Plot plot = {.description = "Difference over the time of the film",
                       .unit = "100 (1 − SSIM)",
                       .x = x,
                       .count = n,
                       .frames_per_s = (double)fps.num / fps.den,
                       .series = {{"Structural difference (0: equal)", y, 0}},
                       .series_count = 1};
    fputs("<figure>\n", out);
    plot_write(out, &plot);
    fputs("</figure>\n", out);
}

void page_write_difference(FILE *out, const void *report)
{
    const ReportData *data = report;
    const Difference *d = &data->difference;
    if (!d->before)
        return;
    page_section_begin(out, "difference", "Before and after");
    const FilmComparison *f = &data->difference.film;
    Arena *arena = data->arena;
    fputs("<dl class=\"facts small\">\n", out);
    page_fact(out, "Before", path_name(data->difference.before));
    page_fact(out, "After", path_name(data->difference.after));
    page_fact(out, "Frames compared", arena_printf(arena, "%" PRId64, f->compared));
    page_fact(out, "Different frames", arena_printf(arena, "%" PRId64, f->compared - f->equal));
    page_fact(out, "PSNR", format_psnr(film_comparison_psnr(f), arena));
    page_fact(out, "SSIM", arena_printf(arena, "%.5f", film_comparison_ssim(f)));
    if (f->only_a || f->only_b)
        page_fact(
            out, "Frames without a partner",
            arena_printf(arena, "%" PRId64 " before, %" PRId64 " after", f->only_a, f->only_b));
    fputs("</dl>\n", out);
    if (d->film.equal == d->film.compared) {
        fputs("<p>All compared frames are equal.</p>\n", out);
    } else {
        write_worst(out, data);
        fputs("<h3>Over the film</h3>\n", out);
        write_curve(out, data);
    }
    page_section_end(out);
}
