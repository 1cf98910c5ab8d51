// SPDX-License-Identifier: MIT
#include "format/motion/smpl.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/text_stream.h"
#include "format/motion/npz.h"
#include "math/axes.h"

enum { FINGERS = SMPL_MAX_JOINTS - SMPL_BODY_JOINTS, MAX_COUNTS = 4, MAX_PERSONS = 64 };

static const double TENTH_MM = 1e-4;
static const double DEFAULT_FPS = 30;

/* ---- the neutral bodies (format/motion/README.md 5.1), offsets in tenths of a millimetre ---- */

static const struct {
    const char *name;
    int8_t parent;
    int16_t smpl[3], smplx[3];
} body[SMPL_BODY_JOINTS] = {
    {"pelvis", -1, {0, 0, 0}, {0, 0, 0}},
    {"left_hip", 0, {695, -914, -68}, {582, -928, -260}},
    {"right_hip", 0, {-677, -905, -43}, {-633, -1039, -213}},
    {"spine1", 0, {-25, 1090, -267}, {-28, 1099, -276}},
    {"left_knee", 1, {343, -3752, -45}, {547, -3788, -94}},
    {"right_knee", 2, {-383, -3826, -89}, {-442, -3624, -168}},
    {"spine2", 3, {55, 1352, 11}, {94, 1319, -59}},
    {"left_ankle", 4, {-136, -3980, -437}, {-435, -4031, -319}},
    {"right_ankle", 5, {158, -3984, -423}, {154, -4107, -202}},
    {"spine3", 6, {15, 529, 254}, {-113, 522, 284}},
    {"left_foot", 7, {264, -558, 1193}, {473, -580, 1182}},
    {"right_foot", 8, {-254, -481, 1233}, {-388, -583, 1190}},
    {"neck", 9, {-28, 2139, -429}, {-122, 1652, -316}},
    {"left_collar", 9, {788, 1217, -341}, {464, 849, -72}},
    {"right_collar", 9, {-818, 1188, -386}, {-477, 843, -134}},
    {"head", 12, {52, 650, 513}, {248, 1605, 207}},
    {"left_shoulder", 13, {910, 305, -89}, {1192, 577, -155}},
    {"right_shoulder", 14, {-960, 326, -91}, {-1026, 535, -127}},
    {"left_elbow", 16, {2596, -128, -275}, {2541, -722, -425}},
    {"right_elbow", 17, {-2537, -133, -214}, {-2711, -365, -265}},
    {"left_wrist", 18, {2492, 90, -12}, {2520, 232, -25}},
    {"right_wrist", 19, {-2553, 78, -56}, {-2493, -45, -153}},
};

/* Of the left hand, from the wrist on; the right one is its mirror image. */
static const struct {
    const char *name;
    int16_t joints[3][3];
} fingers[] = {
    {"index", {{1019, -87, 194}, {319, 22, 30}, {225, -24, 1}}},
    {"middle", {{1094, -63, -40}, {306, 8, -40}, {235, -20, -41}}},
    {"pinky", {{840, -145, -437}, {155, -11, -120}, {155, -17, -112}}},
    {"ring", {{974, -93, -273}, {280, 15, -53}, {228, -15, -71}}},
    {"thumb", {{406, -180, 256}, {170, 10, 250}, {205, -52, 155}}},
};

static Vec3 offset_of(const int16_t v[3], double side)
{
    return (Vec3){side * v[0] * TENTH_MM, v[1] * TENTH_MM, v[2] * TENTH_MM};
}

typedef struct Smpl {
    Vec3 offsets[SMPL_MAX_JOINTS]; /* from the parent; of the pelvis 0 */
    float (*rotations)[4];         /* [frame_count][joint_count] against the parent, x y z w */
    float (*places)[3];            /* [frame_count] of the pelvis */
    uint32_t joint_count;
} Smpl;

typedef struct Builder {
    Archive npz;
    Smpl *smpl;
    Mocap *mocap;
    const char *take;
    uint32_t persons; /* the first index of all arrays; 0: they have none for persons */
    Arena *arena, *scratch;
    Diag *diag;
} Builder;

