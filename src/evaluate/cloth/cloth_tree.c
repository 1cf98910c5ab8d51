// SPDX-License-Identifier: MIT
#include "evaluate/cloth/cloth_tree.h"

#include <float.h>
#include <stdbool.h>
#include <stdlib.h>

enum { LEAF = 4 }; /* at most so many masses in a leaf */

typedef struct Node {
    ClothBox box;
    uint32_t start, count; /* in `masses` */
    uint32_t next;         /* the node after this one and all below it */
} Node;

/* Nodes in the order of a depth-first walk. */
struct ClothTree {
    uint32_t *masses;
    Node *nodes;
    uint32_t node_count;
};

typedef struct Key {
    double at;
    uint32_t mass;
} Key;

static int by_position(const void *left, const void *right)
{
    const Key *a = left, *b = right;

    if (a->at < b->at || a->at > b->at)
        return a->at < b->at ? -1 : 1;
    return a->mass < b->mass ? -1 : a->mass > b->mass;
}

static void grow(ClothBox *box, Vec3 low, Vec3 high)
{
    const ClothBox old = *box;

    box->low = (Vec3){low.x < old.low.x ? low.x : old.low.x, low.y < old.low.y ? low.y : old.low.y,
                      low.z < old.low.z ? low.z : old.low.z};
    box->high =
        (Vec3){high.x > old.high.x ? high.x : old.high.x, high.y > old.high.y ? high.y : old.high.y,
               high.z > old.high.z ? high.z : old.high.z};
}

static ClothBox empty_box(void)
{
    return (ClothBox){{DBL_MAX, DBL_MAX, DBL_MAX}, {-DBL_MAX, -DBL_MAX, -DBL_MAX}};
}

static int longest_axis(const uint32_t *masses, uint32_t count, const Vec3 *rest)
{
    ClothBox box = empty_box();
    int longest = 0;

    for (uint32_t i = 0; i < count; i++)
        grow(&box, rest[masses[i]], rest[masses[i]]);
    const Vec3 size = vec3_sub(box.high, box.low);
    for (int axis = 1; axis < 3; axis++)
        if (vec3_component(size, axis) > vec3_component(size, longest))
            longest = axis;
    return longest;
}

/* Sorts the masses of a node along its longest axis and divides them in the middle. */
static void divide(ClothTree *tree, uint32_t start, uint32_t count, const Vec3 *rest, Key *keys)
{
    const uint32_t number = tree->node_count++;

    tree->nodes[number] = (Node){.start = start, .count = count};
    if (count > LEAF) {
        const int axis = longest_axis(tree->masses + start, count, rest);
        for (uint32_t i = 0; i < count; i++)
            keys[i] =
                (Key){vec3_component(rest[tree->masses[start + i]], axis), tree->masses[start + i]};
        qsort(keys, count, sizeof *keys, by_position);
        for (uint32_t i = 0; i < count; i++)
            tree->masses[start + i] = keys[i].mass;
        divide(tree, start, count / 2, rest, keys);
        divide(tree, start + count / 2, count - count / 2, rest, keys);
    }
    tree->nodes[number].next = tree->node_count;
}

ClothTree *cloth_tree_create(const uint32_t *masses, uint32_t count, const Vec3 *rest, Arena *arena)
{
    ClothTree *tree = arena_array(arena, ClothTree, 1);
    Arena *scratch = arena_create();

    tree->masses = arena_array(arena, uint32_t, count);
    tree->nodes = arena_array(arena, Node, 2 * (size_t)count + 1);
    for (uint32_t i = 0; i < count; i++)
        tree->masses[i] = masses[i];
    divide(tree, 0, count, rest, arena_array(scratch, Key, count));
    arena_destroy(scratch);
    return tree;
}

static bool is_leaf(const ClothTree *tree, uint32_t node)
{
    return tree->nodes[node].next == node + 1;
}

/* Children come after their parent, so from the last node to the first. */
void cloth_tree_update(ClothTree *tree, const Vec3 *positions, const double *margins)
{
    for (uint32_t n = tree->node_count; n-- > 0;) {
        Node *node = &tree->nodes[n];
        node->box = empty_box();
        if (!is_leaf(tree, n)) {
            const Node *left = node + 1, *right = &tree->nodes[left->next];
            grow(&node->box, left->box.low, left->box.high);
            grow(&node->box, right->box.low, right->box.high);
            continue;
        }
        for (uint32_t i = node->start; i < node->start + node->count; i++) {
            const Vec3 p = positions[tree->masses[i]];
            const double m = margins[tree->masses[i]];
            grow(&node->box, (Vec3){p.x - m, p.y - m, p.z - m}, (Vec3){p.x + m, p.y + m, p.z + m});
        }
    }
}

static bool meet(const ClothBox *a, const ClothBox *b)
{
    return a->low.x <= b->high.x && b->low.x <= a->high.x && a->low.y <= b->high.y &&
           b->low.y <= a->high.y && a->low.z <= b->high.z && b->low.z <= a->high.z;
}

uint32_t cloth_tree_find(uint32_t *out, const ClothTree *tree, const ClothBox *box)
{
    uint32_t count = 0;

    for (uint32_t n = 0; n < tree->node_count;) {
        const Node *node = &tree->nodes[n];
        if (!meet(&node->box, box)) {
            n = node->next;
            continue;
        }
        for (uint32_t i = 0; is_leaf(tree, n) && i < node->count; i++)
            out[count++] = tree->masses[node->start + i];
        n++;
    }
    return count;
}
