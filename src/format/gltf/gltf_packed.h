// SPDX-License-Identifier: MIT
/*
 * gltf_packed.h - compressed parts of a glTF file: buffer views by meshopt, primitives by Draco
 *
 * A part that the file also has without compression is read from there if the library is missing.
 */
#pragma once

#include "format/gltf/gltf_read.h"

/* Unpacks the buffer views of EXT_meshopt_compression, for gltf_view; gltf_read calls it when the
 * buffers are there.  False after an error. */
bool gltf_packed_views(GltfFile *file, Diag *diag);

/* Unpacks the accessors of a primitive with KHR_draco_mesh_compression, for gltf_values; others are
 * left alone.  False after an error. */
bool gltf_packed_primitive(GltfFile *file, const JsonValue *primitive, Diag *diag);

/* Thousandths; 0: built without it. */
int gltf_packed_meshopt_version(void);
