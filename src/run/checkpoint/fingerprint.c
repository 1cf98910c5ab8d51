// SPDX-License-Identifier: MIT
#include "run/checkpoint/fingerprint.h"

#include <inttypes.h>
#include <string.h>

#include "base/embedded_text.h"
#include "base/file.h"
#include "base/path.h"
#include "evaluate/version.h"
#include "film/credits.h"
#include "film/film.h"
#include "job/burn_in_text.h"
#include "job/job_visit.h"
#include "media/libav.h"
#include "render/version.h"
#include "run/checkpoint/warm_inputs.h"

typedef struct Builder {
    Fingerprint *fingerprint;
    const Film *film;
    const FilmScene *scene; /* whose facts are added, with the prefix of its keys */
    const char *prefix;
    ARENA_LIST(FingerprintInput *)
    inputs; /* allocated one by one, so that facts can point to them */
    Hash *previews;
    const volatile sig_atomic_t *stop;
    bool failed;
    Arena *arena;
    Diag *diag;
} Builder;

static FingerprintFact *add_fact(Builder *m, FingerprintFacts *facts, const char *key,
                                 const char *value)
{
    FingerprintFact *fact = arena_push(m->arena, facts);
    *fact = (FingerprintFact){arena_printf(m->arena, "%s%s", m->prefix, key),
                              arena_strdup(m->arena, value), NULL};
    return fact;
}

static void add_text(Hash *hash, const char *text)
{
    hash_add(hash, text, strlen(text) + 1); /* with the NUL, which separates texts */
}

/* ---- the resolved job ---- */

static void add_key(void *user, const char *key, const char *value, const Option *option)
{
    Builder *m = user;
    add_fact(m, option_affects_film(option) ? &m->fingerprint->facts : &m->fingerprint->other_facts,
             key, value);
    if (option->stage == STAGE_PREVIEW && option->role == ROLE_VALUE) {
        add_text(m->previews, key);
        add_text(m->previews, value);
    }
}

/* ---- inputs ---- */

static const FingerprintInput *find_input(const Builder *m, const char *file)
{
    for (size_t i = m->inputs.count; i-- > 0;)
        if (!strcmp(m->inputs.items[i]->file, file))
            return m->inputs.items[i];
    return NULL;
}

static const FingerprintInput *read_input(Builder *m, const char *file)
{
    const FingerprintInput *known = find_input(m, file);
    if (known)
        return known;
    FingerprintInput *input = arena_array(m->arena, FingerprintInput, 1);
    input->file = arena_strdup(m->arena, file);
    const FingerprintInput *warm = m->film->inputs ? warm_inputs_find(m->film->inputs, file) : NULL;
    if (warm)
        *input = *warm;
    else if (!file_digest(&input->digest, &input->bytes, file, m->stop, m->diag))
        m->failed = true; /* added all the same, so that the error is reported once */
    *arena_push(m->arena, &m->inputs) = input;
    return input;
}

/* file NULL: there is no file, which is recorded as "none". */
static void add_input(Builder *m, const char *key, const char *file)
{
    char text[DIGEST_TEXT_SIZE] = "none";
    const FingerprintInput *input = file ? read_input(m, file) : NULL;
    if (input)
        digest_text(text, &input->digest);
    add_fact(m, &m->fingerprint->facts, key, text)->input = input;
}

static const char *key_of(const Builder *m, const char *list, size_t index, const char *member)
{
    return arena_printf(m->arena, "%s.%zu.%s", list, index, member);
}

static void add_shaders(Builder *m, const char *key, const char *directory)
{
    for (const EmbeddedText *shader = embedded_shaders; shader->name; shader++) {
        const char *file = arena_printf(m->arena, "%s/%s", directory, shader->name);
        add_input(m, arena_printf(m->arena, "%s.%s", key, shader->name),
                  path_is_file(file) ? file : NULL);
    }
}

static void add_file(void *user, const JobFile *file)
{
    Builder *m = user;
    if (file->role == ROLE_INPUT_SHADERS)
        add_shaders(m, file->key, file->path);
    else if (file->role != ROLE_OUTPUT && file->role != ROLE_INPUT_BAKE)
        add_input(m, file->key, file->path);
}

/* ---- what was found for the job ---- */

static void add_textures(Builder *m, const char *list, size_t index, const Model *model)
{
    for (uint32_t i = 0; i < model->pmx.texture_count; i++)
        add_input(m, arena_printf(m->arena, "%s.%zu.textures.%" PRIu32, list, index, i),
                  model->texture_files[i]);
}

