// SPDX-License-Identifier: MIT
/*
 * pattern.h - where and when the samples of a frame are taken
 *
 * A fixed pattern for each number of samples: the same in every frame, so that still parts of a
 * film do not flicker (picture/look/README.md 3.2).
 */
#pragma once

typedef struct PatternSample {
    float time;     /* 0..1, ascending with the index: part of the time that the shutter is open */
    float lens[2];  /* in the unit disk */
    float pixel[2]; /* offset from the middle of a pixel, -0.5..0.5 */
} PatternSample;

/* index: 0..count - 1.  A single sample is the middle of everything. */
PatternSample pattern_sample(int index, int count);

/* The diameter of the part of the lens that each of `count` samples stands for, 0..1 of the lens's;
 * 0: samples are so many that they need not be blurred.  Places on the lens are so much closer to
 * its middle that samples that are blurred by their part are as wide as the lens. */
float pattern_lens_part(int count);
