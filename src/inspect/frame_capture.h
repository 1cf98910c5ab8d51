/*
 * frame_capture.h - renders some frames of a film to read them back, for reports and info
 *
 * The frame loop renders them (run/pipeline/frame_loop.h), so they are the frames of the film, with
 * everything that the job draws into them.
 */
#ifndef INSPECT_FRAME_CAPTURE_H
#define INSPECT_FRAME_CAPTURE_H

#include "film/film.h"
#include "inspect/scratch_directory.h"
#include "run/pipeline/frame_loop.h"

typedef struct FrameCapture {
    RenderOptions render;          /* perhaps smaller than those of the film */
    JobFrames frames;              /* ascending, one frame per range */
    int workers;                   /* 0: those of the film */
    const FrameObserver *observer; /* or NULL */
    bool time_stages;
} FrameCapture;

/* Renders the frames into a directory.  False after an error or a stop. */
bool frame_capture_run(RenderReport *report, const ScratchDirectory *directory, const Film *film,
                       const FrameCapture *capture, Progress *progress,
                       const volatile sig_atomic_t *stop, Diag *diag);

/* Reads one of the frames. */
bool frame_capture_load(Image *image, const ScratchDirectory *directory, int64_t frame,
                        Arena *arena, Diag *diag);

/* The file of a frame; "%08d" for a pattern of all. */
const char *frame_capture_pattern(const ScratchDirectory *directory, Arena *arena);

#endif
