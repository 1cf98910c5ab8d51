// SPDX-License-Identifier: MIT
/*
 * page.h - writes a report as one HTML page (text/page.html)
 *
 * The page is also well-formed XML.  It contains its images, its film and its style sheet, has no
 * script, and forbids outside references by a policy of its own.  Texts of strangers are escaped
 * (html.h).
 */
#pragma once

#include <stdio.h>

#include "inspect/report/report.h"

/* The first bytes of every page, by which an older one is recognized. */
const char *page_start(size_t *size);

/* The caller checks ferror of `out`. */
void page_write(FILE *out, const ReportData *data);

/*
 * The fields of the page (base/embedded_text.h) in its order; `report` is the ReportData.  Those
 * marked as a section write all of it, or nothing if there is nothing to show.
 */
typedef void PageField(FILE *out, const void *report);

/* page_film.c: what can be seen.  The first one also writes the facts. */
PageField page_write_film, page_write_difference /* section */, page_write_sheet;

/* page_costs.c: what was measured */
PageField page_write_times_source, page_write_times, page_write_stages, page_write_memory,
    page_write_memory_of_worker, page_write_physics /* section */;
bool page_has_physics(const void *report);

/* page_job.c: what was rendered */
PageField page_write_problems /* section */, page_write_runs /* section */, page_write_value_count,
    page_write_values, page_write_job, page_write_credits, page_write_models, page_write_versions;

/* "<section id=...><h2>...</h2>" and its end. */
void page_section_begin(FILE *out, const char *id, const char *title);
void page_section_end(FILE *out);

/* An entry of <dl class="facts">. */
void page_fact(FILE *out, const char *name, const char *value);

/* "2.4 MB" */
const char *page_format_bytes(uint64_t bytes, Arena *arena);

/* "1:23.45" of an output frame. */
const char *page_format_time(const Job *job, double frame, Arena *arena);
