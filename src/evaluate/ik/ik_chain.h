/*
 * ik_chain.h - chains of inverse kinematics, and the steps that both families share
 * (evaluate/README.md 4)
 *
 * The links of a chain are rotated so that its effector reaches the goal, the IK bone.  The result
 * is PoseBone.ik of each link.  There are two families of rules; both use the same chain.
 */
#ifndef EVALUATE_IK_IK_CHAIN_H
#define EVALUATE_IK_IK_CHAIN_H

#include "evaluate/pose.h"

#define IK_MIN_ANGLE 1.75e-5 /* radians, 0.001 degrees; a smaller step is not made */

typedef enum IkLinkKind {
    IK_FREE,
    IK_FIXED_AXIS, /* rotates about `axis` only */
    IK_HINGE,      /* limits allow one coordinate axis: `axis_index` */
    IK_LIMITED,    /* limits on several axes */
    IK_RIGID       /* limits allow no rotation */
} IkLinkKind;

typedef struct IkLink {
    uint32_t bone;
    uint32_t path_index; /* index in the path of the chain */
    IkLinkKind kind;
    int axis_index; /* of IK_HINGE: 0 x, 1 y, 2 z */
    Vec3 axis;      /* unit, in the bone's own space: of IK_FIXED_AXIS and IK_HINGE */
    bool limited;
    double lower[3], upper[3];

    /* while solving */
    Quat best;
    double angle; /* IK_HINGE: the complete rotation about its axis */
} IkLink;

struct IkChain {
    uint32_t goal, effector;
    double unit_angle; /* maximal rotation of one step; 0: no limit */
    int32_t loops;
    IkLink *links; /* nearest to the effector first; only its ancestors */
    uint32_t link_count;
    uint32_t *path; /* from the topmost link down to the effector */
    uint32_t path_count;
    uint32_t
        *below; /* other descendants of links that precede the goal in the order, parents first */
    uint32_t below_count;
};

/* The chain of an IK bone.  order_index: [bone_count] of each bone in the transform order. */
void ik_chain_create(IkChain *chain, const Model *model, uint32_t ik_bone,
                     const uint32_t *order_index, Arena *arena);

/* ---- shared by the families ---- */

/* Updates the bones of the path from this link down, after its rotation changed; of the effector
 * only the position, until the chain is solved. */
void ik_update_path(Pose *pose, const IkChain *chain, const IkLink *link);

double ik_distance(const Pose *pose, const IkChain *chain);

/* Unit directions from a link to effector and goal, in the link's space; false if one is too short.
 */
bool ik_link_directions(const Pose *pose, const IkChain *chain, const IkLink *link, Vec3 *effector,
                        Vec3 *goal);

/* Clamps to +-max; 0 means no limit. */
double ik_clamp_angle(double angle, double max);

/* Rotates the link in its own space: the complete rotation becomes ik * local_rotation * delta. */
void ik_rotate_link(PoseBone *bone, Quat delta);

/* One step of a link that rotates only about its fixed axis. */
void ik_step_fixed_axis(Pose *pose, const IkChain *chain, IkLink *link);

/* A complete rotation, clamped to the link's limits.  reflect: angles outside are reflected at the
 * limit if that is inside the range, which bends a straight knee the right way. */
Quat ik_limit_rotation(const IkLink *link, Quat whole, bool reflect);

#endif
