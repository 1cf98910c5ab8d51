// SPDX-License-Identifier: MIT
#include "scene/complexity.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* ---- pairs of bodies ---- */

/* Comparisons of the broad phase, for bodies that share a range of x but do not overlap. */
static const uint64_t MAX_COMPARISONS = 50000000;

/* The bounding box of a body at rest, in the world. */
typedef struct Box {
    double low[3], high[3];
    uint32_t group, mask, model;
    bool follows;
} Box;

static int by_low_x(const void *left, const void *right)
{
    const Box *a = left, *b = right;
    return (a->low[0] > b->low[0]) - (a->low[0] < b->low[0]);
}

static void bound_body(Box *box, const PmxBody *body, const BodyPlan *plan,
                       const Placement *placement)
{
    const Vec3 center = placement_point(placement, vec3_load(body->position));
    const Quat local = quat_from_euler_yxz((double)body->rotation[0], (double)body->rotation[1],
                                           (double)body->rotation[2]);
    const Quat rotation = placement_rotation(placement, local);
    const double scale = (double)placement->scale, x = (double)plan->size[0] * scale,
                 y = (double)plan->size[1] * scale, z = (double)plan->size[2] * scale;
    const Vec3 axes[3] = {quat_rotate(rotation, (Vec3){1, 0, 0}),
                          quat_rotate(rotation, (Vec3){0, 1, 0}),
                          quat_rotate(rotation, (Vec3){0, 0, 1})};
    Vec3 half = {x, x, x};

    if (body->shape == PMX_BOX)
        half = (Vec3){fabs(axes[0].x) * x + fabs(axes[1].x) * y + fabs(axes[2].x) * z,
                      fabs(axes[0].y) * x + fabs(axes[1].y) * y + fabs(axes[2].y) * z,
                      fabs(axes[0].z) * x + fabs(axes[1].z) * y + fabs(axes[2].z) * z};
    else if (body->shape == PMX_CAPSULE)
        half = vec3_add(
            half, vec3_scale((Vec3){fabs(axes[1].x), fabs(axes[1].y), fabs(axes[1].z)}, y / 2));
    const double c[3] = {center.x, center.y, center.z}, h[3] = {half.x, half.y, half.z};
    for (int i = 0; i < 3; i++) {
        box->low[i] = c[i] - h[i];
        box->high[i] = c[i] + h[i];
    }
    box->group = 1u << body->group;
    box->mask = body->mask;
    box->follows = plan->role == BODY_FOLLOWS;
}

static bool boxes_meet(const Box *a, const Box *b)
{
    return !(a->follows && b->follows) && a->group & b->mask && b->group & a->mask &&
           a->low[1] <= b->high[1] && b->low[1] <= a->high[1] && a->low[2] <= b->high[2] &&
           b->low[2] <= a->high[2];
}

/* A limit of the host, or the default; with a name and a source for messages. */
static Limit effective(Limit limit, double max, const char *name)
{
    return limit.max > 0 ? limit : (Limit){max, name, "default"};
}

const char *complexity_largest_model(const Scene *scene)
{
    const Model *largest = scene->models[0].model;
    for (size_t m = 1; m < scene->model_count; m++)
        if (scene->models[m].model->pmx.body_count > largest->pmx.body_count)
            largest = scene->models[m].model;
    return largest->file;
}

/* The boxes of all bodies that have contacts, by their lowest x. */
static uint32_t list_boxes(Box *boxes, const Scene *scene)
{
    uint32_t count = 0;
    for (uint32_t m = 0; m < scene->model_count; m++) {
        const SceneModel *model = &scene->models[m];
        const Dynamics *dynamics = &model->model->dynamics;
        const Placement placement = scene_placement(model, 0);
        if (!model->spec.physics || scene->physics.step_hz <= 0 || dynamics->moving_count == 0)
            continue;
        for (uint32_t b = 0; b < model->model->pmx.body_count; b++) {
            if (!dynamics->bodies[b].touches)
                continue;
            bound_body(&boxes[count], &model->model->pmx.bodies[b], &dynamics->bodies[b],
                       &placement);
            boxes[count++].model = m;
        }
    }
    if (count > 1)
        qsort(boxes, count, sizeof *boxes, by_low_x);
    return count;
}

