/*
 * job_scene.h - the scene that a job describes
 */
#ifndef JOB_SCENE_SPEC_JOB_SCENE_H
#define JOB_SCENE_SPEC_JOB_SCENE_H

#include "job/job.h"
#include "scene/scene.h"

/* The description of the scene that scene_load needs; stages come before models. */
bool job_scene_spec(SceneSpec *spec, const Job *job, bool textures, Arena *arena, Diag *diag);

#endif
