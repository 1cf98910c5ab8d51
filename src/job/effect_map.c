// SPDX-License-Identifier: MIT
#include "job/effect_map.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "job/job_options.h"
#include "record/option_set.h"
#include "scene/effects/effect_known.h"

typedef struct Mapping {
    YamlNode *root;
    bool good;
    Arena *arena;
    Diag *diag;
} Mapping;

static const YamlNode *find(const YamlNode *map, const char *key)
{
    return map && map->kind == YAML_MAP ? yaml_find(map, key) : NULL;
}

/* A number of an item; wrong values are reported when the job is read. */
static double number(const YamlNode *item, const char *key, double otherwise)
{
    const YamlNode *node = find(item, key);
    double value;
    return node && node->kind == YAML_SCALAR && text_to_double(&value, node->text) && value >= 0
               ? value
               : otherwise;
}

static void set(Mapping *m, const char *key, const char *value)
{
    const char *text = arena_printf(m->arena, "%s=%s", key, value);
    YamlSource *source = arena_array(m->arena, YamlSource, 1);
    *source = (YamlSource){"effects.mode", text, strlen(text), strlen(key) + 1};
    m->good &= option_set(m->root, &option_job, source, m->arena, m->diag);
}

/* file: of the item, or of an effect of it */
static void map_file(Mapping *m, const YamlNode *item, const YamlNode *file)
{
    const KnownEffect *known =
        file && file->kind == YAML_SCALAR ? effect_known_find(file->text, m->arena) : NULL;
    const char *section = known ? effect_known_look(known) : NULL;
    const YamlNode *look = find(m->root, "look");
    const YamlNode *own = section ? find(look, section) : NULL;
    if (!section || (own && !yaml_is_null(own)))
        return;
    const double control =
        number(item, known->control == EFFECT_SI ? "scale" : "opacity", 1) * known->factor;
    set(m, known->key,
        known->control == EFFECT_NO_CONTROL
            ? "{}"
            : arena_printf(m->arena, "{%s: %.10g}", known->strength, fmin(control, known->max)));
}

static void map_item(Mapping *m, const YamlNode *item)
{
    const YamlNode *effects = find(item, "effects");
    map_file(m, item, item->kind == YAML_SCALAR ? item : find(item, "file"));
    map_file(m, item, find(item, "effect"));
    for (const YamlNode *e = effects && effects->kind == YAML_MAP ? effects->first : NULL; e;
         e = e->next)
        map_file(m, item, e);
}

bool effect_map_apply(YamlNode *root, Arena *arena, Diag *diag)
{
    static const char *const lists[] = {"stage", "models"};
    Mapping m = {root, true, arena, diag};
    const YamlNode *mode = find(find(root, "effects"), "mode");
    if (!mode || mode->kind != YAML_SCALAR || strcmp(mode->text, "map") != 0)
        return true;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        const YamlNode *list = find(root, lists[i]);
        for (const YamlNode *item = list && list->kind == YAML_LIST ? list->first : NULL;
             item && m.good; item = item->next)
            map_item(&m, item);
    }
    return m.good;
}
