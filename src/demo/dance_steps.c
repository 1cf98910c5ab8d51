// SPDX-License-Identifier: MIT
#include "demo/dance_keys.h"

/*
 * Steps of the feet.  A row has the time in beats at which a foot comes down, and its position: x
 * and z from the rest position (x to the dancer's left), y above the floor for a pose in the air,
 * yaw outwards and pitch (below 0: toes down) in degrees.  The foot lifts off STEP_BEATS earlier.
 */
typedef struct Step {
    double beat;
    double x, y, z, yaw, pitch;
} Step;

static const double STEP_BEATS = 0.45;
static const double STEP_HEIGHT = 0.62; /* in the middle of a step */

static const Step LEFT_STEPS[] = {
    {0, 0.15, 0, 0, 8, 0},
    {4, 0.35, 0, -0.5, 8, 0}, /* intro: weight from side to side */
    {6, 0.15, 0, 0, 8, 0},
    {8, 1.4, 0, 0, 10, 0}, /* two side steps to her left, two back */
    {10, 2.7, 0, 0, 10, 0},
    {13, 1.5, 0, 0, 8, 0},
    {15, 0.15, 0, 0, 8, 0},
    {16, 0.2, 0, -1.1, 8, 0}, /* forward, back */
    {18, 0.2, 0, 0.1, 8, 0},
    {22, 0.1, 1.2, -2.6, 4, 16}, /* kick */
    {23, 0.15, 0, 0, 8, 0},
    {24.6, -0.62, 1.9, -0.3, -6, -48}, /* raised for the spin */
    {27, -0.5, 1.7, -0.2, -4, -45},
    {27.7, 0.25, 0, 0, 8, 0},
    {38, 0.9, 0, -0.3, 10, 0}, /* sway to the left */
    {41, -0.1, 0, 0, 6, 0},
    {42, 0.9, 0, -0.3, 10, 0},
    {44, 0.1, 0, 0, 6, 0},
    {45.5, 0.1, 1.7, 1.9, 0, -55}, /* last pose, on the right leg */
    {47, 0.1, 1.7, 1.9, 0, -55},
    {47.7, 0.15, 0, 0, 8, 0},
};

static const Step RIGHT_STEPS[] = {
    {0, -0.15, 0, 0, 8, 0},
    {2, -0.35, 0, -0.5, 8, 0},
    {5, -0.15, 0, 0, 8, 0},
    {9, 1.1, 0, 0, 6, 0},
    {11, 2.4, 0, 0, 6, 0},
    {12, 1.1, 0, 0, 10, 0},
    {14, -0.2, 0, 0, 10, 0},
    {17, -0.2, 0, -1.1, 8, 0},
    {19, -0.2, 0, 0.1, 8, 0},
    {20, -0.1, 1.2, -2.6, 4, 16},
    {21, -0.15, 0, 0, 8, 0},
    {24, 0.62, 0, 0, 4, 0}, /* below the center of the body: the axis of the spin */
    {28, -0.25, 0, 0, 8, 0},
    {36, -0.9, 0, -0.3, 10, 0},
    {39, 0.1, 0, 0, 6, 0},
    {40, -0.9, 0, -0.3, 10, 0},
    {43, -0.1, 0, 0, 6, 0},
    {45, 0.35, 0, 0, 4, 0},
    {48, -0.15, 0, 0, 8, 0},
};

/* A jump of JUMP_BEATS beats; at its top the feet are `apart` further apart. */
typedef struct Jump {
    double beat, height, apart;
} Jump;

static const Jump JUMPS[] = {
    {28.6, 1.5, 0.0}, {30.6, 1.6, 0.75}, {32.6, 1.5, 0.0}, {34.6, 1.7, 0.75}};

static const double JUMP_BEATS = 0.9;

enum { JUMP_COUNT = sizeof JUMPS / sizeof *JUMPS };

/* During the spin she stands on the toes of her right foot. */
static const double SPIN_RISE = 24.7, SPIN_START = 24.8, SPIN_END = 27.2;

static Quat foot_rotation(Side side, const Step *step)
{
    return quat_from_degrees(step->pitch, side == LEFT ? -step->yaw : step->yaw, 0);
}

static void key_foot(Keys *keys, Side side, double beat, const Step *step, Ease ease)
{
    dance_key_bone(keys, bone_of(PAIR_LEG_IK, side), beat, (Vec3){step->x, step->y, step->z},
                   foot_rotation(side, step), ease);
    /* the ball of the foot stays flat when the heel is raised */
    dance_key_rotation(keys, bone_of(PAIR_TOE, side), beat,
                       quat_from_degrees(step->pitch < 0 ? -0.5 * step->pitch : 0, 0, 0), ease);
}

