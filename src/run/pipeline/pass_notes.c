// SPDX-License-Identifier: MIT
#include "run/pipeline/pass_notes.h"

#include "base/file.h"
#include "base/text_stream.h"
#include "film/film_images.h"

typedef struct DepthNote {
    const char *values, *unit;
    double near, far;
} DepthNote;

static const ResultField DepthNote_fields[] = {
    MEMBER(DepthNote, values, "linear or inverse"),
    MEMBER(DepthNote, near, "depth that is white"),
    MEMBER(DepthNote, far, "depth that is black"),
    MEMBER(DepthNote, unit, "unit of both"),
};

typedef struct MaskLabel {
    unsigned label;
    int color[3];
    const char *model, *material;
} MaskLabel;

typedef MaskLabel ModelLabel, MaterialLabel;

#define MODEL_LABEL                                                            \
    MEMBER(MaskLabel, label, "value in an image of integers, from 1 on"),      \
        MEMBER_ARRAY(MaskLabel, color, "red, green and blue in other images"), \
        MEMBER(MaskLabel, model, "id of the model")

static const ResultField ModelLabel_fields[] = {MODEL_LABEL};
RESULT(ModelLabel, "a model");

static const ResultField MaterialLabel_fields[] = {
    MODEL_LABEL, MEMBER(MaskLabel, material, "name of the material")};
RESULT(MaterialLabel, "a material");

typedef ARENA_LIST(MaskLabel) MaskNote;

static const ResultField ModelMask_fields[] = {
    MEMBER_LIST_NAMED(MaskNote, items, count, "labels", ModelLabel, "all models"),
};
static const ResultField MaterialMask_fields[] = {
    MEMBER_LIST_NAMED(MaskNote, items, count, "labels", MaterialLabel, "all materials"),
};
typedef MaskNote ModelMask, MaterialMask;

static const ResultTable depth_result = RESULT_CASE_TABLE(DepthNote, "depths", "depth"),
                         model_result =
                             RESULT_CASE_TABLE(ModelMask, "a label for each model", "mask-model"),
                         material_result = RESULT_CASE_TABLE(
                             MaterialMask, "a label for each material", "mask-material");

static const ResultTable *const notes[] = {&depth_result, &model_result, &material_result, NULL};

typedef struct PassNote {
    ResultCase note;
} PassNote;

static const ResultField PassNote_fields[] = {
    MEMBER_CASE(PassNote, note, "pass", notes, "name of the pass"),
};
const ResultTable pass_note_result = RESULT_TABLE(PassNote, "what the values of a pass mean");

static void add_label(MaskNote *note, const char *model, const char *material, Arena *arena)
{
    MaskLabel *label = arena_push(arena, note);
    uint8_t color[4];
    pass_label_color(color, (uint32_t)note->count);
    *label = (MaskLabel){(unsigned)note->count, {color[0], color[1], color[2]}, model, material};
}

static void add_scene(MaskNote *note, const Scene *scene, bool materials, Arena *arena)
{
    for (size_t m = 0; m < scene->model_count; m++) {
        const PmxModel *pmx = &scene->models[m].model->pmx;
        if (!materials)
            add_label(note, scene->models[m].id, NULL, arena);
        for (uint32_t i = 0; materials && i < pmx->material_count; i++)
            add_label(note, scene->models[m].id, pmx->materials[i].name, arena);
    }
}

static bool write_note(const Film *film, const FilmOutput *output, const char *file, Diag *diag)
{
    const bool materials = output->pass == PASS_MASK_MATERIAL;
    const DepthRange *range = &film->passes.depth;
    const DepthNote depth = {.values = range->linear ? "linear" : "inverse",
                             .unit = "MMD units along the view",
                             .near = range->near,
                             .far = range->far};
    Arena *arena = arena_create();
    TextStream stream;
    MaskNote labels = {0};
    PassNote note = {{pass_name(output->pass), &depth_result, &depth}};
    if (output->pass != PASS_DEPTH) {
        note.note.table = materials ? &material_result : &model_result;
        note.note.record = &labels;
        for (size_t i = 0; i < film->scene_count; i++)
            add_scene(&labels, &film->scenes[i].scene, materials, arena);
    }
    result_print(text_stream_open(&stream, arena), &pass_note_result, &note);
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
