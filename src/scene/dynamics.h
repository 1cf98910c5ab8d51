/*
 * dynamics.h - what MMD's rules make of a model's rigid bodies and joints
 *
 * The file says what a modeller drew; this says what is simulated (scene/README.md 5):
 *
 *   - a body of mode 2 whose bone's parent has a moving body joined to it is moved like mode 1
 *   - a moving body without mass follows its bone; one without a bone that keeps a bone's place
 * moves
 *   - a body without volume, or whose mask is 0, touches nothing
 *   - a joint with a missing end, with one body at both ends, or between bodies that both follow,
 * is left out
 *   - of several moving bodies on a bone, the last in the file moves the bone
 *
 * Lengths are the file's, before any placement.  All in the arena given.
 */
#ifndef SCENE_DYNAMICS_H
#define SCENE_DYNAMICS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "format/model/pmx.h"

/* The world that all models share. */
typedef struct PhysicsSpec {
    float gravity[3];
    int step_hz;         /* ticks a second; 0: no physics */
    float warmup_s;      /* settling before the first frame */
    bool floor;          /* a plane at y = 0 */
    bool teleport_reset; /* bodies are carried along when what holds them jumps */
} PhysicsSpec;

#define PHYSICS_DEFAULT \
    ((PhysicsSpec){.gravity = {0, -98, 0}, .step_hz = 120, .warmup_s = 1, .floor = true})

typedef enum BodyRole {
    BODY_FOLLOWS, /* its bone, or stays where it is without one */
    BODY_MOVES,   /* freely, and takes its bone along */
    BODY_TURNS    /* freely, about the place that its bone has without physics */
} BodyRole;

typedef struct BodyPlan {
    uint8_t role; /* BodyRole */
    bool touches; /* other bodies */
    float
        size[3]; /* of its shape: positive, bounded; only for its inertia when it does not touch */
    float mass;  /* > 0 when it moves */

    /* How far its centre can be from a place on a body that follows or is fitted, which is the sum
     * of the lengths along the chain of fewest joints (the first in the file), the joints' own play
     * included. */
    int32_t anchor;       /* that body; -1: nothing holds this one */
    int32_t anchor_joint; /* the chain's first joint, whose place on the anchor is meant */
    float reach;          /* infinite when a joint on the way has no limit */

    /* BODY_TURNS that no joint without play ties to a body that follows: it is put where its bone
     * is after every tick.  (Joints hold the others.  Putting these, too, would let the two pull
     * against each other: with a joint below the bone's place, the body would turn away until its
     * limit.) */
    bool fitted;
    int32_t support; /* the nearest bone above its own that physics moves, or -1 */
} BodyPlan;

typedef struct Dynamics {
    BodyPlan *bodies;  /* [body_count] */
    bool *joint_works; /* [joint_count] */
    int32_t *mover;    /* [bone_count] the body that moves the bone, or -1 */
    uint32_t *fitted;  /* bodies that are, those of upper bones first */
    uint32_t fitted_count;
    uint32_t moving_count; /* bodies that do not follow */
} Dynamics;

/* parents_first: all bones, parents before children (Model).  Tells what had to be repaired. */
void dynamics_plan(Dynamics *out, const PmxModel *pmx, const uint32_t *parents_first, Arena *arena,
                   Diag *diag);

#endif
