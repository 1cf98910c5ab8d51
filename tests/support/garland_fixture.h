// SPDX-License-Identifier: MIT
/*
 * garland_fixture.h - models whose bodies and joints form loops
 */
#ifndef SUPPORT_GARLAND_FIXTURE_H
#define SUPPORT_GARLAND_FIXTURE_H

#include "evaluate/physics/physics.h"
#include "format/model/pmx.h"

typedef enum GarlandTie {
    GARLAND_HEAD,  /* both ends are tied to the body of 頭 */
    GARLAND_STRAP, /* one to 頭, one to 上半身 */
    GARLAND_ARMS,  /* to the bodies of 左腕 and 右腕 */
    GARLAND_RING,  /* a closed ring; its uppermost link is tied to 頭 */
    GARLAND_LOCK,  /* a ring below a chain of five bodies on 頭 */
    GARLAND_TIES
} GarlandTie;

typedef struct GarlandSpec {
    GarlandTie tie;
    uint32_t links;
    float mass; /* of each link */
    float turn; /* limit of the joints on each axis, radians */
} GarlandSpec;

/*
 * A skeleton of センター, 上半身, 頭, 左腕 and 右腕, each with a kinematic body, and a garland
 * along half an ellipse of 6 by 6 units (rings: a whole one): capsules without collisions, joints
 * without play between them.
 */
PmxModel fixture_garland(const GarlandSpec *spec, Arena *arena);

/* The greatest distance between the ends of a joint of model 0, beyond its play, after the last
 * tick, units; joint: receives its index, or NULL.  The model is not scaled. */
float garland_widest_gap(const World *world, const PmxModel *pmx, uint32_t *joint);

#endif
