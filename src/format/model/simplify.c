// SPDX-License-Identifier: MIT
#include "format/model/simplify.h"

#include <math.h>
#include <string.h>

enum { MAX_PASSES = 8, MIN_GAIN = 50, MAX_NEIGHBOURS = 32 };

static const double MAX_WEIGHT_DIFFERENCE = 0.5; /* sum of the absolute differences of weights */
static const double MIN_NORMAL_COSINE = 0.5;     /* between a face before and after a collapse */

/* Sum of squared distances to planes: the upper half of a symmetric 4 x 4 matrix. */
typedef struct Quadric {
    double m[10];
} Quadric;

typedef struct Simplifier {
    const PmxModel *pmx;
    uint32_t *vertices; /* [vertex_count]: in the file, of the vertices that the list uses */
    uint32_t vertex_count;
    uint32_t *indices; /* indices into `vertices` */
    uint32_t count;
    bool *fixed;       /* [vertex_count]: by the caller, or on an edge without one opposite face */
    Quadric *quadrics; /* [vertex_count] */
    uint32_t *first;   /* [vertex_count + 1]: faces of each vertex, in `faces` */
    uint32_t *faces;   /* [count] */
    uint32_t *target;  /* [vertex_count]: the vertex that replaces it in this pass */
    bool *touched;     /* [vertex_count]: a face of it changes in this pass */
    bool *settled;     /* [vertex_count]: has no target until a face near it changes */
    bool *changed;     /* [vertex_count]: a face of it or of a neighbour changes in this pass */
    double error2;
} Simplifier;

static const PmxVertex *vertex_at(const Simplifier *s, uint32_t vertex)
{
    return &s->pmx->vertices[s->vertices[vertex]];
}

static const float *position(const Simplifier *s, uint32_t vertex)
{
    return vertex_at(s, vertex)->position;
}

