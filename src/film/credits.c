// SPDX-License-Identifier: MIT
#include "film/credits.h"

#include <math.h>
#include <string.h>

#include "base/archive_path.h"
#include "base/path.h"
#include "base/text.h"
#include "film/film.h"
#include "job/job_visit.h"

/* ---- lines ---- */

typedef ARENA_LIST(const char *) LineList;

enum { MAX_LINES = 200, MAX_COMMENT_LINES = 4, MAX_LINE_SIZE = 120 /* bytes */ };

static void add_line(LineList *lines, const char *line, Arena *arena)
{
    if (lines->count < MAX_LINES && text_find(TEXT_WORDS(lines->items, lines->count), line) < 0)
        *arena_push(arena, lines) = line;
}

/* A text of a file, without control characters and not cut within a character of UTF-8. */
static const char *clean(const char *text, size_t size, Arena *arena)
{
    while (size && (unsigned char)text[0] <= ' ')
        text++, size--;
    size = size < MAX_LINE_SIZE ? size : MAX_LINE_SIZE;
    while (size && ((unsigned char)text[size] & 0xc0) == 0x80)
        size--;
    char *copy = arena_strndup(arena, text, size);
    for (char *at = copy; *at; at++)
        if ((unsigned char)*at < ' ' || *at == 0x7f)
            *at = ' ';
    for (size_t end = strlen(copy); end && copy[end - 1] == ' ';)
        copy[--end] = '\0';
    return copy;
}

/* Whether a line of a comment names an author, or says what is allowed. */
static bool is_credit(const char *line)
{
    static const char *const words[] = {"author",     "copyright",
                                        "(c)",        "©",
                                        "model by",   "modeled",
                                        "made by",    "created by",
                                        "license",    "licence",
                                        "terms",      "redistribut",
                                        "commercial", "creativecommons",
                                        "作者",       "制作",
                                        "製作",       "作成",
                                        "著作",       "モデリング",
                                        "改造",       "改変",
                                        "配布",       "利用",
                                        "使用",       "規約",
                                        "商用",       "禁止"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcasestr(line, words[i]))
            return true;
    return false;
}

static void add_comment(LineList *lines, const char *comment, Arena *arena)
{
    int count = 0;
    for (const char *at = comment; *at && count < MAX_COMMENT_LINES; at += *at != '\0') {
        const size_t size = strcspn(at, "\r\n");
        const char *line = clean(at, size, arena);
        if (*line && is_credit(line)) {
            add_line(lines, line, arena);
            count++;
        }
        at += size;
    }
}

static const char *stem(const char *file, Arena *arena)
{
    const char *name = path_stem(file, arena);
    return clean(name, strlen(name), arena);
}

static void add_file(LineList *lines, const char *what, const char *file, Arena *arena)
{
    if (file)
        add_line(lines, arena_printf(arena, "%s: %s", what, stem(file, arena)), arena);
}

/* Readmes and licences of the archives that files of the job are in. */
typedef struct Readmes {
    LineList *lines;
    ARENA_LIST(const char *) archives; /* those that were read */
    Arena *arena;
} Readmes;

static void add_readmes(void *user, const JobFile *file)
{
    Readmes *readmes = user;
    const char *container = archive_path_container(file->path, readmes->arena);
    Diag quiet = diag_quiet();
    if (file->role == ROLE_OUTPUT || !strcmp(container, file->path) ||
        text_find(TEXT_WORDS(readmes->archives.items, readmes->archives.count), container) >= 0)
        return;
    *arena_push(readmes->arena, &readmes->archives) = container;
    const Archive *archive = archive_path_load(container, &quiet);
    int texts = 0;
    for (size_t i = 0; archive && i < archive->count && texts < ARCHIVE_MAX_TEXTS; i++)
        if (archive_is_text(&archive->files[i])) {
            add_comment(readmes->lines, archive_text(&archive->files[i], readmes->arena),
                        readmes->arena);
            texts++;
        }
}

static void add_models(LineList *lines, const FilmScene *scene, Arena *arena)
{
    for (size_t i = 0; i < scene->scene.model_count; i++) {
        const Model *model = scene->scene.models[i].model;
        if (!model || model->is_cloth) /* NULL: it could not be loaded */
            continue;
        const PmxModel *pmx = &model->pmx;
        const char *name =
            *pmx->name ? clean(pmx->name, strlen(pmx->name), arena) : stem(model->file, arena);
        add_line(lines, arena_printf(arena, "Model: %s", name), arena);
        add_comment(lines, *pmx->comment ? pmx->comment : pmx->comment_en, arena);
    }
}

