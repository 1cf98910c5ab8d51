// SPDX-License-Identifier: MIT
/*
 * loops.h - finds the loops that the joints of a model form
 *
 * The links of dynamics.h are a forest, so each other joint between linked bodies closes a loop:
 * from the joint along the links of both its bodies to where these meet, or to the bodies in place
 * on which they hang.
 */
#pragma once

#include "scene/dynamics/dynamics.h"

/*
 * Lists the loops of a plan whose links are known: in the order of their first bodies in
 * `chained`, and in file order where they have bodies in common.  Loops with a joint that has no
 * limit do not exist.  A model with very many long loops keeps only the first in the file, so that
 * steps are at most LOOPS_MAX_STEPS for each joint.
 */
enum { LOOPS_MAX_STEPS = 32 };
void loops_plan(Dynamics *plan, const PmxModel *pmx, Arena *arena);
