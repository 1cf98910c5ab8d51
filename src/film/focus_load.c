// SPDX-License-Identifier: MIT
#include "film/focus_load.h"

#include "film/film.h"
#include "film/sub_frames.h"
#include "render/look/pattern.h"
#include "render/passes/keypoints.h"

/* What a photographer focuses on: the eyes, else the head; nothing if the model has no standard
 * names. */
static void focus_on_face(FocusOptions *out, const Model *model, Arena *arena)
{
    SkeletonPoint eyes[FOCUS_POINTS];

    if (!skeleton_find_eyes(eyes, model, arena)) {
        out->points[0] = (FocusPoint){.bone = model_find_bone(model, "頭")};
        out->point_count = out->points[0].bone >= 0;
        return;
    }
    out->point_count = FOCUS_POINTS;
    for (int i = 0; i < FOCUS_POINTS; i++) {
        out->points[i].bone = eyes[i].bone;
        for (int c = 0; c < 3; c++)
            out->points[i].offset[c] = eyes[i].rest[c] - model->pmx.bones[eyes[i].bone].position[c];
    }
}

bool focus_load(FilmScene *scene, Arena *arena, Diag *diag)
{
    const Job *job = scene->job;
    const FocusOptions *focus = job->look.focus;

    if (!focus)
        return true;
    FocusOptions *out = scene->look.focus = arena_copy(arena, focus, sizeof *focus);
    out->lens_part = pattern_lens_part(sub_frames_samples(job));
    if (out->aperture > 0 && out->lens_part > 0)
        scene->look.defocus = out;
    out->model_index = focus->model ? (uint32_t)scene_find_model(&scene->scene, focus->model)
                                    : (uint32_t)job->stage_count; /* stages come first */
    const Model *model = scene->scene.models[out->model_index].model;
    if (!focus->bone) {
        focus_on_face(out, model, arena);
        return true;
    }
    out->points[0] = (FocusPoint){
        .bone = model_require_bone(model, focus->bone,
                                   job_location(job, "look.focus.bone", NULL, arena), diag)};
    out->point_count = 1;
    return out->points[0].bone >= 0;
}
