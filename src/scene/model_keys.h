/*
 * model_keys.h - placement, opacity, shadow and visibility of a model along keys of a job
 *
 * As MMD's keys of accessories: position, angles, scale and opacity are linear between keys, shadow
 * and visibility hold until the next key.  Keys at most one frame apart are a cut.
 */
#ifndef SCENE_MODEL_KEYS_H
#define SCENE_MODEL_KEYS_H

#include <stdbool.h>
#include <stdint.h>

#include "scene/placement.h"

typedef struct ModelKey {
    double frame; /* ascending, 30 a second */
    double position[3];
    double rotation[3]; /* radians, about z, then x, then y */
    double scale;       /* > 0 */
    double opacity;     /* 0..1 */
    bool shadow;        /* it casts shadows */
    bool visible;
} ModelKey;

typedef struct ModelKeys {
    const ModelKey *items;
    uint32_t count; /* 0: no keys */
} ModelKeys;

/* At least one key. */
ModelKey model_keys_at(const ModelKeys *keys, double frame);

Placement model_keys_placement(const ModelKey *key);

#endif
