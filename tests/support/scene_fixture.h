// SPDX-License-Identifier: MIT
/*
 * scene_fixture.h - a scene of one model in memory, without files
 */
#ifndef SUPPORT_SCENE_FIXTURE_H
#define SUPPORT_SCENE_FIXTURE_H

#include "format/motion/vmd.h"
#include "scene/scene.h"

/* The model is called "model"; `motion` may be NULL.  Messages are ignored.  All data is in
 * the arena and may be modified by the test. */
Scene *fixture_scene(PmxModel pmx, const VmdMotion *motion, Compat compat, Arena *arena);

/* Keys with linear curves.  A rotation is given by axis and degrees. */
VmdBoneKey fixture_key(const char *bone, uint32_t frame, float x, float y, float z);
VmdBoneKey fixture_turn_key(const char *bone, uint32_t frame, const float axis[3], float degrees);
VmdMotion fixture_motion_of(VmdBoneKey *keys, uint32_t count);

#endif
