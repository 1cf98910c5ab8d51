// SPDX-License-Identifier: MIT
/*
 * placement.h - the transform from a model's space to the world, and keys of it
 *
 * world = rotation * (scale * p) + position, with positions in MMD units.  Values only: nothing
 * here allocates or fails.
 */
#pragma once

#include "format/model/vac.h"
#include "math/rotation.h"
#include "scene/key_spline.h"

typedef struct Placement {
    float position[3];
    float rotation[4]; /* x y z w, unit */
    float scale;       /* > 0 unless the model is not drawn */
} Placement;

#define PLACEMENT_NONE ((Placement){.rotation = {0, 0, 0, 1}, .scale = 1})

/* Where a job places a model: position, angles about z, then x, then y, and scale, with the offset
 * from the bone that it is attached to. */
Placement placement_of_model(const ModelSpec *spec);

/* A point from model space to the world, and back. */
Vec3 placement_point(const Placement *placement, Vec3 point);
Vec3 placement_inverse_point(const Placement *placement, Vec3 point);

/* A rotation from model space to the world. */
Quat placement_rotation(const Placement *placement, Quat rotation);

/* The placement of a model that is attached to a bone: the bone in the world, then `own`.
 * base: of the bone's model; position, rotation: the bone's, in that model's space. */
Placement placement_on_bone(const Placement *base, Vec3 position, Quat rotation,
                            const Placement *own);

/* The placement that a job and a .vac file specify for a frame.
 * base  the job's placement; the path, if it has points, replaces its position and rotation
 * vac   applied before the job's placement; or NULL */
Placement placement_at(const Placement *base, const PlacementSpline *path, const Vac *vac,
                       double frame);

/*
 * A model along keys of a job, as MMD's keys of accessories: position, angles, scale and opacity
 * are linear between keys, shadow and visibility hold until the next key.  Keys at most one frame
 * apart are a cut.
 */
typedef struct ModelKey {
    double frame; /* ascending, 30 a second */
    Vec3 position;
    Vec3 rotation;  /* radians, about z, then x, then y */
    double scale;   /* > 0 */
    double opacity; /* 0..1 */
    bool shadow;    /* it casts shadows */
    bool visible;
} ModelKey;

typedef struct ModelKeys {
    const ModelKey *items;
    uint32_t count; /* 0: no keys */
} ModelKeys;

/* The keys of a model; what one of them does not give is that of the model. */
ModelKeys model_keys_bind(const ModelSpec *spec, Arena *arena);

/* There must be at least one key. */
ModelKey model_keys_at(const ModelKeys *keys, double frame);

Placement model_keys_placement(const ModelKey *key);
