/*
 * option_parse.h - texts of frame rates, frame ranges and colors
 *
 * Pure functions; on false the output is unspecified and nothing is reported.
 */
#ifndef JOB_OPTION_PARSE_H
#define JOB_OPTION_PARSE_H

#include <stdbool.h>

#include "base/arena.h"
#include "job/job.h"

/* 29.97, 60 or "30000/1001", in lowest terms; the decimal NTSC rates become exact fractions. */
bool option_parse_rate(JobRational *out, const char *text);

/* "all", "5", "0-1799" or "0-99,400-499": ascending ranges that do not overlap. */
bool option_parse_frames(JobFrames *out, const char *text, Arena *arena);

/* "#rrggbb" to 0..1. */
bool option_parse_color(double out[3], const char *text);

#endif
