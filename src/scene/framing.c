#include "scene/framing.h"

#include <math.h>
#include <stddef.h>

#include "math/rotation.h"

enum { SAMPLES = 48 }; /* sampled frames, evenly distributed over the film */

static const double ASPECT = 16.0 / 9.0; /* width / height; a narrower frame crops the sides */
static const double HEAD_MARGIN = 1.12;  /* height of the frame / height of the models */
static const double SIDE_MARGIN = 1.05;
static const double SMALLEST = 1.0; /* minimal half height of the view, for empty models */

typedef struct Box {
    Vec3 low, high;
} Box;

static const Box EMPTY = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};

static void grow(Box *box, Vec3 p)
{
    box->low = (Vec3){fmin(box->low.x, p.x), fmin(box->low.y, p.y), fmin(box->low.z, p.z)};
    box->high = (Vec3){fmax(box->high.x, p.x), fmax(box->high.y, p.y), fmax(box->high.z, p.z)};
}

/* Bones by their keys only (no append, IK, morphs), which is precise enough for framing. */
static void keyed_pose(Vec3 *positions, Quat *rotations, const SceneModel *m, double frame,
                       int halvings)
{
    const PmxBone *bones = m->model->pmx.bones;
    for (uint32_t i = 0; i < m->model->pmx.bone_count; i++) {
        const uint32_t b = m->model->parents_first[i];
        const BoneSample key = motion_bone(&m->motion.bones[b], frame, halvings);
        const int32_t parent = bones[b].parent;
        Vec3 local = vec3_add(vec3_load(bones[b].position), vec3_load(key.translation));
        rotations[b] = quat_load(key.rotation);
        if (parent >= 0) {
            local = vec3_sub(local, vec3_load(bones[parent].position));
            local = vec3_add(positions[parent], quat_rotate(rotations[parent], local));
            rotations[b] = quat_mul(rotations[parent], rotations[b]);
        }
        positions[b] = local;
    }
}

static bool any_true(const bool *flags, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (flags[i])
            return true;
    return false;
}

static void mark_skinned(bool *counts, const PmxModel *pmx)
{
    for (uint32_t v = 0; v < pmx->vertex_count; v++)
        for (int k = 0; k < PMX_MAX_WEIGHTS; k++)
            if (pmx->vertices[v].weights[k] > 0 && pmx->vertices[v].bones[k] >= 0)
                counts[pmx->vertices[v].bones[k]] = true;
}

/* Bones that IK moves are replaced by the goals that move them. */
static void mark_goals(bool *counts, const Model *model, Arena *arena)
{
    const PmxModel *pmx = &model->pmx;
    bool *is_led = arena_array(arena, bool, pmx->bone_count);
    for (uint32_t i = 0; i < model->ik_count; i++)
        for (uint32_t k = 0; k < pmx->bones[model->ik_bones[i]].ik.link_count; k++)
            if (pmx->bones[model->ik_bones[i]].ik.links[k].bone >= 0)
                is_led[pmx->bones[model->ik_bones[i]].ik.links[k].bone] = true;
    for (uint32_t i = 0; i < pmx->bone_count; i++) {
        const uint32_t bone = model->parents_first[i];
        const int32_t parent = pmx->bones[bone].parent;
        is_led[bone] |= parent >= 0 && is_led[parent];
        counts[bone] &= !is_led[bone];
    }
    for (uint32_t i = 0; i < model->ik_count; i++)
        counts[model->ik_bones[i]] = true;
}

/* The bones that show where the figure is: those with vertices, and goals instead of the bones that
 * IK moves. */
static const bool *visible_bones(const Model *model, Arena *arena)
{
    bool *counts = arena_array(arena, bool, model->pmx.bone_count);
    mark_skinned(counts, &model->pmx);
    mark_goals(counts, model, arena);
    if (!any_true(counts, model->pmx.bone_count))
        for (uint32_t i = 0; i < model->pmx.bone_count; i++)
            counts[i] = true;
    return counts;
}

/* How far the vertices extend beyond these bones at rest, on each side. */
static Box skin_margin(const PmxModel *pmx, const bool *counts)
{
    Box bones = EMPTY, skin = EMPTY;
    for (uint32_t i = 0; i < pmx->bone_count; i++)
        if (counts[i])
            grow(&bones, vec3_load(pmx->bones[i].position));
    for (uint32_t i = 0; i < pmx->vertex_count; i++)
        grow(&skin, vec3_load(pmx->vertices[i].position));
    if (!pmx->bone_count || !pmx->vertex_count)
        return (Box){{0, 0, 0}, {0, 0, 0}};
    return (Box){vec3_sub(skin.low, bones.low), vec3_sub(skin.high, bones.high)};
}

static bool moves(const SceneModel *m)
{
    for (uint32_t b = 0; b < m->model->pmx.bone_count; b++)
        if (m->motion.bones[b].key_count)
            return true;
    return m->path.count > 1;
}

static void grow_by_model(Box *box, const Scene *scene, const SceneModel *m, Arena *arena)
{
    const PmxModel *pmx = &m->model->pmx;
    Vec3 *positions = arena_array(arena, Vec3, pmx->bone_count);
    Quat *rotations = arena_array(arena, Quat, pmx->bone_count);
    const bool *counts = visible_bones(m->model, arena);
    const Box margin = skin_margin(pmx, counts);
    const int samples = moves(m) ? SAMPLES : 1;

    for (int s = 0; s < samples; s++) {
        const double frame = scene->last_frame * s / SAMPLES;
        const Placement placement = scene_placement(m, frame);
        Box bones = EMPTY;
        keyed_pose(positions, rotations, m, frame, scene->compat.curve_halvings);
        for (uint32_t b = 0; b < pmx->bone_count; b++)
            if (counts[b])
                grow(&bones, positions[b]);
        if (!pmx->bone_count)
            continue;
        const Vec3 low = vec3_add(bones.low, margin.low), high = vec3_add(bones.high, margin.high);
        for (int corner = 0; corner < 8; corner++)
            grow(box, placement_point(&placement, (Vec3){corner & 1 ? low.x : high.x,
                                                         corner & 2 ? low.y : high.y,
                                                         corner & 4 ? low.z : high.z}));
    }
}

CameraState framing_camera(const Scene *scene)
{
    Arena *scratch = arena_create();
    bool any_moves = false;
    for (size_t i = 0; i < scene->model_count; i++)
        any_moves |= moves(&scene->models[i]);

    Box box = EMPTY;
    for (size_t i = 0; i < scene->model_count; i++) {
        const SceneModel *m = &scene->models[i];
        if (m->attach_model < 0 && (!any_moves || moves(m)))
            grow_by_model(&box, scene, m, scratch);
    }
    arena_destroy(scratch);
    if (!(box.low.x <= box.high.x))
        return CAMERA_DEFAULT;

    const Vec3 middle = vec3_scale(vec3_add(box.low, box.high), 0.5);
    const Vec3 half = vec3_scale(vec3_sub(box.high, box.low), 0.5);
    const double height = fmax(half.y * HEAD_MARGIN, fmax(half.x * SIDE_MARGIN / ASPECT, SMALLEST));
    CameraState camera = CAMERA_DEFAULT;
    vec3_store(camera.target, middle);
    camera.distance = -(float)(height / tan((double)camera.fov_deg * M_PI / 360) + half.z);
    return camera;
}
