// SPDX-License-Identifier: MIT
#include <inttypes.h>
#include <string.h>

#include "base/path.h"
#include "base/text_escape.h"
#include "effect/effect.h"
#include "format/project/emm.h"
#include "inspect/info_facts.h"
#include "scene/effects/effect_files.h"

/* ---- effects ---- */

static const char *annotation_text(const EffectAnnotation *annotations, size_t count,
                                   const char *name)
{
    const EffectAnnotation *found = effect_find_annotation(annotations, count, name);
    return found && found->text ? found->text : NULL;
}

static const char *parameter_text(const EffectParameter *parameter, const char *name)
{
    return annotation_text(parameter->annotations, parameter->annotation_count, name);
}

/* A parameter with one or two of its annotations, once for each pair. */
typedef struct EffectItem {
    const char *parameter, *first, *second;
} EffectItem;

typedef ARENA_LIST(EffectItem) EffectItems;
typedef EffectItem EffectControl, EffectTarget, EffectPicture;

static const ResultField EffectControl_fields[] = {
    MEMBER(EffectItem, parameter, "name of the parameter"),
    MEMBER_NAMED(EffectItem, first, "name", "model that controls it", .nullable = true),
    MEMBER_NAMED(EffectItem, second, "item", "its bone or morph", .nullable = true),
};
RESULT(EffectControl, "a parameter that a model controls");

static const ResultField EffectTarget_fields[] = {
    MEMBER(EffectItem, parameter, "name of the parameter"),
    MEMBER_NAMED(EffectItem, first, "DefaultEffect", "effects of models in it", .nullable = true),
};
RESULT(EffectTarget, "a target of offscreen drawing");

static const ResultField EffectPicture_fields[] = {
    MEMBER(EffectItem, parameter, "name of the parameter"),
    MEMBER_NAMED(EffectItem, first, "ResourceName", "file", .nullable = true),
};
RESULT(EffectPicture, "an image that it reads");

static const ResultField EffectNote_fields[] = {
    MEMBER(EffectNote, file, "file"),
    MEMBER(EffectNote, line, "line in it, from 1 on"),
    MEMBER(EffectNote, text, "what has no effect"),
};
RESULT(EffectNote, "something in the text that has no effect");

typedef struct TechniqueInfo {
    const char *name, *pass;
    size_t passes;
} TechniqueInfo;

static const ResultField TechniqueInfo_fields[] = {
    MEMBER(TechniqueInfo, name, "name"),
    MEMBER(TechniqueInfo, pass, "what MMD draws with it (MMDPass)"),
    MEMBER(TechniqueInfo, passes, "passes"),
};
RESULT(TechniqueInfo, "a technique");

typedef struct EffectInfo {
    Effect effect;
    const char *script_class, *script_order;
    size_t included_files, passes;
    TechniqueInfo *techniques;
    EffectItems controls, targets, pictures;
} EffectInfo;

static void print_techniques(FILE *out, const void *record, bool all)
{
    const EffectInfo *info = record;
    for (size_t i = 0; all && i < info->effect.technique_count; i++) {
        const TechniqueInfo *t = &info->techniques[i];
        text_printf(out, "  technique: %s, %s, %zu pass%s\n", t->name, t->pass, t->passes,
                    t->passes == 1 ? "" : "es");
    }
}

/* "  control: mLight, ray_controller.pmx, SunLight+" */
static void print_items(FILE *out, const void *record, bool all)
{
    const EffectInfo *info = record;
    const EffectItems *const lists[] = {&info->controls, &info->targets, &info->pictures};
    static const char *const words[] = {"control", "target", "picture"};
    (void)all;
    for (size_t k = 0; k < 3; k++)
        for (size_t i = 0; i < lists[k]->count; i++) {
            const EffectItem *item = &lists[k]->items[i];
            const char *a = item->first, *b = item->second;
            text_printf(out, "  %s: %s%s%s%s%s\n", words[k], item->parameter, a ? ", " : "",
                        a ? a : "", b ? ", " : "", b ? b : "");
        }
}

static void print_notes(FILE *out, const void *record, bool all)
{
    const Effect *effect = &((const EffectInfo *)record)->effect;
    (void)all;
    for (size_t i = 0; i < effect->note_count; i++)
        text_printf(out, "  note: %s:%u: %s\n", path_name(effect->notes[i].file),
                    effect->notes[i].line, effect->notes[i].text);
}

static const ResultField EffectInfo_fields[] = {
    MEMBER(EffectInfo, script_class, "what it draws (ScriptClass)"),
    MEMBER(EffectInfo, script_order, "when it is drawn (ScriptOrder)"),
    MEMBER(EffectInfo, included_files, "files that it includes"),
    MEMBER_NAMED(EffectInfo, effect.parameter_count, "parameters", "global parameters"),
    MEMBER_NAMES(EffectInfo, effect.parameters, effect.parameter_count, EffectParameter, name,
                 "parameter_names", "their names"),
    MEMBER_NAMED(EffectInfo, effect.technique_count, "technique_count", "number of techniques"),
    MEMBER(EffectInfo, passes, "passes of all techniques"),
    MEMBER_LIST(EffectInfo, techniques, effect.technique_count, TechniqueInfo, "techniques",
                .text = print_techniques),
    MEMBER_ITEMS(EffectInfo, controls, EffectControl, "parameters that models control",
                 .text = print_items),
    MEMBER_ITEMS(EffectInfo, targets, EffectTarget, "targets of offscreen drawing",
                 .text = result_text_none),
    MEMBER_ITEMS(EffectInfo, pictures, EffectPicture, "images that it reads",
                 .text = result_text_none),
    MEMBER_LIST_NAMED(EffectInfo, effect.notes, effect.note_count, "notes", EffectNote,
                      "what in the text has no effect", .text = print_notes),
};
const ResultTable effect_info_result =
    RESULT_CASE_TABLE(EffectInfo, "an effect of MikuMikuEffect", "effect");

