// SPDX-License-Identifier: MIT
/* Arbitrary bytes: an error message, or channels with all their samples. */
#include "media/exr/exr_file.h"

#include "fuzz.h"

static bool load(Bytes bytes, Arena *arena, Diag *diag)
{
    ExrImage image;
    volatile float sample = 0; /* that all samples can be read */
    if (!exr_read(&image, bytes, arena, diag))
        return false;
    const size_t width = (size_t)(image.window.right - image.window.left);
    const size_t height = (size_t)(image.window.bottom - image.window.top);
    fuzz_require(image.width > 0 && image.height > 0 && image.channel_count > 0);
    for (size_t c = 0; c < image.channel_count; c++) {
        fuzz_require(image.channels[c].name != NULL);
        for (size_t i = 0; i < width * height; i++)
            sample = image.values[c][i];
    }
    (void)sample;
    for (size_t i = 0; i < image.attribute_count; i++)
        fuzz_require(image.attributes[i].name && image.attributes[i].value);
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* The highest density of deflated samples; a channel of one sample has a pointer and a name. */
    enum { MAX_BYTES_PER_BYTE = 2 * 1100 + 64 };
    return fuzz_loader(load, data, size, MAX_BYTES_PER_BYTE * size);
}
