// SPDX-License-Identifier: MIT
#include <string.h>

#include "base/path.h"
#include "base/text_escape.h"
#include "effect/effect.h"
#include "format/project/emm.h"
#include "inspect/info_facts.h"
#include "media/texture_file.h"
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

/* A list of parameters with two of their annotations: "  control: ray_controller.pmx, SunLight+",
 * once for each pair. */
static void write_list(Facts *facts, const char *key, const char *line, const Effect *effect,
                       const char *semantic, const char *first, const char *second)
{
    json_key(&facts->json, key);
    json_print(&facts->json, "[");
    for (size_t i = 0; i < effect->parameter_count; i++) {
        const EffectParameter *p = &effect->parameters[i];
        const char *a = parameter_text(p, first), *b = second ? parameter_text(p, second) : NULL;
        if (semantic ? !text_equal_ignoring_case(p->semantic, semantic)
                     : !a || p->type.base != EFFECT_TEXTURE)
            continue;
        json_print(&facts->json, "{parameter:%s", p->name);
        json_key(&facts->json, first);
        json_text(&facts->json, a);
        if (second) {
            json_key(&facts->json, second);
            json_text(&facts->json, b);
        }
        json_print(&facts->json, "}");
        text_printf(facts->text, "  %s: %s%s%s%s%s\n", line, p->name, a ? ", " : "", a ? a : "",
                    b ? ", " : "", b ? b : "");
    }
    json_print(&facts->json, "]");
}

static void write_techniques(Facts *facts, const Effect *effect)
{
    json_print(&facts->json, "techniques:[");
    for (size_t i = 0; i < effect->technique_count; i++) {
        const EffectTechnique *t = &effect->techniques[i];
        const char *pass = annotation_text(t->annotations, t->annotation_count, "MMDPass");
        json_print(&facts->json, "{name:%s pass:%s passes:%zu}", t->name, pass ? pass : "object",
                   t->pass_count);
        if (facts->options->names)
            text_printf(facts->text, "  technique: %s, %s, %zu pass%s\n", t->name,
                        pass ? pass : "object", t->pass_count, t->pass_count == 1 ? "" : "es");
    }
    json_print(&facts->json, "]");
}

static void write_notes(Facts *facts, const Effect *effect)
{
    json_print(&facts->json, "notes:[");
    for (size_t i = 0; i < effect->note_count; i++) {
        const EffectNote *note = &effect->notes[i];
        json_print(&facts->json, "{file:%s line:%u text:%s}", note->file, note->line, note->text);
        text_printf(facts->text, "  note: %s:%u: %s\n", path_name(note->file), note->line,
                    note->text);
    }
    json_print(&facts->json, "]");
}

static void write_script(Facts *facts, const Effect *effect)
{
    const char *class = "object", *order = "standard";
    for (size_t i = 0; i < effect->parameter_count; i++) {
        const EffectParameter *p = &effect->parameters[i];
        if (!text_equal_ignoring_case(p->semantic, "STANDARDSGLOBAL"))
            continue;
        class = parameter_text(p, "ScriptClass") ? parameter_text(p, "ScriptClass") : class;
        order = parameter_text(p, "ScriptOrder") ? parameter_text(p, "ScriptOrder") : order;
    }
    facts_text(facts, "script_class", class);
    facts_text(facts, "script_order", order);
}

bool info_write_effect(Facts *facts, const char *path, Bytes bytes, Diag *diag)
{
    const char *file = effect_files_normalize(path, facts->arena);
    EffectFiles *files = effect_files_create(facts->arena);
    Effect *effect;
    size_t passes = 0;
    effect_files_allow(files, file);
    effect_files_allow(/* effects of materials include files above them */
                       files, arena_printf(facts->arena, "%s../package",
                                           path_directory(file, facts->arena)));
    if (!effect_load(&effect,
                     &(EffectSource){.name = file,
                                     .text = {bytes.data, bytes.size},
                                     .read = effect_files_read,
                                     .user = files},
                     facts->arena, diag))
        return false;
    for (size_t i = 0; i < effect->technique_count; i++)
        passes += effect->techniques[i].pass_count;
    facts_text(facts, "kind", "effect");
    write_script(facts, effect);
    facts_count(facts, "included_files", effect->file_count ? effect->file_count - 1 : 0);
    facts_count(facts, "parameters", effect->parameter_count);
    facts_names(facts, "parameter_names",
                TEXT_NAMES(EffectParameter, name, effect->parameters, effect->parameter_count));
    facts_count(facts, "technique_count", effect->technique_count);
    facts_count(facts, "passes", passes);
    write_techniques(facts, effect);
    write_list(facts, "controls", "control", effect, "CONTROLOBJECT", "name", "item");
    write_list(facts, "targets", "target", effect, "OFFSCREENRENDERTARGET", "DefaultEffect", NULL);
    write_list(facts, "pictures", "picture", effect, NULL, "ResourceName", NULL);
    write_notes(facts, effect);
    return true;
}

/* ---- assignments ---- */

/* "  Effect@LightMap: Pmd2[3] = light.fx" */
bool info_write_assignments(Facts *facts, Bytes bytes, Diag *diag)
{
    static const char *const KEYS[] = {
        [EMM_FILE] = "file", [EMM_SHOW] = "show", [EMM_OWNER] = "owner", [EMM_DEFAULT] = "default"};
    Emm emm;
    if (!emm_load(&emm, bytes, facts->arena, diag))
        return false;
    facts_text(facts, "kind", "assignments");
    facts_count(facts, "entries", emm.count);
    json_print(&facts->json, "assignments:[");
    for (size_t i = 0; i < emm.count; i++) {
        const EmmEntry *e = &emm.entries[i];
        const char *material =
            e->subset < 0 ? "" : arena_printf(facts->arena, "[%d]", (int)e->subset);
        json_print(&facts->json, "{section:%s key:%s object:%s material:%d value:%s}", e->section,
                   KEYS[e->kind], e->object, (int)e->subset, e->value);
        text_printf(facts->text, "  %s: %s%s%s = %s\n", e->section,
                    e->kind == EMM_OWNER     ? "Owner"
                    : e->kind == EMM_DEFAULT ? "Default"
                                             : e->object,
                    material, e->kind == EMM_SHOW ? ".show" : "", e->value);
    }
    json_print(&facts->json, "]");
    return true;
}

/* ---- pictures of effects ---- */

bool info_write_texture(Facts *facts, Bytes bytes, Diag *diag)
{
    static const char *const formats[] = {
        [PIXEL_RGBA8] = "8 bits", [PIXEL_FLOAT4] = "float", [PIXEL_HALF4] = "half"};
    TextureFile texture;
    if (!texture_file_load(&texture, bytes, facts->arena, diag))
        return false;
    facts_text(facts, "kind", "picture");
    facts_count(facts, "width", (uint64_t)texture.width);
    facts_count(facts, "height", (uint64_t)texture.height);
    facts_text(facts, "alpha", texture.has_alpha ? "yes" : "no");
    facts_text(facts, "samples", formats[texture.format]);
    facts_count(facts, "faces", (uint64_t)texture.faces);
    facts_count(facts, "depth", (uint64_t)texture.depth);
    facts_count(facts, "levels", (uint64_t)texture.levels);
    return true;
}
