/*
 * ik_chain.h - chains of inverse kinematics, and the steps that both families share
 * (evaluate/README.md 4)
 *
 * Turns the links of a chain so that its effector meets the goal, the IK bone.  What a link gets is
 * its PoseBone.ik.  Two families of rules are known; both work on the same chain.
 */
#ifndef EVALUATE_IK_CHAIN_H
#define EVALUATE_IK_CHAIN_H

#include "evaluate/pose.h"

#define IK_MIN_ANGLE 1.75e-5 /* radians, 0.001 degrees; a smaller step is not made */

typedef enum IkLinkKind {
    IK_FREE,
    IK_FIXED_AXIS, /* turns about `axis` alone */
    IK_HINGE,      /* limits leave one coordinate axis: `axis_index` */
    IK_LIMITED,    /* limits on several axes */
    IK_RIGID       /* limits leave nothing */
} IkLinkKind;

typedef struct IkLink {
    uint32_t bone;
    uint32_t path_index; /* place in the chain's path */
    IkLinkKind kind;
    int axis_index; /* of IK_HINGE: 0 x, 1 y, 2 z */
    Vec3 axis;      /* unit, in the bone's own space: of IK_FIXED_AXIS and IK_HINGE */
    bool limited;
    double lower[3], upper[3];

    /* while solving */
    Quat best;
    double angle; /* IK_HINGE: the whole turn about its axis */
} IkLink;

struct IkChain {
    uint32_t goal, effector;
    double unit_angle; /* the most that one step turns; 0: no limit */
    int32_t loops;
    IkLink *links; /* nearest to the effector first; only those above the effector */
    uint32_t link_count;
    uint32_t *path; /* from the topmost link down to the effector */
    uint32_t path_count;
    uint32_t
        *below; /* other bones under a link that come before the goal in the order, parents first */
    uint32_t below_count;
};

/* The chain of an IK bone; `place` says where each bone stands in the transform order. */
void ik_chain_create(IkChain *chain, const Model *model, uint32_t ik_bone,
                     const uint32_t *order_index, Arena *arena);

/* ---- shared by the families ---- */

/* Places of the path's bones from this link down, after its turn changed. */
void ik_update_path(Pose *pose, const IkChain *chain, const IkLink *link);

double ik_distance(const Pose *pose, const IkChain *chain);

/* Directions from a link to effector and goal, in the link's own space; false when one has none. */
bool ik_link_directions(const Pose *pose, const IkChain *chain, const IkLink *link, Vec3 *effector,
                        Vec3 *goal);

/* At most `most` either way; 0 cuts nothing. */
double ik_clamp_angle(double angle, double max);

/* Turns the link in its own space: the whole turn becomes ik * turn * delta. */
void ik_rotate_link(PoseBone *bone, Quat delta);

/* One step of a link that may only turn about its fixed axis. */
void ik_step_fixed_axis(Pose *pose, const IkChain *chain, IkLink *link);

/* A whole turn brought within the link's limits; `reflect`: what is outside is mirrored at the
 * limit where that leads inside, which bends a straight knee the right way. */
Quat ik_limit_rotation(const IkLink *link, Quat whole, bool reflect);

#endif
