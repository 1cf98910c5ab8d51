// SPDX-License-Identifier: MIT
#include "demo/demo.h"

#include "demo/dance.h"
#include "demo/figure.h"
#include "demo/stage.h"
#include "demo/tune.h"
#include "format/model/pmx.h"
#include "format/motion/vmd.h"

static const char JOB_TEXT[] =
    "# The built-in demo of Odori: all of it was made by the program itself.\n"
    "version: 1\n"
    "name: odori-demo\n"
    "models:\n"
    "  - id: dancer\n"
    "    file: figure.pmx\n"
    "    motions: [dance.vmd]\n"
    "stage:\n"
    "  - { file: stage.pmx }\n"
    "camera: { motion: camera.vmd }\n"
    "audio: { file: tune.wav, fade_out_s: 0.6 }\n"
    "background: { color: \"#7a70c4\" }\n"
    "render: { size: [1280, 720], fps: 30, frames: \"0-719\" }\n"
    "outputs:\n"
    "  - { file: demo.mp4, codec: h264, crf: 18 }\n";

typedef struct Writer {
    const char *directory;
    const FileApproval *approval;
    Arena *arena;
    Diag *diag;
} Writer;

static const char *path_of(const Writer *w, const char *name)
{
    return arena_printf(w->arena, "%s/%s", w->directory, name);
}

static bool save(const Writer *w, const char *name, Bytes bytes)
{
    return file_save_approved(path_of(w, name), bytes.data, bytes.size, w->approval, w->diag);
}

static bool save_motion(const Writer *w, const char *name, VmdMotion motion)
{
    return save(w, name, vmd_write(&motion, w->arena));
}

static bool save_model(const Writer *w, const char *name, PmxModel model, Paintings paintings)
{
    if (!save(w, name, pmx_write(&model, (PmxWriteOptions){0}, w->arena)))
        return false;
    for (size_t i = 0; i < paintings.count; i++)
        if (!painting_save(&paintings.items[i], w->directory, w->approval, w->arena, w->diag))
            return false;
    return true;
}

bool demo_write_job(const char *directory, const FileApproval *approval, Arena *arena, Diag *diag)
{
    const Writer w = {directory, approval, arena, diag};
    const Bytes job = {(const uint8_t *)JOB_TEXT, sizeof JOB_TEXT - 1};
    return save(&w, DEMO_JOB, job);
}

bool demo_write(const char *directory, const FileApproval *approval, Arena *arena, Diag *diag)
{
    const Writer w = {directory, approval, arena, diag};

    return save_model(&w, "figure.pmx", figure_make(arena), FIGURE_PAINTINGS) &&
           save_model(&w, "stage.pmx", stage_make(arena), STAGE_PAINTINGS) &&
           save_motion(&w, "dance.vmd", dance_make(arena)) &&
           save_motion(&w, "camera.vmd", dance_camera_make(arena)) &&
           tune_save(path_of(&w, "tune.wav"), approval, arena, diag) &&
           tune_save_song(path_of(&w, "tune.mid"), approval, arena, diag);
}
