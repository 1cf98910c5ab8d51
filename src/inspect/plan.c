// SPDX-License-Identifier: MIT
#include "inspect/plan.h"

#include <inttypes.h>

#include "base/clock.h"
#include "base/cpu_quota.h"
#include "base/json.h"
#include "base/text_escape.h"
#include "film/film_scenes.h"
#include "film/frame_ranges.h"
#include "inspect/benchmark_run.h"
#include "job/job_scene.h"
#include "run/checkpoint/fingerprint.h"
#include "run/pipeline/bake_run.h"

typedef struct Plan {
    const Film *film;
    const PlanOptions *options;
    int workers;
    const char *workers_from; /* source of the number of workers; NULL: the job */
    MemoryEstimate memory;
    FrameEstimate frame;
    DiskEstimate disk;
    double seconds; /* duration of a run */
    int max_shards;
    char bake[DIGEST_TEXT_SIZE], digest[DIGEST_TEXT_SIZE];
} Plan;

static double film_duration_s(const Film *film)
{
    const Rational fps = film->job->render.fps;
    return (double)film->frame_count * fps.den / fps.num;
}

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

static void write_film(FILE *out, const Plan *plan, Arena *arena)
{
    const Film *film = plan->film;
    const int64_t segments = film_segment_count(film);
    const Rational fps = film->job->render.fps;
    text_printf(out, "%s: %s of %dx%d, %.2f s at %.10g frames/s\n", film->job->name,
                text_frames(film->frame_count).text, film->render.width, film->render.height,
                film_duration_s(film), (double)fps.num / fps.den);
    fputs("  frames   ", out);
    frame_ranges_write(out, &film->frames);
    fprintf(out, " in %" PRId64 " segment%s of %" PRId64 "\n", segments, segments == 1 ? "" : "s",
            film->segment_frames);
    for (size_t i = 0; film->scene_count > 1 && i < film->scene_count; i++)
        fprintf(out, "  scene %zu  %s\n", i + 1, film_scene_text(film, i, arena));
    for (size_t i = 0; i < film->output_count; i++) {
        text_printf(out, "  output   %s, %s", film->outputs[i].options.file,
                    film->outputs[i].kind->name);
        if (i < JOB_MAX_OUTPUTS && plan->frame.bytes[i] > 0)
            fprintf(out, ", about %.0f bytes per frame", plan->frame.bytes[i]);
        fputc('\n', out);
    }
}

static void write_costs(FILE *out, const Plan *plan, Arena *arena)
{
    const MemoryEstimate *m = &plan->memory;
    const FrameEstimate *f = &plan->frame;
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
            f->measured ? "about" : "roughly", duration_text(plan->seconds, arena), plan->workers,
            plural, f->start_s, f->evaluate_s * 1e3, f->draw_s * 1e3, f->encode_s * 1e3);
}

static void write_text(FILE *out, const Plan *plan, Arena *arena)
{
    const Job *job = plan->film->job;
    const int count = plan->options->shards;
    write_film(out, plan, arena);
    write_costs(out, plan, arena);

    fprintf(out, "  shards   at most %d recommended\n", plan->max_shards);
    for (int i = 1; i <= count; i++) {
        const FilmSpan span = film_shard_span(plan->film, (FilmShard){i, count});
        const FrameRanges frames = frame_ranges_of_span(plan->film, span, arena);
        fprintf(out, "  %5d/%-3d", i, count);
        if (span.first == span.end) {
            fputs("no segment\n", out);
            continue;
        }
        frame_ranges_write(out, &frames);
        fprintf(out, ", %s\n", text_frames(span.end - span.first).text);
    }
    fprintf(out, "  digest   %s\n  bake     %s\n", plan->digest, plan->bake);

    fputs("  values that differ from their default, with their sources\n", out);
    for (size_t i = 0; i < job->value_count; i++)
        text_printf(out, "    %s: %s    (%s)\n", job->values[i].key, job->values[i].value,
                    job->values[i].source);
    if (plan->workers_from)
        text_printf(out, "    render.workers: %d    (%s)\n", plan->workers, plan->workers_from);
}

/* ---- as JSON ---- */

static void write_film_json(Json *json, const Plan *plan)
{
    const Film *film = plan->film;
    const Rational fps = film->job->render.fps;
    json_print(json, "job:%s frames:%jd", film->job->name, film->frame_count);
    frame_ranges_write_json(json, "ranges", &film->frames);
    json_print(json, "fps:%g seconds:%g size:[%d, %d] segments:%jd segment_frames:%jd",
               (double)fps.num / fps.den, film_duration_s(film), film->render.width,
               film->render.height, film_segment_count(film), film->segment_frames);
    if (film->scene_count > 1)
        film_scenes_write_json(json, film);
    json_print(json, "digest:%s bake:%s\n", plan->digest, plan->bake);
}

