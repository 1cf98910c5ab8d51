// SPDX-License-Identifier: MIT
#include "base/units.h"
#include "demo/dance_keys.h"

/*
 * Hair and skirt without physics: damped springs that are driven by the motion of the body,
 * simulated when the dance is generated, and stored as keys.  Simulated physics replaces them.
 */

enum { KEY_INTERVAL = 3 }; /* frames between keys */

/* A hanging part: its deflection in the frame of its bone, in radians approximately. */
typedef struct Spring {
    double x, z, speed_x, speed_z;
} Spring;

/* One frame; stiffness per frame^2, drag per frame; push is added to the velocity. */
static void spring_step(Spring *s, double stiffness, double drag, double push_x, double push_z)
{
    s->speed_x += push_x - stiffness * s->x - drag * s->speed_x;
    s->speed_z += push_z - stiffness * s->z - drag * s->speed_z;
    s->x += s->speed_x;
    s->z += s->speed_z;
}

static const int SPINE[] = {BONE_ROOT,   BONE_CENTER, BONE_GROOVE, BONE_UPPER,
                            BONE_UPPER2, BONE_NECK,   BONE_HEAD};

static const int HIPS[] = {BONE_ROOT, BONE_CENTER, BONE_GROOVE, BONE_LOWER};

static Vec3 rest_of(int bone)
{
    return vec3_load(bone_position(bone).raw);
}

/* World transform of the last bone of a chain. */
static BoneTransform chain_at(const Keys *keys, const int *chain, size_t count, double frame)
{
    BoneTransform world = {{0, 0, 0}, QUAT_IDENTITY};
    Vec3 parent = {0, 0, 0};

    for (size_t i = 0; i < count; i++) {
        const BoneTransform local = bone_transform_at(keys, chain[i], frame);
        const Vec3 step = vec3_add(vec3_sub(rest_of(chain[i]), parent), local.offset);
        world.offset = vec3_add(world.offset, quat_rotate(world.rotation, step));
        world.rotation = quat_mul(world.rotation, local.rotation);
        parent = rest_of(chain[i]);
    }
    return world;
}

typedef struct Track {
    Vec3 position[DANCE_FRAMES]; /* world position of a point fixed to the last bone */
    Quat rotation[DANCE_FRAMES];
} Track;

static Track *track_point(const Keys *keys, const int *chain, size_t count, Vec3 point)
{
    Track *track = arena_array(keys->arena, Track, 1);
    const Vec3 arm = vec3_sub(point, rest_of(chain[count - 1]));

    for (int f = 0; f < DANCE_FRAMES; f++) {
        const BoneTransform world = chain_at(keys, chain, count, f);
        track->position[f] = vec3_add(world.offset, quat_rotate(world.rotation, arm));
        track->rotation[f] = world.rotation;
    }
    return track;
}

static int wrap(int frame)
{
    return (frame % DANCE_FRAMES + DANCE_FRAMES) % DANCE_FRAMES;
}

/* Apparent gravity (gravity less acceleration) in the frame of the bone, in units per frame^2, as a
 * central difference over two frames to each side, which smooths it. */
static Vec3 gravity_at(const Track *track, int frame)
{
    enum { SPAN = 2 };
    const double g = 0.11; /* 98 units / s^2 */
    const Vec3 before = track->position[wrap(frame - SPAN)],
               after = track->position[wrap(frame + SPAN)];
    const Vec3 twice = vec3_scale(track->position[frame], 2);
    const Vec3 bend = vec3_scale(vec3_sub(vec3_add(before, after), twice), 1.0 / (SPAN * SPAN));
    const Vec3 force = {-bend.x, -g - bend.y, -bend.z};

    return quat_rotate(quat_inverse(track->rotation[frame]), force);
}

/* Angular velocity about the vertical, in radians per frame. */
static double spin_at(const Track *track, int frame)
{
    const Quat delta =
        quat_mul(track->rotation[wrap(frame + 1)], quat_inverse(track->rotation[wrap(frame - 1)]));
    return delta.w < 0 ? -delta.y : delta.y;
}

static double clamp(double x, double lo, double hi)
{
    return x < lo ? lo : x > hi ? hi : x;
}

/* ---- tails ---- */

/* A hanging part leans towards +x by a rotation about +z, and towards +z by one about -x. */
static Quat lean(double x, double z)
{
    return quat_from_degrees(-z / RADIANS, 0, x / RADIANS);
}

static void key_tail(Keys *keys, Side side, int frame, const Spring *history)
{
    /* lower bones follow later */
    static const double part[TAIL_BONES] = {0.30, 0.30, 0.26, 0.22, 0.18};

    for (int i = 0; i < TAIL_BONES; i++) {
        const Spring *s = &history[wrap(frame - 2 * i)];
        dance_key_rotation(keys, bone_of((Pair)(PAIR_TAIL + i), side), (double)frame / DANCE_BEAT,
                           lean(part[i] * s->x, part[i] * s->z), EASE_LINEAR);
    }
}

