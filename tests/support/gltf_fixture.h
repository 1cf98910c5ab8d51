// SPDX-License-Identifier: MIT
/*
 * gltf_fixture.h - a glTF scene, written byte by byte: a triangle by two nodes, mirrored in one of
 * them, and the same triangle with a skin, colors (sparse) and a blended material
 */
#ifndef GLTF_FIXTURE_H
#define GLTF_FIXTURE_H

#include "base/arena.h"
#include "base/file.h"

/* The JSON text; each with the first `from` replaced by `to`, if from is not NULL. */
const char *gltf_fixture_json(const char *from, const char *to, Arena *arena);

/* The data of the buffer. */
Bytes gltf_fixture_data(Arena *arena);

/* Both as a .glb. */
Bytes gltf_fixture(const char *from, const char *to, Arena *arena);
Bytes gltf_fixture_pack(const char *json, Bytes data, Arena *arena);

/* An avatar: the same file with a humanoid of four of its nodes (T-pose), a MToon material, two
 * expressions and a permission, in VRM 1.0 or 0.x. */
Bytes vrm_fixture(bool older, const char *from, const char *to, Arena *arena);

/* The same with a head, a right arm and a right leg, facing as its version demands, then moved and
 * turned with all that it has; turn: x y z w. */
typedef struct VrmFixturePlace {
    double turn[4];
    double move[3]; /* metres */
    bool exchanged; /* with toes, which say that left and right are exchanged */
} VrmFixturePlace;
Bytes vrm_fixture_placed(bool older, const VrmFixturePlace *place, Arena *arena);

#endif
