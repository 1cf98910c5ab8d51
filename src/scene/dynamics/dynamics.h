// SPDX-License-Identifier: MIT
/*
 * dynamics.h - selects which rigid bodies and joints of a model are simulated, and how
 *
 * The rules are those of scene/dynamics/README.md 1.
 *
 * Lengths are in units of the file, before any placement.  Everything is in the given arena.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "format/model/pmx.h"
#include "scene/scene_options.h"

/* Limit of pairs of bodies that overlap at once: about 300 MiB of contacts. */
enum { DYNAMICS_MAX_PAIRS = 100000 };

typedef struct GravityKey {
    double frame; /* ascending, 30 a second */
    float gravity[3], noise;
} GravityKey;

/* The world that all models share. */
typedef struct PhysicsSpec {
    float gravity[3];               /* MMD units/s2; dynamics_gravity gives that of a frame */
    float gravity_noise;            /* MMD units/s2, at least 0 */
    const GravityKey *gravity_keys; /* replace both; or NULL */
    uint32_t gravity_key_count;
    int step_hz;         /* ticks a second; 0: no physics */
    float warmup_s;      /* duration of the warm-up before the first frame, seconds */
    bool floor;          /* a plane at y = 0 */
    bool teleport_reset; /* moves bodies along when their bones jump */
} PhysicsSpec;

#define PHYSICS_DEFAULT \
    ((PhysicsSpec){.gravity = {0, -98, 0}, .step_hz = 120, .warmup_s = 1, .floor = true})

typedef enum BodyRole {
    BODY_FOLLOWS, /* kinematic: follows its bone, or is static without one */
    BODY_MOVES,   /* simulated, and moves its bone */
    BODY_TURNS    /* simulated, but only rotates its bone */
} BodyRole;

typedef struct BodyPlan {
    uint8_t role;  /* BodyRole */
    bool touches;  /* has contacts */
    float size[3]; /* size of its shape: positive, bounded */
    float mass;    /* > 0 when it moves */

    /* Greatest distance of its center from a joint on a kinematic or fitted body: the sum of the
     * lengths along the chain with the fewest joints (the first in the file), including the play
     * of the joints. */
    int32_t anchor;       /* that body, or -1 */
    int32_t anchor_joint; /* the first joint of the chain, on the anchor */
    float max_distance;   /* infinite if a joint of the chain has no limit */

    /* The last joint of that chain and the body before it, or -1: its ends are kept together. */
    int32_t link, link_from;
    float link_play;   /* distance of the ends that the joint allows; finite if max_distance is */
    float link_length; /* length that the joint extends, from the previous body's bone to its own */
    int32_t loops;     /* group of the loops that it is in, or -1 */

    /* A BODY_TURNS body that no joint without play connects to a kinematic body: it is moved to its
     * bone after every tick.  Joints keep the other ones in position; moving them, too, would work
     * against the joint and rotate the body to its limit. */
    bool fitted;
    int32_t support; /* the nearest bone above its own that physics moves, or -1 */
} BodyPlan;

/* One step along a loop: a joint, and the body behind it. */
typedef struct LoopStep {
    uint32_t joint, body;
    float play, length; /* as those of a link */
} LoopStep;

/* Links from a body to another one or the same, with a joint that is no link between them.  Both
 * are in place, or the ends of the loop are at the nearest body that has both of them below it. */
typedef struct Loop {
    uint32_t from; /* the body before the first step; the last step ends at the other one */
    uint32_t step_count;
    const LoopStep *steps;
} Loop;

typedef struct Dynamics {
    BodyPlan *bodies;  /* [body_count] */
    bool *joint_works; /* [joint_count] */
    int32_t *mover;    /* [bone_count] index of the body that moves the bone, or -1 */
    uint32_t *chained; /* bodies with a link, those nearer to their anchors first */
    uint32_t chained_count;
    Loop *loops; /* sorted by groups: loops that share a body between their ends */
    uint32_t
        *first_loop; /* those of group g: loops[first_loop[g]] to loops[first_loop[g + 1] - 1] */
    uint32_t loop_count, loop_group_count;
    uint32_t *fitted; /* fitted bodies, those of ancestors first */
    uint32_t fitted_count;
    uint32_t moving_count; /* number of simulated bodies */
} Dynamics;

/* parents_first: all bones, parents before children (Model).  Warns about repairs. */
void dynamics_plan(Dynamics *out, const PmxModel *pmx, const uint32_t *parents_first, Arena *arena,
                   Diag *diag);

/* The greatest distance between the ends of a joint; infinite without a limit. */
float dynamics_joint_play(const PmxJoint *joint);

/* The world that a job describes; what a key of gravity does not give is that of the job. */
PhysicsSpec dynamics_physics(const PhysicsOptions *options, Arena *arena);

/* Whether gravity is not always PhysicsSpec.gravity. */
bool dynamics_gravity_changes(const PhysicsSpec *spec);

/*
 * Gravity at a frame (30 a second), MMD units/s2: linear between keys.  Noise adds a vector whose
 * coordinates are uniform within plus and minus the noise, another one in each frame.
 */
void dynamics_gravity(float out[3], const PhysicsSpec *spec, double frame);
