#include "demo/demo.h"

#include <string.h>

#include "base/file.h"
#include "demo/dance.h"
#include "demo/figure.h"
#include "demo/hall.h"
#include "demo/stage.h"
#include "demo/tune.h"
#include "format/model/pmx_write.h"
#include "format/motion/vmd_write.h"

/* The job with this name, stage and camera motion. */
static Bytes job_text(const char *name, const char *stage, const char *camera, Arena *arena)
{
    const char *text =
        arena_printf(arena,
                     "# The built-in demo of Odori: all of it was made by the program itself.\n"
                     "version: 1\n"
                     "name: odori-%s\n"
                     "models:\n"
                     "  - id: dancer\n"
                     "    file: figure.pmx\n"
                     "    motions: [dance.vmd]\n"
                     "stage:\n"
                     "  - { file: %s.pmx }\n"
                     "camera: { motion: %s.vmd }\n"
                     "audio: { file: tune.wav, fade_out_s: 0.6 }\n"
                     "background: { color: \"#7a70c4\" }\n"
                     "render: { size: [1280, 720], fps: 30, frames: \"0-719\" }\n"
                     "outputs:\n"
                     "  - { file: %s.mp4, codec: h264, crf: 18 }\n",
                     name, stage, camera, name);
    return (Bytes){(const uint8_t *)text, strlen(text)};
}

static const char *in_directory(const char *directory, const char *name, Arena *arena)
{
    return arena_printf(arena, "%s/%s", directory, name);
}

static bool save(const char *directory, const char *name, Bytes bytes, const FileApproval *approval,
                 Arena *arena, Diag *diag)
{
    return file_save_approved(in_directory(directory, name, arena), bytes.data, bytes.size,
                              approval, diag);
}

static bool save_model(const char *directory, const char *name, const PmxModel *model,
                       const Painting *paintings, size_t count, const FileApproval *approval,
                       Arena *arena, Diag *diag)
{
    if (!save(directory, name, pmx_write(model, (PmxWriteOptions){0}, arena), approval, arena,
              diag))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!painting_save(&paintings[i], directory, approval, arena, diag))
            return false;
    return true;
}

static bool save_motions(const char *directory, const FileApproval *approval, Arena *arena,
                         Diag *diag)
{
    const VmdMotion dance = dance_make(arena), camera = camera_make(arena);

    return save(directory, "dance.vmd", vmd_write(&dance, arena), approval, arena, diag) &&
           save(directory, "camera.vmd", vmd_write(&camera, arena), approval, arena, diag);
}

static bool save_hall(const char *directory, const FileApproval *approval, Arena *arena, Diag *diag)
{
    const PmxModel hall = hall_make(arena);
    const VmdMotion camera = hall_camera_make(arena);
    size_t count;
    const Painting *pictures = hall_paintings(&count);

    return save_model(directory, "hall.pmx", &hall, pictures, count, approval, arena, diag) &&
           save(directory, "hall-camera.vmd", vmd_write(&camera, arena), approval, arena, diag) &&
           save(directory, DEMO_HALL_JOB, job_text("hall", "hall", "hall-camera", arena), approval,
                arena, diag);
}

bool demo_write(const char *directory, bool hall, const FileApproval *approval, Arena *arena,
                Diag *diag)
{
    const PmxModel figure = figure_make(arena), stage = stage_make(arena);
    size_t figure_count, stage_count;
    const Painting *figure_pictures = figure_paintings(&figure_count);
    const Painting *stage_pictures = stage_paintings(&stage_count);

    return save_model(directory, "figure.pmx", &figure, figure_pictures, figure_count, approval,
                      arena, diag) &&
           save_model(directory, "stage.pmx", &stage, stage_pictures, stage_count, approval, arena,
                      diag) &&
           save_motions(directory, approval, arena, diag) &&
           tune_save(in_directory(directory, "tune.wav", arena), approval, arena, diag) &&
           tune_save_song(in_directory(directory, "tune.mid", arena), approval, arena, diag) &&
           save(directory, DEMO_JOB, job_text("demo", "stage", "camera", arena), approval, arena,
                diag) &&
           (!hall || save_hall(directory, approval, arena, diag));
}
