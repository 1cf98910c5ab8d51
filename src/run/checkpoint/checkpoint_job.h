/*
 * checkpoint_job.h - job.json of a checkpoint directory: the job to which the directory belongs
 *
 *     {"format":"odori-state","version":1,"digest":"...",
 *      "job":{"render.size":"[640, 360]",...},"apart":{...},
 *      "inputs":[{"file":"...","bytes":1,"sha256":"..."},...]}
 *
 * "job" has all facts that the digest covers, "apart" the other values of the resolved job,
 * "inputs" the files that were read.  Paths of inputs and outputs are relative to the directory
 * (absolute in directories of older versions).
 */
#ifndef RUN_CHECKPOINT_CHECKPOINT_JOB_H
#define RUN_CHECKPOINT_CHECKPOINT_JOB_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/diag.h"
#include "film/film.h"
#include "run/checkpoint/fingerprint.h"

/*
 * True if the directory belongs to this job or has no job.json.  *exists: it has a job.json.
 * Errors, DIAG_CREATE: it belongs to another job (the message names a difference), has another
 * format version, or is damaged.
 */
bool checkpoint_job_check(bool *exists, const char *directory, const Fingerprint *fingerprint,
                          Diag *diag);

/*
 * The first difference between this job and the one to which the directory belongs, such as
 * "render.fps: was 30, is now 60; 2 more".  NULL if there is no other job, or if job.json cannot be
 * read.
 */
const char *checkpoint_job_difference(const char *directory, const Fingerprint *fingerprint,
                                      Arena *arena);

/* Removes job.json, which may be missing. */
bool checkpoint_job_remove(const char *directory, Diag *diag);

/* Writes job.json; other processes may do so at the same time. */
bool checkpoint_job_save(const char *directory, const Fingerprint *fingerprint, FilmShard shard,
                         Diag *diag);

#endif
