/*
 * output_lock.h - locks beside the outputs, which keep two runs apart whatever their --state
 *
 * out/dance.mp4 has out/.dance.mp4.odori-lock while a run may write it; byte s is locked by the
 * process that renders segment s, as in the lock of the checkpoint directory, so that shards of one
 * film run at the same time.  The file contains the host and the process id of the run.  The last
 * run removes it; one that was killed leaves it, unlocked, to the next.  Not thread-safe.
 */
#pragma once

#include <signal.h>

#include "base/arena.h"
#include "base/diag.h"
#include "film/film_types.h"

typedef struct OutputLocks OutputLocks;

/*
 * Locks all outputs and previews of a film, and waits up to two seconds for processes of a killed
 * run.  Outputs that are streams are not locked.
 *
 * segments  LOCK_TO_END as its end: all
 * returns   NULL after an error (as lock_acquire), or without an error if *stop was set
 */
OutputLocks *output_locks_acquire(const Film *film, FilmSpan segments,
                                  const volatile sig_atomic_t *stop, Arena *arena, Diag *diag);

/* Also removes the lock files that no other run has locked.  NULL is fine. */
void output_locks_release(OutputLocks *locks);
