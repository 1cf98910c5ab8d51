/*
 * report.h - the verb `report`: one page about a job
 *
 * The page has the film or a part of it, a contact sheet, warnings, the job, credits, time of each
 * stage, memory and versions; with a base, the differences.  It has no outside references.
 */
#ifndef INSPECT_REPORT_REPORT_H
#define INSPECT_REPORT_REPORT_H

#include "inspect/report/report_data.h"

/* Reads "20M", "500K", "1.5G" or a number of bytes.  False if the text is none of them. */
bool report_parse_limit(uint64_t *bytes, const char *text);

/* Whether a file can be written: it does not exist, is an older report, or may be overwritten, and
 * is no file of the job.  False after an error (DIAG_CREATE, DIAG_USAGE). */
bool report_check_output(const char *file, const Job *job, bool overwrite, Diag *diag);

/* Writes the page to a file, or to standard output if it is NULL.  False after an error or a stop;
 * nothing is written then. */
bool report_write(const char *file, const Job *job, const ReportOptions *options,
                  Progress *progress, const volatile sig_atomic_t *stop, Diag *diag);

#endif
