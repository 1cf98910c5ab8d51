/*
 * output_set.h - the outputs of a film as one process serves them
 *
 * Unordered outputs (stills) are served in every worker, ordered ones in the encoder process.  With
 * a State, ordered outputs are written in pieces (output/sink.h), each begun with its first picture
 * and committed with its last, and only what the state lacks is written at all.  Without a State,
 * and for kinds that cannot be made in pieces, an output is written as a whole. Not thread-safe; a
 * State is only read here.
 */
#ifndef PIPELINE_OUTPUT_SET_H
#define PIPELINE_OUTPUT_SET_H

#include "base/image.h"
#include "film/film.h"
#include "checkpoint/checkpoint.h"

/* What one picture left behind in outputs with files of their own; fits in a farm's note. */
typedef struct FrameReceipt {
    uint32_t taken; /* bit i: output i wrote the picture */
    SinkRecord records[JOB_MAX_OUTPUTS];
} FrameReceipt;

typedef struct OutputSet OutputSet;

/* NULL after an error.  state NULL: everything as a whole. */
OutputSet *output_set_open(const Film *film, const Checkpoint *state, bool ordered, Diag *diag);

/* `note` may be NULL in the encoder. */
bool output_set_write(OutputSet *takers, const Image *image, int64_t frame, FrameReceipt *note,
                      Diag *diag);

/* Commits what is written as a whole. */
bool output_set_finish(OutputSet *takers, Diag *diag);

void output_set_close(OutputSet *takers); /* takes away what is not committed */

/* Does some output, ordered or not, lack the picture at this place? */
bool output_set_needs(const Film *film, const Checkpoint *state, int64_t place);

/* Takes away what a process, now gone, left unfinished. */
void output_set_sweep(const Film *film, const Checkpoint *state, long pid);

#endif
