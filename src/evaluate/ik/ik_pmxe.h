/*
 * ik_pmxe.h - the PMX editor's family of IK rules (evaluate/README.md 5)
 */
#ifndef EVALUATE_IK_IK_PMXE_H
#define EVALUATE_IK_IK_PMXE_H

#include "evaluate/ik/ik_chain.h"

/* Sets PoseBone.ik of the links, from the identity.  The path must be up to date. */
void ik_solve_pmxe(Pose *pose, IkChain *chain);

#endif
