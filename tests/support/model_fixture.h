// SPDX-License-Identifier: MIT
/*
 * model_fixture.h - small models built in memory
 *
 * Every model is valid according to pmx.h, has all texts set, and belongs to the arena, so that a
 * test may modify it and write it to a file with pmx_write.
 */
#ifndef SUPPORT_MODEL_FIXTURE_H
#define SUPPORT_MODEL_FIXTURE_H

#include "format/model/pmx.h"

/* One bone "センター" at the origin, nothing else. */
PmxModel fixture_bone_only(Arena *arena);

/*
 * A strip 1 wide and 4 high in the plane z = 0, facing -z: rows of two vertices at y = 0, 1, 2, 3,
 * 4 (vertex 2 row at x = -0.5, 2 row + 1 at x = 0.5), 8 triangles, one material "strip". Bones: 0
 * "lower" at the origin, 1 "upper", its child, at y = 2.  BDEF2, the weight of bone 0 by row is 1,
 * 1, 0.5, 0, 0.
 */
PmxModel fixture_strip(Arena *arena);

/* The strip with another deform: BDEF4 and QDEF carry the weights in the first two of four slots;
 * SDEF has C = (0, 2, 0), R0 = (0, 1, 0), R1 = (0, 3, 0). */
PmxModel fixture_strip_of(PmxDeform deform, Arena *arena);

/*
 * A leg without vertices: 0 "センター" (0, 10, 0), 1 "左足" (0, 9, 0), 2 "左ひざ" (0, 5, -0.2),
 * 3 "左足首" (0, 1, 0), each a child of the previous one, and 4 "左足ＩＫ" (0, 1, 0), a root on
 * layer 1: effector 3, links 2 (x limited to -pi..-0.0087266) and 1 (free), 40 loops, 2 rad.
 */
PmxModel fixture_leg(Arena *arena);

/*
 * Bones with append: 0 "source" (0, 0, 0), 1 "half" (1, 0, 0) with half of the rotation and
 * translation of 0, 2 "minus" (2, 0, 0) with minus the rotation of 1, 3 "local" (3, 0, 0) with all
 * of 0's rotation, locally.  No parents, no vertices.
 */
PmxModel fixture_append_chain(Arena *arena);

/*
 * A square 2 wide in the plane z = 0, facing -z, center at the origin, uv (0, 0) at its upper left.
 * One bone, one double-sided material "quad": diffuse white, ambient 0, texture 0 "tex/quad.png".
 */
PmxModel fixture_quad(Arena *arena);

/*
 * All features: all deforms, two extra UVs, sphere and toon kinds, IK, append, axes, external
 * parent, nine types of morph (UV3 and UV4 are like UV2), display frames, bodies of all shapes, two
 * joints, a soft body. Version 2.1; about 4 KB as a file.
 */
PmxModel fixture_full(Arena *arena);

/* Parts for tests that build models. */
PmxModel fixture_empty(void); /* no parts; texts "" */
PmxBone fixture_bone(const char *name, int32_t parent, float x, float y, float z);
PmxVertex fixture_vertex(float x, float y, float z,
                         int32_t bone); /* BDEF1, normal -z, edge scale 1 */
PmxMaterial fixture_material(const char *name, uint32_t first_index, uint32_t index_count);

#endif
