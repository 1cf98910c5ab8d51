#include <inttypes.h>
#include <string.h>

#include "base/path.h"
#include "base/text_escape.h"
#include "format/model/model_file.h"
#include "inspect/info_facts.h"

static void write_box(Facts *facts, const PmxModel *model)
{
    float low[3] = {0}, high[3] = {0};
    for (uint32_t i = 0; i < model->vertex_count; i++)
        for (size_t k = 0; k < 3; k++) {
            const float x = model->vertices[i].position[k];
            low[k] = i == 0 || x < low[k] ? x : low[k];
            high[k] = i == 0 || x > high[k] ? x : high[k];
        }
    if (facts->options->json) {
        json_pair_open(&facts->json, "box", '[');
        json_floats(&facts->json, low, 3);
        json_floats(&facts->json, high, 3);
        json_close(&facts->json, ']');
    } else {
        fprintf(facts->out, "  box: %.4g..%.4g, %.4g..%.4g, %.4g..%.4g\n", (double)low[0],
                (double)high[0], (double)low[1], (double)high[1], (double)low[2], (double)high[2]);
    }
}

static void write_deforms(Facts *facts, const PmxModel *model)
{
    static const char *const names[] = {"bdef1", "bdef2", "bdef4", "sdef", "qdef"};
    uint64_t counts[5] = {0};
    for (uint32_t i = 0; i < model->vertex_count; i++)
        counts[model->vertices[i].deform]++;
    for (size_t i = 0; i < 5; i++)
        facts_count(facts, names[i], counts[i]);
}

static void write_model_names(Facts *facts, const PmxModel *model)
{
    if (facts_names_begin(facts, "bone_names"))
        for (uint32_t i = 0; i < model->bone_count; i++)
            facts_name(facts, model->bones[i].name);
    facts_names_end(facts);
    if (facts_names_begin(facts, "morph_names"))
        for (uint32_t i = 0; i < model->morph_count; i++)
            facts_name(facts, model->morphs[i].name);
    facts_names_end(facts);
    if (facts_names_begin(facts, "material_names"))
        for (uint32_t i = 0; i < model->material_count; i++)
            facts_name(facts, model->materials[i].name);
    facts_names_end(facts);
    if (facts_names_begin(facts, "texture_files"))
        for (uint32_t i = 0; i < model->texture_count; i++)
            facts_name(facts, model->textures[i]);
    facts_names_end(facts);
}

/* ---- morphs by panel ---- */

static void write_panels(Facts *facts, const PmxModel *model)
{
    static const char *const keys[] = {"system_morphs", "brow_morphs", "eye_morphs", "mouth_morphs",
                                       "other_morphs"};
    uint64_t counts[5] = {0};
    for (uint32_t i = 0; i < model->morph_count; i++)
        counts[model->morphs[i].panel < 4 ? model->morphs[i].panel : 4]++;
    for (size_t i = 0; i < 5; i++)
        facts_count(facts, keys[i], counts[i]);
}

/* ---- textures ---- */

static const char *const matches[] = {
    [PATH_MISSING] = "missing",
    [PATH_EXACT] = "found",
    [PATH_FOLDED] = "found in another spelling",
    [PATH_NAME_ONLY] = "found by its name only",
    [PATH_OTHER_EXTENSION] = "found with another extension",
};

static void write_texture_json(Json *json, const char *name, PathMatch match, const char *found)
{
    json_open(json, '{');
    json_pair_text(json, "name", name);
    json_pair_text(json, "state", matches[match]);
    json_pair_text(json, "file", found);
    json_close(json, '}');
}

/* Where a missing texture was looked for: scene/model.c asks path_resolve in the same way. */
static void write_texture_text(Facts *facts, const char *name, PathMatch match, const char *found,
                               const char *directory)
{
    if (match == PATH_MISSING)
        text_printf(facts->out,
                    "  texture %s: missing; looked below %s for its path in any spelling, and "
                    "with the extensions png, tga, bmp, jpg and dds\n",
                    name, *directory ? directory : "./");
    else if (match > PATH_FOLDED || facts->options->names)
        text_printf(facts->out, "  texture %s: %s: %s\n", name, matches[match], found);
}

/* Textures that the built-in toons replace are not files. */
static bool is_built_in(const char *name)
{
    const char *base = path_name(name);
    return strlen(base) == 10 && !strncmp(base, "toon", 4) && !strcmp(base + 6, ".bmp");
}

