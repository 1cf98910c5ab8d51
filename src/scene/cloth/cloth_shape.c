// SPDX-License-Identifier: MIT
#include "scene/cloth/cloth.h"

#include <assert.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/units.h"

static const double TURN = 6.283185307179586;

static const double CAPE_ARC = 0.58;    /* part of a turn */
static const double FOLD_HEIGHT = 0.22; /* part of a fold's length around, at the lower edge */
enum { COLUMNS_OF_FOLD = 5, MIN_FOLDS = 3 };
static const double MOST_THINNED = 0.2;     /* part of the radius, for each point */
enum { LET_OUT_STEPS = 32, NEIGHBORS = 2 }; /* see widen_edge */
static const double LIMB_REACH = 2;         /* beyond its ends / radius: see keep_inner_limbs */
static const double MIDDLE = 0.5;           /* of a shape, in upper radii */
enum { LIMB_POINTS = 9 };                   /* of a segment that are tested */

/* The grid of a shape.  A closed one has one more column of vertices than of masses, for the
 * texture seam.  Its vertices are one layer, or an outer and an inner one. */
typedef struct Cut {
    const ClothShapeSpec *spec;
    uint32_t columns, rows, vertex_columns, layer_size;
    bool closed, round, layered;
    uint32_t folds; /* around; 0: none */
    Vec3 base;
    Quat rotation;
    double *let_out; /* [columns] part of the upper radius that leads out of the body */
} Cut;

static Cut cut_of(const ClothShapeSpec *spec, Vec3 bone, Arena *arena)
{
    const bool closed =
        spec->form == CLOTH_CONE || spec->form == CLOTH_TUBE || spec->form == CLOTH_SKIRT;
    const bool folded = spec->form == CLOTH_SKIRT || spec->form == CLOTH_CAPE;
    const Vec3 offset = {spec->offset[0], spec->offset[1], spec->offset[2]};
    const double *turn = spec->rotation_deg, radian = RADIANS;
    const uint32_t columns = (uint32_t)spec->columns, rows = (uint32_t)spec->rows;
    const uint32_t folds = columns / COLUMNS_OF_FOLD;
    return (Cut){.spec = spec,
                 .columns = columns,
                 .rows = rows,
                 .vertex_columns = columns + closed,
                 .layer_size = (columns + closed) * rows,
                 .closed = closed,
                 .round = closed || folded,
                 .layered = spec->thickness > 0,
                 .folds = !folded             ? 0
                          : folds > MIN_FOLDS ? folds
                                              : MIN_FOLDS,
                 .base = vec3_add(bone, offset),
                 .rotation =
                     quat_from_euler_yxz(turn[0] * radian, turn[1] * radian, turn[2] * radian),
                 .let_out = arena_array(arena, double, columns)};
}

static double part(uint32_t index, uint32_t count)
{
    return count > 1 ? (double)index / (count - 1) : 0;
}

/* Part of a turn from the back, growing to the left.  A closed form starts there, so that its seam
 * is there; a cape goes from its left edge to its right one, as seen from outside. */
static double turn_of(const Cut *cut, uint32_t column)
{
    assert(cut->columns > 1);
    if (cut->closed)
        return (double)(column % cut->columns) / cut->columns;
    return CAPE_ARC * (part(column, cut->columns) - 0.5);
}

static Vec3 around(const Cut *cut, uint32_t column)
{
    const double angle = TURN * turn_of(cut, column);
    return (Vec3){-sin(angle), 0, cos(angle) * cut->spec->depth};
}

/* Without folds; down: part of the length. */
static double plain_radius(const ClothShapeSpec *spec, double down)
{
    const double lower = spec->form == CLOTH_TUBE ? spec->radius[0] : spec->radius[1];
    return spec->radius[0] + (lower - spec->radius[0]) * down;
}

/* Folds are waves along the edge, which grow from the upper to the lower edge. */
static double radius_at(const Cut *cut, uint32_t column, double down)
{
    const ClothShapeSpec *spec = cut->spec;
    const double radius = plain_radius(spec, down);
    const double turn = cut->closed ? 1 : CAPE_ARC;
    const double let_out = cut->let_out[column % cut->columns] * (1 - down);

    if (cut->folds == 0)
        return radius + let_out;
    const double length = TURN * turn * radius / cut->folds;
    const double wave = cos(TURN * turn_of(cut, column) / turn * cut->folds);
    return radius + let_out + FOLD_HEIGHT * length * wave * down;
}

