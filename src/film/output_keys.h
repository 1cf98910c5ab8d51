/*
 * output_keys.h - keys of outputs that have no effect on their format
 */
#ifndef FILM_OUTPUT_KEYS_H
#define FILM_OUTPUT_KEYS_H

#include "film/film.h"

/*
 * Whether the command line sets only keys of an output that its format has, such as no
 * outputs.0.preset of images; what a job file or a batch sets beyond that has no effect, so that
 * one job can be written in several formats.  `output` has its kind.  Error: DIAG_JOB, at the key.
 */
bool output_keys_check(const FilmOutput *output, const Job *job, size_t index, Arena *arena,
                       Diag *diag);

#endif
