// SPDX-License-Identifier: MIT
/*
 * cloth.h - plans the cloth of a scene (scene/cloth/README.md)
 *
 * A cloth is a material of a model, whose vertices are then fixed to the bones that they are
 * skinned to; or a generated cone, tube or sheet that is fixed to bones, which is a separate model
 * in the scene.
 *
 *   material  one mass for the vertices at one position, and for an inner layer close behind an
 *             outer one; springs follow the triangles
 *   shape     masses are a grid of columns and rows
 *
 * A plan holds what does not change: the topology, the anchor of each mass (its position without
 * simulation), the colliders, and the mass of each vertex. Everything is in the given arena.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "math/rotation.h"
#include "scene/cloth/cloth_topology.h"
#include "scene/model.h"

/* ---- plan ---- */

typedef enum ClothShape { CLOTH_CAPSULE, CLOTH_BOX, CLOTH_FLOOR } ClothShape;

/* How a collider gives way. */
typedef enum ClothYield {
    CLOTH_FIRM,
    CLOTH_YIELDS, /* physics moves it: cloth between it and a firm collider follows the firm one */
    CLOTH_SOFT,   /* it pushes with a small force only: arms, by default */
    CLOTH_SECOND  /* firm, but cloth between it and a firm collider stays on the firm one: what is
                     beside the arm in a sleeve */
} ClothYield;

/* The part of an arm or a leg in a closed shape that a capsule is. */
typedef struct ClothLimbPlan {
    bool known;      /* otherwise it is none */
    int32_t bone;    /* turns with it */
    bool central;    /* this bone is in the middle of the shape */
    double range[2]; /* along the shape's axis, from the bone, in world lengths */
} ClothLimbPlan;

/* A collider at rest, in model space; each end moves with its bone. */
typedef struct ClothCollider {
    ClothShape shape;
    int32_t bones[2]; /* -1: fixed in the model */
    Vec3 ends[2];     /* ends of a capsule; the first: a box's center */
    double radius;    /* radius of a capsule at its first end */
    Vec3 half;        /* half extents of a box */
    Quat rotation;    /* rotation of a box */
    double taper;     /* radius at the second end minus that */
    ClothYield yields;
    ClothLimbPlan limb;
} ClothCollider;

typedef struct ClothPlan {
    ClothTopology topology; /* in world lengths */
    double scale;           /* of the owner in the world */
    Vec3 axis;              /* a closed shape: unit, downwards, at rest */
    uint32_t owner;         /* index in the scene: the model whose bones it is fixed to */
    uint32_t drawn;         /* index in the scene: the model whose vertices it moves */
    PmxVertex *anchors;     /* [mass_count] skinned by the owner's bones */
    ClothCollider *colliders;
    uint32_t collider_count;

    uint32_t *vertices; /* [vertex_count] of the drawn model */
    uint32_t *masses;   /* [vertex_count] the mass of each */
    uint32_t *sides;    /* [vertex_count] vertices of one mass and one side share a normal */
    double
        *offsets; /* [vertex_count] distance along the normal from its mass, model units; NULL: 0 */
    uint32_t vertex_count, side_count;
    uint32_t first;         /* index of its first vertex in the drawn model's list */
    uint32_t (*corners)[3]; /* masses of each triangle: (b - a) x (c - a) points out */
    uint32_t (*corner_sides)[3];
    uint32_t triangle_count;
    int32_t toon_material; /* the owner's material whose toon a generated cloth has; -1: none */
} ClothPlan;

/*
 * Plans a cloth of a model; the scene sets `owner`, `drawn` and `first`.
 *
 * scale  of the model in the world
 * made   receives the generated model of a shape, for model_prepare; otherwise unchanged
 * false  after an error was reported
 */
bool cloth_plan(ClothPlan *out, Model *made, const ClothSpec *spec, const Model *owner,
                double scale, Arena *arena, Diag *diag);

/* Distance of a point of the model at rest from the surface of a capsule, in the model's units;
 * negative inside.  scale: of the model in the world. */
double cloth_capsule_distance(const ClothCollider *capsule, Vec3 point, double scale);

/* ---- parts ---- */

/* Capsules that the job gives; they are the first colliders. */
uint32_t cloth_given_capsules(const ClothSpec *spec);

/* The model that wears a material. */
typedef struct ClothWearer {
    const Model *model;
    const bool *moved; /* [bone_count] by physics or spring bones, or below such a bone */
    const ClothCollider *capsules; /* fitted to the rest of its mesh */
    uint32_t capsule_count;
} ClothWearer;

/* Masses, springs and vertices of a material; cloth_mesh.c.  pins: [bone_count], to which those to
 * which its border is fixed are added. */
bool cloth_from_material(ClothPlan *out, const ClothSpec *spec, const ClothWearer *wearer,
                         bool *pins, Arena *arena, Diag *diag);

/*
 * Fixes the upper border of each connected piece, if the job asks for that; otherwise reports what
 * hangs on nothing, an error if all of it does; cloth_border.c (scene/cloth/README.md 1).
 *
 * pins    as above
 * places  of the corners of each triangle, before layers were merged
 */
bool cloth_pin_border(ClothPlan *plan, bool *pins, const uint32_t (*places)[3],
                      const ClothSpec *spec, const ClothWearer *wearer, Diag *diag);

/* The bone with the greatest weight. */
int32_t cloth_dominant_bone(const PmxVertex *vertex);

/* The bones that a cloth is fixed to. */
typedef struct ClothPinBones {
    uint32_t *bones;
    size_t count;
    bool *marked; /* [bone_count] those of the list */
} ClothPinBones;

/* The same for a shape, and its model; cloth_shape.c. */
bool cloth_from_shape(ClothPlan *out, Model *made, const ClothSpec *spec, const Model *owner,
                      const ClothPinBones *pins, double scale, Arena *arena, Diag *diag);

/*
 * Collision capsules fitted to the mesh; cloth_fit.c.  The vertices whose greatest weight is a
 * bone's give its capsules: along their longest extent, one or several beside each other across a
 * wide cross-section, each with a radius at both ends; and once more those that are outside of all
 * these. Vertices of the cloth's own material and of hidden or transparent ones do not count.
 *
 * scale    of the model in the world
 * returns  the number of capsules in `out`
 */
enum { CLOTH_FIT_MAX = 1000 };
uint32_t cloth_fit_capsules(ClothCollider out[CLOTH_FIT_MAX], const ClothSpec *spec,
                            const PmxModel *pmx, double scale);
