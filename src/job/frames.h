/*
 * frames.h - sets of output frames, and how they are told
 */
#ifndef JOB_FRAMES_H
#define JOB_FRAMES_H

#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/json.h"
#include "job/film.h"

/* A set that grows; frames come rising. */
typedef struct FrameSet {
    JobRange *items;
    size_t count, room;
} FrameSet;

void frames_add(FrameSet *set, JobRange range, Arena *arena);

/* The frames of a run of places, of which there may be several ranges. */
JobFrames frames_of_places(const Film *film, FilmSpan places, Arena *arena);

/* "0-99,400", or "none" */
void frames_put(FILE *out, const JobFrames *frames);

/* The same for a message: at most 20 ranges, and how many more there are. */
const char *frames_text(const JobFrames *frames, Arena *arena);

/* [[0,99],[400,400]] */
void frames_put_json(Json *json, const char *key, const JobFrames *frames);

#endif
