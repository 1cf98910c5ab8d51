// SPDX-License-Identifier: MIT
#include "demo/figure_parts.h"

#include <math.h>

typedef struct Profile {
    float at, radius;
} Profile;

static vec3s joint(Pair pair, Side side)
{
    return bone_position(bone_of(pair, side));
}

/* A round bend (SDEF): cross-sections rotate rigidly instead of collapsing. */
static Bind bind_round(int upper, int lower, float weight_upper, vec3s towards_upper)
{
    Bind bind = bind_two(upper, lower, weight_upper);

    if (bind.deform == PMX_BDEF2) {
        bind.deform = PMX_SDEF;
        bind.sdef_axis = towards_upper;
    }
    return bind;
}

/* ---- arms ---- */

static vec3s arm_direction(Side side)
{
    return glms_vec3_normalize(glms_vec3_sub(joint(PAIR_WRIST, side), joint(PAIR_ARM, side)));
}

static Bind arm_bind(Side side, float s)
{
    const int shoulder = bone_of(PAIR_SHOULDER, side), arm = bone_of(PAIR_ARM, side);
    const int twist = bone_of(PAIR_ARM_TWIST, side), elbow = bone_of(PAIR_ELBOW, side);
    const int half = bone_of(PAIR_HALF_TWIST, side), hand = bone_of(PAIR_HAND_TWIST, side);
    const vec3s back = glms_vec3_negate(arm_direction(side));

    if (s < 0.35f)
        return bind_two(shoulder, arm, 1.0f - smooth(-0.3f, 0.3f, s));
    if (s < 1.2f)
        return bind_two(arm, twist, 1.0f - smooth(0.4f, 1.1f, s));
    if (s < 2.15f)
        return bind_round(twist, elbow, 1.0f - smooth(1.4f, 2.1f, s), back);
    if (s < 2.55f)
        return bind_two(elbow, half, 1.0f - smooth(2.15f, 2.5f, s));
    if (s < 3.1f)
        return bind_two(half, hand, 1.0f - smooth(2.6f, 3.0f, s));
    return bind_round(hand, bone_of(PAIR_WRIST, side), 1.0f - smooth(3.2f, 3.5f, s), back);
}

Ring arm_ring(Side side, float s, float radius)
{
    const vec3s along = arm_direction(side);

    return (Ring){.center = glms_vec3_add(joint(PAIR_ARM, side), glms_vec3_scale(along, s)),
                  .x = vec(-along.y * radius, along.x * radius, 0.0f),
                  .y = vec(0.0f, 0.0f, radius),
                  .v = s / 3.6f,
                  .bind = arm_bind(side, s)};
}

static void add_arm(Shape *shape, Side side)
{
    static const Profile profile[] = {
        {-0.2f, 0.22f}, {0.0f, 0.31f},  {0.2f, 0.33f},  {0.5f, 0.33f},  {0.8f, 0.32f},
        {1.1f, 0.31f},  {1.3f, 0.30f},  {1.45f, 0.29f}, {1.6f, 0.285f}, {1.75f, 0.28f},
        {1.9f, 0.285f}, {2.05f, 0.29f}, {2.2f, 0.29f},  {2.5f, 0.28f},  {2.8f, 0.255f},
        {3.1f, 0.225f}, {3.25f, 0.21f}, {3.4f, 0.205f}, {3.5f, 0.21f}};
    enum { RINGS = sizeof profile / sizeof *profile };
    Ring rings[RINGS];

    for (int i = 0; i < RINGS; i++)
        rings[i] = arm_ring(side, profile[i].at, profile[i].radius);
    shape_tube(shape, rings, RINGS, 18);
}

static void add_palm(Shape *shape, Side side)
{
    static const struct {
        float at, wide, thick;
    } profile[] = {{3.36f, 0.17f, 0.15f},  {3.48f, 0.21f, 0.15f},  {3.62f, 0.25f, 0.145f},
                   {3.78f, 0.28f, 0.135f}, {3.92f, 0.285f, 0.12f}, {4.03f, 0.26f, 0.10f},
                   {4.08f, 0.20f, 0.06f}};
    enum { RINGS = sizeof profile / sizeof *profile };
    Ring rings[RINGS];

    for (int i = 0; i < RINGS; i++) {
        rings[i] = arm_ring(side, profile[i].at, profile[i].thick);
        rings[i].y = vec(0.0f, 0.0f, profile[i].wide);
        rings[i].power = 2.5f;
    }
    shape_tube(shape, rings, RINGS, 18);
}

