/*
 * export_gltf.h - captured models as a binary glTF 2.0 file (.glb)
 */
#ifndef CONVERT_EXPORT_EXPORT_GLTF_H
#define CONVERT_EXPORT_EXPORT_GLTF_H

#include "base/file.h"
#include "convert/export/capture.h"

/* The bytes of the file, in the arena.  title: of the animation. */
bool export_gltf(Bytes *out, const Capture *capture, const char *title, Arena *arena, Diag *diag);

#endif
