#include "output/webp_image.h"

#include <webp/encode.h>

enum { METHOD = 4 }; /* 0 (fast) to 6 (small) */

typedef struct Output {
    ARENA_LIST(uint8_t) bytes;
    Arena *arena;
} Output;

static int append(const uint8_t *data, size_t size, const WebPPicture *picture)
{
    Output *out = picture->custom_ptr;
    for (size_t i = 0; i < size; i++)
        *arena_push(out->arena, &out->bytes) = data[i];
    return 1;
}

static bool encode(WebPPicture *picture, const WebPConfig *config, const Image *image)
{
    const int stride = 4 * image->width;
    picture->use_argb = 1;
    picture->width = image->width;
    picture->height = image->height;
    return (image->has_alpha ? WebPPictureImportRGBA(picture, image->pixels, stride)
                             : WebPPictureImportRGBX(picture, image->pixels, stride)) &&
           WebPEncode(config, picture);
}

bool webp_image_encode(Bytes *out, const Image *image, int quality, Arena *arena, Diag *diag)
{
    WebPConfig config;
    WebPPicture picture;
    Output output = {.arena = arena};
    if (!WebPConfigPreset(&config, WEBP_PRESET_DRAWING, (float)quality) ||
        !WebPPictureInit(&picture))
        return diag_fail(diag, DIAG_RESOURCE, "the installed libwebp has an incompatible version");
    config.method = METHOD;
    config.use_sharp_yuv = 1; /* preserves thin lines of saturated colors */
    picture.writer = append;
    picture.custom_ptr = &output;
    const bool good = encode(&picture, &config, image);
    const int error = (int)picture.error_code;
    WebPPictureFree(&picture);
    *out = (Bytes){output.bytes.items, output.bytes.count};
    return good ||
           diag_fail(diag, error == VP8_ENC_ERROR_OUT_OF_MEMORY ? DIAG_RESOURCE : DIAG_INTERNAL,
                     "libwebp cannot encode an image of %dx%d pixels: error %d", image->width,
                     image->height, error);
}
