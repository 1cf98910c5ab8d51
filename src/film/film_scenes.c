// SPDX-License-Identifier: MIT
#include "film/film_scenes.h"

#include <inttypes.h>

#include "film/sub_frames.h"
#include "job/job_options.h"
#include "job/job_scenes.h"
#include "scene/texture_pixels.h"

int64_t film_overlap(const Film *film, size_t scene)
{
    const FilmScene *s = &film->scenes[scene];
    return scene > 0 ? s[-1].start + s[-1].count - s->start : 0;
}

FilmMoment film_moment(const Film *film, int64_t frame)
{
    size_t last = film->scene_count - 1;
    while (last > 0 && film->scenes[last].start > frame)
        last--;
    FilmMoment moment = {.count = 0};
    for (size_t i = last > 0 ? last - 1 : 0; i <= last; i++) {
        const FilmScene *s = &film->scenes[i];
        if (i == last || frame < s->start + s->count)
            moment.shown[moment.count++] = (FilmShown){i, s->first + frame - s->start};
    }
    if (moment.count > 1) {
        moment.transition = &film->job->scenes[last].transition;
        moment.time = (TransitionTime){frame - film->scenes[last].start, film_overlap(film, last)};
    }
    return moment;
}

/* The frames of a scene are also those of the transitions at its ends, which do not meet. */
static bool check_transition(const Film *film, size_t scene, Arena *arena, Diag *diag)
{
    const int64_t length = film_overlap(film, scene), before = film_overlap(film, scene - 1);
    const char *key = arena_printf(arena, "scenes.%zu.transition.length", scene);
    const DiagLocation *location = job_location(film->job, key, NULL, arena);
    const FilmScene *s = &film->scenes[scene];
    const size_t shorter = length > s->count ? scene : scene - 1;
    if (length + (shorter < scene ? before : 0) <= film->scenes[shorter].count)
        return true;
    const char *after =
        before && shorter < scene ? arena_printf(arena, " after one of %" PRId64, before) : "";
    return diag_fail_at(diag, location, DIAG_JOB,
                        "a transition of %" PRId64 " frames%s: scenes.%zu has %" PRId64 " frames",
                        length, after, shorter, film->scenes[shorter].count);
}

/* The frames that the job gives a scene; one that does not have it has all. */
static FrameRange frames_of(const Job *job, size_t scene)
{
    const FrameRanges *given = job->scene_count ? &job->scenes[scene].frames : NULL;
    return given && given->count ? given->items[0] : (FrameRange){0, FRAME_RANGE_END};
}

void film_begin_scene(Film *film, size_t scene, Arena *arena)
{
    const Job *job = film->job;
    const Rational fps = job->render.fps;
    FilmScene *s = &film->scenes[scene];
    *s = (FilmScene){.job = job, .first = frames_of(job, scene).first};
    if (!job->scene_count)
        return;
    const TransitionOptions *transition = &job->scenes[scene].transition;
    if (scene > 0)
        s->start = s[-1].start + s[-1].count;
    if (transition->type != TRANSITION_CUT)
        s->start -= transition->length;
    s->job = job_of_scene(job, scene, (double)((s->start - s->first) * fps.den) / fps.num, arena);
}

bool film_end_scene(Film *film, size_t scene, Arena *arena, Diag *diag)
{
    FilmScene *s = &film->scenes[scene];
    const int64_t end = film_last_frame(film->job, s->scene.last_frame);
    int64_t last = frames_of(film->job, scene).last;
    if (last == FRAME_RANGE_END)
        last = end > s->first ? end : s->first;
    s->count = last - s->first + 1;
    if (s->start + s->count > OUTPUT_FRAME_MAX + 1)
        return diag_fail(diag, DIAG_JOB, "the film is longer than %d frames", OUTPUT_FRAME_MAX);
    return scene == 0 || check_transition(film, scene, arena, diag);
}

