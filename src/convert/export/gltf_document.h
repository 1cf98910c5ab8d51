// SPDX-License-Identifier: MIT
/*
 * gltf_document.h - captured models as binary glTF, with what an extension adds for one of them
 */
#pragma once

#include "convert/export/capture.h"
#include "convert/export/gltf_mesh.h"

/* Where the nodes of the model are. */
typedef struct GltfPlaces {
    const GltfMeshes *meshes; /* each has a material with its number */
    int first_bone, first_mesh;
} GltfPlaces;

typedef struct GltfExtension {
    const char *const *names; /* of the extensions, ends with NULL */
    void *user;
    bool (*add)(void *user, GltfImages *images); /* more images; false after an error */
    /* Write members of a node, of the extensions of a material and of those of the document. */
    void (*write_bone)(Json *json, const void *user, uint32_t bone);
    void (*write_material)(Json *json, const void *user, const GltfMesh *mesh);
    void (*write_document)(Json *json, const void *user, const GltfPlaces *places);
} GltfExtension;

/* capture->cameras NULL: without a camera.  False after an error. */
bool gltf_document(Bytes *out, const Capture *capture, const char *title,
                   const GltfExtension *extension, Arena *arena, Diag *diag);