/* Twice the area vector of a triangle. */
static void cross(double out[3], const float a[3], const float b[3], const float c[3])
{
    double u[3], v[3];

    for (int i = 0; i < 3; i++) {
        u[i] = (double)b[i] - (double)a[i];
        v[i] = (double)c[i] - (double)a[i];
    }
    out[0] = u[1] * v[2] - u[2] * v[1];
    out[1] = u[2] * v[0] - u[0] * v[2];
    out[2] = u[0] * v[1] - u[1] * v[0];
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* ---- errors ---- */

static void add_plane(Quadric *q, const double n[3], double d)
{
    const double p[4] = {n[0], n[1], n[2], d};
    int k = 0;

    for (int i = 0; i < 4; i++)
        for (int j = i; j < 4; j++)
            q->m[k++] += p[i] * p[j];
}

static double squared_error(const Quadric *q, const float at[3])
{
    const double p[4] = {(double)at[0], (double)at[1], (double)at[2], 1.0};
    double sum = 0.0;
    int k = 0;

    for (int i = 0; i < 4; i++)
        for (int j = i; j < 4; j++)
            sum += (i == j ? 1.0 : 2.0) * q->m[k++] * p[i] * p[j];
    return sum;
}

static void add_quadrics(Simplifier *s)
{
    for (uint32_t i = 0; i < s->count; i += 3) {
        const uint32_t *face = s->indices + i;
        const float *a = position(s, face[0]);
        double n[3];

        cross(n, a, position(s, face[1]), position(s, face[2]));
        const double length = sqrt(dot(n, n));
        if (!(length > 0.0))
            continue;
        for (int k = 0; k < 3; k++)
            n[k] /= length;
        const double d = -(n[0] * (double)a[0] + n[1] * (double)a[1] + n[2] * (double)a[2]);
        for (int k = 0; k < 3; k++)
            add_plane(&s->quadrics[face[k]], n, d);
    }
}

static double weight_of(const PmxVertex *vertex, int32_t bone)
{
    double sum = 0.0;

    for (int i = 0; i < PMX_MAX_WEIGHTS; i++)
        if (vertex->bones[i] == bone)
            sum += (double)vertex->weights[i];
    return sum;
}

static bool moves_alike(const PmxVertex *a, const PmxVertex *b)
{
    double difference = 0.0;

    for (int i = 0; i < PMX_MAX_WEIGHTS; i++) {
        if (a->weights[i] != 0.0f)
            difference += fabs((double)a->weights[i] - weight_of(b, a->bones[i]));
        if (b->weights[i] != 0.0f && weight_of(a, b->bones[i]) == 0.0)
            difference += fabs((double)b->weights[i]);
    }
    return difference <= MAX_WEIGHT_DIFFERENCE;
}

/* ---- connections ---- */

static void list_faces(Simplifier *s)
{
    memset(s->first, 0, (s->vertex_count + 1) * sizeof *s->first);
    for (uint32_t i = 0; i < s->count; i++)
        s->first[s->indices[i] + 1]++;
    for (uint32_t i = 0; i < s->vertex_count; i++)
        s->first[i + 1] += s->first[i];
    for (uint32_t i = 0; i < s->count; i++)
        s->faces[s->first[s->indices[i]]++] = i / 3;
    for (uint32_t i = s->vertex_count; i > 0; i--)
        s->first[i] = s->first[i - 1];
    s->first[0] = 0;
}

static const uint32_t *face_at(const Simplifier *s, uint32_t entry)
{
    return s->indices + 3 * (size_t)s->faces[entry];
}

static bool has_vertex(const uint32_t face[3], uint32_t vertex)
{
    return face[0] == vertex || face[1] == vertex || face[2] == vertex;
}

/* Whether exactly one face has the edge from -> to, and one to -> from. */
static bool has_two_faces(const Simplifier *s, uint32_t from, uint32_t to)
{
    int forward = 0, backward = 0;

    for (uint32_t e = s->first[from]; e < s->first[from + 1]; e++) {
        const uint32_t *face = face_at(s, e);
        const uint32_t a = face[0], b = face[1], c = face[2];

        forward += (a == from && b == to) + (b == from && c == to) + (c == from && a == to);
        backward += (a == to && b == from) + (b == to && c == from) + (c == to && a == from);
    }
    return forward == 1 && backward == 1;
}

static void fix_borders(Simplifier *s)
{
    for (uint32_t i = 0; i < s->count; i++) {
        const uint32_t from = s->indices[i];
        const uint32_t to = s->indices[i % 3 == 2 ? i - 2 : i + 1];

        if (!(s->fixed[from] && s->fixed[to]) && !has_two_faces(s, from, to))
            s->fixed[from] = s->fixed[to] = true;
    }
}

/* Lists the vertices that share a face with `vertex`; returns 0 if there are too many. */
static int neighbours(uint32_t out[MAX_NEIGHBOURS], const Simplifier *s, uint32_t vertex)
{
    int count = 0;

    for (uint32_t e = s->first[vertex]; e < s->first[vertex + 1]; e++)
        for (int k = 0; k < 3; k++) {
            const uint32_t other = face_at(s, e)[k];
            int i = 0;

            while (i < count && out[i] != other)
                i++;
            if (i < count || other == vertex)
                continue;
            if (count == MAX_NEIGHBOURS)
                return 0;
            out[count++] = other;
        }
    return count;
}

/* An edge whose ends have other common neighbours than its two faces would fold the surface. */
static bool folds(const Simplifier *s, const uint32_t *around, int count, uint32_t to)
{
    uint32_t others[MAX_NEIGHBOURS];
    const int other_count = neighbours(others, s, to);
    int common = 0;

    for (int i = 0; i < count; i++)
        for (int k = 0; k < other_count; k++)
            common += around[i] == others[k];
    return other_count == 0 || common != 2;
}

static bool flips(const Simplifier *s, uint32_t from, uint32_t to)
{
    for (uint32_t e = s->first[from]; e < s->first[from + 1]; e++) {
        const uint32_t *face = face_at(s, e);
        const float *corners[3];
        double before[3], after[3];

        if (has_vertex(face, to))
            continue;
        for (int k = 0; k < 3; k++)
            corners[k] = position(s, face[k]);
        cross(before, corners[0], corners[1], corners[2]);
        for (int k = 0; k < 3; k++)
            corners[k] = position(s, face[k] == from ? to : face[k]);
        cross(after, corners[0], corners[1], corners[2]);
        if (dot(before, after) <= MIN_NORMAL_COSINE * sqrt(dot(before, before) * dot(after, after)))
            return true;
    }
    return false;
}

/* ---- collapses ---- */

/* The best vertex for `from` to merge into, or `from`; settled if that does not depend on what
 * has been touched. */
static uint32_t find_target(Simplifier *s, uint32_t from, const uint32_t *around, int count)
{
    double best_error = s->error2;
    uint32_t best = from;

    s->settled[from] = true;
    for (int i = 0; i < count; i++) {
        const uint32_t to = around[i];
        const double error = squared_error(&s->quadrics[from], position(s, to));

        if (!(error < best_error))
            continue;
        if (s->touched[to])
            s->settled[from] = false;
        else if (moves_alike(vertex_at(s, from), vertex_at(s, to)) &&
                 !folds(s, around, count, to) && !flips(s, from, to)) {
            best_error = error;
            best = to;
        }
    }
    return best;
}

/* The targets of a vertex and of its neighbours depend on its faces. */
static void mark_neighbours(Simplifier *s, uint32_t vertex)
{
    for (uint32_t e = s->first[vertex]; e < s->first[vertex + 1]; e++)
        for (int k = 0; k < 3; k++)
            s->changed[face_at(s, e)[k]] = true;
}

static bool collapse(Simplifier *s, uint32_t from)
{
    uint32_t around[MAX_NEIGHBOURS];
    const int count = neighbours(around, s, from);
    const uint32_t to = find_target(s, from, around, count);

    if (to == from)
        return false;
    s->target[from] = to;
    for (int k = 0; k < 10; k++)
        s->quadrics[to].m[k] += s->quadrics[from].m[k];
    s->touched[from] = true;
    for (int i = 0; i < count; i++) {
        s->touched[around[i]] = true;
        mark_neighbours(s, around[i]);
    }
    return true;
}

static void remove_degenerate_faces(Simplifier *s)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < s->count; i += 3) {
        const uint32_t a = s->target[s->indices[i]], b = s->target[s->indices[i + 1]];
        const uint32_t c = s->target[s->indices[i + 2]];

        if (a == b || b == c || c == a)
            continue;
        s->indices[count] = a;
        s->indices[count + 1] = b;
        s->indices[count + 2] = c;
        count += 3;
    }
    s->count = count;
}

