// SPDX-License-Identifier: MIT
#include "scene/cloth/cloth.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "math/scalar.h"

enum {
    ROUNDS = 2,       /* the second with the vertices that the first left outside */
    MIN_VERTICES = 8, /* a bone with fewer has no collider */
    MAX_LINES = 5,    /* capsules beside each other */
    JACOBI_SWEEPS = 12,
    CORE_PLACES = 16 /* of the line between two joints */
};
static const double EXTENT = 0.03;      /* this part of the vertices may be outside at each end */
static const double RADIUS = 0.9;       /* this part is inside of the radius */
static const double WIDE = 1.25;        /* wider cross-sections get capsules beside each other */
static const double OUTSIDE = 0.2;      /* MMD units */
static const double MIN_RADIUS = 0.1;   /* MMD units: eyes, lashes and ribbons have none */
static const double CORE_RADIUS = 0.25; /* this part of the places is thinner than the core */
static const double END_INSET = 0.5;    /* part of the radius: the rounded ends meet at joints */

/* The vertices of one bone, and their coordinates along three axes from their center. */
typedef struct Cloud {
    Vec3 *points; /* vertices of all bones */
    uint32_t *members;
    uint32_t count;
    Vec3 center, axes[3];
    double low[3], high[3];
    double *scratch; /* [count] */
} Cloud;

/* ---- which vertices ---- */

static bool counts(const PmxModel *pmx, uint32_t material, const ClothSpec *spec)
{
    const PmxMaterial *m = &pmx->materials[material];
    return !(spec->hidden && spec->hidden[material]) && m->diffuse[3] > 0 &&
           !(spec->material && !strcmp(spec->material, m->name));
}

int32_t cloth_dominant_bone(const PmxVertex *v)
{
    static const int counts[] = {1, 2, 4, 2, 4};
    int best = 0;

    for (int i = 1; i < counts[v->deform]; i++)
        if (v->weights[i] > v->weights[best])
            best = i;
    return v->bones[best];
}

/* ---- axes ---- */

/* Eigenvectors of a symmetric matrix, by Jacobi's method. */
static void find_axes(Vec3 axes[3], double m[3][3])
{
    double v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

    for (int sweep = 0; sweep < JACOBI_SWEEPS; sweep++)
        for (int p = 0; p < 2; p++)
            for (int q = p + 1; q < 3; q++) {
                if (fabs(m[p][q]) < DBL_MIN)
                    continue;
                const double angle = 0.5 * atan2(2 * m[p][q], m[p][p] - m[q][q]);
                const double c = cos(angle), s = sin(angle);
                for (int k = 0; k < 3; k++) {
                    const double a = m[k][p], b = m[k][q];
                    m[k][p] = c * a + s * b;
                    m[k][q] = c * b - s * a;
                }
                for (int k = 0; k < 3; k++) {
                    const double a = m[p][k], b = m[q][k], x = v[k][p], y = v[k][q];
                    m[p][k] = c * a + s * b;
                    m[q][k] = c * b - s * a;
                    v[k][p] = c * x + s * y;
                    v[k][q] = c * y - s * x;
                }
            }
    for (int i = 0; i < 3; i++)
        axes[i] = (Vec3){v[0][i], v[1][i], v[2][i]};
}

static void find_directions(Cloud *cloud)
{
    double m[3][3] = {{0}};

    cloud->center = (Vec3){0, 0, 0};
    for (uint32_t i = 0; i < cloud->count; i++)
        cloud->center = vec3_add(cloud->center, cloud->points[cloud->members[i]]);
    cloud->center = vec3_scale(cloud->center, 1.0 / cloud->count);
    for (uint32_t i = 0; i < cloud->count; i++) {
        const Vec3 d = vec3_sub(cloud->points[cloud->members[i]], cloud->center);
        const double at[3] = {d.x, d.y, d.z};
        for (int k = 0; k < 9; k++)
            m[k / 3][k % 3] += at[k / 3] * at[k % 3];
    }
    find_axes(cloud->axes, m);
}

static double coordinate(const Cloud *cloud, uint32_t member, int axis)
{
    return vec3_dot(vec3_sub(cloud->points[cloud->members[member]], cloud->center),
                    cloud->axes[axis]);
}

