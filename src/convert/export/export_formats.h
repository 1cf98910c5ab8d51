// SPDX-License-Identifier: MIT
/*
 * export_formats.h - captured models in the formats of other programs
 *
 * Each gives the bytes of a file, in the arena.
 */
#pragma once

#include "base/file.h"
#include "convert/export/capture.h"
#include "convert/export/export.h"

/* A VMD motion with IK and physics baked into bone keys.  Warns about bones that a VMD file cannot
 * name. */
Bytes export_vmd(const Capture *capture, const CapturedModel *model, Arena *arena, Diag *diag);

/* A skeleton and its motion as BVH (Biovision hierarchy). */
Bytes export_bvh(const Capture *capture, const CapturedModel *model, Arena *arena);

/* All models as binary glTF 2.0.  title: of the animation.  Returns false after an error was
 * reported. */
bool export_gltf(Bytes *out, const Capture *capture, const char *title, Arena *arena, Diag *diag);

/* The model itself, at rest, as an avatar.  Returns false after an
 * error was reported: it is no humanoid. */
bool export_vrm(Bytes *out, const SceneModel *model, VrmVersion version, Arena *arena, Diag *diag);
