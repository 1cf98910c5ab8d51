#include "inspect/pose_run.h"

#include "base/file.h"
#include "evaluate/frame.h"
#include "film/film.h"
#include "film/follow_load.h"
#include "film/path_conflicts.h"
#include "inspect/pose_json.h"
#include "inspect/pose_openpose.h"
#include "render/renderer.h"
#include "job/scene_spec/job_scene.h"

/* float[3] per vertex in the byte order of the machine, which is little-endian on all supported
 * ones. */
static bool save_positions(const char *path, const float (*positions)[3], uint32_t count,
                           Diag *diag)
{
    return file_save(path, positions, count * sizeof *positions, diag);
}

static bool write_vertices(const char *path, const Scene *scene, const Job *job, size_t model,
                           double frame, Arena *arena, Diag *diag)
{
    const RenderOptions options = {.backend = (GlBackend)job->render.gl,
                                   .width = 16,
                                   .height = 16,
                                   .samples = 1,
                                   .supersample = 1,
                                   .shader_dir = job->render.shader_dir};
    const uint32_t count = scene->models[model].model->pmx.vertex_count;
    float(*positions)[3] = arena_calloc(arena, count, sizeof *positions);
    FrameState *state = frame_state_create(scene, arena);
    Evaluator *evaluator = film_evaluator(scene, job, job->stop);
    Renderer *renderer = renderer_create(scene, &options, diag);

    const bool good = renderer &&
                      (evaluate_frame(state, evaluator, scene, frame) ||
                       evaluator_report(evaluator, frame, diag)) &&
                      renderer_skin_positions(positions, renderer, state, model, diag) &&
                      save_positions(path, (const float(*)[3])positions, count, diag);
    renderer_destroy(renderer);
    evaluator_destroy(evaluator);
    return good;
}

static bool check_frames(const Scene *scene, const double *frames, size_t count, Diag *diag)
{
    for (size_t i = 0; i < count; i++)
        if (!film_check_motion_frame(scene, frames[i], diag))
            return false;
    return true;
}

static bool write_json(FILE *out, const Scene *scene, const Job *job, size_t model, bool openpose,
                       const double *frames, size_t count, Diag *diag)
{
    Evaluator *evaluator = film_evaluator(scene, job, job->stop);
    const bool good = openpose
                          ? pose_openpose_write(out, evaluator, scene, job, frames, count, diag)
                          : pose_json_write(out, evaluator, scene, model, frames, count, diag);
    evaluator_destroy(evaluator);
    return good;
}

bool pose_run(FILE *out, const Job *job, const PoseOptions *options, Diag *diag)
{
    Arena *arena = arena_create();
    SceneSpec spec;
    Scene scene;
    size_t count = 0;
    const double *frames =
        pose_json_parse_frames(options->frames, &count, job->render.fps, arena, diag);
    bool good = frames && job_scene_spec(&spec, job, false, arena, diag) &&
                scene_load(&scene, &spec, arena, diag) && follow_load(&scene, job, arena, diag);

    diag_file(diag, NULL);
    if (good && options->vertices)
        good = path_conflicts_check_file("--vertices", options->vertices, job, &scene, diag) &&
               file_check_new(options->vertices, options->overwrite, diag);
    const int32_t model = good ? film_find_model(&scene, job, options->model, arena, diag) : -1;
    good = model >= 0 && check_frames(&scene, frames, count, diag) &&
           write_json(out, &scene, job, (size_t)model, options->openpose, frames, count, diag);
    if (good && options->vertices)
        good = write_vertices(options->vertices, &scene, job, (size_t)model, frames[count - 1],
                              arena, diag);
    arena_destroy(arena);
    return good;
}
