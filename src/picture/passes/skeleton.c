// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "picture/passes/face.h"
#include "picture/passes/keypoints.h"

/* Names of MMD, to which the side is prepended, and of VRoid after "J_Bip_R_". */
typedef struct BoneNames {
    const char *mmd, *vroid;
} BoneNames;

static const BoneNames ARM[] = {{"腕", "UpperArm"}, {"ひじ", "LowerArm"}, {"手首", "Hand"}};
static const BoneNames LEG[] = {{"足", "UpperLeg"}, {"ひざ", "LowerLeg"}, {"足首", "Foot"}};

enum { FINGERS = 5, JOINTS = 3 };
static const BoneNames FINGER[FINGERS][JOINTS] = {
    {{"親指０", "Thumb1"}, {"親指１", "Thumb2"}, {"親指２", "Thumb3"}},
    {{"人指１", "Index1"}, {"人指２", "Index2"}, {"人指３", "Index3"}},
    {{"中指１", "Middle1"}, {"中指２", "Middle2"}, {"中指３", "Middle3"}},
    {{"薬指１", "Ring1"}, {"薬指２", "Ring2"}, {"薬指３", "Ring3"}},
    {{"小指１", "Little1"}, {"小指２", "Little2"}, {"小指３", "Little3"}},
};

/* How deep below the surface a point is at most, in widths of the shoulders: a bone is in the
 * middle of a limb, under clothes; ears are under hair. */
static const float TORSO_DEPTH = 0.75f, LIMB_DEPTH = 0.5f, HAND_DEPTH = 0.3f, EYE_DEPTH = 0.4f,
                   NOSE_DEPTH = 0.35f, EAR_DEPTH = 0.6f, FACE_DEPTH = 0.3f;

/* Where a face without eye bones is, from the head bone, in widths of the shoulders. */
static const float EYE_SIDE = 0.2f, EYE_UP = 0.35f, EYE_FRONT = 0.4f;

/* Nose and ears, from the middle of the eyes, in distances of the eyes. */
static const float NOSE_UP = -0.5f, NOSE_FRONT = 0.25f, EAR_SIDE = 0.9f, EAR_UP = -0.2f,
                   EAR_BACK = 0.9f;

static const float VISIBLE = 0.5f; /* smallest alpha of a material that counts */
static const float TIP = 0.8f;     /* length of a last segment / the one before, without a tail */

typedef struct Finder {
    const Model *model;
    const BoneAlias *aliases;
    size_t alias_count;
    Skeleton *out;
    Arena *arena;
    float width; /* width of the shoulders */
} Finder;

static const float *rest_of(const Finder *f, int32_t bone)
{
    return f->model->pmx.bones[bone].position;
}

static const char *alias_of(const Finder *f, const char *name)
{
    for (size_t i = 0; i < f->alias_count; i++)
        if (!strcmp(f->aliases[i].standard, name))
            return f->aliases[i].name;
    return name;
}

/* side: "右", "左" or "" */
static int32_t find_bone(const Finder *f, const char *side, const BoneNames *names)
{
    char mmd[64], vroid[64];
    const char letter = !*side ? 'C' : !strcmp(side, "右") ? 'R' : 'L';

    snprintf(mmd, sizeof mmd, "%s%s", side, names->mmd);
    snprintf(vroid, sizeof vroid, "J_%s_%c_%s", strncmp(names->vroid, "Face", 4) ? "Bip" : "Adj",
             letter, names->vroid);
    const int32_t bone = model_find_bone(f->model, alias_of(f, mmd));
    return bone >= 0 ? bone : model_find_bone(f->model, vroid);
}

static void set_point(Finder *f, int point, int32_t bone, const float rest[3], float depth)
{
    SkeletonPoint *p = &f->out->points[point];

    p->bone = bone;
    if (bone < 0)
        return;
    memcpy(p->rest, rest ? rest : rest_of(f, bone), sizeof p->rest);
    p->tolerance = depth * f->width;
}

static void find_limbs(Finder *f, const char *side, int first_arm, int first_leg)
{
    for (int i = 0; i < 3; i++) {
        set_point(f, first_arm + i, find_bone(f, side, &ARM[i]), NULL,
                  i ? LIMB_DEPTH : TORSO_DEPTH);
        set_point(f, first_leg + i, find_bone(f, side, &LEG[i]), NULL,
                  i ? LIMB_DEPTH : TORSO_DEPTH);
    }
}

/* ---- hands ---- */

