/*
 * page.h - writes a report as one HTML page
 *
 * The page is also well-formed XML.  It contains its images, its film and its style sheet, has no
 * script, and forbids outside references by a policy of its own.  Texts of strangers are escaped
 * (html.h).
 */
#ifndef INSPECT_REPORT_PAGE_H
#define INSPECT_REPORT_PAGE_H

#include <stdio.h>

#include "inspect/report/report_data.h"

/* How a page begins, by which an older one is recognized. */
extern const char page_start[];

/* The caller checks ferror of `out`. */
void page_write(FILE *out, const ReportData *data);

#endif