static void write_textures(Facts *facts, const PmxModel *model, const char *path)
{
    const char *directory = path_directory(path, facts->arena);
    uint64_t missing = 0, found_count = 0;
    if (facts->options->json) {
        json_pair_open(&facts->json, "texture_states", '[');
    }
    for (uint32_t i = 0; i < model->texture_count; i++) {
        const char *name = model->textures[i], *found = NULL;
        const PathMatch match = path_resolve(&found, directory, NULL, name, true, facts->arena);
        if (match == PATH_MISSING && is_built_in(name))
            continue;
        missing += match == PATH_MISSING;
        found_count += match != PATH_MISSING;
        if (facts->options->json)
            write_texture_json(&facts->json, name, match, found);
        else
            write_texture_text(facts, name, match, found, directory);
    }
    if (facts->options->json)
        json_close(&facts->json, ']');
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

static void write_bone(const Facts *facts, const BoneTree *tree, int32_t index, uint32_t depth)
{
    const PmxBone *bones = tree->model->bones, *bone = &bones[index];
    FILE *out = facts->out;
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

static void write_bone_json(Json *json, const BoneTree *tree, uint32_t index)
{
    const PmxBone *bone = &tree->model->bones[index];
    json_open(json, '{');
    json_pair_text(json, "name", bone->name);
    json_pair_text(json, "name_en", bone->name_en);
    json_pair_int(json, "parent", bone->parent);
    json_pair_int(json, "layer", bone->layer);
    json_pair_bool(json, "ik", (bone->flags & PMX_BONE_IK) != 0);
    json_pair_bool(json, "physics", tree->moved[index]);
    json_close(json, '}');
}

/* Depth first, without recursion: a chain may have as many levels as the file has bones. */
static void write_tree(Facts *facts, const PmxModel *model)
{
    const BoneTree tree = make_tree(model, facts->arena);
    uint32_t depth = 0;
    if (facts->options->json) {
        json_pair_open(&facts->json, "bone_tree", '[');
        for (uint32_t i = 0; i < model->bone_count; i++)
            write_bone_json(&facts->json, &tree, i);
        json_close(&facts->json, ']');
        return;
    }
    fputs("  bone tree:\n", facts->out);
    for (int32_t at = tree.root; at >= 0;) {
        write_bone(facts, &tree, at, depth);
        if (tree.first[at] >= 0) {
            at = tree.first[at];
            depth++;
            continue;
        }
        while (tree.next[at] < 0 && model->bones[at].parent >= 0) {
            at = model->bones[at].parent;
            depth--;
        }
        at = tree.next[at];
    }
}

/* ---- all of it ---- */

bool info_write_model(Facts *facts, const char *path, Bytes bytes, Diag *diag)
{
    PmxModel model;
    uint64_t ik = 0;
    if (!model_file_load(&model, bytes, facts->arena, diag))
        return false;
    for (uint32_t i = 0; i < model.bone_count; i++)
        ik += (model.bones[i].flags & PMX_BONE_IK) != 0;
    facts_text(facts, "kind", model.accessory ? "x" : model.from_pmd ? "pmd" : "pmx");
    if (!model.accessory)
        facts_number(facts, "version", model.from_pmd ? 1 : model.version > 2.05f ? 2.1 : 2.0);
    facts_text(facts, "name", model.name);
    facts_text(facts, "name_en", model.name_en);
    facts_count(facts, "vertices", model.vertex_count);
    write_deforms(facts, &model);
    facts_count(facts, "extra_uv", model.extra_uv_count);
    facts_count(facts, "triangles", model.index_count / 3);
    facts_count(facts, "materials", model.material_count);
    facts_count(facts, "textures", model.texture_count);
    facts_count(facts, "bones", model.bone_count);
    facts_count(facts, "ik", ik);
    facts_count(facts, "morphs", model.morph_count);
    write_panels(facts, &model);
    facts_count(facts, "bodies", model.body_count);
    facts_count(facts, "joints", model.joint_count);
    facts_count(facts, "soft_bodies", model.soft_body_count);
    write_box(facts, &model);
    write_model_names(facts, &model);
    write_textures(facts, &model, path);
    if (facts->options->bones)
        write_tree(facts, &model);
    return true;
}
