// SPDX-License-Identifier: MIT
#include "evaluate/follow/head_choice.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum {
    INSIDE = FRAME_SIDES,
    CHOICES
}; /* a choice below INSIDE is the side beyond which the head is */
enum { ROUNDS = 3 };

/* Costs, each for a second of the film unless it says otherwise. */
static const double CUT_COST = 6;  /* a head is cut */
static const double ZOOM_COST = 1; /* the camera is e times as far away as without the head */
static const double OFF_CENTER_COST =
    0.5; /* the eye must be half a frame away from the middle of what is required */
static const double SWITCH_COST =
    6; /* in all: a change of the choice, during which the edge passes over the head */

/* ---- one sample ---- */

/* What the eye must fulfil in one sample. */
typedef struct Limits {
    double required[FRAME_SIDES], barrier[FRAME_SIDES];
} Limits;

static Limits limits_at(const FrameNeeds *needs, uint32_t sample)
{
    Limits limits;
    for (int side = 0; side < FRAME_SIDES; side++) {
        limits.required[side] = needs->required[side][sample];
        limits.barrier[side] = needs->barrier[side][sample];
    }
    return limits;
}

static void add_head(Limits *limits, const HeadBounds *head, int choice, uint32_t sample)
{
    if (choice < INSIDE)
        limits->barrier[choice] = fmax(limits->barrier[choice], head->outside[choice][sample]);
    for (int side = 0; side < FRAME_SIDES && choice == INSIDE; side++)
        limits->required[side] = fmax(limits->required[side], head->inside[side][sample]);
}

static double needed_distance(const Limits *limits, double rest, const FrameNeeds *needs)
{
    const double *r = limits->required;
    return fmax(rest, fmax((r[RIGHT] + r[LEFT]) / (2 * needs->inner[0]),
                           (r[TOP] + r[BOTTOM]) / (2 * needs->inner[1])));
}

static double barrier_distance(const Limits *limits, const FrameNeeds *needs)
{
    double most = HUGE_VAL;
    for (int side = 0; side < FRAME_SIDES; side++) {
        const double inner = needs->inner[side / 2], outer = needs->outer[side / 2];
        most = fmin(most, (-limits->barrier[side] - limits->required[side]) / (outer - inner));
        most = fmin(most, -(limits->barrier[side] + limits->barrier[side ^ 1]) / (2 * outer));
    }
    return most;
}

/* How far the eye must be away from the middle of what is required, along one axis; a part of half
 * the frame. */
static double off_center(const Limits *limits, double distance, const FrameNeeds *needs, int axis)
{
    const int high = 2 * axis, low = high + 1;
    const double middle = (limits->required[high] - limits->required[low]) / 2;
    const double most = -limits->barrier[high] - needs->outer[axis] * distance;
    const double least = needs->outer[axis] * distance + limits->barrier[low];
    return fmax(0, fmax(middle - most, least - middle)) / (needs->inner[axis] * distance);
}

/* Of a second with these limits, compared with those before. */
static double cost_of(const Limits *limits, const Limits *before, double rest,
                      const FrameNeeds *needs)
{
    const double distance = needed_distance(limits, rest, needs);
    const double zoom = ZOOM_COST * log(distance / needed_distance(before, rest, needs));
    if (distance > barrier_distance(limits, needs))
        return zoom + CUT_COST;
    return zoom + OFF_CENTER_COST * (off_center(limits, distance, needs, 0) +
                                     off_center(limits, distance, needs, 1));
}

/* ---- one head ---- */

/* The cheapest sequence of choices, by dynamic programming; costs and came_from are buffers of
 * [count]. */
static void choose(uint8_t *choices, double (*costs)[CHOICES], uint8_t (*came_from)[CHOICES],
                   uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        int best = INSIDE;
        for (int c = 0; c < CHOICES; c++)
            best = costs[i - 1][c] < costs[i - 1][best] ? c : best;
        for (int c = 0; c < CHOICES; c++) {
            const bool stay = costs[i - 1][c] <= costs[i - 1][best] + SWITCH_COST;
            came_from[i][c] = (uint8_t)(stay ? c : best);
            costs[i][c] += stay ? costs[i - 1][c] : costs[i - 1][best] + SWITCH_COST;
        }
    }
    int choice = INSIDE;
    for (int c = 0; c < CHOICES; c++)
        choice = costs[count - 1][c] < costs[count - 1][choice] ? c : choice;
    for (uint32_t i = count; i--; choice = came_from[i][choice])
        choices[i] = (uint8_t)choice;
}