/* The parameters of a semantic, or without one the textures that have the first annotation. */
static EffectItems list_items(const Effect *effect, const char *semantic, const char *first,
                              const char *second, Arena *arena)
{
    EffectItems items = {0};
    for (size_t i = 0; i < effect->parameter_count; i++) {
        const EffectParameter *p = &effect->parameters[i];
        const char *a = parameter_text(p, first), *b = second ? parameter_text(p, second) : NULL;
        if (semantic ? text_equal_ignoring_case(p->semantic, semantic)
                     : a && p->type.base == EFFECT_TEXTURE)
            *arena_push(arena, &items) = (EffectItem){p->name, a, b};
    }
    return items;
}

bool info_load_effect(ResultCase *out, const InfoFile *file, Diag *diag)
{
    Arena *arena = file->arena;
    const char *name = effect_files_normalize(file->path, arena);
    EffectFiles *files = effect_files_create(arena);
    EffectInfo *info = arena_array(arena, EffectInfo, 1);
    Effect *effect;
    effect_files_allow(files, name);
    effect_files_allow(/* effects of materials include files above them */
                       files, arena_printf(arena, "%s../package", path_directory(name, arena)));
    if (!effect_load(&effect,
                     &(EffectSource){.name = name,
                                     .text = {file->bytes.data, file->bytes.size},
                                     .read = effect_files_read,
                                     .user = files},
                     arena, diag))
        return false;
    *out = (ResultCase){"effect", &effect_info_result, info};
    info->effect = *effect;
    info->included_files = effect->file_count ? effect->file_count - 1 : 0;
    info->script_class = "object";
    info->script_order = "standard";
    for (size_t i = 0; i < info->effect.parameter_count; i++) {
        const EffectParameter *p = &info->effect.parameters[i];
        if (!text_equal_ignoring_case(p->semantic, "STANDARDSGLOBAL"))
            continue;
        const char *class = parameter_text(p, "ScriptClass");
        const char *order = parameter_text(p, "ScriptOrder");
        info->script_class = class ? class : info->script_class;
        info->script_order = order ? order : info->script_order;
    }
    info->techniques = arena_array(arena, TechniqueInfo, info->effect.technique_count);
    for (size_t i = 0; i < info->effect.technique_count; i++) {
        const EffectTechnique *t = &info->effect.techniques[i];
        const char *pass = annotation_text(t->annotations, t->annotation_count, "MMDPass");
        info->techniques[i] = (TechniqueInfo){t->name, pass ? pass : "object", t->pass_count};
        info->passes += t->pass_count;
    }
    info->controls = list_items(effect, "CONTROLOBJECT", "name", "item", arena);
    info->targets = list_items(effect, "OFFSCREENRENDERTARGET", "DefaultEffect", NULL, arena);
    info->pictures = list_items(effect, NULL, "ResourceName", NULL, arena);
    return true;
}

/* ---- assignments ---- */

static const char *const entry_words[] = {[EMM_FILE] = "file",
                                          [EMM_SHOW] = "show",
                                          [EMM_OWNER] = "owner",
                                          [EMM_DEFAULT] = "default",
                                          NULL};

static const ResultField EmmEntry_fields[] = {
    MEMBER(EmmEntry, section, "section of the file: Object, Effect or Effect@NAME"),
    MEMBER_WORD_NAMED(EmmEntry, kind, "key", entry_words, "what the entry sets"),
    MEMBER(EmmEntry, object, "object of a project, such as Pmd1; may be empty"),
    MEMBER_NAMED(EmmEntry, subset, "material", "number of the material; null: the whole object",
                 .nullable = true),
    MEMBER(EmmEntry, value, "value"),
};
RESULT(EmmEntry, "an entry");

/* "  Effect@LightMap: Pmd2[3] = light.fx" */
static void print_assignments(FILE *out, const void *record, bool all)
{
    const Emm *emm = record;
    (void)all;
    for (size_t i = 0; i < emm->count; i++) {
        const EmmEntry *e = &emm->entries[i];
        char material[16] = "";
        if (e->subset >= 0)
            snprintf(material, sizeof material, "[%" PRId32 "]", e->subset);
        text_printf(out, "  %s: %s%s%s = %s\n", e->section,
                    e->kind == EMM_OWNER     ? "Owner"
                    : e->kind == EMM_DEFAULT ? "Default"
                                             : e->object,
                    material, e->kind == EMM_SHOW ? ".show" : "", e->value);
    }
}

static const ResultField Emm_fields[] = {
    MEMBER_NAMED(Emm, count, "entries", "entries"),
    MEMBER_LIST_NAMED(Emm, entries, count, "assignments", EmmEntry, "the entries",
                      .text = print_assignments),
};
const ResultTable assignments_info_result =
    RESULT_CASE_TABLE(Emm, "assignments of effects", "assignments");

bool info_load_assignments(ResultCase *out, const InfoFile *file, Diag *diag)
{
    Emm *emm = arena_array(file->arena, Emm, 1);
    *out = (ResultCase){"assignments", &assignments_info_result, emm};
    return emm_load(emm, file->bytes, file->arena, diag);
}
