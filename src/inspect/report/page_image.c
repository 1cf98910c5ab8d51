#include "inspect/report/page_image.h"

#include "base/image_scale.h"
#include "output/webp_image.h"
#include "inspect/report/html.h"

enum { QUALITY = 82 };

bool page_image_create(PageImage *out, const Image *image, int width, Arena *arena, Diag *diag)
{
    Arena *scratch = arena_create();
    const Image scaled = image_scale_to_width(image, width, scratch);
    out->width = scaled.width;
    out->height = scaled.height;
    const bool good = webp_image_encode(&out->webp, &scaled, QUALITY, arena, diag);
    arena_destroy(scratch);
    return good;
}

void page_image_write(FILE *out, const PageImage *image, const char *alt)
{
    fprintf(out, "<img width=\"%d\" height=\"%d\" loading=\"lazy\" alt=\"", image->width,
            image->height);
    html_text(out, alt);
    fputs("\" src=\"", out);
    html_data_uri(out, "image/webp", image->webp);
    fputs("\"/>", out);
}
