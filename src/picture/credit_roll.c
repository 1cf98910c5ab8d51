// SPDX-License-Identifier: MIT
#include "picture/credit_roll.h"

#include <string.h>

#include "typesetting/text_draw.h"

struct CreditRoll {
    CreditRollSpec spec;
    Font *font;
    size_t line_count; /* those that fit */
    int line_height;
    uint8_t *pixels; /* of the frame without credits */
};

enum { ROWS_PER_EM = 26, MIN_EM = FONT_BUILT_IN_EM, DARKNESS = 160 /* of 255 */ };

static int widest_line(const CreditRollSpec *spec, Font *font)
{
    int widest = 0;
    for (size_t i = 0; i < spec->count; i++) {
        const int width = text_width(font, spec->lines[i]);
        widest = width > widest ? width : widest;
    }
    return widest;
}

/* The largest font in which all lines fit, or the smallest one. */
static bool open_font(CreditRoll *roll, Diag *diag)
{
    const CreditRollSpec *spec = &roll->spec;
    const int width = spec->width * 9 / 10, height = spec->height * 9 / 10;
    for (int em = spec->height / ROWS_PER_EM;; em = em * 9 / 10) {
        em = em > FONT_MAX_SIZE ? FONT_MAX_SIZE : em < MIN_EM ? MIN_EM : em;
        const FontSpec font = {.sources = spec->fonts, .size = em, .outline_width = em / 16 + 1};
        roll->font = font_open(&font, diag);
        if (!roll->font)
            return false;
        roll->line_height = (font_ascent(roll->font) + font_descent(roll->font)) * 5 / 4;
        const size_t fitting = (size_t)(height / (roll->line_height + 1));
        roll->line_count = spec->count < fitting ? spec->count : fitting;
        if (em == MIN_EM || (fitting >= spec->count && widest_line(spec, roll->font) <= width))
            return true;
        font_close(roll->font);
    }
}

CreditRoll *credit_roll_create(const CreditRollSpec *spec, Arena *arena, Diag *diag)
{
    CreditRoll *roll = arena_array(arena, CreditRoll, 1);
    roll->spec = *spec;
    if (!open_font(roll, diag))
        return NULL;
    roll->pixels = arena_calloc(arena, (size_t)spec->width * (size_t)spec->height, 4);
    return roll;
}

void credit_roll_destroy(CreditRoll *roll)
{
    if (roll)
        font_close(roll->font);
}

static void draw_lines(Image *image, const CreditRoll *roll)
{
    static const TextColors colors = {{255, 255, 255}, {0, 0, 0}};
    const int height = (int)roll->line_count * roll->line_height;
    int baseline = (image->height - height) / 2 + font_ascent(roll->font);
    for (size_t i = 0; i < roll->line_count; i++, baseline += roll->line_height) {
        const char *line = roll->spec.lines[i];
        const int free_x = image->width - text_width(roll->font, line);
        text_draw(image, roll->font, &colors, free_x > 0 ? free_x / 2 : 0, baseline, line);
    }
}

void credit_roll_draw(Image *image, CreditRoll *roll, int seen)
{
    static const uint8_t black[3];
    const size_t pixels = (size_t)image->width * (size_t)image->height;
    memcpy(roll->pixels, image->pixels, 4 * pixels);
    for (size_t i = 0; i < pixels; i++)
        text_blend(image->pixels + 4 * i, black, DARKNESS);
    draw_lines(image, roll);
    for (size_t i = 0; seen < 256 && i < 4 * pixels; i++)
        image->pixels[i] =
            (uint8_t)((image->pixels[i] * seen + roll->pixels[i] * (256 - seen) + 128) / 256);
}
