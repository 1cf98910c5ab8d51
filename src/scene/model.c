// SPDX-License-Identifier: MIT
#include "scene/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "format/file_kind.h"
#include "media/picture.h"

/* ---- orders ---- */

/* Parents form no cycle (pmx.h). */
uint32_t *model_order_parents_first(const PmxModel *pmx, Arena *arena)
{
    uint32_t *depth =
        arena_array(arena, uint32_t, pmx->bone_count); /* depth + 1; 0: not computed yet */
    uint32_t deepest = 0;
    for (uint32_t i = 0; i < pmx->bone_count; i++) {
        uint32_t steps = 0;
        int32_t at = (int32_t)i;
        for (; at >= 0 && !depth[at]; at = pmx->bones[at].parent)
            steps++;
        uint32_t value = (at >= 0 ? depth[at] : 0) + steps;
        for (at = (int32_t)i; at >= 0 && !depth[at]; at = pmx->bones[at].parent)
            depth[at] = value--;
        if (depth[i] > deepest)
            deepest = depth[i];
    }

    uint32_t *next = arena_array(arena, uint32_t, (size_t)deepest + 2);
    for (uint32_t i = 0; i < pmx->bone_count; i++)
        next[depth[i] + 1]++;
    for (uint32_t d = 1; d <= deepest; d++)
        next[d + 1] += next[d];
    uint32_t *order = arena_array(arena, uint32_t, pmx->bone_count);
    for (uint32_t i = 0; i < pmx->bone_count; i++)
        order[next[depth[i]]++] = i;
    return order;
}

typedef struct OrderKey {
    bool after_physics;
    int32_t layer;
    uint32_t index;
} OrderKey;

static int by_transform_order(const void *a, const void *b)
{
    const OrderKey *left = a, *right = b;
    if (left->after_physics != right->after_physics)
        return left->after_physics ? 1 : -1;
    if (left->layer != right->layer)
        return left->layer < right->layer ? -1 : 1;
    return left->index < right->index ? -1 : left->index > right->index;
}

static void find_transform_order(Model *model, Arena *arena)
{
    const PmxModel *pmx = &model->pmx;
    OrderKey *keys = arena_array(arena, OrderKey, pmx->bone_count);
    for (uint32_t i = 0; i < pmx->bone_count; i++) {
        const bool after = (pmx->bones[i].flags & PMX_BONE_AFTER_PHYSICS) != 0;
        keys[i] = (OrderKey){after, pmx->bones[i].layer, i};
        model->before_physics += !after;
    }
    if (pmx->bone_count > 1)
        qsort(keys, pmx->bone_count, sizeof *keys, by_transform_order);

    model->order = arena_array(arena, uint32_t, pmx->bone_count);
    for (uint32_t i = 0; i < pmx->bone_count; i++)
        model->order[i] = keys[i].index;
}

/* ---- names ---- */

static int32_t find_cut_name(const VmdName *names, uint32_t count, const char *name)
{
    const VmdName key = vmd_name_from_utf8(name);
    for (uint32_t i = 0; i < count; i++)
        if (vmd_name_equal(&names[i], &key))
            return (int32_t)i;
    return -1;
}

int32_t model_find_bone(const Model *model, const char *name)
{
    const PmxModel *pmx = &model->pmx;
    const int32_t bone = text_find(TEXT_NAMES(PmxBone, name, pmx->bones, pmx->bone_count), name);
    return bone >= 0 ? bone : find_cut_name(model->bone_names, pmx->bone_count, name);
}

int32_t model_find_bone_by_any_name(const Model *model, const char *name, const char *name_en)
{
    const PmxModel *pmx = &model->pmx;
    const int32_t bone = model_find_bone(model, name);
    return bone >= 0
               ? bone
               : text_find(TEXT_NAMES(PmxBone, name_en, pmx->bones, pmx->bone_count), name_en);
}

int32_t model_find_morph(const Model *model, const char *name)
{
    const PmxModel *pmx = &model->pmx;
    const int32_t morph =
        text_find(TEXT_NAMES(PmxMorph, name, pmx->morphs, pmx->morph_count), name);
    return morph >= 0 ? morph : find_cut_name(model->morph_names, pmx->morph_count, name);
}

