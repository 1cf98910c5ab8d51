/*
 * ik_plane.h - the plane family of IK rules (evaluate/README.md 4)
 */
#ifndef EVALUATE_IK_IK_PLANE_H
#define EVALUATE_IK_IK_PLANE_H

#include "evaluate/ik/ik_chain.h"

/* Sets PoseBone.ik of the links, from the identity.  The path must be up to date. */
void ik_solve_plane(Pose *pose, IkChain *chain);

#endif
