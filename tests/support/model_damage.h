// SPDX-License-Identifier: MIT
/*
 * model_damage.h - damaged files for model loaders
 */
#ifndef SUPPORT_MODEL_DAMAGE_H
#define SUPPORT_MODEL_DAMAGE_H

#include "format/model/pmx.h"

typedef bool LoadModel(PmxModel *model, Bytes bytes, Arena *arena, Diag *diag);

/*
 * Both load many damaged variants of a file and fail the test unless each is rejected with one
 * error or gives a model that pmx_check accepts, within a fixed multiple of the file size in
 * memory.
 */

/* The file truncated to every length: it must load if at least `needed` bytes remain. */
void model_damage_truncate(LoadModel *load, Bytes bytes, size_t needed);

/* The file with every byte inverted, and with its lowest bit inverted. */
void model_damage_flip(LoadModel *load, Bytes bytes);

#endif
