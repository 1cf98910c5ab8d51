/*
 * pmd.h - the older model format, converted to a PmxModel while it is read
 *
 * Conversion per the reference, 1.1: layers 0 (bones), 1 (IK, in file order), 2 (types 5 and 9);
 * IK weight x 4; knees limited; extra IKs of a bone on hidden child bones; base morph resolved;
 * texture field split into texture and sphere; toon list into shared toons or textures; English
 * names, display frames, bodies (made absolute; bone -1 becomes bone 0) and joints kept. Same
 * promises as pmx.h.
 */
#ifndef FORMAT_MODEL_PMD_H
#define FORMAT_MODEL_PMD_H

#include "format/model/pmx.h"

bool pmd_load(PmxModel *model, Bytes bytes, Arena *arena, Diag *diag);

#endif
