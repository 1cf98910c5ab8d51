// SPDX-License-Identifier: MIT
/*
 * npz_fixture.h - arrays as NumPy saves them (numpy.lib.format), and motions of SMPL of them
 */
#ifndef SUPPORT_NPZ_FIXTURE_H
#define SUPPORT_NPZ_FIXTURE_H

#include "base/file.h"

typedef struct NpzFixtureArray {
    const char *name;                 /* "poses" */
    const char *type, *order, *shape; /* as in the header: "<f4", "False", "(2, 3)" */
    const void *data;
    size_t size;
    unsigned version; /* 1 to 3; 0: 1 */
    bool is_deflated;
} NpzFixtureArray;

Bytes npz_fixture(const NpzFixtureArray *arrays, size_t count, Arena *arena);

/*
 * Two frames, as AMASS has them: 22 joints, +z up, at (1, 2, 3) and (1, 2, 4); in the second frame
 * the left elbow is bent by 90 degrees about -y.  Of these arrays, the first that has the name
 * `other->name` is replaced, or it is added; NULL: none.
 */
Bytes npz_fixture_amass(const NpzFixtureArray *other, Arena *arena);

/* One frame in the axes of a camera: SMPL-X as matrices, +y down, with rotations of the left hand,
 * of which the first joint is turned by 90 degrees about x. */
Bytes npz_fixture_video(Arena *arena);

#endif
