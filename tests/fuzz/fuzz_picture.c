// SPDX-License-Identifier: MIT
/* Arbitrary bytes: an error message, or an image within the limits, with all its pixels. */
#include "fuzz.h"
#include "media/picture.h"

static bool is_valid(const Image *image)
{
    const size_t count = (size_t)image->width * (size_t)image->height;
    bool has_alpha = false;
    if (image->width < 1 || image->width > IMAGE_MAX_SIDE || image->height < 1 ||
        image->height > IMAGE_MAX_SIDE || count > PICTURE_MAX_PIXELS)
        return false;
    for (size_t i = 0; i < count; i++)
        has_alpha = has_alpha || image->pixels[4 * i + 3] != 255;
    return has_alpha == image->has_alpha;
}

static bool load(Bytes bytes, Arena *arena, Diag *diag)
{
    Image image;
    if (!picture_load(&image, bytes, arena, diag))
        return false;
    fuzz_require(is_valid(&image));
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* The highest density is one bit per pixel, deflated 1032 to 1; a pixel becomes 4 bytes. */
    enum { MAX_BYTES_PER_BYTE = 4 * 8 * 1032 + 8, FREE_BYTES = 4 << 20 }; /* WebP of one color */
    return fuzz_loader(load, data, size, MAX_BYTES_PER_BYTE * size + FREE_BYTES);
}
