// SPDX-License-Identifier: MIT
#include "picture/passes/face.h"

#include <math.h>
#include <string.h>

#include "base/units.h"

/* The first of the points of each part, as OpenPose numbers them. */
enum {
    JAW = 0,
    JAW_COUNT = 17,
    BROWS = 17, /* 5 each */
    BRIDGE = 27,
    BRIDGE_COUNT = 4,
    NOSTRILS = 31,
    NOSTRIL_COUNT = 5,
    EYES = 36, /* 6 each */
    LIPS = 48,
    INNER_LIPS = 60,
    PUPILS = 68
};

enum { PANEL_BROW = 1, PANEL_EYE, PANEL_MOUTH, PANELS };

/* The share of the largest offset of a morph from which on a vertex belongs to its part. */
static const float MOVED = 0.35f;

typedef struct Face {
    const PmxModel *pmx;
    Skeleton *out;
    int32_t eye_bones[2];
    float eyes[2][3];
    float apart;          /* distance of the eyes: the unit of everything below */
    float middle[3];      /* point between the eyes */
    float *moved[PANELS]; /* [vertex_count] largest offset by a morph of the panel / that of the
                           * morph; 0 of vertices that are not visible */
    float *opened;        /* [vertex_count] height by which the mouth moves when it opens, of the
                           * largest offset */
    float (*closed)[3];   /* [vertex_count] offsets that close the eyes */
    uint32_t *surface;    /* [vertex_count] number of a material that shows the vertex, from 1 */
    int32_t vertices[KEYPOINT_FACE_COUNT]; /* that each point is; -1: none */
    bool is_fixed[KEYPOINT_FACE_COUNT];    /* no morph moves the point, which is `fixed` away from
                                            * the vertex */
    float fixed[KEYPOINT_FACE_COUNT][3];
} Face;

int32_t face_main_bone(const PmxVertex *v)
{
    int best = 0;

    for (int i = 1; i < PMX_MAX_WEIGHTS; i++)
        if (v->weights[i] > v->weights[best])
            best = i;
    return v->bones[best];
}

/* ---- what moves ---- */