static void set_joints(Builder *b, bool is_smplx)
{
    enum { LEFT_WRIST = 20 };
    Mocap *mocap = b->mocap;
    mocap->joints = arena_array(b->arena, MocapJoint, mocap->joint_count);
    for (uint32_t i = 0; i < mocap->joint_count; i++) {
        MocapJoint *joint = &mocap->joints[i];
        const uint32_t at = i - SMPL_BODY_JOINTS, right = at / 15, segment = at % 3;
        if (i < SMPL_BODY_JOINTS) {
            *joint = (MocapJoint){.name = body[i].name, .parent = body[i].parent};
            b->smpl->offsets[i] = offset_of(is_smplx ? body[i].smplx : body[i].smpl, 1);
        } else {
            *joint = (MocapJoint){.name = arena_printf(b->arena, "%s_%s%" PRIu32,
                                                       right ? "right" : "left",
                                                       fingers[at % 15 / 3].name, segment + 1),
                                  .parent = (int32_t)(segment ? i - 1 : LEFT_WRIST + right)};
            b->smpl->offsets[i] = offset_of(fingers[at % 15 / 3].joints[segment], right ? -1 : 1);
        }
        mocap_place_rest(mocap, i, b->smpl->offsets[i], QUAT_IDENTITY);
    }
}

/* ---- rotations of joints ---- */

/* An array of rotations, as vectors or as matrices. */
typedef struct Part {
    NpzArray array;
    uint32_t joints;
    bool is_matrix;
} Part;

static const char *shape_text(const NpzArray *array, Arena *arena)
{
    TextStream stream;
    FILE *out = text_stream_open(&stream, arena);
    for (uint32_t i = 0; i < array->dims; i++)
        fprintf(out, "%s%" PRIu32, i ? ", " : "", array->shape[i]);
    return text_stream_close(&stream);
}

/* Of several persons only the values of the one that was chosen. */
static bool load_array(NpzArray *out, const Builder *b, const char *name)
{
    if (!npz_array(out, &b->npz, name, b->scratch, b->diag))
        return false;
    if (!b->persons)
        return true;
    if (!out->dims || out->shape[0] != b->persons)
        return diag_error(b->diag, "array '%s' has the shape (%s), others %" PRIu32 " persons",
                          name, shape_text(out, b->scratch), b->persons);
    out->count /= b->persons;
    out->items += b->mocap->take * out->count;
    memmove(out->shape, out->shape + 1, --out->dims * sizeof *out->shape);
    return true;
}

/* Sets the number of frames, or checks that it is that of the arrays before. */
static bool check_frames(Builder *b, const NpzArray *array)
{
    Mocap *mocap = b->mocap;
    const uint32_t frames = array->dims ? array->shape[0] : 0;
    if (!frames || frames > SMPL_MAX_FRAMES)
        return diag_error(b->diag, "array '%s' has the shape (%s): no frames, or more than %d",
                          array->name, shape_text(array, b->scratch), SMPL_MAX_FRAMES);
    if (mocap->frame_count && frames != mocap->frame_count)
        return diag_error(b->diag, "array '%s' has %" PRIu32 " frames, others have %" PRIu32,
                          array->name, frames, mocap->frame_count);
    mocap->frame_count = frames;
    return true;
}

/* The array has so many joints; false for any other number, without an error. */
static bool find_joints(Part *part, const uint32_t counts[MAX_COUNTS])
{
    const uint32_t frames = part->array.shape[0];
    for (int i = 0; i < MAX_COUNTS && counts[i]; i++)
        for (uint32_t each = 3; each <= 9; each += 6)
            if (part->array.count == (size_t)frames * each * counts[i]) {
                part->joints = counts[i];
                part->is_matrix = each == 9;
                return true;
            }
    return false;
}

