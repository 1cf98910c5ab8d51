// SPDX-License-Identifier: MIT
#include <inttypes.h>
#include <string.h>

#include "base/path.h"
#include "base/text_escape.h"
#include "format/file_kind.h"
#include "inspect/info_facts.h"
#include "scene/model_files.h"

static void write_box(Facts *facts, const PmxModel *model)
{
    float low[3] = {0}, high[3] = {0};
    for (uint32_t i = 0; i < model->vertex_count; i++)
        for (size_t k = 0; k < 3; k++) {
            const float x = model->vertices[i].position[k];
            low[k] = i == 0 || x < low[k] ? x : low[k];
            high[k] = i == 0 || x > high[k] ? x : high[k];
        }
    json_print(&facts->json, "box:[");
    json_floats(&facts->json, low, 3);
    json_floats(&facts->json, high, 3);
    json_print(&facts->json, "]");
    fprintf(facts->text, "  box: %.4g..%.4g, %.4g..%.4g, %.4g..%.4g\n", (double)low[0],
            (double)high[0], (double)low[1], (double)high[1], (double)low[2], (double)high[2]);
}

/* ---- textures ---- */

static const char *const matches[] = {
    [PATH_MISSING] = "missing",
    [PATH_EXACT] = "found",
    [PATH_FOLDED] = "found in another spelling",
    [PATH_NAME_ONLY] = "found by its name only",
    [PATH_OTHER_EXTENSION] = "found with another extension",
    [PATH_MOVED] = "found in another directory",
};

/* Textures that the built-in toons replace are not files. */
static bool is_built_in(const char *name)
{
    const char *base = path_name(name);
    return strlen(base) == 10 && !strncmp(base, "toon", 4) && !strcmp(base + 6, ".bmp");
}

static void write_textures(Facts *facts, const PmxModel *model, const char *path)
{
    PathTree tree = path_tree_init(path_directory(path, facts->arena), facts->arena);
    Json *json = &facts->json;
    uint64_t missing = 0, found_count = 0;
    json_print(json, "texture_states:[");
    for (uint32_t i = 0; i < model->texture_count; i++) {
        const char *name = model->textures[i], *found = NULL;
        if (pmx_texture_is_embedded(model, i)) {
            json_print(json, "{name:%s state:%s}", name, "embedded");
            found_count++;
            continue;
        }
        ArchiveNames same;
        const PathMatch match = model_find_texture(&found, &same, &tree, name);
        if (match == PATH_MISSING && is_built_in(name))
            continue;
        missing += match == PATH_MISSING;
        found_count += match != PATH_MISSING;
        json_print(json, "{name:%s state:%s file:%s}", name, matches[match], found);
        if (match == PATH_MISSING && same.count)
            text_printf(facts->text, "  texture %s: missing; %zu files have its name, e.g. %s\n",
                        name, same.count, path_tree_below(&tree, same.items[0]));
        else if (match == PATH_MISSING)
            text_printf(facts->text,
                        "  texture %s: missing; looked below %s for its path in any spelling, for "
                        "its name, and with the extensions png, tga, bmp, jpg, jpeg and dds\n",
                        name, *tree.directory ? tree.directory : "./");
        else if (match > PATH_FOLDED || facts->options->names)
            text_printf(facts->text, "  texture %s: %s: %s\n", name, matches[match], found);
    }
    json_print(json, "]");
    facts_count(facts, "found_textures", found_count);
    facts_count(facts, "missing_textures", missing);
}

/* ---- bone tree ---- */

enum { MAX_INDENT = 32 }; /* levels that are drawn */

typedef struct BoneTree {
    const PmxModel *model;
    int32_t *first, *next; /* [bone_count] first child, next sibling; -1: none */
    int32_t root;          /* first bone without a parent */
    bool *moved;           /* [bone_count] by a rigid body */
} BoneTree;

