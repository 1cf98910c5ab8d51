// SPDX-License-Identifier: MIT
#include "scene/scene.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "format/file_kind.h"
#include "scene/complexity.h"
#include "scene/effects/effect_assign.h"
#include "scene/mocap/clean.h"
#include "scene/motion_kind.h"
#include "scene/sequence.h"

/* Files that were loaded already; entries of one file share the result. */
typedef struct Loader {
    const SceneSpec *spec;
    Scene *scene;
    struct LoadedModel {
        const char *file;
        const Model *model; /* NULL after an error was reported */
        bool casts_shadow, flip_v;
    } * models;
    size_t model_count;
    struct LoadedMotion {
        const char *file;
        const Model *model;
        MocapOptions options;
        const CleanSpec *clean;
        bool converted; /* for this model and these options: motion capture, or cleaned */
        const VmdMotion *motion;
    } * motions;
    size_t motion_count;
    struct LoadedVoice {
        const char *file;
        const Voice *voice; /* NULL after an error was reported */
    } * voices;
    size_t voice_count;
    TextureBudget textures;
    uint64_t vertices; /* vertices of the models that are loaded */
    Arena *arena;
    Diag *diag;
} Loader;

/* Polled between files, which are bounded in size and therefore in time. */
static bool is_stopped(const Loader *l)
{
    return l->spec->stop && *l->spec->stop;
}

/*
 * Reports a file that does not exist, or one that cannot be used so, at the location that
 * names it.  True for a file of an unknown kind, which its loader will report.
 */
static bool check_file(Loader *l, const char *file, FileUse use, const DiagLocation *location)
{
    if (!file_check_exists(file, location, l->diag))
        return false;
    const FileKind kind = file_kind_of_file(file);
    const unsigned uses = use == FILE_AS_MODEL    ? FILE_AS_MODEL | FILE_AS_ACCESSORY
                          : use == FILE_AS_MOTION ? FILE_AS_MOTION | FILE_AS_CAPTURE
                                                  : use;
    return kind == FILE_UNKNOWN || file_kinds[kind].uses & uses ||
           diag_fail_at(l->diag, location, DIAG_DATA, "'%s' is %s, not a %s; %s", file,
                        file_kinds[kind].name, file_use_name(use), file_kinds[kind].advice);
}

/* What the job says about a scene and its file does not; false after an error. */
static bool adapt_scene(PmxModel *pmx, const ModelSpec *spec, Diag *diag)
{
    if (!pmx->accessory && (spec->casts_shadow || spec->flip_v))
        return diag_fail_at(diag, diag_key(diag, "%s.file", spec->key), DIAG_DATA,
                            "'%s' is no scene: casts_shadow and flip_v are not for it", spec->file);
    if (spec->casts_shadow && pmx->index_count / 3 > SCENE_MAX_CASTING)
        return diag_fail_at(diag, diag_key(diag, "%s.file", spec->key), DIAG_DATA,
                            "'%s' has %" PRIu32
                            " triangles, too many for casts_shadow (at most %d)",
                            spec->file, pmx->index_count / 3, SCENE_MAX_CASTING);
    for (uint32_t i = 0; spec->casts_shadow && i < pmx->material_count; i++)
        pmx->materials[i].flags |= PMX_CAST_SHADOW | PMX_GROUND_SHADOW;
    for (uint32_t i = 0; spec->flip_v && i < pmx->vertex_count; i++) {
        pmx->vertices[i].uv[1] = 1 - pmx->vertices[i].uv[1];
        for (int k = 1; pmx->map_uv && k < 2 * PMX_MAPS; k += 2)
            pmx->map_uv[i][k] = 1 - pmx->map_uv[i][k];
    }
    return true;
}

static const Model *load_model(Loader *l, const ModelSpec *spec)
{
    const char *file = spec->file;
    for (size_t i = 0; i < l->model_count; i++) {
        const struct LoadedModel *m = &l->models[i];
        if (!strcmp(m->file, file) && m->casts_shadow == spec->casts_shadow &&
            m->flip_v == spec->flip_v)
            return m->model;
    }

    if (is_stopped(l))
        return NULL;
    Model *model = arena_alloc(l->arena, sizeof *model);
    if (!check_file(l, file, FILE_AS_MODEL, diag_key(l->diag, "%s.file", spec->key)) ||
        !model_load(model, file, l->spec->textures ? &l->textures : NULL, l->arena, l->diag) ||
        !adapt_scene(&model->pmx, spec, l->diag))
        model = NULL;
    l->models[l->model_count++] =
        (struct LoadedModel){file, model, spec->casts_shadow, spec->flip_v};
    return model;
}