static bool load_part(Part *part, Builder *b, const char *name, const uint32_t counts[MAX_COUNTS])
{
    *part = (Part){0};
    if (!load_array(&part->array, b, name) || !check_frames(b, &part->array))
        return false;
    if (find_joints(part, counts))
        return true;
    const char *wanted = "";
    for (int i = 0; i < MAX_COUNTS && counts[i]; i++)
        wanted = arena_printf(b->scratch, "%s%s%" PRIu32, wanted, i ? " or " : "", counts[i]);
    return diag_error(b->diag,
                      "array '%s' has the shape (%s); expected 3 or 9 numbers in a frame for each "
                      "of %s joints",
                      name, shape_text(&part->array, b->scratch), wanted);
}

/* A vector along the axis, as long as the angle; or a matrix by rows. */
static bool read_rotation(Quat *out, const float *v, bool is_matrix)
{
    if (!is_matrix) {
        const Vec3 axis = vec3_load(v);
        const double angle = vec3_length(axis);
        *out = angle > 0 ? quat_from_axis_angle(vec3_scale(axis, 1 / angle), angle) : QUAT_IDENTITY;
        return true;
    }
    const Vec3 z = {(double)v[2], (double)v[5], (double)v[8]};
    return axes_rotation(out, (Vec3){(double)v[0], (double)v[3], (double)v[6]},
                         (Vec3){(double)v[1], (double)v[4], (double)v[7]}) &&
           vec3_dot(quat_rotate(*out, (Vec3){0, 0, 1}), z) > 0.5;
}

/* Joints of the array from `from` on become `count` joints of the motion from `to` on. */
static bool copy_joints(Builder *b, const Part *part, uint32_t from, uint32_t to, uint32_t count)
{
    const uint32_t each = part->is_matrix ? 9 : 3;
    for (uint32_t frame = 0; frame < b->mocap->frame_count; frame++)
        for (uint32_t i = 0; i < count; i++) {
            const size_t at = (size_t)frame * part->joints + from + i;
            Quat q;
            if (!read_rotation(&q, part->array.items + at * each, part->is_matrix))
                return diag_error(b->diag,
                                  "array '%s': frame %" PRIu32 ": the matrix of joint %" PRIu32
                                  " is no rotation",
                                  part->array.name, frame, from + i);
            quat_store(b->smpl->rotations[(size_t)frame * b->smpl->joint_count + to + i],
                       quat_normalize(q));
        }
    return true;
}

static bool has(const Builder *b, const char *name)
{
    return npz_find(&b->npz, (const char *const[]){name, NULL}) != NULL;
}

static void begin_rotations(Builder *b, bool has_fingers, bool is_smplx)
{
    b->mocap->joint_count = b->smpl->joint_count = has_fingers ? SMPL_MAX_JOINTS : SMPL_BODY_JOINTS;
    set_joints(b, is_smplx);
    const size_t count = (size_t)b->mocap->frame_count * b->smpl->joint_count;
    b->smpl->rotations = arena_alloc(b->arena, count * sizeof *b->smpl->rotations);
    for (size_t i = 0; i < count; i++)
        b->smpl->rotations[i][3] = 1;
}

/* One array with all joints: the body; hands of SMPL; fingers of SMPL-H; jaw, eyes and fingers of
 * SMPL-X. */
static bool load_poses(Builder *b, const char *name)
{
    Part part;
    if (!load_part(&part, b, name, (const uint32_t[MAX_COUNTS]){22, 24, 52, 55}))
        return false;
    begin_rotations(b, part.joints > 24, part.joints == 55);
    return copy_joints(b, &part, 0, 0, SMPL_BODY_JOINTS) &&
           (part.joints <= 24 ||
            copy_joints(b, &part, part.joints - FINGERS, SMPL_BODY_JOINTS, FINGERS));
}

/* Fingers as rotations; as principal components, which need the model, they are not read. */
static bool load_hands(Builder *b)
{
    static const struct {
        const char *name;
        uint32_t joints, to;
    } hands[] = {{"pose_hand", FINGERS, SMPL_BODY_JOINTS},
                 {"left_hand_pose", FINGERS / 2, SMPL_BODY_JOINTS},
                 {"right_hand_pose", FINGERS / 2, SMPL_BODY_JOINTS + FINGERS / 2}};
    for (size_t i = 0; i < sizeof hands / sizeof *hands; i++) {
        Part part = {0};
        if (!has(b, hands[i].name))
            continue;
        if (!load_array(&part.array, b, hands[i].name) || !check_frames(b, &part.array))
            return false;
        if (!find_joints(&part, (const uint32_t[MAX_COUNTS]){hands[i].joints}))
            diag_note(b->diag, "array '%s' has the shape (%s), no rotations: fingers rest",
                      hands[i].name, shape_text(&part.array, b->scratch));
        else if (!copy_joints(b, &part, 0, hands[i].to, hands[i].joints))
            return false;
    }
    return true;
}

