// SPDX-License-Identifier: MIT
#include "inspect/model_sheet/preview_session.h"

#include <math.h>

#include "base/units.h"
#include "evaluate/follow/shot_extent.h"
#include "film/follow_load.h"
#include "inspect/model_sheet/canvas.h"

bool preview_session_open(PreviewSession *session, const Job *job, Progress *progress,
                          const volatile sig_atomic_t *stop, Arena *arena, Diag *diag)
{
    *session = (PreviewSession){.job = *job, .progress = progress, .stop = stop, .arena = arena};
    session->job.effects.mode = EFFECTS_OFF; /* the picture is of the model */
    return film_load_previews(&session->film, &session->job, arena, diag);
}

const SceneModel *preview_session_scene_model(const PreviewSession *session)
{
    return &session->film.scenes[0].scene.models[0];
}

const Model *preview_session_model(const PreviewSession *session)
{
    return preview_session_scene_model(session)->model;
}

bool preview_session_has_head(const PreviewSession *session)
{
    const Model *model = preview_session_model(session);
    return model_find_bone(model, "頭") >= 0 || model_find_bone(model, "head") >= 0;
}

/* ---- the camera ---- */

/* What must be in the frame, as in evaluate/follow/README.md 2: the largest x - kx z, -x - kx z,
 * y - ky z and -y - ky z of a vertex relative to the target, in the axes of the camera. */
typedef struct Bounds {
    double right, left, top, bottom;
} Bounds;

static void add_vertex(Bounds *bounds, Vec3 at, const CameraAxes *axes, double kx, double ky)
{
    const double x = vec3_dot(at, vec3_load(axes->right)), y = vec3_dot(at, vec3_load(axes->up)),
                 z = vec3_dot(at, vec3_load(axes->forward));
    bounds->right = fmax(bounds->right, x - kx * z);
    bounds->left = fmax(bounds->left, -x - kx * z);
    bounds->top = fmax(bounds->top, y - ky * z);
    bounds->bottom = fmax(bounds->bottom, -y - ky * z);
}

static Bounds find_bounds(const SceneModel *model, const bool *seen, const CameraState *camera,
                          double kx, double ky)
{
    const PmxModel *pmx = &model->model->pmx;
    const CameraAxes axes = camera_axes(camera);
    const Placement placement = scene_placement(model, 0);
    const Vec3 target = vec3_load(camera->target);
    Bounds bounds = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (uint32_t v = 0; v < pmx->vertex_count; v++)
        if (seen[v]) {
            const Vec3 at = placement_point(&placement, vec3_load(pmx->vertices[v].position));
            add_vertex(&bounds, vec3_sub(at, target), &axes, kx, ky);
        }
    return bounds;
}

/* The camera follows some vertices of each bone, without those that physics moves
 * (evaluate/follow/README.md 1).  Where any other is out of the frame, all decide. */
static void show_all(CameraState *camera, const SceneModel *model, double aspect, double margin)
{
    Arena *scratch = arena_create();
    const bool *seen = shot_extent_seen_vertices(model, scratch);
    const double ky = tan((double)camera->fov_deg / 2 * RADIANS), kx = ky * aspect,
                 distance = -(double)camera->distance, usable = 1 - 2 * margin;
    const Bounds whole = find_bounds(model, seen, camera, kx, ky),
                 b = find_bounds(model, seen, camera, kx * usable, ky * usable);
    if (fmax(whole.right, whole.left) > kx * distance ||
        fmax(whole.top, whole.bottom) > ky * distance) {
        const CameraAxes axes = camera_axes(camera);
        const Vec3 across = vec3_scale(vec3_load(axes.right), (b.right - b.left) / 2),
                   up = vec3_scale(vec3_load(axes.up), (b.top - b.bottom) / 2);
        vec3_store(camera->target, vec3_add(vec3_load(camera->target), vec3_add(across, up)));
        camera->distance = (float)-fmax((b.right + b.left) / (2 * kx * usable),
                                        (b.top + b.bottom) / (2 * ky * usable));
    }
    arena_destroy(scratch);
}

bool preview_session_set_view(PreviewSession *session, const PreviewSessionView *view, Diag *diag)
{
    CameraSpec *camera = &session->job.camera;
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
    if (view->camera) {
        scene->camera = *view->camera;
        return true;
    }
    if (!follow_load(scene, &session->job, session->arena, diag))
        return false;
    if (scene->camera_follow.count) { /* morphs must not move the camera */
        scene->camera = follow_at(&scene->camera_follow, 0);
        if (view->shot == SHOT_FULL)
            show_all(&scene->camera, &scene->models[0], (double)view->width / view->height,
                     camera->margin);
        scene->camera.distance *= view->closer > 0 ? view->closer : 1;
        scene->camera_follow = (FollowTrack){0};
    }
    return true;
}

bool preview_session_render(PreviewSession *session, int64_t count, Diag *diag)
{
    RenderReport report;
    FrameRanges frames = {arena_array(session->arena, FrameRange, (size_t)count), (size_t)count};
    for (int64_t i = 0; i < count; i++)
        frames.items[i] = (FrameRange){i, i};
    session->capture =
        (FrameCapture){.render = session->film.render, .frames = frames, .arena = session->arena};
    return frame_capture_run(&report, &session->capture, &session->film, session->progress,
                             session->stop, diag);
}

Image preview_session_image(const PreviewSession *session, int64_t frame, Arena *arena)
{
    return frame_capture_image(&session->capture, frame, arena);
}
