/*
 * frame_ranges.h - sets of output frames, and how they are told
 */
#ifndef FILM_FRAME_RANGES_H
#define FILM_FRAME_RANGES_H

#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/json.h"
#include "film/film.h"

/* A set that grows; frames come rising. */
typedef struct FrameRangeList {
    JobRange *items;
    size_t count, capacity;
} FrameRangeList;

void frame_ranges_add(FrameRangeList *set, JobRange range, Arena *arena);

/* The frames of a run of places, of which there may be several ranges. */
JobFrames frame_ranges_of_span(const Film *film, FilmSpan places, Arena *arena);

/* "0-99,400", or "none" */
void frame_ranges_write(FILE *out, const JobFrames *frames);

/* The same for a message: at most 20 ranges, and how many more there are. */
const char *frame_ranges_text(const JobFrames *frames, Arena *arena);

/* [[0,99],[400,400]] */
void frame_ranges_write_json(Json *json, const char *key, const JobFrames *frames);

#endif
