/*
 * model_harm.h - what a model loader must survive
 */
#ifndef SUPPORT_MODEL_HARM_H
#define SUPPORT_MODEL_HARM_H

#include "format/model/pmx.h"

typedef bool LoadModel(PmxModel *model, Bytes bytes, Arena *arena, Diag *diag);

/*
 * Both load damaged bytes, again and again, and fail the test unless they are refused with one
 * message or give a model that pmx_check confirms, within the memory that the loaders promise.
 */

/* The file cut at every length: it must load exactly from `needed` bytes on. */
void harm_cut(LoadModel *load, Bytes bytes, size_t needed);

/* The file with every byte flipped, as a whole and in its lowest bit. */
void harm_flip(LoadModel *load, Bytes bytes);

#endif