/* Reports an index of -1: `names` do not have the name. */
static int32_t require(int32_t found, const char *what, const char *name, TextNames names,
                       const Model *model, const DiagLocation *location, Diag *diag)
{
    if (found < 0)
        diag_unknown_name(diag, location, what, name, model->file, names);
    return found;
}

int32_t model_require_bone(const Model *model, const char *name, const DiagLocation *location,
                           Diag *diag)
{
    const TextNames names = TEXT_NAMES(PmxBone, name, model->pmx.bones, model->pmx.bone_count);
    return require(model_find_bone(model, name), "bone", name, names, model, location, diag);
}

int32_t model_require_morph(const Model *model, const char *name, const DiagLocation *location,
                            Diag *diag)
{
    const TextNames names = TEXT_NAMES(PmxMorph, name, model->pmx.morphs, model->pmx.morph_count);
    return require(model_find_morph(model, name), "morph", name, names, model, location, diag);
}

int32_t model_require_material(const Model *model, const char *name, const DiagLocation *location,
                               Diag *diag)
{
    const PmxModel *pmx = &model->pmx;
    const TextNames names = TEXT_NAMES(PmxMaterial, name, pmx->materials, pmx->material_count);
    return require(text_find(names, name), "material", name, names, model, location, diag);
}

/* ---- textures ---- */

typedef enum Use { USE_COLOR, USE_MULTIPLY, USE_ADD, USE_SUB_TEXTURE, USE_TOON } Use;

static const char *const drawn_instead[] = {"white", "white", "black", "white", "white"};

/* Keeps the last message of loading an image, which becomes a warning of the model. */
typedef struct Kept {
    char message[512];
} Kept;

static void keep_message(void *user, const DiagMessage *message)
{
    if (message->level == DIAG_ERROR)
        snprintf(((Kept *)user)->message, sizeof((Kept *)user)->message, "%s", message->shown);
}

/* Counts an image by its header, before it is decoded. */
static bool spend(TextureBudget *budget, Bytes bytes, Diag *diag)
{
    int64_t width, height;
    if (!picture_size(&width, &height, bytes) || width > IMAGE_MAX_SIDE || height > IMAGE_MAX_SIDE)
        return true; /* picture_load refuses it */
    budget->bytes += (uint64_t)width * (uint64_t)height * 4;
    return limit_check(&budget->limit, ceil((double)budget->bytes / (1 << 20)), " MiB", diag);
}

/* After a stop, or after the error of spend(). */
static bool is_exhausted(const TextureBudget *budget)
{
    return (budget->stop && *budget->stop) ||
           limit_exceeded(&budget->limit, (double)budget->bytes / (1 << 20));
}

static void set_alpha(Image *image, const PmxTexture *source)
{
    const size_t size = (size_t)image->width * (size_t)image->height;
    if (!source || source->alpha == PMX_ALPHA_AS_STORED)
        return;
    for (size_t i = 0; i < size; i++) {
        uint8_t *alpha = &image->pixels[4 * i + 3];
        const bool shown =
            source->alpha == PMX_ALPHA_OPAQUE || (float)*alpha >= source->cutoff * 255;
        *alpha = shown ? 255 : 0;
    }
    image->has_alpha &= source->alpha == PMX_ALPHA_MASK;
}

static const PmxTexture *source_of(const PmxModel *pmx, int32_t index)
{
    return pmx->texture_sources ? &pmx->texture_sources[index] : NULL;
}

bool model_decode_texture(Image *image, const PmxModel *pmx, int32_t index, const char *path,
                          TextureBudget *budget, Arena *arena, Diag *diag)
{
    const PmxTexture *source = source_of(pmx, index);
    Arena *file = arena_create(); /* holds the encoded bytes, which are not needed afterwards */
    Bytes bytes = source ? source->embedded : (Bytes){0};
    const bool loaded = (bytes.data || file_load(&bytes, path, FILE_MAX_SIZE, file, diag)) &&
                        (!budget || spend(budget, bytes, diag)) &&
                        picture_load(image, bytes, arena, diag);
    if (loaded)
        set_alpha(image, source);
    arena_destroy(file);
    return loaded;
}