/* Collapses independent edges, in the order of the vertices; returns their number. */
static uint32_t run_pass(Simplifier *s)
{
    uint32_t collapsed = 0;

    list_faces(s);
    for (uint32_t i = 0; i < s->vertex_count; i++) {
        s->target[i] = i;
        s->settled[i] = s->settled[i] && !s->changed[i];
        s->touched[i] = s->changed[i] = false;
    }
    for (uint32_t i = 0; i < s->vertex_count; i++)
        if (s->first[i] < s->first[i + 1] && !s->fixed[i] && !s->touched[i] && !s->settled[i])
            collapsed += collapse(s, i);
    remove_degenerate_faces(s);
    return collapsed;
}

/* Numbers the vertices that the list uses, in the order of their first use. */
static void number_vertices(Simplifier *s, const bool *fixed, Arena *scratch)
{
    uint32_t *number = arena_array(scratch, uint32_t, s->pmx->vertex_count); /* + 1; 0: none */

    s->vertices = arena_array(scratch, uint32_t, s->count);
    s->fixed = arena_array(scratch, bool, s->count);
    for (uint32_t i = 0; i < s->count; i++) {
        const uint32_t vertex = s->indices[i];

        if (number[vertex] == 0) {
            s->fixed[s->vertex_count] = fixed[vertex];
            s->vertices[s->vertex_count] = vertex;
            number[vertex] = ++s->vertex_count;
        }
        s->indices[i] = number[vertex] - 1;
    }
}

uint32_t simplify_triangles(uint32_t *indices, uint32_t index_count, const PmxModel *pmx,
                            const bool *fixed, float error, Arena *scratch)
{
    Simplifier s = {.pmx = pmx,
                    .indices = indices,
                    .count = index_count,
                    .error2 = (double)error * (double)error};

    number_vertices(&s, fixed, scratch);
    s.quadrics = arena_array(scratch, Quadric, s.vertex_count);
    s.first = arena_array(scratch, uint32_t, (size_t)s.vertex_count + 1);
    s.faces = arena_array(scratch, uint32_t, index_count);
    s.target = arena_array(scratch, uint32_t, s.vertex_count);
    s.touched = arena_array(scratch, bool, s.vertex_count);
    s.settled = arena_array(scratch, bool, s.vertex_count);
    s.changed = arena_array(scratch, bool, s.vertex_count);
    list_faces(&s);
    fix_borders(&s);
    add_quadrics(&s);
    for (int i = 0; i < MAX_PASSES; i++)
        if (run_pass(&s) * MIN_GAIN < s.count / 3)
            break;
    for (uint32_t i = 0; i < s.count; i++)
        indices[i] = s.vertices[indices[i]];
    return s.count;
}
