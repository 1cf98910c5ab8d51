/*
 * image_file.h - one image to a PNG file
 */
#ifndef OUTPUT_IMAGE_FILE_H
#define OUTPUT_IMAGE_FILE_H

#include <stdbool.h>

#include "base/diag.h"
#include "base/image.h"

/* With alpha if the image has it.  An existing file is replaced; the name has no '%'. */
bool image_file_save(const char *file, const Image *image, Diag *diag);

#endif
