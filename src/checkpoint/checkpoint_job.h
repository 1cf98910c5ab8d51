/*
 * checkpoint_job.h - job.json of a state folder: which job the folder is of
 *
 * {"format":"odori-state","version":1,"digest":"...","job":{"render.size":"[640,
 * 360]",...},"apart":{...}, "inputs":[{"file":"...","bytes":1,"sha256":"..."},...]}: all that the
 * digest covers, what else the resolved job says, and the files that were read.
 */
#ifndef CHECKPOINT_CHECKPOINT_JOB_H
#define CHECKPOINT_CHECKPOINT_JOB_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/diag.h"
#include "film/film.h"
#include "checkpoint/fingerprint.h"

/*
 * Whether the folder is of this job.  *there: there is a job.json at all.  Told, as DIAG_CREATE: it
 * is another job's, and what differs; it is of another format version; it is damaged.
 */
bool checkpoint_job_check(bool *there, const char *folder, const Fingerprint *identity, Diag *diag);

/* Writes it, in whichever moment others do the same. */
bool checkpoint_job_save(const char *folder, const Fingerprint *identity, FilmShard shard,
                         Diag *diag);

#endif
