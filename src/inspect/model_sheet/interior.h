// SPDX-License-Identifier: MIT
/*
 * interior.h - cameras inside of a model that is a closed room
 *
 * From outside such a model shows only its walls.  README.md 2 says which models are closed rooms
 * and where the cameras are.
 */
#pragma once

#include "scene/camera.h"
#include "scene/scene.h"

enum { INTERIOR_VIEWS = 2 };

/* The model at rest.  aspect: width / height of the frames.  False if it is not a closed room. */
bool interior_find(CameraState views[INTERIOR_VIEWS], const SceneModel *model, double aspect);
