// SPDX-License-Identifier: MIT
#include "evaluate/follow/stage_view.h"

#include <float.h>
#include <math.h>

static const float OPAQUE = 0.5f; /* alpha from which a material hides what is behind it */
enum { LEAF = 4 };                /* triangles of a node that is not divided */

/* A box around triangles; those of a leaf, or two nodes. */
typedef struct Node {
    double low[3], high[3];
    uint32_t first, count; /* of the triangles; of a node that is divided count is 0 */
    uint32_t children;     /* index of the first of two */
} Node;

typedef struct Triangle {
    Vec3 corners[3]; /* in the space of the model; (b - a) x (c - a) points to the front */
    bool both_sides;
} Triangle;

typedef struct StageTree {
    size_t model; /* index in the scene */
    Triangle *triangles;
    uint32_t count;
    ARENA_LIST(Node) nodes;
} StageTree;

struct StageView {
    const Scene *scene;
    StageTree *trees;
    size_t count;
};

/* ---- the trees ---- */

static void list_triangles(StageTree *tree, const SceneModel *stage, Arena *arena)
{
    const PmxModel *pmx = &stage->model->pmx;

    tree->triangles = arena_array(arena, Triangle, pmx->index_count / 3);
    for (uint32_t m = 0; m < pmx->material_count; m++) {
        const PmxMaterial *material = &pmx->materials[m];
        const uint32_t *corners = &pmx->indices[material->first_index];
        if (stage->hidden[m] || material->diffuse[3] < OPAQUE ||
            (material->flags & (PMX_POINTS | PMX_LINES)))
            continue;
        for (uint32_t i = 0; i + 2 < material->index_count; i += 3) {
            Triangle *t = &tree->triangles[tree->count++];
            t->both_sides = material->flags & PMX_DOUBLE_SIDED;
            for (int k = 0; k < 3; k++)
                t->corners[k] = vec3_load(pmx->vertices[corners[i + (uint32_t)k]].position);
        }
    }
}

