// SPDX-License-Identifier: MIT
#include "inspect/plot.h"

#include <math.h>

#include "base/units.h"

enum { STEPS = 48, VIEW_DIRECTIONS = 32, MAX_PANELS = 10 };

typedef struct Sheet {
    CameraSpline chosen, cubic;
    double last; /* frame */
    ChartPanel panels[MAX_PANELS];
    size_t count;
    Arena *arena;
} Sheet;

typedef ARENA_LIST(ChartPoint) Points;

static const ChartPoint GAP = {(double)NAN, (double)NAN};

/* One channel of a spline against another, or against time in seconds if x is NULL; interrupted at
 * discontinuities (cuts). */
static Points trace(const Spline *x, const Spline *y, double scale, Arena *arena)
{
    Points points = {0};
    for (uint32_t i = 0; i < y->count; i++) {
        const SplineSegment *s = &y->segments[i];
        for (int k = 0; k <= STEPS; k++) {
            const double t = (double)k / STEPS;
            *arena_push(arena, &points) =
                (ChartPoint){x ? spline_value(&x->segments[i], t).value
                               : (s->t0 + t * (s->t1 - s->t0)) / MOTION_FPS,
                             spline_value(s, t).value * scale};
        }
        const bool jumps = i + 1 < y->count && s->p3 != y->segments[i + 1].p0;
        if (jumps || (x && i + 1 < x->count && x->segments[i].p3 != x->segments[i + 1].p0))
            *arena_push(arena, &points) = GAP;
    }
    return points;
}

static Points key_dots(const Spline *x, const Spline *y, double scale, Arena *arena)
{
    Points points = {0};
    for (uint32_t i = 0; i < y->count; i++)
        *arena_push(arena, &points) = (ChartPoint){
            x ? x->segments[i].p0 : y->segments[i].t0 / MOTION_FPS, y->segments[i].p0 * scale};
    return points;
}

static ChartLine *add_line(ChartPanel *panel, Points points, const char *label, ChartColor color,
                           double width)
{
    ChartLine *line = &panel->lines[panel->line_count++];
    *line = (ChartLine){points.items, points.count, label, color, width, false};
    return line;
}

/* ---- channels over time ---- */

static void add_weights(ChartPanel *panel, const Spline *spline, Arena *arena)
{
    ChartNote *notes = arena_array(arena, ChartNote, spline->count);
    for (uint32_t i = 0; i < spline->count; i++) {
        const SplineSegment *s = &spline->segments[i];
        const bool moves = s->p0 != s->p3 || s->v0 != 0 || s->v1 != 0;
        if (s->t1 > s->t0 && moves)
            notes[panel->note_count++] = (ChartNote){(s->t0 + s->t1) / 2 / MOTION_FPS,
                                                     arena_printf(arena, "w %.1f", s->weight)};
    }
    panel->notes = notes;
}

static void add_channel(Sheet *sheet, const char *title, const char *unit, const Spline *chosen,
                        const Spline *cubic, double scale)
{
    ChartPanel *panel = &sheet->panels[sheet->count++];
    *panel = (ChartPanel){.title = title, .x_name = "time (s)", .y_name = unit};
    add_line(panel, trace(NULL, cubic, scale, sheet->arena), "w = 1", CHART_ORANGE, 1.2)->dashed =
        true;
    add_line(panel, trace(NULL, chosen, scale, sheet->arena), "chosen w", CHART_BLUE, 1.8);
    add_line(panel, key_dots(NULL, chosen, scale, sheet->arena), "key points", CHART_RED, 0);
    add_weights(panel, chosen, sheet->arena);
}

/* ---- maps ---- */

