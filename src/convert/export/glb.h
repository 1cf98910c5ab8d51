// SPDX-License-Identifier: MIT
/*
 * glb.h - the container of a binary glTF 2.0 file: numbers in a buffer, and JSON about them
 *
 * Views, accessors and images are added first; glb_finish writes them after the other members of
 * the document (nodes, meshes, ...), which the caller writes as JSON.
 */
#pragma once

#include "base/arena.h"
#include "base/file.h"
#include "base/json.h"

typedef enum GlbComponent { GLB_U16 = 5123, GLB_U32 = 5125, GLB_F32 = 5126 } GlbComponent;
typedef enum GlbTarget { GLB_NO_TARGET = 0, GLB_VERTICES = 34962, GLB_INDICES = 34963 } GlbTarget;

typedef struct GlbView {
    size_t offset, size;
    GlbTarget target;
} GlbView;

/* A list of vectors; with sparse_count > 0 zeros except at some indices. */
typedef struct GlbAccessor {
    int view; /* the view with the values; in a sparse list, with those at its indices */
    GlbComponent component;
    unsigned width; /* 1, 2, 3, 4 or 16 numbers each */
    size_t count;
    bool has_range; /* minimum and maximum of each number are written */
    float low[4], high[4];
    int index_view; /* sparse */
    size_t sparse_count;
} GlbAccessor;

typedef struct Glb {
    ARENA_LIST(uint8_t) bytes;
    ARENA_LIST(GlbView) views;
    ARENA_LIST(GlbAccessor) accessors;
    ARENA_LIST(int) images; /* views with PNG files */
    Arena *arena;
} Glb;

/* The index of the new view, accessor or image. */
int glb_floats(Glb *glb, const float *values, size_t count, unsigned width, GlbTarget target,
               bool range);
int glb_u16(Glb *glb, const uint16_t *values, size_t count, unsigned width, GlbTarget target);
int glb_u32(Glb *glb, const uint32_t *values, size_t count, GlbTarget target);
/* Vectors of three numbers: `values` at the ascending `indices`, zero at all others. */
int glb_sparse(Glb *glb, const float (*values)[3], const uint32_t *indices, size_t sparse_count,
               size_t count);
int glb_image(Glb *glb, Bytes png);

/* Writes buffers, bufferViews, accessors, images and samplers as members of the open document. */
void glb_write_members(Json *json, const Glb *glb);

/* The file from its JSON text and the buffer; NULL bytes if it is larger than 4 GiB. */
Bytes glb_file(const Glb *glb, const char *json, size_t json_size);
