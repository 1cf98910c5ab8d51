// SPDX-License-Identifier: MIT
#include "inspect/plot.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "evaluate/frame.h"
#include "film/film.h"
#include "job/job_scene.h"
#include "math/rotation.h"
#include "record/option_read.h"

enum { MAX_RATES = CHART_MAX_LINES };

/* Position of the bone in each frame of a film of one rate. */
typedef struct Series {
    Rational fps;
    const Scene *scene;
    const char *label;
    size_t count;
    double *times;   /* [count] motion frames, 30/s */
    Vec3 *positions; /* [count] in world space, MMD units */
} Series;

typedef struct BonePlot {
    const Job *job;
    Scene scene;
    Scene traced; /* the same with motions that are not cleaned */
    bool cleaned; /* some are, and both are drawn */
    size_t model;
    uint32_t bone;
    double first, last; /* motion frames */
    Series series[MAX_RATES];
    size_t count;
    Arena *arena;
} BonePlot;

/* ---- options ---- */

static bool parse_rates(BonePlot *plot, const char *text, Diag *diag)
{
    const char *at = text;
    do {
        const size_t size = strcspn(at, ",");
        const char *word = arena_strndup(plot->arena, at, size);
        Series *series = &plot->series[plot->count];
        if (plot->count == MAX_RATES)
            return diag_fail(diag, DIAG_USAGE, "--fps: too many frame rates (at most %d)",
                             MAX_RATES);
        if (!option_parse_rate(&series->fps, word))
            return diag_fail(diag, DIAG_USAGE, "--fps: '%s' is not a frame rate", word);
        series->label = arena_printf(plot->arena, "%s frames/s", word);
        plot->count++;
        at += size;
    } while (*at++);
    return true;
}

static bool parse_range(BonePlot *plot, const char *text, Diag *diag)
{
    FrameRanges frames = {0};
    const Rational fps = plot->job->render.fps;
    plot->last = plot->scene.last_frame;
    if (!text)
        return true;
    if (!option_parse_frames(&frames, text, fps, plot->arena) || frames.count > 1)
        return diag_fail(diag, DIAG_USAGE,
                         "--frames: '%s' is not a range like 0-299, m0-m149 or 0s-5s", text);
    if (frames.count) {
        plot->first = film_time(plot->job, frames.items[0].first);
        if (frames.items[0].last != FRAME_RANGE_END)
            plot->last = film_time(plot->job, frames.items[0].last);
    }
    return film_check_motion_frame(&plot->scene, (double)plot->last, diag);
}

/* ---- evaluation ---- */

/* Each rate has its own evaluator, so that no state is shared between the series. */
static bool evaluate_series(BonePlot *plot, Series *series, Diag *diag)
{
    const double rate =
        series->fps.num / ((double)MOTION_FPS * series->fps.den); /* frames per motion frame */
    const int64_t first = (int64_t)ceil(plot->first * rate - 1e-6);
    const int64_t last = (int64_t)floor(plot->last * rate + 1e-6);
    Job job = *plot->job;
    job.render.fps = series->fps;

    FrameState *state = frame_state_create(series->scene, plot->arena);
    const ModelState *model = &state->models[plot->model];
    Evaluator *evaluator = film_evaluator(series->scene, &job, job.stop);
    bool good = true;
    series->count = last >= first ? (size_t)(last - first + 1) : 0;
    series->times = arena_array(plot->arena, double, series->count);
    series->positions = arena_array(plot->arena, Vec3, series->count);
    for (size_t i = 0; good && i < series->count; i++) {
        series->times[i] = film_time(&job, first + (int64_t)i);
        good = evaluate_frame(state, evaluator, series->scene, series->times[i]) ||
               evaluator_report(evaluator, series->times[i], diag);
        series->positions[i] =
            placement_point(&model->placement, vec3_load(model->bones[plot->bone].position));
    }
    evaluator_destroy(evaluator);
    return good;
}

/* ---- comparison of the rates ---- */

static const char *caption_text(const BonePlot *plot)
{
    size_t shared_times = 0;
    double max_distance = 0; /* MMD units */
    for (size_t n = 0; n < plot->count; n++)
        for (size_t m = n + 1; m < plot->count; m++) {
            const Series *a = &plot->series[n], *b = &plot->series[m];
            for (size_t i = 0, k = 0; i < a->count && k < b->count;) {
                const bool advance_a = a->times[i] <= b->times[k];
                if (a->times[i] == b->times[k]) {
                    const Vec3 difference = vec3_sub(a->positions[i], b->positions[k]);
                    max_distance = fmax(max_distance, vec3_length(difference));
                    shared_times++;
                }
                i += advance_a;
                k += !advance_a;
            }
        }
    if (plot->count < 2)
        return NULL;
    return arena_printf(plot->arena,
                        "largest distance at the %zu times that two %s share: %.3g MMD units",
                        shared_times, plot->cleaned ? "lines" : "rates", max_distance);
}

/* ---- chart ---- */

static double coordinate(const Series *series, size_t i, int number)
{
    const Vec3 p = series->positions[i];
    return number == 0   ? p.x
           : number == 1 ? p.y
           : number == 2 ? p.z
                         : series->times[i] / MOTION_FPS;
}

