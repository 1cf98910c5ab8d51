/*
 * webp_image.h - one image as the bytes of a WebP file, for pages that contain their images
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/image.h"

/* Lossy; alpha only if the image has it.  quality: 0..100.  Errors: DIAG_RESOURCE, DIAG_INTERNAL.
 */
bool webp_image_encode(Bytes *out, const Image *image, int quality, Arena *arena, Diag *diag);
