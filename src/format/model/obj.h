// SPDX-License-Identifier: MIT
/*
 * obj.h - Wavefront OBJ scenes (.obj with .mtl) as models that do not move (format/model/README.md
 * 8)
 *
 * Read are v (also with a color), vt, vn, f, usemtl and mtllib, and of a material Kd, Ke, d, Tr and
 * map_Kd; other lines are skipped.  The model satisfies pmx.h and is an accessory.  Its comment is
 * the first one of the file, which often names the program that wrote it.
 */
#pragma once

#include "format/model/pmx.h"
#include "format/side_files.h"

bool obj_load(PmxModel *model, Bytes bytes, const SideFiles *side, Arena *arena, Diag *diag);
