/*
 * lock.h - bytes of a file, held by one program
 *
 * Locks of the open file (OFD): a forked child holds them too, and they end with the last process
 * that has the file open.  So they tell whether anybody of a killed run is still at work.
 */
#ifndef CHECKPOINT_LOCK_H
#define CHECKPOINT_LOCK_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "film/film.h"

#define LOCK_TO_END INT64_MAX /* as the end of a span: whatever comes behind, too */

/*
 * Opens (makes) the file, tries for wait_ms to lock a span of its bytes, and leaves in *fd what
 * holds them until it is closed.  An empty span locks nothing.  A file system without locks is
 * warned about. Errors, with *fd -1: DIAG_CREATE, DIAG_IO, DIAG_INCOMPLETE (held by another
 * program; with `holder`, if that is not "", as a guess who).  *stop (or NULL) ends the waiting:
 * false without an error.
 */
bool lock_take(int *fd, const char *file, FilmSpan bytes, int wait_ms, const char *holder,
               const volatile sig_atomic_t *stop, Diag *diag);

#endif
