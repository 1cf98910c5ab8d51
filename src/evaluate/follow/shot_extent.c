// SPDX-License-Identifier: MIT
#include "evaluate/follow/shot_extent.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { DIRECTIONS = 26 };

/* ---- the rules of the shots ---- */

typedef struct BoneName {
    const char *name, *name_en;
} BoneName;

typedef struct ShotRule {
    BoneName lowest[2]; /* the shot shows what is above this bone at rest; the first that exists */
    double below; /* without such a bone: the fraction of the model's height that is excluded */
    BoneName left_out[2]; /* limbs that do not count */
    BoneName within[2];   /* only vertices of these bones and of those below them count, if any */
    bool hands;           /* raised hands count */
} ShotRule;

static const ShotRule RULES[FOLLOW_SHOTS] = {
    [SHOT_FULL] = {.below = 0},
    [SHOT_KNEE] = {.lowest = {{"左ひざ", "knee_L"}, {"右ひざ", "knee_R"}}, .below = 0.27},
    [SHOT_WAIST] = {.lowest = {{"左足", "leg_L"}, {"右足", "leg_R"}}, .below = 0.5, .hands = true},
    [SHOT_BUST] = {.lowest = {{"上半身2", "upper body2"}, {"上半身", "upper body"}},
                   .below = 0.7,
                   .left_out = {{"左腕", "arm_L"}, {"右腕", "arm_R"}},
                   .hands = true},
    [SHOT_FACE] = {.lowest = {{"首", "neck"}, {"頭", "head"}},
                   .below = 0.84,
                   .within = {{"首", "neck"}, {"頭", "head"}},
                   .left_out = {{"左肩", "shoulder_L"}, {"右肩", "shoulder_R"}}},
};

static const BoneName FOREARMS[2] = {{"左ひじ", "elbow_L"}, {"右ひじ", "elbow_R"}};
static const BoneName WRISTS[2] = {{"左手首", "wrist_L"}, {"右手首", "wrist_R"}};
static const BoneName HEAD = {"頭", "head"};

static int32_t find_bone(const Model *model, const BoneName *names)
{
    return names->name ? model_find_bone_by_any_name(model, names->name, names->name_en) : -1;
}

/* The height at rest from which on vertices count. */
static double lowest_height(const Model *model, const ShotRule *rule, double low, double high)
{
    for (int i = 0; i < 2; i++) {
        const int32_t bone = find_bone(model, &rule->lowest[i]);
        if (bone >= 0)
            return (double)model->pmx.bones[bone].position[1];
    }
    return low + rule->below * (high - low);
}

/* Marks limbs: the bones with these names and all bones below them. */
static bool *mark_limbs(const Model *model, const BoneName *names, int count, Arena *arena)
{
    bool *marks = arena_array(arena, bool, model->pmx.bone_count);
    for (int i = 0; i < count; i++) {
        const int32_t bone = find_bone(model, &names[i]);
        if (bone >= 0)
            marks[bone] = true;
    }
    for (uint32_t i = 0; i < model->pmx.bone_count; i++) {
        const int32_t parent = model->pmx.bones[model->parents_first[i]].parent;
        marks[model->parents_first[i]] |= parent >= 0 && marks[parent];
    }
    return marks;
}

/* ---- vertices ---- */

bool *shot_extent_seen_vertices(const SceneModel *model, Arena *arena)
{
    const PmxModel *pmx = &model->model->pmx;
    bool *seen = arena_array(arena, bool, pmx->vertex_count);
    for (uint32_t m = 0; m < pmx->material_count; m++) {
        const PmxMaterial *material = &pmx->materials[m];
        const bool drawn = !model->hidden[m] && material->diffuse[3] > 0;
        for (uint32_t i = 0; drawn && i < material->index_count; i++)
            seen[pmx->indices[material->first_index + i]] = true;
    }
    return seen;
}

static uint32_t main_bone(const PmxVertex *vertex)
{
    int best = 0;
    for (int i = 1; i < PMX_MAX_WEIGHTS; i++)
        if (vertex->bones[i] >= 0 && vertex->weights[i] > vertex->weights[best])
            best = i;
    return vertex->bones[best] < 0 ? 0 : (uint32_t)vertex->bones[best];
}

