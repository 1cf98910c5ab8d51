// SPDX-License-Identifier: MIT
#include "run/pipeline/picture_changes.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/image_scale.h"
#include "base/name_pattern.h"
#include "film/film.h"
#include "film/film_images.h"
#include "film/frame_ranges.h"
#include "media/picture.h"
#include "media/video_source.h"
#include "output/sink.h"
#include "run/checkpoint/checkpoint_reuse.h"
#include "run/checkpoint/run_record.h"

enum {
    BLOCK = 4,      /* pixels of a video are compared in blocks of this size, by their means, */
    TOLERANCE = 16, /* of which each channel may differ by so much: what an encoder changes */
    PICTURE_WIDTH = 192,
    GAP = 4 /* between the two pictures */
};

/* The earlier picture of a frame that is being drawn. */
typedef struct Before {
    Arena *arena; /* NULL: none */
    Image means;  /* of a video */
    Bytes file;   /* of a PNG file */
} Before;

/* The frame of a sixth that changed most. */
typedef struct Shown {
    Arena *arena; /* NULL: none yet */
    int64_t frame, pixels;
    Image pair;
} Shown;

struct PictureChanges {
    const Film *film;
    Checkpoint *checkpoint;
    const EarlierFilm *earlier;
    const FilmOutput *output;
    int64_t count;      /* of the frames that can have changed */
    VideoSource *video; /* opened at the first frame, after the workers are forked */
    bool failed;
    FrameChange changes[RUN_RECORD_COMPARED]; /* frame -1: not compared */
    Before before[RUN_RECORD_COMPARED];
    Shown shown[RUN_PICTURES];
};

PictureChanges *picture_changes_create(const Film *film, Checkpoint *checkpoint, Arena *arena)
{
    const EarlierFilm *earlier = checkpoint ? checkpoint_earlier(checkpoint) : NULL;
    if (!earlier)
        return NULL;
    PictureChanges *c = arena_array(arena, PictureChanges, 1);
    *c = (PictureChanges){.film = film,
                          .checkpoint = checkpoint,
                          .earlier = earlier,
                          .output = &film->outputs[earlier->output],
                          .count = film_frame_count(&earlier->frames)};
    for (size_t i = 0; i < RUN_RECORD_COMPARED; i++)
        c->changes[i].frame = -1;
    return c;
}

/* Where in a list of `size` items a frame has its place; -1 if another one has it. */
static int64_t place_of(const PictureChanges *c, int64_t frame, int64_t size)
{
    const int64_t at = frame_ranges_find(&c->earlier->frames, frame);
    if (at < 0 || c->count <= size)
        return at;
    const int64_t place = at * size / c->count;
    return at && (at - 1) * size / c->count == place ? -1 : place;
}

/* ---- before ---- */

static bool read_video(Before *out, PictureChanges *c, int64_t index, Diag *diag)
{
    const SinkOptions *options = &c->output->options;
    const Image *image;
    const VideoSourceSpec spec = {.file = options->file,
                                  .width = options->width,
                                  .height = options->height,
                                  .fit = IMAGE_STRETCH};
    const double middle_s = ((double)index + 0.5) * options->fps_den / options->fps_num;
    if (!c->video && !(c->video = video_source_open(&spec, diag)))
        return false;
    if (!video_source_read(&image, c->video, middle_s, diag))
        return false;
    out->means = image_scale(image, (image->width + BLOCK - 1) / BLOCK,
                             (image->height + BLOCK - 1) / BLOCK, out->arena);
    return true;
}

/* A file that was changed since is not compared. */
static bool read_still(Before *out, const PictureChanges *c, int64_t frame, int64_t index,
                       Diag *diag)
{
    char name[4096];
    const CompletedRecord *record = completed_set_find(c->earlier->stills, index);
    if (!record || !name_pattern_file(name, sizeof name, c->output->options.file, frame) ||
        !file_load(&out->file, name, FILE_MAX_SIZE, out->arena, diag))
        return false;
    const Digest digest = hash_bytes(out->file.data, out->file.size);
    return digest_equal(&digest, &record->record.digest);
}

static void forget(Before *before)
{
    arena_destroy(before->arena);
    *before = (Before){.arena = NULL};
}

void picture_changes_before(PictureChanges *c, int64_t frame)
{
    Diag quiet = diag_quiet();
    const int64_t place = c && !c->failed ? place_of(c, frame, RUN_RECORD_COMPARED) : -1;
    const int64_t index = place < 0 ? -1 : film_index_of(c->earlier->film, frame);
    if (index < 0 || c->changes[place].frame >= 0 || c->before[place].arena)
        return;
    Before *before = &c->before[place];
    before->arena = arena_create();
    if (c->earlier->stills) {
        if (!read_still(before, c, frame, index, &quiet))
            forget(before);
    } else if (!read_video(before, c, index, &quiet)) {
        forget(before);
        c->failed = true;
    }
}

