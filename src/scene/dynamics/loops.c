// SPDX-License-Identifier: MIT
#include "scene/dynamics/loops.h"

#include <math.h>

/* Two joints of the same bodies are one if they are apart by this part of the length. */
static const float SAME_POINT = 0.1f;

typedef struct Search {
    Dynamics *plan;
    const PmxModel *pmx;
    uint32_t *rank;  /* [body_count] 1 + its index in `chained`; 0: not linked */
    uint32_t *depth; /* [body_count] number of links from a body in place */
    uint32_t *first; /* [body_count] union-find: a body of the same group with a lower rank */
} Search;

static uint32_t above(const Search *s, uint32_t body)
{
    return (uint32_t)s->plan->bodies[body].link_from;
}

static void rank_bodies(Search *s)
{
    for (uint32_t i = 0; i < s->plan->chained_count; i++) {
        const uint32_t body = s->plan->chained[i];
        s->rank[body] = i + 1;
        s->depth[body] = s->depth[above(s, body)] + 1;
        s->first[body] = body;
    }
}

static float distance(const float a[3], const float b[3])
{
    return hypotf(hypotf(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

/* Whether a joint is the link of a body, or is where the link to the same body is. */
static bool is_at_link(const Search *s, uint32_t joint, int32_t body, int32_t other)
{
    const BodyPlan *plan = &s->plan->bodies[body];
    return plan->link_from == other &&
           distance(s->pmx->joints[joint].position, s->pmx->joints[plan->link].position) <=
               SAME_POINT * plan->link_length;
}

/* The length of the shorter link of a joint's bodies. */
static float length_of(const Search *s, const PmxJoint *joint)
{
    const BodyPlan *a = &s->plan->bodies[joint->body_a], *b = &s->plan->bodies[joint->body_b];
    return fminf(a->link >= 0 ? a->link_length : INFINITY,
                 b->link >= 0 ? b->link_length : INFINITY);
}

/* Whether a joint holds linked bodies, or a linked one and one in place, together, away from links:
 * its play is shorter than they are. */
static bool closes(const Search *s, uint32_t joint)
{
    const PmxJoint *file = &s->pmx->joints[joint];
    if (!s->plan->joint_works[joint])
        return false;
    return (s->rank[file->body_a] > 0 || s->rank[file->body_b] > 0) &&
           dynamics_joint_play(file) <= length_of(s, file) &&
           !is_at_link(s, joint, file->body_a, file->body_b) &&
           !is_at_link(s, joint, file->body_b, file->body_a);
}

/* Number of steps of the loop that a joint closes; 0 if a link has no limit. */
static uint32_t count_steps(const Search *s, uint32_t joint)
{
    uint32_t a = (uint32_t)s->pmx->joints[joint].body_a, b = (uint32_t)s->pmx->joints[joint].body_b;
    uint32_t count = 1;

    while (a != b && s->depth[a] + s->depth[b] > 0) {
        uint32_t *deeper = s->depth[a] >= s->depth[b] ? &a : &b;
        if (!isfinite(s->plan->bodies[*deeper].link_play))
            return 0;
        *deeper = above(s, *deeper);
        count++;
    }
    return count;
}

/* The steps down to body_a are written backwards from the joint, those up from body_b forwards. */
static void write_steps(Loop *loop, LoopStep *steps, const Search *s, uint32_t joint)
{
    const PmxJoint *file = &s->pmx->joints[joint];
    uint32_t a = (uint32_t)file->body_a, b = (uint32_t)file->body_b, down = 0;

    while (a != b && s->depth[a] + s->depth[b] > 0)
        if (s->depth[a] >= s->depth[b]) {
            a = above(s, a);
            down++;
        } else {
            b = above(s, b);
        }
    loop->from = a;
    loop->steps = steps;
    a = (uint32_t)file->body_a;
    b = (uint32_t)file->body_b;
    for (uint32_t i = down; i-- > 0; a = above(s, a)) {
        const BodyPlan *body = &s->plan->bodies[a];
        steps[i] = (LoopStep){(uint32_t)body->link, a, body->link_play, body->link_length};
    }
    steps[down] = (LoopStep){joint, b, dynamics_joint_play(file), length_of(s, file)};
    for (uint32_t i = down + 1; i < loop->step_count; i++, b = above(s, b)) {
        const BodyPlan *body = &s->plan->bodies[b];
        steps[i] =
            (LoopStep){(uint32_t)body->link, above(s, b), body->link_play, body->link_length};
    }
}

static uint32_t first_of(Search *s, uint32_t body)
{
    while (s->first[body] != body)
        body = s->first[body] = s->first[s->first[body]];
    return body;
}

/* The bodies between the ends belong to one group. */
static void join_group(Search *s, const Loop *loop)
{
    for (uint32_t i = 0; i + 1 < loop->step_count; i++) {
        const uint32_t a = first_of(s, loop->steps[0].body), b = first_of(s, loop->steps[i].body);
        if (s->rank[a] < s->rank[b])
            s->first[b] = a;
        else
            s->first[a] = b;
        s->plan->bodies[loop->steps[i].body].loops = 0;
    }
}

static void number_groups(Search *s)
{
    int32_t count = 0;

    for (uint32_t i = 0; i < s->plan->chained_count; i++) {
        const uint32_t body = s->plan->chained[i], first = first_of(s, body);
        BodyPlan *plan = &s->plan->bodies[body];
        if (plan->loops >= 0)
            plan->loops = first == body ? count++ : s->plan->bodies[first].loops;
    }
    s->plan->loop_group_count = (uint32_t)count;
}

/* A stable counting sort. */
static Loop *sort_loops(Search *s, const Loop *loops, Arena *arena)
{
    uint32_t *start = arena_array(arena, uint32_t, (size_t)s->plan->loop_group_count + 2);
    Loop *sorted = arena_array(arena, Loop, s->plan->loop_count);

    for (uint32_t i = 0; i < s->plan->loop_count; i++)
        start[s->plan->bodies[loops[i].steps[0].body].loops + 2]++;
    for (uint32_t g = 2; g < s->plan->loop_group_count + 2; g++)
        start[g] += start[g - 1];
    for (uint32_t i = 0; i < s->plan->loop_count; i++)
        sorted[start[s->plan->bodies[loops[i].steps[0].body].loops + 1]++] = loops[i];
    s->plan->first_loop = start;
    return sorted;
}

void loops_plan(Dynamics *plan, const PmxModel *pmx, Arena *arena)
{
    const size_t most = (size_t)LOOPS_MAX_STEPS * pmx->joint_count;
    Search s = {plan, pmx, arena_array(arena, uint32_t, pmx->body_count),
                arena_array(arena, uint32_t, pmx->body_count),
                arena_array(arena, uint32_t, pmx->body_count)};
    Loop *loops = arena_array(arena, Loop, pmx->joint_count);
    size_t total = 0;

    rank_bodies(&s);
    for (uint32_t i = 0; i < pmx->joint_count; i++) {
        Loop *loop = &loops[plan->loop_count];
        loop->step_count = closes(&s, i) ? count_steps(&s, i) : 0;
        total += loop->step_count;
        if (total > most)
            break;
        if (loop->step_count == 0)
            continue;
        write_steps(loop, arena_array(arena, LoopStep, loop->step_count), &s, i);
        join_group(&s, loop);
        plan->loop_count++;
    }
    number_groups(&s);
    plan->loops = sort_loops(&s, loops, arena);
}