/* The end of a bone, or, if it has none, as if the segment before it went on. */
static void find_tip(float out[3], const Finder *f, int32_t bone, const float before[3])
{
    const PmxBone *b = &f->model->pmx.bones[bone];
    const bool to_bone = b->flags & PMX_BONE_TAIL_IS_BONE;
    float length = 0;

    for (int c = 0; c < 3; c++) {
        const float end = to_bone && b->tail_bone >= 0 ? rest_of(f, b->tail_bone)[c]
                                                       : b->position[c] + b->tail_offset[c];
        out[c] = end;
        length += fabsf(end - b->position[c]);
    }
    for (int c = 0; c < 3 && length < 1e-3f; c++)
        out[c] = b->position[c] + TIP * (b->position[c] - before[c]);
}

/* Old models have no 親指０: its place is between the wrist and 親指１. */
static void find_finger(Finder *f, const char *side, int finger, int first, int32_t wrist)
{
    int32_t bones[JOINTS];
    float tip[3], middle[3];

    for (int i = 0; i < JOINTS; i++)
        bones[i] = find_bone(f, side, &FINGER[finger][i]);
    if (bones[1] < 0 || bones[2] < 0 || (bones[0] < 0 && finger > 0))
        return;
    for (int c = 0; c < 3; c++)
        middle[c] = (rest_of(f, wrist)[c] + rest_of(f, bones[1])[c]) / 2;
    set_point(f, first, bones[0] >= 0 ? bones[0] : wrist, bones[0] >= 0 ? NULL : middle,
              HAND_DEPTH);
    set_point(f, first + 1, bones[1], NULL, HAND_DEPTH);
    set_point(f, first + 2, bones[2], NULL, HAND_DEPTH);
    find_tip(tip, f, bones[2], rest_of(f, bones[1]));
    set_point(f, first + 3, bones[2], tip, HAND_DEPTH);
}

static void find_hand(Finder *f, const char *side, int first)
{
    const int32_t wrist = find_bone(f, side, &ARM[2]);

    if (wrist < 0)
        return;
    set_point(f, first, wrist, NULL, LIMB_DEPTH);
    for (int finger = 0; finger < FINGERS; finger++)
        find_finger(f, side, finger, first + 1 + 4 * finger, wrist);
}

/* ---- feet ---- */

/* The joints of a foot: that of the leg, and the one that copies its motion. */
static const BoneNames FOOT[] = {{"足首", "Foot"}, {"足首D", "Foot"}};
enum { FOOT_BONES = sizeof FOOT / sizeof *FOOT };

/* Of the height of the ankle: the toes and the heel are in the lower part of a foot. */
static const float FOOT_HEIGHT = 0.5f;

/* How far toes are beside the middle, in relation to how far they are in front of it. */
static const float BIG_TOE_ASIDE = 0.5f, SMALL_TOE_ASIDE = 2;

/* Whether a bone is one of the joints or below one: toes have names of all kinds. */
static bool is_in_foot(const Finder *f, const int32_t joints[FOOT_BONES], int32_t bone)
{
    const PmxModel *pmx = &f->model->pmx;
    for (uint32_t steps = 0; bone >= 0 && steps < pmx->bone_count; steps++) {
        for (int i = 0; i < FOOT_BONES; i++)
            if (joints[i] == bone)
                return true;
        bone = pmx->bones[bone].parent;
    }
    return false;
}

/* The visible vertices of a foot, each once or more; *lowest: the smallest height. */
static const PmxVertex **foot_vertices(size_t *count, float *lowest, const Finder *f,
                                       const int32_t joints[FOOT_BONES], Arena *arena)
{
    const PmxModel *pmx = &f->model->pmx;
    const PmxVertex **found = arena_array(arena, const PmxVertex *, pmx->index_count);
    *count = 0;
    *lowest = INFINITY;
    for (uint32_t m = 0, index = 0; m < pmx->material_count; m++)
        for (uint32_t i = 0; i < pmx->materials[m].index_count; i++, index++) {
            const PmxVertex *v = &pmx->vertices[pmx->indices[index]];
            if (pmx->materials[m].diffuse[3] < VISIBLE || !is_in_foot(f, joints, face_main_bone(v)))
                continue;
            found[(*count)++] = v;
            *lowest = fminf(*lowest, v->position[1]);
        }
    return found;
}

/* The direction of a foot at rest: from the ankle to the middle of its vertices. */
static void foot_direction(float out[2], const float ankle[3], const PmxVertex *const *vertices,
                           size_t count)
{
    double sum[2] = {0, 0};
    for (size_t i = 0; i < count; i++) {
        sum[0] += (double)(vertices[i]->position[0] - ankle[0]);
        sum[1] += (double)(vertices[i]->position[2] - ankle[2]);
    }
    const double length = sqrt(sum[0] * sum[0] + sum[1] * sum[1]);
    out[0] = length > 0 ? (float)(sum[0] / length) : 0;
    out[1] = length > 0 ? (float)(sum[1] / length) : -1;
}