static bool equal_options(const MocapOptions *a, const MocapOptions *b)
{
    return a->legs == b->legs && a->up == b->up &&
           (a->take && b->take ? !strcmp(a->take, b->take) : a->take == b->take);
}

/* The motion for this model, cleaned. */
static bool clean_loaded(Loader *l, struct LoadedMotion *entry, VmdMotion *motion)
{
    const VmdMotion traced = *motion;
    CleanReport report;
    entry->converted = true;
    return clean_motion(motion, &report, &traced, entry->model, entry->clean, l->arena, l->diag);
}

static const VmdMotion *load_motion(Loader *l, const MotionSpec *spec, const Model *model)
{
    const MocapOptions options = {.take = spec->take, .up = spec->up, .legs = spec->legs};
    for (size_t i = 0; i < l->motion_count; i++) {
        const struct LoadedMotion *m = &l->motions[i];
        if (!strcmp(m->file, spec->file) && m->clean == spec->clean &&
            (!m->converted || (m->model == model && equal_options(&m->options, &options))))
            return m->motion;
    }
    struct LoadedMotion *entry = &l->motions[l->motion_count++];
    *entry = (struct LoadedMotion){
        .file = spec->file, .model = model, .options = options, .clean = spec->clean};
    entry->options.side = asset_files_search(&l->scene->motion_files, spec->file, l->arena);
    if (check_file(l, spec->file, FILE_AS_MOTION, diag_key(l->diag, "%s.file", spec->key)) &&
        !is_stopped(l)) {
        Arena *raw = arena_create();
        VmdMotion *motion = arena_alloc(l->arena, sizeof *motion);
        Bytes bytes;
        diag_file(l->diag, entry->file);
        if (file_load(&bytes, entry->file, FILE_MAX_SIZE, raw, l->diag) &&
            retarget_any_motion(motion, &entry->converted, bytes, &entry->options,
                                model ? &model->pmx : NULL, l->arena, l->diag) &&
            (!entry->clean || !model || clean_loaded(l, entry, motion)))
            entry->motion = motion;
        arena_destroy(raw);
        diag_file(l->diag, NULL);
    }
    return entry->motion;
}

static void extend_duration(Scene *scene, double last)
{
    if (last > scene->last_frame)
        scene->last_frame = last;
}

static void extend_by_motion(Scene *scene, const VmdMotion *motion, TimeMap time)
{
    extend_duration(scene, time.offset + (double)vmd_last_frame(motion) / time.speed);
}

static bool set_morph_constants(Loader *l, SceneModel *out, const ModelSpec *spec)
{
    const uint32_t count = out->model->pmx.morph_count;
    bool ok = true;
    out->morph_constants = arena_array(l->arena, float, count);
    for (uint32_t i = 0; i < count; i++)
        out->morph_constants[i] = NAN;
    for (size_t i = 0; i < spec->morph_count; i++) {
        const char *name = spec->morphs[i].name;
        const int32_t morph = model_require_morph(
            out->model, name, diag_named_key(l->diag, name, "%s.morphs", spec->key), l->diag);
        ok &= morph >= 0;
        if (morph >= 0)
            out->morph_constants[morph] = (float)spec->morphs[i].weight;
    }
    return ok;
}

static bool set_hidden(Loader *l, SceneModel *out, const ModelSpec *spec)
{
    const PmxModel *pmx = &out->model->pmx;
    bool ok = true;
    out->hidden = arena_array(l->arena, bool, pmx->material_count);
    for (size_t i = 0; i < spec->hide_count; i++) {
        ok &= model_require_material(out->model, spec->hide_materials[i],
                                     diag_key(l->diag, "%s.hide_materials.%zu", spec->key, i),
                                     l->diag) >= 0;
        for (uint32_t m = 0; m < pmx->material_count; m++) /* all materials with that name */
            out->hidden[m] |= !strcmp(pmx->materials[m].name, spec->hide_materials[i]);
    }
    return ok;
}