bool film_scene_range(FrameRange *out, const Film *film, size_t scene, FrameRange range)
{
    const FilmScene *s = &film->scenes[scene];
    const bool ends = scene + 1 < film->scene_count;
    *out = range;
    if (range.first < s->start)
        out->first = s->start;
    if (ends && range.last >= s->start + s->count)
        out->last = s->start + s->count - 1;
    out->first += s->first - s->start;
    out->last += s->first - s->start;
    return out->first <= out->last;
}

int64_t film_end(const Film *film)
{
    const FilmScene *last = &film->scenes[film->scene_count - 1];
    return last->start + last->count - 1;
}

/* The part of the memory of a process that all pixels may have: 512 MiB by default. */
enum { KEPT_PART = 16 };

static size_t state_bytes(const FilmScene *scene)
{
    return sub_frames_bytes(scene->job, &scene->scene);
}

size_t film_states_offset(const Film *film, const FilmMoment *moment, int index)
{
    return index > 0 ? state_bytes(&film->scenes[moment->shown[0].scene]) : 0;
}

size_t film_state_bytes(const Film *film)
{
    size_t largest = 0;
    for (size_t i = 0; i < film->scene_count; i++) {
        const FilmScene *s = &film->scenes[i];
        const size_t bytes = state_bytes(s) + (film_overlap(film, i) ? state_bytes(s - 1) : 0);
        largest = bytes > largest ? bytes : largest;
    }
    return largest;
}

RenderOptions film_scene_render(const RenderOptions *common, const FilmScene *scene)
{
    RenderOptions render = scene->render;
    render.width = common->width;
    render.height = common->height;
    render.samples = common->samples;
    render.supersample = common->supersample;
    render.alpha = common->alpha;
    render.background[3] = common->background[3];
    return render;
}

bool film_keeps_pixels(const Film *film, size_t scene)
{
    const uint64_t limit = ((uint64_t)film->job->limits.memory_mib << 20) / KEPT_PART;
    uint64_t sum = 0;
    for (size_t i = 0; i <= scene; i++)
        sum += texture_pixels_size(&film->scenes[i].scene);
    return scene == 0 || sum <= limit;
}

static const char *transition_text(const Film *film, size_t scene, Arena *arena)
{
    const char *const *words = option_at("scenes.transition.type")->choices;
    const int64_t length = film_overlap(film, scene);
    return length ? arena_printf(arena, ", %s of %" PRId64,
                                 words[film->job->scenes[scene].transition.type], length)
                  : "";
}

const char *film_scene_text(const Film *film, size_t scene, Arena *arena)
{
    const FilmScene *s = &film->scenes[scene];
    return arena_printf(arena, "frames %" PRId64 "-%" PRId64 ", its own %" PRId64 "-%" PRId64 "%s",
                        s->start, s->start + s->count - 1, s->first, s->first + s->count - 1,
                        transition_text(film, scene, arena));
}

static const ResultField SceneSpan_fields[] = {
    MEMBER_ARRAY(SceneSpan, frames, "first and last frame of the film"),
    MEMBER_ARRAY(SceneSpan, scene_frames, "first and last frame of the scene's own motions",
                 .unit = "output frames"),
};
const ResultTable SceneSpan_result = RESULT_TABLE(SceneSpan, "a scene");

SceneSpan *film_scene_spans(const Film *film, Arena *arena)
{
    SceneSpan *spans = arena_array(arena, SceneSpan, film->scene_count);
    for (size_t i = 0; i < film->scene_count; i++) {
        const FilmScene *s = &film->scenes[i];
        spans[i] = (SceneSpan){.frames = {s->start, s->start + s->count - 1},
                               .scene_frames = {s->first, s->first + s->count - 1}};
    }
    return spans;
}

bool film_is_simulated(const Film *film)
{
    for (size_t i = 0; i < film->scene_count; i++)
        if (scene_is_simulated(&film->scenes[i].scene))
            return true;
    return false;
}
