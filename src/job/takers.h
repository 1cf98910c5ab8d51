/*
 * takers.h - the outputs of a film as one process serves them
 *
 * Unordered outputs (stills) are served in every worker, ordered ones in the encoder process.  With a
 * State, ordered outputs are written in pieces (output/sink.h), each begun with its first picture and
 * committed with its last, and only what the state lacks is written at all.  Without a State, and for
 * kinds that cannot be made in pieces, an output is written as a whole.
 * Not thread-safe; a State is only read here.
 */
#ifndef JOB_TAKERS_H
#define JOB_TAKERS_H

#include "base/image.h"
#include "job/film.h"
#include "job/state.h"

/* What one picture left behind in outputs with files of their own; fits in a farm's note. */
typedef struct TakerNote {
    uint32_t taken; /* bit i: output i wrote the picture */
    SinkRecord records[8];
} TakerNote;

typedef struct Takers Takers;

/* NULL after an error.  state NULL: everything as a whole. */
Takers *takers_open(const Film *film, const State *state, bool ordered, Diag *diag);

/* `note` may be NULL in the encoder. */
bool takers_write(Takers *takers, const Image *image, int64_t frame, TakerNote *note, Diag *diag);

/* Commits what is written as a whole. */
bool takers_finish(Takers *takers, Diag *diag);

void takers_close(Takers *takers); /* takes away what is not committed */

/* Does some output, ordered or not, lack the picture at this place? */
bool takers_need(const Film *film, const State *state, int64_t place);

/* Takes away what a process, now gone, left unfinished. */
void takers_sweep(const Film *film, const State *state, long pid);

#endif