/* ---- all heads ---- */

typedef struct Search {
    const FrameNeeds *needs;
    const HeadBounds *heads; /* [head_count] */
    uint32_t head_count;
    double (*costs)[CHOICES]; /* buffers of choose */
    uint8_t (*came_from)[CHOICES];
} Search;

/* With the choices of all heads but one, whose index may be head_count; a head without choices does
 * not count. */
static Limits limits_with(const Search *search, uint8_t *const *choices, uint32_t except,
                          uint32_t sample)
{
    Limits limits = limits_at(search->needs, sample);
    for (uint32_t h = 0; h < search->head_count; h++)
        if (h != except && choices[h])
            add_head(&limits, &search->heads[h], choices[h][sample], sample);
    return limits;
}

/* The best choices of one head, given those of all others. */
static void improve(const Search *search, uint8_t **choices, uint32_t head, Arena *scratch)
{
    const FrameNeeds *needs = search->needs;
    for (uint32_t i = 0; i < needs->count; i++) {
        const Limits before = limits_with(search, choices, head, i);
        for (int c = 0; c < CHOICES; c++) {
            Limits limits = before;
            add_head(&limits, &search->heads[head], c, i);
            search->costs[i][c] = needs->step_s * cost_of(&limits, &before, needs->rest[i], needs);
        }
    }
    if (!choices[head])
        choices[head] = arena_array(scratch, uint8_t, needs->count);
    choose(choices[head], search->costs, search->came_from, needs->count);
}

/* Adds one head after the other. */
static uint8_t **near_first(const Search *search, Arena *scratch)
{
    uint8_t **choices = arena_array(scratch, uint8_t *, search->head_count);
    for (int round = 0; round < ROUNDS; round++)
        for (uint32_t h = 0; h < search->head_count; h++)
            improve(search, choices, h, scratch);
    return choices;
}

/* Starts with all heads in the frame. */
static uint8_t **far_first(const Search *search, Arena *scratch)
{
    uint8_t **choices = arena_array(scratch, uint8_t *, search->head_count);
    for (uint32_t h = 0; h < search->head_count; h++) {
        choices[h] = arena_array(scratch, uint8_t, search->needs->count);
        memset(choices[h], INSIDE, search->needs->count);
    }
    for (int round = 0; round < ROUNDS; round++)
        for (uint32_t h = search->head_count; h--;)
            improve(search, choices, h, scratch);
    return choices;
}

static double total_cost(const Search *search, uint8_t *const *choices)
{
    const FrameNeeds *needs = search->needs;
    double sum = 0;
    for (uint32_t i = 0; i < needs->count; i++) {
        const Limits before = limits_at(needs, i),
                     limits = limits_with(search, choices, search->head_count, i);
        sum += needs->step_s * cost_of(&limits, &before, needs->rest[i], needs);
        for (uint32_t h = 0; h < search->head_count; h++)
            sum += i && choices[h][i] != choices[h][i - 1] ? SWITCH_COST : 0;
    }
    return sum;
}

/* ---- public functions ---- */

double frame_needed_distance(const FrameNeeds *needs, uint32_t sample)
{
    const Limits limits = limits_at(needs, sample);
    return needed_distance(&limits, needs->rest[sample], needs);
}

double frame_barrier_distance(const FrameNeeds *needs, uint32_t sample)
{
    const Limits limits = limits_at(needs, sample);
    return barrier_distance(&limits, needs);
}

void head_choose(FrameNeeds *needs, const HeadBounds *heads, uint32_t head_count, Arena *scratch)
{
    Search search = {.needs = needs,
                     .heads = heads,
                     .head_count = head_count,
                     .costs = arena_calloc(scratch, needs->count, sizeof *search.costs),
                     .came_from = arena_calloc(scratch, needs->count, sizeof *search.came_from)};
    uint8_t **const near = near_first(&search, scratch), **const far = far_first(&search, scratch);
    uint8_t **const choices = total_cost(&search, far) <= total_cost(&search, near) ? far : near;
    for (uint32_t i = 0; i < needs->count; i++) {
        const Limits limits = limits_with(&search, choices, head_count, i);
        for (int side = 0; side < FRAME_SIDES; side++) {
            needs->required[side][i] = limits.required[side];
            needs->barrier[side][i] = limits.barrier[side];
        }
    }
}
