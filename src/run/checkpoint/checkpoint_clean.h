// SPDX-License-Identifier: MIT
/*
 * checkpoint_clean.h - removes temporary files of crashed runs, and files of a checkpoint directory
 *
 * Only files with names that this program creates are removed, and of temporary files only those of
 * one shard, because other machines may be rendering other shards.  The caller holds the locks of
 * the shard.  Files that cannot be removed are left without a message.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "film/film_types.h"

enum { CHECKPOINT_CLEAN_NAME_SIZE = 4096 };

/* Removes ".NAME.PID.tmp" of the shard's segments and stills; for {1, 1} also of the outputs, the
 * previews and the records of the directory, but not of bakes, which another process may be
 * writing. */
void checkpoint_clean_temporaries(const char *directory, const Film *film, FilmShard shard);

/* Removes all segments and bakes; _all also the ledgers, the report and the copies of job.json.
 * job.json itself stays. */
void checkpoint_clean_work(const char *directory);
void checkpoint_clean_all(const char *directory);

/* Removes all ledgers but the one with this name. */
void checkpoint_clean_ledgers(const char *directory, const char *kept);

/* Removes what a killed run left of an output: its directory, and temporary files beside it, unless
 * another run has locked the output.  Other files in the directory stay, and it with them. */
void checkpoint_clean_output(const char *file);

/*
 * Removes the whole directory, under its lock, but for files that have no name of this program;
 * then it stays, without an error.  *bytes: the size of what is removed.  dry: nothing is.
 *
 * Errors: DIAG_CREATE (it is a symbolic link, or has links, pipes or devices in it),
 * DIAG_INCOMPLETE (a run has it locked), DIAG_IO.
 */
bool checkpoint_remove(uint64_t *bytes, const char *directory, bool dry, Arena *arena, Diag *diag);