/* For each bone, which vertex is extreme in each direction. */
typedef struct Extremes {
    double values[DIRECTIONS];
    uint32_t vertices[DIRECTIONS];
    bool any;
} Extremes;

static void add_vertex(Extremes *extremes, uint32_t vertex, Vec3 at)
{
    for (int d = 0; d < DIRECTIONS; d++) {
        const int cell = d < DIRECTIONS / 2 ? d : d + 1; /* in 3 x 3 x 3, without the center */
        const int x = cell % 3 - 1, y = cell / 3 % 3 - 1, z = cell / 9 - 1;
        const double value = vec3_dot((Vec3){x, y, z}, at);
        if (extremes->any && value <= extremes->values[d])
            continue;
        extremes->values[d] = value;
        extremes->vertices[d] = vertex;
    }
    extremes->any = true;
}

/* Returns the number of bones. */
static uint32_t write_bones(ShotBone **out, const Extremes *extremes, const Model *model,
                            const bool *optional, Arena *arena)
{
    const PmxModel *pmx = &model->pmx;
    bool all_optional = true;
    uint32_t count = 0;
    *out = arena_array(arena, ShotBone, pmx->bone_count);
    for (uint32_t b = 0; b < pmx->bone_count; b++)
        if (extremes[b].any) {
            /* The different vertices, relative to the bone. */
            ShotBone *bone = &(*out)[count++];
            *bone = (ShotBone){
                .bone = b, .optional = optional[b], .points = arena_array(arena, Vec3, DIRECTIONS)};
            for (int d = 0; d < DIRECTIONS; d++) {
                bool known = false;
                for (int before = 0; before < d; before++)
                    known |= extremes[b].vertices[before] == extremes[b].vertices[d];
                if (!known)
                    bone->points[bone->count++] =
                        vec3_sub(vec3_load(pmx->vertices[extremes[b].vertices[d]].position),
                                 vec3_load(pmx->bones[b].position));
            }
            all_optional &= bone->optional;
        }
    for (uint32_t i = 0; all_optional && i < count; i++)
        (*out)[i].optional = false;
    return count;
}

/* ---- sizes ---- */

typedef struct Box {
    Vec3 low, high;
} Box;

static const Box EMPTY = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};

static void grow(Box *box, Vec3 p)
{
    box->low = (Vec3){fmin(box->low.x, p.x), fmin(box->low.y, p.y), fmin(box->low.z, p.z)};
    box->high = (Vec3){fmax(box->high.x, p.x), fmax(box->high.y, p.y), fmax(box->high.z, p.z)};
}

static Box rest_box(const ShotExtent *extent, const PmxModel *pmx)
{
    Box box = EMPTY;
    for (uint32_t b = 0; b < extent->bone_count; b++)
        for (uint32_t i = 0; !extent->bones[b].optional && i < extent->bones[b].count; i++)
            grow(&box, vec3_add(vec3_load(pmx->bones[extent->bones[b].bone].position),
                                extent->bones[b].points[i]));
    return box;
}

/* The head as a sphere on its bone, whose extent does not change when the head turns. */
static void make_sphere(ShotExtent *out, const Box *box, const Model *model)
{
    const int32_t found = find_bone(model, &HEAD);
    const Vec3 middle = vec3_scale(vec3_add(box->low, box->high), 0.5);
    ShotBone *bone = &out->bones[0];
    if (found >= 0)
        bone->bone = (uint32_t)found;
    bone->points[0] = vec3_sub(middle, vec3_load(model->pmx.bones[bone->bone].position));
    bone->count = 1;
    out->bone_count = 1;
    out->radius = fmax(out->height, out->width) / 2;
}

static bool is_of_head(const PmxModel *pmx, const bool *seen, uint32_t vertex, int32_t head)
{
    const PmxVertex *v = &pmx->vertices[vertex];
    return seen[vertex] && main_bone(v) == (uint32_t)head &&
           v->position[1] >= pmx->bones[head].position[1];
}

