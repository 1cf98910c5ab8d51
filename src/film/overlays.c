// SPDX-License-Identifier: MIT
#include "film/overlays.h"

#include <math.h>
#include <string.h>

#include "film/film_scenes.h"
#include "picture/overlay.h"

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

double overlay_opacity(const FilmOverlay *o, int64_t frame)
{
    const FrameRange *r = range_at(o, frame);
    const double whole = o->picture ? o->picture->opacity : 1;
    return r ? whole * fmin(part_of(frame - r->first, o->fade), part_of(r->last - frame, o->fade))
             : 0;
}

/* ---- loading ---- */

static bool add_title(Loader *l, const char *key, const TitleOptions *title, FrameRange span)
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

static bool add_picture(Loader *l, const char *key, const PictureOptions *picture, FrameRange span)
{
    Arena *scratch = arena_create();
    Image image;
    const bool good = overlay_read_picture(&image, picture, scratch, l->diag);
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
static bool add_all(Loader *l, const char *prefix, const PictureOptions *pictures,
                    size_t picture_count, const TitleOptions *titles, size_t title_count,
                    FrameRange span)
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

/* ---- drawing ---- */

struct Overlays {
    const Film *film;
    Overlay *made;
};

Overlays *overlays_open(const Film *film, Arena *arena)
{
    Overlays *o = arena_array(arena, Overlays, 1);
    *o = (Overlays){film, arena_array(arena, Overlay, film->overlay_count)};
    return o;
}

void overlays_close(Overlays *overlays)
{
    for (size_t i = 0; overlays && i < overlays->film->overlay_count; i++)
        overlay_forget(&overlays->made[i]);
}

static FrameSize frame_size(const Film *film)
{
    const RenderOptions *r = &film->render;
    return (FrameSize){r->width, r->height, (double)r->width / film->job->render.size[0]};
}

bool overlays_draw(Image *image, Overlays *overlays, size_t scene, int64_t frame, Diag *diag)
{
    const Film *film = overlays->film;
    for (size_t i = 0; i < film->overlay_count; i++) {
        const FilmOverlay *o = &film->overlays[i];
        Overlay *overlay = &overlays->made[i];
        const double opacity = overlay_opacity(o, frame);
        if (opacity > 0 && o->scene != scene)
            continue;
        if (opacity <= 0) {
            overlay_forget(overlay);
            continue;
        }
        if (!overlay->arena) {
            overlay->arena = arena_create();
            if (!(o->title
                      ? overlay_make_title(overlay, o->title, &o->fonts, frame_size(film), diag)
                      : overlay_make_picture(overlay, o->picture, frame_size(film), diag)))
                return false;
        }
        overlay_draw(image, overlay, opacity);
    }
    return true;
}