static void add_finger(Shape *shape, Side side, int finger)
{
    enum { RINGS = 11 };
    static const float lengths[FINGERS] = {0.46f, 0.56f, 0.61f, 0.57f, 0.47f};
    const int first = bone_of((Pair)(PAIR_FINGER + 2 * finger), side), second = first + 2;
    const vec3s a = bone_position(first), b = bone_position(second);
    const vec3s along = glms_vec3_normalize(glms_vec3_sub(b, a));
    const vec3s across = glms_vec3_normalize(glms_vec3_cross(along, vec(0, 1, 0)));
    const vec3s over = glms_vec3_cross(across, along);
    const float middle = glms_vec3_distance(a, b), length = lengths[finger];
    const float radius = finger == 0 ? 0.095f : finger == 4 ? 0.078f : 0.088f;
    Ring rings[RINGS];

    for (int i = 0; i < RINGS; i++) {
        const float t = (float)i / (RINGS - 1);
        const float s = mix(-0.12f, length, t < 0.8f ? t * 0.95f : 0.76f + (t - 0.8f) * 1.2f);
        const float tip = fmaxf(s - (length - radius), 0.0f) / radius;
        const float r = radius * sqrtf(fmaxf(1.0f - tip * tip, 0.01f)) * mix(1.05f, 0.9f, t);
        rings[i] =
            (Ring){.center = glms_vec3_add(a, glms_vec3_scale(along, s)),
                   .x = glms_vec3_scale(across, r),
                   .y = glms_vec3_scale(over, r),
                   .v = 1.0f,
                   .bind = bind_round(first, second, 1.0f - smooth(middle - 0.1f, middle + 0.1f, s),
                                      glms_vec3_negate(along))};
    }
    shape_tube(shape, rings, RINGS, 10);
}

/* ---- legs and neck ---- */

static Bind leg_bind(Side side, float y)
{
    const int leg = bone_of(PAIR_LEG, side), knee = bone_of(PAIR_KNEE, side);
    const vec3s up = vec(0, 1, 0);

    if (y > 5.6f)
        return bind_two(BONE_LOWER, leg, smooth(6.2f, 7.0f, y));
    if (y > 2.5f)
        return bind_round(leg, knee, smooth(3.35f, 4.15f, y), up);
    return bind_round(knee, bone_of(PAIR_ANKLE, side), smooth(0.75f, 1.2f, y), up);
}

Ring leg_ring(Side side, float y, float radius)
{
    const vec3s hip = joint(PAIR_LEG, side), knee = joint(PAIR_KNEE, side);
    const vec3s ankle = joint(PAIR_ANKLE, side);
    const bool thigh = y > knee.y;
    vec3s at = thigh ? glms_vec3_lerp(knee, hip, (y - knee.y) / (hip.y - knee.y))
                     : glms_vec3_lerp(ankle, knee, (y - ankle.y) / (knee.y - ankle.y));

    at.z += 0.09f * expf(-(y - 2.75f) * (y - 2.75f)); /* the calf */
    at.z -= 0.05f * expf(-(y - 5.3f) * (y - 5.3f));   /* the thigh */
    return ring_flat(vec(at.x, y, at.z), radius, radius * (thigh ? 1.06f : 1.03f), 1.0f - y / 7.0f,
                     leg_bind(side, y));
}

static void add_leg(Shape *shape, Side side)
{
    static const Profile profile[] = {
        {6.75f, 0.45f}, {6.5f, 0.58f},  {6.2f, 0.61f},  {5.8f, 0.60f},   {5.3f, 0.57f},
        {4.8f, 0.52f},  {4.4f, 0.475f}, {4.15f, 0.45f}, {3.95f, 0.43f},  {3.75f, 0.41f},
        {3.55f, 0.40f}, {3.35f, 0.40f}, {3.1f, 0.41f},  {2.75f, 0.415f}, {2.3f, 0.385f},
        {1.8f, 0.33f},  {1.3f, 0.275f}, {0.95f, 0.25f}, {0.6f, 0.25f}};
    enum { RINGS = sizeof profile / sizeof *profile };
    Ring rings[RINGS];

    for (int i = 0; i < RINGS; i++)
        rings[i] = leg_ring(side, profile[i].at, profile[i].radius);
    shape_tube(shape, rings, RINGS, 22);
}

static void add_neck(Shape *shape)
{
    enum { RINGS = 9 };
    Ring rings[RINGS];

    for (int i = 0; i < RINGS; i++) {
        const float t = (float)i / (RINGS - 1), y = mix(9.7f, 11.2f, t);
        const float radius = mix(0.5f, 0.36f, smooth(0.0f, 0.4f, t));
        const Bind bind = y < 10.4f
                              ? bind_two(BONE_UPPER2, BONE_NECK, 1.0f - smooth(9.9f, 10.4f, y))
                              : bind_two(BONE_NECK, BONE_HEAD, 1.0f - smooth(10.5f, 11.0f, y));
        rings[i] = ring_flat(vec(0, y, 0.06f + 0.06f * t), radius, radius, t, bind);
    }
    shape_tube(shape, rings, RINGS, 18);
}

void body_add_skin(Shape *shape)
{
    add_neck(shape);
    for (Side side = LEFT; side <= RIGHT; side++) {
        add_leg(shape, side);
        add_arm(shape, side);
        add_palm(shape, side);
        for (int finger = 0; finger < FINGERS; finger++)
            add_finger(shape, side, finger);
    }
}