/* Sets a point to the lower vertex that is farthest along a horizontal direction. */
static void set_foot_point(Finder *f, int point, float x, float z, const PmxVertex *const *vertices,
                           size_t count, float highest)
{
    const PmxVertex *best = NULL;
    float farthest = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        const float *at = vertices[i]->position, along = x * at[0] + z * at[2];
        if (at[1] > highest || along <= farthest)
            continue;
        best = vertices[i];
        farthest = along;
    }
    if (best)
        set_point(f, point, face_main_bone(best), best->position, HAND_DEPTH);
}

/* outside: -1 for the right foot, whose outer side is at negative x. */
static void find_foot(Finder *f, const char *side, int first, float outside)
{
    Arena *scratch = arena_create();
    int32_t joints[FOOT_BONES];
    size_t count;
    float lowest, ahead[2];
    for (int i = 0; i < FOOT_BONES; i++)
        joints[i] = find_bone(f, side, &FOOT[i]);
    const PmxVertex **vertices = foot_vertices(&count, &lowest, f, joints, scratch);
    if (joints[0] >= 0 && count > 0) {
        const float *ankle = rest_of(f, joints[0]);
        const float highest = lowest + FOOT_HEIGHT * fmaxf(ankle[1] - lowest, 0);
        foot_direction(ahead, ankle, vertices, count);
        const float sign = -ahead[1] * outside < 0 ? -1 : 1; /* outwards is (-z, x) times this */
        const float out[2] = {-ahead[1] * sign, ahead[0] * sign};
        set_foot_point(f, first, ahead[0] - BIG_TOE_ASIDE * out[0],
                       ahead[1] - BIG_TOE_ASIDE * out[1], vertices, count, highest);
        set_foot_point(f, first + 1, ahead[0] + SMALL_TOE_ASIDE * out[0],
                       ahead[1] + SMALL_TOE_ASIDE * out[1], vertices, count, highest);
        set_foot_point(f, first + 2, -ahead[0], -ahead[1], vertices, count, highest);
    }
    arena_destroy(scratch);
}

/* ---- face ---- */

static int compare_floats(const void *a, const void *b)
{
    const float left = *(const float *)a, right = *(const float *)b;

    return (left > right) - (left < right);
}

/* The medians of the visible vertices that follow the bone, which for an eye are mostly its iris;
 * else the bone, and false. */
static bool middle_of(float out[3], const Finder *f, int32_t bone)
{
    const PmxModel *pmx = &f->model->pmx;
    Arena *scratch = arena_create();
    float *places[3];
    size_t count = 0;

    for (int c = 0; c < 3; c++)
        places[c] = arena_array(scratch, float, pmx->index_count);
    for (uint32_t m = 0, index = 0; m < pmx->material_count; m++)
        for (uint32_t i = 0; i < pmx->materials[m].index_count; i++, index++) {
            const PmxVertex *v = &pmx->vertices[pmx->indices[index]];
            if (pmx->materials[m].diffuse[3] < VISIBLE || face_main_bone(v) != bone)
                continue;
            for (int c = 0; c < 3; c++)
                places[c][count] = v->position[c];
            count++;
        }
    for (int c = 0; c < 3; c++) {
        qsort(places[c], count, sizeof *places[c], compare_floats);
        out[c] = count ? places[c][count / 2] : rest_of(f, bone)[c];
    }
    arena_destroy(scratch);
    return count > 0;
}

static const BoneNames EYE = {"目", "FaceEye"};
static const char *const SIDES[2] = {"右", "左"};

/* sign: -1 for the right eye, which is at negative x. */
static void find_eye(Finder *f, const char *side, int point, int32_t head, float sign)
{
    const int32_t bone = find_bone(f, side, &EYE);
    float at[3];

    if (bone >= 0)
        middle_of(at, f, bone);
    else {
        memcpy(at, rest_of(f, head), sizeof at);
        at[0] += sign * EYE_SIDE * f->width;
        at[1] += EYE_UP * f->width;
        at[2] -= EYE_FRONT * f->width;
    }
    set_point(f, point, bone >= 0 ? bone : head, at, EYE_DEPTH);
}

static void find_face(Finder *f)
{
    static const BoneNames names = {"頭", "Head"};
    const int32_t head = find_bone(f, "", &names);

    if (head < 0)
        return;
    find_eye(f, SIDES[0], KEYPOINT_R_EYE, head, -1);
    find_eye(f, SIDES[1], KEYPOINT_L_EYE, head, 1);

    const float *right = f->out->points[KEYPOINT_R_EYE].rest;
    const float *left = f->out->points[KEYPOINT_L_EYE].rest;
    const float apart = fabsf(left[0] - right[0]);
    float middle[3];
    for (int c = 0; c < 3; c++)
        middle[c] = (left[c] + right[c]) / 2;
    const float nose[3] = {middle[0], middle[1] + NOSE_UP * apart, middle[2] - NOSE_FRONT * apart};
    set_point(f, KEYPOINT_NOSE, head, nose, NOSE_DEPTH);
    for (int i = 0; i < 2; i++) {
        const float side = i == 0 ? -EAR_SIDE : EAR_SIDE;
        const float ear[3] = {middle[0] + side * apart, middle[1] + EAR_UP * apart,
                              middle[2] + EAR_BACK * apart};
        set_point(f, KEYPOINT_R_EAR + i, head, ear, EAR_DEPTH);
    }
    face_find(f->out, f->model, FACE_DEPTH * f->width, f->arena);
}

