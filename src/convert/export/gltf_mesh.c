// SPDX-License-Identifier: MIT
#include "convert/export/gltf_mesh.h"

#include <math.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>

#include "math/srgb.h"

typedef struct Builder {
    Glb *glb;
    const SceneModel *scene_model;
    const Model *model;
    const PmxModel *pmx;
    GltfImages *images;
    uint32_t *of;   /* [vertex_count] index in the mesh plus 1; 0: not used */
    uint32_t *used; /* [vertex_count] vertices of the mesh, in ascending order */
    uint32_t used_count;
    Arena *arena;
} Builder;

void gltf_point(float out[3], const float in[3])
{
    out[0] = in[0] * GLTF_SCALE;
    out[1] = in[1] * GLTF_SCALE;
    out[2] = -in[2] * GLTF_SCALE;
}

void gltf_rotation(float out[4], const float in[4])
{
    out[0] = -in[0];
    out[1] = -in[1];
    out[2] = in[2];
    out[3] = in[3];
}

/* ---- textures ---- */

static bool encode_png(Bytes *out, const Image *image, const GltfImages *images)
{
    png_image png = {.version = PNG_IMAGE_VERSION,
                     .width = (png_uint_32)image->width,
                     .height = (png_uint_32)image->height,
                     .format = PNG_FORMAT_RGBA};
    png_alloc_size_t size = 0;
    if (!png_image_write_to_memory(&png, NULL, &size, 0, image->pixels, 0, NULL))
        return diag_fail(images->diag, DIAG_RESOURCE, "cannot encode a texture: %s", png.message);
    uint8_t *data = arena_alloc(images->glb->arena, size);
    if (!png_image_write_to_memory(&png, data, &size, 0, image->pixels, 0, NULL))
        return diag_fail(images->diag, DIAG_RESOURCE, "cannot encode a texture: %s", png.message);
    *out = (Bytes){data, size};
    return true;
}

GltfImages gltf_images(Glb *glb, const Model *model, Diag *diag)
{
    const uint32_t count = model->pmx.texture_count;
    GltfImages images = {glb, model, arena_array(glb->arena, int, count), diag};
    for (uint32_t i = 0; i < count; i++)
        images.of[i] = -1;
    return images;
}

bool gltf_image(int *out, GltfImages *images, int32_t texture)
{
    *out = -1;
    if (texture < 0 || !images->model->textures[texture])
        return true;
    if (images->of[texture] < 0) {
        Bytes png = {0};
        if (!encode_png(&png, images->model->textures[texture], images))
            return false;
        images->of[texture] = glb_image(images->glb, png);
    }
    *out = images->of[texture];
    return true;
}

static int texel_alpha(const Image *image, double u, double v)
{
    const int x = (int)floor((u - floor(u)) * image->width);
    const int y = (int)floor((v - floor(v)) * image->height);
    const size_t at = (size_t)(y < image->height ? y : image->height - 1) * (size_t)image->width +
                      (size_t)(x < image->width ? x : image->width - 1);
    return image->pixels[4 * at + 3];
}

/* Decides by the texels at the corners and the middle of each triangle: a texture is often shared
 * by materials of which most are opaque. */
static GltfAlpha find_alpha(const PmxMaterial *material, const Builder *b)
{
    enum { TRANSPARENT = 16, OPAQUE = 239 };
    const Image *image = material->texture < 0 ? NULL : b->model->textures[material->texture];
    GltfAlpha alpha = GLTF_OPAQUE;
    if (material->diffuse[3] < 1)
        return GLTF_BLEND;
    for (uint32_t i = 0; image && image->has_alpha && i < material->index_count; i += 3) {
        double sum[2] = {0};
        for (uint32_t k = 0; k < 4; k++) {
            double uv[2] = {sum[0] / 3, sum[1] / 3};
            if (k < 3) {
                const uint32_t vertex = b->pmx->indices[material->first_index + i + k];
                for (size_t c = 0; c < 2; c++)
                    sum[c] += uv[c] = (double)b->pmx->vertices[vertex].uv[c];
            }
            const int value = texel_alpha(image, uv[0], uv[1]);
            if (value >= TRANSPARENT && value <= OPAQUE)
                return GLTF_BLEND;
            if (value < TRANSPARENT)
                alpha = GLTF_MASK;
        }
    }
    return alpha;
}

