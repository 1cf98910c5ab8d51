#include "evaluate/ik/ik.h"

#include "evaluate/ik/ik_plane.h"
#include "evaluate/ik/ik_pmxe.h"

static void update_path(Pose *pose, const IkChain *chain)
{
    for (uint32_t i = 0; i < chain->path_count; i++)
        pose_update_bone(pose, chain->path[i]);
}

void ik_solve(Pose *pose, IkChain *chain, IkFamily family)
{
    for (uint32_t i = 0; i < chain->link_count; i++) {
        PoseBone *bone = &pose->bones[chain->links[i].bone];
        bone->ik = QUAT_IDENTITY;
        bone->ik_link = true;
        chain->links[i].angle = 0;
    }
    update_path(pose, chain);
    if (family == IK_PMXE)
        ik_solve_pmxe(pose, chain);
    else
        ik_solve_plane(pose, chain);
    update_path(pose, chain);
    for (uint32_t i = 0; i < chain->below_count; i++)
        pose_update_bone(pose, chain->below[i]);
}
