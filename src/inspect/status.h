/*
 * status.h - what of a job is done, told at a glance
 *
 * From the state folder alone: ledgers, locks and the sizes of files.  No file is read whole, so
 * damage that leaves the size is not seen: that is verify's (verify.h).
 */
#ifndef INSPECT_STATUS_H
#define INSPECT_STATUS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/diag.h"
#include "job/job.h"

/*
 * Writes what is done, what lacks, who is at work, as text or as one JSON object.
 *
 * job      whose folder it is, to see whether that has changed since; NULL: only the folder is
 * known folder   NULL: the one that the job has by itself returns  whether everything is there; if
 * not, that stands in `out`, and only the Diag's kind, DIAG_INCOMPLETE, says it again
 */
bool status_write(FILE *out, const Job *job, const char *folder, bool json, Diag *diag);

/* The same in short, for a table of many jobs. */
typedef struct StatusBrief {
    bool begun;           /* there is a state folder */
    bool finished;        /* everything is there, and the job is still the same */
    bool changed;         /* what is there is of another job; then no more is said of it: */
    bool running;         /* a program is at work on it */
    int64_t frames, done; /* done: in all outputs */
} StatusBrief;

bool status_brief(StatusBrief *brief, const Job *job, Arena *arena, Diag *diag);

#endif
