// SPDX-License-Identifier: MIT
#include "inspect/draw_order.h"

#include <math.h>

enum { CELLS = 128, PLACES = 4, LARGE = CELLS * CELLS / 4 };
static const float CLEAR = 0.1f, OPAQUE = 0.9f; /* alphas between which a place is soft */
static const float APART = 1e-3f;               /* MMD units: nearer surfaces are one */
static const float HIDDEN_PART = 0.05f;         /* of the soft places of a material */
static const size_t MIN_HIDDEN = 8;
/* Triangles in cells, and comparisons; a model that exceeds them is not judged.  Models of 60,000
 * triangles have 0.2 and 0.5 million. */
static const size_t MAX_NODES = 4000000, MAX_WORK = 200000000;

/* Places in a triangle where its alpha is read, as weights of the first two corners. */
static const float AT[PLACES][2] = {{1.0f / 3, 1.0f / 3}, {0.6f, 0.2f}, {0.2f, 0.6f}, {0.2f, 0.2f}};

typedef struct Node { /* a triangle in a cell */
    uint32_t first;   /* of its indices */
    uint32_t material;
    struct Node *next;
} Node;

typedef struct Plan {
    const Model *model;
    const PmxModel *pmx;
    float low[2], size[2]; /* of a cell */
    Node *cells[CELLS][CELLS];
    size_t node_count, work;
    Arena *scratch;
} Plan;

static const float *corner(const Plan *p, uint32_t index)
{
    return p->pmx->vertices[p->pmx->indices[index]].position;
}

/* Twice the signed area as the viewer at negative z sees it; triangles facing him are positive. */
static float area_of(const float *a, const float *b, const float *c)
{
    return (b[1] - a[1]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[1] - a[1]);
}

static bool is_seen(const Plan *p, uint32_t first, uint32_t material)
{
    const float area = area_of(corner(p, first), corner(p, first + 1), corner(p, first + 2));

    return p->pmx->materials[material].flags & PMX_DOUBLE_SIDED ? area != 0 : area > 0;
}

static float alpha_at(const Plan *p, uint32_t first, uint32_t material, const float weights[2])
{
    const PmxMaterial *m = &p->pmx->materials[material];
    const Image *image = m->texture >= 0 ? p->model->textures[m->texture] : NULL;
    float uv[2];

    if (!image || !image->has_alpha || !image->pixels)
        return m->diffuse[3];
    for (int c = 0; c < 2; c++) {
        const float w[3] = {weights[0], weights[1], 1 - weights[0] - weights[1]};
        uv[c] = 0;
        for (uint32_t i = 0; i < 3; i++)
            uv[c] += w[i] * p->pmx->vertices[p->pmx->indices[first + i]].uv[c];
        uv[c] -= floorf(uv[c]);
    }
    const int x = (int)(uv[0] * (float)image->width), y = (int)(uv[1] * (float)image->height);
    const size_t at = (size_t)(y < image->height ? y : 0) * (size_t)image->width +
                      (size_t)(x < image->width ? x : 0);
    return m->diffuse[3] * (float)image->pixels[4 * at + 3] / 255;
}

static int cell_of(const Plan *p, int axis, float at)
{
    const float cell = (at - p->low[axis]) / p->size[axis];

    return cell < 0 ? 0 : cell < CELLS - 1 ? (int)cell : CELLS - 1;
}

/* Triangles that cover a quarter of all cells are ignored. */
static void add_triangle(Plan *p, uint32_t first, uint32_t material)
{
    int low[2] = {CELLS, CELLS}, high[2] = {0, 0};

    for (uint32_t i = 0; i < 3; i++)
        for (int axis = 0; axis < 2; axis++) {
            const int cell = cell_of(p, axis, corner(p, first + i)[axis]);
            low[axis] = cell < low[axis] ? cell : low[axis];
            high[axis] = cell > high[axis] ? cell : high[axis];
        }
    const int cells = (high[0] - low[0] + 1) * (high[1] - low[1] + 1);
    if (cells > LARGE || p->node_count > MAX_NODES)
        return;
    p->node_count += (size_t)cells;
    for (int y = low[1]; y <= high[1]; y++)
        for (int x = low[0]; x <= high[0]; x++) {
            Node *node = arena_array(p->scratch, Node, 1);
            *node = (Node){first, material, p->cells[y][x]};
            p->cells[y][x] = node;
        }
}

