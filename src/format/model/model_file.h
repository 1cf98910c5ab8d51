/*
 * model_file.h - loads a model of any format
 */
#ifndef FORMAT_MODEL_MODEL_FILE_H
#define FORMAT_MODEL_MODEL_FILE_H

#include "format/model/pmx.h"

/* Calls pmx_load, pmd_load or xfile_load, depending on the first bytes; else reports an error. */
bool model_file_load(PmxModel *model, Bytes bytes, Arena *arena, Diag *diag);

#endif
