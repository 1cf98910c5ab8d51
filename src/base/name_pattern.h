// SPDX-License-Identifier: MIT
/*
 * name_pattern.h - the files of an image sequence: "frames/%05d.png"
 *
 * The file name of a sequence has one number, "%d" or "%05d", which stands for the number of a
 * frame.  Any other '%' is a character like all others, in the name ("100%_%05d.png") and in the
 * directories ("50%done/%05d.png").  Whether a path is that of a sequence or of a single file,
 * which has no number whatever its name is ("100%d.mp4"), is known by the kind of its sink
 * (output/sink.h, sink_is_sequence).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct NamePattern {
    const char *path;   /* as parsed, not copied */
    const char *name;   /* the file name in it */
    const char *number; /* the only number, "%05d", in the name, or the end of the path */
    const char *after;  /* what follows it */
    int digits;         /* minimum, padded by zeros */
    int count;          /* of numbers in the name; only one is valid */
} NamePattern;

NamePattern name_pattern_parse(const char *path);

/* Whether the name has exactly one number. */
bool name_pattern_has_number(const char *path);

/* The path of a frame's file; the path itself if it has no number.  False if it is longer than
 * `size`. */
bool name_pattern_file(char *out, size_t size, const char *path, int64_t frame);

/* The frame whose file has this path; -1 if there is none, or the pattern has no number. */
int64_t name_pattern_frame(const char *pattern, const char *path);

/* The number of characters at the start of `path` that the pattern stands for, with a number of any
 * digits; 0 if it begins otherwise. */
size_t name_pattern_match(const char *pattern, const char *path);