static double quantile(double *values, uint32_t count, double part)
{
    if (count == 0)
        return 0;
    qsort(values, count, sizeof *values, scalar_compare);
    return values[(uint32_t)(part * (count - 1) + 0.5)];
}

/* Longest first. */
static void sort_axes(Cloud *cloud)
{
    static const int swaps[3][2] = {{0, 1}, {1, 2}, {0, 1}};

    for (int i = 0; i < 3; i++) {
        const int a = swaps[i][0], b = swaps[i][1];
        if (cloud->high[a] - cloud->low[a] >= cloud->high[b] - cloud->low[b])
            continue;
        const Vec3 axis = cloud->axes[a];
        const double low = cloud->low[a], high = cloud->high[a];
        cloud->axes[a] = cloud->axes[b];
        cloud->low[a] = cloud->low[b];
        cloud->high[a] = cloud->high[b];
        cloud->axes[b] = axis;
        cloud->low[b] = low;
        cloud->high[b] = high;
    }
}

/* ---- capsules ---- */

/* Lines along the longest axis, beside each other along the second. */
typedef struct Lines {
    int count;
    double across[MAX_LINES], middle; /* coordinates on the second and third axis */
} Lines;

static Lines place_lines(const Cloud *cloud)
{
    const double half_width = (cloud->high[1] - cloud->low[1]) / 2;
    const double half_depth = fmax((cloud->high[2] - cloud->low[2]) / 2, MIN_RADIUS);
    const double center = (cloud->high[1] + cloud->low[1]) / 2;
    Lines lines = {.count = 1, .middle = (cloud->high[2] + cloud->low[2]) / 2};

    if (half_width > WIDE * half_depth)
        lines.count = (int)fmin(ceil(half_width / half_depth), MAX_LINES);
    for (int i = 0; i < lines.count; i++) {
        const double side = lines.count > 1 ? 2.0 * i / (lines.count - 1) - 1 : 0;
        lines.across[i] = center + side * fmax(half_width - half_depth, 0);
    }
    return lines;
}

static bool is_nearest(const Lines *lines, int line, double across)
{
    for (int i = 0; i < lines->count; i++)
        if (fabs(across - lines->across[i]) < fabs(across - lines->across[line]))
            return false;
    return true;
}

/* Quantile of the distances of a line's vertices from it, from one end to the middle. */
static double radius_of(Cloud *cloud, const Lines *lines, int line, double low, double high)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < cloud->count; i++) {
        const double along = coordinate(cloud, i, 0), across = coordinate(cloud, i, 1);
        if (along >= low && along <= high && is_nearest(lines, line, across))
            cloud->scratch[count++] =
                hypot(across - lines->across[line], coordinate(cloud, i, 2) - lines->middle);
    }
    return quantile(cloud->scratch, count, RADIUS);
}

static Vec3 point_on(const Cloud *cloud, const Lines *lines, int line, double along)
{
    Vec3 p = vec3_add(cloud->center, vec3_scale(cloud->axes[0], along));

    p = vec3_add(p, vec3_scale(cloud->axes[1], lines->across[line]));
    return vec3_add(p, vec3_scale(cloud->axes[2], lines->middle));
}

static bool fit_line(ClothCollider *out, Cloud *cloud, const Lines *lines, int line, int32_t bone,
                     double scale)
{
    const double low = cloud->low[0], high = cloud->high[0], middle = (low + high) / 2;
    double r0 = radius_of(cloud, lines, line, low, middle);
    double r1 = radius_of(cloud, lines, line, middle, high);

    r0 = r0 > 0 ? r0 : r1;
    r1 = r1 > 0 ? r1 : r0;
    if (fmax(r0, r1) < MIN_RADIUS)
        return false;
    double from = low + END_INSET * r0, to = high - END_INSET * r1;
    if (from > to)
        from = to = middle;
    *out = (ClothCollider){
        .shape = CLOTH_CAPSULE,
        .bones = {bone, bone},
        .ends = {point_on(cloud, lines, line, from), point_on(cloud, lines, line, to)},
        .radius = r0 * scale,
        .taper = (r1 - r0) * scale};
    return true;
}

