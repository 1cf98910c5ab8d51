// SPDX-License-Identifier: MIT
/*
 * job_scenes.h - the scenes of a job, each as a job of its own
 *
 * What a scene does not give is that of the top level: whole sections and lists.  A model of a
 * scene without a file takes what it does not give from the top level's model of its id.  This is
 * done in the tree of the job, before it is read, so that everything after that finds complete
 * scenes.
 */
#pragma once

#include "job/job.h"
#include "record/yaml.h"

/* Completes the scenes in the tree of a job, and removes from its top level what is theirs, except
 * the physics, which names the bake of the film.  Does nothing without scenes.  Errors: DIAG_JOB.
 */
bool job_scenes_complete(YamlNode *root, Arena *arena, Diag *diag);

/* >= 1: a job without scenes is one scene. */
size_t job_scene_count(const Job *job);

/*
 * A job with this scene alone, in the arena: its keys and those of the film, except what the film
 * draws over its scenes.  The job has scenes.
 *
 * delay_s  time of the film at which frame 0 of the scene is, or would be: the sound of the film,
 *          and voices in it, begin that much earlier in the job of the scene
 */
Job *job_of_scene(const Job *job, size_t scene, double delay_s, Arena *arena);