static ShotHead find_head(const Model *model, const bool *seen)
{
    const PmxModel *pmx = &model->pmx;
    ShotHead head = {.bone = find_bone(model, &HEAD), .radius = -1};
    Box box = EMPTY;
    if (head.bone < 0)
        return head;
    for (uint32_t v = 0; v < pmx->vertex_count; v++)
        if (is_of_head(pmx, seen, v, head.bone))
            grow(&box, vec3_load(pmx->vertices[v].position));
    const Vec3 middle = vec3_scale(vec3_add(box.low, box.high), 0.5);
    for (uint32_t v = 0; v < pmx->vertex_count; v++)
        if (is_of_head(pmx, seen, v, head.bone))
            head.radius = fmax(head.radius,
                               vec3_length(vec3_sub(vec3_load(pmx->vertices[v].position), middle)));
    head.center = vec3_sub(middle, vec3_load(pmx->bones[head.bone].position));
    head.bone = head.radius < 0 ? -1 : head.bone;
    return head;
}

/* ---- public functions ---- */

/* The vertices of the shot by bone; false if there are none. */
static bool find_extremes(Extremes *extremes, const Model *model, const ShotRule *rule,
                          const bool *seen, const bool *left_out)
{
    const PmxModel *pmx = &model->pmx;
    double low = HUGE_VAL, high = -HUGE_VAL;
    bool any = false;
    for (uint32_t v = 0; v < pmx->vertex_count; v++)
        if (seen[v]) {
            low = fmin(low, (double)pmx->vertices[v].position[1]);
            high = fmax(high, (double)pmx->vertices[v].position[1]);
        }
    if (rule->below > 0)
        low = lowest_height(model, rule, low, high);
    for (uint32_t v = 0; v < pmx->vertex_count; v++) {
        const uint32_t bone = main_bone(&pmx->vertices[v]);
        const Vec3 at = vec3_load(pmx->vertices[v].position);
        if (!seen[v] || left_out[bone] || at.y < low)
            continue;
        add_vertex(&extremes[bone], v, at);
        any = true;
    }
    return any;
}

/* Bones that physics moves, and those below them. */
static bool *mark_simulated(const SceneModel *model, Arena *arena)
{
    const Model *m = model->model;
    bool *simulated = arena_array(arena, bool, m->pmx.bone_count);
    for (uint32_t i = 0; i < m->pmx.bone_count; i++) {
        const uint32_t bone = m->parents_first[i];
        const int32_t parent = m->pmx.bones[bone].parent;
        simulated[bone] = (model->spec.physics && m->dynamics.mover[bone] >= 0) ||
                          (parent >= 0 && simulated[parent]);
    }
    return simulated;
}

/* Without vertices that the shot shows, all vertices of the model, then its bones. */
static bool find_any_extremes(Extremes *extremes, const Model *m, FollowShot shot, const bool *seen,
                              const bool *simulated, Arena *scratch)
{
    const bool *none = arena_array(scratch, bool, m->pmx.bone_count);
    bool *left_out = mark_limbs(m, RULES[shot].left_out, 2, scratch);
    bool *outside = mark_limbs(m, RULES[shot].within, 2, scratch);
    for (uint32_t b = 0; b < m->pmx.bone_count; b++) {
        left_out[b] |= simulated[b];
        outside[b] = left_out[b] || !outside[b];
    }
    return m->pmx.bone_count && (find_extremes(extremes, m, &RULES[shot], seen, outside) ||
                                 find_extremes(extremes, m, &RULES[shot], seen, left_out) ||
                                 find_extremes(extremes, m, &RULES[SHOT_FULL], seen, simulated) ||
                                 find_extremes(extremes, m, &RULES[SHOT_FULL], seen, none));
}

static void add_hand(ShotHand *out, int side, const Model *model, const bool *seen,
                     const bool *simulated, Arena *arena, Arena *scratch)
{
    const uint32_t count = model->pmx.bone_count;
    Extremes *extremes = arena_array(scratch, Extremes, count);
    bool *left_out = mark_limbs(model, &FOREARMS[side], 1, scratch);
    for (uint32_t b = 0; b < count; b++)
        left_out[b] = !left_out[b] || simulated[b];
    out->wrist = find_bone(model, &WRISTS[side]);
    if (out->wrist >= 0 && find_extremes(extremes, model, &RULES[SHOT_FULL], seen, left_out))
        out->bone_count = write_bones(&out->bones, extremes, model, left_out, arena);
}

