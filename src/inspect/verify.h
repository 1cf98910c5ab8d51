/*
 * verify.h - are the files that a job has left whole
 *
 * Of a state folder: every still and every piece that its ledgers name is compared with its digest,
 * and so is every output and preview of its report; of videos every picture is decoded besides, and
 * their number, times and sound are compared with the film.  Of a file by itself: a video is
 * decoded to its end, a picture too, a list of digests is read.  Nothing is changed.
 */
#ifndef INSPECT_VERIFY_H
#define INSPECT_VERIFY_H

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/diag.h"
#include "job/job.h"

typedef struct Verify Verify;

/* What is found goes to `out`, as lines or, at the end, as one JSON object.  *stop as in
 * render_job. */
Verify *verify_begin(FILE *out, bool json, const volatile sig_atomic_t *stop, Arena *arena);

/* A state folder; a file by itself.  False after an error (DIAG_MISSING: it is not there,
 * DIAG_DATA: the folder's own record is damaged) or a stop, not when something is found. */
bool verify_folder(Verify *verify, const char *folder, Diag *diag);
bool verify_file(Verify *verify, const char *file, Diag *diag);

/*
 * Writes the end.  False when not all was whole and there, which then stands in `out`; only the
 * Diag's kind says it again: DIAG_FAILED when something is damaged or gone, else DIAG_INCOMPLETE
 * when a film is not finished.
 */
bool verify_end(Verify *verify, Diag *diag);

#endif
