/*
 * placement.h - the transform from a model's space to the world
 *
 * world = rotation * (scale * p) + position, with positions in MMD units.  Values only: nothing
 * here allocates or fails.
 */
#ifndef SCENE_PLACEMENT_H
#define SCENE_PLACEMENT_H

#include "format/model/vac.h"
#include "math/rotation.h"
#include "scene/key_spline.h"

typedef struct Placement {
    float position[3];
    float rotation[4]; /* x y z w, unit */
    float scale;       /* > 0 unless the model is not drawn */
} Placement;

#define PLACEMENT_NONE ((Placement){.rotation = {0, 0, 0, 1}, .scale = 1})

/* A point from model space to the world, and back. */
Vec3 placement_point(const Placement *placement, Vec3 point);
Vec3 placement_inverse_point(const Placement *placement, Vec3 point);

/* A rotation from model space to the world. */
Quat placement_rotation(const Placement *placement, Quat rotation);

/* The placement of a model that is attached to a bone: the bone in the world, then `own`.
 * base: of the bone's model; position, rotation: the bone's, in that model's space. */
Placement placement_on_bone(const Placement *base, Vec3 position, Quat rotation,
                            const Placement *own);

/* What a job and a .vac file specify for a frame.
 * base  the job's placement; the path, if it has points, replaces its position and rotation
 * vac   applied before the job's placement; or NULL */
Placement placement_at(const Placement *base, const PlacementSpline *path, const Vac *vac,
                       double frame);

#endif
