/*
 * report_data.h - what a report shows: measured, rendered and read, before the page is written
 */
#ifndef INSPECT_REPORT_REPORT_DATA_H
#define INSPECT_REPORT_REPORT_DATA_H

#include "base/problem_list.h"
#include "film/resource_estimate.h"
#include "run/pipeline/stage_times.h"
#include "inspect/frame_capture.h"
#include "inspect/report/difference.h"
#include "inspect/report/link_stretch.h"
#include "inspect/report/report_film.h"

enum { REPORT_SHEET = 24 }; /* frames of the contact sheet */

typedef struct ReportOptions {
    uint64_t embed_limit; /* bytes of the largest film that is embedded; 0: no moving pictures */
    const char *base;     /* what the film is compared with: a film, or the name of base_job */
    const Job *base_job;  /* NULL: `base` is a film */
    const char *state;    /* checkpoint directory; NULL: that beside the outputs */
    const ProblemList *problems; /* to which an observer of the Diag adds messages */
} ReportOptions;

typedef struct SheetFrame {
    int64_t frame;
    PageImage image;
} SheetFrame;

typedef struct ReportData {
    const Film *film;
    const ReportOptions *options;
    SheetFrame sheet[REPORT_SHEET];
    size_t sheet_count;
    ReportFilm moving;
    StageTimesList times;
    StageTimes first;      /* of the first frame of the samples, which starts OpenGL */
    bool times_of_film;    /* recorded by `render --times`; otherwise measured on the sheet */
    RenderReport run;      /* of the sheet */
    FrameCapture samples;  /* the frames of the sheet */
    MemoryEstimate memory; /* of a render */
    int workers;           /* of a render */
    LinkStretches links;
    GlProbe gl;
    const Film *base;      /* of base_job, while the data is collected; else NULL */
    JobFrames base_frames; /* those of the sheet that it has */
    Difference difference; /* before == NULL: nothing was compared */
    Arena *arena;
} ReportData;

/* Loads the film, renders the frames and compares them.  Everything is in the arena.  False after
 * an error or a stop. */
bool report_data_collect(ReportData *data, Film *film, const Job *job, const ReportOptions *options,
                         Progress *progress, const volatile sig_atomic_t *stop, Arena *arena,
                         Diag *diag);

#endif