static uint32_t fit_bone(ClothCollider *out, Cloud *cloud, int32_t bone, double scale)
{
    uint32_t count = 0;

    find_directions(cloud);
    for (int axis = 0; axis < 3; axis++) {
        for (uint32_t i = 0; i < cloud->count; i++)
            cloud->scratch[i] = coordinate(cloud, i, axis);
        cloud->low[axis] = quantile(cloud->scratch, cloud->count, EXTENT);
        cloud->high[axis] = quantile(cloud->scratch, cloud->count, 1 - EXTENT);
    }
    sort_axes(cloud);
    const Lines lines = place_lines(cloud);
    for (int i = 0; i < lines.count; i++)
        count += fit_line(&out[count], cloud, &lines, i, bone, scale);
    return count;
}

/* ---- which vertices a bone has ---- */

/* Lists the vertices of each bone: those of bone b are members[first[b]] to members[first[b + 1] -
 * 1]. */
static void group_vertices(uint32_t *members, uint32_t *first, const PmxModel *pmx,
                           const bool *used)
{
    memset(first, 0, ((size_t)pmx->bone_count + 2) * sizeof *first);
    for (uint32_t i = 0; i < pmx->vertex_count; i++) {
        const int32_t bone = cloth_dominant_bone(&pmx->vertices[i]);
        if (used[i] && bone >= 0)
            first[bone + 2]++;
    }
    for (uint32_t b = 2; b < pmx->bone_count + 2; b++)
        first[b] += first[b - 1];
    for (uint32_t i = 0; i < pmx->vertex_count; i++) {
        const int32_t bone = cloth_dominant_bone(&pmx->vertices[i]);
        if (used[i] && bone >= 0)
            members[first[bone + 1]++] = i;
    }
}

double cloth_capsule_distance(const ClothCollider *c, Vec3 p, double scale)
{
    const Vec3 segment = vec3_sub(c->ends[1], c->ends[0]), d = vec3_sub(p, c->ends[0]);
    const double square = vec3_dot(segment, segment);
    const double u = square > 0 ? fmin(fmax(vec3_dot(d, segment) / square, 0), 1) : 0;

    return vec3_length(vec3_sub(d, vec3_scale(segment, u))) - (c->radius + u * c->taper) / scale;
}

/* Keeps the members that are far outside of all capsules of their bone: bows, frills. */
static void keep_outside(Cloud *cloud, const ClothCollider *capsules, uint32_t count, double scale)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < cloud->count; i++) {
        double nearest = DBL_MAX;
        for (uint32_t k = 0; k < count; k++)
            nearest =
                fmin(nearest,
                     cloth_capsule_distance(&capsules[k], cloud->points[cloud->members[i]], scale));
        if (nearest > OUTSIDE)
            cloud->members[kept++] = cloud->members[i];
    }
    cloud->count = kept;
}

/* ---- cores of arms and legs ---- */

typedef struct LimbJoint {
    const char *name, *name_en;
} LimbJoint;

enum { LIMBS = 4, JOINTS = 3 };
static const LimbJoint LIMB_JOINTS[LIMBS][JOINTS] = {
    {{"左腕", "arm_L"}, {"左ひじ", "elbow_L"}, {"左手首", "wrist_L"}},
    {{"右腕", "arm_R"}, {"右ひじ", "elbow_R"}, {"右手首", "wrist_R"}},
    {{"左足", "leg_L"}, {"左ひざ", "knee_L"}, {"左足首", "ankle_L"}},
    {{"右足", "leg_R"}, {"右ひざ", "knee_R"}, {"右足首", "ankle_R"}}};

static int32_t find_joint(const PmxModel *pmx, const LimbJoint *joint)
{
    const int32_t bone =
        text_find(TEXT_NAMES(PmxBone, name, pmx->bones, pmx->bone_count), joint->name);
    return bone >= 0 ? bone
                     : text_find(TEXT_NAMES(PmxBone, name_en, pmx->bones, pmx->bone_count),
                                 joint->name_en);
}