static bool report_pairs(const Scene *scene, const uint32_t *pairs, const Limit *limit, Diag *diag)
{
    uint32_t worst = 0;
    for (uint32_t m = 0; m < scene->model_count; m++)
        if (pairs[m] > pairs[worst])
            worst = m;
    const DiagLocation place = {.file = scene->models[worst].model->file, .excerpt = ""};
    return diag_fail_at(diag, &place, DIAG_RESOURCE,
                        "more than %.0f pairs of rigid bodies of the scene overlap, %" PRIu32
                        " of them here (%s: %s)",
                        limit->max, pairs[worst], limit->name, limit->source);
}

/* The pairs that overlap at rest, and those of the first body's model in `of_models`.  Stops above
 * `max`, and where comparisons take too long: the World counts the pairs that exist. */
static uint32_t count_pairs(uint32_t *of_models, const Scene *scene, double max, Arena *scratch)
{
    uint32_t bodies = 0, total = 0;
    uint64_t comparisons = 0;
    for (uint32_t m = 0; m < scene->model_count; m++)
        bodies += scene->models[m].model->pmx.body_count;
    Box *boxes = arena_array(scratch, Box, bodies);
    const uint32_t count = list_boxes(boxes, scene);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = i + 1; k < count && boxes[k].low[0] <= boxes[i].high[0]; k++) {
            const bool meet = boxes_meet(&boxes[i], &boxes[k]);
            of_models[boxes[i].model] += meet;
            total += meet;
            if (total > max || ++comparisons > MAX_COMPARISONS)
                return total;
        }
    return total;
}

static bool check_pairs(const Scene *scene, Arena *scratch, Diag *diag)
{
    const Limit limit = effective(scene->limits.pairs, DYNAMICS_MAX_PAIRS, "overlapping_bodies");
    uint32_t *pairs = arena_array(scratch, uint32_t, scene->model_count);
    return !limit_exceeded(&limit, count_pairs(pairs, scene, limit.max, scratch)) ||
           report_pairs(scene, pairs, &limit, diag);
}

double complexity_pairs(const Scene *scene)
{
    Arena *scratch = arena_create();
    uint32_t *pairs = arena_array(scratch, uint32_t, scene->model_count);
    const uint32_t count = count_pairs(pairs, scene, complexity_max_pairs(scene), scratch);
    arena_destroy(scratch);
    return count;
}

/* ---- IK ---- */

/* Bones between the effector and the farthest link, at most `max`. */
static uint64_t path_length(const PmxModel *pmx, const PmxIk *ik, const uint8_t *is_link,
                            uint64_t max)
{
    uint64_t length = 0, last = 0;
    for (int32_t b = ik->effector; b >= 0 && length < max; b = pmx->bones[b].parent) {
        length++;
        if (is_link[b])
            last = length;
    }
    return last;
}

/* Bones that the IK of a model updates for a frame; stops above `max`. */
static uint64_t ik_work(const PmxModel *pmx, uint64_t max, Arena *scratch)
{
    uint8_t *is_link = arena_array(scratch, uint8_t, pmx->bone_count);
    uint64_t work = 0;
    for (uint32_t b = 0; b < pmx->bone_count && work <= max; b++) {
        const PmxIk *ik = &pmx->bones[b].ik;
        if (!(pmx->bones[b].flags & PMX_BONE_IK))
            continue;
        for (uint32_t i = 0; i < ik->link_count; i++)
            is_link[ik->links[i].bone] = 1;
        const uint64_t path = path_length(pmx, ik, is_link, max);
        for (uint32_t i = 0; i < ik->link_count; i++)
            is_link[ik->links[i].bone] = 0;
        work += path + ik->link_count + (uint64_t)ik->loops * ik->link_count * path / 2;
    }
    return work;
}

