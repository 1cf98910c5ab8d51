// SPDX-License-Identifier: MIT
/* Arbitrary bytes: an error message, or a picture of an effect with all its pixels. */
#include "fuzz.h"
#include "media/texture_file.h"

static bool is_valid(const TextureFile *t, Bytes bytes)
{
    enum { MAX_VOLUME = 2048 };
    uint64_t count = 0;
    if (t->depth < 0 || t->depth > MAX_VOLUME || (t->depth && (t->faces != 1 || t->levels != 1)) ||
        t->width < 1 || t->width > IMAGE_MAX_SIDE || t->height < 1 || t->height > IMAGE_MAX_SIDE ||
        (t->faces != 1 && t->faces != 6) || t->levels < 1 || t->levels > 15 || t->frames != 1)
        return false;
    for (int i = 0; i < t->levels; i++)
        count += (uint64_t)(t->width >> i ? t->width >> i : 1) *
                 (uint64_t)(t->height >> i ? t->height >> i : 1);
    const uint64_t planes = (uint64_t)(t->depth ? t->depth : t->faces);
    const uint64_t size = count * planes * texture_file_pixel_size(t->format);
    uint8_t sum = 0;
    for (uint64_t i = 0; i < size; i++)
        sum ^= t->pixels[i];
    return size == texture_file_decoded_size(bytes) && (sum || !sum);
}

static bool load(Bytes bytes, Arena *arena, Diag *diag)
{
    TextureFile texture;
    enum { MAX_BYTES = 64 << 20 }; /* a run of pixels of a Radiance picture has any length */
    if (texture_file_decoded_size(bytes) > MAX_BYTES)
        return diag_error(diag, "too large for this test");
    if (!texture_file_load(&texture, bytes, arena, diag))
        return false;
    fuzz_require(is_valid(&texture, bytes));
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { MAX_BYTES_PER_BYTE = 4 * 8 * 1032 + 8, MAX_RADIANCE = (64 << 20) + (1 << 16) };
    return fuzz_loader(load, data, size, MAX_BYTES_PER_BYTE * size + MAX_RADIANCE);
}
