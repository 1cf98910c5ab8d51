/*
 * job_location.h - where a value of a job was written, for messages about what the value names
 *
 * A Job keeps the tree that it was read from, with the overrides of --set and flags.
 */
#ifndef JOB_JOB_LOCATION_H
#define JOB_JOB_LOCATION_H

#include "base/arena.h"
#include "base/diag.h"
#include "job/job.h"

/*
 * The location of a dotted key, such as "models.0.motions.1.file"; if the job does not set it, that
 * of the section or list around it.  `name` is appended as one more word that may contain dots,
 * such as the name of a morph, which is then the location; NULL: none.  The location is in the
 * arena.
 *
 * returns  NULL if the job has no text: files of a command line, or a job made by the program
 */
const DiagLocation *job_location(const Job *job, const char *key, const char *name, Arena *arena);

#endif
