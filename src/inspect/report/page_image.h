/*
 * page_image.h - an image that a page contains
 */
#ifndef INSPECT_REPORT_PAGE_IMAGE_H
#define INSPECT_REPORT_PAGE_IMAGE_H

#include <stdio.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/image.h"

typedef struct PageImage {
    int width, height; /* pixels; 0: there is no image */
    Bytes webp;
} PageImage;

/* A copy that is at most `width` pixels wide. */
bool page_image_create(PageImage *out, const Image *image, int width, Arena *arena, Diag *diag);

/* <img .../>; alt: for those who cannot see it, escaped here. */
void page_image_write(FILE *out, const PageImage *image, const char *alt);

#endif
