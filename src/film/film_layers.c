// SPDX-License-Identifier: MIT
#include "film/film_layers.h"

#include "base/text.h"
#include "output/sink.h"
#include "picture/passes/pass_painter.h"

enum { MIN_SCALE = 2, MAX_LABELS = UINT16_MAX };

int film_label_scale(const RenderOptions *render)
{
    return render->supersample > MIN_SCALE ? render->supersample : MIN_SCALE;
}

/* ---- names of mattes ---- */

/* 0 of a model that could not be loaded, whose film is only checked further. */
static uint32_t material_count(const SceneModel *model)
{
    return model->model ? model->model->pmx.material_count : 0;
}

PassLabels film_labels_before(const Film *film, size_t scene)
{
    PassLabels before = {0, 0};
    for (size_t s = 0; s < scene; s++) {
        const Scene *other = &film->scenes[s].scene;
        before.models += other->model_count;
        for (size_t i = 0; i < other->model_count; i++)
            before.materials += material_count(&other->models[i]);
    }
    return before;
}

static size_t count_materials(const Film *film)
{
    return film_labels_before(film, film->scene_count).materials;
}

/* The names of a scene's labels; returns the end of them. */
static const char **name_scene(const char **names, const Scene *scene, bool materials, Arena *arena)
{
    for (size_t m = 0; m < scene->model_count; m++) {
        const SceneModel *model = &scene->models[m];
        for (uint32_t i = 0; i < material_count(model); i++)
            *names++ = materials ? arena_printf(arena, "%s/%s", model->id,
                                                model->model->pmx.materials[i].name)
                                 : model->id;
    }
    return names;
}

/* Each label has the name of its model, or of its model and material. */
static void name_labels(SinkLayer *layer, const Film *film, bool materials, Arena *arena)
{
    layer->name_count = count_materials(film);
    const char **names = arena_array(arena, const char *, layer->name_count), **next = names;
    layer->names = names;
    for (size_t s = 0; s < film->scene_count; s++)
        next = name_scene(next, &film->scenes[s].scene, materials, arena);
}

static void name_models(SinkLayer *layer, const Film *film, Arena *arena)
{
    layer->name_count = film_labels_before(film, film->scene_count).models;
    const char **names = arena_array(arena, const char *, layer->name_count), **next = names;
    layer->names = names;
    for (size_t s = 0; s < film->scene_count; s++)
        for (size_t m = 0; m < film->scenes[s].scene.model_count; m++)
            *next++ = film->scenes[s].scene.models[m].id;
}

static void set_matte(SinkLayer *layer, const Film *film, bool materials, Arena *arena)
{
    const int scale = film->passes.label_scale;
    layer->kind = SINK_LAYER_MATTE;
    layer->name = materials ? "CryptoMaterial" : "CryptoObject";
    layer->samples = scale * scale;
    layer->label_size = film->passes.label_size;
    name_labels(layer, film, materials, arena);
}

/* ---- layers ---- */

static SinkLayer layer_of(Pass pass, const Film *film, Arena *arena)
{
    SinkLayer layer = {.kind = SINK_LAYER_GREY, .name = pass_name(pass)};
    switch (pass) {
    case PASS_BEAUTY:
        return (SinkLayer){.kind = SINK_LAYER_COLOR, .name = "", .alpha = film->render.alpha};
    case PASS_POSE:
        return (SinkLayer){.kind = SINK_LAYER_COLOR, .name = "pose"};
    case PASS_DEPTH:
        return (SinkLayer){.kind = SINK_LAYER_DEPTH, .name = ""};
    case PASS_NORMAL:
        return (SinkLayer){.kind = SINK_LAYER_NORMAL, .name = "N"};
    case PASS_MOTION:
        return (SinkLayer){.kind = SINK_LAYER_VECTOR, .name = "Vector"};
    case PASS_MASK_MODEL:
    case PASS_MASK_MATERIAL:
        set_matte(&layer, film, pass == PASS_MASK_MATERIAL, arena);
        return layer;
    case PASS_CAMERA:
        return (SinkLayer){.kind = SINK_LAYER_CAMERA};
    default: /* line, shadow */
        return layer;
    }
}

