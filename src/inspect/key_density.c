// SPDX-License-Identifier: MIT
#include "inspect/key_density.h"

#include <inttypes.h>
#include <string.h>

#include "base/units.h"
#include "scene/camera.h"

static void count_key(const KeyDensity *density, uint32_t *part, uint32_t frame)
{
    const size_t second = frame / MOTION_FPS;
    if (second >= density->seconds)
        return;
    if (part)
        part[second]++;
    density->all[second]++;
}

KeyDensity key_density_of(const VmdMotion *motion, Arena *arena)
{
    const size_t seconds = vmd_last_frame(motion) / MOTION_FPS + 1u;
    KeyDensity d = {.seconds = seconds < KEY_DENSITY_MAX ? seconds : KEY_DENSITY_MAX};
    d.bones = arena_array(arena, uint32_t, d.seconds);
    d.morphs = arena_array(arena, uint32_t, d.seconds);
    d.camera = arena_array(arena, uint32_t, d.seconds);
    d.all = arena_array(arena, uint32_t, d.seconds);
    for (uint32_t i = 0; i < motion->bone_key_count; i++)
        count_key(&d, d.bones, motion->bone_keys[i].frame);
    for (uint32_t i = 0; i < motion->morph_key_count; i++)
        count_key(&d, d.morphs, motion->morph_keys[i].frame);
    for (uint32_t i = 0; i < motion->camera_key_count; i++)
        count_key(&d, d.camera, motion->camera_keys[i].frame);
    for (uint32_t i = 0; i < motion->light_key_count; i++)
        count_key(&d, NULL, motion->light_keys[i].frame);
    for (uint32_t i = 0; i < motion->shadow_key_count; i++)
        count_key(&d, NULL, motion->shadow_keys[i].frame);
    for (uint32_t i = 0; i < motion->property_key_count; i++)
        count_key(&d, NULL, motion->property_keys[i].frame);
    return d;
}

/* ---- as text ---- */

static uint32_t largest_of(const uint32_t *values, size_t first, size_t end)
{
    uint32_t largest = 0;
    for (size_t i = first; i < end; i++)
        largest = values[i] > largest ? values[i] : largest;
    return largest;
}

void key_density_line(char *out, const uint32_t *values, size_t count, size_t columns)
{
    static const char *const blocks[] = {"·", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    const uint64_t top = largest_of(values, 0, count);
    const size_t used = count < columns ? count : columns;
    *out = '\0';
    for (size_t i = 0; i < used; i++) {
        const uint64_t value = largest_of(values, i * count / used, (i + 1) * count / used);
        const size_t height = top ? (size_t)((value * 8 + top - 1) / top) : 0;
        strcpy(out, blocks[height]);
        out += strlen(out);
    }
}

/* ---- as a chart ---- */

enum { MAX_NOTES = 60 }; /* more would overlap */

static ChartPanel keys_panel(const char *title, const uint32_t *values, size_t seconds,
                             ChartColor color, Arena *arena)
{
    ChartPoint *points = arena_array(arena, ChartPoint, seconds);
    for (size_t i = 0; i < seconds; i++)
        points[i] = (ChartPoint){(double)i, values[i]};
    return (ChartPanel){.title = title,
                        .x_name = "seconds",
                        .y_name = "keys per second",
                        .lines = {{points, seconds, NULL, color, 1.5, false}},
                        .line_count = 1};
}

/* "294 bone keys, 394 morph keys; made for 'NAME'; 59 of 72 bones fit Gene.pmx" */
static const char *caption_of(const VmdMotion *motion, const MotionFit *fit, const char *model,
                              Arena *arena)
{
    const struct {
        uint32_t count;
        const char *kind;
    } rows[] = {{motion->bone_key_count, "bone"},
                {motion->morph_key_count, "morph"},
                {motion->camera_key_count, "camera"}};
    const char *text = "";
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].count)
            text = arena_printf(arena, "%s%s%" PRIu32 " %s key%s", text, *text ? ", " : "",
                                rows[i].count, rows[i].kind, rows[i].count == 1 ? "" : "s");
    if (motion->model_name && *motion->model_name)
        text =
            arena_printf(arena, "%s%smade for '%s'", text, *text ? "; " : "", motion->model_name);
    return fit ? arena_printf(arena, "%s; %s fit %s", text, motion_fit_text(fit, arena), model)
               : text;
}

/* The keys with a mark at each cut (two keys on neighbouring frames), and the distance of the
 * camera from its target. */
static void add_camera_panels(ChartPanel panels[2], const VmdMotion *motion,
                              const KeyDensity *density, Arena *arena)
{
    const CameraTrack track = camera_bind(motion, (TimeMap){0, 1}, arena);
    ChartNote *notes = arena_array(arena, ChartNote, MAX_NOTES);
    ChartPoint *points = arena_array(arena, ChartPoint, track.key_count);
    const char *title = "Keys of the camera";
    size_t cuts = 0;
    for (uint32_t i = 0; i < track.key_count; i++) {
        const double time_s = track.frames[i] / (double)MOTION_FPS;
        points[i] = (ChartPoint){time_s, -(double)((const VmdCameraKey *)track.keys[i])->distance};
        if (i && track.frames[i] == track.frames[i - 1] + 1 && cuts++ < MAX_NOTES)
            notes[cuts - 1] = (ChartNote){time_s, "|"};
    }
    if (cuts)
        title =
            arena_printf(arena, "%s; %zu cut%s marked", title, cuts, cuts == 1 ? " is" : "s are");
    panels[0] = keys_panel(title, density->camera, density->seconds, CHART_GREEN, arena);
    panels[0].notes = notes;
    panels[0].note_count = cuts < MAX_NOTES ? cuts : MAX_NOTES;
    panels[1] = (ChartPanel){.title = "Distance of the camera from its target, at its keys",
                             .x_name = "seconds",
                             .y_name = "MMD units",
                             .lines = {{points, track.key_count, NULL, CHART_ORANGE, 1.5, false}},
                             .line_count = 1};
}

Chart key_density_chart(const char *title, const VmdMotion *motion, const MotionFit *fit,
                        const char *model, Arena *arena)
{
    const KeyDensity d = key_density_of(motion, arena);
    ChartPanel *panels = arena_array(arena, ChartPanel, 4);
    size_t count = 0;
    if (motion->bone_key_count || !motion->camera_key_count)
        panels[count++] = keys_panel("Keys of bones", d.bones, d.seconds, CHART_BLUE, arena);
    if (motion->morph_key_count)
        panels[count++] = keys_panel("Keys of morphs", d.morphs, d.seconds, CHART_ORANGE, arena);
    if (motion->camera_key_count) {
        add_camera_panels(panels + count, motion, &d, arena);
        count += 2;
    }
    return (Chart){title, caption_of(motion, fit, model, arena), panels, count, 1};
}
