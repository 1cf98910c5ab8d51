/*
 * cloth_spec.h - the cloth of a job, for the scene
 */
#ifndef JOB_SCENE_SPEC_CLOTH_SPEC_H
#define JOB_SCENE_SPEC_CLOTH_SPEC_H

#include "job/job.h"
#include "scene/scene.h"

/* Sets spec->cloths, in the arena. */
void cloth_spec_set(SceneSpec *spec, const Job *job, Arena *arena);

#endif
