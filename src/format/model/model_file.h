/*
 * model_file.h - a model of any format
 */
#ifndef FORMAT_MODEL_MODEL_FILE_H
#define FORMAT_MODEL_MODEL_FILE_H

#include "format/model/pmx.h"

/* Looks at the first bytes and calls pmx_load, pmd_load or xfile_load; an error when it is none. */
bool model_file_load(PmxModel *model, Bytes bytes, Arena *arena, Diag *diag);

#endif
