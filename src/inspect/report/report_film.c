// SPDX-License-Identifier: MIT
#include "inspect/report/report_film.h"

#include <math.h>
#include <sys/stat.h>

#include "base/path.h"
#include "base/text.h"
#include "film/film_images.h"
#include "film/preview_plan.h"
#include "inspect/scratch_directory.h"
#include "run/pipeline/frame_loop.h"

enum { WIDTH = 480, SUPERSAMPLE = 2, CRF = 26 };
static const Rational RATE = {15, 1};
static const double LENGTH_S = 6;

/* ---- the film ---- */

/* The type of a container that browsers play, by the name of the file; or NULL. */
static const char *type_of(const char *file)
{
    const char *extension = path_extension(file);
    if (text_equal_ignoring_case(extension, "mp4") || text_equal_ignoring_case(extension, "m4v"))
        return "video/mp4";
    return text_equal_ignoring_case(extension, "webm") ? "video/webm" : NULL;
}

bool report_film_load(ReportFilm *out, const Film *film, bool current, uint64_t limit, Arena *arena,
                      Diag *diag)
{
    const char *type = NULL;
    struct stat st;
    *out = (ReportFilm){0};
    for (size_t i = 0; !type && i < film->output_count; i++) {
        out->file = film->outputs[i].options.file;
        type = film->outputs[i].pass == PASS_BEAUTY ? type_of(out->file) : NULL;
    }
    if (!type) {
        out->file = NULL;
        return true;
    }
    if (stat(out->file, &st) != 0 || !S_ISREG(st.st_mode))
        return true;
    out->state = current ? FILM_CURRENT : FILM_OTHER;
    out->bytes = (uint64_t)st.st_size;
    if (out->bytes > limit)
        return true;
    diag_file(diag, out->file);
    const bool good = file_load(&out->contents, out->file, (size_t)limit, arena, diag);
    diag_file(diag, NULL);
    out->type = type;
    out->width = film->render.width;
    out->height = film->render.height;
    return good;
}

/* ---- a part of it ---- */

typedef struct Part {
    Rational rate;
    double first_s, end_s;
    int width;
} Part;

static double frame_time_s(const Film *film, int64_t frame)
{
    const Rational fps = film->job->render.fps;
    return (double)(frame * fps.den) / fps.num;
}

/* The middle of the film, up to LENGTH_S. */
static Part middle_of(const Film *film)
{
    const double start = frame_time_s(film, film_frame_at(film, 0)),
                 end = frame_time_s(film, film_frame_at(film, film->frame_count - 1) + 1);
    const double first = fmax(start, (start + end - LENGTH_S) / 2);
    return (Part){RATE, first, fmin(end, first + LENGTH_S), WIDTH};
}

static Part choose_part(const Film *film)
{
    Part part = middle_of(film);
    for (size_t i = 0; i < film->job->preview_count; i++) {
        const JobPreview *p = &film->job->previews[i];
        if (p->type != PREVIEW_WEBP && p->type != PREVIEW_GIF)
            continue;
        part.rate = p->fps;
        part.width = p->width ? p->width : WIDTH;
        if (p->range_s[1] > p->range_s[0]) {
            part.first_s = p->range_s[0];
            part.end_s = fmin(p->range_s[1], part.first_s + 2 * LENGTH_S);
        }
        break;
    }
    return part;
}

/* The frames of a part, and its rate, at most that of the film. */
static FrameRanges frames_of(Part *part, const Film *film, Arena *arena)
{
    const Rational fps = film->job->render.fps;
    if ((int64_t)fps.num * part->rate.den < (int64_t)part->rate.num * fps.den)
        part->rate = fps;
    const FrameRanges all = preview_steps(&film->frames, fps, part->rate, arena);
    FrameRanges out = {arena_array(arena, FrameRange, all.count), 0};
    for (size_t i = 0; i < all.count; i++) {
        const double time_s = frame_time_s(film, all.items[i].first);
        if (time_s >= part->first_s && time_s < part->end_s)
            out.items[out.count++] = all.items[i];
    }
    return out.count ? out : (FrameRanges){all.items, 1};
}

/* Even numbers of pixels, which the usual pixel format needs. */
static RenderOptions render_options(const Film *film, int width)
{
    RenderOptions render = film->render;
    if (width > render.width)
        width = render.width;
    const int64_t height = (int64_t)render.height * width / render.width;
    render.width = width > 1 ? width & ~1 : 2;
    render.height = height > 1 ? (int)height & ~1 : 2;
    render.samples = 1;
    render.supersample = SUPERSAMPLE;
    render.alpha = false;
    render.background[3] = 1;
    return render;
}

/* H.264 if it is installed, because browsers can pause it; otherwise an animated WebP. */
static void choose_sink(FilmOutput *output, const ScratchDirectory *directory, Arena *arena)
{
    Diag silent = diag_quiet();
    output->kind = &sink_ffmpeg;
    output->options.file = arena_printf(arena, "%s/part.mp4", directory->path);
    output->options.video = (VideoOptions){
        .codec = "h264", .pixel_format = "yuv420p", .audio_codec = "auto", .crf = CRF};
    output->options.contents = (SinkContents){0};
    output->options.threads = 1;
    if (sink_ffmpeg_check(&output->options, &silent))
        return;
    output->kind = &sink_webp;
    output->options.file = arena_printf(arena, "%s/part.webp", directory->path);
}

bool report_film_render_part(ReportFilm *out, const Film *film, Progress *progress,
                             const volatile sig_atomic_t *stop, Arena *arena, Diag *diag)
{
    ScratchDirectory directory; /* encoders write files */
    Part part = choose_part(film);
    const FrameRanges frames = frames_of(&part, film, arena);
    const FrameLoopOptions options = {0};
    const RenderOptions render = render_options(film, part.width);
    RenderReport report;
    FilmOutput output = {.frames = frames,
                         .options = {.width = render.width,
                                     .height = render.height,
                                     .fps_num = part.rate.num,
                                     .fps_den = part.rate.den,
                                     .first_frame = frames.items[0].first,
                                     .frame_count = (int64_t)frames.count}};
    if (!scratch_directory_make(&directory, diag))
        return false;
    choose_sink(&output, &directory, arena);
    Film small = film_part(film, &render, frames, &output, 1);
    film_part_alone(&small);
    out->is_part = true;
    out->width = small.render.width;
    out->height = small.render.height;
    out->start_s = frame_time_s(film, frames.items[0].first);
    out->end_s = out->start_s + (double)(small.frame_count * part.rate.den) / part.rate.num;
    out->type = output.kind == &sink_webp ? "image/webp" : "video/mp4";
    const bool good = frame_loop_run(&report, &small, NULL, (FilmSpan){0, small.frame_count},
                                     &options, progress, stop, diag) &&
                      file_load(&out->contents, output.options.file, FILE_MAX_SIZE, arena, diag);
    scratch_directory_remove(&directory);
    return good;
}
