// SPDX-License-Identifier: MIT
/*
 * lock.h - locks on byte ranges of a file, in the checkpoint directory and beside the outputs
 *
 * Open file description locks: forked children share them, and they end when the last process that
 * has the file open exits.  So a killed run stays locked until its last child is gone.
 */
#pragma once

#include <signal.h>

#include "base/arena.h"
#include "base/diag.h"
#include "film/film_types.h"

#define LOCK_TO_END INT64_MAX /* as the end of a span: to the end of the file, however long */

/*
 * Opens or creates the file and tries for wait_ms to lock a span of its bytes.  The lock is held
 * until lock_release, or until the last process closes *fd.  An empty span locks nothing.  Warns
 * about a file system without locks. Errors, with *fd == -1: DIAG_CREATE, DIAG_IO, DIAG_INCOMPLETE
 * (locked by another process; the message names `holder`, the probable owner, if it is not "").
 * *stop (or NULL) ends the waiting: false without an error.
 */
bool lock_acquire(int *fd, const char *file, FilmSpan bytes, int wait_ms, const char *holder,
                  const volatile sig_atomic_t *stop, Diag *diag);

/*
 * Unlocks all that lock_acquire locked through *fd, also for forked children that still have the
 * file open (a killed worker may need seconds to end), closes it and sets *fd to -1.  Call it when
 * no child can write any more.  *fd == -1: nothing happens.
 */
void lock_release(int *fd);

/*
 * Locks beside the outputs, which keep two runs apart whatever their --state.
 *
 * out/dance.mp4 has out/.dance.mp4.odori-lock while a run may write it; byte s is locked by the
 * process that renders segment s, as in the lock of the checkpoint directory, so that shards of one
 * film run at the same time.  The file contains the host and the process id of the run.  The last
 * run removes it; one that was killed leaves it, unlocked, to the next.  Not thread-safe.
 */
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