/* In file order, because children are prepended from the last to the first. */
static BoneTree make_tree(const PmxModel *model, Arena *arena)
{
    const uint32_t count = model->bone_count;
    BoneTree tree = {model, arena_array(arena, int32_t, count), arena_array(arena, int32_t, count),
                     -1, arena_array(arena, bool, count)};
    for (uint32_t i = 0; i < count; i++)
        tree.first[i] = -1;
    for (uint32_t i = count; i-- > 0;) {
        int32_t *head =
            model->bones[i].parent < 0 ? &tree.root : &tree.first[model->bones[i].parent];
        tree.next[i] = *head;
        *head = (int32_t)i;
    }
    for (uint32_t i = 0; i < model->body_count; i++)
        if (model->bodies[i].bone >= 0 && model->bodies[i].mode != 0)
            tree.moved[model->bodies[i].bone] = true;
    return tree;
}

static void write_indent(FILE *out, const BoneTree *tree, int32_t bone, uint32_t depth)
{
    const char *parts[MAX_INDENT];
    uint32_t count = 0;
    if (depth > MAX_INDENT) {
        fprintf(out, "(%" PRIu32 " levels) ", depth);
        return;
    }
    for (int32_t at = bone; count < depth; at = tree->model->bones[at].parent, count++)
        parts[count] =
            count ? (tree->next[at] < 0 ? "  " : "│ ") : (tree->next[at] < 0 ? "└ " : "├ ");
    while (count-- > 0)
        fputs(parts[count], out);
}

static void write_bone(FILE *out, const BoneTree *tree, int32_t index, uint32_t depth)
{
    const PmxBone *bones = tree->model->bones, *bone = &bones[index];
    fputs("    ", out);
    write_indent(out, tree, index, depth);
    text_printf(out, "%s", bone->name);
    if (*bone->name_en && strcmp(bone->name, bone->name_en) != 0)
        text_printf(out, " (%s)", bone->name_en);
    if ((bone->flags & PMX_BONE_IK) && bone->ik.effector >= 0)
        text_printf(out, ", IK of %s", bones[bone->ik.effector].name);
    if ((bone->flags & (PMX_BONE_APPEND_ROTATION | PMX_BONE_APPEND_TRANSLATION)) &&
        bone->append_source >= 0)
        text_printf(out, ", %.6g of %s", (double)bone->append_ratio,
                    bones[bone->append_source].name);
    if (bone->layer)
        fprintf(out, ", layer %" PRId32, bone->layer);
    if (bone->flags & PMX_BONE_AFTER_PHYSICS)
        fputs(", after physics", out);
    fputs(tree->moved[index] ? ", moved by physics\n" : "\n", out);
}

/* Depth first, without recursion: a chain may have as many levels as the file has bones. */
static void write_tree(FILE *out, const BoneTree *tree)
{
    uint32_t depth = 0;
    fputs("  bone tree:\n", out);
    for (int32_t at = tree->root; at >= 0;) {
        write_bone(out, tree, at, depth);
        if (tree->first[at] >= 0) {
            at = tree->first[at];
            depth++;
            continue;
        }
        while (tree->next[at] < 0 && tree->model->bones[at].parent >= 0) {
            at = tree->model->bones[at].parent;
            depth--;
        }
        at = tree->next[at];
    }
}

static void write_bones(Facts *facts, const PmxModel *model)
{
    const BoneTree tree = make_tree(model, facts->arena);
    Json *json = &facts->json;
    write_tree(facts->text, &tree);
    json_print(json, "bone_tree:[");
    for (uint32_t i = 0; i < model->bone_count; i++) {
        const PmxBone *bone = &model->bones[i];
        const bool ik = bone->flags & PMX_BONE_IK;
        json_print(json, "{name:%s name_en:%s parent:%d layer:%d ik:%hhd physics:%hhd}", bone->name,
                   bone->name_en, bone->parent, bone->layer, ik, tree.moved[i]);
    }
    json_print(json, "]");
}

/* ---- the whole model ---- */