/* The models that carry something over time: by index, because ids do not affect frames. */
static void add_attach_track(Builder *m, const char *key, const AttachTrack *track)
{
    for (uint32_t i = 0; i < track->key_count; i++)
        add_fact(m, &m->fingerprint->facts, arena_printf(m->arena, "%s.to.%" PRIu32, key, i),
                 arena_printf(m->arena, "model %" PRId32, track->keys[i].model));
}

/* The files that were found for a model of the job, and what carries it. */
static void add_model(Builder *m, const char *list, size_t index, const ModelSpec *job,
                      const SceneModel *model)
{
    if (strcmp(model->model->mesh_file, job->file) != 0)
        add_input(m, key_of(m, list, index, "accessory"), model->model->mesh_file);
    for (size_t i = 0; i < model->model->files.paths.count; i++)
        add_input(m, arena_printf(m->arena, "%s.%zu.files.%zu", list, index, i),
                  model->model->files.paths.items[i]);
    add_textures(m, list, index, model->model);
    if (model->attach_model >= 0) /* by index, because ids do not affect frames */
        add_fact(m, &m->fingerprint->facts, key_of(m, list, index, "attach.to"),
                 arena_printf(m->arena, "bone %" PRId32 " of model %" PRId32, model->attach_bone,
                              model->attach_model));
    for (uint32_t i = 0; i < model->attach_count; i++)
        add_attach_track(m, arena_printf(m->arena, "%s.%zu.attach.%" PRIu32, list, index, i),
                         &model->attach[i]);
}

static void add_cloth(Builder *m, size_t index, const ClothPlan *plan)
{
    add_fact(m, &m->fingerprint->facts, key_of(m, "cloth", index, "of"),
             arena_printf(m->arena, "model %" PRIu32, plan->owner));
    if (plan->drawn != plan->owner)
        add_textures(m, "cloth", index, m->scene->scene.models[plan->drawn].model);
}

/* The models by index, because ids do not affect frames, and the cuts, which may depend on how a
 * sound was decoded. */
static void add_following(Builder *m)
{
    const CameraSpec *camera = &m->scene->job->camera;
    const FollowTrack *track = &m->scene->scene.camera_follow;
    for (size_t i = 0; i < camera->follow_count; i++)
        add_fact(m, &m->fingerprint->facts, arena_printf(m->arena, "camera.follow.%zu", i),
                 arena_printf(m->arena, "model %" PRId32,
                              scene_find_model(&m->scene->scene, camera->follow[i])));
    if (camera->cuts >= 0 || !track->count)
        return;
    char text[DIGEST_TEXT_SIZE];
    Hash *hash = hash_create();
    for (uint32_t i = 0; i < track->count; i++)
        hash_add(hash, &track->segments[i].start, sizeof track->segments[i].start);
    const Digest digest = hash_finish(hash);
    digest_text(text, &digest);
    add_fact(m, &m->fingerprint->facts, "camera.cuts found", text);
}

static void add_draws(Hash *hash, const Scene *scene, SceneEffectDraws draws)
{
    for (size_t i = 0; i < scene->model_count; i++) {
        const uint32_t count = scene->models[i].model->pmx.material_count;
        for (uint32_t k = 0; k < count || !k; k++) {
            const int32_t index = scene_effect_of(draws, i, k);
            hash_add(hash, &index, sizeof index);
        }
    }
}

/* The files of effects, and which of them draws what: an effect that fails draws nothing. */
static void add_effects(Builder *m)
{
    const Scene *scene = &m->scene->scene;
    const SceneEffects *effects = &scene->effects;
    char text[DIGEST_TEXT_SIZE];
    for (size_t i = 0; i < effects->file_count; i++)
        add_input(m, key_of(m, "effects", i, "file"), effects->files[i]);
    if (!effects->draws)
        return;
    Hash *hash = hash_create();
    add_draws(hash, scene, effects->draws);
    for (size_t i = 0; i < effects->target_count; i++) {
        const SceneEffectTarget *target = &effects->targets[i];
        const int32_t which[] = {target->parent, target->model, target->effect, target->parameter};
        hash_add(hash, which, sizeof which);
        add_draws(hash, scene, target->draws);
    }
    const Digest digest = hash_finish(hash);
    digest_text(text, &digest);
    add_fact(m, &m->fingerprint->facts, "effects.draws", text);
}

