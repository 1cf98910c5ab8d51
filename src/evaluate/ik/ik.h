// SPDX-License-Identifier: MIT
/*
 * ik.h - solves IK chains by the family of rules that the job selects (evaluate/ik/README.md)
 */
#pragma once

#include "evaluate/ik/ik_chain.h"

/* Sets PoseBone.ik of the links, and updates all bones below them. */
void ik_solve(Pose *pose, IkChain *chain, IkFamily family);

/* From effector to goal. */
double ik_distance(const Pose *pose, const IkChain *chain);

/* A complete rotation (ik * local_rotation), clamped to the link's limits.  reflect: angles outside
 * are reflected at the limit if that is inside the range, which bends a straight knee the right
 * way. */
Quat ik_limit_rotation(const IkLink *link, Quat whole, bool reflect);
