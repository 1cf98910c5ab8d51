// SPDX-License-Identifier: MIT
#include "media/png_image.h"

#include <png.h>
#include <setjmp.h>
#include <string.h>

#include "base/parser_entry.h"
#include "base/reader.h"

_Noreturn static void on_error(png_structp png, png_const_charp message)
{
    (void)message; /* libavcodec reports what it cannot decode either */
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

static void copy_bytes(png_structp png, png_bytep out, size_t size)
{
    const uint8_t *bytes = read_bytes(png_get_io_ptr(png), size);
    if (!bytes)
        png_error(png, "truncated");
    memcpy(out, bytes, size);
}

static bool is_ordinary(png_structp png, png_infop info, const Image *image)
{
    return png_get_bit_depth(png, info) <= 8 &&
           png_get_interlace_type(png, info) == PNG_INTERLACE_NONE &&
           png_get_image_width(png, info) == (png_uint_32)image->width &&
           png_get_image_height(png, info) == (png_uint_32)image->height;
}

static bool read_png(Image *image, png_structp png, png_infop info)
{
    enum { ALL_ANCILLARY = -1 }; /* chunks that decide no pixel, whatever they unpack to */
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, ALL_ANCILLARY);
    png_read_info(png, info);
    if (!is_ordinary(png, info, image))
        return false;
    png_set_expand(png); /* palettes, gray of fewer than 8 bits, transparent colors */
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, UINT8_MAX, PNG_FILLER_AFTER);
    png_read_update_info(png, info);
    for (int y = 0; y < image->height; y++)
        png_read_row(png, image->pixels + 4 * (size_t)y * (size_t)image->width, NULL);
    return true;
}

bool png_image_load(Image *image, Bytes bytes)
{
    parser_enter("picture");
    Reader reader = reader_init(bytes.data, bytes.size);
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, on_error, on_warning);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!info || setjmp(png_jmpbuf(png))) { /* no variable that changed since is used here */
        png_destroy_read_struct(&png, &info, NULL);
        return false;
    }
    png_set_read_fn(png, &reader, copy_bytes);
    const bool done = read_png(image, png, info);
    png_destroy_read_struct(&png, &info, NULL);
    return done;
}
