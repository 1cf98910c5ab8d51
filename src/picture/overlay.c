// SPDX-License-Identifier: MIT
#include "picture/overlay.h"

#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/image_scale.h"
#include "media/picture.h"
#include "typesetting/text_draw.h"

void overlay_forget(Overlay *overlay)
{
    if (overlay->arena)
        arena_destroy(overlay->arena);
    *overlay = (Overlay){NULL};
}

/* ---- pictures ---- */

bool overlay_read_picture(Image *image, const PictureOptions *picture, Arena *arena, Diag *diag)
{
    Bytes bytes;
    diag_file(diag, picture->file);
    const bool good = file_load(&bytes, picture->file, FILE_MAX_SIZE, arena, diag) &&
                      picture_load(image, bytes, arena, diag);
    diag_file(diag, NULL);
    return good;
}

static int rounded(double value)
{
    return (int)floor(value + 0.5);
}

/* Of three places in a row: at its start, in the middle, at its end. */
static int place(int which, int size, int of, int margin)
{
    return which == 0 ? margin : which == 1 ? (of - size) / 2 : of - size - margin;
}

static void place_overlay(Overlay *overlay, FrameSize frame, int where, double margin)
{
    const int distance = rounded(margin * frame.height);
    overlay->left = place(where % 3, overlay->image.width, frame.width, distance);
    overlay->top = place(where / 3, overlay->image.height, frame.height, distance);
}

bool overlay_make_picture(Overlay *overlay, const PictureOptions *picture, FrameSize frame,
                          Diag *diag)
{
    Arena *scratch = arena_create();
    Image image;
    const bool good = overlay_read_picture(&image, picture, scratch, diag);
    if (good) {
        double factor =
            isnan(picture->width) ? frame.scale : picture->width * frame.width / image.width;
        factor = fmin(factor,
                      fmin((double)frame.width / image.width, (double)frame.height / image.height));
        const int width = rounded(image.width * factor), height = rounded(image.height * factor);
        for (size_t i = 3; !image.has_alpha && i < 4 * (size_t)image.width * (size_t)image.height;
             i += 4)
            image.pixels[i] = 255;
        overlay->image =
            image_scale(&image, width < 1 ? 1 : width, height < 1 ? 1 : height, overlay->arena);
        place_overlay(overlay, frame, picture->place, picture->margin);
    }
    arena_destroy(scratch);
    return good;
}

/* ---- titles ---- */

typedef ARENA_LIST(const char *) LineList;

static LineList lines_of(const char *text, Arena *arena)
{
    LineList lines = {0};
    for (const char *at = text; *at; at += *at != '\0') {
        const size_t size = strcspn(at, "\r\n");
        *arena_push(arena, &lines) = arena_strndup(arena, at, size);
        at += size;
        at += at[0] == '\r' && at[1] == '\n';
    }
    return lines;
}

static int widest(const LineList *lines, Font *font)
{
    int width = 0;
    for (size_t i = 0; i < lines->count; i++) {
        const int own = text_width(font, lines->items[i]);
        width = own > width ? own : width;
    }
    return width;
}

static int line_height(const Font *font)
{
    return (font_ascent(font) + font_descent(font)) * 5 / 4;
}

/* The font of the wanted size, or the largest one in which the lines fit the frame. */
static Font *open_title_font(const TitleOptions *title, const FontSources *fonts,
                             const LineList *lines, FrameSize frame, Diag *diag)
{
    const int space = 2 * rounded(title->margin * frame.height);
    for (int em = rounded(title->size * frame.height);; em = em * 9 / 10) {
        em = em > FONT_MAX_SIZE ? FONT_MAX_SIZE : em < FONT_BUILT_IN_EM ? FONT_BUILT_IN_EM : em;
        const FontSpec spec = {.sources = *fonts, .size = em, .outline_width = em / 20 + 1};
        Font *font = font_open(&spec, diag);
        if (!font || em == FONT_BUILT_IN_EM ||
            (widest(lines, font) + space <= frame.width &&
             (int)lines->count * line_height(font) + space <= frame.height))
            return font;
        font_close(font);
    }
}

static void to_bytes(uint8_t out[3], const double color[3])
{
    for (int c = 0; c < 3; c++)
        out[c] = (uint8_t)lround(color[c] * 255);
}

/* A tile as large as the frame at most: what does not fit is clipped. */
static void draw_title(Overlay *overlay, const TitleOptions *title, const LineList *lines,
                       Font *font, FrameSize frame)
{
    const int edge = font_outline_width(font), height = line_height(font);
    const int all = widest(lines, font), rows = (int)lines->count * height;
    const int width = all + 2 * edge, limit = frame.width;
    TextColors colors;
    to_bytes(colors.fill, title->color);
    to_bytes(colors.outline, title->outline);
    overlay->image = (Image){.width = width < limit ? width : limit,
                             .height = rows < frame.height ? rows : frame.height,
                             .has_alpha = true};
    overlay->image.pixels = arena_calloc(overlay->arena, (size_t)overlay->image.width + 1,
                                         4 * ((size_t)overlay->image.height + 1));
    int baseline = (height - font_ascent(font) - font_descent(font)) / 2 + font_ascent(font);
    for (size_t i = 0; i < lines->count; i++, baseline += height) {
        const int free_x = all - text_width(font, lines->items[i]);
        text_draw(&overlay->image, font, &colors, edge + free_x * (int)(title->place % 3) / 2,
                  baseline, lines->items[i]);
    }
}

bool overlay_make_title(Overlay *overlay, const TitleOptions *title, const FontSources *fonts,
                        FrameSize frame, Diag *diag)
{
    const LineList lines = lines_of(title->text, overlay->arena);
    Font *font = open_title_font(title, fonts, &lines, frame, diag);
    if (!font)
        return false;
    draw_title(overlay, title, &lines, font, frame);
    place_overlay(overlay, frame, title->place, title->margin);
    font_close(font);
    return true;
}

/* ---- drawing ---- */

void overlay_draw(Image *image, const Overlay *overlay, double opacity)
{
    const unsigned whole = (unsigned)lround(opacity * 255);
    const Image *t = &overlay->image;
    for (int y = 0; y < t->height; y++)
        for (int x = 0; x < t->width; x++) {
            const int to_x = overlay->left + x, to_y = overlay->top + y;
            if (to_x < 0 || to_y < 0 || to_x >= image->width || to_y >= image->height)
                continue;
            const uint8_t *from = t->pixels + 4 * ((size_t)y * (size_t)t->width + (size_t)x);
            uint8_t *to = image->pixels + 4 * ((size_t)to_y * (size_t)image->width + (size_t)to_x);
            if (!image->has_alpha)
                to[3] = 255;
            text_blend(to, from, (from[3] * whole + 127) / 255);
        }
}
