#include "run/pipeline/pass_notes.h"

#include "base/file.h"
#include "base/json.h"
#include "base/text_stream.h"
#include "film/film_images.h"

static void write_depth(Json *json, const DepthRange *range)
{
    json_pair_text(json, "values", range->linear ? "linear" : "inverse");
    json_pair_short(json, "near", range->near);
    json_pair_short(json, "far", range->far);
    json_pair_text(json, "unit", "MMD units along the view");
}

static void write_label(Json *json, uint32_t label, const char *model, const char *material)
{
    uint8_t color[4];
    pass_label_color(color, label);
    json_newline(json);
    json_open(json, '{');
    json_pair_int(json, "label", label);
    json_pair_open(json, "color", '[');
    for (int c = 0; c < 3; c++)
        json_int(json, color[c]);
    json_close(json, ']');
    json_pair_text(json, "model", model);
    if (material)
        json_pair_text(json, "material", material);
    json_close(json, '}');
}

static void write_labels(Json *json, const Scene *scene, bool materials)
{
    uint32_t label = 0;
    json_pair_open(json, "labels", '[');
    for (size_t m = 0; m < scene->model_count; m++) {
        const PmxModel *pmx = &scene->models[m].model->pmx;
        if (!materials)
            write_label(json, ++label, scene->models[m].id, NULL);
        for (uint32_t i = 0; materials && i < pmx->material_count; i++)
            write_label(json, ++label, scene->models[m].id, pmx->materials[i].name);
    }
    json_close(json, ']');
}

static bool write_note(const Film *film, const FilmOutput *output, const char *file, Diag *diag)
{
    Arena *arena = arena_create();
    TextStream stream;
    Json json = json_init(text_stream_open(&stream, arena));
    json_open(&json, '{');
    json_pair_text(&json, "pass", pass_name(output->pass));
    if (output->pass == PASS_DEPTH)
        write_depth(&json, &film->passes.depth);
    else
        write_labels(&json, &film->scene, output->pass == PASS_MASK_MATERIAL);
    json_close(&json, '}');
    json_newline(&json);
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
