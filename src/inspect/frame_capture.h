// SPDX-License-Identifier: MIT
/*
 * frame_capture.h - renders some frames of a film into memory, for reports and info
 *
 * The frame loop renders them (run/pipeline/frame_loop.h), so they are the frames of the film, with
 * everything that the job draws into them.  They are kept compressed, in an arena.
 */
#pragma once

#include "film/film.h"
#include "run/pipeline/frame_loop.h"

typedef struct CapturedFrame {
    int64_t frame; /* output frame */
    int width, height;
    bool has_alpha;
    const uint8_t *packed; /* the pixels, by zstd */
    size_t packed_bytes;
} CapturedFrame;

typedef struct FrameCapture {
    RenderOptions render;          /* perhaps smaller than those of the film */
    FrameRanges frames;            /* ascending, one frame per range */
    int workers;                   /* 0: those of the film */
    const FrameObserver *observer; /* without `drawn`; or NULL */
    bool time_stages;
    Arena *arena;
    /* results, in any order: */
    CapturedFrame *captured;
    size_t captured_count;
} FrameCapture;

/* Renders the frames.  False after an error or a stop. */
bool frame_capture_run(RenderReport *report, FrameCapture *capture, const Film *film,
                       Progress *progress, const volatile sig_atomic_t *stop, Diag *diag);

/* Unpacks one of the frames, which has been rendered. */
Image frame_capture_image(const FrameCapture *capture, int64_t frame, Arena *arena);
