// SPDX-License-Identifier: MIT
#include "film/overlays.h"

#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/image_scale.h"
#include "film/film_scenes.h"
#include "media/picture.h"
#include "typesetting/text_draw.h"

typedef struct Loader {
    Film *film;
    ARENA_LIST(FilmOverlay) list;
    uint64_t largest; /* picture, bytes */
    size_t scene;     /* whose overlays are added */
    Arena *arena;
    Diag *diag;
} Loader;

/* ---- frames ---- */

/* Frames of a span of the film, counted from its start, as frames of the film. */
static FrameRanges frames_of(const FrameRanges *wanted, FrameRange span, Arena *arena)
{
    FrameRange all = {0, FRAME_RANGE_END};
    const FrameRanges given = wanted->count ? *wanted : (FrameRanges){&all, 1};
    FrameRanges out = {arena_array(arena, FrameRange, given.count), 0};
    for (size_t i = 0; i < given.count; i++) {
        FrameRange r = given.items[i];
        r.first += span.first;
        r.last = r.last > span.last - span.first ? span.last : r.last + span.first;
        if (r.first <= r.last)
            out.items[out.count++] = r;
    }
    return out;
}

/* The range with a frame, or NULL. */
static const FrameRange *range_at(const FilmOverlay *o, int64_t frame)
{
    for (size_t i = 0; i < o->frames.count; i++)
        if (frame >= o->frames.items[i].first && frame <= o->frames.items[i].last)
            return &o->frames.items[i];
    return NULL;
}

static double part_of(int64_t index, int64_t length)
{
    return index < length ? (2.0 * (double)index + 1) / (2.0 * (double)length) : 1;
}

/* 0..1; 0: it is not shown. */
static double opacity_at(const FilmOverlay *o, int64_t frame)
{
    const FrameRange *r = range_at(o, frame);
    const double whole = o->picture ? o->picture->opacity : 1;
    return r ? whole * fmin(part_of(frame - r->first, o->fade), part_of(r->last - frame, o->fade))
             : 0;
}

/* ---- loading ---- */

static bool add_title(Loader *l, const char *key, const JobTitle *title, FrameRange span)
{
    FilmOverlay o = {.key = key,
                     .scene = l->scene,
                     .title = title,
                     .frames = frames_of(&title->frames, span, l->arena),
                     .fade = title->fade};
    const bool good =
        film_fonts_load(&o.fonts, l->film, key, title->font, title->text, l->arena, l->diag);
    *arena_push(l->arena, &l->list) = o;
    return good;
}

static bool read_picture(Image *image, const JobPicture *picture, Arena *arena, Diag *diag)
{
    Bytes bytes;
    diag_file(diag, picture->file);
    const bool good = file_load(&bytes, picture->file, FILE_MAX_SIZE, arena, diag) &&
                      picture_load(image, bytes, arena, diag);
    diag_file(diag, NULL);
    return good;
}

static bool add_picture(Loader *l, const char *key, const JobPicture *picture, FrameRange span)
{
    Arena *scratch = arena_create();
    Image image;
    const bool good = read_picture(&image, picture, scratch, l->diag);
    const uint64_t bytes = good ? (uint64_t)image.width * (uint64_t)image.height * 4 : 0;
    arena_destroy(scratch);
    if (!good)
        return false;
    l->largest = bytes > l->largest ? bytes : l->largest;
    *arena_push(l->arena, &l->list) =
        (FilmOverlay){.key = key,
                      .scene = l->scene,
                      .picture = picture,
                      .frames = frames_of(&picture->frames, span, l->arena),
                      .fade = picture->fade};
    return limit_check(&l->film->job->host.scene.textures, ceil((double)bytes / (1 << 20)), " MiB",
                       l->diag);
}