/* ---- after ---- */

/* Pixels of which a channel differs by more than that. */
static int64_t count_different(const Image *a, const Image *b, int channels, int tolerance)
{
    const size_t pixels = (size_t)a->width * (size_t)a->height;
    int64_t count = 0;
    for (size_t i = 0; i < pixels; i++) {
        const uint8_t *left = a->pixels + 4 * i, *right = b->pixels + 4 * i;
        bool differs = false;
        for (int k = 0; k < channels; k++)
            differs |= abs(left[k] - right[k]) > tolerance;
        count += differs && !(channels == 4 && !left[3] && !right[3]); /* nothing is seen */
    }
    return count;
}

static void blit(Image *out, const Image *image, int left)
{
    for (int y = 0; y < image->height; y++)
        memcpy(out->pixels + 4 * ((size_t)y * (size_t)out->width + (size_t)left),
               image->pixels + 4 * (size_t)y * (size_t)image->width, 4 * (size_t)image->width);
}

/* Both pictures, small, side by side. */
static Image pair_of(const Image *before, const Image *after, Arena *arena)
{
    const Image left = image_scale_to_width(before, PICTURE_WIDTH, arena),
                right = image_scale_to_width(after, PICTURE_WIDTH, arena);
    Image pair = {2 * left.width + GAP, left.height, true, NULL};
    pair.pixels = arena_calloc(arena, (size_t)pair.width * (size_t)pair.height, 4);
    blit(&pair, &left, 0);
    blit(&pair, &right, left.width + GAP);
    return pair;
}

static void show(PictureChanges *c, int64_t frame, int64_t pixels, const Image *before,
                 const Image *after)
{
    const int64_t at = frame_ranges_find(&c->earlier->frames, frame);
    Shown *shown = &c->shown[c->count > RUN_PICTURES ? at * RUN_PICTURES / c->count : at];
    const bool more = pixels > shown->pixels || (pixels == shown->pixels && frame < shown->frame);
    if (!pixels || (shown->arena && !more))
        return;
    arena_destroy(shown->arena);
    *shown = (Shown){.arena = arena_create(), .frame = frame, .pixels = pixels};
    shown->pair = pair_of(before, after, shown->arena);
}

static void compare(PictureChanges *c, FrameChange *change, const Before *before, int64_t frame,
                    Image after, Arena *arena)
{
    Diag quiet = diag_quiet();
    Image earlier = before->means;
    const int64_t all = (int64_t)after.width * after.height;
    const bool is_video = earlier.pixels != NULL;
    const int channels = c->output->options.alpha ? 4 : 3;
    if (is_video)
        after = image_scale(&after, earlier.width, earlier.height, arena);
    else if (!picture_load(&earlier, before->file, arena, &quiet) || earlier.width != after.width ||
             earlier.height != after.height)
        return;
    const int64_t count = count_different(&earlier, &after, channels, is_video ? TOLERANCE : 0);
    *change = (FrameChange){frame, count * all / ((int64_t)after.width * after.height)};
    show(c, frame, change->pixels, &earlier, &after);
}

void picture_changes_after(PictureChanges *c, int64_t frame, uint8_t *pixels)
{
    const int64_t place = c ? place_of(c, frame, RUN_RECORD_COMPARED) : -1;
    if (place < 0 || !c->before[place].arena)
        return;
    Arena *arena = arena_create();
    compare(c, &c->changes[place], &c->before[place], frame,
            film_image(c->film, c->output->image, pixels), arena);
    forget(&c->before[place]);
    arena_destroy(arena);
}

/* ---- the result ---- */

void picture_changes_finish(PictureChanges *c)
{
    if (!c)
        return;
    Arena *arena = arena_create();
    Diag quiet = diag_quiet();
    FrameChange changes[RUN_RECORD_COMPARED];
    int64_t shown[RUN_PICTURES];
    size_t count = 0, shown_count = 0;
    const char *directory = checkpoint_directory_of(c->checkpoint);
    for (size_t i = 0; i < RUN_RECORD_COMPARED; i++) {
        if (c->changes[i].frame >= 0)
            changes[count++] = c->changes[i];
        forget(&c->before[i]);
    }
    for (size_t i = 0; i < RUN_PICTURES; i++) {
        Shown *s = &c->shown[i];
        if (s->arena && sink_png_save_image(run_record_picture(directory, shown_count, arena),
                                            &s->pair, NULL, &quiet))
            shown[shown_count++] = s->frame;
        arena_destroy(s->arena);
    }
    if (count)
        checkpoint_set_compared(c->checkpoint, changes, count,
                                (int64_t)c->output->options.width * c->output->options.height,
                                shown, shown_count);
    video_source_close(c->video);
    arena_destroy(arena);
}
