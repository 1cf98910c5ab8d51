/*
 * soft.h - what is simulated of a model's soft bodies (PMX 2.1)
 *
 * A soft body is the triangles of one material: vertices at one place are one node, edges are
 * links, and bending links join nodes that are so many edges apart.  Pinned nodes go where their
 * bones carry them; anchors tie nodes to rigid bodies.  Nothing is said in the format about a rope
 * but its name: it is a mesh without faces.
 *
 * Lengths are the file's, before any placement.  All in the arena given.
 */
#ifndef SCENE_SOFT_H
#define SCENE_SOFT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "format/model/pmx.h"

enum {
    SOFT_MAX_NODES = 16384,
    SOFT_MAX_BEND = 8 /* edges that a bending link spans */
};

typedef enum SoftSupport { SOFT_FREE, SOFT_ANCHORED, SOFT_PINNED } SoftSupport;

typedef struct SoftAnchor {
    uint32_t node, body;
} SoftAnchor;

typedef struct SoftTriangle {
    uint32_t nodes[3]; /* (b - a) x (c - a) is on the side of the vertices' normals */
    uint32_t sides[3];
} SoftTriangle;

typedef struct SoftPlan {
    const PmxSoftBody *file;
    uint32_t *vertices; /* [vertex_count] of the model, rising */
    uint32_t *nodes;    /* [vertex_count] where each is */
    uint32_t *sides;    /* [vertex_count] vertices of one node and one side share a normal */
    uint32_t vertex_count, side_count;
    uint32_t first; /* where its vertices begin among the model's (SoftPlans) */

    uint32_t *places;  /* [node_count] the first vertex at the node */
    uint8_t *supports; /* [node_count] SoftHold */
    uint32_t node_count;
    uint32_t (*links)[2]; /* nodes, without those between two pinned ones */
    uint32_t link_count;
    SoftTriangle *triangles;
    uint32_t triangle_count;
    uint32_t *faces; /* triangles, each set of three nodes once */
    uint32_t face_count;
    SoftAnchor *anchors;
    uint32_t anchor_count;

    /* How far a node can be from the held node at the other end of the chain of fewest edges,
     * unless links stretch; infinite where nothing holds it. */
    float *reach;     /* [node_count] */
    uint32_t *holder; /* [node_count] */
    int32_t home;     /* a bone that it goes with: of its first pin, anchor or vertex; -1: none */
} SoftPlan;

typedef struct SoftPlans {
    SoftPlan *bodies;
    uint32_t count;
    uint32_t *vertices; /* [vertex_count] of all, body after body */
    uint32_t vertex_count;
} SoftPlans;

/* Tells which bodies are left out, and why. */
void soft_plan(SoftPlans *out, const PmxModel *pmx, Arena *arena, Diag *diag);

#endif
