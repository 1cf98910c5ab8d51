/*
 * physics_pose.h - bones that physics moves, taken from the World into a Pose
 *
 * Comes between pose_solve_before_physics and pose_solve_after_physics (evaluate/README.md 1).  A
 * moved bone's own parts become what leads from its parent to where physics has it, so that what
 * appends it later sees its motion.  Bones below a moved one go with it; all others keep every bit.
 */
#ifndef EVALUATE_PHYSICS_POSE_H
#define EVALUATE_PHYSICS_POSE_H

#include "evaluate/physics.h"
#include "evaluate/pose.h"

/* model: its index in the scene.  blend: as in world_bone.  placement: of this moment. */
void physics_pose(Pose *pose, const World *world, size_t model, const Placement *placement,
                  float blend);

#endif