static void key_step(Keys *keys, Side side, const Step *from, const Step *to)
{
    const Step middle = {.x = 0.5 * (from->x + to->x),
                         .y = 0.5 * (from->y + to->y) + (from->y + to->y > 0 ? 0.15 : STEP_HEIGHT),
                         .z = 0.5 * (from->z + to->z),
                         .yaw = 0.5 * (from->yaw + to->yaw),
                         .pitch = 0.5 * (from->pitch + to->pitch) - 14};

    key_foot(keys, side, to->beat - STEP_BEATS, from, EASE_LINEAR);
    key_foot(keys, side, to->beat - 0.55 * STEP_BEATS, &middle, EASE_RISE);
    key_foot(keys, side, to->beat, to, EASE_FALL);
}

/* Raises the foot onto its toes before the spin, and lowers it after. */
static void key_toe_stand(Keys *keys, const Step *flat)
{
    Step raised = *flat;

    raised.y = 0.52;
    raised.pitch = -30;
    key_foot(keys, RIGHT, SPIN_RISE - 0.3, flat, EASE_LINEAR);
    key_foot(keys, RIGHT, SPIN_RISE + 0.1, &raised, EASE_SNAP);
    key_foot(keys, RIGHT, SPIN_END, &raised, EASE_LINEAR);
    key_foot(keys, RIGHT, SPIN_END + 0.3, flat, EASE_SMOOTH);
}

static void key_jump_foot(Keys *keys, Side side, const Jump *jump, const Step *ground)
{
    Step top = *ground, takeoff = *ground;

    takeoff.y = 0.3;
    takeoff.pitch = -16;
    top.x += side_sign(side) > 0.0f ? jump->apart : -jump->apart;
    top.y = jump->height;
    top.pitch = -34;
    key_foot(keys, side, jump->beat, ground, EASE_LINEAR);
    key_foot(keys, side, jump->beat + 0.1, &takeoff, EASE_LINEAR);
    key_foot(keys, side, jump->beat + 0.5 * JUMP_BEATS, &top, EASE_RISE);
    key_foot(keys, side, jump->beat + JUMP_BEATS, ground, EASE_FALL);
}

static void add_foot(Keys *keys, Side side, const Step *steps, size_t count)
{
    size_t jump = 0;

    key_foot(keys, side, 0, &steps[0], EASE_LINEAR);
    for (size_t i = 1; i < count; i++) {
        key_step(keys, side, &steps[i - 1], &steps[i]);
        const double next = i + 1 < count ? steps[i + 1].beat : DANCE_BEATS;
        if (side == RIGHT && steps[i].beat < SPIN_RISE && next > SPIN_RISE)
            key_toe_stand(keys, &steps[i]);
        for (; jump < JUMP_COUNT && JUMPS[jump].beat < next; jump++)
            key_jump_foot(keys, side, &JUMPS[jump], &steps[i]);
    }
    key_foot(keys, side, DANCE_BEATS, &steps[0], EASE_LINEAR);
}

/* ---- center of the body ---- */

/* Horizontal position of the body at a beat; it follows the weight. */
typedef struct Weight {
    double beat, x, z;
} Weight;

static const Weight WEIGHTS[] = {
    {0, 0, 0},       {1, -0.25, 0},     {2, 0.25, -0.1},    {3, -0.2, -0.2},  {4, -0.2, -0.2},
    {5, 0.25, -0.2}, {6, 0.1, 0},       {7, 0, 0},          {8, 0.75, 0},     {9, 1.3, 0},
    {10, 2.0, 0},    {11, 2.6, 0},      {12, 1.8, 0},       {13, 1.25, 0},    {14, 0.6, 0},
    {15, 0, 0},      {16, 0.15, -0.6},  {17, -0.1, -1.0},   {18, 0, -0.5},    {19, 0, 0.05},
    {20, 0.4, 0.1},  {21, 0, 0},        {22, -0.4, 0.1},    {23, 0, 0},       {24, 0, 0},
    {28, 0, 0},      {35.6, 0, 0},      {36, -0.45, -0.1},  {37, -0.6, -0.2}, {38, 0.35, -0.2},
    {39, 0.6, -0.2}, {40, -0.35, -0.2}, {41, -0.6, -0.15},  {42, 0.35, -0.2}, {43, 0.55, -0.15},
    {44, 0, 0},      {45, -0.1, 0.05},  {45.5, -0.3, 0.05}, {47, -0.3, 0.05}, {48, 0, 0},
};

