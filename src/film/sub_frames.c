#include "film/sub_frames.h"

#include "evaluate/frame_state.h"
#include "film/film.h"
#include "look/pattern.h"

int sub_frames_samples(const Job *job)
{
    return job->look.accumulate ? job->look.accumulate->samples : 1;
}

int sub_frames_count(const Job *job)
{
    const JobAccumulate *accumulate = job->look.accumulate;
    return accumulate && accumulate->shutter_deg > 0 ? accumulate->samples : 1;
}

double sub_frames_time(const Job *job, int64_t frame, int index)
{
    const int count = sub_frames_count(job);
    const double start = film_time(job, frame);
    if (count == 1)
        return start;
    const JobRational fps = job->render.fps;
    const double open = job->look.accumulate->shutter_deg / 360 * 30 * fps.den / fps.num;
    return start + open * (double)pattern_sample(index, count).time;
}

size_t sub_frames_bytes(const Job *job, const Scene *scene)
{
    return frame_state_size(scene) * (size_t)sub_frames_count(job);
}
