// SPDX-License-Identifier: MIT
#include "format/model/vrm_morphs.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "format/model/vrm_names.h"

enum { MOUTH_PANEL = 3, OTHER_PANEL = 4, MAX_MORPHS = 1024, MAX_OFFSETS = 1 << 25 };

typedef struct Maker {
    GltfFile *file;
    const GltfMeshes *meshes;
    const VrmBones *bones;
    bool older;
    Vec3 *offsets; /* [vertex_count] of the morph that is made */
    uint64_t work; /* offsets that were added, of all morphs */
    ARENA_LIST(PmxMorph) morphs;
    ARENA_LIST(VrmExpression) rules; /* one for each */
    Arena *arena, *scratch;
    Diag *diag;
} Maker;

/* How a displacement of a vertex appears in the A-pose. */
static Vec3 turn(const Maker *m, const PmxVertex *v, Vec3 offset)
{
    Vec3 out = {0, 0, 0};
    for (int k = 0; k < PMX_MAX_WEIGHTS; k++)
        if (v->weights[k] > 0)
            out = vec3_add(out, vec3_scale(vrm_turn_direction(m->bones, v->bones[k], offset),
                                           (double)v->weights[k]));
    return out;
}

static bool add_target(Maker *m, const GltfPart *part, uint32_t index, double weight)
{
    const JsonValue *target = json_item(json_member(part->primitive, "targets"), index);
    const JsonValue *position = json_member(target, "POSITION");
    GltfMatrix linear = part->world;
    GltfValues values;
    if (!position)
        return true;
    if (!gltf_values(&values, m->file, json_index(position), 3, m->diag))
        return false;
    m->work += part->vertex_count;
    if (m->work > gltf_limit(m->file, MAX_OFFSETS))
        return diag_error(m->diag, "the expressions move more than %" PRIu64 " vertices",
                          gltf_limit(m->file, MAX_OFFSETS));
    linear.m[9] = linear.m[10] = linear.m[11] = 0;
    for (uint32_t i = 0; i < part->vertex_count; i++) {
        const uint32_t vertex = part->first_vertex + i;
        if (part->source[i] >= values.count)
            return diag_error(m->diag, "a morph target does not fit the positions of its mesh");
        const Vec3 delta =
            gltf_matrix_apply(&linear, vec3_load(values.items + (size_t)part->source[i] * 3));
        m->offsets[vertex] =
            vec3_add(m->offsets[vertex], turn(m, &m->meshes->builder.vertices.items[vertex],
                                              vec3_scale(gltf_to_mmd(delta, m->older), weight)));
    }
    return true;
}

/* A bind names a node in VRM 1.0, a mesh in 0.x. */
static bool add_bind(Maker *m, const JsonValue *bind)
{
    const int32_t index = json_index(json_member(bind, "index"));
    const int32_t wanted = json_index(json_member(bind, m->older ? "mesh" : "node"));
    const double weight = json_number(json_member(bind, "weight"), 0) / (m->older ? 100 : 1);
    for (size_t i = 0; i < m->meshes->parts.count && index >= 0 && wanted >= 0; i++) {
        const GltfPart *part = &m->meshes->parts.items[i];
        const int32_t mesh = m->file->nodes[part->node].mesh;
        m->work++;
        if ((m->older ? mesh : (int32_t)part->node) == wanted &&
            !add_target(m, part, (uint32_t)index, weight))
            return false;
    }
    return m->work <= gltf_limit(m->file, MAX_OFFSETS) ||
           diag_error(m->diag, "too many morph targets");
}

static void store_offsets(PmxMorph *morph, Maker *m)
{
    const size_t count = m->meshes->builder.vertices.count;
    uint32_t used = 0;
    for (size_t i = 0; i < count; i++)
        used += vec3_length(m->offsets[i]) > 1e-6;
    morph->offsets.vertex = arena_array(m->arena, PmxVertexOffset, used);
    for (size_t i = 0; i < count; i++) {
        if (vec3_length(m->offsets[i]) > 1e-6) {
            PmxVertexOffset *to = &morph->offsets.vertex[morph->count++];
            to->vertex = (uint32_t)i;
            vec3_store(to->offset, m->offsets[i]);
        }
        m->offsets[i] = (Vec3){0, 0, 0};
    }
}

