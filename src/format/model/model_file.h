/*
 * model_file.h - loads a model of any format
 */
#pragma once

#include "format/model/pmx.h"

/* Calls pmx_load, pmd_load or xfile_load, depending on the first bytes; else reports an error. */
bool model_file_load(PmxModel *model, Bytes bytes, Arena *arena, Diag *diag);