void shot_extent_create(ShotExtent *out, const SceneModel *model, FollowShot shot, Arena *arena)
{
    const PmxModel *pmx = &model->model->pmx;
    Arena *scratch = arena_create();
    Extremes *extremes = arena_array(scratch, Extremes, pmx->bone_count);
    const bool *seen = shot_extent_seen_vertices(model, scratch),
               *simulated = mark_simulated(model, scratch);

    *out = (ShotExtent){.head = find_head(model->model, seen)};
    for (int side = 0; side < 2 && RULES[shot].hands && out->head.bone >= 0; side++)
        add_hand(&out->hands[side], side, model->model, seen, simulated, arena, scratch);
    if (find_any_extremes(extremes, model->model, shot, seen, simulated, scratch))
        out->bone_count = write_bones(&out->bones, extremes, model->model,
                                      mark_limbs(model->model, FOREARMS, 2, scratch), arena);
    else {
        /* All bones as points. */
        out->bones = arena_array(arena, ShotBone, pmx->bone_count);
        out->bone_count = pmx->bone_count;
        for (uint32_t b = 0; b < pmx->bone_count; b++)
            out->bones[b] =
                (ShotBone){.bone = b, .points = arena_array(arena, Vec3, 1), .count = 1};
    }
    if (out->bone_count) {
        const Box box = rest_box(out, pmx);
        out->height = fmax(box.high.y - box.low.y, 0);
        out->width = fmax(fmax(box.high.x - box.low.x, box.high.z - box.low.z), 0);
        if (shot == SHOT_FACE)
            make_sphere(out, &box, model->model);
    }
    arena_destroy(scratch);
}

/* Adds the support of the points of one bone; the directions are in model space. */
static void add_bone(double *out, const ShotBone *bone, const BonePose *pose,
                     const Vec3 *directions, int count)
{
    const Quat inverse = quat_inverse(quat_load(pose->rotation));
    const Vec3 position = vec3_load(pose->position);
    for (int d = 0; d < count; d++) {
        const Vec3 local = quat_rotate(inverse, directions[d]);
        double max = -HUGE_VAL;
        for (uint32_t i = 0; i < bone->count; i++) {
            const double value = vec3_dot(local, bone->points[i]);
            max = value > max ? value : max;
        }
        out[d] = fmax(out[d], vec3_dot(directions[d], position) + max);
    }
}

static bool is_raised(const ShotHand *hand, const ShotExtent *extent, const ModelState *state)
{
    return state->bones[hand->wrist].position[1] > state->bones[extent->head.bone].position[1];
}

ShotSupport shot_extent_support(const ShotExtent *extent, const ModelState *state,
                                const Vec3 *directions, int count)
{
    const Placement *placement = &state->placement;
    const Quat inverse = quat_inverse(quat_load(placement->rotation));
    const double scale = (double)placement->scale;
    Vec3 local[SHOT_MAX_DIRECTIONS];
    ShotSupport out;

    assert(count <= SHOT_MAX_DIRECTIONS && extent->bone_count);
    for (int d = 0; d < count; d++) {
        local[d] = vec3_scale(quat_rotate(inverse, directions[d]), scale);
        out.required[d] = out.raised[d] = out.all[d] = -HUGE_VAL;
    }
    for (uint32_t b = 0; b < extent->bone_count; b++) {
        const ShotBone *bone = &extent->bones[b];
        add_bone(bone->optional ? out.all : out.required, bone, &state->bones[bone->bone], local,
                 count);
    }
    for (int side = 0; side < 2; side++) {
        const ShotHand *hand = &extent->hands[side];
        for (uint32_t b = 0; b < hand->bone_count && is_raised(hand, extent, state); b++)
            add_bone(out.raised, &hand->bones[b], &state->bones[hand->bones[b].bone], local, count);
    }
    for (int d = 0; d < count; d++) {
        const double offset = vec3_dot(directions[d], vec3_load(placement->position)) +
                              extent->radius * scale * vec3_length(directions[d]);
        out.required[d] += offset;
        out.raised[d] = fmax(out.raised[d] + offset, out.required[d]);
        out.all[d] = fmax(out.all[d] + offset, out.raised[d]);
    }
    return out;
}

Vec3 shot_extent_head(const ShotHead *head, const ModelState *state)
{
    const BonePose *pose = &state->bones[head->bone];
    const Vec3 offset = quat_rotate(quat_load(pose->rotation), head->center);
    return placement_point(&state->placement, vec3_add(vec3_load(pose->position), offset));
}
