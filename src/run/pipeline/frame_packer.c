#include "run/pipeline/frame_packer.h"

#include <string.h>

#include "film/film.h"
#include "film/sub_frames.h"

enum { KEPT = 3 };

struct FramePacker {
    const Scene *scene;
    const Job *job;
    const CameraState *camera;
    Progress *progress;
    Evaluator *evaluator;
    FrameState *state;
    bool neighbours; /* the frames before and after are packed, too */
    int64_t last;    /* the frame that was packed last */
    struct {
        int64_t frame; /* -1: none */
        void *packed;
    } kept[KEPT];
};

FramePacker *frame_packer_create(const Scene *scene, const Job *job, const CameraState *camera,
                                 Progress *progress, const volatile sig_atomic_t *stop,
                                 Arena *arena)
{
    FramePacker *packer = arena_array(arena, FramePacker, 1);

    *packer = (FramePacker){.scene = scene,
                            .job = job,
                            .camera = camera,
                            .progress = progress,
                            .evaluator = film_evaluator(scene, job, stop),
                            .state = frame_state_create(scene, arena),
                            .neighbours = sub_frames_neighbours(job)};
    for (int i = 0; i < KEPT; i++) {
        packer->kept[i].frame = -1;
        if (packer->neighbours)
            packer->kept[i].packed = arena_alloc(arena, frame_state_size(scene));
    }
    return packer;
}

void frame_packer_destroy(FramePacker *packer)
{
    if (packer)
        evaluator_destroy(packer->evaluator);
}

static bool evaluate(FramePacker *packer, double time, int64_t frame, Diag *diag)
{
    return evaluate_frame(packer->state, packer->evaluator, packer->scene, time) ||
           evaluator_report(packer->evaluator, (double)frame, diag);
}

static bool pack(void *packed, FramePacker *packer, double time, int64_t frame, Diag *diag)
{
    if (!evaluate(packer, time, frame, diag))
        return false;
    if (packer->camera)
        packer->state->camera = *packer->camera;
    frame_state_pack(packed, packer->state, packer->scene);
    return true;
}

/* Steps physics from the last frame to just before another one, a tenth of a second at a time. */
static bool catch_up(FramePacker *packer, int64_t to, Diag *diag)
{
    const JobRational fps = packer->job->render.fps;
    const int64_t tenth = fps.num / (10 * (int64_t)fps.den), step = tenth > 0 ? tenth : 1;
    for (int64_t frame = packer->last + step; frame < to; frame += step) {
        if (!evaluate(packer, film_time(packer->job, frame), frame, diag))
            return false;
        progress_tick(packer->progress);
    }
    return true;
}

/* Copies the state of a whole frame, which is evaluated unless it was kept. */
static bool copy_whole(void *packed, FramePacker *packer, int64_t frame, Diag *diag)
{
    int kept = 0; /* the one with the frame, or the oldest one */
    for (int i = 1; i < KEPT && packer->kept[kept].frame != frame; i++)
        if (packer->kept[i].frame == frame || packer->kept[i].frame < packer->kept[kept].frame)
            kept = i;
    if (packer->kept[kept].frame != frame) {
        packer->kept[kept].frame = -1;
        if (!pack(packer->kept[kept].packed, packer, film_time(packer->job, frame), frame, diag))
            return false;
        packer->kept[kept].frame = frame;
    }
    memcpy(packed, packer->kept[kept].packed, frame_state_size(packer->scene));
    return true;
}

bool frame_packer_pack(void *packed, FramePacker *packer, int64_t frame, Diag *diag)
{
    const size_t size = frame_state_size(packer->scene);
    const int count = sub_frames_count(packer->job);
    const int64_t before = sub_frames_before(frame);
    uint8_t *const state = packed, *const around = state + (size_t)count * size;

    if (!catch_up(packer, packer->neighbours ? before : frame, diag))
        return false;
    packer->last = frame;
    if (packer->neighbours &&
        (!copy_whole(around, packer, before, diag) || !copy_whole(state, packer, frame, diag)))
        return false;
    for (int i = 0; i < count && !(packer->neighbours && count == 1); i++)
        if (!pack(state + (size_t)i * size, packer, sub_frames_time(packer->job, frame, i), frame,
                  diag))
            return false;
    return !packer->neighbours || copy_whole(around + size, packer, frame + 1, diag);
}