/* ---- models ---- */

/* Whether a motion is joined with those beside it that are, too: it is a part of a sequence, or
 * what `at` and `fade` of the next one follow. */
static bool is_in_sequence(const ModelSpec *spec, size_t index)
{
    const MotionSpec *motion = &spec->motions[index], *next = motion + 1;
    return motion_is_part(motion) ||
           (index + 1 < spec->motion_count && (next->at >= 0 || next->fade));
}

static bool bind_motions(Loader *l, SceneModel *out, const ModelSpec *spec)
{
    MotionLayer *layers = arena_array(l->arena, MotionLayer, spec->motion_count);
    MotionLayer *parts = arena_array(l->arena, MotionLayer, spec->motion_count);
    size_t count = 0, part_count = 0;
    bool good = true;
    for (size_t i = 0; i < spec->motion_count; i++) {
        MotionSpec motion = spec->motions[i];
        motion.key = arena_printf(l->arena, "%s.motions.%zu", spec->key, i);
        const VmdMotion *vmd = load_motion(l, &motion, out->model);
        if (!vmd || !motion_kind_check_dance(&motion, vmd, l->arena, l->diag)) {
            good = false;
            continue;
        }
        if (is_in_sequence(spec, i)) {
            parts[part_count++] = (MotionLayer){vmd, motion};
            if (i + 1 < spec->motion_count && is_in_sequence(spec, i + 1))
                continue;
            vmd = good ? sequence_join(parts, part_count, l->arena, l->diag) : NULL;
            part_count = 0;
            if (!vmd) {
                good = false;
                continue;
            }
        }
        layers[count++] = (MotionLayer){vmd, motion};
        extend_by_motion(l->scene, vmd, motion.time);
    }
    if (!out->model)
        return false;
    return motion_bind(&out->motion, out->model, layers, count,
                       l->spec->compat.fixed_axis == FIXED_AXIS_KEYS, l->arena, l->diag) &&
           good;
}

static bool load_scene_model(Loader *l, SceneModel *out, const ModelSpec *spec)
{
    *out = (SceneModel){.model = load_model(l, spec),
                        .id = arena_strdup(l->arena, spec->id),
                        .spec = *spec,
                        .placement = placement_of_model(spec),
                        .keys = model_keys_bind(spec, l->arena),
                        .attach_model = -1,
                        .attach_bone = -1};
    if (out->keys.count)
        extend_duration(l->scene, out->keys.items[out->keys.count - 1].frame);
    if (spec->path_count) {
        const PlacementPoint *last = &spec->path[spec->path_count - 1];
        out->path =
            placement_spline_bind(spec->path, (uint32_t)spec->path_count,
                                  spec->attach ? spec->attach->offset : (Vec3){0}, l->arena);
        extend_duration(l->scene, point_frame(last->time_s, last->frame));
    }
    bool ok = bind_motions(l, out, spec); /* reports bad motions even if the model failed */
    if (!out->model)
        return false;
    diag_file(l->diag, spec->file);
    l->vertices += out->model->pmx.vertex_count;
    ok &= limit_check(&l->spec->limits.vertices, (double)l->vertices, "", l->diag);
    diag_file(l->diag, NULL);
    ok &= set_morph_constants(l, out, spec);
    ok &= set_hidden(l, out, spec);
    const SoftPlans *soft = &out->model->soft;
    out->soft = spec->physics && l->spec->physics.step_hz > 0 && soft->count > 0;
    if (out->soft) {
        out->cloth_vertices = soft->vertices;
        out->cloth_vertex_count = soft->vertex_count;
    }
    return ok;
}

/* Attaches an accessory to the bone that its .vac names, if exactly one model has it.  A .vac
 * written by the English MMD has the English name. */
