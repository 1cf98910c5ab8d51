#include "demo/dance_keys.h"

/*
 * Hair and skirt without physics: damped springs that are driven by the motion of the body,
 * simulated while the dance is written and stored as keys.  (Simulated physics replaces them.)
 */

enum { EVERY = 3 }; /* frames between keys */

static const double RADIANS = 3.14159265358979323846 / 180.0;

/* A hanging part: its deflection in the frame of its bone, in radians approximately. */
typedef struct Spring {
    double x, z, speed_x, speed_z;
} Spring;

/* A step of one frame; stiff is per frame^2, drag per frame, push is added to the velocity. */
static void spring_step(Spring *s, double stiff, double drag, double push_x, double push_z)
{
    s->speed_x += push_x - stiff * s->x - drag * s->speed_x;
    s->speed_z += push_z - stiff * s->z - drag * s->speed_z;
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

/* Where a chain of bones puts its last bone's frame. */
static Placed chain_at(const Keys *keys, const int *chain, size_t count, double frame)
{
    Placed world = {{0, 0, 0}, QUAT_IDENTITY};
    Vec3 parent = {0, 0, 0};

    for (size_t i = 0; i < count; i++) {
        const Placed own = keys_at(keys, chain[i], frame);
        const Vec3 step = vec3_add(vec3_sub(rest_of(chain[i]), parent), own.offset);
        world.offset = vec3_add(world.offset, quat_rotate(world.turn, step));
        world.turn = quat_mul(world.turn, own.turn);
        parent = rest_of(chain[i]);
    }
    return world;
}

typedef struct Track {
    Vec3 at[DANCE_FRAMES]; /* of a point that the chain carries */
    Quat turn[DANCE_FRAMES];
} Track;

static Track *follow(const Keys *keys, const int *chain, size_t count, Vec3 point)
{
    Track *track = arena_array(keys->arena, Track, 1);
    const Vec3 arm = vec3_sub(point, rest_of(chain[count - 1]));

    for (int f = 0; f < DANCE_FRAMES; f++) {
        const Placed placed = chain_at(keys, chain, count, f);
        track->at[f] = vec3_add(placed.offset, quat_rotate(placed.turn, arm));
        track->turn[f] = placed.turn;
    }
    return track;
}

static int wrap(int frame)
{
    return (frame % DANCE_FRAMES + DANCE_FRAMES) % DANCE_FRAMES;
}

/* What a thing hanging there feels: gravity less the acceleration, in the frame of the bone, in
 * units a frame^2; over two frames to each side, so that it is smooth. */
static Vec3 pull_at(const Track *track, int frame)
{
    enum { SPAN = 2 };
    const double gravity = 0.11; /* 98 units / s^2 */
    const Vec3 before = track->at[wrap(frame - SPAN)], after = track->at[wrap(frame + SPAN)];
    const Vec3 twice = vec3_scale(track->at[frame], 2);
    const Vec3 bend = vec3_scale(vec3_sub(vec3_add(before, after), twice), 1.0 / (SPAN * SPAN));
    const Vec3 felt = {-bend.x, -gravity - bend.y, -bend.z};

    return quat_rotate(quat_inverse(track->turn[frame]), felt);
}

/* Radians a frame about the vertical. */
static double spin_at(const Track *track, int frame)
{
    const Quat turn =
        quat_mul(track->turn[wrap(frame + 1)], quat_inverse(track->turn[wrap(frame - 1)]));
    return turn.w < 0 ? -turn.y : turn.y;
}

static double clamp(double x, double lo, double hi)
{
    return x < lo ? lo : x > hi ? hi : x;
}

/* ---- tails ---- */

/* Leaning towards +x is a turn about +z of what hangs down; towards +z, about -x. */
static Quat lean(double x, double z)
{
    return turn_deg(-z / RADIANS, 0, x / RADIANS);
}

static void key_tail(Keys *keys, Side side, int frame, const Spring *trail)
{
    /* the lower a bone, the later it follows */
    static const double part[TAIL_BONES] = {0.30, 0.30, 0.26, 0.22, 0.18};

    for (int i = 0; i < TAIL_BONES; i++) {
        const Spring *s = &trail[wrap(frame - 2 * i)];
        key_turn(keys, bone_of((Pair)(PAIR_TAIL + i), side), (double)frame / DANCE_BEAT,
                 lean(part[i] * s->x, part[i] * s->z), EASE_LINEAR);
    }
}

static void add_tail(Keys *keys, Side side)
{
    const Track *track =
        follow(keys, SPINE, sizeof SPINE / sizeof *SPINE, rest_of(bone_of(PAIR_TAIL, side)));
    Spring *trail = arena_array(keys->arena, Spring, DANCE_FRAMES);
    Spring spring = {0};

    /* Twice around: the second time begins as it will end. */
    for (int f = 0; f < 2 * DANCE_FRAMES; f++) {
        const Vec3 pull = pull_at(track, wrap(f));
        const double spin = spin_at(track, wrap(f));
        const double out = (double)side_sign(side) * 9.0 * spin * spin;
        spring_step(&spring, 0.035, 0.16, 0.14 * pull.x + 0.035 * out,
                    0.14 * pull.z - 0.05 * fabs(spin));
        spring.x = clamp(spring.x, -1.3, 1.3);
        spring.z = clamp(spring.z, -1.1, 1.1);
        trail[wrap(f)] = spring;
    }
    for (int f = 0; f <= DANCE_FRAMES; f += EVERY)
        key_tail(keys, side, f, trail);
}

/* ---- skirt ---- */

/* A column of the skirt lifted outwards by an angle: it turns about the tangent. */
static Quat flare(int column, double angle)
{
    const double around = 2.0 * 3.14159265358979323846 * column / SKIRT_COLUMNS;
    return quat_from_axis_angle((Vec3){cos(around), 0, sin(around)}, angle);
}

/* How far a thigh is lifted forwards, in radians. */
static double thigh_lift(const Keys *keys, Side side, int frame)
{
    const Quat turn = keys_at(keys, bone_of(PAIR_LEG, side), frame).turn;
    const Vec3 down = quat_rotate(turn, (Vec3){0, -1, 0});

    return fmax(atan2(-down.z, -down.y), 0);
}

/* The front column hangs between the thighs and follows part of the left one by itself; this is
 * what it needs besides to clear the higher one. */
static double front_lift(const Keys *keys, int frame)
{
    const double left = thigh_lift(keys, LEFT, frame), right = thigh_lift(keys, RIGHT, frame);
    return fmax(0.75 * fmax(left, right) - 0.4 * left, 0);
}

static void key_skirt(Keys *keys, int frame, const Spring *sway, double lift)
{
    for (int c = 0; c < SKIRT_COLUMNS; c++) {
        const double around = 2.0 * 3.14159265358979323846 * c / SKIRT_COLUMNS;
        const double along = sway->x * sin(around) - sway->z * cos(around);
        const double upper = clamp(lift + along, -0.12, 0.9),
                     lower = clamp(0.5 * lift + 0.8 * along, -0.2, 0.5);
        const double beat = (double)frame / DANCE_BEAT, front = c ? 0 : front_lift(keys, frame);
        key_turn(keys, bone_of_skirt(c, 0), beat, flare(c, upper + front), EASE_LINEAR);
        key_turn(keys, bone_of_skirt(c, 1), beat, flare(c, lower), EASE_LINEAR);
    }
}

static void add_skirt(Keys *keys)
{
    const Track *track = follow(keys, HIPS, sizeof HIPS / sizeof *HIPS, (Vec3){0, 5.5, 0});
    Spring *sway = arena_array(keys->arena, Spring, DANCE_FRAMES);
    Spring *lift = arena_array(keys->arena, Spring, DANCE_FRAMES); /* x alone is used */
    Spring side = {0}, up = {0};

    for (int f = 0; f < 2 * DANCE_FRAMES; f++) {
        const Vec3 pull = pull_at(track, wrap(f));
        const double spin = spin_at(track, wrap(f));
        spring_step(&side, 0.06, 0.25, 0.16 * pull.x, 0.16 * pull.z);
        spring_step(&up, 0.06, 0.26, 0.20 * (pull.y + 0.11) + 0.9 * spin * spin, 0);
        up.x = clamp(up.x, -0.1, 0.75);
        sway[wrap(f)] = side;
        lift[wrap(f)] = up;
    }
    for (int f = 0; f < DANCE_FRAMES; f += EVERY)
        key_skirt(keys, f, &sway[f], lift[f].x);
    key_skirt(keys, DANCE_FRAMES, &sway[0], lift[0].x);
}

/* The front hair and the bow only nod a little with the beat. */
static void add_small(Keys *keys)
{
    for (int beat = 0; beat <= 2 * DANCE_BEATS; beat++) {
        const double way = beat % 2 ? 1 : -1, at = 0.5 * beat;
        const double sway = beat % 4 < 2 ? 1.5 : -1.5;
        key_turn(keys, BONE_FRINGE, at, turn_deg(1.0 * way, 0, 0.5 * sway), EASE_SMOOTH);
        key_turn(keys, BONE_BOW, at, turn_deg(5 * way, 0, 2 * sway), EASE_SMOOTH);
        for (Side side = LEFT; side <= RIGHT; side++) {
            key_turn(keys, bone_of(PAIR_LOCK, side), at, turn_deg(1.5 * way, 0, sway), EASE_SMOOTH);
            key_turn(keys, bone_of((Pair)(PAIR_LOCK + 1), side), at, turn_deg(3 * way, 0, 2 * sway),
                     EASE_SMOOTH);
        }
    }
}

void dance_add_sway(Keys *keys)
{
    add_tail(keys, LEFT);
    add_tail(keys, RIGHT);
    add_skirt(keys);
    add_small(keys);
}
