// SPDX-License-Identifier: MIT
/*
 * subtitles.h - subtitles drawn into frames by libass
 *
 * What a frame shows depends on the script, the fonts, the size and the time only, not on frames
 * that were drawn before.  Lines that collide are placed as a player places them that has shown the
 * film from its start: see README.md 3.  libass parses and draws in a confined process.  Without
 * libass at build time scanning and creating are errors.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/image.h"
#include "typesetting/font.h"

/* Constant and shared by all processes. */
typedef struct Subtitles {
    const char *script; /* by subtitle_text_read */
    FontSources fonts;  /* the only ones that are used, besides those attached to the script */
    FontSources attached;
    const char
        *family;  /* of the fonts for lines and characters whose own font is missing; or NULL */
    double scale; /* factor of the sizes of all fonts, > 0 */
    double peak_bytes; /* SubtitlePeak */
} Subtitles;

typedef struct SubtitleFrame {
    int width, height; /* pixels */
    double scale;      /* of Subtitles */
} SubtitleFrame;

/* An upper bound of the bitmaps of the lines that are visible at the same time. */
typedef struct SubtitlePeak {
    double bytes;
    int64_t time_ms; /* the start of the line with which it is reached */
    uint32_t line;   /* that line, from 0 */
} SubtitlePeak;

/* An upper bound of what a renderer caches, besides the fonts. */
enum { SUBTITLE_CACHE_BYTES = 80 << 20 };

/* The version of libass; NULL if it was not there at build time. */
const char *subtitles_version(void);

/* The contents of a script. */
typedef struct SubtitleFacts {
    size_t event_count;
    int64_t first_ms, end_ms;          /* begin of the first event, end of the last one */
    ARENA_LIST(const char *) families; /* names of fonts, each once, in the order of the script */
    const char *text;                  /* all drawn text, without tags */
    SubtitlePeak peak;
} SubtitleFacts;

bool subtitles_scan(SubtitleFacts *out, const char *script, const SubtitleFrame *frame,
                    Arena *arena, Diag *diag);

/* Lines that are drawn where they do not fit into the frame. */
typedef struct SubtitleOutside {
    size_t count;
    size_t line; /* the first of them, from 0 */
    int64_t time_ms;
    double width, height; /* what it takes, in widths and heights of the frame */
} SubtitleOutside;

/* Draws the first lines of a script, at most 2000, those with places of their own excepted. */
bool subtitles_find_outside(SubtitleOutside *out, const Subtitles *subtitles, int width, int height,
                            Diag *diag);

typedef struct SubtitleRenderer SubtitleRenderer;

/* width, height: of the frames.  The renderer keeps a reference to the subtitles.  NULL after an
 * error. */
SubtitleRenderer *subtitle_renderer_create(const Subtitles *subtitles, int width, int height,
                                           Diag *diag);
void subtitle_renderer_destroy(SubtitleRenderer *renderer); /* NULL is fine */

/* Draws what is visible at a time into a frame with straight alpha. */
void subtitle_renderer_draw(Image *image, SubtitleRenderer *renderer, int64_t time_ms);