static float length_of(const float v[3])
{
    return sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static float largest_offset(const PmxMorph *morph)
{
    float largest = 0;

    for (uint32_t i = 0; i < morph->count; i++)
        largest = fmaxf(largest, length_of(morph->offsets.vertex[i].offset));
    return largest;
}

static void find_moved(Face *f)
{
    for (uint32_t m = 0; m < f->pmx->morph_count; m++) {
        const PmxMorph *morph = &f->pmx->morphs[m];
        if (morph->type != PMX_MORPH_VERTEX || morph->panel < PANEL_BROW ||
            morph->panel > PANEL_MOUTH)
            continue;
        const float largest = largest_offset(morph);
        if (!(largest > 0) || largest > f->apart) /* long offsets move distant parts to the face */
            continue;
        for (uint32_t i = 0; i < morph->count; i++) {
            const PmxVertexOffset *o = &morph->offsets.vertex[i];
            float *to = &f->moved[morph->panel][o->vertex];
            if (f->surface[o->vertex])
                *to = fmaxf(*to, length_of(o->offset) / largest);
        }
    }
}

/* The morph of a panel with a name, or the one that moves most down; NULL if the panel is empty. */
static const PmxMorph *falling_morph(const Face *f, int panel, const char *name)
{
    const PmxMorph *best = NULL;
    float best_fall = 0;

    for (uint32_t m = 0; m < f->pmx->morph_count; m++) {
        const PmxMorph *morph = &f->pmx->morphs[m];
        if (!strcmp(morph->name, name))
            return morph;
        if (morph->type != PMX_MORPH_VERTEX || morph->panel != panel)
            continue;
        const bool is_near = largest_offset(morph) < f->apart;
        float fall = 0; /* sum of the heights by which it moves vertices down */
        for (uint32_t i = 0; is_near && i < morph->count; i++)
            fall -= fminf(morph->offsets.vertex[i].offset[1], 0);
        if (fall > best_fall) {
            best_fall = fall;
            best = morph;
        }
    }
    return best;
}

/* Adds the offsets of a vertex morph, or of those of a group. */
static void add_shape(float (*shape)[3], const PmxModel *pmx, const PmxMorph *morph, float weight,
                      int depth)
{
    for (uint32_t i = 0; morph->type == PMX_MORPH_VERTEX && i < morph->count; i++)
        for (int c = 0; c < 3; c++)
            shape[morph->offsets.vertex[i].vertex][c] +=
                weight * morph->offsets.vertex[i].offset[c];
    for (uint32_t i = 0; morph->type == PMX_MORPH_GROUP && depth > 0 && i < morph->count; i++) {
        const PmxGroupOffset *part = &morph->offsets.group[i];
        if (part->morph >= 0)
            add_shape(shape, pmx, &pmx->morphs[part->morph], weight * part->ratio, depth - 1);
    }
}

enum { GROUP_DEPTH = 3 };

/* The offsets of such a morph; returns the length of the largest. */
static float find_shape(float (*shape)[3], const Face *f, int panel, const char *name)
{
    const PmxMorph *morph = falling_morph(f, panel, name);
    float largest = 0;

    if (morph)
        add_shape(shape, f->pmx, morph, 1, GROUP_DEPTH);
    for (uint32_t v = 0; v < f->pmx->vertex_count; v++)
        largest = fmaxf(largest, length_of(shape[v]));
    return largest;
}

/* How the mouth opens and the eyes close.  Only the morph that closes the eyes counts for them:
 * others move brows and cheeks, too. */
static void find_lids_and_lips(Face *f, Arena *scratch)
{
    float(*shape)[3] = arena_calloc(scratch, f->pmx->vertex_count, sizeof *shape);
    const float opened = find_shape(shape, f, PANEL_MOUTH, "あ");
    const float closed = find_shape(f->closed, f, PANEL_EYE, "まばたき");

    for (uint32_t v = 0; v < f->pmx->vertex_count; v++) {
        f->opened[v] = opened > 0 ? shape[v][1] / opened : 0;
        f->moved[PANEL_EYE][v] = closed > 0 && f->surface[v] ? length_of(f->closed[v]) / closed : 0;
    }
}

static void find_surfaces(Face *f)
{
    uint32_t index = 0;

    for (uint32_t m = 0; m < f->pmx->material_count; m++) {
        const PmxMaterial *material = &f->pmx->materials[m];
        for (uint32_t i = 0; i < material->index_count; i++, index++)
            if (material->diffuse[3] > 0.5f)
                f->surface[f->pmx->indices[index]] = m + 1;
    }
}

/* ---- vertices ---- */

/* A box, in distances of the eyes from their middle, and what is in it. */
typedef struct Region {
    float low[2], high[2]; /* x, y */
    float back;            /* z */
    const float *moved;    /* at least `min_moved`; NULL: all */
    float min_moved;
    uint32_t surface; /* 0: all */
} Region;

/* x, y and z of a vertex in distances of the eyes from their middle. */
static void place_of(float out[3], const Face *f, uint32_t vertex)
{
    for (int c = 0; c < 3; c++)
        out[c] = (f->pmx->vertices[vertex].position[c] - f->middle[c]) / f->apart;
}

static bool is_in(const Face *f, const Region *r, uint32_t vertex, const float at[3])
{
    const int32_t bone = face_main_bone(&f->pmx->vertices[vertex]);

    if (!f->surface[vertex] || (r->surface && f->surface[vertex] != r->surface) ||
        bone == f->eye_bones[0] || bone == f->eye_bones[1])
        return false;
    if (r->moved && r->moved[vertex] < r->min_moved)
        return false;
    return at[0] >= r->low[0] && at[0] <= r->high[0] && at[1] >= r->low[1] && at[1] <= r->high[1] &&
           at[2] <= r->back;
}

/* Describes the wanted vertex: the farthest along `along` and the nearest to `near`. */
typedef struct Aim {
    float along[3];
    float near[2];    /* x, y */
    float weights[2]; /* weights of the distances from `near` */
} Aim;

static int32_t best_vertex(const Face *f, const Region *region, const Aim *aim)
{
    int32_t best = -1;
    float best_score = -HUGE_VALF;

    for (uint32_t i = 0; i < f->pmx->vertex_count; i++) {
        float at[3], score = 0;
        place_of(at, f, i);
        if (!is_in(f, region, i, at))
            continue;
        for (int c = 0; c < 3; c++)
            score += aim->along[c] * at[c];
        for (int c = 0; c < 2; c++)
            score -= aim->weights[c] * fabsf(at[c] - aim->near[c]);
        if (score > best_score) {
            best_score = score;
            best = (int32_t)i;
        }
    }
    return best;
}

static const float STEEP = 3; /* weight of a column against the height in it */

/* The extreme vertex of a region along x (-1, 1). */
static int32_t side_vertex(const Face *f, const Region *region, float sign)
{
    const Aim aim = {.along = {sign, 0, 0}};

    return best_vertex(f, region, &aim);
}

/* The highest (sign 1) or lowest (-1) one near a column between two vertices, at `part` of the way.
 */
static int32_t column_vertex(const Face *f, const Region *region, int32_t from, int32_t to,
                             float part, float sign)
{
    float a[3], b[3];

    if (from < 0 || to < 0)
        return -1;
    place_of(a, f, (uint32_t)from);
    place_of(b, f, (uint32_t)to);
    const Aim aim = {
        .along = {0, sign, 0}, .near = {a[0] + part * (b[0] - a[0]), 0}, .weights = {STEEP, 0}};
    return best_vertex(f, region, &aim);
}

/* ---- parts ---- */

/* side: 0 right, at negative x; points run from the right of the dancer to the left. */
static void find_brow(Face *f, int side)
{
    const float x = side ? 0.5f : -0.5f;
    const Region region = {.low = {x - 0.6f, 0.05f},
                           .high = {x + 0.6f, 1.2f},
                           .back = 0.6f,
                           .moved = f->moved[PANEL_BROW],
                           .min_moved = 0.6f};
    const int32_t right = side_vertex(f, &region, -1), left = side_vertex(f, &region, 1);

    for (int i = 0; i < 5; i++)
        f->vertices[BROWS + 5 * side + i] = column_vertex(f, &region, right, left, (float)i / 4, 1);
}

/* Where the upper lid is when the eye is closed is the lower one. */
static void set_lower_lid(Face *f, int point, int upper)
{
    f->vertices[point] = f->vertices[upper];
    f->is_fixed[point] = true;
    if (f->vertices[upper] >= 0)
        memcpy(f->fixed[point], f->closed[f->vertices[upper]], sizeof f->fixed[point]);
}

static void find_eye_outline(Face *f, int side)
{
    const int first = EYES + 6 * side;
    const float x = side ? 0.5f : -0.5f;
    const Region lid = {.low = {x - 0.5f, -0.45f},
                        .high = {x + 0.5f, 0.6f},
                        .back = 0.6f,
                        .moved = f->moved[PANEL_EYE],
                        .min_moved = 0.6f};
    Region all = lid;
    all.min_moved = 0.4f;
    const int32_t right = side_vertex(f, &all, -1), left = side_vertex(f, &all, 1);

    f->vertices[first] = right;
    f->vertices[first + 1] = column_vertex(f, &lid, right, left, 0.3f, -1);
    f->vertices[first + 2] = column_vertex(f, &lid, right, left, 0.7f, -1);
    f->vertices[first + 3] = left;
    set_lower_lid(f, first + 4, first + 2);
    set_lower_lid(f, first + 5, first + 1);
}

/* ---- the mouth ---- */

/* Vertices at the edges of the mouth, which is a slit at rest: each vertex of the lower edge that
 * moves down, and of the near ones the one that moves down the least. */
typedef struct Slit {
    int32_t *upper; /* [vertex_count] partner; -1: not of the lower edge */
    float *gap;     /* by which they part, of the largest offset */
    float widest;
} Slit;

static const float TOUCH = 0.04f; /* distances of the eyes */

/* The nearest vertices in front of a grid over the mouth, to tell teeth and tongue behind lips. */
enum { CELLS = 24 };
static const float CELL = 0.06f, BEHIND = 0.12f;

typedef struct Front {
    float z[CELLS][CELLS];
} Front;

static int cell_of(float at, float low)
{
    const int cell = (int)((at - low) / CELL);

    return cell < 0 ? 0 : cell < CELLS ? cell : CELLS - 1;
}

static Front find_front(const Face *f, const Region *region)
{
    Front front;

    for (int i = 0; i < CELLS * CELLS; i++)
        front.z[i / CELLS][i % CELLS] = HUGE_VALF;
    for (uint32_t v = 0; v < f->pmx->vertex_count; v++) {
        float at[3];
        place_of(at, f, v);
        if (!is_in(f, region, v, at))
            continue;
        float *z = &front.z[cell_of(at[1], region->low[1])][cell_of(at[0], region->low[0])];
        *z = fminf(*z, at[2]);
    }
    return front;
}

static bool is_in_front(const Front *front, const Region *region, const float at[3])
{
    const int row = cell_of(at[1], region->low[1]), column = cell_of(at[0], region->low[0]);

    for (int y = row - 1; y <= row + 1; y++)
        for (int x = column - 1; x <= column + 1; x++)
            if (y >= 0 && x >= 0 && y < CELLS && x < CELLS && front->z[y][x] < at[2] - BEHIND)
                return false;
    return true;
}

static void find_partner(Slit *slit, const Face *f, const Region *region, uint32_t lower,
                         const uint32_t *inside, size_t count)
{
    float at[3], other[3];

    place_of(at, f, lower);
    for (size_t i = 0; i < count; i++) {
        const uint32_t u = inside[i];
        const float gap = f->opened[u] - f->opened[lower];
        place_of(other, f, u);
        const float apart[3] = {other[0] - at[0], other[1] - at[1], other[2] - at[2]};
        if (gap > slit->gap[lower] && length_of(apart) < TOUCH && is_in(f, region, u, other)) {
            slit->gap[lower] = gap;
            slit->upper[lower] = (int32_t)u;
        }
    }
    slit->widest = fmaxf(slit->widest, slit->gap[lower]);
}

static Slit find_slit(const Face *f, const Region *region, Arena *scratch)
{
    const uint32_t count = f->pmx->vertex_count;
    Slit slit = {.upper = arena_array(scratch, int32_t, count),
                 .gap = arena_array(scratch, float, count)};
    uint32_t *inside = arena_array(scratch, uint32_t, count);
    const Front front = find_front(f, region);
    size_t inside_count = 0;

    for (uint32_t v = 0; v < count; v++) {
        float at[3];
        place_of(at, f, v);
        slit.upper[v] = -1;
        if (is_in(f, region, v, at) && is_in_front(&front, region, at))
            inside[inside_count++] = v;
    }
    for (size_t i = 0; i < inside_count; i++)
        if (f->opened[inside[i]] < -0.05f)
            find_partner(&slit, f, region, inside[i], inside, inside_count);
    return slit;
}

static const int INNER_OF[8] = {0, 2, 3, 4, 6, 8, 9, 10};

static void find_mouth(Face *f, Arena *scratch)
{
    const Region box = {.low = {-0.6f, -1.7f}, .high = {0.6f, -0.3f}, .back = 0.3f};
    const Slit slit = find_slit(f, &box, scratch);
    if (slit.widest < MOVED)
        return;
    Region edge = box;
    edge.moved = slit.gap;
    edge.min_moved = 0.08f * slit.widest;
    const int32_t right = side_vertex(f, &edge, -1), left = side_vertex(f, &edge, 1);
    edge.min_moved = 0.15f * slit.widest;

    f->vertices[LIPS] = right;
    f->vertices[LIPS + 6] = left;
    for (int i = 1; i < 6; i++) {
        const int32_t lower = column_vertex(f, &edge, right, left, (float)i / 6, 1);
        f->vertices[LIPS + i] = lower >= 0 ? slit.upper[lower] : -1;
        f->vertices[LIPS + 12 - i] = lower;
    }
    for (int i = 0; i < 8; i++) /* anime mouths have no lips: outer and inner points are the same */
        f->vertices[INNER_LIPS + i] = f->vertices[LIPS + INNER_OF[i]];
}

/* The material with the most vertices that follow the head on the right cheek; 0: none. */
static uint32_t skin_of(const Face *f, Arena *scratch)
{
    const Region region = {.low = {-0.9f, -0.9f}, .high = {-0.35f, -0.25f}, .back = 0.6f};
    const int32_t head = f->out->points[KEYPOINT_NOSE].bone;
    uint32_t *counts = arena_array(scratch, uint32_t, (size_t)f->pmx->material_count + 1);
    uint32_t best = 0;

    for (uint32_t v = 0; v < f->pmx->vertex_count; v++) {
        float at[3];
        place_of(at, f, v);
        if (face_main_bone(&f->pmx->vertices[v]) == head && is_in(f, &region, v, at) &&
            ++counts[f->surface[v]] > counts[best])
            best = f->surface[v];
    }
    return best;
}

/* The nose is on the skin. */
static void find_nose(Face *f, uint32_t surface, float mouth)
{
    const Region region = {
        .low = {-0.1f, mouth + 0.15f}, .high = {0.1f, -0.1f}, .back = 1, .surface = surface};
    const Aim front = {.along = {0, 0, -1}, .weights = {0.3f, 0}};
    const int32_t tip = best_vertex(f, &region, &front);
    const Region around = {
        .low = {-0.5f, mouth}, .high = {0.5f, 0.3f}, .back = 1, .surface = surface};
    float at[3];

    if (tip < 0)
        return;
    place_of(at, f, (uint32_t)tip);
    for (int i = 0; i < BRIDGE_COUNT; i++) {
        const Aim aim = {.along = {0, 0, -0.5f},
                         .near = {0, at[1] * (float)i / (BRIDGE_COUNT - 1)},
                         .weights = {2, 2}};
        f->vertices[BRIDGE + i] = i + 1 < BRIDGE_COUNT ? best_vertex(f, &around, &aim) : tip;
    }
    for (int i = 0; i < NOSTRIL_COUNT; i++) {
        const Aim aim = {.along = {0, 0, -0.5f},
                         .near = {0.08f * (float)(i - 2), at[1] - 0.1f},
                         .weights = {2, 2}};
        f->vertices[NOSTRILS + i] = best_vertex(f, &around, &aim);
    }
}

/* The contour of the face from the front, by angles around the middle of the eyes, from the right
 * temple over the chin. */
static void find_jaw(Face *f, uint32_t surface, const float mouth[3])
{
    for (int i = 0; i < JAW_COUNT; i++) {
        const float angle = (float)PI * (float)i / (JAW_COUNT - 1);
        const float x = -cosf(angle), y = -sinf(angle);
        const Region region = {.low = {-2, -2.5f},
                               .high = {2, 0.3f},
                               .back = mouth[2] + 0.4f + 0.8f * fabsf(x),
                               .surface = surface};
        float farthest = -1;
        for (uint32_t v = 0; v < f->pmx->vertex_count; v++) {
            float at[3];
            place_of(at, f, v);
            const float along = at[0] * x + at[1] * y, aside = fabsf(at[1] * x - at[0] * y);
            if (aside < 0.12f * along && along > farthest && is_in(f, &region, v, at)) {
                farthest = along;
                f->vertices[JAW + i] = (int32_t)v;
            }
        }
    }
}

/* ---- points ---- */

static size_t count_morphs(const Face *f, uint32_t vertex, SkeletonMorph *out)
{
    size_t count = 0;

    for (uint32_t m = 0; m < f->pmx->morph_count; m++) {
        const PmxMorph *morph = &f->pmx->morphs[m];
        for (uint32_t i = 0; morph->type == PMX_MORPH_VERTEX && i < morph->count; i++) {
            const PmxVertexOffset *o = &morph->offsets.vertex[i];
            if (o->vertex != vertex)
                continue;
            if (out) {
                out[count].morph = m;
                memcpy(out[count].offset, o->offset, sizeof o->offset);
            }
            count++;
        }
    }
    return count;
}

static void set_points(const Face *f, float tolerance, Arena *arena)
{
    for (int i = 0; i < KEYPOINT_FACE_COUNT; i++) {
        SkeletonPoint *point = &f->out->points[KEYPOINT_FACE + i];
        if (f->vertices[i] < 0)
            continue;
        const uint32_t vertex = (uint32_t)f->vertices[i];
        point->bone = face_main_bone(&f->pmx->vertices[vertex]);
        memcpy(point->rest, f->pmx->vertices[vertex].position, sizeof point->rest);
        point->tolerance = tolerance;
        for (int c = 0; c < 3; c++)
            point->rest[c] += f->fixed[i][c];
        if (f->is_fixed[i])
            continue;
        point->morph_count = count_morphs(f, vertex, NULL);
        SkeletonMorph *morphs = arena_array(arena, SkeletonMorph, point->morph_count);
        count_morphs(f, vertex, morphs);
        point->morphs = morphs;
    }
    for (int i = 0; i < 2; i++) { /* the eyes of the body */
        f->out->points[KEYPOINT_FACE + PUPILS + i] = f->out->points[KEYPOINT_R_EYE + i];
        f->out->points[KEYPOINT_FACE + PUPILS + i].tolerance = tolerance;
    }
}

static Face make_face(Skeleton *skeleton, const Model *model, Arena *scratch)
{
    Face f = {.pmx = &model->pmx, .out = skeleton};
    const uint32_t count = model->pmx.vertex_count;

    for (int i = 0; i < 2; i++) {
        const SkeletonPoint *eye = &skeleton->points[KEYPOINT_R_EYE + i];
        f.eye_bones[i] = eye->bone;
        memcpy(f.eyes[i], eye->rest, sizeof f.eyes[i]);
    }
    for (int c = 0; c < 3; c++)
        f.middle[c] = (f.eyes[0][c] + f.eyes[1][c]) / 2;
    f.apart = fabsf(f.eyes[1][0] - f.eyes[0][0]);
    for (int i = PANEL_BROW; i < PANELS; i++)
        f.moved[i] = arena_array(scratch, float, count);
    f.opened = arena_array(scratch, float, count);
    f.closed = arena_calloc(scratch, count, sizeof *f.closed);
    f.surface = arena_array(scratch, uint32_t, count);
    for (int i = 0; i < KEYPOINT_FACE_COUNT; i++)
        f.vertices[i] = -1;
    return f;
}

void face_find(Skeleton *skeleton, const Model *model, float tolerance, Arena *arena)
{
    Arena *scratch = arena_create();
    Face f = make_face(skeleton, model, scratch);

    if (f.apart > 0) {
        find_surfaces(&f);
        find_moved(&f);
        find_lids_and_lips(&f, scratch);
        for (int side = 0; side < 2; side++) {
            find_brow(&f, side);
            find_eye_outline(&f, side);
        }
        find_mouth(&f, scratch);
        if (f.vertices[LIPS] >= 0) {
            const uint32_t corner = (uint32_t)f.vertices[LIPS];
            float mouth[3];
            const uint32_t skin = skin_of(&f, scratch);
            place_of(mouth, &f, corner);
            find_nose(&f, skin, mouth[1]);
            find_jaw(&f, skin, mouth);
        }
        set_points(&f, tolerance, arena);
    }
    arena_destroy(scratch);
}