/* View direction at equally spaced times: short lines from the eye. */
static Points view_directions(const Sheet *sheet, int across, int up)
{
    Points points = {0};
    const double size = 4; /* MMD units */
    for (int i = 0; i <= VIEW_DIRECTIONS; i++) {
        const CameraState camera =
            camera_spline_at(&sheet->chosen, sheet->last * i / VIEW_DIRECTIONS);
        const CameraAxes axes = camera_axes(&camera);
        const double x = (double)axes.eye[across], y = (double)axes.eye[up];
        *arena_push(sheet->arena, &points) = (ChartPoint){x, y};
        *arena_push(sheet->arena, &points) = (ChartPoint){x + size * (double)axes.forward[across],
                                                          y + size * (double)axes.forward[up]};
        *arena_push(sheet->arena, &points) = GAP;
    }
    return points;
}

static void add_map(Sheet *sheet, const char *title, const char *x_name, const char *y_name,
                    int across, int up)
{
    const CameraSpline *chosen = &sheet->chosen, *cubic = &sheet->cubic;
    Arena *arena = sheet->arena;
    ChartPanel *panel = &sheet->panels[sheet->count++];
    *panel = (ChartPanel){.title = title, .x_name = x_name, .y_name = y_name, .map = true};
    add_line(panel, view_directions(sheet, across, up), "view", CHART_GREY, 1);
    add_line(panel, trace(&chosen->target[across], &chosen->target[up], 1, arena), "target",
             CHART_GREEN, 1.5);
    add_line(panel, trace(&cubic->eye[across], &cubic->eye[up], 1, arena), "eye, w = 1",
             CHART_ORANGE, 1.2)
        ->dashed = true;
    add_line(panel, trace(&chosen->eye[across], &chosen->eye[up], 1, arena), "eye, chosen w",
             CHART_BLUE, 1.8);
    add_line(panel, key_dots(&chosen->eye[across], &chosen->eye[up], 1, arena), "key points",
             CHART_RED, 0);
}

/* ---- chart ---- */

static void fill_sheet(Sheet *sheet)
{
    static const char *const eyes[] = {"eye x", "eye y", "eye z"};
    static const char *const targets[] = {"target x", "target y", "target z"};
    const CameraSpline *chosen = &sheet->chosen, *cubic = &sheet->cubic;

    add_map(sheet, "from above", "x (MMD units)", "z (MMD units)", 0, 2);
    add_map(sheet, "from the side", "z (MMD units)", "y (MMD units)", 2, 1);
    for (int i = 0; i < 3; i++) {
        add_channel(sheet, eyes[i], "MMD units", &chosen->eye[i], &cubic->eye[i], 1);
        add_channel(sheet, targets[i], "MMD units", &chosen->target[i], &cubic->target[i], 1);
    }
    add_channel(sheet, "angle of view", "degrees", &chosen->fov_deg, &cubic->fov_deg, 1);
    if (chosen->orientation == SPLINE_TURNS_AXES)
        add_channel(sheet, "rotation", "degrees", &chosen->turn, &cubic->turn, DEGREES);
    else
        add_channel(sheet, "roll", "degrees", &chosen->roll, &cubic->roll, DEGREES);
}

bool plot_camera(Chart *out, const Job *job, Arena *arena, Diag *diag)
{
    const CameraSpec *camera = &job->camera;
    const uint32_t count = (uint32_t)camera->path_count;
    if (!count)
        return diag_fail(diag, DIAG_USAGE, "%s: no camera.path to plot; --bone NAME plots a bone",
                         job->file);

    Sheet *sheet = arena_alloc(arena, sizeof *sheet);
    sheet->arena = arena;
    sheet->last = point_frame(camera->path[count - 1].time_s, camera->path[count - 1].frame);
    sheet->chosen = camera_spline_bind(camera->path, count, camera->orientation, arena);
    sheet->cubic = camera_spline_cubic(&sheet->chosen, arena);
    fill_sheet(sheet);
    *out = (Chart){.title = arena_printf(arena, "%s: camera path", job->name),
                   .caption = "rational Bezier curves with the chosen weight w, and the ordinary "
                              "cubic (w = 1)",
                   .panels = sheet->panels,
                   .count = sheet->count,
                   .columns = 2};
    return true;
}
