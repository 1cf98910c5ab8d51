/* Any bytes: refused with a message, or a picture within the limits, whose pixels are all there. */
#include <stdlib.h>

#include "media/picture.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ignore(void *user, DiagLevel level, const char *message)
{
    (void)user, (void)level, (void)message;
}

static bool is_image(const Image *image)
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* One bit deflated 1032 to 1 is the densest picture there is, and becomes 4 bytes. */
    enum { MOST_PER_BYTE = 4 * 8 * 1032 + 8, MOST_MORE = 256 * 1024 };
    Arena *arena = arena_create();
    Diag diag;
    diag_init(&diag, ignore, NULL);
    Image image;
    const bool loaded = picture_load(&image, (Bytes){data, size}, arena, &diag);
    if (loaded ? !is_image(&image) : diag.errors == 0)
        abort();
    if (arena_bytes(arena) > MOST_PER_BYTE * size + MOST_MORE)
        abort();
    arena_destroy(arena);
    return 0;
}