/* Where vertices are far from each other, as between those of a bare arm and a cuff, the capsules
 * of bones leave gaps between joints, through which a sleeve would slip: another one from the first
 * to the last place that is not deep in them closes these.  It is as thin as a limb at its thin
 * places. */
static bool fit_core(ClothCollider *out, const ClothCollider *capsules, uint32_t count, Vec3 from,
                     Vec3 to, double scale)
{
    const Vec3 step = vec3_scale(vec3_sub(to, from), 1.0 / CORE_PLACES);
    double depths[CORE_PLACES];
    uint32_t inside = 0;
    int first = CORE_PLACES, last = 0;

    for (int i = 0; i < CORE_PLACES; i++) {
        const Vec3 place = vec3_add(from, vec3_scale(step, i + 0.5));
        double depth = 0;
        for (uint32_t k = 0; k < count; k++)
            depth = fmax(depth, -cloth_capsule_distance(&capsules[k], place, scale));
        if (depth > 0)
            depths[inside++] = depth;
        if (depth < MIN_RADIUS) {
            first = first < i ? first : i;
            last = i + 1;
        }
    }
    if (inside == 0 || last == 0)
        return false;
    *out = (ClothCollider){
        .shape = CLOTH_CAPSULE,
        .ends = {vec3_add(from, vec3_scale(step, first)), vec3_add(from, vec3_scale(step, last))},
        .radius = fmax(quantile(depths, inside, CORE_RADIUS), MIN_RADIUS) * scale};
    return true;
}

static uint32_t fit_cores(ClothCollider *out, const ClothCollider *capsules, uint32_t count,
                          const PmxModel *pmx, double scale)
{
    uint32_t cores = 0;

    for (int limb = 0; limb < LIMBS; limb++)
        for (int k = 0; k + 1 < JOINTS; k++) {
            const int32_t from = find_joint(pmx, &LIMB_JOINTS[limb][k]);
            const int32_t to = find_joint(pmx, &LIMB_JOINTS[limb][k + 1]);
            if (from < 0 || to < 0 ||
                !fit_core(&out[cores], capsules, count, vec3_load(pmx->bones[from].position),
                          vec3_load(pmx->bones[to].position), scale))
                continue;
            out[cores].bones[0] = out[cores].bones[1] = from;
            cores++;
        }
    return cores;
}

/* ---- public function ---- */

uint32_t cloth_fit_capsules(ClothCollider out[CLOTH_FIT_MAX], const ClothSpec *spec,
                            const PmxModel *pmx, double scale)
{
    Arena *arena = arena_create();
    bool *used = arena_array(arena, bool, pmx->vertex_count);
    uint32_t *members = arena_array(arena, uint32_t, pmx->vertex_count);
    uint32_t *first = arena_array(arena, uint32_t, (size_t)pmx->bone_count + 2);
    Cloud cloud = {.points = arena_array(arena, Vec3, pmx->vertex_count),
                   .scratch = arena_array(arena, double, pmx->vertex_count)};
    uint32_t count = 0;

    for (uint32_t i = 0; i < pmx->vertex_count; i++)
        cloud.points[i] = vec3_load(pmx->vertices[i].position);
    /* Marks the vertices of all materials that count. */
    for (uint32_t m = 0; m < pmx->material_count; m++) {
        const PmxMaterial *material = &pmx->materials[m];
        for (uint32_t i = 0; counts(pmx, m, spec) && i < material->index_count; i++)
            used[pmx->indices[material->first_index + i]] = true;
    }
    group_vertices(members, first, pmx, used);
    for (uint32_t b = 0; b < pmx->bone_count; b++) {
        const uint32_t before = count;
        cloud.members = members + first[b];
        cloud.count = first[b + 1] - first[b];
        for (int round = 0;
             round < ROUNDS && cloud.count >= MIN_VERTICES && count + MAX_LINES <= CLOTH_FIT_MAX;
             round++) {
            count += fit_bone(out + count, &cloud, (int32_t)b, scale);
            keep_outside(&cloud, out + before, count - before, scale);
        }
    }
    if (!spec->material && count + LIMBS * (JOINTS - 1) <= CLOTH_FIT_MAX)
        count += fit_cores(out + count, out, count, pmx, scale);
    arena_destroy(arena);
    return count;
}