/* The triangle that is seen next behind a place, by its first index; -1: none. */
static int64_t behind(Plan *p, const float at[3])
{
    int64_t found = -1;
    float nearest = HUGE_VALF;

    const Node *n = p->cells[cell_of(p, 1, at[1])][cell_of(p, 0, at[0])];
    for (; n && p->work <= MAX_WORK; n = n->next, p->work++) {
        const float *a = corner(p, n->first), *b = corner(p, n->first + 1),
                    *c = corner(p, n->first + 2);
        const float area = area_of(a, b, c);
        const float w[2] = {area_of(at, b, c) / area, area_of(a, at, c) / area};
        const float z = w[0] * a[2] + w[1] * b[2] + (1 - w[0] - w[1]) * c[2];
        if (w[0] < 0 || w[1] < 0 || w[0] + w[1] > 1 || z < at[2] + APART || z >= nearest ||
            alpha_at(p, n->first, n->material, w) < CLEAR)
            continue;
        nearest = z;
        found = n->first;
    }
    return found;
}

static void make_plan(Plan *p)
{
    float low[2] = {HUGE_VALF, HUGE_VALF}, high[2] = {-HUGE_VALF, -HUGE_VALF};

    for (uint32_t v = 0; v < p->pmx->vertex_count; v++)
        for (int axis = 0; axis < 2; axis++) {
            low[axis] = fminf(low[axis], p->pmx->vertices[v].position[axis]);
            high[axis] = fmaxf(high[axis], p->pmx->vertices[v].position[axis]);
        }
    for (int axis = 0; axis < 2; axis++) {
        p->low[axis] = low[axis];
        p->size[axis] = fmaxf((high[axis] - low[axis]) / CELLS, 1e-6f);
    }
    for (uint32_t m = 0; m < p->pmx->material_count; m++) {
        const PmxMaterial *material = &p->pmx->materials[m];
        for (uint32_t i = 0; i < material->index_count && material->diffuse[3] > 0; i += 3)
            if (is_seen(p, material->first_index + i, m))
                add_triangle(p, material->first_index + i, m);
    }
}

static bool hides(Plan *p, uint32_t material)
{
    const PmxMaterial *m = &p->pmx->materials[material];
    size_t soft = 0, hidden = 0;

    for (uint32_t i = m->first_index; i < m->first_index + m->index_count; i += 3)
        for (int k = 0; k < PLACES && is_seen(p, i, material); k++) {
            const float alpha = alpha_at(p, i, material, AT[k]);
            float at[3];
            if (alpha < CLEAR || alpha > OPAQUE)
                continue;
            for (int c = 0; c < 3; c++)
                at[c] = AT[k][0] * corner(p, i)[c] + AT[k][1] * corner(p, i + 1)[c] +
                        (1 - AT[k][0] - AT[k][1]) * corner(p, i + 2)[c];
            soft++;
            hidden += behind(p, at) > (int64_t)i; /* indices are in the order of draws */
        }
    return hidden >= MIN_HIDDEN && (float)hidden >= HIDDEN_PART * (float)soft;
}

size_t draw_order_find(bool *out, const Model *model)
{
    Arena *scratch = arena_create();
    Plan *p = arena_array(scratch, Plan, 1);
    size_t count = 0;

    p->model = model;
    p->pmx = &model->pmx;
    p->scratch = scratch;
    make_plan(p);
    for (uint32_t m = 0; m < model->pmx.material_count; m++) {
        out[m] = p->node_count <= MAX_NODES && hides(p, m);
        count += out[m];
    }
    const bool judged = p->work <= MAX_WORK;
    arena_destroy(scratch);
    return judged ? count : 0;
}
