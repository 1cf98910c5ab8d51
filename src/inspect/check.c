#include "inspect/check.h"

#include <inttypes.h>
#include <string.h>

#include "base/json.h"
#include "base/text_escape.h"
#include "film/film.h"

typedef struct Problem {
    DiagLevel level;
    const char *message;
} Problem;

typedef struct Problems {
    struct {
        Problem *items;
        size_t count, capacity;
    } list;
    Arena *arena;
} Problems;

static void collect(void *user, DiagLevel level, const char *message)
{
    Problems *problems = user;
    if (level == DIAG_NOTE)
        return;
    *arena_push(problems->arena, &problems->list) =
        (Problem){level, arena_strdup(problems->arena, message)};
}

static void write_film(Json *json, const Film *film)
{
    const JobRender *render = &film->job->render;
    json_key(json, "name");
    json_text(json, film->job->name);
    json_key(json, "models");
    json_int(json, (int64_t)film->scene.model_count);
    json_key(json, "frames");
    json_int(json, film->frame_count);
    json_key(json, "size");
    json_open(json, '[');
    json_int(json, render->size[0]);
    json_int(json, render->size[1]);
    json_close(json, ']');
    json_key(json, "seconds");
    json_short(json, (double)film->frame_count * render->fps.den / render->fps.num);
}

static void write_json(FILE *out, const char *job, const Film *film, const Problems *problems)
{
    Json json = json_init(out);
    json_open(&json, '{');
    json_key(&json, "job");
    json_text(&json, job);
    json_key(&json, "ok");
    json_bool(&json, film != NULL);
    json_key(&json, "problems");
    json_open(&json, '[');
    for (size_t i = 0; i < problems->list.count; i++) {
        json_newline(&json);
        json_open(&json, '{');
        json_key(&json, "level");
        json_text(&json, problems->list.items[i].level == DIAG_ERROR ? "error" : "warning");
        json_key(&json, "message");
        json_text(&json, problems->list.items[i].message);
        json_close(&json, '}');
    }
    json_close(&json, ']');
    if (film)
        write_film(&json, film);
    json_close(&json, '}');
    json_newline(&json);
}

static void write_line(FILE *out, const Film *film)
{
    const Job *job = film->job;
    const JobRational fps = job->render.fps;
    const size_t models = film->scene.model_count;
    text_printf(out, "%s: ok, %zu model%s, %" PRId64 " frames of %dx%d, %.2f s\n", job->file,
                models, models == 1 ? "" : "s", film->frame_count, job->render.size[0],
                job->render.size[1], (double)film->frame_count * fps.den / fps.num);
}

bool check_job(FILE *out, const JobSource *source, const CheckOptions *options, Diag *diag)
{
    Arena *arena = arena_create();
    Problems problems = {.arena = arena};
    DiagSink *const sink = diag->sink;
    void *const user = diag->user;
    Job job;
    Film film;

    if (options->json) {
        diag->sink = collect;
        diag->user = &problems;
    }
    const bool good = job_load(&job, source, arena, diag) &&
                      (!options->parsed || options->parsed(options->user, &job, diag)) &&
                      film_load(&film, &job, arena, diag);
    diag_flush(diag);
    diag->sink = sink;
    diag->user = user;
    if (options->json)
        write_json(out, source->path ? source->path : source->files[0], good ? &film : NULL,
                   &problems);
    else if (good)
        write_line(out, &film);
    arena_destroy(arena);
    return good;
}
