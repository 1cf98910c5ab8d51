/*
 * model_harm.h - what a model loader must survive
 */
#ifndef SUPPORT_MODEL_HARM_H
#define SUPPORT_MODEL_HARM_H

#include "format/pmx.h"

typedef bool LoadModel(PmxModel *model, Bytes bytes, Arena *arena, Diag *diag);

/*
 * Loads `bytes`, perhaps damaged, and fails the test unless they are refused with one message or
 * give a model that pmx_check confirms, within the memory that the loaders promise.  Returns
 * whether loaded.
 */
bool harm_try(LoadModel *load, Bytes bytes, size_t at, const char *what);

/* The same for the file cut at every length: it must load exactly from `needed` bytes on. */
void harm_cut(LoadModel *load, Bytes bytes, size_t needed);

/* The same with every byte flipped, as a whole and in its lowest bit. */
void harm_flip(LoadModel *load, Bytes bytes);

#endif
