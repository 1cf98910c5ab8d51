// SPDX-License-Identifier: MIT
/*
 * coarse.c - a model with a tenth of its vertices, and pictures of an eighth of their width, for
 * tests to which its surface does not matter
 *
 * usage: coarse MODEL.pmx PICTURE..., which are replaced
 *
 * The vertices of a material in a cell of a grid become the first one of them, and triangles
 * without an area are left out.  Bones, morphs, materials and rigid bodies stay as they are.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/image_scale.h"
#include "format/model/pmx.h"
#include "media/picture.h"
#include "output/sink.h"

static const float CELL = 0.5f; /* MMD units; the figure is 16 high */

enum { SLOTS = 1 << 17, NONE = -1 }; /* more than vertices */

/* Vertices by material and cell. */
typedef struct Cell {
    int32_t at[3], vertex;
    uint32_t material;
} Cell;

typedef struct Coarse {
    PmxModel *model;
    Cell *cells;   /* [SLOTS] */
    int32_t *kept; /* [vertex_count] its new index, or NONE */
    uint32_t kept_count;
} Coarse;

static int32_t merge(Coarse *c, uint32_t index, uint32_t material)
{
    Cell cell = {.vertex = (int32_t)index, .material = material};
    for (int k = 0; k < 3; k++)
        cell.at[k] = (int32_t)floorf(c->model->vertices[index].position[k] / CELL);
    uint32_t slot = material * 31;
    for (int k = 0; k < 3; k++)
        slot = slot * 73856093 + (uint32_t)cell.at[k] * 19349663;
    for (slot %= SLOTS; c->cells[slot].vertex != NONE; slot = (slot + 1) % SLOTS)
        if (!memcmp(c->cells[slot].at, cell.at, sizeof cell.at) &&
            c->cells[slot].material == material)
            return c->cells[slot].vertex;
    c->cells[slot] = cell;
    return cell.vertex;
}

static void merge_material(Coarse *c, uint32_t number, uint32_t *index_count)
{
    PmxModel *model = c->model;
    PmxMaterial *material = &model->materials[number];
    const uint32_t first = material->first_index, end = first + material->index_count;
    material->first_index = *index_count;
    for (uint32_t i = first; i < end; i += 3) {
        int32_t corners[3];
        for (uint32_t k = 0; k < 3; k++)
            corners[k] = merge(c, model->indices[i + k], number);
        if (corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0])
            continue;
        for (uint32_t k = 0; k < 3; k++) {
            c->kept[corners[k]] = 0;
            model->indices[(*index_count)++] = (uint32_t)corners[k];
        }
    }
    material->index_count = *index_count - material->first_index;
}

static void keep_vertices(Coarse *c)
{
    PmxModel *model = c->model;
    for (uint32_t i = 0; i < model->vertex_count; i++) {
        if (c->kept[i] == NONE)
            continue;
        c->kept[i] = (int32_t)c->kept_count;
        for (uint32_t k = 0; k < model->extra_uv_count; k++)
            memcpy(model->extra_uv[k][c->kept_count], model->extra_uv[k][i],
                   sizeof model->extra_uv[k][i]);
        model->vertices[c->kept_count++] = model->vertices[i];
    }
    for (uint32_t i = 0; i < model->index_count; i++)
        model->indices[i] = (uint32_t)c->kept[model->indices[i]];
    model->vertex_count = c->kept_count;
}

static void keep_offsets(const Coarse *c, PmxMorph *morph)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < morph->count; i++) {
        PmxVertexOffset offset = morph->offsets.vertex[i];
        if (c->kept[offset.vertex] == NONE)
            continue;
        offset.vertex = (uint32_t)c->kept[offset.vertex];
        morph->offsets.vertex[count++] = offset;
    }
    morph->count = count;
}

static bool reduce_model(const char *path, Arena *arena, Diag *diag)
{
    Bytes bytes;
    PmxModel model;
    if (!file_load(&bytes, path, FILE_MAX_SIZE, arena, diag) ||
        !pmx_load(&model, bytes, arena, diag))
        return false;
    Coarse c = {.model = &model,
                .cells = arena_array(arena, Cell, SLOTS),
                .kept = arena_array(arena, int32_t, model.vertex_count)};
    uint32_t index_count = 0;
    memset(c.cells, 0xff, SLOTS * sizeof *c.cells);
    memset(c.kept, 0xff, model.vertex_count * sizeof *c.kept);
    for (uint32_t i = 0; i < model.material_count; i++)
        merge_material(&c, i, &index_count);
    model.index_count = index_count;
    keep_vertices(&c);
    for (uint32_t i = 0; i < model.morph_count; i++)
        if (model.morphs[i].type == PMX_MORPH_VERTEX)
            keep_offsets(&c, &model.morphs[i]);
    const Bytes out = pmx_write(&model, (PmxWriteOptions){0}, arena);
    return file_save(path, out.data, out.size, diag);
}

static bool reduce_picture(const char *path, Arena *arena, Diag *diag)
{
    Bytes bytes;
    Image image;
    if (!file_load(&bytes, path, FILE_MAX_SIZE, arena, diag) ||
        !picture_load(&image, bytes, arena, diag))
        return false;
    if (image.width >= 64)
        image = image_scale_to_width(&image, image.width / 8, arena);
    return sink_png_save_image(path, &image, NULL, diag);
}

int main(int argc, char **argv)
{
    Arena *arena = arena_create();
    Diag diag;
    diag_init(&diag, NULL, NULL);
    bool good = argc > 1 && reduce_model(argv[1], arena, &diag);
    for (int i = 2; good && i < argc; i++)
        good = reduce_picture(argv[i], arena, &diag);
    arena_destroy(arena);
    return !good;
}