/* Pictures come below titles. */
static bool add_all(Loader *l, const char *prefix, const JobPicture *pictures, size_t picture_count,
                    const JobTitle *titles, size_t title_count, FrameRange span)
{
    bool good = true;
    for (size_t i = 0; i < picture_count; i++)
        good &=
            add_picture(l, arena_printf(l->arena, "%spictures.%zu", prefix, i), &pictures[i], span);
    for (size_t i = 0; i < title_count; i++)
        good &= add_title(l, arena_printf(l->arena, "%stitles.%zu", prefix, i), &titles[i], span);
    return good;
}

bool overlays_load(Film *film, Arena *arena, Diag *diag)
{
    const Job *job = film->job;
    const FrameRanges *frames = &film->frames;
    const int64_t end = film_end(film), last = frames->items[frames->count - 1].last;
    Loader l = {.film = film, .arena = arena, .diag = diag};
    bool good = true;
    for (size_t i = 0; i < job->scene_count; i++) {
        const JobScene *s = &job->scenes[i];
        const FilmScene *placed = &film->scenes[i];
        l.scene = i;
        good &= add_all(&l, arena_printf(arena, "scenes.%zu.", i), s->pictures, s->picture_count,
                        s->titles, s->title_count,
                        (FrameRange){placed->start, placed->start + placed->count - 1});
    }
    l.scene = OVERLAY_OF_FILM;
    good &= add_all(&l, "", job->pictures, job->picture_count, job->titles, job->title_count,
                    (FrameRange){0, last > end ? last : end});
    film->overlays = l.list.items;
    film->overlay_count = l.list.count;
    film->largest_picture = l.largest;
    return good;
}

uint64_t overlays_bytes(const Film *film)
{
    const RenderOptions *r = &film->render;
    uint64_t most = 0;
    for (size_t i = 0; i < film->overlay_count; i++) {
        uint64_t count = 0; /* shown with the first frame of this one */
        for (size_t k = 0; k < film->overlay_count; k++)
            count += film->overlays[i].frames.count &&
                     range_at(&film->overlays[k], film->overlays[i].frames.items[0].first) != NULL;
        most = count > most ? count : most;
    }
    return most * (uint64_t)r->width * (uint64_t)r->height * 4 + film->largest_picture;
}

/* ---- tiles: an overlay as an image with alpha, and its place ---- */

typedef struct Tile {
    Arena *arena; /* NULL: it is not prepared */
    Image image;
    int left, top;
} Tile;

struct Overlays {
    const Film *film;
    Tile *tiles;
};

Overlays *overlays_open(const Film *film, Arena *arena)
{
    Overlays *o = arena_array(arena, Overlays, 1);
    *o = (Overlays){film, arena_array(arena, Tile, film->overlay_count)};
    return o;
}

static void forget(Tile *tile)
{
    if (tile->arena)
        arena_destroy(tile->arena);
    *tile = (Tile){NULL};
}

