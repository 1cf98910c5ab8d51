#include "run/pipeline/frame_packer.h"

#include <string.h>

#include "film/film.h"
#include "film/sub_frames.h"

FramePacker *frame_packer_create(const Scene *scene, const Job *job, Evaluator *evaluator,
                                 Arena *arena)
{
    FramePacker *packer = arena_array(arena, FramePacker, 1);

    *packer = (FramePacker){.scene = scene,
                            .job = job,
                            .evaluator = evaluator,
                            .state = frame_state_create(scene, arena)};
    for (int i = 0; i < FRAME_PACKER_KEPT; i++) {
        packer->kept[i].frame = -1;
        if (sub_frames_neighbours(job))
            packer->kept[i].packed = arena_alloc(arena, frame_state_size(scene));
    }
    return packer;
}

int64_t frame_packer_first(const FramePacker *packer, int64_t frame)
{
    return sub_frames_neighbours(packer->job) ? sub_frames_before(frame) : frame;
}

static bool evaluate(void *packed, FramePacker *packer, double time, int64_t frame,
                     const CameraState *camera, Diag *diag)
{
    if (!evaluate_frame(packer->state, packer->evaluator, packer->scene, time))
        return evaluator_report(packer->evaluator, (double)frame, diag);
    if (camera)
        packer->state->camera = *camera;
    frame_state_pack(packed, packer->state, packer->scene);
    return true;
}

/* Index in `kept` of a frame, which is evaluated unless it is there; -1 after an error. */
static int keep(FramePacker *packer, int64_t frame, const CameraState *camera, Diag *diag)
{
    int oldest = 0;

    for (int i = 0; i < FRAME_PACKER_KEPT; i++) {
        if (packer->kept[i].frame == frame)
            return i;
        if (packer->kept[i].frame < packer->kept[oldest].frame)
            oldest = i;
    }
    packer->kept[oldest].frame = -1;
    if (!evaluate(packer->kept[oldest].packed, packer, film_time(packer->job, frame), frame, camera,
                  diag))
        return -1;
    packer->kept[oldest].frame = frame;
    return oldest;
}

static bool copy_kept(void *packed, FramePacker *packer, int64_t frame, const CameraState *camera,
                      Diag *diag)
{
    const int index = keep(packer, frame, camera, diag);

    if (index < 0)
        return false;
    memcpy(packed, packer->kept[index].packed, frame_state_size(packer->scene));
    return true;
}

static void *state_at(void *packed, const FramePacker *packer, int index)
{
    return (uint8_t *)packed + (size_t)index * frame_state_size(packer->scene);
}

static bool pack_moments(void *packed, FramePacker *packer, int64_t frame,
                         const CameraState *camera, Diag *diag)
{
    for (int i = 0; i < sub_frames_count(packer->job); i++)
        if (!evaluate(state_at(packed, packer, i), packer, sub_frames_time(packer->job, frame, i),
                      frame, camera, diag))
            return false;
    return true;
}

bool frame_packer_pack(void *packed, FramePacker *packer, int64_t frame, const CameraState *camera,
                       Diag *diag)
{
    const int count = sub_frames_count(packer->job);

    if (!sub_frames_neighbours(packer->job))
        return pack_moments(packed, packer, frame, camera, diag);
    if (!copy_kept(state_at(packed, packer, count), packer, sub_frames_before(frame), camera,
                   diag) ||
        !copy_kept(packed, packer, frame, camera, diag))
        return false;
    if (count > 1 && !pack_moments(packed, packer, frame, camera, diag))
        return false;
    return copy_kept(state_at(packed, packer, count + 1), packer, frame + 1, camera, diag);
}
