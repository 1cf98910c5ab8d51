// SPDX-License-Identifier: MIT
#include "demo/paint.h"

#include <math.h>
#include <png.h>
#include <string.h>

#include "demo/shape.h"

float paint_ellipse(float x, float y, float rx, float ry, float soft)
{
    const float r = sqrtf(x * x / (rx * rx) + y * y / (ry * ry));
    return 1.0f - smooth(1.0f - soft, 1.0f + soft, r);
}

float paint_band(float x, float lo, float hi, float soft)
{
    return smooth(lo - soft, lo + soft, x) * (1.0f - smooth(hi - soft, hi + soft, x));
}

float paint_noise(int x, int y)
{
    uint32_t h = (uint32_t)x * 0x9e3779b1u ^ (uint32_t)y * 0x85ebca6bu;

    h = (h ^ h >> 15) * 0x2c1b3c6du;
    h = (h ^ h >> 12) * 0x297a2d39u;
    return (float)((h ^ h >> 15) & 0xffff) / 65535.0f;
}

/* Four samples per pixel. */
static void paint_pixel(uint8_t out[4], const Painting *painting, int x, int y)
{
    vec4s sum = {{0.0f, 0.0f, 0.0f, 0.0f}};

    for (int s = 0; s < 4; s++) {
        const float u = ((float)x + (s & 1 ? 0.75f : 0.25f)) / (float)painting->width;
        const float v = ((float)y + (s & 2 ? 0.75f : 0.25f)) / (float)painting->height;
        sum = glms_vec4_add(sum, painting->painter(u, v));
    }
    for (int i = 0; i < 4; i++)
        out[i] = (uint8_t)lrintf(255.0f * glm_clamp(sum.raw[i] / 4.0f, 0.0f, 1.0f));
}

bool painting_save(const Painting *painting, const char *directory, const FileApproval *approval,
                   Arena *arena, Diag *diag)
{
    const size_t stride = 4 * (size_t)painting->width;
    const size_t size = stride * (size_t)painting->height;
    uint8_t *pixels = arena_alloc(arena, size);
    png_image png = {.version = PNG_IMAGE_VERSION,
                     .width = (png_uint_32)painting->width,
                     .height = (png_uint_32)painting->height,
                     .format = PNG_FORMAT_RGBA};

    for (int y = 0; y < painting->height; y++)
        for (int x = 0; x < painting->width; x++)
            paint_pixel(pixels + (size_t)y * stride + 4 * (size_t)x, painting, x, y);

    png_alloc_size_t room = PNG_IMAGE_PNG_SIZE_MAX(png);
    uint8_t *bytes = arena_alloc(arena, room);
    if (!png_image_write_to_memory(&png, bytes, &room, 0, pixels, 0, NULL))
        return diag_fail(diag, DIAG_INTERNAL, "%s: %s", painting->file, png.message);
    return file_save_approved(arena_printf(arena, "%s/%s", directory, painting->file), bytes, room,
                              approval, diag);
}