/* ---- colors ---- */

void gltf_color(float out[4], const PmxMaterial *material, bool accessory)
{
    const float light = (accessory ? 2 : 1) * 154.0f / 255.0f; /* twice where it faces the light */
    for (size_t i = 0; i < 3; i++)
        out[i] =
            srgb_linear(fminf(fmaxf(material->ambient[i] + light * material->diffuse[i], 0), 1));
    out[3] = material->diffuse[3];
}

/* ---- vertices ---- */

/* Unit length; a zero normal points up. */
static void store_normal(float out[3], const float in[3])
{
    const double x = (double)in[0], y = (double)in[1], z = (double)in[2];
    const double length = sqrt(x * x + y * y + z * z);
    const bool usable = length > 1e-12;
    out[0] = usable ? (float)(x / length) : 0;
    out[1] = usable ? (float)(y / length) : 1;
    out[2] = usable ? (float)(-z / length) : 0;
}

/* Each bone once; unused slots are bone 0 with weight 0.  The sum is 1. */
static void store_weights(uint16_t joints[4], float weights[4], const PmxVertex *vertex)
{
    float sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < 4; i++) {
        const int32_t bone = vertex->bones[i] < 0 ? 0 : vertex->bones[i];
        size_t at = 0;
        if (!(vertex->weights[i] > 0) || bone > UINT16_MAX)
            continue;
        while (at < count && joints[at] != bone)
            at++;
        count += at == count;
        joints[at] = (uint16_t)bone;
        weights[at] += vertex->weights[i];
        sum += vertex->weights[i];
    }
    if (!count)
        weights[0] = sum = 1;
    for (size_t i = 0; i < 4; i++)
        weights[i] /= sum;
}

static void add_vertices(GltfMesh *mesh, Builder *b)
{
    const size_t count = b->used_count;
    float(*positions)[3] = arena_calloc(b->arena, count, sizeof *positions);
    float(*normals)[3] = arena_calloc(b->arena, count, sizeof *normals);
    float(*uvs)[2] = arena_calloc(b->arena, count, sizeof *uvs);
    float(*weights)[4] = arena_calloc(b->arena, count, sizeof *weights);
    uint16_t(*joints)[4] = arena_calloc(b->arena, count, sizeof *joints);
    for (size_t i = 0; i < count; i++) {
        const PmxVertex *vertex = &b->pmx->vertices[b->used[i]];
        gltf_point(positions[i], vertex->position);
        store_normal(normals[i], vertex->normal);
        memcpy(uvs[i], vertex->uv, sizeof uvs[i]);
        store_weights(joints[i], weights[i], vertex);
    }
    mesh->position = glb_floats(b->glb, positions[0], count, 3, GLB_VERTICES, true);
    mesh->normal = glb_floats(b->glb, normals[0], count, 3, GLB_VERTICES, false);
    mesh->uv = glb_floats(b->glb, uvs[0], count, 2, GLB_VERTICES, false);
    mesh->weights = glb_floats(b->glb, weights[0], count, 4, GLB_VERTICES, false);
    mesh->joints = glb_u16(b->glb, joints[0], count, 4, GLB_VERTICES);
}

/* Mirroring z turns the triangles over, so two corners change places. */
static void add_indices(GltfMesh *mesh, Builder *b)
{
    const PmxMaterial *material = mesh->material;
    const uint32_t *from = b->pmx->indices + material->first_index;
    uint32_t *indices = arena_array(b->arena, uint32_t, material->index_count);
    for (uint32_t i = 0; i < material->index_count; i += 3) {
        indices[i] = b->of[from[i]] - 1;
        indices[i + 1] = b->of[from[i + 2]] - 1;
        indices[i + 2] = b->of[from[i + 1]] - 1;
    }
    mesh->indices = glb_u32(b->glb, indices, material->index_count, GLB_INDICES);
}

/* ---- morphs ---- */

typedef struct Delta {
    uint32_t vertex; /* in the mesh */
    float offset[3];
} Delta;

static int compare_deltas(const void *a, const void *b)
{
    const uint32_t left = ((const Delta *)a)->vertex, right = ((const Delta *)b)->vertex;
    return (left > right) - (left < right);
}

