// SPDX-License-Identifier: MIT
/*
 * vrm_look.h - how the expressions of a VRM figure follow its eyes (format/model/README.md 9)
 */
#pragma once

#include "format/model/vrm_bones.h"
#include "format/model/vrm_rig.h"

/* Whether the figure looks by expressions rather than by bones; then sets where the middle of its
 * eyes is in the space of the head.  extension: VRM or VRMC_vrm */
bool vrm_looks_by_expressions(Vec3 *eyes, const JsonValue *extension, bool older);

/* No morphs if it looks by bones. */
void vrm_look_read(VrmLookAt *look, const VrmFigure *figure);
