/*
 * framing.h - a camera for a film that has none
 *
 * Stands in front of the models (they look along -z) and sees all of them during the whole film,
 * with some room above the head.  Models with motions count; a stage counts only when nothing
 * moves.
 */
#ifndef SCENE_FRAMING_H
#define SCENE_FRAMING_H

#include "scene/scene.h"

/* The scene's models, motions and last_frame must be there. */
CameraState framing_camera(const Scene *scene);

#endif
