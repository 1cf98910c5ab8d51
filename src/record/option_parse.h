// SPDX-License-Identifier: MIT
/*
 * option_parse.h - texts of frame rates, frames, frame ranges, colors and cuts
 *
 * Pure functions; on false the output is unspecified and nothing is reported.
 */
#pragma once

#include <stdbool.h>

#include "base/arena.h"
#include "record/values.h"

/* 29.97, 60 or "30000/1001", in lowest terms; the decimal NTSC rates become exact fractions. */
bool option_parse_rate(Rational *out, const char *text);

/*
 * A point in time on the command line or in a job:
 *
 *     300   output frame, at the frame rate of the film
 *     m150  motion frame, 30 per second
 *     5s    seconds
 */
typedef enum FrameUnit { FRAME_OUTPUT, FRAME_MOTION, FRAME_SECONDS } FrameUnit;

typedef struct FrameTime {
    double value; /* >= 0 */
    FrameUnit unit;
} FrameTime;

/* Parses text[0..size), a decimal number; one without a unit has `unit`. */
bool option_parse_frame_time(FrameTime *out, const char *text, size_t size, FrameUnit unit);

/* The time as a motion frame, which may be fractional. */
double frame_time_motion(FrameTime time, Rational fps);

/* The first output frame at or after a time. */
int64_t frame_time_output(FrameTime time, Rational fps);

/*
 * "all", "5", "0-1799" or "0-99,400-499": ascending ranges of output frames that do not overlap.
 * The end of a range may omit the unit: "m150-300" has the output frames from motion frame 150 to
 * 300, "5s-10s" those from second 5 on and before second 10.  Output frames are whole numbers.
 */
bool option_parse_frames(FrameRanges *out, const char *text, Rational fps, Arena *arena);

/* "#rrggbb" to 0..1. */
bool option_parse_color(double out[3], const char *text);

/* "none", "auto", or seconds as "4", "2.5" or "4s": 0, -1 or the positive number. */
bool option_parse_cuts(double *out, const char *text);