static Vec3 grid_point(const Cut *cut, uint32_t column, uint32_t row)
{
    const ClothShapeSpec *spec = cut->spec;
    const double down = part(row, cut->rows);
    Vec3 p = {spec->width * (part(column, cut->columns) - 0.5), 0, 0};

    if (cut->round)
        p = vec3_scale(around(cut, column), radius_at(cut, column, down));
    p.y = -spec->length * down;
    return vec3_add(cut->base, quat_rotate(cut->rotation, p));
}

/* ---- the fit of the upper edge ---- */

/* How deep a point is in a capsule that pushes firmly, or nearer than a distance. */
static double depth_in(const ClothCollider *c, Vec3 p, double distance, double scale)
{
    const bool firm = c->shape == CLOTH_CAPSULE && c->yields == CLOTH_FIRM;
    return firm ? fmax(distance - cloth_capsule_distance(c, p, scale), 0) : 0;
}

/* An edge inside of the body would leave no place for the masses below it.  Its points are moved
 * outwards, at most by a quarter of the radius; each as far as the farthest of its neighbors, and
 * then by the mean of those.  A capsule that reaches farther is thicker than the body there: it is
 * thinned. */
static void widen_edge(Cut *cut, const ClothPlan *plan, const ClothSpec *spec, double scale,
                       Arena *arena)
{
    const int count = (int)cut->columns;
    const double max = cut->spec->radius[0] / 4, distance = spec->tuning.thickness / 2;
    double *farthest = arena_array(arena, double, cut->columns);

    for (uint32_t c = 0; c < cut->columns; c++)
        for (int i = 0; i < LET_OUT_STEPS; i++) {
            const Vec3 p = grid_point(cut, c, 0);
            double depth = 0;
            for (uint32_t k = 0; k < plan->collider_count; k++)
                depth = fmax(depth, depth_in(&plan->colliders[k], p, distance, scale));
            cut->let_out[c] = fmin(cut->let_out[c] + depth, max);
        }
    for (int pass = 0; pass < 2; pass++) {
        for (int c = 0; c < count; c++) {
            double sum = 0, most = 0;
            for (int k = c - NEIGHBORS; k <= c + NEIGHBORS; k++) {
                const int limit = k < 0 ? 0 : k >= count ? count - 1 : k;
                const double value = cut->let_out[cut->closed ? (k + count) % count : limit];
                sum += value / (2 * NEIGHBORS + 1);
                most = fmax(most, value);
            }
            farthest[c] = pass == 0 ? most : sum;
        }
        memcpy(cut->let_out, farthest, cut->columns * sizeof *farthest);
    }
    for (uint32_t c = 0; c < cut->columns; c++)
        for (uint32_t k = 0; k < plan->collider_count; k++) {
            ClothCollider *capsule = &plan->colliders[k];
            const double depth = depth_in(capsule, grid_point(cut, c, 0), 0, scale) * scale;
            capsule->radius -= fmin(depth, MOST_THINNED * capsule->radius);
        }
}

/* Whether a point is nearer to the axis than a round shape beside it, or beside its nearer end. */
static bool is_inside(const Cut *cut, Vec3 point)
{
    const Quat back = quat_inverse(cut->rotation);
    const Vec3 p = quat_rotate(back, vec3_sub(point, cut->base));
    const double down = fmin(fmax(-p.y / cut->spec->length, 0), 1);

    return hypot(p.x, p.z / cut->spec->depth) < plain_radius(cut->spec, down);
}

/* Hair and clothes that physics moves, and that are outside of a skirt at rest, would hold what
 * knees lift onto them: only the capsules that the job gives by hand stay. */
static void remove_outer(ClothPlan *plan, const Cut *cut, const ClothSpec *spec)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < plan->collider_count; i++) {
        const ClothCollider *c = &plan->colliders[i];
        const Vec3 middle = vec3_scale(vec3_add(c->ends[0], c->ends[1]), 0.5);

        if (i < cloth_given_capsules(spec) || c->yields != CLOTH_YIELDS || is_inside(cut, middle))
            plan->colliders[kept++] = *c;
    }
    plan->collider_count = kept;
}

/* Whether a part of the segment of a capsule is in the shape. */
static bool leads_through(const Cut *cut, const ClothCollider *capsule, Vec3 axis)
{
    for (int k = 0; k < LIMB_POINTS; k++) {
        const Vec3 p = vec3_lerp(capsule->ends[0], capsule->ends[1], (double)k / (LIMB_POINTS - 1));
        const double down = vec3_dot(vec3_sub(p, cut->base), axis);
        if (down > 0 && down < cut->spec->length && is_inside(cut, p))
            return true;
    }
    return false;
}

