// SPDX-License-Identifier: MIT
#include "job/look_preset.h"

#include <string.h>

#include "job/job.h"
#include "job/job_options.h"
#include "record/option_read.h"
#include "record/option_set.h"
#include "record/yaml.h"

static const LookPreset presets[] = {
    {"soft", "bright and gentle: light that spreads, soft shadows; for faces and slow songs", 100,
     "ground_shadow: { angle_deg: 14 }\n"
     "ssao: { strength: 0.3, radius: 1 }\n"
     "diffusion: { blend: screen, strength: 0.35, size: 0.025 }\n"
     "grade: { exposure_ev: -0.12, temperature: 0.1, contrast: 1.02, saturation: 1.04 }\n"},
    {"stage", "a show: a polished floor, lamps that glow, strong colors", 180,
     "mirror: { strength: 0.22, blur: 0.004 }\n"
     "ground_shadow: { angle_deg: 6 }\n"
     "ssao: { strength: 0.5, radius: 1.2 }\n"
     "glow: { strength: 0.9, size: 0.2 }\n"
     "diffusion: { blend: overlay, strength: 0.22, size: 0.03 }\n"
     "grade: { exposure_ev: -0.05, contrast: 1.05, saturation: 1.08, vignette: 0.3 }\n"},
    {"film", "a movie: the face in focus, warm and calm colors, dark corners, fine grain", 160,
     "focus: { aperture: 0.35 }\n"
     "ground_shadow: { angle_deg: 8 }\n"
     "ssao: { strength: 0.5, radius: 1.2 }\n"
     "diffusion: { blend: screen, strength: 0.15, size: 0.015 }\n"
     "grade: { exposure_ev: -0.15, temperature: 0.18, contrast: 1.08, saturation: 0.9, "
     "vignette: 0.3, grain: 0.006 }\n"},
    {"night", "moonlight: dark and blue, lights that glow far", 170,
     "mirror: { strength: 0.15, blur: 0.006 }\n"
     "ground_shadow: { angle_deg: 10 }\n"
     "ssao: { strength: 0.6, radius: 1.5 }\n"
     "glow: { strength: 1.3, size: 0.3 }\n"
     "diffusion: { blend: screen, strength: 0.3, size: 0.03 }\n"
     "grade: { exposure_ev: -1.2, temperature: -1, contrast: 1.1, saturation: 0.9, "
     "vignette: 0.4 }\n"},
    {"clean", "as modelled, colors unchanged: soft shadows on the ground and in corners", 80,
     "ground_shadow: { angle_deg: 6 }\n"
     "ssao: { strength: 0.4, radius: 1 }\n"},
    {0},
};

const LookPreset *look_preset_list(void)
{
    return presets;
}

static const LookPreset *find(const YamlNode *name)
{
    const LookPreset *preset = presets;
    if (!name || name->kind != YAML_SCALAR)
        return NULL;
    while (preset->name && strcmp(preset->name, name->text) != 0)
        preset++;
    return preset->name ? preset : NULL;
}

/* Replaces a short form by its map, without its key and its siblings. */
static void expand(YamlNode *node, const OptionTable *table, Arena *arena, Diag *diag)
{
    OptionReader reader = {.directory = "", .arena = arena, .diag = diag};
    const YamlNode *map = option_expand_short(node, table, &reader);
    if (map == node)
        return;
    node->kind = map->kind;
    node->text = map->text;
    node->first = map->first;
    node->count = map->count;
}

/* Adds what a map does not have.  skipped: a key that is not added */
static void complete(YamlNode *map, const YamlNode *from, const OptionTable *table,
                     const char *skipped, Arena *arena, Diag *diag)
{
    for (const YamlNode *value = from->first; value; value = value->next) {
        const Option *option = option_find(table, value->key->text);
        YamlNode *own = yaml_find(map, value->key->text);
        if (!own && (!skipped || strcmp(value->key->text, skipped) != 0))
            yaml_append(map, value->key, yaml_copy(value, arena));
        if (!own || !option->table || yaml_is_null(own))
            continue;
        expand(own, option->table, arena, diag);
        if (own->kind == YAML_MAP)
            complete(own, value, option->table, NULL, arena, diag);
    }
}

bool look_preset_apply(YamlNode *root, Arena *arena, Diag *diag)
{
    const OptionTable *table = option_at("look")->table;
    YamlNode *look = yaml_find(root, "look"), *keys = NULL;
    if (!look || yaml_is_null(look))
        return true;
    expand(look, table, arena, diag);
    const LookPreset *preset = look->kind == YAML_MAP ? find(yaml_find(look, "preset")) : NULL;
    if (!preset)
        return true;
    YamlSource *source = arena_array(arena, YamlSource, 1);
    *source = (YamlSource){arena_printf(arena, "look %s", preset->name), preset->keys,
                           strlen(preset->keys), 0};
    if (!yaml_load(&keys, source, arena, diag))
        return false;
    /* Nothing to focus on: a title card of a film with that look. */
    const YamlNode *models = yaml_find(root, "models");
    const bool is_empty = models && models->kind == YAML_LIST && !models->count;
    complete(look, keys, table, is_empty ? "focus" : NULL, arena, diag);
    return true;
}

static bool set(YamlNode *root, const char *text, Arena *arena, Diag *diag)
{
    YamlSource *source = arena_array(arena, YamlSource, 1);
    *source = (YamlSource){"--looks", text, strlen(text), (size_t)(strchr(text, '=') - text) + 1};
    return option_set(root, &option_job, source, arena, diag);
}

bool look_preset_compare(YamlNode *root, Arena *arena, Diag *diag)
{
    static const char *const none[] = {"titles=[]", "pictures=[]", "fade=null", "subtitles=null",
                                       "render.frames=all"};
    static const char place[] = "place: top-left, size: 0.09";
    const YamlNode *scenes = yaml_find(root, "scenes"), *render = yaml_find(root, "render");
    const YamlNode *frames = render ? yaml_find(render, "frames") : NULL;
    const char *shown = frames && frames->kind == YAML_SCALAR && !yaml_is_null(frames)
                            ? arena_printf(arena, "frames: \"%s\", ", frames->text)
                            : "";
    bool good = true;
    if (scenes && scenes->count)
        return yaml_error(scenes->key, diag, "--looks compares looks of a job without scenes");
    const char *list = arena_printf(arena, "{ %stitles: [{ text: as it is, %s }] }", shown, place);
    for (const LookPreset *preset = presets; preset->name; preset++)
        list = arena_printf(arena, "%s, { %slook: %s, titles: [{ text: %s, %s }] }", list, shown,
                            preset->name, preset->name, place);
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        good = good && set(root, none[i], arena, diag);
    return good && set(root, arena_printf(arena, "scenes=[%s]", list), arena, diag);
}
