/*
 * page_parts.h - the sections of a report, in the order of the page
 *
 * Each writes a <section>, or nothing if there is nothing to show.
 */
#ifndef INSPECT_REPORT_PAGE_PARTS_H
#define INSPECT_REPORT_PAGE_PARTS_H

#include <stdio.h>

#include "inspect/report/report_data.h"

/* "<section id=...><h2>...</h2>" and its end. */
void page_section_begin(FILE *out, const char *id, const char *title);
void page_section_end(FILE *out);

/* page_film.c: what can be seen */
void page_write_film(FILE *out, const ReportData *data); /* the film and the facts */
void page_write_sheet(FILE *out, const ReportData *data);
void page_write_difference(FILE *out, const ReportData *data);

/* page_costs.c: what was measured */
void page_write_times(FILE *out, const ReportData *data);
void page_write_memory(FILE *out, const ReportData *data);
void page_write_physics(FILE *out, const ReportData *data);

/* page_job.c: what was rendered */
void page_write_problems(FILE *out, const ReportData *data);
void page_write_job(FILE *out, const ReportData *data);
void page_write_credits(FILE *out, const ReportData *data);
void page_write_versions(FILE *out, const ReportData *data);

/* "2.4 MB" */
const char *page_format_bytes(uint64_t bytes, Arena *arena);

/* "1:23.45" of an output frame. */
const char *page_format_time(const Job *job, double frame, Arena *arena);

#endif