static void attach_by_vac(Loader *l, SceneModel *out)
{
    const Vac *vac = out->model ? out->model->vac : NULL;
    unsigned count = 0;

    if (!vac || !*vac->bone || out->spec.stage)
        return;
    for (size_t i = 0; i < l->scene->model_count; i++) {
        const SceneModel *other = &l->scene->models[i];
        const bool dances = other->model && !other->spec.stage && !other->model->pmx.accessory;
        const int32_t bone =
            dances ? model_find_bone_by_any_name(other->model, vac->bone, vac->bone) : -1;
        if (bone < 0)
            continue;
        count++;
        out->attach_model = (int32_t)i;
        out->attach_bone = bone;
    }
    if (count == 1)
        return;
    out->attach_model = out->attach_bone = -1;
    diag_warn_at(l->diag, &(DiagLocation){.file = out->model->file}, WARN_ATTACH,
                 "bone '%s' exists in %u models: not attached (use 'attach' to choose one)",
                 vac->bone, count);
}

/* Keys of a model's parents, or of the camera's (own: -1).  list: their key */
static bool bind_attach_keys(Loader *l, const AttachTrack **tracks, uint32_t *count,
                             const AttachKeySpec *keys, size_t key_count, const char *list,
                             int32_t own)
{
    for (size_t i = 0; i < key_count; i++)
        extend_duration(l->scene, point_frame(keys[i].time_s, keys[i].frame));
    l->scene->attach_changes |= own >= 0;
    return attach_bind(tracks, count, keys, key_count, list, l->scene, own, l->arena, l->diag);
}

static bool attach(Loader *l, SceneModel *out, const ModelSpec *spec)
{
    if (spec->attach_key_count)
        return bind_attach_keys(
            l, &out->attach, &out->attach_count, spec->attach_keys, spec->attach_key_count,
            arena_printf(l->arena, "%s.attach_keys", spec->key), (int32_t)(out - l->scene->models));
    if (!spec->attach) {
        attach_by_vac(l, out);
        return true;
    }
    const Scene *scene = l->scene;
    out->attach_model = scene_find_model(scene, spec->attach->model);
    if (out->attach_model < 0) {
        const TextNames ids = TEXT_NAMES(SceneModel, id, scene->models, scene->model_count);
        return diag_fail_at(l->diag, diag_key(l->diag, "%s.attach.model", spec->key), DIAG_JOB,
                            "model '%s' is attached to an unknown model '%s'%s", spec->id,
                            spec->attach->model,
                            text_suggestion(spec->attach->model, ids, l->arena));
    }
    const Model *target = scene->models[out->attach_model].model;
    if (!target)
        return false; /* reported when it failed to load */
    out->attach_bone = model_require_bone(target, spec->attach->bone,
                                          diag_key(l->diag, "%s.attach.bone", spec->key), l->diag);
    return out->attach_bone >= 0;
}

/* Sorts models so that attached ones come later; rejects attachment cycles. */
static bool find_attach_order(Loader *l)
{
    Scene *scene = l->scene;
    scene->attach_order = arena_array(l->arena, uint32_t, scene->model_count);
    if (scene->attach_changes && !attach_check(scene, l->arena, l->diag))
        return false;
    const int32_t model = attach_order_at(scene->attach_order, scene, 0);
    return model < 0 || diag_fail(l->diag, DIAG_JOB, "model '%s' is part of an attachment cycle",
                                  scene->models[model].id);
}

static bool load_models(Loader *l)
{
    Scene *scene = l->scene;
    bool ok = true;
    scene->model_count = l->spec->model_count;
    scene->models = arena_array(l->arena, SceneModel, scene->model_count + l->spec->cloth_count);
    for (size_t i = 0; i < scene->model_count; i++) {
        ok &= load_scene_model(l, &scene->models[i], &l->spec->models[i]);
        if (is_stopped(l) || limit_exceeded(&l->spec->limits.vertices, (double)l->vertices))
            return false;
    }
    for (size_t i = 0; i < scene->model_count; i++)
        ok &= attach(l, &scene->models[i], &l->spec->models[i]);
    return find_attach_order(l) && ok;
}

/* ---- cloth ---- */

/* The scale of a model in the world, including all models it is attached to. */
static double world_scale(const Scene *scene, int32_t model)
{
    double scale = 1;
    for (; model >= 0; model = scene->models[model].attach_model)
        scale *= (double)scene_placement(&scene->models[model], 0).scale;
    return scale;
}

