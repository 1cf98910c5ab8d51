// SPDX-License-Identifier: MIT
/*
 * report.h - the verb `report`: one page about a job
 *
 * The page has the film or a part of it, a contact sheet, warnings, the job, credits, time of each
 * stage, memory and versions; with a base, the differences.  It has no outside references.
 */
#pragma once

#include "base/problem_list.h"
#include "inspect/report/difference.h"
#include "inspect/report/link_stretch.h"
#include "inspect/report/report_film.h"
#include "inspect/resource_estimate.h"
#include "render/gl/gl_probe.h"
#include "run/checkpoint/run_record.h"
#include "run/pipeline/stage_times.h"

enum { REPORT_SHEET = 24 }; /* frames of the contact sheet */

typedef struct ReportOptions {
    uint64_t embed_limit; /* bytes of the largest film that is embedded; 0: no moving pictures */
    const char *base;     /* a film to compare with, or the name of base_job; NULL: no comparison */
    const Job *base_job;  /* NULL: `base` is a film */
    const char *state;    /* checkpoint directory; NULL: that beside the outputs */
    const ProblemList *problems; /* to which an observer of the Diag adds messages */
} ReportOptions;

typedef struct SheetFrame {
    int64_t frame;
    HtmlImage image;
} SheetFrame;

/* A frame before and after an edit, side by side. */
typedef struct ChangedFrame {
    int64_t frame, width, height;
    Bytes png;
} ChangedFrame;

/* Everything that the page shows; it is measured, rendered and read before the page is written. */
typedef struct ReportData {
    const Film *film;
    const ReportOptions *options;
    SheetFrame sheet[REPORT_SHEET];
    size_t sheet_count;
    ReportFilm moving;
    StageTimesList times;
    StageTimes first;      /* the first sampled frame, which starts OpenGL, is not in `times` */
    bool times_of_film;    /* recorded by `render --times`; otherwise measured on the sheet */
    RenderReport run;      /* the run that rendered the sheet */
    MemoryEstimate memory; /* estimate for a render of the whole job */
    int workers;           /* workers of such a render */
    RunRecords runs;       /* what the film's last runs drew; count 0: not recorded */
    ChangedFrame changed[RUN_PICTURES]; /* frames of which the last one changed most */
    size_t changed_count;
    LinkStretches *links; /* of each scene */
    GlProbe gl;
    Difference difference; /* before == NULL: nothing was compared */
    Arena *arena;
} ReportData;

/* Reads "20M", "500K", "1.5G" or a number of bytes.  False if the text is none of them. */
bool report_parse_limit(uint64_t *bytes, const char *text);

/* Whether a file can be written: it does not exist, is an older report, or may be overwritten, and
 * is no file of the job.  False after an error (DIAG_CREATE, DIAG_USAGE). */
bool report_check_output(const char *file, const Job *job, bool overwrite, Diag *diag);

/* Writes the page to a file, or to `out` if it is NULL.  False after an error or a stop;
 * nothing is written then. */
bool report_write(const char *file, FILE *out, const Job *job, const ReportOptions *options,
                  Progress *progress, const volatile sig_atomic_t *stop, Diag *diag);
