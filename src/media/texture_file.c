// SPDX-License-Identifier: MIT
#include "media/texture_file.h"

#include <string.h>

#include "base/parser_entry.h"
#include "media/dds.h"
#include "media/picture.h"
#include "media/radiance.h"

size_t texture_file_pixel_size(PixelFormat format)
{
    return format == PIXEL_FLOAT4  ? 4 * sizeof(float)
           : format == PIXEL_HALF4 ? 4 * sizeof(uint16_t)
                                   : 4;
}

uint64_t texture_file_decoded_size(Bytes bytes)
{
    int64_t width, height;
    if (dds_is(bytes))
        return dds_decoded_size(bytes);
    if (radiance_is(bytes))
        return radiance_decoded_size(bytes);
    return picture_size(&width, &height, bytes) && width <= IMAGE_MAX_SIDE &&
                   height <= IMAGE_MAX_SIDE
               ? (uint64_t)width * (uint64_t)height * texture_file_pixel_size(PIXEL_RGBA8)
               : 0;
}

/* A channel of a pixel. */
static float channel(const uint8_t *at, PixelFormat format)
{
    float number;
    uint16_t half;
    if (format == PIXEL_FLOAT4) {
        memcpy(&number, at, sizeof number);
        return number;
    }
    if (format == PIXEL_HALF4) {
        memcpy(&half, at, sizeof half);
        return picture_half(half);
    }
    return (float)*at / 255.0f;
}

void texture_file_texels(float (*out)[4], size_t count, const TextureFile *texture)
{
    const size_t texels = (size_t)texture->width * (size_t)texture->height;
    const size_t size = texture_file_pixel_size(texture->format) / 4;
    memset(out, 0, count * sizeof *out);
    for (size_t i = 0; i < 4 * count && i < 4 * texels; i++)
        out[i / 4][i % 4] = channel(texture->pixels + i * size, texture->format);
}

bool texture_file_load(TextureFile *texture, Bytes bytes, Arena *arena, Diag *diag)
{
    Image image;
    parser_enter("texture_file");
    if (dds_is(bytes))
        return dds_load(texture, bytes, arena, diag);
    if (radiance_is(bytes))
        return radiance_load(texture, bytes, arena, diag);
    if (!picture_load(&image, bytes, arena, diag))
        return false;
    *texture = (TextureFile){.width = image.width,
                             .height = image.height,
                             .faces = 1,
                             .levels = 1,
                             .frames = 1,
                             .format = PIXEL_RGBA8,
                             .has_alpha = image.has_alpha,
                             .pixels = image.pixels};
    return true;
}
