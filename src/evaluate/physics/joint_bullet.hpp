/*
 * joint_bullet.hpp - the joints of PMX as Bullet's constraints, with the older library's behaviour
 */
#ifndef EVALUATE_PHYSICS_JOINT_BULLET_HPP
#define EVALUATE_PHYSICS_JOINT_BULLET_HPP

#include <btBulletDynamicsCommon.h>

extern "C" {
#include "format/model/pmx.h"
}

/* Both ends of the joint exist; a and b are its bodies.  The caller adds it to the world and
 * deletes it. */
btTypedConstraint *joint_make(const PmxModel &pmx, const PmxJoint &file, btRigidBody &a,
                              btRigidBody &b, float scale);

#endif