static const Image *load_picture(const PmxModel *pmx, int32_t index, const char *path,
                                 const char *instead, TextureBudget *budget, Arena *arena,
                                 Diag *diag)
{
    const char *name = pmx->textures[index];
    Kept kept = {""};
    Diag trial;
    diag_init(&trial, keep_message, &kept);
    Image *image = arena_alloc(arena, sizeof *image);
    if (model_decode_texture(image, pmx, index, path, budget, arena, &trial))
        return image;
    if (trial.kind == DIAG_IO || trial.kind == DIAG_RESOURCE) /* the next run may succeed */
        diag_fail(diag, trial.kind, "texture '%s': %s", name, kept.message);
    else
        diag_warn(diag, WARN_BAD_TEXTURE, "texture '%s' cannot be read (%s); drawn %s", name,
                  kept.message, instead);
    return NULL;
}

/* "toon00.bmp" .. "toon10.bmp", in any directory: 0..10; otherwise -1 (scene/README.md 4.2). */
static int shared_toon_number(const char *reference)
{
    const char *name = reference;
    for (const char *at = reference; *at; at++)
        if (*at == '/' || *at == '\\')
            name = at + 1;
    static const char *const known[] = {"toon00.bmp", "toon01.bmp", "toon02.bmp", "toon03.bmp",
                                        "toon04.bmp", "toon05.bmp", "toon06.bmp", "toon07.bmp",
                                        "toon08.bmp", "toon09.bmp", "toon10.bmp"};
    return text_find_ignoring_case(TEXT_ARRAY(known), name);
}

static void set_picture(Model *model, int32_t index, const char *path, const Image *image)
{
    model->textures[index] = image;
    model->texture_files[index] = image ? path : NULL;
}

PathMatch model_find_texture(const char **found, ArchiveNames *same, PathTree *tree,
                             const char *name)
{
    if (shared_toon_number(name) < 0)
        return path_tree_find(found, same, tree, name, true);
    *same = (ArchiveNames){0};
    return path_resolve(found, tree->directory, NULL, name, true, tree->arena);
}

enum { MAX_SAME = 3 }; /* files of one name that a message lists */

/* "'a/x.png', 'b/x.png' and 4 more" */
static const char *list_same(const PathTree *tree, const ArchiveNames *same)
{
    const char *text = "";
    for (size_t i = 0; i < same->count && i < MAX_SAME; i++)
        text = arena_printf(tree->arena, "%s%s'%s'", text, *text ? ", " : "",
                            path_tree_below(tree, same->items[i]));
    return same->count > MAX_SAME
               ? arena_printf(tree->arena, "%s and %zu more", text, same->count - MAX_SAME)
               : text;
}

typedef struct Textures {
    Model *model;
    PathTree tree;
    bool *tried; /* [texture_count] */
    TextureBudget *budget;
    Arena *arena;
    Diag *diag;
} Textures;

static void load_texture(Textures *t, int32_t index, Use use)
{
    if (index < 0 || t->tried[index] || is_exhausted(t->budget))
        return;
    t->tried[index] = true;

    const char *name = t->model->pmx.textures[index], *path = NULL;
    const PmxTexture *source = source_of(&t->model->pmx, index);
    if (source && source->embedded.data) {
        t->model->textures[index] = load_picture(&t->model->pmx, index, NULL, drawn_instead[use],
                                                 t->budget, t->arena, t->diag);
        return;
    }
    if (text_equal_ignoring_case(path_name(name), "screen.bmp"))
        return; /* MMD draws the previous texture; drawn white here, without a warning
                 * (scene/README.md 4.2)
                 */
    ArchiveNames same;
    const PathMatch match = model_find_texture(&path, &same, &t->tree, name);
    if (match == PATH_MISSING && same.count) {
        diag_warn(t->diag, WARN_MISSING_TEXTURE,
                  "texture '%s' is missing, and several files have its name: %s; drawn %s", name,
                  list_same(&t->tree, &same), drawn_instead[use]);
        return;
    }
    if (match == PATH_MISSING) {
        diag_warn(t->diag, WARN_MISSING_TEXTURE, "texture '%s' is missing; drawn %s", name,
                  drawn_instead[use]);
        return;
    }
    if (match > PATH_FOLDED)
        diag_warn(t->diag, WARN_OTHER_TEXTURE, "texture '%s' is missing; '%s' is used", name,
                  path_tree_below(&t->tree, path));
    set_picture(t->model, index, path,
                load_picture(&t->model->pmx, index, path, drawn_instead[use], t->budget, t->arena,
                             t->diag));
}