/* VRM 0.x has no overrides. */
static VrmExpression read_rules(const Maker *m, const JsonValue *json, const char *preset)
{
    static const char *const keys[] = {"overrideBlink", "overrideLookAt", "overrideMouth"};
    const VrmPreset *known = vrm_preset_find(preset, m->older);
    VrmExpression out = {.is_binary = json_bool(json_member(json, "isBinary"), false),
                         .part = VRM_OTHER};
    for (int part = 0; part < VRM_OTHER; part++) {
        const char *how = json_string(json_member(json, m->older ? "" : keys[part]), "none");
        out.overrides[part] = !strcmp(how, "block")   ? VRM_BLOCK
                              : !strcmp(how, "blend") ? VRM_BLEND
                                                      : VRM_KEEP;
    }
    if (!strncmp(preset, "blink", 5))
        out.part = VRM_BLINK;
    else if (!strncmp(preset, "look", 4))
        out.part = VRM_LOOK;
    else if (known && known->panel == MOUTH_PANEL)
        out.part = VRM_MOUTH;
    return out;
}

static bool add_expression(Maker *m, const JsonValue *json, const char *preset, const char *own)
{
    const JsonValue *binds = json_member(json, m->older ? "binds" : "morphTargetBinds");
    PmxMorph morph = {.name = arena_strdup(m->arena, own),
                      .name_en = arena_strdup(m->arena, own),
                      .panel = OTHER_PANEL,
                      .type = PMX_MORPH_VERTEX};
    const VrmPreset *known = vrm_preset_find(preset, m->older);
    if (m->older && text_equal_ignoring_case(own, "surprised"))
        known = vrm_preset_find("surprised", false); /* VRM 0.x has no preset for it */
    if (known) {
        morph.name = known->mmd;
        morph.panel = known->panel;
    }
    if (m->morphs.count >= MAX_MORPHS)
        return diag_error(m->diag, "more than %d expressions", MAX_MORPHS);
    m->work += m->meshes->builder.vertices.count / 16; /* store_offsets looks at all of them */
    for (uint32_t i = 0; i < json_count(binds); i++)
        if (!add_bind(m, json_item(binds, i)))
            return false;
    store_offsets(&morph, m);
    *arena_push(m->arena, &m->morphs) = morph;
    *arena_push(m->arena, &m->rules) = read_rules(m, json, preset);
    return true;
}

static bool add_all(Maker *m, const JsonValue *extension, uint32_t *left_out)
{
    const JsonValue *groups =
        json_member(json_member(extension, "blendShapeMaster"), "blendShapeGroups");
    for (uint32_t i = 0; m->older && i < json_count(groups); i++) {
        const JsonValue *json = json_item(groups, i);
        const char *preset = json_string(json_member(json, "presetName"), "");
        *left_out += json_count(json_member(json, "materialValues")) > 0;
        if (!add_expression(m, json, preset, json_string(json_member(json, "name"), preset)))
            return false;
    }
    static const char *const lists[] = {"preset", "custom"};
    for (size_t k = 0; !m->older && k < 2; k++) {
        const JsonValue *list = json_member(json_member(extension, "expressions"), lists[k]);
        for (uint32_t i = 0; i < json_count(list); i++) {
            const JsonValue *json = json_item(list, i);
            const char *name = json->key ? json->key : "";
            *left_out += json_member(json, "materialColorBinds") != NULL ||
                         json_member(json, "textureTransformBinds") != NULL;
            if (!add_expression(m, json, k ? "" : name, name))
                return false;
        }
    }
    return true;
}

bool vrm_morphs_make(PmxModel *model, VrmRig *rig, uint32_t *left_out, GltfFile *file,
                     const GltfMeshes *meshes, const VrmBones *bones, const JsonValue *extension,
                     bool older, Arena *arena, Diag *diag)
{
    Maker m = {.file = file,
               .meshes = meshes,
               .bones = bones,
               .older = older,
               .arena = arena,
               .scratch = meshes->builder.scratch,
               .diag = diag};
    *left_out = 0;
    m.offsets = arena_array(m.scratch, Vec3, meshes->builder.vertices.count);
    if (!add_all(&m, extension, left_out))
        return false;
    model->morphs = m.morphs.items;
    model->morph_count = (uint32_t)m.morphs.count;
    rig->expressions = m.rules.items;
    rig->expression_count = model->morph_count;
    return true;
}
