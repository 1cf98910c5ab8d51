// SPDX-License-Identifier: MIT
#include "convert/export/glb.h"

#include <string.h>

enum { ALIGNMENT = 4, HEADER_SIZE = 12, CHUNK_HEADER_SIZE = 8 };

static void grow(Glb *glb, size_t size)
{
    const size_t needed = glb->bytes.count + size;
    if (needed <= glb->bytes.capacity)
        return;
    size_t capacity = glb->bytes.capacity ? glb->bytes.capacity : 1 << 16;
    while (capacity < needed)
        capacity *= 2;
    uint8_t *bytes = arena_alloc(glb->arena, capacity);
    if (glb->bytes.count)
        memcpy(bytes, glb->bytes.items, glb->bytes.count);
    glb->bytes.items = bytes;
    glb->bytes.capacity = capacity;
}

static size_t padding(size_t size)
{
    return (ALIGNMENT - size % ALIGNMENT) % ALIGNMENT;
}

/* The numbers of glTF are little-endian, as those of all supported machines. */
static int add_view(Glb *glb, const void *data, size_t size, GlbTarget target)
{
    grow(glb, size + ALIGNMENT);
    *arena_push(glb->arena, &glb->views) = (GlbView){glb->bytes.count, size, target};
    if (size)
        memcpy(glb->bytes.items + glb->bytes.count, data, size);
    glb->bytes.count += size + padding(size); /* the arena's memory is zeroed */
    return (int)glb->views.count - 1;
}

static int add_accessor(Glb *glb, GlbAccessor accessor)
{
    *arena_push(glb->arena, &glb->accessors) = accessor;
    return (int)glb->accessors.count - 1;
}

static void widen_range(GlbAccessor *accessor, const float *values)
{
    for (unsigned i = 0; i < accessor->width; i++) {
        if (!accessor->has_range || values[i] < accessor->low[i])
            accessor->low[i] = values[i];
        if (!accessor->has_range || values[i] > accessor->high[i])
            accessor->high[i] = values[i];
    }
    accessor->has_range = true;
}

int glb_floats(Glb *glb, const float *values, size_t count, unsigned width, GlbTarget target,
               bool range)
{
    GlbAccessor accessor = {.view = add_view(glb, values, count * width * sizeof *values, target),
                            .component = GLB_F32,
                            .width = width,
                            .count = count};
    for (size_t i = 0; range && i < count; i++)
        widen_range(&accessor, values + i * width);
    return add_accessor(glb, accessor);
}

int glb_u16(Glb *glb, const uint16_t *values, size_t count, unsigned width, GlbTarget target)
{
    return add_accessor(
        glb, (GlbAccessor){.view = add_view(glb, values, count * width * sizeof *values, target),
                           .component = GLB_U16,
                           .width = width,
                           .count = count});
}

int glb_u32(Glb *glb, const uint32_t *values, size_t count, GlbTarget target)
{
    return add_accessor(glb,
                        (GlbAccessor){.view = add_view(glb, values, count * sizeof *values, target),
                                      .component = GLB_U32,
                                      .width = 1,
                                      .count = count});
}

int glb_sparse(Glb *glb, const float (*values)[3], const uint32_t *indices, size_t sparse_count,
               size_t count)
{
    static const float zero[3] = {0};
    GlbAccessor accessor = {.component = GLB_F32,
                            .width = 3,
                            .count = count,
                            .sparse_count = sparse_count,
                            .view = add_view(glb, values, sparse_count * sizeof *values, 0),
                            .index_view =
                                add_view(glb, indices, sparse_count * sizeof *indices, 0)};
    if (sparse_count < count)
        widen_range(&accessor, zero);
    for (size_t i = 0; i < sparse_count; i++)
        widen_range(&accessor, values[i]);
    return add_accessor(glb, accessor);
}

int glb_image(Glb *glb, Bytes png)
{
    *arena_push(glb->arena, &glb->images) = add_view(glb, png.data, png.size, GLB_NO_TARGET);
    return (int)glb->images.count - 1;
}

/* ---- JSON ---- */

static void write_accessor(Json *json, const GlbAccessor *accessor)
{
    static const char *const types[] = {"SCALAR", "VEC2", "VEC3", "VEC4"};
    json_print(json, "{");
    if (!accessor->sparse_count)
        json_print(json, "bufferView:%d", accessor->view);
    json_print(json, "componentType:%d count:%zu type:%s", accessor->component, accessor->count,
               accessor->width == 16 ? "MAT4" : types[accessor->width - 1]);
    if (accessor->has_range) {
        json_key(json, "min");
        json_floats(json, accessor->low, accessor->width);
        json_key(json, "max");
        json_floats(json, accessor->high, accessor->width);
    }
    if (accessor->sparse_count)
        json_print(json,
                   "sparse:{count:%zu indices:{bufferView:%d componentType:%d} "
                   "values:{bufferView:%d}}",
                   accessor->sparse_count, accessor->index_view, GLB_U32, accessor->view);
    json_print(json, "}");
}

static void write_images(Json *json, const Glb *glb)
{
    json_print(json, "images:[");
    for (size_t i = 0; i < glb->images.count; i++)
        json_print(json, "{bufferView:%d mimeType:'image/png'}", glb->images.items[i]);
    json_print(json, "] textures:["); /* one for each image */
    for (size_t i = 0; i < glb->images.count; i++)
        json_print(json, "{source:%zu}", i);
    json_print(json, "]");
}

void glb_write_members(Json *json, const Glb *glb)
{
    if (glb->images.count) /* empty lists are not allowed */
        write_images(json, glb);
    json_print(json, "accessors:[");
    for (size_t i = 0; i < glb->accessors.count; i++)
        write_accessor(json, &glb->accessors.items[i]);
    json_print(json, "] bufferViews:[");
    for (size_t i = 0; i < glb->views.count; i++) {
        const GlbView *view = &glb->views.items[i];
        json_print(json, "{buffer:0 byteOffset:%zu byteLength:%zu", view->offset, view->size);
        if (view->target)
            json_print(json, "target:%d", view->target);
        json_print(json, "}");
    }
    json_print(json, "] buffers:[{byteLength:%zu}]", glb->bytes.count);
}

static uint8_t *put_u32(uint8_t *at, size_t value)
{
    for (int shift = 0; shift < 32; shift += 8)
        *at++ = (uint8_t)(value >> shift);
    return at;
}

static uint8_t *put_chunk(uint8_t *at, const char type[4], const void *data, size_t size,
                          uint8_t filler)
{
    at = put_u32(at, size + padding(size));
    memcpy(at, type, 4);
    memcpy(at + 4, data, size);
    memset(at + 4 + size, filler, padding(size));
    return at + 4 + size + padding(size);
}

Bytes glb_file(const Glb *glb, const char *json, size_t json_size)
{
    const size_t size = HEADER_SIZE + 2 * CHUNK_HEADER_SIZE + json_size + padding(json_size) +
                        glb->bytes.count + padding(glb->bytes.count);
    if (size > UINT32_MAX)
        return (Bytes){0};
    uint8_t *file = arena_alloc(glb->arena, size), *at = file;
    memcpy(at, "glTF", 4);
    at = put_u32(at + 4, 2);
    at = put_u32(at, size);
    at = put_chunk(at, "JSON", json, json_size, ' ');
    put_chunk(at, "BIN\0", glb->bytes.items, glb->bytes.count, 0);
    return (Bytes){file, size};
}
