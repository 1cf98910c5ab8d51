// SPDX-License-Identifier: MIT
#include "demo/dance_keys.h"

/*
 * Keys of the legs, computed from the positions of feet and hips: a leg of two bones has one
 * solution for a given direction of the knee.  Without these keys the IK of the legs ends up to 0.1
 * units before the position of the foot, and the IK of the toes leaves the soles tilted; if both
 * start at the solution, they keep it.
 */

enum { KEY_INTERVAL = 2, HALVINGS = 40 };

static Vec3 rest_of(int bone)
{
    return vec3_load(bone_position(bone).raw);
}

typedef struct Leg {
    Vec3 thigh, shin; /* at rest */
    Vec3 goal;        /* from the hip to the ankle, in the frame of the hips */
    Quat hips, foot;  /* rotations in the frame of the root */
} Leg;

static Leg leg_at(const Keys *keys, Side side, double frame)
{
    const Vec3 hip = rest_of(bone_of(PAIR_LEG, side)), knee = rest_of(bone_of(PAIR_KNEE, side));
    const Vec3 ankle = rest_of(bone_of(PAIR_ANKLE, side)), middle = rest_of(BONE_LOWER);
    const BoneTransform foot = bone_transform_at(keys, bone_of(PAIR_LEG_IK, side), frame);
    const Quat hips = bone_transform_at(keys, BONE_LOWER, frame).rotation;
    const Vec3 translation = vec3_add(bone_transform_at(keys, BONE_CENTER, frame).offset,
                                      bone_transform_at(keys, BONE_GROOVE, frame).offset);
    const Vec3 hip_now =
        vec3_add(vec3_add(middle, translation), quat_rotate(hips, vec3_sub(hip, middle)));
    const Vec3 goal = vec3_sub(vec3_add(ankle, foot.offset), hip_now);

    return (Leg){vec3_sub(knee, hip), vec3_sub(ankle, knee), quat_rotate(quat_inverse(hips), goal),
                 hips, foot.rotation};
}

static Quat knee_rotation(double bend)
{
    return quat_from_axis_angle((Vec3){1, 0, 0}, -bend);
}

/* Vector from hip to ankle with the knee bent by an angle. */
static Vec3 hip_to_ankle(const Leg *leg, double bend)
{
    return vec3_add(leg->thigh, quat_rotate(knee_rotation(bend), leg->shin));
}

/* Angle of the knee at which the distance from hip to ankle is that of the goal. */
static double knee_bend(const Leg *leg)
{
    double low = 0.01, high = 2.8;

    for (int i = 0; i < HALVINGS; i++) {
        const double middle = 0.5 * (low + high);
        if (vec3_length(hip_to_ankle(leg, middle)) > vec3_length(leg->goal))
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The shortest rotation from one direction to another. */
static Quat rotation_between(Vec3 from, Vec3 to)
{
    const Vec3 axis = vec3_cross(from, to);
    return quat_from_axis_angle(vec3_normalize(axis), atan2(vec3_length(axis), vec3_dot(from, to)));
}

static void key_leg(Keys *keys, Side side, int frame)
{
    const Leg leg = leg_at(keys, side, frame);
    const double bend = knee_bend(&leg), beat = (double)frame / DANCE_BEAT;
    /* the knee points half as far outwards as the foot */
    const Vec3 toes = quat_rotate(quat_mul(quat_inverse(leg.hips), leg.foot), (Vec3){0, 0, -1});
    const double outwards = 0.5 * atan2(-toes.x, -toes.z);
    const Quat thigh = quat_mul(rotation_between(hip_to_ankle(&leg, bend), leg.goal),
                                quat_from_axis_angle((Vec3){0, 1, 0}, outwards));
    const Vec3 swung = quat_rotate(thigh, hip_to_ankle(&leg, bend));
    const Quat exact = quat_mul(rotation_between(swung, leg.goal), thigh);
    const Quat shin = quat_mul(leg.hips, quat_mul(exact, knee_rotation(bend)));

    dance_key_rotation(keys, bone_of(PAIR_LEG, side), beat, exact, EASE_LINEAR);
    dance_key_rotation(keys, bone_of(PAIR_KNEE, side), beat, knee_rotation(bend), EASE_LINEAR);
    dance_key_rotation(keys, bone_of(PAIR_ANKLE, side), beat,
                       quat_mul(quat_inverse(shin), leg.foot), EASE_LINEAR);
}

void dance_add_legs(Keys *keys)
{
    for (int f = 0; f <= DANCE_FRAMES; f += KEY_INTERVAL)
        for (Side side = LEFT; side <= RIGHT; side++)
            key_leg(keys, side, f);
}