/* Of the arms and legs, those that are in a closed shape stay marked. */
static void keep_inner_limbs(ClothPlan *plan, const Cut *cut, const PmxModel *pmx, double scale)
{
    const Vec3 axis = quat_rotate(cut->rotation, (Vec3){0, -1, 0});

    plan->axis = axis;
    for (uint32_t i = 0; i < plan->collider_count; i++) {
        ClothCollider *c = &plan->colliders[i];
        c->limb.known = c->limb.known && cut->closed && leads_through(cut, c, axis);
        if (!c->limb.known)
            continue;
        const Vec3 joint = vec3_load(pmx->bones[c->limb.bone].position);
        const Vec3 away = vec3_sub(joint, cut->base);
        const double down = vec3_dot(away, axis);
        const double distance = vec3_length(vec3_sub(away, vec3_scale(axis, down)));
        const double a = scale * vec3_dot(vec3_sub(c->ends[0], joint), axis);
        const double b = scale * vec3_dot(vec3_sub(c->ends[1], joint), axis);
        const double reach = LIMB_REACH * c->radius;
        c->limb.central = distance < MIDDLE * cut->spec->radius[0];
        c->limb.range[0] = fmin(a, b) - reach;
        c->limb.range[1] = fmax(a, b) + reach;
    }
}

static bool is_held(const Cut *cut, uint32_t column, uint32_t row)
{
    const bool left = cut->spec->form == CLOTH_FLAG ||
                      (cut->spec->form == CLOTH_SHEET && cut->spec->hold == CLOTH_LEFT);
    return left ? column == 0 : row == 0;
}

/* ---- pins ---- */

/* The two nearest bones, weighted by proximity. */
static PmxVertex anchor_at(Vec3 p, const PmxModel *pmx, const ClothPinBones *pins)
{
    const uint32_t *bones = pins->bones;
    const size_t count = pins->count;
    double best[2] = {DBL_MAX, DBL_MAX};
    int32_t found[2] = {0, 0};
    for (size_t i = 0; i < count; i++) {
        const double d = vec3_length(vec3_sub(p, vec3_load(pmx->bones[bones[i]].position)));
        const int at = d < best[0] ? 0 : d < best[1] ? 1 : 2;
        if (at == 0) {
            best[1] = best[0];
            found[1] = found[0];
        }
        if (at < 2) {
            best[at] = d;
            found[at] = (int32_t)bones[i];
        }
    }
    PmxVertex v = {.deform = count > 1 ? PMX_BDEF2 : PMX_BDEF1, .bones = {found[0], found[1]}};
    v.weights[0] = count > 1 && best[1] > 0 ? (float)(best[1] / (best[0] + best[1])) : 1;
    v.weights[1] = 1 - v.weights[0];
    vec3_store(v.position, p);
    return v;
}

static void pin_masses(ClothPlan *plan, const Cut *cut, const PmxModel *pmx, const ClothSpec *spec,
                       const ClothPinBones *pins, double scale, Arena *arena)
{
    cloth_topology_init(&plan->topology, &spec->tuning, cut->columns * cut->rows, arena);
    plan->topology.loose = true;
    plan->anchors = arena_array(arena, PmxVertex, plan->topology.mass_count);
    for (uint32_t i = 0; i < plan->topology.mass_count; i++) {
        const uint32_t column = i % cut->columns, row = i / cut->columns;
        const Vec3 p = grid_point(cut, column, row);
        plan->anchors[i] = anchor_at(p, pmx, pins);
        plan->topology.rest[i] = vec3_scale(p, scale);
        plan->topology.pins[i] = is_held(cut, column, row);
    }
    cloth_topology_from_grid(&plan->topology, cut->columns, cut->rows, cut->closed, arena);
}

/* ---- generated model ---- */

static PmxVertex vertex_at(const Cut *cut, uint32_t column, uint32_t row, bool inner)
{
    const Vec3 out = cut->round ? vec3_normalize(around(cut, column)) : (Vec3){0, 0, -1};
    const Vec3 front = quat_rotate(cut->rotation, out);
    PmxVertex v = {.uv = {(float)part(column, cut->vertex_columns), (float)part(row, cut->rows)},
                   .edge_scale = 1,
                   .deform = PMX_BDEF1,
                   .weights = {1}};

    vec3_store(v.position, grid_point(cut, column, row));
    vec3_store(v.normal, vec3_scale(front, inner ? -1 : 1));
    return v;
}