void overlays_close(Overlays *overlays)
{
    for (size_t i = 0; overlays && i < overlays->film->overlay_count; i++)
        forget(&overlays->tiles[i]);
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

static void place_tile(Tile *tile, const Film *film, int where, double margin)
{
    const RenderOptions *r = &film->render;
    const int distance = rounded(margin * r->height);
    tile->left = place(where % 3, tile->image.width, r->width, distance);
    tile->top = place(where / 3, tile->image.height, r->height, distance);
}

static bool make_picture(Tile *tile, const FilmOverlay *o, const Film *film, Diag *diag)
{
    const RenderOptions *r = &film->render;
    const double natural = (double)r->width / film->job->render.size[0];
    Arena *scratch = arena_create();
    Image image;
    const bool good = read_picture(&image, o->picture, scratch, diag);
    if (good) {
        double factor =
            isnan(o->picture->width) ? natural : o->picture->width * r->width / image.width;
        factor =
            fmin(factor, fmin((double)r->width / image.width, (double)r->height / image.height));
        const int width = rounded(image.width * factor), height = rounded(image.height * factor);
        for (size_t i = 3; !image.has_alpha && i < 4 * (size_t)image.width * (size_t)image.height;
             i += 4)
            image.pixels[i] = 255;
        tile->image =
            image_scale(&image, width < 1 ? 1 : width, height < 1 ? 1 : height, tile->arena);
        place_tile(tile, film, o->picture->place, o->picture->margin);
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
static Font *open_title_font(const FilmOverlay *o, const LineList *lines, const Film *film,
                             Diag *diag)
{
    const RenderOptions *r = &film->render;
    const int space = 2 * rounded(o->title->margin * r->height);
    for (int em = rounded(o->title->size * r->height);; em = em * 9 / 10) {
        em = em > FONT_MAX_SIZE ? FONT_MAX_SIZE : em < FONT_BUILT_IN_EM ? FONT_BUILT_IN_EM : em;
        const FontSpec spec = {.sources = o->fonts, .size = em, .outline_width = em / 20 + 1};
        Font *font = font_open(&spec, diag);
        if (!font || em == FONT_BUILT_IN_EM ||
            (widest(lines, font) + space <= r->width &&
             (int)lines->count * line_height(font) + space <= r->height))
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
static void draw_title(Tile *tile, const FilmOverlay *o, const LineList *lines, Font *font,
                       const Film *film)
{
    const int edge = font_outline_width(font), height = line_height(font);
    const int all = widest(lines, font), rows = (int)lines->count * height;
    const int width = all + 2 * edge, limit = film->render.width;
    TextColors colors;
    to_bytes(colors.fill, o->title->color);
    to_bytes(colors.outline, o->title->outline);
    tile->image = (Image){.width = width < limit ? width : limit,
                          .height = rows < film->render.height ? rows : film->render.height,
                          .has_alpha = true};
    tile->image.pixels = arena_calloc(tile->arena, (size_t)tile->image.width + 1,
                                      4 * ((size_t)tile->image.height + 1));
    int baseline = (height - font_ascent(font) - font_descent(font)) / 2 + font_ascent(font);
    for (size_t i = 0; i < lines->count; i++, baseline += height) {
        const int free_x = all - text_width(font, lines->items[i]);
        text_draw(&tile->image, font, &colors, edge + free_x * (o->title->place % 3) / 2, baseline,
                  lines->items[i]);
    }
}

static bool make_title(Tile *tile, const FilmOverlay *o, const Film *film, Diag *diag)
{
    const LineList lines = lines_of(o->title->text, tile->arena);
    Font *font = open_title_font(o, &lines, film, diag);
    if (!font)
        return false;
    draw_title(tile, o, &lines, font, film);
    place_tile(tile, film, o->title->place, o->title->margin);
    font_close(font);
    return true;
}

/* ---- drawing ---- */

static void draw_tile(Image *image, const Tile *tile, double opacity)
{
    const unsigned whole = (unsigned)lround(opacity * 255);
    const Image *t = &tile->image;
    for (int y = 0; y < t->height; y++)
        for (int x = 0; x < t->width; x++) {
            const int to_x = tile->left + x, to_y = tile->top + y;
            if (to_x < 0 || to_y < 0 || to_x >= image->width || to_y >= image->height)
                continue;
            const uint8_t *from = t->pixels + 4 * ((size_t)y * (size_t)t->width + (size_t)x);
            uint8_t *to = image->pixels + 4 * ((size_t)to_y * (size_t)image->width + (size_t)to_x);
            if (!image->has_alpha)
                to[3] = 255;
            text_blend(to, from, (from[3] * whole + 127) / 255);
        }
}

bool overlays_draw(Image *image, Overlays *overlays, size_t scene, int64_t frame, Diag *diag)
{
    const Film *film = overlays->film;
    for (size_t i = 0; i < film->overlay_count; i++) {
        const FilmOverlay *o = &film->overlays[i];
        Tile *tile = &overlays->tiles[i];
        const double opacity = opacity_at(o, frame);
        if (opacity > 0 && o->scene != scene)
            continue;
        if (opacity <= 0) {
            forget(tile);
            continue;
        }
        if (!tile->arena) {
            tile->arena = arena_create();
            if (!(o->title ? make_title : make_picture)(tile, o, film, diag))
                return false;
        }
        draw_tile(image, tile, opacity);
    }
    return true;
}
