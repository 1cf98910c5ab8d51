// SPDX-License-Identifier: MIT
#include "format/motion/smpl.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/text_stream.h"
#include "format/motion/npz.h"
#include "math/axes.h"

enum { FINGERS = SMPL_MAX_JOINTS - SMPL_BODY_JOINTS, MAX_COUNTS = 4 };

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

static void set_joints(SmplMotion *motion, bool is_smplx, Arena *arena)
{
    enum { LEFT_WRIST = 20 };
    for (uint32_t i = 0; i < SMPL_BODY_JOINTS; i++)
        motion->joints[i] = (SmplJoint){body[i].name, body[i].parent,
                                        offset_of(is_smplx ? body[i].smplx : body[i].smpl, 1)};
    for (uint32_t i = SMPL_BODY_JOINTS; i < motion->joint_count; i++) {
        const uint32_t at = i - SMPL_BODY_JOINTS, right = at / 15, finger = at % 15 / 3,
                       segment = at % 3;
        motion->joints[i] =
            (SmplJoint){arena_printf(arena, "%s_%s%" PRIu32, right ? "right" : "left",
                                     fingers[finger].name, segment + 1),
                        (int32_t)(segment ? i - 1 : LEFT_WRIST + right),
                        offset_of(fingers[finger].joints[segment], right ? -1 : 1)};
    }
}

/* ---- rotations of joints ---- */

typedef struct Builder {
    Archive npz;
    SmplMotion *motion;
    Arena *arena, *scratch;
    Diag *diag;
} Builder;

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

/* Sets the number of frames, or checks that it is that of the arrays before. */
static bool check_frames(Builder *b, const NpzArray *array)
{
    SmplMotion *motion = b->motion;
    const uint32_t frames = array->dims ? array->shape[0] : 0;
    if (!frames || frames > SMPL_MAX_FRAMES)
        return diag_error(b->diag, "array '%s' has the shape (%s): no frames, or more than %d",
                          array->name, shape_text(array, b->scratch), SMPL_MAX_FRAMES);
    if (motion->frame_count && frames != motion->frame_count)
        return diag_error(b->diag, "array '%s' has %" PRIu32 " frames, others have %" PRIu32,
                          array->name, frames, motion->frame_count);
    motion->frame_count = frames;
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
    if (!npz_array(&part->array, &b->npz, name, b->scratch, b->diag) ||
        !check_frames(b, &part->array))
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
    const Vec3 x = vec3_normalize((Vec3){(double)v[0], (double)v[3], (double)v[6]});
    const Vec3 y = {(double)v[1], (double)v[4], (double)v[7]};
    const Vec3 z = vec3_normalize(vec3_cross(x, y));
    const Axes axes = {x, vec3_cross(z, x), z};
    *out = axes_to_quat(&axes);
    return vec3_dot(z, (Vec3){(double)v[2], (double)v[5], (double)v[8]}) > 0.5 &&
           fabs(quat_dot(*out, *out) - 1) < 1e-6;
}