static void add_tail(Keys *keys, Side side)
{
    const Track *track =
        track_point(keys, SPINE, sizeof SPINE / sizeof *SPINE, rest_of(bone_of(PAIR_TAIL, side)));
    Spring *history = arena_array(keys->arena, Spring, DANCE_FRAMES);
    Spring spring = {0};

    /* The second pass starts with the state at the end, so the motion can be repeated. */
    for (int f = 0; f < 2 * DANCE_FRAMES; f++) {
        const Vec3 gravity = gravity_at(track, wrap(f));
        const double spin = spin_at(track, wrap(f));
        const double out = (double)side_sign(side) * 9.0 * spin * spin;
        spring_step(&spring, 0.035, 0.16, 0.14 * gravity.x + 0.035 * out,
                    0.14 * gravity.z - 0.05 * fabs(spin));
        spring.x = clamp(spring.x, -1.3, 1.3);
        spring.z = clamp(spring.z, -1.1, 1.1);
        history[wrap(f)] = spring;
    }
    for (int f = 0; f <= DANCE_FRAMES; f += KEY_INTERVAL)
        key_tail(keys, side, f, history);
}

/* ---- skirt ---- */

/* Lifts a column of the skirt outwards by an angle, about the tangent of the waist. */
static Quat flare(int column, double angle)
{
    const double around = 2.0 * PI * column / SKIRT_COLUMNS;
    return quat_from_axis_angle((Vec3){cos(around), 0, sin(around)}, angle);
}

/* Angle by which a thigh is lifted forwards, in radians. */
static double thigh_lift(const Keys *keys, Side side, int frame)
{
    const Quat rotation = bone_transform_at(keys, bone_of(PAIR_LEG, side), frame).rotation;
    const Vec3 down = quat_rotate(rotation, (Vec3){0, -1, 0});

    return fmax(atan2(-down.z, -down.y), 0);
}

/* Angle that the front column needs to clear the higher thigh, besides the part of the rotation of
 * the left thigh that the rig adds. */
static double front_lift(const Keys *keys, int frame)
{
    const double left = thigh_lift(keys, LEFT, frame), right = thigh_lift(keys, RIGHT, frame);
    return fmax(0.75 * fmax(left, right) - 0.4 * left, 0);
}

static void key_skirt(Keys *keys, int frame, const Spring *sway, double lift)
{
    for (int c = 0; c < SKIRT_COLUMNS; c++) {
        const double around = 2.0 * PI * c / SKIRT_COLUMNS;
        const double along = sway->x * sin(around) - sway->z * cos(around);
        const double upper = clamp(lift + along, -0.12, 0.9),
                     lower = clamp(0.5 * lift + 0.8 * along, -0.2, 0.5);
        const double beat = (double)frame / DANCE_BEAT, front = c ? 0 : front_lift(keys, frame);
        dance_key_rotation(keys, bone_of_skirt(c, 0), beat, flare(c, upper + front), EASE_LINEAR);
        dance_key_rotation(keys, bone_of_skirt(c, 1), beat, flare(c, lower), EASE_LINEAR);
    }
}

static void add_skirt(Keys *keys)
{
    const Track *track = track_point(keys, HIPS, sizeof HIPS / sizeof *HIPS, (Vec3){0, 5.5, 0});
    Spring *sway = arena_array(keys->arena, Spring, DANCE_FRAMES);
    Spring *lift = arena_array(keys->arena, Spring, DANCE_FRAMES); /* only x is used */
    Spring side = {0}, up = {0};

    for (int f = 0; f < 2 * DANCE_FRAMES; f++) {
        const Vec3 gravity = gravity_at(track, wrap(f));
        const double spin = spin_at(track, wrap(f));
        spring_step(&side, 0.06, 0.25, 0.16 * gravity.x, 0.16 * gravity.z);
        spring_step(&up, 0.06, 0.26, 0.20 * (gravity.y + 0.11) + 0.9 * spin * spin, 0);
        up.x = clamp(up.x, -0.1, 0.75);
        sway[wrap(f)] = side;
        lift[wrap(f)] = up;
    }
    for (int f = 0; f < DANCE_FRAMES; f += KEY_INTERVAL)
        key_skirt(keys, f, &sway[f], lift[f].x);
    key_skirt(keys, DANCE_FRAMES, &sway[0], lift[0].x);
}

/* The front hair and the bow nod slightly with the beat. */
static void add_fringe_and_bow(Keys *keys)
{
    for (int beat = 0; beat <= 2 * DANCE_BEATS; beat++) {
        const double sign = beat % 2 ? 1 : -1, at = 0.5 * beat;
        const double sway = beat % 4 < 2 ? 1.5 : -1.5;
        dance_key_rotation(keys, BONE_FRINGE, at, quat_from_degrees(1.0 * sign, 0, 0.5 * sway),
                           EASE_SMOOTH);
        dance_key_rotation(keys, BONE_BOW, at, quat_from_degrees(5 * sign, 0, 2 * sway),
                           EASE_SMOOTH);
        for (Side side = LEFT; side <= RIGHT; side++) {
            dance_key_rotation(keys, bone_of(PAIR_LOCK, side), at,
                               quat_from_degrees(1.5 * sign, 0, sway), EASE_SMOOTH);
            dance_key_rotation(keys, bone_of((Pair)(PAIR_LOCK + 1), side), at,
                               quat_from_degrees(3 * sign, 0, 2 * sway), EASE_SMOOTH);
        }
    }
}

void dance_add_sway(Keys *keys)
{
    add_tail(keys, LEFT);
    add_tail(keys, RIGHT);
    add_skirt(keys);
    add_fringe_and_bow(keys);
}
