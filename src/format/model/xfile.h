/*
 * xfile.h - DirectX mesh files (.x): MMD's accessories and stages
 *
 * Text, binary and both compressed kinds, with floats of 32 or 64 bits.  The file becomes a
 * PmxModel whose `accessory` is set:
 *   - one bone, センター, holds all vertices; positions are 10 times the file's, as in MMD
 *   - Frames lie inside each other; their matrices, and Mesh after Mesh, make one model
 *   - each Mesh brings its own materials, in its own order, inline or by {name}; n-gons are fans
 *   - ambient is the emissive colour; a material with alpha below 1 is drawn from both sides;
 *     the texture's name may be two, as in PMD (texture_field.h)
 *   - without normals (or with such as do not fit the faces) they are computed
 * Templates, animation, skin weights, vertex colours and unknown blocks are passed over.
 * Same promises as pmx.h; but a file that ends or breaks anywhere is an error.
 */
#ifndef FORMAT_MODEL_XFILE_H
#define FORMAT_MODEL_XFILE_H

#include "format/model/pmx.h"

enum { XFILE_MAX_DEPTH = 64 }; /* of Frames in Frames */

/* Do the bytes begin as such a file does? */
bool xfile_detect(Bytes bytes);

bool xfile_load(PmxModel *model, Bytes bytes, Arena *arena, Diag *diag);

#endif
