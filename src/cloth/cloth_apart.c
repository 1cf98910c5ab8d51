#include "cloth/cloth_apart.h"

#include <math.h>

static const double NEIGHBOUR = 3; /* distances apart at rest: nearer masses are neighbours */
static const double RELAXATION = 0.75;
static const uint32_t NONE = UINT32_MAX;

typedef struct Cell {
    int32_t x, y, z;
} Cell;

struct ClothApart {
    uint32_t *heads; /* [head_count] first mass of a bucket of cells, or NONE */
    uint32_t *next;  /* [mass_count] */
    Cell *cells;     /* [mass_count] */
    uint32_t *owner; /* [mass_count] index of the cloth */
    uint32_t *index; /* [mass_count] in the cloth */
    uint32_t head_count, count;
};

ClothApart *cloth_apart_create(size_t mass_count, Arena *arena)
{
    ClothApart *apart = arena_array(arena, ClothApart, 1);
    uint32_t heads = 64;

    while (heads < 2 * mass_count)
        heads *= 2;
    *apart = (ClothApart){.heads = arena_array(arena, uint32_t, heads),
                          .next = arena_array(arena, uint32_t, mass_count),
                          .cells = arena_array(arena, Cell, mass_count),
                          .owner = arena_array(arena, uint32_t, mass_count),
                          .index = arena_array(arena, uint32_t, mass_count),
                          .head_count = heads};
    return apart;
}

static uint32_t bucket(const ClothApart *apart, Cell c)
{
    const uint32_t h =
        (uint32_t)c.x * 73856093u ^ (uint32_t)c.y * 19349663u ^ (uint32_t)c.z * 83492791u;
    return (h ^ h >> 15) & (apart->head_count - 1);
}

static void list_masses(ClothApart *apart, const ClothMasses *cloths, size_t cloth_count,
                        double size)
{
    apart->count = 0;
    for (size_t c = 0; c < cloth_count; c++)
        for (uint32_t i = 0; cloths[c].distance > 0 && i < cloths[c].count; i++) {
            const Vec3 p = cloths[c].position[i];
            apart->owner[apart->count] = (uint32_t)c;
            apart->index[apart->count] = i;
            apart->cells[apart->count++] = (Cell){
                (int32_t)floor(p.x / size), (int32_t)floor(p.y / size), (int32_t)floor(p.z / size)};
        }
    for (uint32_t h = 0; h < apart->head_count; h++)
        apart->heads[h] = NONE;
    for (uint32_t i = apart->count; i-- > 0;) { /* so that lists are in ascending order */
        uint32_t *head = &apart->heads[bucket(apart, apart->cells[i])];
        apart->next[i] = *head;
        *head = i;
    }
}

static void separate(const ClothMasses *a, uint32_t i, const ClothMasses *b, uint32_t j)
{
    const double wanted = (a->distance + b->distance) / 2;
    const Vec3 d = vec3_sub(a->position[i], b->position[j]);
    const double square = vec3_dot(d, d);
    const double share_a = a->fixed[i] ? 0 : b->fixed[j] ? 1 : 0.5;
    const double share_b = b->fixed[j] ? 0 : 1 - share_a;

    if (!(square < wanted * wanted) || !(square > 0) || share_a + share_b == 0)
        return;
    if (a == b && vec3_length(vec3_sub(a->rest[i], b->rest[j])) < NEIGHBOUR * wanted)
        return;
    const double length = sqrt(square), move = RELAXATION * (wanted - length);
    const Vec3 normal = vec3_scale(d, 1 / length);
    const double approach = fmin(vec3_dot(vec3_sub(a->velocity[i], b->velocity[j]), normal), 0);
    a->position[i] = vec3_add(a->position[i], vec3_scale(normal, share_a * move));
    b->position[j] = vec3_sub(b->position[j], vec3_scale(normal, share_b * move));
    a->velocity[i] = vec3_sub(a->velocity[i], vec3_scale(normal, share_a * approach));
    b->velocity[j] = vec3_add(b->velocity[j], vec3_scale(normal, share_b * approach));
}

/* A mass with later ones in one cell. */
static void meet_cell(const ClothApart *apart, const ClothMasses *cloths, uint32_t mass, Cell cell)
{
    for (uint32_t j = apart->heads[bucket(apart, cell)]; j != NONE; j = apart->next[j]) {
        const Cell *at = &apart->cells[j];
        if (j > mass && at->x == cell.x && at->y == cell.y && at->z == cell.z)
            separate(&cloths[apart->owner[mass]], apart->index[mass], &cloths[apart->owner[j]],
                     apart->index[j]);
    }
}

/* On which side of the middle of its cell a coordinate is. */
static int32_t side(double at, double size, int32_t cell)
{
    return at / size - cell < 0.5 ? -1 : 1;
}

/* Cells are twice as large as any distance: those beyond the farther sides are too far away. */
void cloth_apart(ClothApart *apart, const ClothMasses *cloths, size_t cloth_count)
{
    double size = 0;

    for (size_t c = 0; c < cloth_count; c++)
        size = fmax(size, 2 * cloths[c].distance);
    if (!(size > 0))
        return;
    list_masses(apart, cloths, cloth_count, size);
    for (uint32_t i = 0; i < apart->count; i++) {
        const Cell c = apart->cells[i];
        const Vec3 p = cloths[apart->owner[i]].position[apart->index[i]];
        const Cell to = {side(p.x, size, c.x), side(p.y, size, c.y), side(p.z, size, c.z)};
        for (int n = 0; n < 8; n++)
            meet_cell(
                apart, cloths, i,
                (Cell){c.x + (n & 1) * to.x, c.y + (n >> 1 & 1) * to.y, c.z + (n >> 2) * to.z});
    }
}
