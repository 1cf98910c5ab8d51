// SPDX-License-Identifier: MIT
#include "inspect/model_sheet/preview_session.h"

#include "film/follow_load.h"
#include "inspect/model_sheet/canvas.h"

bool preview_session_open(PreviewSession *session, const Job *job, Progress *progress,
                          const volatile sig_atomic_t *stop, Arena *arena, Diag *diag)
{
    *session = (PreviewSession){.job = *job, .progress = progress, .stop = stop, .arena = arena};
    session->job.effects.mode = EFFECTS_OFF; /* the picture is of the model */
    return film_load_previews(&session->film, &session->job, arena, diag);
}

const Model *preview_session_model(const PreviewSession *session)
{
    return session->film.scenes[0].scene.models[0].model;
}

bool preview_session_has_head(const PreviewSession *session)
{
    const Model *model = preview_session_model(session);
    return model_find_bone(model, "頭") >= 0 || model_find_bone(model, "head") >= 0;
}

bool preview_session_set_view(PreviewSession *session, const PreviewSessionView *view, Diag *diag)
{
    JobCamera *camera = &session->job.camera;
    FilmScene *film_scene = &session->film.scenes[0];
    Scene *scene = &film_scene->scene;
    RenderOptions *render = &session->film.render;
    camera->shot = arena_array(session->arena, int, 1);
    camera->shot[0] = view->shot;
    camera->shot_count = 1;
    camera->rotation_deg[1] = view->turn_deg;
    session->job.render.size[0] = render->width = view->width;
    session->job.render.size[1] = render->height = view->height;
    for (size_t i = 0; i < 3; i++)
        film_scene->render.background[i] = (float)canvas_panel[i] / 255;
    scene->camera_follow = (FollowTrack){0};
    if (!follow_load(scene, &session->job, session->arena, diag))
        return false;
    if (scene->camera_follow.count) { /* morphs must not move the camera */
        scene->camera = follow_at(&scene->camera_follow, 0);
        scene->camera.distance *= view->closer > 0 ? view->closer : 1;
        scene->camera_follow = (FollowTrack){0};
    }
    return true;
}

bool preview_session_render(PreviewSession *session, int64_t count, Diag *diag)
{
    RenderReport report;
    JobFrames frames = {arena_array(session->arena, JobRange, (size_t)count), (size_t)count};
    for (int64_t i = 0; i < count; i++)
        frames.items[i] = (JobRange){i, i};
    session->capture =
        (FrameCapture){.render = session->film.render, .frames = frames, .arena = session->arena};
    return frame_capture_run(&report, &session->capture, &session->film, session->progress,
                             session->stop, diag);
}

Image preview_session_image(const PreviewSession *session, int64_t frame, Arena *arena)
{
    return frame_capture_image(&session->capture, frame, arena);
}
