// SPDX-License-Identifier: MIT
/*
 * texture_file.h - a picture of an effect: a plane, a cube or a volume, with its mip levels or its
 * frames
 *
 * Unlike an Image (picture.h) it keeps floating-point samples, the faces of a cube, the levels that
 * a file stores and the frames of an animation.  Channels that the format lacks are those that
 * Direct3D 9 gives to a shader: L is L L L 1, A is 0 0 0 A, R is R 1 1 1.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/image.h"

typedef struct TextureFile {
    int width, height;        /* of level 0 */
    int faces;                /* 1; 6: a cube, +x -x +y -y +z -z */
    int depth;                /* slices of a volume, which has one level; 0: it is none */
    int levels;               /* >= 1, those of the file; each half of the one before, at least 1 */
    int frames;               /* >= 1; more than one only of a plane with one level */
    PixelFormat format;       /* PIXEL_RGBA8, PIXEL_HALF4 or PIXEL_FLOAT4 */
    bool has_alpha;           /* the format has an alpha channel */
    const uint8_t *pixels;    /* by frame, face or slice, then level; rows from the top */
    const double *frame_ends; /* [frames] seconds since the first one began; NULL: one frame */
} TextureFile;

/* Bytes of a pixel. */
size_t texture_file_pixel_size(PixelFormat format);

/* Bytes of the decoded picture by its header; 0 if that is damaged or of an unknown format. */
uint64_t texture_file_decoded_size(Bytes bytes);

/* RGBA of the first `count` pixels, row by row from the top; transparent black after the last one.
 */
void texture_file_texels(float (*out)[4], size_t count, const TextureFile *texture);

/* DDS, Radiance (.hdr), and what picture.h reads.  Pixels are in the arena.  Errors: DIAG_DATA. */
bool texture_file_load(TextureFile *texture, Bytes bytes, Arena *arena, Diag *diag);