/* Author, licence and permissions, each in a line. */
static void write_meta(Facts *facts, const char *lines)
{
    json_print(&facts->json, "meta:%s", lines);
    for (const char *at = lines; *at; at += strcspn(at, "\n"), at += *at == '\n')
        text_printf(facts->text, "  %.*s\n", (int)strcspn(at, "\n"), at);
}

bool info_write_model(Facts *facts, const char *path, Bytes bytes, Diag *diag)
{
    static const char *const deforms[] = {"bdef1", "bdef2", "bdef4", "sdef", "qdef"};
    static const char *const panels[] = {"system_morphs", "brow_morphs", "eye_morphs",
                                         "mouth_morphs", "other_morphs"};
    uint64_t by_deform[5] = {0}, by_panel[5] = {0}, ik = 0;
    PmxModel model;
    ModelFiles files;
    const FileKind kind = file_kind_find(bytes, path);
    if (!model_files_load(&model, &files, path, facts->arena, diag))
        return false;
    for (uint32_t i = 0; i < model.vertex_count; i++)
        by_deform[model.vertices[i].deform]++;
    for (uint32_t i = 0; i < model.bone_count; i++)
        ik += (model.bones[i].flags & PMX_BONE_IK) != 0;
    for (uint32_t i = 0; i < model.morph_count; i++)
        by_panel[model.morphs[i].panel < 4 ? model.morphs[i].panel : 4]++;

    facts_text(facts, "kind",
               kind == FILE_GLTF  ? "gltf"
               : kind == FILE_VRM ? "vrm"
               : kind == FILE_OBJ ? "obj"
               : model.accessory  ? "x"
               : model.from_pmd   ? "pmd"
                                  : "pmx");
    if (!model.accessory && kind != FILE_VRM)
        facts_number(facts, "version", model.from_pmd ? 1 : model.version > 2.05f ? 2.1 : 2.0);
    facts_text(facts, "ignored", model.ignored ? model.ignored : "");
    facts_text(facts, "name", model.name);
    facts_text(facts, "name_en", model.name_en);
    if (kind == FILE_VRM)
        write_meta(facts, model.comment);
    if (kind == FILE_OBJ) {
        facts_text(facts, "comment", model.comment);
        facts_text(
            facts, "advice",
            strstr(model.comment, "Metasequoia")
                ? "Metasequoia counts texture rows from the top, and its scenes face away: flip_v: "
                  "true and rotation_deg: [0, 180, 0] turn pictures and scene"
                : "");
    }
    facts_count(facts, "vertices", model.vertex_count);
    for (size_t i = 0; i < 5; i++)
        facts_count(facts, deforms[i], by_deform[i]);
    facts_count(facts, "extra_uv", model.extra_uv_count);
    facts_count(facts, "triangles", model.index_count / 3);
    facts_count(facts, "materials", model.material_count);
    facts_count(facts, "textures", model.texture_count);
    facts_count(facts, "bones", model.bone_count);
    facts_count(facts, "ik", ik);
    facts_count(facts, "morphs", model.morph_count);
    for (size_t i = 0; i < 5; i++)
        facts_count(facts, panels[i], by_panel[i]);
    facts_count(facts, "bodies", model.body_count);
    facts_count(facts, "joints", model.joint_count);
    facts_count(facts, "soft_bodies", model.soft_body_count);
    write_box(facts, &model);
    facts_names(facts, "bone_names", TEXT_NAMES(PmxBone, name, model.bones, model.bone_count));
    facts_names(facts, "morph_names", TEXT_NAMES(PmxMorph, name, model.morphs, model.morph_count));
    facts_names(facts, "material_names",
                TEXT_NAMES(PmxMaterial, name, model.materials, model.material_count));
    facts_names(facts, "texture_files",
                (TextNames){model.textures, model.texture_count, sizeof *model.textures, 0});
    write_textures(facts, &model, path);
    if (facts->options->bones)
        write_bones(facts, &model);
    return true;
}