/* ---- a model ---- */

static float distance(const float a[3], const float b[3])
{
    return sqrtf((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                 (a[2] - b[2]) * (a[2] - b[2]));
}

static bool find_skeleton(Finder *f)
{
    static const BoneNames neck_names = {"首", "Neck"};
    const int32_t neck = find_bone(f, "", &neck_names);
    const int32_t right = find_bone(f, "右", &ARM[0]), left = find_bone(f, "左", &ARM[0]);

    if (neck < 0 || right < 0 || left < 0 || find_bone(f, "右", &LEG[0]) < 0 ||
        find_bone(f, "左", &LEG[0]) < 0)
        return false;
    for (int i = 0; i < KEYPOINT_COUNT; i++)
        f->out->points[i].bone = -1;
    f->width = distance(rest_of(f, right), rest_of(f, left));
    set_point(f, KEYPOINT_NECK, neck, NULL, TORSO_DEPTH);
    find_limbs(f, "右", KEYPOINT_R_SHOULDER, KEYPOINT_R_HIP);
    find_limbs(f, "左", KEYPOINT_R_SHOULDER + 3, KEYPOINT_R_HIP + 3);
    find_hand(f, "左", KEYPOINT_LEFT_HAND);
    find_hand(f, "右", KEYPOINT_RIGHT_HAND);
    find_foot(f, "左", KEYPOINT_FEET, 1);
    find_foot(f, "右", KEYPOINT_FEET + 3, -1);
    find_face(f);
    return true;
}

/* The middle of the lids of an eye; false if the face has none. */
static bool find_lids(SkeletonPoint *out, const Skeleton *skeleton, int side)
{
    static const int LIDS[] = {1, 2, 4, 5}; /* the others are the corners */
    enum { LID_COUNT = sizeof LIDS / sizeof *LIDS, EYE_OUTLINE = KEYPOINT_FACE + 36 };
    const SkeletonPoint *first = &skeleton->points[EYE_OUTLINE + 6 * side];
    SkeletonPoint middle = {.bone = first[LIDS[0]].bone};

    for (int i = 0; i < LID_COUNT; i++) {
        if (first[LIDS[i]].bone < 0)
            return false;
        for (int c = 0; c < 3; c++)
            middle.rest[c] += first[LIDS[i]].rest[c] / LID_COUNT;
    }
    *out = middle;
    return true;
}

bool skeleton_find_eyes(SkeletonPoint eyes[2], const Model *model, Arena *arena)
{
    Skeleton skeleton;
    Finder f = {.model = model, .arena = arena, .out = &skeleton};
    const bool is_person = find_skeleton(&f);
    bool found = true;

    for (int side = 0; side < 2; side++) {
        SkeletonPoint *eye = &eyes[side], lids;
        const bool has_lids = is_person && find_lids(&lids, &skeleton, side);

        *eye = (SkeletonPoint){.bone = find_bone(&f, SIDES[side], &EYE)};
        const bool has_iris = eye->bone >= 0 && middle_of(eye->rest, &f, eye->bone);
        for (int c = 0; c < 3 && has_iris && has_lids; c++)
            eye->rest[c] = (eye->rest[c] + lids.rest[c]) / 2;
        if (!has_iris && is_person)
            *eye = has_lids ? lids : skeleton.points[KEYPOINT_R_EYE + side];
        found &= eye->bone >= 0;
    }
    return found;
}

Skeleton *skeletons_find(size_t *count, const Scene *scene, const BoneAlias *aliases,
                         size_t alias_count, Arena *arena)
{
    Skeleton *skeletons = arena_array(arena, Skeleton, scene->model_count);

    *count = 0;
    for (uint32_t i = 0; i < scene->model_count; i++) {
        const SceneModel *model = &scene->models[i];
        Finder f = {.model = model->model,
                    .aliases = aliases,
                    .alias_count = alias_count,
                    .arena = arena,
                    .out = &skeletons[*count]};
        if (model->spec.stage || model->model->is_cloth || !find_skeleton(&f))
            continue;
        f.out->model = i;
        ++*count;
    }
    return skeletons;
}