static void key_height(Keys *keys, double beat, double y, Ease ease)
{
    dance_key_bone(keys, BONE_GROOVE, beat, (Vec3){0, y, 0}, QUAT_IDENTITY, ease);
}

/* Lowest on each beat, highest between beats. */
static void add_bounce(Keys *keys, int from, int to, double depth)
{
    for (int beat = from; beat < to; beat++) {
        key_height(keys, beat, -0.22 - depth, EASE_FALL);
        key_height(keys, beat + 0.5, -0.16, EASE_RISE);
    }
}

static void add_height(Keys *keys)
{
    add_bounce(keys, 0, 24, 0.22);
    key_height(keys, 24, -0.45, EASE_SMOOTH);
    key_height(keys, SPIN_RISE + 0.3, 0.30, EASE_SMOOTH);
    key_height(keys, SPIN_END, 0.30, EASE_LINEAR);
    key_height(keys, SPIN_END + 0.5, -0.4, EASE_SMOOTH);
    for (int i = 0; i < JUMP_COUNT; i++) {
        const double up = JUMPS[i].beat, top = up + 0.5 * JUMP_BEATS, down = up + JUMP_BEATS;
        key_height(keys, up - 0.25, -0.75, EASE_SMOOTH);
        key_height(keys, up + 0.05, -0.05, EASE_FALL);
        key_height(keys, top, JUMPS[i].height - 0.1, EASE_RISE);
        key_height(keys, down, -0.2, EASE_FALL);
        key_height(keys, down + 0.2, -0.7, EASE_RISE);
        if (i + 1 < JUMP_COUNT)
            key_height(keys, down + 0.6, -0.2, EASE_SMOOTH);
    }
    add_bounce(keys, 36, 45, 0.18);
    key_height(keys, 45.5, -0.12, EASE_SMOOTH);
    key_height(keys, 46.25, -0.2, EASE_SMOOTH);
    key_height(keys, 47, -0.12, EASE_SMOOTH);
    key_height(keys, 47.6, -0.3, EASE_SMOOTH);
    key_height(keys, 48, -0.44, EASE_FALL);
}

/* A full rotation to her left, in three keys: two keys differ by at most half a rotation. */
static void add_spin(Keys *keys)
{
    const double length = SPIN_END - SPIN_START;

    dance_key_rotation(keys, BONE_ROOT, 0, QUAT_IDENTITY, EASE_LINEAR);
    dance_key_rotation(keys, BONE_ROOT, SPIN_START, QUAT_IDENTITY, EASE_LINEAR);
    dance_key_rotation(keys, BONE_ROOT, SPIN_START + 0.30 * length, quat_from_degrees(0, -110, 0),
                       EASE_FALL);
    dance_key_rotation(keys, BONE_ROOT, SPIN_START + 0.52 * length, quat_from_degrees(0, -230, 0),
                       EASE_LINEAR);
    dance_key_rotation(keys, BONE_ROOT, SPIN_END, QUAT_IDENTITY, EASE_RISE);
    dance_key_rotation(keys, BONE_ROOT, DANCE_BEATS, QUAT_IDENTITY, EASE_LINEAR);
}

/* The hips swing to one side on each beat, by an angle that depends on the part of the dance. */
static void add_hips(Keys *keys)
{
    for (int beat = 0; beat <= DANCE_BEATS; beat++) {
        const bool spinning = beat >= 24 && beat<36, ending = beat> 44;
        const double angle = beat % DANCE_BEATS == 0 ? 5
                             : spinning || ending    ? 1
                             : beat >= 36            ? 7
                             : beat >= 16            ? 4
                                                     : 5;
        const double sign = beat % 2 ? 1 : -1;
        dance_key_rotation(keys, BONE_LOWER, beat,
                           quat_from_degrees(0, 1.2 * angle * sign, angle * sign), EASE_SMOOTH);
    }
}

void dance_add_steps(Keys *keys)
{
    add_foot(keys, LEFT, LEFT_STEPS, sizeof LEFT_STEPS / sizeof *LEFT_STEPS);
    add_foot(keys, RIGHT, RIGHT_STEPS, sizeof RIGHT_STEPS / sizeof *RIGHT_STEPS);
    for (size_t i = 0; i < sizeof WEIGHTS / sizeof *WEIGHTS; i++)
        dance_key_bone(keys, BONE_CENTER, WEIGHTS[i].beat, (Vec3){WEIGHTS[i].x, 0, WEIGHTS[i].z},
                       QUAT_IDENTITY, EASE_SMOOTH);
    add_height(keys);
    add_spin(keys);
    add_hips(keys);
}
