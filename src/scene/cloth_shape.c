#include "scene/cloth.h"

#include <assert.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>

static const double TURN = 6.283185307179586;

/* The grid of a shape.  A closed one has one more column of vertices than of masses, for the
 * texture seam. */
typedef struct Cut {
    const ClothShapeSpec *spec;
    uint32_t columns, rows, vertex_columns;
    bool closed;
    Vec3 base;
} Cut;

static Cut cut_of(const ClothShapeSpec *spec, Vec3 bone)
{
    const bool closed = spec->form != CLOTH_SHEET;
    const Vec3 offset = {spec->offset[0], spec->offset[1], spec->offset[2]};
    return (Cut){.spec = spec,
                 .columns = (uint32_t)spec->columns,
                 .rows = (uint32_t)spec->rows,
                 .vertex_columns = (uint32_t)spec->columns + closed,
                 .closed = closed,
                 .base = vec3_add(bone, offset)};
}

/* Starts at the back, so that the seam is there. */
static Vec3 around(const Cut *cut, uint32_t column)
{
    assert(cut->columns > 0);
    const double angle = TURN * (column % cut->columns) / cut->columns;
    return (Vec3){-sin(angle), 0, cos(angle) * cut->spec->depth};
}

static double part(uint32_t index, uint32_t count)
{
    return count > 1 ? (double)index / (count - 1) : 0;
}

static Vec3 grid_point(const Cut *cut, uint32_t column, uint32_t row)
{
    const ClothShapeSpec *spec = cut->spec;
    const double down = part(row, cut->rows);
    Vec3 p = {spec->width * (part(column, cut->columns) - 0.5), 0, 0};

    if (cut->closed) {
        const double lower = spec->form == CLOTH_CONE ? spec->radius[1] : spec->radius[0];
        p = vec3_scale(around(cut, column), spec->radius[0] + (lower - spec->radius[0]) * down);
    }
    p.y = -spec->length * down;
    return vec3_add(cut->base, quat_rotate(spec->rotation, p));
}

static bool is_held(const Cut *cut, uint32_t column, uint32_t row)
{
    return cut->spec->fixed_edge == CLOTH_LEFT && !cut->closed ? column == 0 : row == 0;
}

/* ---- pins ---- */

/* The two nearest bones, weighted by proximity. */
static PmxVertex anchor_at(Vec3 p, const PmxModel *pmx, const uint32_t *bones, size_t count)
{
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
                       const uint32_t *pins, double scale, Arena *arena)
{
    cloth_topology_init(&plan->topology, &spec->tuning, cut->columns * cut->rows, arena);
    plan->anchors = arena_array(arena, PmxVertex, plan->topology.mass_count);
    for (uint32_t i = 0; i < plan->topology.mass_count; i++) {
        const uint32_t column = i % cut->columns, row = i / cut->columns;
        const Vec3 p = grid_point(cut, column, row);
        plan->anchors[i] = anchor_at(p, pmx, pins, spec->pin_count);
        plan->topology.rest[i] = vec3_scale(p, scale);
        plan->topology.pins[i] = is_held(cut, column, row);
    }
    cloth_topology_from_grid(&plan->topology, cut->columns, cut->rows, cut->closed, arena);
}

/* ---- generated model ---- */

static void add_vertices(ClothPlan *plan, PmxModel *pmx, const Cut *cut, Arena *arena)
{
    const Vec3 front = quat_rotate(cut->spec->rotation, (Vec3){0, 0, -1});
    const uint32_t count = cut->vertex_columns * cut->rows;

    pmx->vertex_count = plan->vertex_count = count;
    pmx->vertices = arena_array(arena, PmxVertex, count);
    plan->vertices = arena_array(arena, uint32_t, count);
    plan->masses = arena_array(arena, uint32_t, count);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t column = i % cut->vertex_columns, row = i / cut->vertex_columns;
        PmxVertex *v = &pmx->vertices[i];
        *v = (PmxVertex){
            .uv = {(float)part(column, cut->vertex_columns), (float)part(row, cut->rows)},
            .edge_scale = 1,
            .deform = PMX_BDEF1,
            .weights = {1}};
        vec3_store(v->position, grid_point(cut, column, row));
        vec3_store(v->normal, cut->closed ? vec3_normalize(quat_rotate(cut->spec->rotation,
                                                                       around(cut, column)))
                                          : front);
        plan->vertices[i] = i;
        plan->masses[i] = row * cut->columns + column % cut->columns;
    }
    plan->sides = plan->masses; /* one normal a mass: the light falls on both sides alike */
    plan->side_count = plan->topology.mass_count;
}