static bool check_ik(const Scene *scene, Arena *scratch, Diag *diag)
{
    const Limit limit = effective(scene->limits.ik, COMPLEXITY_MAX_IK, "ik_bones");
    uint64_t total = 0;
    for (size_t m = 0; m < scene->model_count; m++) {
        total += ik_work(&scene->models[m].model->pmx, (uint64_t)limit.max, scratch);
        if (!limit_exceeded(&limit, (double)total))
            continue;
        const DiagLocation place = {.file = scene->models[m].model->file, .excerpt = ""};
        return diag_fail_at(diag, &place, DIAG_RESOURCE,
                            "IK (loops x links x bones of the chains) updates more than %.0f bones "
                            "per frame (%s: %s)",
                            limit.max, limit.name, limit.source);
    }
    return true;
}

/* ---- soft bodies and cloth ---- */

static uint64_t clamp_count(int32_t count, uint64_t max)
{
    return count < 0 ? 0 : (uint64_t)count < max ? (uint64_t)count : max;
}

static uint64_t soft_work(const SoftPlan *plan)
{
    enum { MAX_ITERATIONS = 64 }; /* as in evaluate/physics/soft_bullet.cpp */
    uint64_t iterations = 1;
    for (int i = 0; i < 4; i++)
        iterations += clamp_count(plan->file->iterations[i], MAX_ITERATIONS);
    return iterations * ((uint64_t)plan->link_count + plan->face_count + plan->anchor_count);
}

static bool check_soft(const Scene *scene, Diag *diag)
{
    const Limit limit = effective(scene->limits.soft, COMPLEXITY_MAX_SOFT, "soft_links");
    uint64_t total = 0;
    for (size_t m = 0; m < scene->model_count; m++) {
        const SceneModel *model = &scene->models[m];
        for (uint32_t s = 0; model->soft && s < model->model->soft.count; s++)
            total += soft_work(&model->model->soft.bodies[s]);
        if (!limit_exceeded(&limit, (double)total))
            continue;
        const DiagLocation place = {.file = model->model->file, .excerpt = ""};
        return diag_fail_at(diag, &place, DIAG_RESOURCE,
                            "soft bodies (links x iterations) need %" PRIu64
                            " solutions per tick (at most %.0f; %s: %s)",
                            total, limit.max, limit.name, limit.source);
    }
    return true;
}

static bool check_cloth(const Scene *scene, Diag *diag)
{
    const Limit limit = effective(scene->limits.cloth, COMPLEXITY_MAX_CLOTH, "cloth_springs");
    uint64_t total = 0;
    for (size_t c = 0; c < scene->cloth_count; c++) {
        const ClothPlan *plan = &scene->cloths[c];
        const ClothTopology *t = &plan->topology;
        total +=
            (uint64_t)t->substeps * ((uint64_t)t->mass_count + t->spring_count + t->face_count +
                                     (uint64_t)t->mass_count * plan->collider_count / 8);
        if (limit_exceeded(&limit, (double)total))
            return diag_fail(diag, DIAG_RESOURCE,
                             "cloth.%zu: springs x substeps (%d) need %" PRIu64
                             " evaluations per tick (at most %.0f; %s: %s)",
                             c, t->substeps, total, limit.max, limit.name, limit.source);
    }
    return true;
}

/* ---- contents ---- */

static uint64_t count_bodies(const Scene *scene)
{
    uint64_t count = 0;
    for (size_t m = 0; m < scene->model_count; m++) {
        const SceneModel *model = &scene->models[m];
        count += model->spec.physics ? model->model->pmx.body_count : 0;
        count += model->soft ? model->model->soft.vertex_count : 0;
    }
    for (size_t c = 0; c < scene->cloth_count; c++)
        count += scene->cloths[c].topology.mass_count;
    return count;
}

bool complexity_check(const Scene *scene, Diag *diag)
{
    Arena *scratch = arena_create();
    bool ok = limit_check(&scene->limits.bodies, (double)count_bodies(scene), "", diag);
    ok &= check_pairs(scene, scratch, diag);
    ok &= check_ik(scene, scratch, diag);
    ok &= check_soft(scene, diag);
    ok &= check_cloth(scene, diag);
    arena_destroy(scratch);
    return ok;
}

double complexity_pose(const PmxModel *pmx)
{
    Arena *scratch = arena_create();
    const uint64_t work = ik_work(pmx, UINT32_MAX, scratch);
    arena_destroy(scratch);
    return (double)work + 2.0 * pmx->bone_count;
}
