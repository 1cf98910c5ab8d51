// SPDX-License-Identifier: MIT
/*
 * sub_frames.h - the moments of an output frame that are evaluated and averaged
 *
 * Without motion blur a frame has one moment, that of film_time.  With `look.accumulate` the
 * shutter opens at that moment (picture/look/README.md 3.1).  Motion vectors also need the frames
 * before and after.  The packed states of all moments of a frame, then of these two, follow one
 * another in a slot of the ring and in a bake.
 */
#pragma once

#include "job/job.h"
#include "scene/scene.h"

int sub_frames_samples(const Job *job); /* images that are averaged; 1 without look.accumulate */
int sub_frames_count(const Job *job);   /* different moments of a frame: 1, or as many as samples */

/* Whether the frames before and after are needed, and how many states a frame has then. */
bool sub_frames_neighbours(const Job *job);
int sub_frames_states(const Job *job);

/* The frame before: the first one has itself. */
int64_t sub_frames_before(int64_t frame);

/* Motion time of moment `index`, 0..sub_frames_count - 1, of an output frame, ascending; then of
 * the frames before and after. */
double sub_frames_time(const Job *job, int64_t frame, int index);

/* Bytes of all packed states of a frame. */
size_t sub_frames_bytes(const Job *job, const Scene *scene);
