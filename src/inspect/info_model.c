// SPDX-License-Identifier: MIT
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/path.h"
#include "base/text_escape.h"
#include "format/file_kind.h"
#include "inspect/info_facts.h"
#include "scene/asset_files.h"

/* ---- textures ---- */

enum { EMBEDDED = PATH_MOVED + 1 };

typedef struct TextureInfo {
    const char *name, *file, *text; /* text: of a line, for people */
    unsigned state;
} TextureInfo;

static const char *const states[] = {
    [PATH_MISSING] = "missing",
    [PATH_EXACT] = "found",
    [PATH_FOLDED] = "found in another spelling",
    [PATH_NAME_ONLY] = "found by its name only",
    [PATH_OTHER_EXTENSION] = "found with another extension",
    [PATH_MOVED] = "found in another directory",
    [EMBEDDED] = "embedded",
    NULL,
};

/* Textures that the built-in toons replace are not files. */
static bool is_built_in(const char *name)
{
    const char *base = path_name(name);
    return strlen(base) == 10 && !strncmp(base, "toon", 4) && !strcmp(base + 6, ".bmp");
}

static const ResultField TextureInfo_fields[] = {
    MEMBER(TextureInfo, name, "name in the model"),
    MEMBER_WORD(TextureInfo, state, states, "whether and how the file was found"),
    MEMBER(TextureInfo, file, "file that is used", .nullable = true),
};
RESULT(TextureInfo, "a texture");

/* ---- bone tree ---- */

typedef struct BoneInfo {
    const char *name, *name_en;
    int parent, layer;
    bool ik, physics;
} BoneInfo;

static const ResultField BoneInfo_fields[] = {
    MEMBER(BoneInfo, name, "name"),
    MEMBER(BoneInfo, name_en, "English name; may be empty"),
    MEMBER(BoneInfo, parent, "number of the parent, from 0 on; null for a root", .nullable = true),
    MEMBER(BoneInfo, layer, "layer of evaluation"),
    MEMBER(BoneInfo, ik, "it is the goal of inverse kinematics"),
    MEMBER(BoneInfo, physics, "a rigid body moves it"),
};
RESULT(BoneInfo, "a bone");

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

static BoneInfo *list_bones(const BoneTree *tree, Arena *arena)
{
    const PmxModel *model = tree->model;
    BoneInfo *infos = arena_array(arena, BoneInfo, model->bone_count);
    for (uint32_t i = 0; i < model->bone_count; i++) {
        const PmxBone *bone = &model->bones[i];
        infos[i] = (BoneInfo){.name = bone->name,
                              .name_en = bone->name_en,
                              .parent = bone->parent,
                              .layer = bone->layer,
                              .ik = bone->flags & PMX_BONE_IK,
                              .physics = tree->moved[i]};
    }
    return infos;
}

/* ---- the whole model ---- */

enum { DEFORMS = 5, PANELS = 5, CORNERS = 2 };

typedef struct ModelInfo {
    PmxModel pmx;
    double version;
    const char *meta, *comment, *advice;
    unsigned deforms[DEFORMS], panels[PANELS], triangles, ik, found_textures, missing_textures;
    float (*box)[3]; /* [CORNERS] */
    size_t box_corners;
    ARENA_LIST(TextureInfo) textures;
    BoneTree tree;
    BoneInfo *bones; /* NULL: not asked for */
    InfoTakes takes; /* of a scene or an avatar whose animation is a motion */
} ModelInfo;

/* Author, licence and permissions, each in a line. */
static void print_meta(FILE *out, const void *record, bool all)
{
    const char *at = ((const ModelInfo *)record)->meta;
    (void)all;
    for (; at && *at; at += strcspn(at, "\n"), at += *at == '\n')
        text_printf(out, "  %.*s\n", (int)strcspn(at, "\n"), at);
}

static void print_box(FILE *out, const void *record, bool all)
{
    const float *low = ((const ModelInfo *)record)->box[0], *high = low + 3;
    (void)all;
    fprintf(out, "  box: %.4g..%.4g, %.4g..%.4g, %.4g..%.4g\n", (double)low[0], (double)high[0],
            (double)low[1], (double)high[1], (double)low[2], (double)high[2]);
}

static void print_textures(FILE *out, const void *record, bool all)
{
    const ModelInfo *info = record;
    for (size_t i = 0; i < info->textures.count; i++) {
        const TextureInfo *texture = &info->textures.items[i];
        if (texture->text &&
            (all || texture->state == PATH_MISSING || texture->state > PATH_FOLDED))
            text_printf(out, "  texture %s: %s\n", texture->name, texture->text);
    }
}