static void add_motions_of(LineList *lines, const ModelSpec *models, size_t count, Arena *arena)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < models[i].motion_count; k++)
            add_file(lines, "Motion", models[i].motions[k].file, arena);
}

static void add_motions(LineList *lines, const Job *scene, Arena *arena)
{
    add_motions_of(lines, scene->models, scene->model_count, arena);
    add_motions_of(lines, scene->stage, scene->stage_count, arena);
    add_file(lines, "Camera", scene->camera.motion ? scene->camera.motion->file : NULL, arena);
}

static void add_sounds(LineList *lines, const JobSound *sounds, size_t count, Arena *arena)
{
    for (size_t i = 0; i < count; i++)
        add_file(lines, "Sound", sounds[i].file, arena);
}

static void add_found(LineList *lines, const Film *film, Arena *arena)
{
    const Job *job = film->job;
    for (size_t i = 0; i < film->scene_count; i++)
        add_models(lines, &film->scenes[i], arena);
    Readmes readmes = {.lines = lines, .arena = arena};
    job_visit_files(job, add_readmes, &readmes);
    for (size_t i = 0; i < film->scene_count; i++)
        add_motions(lines, film->scenes[i].job, arena);
    add_file(lines, "Sound", job->audio ? job->audio->file : NULL, arena);
    add_sounds(lines, job->sounds, job->sound_count, arena);
    for (size_t i = 0; i < job->scene_count; i++)
        add_sounds(lines, job->scenes[i].sounds, job->scenes[i].sound_count, arena);
}

static void load_lines(Film *film, Arena *arena)
{
    const JobCredits *credits = &film->job->credits;
    LineList lines = {0};
    for (size_t i = 0; i < credits->line_count; i++)
        if (!strcmp(credits->lines[i], "auto"))
            add_found(&lines, film, arena);
        else
            add_line(&lines, credits->lines[i], arena);
    if (!credits->line_count && credits->show > 0)
        add_found(&lines, film, arena);
    film->credits.lines = lines.items;
    film->credits.count = lines.count;
}

const char *credits_text(const Film *film, Arena *arena)
{
    const char *text = film->credits.count ? arena_strdup(arena, film->credits.lines[0]) : "";
    for (size_t i = 1; i < film->credits.count; i++)
        text = arena_printf(arena, "%s\n%s", text, film->credits.lines[i]);
    return text;
}

/* The font of burn_in, else installed ones. */
static bool load_fonts(Film *film, Arena *arena, Diag *diag)
{
    const char *given = job_burn_in_font(film->job);
    return film_fonts_load(&film->credits.fonts, film, "credits", given ? given : FONT_AUTO,
                           credits_text(film, arena), arena, diag);
}

bool credits_load(Film *film, Arena *arena, Diag *diag)
{
    load_lines(film, arena);
    return !(film->job->credits.show > 0) || load_fonts(film, arena, diag);
}

/* ---- drawing ---- */

bool credits_open(CreditRoll **roll, const Film *film, Arena *arena, Diag *diag)
{
    const FilmCredits *credits = &film->credits;
    *roll = NULL;
    if (!(film->job->credits.show > 0) || !credits->count)
        return true;
    const CreditRollSpec spec = {credits->lines, credits->count, credits->fonts, film->render.width,
                                 film->render.height};
    return (*roll = credit_roll_create(&spec, arena, diag)) != NULL;
}

enum { FADE_MS = 500 };

int credits_visibility(const Film *film, int64_t frame)
{
    if (!(film->job->credits.show > 0) || !film->credits.count)
        return 0;
    const Rational fps = film->job->render.fps;
    const double since_s =
        film->job->credits.show - (double)((film->credits.end - frame) * fps.den) / (double)fps.num;
    return since_s < 0 ? 0 : (int)fmin(256, 256 * (since_s * 1000 + 1) / FADE_MS);
}

void credits_draw(Image *image, CreditRoll *roll, const Film *film, int64_t frame)
{
    const int seen = credits_visibility(film, frame);
    if (seen)
        credit_roll_draw(image, roll, seen);
}
