// SPDX-License-Identifier: MIT
#include "run/pipeline/pass_notes.h"

#include "base/file.h"
#include "base/json.h"
#include "base/text_stream.h"
#include "film/film_images.h"

static void write_label(Json *json, uint32_t label, const char *model, const char *material)
{
    uint8_t color[4];
    pass_label_color(color, label);
    json_print(json, "\n{label:%u color:[%d, %d, %d] model:%s", label, color[0], color[1], color[2],
               model);
    if (material)
        json_print(json, "material:%s", material);
    json_print(json, "}");
}

static uint32_t write_scene(Json *json, const Scene *scene, bool materials, uint32_t label)
{
    for (size_t m = 0; m < scene->model_count; m++) {
        const PmxModel *pmx = &scene->models[m].model->pmx;
        if (!materials)
            write_label(json, ++label, scene->models[m].id, NULL);
        for (uint32_t i = 0; materials && i < pmx->material_count; i++)
            write_label(json, ++label, scene->models[m].id, pmx->materials[i].name);
    }
    return label;
}

static void write_labels(Json *json, const Film *film, bool materials)
{
    uint32_t label = 0;
    json_print(json, "labels:[");
    for (size_t i = 0; i < film->scene_count; i++)
        label = write_scene(json, &film->scenes[i].scene, materials, label);
    json_print(json, "]");
}

static bool write_note(const Film *film, const FilmOutput *output, const char *file, Diag *diag)
{
    Arena *arena = arena_create();
    TextStream stream;
    Json json = json_init(text_stream_open(&stream, arena));
    const DepthRange *depth = &film->passes.depth;
    json_print(&json, "{pass:%s", pass_name(output->pass));
    if (output->pass == PASS_DEPTH)
        json_print(&json, "values:%s near:%g far:%g unit:'MMD units along the view'",
                   depth->linear ? "linear" : "inverse", depth->near, depth->far);
    else
        write_labels(&json, film, output->pass == PASS_MASK_MATERIAL);
    json_print(&json, "}\n");
    const char *text = text_stream_close(&stream);
    const bool ok = file_save_approved(file, text, stream.size, film->note_approval, diag);
    arena_destroy(arena);
    return ok;
}

bool pass_notes_write(const Film *film, Diag *diag)
{
    Arena *arena = arena_create();
    bool ok = true;
    for (size_t i = 0; ok && i < film->output_count; i++) {
        const char *file = film_note_file(&film->outputs[i], arena);
        ok = !file || write_note(film, &film->outputs[i], file, diag);
    }
    arena_destroy(arena);
    return ok;
}