static void print_tree(FILE *out, const void *record, bool all)
{
    const ModelInfo *info = record;
    (void)all;
    if (info->bones)
        write_tree(out, &info->tree);
}

/* "  takes: 'Walk', 'Run', as a motion: 1.2 s, 49 parts of a body" */
static void print_takes(FILE *out, const void *record, bool all)
{
    const InfoTakes *takes = &((const ModelInfo *)record)->takes;
    (void)all;
    for (size_t i = 0; i < takes->names.count; i++)
        text_printf(out, "%s'%s'", i ? ", " : "  takes: ", takes->names.items[i]);
    if (takes->names.count)
        fprintf(out, "; as a motion %.4g s, %u parts of a body\n", takes->seconds, takes->parts);
}

static const ResultField ModelInfo_fields[] = {
    MEMBER(ModelInfo, version, "version of the format", .nullable = true),
    MEMBER_NAMED(ModelInfo, pmx.ignored, "ignored", "parts of the file that are not used",
                 .nullable = true),
    MEMBER_VALUES_NAMED(ModelInfo, takes.names.items, takes.names.count, "takes",
                        "animations of a scene or an avatar that is a motion, too",
                        .text = print_takes),
    MEMBER_NAMED(ModelInfo, pmx.name, "name", "name; may be empty"),
    MEMBER_NAMED(ModelInfo, pmx.name_en, "name_en", "English name; may be empty"),
    MEMBER(ModelInfo, meta, "author, licence and permissions of an avatar, a line each",
           .nullable = true, .text = print_meta),
    MEMBER(ModelInfo, comment, "comment of an OBJ file", .nullable = true),
    MEMBER(ModelInfo, advice, "settings that the program that wrote it needs", .nullable = true),
    MEMBER_NAMED(ModelInfo, pmx.vertex_count, "vertices", "vertices"),
    MEMBER_NAMED(ModelInfo, deforms[0], "bdef1", "vertices with one bone"),
    MEMBER_NAMED(ModelInfo, deforms[1], "bdef2", "vertices with two bones"),
    MEMBER_NAMED(ModelInfo, deforms[2], "bdef4", "vertices with four bones"),
    MEMBER_NAMED(ModelInfo, deforms[3], "sdef", "vertices with spherical deformation"),
    MEMBER_NAMED(ModelInfo, deforms[4], "qdef", "vertices with dual quaternions"),
    MEMBER_NAMED(ModelInfo, pmx.extra_uv_count, "extra_uv", "further texture coordinates"),
    MEMBER(ModelInfo, triangles, "triangles"),
    MEMBER_NAMED(ModelInfo, pmx.material_count, "materials", "materials"),
    MEMBER_NAMED(ModelInfo, pmx.texture_count, "textures", "textures"),
    MEMBER_NAMED(ModelInfo, pmx.bone_count, "bones", "bones"),
    MEMBER(ModelInfo, ik, "goals of inverse kinematics"),
    MEMBER_NAMED(ModelInfo, pmx.morph_count, "morphs", "morphs"),
    MEMBER_NAMED(ModelInfo, panels[0], "system_morphs", "morphs of no panel"),
    MEMBER_NAMED(ModelInfo, panels[1], "brow_morphs", "morphs of the brows"),
    MEMBER_NAMED(ModelInfo, panels[2], "eye_morphs", "morphs of the eyes"),
    MEMBER_NAMED(ModelInfo, panels[3], "mouth_morphs", "morphs of the mouth"),
    MEMBER_NAMED(ModelInfo, panels[4], "other_morphs", "other morphs"),
    MEMBER_NAMED(ModelInfo, pmx.body_count, "bodies", "rigid bodies"),
    MEMBER_NAMED(ModelInfo, pmx.joint_count, "joints", "joints of rigid bodies"),
    MEMBER_NAMED(ModelInfo, pmx.soft_body_count, "soft_bodies", "soft bodies"),
    MEMBER_VECTORS(ModelInfo, box, box_corners, "lowest and highest coordinates of all vertices",
                   .unit = "MMD units", .text = print_box),
    MEMBER_NAMES(ModelInfo, pmx.bones, pmx.bone_count, PmxBone, name, "bone_names",
                 "names of the bones"),
    MEMBER_NAMES(ModelInfo, pmx.morphs, pmx.morph_count, PmxMorph, name, "morph_names",
                 "names of the morphs"),
    MEMBER_NAMES(ModelInfo, pmx.materials, pmx.material_count, PmxMaterial, name, "material_names",
                 "names of the materials"),
    MEMBER_VALUES_NAMED(ModelInfo, pmx.textures, pmx.texture_count, "texture_files",
                        "names of the textures"),
    MEMBER_LIST_NAMED(ModelInfo, textures.items, textures.count, "texture_states", TextureInfo,
                      "textures that are files", .text = print_textures),
    MEMBER(ModelInfo, found_textures, "textures that were found"),
    MEMBER(ModelInfo, missing_textures, "textures that are missing"),
    MEMBER_LIST_NAMED(ModelInfo, bones, pmx.bone_count, "bone_tree", BoneInfo,
                      "bones with their parents, with --bones", .nullable = true,
                      .text = print_tree),
};
const ResultTable model_info_result =
    RESULT_CASE_TABLE(ModelInfo, "a model", "pmx", "pmd", "x", "obj", "gltf", "vrm");

