// SPDX-License-Identifier: MIT
#include "inspect/frame_capture.h"

#include <zstd.h>

#include "film/film_images.h"

enum { LEVEL = 1 };

static size_t image_bytes(int width, int height)
{
    return 4 * (size_t)width * (size_t)height;
}

/* ---- observers of the loop ---- */

static void evaluated(void *user, int64_t frame, const void *packed, double cpu_s)
{
    const FrameObserver *observer = ((const FrameCapture *)user)->observer;
    if (observer && observer->evaluated)
        observer->evaluated(observer->user, frame, packed, cpu_s);
}

static void rendered(void *user, int64_t frame, const FrameTimes *times)
{
    const FrameObserver *observer = ((const FrameCapture *)user)->observer;
    if (observer && observer->rendered)
        observer->rendered(observer->user, frame, times);
}

static bool keep(void *user, int64_t frame, const Image *image, Diag *diag)
{
    FrameCapture *capture = user;
    const size_t bytes = image_bytes(image->width, image->height);
    Arena *scratch = arena_create();
    const size_t capacity = ZSTD_compressBound(bytes);
    void *packed = arena_alloc(scratch, capacity);
    const size_t size = ZSTD_compress(packed, capacity, image->pixels, bytes, LEVEL);
    const bool good =
        !ZSTD_isError(size) ||
        diag_fail(diag, DIAG_RESOURCE, "cannot compress a frame: %s", ZSTD_getErrorName(size));
    if (good)
        capture->captured[capture->captured_count++] =
            (CapturedFrame){frame,
                            image->width,
                            image->height,
                            image->has_alpha,
                            arena_copy(capture->arena, packed, size),
                            size};
    arena_destroy(scratch);
    return good;
}

bool frame_capture_run(RenderReport *report, FrameCapture *capture, const Film *film,
                       Progress *progress, const volatile sig_atomic_t *stop, Diag *diag)
{
    const FrameObserver observer = {capture, evaluated, rendered, keep};
    const FrameLoopOptions options = {
        .time_stages = capture->time_stages, .workers = capture->workers, .observer = &observer};
    FilmOutput output = {
        .kind = &sink_null,
        .options = {
            .file = "null:", .width = capture->render.width, .height = capture->render.height}};
    Film part = film_part(film, &capture->render, capture->frames, &output, 1);
    film_part_alone(&part);
    capture->captured = arena_array(capture->arena, CapturedFrame, capture->frames.count);
    capture->captured_count = 0;
    return frame_loop_run(report, &part, NULL, (FilmSpan){0, part.frame_count}, &options, progress,
                          stop, diag);
}

Image frame_capture_image(const FrameCapture *capture, int64_t frame, Arena *arena)
{
    const CapturedFrame *f = capture->captured;
    while (f->frame != frame)
        f++;
    const size_t bytes = image_bytes(f->width, f->height);
    const Image image = {f->width, f->height, f->has_alpha, arena_alloc(arena, bytes)};
    ZSTD_decompress(image.pixels, bytes, f->packed, f->packed_bytes);
    for (size_t i = 3; !f->has_alpha && i < bytes; i += 4)
        image.pixels[i] = 255; /* where there is no alpha, the renderer leaves any value */
    return image;
}
