#include "inspect/benchmark_run.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/path.h"
#include "pipeline/frame_loop.h"

enum { RUNS = 3, RUN_FRAMES = 8 };

typedef struct Trial {
    const Film *film;
    Film part; /* what is drawn of it */
    Job job;   /* with one worker */
    char folder[1024];
    Arena *arena;
} Trial;

/* ---- the folder ---- */

static bool make_folder(Trial *t, Diag *diag)
{
    const char *place = getenv("TMPDIR");
    snprintf(t->folder, sizeof t->folder, "%s/odori-plan-XXXXXX", place && *place ? place : "/tmp");
    if (mkdtemp(t->folder))
        return true;
    diag_fail(diag, file_problem(errno, DIAG_CREATE), "cannot create '%s': %s", t->folder,
              strerror(errno));
    t->folder[0] = '\0';
    return false;
}

static void remove_folder(const Trial *t)
{
    DIR *list = t->folder[0] ? opendir(t->folder) : NULL;
    for (const struct dirent *entry; list && (entry = readdir(list)) != NULL;)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            unlinkat(dirfd(list), entry->d_name, 0);
    if (list)
        closedir(list);
    if (t->folder[0])
        rmdir(t->folder);
}

/* ---- what is drawn ---- */

/* A film in pieces is written as one, of which the pictures' sizes can be told. */
static void redirect(Trial *t, size_t index)
{
    FilmOutput *out = &t->part.outputs[index];
    out->options.target = out->options.file;
    if (out->kind->pieces) {
        out->options.file =
            arena_printf(t->arena, "%s/%zu.%s", t->folder, index, out->kind->pieces->extension);
        out->kind = out->kind->pieces->kind;
        out->options.gop = RUN_FRAMES;
    } else if (out->kind == &sink_png) {
        out->options.file = arena_printf(t->arena, "%s/%zu-%%08d.png", t->folder, index);
    } else if (out->kind != &sink_null) {
        out->options.file = arena_printf(t->arena, "%s/%zu.%s", t->folder, index,
                                         path_extension(out->options.file));
    }
    out->options.sound = (SinkSound){0};
    out->options.first_frame = t->part.frames.items[0].first;
    out->options.frame_count = t->part.frame_count;
}

/* Runs at these places, as frames. */
static void take_part(Trial *t, const int64_t *starts, size_t runs, int64_t length)
{
    const Film *film = t->film;
    t->part = *film;
    t->part.job = &t->job;
    t->part.frames = (JobFrames){arena_array(t->arena, JobRange, runs * (size_t)length), 0};
    for (size_t i = 0; i < runs; i++)
        for (int64_t p = starts[i]; p < starts[i] + length; p++) {
            const int64_t frame = film_frame_at(film, p);
            t->part.frames.items[t->part.frames.count++] = (JobRange){frame, frame};
        }
    t->part.frame_count = (int64_t)t->part.frames.count;
    t->part.outputs =
        arena_copy(t->arena, film->outputs, film->output_count * sizeof *film->outputs);
    for (size_t i = 0; i < film->output_count; i++)
        redirect(t, i);
}

static bool draw(RenderReport *report, Trial *t, Progress *progress,
                 const volatile sig_atomic_t *stop, Diag *diag)
{
    const FrameLoopOptions options = {.auxiliary = true};
    return frame_loop_run(report, &t->part, NULL, (FilmSpan){0, t->part.frame_count}, &options,
                          progress, stop, diag);
}

/* ---- what it took ---- */

static double mean(const SinkRecord *records, size_t first, size_t count, size_t step)
{
    double sum = 0;
    size_t n = 0;
    for (size_t i = first; i < count; i += step, n++)
        sum += (double)records[i].bytes;
    return n ? sum / (double)n : 0;
}

/* Of a picture, when key frames come as seldom as in the film. */
static double picture_bytes(const Trial *t, size_t index)
{
    const FilmOutput *out = &t->part.outputs[index], *whole = &t->film->outputs[index];
    const size_t count = (size_t)t->part.frame_count;
    SinkRecord *records = arena_array(t->arena, SinkRecord, count);
    struct stat st;
    if (whole->kind->pieces) {
        if (!whole->kind->pieces->inspect(records, count, out->options.file))
            return 0;
        const double key = mean(records, 0, count, RUN_FRAMES), all = mean(records, 0, count, 1);
        const double rest = count > RUN_FRAMES ? (all * RUN_FRAMES - key) / (RUN_FRAMES - 1) : all;
        const double gop = sink_gop(&whole->options);
        return (key + (gop - 1) * rest) / gop;
    }
    for (size_t i = 0; whole->kind->inspect && i < count; i++)
        whole->kind->inspect(&records[i], &out->options, t->part.frames.items[i].first);
    if (whole->kind->inspect)
        return mean(records, 0, count, 1);
    return stat(out->options.file, &st) == 0 ? (double)st.st_size / (double)count : 0;
}

static bool remembers(const Scene *scene)
{
    bool any = scene->cloth_count > 0;
    for (size_t i = 0; i < scene->model_count; i++)
        any |= scene->models[i].physics && scene->models[i].model->pmx.body_count > 0;
    return any;
}

/* Frames that were evaluated for those that were drawn. */
static double evaluated(const Trial *t)
{
    const JobFrames *frames = &t->part.frames;
    return remembers(&t->film->scene) ? (double)frames->items[frames->count - 1].last + 1
                                      : (double)frames->count;
}

static void fill(FrameEstimate *frame, const Trial *t, const RenderReport *one,
                 const RenderReport *all, double load_s)
{
    const double more = (double)(all->frames - one->frames);
    *frame = (FrameEstimate){.measured = true, .evaluate_s = all->evaluate_s / evaluated(t)};
    frame->encode_s = all->encode_s / (double)all->frames;
    frame->draw_s = more > 0 ? (all->draw_s + all->write_s - one->draw_s - one->write_s) / more
                             : all->draw_s + all->write_s;
    if (frame->draw_s <= 0) /* too quick to tell */
        frame->draw_s = (all->draw_s + all->write_s) / (double)all->frames;
    frame->start_s = load_s + one->wall_s;
    for (size_t i = 0; i < t->film->output_count && i < JOB_MAX_OUTPUTS; i++)
        frame->bytes[i] = picture_bytes(t, i);
}

bool benchmark_run(FrameEstimate *frame, const Film *film, double load_s, Progress *progress,
                   const volatile sig_atomic_t *stop, Diag *diag)
{
    const int64_t count = film->frame_count;
    const bool few = count < (int64_t)RUNS * RUN_FRAMES;
    const int64_t starts[RUNS] = {0, (count - RUN_FRAMES) / 2, count - RUN_FRAMES};
    Trial *t = memory_alloc(1, sizeof *t);
    RenderReport one, all;
    t->film = film;
    t->arena = arena_create();
    t->job = *film->job;
    t->job.render.workers = 1;
    bool ok = make_folder(t, diag);
    if (ok) {
        take_part(t, starts, 1, 1);
        ok = draw(&one, t, progress, stop, diag);
    }
    if (ok) {
        take_part(t, starts, few ? 1 : RUNS, few ? count : RUN_FRAMES);
        ok = draw(&all, t, progress, stop, diag);
    }
    if (ok)
        fill(frame, t, &one, &all, load_s);
    remove_folder(t);
    arena_destroy(t->arena);
    memory_free(t);
    return ok;
}