static void find_texture(ModelInfo *info, uint32_t index, PathTree *tree, Arena *arena)
{
    TextureInfo texture = {.name = info->pmx.textures[index], .state = EMBEDDED};
    ArchiveNames same = {0};
    if (!pmx_texture_is_embedded(&info->pmx, index))
        texture.state = model_find_texture(&texture.file, &same, tree, texture.name);
    const bool missing = texture.state == PATH_MISSING;
    if (missing && is_built_in(texture.name))
        return;
    info->missing_textures += missing;
    info->found_textures += !missing;
    if (missing && same.count)
        texture.text = arena_printf(arena, "missing; %zu files have its name, e.g. %s", same.count,
                                    path_tree_below(tree, same.items[0]));
    else if (missing)
        texture.text = arena_printf(
            arena,
            "missing; looked below %s for its path in any spelling, for its name, and with the "
            "extensions png, tga, bmp, jpg, jpeg and dds",
            *tree->directory ? tree->directory : "./");
    else if (texture.state != EMBEDDED)
        texture.text = arena_printf(arena, "%s: %s", states[texture.state], texture.file);
    *arena_push(arena, &info->textures) = texture;
}

static const char *kind_word(const PmxModel *model, FileKind kind)
{
    return kind == FILE_GLTF  ? "gltf"
           : kind == FILE_VRM ? "vrm"
           : kind == FILE_OBJ ? "obj"
           : model->accessory ? "x"
           : model->from_pmd  ? "pmd"
                              : "pmx";
}

bool info_load_model(ResultCase *out, const InfoFile *file, Diag *diag)
{
    ModelInfo *info = arena_array(file->arena, ModelInfo, 1);
    const PmxModel *model = &info->pmx;
    const FileKind kind = file_kind_find(file->bytes, file->path);
    if (!asset_files_load_model(&info->pmx, NULL, file->path, file->arena, diag))
        return false;
    *out = (ResultCase){kind_word(model, kind), &model_info_result, info};
    if (file_kinds[kind].uses & FILE_AS_CAPTURE)
        info->takes = info_takes(file);
    for (uint32_t i = 0; i < model->vertex_count; i++)
        info->deforms[model->vertices[i].deform]++;
    for (uint32_t i = 0; i < model->bone_count; i++)
        info->ik += (model->bones[i].flags & PMX_BONE_IK) != 0;
    for (uint32_t i = 0; i < model->morph_count; i++)
        info->panels[model->morphs[i].panel < 4 ? model->morphs[i].panel : 4]++;
    info->triangles = model->index_count / 3;
    info->version = model->accessory || kind == FILE_VRM ? (double)NAN
                    : model->from_pmd                    ? 1
                    : model->version > 2.05f             ? 2.1
                                                         : 2.0;
    /* The texts of formats that carry them in the comment. */
    const char *comment = info->pmx.comment;
    info->meta = kind == FILE_VRM ? comment : NULL;
    info->comment = kind == FILE_OBJ ? comment : NULL;
    if (kind == FILE_OBJ && strstr(comment, "Metasequoia"))
        info->advice = "Metasequoia counts texture rows from the top, and its scenes face away: "
                       "flip_v: true and rotation_deg: [0, 180, 0] turn pictures and scene";
    info->box = arena_calloc(file->arena, info->box_corners = CORNERS, sizeof *info->box);
    for (uint32_t i = 0; i < info->pmx.vertex_count; i++)
        for (size_t k = 0; k < 3; k++) {
            const float x = info->pmx.vertices[i].position[k];
            info->box[0][k] = i == 0 || x < info->box[0][k] ? x : info->box[0][k];
            info->box[1][k] = i == 0 || x > info->box[1][k] ? x : info->box[1][k];
        }
    PathTree tree = path_tree_init(path_directory(file->path, file->arena), file->arena);
    for (uint32_t i = 0; i < model->texture_count; i++)
        find_texture(info, i, &tree, file->arena);
    if (file->options->bones) {
        info->tree = make_tree(model, file->arena);
        info->bones = list_bones(&info->tree, file->arena);
    }
    return true;
}
