// SPDX-License-Identifier: MIT
#include "convert/export/export.h"

#include <math.h>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "base/units.h"
#include "convert/export/capture.h"
#include "convert/export/export_formats.h"
#include "film/film.h"
#include "film/follow_load.h"
#include "film/path_conflicts.h"
#include "job/job_scene.h"

typedef enum Format { FORMAT_VMD, FORMAT_GLB, FORMAT_BVH, FORMAT_VRM, FORMAT_UNKNOWN } Format;

enum { MAX_FRAMES = 10 * 3600 * MOTION_FPS }; /* ten hours */

static Format format_of(const char *file)
{
    static const char *const extensions[] = {"vmd", "glb", "bvh", "vrm"}; /* Format */
    const int32_t found = text_find_ignoring_case(TEXT_ARRAY(extensions), path_extension(file));
    return found < 0 ? FORMAT_UNKNOWN : (Format)found;
}

static bool find_range(uint32_t *first, uint32_t *count, const Job *job, const Scene *scene,
                       Diag *diag)
{
    const FrameRanges *frames = &job->render.frames;
    const double rate = (double)MOTION_FPS * job->render.fps.den / job->render.fps.num;
    double from = 0, to = ceil(scene->last_frame);
    if (frames->count > 1)
        return diag_fail(diag, DIAG_USAGE, "export takes one range of frames");
    if (frames->count) {
        from = round((double)frames->items[0].first * rate);
        if (frames->items[0].last != FRAME_RANGE_END)
            to = round((double)frames->items[0].last * rate);
    }
    if (!film_check_motion_frame(scene, to, diag))
        return false;
    if (to - from >= MAX_FRAMES)
        return diag_fail(diag, DIAG_USAGE, "%.0f frames are too many (at most %d)", to - from + 1,
                         MAX_FRAMES);
    *first = (uint32_t)from;
    *count = (uint32_t)(to - from) + 1;
    return true;
}

/* Indices in the scene: one model, or for .glb all of the job. */
static size_t find_models(size_t *models, const Scene *scene, const Job *job,
                          const ExportOptions *options, Arena *arena, Diag *diag)
{
    size_t count = 0;
    if (format_of(options->file) != FORMAT_GLB || options->model) {
        const int32_t found = film_find_model(scene, job, options->model, arena, diag);
        models[0] = (size_t)found;
        return found >= 0;
    }
    for (size_t i = 0; i < scene->model_count; i++)
        if (!scene->models[i].model->is_cloth)
            models[count++] = i;
    return count;
}

static bool is_placed(const SceneModel *model)
{
    const Placement *p = &model->placement;
    return model->path.count || model->keys.count || model->attach_model >= 0 ||
           model->attach_count || p->position[0] != 0 || p->position[1] != 0 ||
           p->position[2] != 0 || fabsf(p->rotation[3]) < 1 || p->scale != 1;
}

static bool write_bytes(Bytes *out, const Capture *capture, const Job *job, Format format,
                        Arena *arena, Diag *diag)
{
    const CapturedModel *model = &capture->models[0];
    if (format == FORMAT_GLB)
        return export_gltf(out, capture, job->name, arena, diag);
    if (is_placed(model->model))
        diag_note(diag, "the position of the model in the world is not part of the motion");
    *out = format == FORMAT_VMD ? export_vmd(capture, model, arena, diag)
                                : export_bvh(capture, model, arena);
    return true;
}

static bool run(const Job *job, const ExportOptions *options, Arena *arena, Diag *diag)
{
    Scene scene;
    Capture capture;
    Bytes bytes;
    uint32_t first = 0, count = 0;
    const Format format = format_of(options->file);
    const bool textures = format == FORMAT_GLB || format == FORMAT_VRM;
    const SceneSpec spec = job_scene_spec(job, textures, arena);
    if (!scene_load(&scene, &spec, arena, diag))
        return false;
    diag_file(diag, NULL);
    reframe_load(&scene, job, arena);
    size_t *models = arena_array(arena, size_t, scene.model_count);
    if (!path_conflicts_check_file("--output", options->file, job, &scene, diag) ||
        !file_check_new(options->file, options->overwrite, diag))
        return false;
    const size_t model_count = find_models(models, &scene, job, options, arena, diag);
    if (format == FORMAT_VRM)
        return model_count &&
               export_vrm(&bytes, &scene.models[models[0]], options->vrm_version, arena, diag) &&
               file_save(options->file, bytes.data, bytes.size, diag);
    if (!find_range(&first, &count, job, &scene, diag))
        return false;
    return model_count &&
           capture_run(&capture, &scene, job, models, model_count, first, count, arena, diag) &&
           write_bytes(&bytes, &capture, job, format, arena, diag) &&
           file_save(options->file, bytes.data, bytes.size, diag);
}

bool export_run(const Job *job, const ExportOptions *options, Diag *diag)
{
    Job own = *job;
    if (!options->file || format_of(options->file) == FORMAT_UNKNOWN)
        return diag_fail(diag, DIAG_USAGE,
                         "%s%sexport writes .vmd (a motion), .glb (glTF 2.0), .bvh (a skeleton) or "
                         ".vrm (an avatar); -o FILE with one of these extensions is required",
                         options->file ? options->file : "", options->file ? ": " : "");
    own.cloth_count = 0; /* has no bones */
    Arena *arena = arena_create();
    const bool good = run(&own, options, arena, diag);
    arena_destroy(arena);
    return good;
}