/* A toon named like a built-in one, without such a file, is the built-in one. */
static void replace_shared_toon(Textures *t, PmxMaterial *material)
{
    if (material->shared_toon || material->toon < 0)
        return;
    const char *name = t->model->pmx.textures[material->toon], *path;
    const int number = shared_toon_number(name);
    if (number < 0 ||
        path_resolve(&path, t->tree.directory, NULL, name, false, t->arena) != PATH_MISSING)
        return;
    material->shared_toon = number > 0;
    material->toon = number - 1; /* toon00 is white, as without a toon */
}

/* The outline of MToon is as wide as a texture says at each vertex. */
static void scale_outlines(Model *model, const PmxMaterial *material)
{
    const Mtoon *mtoon = material->mtoon;
    const int32_t index = mtoon->textures[MTOON_OUTLINE_WIDTH];
    const Image *image = index < 0 ? NULL : model->textures[index];
    for (uint32_t i = 0; image && i < material->index_count; i++) {
        PmxVertex *v = &model->pmx.vertices[model->pmx.indices[material->first_index + i]];
        const double x = (double)v->uv[0] - floor((double)v->uv[0]);
        const double y = (double)v->uv[1] - floor((double)v->uv[1]);
        const size_t column = (size_t)fmin(x * image->width, image->width - 1);
        const size_t row = (size_t)fmin(y * image->height, image->height - 1);
        const uint8_t *texel = image->pixels + 4 * (row * (size_t)image->width + column);
        v->edge_scale = (float)texel[mtoon->is_older ? 0 : 1] / 255;
    }
}

static void load_textures(Model *model, const char *path, TextureBudget *budget, Arena *arena,
                          Diag *diag)
{
    Textures t = {.model = model,
                  .tree = path_tree_init(path_directory(path, arena), arena),
                  .tried = arena_array(arena, bool, model->pmx.texture_count),
                  .budget = budget,
                  .arena = arena,
                  .diag = diag};
    static const Use sphere_use[] = {USE_MULTIPLY, USE_MULTIPLY, USE_ADD, USE_SUB_TEXTURE};
    for (uint32_t i = 0; i < model->pmx.material_count; i++) {
        PmxMaterial *material = &model->pmx.materials[i];
        diag_item(diag, "material", i);
        load_texture(&t, material->texture, USE_COLOR);
        if (material->sphere_mode != PMX_SPHERE_OFF)
            load_texture(&t, material->sphere_texture, sphere_use[material->sphere_mode]);
        replace_shared_toon(&t, material);
        if (!material->shared_toon)
            load_texture(&t, material->toon, USE_TOON);
        for (int k = 0; material->maps.used && k < PMX_MAPS; k++)
            load_texture(&t, material->maps.textures[k],
                         k == PMX_MAP_EMISSION ? USE_ADD : USE_COLOR);
        for (int k = 0; material->mtoon && k < MTOON_TEXTURES; k++)
            load_texture(&t, material->mtoon->textures[k], USE_COLOR);
        if (material->mtoon)
            scale_outlines(model, material);
    }
    diag_item(diag, NULL, 0);
}

/* ---- public functions ---- */

