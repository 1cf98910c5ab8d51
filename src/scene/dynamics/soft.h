// SPDX-License-Identifier: MIT
/*
 * soft.h - plans the soft bodies of a model (PMX 2.1) for simulation
 *
 * A soft body is the triangles of one material: vertices at one position are one node, edges are
 * links, and bending links join nodes that are a given number of edges apart.  Pinned nodes follow
 * their bones; anchors connect nodes to rigid bodies. The format defines nothing about a rope but
 * its name: it is a mesh without faces.
 *
 * Lengths are in units of the file, before any placement.  Everything is in the given arena.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "format/model/pmx.h"

enum {
    SOFT_MAX_NODES = 16384,
    SOFT_MAX_BEND = 8 /* maximal number of edges that a bending link spans */
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
    uint32_t *vertices; /* [vertex_count] of the model, ascending */
    uint32_t *nodes;    /* [vertex_count] the node of each */
    uint32_t *sides;    /* [vertex_count] vertices of one node and one side share a normal */
    uint32_t vertex_count, side_count;
    uint32_t first; /* index of its first vertex in SoftPlans.vertices */

    uint32_t *node_vertices; /* [node_count] the first vertex at the node */
    uint8_t *supports;       /* [node_count] SoftHold */
    uint32_t node_count;
    uint32_t (*links)[2]; /* pairs of nodes, except pairs of pinned ones */
    uint32_t link_count;
    SoftTriangle *triangles;
    uint32_t triangle_count;
    uint32_t *faces; /* triangles, each set of three nodes once */
    uint32_t face_count;
    SoftAnchor *anchors;
    uint32_t anchor_count;

    /* The length of the shortest chain of edges (by count) to a pinned or anchored node; infinite
     * if there is none. */
    float *max_distance; /* [node_count] */
    uint32_t *holder;    /* [node_count] */
    int32_t home;        /* the bone that it follows: of its first pin, anchor or vertex; or -1 */
} SoftPlan;

typedef struct SoftPlans {
    SoftPlan *bodies;
    uint32_t count;
    uint32_t *vertices; /* [vertex_count] of all, body after body */
    uint32_t vertex_count;
} SoftPlans;

/* Warns about bodies that are ignored, with the reason. */
void soft_plan(SoftPlans *out, const PmxModel *pmx, Arena *arena, Diag *diag);
