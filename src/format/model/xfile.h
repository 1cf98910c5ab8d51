// SPDX-License-Identifier: MIT
/*
 * xfile.h - DirectX mesh files (.x): MMD's accessories and stages
 *
 * Reads the text, binary and compressed formats, with floats of 32 or 64 bits
 * (format/model/README.md 4). The file becomes a PmxModel whose `accessory` is set:
 *   - one bone, センター, moves all vertices; positions are 10 times those of the file, as in MMD
 *   - the matrices of nested Frames are applied; all Meshes become one model
 *   - each Mesh has its own materials, inline or by {name}; polygons become triangle fans
 *   - ambient is the emissive color; a material with alpha below 1 is double-sided; a texture name
 *     may hold two names, as in PMD (texture_field.h)
 *   - normals are computed if the file has none, or if they do not match the faces
 * Templates, animation, skin weights, vertex colors and unknown blocks are skipped.
 * The model satisfies pmx.h, but a file that is truncated or damaged anywhere is an error.
 */
#pragma once

#include "format/model/pmx.h"

enum { XFILE_MAX_DEPTH = 64 }; /* nested Frames */

bool xfile_load(PmxModel *model, Bytes bytes, Arena *arena, Diag *diag);
