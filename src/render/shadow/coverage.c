// SPDX-License-Identifier: MIT
#include "render/shadow/coverage.h"

#include <stdbool.h>
#include <string.h>

#include "math/scalar.h"

enum { WORD = 32 };

void coverage_begin(Coverage *c, int width, int height, Arena *arena)
{
    const size_t words = ((size_t)width + WORD - 1) / WORD, size = words * (size_t)height;

    if (size > c->capacity) {
        c->bits = arena_calloc(arena, size, sizeof *c->bits);
        c->capacity = size;
    } else if (c->top < c->bottom) {
        memset(c->bits + (size_t)c->top * c->words, 0,
               (size_t)(c->bottom - c->top) * c->words * sizeof *c->bits);
    }
    c->width = width;
    c->height = height;
    c->words = words;
    c->top = height;
    c->bottom = 0;
}

/* The number of sample centers below `position`, at most `count`. */
static inline int samples_below(float position, int count)
{
    const float limit = (float)count;

    if (!(position > 0.0f))
        return 0;
    return (int)((position < limit ? position : limit) + 0.5f);
}

static inline void set_bits(uint32_t *row, int from, int to)
{
    const int first = from / WORD, last = (to - 1) / WORD;
    const uint32_t head = UINT32_MAX << (unsigned)from % WORD;
    const uint32_t tail = UINT32_MAX >> (WORD - 1 - (unsigned)(to - 1) % WORD);

    if (first == last) {
        row[first] |= head & tail;
        return;
    }
    row[first] |= head;
    for (int i = first + 1; i < last; i++)
        row[i] = UINT32_MAX;
    row[last] |= tail;
}

/* An edge from its upper end. */
typedef struct Edge {
    float x, y, slope;
} Edge;

static inline Edge edge_of(CoveragePoint upper, CoveragePoint lower)
{
    return (Edge){upper.x, upper.y, (lower.x - upper.x) / (lower.y - upper.y)};
}

static inline int column_at(const Coverage *c, const Edge *edge, int row)
{
    return samples_below(edge->x + ((float)row + 0.5f - edge->y) * edge->slope, c->width);
}

static inline void set_rows(Coverage *c, int top, int bottom, const Edge *a, const Edge *b)
{
    for (int row = top; row < bottom; row++) {
        const int p = column_at(c, a, row), q = column_at(c, b, row);

        if (p < q)
            set_bits(c->bits + (size_t)row * c->words, p, q);
        else if (q < p)
            set_bits(c->bits + (size_t)row * c->words, q, p);
    }
}

static inline void order(CoveragePoint *upper, CoveragePoint *lower)
{
    const CoveragePoint a = *upper;

    if (a.y < lower->y || (a.y == lower->y && a.x <= lower->x))
        return;
    *upper = *lower;
    *lower = a;
}

/* Whether all samples of the rectangle around a triangle are covered, as are those of most
 * triangles of a model that lie above each other; only rectangles of up to two words in a row are
 * examined. */
static inline bool is_covered(const Coverage *coverage, int top, int bottom, float left,
                              float right)
{
    const int from = samples_below(left, coverage->width);
    const int to = samples_below(right, coverage->width);

    if (from >= to)
        return true;
    const int first = from / WORD, last = (to - 1) / WORD;
    const uint32_t head = UINT32_MAX << (unsigned)from % WORD;
    const uint32_t tail = UINT32_MAX >> (WORD - 1 - (unsigned)(to - 1) % WORD);
    if (last > first + 1)
        return false;
    const uint32_t masks[2] = {first == last ? head & tail : head, first == last ? 0 : tail};
    const uint32_t *bits = coverage->bits + (size_t)top * coverage->words + first;
    const size_t second = (size_t)(last - first);
    for (int row = top; row < bottom; row++, bits += coverage->words)
        if ((~bits[0] & masks[0]) != 0 || (~bits[second] & masks[1]) != 0)
            return false;
    return true;
}

void coverage_add(Coverage *coverage, CoveragePoint a, CoveragePoint b, CoveragePoint c)
{
    const int top = samples_below(scalar_min3(a.y, b.y, c.y), coverage->height);
    const int bottom = samples_below(scalar_max3(a.y, b.y, c.y), coverage->height);

    if (top >= bottom ||
        is_covered(coverage, top, bottom, scalar_min3(a.x, b.x, c.x), scalar_max3(a.x, b.x, c.x)))
        return;
    order(&a, &b);
    order(&b, &c);
    order(&a, &b);

    const int middle = samples_below(b.y, coverage->height);
    const Edge longest = edge_of(a, c);
    if (top < middle) {
        const Edge upper = edge_of(a, b);
        set_rows(coverage, top, middle, &longest, &upper);
    }
    if (middle < bottom) {
        const Edge lower = edge_of(b, c);
        set_rows(coverage, middle, bottom, &longest, &lower);
    }
    coverage->top = top < coverage->top ? top : coverage->top;
    coverage->bottom = bottom > coverage->bottom ? bottom : coverage->bottom;
}

void coverage_extent(size_t *left, size_t *right, const Coverage *c, int top, int bottom)
{
    *left = c->words;
    *right = 0;
    for (int row = top; row < bottom; row++) {
        const uint32_t *bits = c->bits + (size_t)row * c->words;
        size_t from = 0, to = c->words;

        while (from < *left && bits[from] == 0)
            from++;
        while (to > *right && to > from && bits[to - 1] == 0)
            to--;
        if (from < to) {
            *left = from < *left ? from : *left;
            *right = to > *right ? to : *right;
        }
    }
    if (*left > *right)
        *left = *right;
}
