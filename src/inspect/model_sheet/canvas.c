// SPDX-License-Identifier: MIT
#include "inspect/model_sheet/canvas.h"

#include <string.h>

#include "base/text_escape.h"
#include "output/sink.h"
#include "typesetting/text_draw.h"
#include "typesetting/text_fonts.h"

const uint8_t canvas_ground[3] = {246, 247, 249}, canvas_panel[3] = {228, 232, 238};

static const TextColors inks[] = {
    [INK_TEXT] = {.fill = {28, 33, 39}},
    [INK_SOFT] = {.fill = {90, 99, 112}},
};

/* ---- drawing ---- */

void canvas_fill(Canvas *canvas, int x, int y, int width, int height, const uint8_t color[3])
{
    for (int row = y < 0 ? 0 : y; row < y + height && row < canvas->image.height; row++)
        for (int column = x < 0 ? 0 : x; column < x + width && column < canvas->image.width;
             column++) {
            uint8_t *p = canvas->image.pixels +
                         4 * ((size_t)row * (size_t)canvas->image.width + (size_t)column);
            memcpy(p, color, 3);
            p[3] = 255;
        }
}

void canvas_blit(Canvas *canvas, int x, int y, const Image *image)
{
    for (int row = 0; row < image->height; row++)
        for (int column = 0; column < image->width; column++)
            canvas_fill(canvas, x + column, y + row, 1, 1,
                        image->pixels + 4 * ((size_t)row * (size_t)image->width + (size_t)column));
}

/* ---- text ---- */

bool canvas_init(Canvas *canvas, int width, int height, const char *text, Arena *arena, Diag *diag)
{
    *canvas = (Canvas){
        .image = {width, height, false, arena_calloc(arena, (size_t)width * (size_t)height, 4)},
        .arena = arena};
    canvas_fill(canvas, 0, 0, width, height, canvas_ground);
    return text_fonts_find_for_labels(&canvas->fonts, text, arena, diag);
}

static Font *open_font(const Canvas *canvas, int size, Diag *diag)
{
    const FontSpec spec = {.sources = canvas->fonts, .size = size};
    return font_open(&spec, diag);
}

/* Cuts the text after the characters that fit, with three dots. */
static const char *shorten(Font *font, const char *text, int width, Arena *arena)
{
    size_t size = strlen(text);
    const char *shown = text;
    while (size > 0 && text_width(font, shown) > width) {
        do
            size--;
        while (size > 0 && ((unsigned char)text[size] & 0xC0) == 0x80);
        shown = arena_printf(arena, "%.*s...", (int)size, text);
    }
    return shown;
}

bool canvas_text(Canvas *canvas, int x, int baseline, int width, int pixels_per_em, CanvasInk ink,
                 const char *text, Diag *diag)
{
    const char *shown = text_escape(text, canvas->arena);
    Font *font = open_font(canvas, pixels_per_em, diag);
    const int needed = font ? text_width(font, shown) : 0;
    if (font && needed > width) {
        const int smaller = (int)((int64_t)pixels_per_em * width / needed);
        font_close(font);
        font = open_font(canvas, smaller > pixels_per_em / 2 ? smaller : pixels_per_em / 2, diag);
    }
    if (!font)
        return false;
    text_draw(&canvas->image, font, &inks[ink], x, baseline,
              shorten(font, shown, width, canvas->arena));
    font_close(font);
    return true;
}

/* ---- the file ---- */

bool canvas_save(const Canvas *canvas, const char *file, Diag *diag)
{
    return sink_png_save_image(file, &canvas->image, NULL, diag);
}
