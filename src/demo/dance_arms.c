// SPDX-License-Identifier: MIT
#include "base/units.h"
#include "demo/dance_keys.h"

/*
 * A pose of an arm: directions of the upper and the lower arm relative to the chest, for the left
 * side: x outwards, y up, z backwards.  The elbow bends in the plane of both, so they must differ.
 * roll and flex rotate the hand, in degrees.
 */
typedef struct ArmPose {
    Vec3 upper, lower;
    double roll, flex;
} ArmPose;

typedef enum Arm {
    DOWN,
    HIP,
    OUT,
    HIGH, /* outwards and up: a V with the other arm */
    UP,   /* up, in front of the head */
    GUTS, /* fist beside the head */
    FRONT,
    CHEST,
    ACROSS, /* to the other side, in front of the chest */
    CHEEK,
    PEACE, /* beside the eye */
    BEHIND,
    WAVE_IN,
    WAVE_OUT,
    ROUND, /* a ring in front of the chest */
    ARM_COUNT
} Arm;

static const ArmPose POSES[ARM_COUNT] = {
    [DOWN] = {{0.55, -0.82, -0.10}, {0.52, -0.80, -0.32}, 0, -18},
    [HIP] = {{0.78, -0.58, 0.22}, {-0.62, -0.66, -0.42}, 0, -20},
    [OUT] = {{0.96, -0.22, -0.15}, {0.94, 0.06, -0.30}, 0, -12},
    [HIGH] = {{0.80, 0.52, -0.30}, {0.62, 0.74, -0.26}, 0, -8},
    [UP] = {{0.62, 0.62, -0.50}, {0.16, 0.92, -0.38}, 0, 0},
    [GUTS] = {{0.86, -0.38, -0.34}, {0.30, 0.92, -0.30}, 0, 0},
    [FRONT] = {{0.40, -0.32, -0.86}, {0.14, 0.02, -0.99}, 0, -10},
    [CHEST] = {{0.62, -0.70, -0.36}, {-0.42, 0.36, -0.83}, 0, 0},
    [ACROSS] = {{0.30, -0.46, -0.84}, {-0.70, 0.22, -0.68}, 0, -10},
    [CHEEK] = {{0.62, -0.46, -0.64}, {-0.02, 0.88, -0.46}, 0, 0},
    [PEACE] = {{0.82, -0.10, -0.56}, {0.02, 0.88, -0.48}, 60, 0},
    [BEHIND] = {{0.60, -0.72, 0.35}, {0.62, -0.76, 0.14}, 0, -20},
    [WAVE_IN] = {{0.86, 0.05, -0.40}, {0.22, 0.94, -0.26}, 70, 0},
    [WAVE_OUT] = {{0.86, 0.10, -0.40}, {0.72, 0.66, -0.22}, 70, 0},
    [ROUND] = {{0.66, -0.38, -0.65}, {-0.42, -0.02, -0.91}, 0, 0},
};

/* Angles of the two joints of each finger, in degrees: thumb, index, middle, ring, little. */
typedef enum Hand { EASY, OPEN, FIST, VICTORY, HAND_COUNT } Hand;

static const double CURLS[HAND_COUNT][FINGERS] = {
    [EASY] = {8, 16, 20, 24, 28},
    [OPEN] = {-6, 2, 3, 4, 4},
    [FIST] = {24, 82, 84, 84, 82},
    [VICTORY] = {30, 2, 2, 84, 84},
};

typedef struct ArmKey {
    double beat;
    Arm left, right;
    Hand left_hand, right_hand;
} ArmKey;

