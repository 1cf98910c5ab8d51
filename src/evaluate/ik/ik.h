/*
 * ik.h - solves an IK chain by the family of rules that the job selects
 */
#ifndef EVALUATE_IK_IK_H
#define EVALUATE_IK_IK_H

#include "evaluate/ik/ik_chain.h"

/* Solves the chain and updates all bones below its links. */
void ik_solve(Pose *pose, IkChain *chain, IkFamily family);

#endif
