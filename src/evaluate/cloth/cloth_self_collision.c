// SPDX-License-Identifier: MIT
#include "evaluate/cloth/cloth_self_collision.h"

#include <math.h>

static const double NEIGHBOUR = 3; /* distances grid at rest: nearer masses are neighbours */
static const double RELAXATION = 0.75;
static const uint32_t NONE = UINT32_MAX;

/* The coordinates of a cell, 21 bits of each: cells that differ by 2^21 are taken for one. */
typedef uint64_t Cell;

struct ClothSelfCollision {
    uint32_t *heads; /* [head_count] first mass of a bucket of cells, or NONE */
    uint32_t *next;  /* [mass_count] */
    Cell *cells;     /* [mass_count] */
    uint32_t *owner; /* [mass_count] index of the cloth */
    uint32_t *index; /* [mass_count] in the cloth */
    uint32_t head_count, count;
};

ClothSelfCollision *cloth_self_collision_create(size_t mass_count, Arena *arena)
{
    ClothSelfCollision *grid = arena_array(arena, ClothSelfCollision, 1);
    uint32_t heads = 64;

    while (heads < 4 * mass_count)
        heads *= 2;
    *grid = (ClothSelfCollision){.heads = arena_array(arena, uint32_t, heads),
                                 .next = arena_array(arena, uint32_t, mass_count),
                                 .cells = arena_array(arena, Cell, mass_count),
                                 .owner = arena_array(arena, uint32_t, mass_count),
                                 .index = arena_array(arena, uint32_t, mass_count),
                                 .head_count = heads};
    return grid;
}

static int64_t floor_of(double value)
{
    const int64_t whole = (int64_t)value;
    return whole - (value < (double)whole);
}

static Cell cell_of(int64_t x, int64_t y, int64_t z)
{
    const uint64_t mask = (UINT64_C(1) << 21) - 1;
    return ((uint64_t)x & mask) << 42 | ((uint64_t)y & mask) << 21 | ((uint64_t)z & mask);
}

static uint32_t bucket(const ClothSelfCollision *grid, Cell c)
{
    const uint64_t h = c * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(h >> 40) & (grid->head_count - 1);
}

static bool are_neighbours(const ClothMasses *a, uint32_t i, const ClothMasses *b, uint32_t j,
                           double wanted)
{
    const Vec3 d = vec3_sub(a->rest[i], b->rest[j]);
    return a == b && vec3_dot(d, d) < NEIGHBOUR * NEIGHBOUR * wanted * wanted;
}

static void separate(const ClothMasses *a, uint32_t i, const ClothMasses *b, uint32_t j)
{
    const double wanted = (a->distance + b->distance) / 2;
    const Vec3 d = vec3_sub(a->position[i], b->position[j]);
    const double square = vec3_dot(d, d);

    if (!(square < wanted * wanted) || !(square > 0) || are_neighbours(a, i, b, j, wanted))
        return;
    const double share_a = a->fixed[i] ? 0 : b->fixed[j] ? 1 : 0.5;
    const double share_b = b->fixed[j] ? 0 : 1 - share_a;
    const double length = sqrt(square), move = RELAXATION * (wanted - length);
    const Vec3 normal = vec3_scale(d, 1 / length);
    const double approach = fmin(vec3_dot(vec3_sub(a->velocity[i], b->velocity[j]), normal), 0);
    a->position[i] = vec3_add(a->position[i], vec3_scale(normal, share_a * move));
    b->position[j] = vec3_sub(b->position[j], vec3_scale(normal, share_b * move));
    a->velocity[i] = vec3_sub(a->velocity[i], vec3_scale(normal, share_a * approach));
    b->velocity[j] = vec3_add(b->velocity[j], vec3_scale(normal, share_b * approach));
}

static Vec3 position_in_cells(const ClothSelfCollision *grid, const ClothMasses *cloths,
                              uint32_t mass, double inverse)
{
    return vec3_scale(cloths[grid->owner[mass]].position[grid->index[mass]], inverse);
}

/* Separates a mass from those in the grid.  Cells are twice as large as any distance: only the
 * nearer two on each axis count, of which the lower one is around half a cell below. */
static void separate_from_grid(const ClothSelfCollision *grid, const ClothMasses *cloths,
                               uint32_t mass, double inverse)
{
    const Vec3 p = position_in_cells(grid, cloths, mass, inverse);
    const int64_t x = floor_of(p.x - 0.5), y = floor_of(p.y - 0.5), z = floor_of(p.z - 0.5);

    for (int n = 0; n < 8; n++) {
        const Cell cell = cell_of(x + (n & 1), y + (n >> 1 & 1), z + (n >> 2));
        for (uint32_t j = grid->heads[bucket(grid, cell)]; j != NONE; j = grid->next[j])
            if (grid->cells[j] == cell)
                separate(&cloths[grid->owner[mass]], grid->index[mass], &cloths[grid->owner[j]],
                         grid->index[j]);
    }
}

void cloth_self_collision(ClothSelfCollision *grid, const ClothMasses *cloths, size_t cloth_count)
{
    double size = 0;

    for (size_t c = 0; c < cloth_count; c++)
        size = fmax(size, 2 * cloths[c].distance);
    if (!(size > 0))
        return;
    grid->count = 0;
    for (size_t c = 0; c < cloth_count; c++)
        for (uint32_t i = 0; cloths[c].distance > 0 && i < cloths[c].count; i++) {
            grid->owner[grid->count] = (uint32_t)c;
            grid->index[grid->count++] = i;
        }
    for (uint32_t h = 0; h < grid->head_count; h++)
        grid->heads[h] = NONE;

    for (uint32_t i = grid->count; i-- > 0;) { /* every mass with all later ones */
        separate_from_grid(grid, cloths, i, 1 / size);
        const Vec3 p = position_in_cells(grid, cloths, i, 1 / size);
        grid->cells[i] = cell_of(floor_of(p.x), floor_of(p.y), floor_of(p.z));
        uint32_t *head = &grid->heads[bucket(grid, grid->cells[i])];
        grid->next[i] = *head;
        *head = i;
    }
}