/* The model of a generated cloth is not attached, and comes last in the scene. */
static bool add_cloth_model(Loader *l, Model *made, const ClothSpec *spec, const ClothPlan *plan,
                            size_t number)
{
    Scene *scene = l->scene;
    SceneModel *entry = &scene->models[scene->model_count++];

    model_prepare(made, l->arena, l->diag);
    const char *texture = l->spec->textures ? spec->shape->texture : NULL;
    if (texture &&
        !file_check_exists(texture, diag_key(l->diag, "%s.shape.texture", spec->key), l->diag))
        return false;
    if (texture)
        model_load_texture(made, 0, texture, &l->textures, l->arena, l->diag);
    if (plan->toon_material >= 0) {
        const Model *owner = scene->models[plan->owner].model;
        const PmxMaterial *from = &owner->pmx.materials[plan->toon_material];
        const int32_t to = made->pmx.materials[0].toon;
        if (!from->shared_toon) { /* the picture of the owner's toon */
            made->textures[to] = owner->textures[from->toon];
            made->texture_files[to] = owner->texture_files[from->toon];
        }
    }
    *entry = (SceneModel){.model = made,
                          .id = arena_printf(l->arena, "cloth-%zu", number),
                          .spec = {MODEL_DEFAULT},
                          .placement = PLACEMENT_NONE,
                          .attach_model = -1,
                          .attach_bone = -1,
                          .morph_constants = arena_array(l->arena, float, 0),
                          .hidden = arena_array(l->arena, bool, made->pmx.material_count)};
    return motion_bind(&entry->motion, made, NULL, 0, false, l->arena, l->diag);
}

static bool load_cloth(Loader *l, const ClothSpec *spec, size_t number)
{
    Scene *scene = l->scene;
    ClothPlan *plan = &scene->cloths[number];
    const int32_t owner = scene_find_model(scene, spec->model);
    Model *made = arena_alloc(l->arena, sizeof *made);
    ClothSpec cut = *spec;

    if (owner < 0)
        return diag_fail(l->diag, DIAG_JOB, "no model has the id '%s'", spec->model);
    if (!spec->material &&
        !limit_check(&l->spec->limits.bodies, (double)spec->shape->columns * spec->shape->rows, "",
                     l->diag))
        return false;
    if (!scene->models[owner].model)
        return false; /* reported when it failed to load */
    diag_file(l->diag, scene->models[owner].model->file);
    diag_item(l->diag, "cloth", number);
    cut.hidden = scene->models[owner].hidden;
    if (!cloth_plan(plan, made, &cut, scene->models[owner].model, world_scale(scene, owner),
                    l->arena, l->diag))
        return false;
    plan->owner = plan->drawn = (uint32_t)owner;
    if (!spec->material) {
        plan->drawn = (uint32_t)scene->model_count;
        if (!add_cloth_model(l, made, spec, plan, number))
            return false;
    }
    /* The cloth's vertices come after those that the model that draws it has already. */
    SceneModel *drawn = &scene->models[plan->drawn];
    const uint32_t count = drawn->cloth_vertex_count + plan->vertex_count;
    uint32_t *vertices = arena_array(l->arena, uint32_t, count);
    if (drawn->cloth_vertex_count)
        memcpy(vertices, drawn->cloth_vertices, drawn->cloth_vertex_count * sizeof *vertices);
    memcpy(vertices + drawn->cloth_vertex_count, plan->vertices,
           plan->vertex_count * sizeof *vertices);
    plan->first = drawn->cloth_vertex_count;
    drawn->cloth_vertices = vertices;
    drawn->cloth_vertex_count = count;
    return true;
}

static bool load_cloths(Loader *l)
{
    Scene *scene = l->scene;
    bool ok = true;
    scene->cloths = arena_array(l->arena, ClothPlan, l->spec->cloth_count);
    scene->cloth_count = l->spec->cloth_count;
    for (size_t i = 0; i < scene->cloth_count; i++) {
        ok &= load_cloth(l, &l->spec->cloths[i], i);
        diag_file(l->diag, NULL);
    }
    return find_attach_order(l) && ok;
}

/* ---- camera and light ---- */