static const ArmKey ARM_KEYS[] = {
    {0, DOWN, DOWN, EASY, EASY},        {1, HIP, DOWN, EASY, EASY},
    {2, HIP, WAVE_OUT, EASY, OPEN},     {2.5, HIP, WAVE_IN, EASY, OPEN},
    {3, HIP, WAVE_OUT, EASY, OPEN},     {3.5, HIP, WAVE_IN, EASY, OPEN},
    {4, HIP, WAVE_OUT, EASY, OPEN},     {5, HIP, HIP, EASY, EASY},
    {6, CHEST, CHEST, OPEN, OPEN},      {6.9, CHEST, CHEST, OPEN, OPEN},
    {7.3, HIGH, HIGH, OPEN, OPEN},      {8, HIGH, ACROSS, OPEN, EASY},
    {9, CHEST, CHEST, EASY, EASY},      {10, HIGH, ACROSS, OPEN, EASY},
    {11, CHEST, CHEST, EASY, EASY},     {12, ACROSS, HIGH, EASY, OPEN},
    {13, CHEST, CHEST, EASY, EASY},     {14, ACROSS, HIGH, EASY, OPEN},
    {15, CHEST, CHEST, EASY, EASY},     {16, GUTS, HIP, FIST, EASY},
    {16.8, GUTS, HIP, FIST, EASY},      {17, HIP, GUTS, EASY, FIST},
    {17.8, HIP, GUTS, EASY, FIST},      {18, GUTS, GUTS, FIST, FIST},
    {18.8, GUTS, GUTS, FIST, FIST},     {19.2, OUT, OUT, OPEN, OPEN},
    {20, FRONT, BEHIND, OPEN, EASY},    {21, BEHIND, FRONT, EASY, EASY},
    {22, BEHIND, FRONT, EASY, OPEN},    {23, CHEST, CHEST, EASY, EASY},
    {24, OUT, OUT, OPEN, OPEN},         {24.7, OUT, ROUND, OPEN, EASY},
    {25.3, ROUND, ROUND, EASY, EASY},   {26.4, UP, UP, OPEN, OPEN},
    {27, UP, UP, OPEN, OPEN},           {27.7, OUT, OUT, OPEN, OPEN},
    {28.3, BEHIND, BEHIND, EASY, EASY}, {29.0, HIGH, HIGH, OPEN, OPEN},
    {29.6, GUTS, GUTS, FIST, FIST},     {30.3, BEHIND, BEHIND, EASY, EASY},
    {31.0, OUT, OUT, OPEN, OPEN},       {31.6, GUTS, GUTS, FIST, FIST},
    {32.3, BEHIND, BEHIND, EASY, EASY}, {33.0, HIGH, HIGH, OPEN, OPEN},
    {33.6, GUTS, GUTS, FIST, FIST},     {34.3, BEHIND, BEHIND, EASY, EASY},
    {35.0, HIGH, HIGH, OPEN, OPEN},     {35.6, OUT, OUT, OPEN, OPEN},
    {36, ACROSS, HIGH, EASY, OPEN},     {37, ACROSS, HIGH, OPEN, OPEN},
    {38, HIGH, ACROSS, OPEN, EASY},     {39, HIGH, ACROSS, OPEN, OPEN},
    {40, CHEEK, CHEEK, EASY, EASY},     {41, CHEEK, CHEEK, EASY, EASY},
    {41.8, FRONT, FRONT, OPEN, OPEN},   {42.8, OUT, OUT, OPEN, OPEN},
    {44, CHEST, CHEST, FIST, FIST},     {44.8, CHEST, CHEST, FIST, FIST},
    {45.5, HIP, PEACE, EASY, VICTORY},  {47, HIP, PEACE, EASY, VICTORY},
    {48, DOWN, DOWN, EASY, EASY},
};

/* The left arm at rest: its direction, and the axis about which its elbow bends forwards. */
static const Vec3 REST = {0.788, -0.616, 0}, HINGE = {0.616, 0.788, 0};

/* The rotation of the frame (x, y, x cross y) to (to_x, to_y, ...); unit vectors. */
static Quat frame_rotation(Vec3 x, Vec3 y, Vec3 to_x, Vec3 to_y)
{
    const Vec3 axis = vec3_cross(x, to_x);
    const double angle = atan2(vec3_length(axis), vec3_dot(x, to_x));
    const Quat swing = quat_from_axis_angle(vec3_normalize(axis), angle);
    const Vec3 swung = quat_rotate(swing, y);
    const double twist = atan2(vec3_dot(vec3_cross(swung, to_y), to_x), vec3_dot(swung, to_y));

    return quat_mul(quat_from_axis_angle(to_x, twist), swing);
}