static double coordinate(Vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static double middle_of(const Triangle *t, int axis)
{
    return (coordinate(t->corners[0], axis) + coordinate(t->corners[1], axis) +
            coordinate(t->corners[2], axis)) /
           3;
}

static Node box_of(const StageTree *tree, uint32_t first, uint32_t count)
{
    Node node = {.low = {DBL_MAX, DBL_MAX, DBL_MAX},
                 .high = {-DBL_MAX, -DBL_MAX, -DBL_MAX},
                 .first = first,
                 .count = count};

    for (uint32_t i = first; i < first + count; i++)
        for (int axis = 0; axis < 3; axis++)
            for (int k = 0; k < 3; k++) {
                const double at = coordinate(tree->triangles[i].corners[k], axis);
                node.low[axis] = fmin(node.low[axis], at);
                node.high[axis] = fmax(node.high[axis], at);
            }
    return node;
}

/* Moves the triangles whose middle is below that of the box along its longest axis to the front.
 * Returns their number, or half of all if they are all on one side. */
static uint32_t divide(StageTree *tree, const Node *node)
{
    int axis = 0;
    uint32_t below = 0;

    for (int k = 1; k < 3; k++)
        if (node->high[k] - node->low[k] > node->high[axis] - node->low[axis])
            axis = k;
    const double middle = (node->low[axis] + node->high[axis]) / 2;
    for (uint32_t i = node->first; i < node->first + node->count; i++)
        if (middle_of(&tree->triangles[i], axis) < middle) {
            const Triangle t = tree->triangles[i];
            tree->triangles[i] = tree->triangles[node->first + below];
            tree->triangles[node->first + below++] = t;
        }
    return below > 0 && below < node->count ? below : node->count / 2;
}

/* Nodes are divided in the order of the list, to which each adds two. */
static void grow_tree(StageTree *tree, Arena *arena)
{
    *arena_push(arena, &tree->nodes) = box_of(tree, 0, tree->count);
    for (size_t i = 0; i < tree->nodes.count; i++) {
        const Node node = tree->nodes.items[i];
        if (node.count <= LEAF)
            continue;
        const uint32_t below = divide(tree, &node);
        tree->nodes.items[i].count = 0;
        tree->nodes.items[i].children = (uint32_t)tree->nodes.count;
        *arena_push(arena, &tree->nodes) = box_of(tree, node.first, below);
        *arena_push(arena, &tree->nodes) = box_of(tree, node.first + below, node.count - below);
    }
}

StageView *stage_view_create(const Scene *scene, Arena *arena)
{
    StageView *view = arena_alloc(arena, sizeof *view);

    *view = (StageView){scene, arena_array(arena, StageTree, scene->model_count), 0};
    for (size_t m = 0; m < scene->model_count; m++) {
        StageTree *tree = &view->trees[view->count];
        if (!scene->models[m].spec.stage)
            continue;
        *tree = (StageTree){.model = m};
        list_triangles(tree, &scene->models[m], arena);
        if (tree->count == 0)
            continue;
        grow_tree(tree, arena);
        view->count++;
    }
    return view->count ? view : NULL;
}

/* ---- segments ---- */

/* From `from` to `from` + `way`. */
typedef struct Segment {
    Vec3 from, way;
} Segment;

static bool meets_box(const Node *node, const Segment *s)
{
    double first = 0, last = 1;

    for (int axis = 0; axis < 3; axis++) {
        const double from = coordinate(s->from, axis), way = coordinate(s->way, axis);
        if (fabs(way) < 1e-12) {
            if (from < node->low[axis] || from > node->high[axis])
                return false;
            continue;
        }
        const double a = (node->low[axis] - from) / way, b = (node->high[axis] - from) / way;
        first = fmax(first, fmin(a, b));
        last = fmin(last, fmax(a, b));
    }
    return first <= last;
}

/* The test of Moeller and Trumbore. */
static bool meets_triangle(const Triangle *t, const Segment *s)
{
    const Vec3 ab = vec3_sub(t->corners[1], t->corners[0]),
               ac = vec3_sub(t->corners[2], t->corners[0]);
    const Vec3 p = vec3_cross(s->way, ac);
    const double volume =
        vec3_dot(ab, p); /* = - (ab x ac) . way: positive if seen from the front */
    if (t->both_sides ? volume == 0 : !(volume > 0))
        return false;
    const Vec3 from = vec3_sub(s->from, t->corners[0]), q = vec3_cross(from, ab);
    const double u = vec3_dot(from, p) / volume, v = vec3_dot(s->way, q) / volume;
    const double at = vec3_dot(ac, q) / volume;
    return u >= 0 && v >= 0 && u + v <= 1 && at > 0 && at < 1;
}

static bool meets_tree(const StageTree *tree, uint32_t index, const Segment *s)
{
    const Node *node = &tree->nodes.items[index];

    if (!meets_box(node, s))
        return false;
    for (uint32_t i = 0; i < node->count; i++)
        if (meets_triangle(&tree->triangles[node->first + i], s))
            return true;
    return node->count == 0 &&
           (meets_tree(tree, node->children, s) || meets_tree(tree, node->children + 1, s));
}

bool stage_view_hides(const StageView *view, const FrameState *state, Vec3 eye, Vec3 point)
{
    for (size_t i = 0; i < view->count; i++) {
        const StageTree *tree = &view->trees[i];
        const Placement *placement = &state->models[tree->model].placement;
        if (!motion_switch(&view->scene->models[tree->model].motion.visible, state->frame) ||
            !(placement->scale > 0))
            continue;
        const Vec3 from = placement_inverse_point(placement, eye);
        const Segment s = {from, vec3_sub(placement_inverse_point(placement, point), from)};
        if (meets_tree(tree, 0, &s))
            return true;
    }
    return false;
}
