#include "portrait/sitting.h"

#include "film/follow_load.h"
#include "inspect/frame_capture.h"
#include "portrait/canvas.h"

bool sitting_open(Sitting *sitting, const Job *job, Progress *progress,
                  const volatile sig_atomic_t *stop, Arena *arena, Diag *diag)
{
    *sitting = (Sitting){.job = *job, .progress = progress, .stop = stop, .arena = arena};
    return film_load_previews(&sitting->film, &sitting->job, arena, diag) &&
           scratch_folder_make(&sitting->folder, diag);
}

void sitting_close(const Sitting *sitting)
{
    scratch_folder_remove(&sitting->folder);
}

const Model *sitting_model(const Sitting *sitting)
{
    return sitting->film.scene.models[0].model;
}

bool sitting_has_head(const Sitting *sitting)
{
    const Model *model = sitting_model(sitting);
    return model_find_bone(model, "頭") >= 0 || model_find_bone(model, "head") >= 0;
}

bool sitting_set_view(Sitting *sitting, const SittingView *view, Diag *diag)
{
    JobCamera *camera = &sitting->job.camera;
    Scene *scene = &sitting->film.scene;
    RenderOptions *render = &sitting->film.render;
    const char **shots = arena_array(sitting->arena, const char *, 1);
    shots[0] = view->shot;
    camera->shots = shots;
    camera->shot_count = 1;
    camera->rotation_deg[1] = view->turn_deg;
    sitting->job.render.size[0] = render->width = view->width;
    sitting->job.render.size[1] = render->height = view->height;
    for (size_t i = 0; i < 3; i++)
        render->background[i] = (float)canvas_panel[i] / 255;
    scene->camera_follow = (FollowTrack){0};
    if (!follow_load(scene, &sitting->job, sitting->arena, diag))
        return false;
    if (scene->camera_follow.count) { /* morphs must not move the camera */
        scene->camera = follow_at(&scene->camera_follow, 0);
        scene->camera.distance *= view->closer > 0 ? view->closer : 1;
        scene->camera_follow = (FollowTrack){0};
    }
    return true;
}

bool sitting_render(Sitting *sitting, int64_t count, Diag *diag)
{
    RenderReport report;
    JobFrames frames = {arena_array(sitting->arena, JobRange, (size_t)count), (size_t)count};
    for (int64_t i = 0; i < count; i++)
        frames.items[i] = (JobRange){i, i};
    const FrameCapture capture = {.render = sitting->film.render, .frames = frames};
    return frame_capture_run(&report, &sitting->folder, &sitting->film, &capture, sitting->progress,
                             sitting->stop, diag);
}

bool sitting_load(Image *image, const Sitting *sitting, int64_t frame, Arena *arena, Diag *diag)
{
    return frame_capture_load(image, &sitting->folder, frame, arena, diag);
}
