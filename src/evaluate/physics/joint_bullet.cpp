// SPDX-License-Identifier: MIT
#include "evaluate/physics/world_bullet.hpp"

namespace
{

/* From babylon-mmd, found by comparison with MMD; Bullet's default of 0.2 is too soft
 * (evaluate/physics/README.md 1). */
const btScalar STOP_ERP = btScalar(0.475);

/* The 6-DoF joint divides by zero at 90 and 180 degrees: angles are moved off them. */
float off_quarter_turns(float angle)
{
    const float near = 1e-4f, size = fabsf(angle);
    if (fabsf(size - SIMD_HALF_PI) < near || fabsf(size - SIMD_PI) < near)
        return angle - copysignf(2 * near, angle);
    return angle;
}

struct JointEnds {
    btRigidBody &a, &b;
    btTransform frame_a, frame_b;
};

/* As in Bullet 2.75: hard stops on every axis, without frame offset. */
void set_limits(btGeneric6DofConstraint *joint, const PmxJoint &file, float scale)
{
    btVector3 lower, upper;
    for (int i = 0; i < 3; i++) {
        lower[i] = off_quarter_turns(file.angular_lower[i]);
        upper[i] = off_quarter_turns(file.angular_upper[i]);
    }
    joint->setLinearLowerLimit(vector_of(file.linear_lower) * scale);
    joint->setLinearUpperLimit(vector_of(file.linear_upper) * scale);
    joint->setAngularLowerLimit(lower);
    joint->setAngularUpperLimit(upper);
    joint->setUseFrameOffset(false);
    for (int axis = 0; axis < 6; axis++)
        joint->setParam(BT_CONSTRAINT_STOP_ERP, STOP_ERP, axis);
}

btTypedConstraint *make_spring(const JointEnds &ends, const PmxJoint &file, float scale)
{
    btGeneric6DofSpringConstraint *joint =
        new btGeneric6DofSpringConstraint(ends.a, ends.b, ends.frame_a, ends.frame_b, true);
    set_limits(joint, file, scale);
    for (int i = 0; i < 3; i++) {
        if (file.linear_spring[i] != 0) {
            joint->enableSpring(i, true);
            joint->setStiffness(i, file.linear_spring[i]);
        }
        if (file.angular_spring[i] != 0) {
            joint->enableSpring(i + 3, true);
            joint->setStiffness(i + 3, file.angular_spring[i]);
        }
    }
    return joint;
}

btTypedConstraint *make_6dof(const JointEnds &ends, const PmxJoint &file, float scale)
{
    btGeneric6DofConstraint *joint =
        new btGeneric6DofConstraint(ends.a, ends.b, ends.frame_a, ends.frame_b, true);
    set_limits(joint, file, scale);
    return joint;
}

btTypedConstraint *make_point(const JointEnds &ends)
{
    btPoint2PointConstraint *joint = new btPoint2PointConstraint(
        ends.a, ends.b, ends.frame_a.getOrigin(), ends.frame_b.getOrigin());
    joint->setParam(BT_CONSTRAINT_ERP, STOP_ERP);
    return joint;
}

/* The joint types of PMX 2.1 store their additional parameters in the spring fields
 * (evaluate/physics/README.md 1.1).
 */
float or_default(float value, float otherwise)
{
    return value != 0 ? value : otherwise;
}

btTypedConstraint *make_cone_twist(const JointEnds &ends, const PmxJoint &file)
{
    btConeTwistConstraint *joint =
        new btConeTwistConstraint(ends.a, ends.b, ends.frame_a, ends.frame_b);
    joint->setLimit(file.angular_lower[2], file.angular_lower[1], file.angular_lower[0],
                    or_default(file.linear_spring[0], 1), or_default(file.linear_spring[1], 0.3f),
                    or_default(file.linear_spring[2], 1));
    joint->setDamping(or_default(file.linear_lower[0], 0.01f));
    joint->setFixThresh(or_default(file.linear_upper[0], 0.05f));
    return joint;
}

btTypedConstraint *make_slider(const JointEnds &ends, const PmxJoint &file, float scale)
{
    btSliderConstraint *joint =
        new btSliderConstraint(ends.a, ends.b, ends.frame_a, ends.frame_b, true);
    joint->setLowerLinLimit(file.linear_lower[0] * scale);
    joint->setUpperLinLimit(file.linear_upper[0] * scale);
    joint->setLowerAngLimit(file.angular_lower[0]);
    joint->setUpperAngLimit(file.angular_upper[0]);
    joint->setPoweredLinMotor(file.linear_spring[0] != 0);
    joint->setTargetLinMotorVelocity(file.linear_spring[1] * scale);
    joint->setMaxLinMotorForce(file.linear_spring[2]);
    joint->setPoweredAngMotor(file.angular_spring[0] != 0);
    joint->setTargetAngMotorVelocity(file.angular_spring[1]);
    joint->setMaxAngMotorForce(file.angular_spring[2]);
    return joint;
}

btTypedConstraint *make_hinge(const JointEnds &ends, const PmxJoint &file)
{
    btHingeConstraint *joint =
        new btHingeConstraint(ends.a, ends.b, ends.frame_a, ends.frame_b, true);
    joint->setLimit(file.angular_lower[0], file.angular_upper[0],
                    or_default(file.linear_spring[0], 0.9f),
                    or_default(file.linear_spring[1], 0.3f), or_default(file.linear_spring[2], 1));
    joint->enableAngularMotor(file.angular_spring[0] != 0, file.angular_spring[1],
                              file.angular_spring[2]);
    return joint;
}

/* The frame of a joint in the space of one of its bodies. */
btTransform frame_of(const PmxModel &pmx, const PmxJoint &joint, int32_t body, float scale)
{
    const float rotation[3] = {off_quarter_turns(joint.rotation[0]),
                               off_quarter_turns(joint.rotation[1]),
                               off_quarter_turns(joint.rotation[2])};
    const PmxBody &b = pmx.bodies[body];
    return rest_transform(b.position, b.rotation, scale).inverse() *
           rest_transform(joint.position, rotation, scale);
}

} // namespace

JointFrames joint_frames(const PmxModel &pmx, const PmxJoint &joint, float scale)
{
    const btTransform a = frame_of(pmx, joint, joint.body_a, scale);
    const btTransform b = frame_of(pmx, joint, joint.body_b, scale);
    return {{a.getOrigin(), a.getRotation()}, {b.getOrigin(), b.getRotation()}};
}

btTypedConstraint *joint_make(const PmxModel &pmx, const PmxJoint &file, btRigidBody &a,
                              btRigidBody &b, float scale)
{
    const JointEnds ends = {a, b, frame_of(pmx, file, file.body_a, scale),
                            frame_of(pmx, file, file.body_b, scale)};
    switch (file.type) {
    case PMX_JOINT_6DOF:
        return make_6dof(ends, file, scale);
    case PMX_JOINT_POINT:
        return make_point(ends);
    case PMX_JOINT_CONE_TWIST:
        return make_cone_twist(ends, file);
    case PMX_JOINT_SLIDER:
        return make_slider(ends, file, scale);
    case PMX_JOINT_HINGE:
        return make_hinge(ends, file);
    default:
        return make_spring(ends, file, scale);
    }
}
