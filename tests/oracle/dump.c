// SPDX-License-Identifier: MIT
#include "dump.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "json_tree.h"

bool gunzip(Bytes *out, const char *path, Arena *arena)
{
    struct {
        uint8_t *items;
        size_t count, capacity;
    } list = {0};
    gzFile file = gzopen(path, "rb");
    if (!file)
        return false;
    uint8_t block[65536];
    int got;
    while ((got = gzread(file, block, sizeof block)) > 0)
        for (int i = 0; i < got; i++)
            *arena_push(arena, &list) = block[i];
    gzclose(file);
    *arena_push(arena, &list) = 0;
    *out = (Bytes){list.items, list.count - 1};
    return got == 0;
}

/* The first of a list of {"name", "sha256"}, or of names; NULL if there is none. */
static const char *first_file(const JsonTree *list)
{
    if (list->kind == JSON_TEXT)
        return list->text;
    if (list->kind != JSON_ARRAY || !list->count)
        return NULL;
    const JsonTree *item = &list->items[0];
    return item->kind == JSON_TEXT ? item->text : json_tree_get(item, "sha256")->text;
}

static void read_camera(DumpFrame *out, const JsonTree *camera, bool from_saba)
{
    out->has_camera = camera->kind == JSON_OBJECT;
    if (!out->has_camera)
        return;
    json_tree_floats(out->camera, 3, json_tree_get(camera, from_saba ? "interest" : "center"));
    json_tree_floats(out->camera + 3, 3, json_tree_get(camera, from_saba ? "rotate" : "rotation"));
    out->camera[6] = (float)json_tree_get(camera, "distance")->number;
    out->camera[7] = (float)json_tree_get(camera, from_saba ? "fov_deg" : "fov")->number;
    json_tree_floats(out->camera + 8, 3, json_tree_get(camera, "eye"));
    json_tree_floats(out->camera + 11, 3, json_tree_get(camera, "up"));
}

static void read_frame(DumpFrame *out, const JsonTree *frame, const Dump *dump, Arena *arena)
{
    const JsonTree *bones = json_tree_get(frame, "bones");
    out->frame = json_tree_get(frame, dump->from_saba ? "frame" : "f")->number;
    out->bones = arena_calloc(arena, dump->bone_count, sizeof *out->bones);
    for (uint32_t i = 0; i < dump->bone_count && i < bones->count; i++)
        json_tree_floats(out->bones[i], 7, &bones->items[i]);
    out->morphs = arena_array(arena, float, dump->morph_count);
    json_tree_floats(out->morphs, dump->morph_count, json_tree_get(frame, "morphs"));
    read_camera(out, json_tree_get(frame, "camera"), dump->from_saba);
}

bool dump_load(Dump *out, const char *path, Arena *arena)
{
    Bytes bytes;
    JsonTree tree;
    if (!gunzip(&bytes, path, arena) || !json_tree_parse(&tree, (const char *)bytes.data, arena))
        return false;

    const JsonTree *model = json_tree_get(&tree, "model"), *frames = json_tree_get(&tree, "frames");
    const JsonTree *curve = json_tree_get(&tree, "curve");
    *out = (Dump){.from_saba = model->kind == JSON_TEXT,
                  .physics = json_tree_get(&tree, "physics")->kind == JSON_OBJECT,
                  .stock_curves = curve->kind == JSON_TEXT && !strcmp(curve->text, "saba"),
                  .model =
                      model->kind == JSON_TEXT ? model->text : json_tree_get(model, "sha256")->text,
                  .bone_count = (uint32_t)json_tree_get(&tree, "bones")->count,
                  .morph_count = (uint32_t)json_tree_get(&tree, "morphs")->count,
                  .frame_count = frames->count};
    out->motion = first_file(json_tree_get(&tree, out->from_saba ? "motions" : "motion"));
    out->camera = first_file(json_tree_get(&tree, out->from_saba ? "camera_motion" : "camera"));
    out->frames = arena_array(arena, DumpFrame, frames->count);
    for (size_t i = 0; i < frames->count; i++)
        read_frame(&out->frames[i], &frames->items[i], out, arena);
    return true;
}
