/*
 * checkpoint_clean.h - what may be taken away: temporaries of dead runs, and a folder's own files
 *
 * Only names that this program gives are touched, never anything else, and of temporaries only
 * those of what a shard makes: other machines may be at work on other shards at the same moment.
 * The caller holds the locks of the shard.  What cannot be removed stays, without a word.
 */
#ifndef CHECKPOINT_CHECKPOINT_CLEAN_H
#define CHECKPOINT_CHECKPOINT_CLEAN_H

#include "film/film.h"

enum { CHECKPOINT_CLEAN_NAME_SIZE = 4096 };

/* ".NAME.PID.tmp" of the shard's pieces in the folder, and of its pictures beside the outputs; for
 * {1, 1} also of the outputs and previews, and of all that the folder itself holds but a bake,
 * which may be in the making. */
void checkpoint_clean_temporaries(const char *folder, const Film *film, FilmShard shard);

/* All pieces and bakes; all ledgers too, the report, and what lies beside job.json, which stays. */
void checkpoint_clean_work(const char *folder);
void checkpoint_clean_all(const char *folder);

#endif
