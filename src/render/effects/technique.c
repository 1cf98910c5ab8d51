// SPDX-License-Identifier: MIT
#include "render/effects/technique.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"

static const char *text_of(const EffectAnnotation *annotations, size_t count, const char *name)
{
    const EffectAnnotation *found = effect_find_annotation(annotations, count, name);

    return found != NULL && found->text != NULL ? found->text : "";
}

static int choice_of(const EffectTechnique *technique, const char *name)
{
    const EffectAnnotation *found =
        effect_find_annotation(technique->annotations, technique->annotation_count, name);

    return found == NULL || found->values == NULL ? -1 : found->values[0] != 0.0f;
}

static FxPassKind kind_of(const char *name)
{
    static const char *const NAMES[FX_PASS_KINDS] = {"object", "object_ss", "edge", "shadow",
                                                     "zplot"};

    const int32_t found = text_find_ignoring_case(TEXT_ARRAY(NAMES), name);

    return found >= 0 ? (FxPassKind)found : *name == '\0' ? FX_OBJECT : FX_PASS_KINDS;
}

const FxRange *fx_parse_subset(size_t *count, const char *text, Arena *arena)
{
    FxRange *ranges = arena_array(arena, FxRange, strlen(text) + 1);

    *count = 0;
    for (const char *at = text; *at != '\0';) {
        char *end;
        const long first = strtol(at, &end, 10);

        if (end != at) {
            FxRange range = {first, first};

            end += strspn(end, " \t");
            if (*end == '-') {
                const char *second = end + 1;
                const long last = strtol(second, &end, 10);

                range.last = end != second ? last : INT64_MAX;
            }
            ranges[(*count)++] = range;
        }
        at = end + strcspn(end, ",");
        at += *at == ',';
    }
    return ranges;
}

static FxTechnique technique_of(const EffectTechnique *technique, const Effect *effect,
                                const char **ignored, Arena *arena)
{
    const EffectAnnotation *annotations = technique->annotations;
    const size_t count = technique->annotation_count;
    const char *script = text_of(annotations, count, "Script");
    FxTechnique out = {.technique = technique,
                       .kind = kind_of(text_of(annotations, count, "MMDPass")),
                       .use_texture = choice_of(technique, "UseTexture"),
                       .use_sphere = choice_of(technique, "UseSphereMap"),
                       .use_toon = choice_of(technique, "UseToon"),
                       .use_self_shadow = choice_of(technique, "UseSelfShadow"),
                       .script = *script != '\0' ? fx_script_parse(script, effect, technique, arena)
                                                 : fx_script_default(technique, arena),
                       .passes = arena_array(arena, FxScript, technique->pass_count)};

    out.subsets = fx_parse_subset(&out.subset_count, text_of(annotations, count, "Subset"), arena);
    if (*ignored == NULL)
        *ignored = out.script.ignored;
    for (size_t i = 0; i < technique->pass_count; i++) {
        const EffectPass *pass = &technique->passes[i];
        const char *text = text_of(pass->annotations, pass->annotation_count, "Script");

        out.passes[i] = *text != '\0' ? fx_script_parse(text, effect, NULL, arena)
                                      : fx_script_default(NULL, arena);
        if (*ignored == NULL)
            *ignored = out.passes[i].ignored;
    }
    return out;
}

/* Adds the technique with a name of `length` bytes; unknown names are left out. */
static void add_named(FxTechnique *items, size_t *count, const Effect *effect, const char *name,
                      size_t length, const char **ignored, Arena *arena)
{
    for (size_t i = 0; i < effect->technique_count; i++)
        if (strlen(effect->techniques[i].name) == length &&
            strncasecmp(effect->techniques[i].name, name, length) == 0) {
            items[(*count)++] = technique_of(&effect->techniques[i], effect, ignored, arena);
            return;
        }
}

