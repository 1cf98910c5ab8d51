/*
 * gltf_camera.h - the camera of the film as a camera of glTF
 *
 * A node that moves, with one field of view: that of the first frame, as glTF cannot animate it.
 */
#ifndef CONVERT_EXPORT_GLTF_CAMERA_H
#define CONVERT_EXPORT_GLTF_CAMERA_H

#include "base/json.h"
#include "scene/camera.h"
#include "scene/placement.h"

/* Where the camera is and which way it looks (along +z, MMD's axes). */
Placement gltf_camera_placement(const CameraState *camera);

/* Whether another frame has another field of view or projection than the first one. */
bool gltf_camera_changes(const CameraState *cameras, size_t count);

/* Writes the member `cameras` with this one.  width, height: of the image. */
void gltf_camera_write(Json *json, const CameraState *camera, int width, int height);

#endif
