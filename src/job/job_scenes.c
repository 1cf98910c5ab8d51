// SPDX-License-Identifier: MIT
#include "job/job_scenes.h"

#include <string.h>

#include "base/path.h"
#include "job/job_options.h"

/* job_of_scene copies all keys that a scene has in common with a job at once. */
_Static_assert(offsetof(JobScene, models) == 0 &&
                   offsetof(JobScene, compat) == offsetof(Job, compat) - offsetof(Job, models),
               "these keys come first, in the same order");
enum { COMMON_SIZE = offsetof(JobScene, compat) + sizeof(Compat) };

/* ---- the tree ---- */

typedef struct Completion {
    YamlNode *root;
    size_t copied; /* nodes */
    Arena *arena;
    Diag *diag;
} Completion;

static size_t count_nodes(const YamlNode *node)
{
    size_t count = 1;
    for (const YamlNode *child = node->first; child; child = child->next)
        count += count_nodes(child);
    return count;
}

/* What a job can repeat is limited as what a file can contain. */
static bool add_copy(Completion *c, YamlNode *map, const YamlNode *value)
{
    c->copied += count_nodes(value);
    if (c->copied > YAML_MAX_NODES)
        return yaml_error(value->key, c->diag,
                          "scenes: what they take from the top level is more than %d values",
                          YAML_MAX_NODES);
    yaml_append(map, value->key, yaml_copy(value, c->arena));
    return true;
}

static bool is_list(const YamlNode *node)
{
    return node && node->kind == YAML_LIST;
}

/* By its id, which is by default the name of its file. */
static const YamlNode *find_model(const Completion *c, const char *id)
{
    const YamlNode *models = yaml_find(c->root, "models");
    for (const YamlNode *item = is_list(models) ? models->first : NULL; item; item = item->next) {
        const YamlNode *own = yaml_find(item, "id");
        const YamlNode *file = item->kind == YAML_SCALAR ? item : yaml_find(item, "file");
        const char *name = own && own->kind == YAML_SCALAR     ? own->text
                           : file && file->kind == YAML_SCALAR ? path_stem(file->text, c->arena)
                                                               : "";
        if (!strcmp(name, id))
            return item;
    }
    return NULL;
}

/* A model without a file is that of the top level with its id. */
static bool complete_model(Completion *c, YamlNode *item)
{
    const YamlNode *id = yaml_find(item, "id"), *file = yaml_find(item, "file");
    if (item->kind != YAML_MAP || (file && !yaml_is_null(file)))
        return true;
    if (!id || id->kind != YAML_SCALAR)
        return yaml_error(item, c->diag,
                          "a model of a scene needs a file, or the id of one of the top level");
    const YamlNode *from = find_model(c, id->text);
    if (!from)
        return yaml_error(id, c->diag, "no model of the top level has the id '%s'", id->text);
    bool good = true;
    if (from->kind == YAML_SCALAR) {
        yaml_append(item, yaml_new_node(YAML_SCALAR, "file", from, c->arena),
                    yaml_copy(from, c->arena));
        return true;
    }
    for (const YamlNode *value = from->first; good && value; value = value->next)
        if (!yaml_find(item, value->key->text))
            good = add_copy(c, item, value);
    return good;
}

/* Whether a key is one that scenes have in common with the job. */
static bool is_common(const char *key)
{
    const OptionTable *scene = option_at("scenes")->table;
    const Option *option = option_find(scene, key);
    return option && option->offset < COMMON_SIZE;
}

static bool complete_scene(Completion *c, YamlNode *scene)
{
    const YamlNode *models = yaml_find(scene, "models");
    bool good = true;
    for (YamlNode *item = is_list(models) ? models->first : NULL; item; item = item->next)
        good &= complete_model(c, item);
    for (const YamlNode *value = c->root->first; good && value; value = value->next)
        if (is_common(value->key->text) && !yaml_find(scene, value->key->text))
            good = add_copy(c, scene, value);
    return good;
}

bool job_scenes_complete(YamlNode *root, Arena *arena, Diag *diag)
{
    Completion c = {.root = root, .arena = arena, .diag = diag};
    const YamlNode *scenes = yaml_find(root, "scenes");
    bool good = true;
    if (!is_list(scenes) || !scenes->count)
        return true;
    for (YamlNode *scene = scenes->first; scene; scene = scene->next)
        if (scene->kind == YAML_MAP)
            good &= complete_scene(&c, scene);
    YamlNode **link = &root->first;
    while (*link) {
        const char *key = (*link)->key->text;
        if (is_common(key) && strcmp(key, "physics") != 0) {
            *link = (*link)->next;
            root->count--;
        } else {
            link = &(*link)->next;
        }
    }
    return good;
}

/* ---- the scenes ---- */

size_t job_scene_count(const Job *job)
{
    return job->scene_count ? job->scene_count : 1;
}

/* Copies what has an offset in the film. */
static void move_sounds(Job *own, double delay_s, Arena *arena)
{
    own->audio = own->audio ? arena_copy(arena, own->audio, sizeof *own->audio) : NULL;
    if (own->audio)
        own->audio->offset_s -= delay_s;
    own->models = arena_copy(arena, own->models, own->model_count * sizeof *own->models);
    for (size_t i = 0; i < own->model_count; i++) {
        LipsSpec *face = own->models[i].face;
        if (!face)
            continue;
        own->models[i].face = arena_copy(arena, face, sizeof *face);
        own->models[i].face->offset_s -= delay_s;
    }
}

Job *job_of_scene(const Job *job, size_t scene, double delay_s, Arena *arena)
{
    Job *own = arena_copy(arena, job, sizeof *job);
    const JobScene *from = &job->scenes[scene];
    memcpy((char *)own + offsetof(Job, models), from, COMMON_SIZE);
    own->prefix = arena_printf(arena, "scenes.%zu.", scene);
    own->scenes = NULL;
    own->scene_count = own->title_count = own->picture_count = 0;
    own->fade = NULL;
    own->sounds = from->sounds;
    own->sound_count = from->sound_count;
    if (!own->render.frames.count)
        own->render.frames = from->frames;
    if (delay_s != 0)
        move_sounds(own, delay_s, arena);
    return own;
}
