// SPDX-License-Identifier: MIT
#include "inspect/benchmark_run.h"

#include <stdio.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/path.h"
#include "film/film_images.h"
#include "film/film_scenes.h"
#include "inspect/scratch_directory.h"
#include "run/pipeline/frame_loop.h"

enum { SAMPLE_RUNS = 3, RUN_FRAMES = 8 };

typedef struct Benchmark {
    const Film *film;
    Film sample; /* the film reduced to the sampled frames */
    ScratchDirectory directory;
    Arena *arena;
} Benchmark;

/* ---- sample ---- */

/* An output made of segments is written as a single segment, whose frame sizes can be read. */
static void redirect(FilmOutput *out, const Benchmark *b, size_t index, const FrameRanges *frames)
{
    out->options.film_file = out->options.file;
    if (out->kind->segments) {
        out->options.file = arena_printf(b->arena, "%s/%zu.%s", b->directory.path, index,
                                         out->kind->segments->extension);
        out->kind = out->kind->segments->kind;
        out->options.video.gop = RUN_FRAMES;
    } else if (out->kind == &sink_png) {
        out->options.file = arena_printf(b->arena, "%s/%zu-%%08d.png", b->directory.path, index);
    } else if (out->kind != &sink_null) {
        out->options.file = arena_printf(b->arena, "%s/%zu.%s", b->directory.path, index,
                                         path_extension(out->options.file));
    }
    out->options.contents.sound = (SinkSound){0};
    out->options.first_frame = frames->items[0].first;
    out->options.frame_count = (int64_t)frames->count;
}

/* Samples `length` frames from each of the frame indices in `starts`. */
static void select_frames(Benchmark *b, const int64_t *starts, size_t runs, int64_t length)
{
    const Film *film = b->film;
    FrameRanges frames = {arena_array(b->arena, FrameRange, runs * (size_t)length), 0};
    for (size_t i = 0; i < runs; i++)
        for (int64_t p = starts[i]; p < starts[i] + length; p++) {
            const int64_t frame = film_frame_at(film, p);
            frames.items[frames.count++] = (FrameRange){frame, frame};
        }
    FilmOutput *outputs =
        arena_copy(b->arena, film->outputs, film->output_count * sizeof *film->outputs);
    for (size_t i = 0; i < film->output_count; i++)
        redirect(&outputs[i], b, i, &frames);
    b->sample = film_part(film, &film->render, frames, outputs, film->output_count);
    film_part_alone(&b->sample);
}

static bool render(RenderReport *report, Benchmark *b, Progress *progress,
                   const volatile sig_atomic_t *stop, Diag *diag)
{
    const FrameLoopOptions options = {.auxiliary = true, .workers = 1};
    return frame_loop_run(report, &b->sample, NULL, (FilmSpan){0, b->sample.frame_count}, &options,
                          progress, stop, diag);
}

/* ---- evaluation of the measurements ---- */

static double mean(const SinkRecord *records, size_t first, size_t count, size_t step)
{
    double sum = 0;
    size_t n = 0;
    for (size_t i = first; i < count; i += step, n++)
        sum += (double)records[i].bytes;
    return n ? sum / (double)n : 0;
}

/* Mean bytes per frame with the key frame interval of the film, which the sample does not have. */
static double frame_bytes(const Benchmark *b, size_t index)
{
    const FilmOutput *out = &b->sample.outputs[index], *planned = &b->film->outputs[index];
    const size_t count = (size_t)b->sample.frame_count;
    SinkRecord *records = arena_array(b->arena, SinkRecord, count);
    struct stat st;
    if (planned->kind->segments) {
        if (!planned->kind->segments->inspect(records, count, out->options.file))
            return 0;
        const double key = mean(records, 0, count, RUN_FRAMES), total = mean(records, 0, count, 1);
        const double rest =
            count > RUN_FRAMES ? (total * RUN_FRAMES - key) / (RUN_FRAMES - 1) : total;
        const double gop = sink_gop(&planned->options);
        return (key + (gop - 1) * rest) / gop;
    }
    for (size_t i = 0; planned->kind->inspect && i < count; i++)
        planned->kind->inspect(&records[i], &out->options, b->sample.frames.items[i].first);
    if (planned->kind->inspect)
        return mean(records, 0, count, 1);
    return stat(out->options.file, &st) == 0 ? (double)st.st_size / (double)count : 0;
}

static void fill_estimate(FrameEstimate *frame, const Benchmark *b, const RenderReport *first,
                          const RenderReport *total, double load_s)
{
    const FrameRanges *frames = &b->sample.frames;
    double evaluated = 0;
    for (size_t i = 0; i < b->film->scene_count && film_is_simulated(b->film); i++)
        evaluated += film_simulated_frames(&b->sample, i, frames);
    if (evaluated <= 0)
        evaluated = (double)frames->count;
    const double further = (double)(total->frames - first->frames);
    const double total_s = frame_times_draw_s(&total->times) + total->times.s[STAGE_WRITE];
    const double first_s = frame_times_draw_s(&first->times) + first->times.s[STAGE_WRITE];
    *frame = (FrameEstimate){.measured = true,
                             .start_s = load_s + first->wall_s,
                             .evaluate_s = total->times.s[STAGE_EVALUATE] / evaluated,
                             .draw_s = further > 0 ? (total_s - first_s) / further : total_s,
                             .encode_s = total->times.s[STAGE_ENCODE] / (double)total->frames};
    if (frame->draw_s <= 0) /* the difference is below the noise */
        frame->draw_s = total_s / (double)total->frames;
    for (size_t i = 0; i < b->film->output_count && i < JOB_MAX_OUTPUTS; i++)
        frame->bytes[i] = frame_bytes(b, i);
}

bool benchmark_run(FrameEstimate *frame, const Film *film, double load_s, Progress *progress,
                   const volatile sig_atomic_t *stop, Diag *diag)
{
    const int64_t count = film->frame_count;
    const bool is_short = count < (int64_t)SAMPLE_RUNS * RUN_FRAMES;
    const int64_t starts[SAMPLE_RUNS] = {0, (count - RUN_FRAMES) / 2, count - RUN_FRAMES};
    Benchmark *b = memory_alloc(1, sizeof *b);
    RenderReport first, total;
    b->film = film;
    b->arena = arena_create();
    bool ok = scratch_directory_make(&b->directory, diag);
    if (ok) {
        select_frames(b, starts, 1, 1);
        ok = render(&first, b, progress, stop, diag);
    }
    if (ok) {
        select_frames(b, starts, is_short ? 1 : SAMPLE_RUNS, is_short ? count : RUN_FRAMES);
        ok = render(&total, b, progress, stop, diag);
    }
    if (ok)
        fill_estimate(frame, b, &first, &total, load_s);
    scratch_directory_remove(&b->directory);
    arena_destroy(b->arena);
    memory_free(b);
    return ok;
}