static void add_scene(Builder *m, const FilmScene *film_scene)
{
    const Job *job = film_scene->job;
    const Scene *scene = &film_scene->scene;
    m->scene = film_scene;
    m->prefix = job->prefix;
    for (size_t i = 0; i < job->stage_count; i++)
        add_model(m, "stage", i, &job->stage[i], &scene->models[i]);
    for (size_t i = 0; i < job->model_count; i++)
        add_model(m, "models", i, &job->models[i], &scene->models[job->stage_count + i]);
    for (size_t i = 0; i < scene->motion_files.paths.count; i++)
        add_input(m, key_of(m, "motions", i, "file"), scene->motion_files.paths.items[i]);
    for (size_t i = 0; i < scene->cloth_count; i++)
        add_cloth(m, i, &scene->cloths[i]);
    add_effects(m);
    add_following(m);
    if (scene->camera_attach)
        add_attach_track(m, "camera.attach", scene->camera_attach);
    if (m->scene->job->look.focus) /* the model by index, because ids do not affect frames */
        add_fact(m, &m->fingerprint->facts, "look.focus.of",
                 arena_printf(m->arena, "model %" PRIu32, m->scene->look.focus->model_index));
    m->prefix = "";
}

static void add_burn_in(Builder *m)
{
    const Job *job = m->film->job;
    char text[BURN_IN_TEXT_SIZE];
    if (!job->burn_in)
        return;
    burn_in_text(text, job, 0); /* it may contain the name of the job */
    add_fact(m, &m->fingerprint->facts, "burn_in of frame 0", text);
}

/* Lines that are in the frames. */
static void add_credits(Builder *m)
{
    if (!(m->film->job->credits.show > 0))
        return;
    add_fact(m, &m->fingerprint->facts, "credits that are shown", credits_text(m->film, m->arena));
}

/* The fonts of all texts, in their order. */
static void add_fonts(Builder *m, const FilmFontUse *use)
{
    for (size_t i = 0; i < use->fonts.count; i++) {
        const FontSource *font = &use->fonts.items[i];
        add_input(m, arena_printf(m->arena, "%s.fonts.%zu", use->key, i), font->path);
        add_fact(m, &m->fingerprint->facts, arena_printf(m->arena, "%s.faces.%zu", use->key, i),
                 arena_printf(m->arena, "%ld, %s", font->face,
                              font_shaping_version() ? "shaped" : "not shaped"));
    }
}

/* ---- the film and the program ---- */

static void add_number(Builder *m, const char *key, int64_t value)
{
    add_fact(m, &m->fingerprint->facts, key, arena_printf(m->arena, "%" PRId64, value));
}

static void add_film(Builder *m)
{
    const Film *film = m->film;
    const char *frames = "";
    for (size_t i = 0; i < film->frames.count; i++)
        frames = arena_printf(m->arena, "%s%s%" PRId64 "-%" PRId64, frames, i ? "," : "",
                              film->frames.items[i].first, film->frames.items[i].last);
    for (size_t i = 0; i < film->output_count; i++)
        add_fact(m, &m->fingerprint->facts, key_of(m, "outputs", i, "ending"),
                 path_extension(film->outputs[i].options.file));
    add_fact(m, &m->fingerprint->facts, "frames", frames);
    add_number(m, "frames of a segment", film->segment_frames);
    add_number(m, "evaluation version", EVALUATE_VERSION);
    add_number(m, "picture version", PICTURE_VERSION);
    add_fact(m, &m->fingerprint->facts, "FFmpeg", libav_release());
}

static Digest digest_of(const FingerprintFacts *facts)
{
    Hash *hash = hash_create();
    for (size_t i = 0; i < facts->count; i++) {
        add_text(hash, facts->items[i].key);
        add_text(hash, facts->items[i].value);
    }
    return hash_finish(hash);
}

bool fingerprint_make(Fingerprint *fingerprint, const Film *film, const volatile sig_atomic_t *stop,
                      Arena *arena, Diag *diag)
{
    *fingerprint = (Fingerprint){0};
    Builder m = {.fingerprint = fingerprint,
                 .film = film,
                 .prefix = "",
                 .previews = hash_create(),
                 .stop = stop,
                 .arena = arena,
                 .diag = diag};
    job_visit_keys(film->job, add_key, &m);
    job_visit_files(film->job, add_file, &m);
    for (size_t i = 0; i < film->scene_count; i++)
        add_scene(&m, &film->scenes[i]);
    add_burn_in(&m);
    add_credits(&m);
    /* The version of libass, because glyphs and layouts differ. */
    if (m.film->job->subtitles)
        add_fact(&m, &m.fingerprint->facts, "libass",
                 subtitles_version() ? subtitles_version() : "");
    for (size_t i = 0; i < film->fonts.count; i++)
        add_fonts(&m, &film->fonts.items[i]);
    add_film(&m);
    fingerprint->digest = digest_of(&fingerprint->facts);
    fingerprint->previews = hash_finish(m.previews);
    fingerprint->inputs = arena_array(arena, FingerprintInput, m.inputs.count);
    fingerprint->input_count = m.inputs.count;
    for (size_t i = 0; i < m.inputs.count; i++)
        fingerprint->inputs[i] = *m.inputs.items[i];
    return !m.failed;
}
