/*
 * state_job.h - job.json of a state folder: which job the folder is of
 *
 * {"format":"odori-state","version":1,"digest":"...","job":{"render.size":"[640, 360]",...},"apart":{...},
 *  "inputs":[{"file":"...","bytes":1,"sha256":"..."},...]}: all that the digest covers, what else the
 * resolved job says, and the files that were read.
 */
#ifndef JOB_STATE_JOB_H
#define JOB_STATE_JOB_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/diag.h"
#include "job/film.h"
#include "job/identity.h"

/*
 * Whether the folder is of this job.  *there: there is a job.json at all.  Told, as DIAG_CREATE: it is
 * another job's, and what differs; it is of another format version; it is damaged.
 */
bool state_job_check(bool *there, const char *folder, const Identity *identity, Diag *diag);

/* Writes it, in whichever moment others do the same. */
bool state_job_save(const char *folder, const Identity *identity, FilmShard shard, Diag *diag);

#endif