static void write_costs_json(Json *json, const Plan *plan)
{
    const MemoryEstimate *m = &plan->memory;
    const FrameEstimate *f = &plan->frame;
    json_print(json,
               "workers:%d memory:{main:%ju shared:%ju worker:%ju encoder:%ju ring:%ju peak:%ju} "
               "disk:{outputs:%ju state:%ju}\n",
               plan->workers, m->main, m->shared, m->worker, m->encoder, m->ring, m->peak,
               plan->disk.outputs, plan->disk.state);
    json_print(json,
               "time:{measured:%hhd start_s:%g evaluate_s:%g draw_s:%g encode_s:%g all_s:%g}\n"
               "outputs:[",
               f->measured, f->start_s, f->evaluate_s, f->draw_s, f->encode_s, plan->seconds);
    for (size_t i = 0; i < plan->film->output_count; i++) {
        const FilmOutput *output = &plan->film->outputs[i];
        json_print(json, "{file:%s kind:%s frame_bytes:%g}", output->options.file,
                   output->kind->name, f->bytes[i]);
    }
    json_print(json, "]\n");
}

static void write_shards_json(Json *json, const Plan *plan, Arena *arena)
{
    const int count = plan->options->shards;
    json_print(json, "worth_shards:%d shards:[", plan->max_shards);
    for (int i = 1; i <= count; i++) {
        const FilmSpan span = film_shard_span(plan->film, (FilmShard){i, count});
        const FrameRanges frames = frame_ranges_of_span(plan->film, span, arena);
        const int64_t length = span.end - span.first;
        json_print(json, "\n{shard:%d frames:%jd", i, length);
        frame_ranges_write_json(json, "ranges", &frames);
        json_print(json, "all_s:%g}",
                   estimate_seconds(&plan->frame, span.first, length, plan->workers));
    }
    json_print(json, "]\n");
}

static void write_json(FILE *out, const Plan *plan, Arena *arena)
{
    const Job *job = plan->film->job;
    Json json = json_init(out);
    json_print(&json, "{");
    write_film_json(&json, plan);
    write_costs_json(&json, plan);
    write_shards_json(&json, plan, arena);
    json_print(&json, "values:[");
    for (size_t i = 0; i < job->value_count; i++)
        json_print(&json, "\n{key:%s value:%s source:%s}", job->values[i].key, job->values[i].value,
                   job->values[i].source);
    if (plan->workers_from)
        json_print(&json, "\n{key:'render.workers' value:%s source:%s}",
                   arena_printf(arena, "%d", plan->workers), plan->workers_from);
    json_print(&json, "]}\n");
}

/* ---- the plan ---- */

/* Completes a plan of which the film and perhaps the measured time of a frame are known. */
static bool fill_plan(Plan *plan, size_t loaded, Arena *arena, Diag *diag)
{
    const Film *film = plan->film;
    const Job *job = film->job;
    const int cores = cpu_quota_cores_and_source(&plan->workers_from);
    const int requested = job->render.workers;
    BakeInfo info;
    Fingerprint fingerprint;
    if (!bake_info(&info, film, diag) || !fingerprint_make(&fingerprint, film, NULL, arena, diag))
        return false;
    digest_text(plan->digest, &fingerprint.digest);
    digest_text(plan->bake, &info.digest);

    plan->workers = job->effects.history ? film_workers(job) : requested > 0 ? requested : cores;
    if (requested > 0 || job->effects.history)
        plan->workers_from = NULL;
    plan->memory = estimate_memory(film, loaded, plan->workers);
    if (!plan->frame.measured)
        plan->frame = estimate_frame(film);
    plan->disk = estimate_disk(film, &plan->frame);
    /* The processes of effects.history draw the same frames. */
    plan->seconds = estimate_seconds(&plan->frame, estimate_before(film), film->frame_count,
                                     job->effects.history ? 1 : plan->workers);
    plan->max_shards = estimate_shards(film, &plan->frame, plan->workers);
    return estimate_warn(film, &plan->frame, diag);
}

bool plan_write(FILE *out, const Job *job, const PlanOptions *options, Progress *progress,
                const volatile sig_atomic_t *stop, Diag *diag)
{
    const double start_s = clock_monotonic_s();
    Arena *arena = arena_create(), *scratch = arena_create();
    Film film;
    Plan plan = {.film = &film, .options = options};
    bool good = film_load(&film, job, arena, diag);
    const size_t loaded = arena_bytes(arena);
    if (good && options->measure)
        good =
            benchmark_run(&plan.frame, &film, clock_monotonic_s() - start_s, progress, stop, diag);
    good = good && fill_plan(&plan, loaded, scratch, diag);
    if (good)
        (options->json ? write_json : write_text)(out, &plan, scratch);
    arena_destroy(scratch);
    arena_destroy(arena);
    return good;
}
