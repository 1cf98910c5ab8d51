// SPDX-License-Identifier: MIT
#include "inspect/plan.h"

#include <inttypes.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/path.h"
#include "base/text_escape.h"
#include "film/film_images.h"
#include "film/film_scenes.h"
#include "film/frame_ranges.h"
#include "inspect/resource_estimate.h"
#include "inspect/scratch_directory.h"
#include "run/checkpoint/checkpoint_reuse.h"
#include "run/checkpoint/fingerprint.h"
#include "run/pipeline/bake_run.h"
#include "run/pipeline/frame_loop.h"
#include "run/pipeline/picture_digest.h"

/* ---- measuring a sample of the film ---- */

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

/*
 * load_s   duration of film_load in seconds
 * returns  false after an error was reported, or without an error if *stop became non-zero
 */
static bool benchmark_run(FrameEstimate *frame, const Film *film, double load_s, Progress *progress,
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

/* ---- the results ---- */

static const ResultField MemoryEstimate_fields[] = {
    MEMBER(MemoryEstimate, main, "the job with its assets, and evaluation", .unit = "bytes"),
    MEMBER(MemoryEstimate, shared, "renderer that workers share; 0 if each has its own",
           .unit = "bytes"),
    MEMBER(MemoryEstimate, worker, "each worker, without what they share", .unit = "bytes"),
    MEMBER(MemoryEstimate, encoder, "process of the encoder; 0 if there is none", .unit = "bytes"),
    MEMBER(MemoryEstimate, ring, "frames between the processes", .unit = "bytes"),
    MEMBER(MemoryEstimate, peak, "sum of all processes", .unit = "bytes"),
};
RESULT(MemoryEstimate, "memory at most");

static const ResultField DiskEstimate_fields[] = {
    MEMBER(DiskEstimate, outputs, "outputs and previews", .unit = "bytes"),
    MEMBER(DiskEstimate, state, "largest size of the checkpoint directory", .unit = "bytes"),
};
RESULT(DiskEstimate, "space on disk");

typedef struct PlanTime {
    FrameEstimate frame;
    double total_s; /* of a run */
} PlanTime;

static const ResultField PlanTime_fields[] = {
    MEMBER_NAMED(PlanTime, frame.measured, "measured", "a sample was rendered"),
    MEMBER_NAMED(PlanTime, frame.start_s, "start_s", "start of a run", .unit = "seconds"),
    MEMBER_NAMED(PlanTime, frame.evaluate_s, "evaluate_s",
                 "evaluation of a frame, in the main process", .unit = "seconds"),
    MEMBER_NAMED(PlanTime, frame.draw_s, "draw_s", "drawing of a frame, in a worker",
                 .unit = "seconds"),
    MEMBER_NAMED(PlanTime, frame.encode_s, "encode_s", "encoding of a frame, all outputs",
                 .unit = "seconds"),
    MEMBER(PlanTime, total_s, "duration of a run", .unit = "seconds"),
};
RESULT(PlanTime, "time, of a core of 3 GHz if it is not measured");

typedef struct PlanOutput {
    const char *file, *kind;
    double frame_bytes;
} PlanOutput;

static const ResultField PlanOutput_fields[] = {
    MEMBER(PlanOutput, file, "file, or a pattern for a file per frame"),
    MEMBER(PlanOutput, kind, "kind of output"),
    MEMBER(PlanOutput, frame_bytes, "size per frame; 0 if it is not known", .unit = "bytes"),
};
RESULT(PlanOutput, "an output");

typedef struct PlanShard {
    int shard;
    int64_t frames;
    FrameRanges ranges;
    double total_s;
} PlanShard;

static const ResultField PlanShard_fields[] = {
    MEMBER(PlanShard, shard, "number of the shard, from 1 on"),
    MEMBER(PlanShard, frames, "number of its frames"),
    MEMBER(PlanShard, ranges, "its frames"),
    MEMBER(PlanShard, total_s, "duration of its run", .unit = "seconds"),
};
RESULT(PlanShard, "a shard");

static const ResultField OptionSetting_fields[] = {
    MEMBER(OptionSetting, key, "dotted key"),
    MEMBER(OptionSetting, value, "value in YAML"),
    MEMBER(OptionSetting, source, "where it is set: place in a file, flag or variable"),
};
RESULT(OptionSetting, "a value that differs from its default");

typedef struct Plan {
    const char *job;
    int64_t frames, segments, segment_frames;
    FrameRanges ranges, drawn_ranges;
    int64_t drawn;
    const char *drawn_why;
    double fps, seconds;
    int size[2];
    SceneSpan *scenes;
    size_t scene_count;
    Digest digest, bake;
    int workers;
    MemoryEstimate memory;
    DiskEstimate disk;
    PlanTime time;
    PlanOutput *outputs;
    size_t output_count;
    int max_shards;
    PlanShard *shards;
    size_t shard_count;
    OptionSetting *values;
    size_t value_count;
} Plan;

static const ResultField Plan_fields[] = {
    MEMBER(Plan, job, "name of the job"),
    MEMBER(Plan, frames, "number of frames"),
    MEMBER(Plan, ranges, "output frames"),
    MEMBER(Plan, drawn, "number of frames that a run draws, the others are there already"),
    MEMBER(Plan, drawn_ranges, "these frames"),
    MEMBER(Plan, drawn_why, "how the job differs from the one that was rendered", .nullable = true),
    MEMBER(Plan, fps, "frame rate", .unit = "frames per second"),
    MEMBER(Plan, seconds, "duration of the film", .unit = "seconds"),
    MEMBER_ARRAY(Plan, size, "width and height", .unit = "pixels"),
    MEMBER(Plan, segments, "segments that are rendered and stored together"),
    MEMBER(Plan, segment_frames, "frames of a segment"),
    MEMBER_LIST(Plan, scenes, scene_count, SceneSpan, "scenes of the film"),
    MEMBER(Plan, digest, "fingerprint of the job: of frames, encoding and sound"),
    MEMBER(Plan, bake, "fingerprint of the evaluated frames"),
    MEMBER(Plan, workers, "processes that render"),
    MEMBER_RECORD(Plan, memory, MemoryEstimate, "estimated memory"),
    MEMBER_RECORD(Plan, disk, DiskEstimate, "estimated space on disk"),
    MEMBER_RECORD(Plan, time, PlanTime, "estimated or measured time"),
    MEMBER_LIST(Plan, outputs, output_count, PlanOutput, "outputs of the job"),
    MEMBER(Plan, max_shards, "recommended maximum of shards"),
    MEMBER_LIST(Plan, shards, shard_count, PlanShard, "shards, with --shards"),
    MEMBER_LIST(Plan, values, value_count, OptionSetting, "values that are not the default"),
};
const ResultTable plan_result = RESULT_TABLE(Plan, "work and estimated cost of a job");

/* ---- as text ---- */

static const char *size_text(uint64_t bytes, Arena *arena)
{
    const double mib = (double)bytes / (1 << 20);
    return mib >= 1024 ? arena_printf(arena, "%.1f GiB", mib / 1024)
                       : arena_printf(arena, mib < 10 ? "%.1f MiB" : "%.0f MiB", mib);
}

static const char *duration_text(double s, Arena *arena)
{
    const int64_t rounded = (int64_t)(s + 0.5);
    if (s < 10)
        return arena_printf(arena, "%.1f s", s);
    if (rounded < 60)
        return arena_printf(arena, "%" PRId64 " s", rounded);
    if (rounded < 3600)
        return arena_printf(arena, "%" PRId64 " min %02" PRId64 " s", rounded / 60, rounded % 60);
    return arena_printf(arena, "%" PRId64 " h %02" PRId64 " min", rounded / 3600,
                        rounded / 60 % 60);
}

static void write_film(FILE *out, const Plan *plan, const Film *film, Arena *arena)
{
    text_printf(out, "%s: %s of %dx%d, %.2f s at %.10g frames/s\n", plan->job,
                text_frames(plan->frames).text, plan->size[0], plan->size[1], plan->seconds,
                plan->fps);
    fputs("  frames   ", out);
    frame_ranges_write(out, &plan->ranges);
    fprintf(out, " in %" PRId64 " segment%s of %" PRId64 "\n", plan->segments,
            plan->segments == 1 ? "" : "s", plan->segment_frames);
    if (plan->drawn < plan->frames || plan->drawn_why) {
        fprintf(out, "  drawn    %" PRId64 " of %s", plan->drawn, text_frames(plan->frames).text);
        text_printf(out, "%s%s%s%s\n", plan->drawn ? ", " : "",
                    plan->drawn ? frame_ranges_text(&plan->drawn_ranges, arena) : "",
                    plan->drawn_why ? ": " : "", plan->drawn_why ? plan->drawn_why : "");
    }
    for (size_t i = 0; film->scene_count > 1 && i < film->scene_count; i++)
        fprintf(out, "  scene %zu  %s\n", i + 1, film_scene_text(film, i, arena));
    for (size_t i = 0; i < plan->output_count; i++) {
        text_printf(out, "  output   %s, %s", plan->outputs[i].file, plan->outputs[i].kind);
        if (plan->outputs[i].frame_bytes > 0)
            fprintf(out, ", about %.0f bytes per frame", plan->outputs[i].frame_bytes);
        fputc('\n', out);
    }
}

static void write_costs(FILE *out, const Plan *plan, Arena *arena)
{
    const MemoryEstimate *m = &plan->memory;
    const FrameEstimate *f = &plan->time.frame;
    const char *plural = plan->workers == 1 ? "" : "s";
    fprintf(out, "  memory   %s at most: main %s, %d worker%s of %s", size_text(m->peak, arena),
            size_text(m->main, arena), plan->workers, plural, size_text(m->worker, arena));
    if (m->shared)
        fprintf(out, ", shared by them %s", size_text(m->shared, arena));
    if (m->encoder)
        fprintf(out, ", encoder %s", size_text(m->encoder, arena));
    fprintf(out, ", frame buffers %s\n", size_text(m->ring, arena));
    fprintf(out, "  disk     about %s for outputs, and up to %s of temporary segments\n",
            size_text(plan->disk.outputs, arena), size_text(plan->disk.state, arena));
    fprintf(out,
            "  time     %s %s with %d worker%s: start-up %.1f s; per frame %.1f ms to evaluate, "
            "%.1f ms to render, %.1f ms to encode\n",
            f->measured ? "about" : "roughly", duration_text(plan->time.total_s, arena),
            plan->workers, plural, f->start_s, f->evaluate_s * 1e3, f->draw_s * 1e3,
            f->encode_s * 1e3);
}

static void write_text(FILE *out, const Plan *plan, const Film *film, Arena *arena)
{
    char digest[DIGEST_TEXT_SIZE], bake[DIGEST_TEXT_SIZE];
    digest_text(digest, &plan->digest);
    digest_text(bake, &plan->bake);
    write_film(out, plan, film, arena);
    write_costs(out, plan, arena);

    fprintf(out, "  shards   at most %d recommended\n", plan->max_shards);
    for (size_t i = 0; i < plan->shard_count; i++) {
        const PlanShard *shard = &plan->shards[i];
        fprintf(out, "  %5d/%-3zu", shard->shard, plan->shard_count);
        if (!shard->frames) {
            fputs("no segment\n", out);
            continue;
        }
        frame_ranges_write(out, &shard->ranges);
        fprintf(out, ", %s\n", text_frames(shard->frames).text);
    }
    fprintf(out, "  digest   %s\n  bake     %s\n", digest, bake);

    fputs("  values that differ from their default, with their sources\n", out);
    for (size_t i = 0; i < plan->value_count; i++)
        text_printf(out, "    %s: %s    (%s)\n", plan->values[i].key, plan->values[i].value,
                    plan->values[i].source);
}

/* ---- the plan ---- */

static void list_outputs(Plan *plan, const Film *film, Arena *arena)
{
    plan->output_count = film->output_count;
    plan->outputs = arena_array(arena, PlanOutput, film->output_count);
    for (size_t i = 0; i < film->output_count; i++)
        plan->outputs[i] = (PlanOutput){.file = film->outputs[i].options.file,
                                        .kind = film->outputs[i].kind->name,
                                        .frame_bytes = plan->time.frame.bytes[i]};
}

static void list_shards(Plan *plan, const Film *film, int count, Arena *arena)
{
    plan->shard_count = (size_t)count;
    plan->shards = arena_array(arena, PlanShard, plan->shard_count);
    for (int i = 1; i <= count; i++) {
        const FilmSpan span = film_shard_span(film, (FilmShard){i, count});
        const int64_t length = span.end - span.first;
        plan->shards[i - 1] = (PlanShard){
            .shard = i,
            .frames = length,
            .ranges = frame_ranges_of_span(film, span, arena),
            .total_s = estimate_seconds(&plan->time.frame, span.first, length, plan->workers)};
    }
}

/* workers_from: source of the number of workers; NULL: the job */
static void list_values(Plan *plan, const Job *job, const char *workers_from, Arena *arena)
{
    plan->values = arena_array(arena, OptionSetting, job->value_count + 1);
    for (size_t i = 0; i < job->value_count; i++)
        plan->values[plan->value_count++] = job->values[i];
    if (workers_from)
        plan->values[plan->value_count++] = (OptionSetting){
            "render.workers", arena_printf(arena, "%d", plan->workers), workers_from};
}

/* Completes a plan of which perhaps the measured time of a frame is known. */
static bool fill_plan(Plan *plan, const Film *film, int shards, size_t loaded, Progress *progress,
                      const volatile sig_atomic_t *stop, Arena *arena, Diag *diag)
{
    const Job *job = film->job;
    const Rational fps = job->render.fps;
    const bool history = job->effects.history;
    const char *workers_from;
    FrameEstimate frame = plan->time.frame;
    BakeInfo info;
    Fingerprint fingerprint;
    PictureEvaluation evaluation = {.progress = progress, .stop = stop};
    const CheckpointOptions options = {
        .identify = picture_digest_all, .user = &evaluation, .stop = stop};
    DrawForecast forecast;
    if (!bake_info(&info, film, diag) || !fingerprint_make(&fingerprint, film, NULL, arena, diag) ||
        !checkpoint_forecast(&forecast, film, &fingerprint, &options, arena, diag))
        return false;
    if (!frame.measured)
        frame = estimate_frame(film);
    const int workers = film_workers(film, film->frame_count, &workers_from);
    /* The processes of effects.history draw the same frames. */
    const double total_s =
        estimate_seconds(&frame, estimate_before(film), film->frame_count, history ? 1 : workers);
    *plan = (Plan){.job = job->name,
                   .frames = film->frame_count,
                   .ranges = film->frames,
                   .drawn_ranges = forecast.drawn,
                   .drawn = forecast.count,
                   .drawn_why = forecast.why,
                   .fps = (double)fps.num / fps.den,
                   .seconds = (double)film->frame_count * fps.den / fps.num,
                   .size = {film->render.width, film->render.height},
                   .segments = film_segment_count(film),
                   .segment_frames = film->segment_frames,
                   .scenes = film_scene_spans(film, arena),
                   .scene_count = film->scene_count,
                   .digest = fingerprint.digest,
                   .bake = info.digest,
                   .workers = workers,
                   .memory = estimate_memory(film, loaded, workers),
                   .disk = estimate_disk(film, &frame),
                   .time = {frame, total_s},
                   .max_shards = estimate_shards(film, &frame, workers)};
    list_outputs(plan, film, arena);
    list_shards(plan, film, shards, arena);
    list_values(plan, job, workers_from, arena);
    return estimate_warn(film, &frame, diag);
}

bool plan_write(FILE *out, const Job *job, const PlanOptions *options, Progress *progress,
                const volatile sig_atomic_t *stop, Diag *diag)
{
    const double start_s = clock_monotonic_s();
    Arena *arena = arena_create(), *scratch = arena_create();
    Film film;
    Plan plan = {.frames = 0};
    bool good = film_load(&film, job, arena, diag);
    const size_t loaded = arena_bytes(arena);
    if (good && options->measure)
        good = benchmark_run(&plan.time.frame, &film, clock_monotonic_s() - start_s, progress, stop,
                             diag);
    good = good && fill_plan(&plan, &film, options->shards, loaded, progress, stop, scratch, diag);
    if (good && options->json)
        result_print(out, &plan_result, &plan);
    else if (good)
        write_text(out, &plan, &film, scratch);
    arena_destroy(scratch);
    arena_destroy(arena);
    return good;
}
