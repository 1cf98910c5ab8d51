/*
 * framing.h - a default camera for films without one
 *
 * The camera is in front of the models (which face -z) and shows all of them during the whole film,
 * with a margin above the head. Only models with motions count, unless nothing moves.
 */
#ifndef SCENE_FRAMING_H
#define SCENE_FRAMING_H

#include "scene/scene.h"

/* The scene's models, motions and last_frame must be loaded. */
CameraState framing_camera(const Scene *scene);

#endif