void model_prepare(Model *model, Arena *arena, Diag *diag)
{
    model->parents_first = model_order_parents_first(&model->pmx, arena);
    find_transform_order(model, arena);
    /* MMD lets such a bone follow its parent one frame late; evaluate/README.md 1 describes what is
     * done here.
     */
    uint32_t *order_index = arena_array(arena, uint32_t, model->pmx.bone_count);
    for (uint32_t i = 0; i < model->pmx.bone_count; i++)
        order_index[model->order[i]] = i;
    for (uint32_t i = 0; i < model->pmx.bone_count; i++) {
        const int32_t parent = model->pmx.bones[i].parent;
        if (parent < 0 || order_index[parent] < order_index[i])
            continue;
        diag_item(diag, "bone", i);
        diag_warn(
            diag, WARN_BONE_ORDER,
            "bone '%s' precedes its parent '%s' in transform order: uses the parent's keys only",
            model->pmx.bones[i].name, model->pmx.bones[parent].name);
    }
    diag_item(diag, NULL, 0);
    model->ik_bones = arena_array(arena, uint32_t, model->pmx.bone_count);
    for (uint32_t i = 0; i < model->pmx.bone_count; i++)
        if ((model->pmx.bones[i].flags & PMX_BONE_IK) && model->pmx.bones[i].ik.effector >= 0 &&
            model->pmx.bones[i].ik.link_count > 0)
            model->ik_bones[model->ik_count++] = i;
    model->bone_names = arena_array(arena, VmdName, model->pmx.bone_count);
    for (uint32_t i = 0; i < model->pmx.bone_count; i++)
        model->bone_names[i] = vmd_name_from_utf8(model->pmx.bones[i].name);
    model->morph_names = arena_array(arena, VmdName, model->pmx.morph_count);
    for (uint32_t i = 0; i < model->pmx.morph_count; i++)
        model->morph_names[i] = vmd_name_from_utf8(model->pmx.morphs[i].name);
    dynamics_plan(&model->dynamics, &model->pmx, model->parents_first, arena, diag);
    soft_plan(&model->soft, &model->pmx, arena, diag);
    model->textures = arena_array(arena, const Image *, model->pmx.texture_count);
    model->texture_files = arena_array(arena, const char *, model->pmx.texture_count);
}

void model_load_texture(Model *model, int32_t index, const char *path, TextureBudget *budget,
                        Arena *arena, Diag *diag)
{
    set_picture(
        model, index, arena_strdup(arena, path),
        load_picture(&model->pmx, index, path, drawn_instead[USE_COLOR], budget, arena, diag));
}

/* Loads the .vac, and sets *path to the .x that it names. */
static bool load_vac(Model *model, const char **path, Bytes bytes, Arena *arena, Diag *diag)
{
    const char *directory = path_directory(*path, arena);
    Vac *vac = arena_array(arena, Vac, 1);
    if (!vac_load(vac, bytes, arena, diag))
        return false;
    if (path_resolve(path, directory, NULL, vac->file, false, arena) == PATH_MISSING)
        return diag_fail(diag, DIAG_MISSING, "accessory file '%s' is missing", vac->file);
    model->vac = vac;
    return true;
}

/* Sets *path to the .x that the .vac there names. */
static bool load_vac_file(Model *model, const char **path, Arena *arena, Diag *diag)
{
    Arena *file = arena_create();
    Bytes bytes;

    diag_file(diag, *path);
    const bool loaded = file_load(&bytes, *path, FILE_MAX_SIZE, file, diag) &&
                        load_vac(model, path, bytes, arena, diag);
    arena_destroy(file);
    return loaded;
}

bool model_load(Model *model, const char *path, TextureBudget *textures, Arena *arena, Diag *diag)
{
    *model = (Model){.file = arena_strdup(arena, path)};
    const bool is_vac = file_kind_of_name(path) == FILE_VAC;
    const bool loaded = (!is_vac || load_vac_file(model, &path, arena, diag)) &&
                        asset_files_load_model(&model->pmx, &model->files, path, arena, diag);

    if (loaded) {
        model->mesh_file = arena_strdup(arena, path);
        if (is_vac)
            model->pmx.name = model->vac->name;
        model_prepare(model, arena, diag);
        if (textures)
            load_textures(model, path, textures, arena, diag);
    }
    diag_file(diag, NULL);
    return loaded;
}