/* Clockwise as seen from the front. */
static void add_triangles(ClothPlan *plan, PmxModel *pmx, const Cut *cut, Arena *arena)
{
    const uint32_t across = cut->vertex_columns - 1, down = cut->rows - 1,
                   width = cut->vertex_columns;

    assert(across > 0);
    plan->triangle_count = 2 * across * down;
    plan->corners = arena_calloc(arena, plan->triangle_count, sizeof *plan->corners);
    plan->corner_sides = plan->corners;
    pmx->index_count = 3 * plan->triangle_count;
    pmx->indices = arena_array(arena, uint32_t, pmx->index_count);
    for (uint32_t i = 0; i < across * down; i++) {
        const uint32_t a = i / across * width + i % across;
        const uint32_t square[6] = {a, a + 1, a + width + 1, a, a + width + 1, a + width};
        for (uint32_t k = 0; k < 6; k++) {
            pmx->indices[6 * i + k] = square[k];
            plan->corners[2 * i + k / 3][k % 3] = plan->masses[square[k]];
        }
    }
}

static void add_material(PmxModel *pmx, const ClothShapeSpec *spec, Arena *arena)
{
    PmxMaterial *material = arena_array(arena, PmxMaterial, 1);
    *material = (PmxMaterial){
        .name = "cloth",
        .name_en = "cloth",
        .memo = "",
        .flags = PMX_DOUBLE_SIDED | PMX_GROUND_SHADOW | PMX_CAST_SHADOW | PMX_RECEIVE_SHADOW,
        .edge_color = {0, 0, 0, 1},
        .edge_size = 1,
        .texture = PMX_NONE,
        .sphere_texture = PMX_NONE,
        .toon = PMX_NONE,
        .index_count = pmx->index_count,
    };
    if (spec->edge)
        material->flags |= PMX_EDGE;
    for (int i = 0; i < 3;
         i++) { /* its colour where MMD's light falls on it, three quarters elsewhere */
        material->diffuse[i] = 0.5f * spec->color[i];
        material->ambient[i] = 0.4f * spec->color[i];
    }
    material->diffuse[3] = spec->color[3];
    if (spec->texture) {
        pmx->textures = arena_array(arena, const char *, 1);
        pmx->textures[0] = spec->texture;
        pmx->texture_count = 1;
        material->texture = 0;
    }
    pmx->materials = material;
    pmx->material_count = 1;
}

static void add_bone(PmxModel *pmx, Arena *arena)
{
    pmx->bones = arena_array(arena, PmxBone, 1);
    pmx->bones[0] = (PmxBone){.name = "cloth",
                              .name_en = "cloth",
                              .parent = PMX_NONE,
                              .tail_bone = PMX_NONE,
                              .append_source = PMX_NONE};
    pmx->bone_count = 1;
}

bool cloth_from_shape(ClothPlan *out, Model *made, const ClothSpec *spec, const Model *owner,
                      const uint32_t *pins, double scale, Arena *arena, Diag *diag)
{
    const Cut cut = cut_of(&spec->shape, vec3_load(owner->pmx.bones[pins[0]].position));
    PmxModel *pmx = &made->pmx;

    if ((uint64_t)cut.columns * cut.rows > CLOTH_MAX_MASSES)
        return diag_fail(diag, DIAG_JOB,
                         "%" PRIu32 " x %" PRIu32 " masses are too many (at most %d)", cut.columns,
                         cut.rows, CLOTH_MAX_MASSES);
    *made = (Model){.file = "cloth", .is_cloth = true};
    pmx->version = 2;
    pmx->name = pmx->name_en = "cloth";
    pmx->comment = pmx->comment_en = "";
    pin_masses(out, &cut, &owner->pmx, spec, pins, scale, arena);
    add_vertices(out, pmx, &cut, arena);
    add_triangles(out, pmx, &cut, arena);
    add_material(pmx, &spec->shape, arena);
    add_bone(pmx, arena);
    return true;
}
