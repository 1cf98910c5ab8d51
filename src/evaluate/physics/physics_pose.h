/*
 * physics_pose.h - writes the results of physics to a Pose
 *
 * Comes between pose_solve_before_physics and pose_solve_after_physics (evaluate/README.md 1).  The
 * local parts of a moved bone are recomputed from its parent and its simulated transform, so that
 * later appends see its motion.  Descendants of moved bones follow; all other bones keep every bit.
 */
#ifndef EVALUATE_PHYSICS_PHYSICS_POSE_H
#define EVALUATE_PHYSICS_PHYSICS_POSE_H

#include "evaluate/physics/physics.h"
#include "evaluate/pose.h"

/* model: its index in the scene.  blend: as in world_bone.  placement: at this frame. */
void physics_pose(Pose *pose, const World *world, size_t model, const Placement *placement,
                  float blend);

#endif
