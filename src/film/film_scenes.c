#include "film/film_scenes.h"

#include <inttypes.h>

#include "film/sub_frames.h"
#include "scene/texture_pixels.h"

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
    return moment;
}

bool film_scene_range(JobRange *out, const Film *film, size_t scene, JobRange range)
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

int64_t film_overlap(const Film *film, size_t scene)
{
    const FilmScene *s = &film->scenes[scene];
    return scene > 0 ? s[-1].start + s[-1].count - s->start : 0;
}

int64_t film_end(const Film *film)
{
    const FilmScene *last = &film->scenes[film->scene_count - 1];
    return last->start + last->count - 1;
}

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
    const uint64_t limit = (uint64_t)512 << 20;
    uint64_t sum = 0;
    for (size_t i = 0; i <= scene; i++)
        sum += texture_pixels_size(&film->scenes[i].scene);
    return scene == 0 || sum <= limit;
}

const char *film_scene_text(const Film *film, size_t scene, Arena *arena)
{
    const FilmScene *s = &film->scenes[scene];
    return arena_printf(arena,
                        "frames %" PRId64 "-%" PRId64 " of the film, its own %" PRId64 "-%" PRId64,
                        s->start, s->start + s->count - 1, s->first, s->first + s->count - 1);
}

void film_scenes_write_json(Json *json, const Film *film)
{
    json_print(json, "scenes:[");
    for (size_t i = 0; i < film->scene_count; i++) {
        const FilmScene *s = &film->scenes[i];
        json_print(json, "{frames:[%jd, %jd] own:[%jd, %jd]}", s->start, s->start + s->count - 1,
                   s->first, s->first + s->count - 1);
    }
    json_print(json, "]");
}

bool film_is_simulated(const Film *film)
{
    for (size_t i = 0; i < film->scene_count; i++)
        if (scene_is_simulated(&film->scenes[i].scene))
            return true;
    return false;
}