/* SLAHMR's arrays are of persons, then frames; those of one person as matrices have other shapes.
 */
static bool choose_person(Builder *b, const char *root_name, const char *body_name)
{
    Mocap *mocap = b->mocap;
    NpzArray root, limbs;
    bool moves[MAX_PERSONS];
    if (!npz_array(&root, &b->npz, root_name, b->scratch, b->diag) ||
        !npz_array(&limbs, &b->npz, body_name, b->scratch, b->diag))
        return false;
    if (root.dims != 3 || root.shape[2] != 3 || root.shape[1] < 2 || limbs.dims < 3 ||
        limbs.shape[0] != root.shape[0] || limbs.shape[1] != root.shape[1])
        return true;
    b->persons = mocap->take_count = root.shape[0];
    if (!b->persons || b->persons > MAX_PERSONS)
        return diag_error(b->diag, "array '%s' has %" PRIu32 " persons (1..%d)", root_name,
                          b->persons, MAX_PERSONS);
    mocap->takes = arena_array(b->arena, const char *, b->persons);
    for (uint32_t i = 0; i < b->persons; i++) {
        mocap->takes[i] = arena_printf(b->arena, "person %" PRIu32, i + 1);
        moves[i] = true;
    }
    return mocap_choose_take(mocap, moves, b->take, b->arena, b->diag);
}

static bool load_parts(Builder *b, const char *root_name)
{
    static const char *const body_names[] = {"pose_body", "body_pose", NULL};
    const char *body_name = npz_find(&b->npz, body_names);
    Part root, limbs;
    if (!body_name)
        return diag_error(b->diag, "there is '%s', but neither 'pose_body' nor 'body_pose'",
                          root_name);
    if (!choose_person(b, root_name, body_name) ||
        !load_part(&root, b, root_name, (const uint32_t[MAX_COUNTS]){1}) ||
        !load_part(&limbs, b, body_name, (const uint32_t[MAX_COUNTS]){21, 23}))
        return false;
    const bool is_smplx = has(b, "pose_jaw") || has(b, "jaw_pose") ||
                          (limbs.joints == 21 && body_name == body_names[1]);
    begin_rotations(b, has(b, "pose_hand") || has(b, "left_hand_pose"), is_smplx);
    return copy_joints(b, &root, 0, 0, 1) && copy_joints(b, &limbs, 0, 1, SMPL_BODY_JOINTS - 1) &&
           (b->smpl->joint_count == SMPL_BODY_JOINTS || load_hands(b));
}

static bool load_rotations(Builder *b)
{
    static const char *const poses[] = {"poses", "smpl_poses", "fullpose", NULL};
    static const char *const roots[] = {"root_orient", "global_orient", NULL};
    const char *name = npz_find(&b->npz, poses);
    if (name)
        return load_poses(b, name);
    name = npz_find(&b->npz, roots);
    return name ? load_parts(b, name)
                : diag_error(b->diag, "no motion of SMPL: none of the arrays 'poses', "
                                      "'root_orient' and 'global_orient' is in the file");
}

/* ---- places and times ---- */

static bool load_places(Builder *b)
{
    static const char *const names[] = {"trans", "transl", "smpl_trans", NULL};
    const uint32_t frames = b->mocap->frame_count;
    const char *name = npz_find(&b->npz, names);
    b->smpl->places = arena_alloc(b->arena, frames * sizeof *b->smpl->places);
    if (!name)
        return true;
    NpzArray array;
    if (!load_array(&array, b, name) || !check_frames(b, &array))
        return false;
    if (array.count != 3 * (size_t)frames)
        return diag_error(b->diag, "array '%s' has the shape (%s); expected (%" PRIu32 ", 3)", name,
                          shape_text(&array, b->scratch), frames);
    memcpy(b->smpl->places, array.items, array.count * sizeof(float));
    return true;
}

