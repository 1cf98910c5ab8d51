// SPDX-License-Identifier: MIT
/*
 * png_image.h - ordinary PNG files by libpng
 *
 * Most textures are PNG.  libavcodec decodes them to the same pixels, but opening it loads a
 * hundred libraries, which takes longer than many commands (libav.h).
 */
#pragma once

#include "base/file.h"
#include "base/image.h"

/*
 * Decodes into the pixels of an image whose size is that of the header, as RGBA.  False, with any
 * pixels, for what is left to libavcodec: samples of 16 bits, interlaced files and damaged ones.
 */
bool png_image_load(Image *image, Bytes bytes);
