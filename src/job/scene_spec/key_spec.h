/*
 * key_spec.h - keys of a job, for the scene: times in motion frames, angles in radians
 *
 * Everything is in the arena.
 */
#ifndef JOB_SCENE_SPEC_KEY_SPEC_H
#define JOB_SCENE_SPEC_KEY_SPEC_H

#include "job/job.h"
#include "scene/scene.h"

/* Sets keys, attach_keys, transparency, shadow and outline of a model.  prefix: "models.0" */
void key_spec_model(ModelSpec *spec, const Job *job, const JobModel *model, const char *prefix,
                    Arena *arena);

/* Sets camera_attach and camera_attach_count. */
void key_spec_camera(SceneSpec *spec, const Job *job, Arena *arena);

/* Sets gravity_noise, gravity_keys and gravity_key_count. */
void key_spec_gravity(PhysicsSpec *spec, const JobPhysics *physics, Arena *arena);

#endif