static bool load_rate(Builder *b)
{
    static const char *const names[] = {"mocap_framerate", "mocap_frame_rate", "fps", "frame_rate",
                                        NULL};
    const char *name = npz_find(&b->npz, names);
    NpzArray array;
    b->mocap->fps = DEFAULT_FPS;
    if (!name) {
        diag_note(b->diag, "no frame rate ('mocap_framerate', 'fps'): %g frames a second are used",
                  DEFAULT_FPS);
        return true;
    }
    if (!npz_array(&array, &b->npz, name, b->scratch, b->diag))
        return false;
    b->mocap->fps = array.count == 1 ? (double)array.items[0] : 0;
    return (b->mocap->fps >= 1 && b->mocap->fps <= 1000) ||
           diag_error(b->diag, "array '%s': %g frames a second are out of range (1..1000)", name,
                      b->mocap->fps);
}

/* ---- up ---- */

static SmplUp find_up(const Builder *b)
{
    static const char *const names[] = {NULL, "y", "z", "-y"};
    const Smpl *s = b->smpl;
    const uint32_t frames = b->mocap->frame_count;
    Vec3 sum = {0, 0, 0};
    for (uint32_t i = 0; i < frames; i++) {
        const Quat root = quat_load(s->rotations[(size_t)i * s->joint_count]);
        sum = vec3_add(sum, quat_rotate(root, (Vec3){0, 1, 0}));
    }
    const double of[] = {0, sum.y, sum.z, -sum.y};
    SmplUp best = SMPL_UP_Y;
    for (SmplUp up = SMPL_UP_Z; up <= SMPL_UP_MINUS_Y; up++)
        if (of[up] > of[best])
            best = up;
    diag_note(b->diag,
              "%s is up, as the pelvis is on average (by %.2f of 1); 'up: y', 'z' or '-y' decides",
              names[best], of[best] / frames);
    return best;
}

/* Turns the pelvis so that y is up. */
static void turn_up(const Builder *b, SmplUp up)
{
    const double angle = up == SMPL_UP_Z ? -M_PI / 2 : M_PI;
    const Quat turn = quat_from_axis_angle((Vec3){1, 0, 0}, angle);
    for (uint32_t i = 0; up != SMPL_UP_Y && i < b->mocap->frame_count; i++) {
        float *root = b->smpl->rotations[(size_t)i * b->smpl->joint_count];
        quat_store(root, quat_normalize(quat_mul(turn, quat_load(root))));
        vec3_store(b->smpl->places[i], quat_rotate(turn, vec3_load(b->smpl->places[i])));
    }
}

static void local(Vec3 *position, Quat *rotation, const void *source, double frame, uint32_t joint)
{
    const Smpl *s = source;
    *position = joint ? s->offsets[joint] : vec3_load(s->places[(size_t)frame]);
    *rotation = quat_normalize(quat_load(s->rotations[(size_t)frame * s->joint_count + joint]));
}

bool smpl_load(Mocap *mocap, Bytes bytes, const char *take, SmplUp up, Arena *arena, Diag *diag)
{
    Builder b = {.smpl = arena_array(arena, Smpl, 1),
                 .mocap = mocap,
                 .take = take,
                 .arena = arena,
                 .scratch = arena_create(),
                 .diag = diag};
    *mocap = (Mocap){.local = local, .source = b.smpl};
    const bool good =
        npz_load(&b.npz, bytes, b.scratch, diag) && load_rotations(&b) && load_places(&b) &&
        load_rate(&b) &&
        (!take || b.persons || diag_error(diag, "the file has one person, and no take '%s'", take));
    if (good) {
        mocap->up = (int)(up == SMPL_UP_AUTO ? find_up(&b) : up);
        mocap->duration_s = (mocap->frame_count - 1) / mocap->fps;
        turn_up(&b, (SmplUp)mocap->up);
    }
    arena_destroy(b.scratch);
    return good;
}