/* The offsets of one morph for the vertices of the mesh, ascending, each vertex once. */
static size_t collect_deltas(Delta *deltas, const PmxMorph *morph, const Builder *b)
{
    size_t count = 0, unique = 0;
    for (uint32_t i = 0; i < morph->count; i++) {
        const PmxVertexOffset *offset = &morph->offsets.vertex[i];
        if (!b->of[offset->vertex])
            continue;
        deltas[count].vertex = b->of[offset->vertex] - 1;
        gltf_point(deltas[count++].offset, offset->offset);
    }
    if (count)
        qsort(deltas, count, sizeof *deltas, compare_deltas);
    for (size_t i = 0; i < count; i++) {
        if (!unique || deltas[unique - 1].vertex != deltas[i].vertex) {
            deltas[unique++] = deltas[i];
            continue;
        }
        for (size_t c = 0; c < 3; c++)
            deltas[unique - 1].offset[c] += deltas[i].offset[c];
    }
    return unique;
}

static void add_target(GltfMesh *mesh, uint32_t morph, Delta *deltas, Builder *b)
{
    const size_t count = collect_deltas(deltas, &b->pmx->morphs[morph], b);
    if (!count)
        return;
    float(*values)[3] = arena_calloc(b->arena, count, sizeof *values);
    uint32_t *indices = arena_array(b->arena, uint32_t, count);
    for (size_t i = 0; i < count; i++) {
        indices[i] = deltas[i].vertex;
        memcpy(values[i], deltas[i].offset, sizeof values[i]);
    }
    mesh->morphs[mesh->morph_count] = morph;
    mesh->targets[mesh->morph_count++] =
        glb_sparse(b->glb, (const float(*)[3])values, indices, count, b->used_count);
}

static bool add_mesh(GltfMeshes *meshes, uint32_t index, Builder *b)
{
    const PmxMaterial *material = &b->pmx->materials[index];
    GltfMesh mesh = {.material = material};
    if (b->scene_model->hidden[index] || !(material->diffuse[3] > 0) || !material->index_count)
        return true;

    memset(b->of, 0, b->pmx->vertex_count * sizeof *b->of);
    for (uint32_t i = 0; i < material->index_count; i++)
        b->of[b->pmx->indices[material->first_index + i]] = 1;
    b->used_count = 0;
    for (uint32_t i = 0; i < b->pmx->vertex_count; i++)
        if (b->of[i]) {
            b->used[b->used_count++] = i;
            b->of[i] = b->used_count;
        }

    if (!gltf_image(&mesh.texture, b->images, material->texture))
        return false;
    mesh.alpha = find_alpha(material, b);
    gltf_color(mesh.color, material, b->pmx->accessory);
    add_vertices(&mesh, b);
    add_indices(&mesh, b);

    uint32_t longest = 0; /* number of offsets of the longest vertex morph */
    for (uint32_t i = 0; i < b->pmx->morph_count; i++)
        if (b->pmx->morphs[i].type == PMX_MORPH_VERTEX && b->pmx->morphs[i].count > longest)
            longest = b->pmx->morphs[i].count;
    Delta *deltas = arena_array(b->arena, Delta, longest);
    mesh.morphs = arena_array(b->arena, uint32_t, b->pmx->morph_count);
    mesh.targets = arena_array(b->arena, int, b->pmx->morph_count);
    for (uint32_t i = 0; i < b->pmx->morph_count; i++)
        if (b->pmx->morphs[i].type == PMX_MORPH_VERTEX)
            add_target(&mesh, i, deltas, b);
    *arena_push(b->arena, meshes) = mesh;
    return true;
}

bool gltf_meshes(GltfMeshes *meshes, GltfImages *images, const SceneModel *model)
{
    Glb *glb = images->glb;
    const PmxModel *pmx = &model->model->pmx;
    Builder b = {.glb = glb,
                 .scene_model = model,
                 .model = model->model,
                 .pmx = pmx,
                 .images = images,
                 .of = arena_array(glb->arena, uint32_t, pmx->vertex_count),
                 .used = arena_array(glb->arena, uint32_t, pmx->vertex_count),
                 .arena = glb->arena};
    for (uint32_t i = 0; i < pmx->material_count; i++)
        if (!add_mesh(meshes, i, &b))
            return false;
    return true;
}
