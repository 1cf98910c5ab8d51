/*
 * page.h - writes a report as one HTML page (text/page.html)
 *
 * The page is also well-formed XML.  It contains its images, its film and its style sheet, has no
 * script, and forbids outside references by a policy of its own.  Texts of strangers are escaped
 * (html.h).
 */
#ifndef INSPECT_REPORT_PAGE_H
#define INSPECT_REPORT_PAGE_H

#include <stdio.h>

#include "inspect/report/report.h"

/* The first bytes of every page, by which an older one is recognized. */
const char *page_start(size_t *size);

/* The caller checks ferror of `out`. */
void page_write(FILE *out, const ReportData *data);

/*
 * The sections in the order of the page.  Each writes a <section>, or nothing if there is nothing
 * to show.  They are fields of the page (base/embedded_text.h): `report` is the ReportData.
 */

/* page_film.c: what can be seen.  The first one also writes the facts. */
void page_write_film(FILE *out, const void *report);
void page_write_difference(FILE *out, const void *report);
void page_write_sheet(FILE *out, const void *report);

/* page_costs.c: what was measured */
void page_write_times(FILE *out, const void *report);
void page_write_memory(FILE *out, const void *report);
void page_write_physics(FILE *out, const void *report);

/* page_job.c: what was rendered */
void page_write_problems(FILE *out, const void *report);
void page_write_job(FILE *out, const void *report);
void page_write_credits(FILE *out, const void *report);
void page_write_versions(FILE *out, const void *report);

/* "<section id=...><h2>...</h2>" and its end. */
void page_section_begin(FILE *out, const char *id, const char *title);
void page_section_end(FILE *out);

/* "2.4 MB" */
const char *page_format_bytes(uint64_t bytes, Arena *arena);

/* "1:23.45" of an output frame. */
const char *page_format_time(const Job *job, double frame, Arena *arena);

#endif
