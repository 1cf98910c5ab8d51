// SPDX-License-Identifier: MIT
#include "film/sub_frames.h"

#include "base/units.h"
#include "evaluate/frame_state.h"
#include "film/film.h"
#include "picture/look/pattern.h"
#include "picture/passes/pass.h"

int sub_frames_samples(const Job *job)
{
    enum { STILL = 8, MOVING = 16 };
    const AccumulateOptions *accumulate = job->look.accumulate;

    if (!accumulate)
        return 1;
    if (accumulate->samples)
        return accumulate->samples;
    return accumulate->shutter_deg > 0 ? MOVING : STILL;
}

int sub_frames_count(const Job *job)
{
    const AccumulateOptions *accumulate = job->look.accumulate;
    return accumulate && accumulate->shutter_deg > 0 ? sub_frames_samples(job) : 1;
}

static bool has_motion(const JobOutput *output)
{
    for (size_t i = 0; i < output->pass_count; i++)
        if (output->passes[i] == PASS_MOTION)
            return true;
    return output->pass == PASS_MOTION;
}

bool sub_frames_neighbours(const Job *job)
{
    for (size_t i = 0; i < job->output_count; i++)
        if (has_motion(&job->outputs[i]))
            return true;
    return false;
}

int sub_frames_states(const Job *job)
{
    return sub_frames_count(job) + (sub_frames_neighbours(job) ? 2 : 0);
}

int64_t sub_frames_before(int64_t frame)
{
    return frame > 0 ? frame - 1 : 0;
}

double sub_frames_time(const Job *job, int64_t frame, int index)
{
    const int count = sub_frames_count(job);
    const double start = film_time(job, frame);
    if (index >= count)
        return film_time(job, index == count ? sub_frames_before(frame) : frame + 1);
    if (count == 1)
        return start;
    const Rational fps = job->render.fps;
    const double open = job->look.accumulate->shutter_deg / 360 * MOTION_FPS * fps.den / fps.num;
    return start + open * (double)pattern_sample(index, count).time;
}

size_t sub_frames_bytes(const Job *job, const Scene *scene)
{
    return frame_state_size(scene) * (size_t)sub_frames_states(job);
}