static bool attach_camera(Loader *l)
{
    const CameraSpec *camera = &l->spec->camera;
    uint32_t tracks = 0;
    if (camera->attach)
        return attach_bind_camera(&l->scene->camera_attach, camera->attach, l->scene, l->arena,
                                  l->diag);
    return !camera->attach_key_count ||
           bind_attach_keys(l, &l->scene->camera_attach, &tracks, camera->attach_keys,
                            camera->attach_key_count, "camera.attach_keys", -1);
}

void scene_change_camera(Scene *scene, const CameraSpec *camera)
{
    scene->camera = camera->fixed ? camera_fixed(camera->fixed) : CAMERA_DEFAULT;
    scene->camera_follow = (FollowTrack){0};
    scene->camera_reframe = (ReframeTrack){0};
}

void scene_change_light(Scene *scene, const LightSpec *light)
{
    for (size_t i = 0; i < 3; i++)
        scene->light.color[i] = (float)light->color[i];
    vec3_store(scene->light.direction, light->direction);
}

static bool load_camera(Loader *l)
{
    const CameraSpec *camera = &l->spec->camera;
    if (!attach_camera(l))
        return false;
    if (!camera->motion)
        return true;
    MotionSpec motion = *camera->motion;
    motion.key = "camera.motion";
    const VmdMotion *vmd = load_motion(l, &motion, NULL);
    if (!vmd || !motion_kind_check_camera(&motion, vmd, l->arena, l->diag))
        return false;
    l->scene->camera_track = camera_bind(vmd, motion.time, l->arena);
    l->scene->light_track = light_bind(vmd, motion.time, l->arena);
    l->scene->shadow_track = shadow_bind(vmd, motion.time, l->arena);
    extend_by_motion(l->scene, vmd, motion.time);
    return true;
}

/* Its motion replaces the light keys of the camera's. */
static bool load_light(Loader *l)
{
    const LightSpec *light = &l->spec->light;
    if (!light->motion)
        return true;
    MotionSpec motion = *light->motion;
    motion.key = "light.motion";
    const VmdMotion *vmd = load_motion(l, &motion, NULL);
    if (!vmd || !motion_kind_check_light(&motion, vmd, l->arena, l->diag))
        return false;
    l->scene->light_track = light_bind(vmd, motion.time, l->arena);
    if (vmd->shadow_key_count)
        l->scene->shadow_track = shadow_bind(vmd, motion.time, l->arena);
    extend_by_motion(l->scene, vmd, motion.time);
    return true;
}

/* Paths of the camera and the light override all keys. */
static void bind_paths(Loader *l)
{
    const CameraSpec *camera = &l->spec->camera;
    const LightSpec *light = &l->spec->light;
    if (camera->path_count) {
        const CameraPoint *last = &camera->path[camera->path_count - 1];
        l->scene->camera_path = camera_spline_bind(camera->path, (uint32_t)camera->path_count,
                                                   camera->orientation, l->arena);
        extend_duration(l->scene, point_frame(last->time_s, last->frame));
    }
    if (light->path_count) {
        const LightPoint *last = &light->path[light->path_count - 1];
        l->scene->light_path = light_spline_bind(light, l->arena);
        extend_duration(l->scene, point_frame(last->time_s, last->frame));
    }
}

/* ---- lips ---- */

static const Voice *load_voice(Loader *l, const LipsSpec *spec)
{
    for (size_t i = 0; i < l->voice_count; i++)
        if (!strcmp(l->voices[i].file, spec->sing))
            return l->voices[i].voice;
    struct LoadedVoice *entry = &l->voices[l->voice_count++];
    const Limit *longest = &l->spec->limits.sound_s;
    const SoundPart all = {0, longest->max > 0 ? longest->max + 1 : (double)INFINITY, 0};
    const DiagLocation *place = diag_key(l->diag, "%s.sing", spec->key);
    *entry = (struct LoadedVoice){.file = spec->sing};
    if (!check_file(l, spec->sing, FILE_AS_SOUND, place) || is_stopped(l))
        return NULL;
    if (file_kind_of_name(spec->sing) == FILE_MIDI) {
        diag_fail_at(l->diag, place, DIAG_DATA,
                     "'%s' is a MIDI song, which has no voice; lips need a recording", spec->sing);
        return NULL;
    }
    Arena *decoded = arena_create();
    Voice *voice = arena_alloc(l->arena, sizeof *voice);
    Sound sound;
    diag_file(l->diag, spec->sing);
    if (sound_load_part(&sound, spec->sing, &all, decoded, l->diag) &&
        limit_check(longest, (double)sound.frames / sound.rate, " s", l->diag)) {
        *voice = voice_analyze(&sound, l->arena);
        entry->voice = voice;
    }
    diag_file(l->diag, NULL);
    arena_destroy(decoded);
    return entry->voice;
}

