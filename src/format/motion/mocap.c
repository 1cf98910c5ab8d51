// SPDX-License-Identifier: MIT
#include "format/motion/mocap.h"

#include <string.h>

#include "base/text.h"
#include "format/motion/vmd.h"

bool mocap_in_range(Vec3 v)
{
    return fabs(v.x) <= VMD_MAX_VALUE && fabs(v.y) <= VMD_MAX_VALUE && fabs(v.z) <= VMD_MAX_VALUE;
}

Vec3 mocap_scaled(Vec3 v, Vec3 factors)
{
    return (Vec3){v.x * factors.x, v.y * factors.y, v.z * factors.z};
}

void mocap_place_rest(Mocap *mocap, uint32_t joint, Vec3 offset, Quat rotation)
{
    MocapJoint *j = &mocap->joints[joint];
    const MocapJoint root = {.rest_rotation = QUAT_IDENTITY};
    const MocapJoint *parent = j->parent < 0 ? &root : &mocap->joints[j->parent];
    j->rest = vec3_add(parent->rest, quat_rotate(parent->rest_rotation, offset));
    j->rest_rotation = quat_normalize(quat_mul(parent->rest_rotation, rotation));
}

bool mocap_choose_take(Mocap *mocap, const bool *moves, const char *wanted, Arena *arena,
                       Diag *diag)
{
    const uint32_t count = mocap->take_count;
    uint32_t i = 0;
    while (i < count && !(wanted ? !strcmp(mocap->takes[i], wanted) : moves[i]))
        i++;
    mocap->take = i;
    if (i < count && moves[i])
        return true;
    const TextNames names = TEXT_WORDS(mocap->takes, count);
    if (!count)
        return diag_error(diag, "the file has no take: there is no motion");
    if (!wanted)
        return diag_error(diag, "no curve of its takes moves a joint: there is no motion");
    if (i < count)
        return diag_error(diag, "no curve of take '%s' moves a joint", wanted);
    return diag_error(diag, "no take '%s'%s", wanted, text_suggestion(wanted, names, arena));
}

void mocap_local(Vec3 *position, Quat *rotation, const Mocap *mocap, double time_s, uint32_t joint)
{
    const double frame = fmin(time_s * mocap->fps, mocap->frame_count - 1.0);
    const double first = mocap->frame_count ? floor(frame) : time_s;
    mocap->local(position, rotation, mocap->source, first, joint);
    if (!mocap->frame_count || frame == first)
        return;
    Vec3 p;
    Quat q;
    mocap->local(&p, &q, mocap->source, first + 1, joint);
    *position = vec3_lerp(*position, p, frame - first);
    *rotation = quat_slerp(*rotation, q, frame - first);
}

void mocap_pose(Vec3 *positions, Quat *rotations, const Mocap *mocap, double time_s)
{
    for (uint32_t i = 0; i < mocap->joint_count; i++) {
        const int32_t parent = mocap->joints[i].parent;
        Vec3 position;
        Quat rotation;
        mocap_local(&position, &rotation, mocap, time_s, i);
        if (parent >= 0) {
            position = vec3_add(positions[parent], quat_rotate(rotations[parent], position));
            rotation = quat_mul(rotations[parent], rotation);
        }
        positions[i] = position;
        rotations[i] = quat_normalize(rotation);
    }
}
