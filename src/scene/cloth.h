/*
 * cloth.h - what of a scene hangs as cloth, made ready (scene/README.md 6)
 *
 * A piece of cloth is a material of a model, whose vertices then hang from the bones that they are
 * skinned to; or a cone, tube or sheet that is made here and fixed to bones, a model of its own in
 * the scene.
 *
 *   material   masses are its vertices, those at one place as one, and an inner side with the outer
 *              one that it lines; springs come from its triangles
 *   made       masses are a grid of columns and rows
 *
 * A plan holds what does not change: the fabric, where each mass would be without cloth, what the
 * cloth lies on, and which vertices go where which mass is.  All in the arena given.
 */
#ifndef SCENE_CLOTH_H
#define SCENE_CLOTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "math/rotation.h"
#include "scene/cloth_topology.h"
#include "scene/model.h"

/* ---- what to make ---- */

typedef struct ClothCapsuleSpec { /* a sphere when both bones are one */
    const char *from, *to;        /* bones */
    double radius;                /* in the model's own size */
} ClothCapsuleSpec;

typedef enum ClothForm { CLOTH_CONE, CLOTH_TUBE, CLOTH_SHEET } ClothForm;
typedef enum ClothEdge { CLOTH_TOP, CLOTH_LEFT } ClothEdge;

/* Lengths in the model's own size.  Hangs down from `offset` off the first bone, and faces -z,
 * unless turned. */
typedef struct ClothShapeSpec {
    ClothForm form;
    int columns, rows;
    double radius[2]; /* upper and lower, of a cone; a tube has the first */
    double depth;     /* of cone and tube: how deep for how wide, 1 is round */
    double width;     /* of a sheet */
    double length;
    double offset[3];
    Quat rotation;
    ClothEdge fixed_edge; /* the edge that is fixed: of a sheet also the left one */
    float color[4];
    const char *texture; /* path to open, or NULL */
    bool edge;           /* with an outline */
} ClothShapeSpec;

typedef struct ClothSpec {
    const char *model;    /* id: whose bones hold it */
    const char *material; /* NULL: `shape` counts */
    double
        layer_distance; /* of a material: so far behind its outer side an inner one is the same */
    ClothShapeSpec shape;
    const char *const *pins; /* bones */
    size_t pin_count;
    const ClothCapsuleSpec *capsules;
    size_t capsule_count;
    bool bodies; /* lies on the model's rigid bodies that follow bones, too */
    bool floor;
    ClothTuning tuning;
} ClothSpec;

/* ---- what is made ---- */

typedef enum ClothShape { CLOTH_CAPSULE, CLOTH_BOX, CLOTH_FLOOR } ClothShape;

/* Something to lie on, at rest in model space; each end goes with its bone. */
typedef struct ClothCollider {
    ClothShape shape;
    int32_t bones[2]; /* -1: stands still in the model */
    Vec3 ends[2];     /* of a capsule; the first: a box's centre */
    double radius;
    Vec3 half;     /* a box's extents */
    Quat rotation; /* a box's */
} ClothCollider;

typedef struct ClothPlan {
    ClothTopology topology; /* in world lengths */
    uint32_t owner;         /* in the scene: the model whose bones hold it */
    uint32_t drawn;         /* in the scene: the model whose vertices it moves */
    PmxVertex *anchors; /* [mass_count] skinned by the owner's bones: where the masses would be */
    ClothCollider *colliders;
    uint32_t collider_count;

    uint32_t *vertices; /* [vertex_count] of the drawn model */
    uint32_t *masses;   /* [vertex_count] where each is */
    uint32_t *sides;    /* [vertex_count] vertices of one mass and one side share a normal */
    double *offsets; /* [vertex_count] how far in front of its mass, in the model; NULL: none is */
    uint32_t vertex_count, side_count;
    uint32_t first;         /* where its vertices begin in the drawn model's list */
    uint32_t (*corners)[3]; /* masses of each triangle: (b - a) x (c - a) points out */
    uint32_t (*corner_sides)[3];
    uint32_t triangle_count;
} ClothPlan;

/*
 * Plans a cloth of a model; `drawn` and `first` are left for the scene to set.
 *
 * scale  of the model in the world
 * made   filled with the model that is drawn when the cloth is a shape, for model_prepare; else not
 * touched false  told why
 */
bool cloth_plan(ClothPlan *out, Model *made, const ClothSpec *spec, const Model *owner,
                double scale, Arena *arena, Diag *diag);

/* ---- parts ---- */

/* Masses, springs and vertices of a material; cloth_mesh.c. */
bool cloth_from_material(ClothPlan *out, const ClothSpec *spec, const Model *owner,
                         const bool *pins, double scale, Arena *arena, Diag *diag);

/* The same of a shape, and the model that shows it; cloth_shape.c. */
bool cloth_from_shape(ClothPlan *out, Model *made, const ClothSpec *spec, const Model *owner,
                      const uint32_t *pins, double scale, Arena *arena, Diag *diag);

#endif