/* Joints of the array from `from` on become `count` joints of the motion from `to` on. */
static bool copy_joints(Builder *b, const Part *part, uint32_t from, uint32_t to, uint32_t count)
{
    const SmplMotion *motion = b->motion;
    const uint32_t each = part->is_matrix ? 9 : 3;
    for (uint32_t frame = 0; frame < motion->frame_count; frame++)
        for (uint32_t i = 0; i < count; i++) {
            const size_t at = (size_t)frame * part->joints + from + i;
            Quat q;
            if (!read_rotation(&q, part->array.items + at * each, part->is_matrix))
                return diag_error(b->diag,
                                  "array '%s': frame %" PRIu32 ": the matrix of joint %" PRIu32
                                  " is no rotation",
                                  part->array.name, frame, from + i);
            quat_store(motion->rotations[(size_t)frame * motion->joint_count + to + i],
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
    SmplMotion *motion = b->motion;
    motion->joint_count = has_fingers ? SMPL_MAX_JOINTS : SMPL_BODY_JOINTS;
    set_joints(motion, is_smplx, b->arena);
    const size_t count = (size_t)motion->frame_count * motion->joint_count;
    motion->rotations = arena_alloc(b->arena, count * sizeof *motion->rotations);
    for (size_t i = 0; i < count; i++)
        motion->rotations[i][3] = 1;
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
        if (!npz_array(&part.array, &b->npz, hands[i].name, b->scratch, b->diag) ||
            !check_frames(b, &part.array))
            return false;
        if (!find_joints(&part, (const uint32_t[MAX_COUNTS]){hands[i].joints}))
            diag_note(b->diag, "array '%s' has the shape (%s), no rotations: fingers rest",
                      hands[i].name, shape_text(&part.array, b->scratch));
        else if (!copy_joints(b, &part, 0, hands[i].to, hands[i].joints))
            return false;
    }
    return true;
}

static bool load_parts(Builder *b, const char *root_name)
{
    static const char *const body_names[] = {"pose_body", "body_pose", NULL};
    const char *body_name = npz_find(&b->npz, body_names);
    Part root, limbs;
    if (!body_name)
        return diag_error(b->diag, "there is '%s', but neither 'pose_body' nor 'body_pose'",
                          root_name);
    if (!load_part(&root, b, root_name, (const uint32_t[MAX_COUNTS]){1}) ||
        !load_part(&limbs, b, body_name, (const uint32_t[MAX_COUNTS]){21, 23}))
        return false;
    const bool is_smplx = has(b, "pose_jaw") || has(b, "jaw_pose") ||
                          (limbs.joints == 21 && body_name == body_names[1]);
    begin_rotations(b, has(b, "pose_hand") || has(b, "left_hand_pose"), is_smplx);
    return copy_joints(b, &root, 0, 0, 1) && copy_joints(b, &limbs, 0, 1, SMPL_BODY_JOINTS - 1) &&
           (b->motion->joint_count == SMPL_BODY_JOINTS || load_hands(b));
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
    SmplMotion *motion = b->motion;
    const char *name = npz_find(&b->npz, names);
    motion->places = arena_alloc(b->arena, motion->frame_count * sizeof *motion->places);
    if (!name)
        return true;
    NpzArray array;
    if (!npz_array(&array, &b->npz, name, b->scratch, b->diag) || !check_frames(b, &array))
        return false;
    if (array.count != 3 * (size_t)motion->frame_count)
        return diag_error(b->diag, "array '%s' has the shape (%s); expected (%" PRIu32 ", 3)", name,
                          shape_text(&array, b->scratch), motion->frame_count);
    memcpy(motion->places, array.items, array.count * sizeof(float));
    return true;
}

static bool load_rate(Builder *b)
{
    static const char *const names[] = {"mocap_framerate", "mocap_frame_rate", "fps", "frame_rate",
                                        NULL};
    const char *name = npz_find(&b->npz, names);
    NpzArray array;
    b->motion->fps = DEFAULT_FPS;
    if (!name) {
        diag_note(b->diag, "no frame rate ('mocap_framerate', 'fps'): %g frames a second are used",
                  DEFAULT_FPS);
        return true;
    }
    if (!npz_array(&array, &b->npz, name, b->scratch, b->diag))
        return false;
    b->motion->fps = array.count == 1 ? (double)array.items[0] : 0;
    return (b->motion->fps >= 1 && b->motion->fps <= 1000) ||
           diag_error(b->diag, "array '%s': %g frames a second are out of range (1..1000)", name,
                      b->motion->fps);
}

/* ---- up ---- */

static void find_up(Builder *b)
{
    static const char *const names[] = {NULL, "y", "z", "-y"};
    SmplMotion *motion = b->motion;
    Vec3 sum = {0, 0, 0};
    for (uint32_t i = 0; i < motion->frame_count; i++) {
        const Quat root = quat_load(motion->rotations[(size_t)i * motion->joint_count]);
        sum = vec3_add(sum, quat_rotate(root, (Vec3){0, 1, 0}));
    }
    const double of[] = {0, sum.y, sum.z, -sum.y};
    motion->up = SMPL_UP_Y;
    for (SmplUp up = SMPL_UP_Z; up <= SMPL_UP_MINUS_Y; up++)
        if (of[up] > of[motion->up])
            motion->up = up;
    diag_note(b->diag,
              "%s is up, as the pelvis is on average (by %.2f of 1); 'up: y', 'z' or '-y' decides",
              names[motion->up], of[motion->up] / motion->frame_count);
}

/* Turns the pelvis so that y is up. */
static void turn_up(SmplMotion *motion)
{
    const double angle = motion->up == SMPL_UP_Z ? -M_PI / 2 : M_PI;
    if (motion->up == SMPL_UP_Y)
        return;
    const Quat turn = quat_from_axis_angle((Vec3){1, 0, 0}, angle);
    for (uint32_t i = 0; i < motion->frame_count; i++) {
        float *root = motion->rotations[(size_t)i * motion->joint_count];
        quat_store(root, quat_normalize(quat_mul(turn, quat_load(root))));
        vec3_store(motion->places[i], quat_rotate(turn, vec3_load(motion->places[i])));
    }
}

bool smpl_load(SmplMotion *motion, Bytes bytes, SmplUp up, Arena *arena, Diag *diag)
{
    Builder b = {.motion = motion, .arena = arena, .scratch = arena_create(), .diag = diag};
    *motion = (SmplMotion){.up = up};
    const bool good = npz_load(&b.npz, bytes, b.scratch, diag) && load_rotations(&b) &&
                      load_places(&b) && load_rate(&b);
    if (good && up == SMPL_UP_AUTO)
        find_up(&b);
    if (good)
        turn_up(motion);
    arena_destroy(b.scratch);
    return good;
}

void smpl_local(Vec3 *position, Quat *rotation, const SmplMotion *motion, uint32_t frame,
                uint32_t joint)
{
    *position = joint ? motion->joints[joint].offset : vec3_load(motion->places[frame]);
    *rotation =
        quat_normalize(quat_load(motion->rotations[(size_t)frame * motion->joint_count + joint]));
}