/* One normal for each mass and layer. */
static void add_vertices(ClothPlan *plan, PmxModel *pmx, const Cut *cut, double scale, Arena *arena)
{
    const uint32_t layers = cut->layered ? 2 : 1, count = layers * cut->layer_size;

    assert(cut->layer_size > 0 && cut->vertex_columns > 0);
    pmx->vertex_count = plan->vertex_count = count;
    pmx->vertices = arena_array(arena, PmxVertex, count);
    plan->vertices = arena_array(arena, uint32_t, count);
    plan->masses = arena_array(arena, uint32_t, count);
    plan->sides = arena_array(arena, uint32_t, count);
    plan->side_count = layers * plan->topology.mass_count;
    plan->offsets = cut->layered ? arena_array(arena, double, count) : NULL;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t layer = i / cut->layer_size, at = i % cut->layer_size;
        const uint32_t column = at % cut->vertex_columns, row = at / cut->vertex_columns;

        pmx->vertices[i] = vertex_at(cut, column, row, layer > 0);
        plan->vertices[i] = i;
        plan->masses[i] = row * cut->columns + column % cut->columns;
        plan->sides[i] = plan->masses[i] + layer * plan->topology.mass_count;
        if (cut->layered)
            plan->offsets[i] = cut->spec->thickness / 2 * scale;
    }
}

/* The corners of a square's triangles, clockwise as seen from the front, or from the back. */
static void add_square(ClothPlan *plan, PmxModel *pmx, const Cut *cut, uint32_t upper_left,
                       bool inner)
{
    static const int front[6] = {0, 1, 3, 0, 3, 2}, back[6] = {0, 3, 1, 0, 2, 3};
    const uint32_t a = upper_left, width = cut->vertex_columns;
    const uint32_t corners[4] = {a, a + 1, a + width, a + width + 1};

    for (int k = 0; k < 6; k++) {
        const uint32_t vertex = corners[inner ? back[k] : front[k]] + inner * cut->layer_size;
        const uint32_t triangle = plan->triangle_count + (uint32_t)k / 3;

        pmx->indices[pmx->index_count++] = vertex;
        plan->corners[triangle][k % 3] = plan->masses[vertex];
        plan->corner_sides[triangle][k % 3] = plan->sides[vertex];
    }
    plan->triangle_count += 2;
}

/* Between the layers, over an edge from p to q of a triangle of the outer one. */
static void add_rim(PmxModel *pmx, const Cut *cut, uint32_t p, uint32_t q)
{
    const uint32_t s = cut->layer_size, corners[6] = {q, p, p + s, q, p + s, q + s};

    for (int k = 0; k < 6; k++)
        pmx->indices[pmx->index_count++] = corners[k];
}

static void add_triangles(ClothPlan *plan, PmxModel *pmx, const Cut *cut, Arena *arena)
{
    const uint32_t across = cut->vertex_columns - 1, down = cut->rows - 1;
    const uint32_t squares = across * down, layers = cut->layered ? 2 : 1;

    assert(across > 0 && squares > 0);
    plan->corners = arena_calloc(arena, (size_t)2 * layers * squares, sizeof *plan->corners);
    plan->corner_sides =
        arena_calloc(arena, (size_t)2 * layers * squares, sizeof *plan->corner_sides);
    pmx->indices =
        arena_array(arena, uint32_t, (size_t)6 * (layers * squares + 2 * across + 2 * down));
    for (uint32_t i = 0; i < layers * squares; i++) {
        const uint32_t at = i % squares;
        add_square(plan, pmx, cut, at / across * cut->vertex_columns + at % across, i >= squares);
    }
    if (cut->layered) {
        const uint32_t width = cut->vertex_columns, last = down * width;
        for (uint32_t i = 0; i < across; i++) {
            add_rim(pmx, cut, i, i + 1);
            add_rim(pmx, cut, last + i + 1, last + i);
        }
        for (uint32_t i = 0; i < down && !cut->closed; i++) {
            add_rim(pmx, cut, (i + 1) * width, i * width);
            add_rim(pmx, cut, i * width + across, (i + 1) * width + across);
        }
    }
}

