// SPDX-License-Identifier: MIT
#include "output/sheet.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/bitmap_font.h"
#include "typesetting/text_draw.h"

enum {
    CELL_PER_SCALE = 160, /* width of a cell for each step of the font size */
    GAP = 4,              /* font pixels */
    MARGIN = 3,           /* above and below a label */
    LABEL_HEIGHT = MARGIN + GLYPH_HEIGHT + MARGIN
};

static const uint8_t BACKGROUND[3] = {32, 32, 32};
static const TextColors text_colors = {.fill = {224, 224, 224}};

void sheet_label(char *out, size_t size, const SheetSpec *spec, int form, int64_t frame)
{
    const int64_t hundredths =
        (2 * frame * 100 * spec->fps_den + spec->fps_num) / (2 * (int64_t)spec->fps_num);
    char time[32];
    snprintf(time, sizeof time, "%" PRId64 ":%02" PRId64 ".%02" PRId64, hundredths / 6000,
             hundredths / 100 % 60, hundredths % 100);
    if (form == 3)
        out[0] = '\0';
    else if (form == 2)
        snprintf(out, size, "%" PRId64, frame);
    else
        snprintf(out, size, "%s%" PRId64 "  %s", form == 0 ? "frame " : "", frame, time);
}

bool sheet_layout(SheetLayout *layout, const SheetSpec *spec)
{
    char label[SHEET_LABEL_SIZE];
    int form = spec->last_frame < 0 ? SHEET_FORMS - 1 : 0;
    sheet_label(label, sizeof label, spec, form, spec->last_frame);
    while (bitmap_font_width(label, 1) > spec->cell_width)
        sheet_label(label, sizeof label, spec, ++form, spec->last_frame);

    int scale = spec->cell_width / CELL_PER_SCALE;
    while (scale > 1 && bitmap_font_width(label, scale) > spec->cell_width)
        scale--;
    if (scale < 1)
        scale = 1;

    const int64_t gap = GAP * scale;
    const int64_t label_height = spec->last_frame < 0 ? gap : LABEL_HEIGHT * scale;
    const int64_t width = gap + spec->columns * (spec->cell_width + gap);
    const int64_t height = gap + spec->rows * (spec->cell_height + label_height);
    if (width > IMAGE_MAX_SIDE || height > IMAGE_MAX_SIDE)
        return false;
    *layout = (SheetLayout){(int)width, (int)height, scale, (int)gap, (int)label_height, form};
    return true;
}

void sheet_clear(Image *sheet)
{
    const size_t count = (size_t)sheet->width * (size_t)sheet->height;
    for (size_t i = 0; i < count; i++) {
        memcpy(sheet->pixels + 4 * i, BACKGROUND, sizeof BACKGROUND);
        sheet->pixels[4 * i + 3] = 255;
    }
}

Font *sheet_open_font(const SheetLayout *layout, const SheetSpec *spec, const FontSources *sources,
                      Diag *diag)
{
    const FontSpec built_in = {.size = FONT_BUILT_IN_EM * layout->scale};
    FontSpec chosen = built_in;
    char label[SHEET_LABEL_SIZE];
    chosen.sources = *sources;
    Font *font = font_open(&chosen, diag);
    sheet_label(label, sizeof label, spec, layout->label_form, spec->last_frame);
    if (!font || text_width(font, label) <= spec->cell_width)
        return font;
    font_close(font);
    return font_open(&built_in, diag);
}

void sheet_draw_cell(Image *sheet, const SheetLayout *layout, const SheetSpec *spec, int cell,
                     const Image *image, int64_t frame, Font *font)
{
    assert(cell >= 0 && cell < spec->columns * spec->rows);
    assert(image->width == spec->cell_width && image->height == spec->cell_height);
    assert(sheet->width == layout->width && sheet->height == layout->height);

    const int left = layout->gap + cell % spec->columns * (spec->cell_width + layout->gap);
    const int top = layout->gap + cell / spec->columns * (spec->cell_height + layout->label_height);
    char label[SHEET_LABEL_SIZE];
    sheet_label(label, sizeof label, spec, layout->label_form, frame);
    const size_t row = 4 * (size_t)image->width;
    for (int y = 0; y < image->height; y++) {
        uint8_t *to = sheet->pixels + 4 * ((size_t)(top + y) * (size_t)sheet->width + (size_t)left);
        memcpy(to, image->pixels + (size_t)y * row, row);
        for (size_t x = 3; x < row; x += 4)
            to[x] = 255;
    }
    text_draw(sheet, font, &text_colors, left,
              top + spec->cell_height + (MARGIN + GLYPH_HEIGHT) * layout->scale, label);
}
