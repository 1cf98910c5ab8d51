// SPDX-License-Identifier: MIT
#include "inspect/hidden_frames.h"

#include <inttypes.h>

#include "film/film_scenes.h"

/* Whether any key hides it, so that most models need no look at each frame. */
static bool is_ever_hidden(const SceneModel *model)
{
    const SwitchTrack *visible = &model->motion.visible;
    bool hidden = false;
    for (uint32_t i = 0; i < visible->key_count; i++)
        hidden |= !*(const bool *)visible->keys[i];
    for (size_t i = 0; i < model->keys.count; i++)
        hidden |= !model->keys.items[i].visible;
    return hidden;
}

static bool is_visible(const SceneModel *model, double frame)
{
    return motion_switch(&model->motion.visible, frame) &&
           (!model->keys.count || model_keys_at(&model->keys, frame).visible);
}

static void add(HiddenFrames *hidden, int64_t frame, bool follows)
{
    hidden->count++;
    if (!follows) {
        if (hidden->range_count < HIDDEN_RANGES)
            hidden->ranges[hidden->range_count].first = frame;
        hidden->range_count++;
    }
    if (hidden->range_count <= HIDDEN_RANGES)
        hidden->ranges[hidden->range_count - 1].last = frame;
}

HiddenFrames hidden_frames_find(const Film *film, size_t scene, size_t model)
{
    const FilmScene *s = &film->scenes[scene];
    const SceneModel *m = &s->scene.models[model];
    HiddenFrames hidden = {0};
    bool before = false; /* the frame before is hidden */
    if (!is_ever_hidden(m))
        return hidden;
    for (int64_t i = 0; i < film->frame_count; i++) {
        const int64_t frame = film_frame_at(film, i);
        const FilmMoment moment = film_moment(film, frame);
        bool hides = false;
        for (int k = 0; k < moment.count; k++) {
            if (moment.shown[k].scene != scene)
                continue;
            hidden.shown++;
            hides = !is_visible(m, film_time(s->job, moment.shown[k].frame));
        }
        if (hides)
            add(&hidden, frame, before);
        before = hides;
    }
    return hidden;
}

const char *hidden_frames_text(const HiddenFrames *hidden, Arena *arena)
{
    if (!hidden->count)
        return "";
    if (hidden->count == hidden->shown)
        return arena_printf(arena, "all %" PRId64 " frames", hidden->shown);
    const char *text = "frames ";
    for (size_t i = 0; i < hidden->range_count && i < HIDDEN_RANGES; i++)
        text = arena_printf(arena, "%s%s%" PRId64 "-%" PRId64, text, i ? ", " : "",
                            hidden->ranges[i].first, hidden->ranges[i].last);
    return arena_printf(arena, "%s%s (%" PRId64 " of %" PRId64 ")", text,
                        hidden->range_count > HIDDEN_RANGES ? ", ..." : "", hidden->count,
                        hidden->shown);
}
