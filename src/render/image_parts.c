// SPDX-License-Identifier: MIT
#include "render/image_parts.h"

bool image_rect_is_empty(ImageRect rect)
{
    return rect.left >= rect.right || rect.top >= rect.bottom;
}

bool image_rects_overlap(ImageRect a, ImageRect b)
{
    return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

ImageRect image_rect_union(ImageRect a, ImageRect b)
{
    if (a.left >= a.right)
        return b;
    if (b.left >= b.right)
        return a;
    return (ImageRect){a.left < b.left ? a.left : b.left, a.top < b.top ? a.top : b.top,
                       a.right > b.right ? a.right : b.right,
                       a.bottom > b.bottom ? a.bottom : b.bottom};
}

int64_t image_rect_size(ImageRect rect)
{
    return image_rect_is_empty(rect) ? 0
                                     : (int64_t)(rect.right - rect.left) * (rect.bottom - rect.top);
}

/* The pixels that are in one rectangle around both, and in neither. */
static int64_t growth(ImageRect a, ImageRect b)
{
    return image_rect_size(image_rect_union(a, b)) - image_rect_size(a) - image_rect_size(b);
}

void image_parts_add(ImageParts *parts, ImageRect rect)
{
    if (image_rect_is_empty(rect))
        return;
    while (parts->count > 0) {
        size_t best = 0;

        for (size_t i = 1; i < parts->count; i++)
            if (growth(parts->rects[i], rect) < growth(parts->rects[best], rect))
                best = i;
        if (parts->count < IMAGE_PARTS && growth(parts->rects[best], rect) > parts->slack)
            break;
        rect = image_rect_union(parts->rects[best], rect);
        parts->rects[best] = parts->rects[--parts->count];
    }
    parts->rects[parts->count++] = rect;
}