/* Decomposes q into swing * twist about a unit axis; returns the twist. */
static Quat twist_part(Quat q, Vec3 axis)
{
    const double along = q.x * axis.x + q.y * axis.y + q.z * axis.z;
    return quat_normalize((Quat){axis.x * along, axis.y * along, axis.z * along, q.w});
}

static void key_side(Keys *keys, Pair pair, Side side, double beat, Quat rotation, Ease ease)
{
    dance_key_rotation(keys, bone_of(pair, side), beat,
                       side == LEFT ? rotation : quat_mirrored(rotation), ease);
}

static void key_arm(Keys *keys, Side side, double beat, const ArmPose *pose, Ease ease)
{
    const Vec3 rest = vec3_normalize(REST), hinge = vec3_normalize(HINGE);
    const Vec3 upper = vec3_normalize(pose->upper), lower = vec3_normalize(pose->lower);
    const double raise = upper.y > -0.3 ? 22.0 * (upper.y + 0.3) : 0.0;
    const Quat shoulder = quat_from_degrees(0, upper.z < 0 ? -8.0 * upper.z : 0, raise);
    const Quat to_arm = quat_inverse(shoulder);
    const Quat rotation =
        frame_rotation(rest, hinge, quat_rotate(to_arm, upper),
                       quat_rotate(to_arm, vec3_normalize(vec3_cross(upper, lower))));
    const Quat twist = twist_part(rotation, rest);
    const double bend = acos(fmin(vec3_dot(upper, lower), 1.0));

    key_side(keys, PAIR_SHOULDER, side, beat, shoulder, ease);
    key_side(keys, PAIR_ARM, side, beat, quat_mul(rotation, quat_inverse(twist)), ease);
    key_side(keys, PAIR_ARM_TWIST, side, beat, twist, ease);
    key_side(keys, PAIR_ELBOW, side, beat, quat_from_axis_angle(hinge, bend), ease);
    key_side(keys, PAIR_HAND_TWIST, side, beat, quat_from_axis_angle(rest, pose->roll * RADIANS),
             ease);
    key_side(keys, PAIR_WRIST, side, beat, quat_from_degrees(0, 0, -pose->flex), ease);
}

/* Rotation about the normal of the palm that spreads the two fingers of a V. */
static Quat spread(Hand hand, int finger)
{
    const double angle = hand != VICTORY ? 0 : finger == 1 ? 0.26 : finger == 2 ? -0.22 : 0;
    return quat_from_axis_angle(vec3_normalize(HINGE), angle);
}

static void key_hand(Keys *keys, Side side, double beat, Hand hand, Ease ease)
{
    for (int f = 0; f < FINGERS; f++)
        for (int joint = 0; joint < 2; joint++) {
            const double curl = CURLS[hand][f] * (joint ? 1.1 : 1.0);
            /* the thumb closes towards the middle of the palm, the others towards the palm */
            const Quat rotation = f == 0 ? quat_from_degrees(0, 0.6 * curl, -0.7 * curl)
                                         : quat_mul(joint ? QUAT_IDENTITY : spread(hand, f),
                                                    quat_from_degrees(0, 0, -curl));
            key_side(keys, (Pair)(PAIR_FINGER + 2 * f + joint), side, beat, rotation, ease);
        }
}

void dance_add_arms(Keys *keys)
{
    for (size_t i = 0; i < sizeof ARM_KEYS / sizeof *ARM_KEYS; i++) {
        const ArmKey *key = &ARM_KEYS[i];
        key_arm(keys, LEFT, key->beat, &POSES[key->left], EASE_SMOOTH);
        key_arm(keys, RIGHT, key->beat, &POSES[key->right], EASE_SMOOTH);
        key_hand(keys, LEFT, key->beat, key->left_hand, EASE_SMOOTH);
        key_hand(keys, RIGHT, key->beat, key->right_hand, EASE_SMOOTH);
    }
}