/* Later lines are thinner, so that earlier ones stay visible below them. */
static void add_panel(const BonePlot *plot, ChartPanel *panel, int across, int up)
{
    static const ChartColor order[] = {CHART_ORANGE, CHART_BLUE, CHART_GREEN, CHART_RED,
                                       CHART_GREY};
    const size_t colors = sizeof order / sizeof *order;
    for (size_t s = 0; s < plot->count; s++) {
        const Series *series = &plot->series[s];
        ChartPoint *points = arena_array(plot->arena, ChartPoint, series->count);
        for (size_t i = 0; i < series->count; i++)
            points[i] = (ChartPoint){coordinate(series, i, across), coordinate(series, i, up)};
        panel->lines[panel->line_count++] =
            (ChartLine){.points = points,
                        .count = series->count,
                        .label = series->label,
                        .color = order[s % colors],
                        .width = 1.2 + 2.6 * (double)(plot->count - 1 - s)};
    }
}

static Chart chart_of(const BonePlot *plot, const char *bone)
{
    enum { X, Y, Z, TIME };
    const struct {
        const char *title, *x_name, *y_name;
        int across, up;
        bool map;
    } rows[] = {
        {"from above", "x (MMD units)", "z (MMD units)", X, Z, true},
        {"from the side", "z (MMD units)", "y (MMD units)", Z, Y, true},
        {"x", "time (s)", "MMD units", TIME, X, false},
        {"y", "time (s)", "MMD units", TIME, Y, false},
        {"z", "time (s)", "MMD units", TIME, Z, false},
    };
    enum { COUNT = sizeof rows / sizeof *rows };
    ChartPanel *panels = arena_array(plot->arena, ChartPanel, COUNT);
    for (int i = 0; i < COUNT; i++) {
        panels[i] = (ChartPanel){.title = rows[i].title,
                                 .x_name = rows[i].x_name,
                                 .y_name = rows[i].y_name,
                                 .map = rows[i].map};
        add_panel(plot, &panels[i], rows[i].across, rows[i].up);
    }
    return (Chart){.title = arena_printf(plot->arena, "%s: %s of %s", plot->job->name, bone,
                                         plot->scene.models[plot->model].id),
                   .caption = caption_text(plot),
                   .panels = panels,
                   .count = COUNT,
                   .columns = 2};
}

/* ---- before and after a clean-up ---- */

/* The job without clean-ups of motions, in `spec`; false if it has none. */
static bool drop_cleaning(SceneSpec *spec, Arena *arena)
{
    ModelSpec *models = arena_copy(arena, spec->models, spec->model_count * sizeof *models);
    bool any = false;
    spec->models = models;
    for (size_t i = 0; i < spec->model_count; i++) {
        const size_t count = models[i].motion_count;
        MotionSpec *motions = arena_copy(arena, models[i].motions, count * sizeof *motions);
        models[i].motions = motions;
        for (size_t k = 0; k < count; k++) {
            any |= motions[k].clean != NULL;
            motions[k].clean = NULL;
        }
    }
    return any;
}

static bool add_traced(BonePlot *plot, SceneSpec *spec, Diag *diag)
{
    if (!drop_cleaning(spec, plot->arena))
        return true;
    Diag quiet = diag_quiet(); /* the same warnings again */
    if (!scene_load(&plot->traced, spec, plot->arena, &quiet))
        return diag_error(diag, "the motions cannot be loaded without clean");
    plot->cleaned = true;
    plot->count = 2;
    plot->series[1] = plot->series[0];
    plot->series[0].scene = &plot->traced;
    plot->series[0].label = "before clean";
    plot->series[1].label = "after clean";
    return true;
}

bool plot_bone(Chart *out, const Job *job, const PlotBoneOptions *options, Arena *arena, Diag *diag)
{
    BonePlot *plot = arena_alloc(arena, sizeof *plot);
    SceneSpec spec = job_scene_spec(job, false, arena);
    plot->job = job;
    plot->arena = arena;
    for (int i = 0; i < MAX_RATES; i++)
        plot->series[i] = (Series){.fps = job->render.fps, .scene = &plot->scene};

    const bool loaded = scene_load(&plot->scene, &spec, arena, diag);
    diag_file(diag, NULL);
    const int32_t found =
        loaded ? film_find_model(&plot->scene, job, options->model, arena, diag) : -1;
    if (found < 0)
        return false;
    plot->model = (size_t)found;
    const SceneModel *model = &plot->scene.models[plot->model];
    const PmxModel *pmx = &model->model->pmx;
    const int32_t bone = model_find_bone(model->model, options->bone);
    if (bone < 0)
        return diag_fail(
            diag, DIAG_USAGE, "model '%s' has no bone '%s'%s", model->id, options->bone,
            text_suggestion(options->bone, TEXT_NAMES(PmxBone, name, pmx->bones, pmx->bone_count),
                            arena));
    plot->bone = (uint32_t)bone;

    bool good = parse_range(plot, options->frames, diag);
    if (!options->fps) {
        plot->count = 1;
        good = good && add_traced(plot, &spec, diag);
    } else {
        good = good && parse_rates(plot, options->fps, diag);
    }
    for (size_t i = 0; good && i < plot->count; i++)
        good = evaluate_series(plot, &plot->series[i], diag);
    if (good)
        *out = chart_of(plot, options->bone);
    return good;
}