static void add_material(PmxModel *pmx, const ClothShapeSpec *spec, const PmxModel *owner,
                         int32_t toon, Arena *arena)
{
    PmxMaterial *material = arena_array(arena, PmxMaterial, 1);
    *material = (PmxMaterial){
        .name = "cloth",
        .name_en = "cloth",
        .memo = "",
        .flags = PMX_GROUND_SHADOW | PMX_CAST_SHADOW | PMX_RECEIVE_SHADOW,
        .edge_color = {0, 0, 0, 1},
        .edge_size = 1,
        .texture = PMX_NONE,
        .sphere_texture = PMX_NONE,
        .toon = PMX_NONE,
        .index_count = pmx->index_count,
    };
    if (spec->edge)
        material->flags |= PMX_EDGE;
    if (!(spec->thickness > 0))
        material->flags |= PMX_DOUBLE_SIDED;
    /* With a toon, its color where the light falls on it; without one, where MMD's light does, and
     * three quarters elsewhere. */
    for (int i = 0; i < 3; i++) {
        material->diffuse[i] = (toon >= 0 ? 1.0f : 0.5f) * (float)spec->color[i];
        material->ambient[i] = 0.4f * (float)spec->color[i];
    }
    material->diffuse[3] = 1;
    pmx->textures = arena_array(arena, const char *, 2);
    if (spec->texture) {
        pmx->textures[pmx->texture_count++] = spec->texture;
        material->texture = 0;
    }
    if (toon >= 0) { /* that of the owner; its picture comes after that of the shape */
        const PmxMaterial *worn = &owner->materials[toon];
        material->shared_toon = worn->shared_toon;
        material->toon = worn->toon;
        if (!worn->shared_toon) {
            material->toon = (int32_t)pmx->texture_count;
            pmx->textures[pmx->texture_count++] = owner->textures[worn->toon];
        }
    }
    pmx->materials = material;
    pmx->material_count = 1;
}

/* The material with the most vertices on the pin bones, of those with a toon; or -1. */
static int32_t find_toon(const PmxModel *pmx, const ClothPinBones *pins)
{
    uint32_t max = 0;
    int32_t found = -1;

    for (uint32_t m = 0; m < pmx->material_count; m++) {
        const PmxMaterial *material = &pmx->materials[m];
        uint32_t count = 0;
        for (uint32_t i = 0; material->toon >= 0 && i < material->index_count; i++)
            for (size_t k = 0; k < pins->count; k++)
                count += pmx->vertices[pmx->indices[material->first_index + i]].bones[0] ==
                         (int32_t)pins->bones[k];
        if (count > max) {
            max = count;
            found = (int32_t)m;
        }
    }
    return found;
}

bool cloth_from_shape(ClothPlan *out, Model *made, const ClothSpec *spec, const Model *owner,
                      const ClothPinBones *pins, double scale, Arena *arena, Diag *diag)
{
    Cut cut = cut_of(spec->shape, vec3_load(owner->pmx.bones[pins->bones[0]].position), arena);
    PmxModel *pmx = &made->pmx;

    if ((uint64_t)cut.columns * cut.rows > CLOTH_MAX_MASSES)
        return diag_fail(diag, DIAG_JOB,
                         "%" PRIu32 " x %" PRIu32 " masses are too many (at most %d)", cut.columns,
                         cut.rows, CLOTH_MAX_MASSES);
    *made = (Model){.file = "cloth", .is_cloth = true};
    pmx->version = 2;
    pmx->name = pmx->name_en = "cloth";
    pmx->comment = pmx->comment_en = "";
    if (cut.round)
        widen_edge(&cut, out, spec, scale, arena);
    if (cut.spec->form == CLOTH_SKIRT)
        remove_outer(out, &cut, spec);
    keep_inner_limbs(out, &cut, &owner->pmx, scale);
    pin_masses(out, &cut, &owner->pmx, spec, pins, scale, arena);
    add_vertices(out, pmx, &cut, scale, arena);
    add_triangles(out, pmx, &cut, arena);
    out->toon_material = find_toon(&owner->pmx, pins);
    add_material(pmx, spec->shape, &owner->pmx, out->toon_material, arena);
    pmx->bones = arena_array(arena, PmxBone, 1);
    pmx->bones[0] = (PmxBone){.name = "cloth",
                              .name_en = "cloth",
                              .parent = PMX_NONE,
                              .tail_bone = PMX_NONE,
                              .append_source = PMX_NONE};
    pmx->bone_count = 1;
    return true;
}
