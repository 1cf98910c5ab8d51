#include "inspect/frame_capture.h"

#include "film/film_images.h"
#include "media/picture.h"

enum { NAME_SIZE = 1200 };

const char *frame_capture_pattern(const ScratchDirectory *directory, Arena *arena)
{
    return arena_printf(arena, "%s/%%08d.png", directory->path);
}

bool frame_capture_run(RenderReport *report, const ScratchDirectory *directory, const Film *film,
                       const FrameCapture *capture, Progress *progress,
                       const volatile sig_atomic_t *stop, Diag *diag)
{
    const FrameLoopOptions options = {.time_stages = capture->time_stages,
                                      .observer = capture->observer};
    Arena *arena = arena_create();
    Job job = *film->job;
    Film part = *film;
    FilmOutput output = {.kind = &sink_png,
                         .options = {.file = frame_capture_pattern(directory, arena),
                                     .width = capture->render.width,
                                     .height = capture->render.height,
                                     .fps_num = job.render.fps.num,
                                     .fps_den = job.render.fps.den,
                                     .alpha = capture->render.alpha,
                                     .first_frame = capture->frames.items[0].first,
                                     .frame_count = (int64_t)capture->frames.count}};
    job.render.workers = capture->workers ? capture->workers : job.render.workers;
    part.job = &job;
    part.render = capture->render;
    part.frames = capture->frames;
    part.frame_count = (int64_t)capture->frames.count;
    part.outputs = &output;
    part.output_count = 1;
    part.ordered = false;
    part.segment_frames = 1;
    film_choose_images(&part);
    const bool good = frame_loop_run(report, &part, NULL, (FilmSpan){0, part.frame_count}, &options,
                                     progress, stop, diag);
    arena_destroy(arena);
    return good;
}

bool frame_capture_load(Image *image, const ScratchDirectory *directory, int64_t frame,
                        Arena *arena, Diag *diag)
{
    char name[NAME_SIZE];
    Bytes bytes;
    return sink_png_name(name, sizeof name, frame_capture_pattern(directory, arena), frame) &&
           file_load(&bytes, name, FILE_MAX_SIZE, arena, diag) &&
           picture_load(image, bytes, arena, diag);
}
