// SPDX-License-Identifier: MIT
/* model_file.h - loads a model of any supported format */
#pragma once

#include "format/model/pmx.h"
#include "format/side_files.h"

/* Calls the loader of the format that the first bytes tell, else the extension of `path`; reports
 * an error for others. */
bool model_file_load(PmxModel *model, Bytes bytes, const char *path, const SideFiles *side,
                     Arena *arena, Diag *diag);