/* The layer of a file of arrays. */
static SinkLayer array_of(Pass pass, const Film *film, Arena *arena)
{
    static const SinkLayerKind kinds[PASS_CHOICES] = {
        [PASS_BEAUTY] = SINK_LAYER_COLOR,   [PASS_DEPTH] = SINK_LAYER_DEPTH,
        [PASS_NORMAL] = SINK_LAYER_COLOR,   [PASS_MASK_MODEL] = SINK_LAYER_NUMBERS,
        [PASS_LINE] = SINK_LAYER_GREY,      [PASS_MASK_MATERIAL] = SINK_LAYER_NUMBERS,
        [PASS_SHADOW] = SINK_LAYER_GREY,    [PASS_POSE] = SINK_LAYER_COLOR,
        [PASS_KEYPOINTS] = SINK_LAYER_TEXT, [PASS_CAMERA] = SINK_LAYER_CAMERA,
        [PASS_MOTION] = SINK_LAYER_VECTOR,
    };
    SinkLayer layer = {.kind = kinds[pass], .name = pass_name(pass)};
    layer.alpha = pass == PASS_BEAUTY && film->render.alpha;
    if (pass == PASS_MASK_MODEL)
        name_models(&layer, film, arena);
    if (pass == PASS_MASK_MATERIAL)
        name_labels(&layer, film, true, arena);
    return layer;
}

static bool has_pass(const Pass *passes, size_t count, Pass pass)
{
    for (size_t i = 0; i < count; i++)
        if (passes[i] == pass)
            return true;
    return false;
}

/* The passes that the job names, each once. */
static size_t list_passes(Pass passes[PASS_CHOICES], const JobOutput *output)
{
    size_t count = 0;
    for (size_t i = 0; i < output->pass_count; i++) {
        const Pass pass = (Pass)output->passes[i];
        if (!has_pass(passes, count, pass))
            passes[count++] = pass;
    }
    if (count == 0)
        passes[count++] = (Pass)output->pass;
    return count;
}

static bool has_labels(const FilmOutput *out)
{
    return has_pass(out->layers, out->layer_count, PASS_LABELS) ||
           has_pass(out->layers, out->layer_count, PASS_MATERIAL_NUMBERS);
}

static void add_layer(FilmOutput *out, Pass pass, SinkLayer layer, SinkLayer *layers)
{
    layers[out->layer_count] = layer;
    out->layers[out->layer_count++] = pass;
}

static bool load(FilmOutput *out, const Film *film, const JobOutput *output, Arena *arena,
                 Diag *diag)
{
    Pass passes[PASS_CHOICES];
    const bool arrays = out->kind == &sink_tar;
    const size_t count = list_passes(passes, output);
    SinkLayer *layers = arena_array(arena, SinkLayer, count + 1);
    out->layer_count = 0;
    for (size_t i = 0; i < count; i++) {
        if (!arrays && pass_is_text(passes[i]))
            return diag_fail(diag, DIAG_JOB, "'%s': an .exr file cannot contain the pass '%s'",
                             output->file, pass_name(passes[i]));
        add_layer(out, arrays ? pass_as_array(passes[i]) : pass_as_layer(passes[i]),
                  arrays ? array_of(passes[i], film, arena) : layer_of(passes[i], film, arena),
                  layers);
    }
    if (!arrays) /* its attributes */
        add_layer(out, PASS_CAMERA, layer_of(PASS_CAMERA, film, arena), layers);
    out->pass = out->layers[0];
    out->options.layers = layers;
    out->options.layer_count = out->layer_count;
    out->options.crop_layers = film->job->passes.window == JOB_WINDOW_DRAWN;
    return !has_labels(out) || count_materials(film) <= MAX_LABELS ||
           diag_fail(diag, DIAG_JOB, "'%s': mattes of more than %d materials", output->file,
                     MAX_LABELS);
}

static bool is_json(const JobOutput *output)
{
    return text_equal_ignoring_case(sink_extension(output->file, output->format), "json");
}

/* Why a file without layers cannot contain a pass; NULL if it can. */
static const char *unfit(const FilmOutput *out, const JobOutput *output)
{
    if (output->pass_count)
        return "only .exr and .tar files have several passes";
    if (out->pass == PASS_MOTION)
        return "only .exr and .tar files can contain motion vectors";
    return pass_is_text(out->pass) && !is_json(output)
               ? "only .json and .tar files can contain keypoints or cameras"
               : NULL;
}

bool film_layers_load(FilmOutput *out, const Film *film, size_t index, Arena *arena, Diag *diag)
{
    const JobOutput *output = &film->job->outputs[index];
    const char *key =
        arena_printf(arena, "outputs.%zu.%s", index, output->pass_count ? "passes" : "pass");
    const DiagLocation *location = job_location(film->job, key, NULL, arena);
    if (output->pass_count && output->pass != PASS_BEAUTY)
        return diag_fail_at(diag, location, DIAG_JOB, "'%s': pass and passes are both given",
                            output->file);
    if (out->kind == &sink_exr || out->kind == &sink_tar)
        return load(out, film, output, arena, diag);
    /* The pose is drawn, or its keypoints are written as JSON. */
    out->pass = output->pass == PASS_POSE && is_json(output) ? PASS_KEYPOINTS : (Pass)output->pass;
    const char *problem = unfit(out, output);
    return !problem || diag_fail_at(diag, location, DIAG_JOB, "'%s': %s", output->file, problem);
}
