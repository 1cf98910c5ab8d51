// SPDX-License-Identifier: MIT
/* fuzz_mocap.h - what holds for motion capture of every format (format/motion/mocap.h) */
#ifndef FUZZ_FUZZ_MOCAP_H
#define FUZZ_FUZZ_MOCAP_H

#include <math.h>

#include "format/motion/mocap.h"
#include "fuzz.h"

static inline bool fuzz_is_pose(Vec3 position, Quat rotation)
{
    return isfinite(vec3_length(position)) && fabs(quat_dot(rotation, rotation) - 1) < 1e-6;
}

static inline bool fuzz_mocap(const Mocap *m)
{
    const double times[] = {0, m->duration_s / 3, m->duration_s};
    fuzz_require(m->joint_count && m->joint_count <= MOCAP_MAX_JOINTS);
    fuzz_require(m->duration_s >= 0 && isfinite(m->duration_s));
    fuzz_require(!m->take_count || m->take < m->take_count);
    for (uint32_t i = 0; i < m->joint_count; i++) {
        const MocapJoint *joint = &m->joints[i];
        fuzz_require(joint->parent >= -1 && joint->parent < (int32_t)i);
        fuzz_require(fuzz_is_pose(joint->rest, joint->rest_rotation));
        for (size_t k = 0; k < 3; k++) {
            Vec3 position;
            Quat rotation;
            mocap_local(&position, &rotation, m, times[k], i);
            fuzz_require(fuzz_is_pose(position, rotation));
        }
    }
    return true;
}

#endif
