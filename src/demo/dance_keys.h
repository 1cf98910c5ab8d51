/*
 * dance_keys.h - writing keys of bones and morphs, and evaluating them
 *
 * Times are beats; keys of one bone are given in the order of time.
 */
#ifndef DEMO_DANCE_KEYS_H
#define DEMO_DANCE_KEYS_H

#include "demo/dance.h"
#include "demo/figure_head.h"
#include "demo/figure_rig.h"
#include "math/rotation.h"

typedef enum Ease {
    EASE_SMOOTH, /* starts and ends at rest */
    EASE_LINEAR,
    EASE_SNAP, /* fast, then settles */
    EASE_RISE, /* thrown up: fast, then slower, as t(2 - t) */
    EASE_FALL  /* falls: slow, then faster, as t t */
} Ease;

typedef struct BoneKeys {
    VmdBoneKey *items;
    size_t count, capacity;
} BoneKeys;

typedef struct Keys {
    Arena *arena;
    BoneKeys bones[BONE_COUNT];
    struct {
        VmdMorphKey *items;
        size_t count, capacity;
    } morphs;
} Keys;

/* Rotation by Euler angles in degrees, in MMD's order Ry * Rx * Rz. */
Quat turn_deg(double x, double y, double z);

/* The same rotation mirrored to the other side of the body. */
Quat turn_mirrored(Quat q);

void key_turn(Keys *keys, int bone, double beat, Quat turn, Ease ease);
void key_place(Keys *keys, int bone, double beat, Vec3 offset, Quat turn, Ease ease);
void key_morph(Keys *keys, FaceMorph morph, double beat, float weight);

/* The transform of a bone at a frame, interpolated as MMD does. */
typedef struct Placed {
    Vec3 offset;
    Quat turn;
} Placed;

Placed keys_at(const Keys *keys, int bone, double frame);

/* The parts of the dance, each for its own bones. */
void dance_add_steps(Keys *keys); /* root, center, hips, feet */
void dance_add_legs(Keys *keys);  /* thighs, knees, ankles; after the steps */
void dance_add_trunk(Keys *keys); /* upper body, neck, head */
void dance_add_arms(Keys *keys);
void dance_add_face(Keys *keys);
void dance_add_sway(Keys *keys); /* hair and skirt; after all others */

#endif