/* "Technique=Technique?A:B:C;" or "Technique=A;": at most as many as the effect has. */
static size_t order_of(FxTechnique *items, const char *text, const Effect *effect,
                       const char **ignored, Arena *arena)
{
    const char *at = strchr(text, '=');
    size_t count = 0;

    if (at == NULL)
        return 0;
    const char *choice = strchr(++at, '?');
    if (choice != NULL)
        at = choice + 1;
    while (*at != '\0' && count < effect->technique_count) {
        at += strspn(at, " \t\r\n:;");
        const size_t length = strcspn(at, " \t\r\n:;");
        if (length > 0)
            add_named(items, &count, effect, at, length, ignored, arena);
        at += length;
    }
    return count;
}

FxTechniques fx_techniques_of(const Effect *effect, Arena *arena)
{
    FxTechnique *items = arena_array(arena, FxTechnique, effect->technique_count);
    FxTechniques out = {.items = items};

    for (size_t i = 0; i < effect->parameter_count; i++) {
        const EffectParameter *p = &effect->parameters[i];
        const EffectAnnotation *a = p->annotations;

        if (strcasecmp(p->semantic, "STANDARDSGLOBAL") != 0)
            continue;
        const char *class = text_of(a, p->annotation_count, "ScriptClass");
        const char *order = text_of(a, p->annotation_count, "ScriptOrder");
        out.class = strcasecmp(class, "scene") == 0           ? FX_CLASS_SCENE
                    : strcasecmp(class, "sceneorobject") == 0 ? FX_CLASS_BOTH
                                                              : FX_CLASS_OBJECT;
        out.order = strcasecmp(order, "postprocess") == 0  ? FX_POSTPROCESS
                    : strcasecmp(order, "preprocess") == 0 ? FX_PREPROCESS
                                                           : FX_STANDARD;
        if (out.count == 0)
            out.count = order_of(items, text_of(a, p->annotation_count, "Script"), effect,
                                 &out.ignored, arena);
    }
    if (out.count == 0)
        for (; out.count < effect->technique_count; out.count++)
            items[out.count] =
                technique_of(&effect->techniques[out.count], effect, &out.ignored, arena);
    return out;
}

static bool fits(int wanted, bool is)
{
    return wanted < 0 || (wanted != 0) == is;
}

static bool has_material(const FxTechnique *technique, uint32_t material)
{
    for (size_t i = 0; i < technique->subset_count; i++)
        if (material >= technique->subsets[i].first && material <= technique->subsets[i].last)
            return true;
    return technique->subset_count == 0;
}

static const FxTechnique *find_technique(const FxTechniques *techniques, FxPassKind kind,
                                         const FxSubject *subject)
{
    for (size_t i = 0; i < techniques->count; i++) {
        const FxTechnique *t = &techniques->items[i];

        if (t->kind == kind && fits(t->use_texture, subject->texture) &&
            fits(t->use_sphere, subject->sphere) && fits(t->use_toon, subject->toon) &&
            fits(t->use_self_shadow, subject->self_shadow) && has_material(t, subject->material))
            return t;
    }
    return NULL;
}

const FxTechnique *fx_find_technique(const FxTechniques *techniques, FxPassKind kind,
                                     const FxSubject *subject)
{
    const FxTechnique *found = find_technique(techniques, kind, subject);

    return found == NULL && kind == FX_OBJECT_SHADED
               ? find_technique(techniques, FX_OBJECT, subject)
               : found;
}

const FxTechnique *fx_scene_technique(const FxTechniques *techniques)
{
    for (size_t i = 0; i < techniques->count; i++)
        if (techniques->items[i].kind == FX_OBJECT)
            return &techniques->items[i];
    return techniques->count > 0 ? &techniques->items[0] : NULL;
}

static bool has_more_colors(const FxScript *script)
{
    for (size_t i = 0; i < script->count; i++)
        if (script->commands[i].kind == FX_COLOR_TARGET && script->commands[i].number > 0 &&
            script->commands[i].parameter >= 0)
            return true;
    return false;
}

bool fx_techniques_have_more_colors(const FxTechniques *techniques)
{
    for (size_t i = 0; i < techniques->count; i++) {
        const FxTechnique *t = &techniques->items[i];

        if (has_more_colors(&t->script))
            return true;
        for (size_t k = 0; k < t->technique->pass_count; k++)
            if (has_more_colors(&t->passes[k]))
                return true;
    }
    return false;
}