/* After all that determines the length of the film; without motions that is the voice's. */
static bool load_lips(Loader *l)
{
    Scene *scene = l->scene;
    const bool still = !(scene->last_frame > 0);
    bool good = true;
    l->voices = arena_array(l->arena, struct LoadedVoice, l->spec->model_count);
    LipsSpec *specs = arena_array(l->arena, LipsSpec, l->spec->model_count);
    for (size_t i = 0; i < l->spec->model_count; i++) {
        const ModelSpec *model = &l->spec->models[i];
        if (!model->face)
            continue;
        specs[i] = *model->face;
        specs[i].key = arena_printf(l->arena, "%s.face", model->key);
        const Voice *voice = load_voice(l, &specs[i]);
        good &= voice != NULL;
        if (voice && still)
            extend_duration(scene, lips_last_frame(voice, &specs[i]));
    }
    for (size_t i = 0; good && i < l->spec->model_count; i++) {
        SceneModel *model = &scene->models[i];
        if (!specs[i].sing)
            continue;
        specs[i].seed = (unsigned)i;
        specs[i].last_frame = scene->last_frame;
        good &= lips_bind(&model->lips, &model->motion, model->model, load_voice(l, &specs[i]),
                          &specs[i], l->arena, l->diag);
    }
    return good;
}

static bool load(Scene *scene, const SceneSpec *spec, Arena *arena, Diag *diag)
{
    *scene = (Scene){.compat = spec->compat,
                     .physics = spec->physics,
                     .shadow = SHADOW_DEFAULT,
                     .without_pixels = arena_array(arena, bool, 1),
                     .limits = spec->limits};
    Loader l = {.spec = spec,
                .scene = scene,
                .vertices = spec->vertices_before,
                .textures = {.limit = spec->limits.textures, .stop = spec->stop},
                .arena = arena,
                .diag = diag};
    if (!limit_check(&spec->limits.models, (double)(spec->model_count + spec->cloth_count), "",
                     diag))
        return false;
    l.models = arena_array(arena, struct LoadedModel, spec->model_count);
    size_t motions = 2; /* camera and light */
    for (size_t i = 0; i < spec->model_count; i++)
        motions += spec->models[i].motion_count;
    l.motions = arena_array(arena, struct LoadedMotion, motions);

    bool ok = load_models(&l);
    ok = ok && load_cloths(&l);
    if (ok && spec->textures)
        ok = effect_assign(scene, spec, &l.textures, arena, diag);
    scene->texture_bytes = l.textures.bytes;
    scene->vertices = l.vertices;
    if (is_stopped(&l))
        return false;
    scene_change_camera(scene, &spec->camera);
    scene_change_light(scene, &spec->light);
    ok &= load_camera(&l);
    ok &= load_light(&l);
    bind_paths(&l);
    ok = ok && load_lips(&l);
    return ok && complexity_check(scene, diag);
}

bool scene_load(Scene *scene, const SceneSpec *spec, Arena *arena, Diag *diag)
{
    const DiagLocator outer = diag->locator;
    diag->locator = spec->locator;
    const bool good = load(scene, spec, arena, diag);
    diag->locator = outer;
    return good;
}

bool scene_is_simulated(const Scene *scene)
{
    bool any = scene->cloth_count > 0;
    for (size_t i = 0; i < scene->model_count; i++)
        any |= scene->models[i].spec.physics &&
               (scene->models[i].model->pmx.body_count > 0 || model_swings(scene->models[i].model));
    return any;
}

int32_t scene_find_model(const Scene *scene, const char *id)
{
    return text_find(TEXT_NAMES(SceneModel, id, scene->models, scene->model_count), id);
}
