// SPDX-License-Identifier: MIT
#include "film/path_conflicts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/archive_path.h"
#include "base/embedded_text.h"
#include "base/file.h"
#include "base/name_pattern.h"
#include "base/path.h"
#include "base/write_root.h"
#include "film/film_images.h"
#include "job/job_scene.h"
#include "job/job_scenes.h"
#include "job/job_visit.h"

/* More frames than that are not enumerated: patterns that look alike then count as equal. */
enum { MAX_ENUMERATED = 1 << 18 };

typedef struct Target {
    const char *label, *file;
    const char *directory; /* real path of the nearest existing directory, "" for the root */
    const char *rest;      /* the path below it, without "." and ".." */
    struct stat at;        /* status of that directory */
    bool exists;
    struct stat st; /* status of the file itself, if it exists; unused for patterns */
    bool pattern;
    size_t start;                  /* of a pattern: the size of `rest` before the number */
    size_t directory_size;         /* of `rest`: the part before the name */
    FrameRanges frames;            /* frames of a pattern */
    ARENA_LIST(struct stat) links; /* existing files of the pattern that have another name, too */
} Target;

typedef ARENA_LIST(Target *) Targets;

/* The names in a directory, read once: the stills of all jobs of a batch can be in one. */
typedef struct Listing {
    struct stat at;
    ARENA_LIST(const char *) names;
} Listing;

struct PathConflicts {
    DiagKind kind;
    Arena *arena;
    Targets inputs, outputs;
    ARENA_LIST(Listing) listings;
};

/* ---- the identity of a path ---- */

static bool same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static const char *without_last(char *real)
{
    char *slash = strrchr(real, '/');
    if (slash)
        *slash = '\0';
    return real;
}

/* Resolves the longest existing directory of `path`. */
static bool resolve(Target *t, const char *path, Arena *arena)
{
    char *directory = path_directory(path, arena), *real;
    const char *rest = path_name(path);
    size_t up = 0;
    if (!*directory)
        directory = arena_strdup(arena, ".");
    while (!(real = realpath(directory, NULL))) {
        size_t end = strlen(directory);
        while (end > 0 && directory[end - 1] == '/')
            end--;
        directory[end] = '\0';
        const char *name = path_name(directory);
        if (!*name || (errno != ENOENT && errno != ENOTDIR))
            return false;
        if (!strcmp(name, ".."))
            up++;
        else if (strcmp(name, ".") != 0 && up)
            up--;
        else if (strcmp(name, ".") != 0)
            rest = arena_printf(arena, "%s/%s", name, rest);
        directory[name - directory] = '\0';
        if (!*directory)
            directory = arena_strdup(arena, ".");
    }
    for (; up > 0; up--)
        without_last(real);
    t->directory = arena_strdup(arena, strcmp(real, "/") != 0 ? real : "");
    t->rest = rest;
    t->directory_size = (size_t)(path_name(rest) - rest);
    t->start = t->pattern ? (size_t)(name_pattern_parse(rest).number - rest) : strlen(rest);
    free(real);
    return stat(*t->directory ? t->directory : "/", &t->at) == 0;
}

static Target *make_target(const char *label, const char *file, bool may_be_pattern, Arena *arena)
{
    Target *t = arena_array(arena, Target, 1);
    t->pattern = may_be_pattern && name_pattern_has_number(file);
    t->label = arena_strdup(arena, label);
    t->file = arena_strdup(arena, file);
    t->exists = !t->pattern && stat(file, &t->st) == 0;
    return resolve(t, t->file, arena) ? t : NULL;
}

/* ---- patterns ---- */

static bool has_frame(const FrameRanges *frames, int64_t frame)
{
    for (size_t i = 0; i < frames->count; i++)
        if (frame >= frames->items[i].first && frame <= frames->items[i].last)
            return true;
    return !frames->count;
}

static bool has_file(const Target *pattern, const char *path)
{
    const int64_t frame = name_pattern_frame(pattern->rest, path);
    return frame >= 0 && has_frame(&pattern->frames, frame);
}

/* Whether a path, given by an existing directory and the rest, is a file of the pattern. */
static bool is_in_pattern(const Target *pattern, const char *directory, const char *rest)
{
    char path[8192];
    struct stat st;
    if (snprintf(path, sizeof path, "%s/%s", directory, rest) >= (int)sizeof path)
        return false;
    for (char *slash = strrchr(path, '/'); slash;) {
        *slash = '\0';
        const bool here = has_file(pattern, slash + 1) && stat(*path ? path : "/", &st) == 0 &&
                          same_file(&st, &pattern->at);
        char *const next = strrchr(path, '/');
        *slash = '/';
        if (here)
            return true;
        slash = next;
    }
    return false;
}

static const Listing *list_directory(PathConflicts *conflicts, const Target *pattern)
{
    for (size_t i = 0; i < conflicts->listings.count; i++)
        if (same_file(&conflicts->listings.items[i].at, &pattern->at))
            return &conflicts->listings.items[i];
    Listing *listing = arena_push(conflicts->arena, &conflicts->listings);
    *listing = (Listing){.at = pattern->at};
    DIR *list = path_open_directory(*pattern->directory ? pattern->directory : "/");
    for (const struct dirent *entry; list && (entry = readdir(list)) != NULL;)
        *arena_push(conflicts->arena, &listing->names) =
            arena_strdup(conflicts->arena, entry->d_name);
    if (list)
        closedir(list);
    return listing;
}

static void list_links(PathConflicts *conflicts, Target *pattern)
{
    if (pattern->directory_size)
        return; /* its directory does not exist */
    const Listing *listing = list_directory(conflicts, pattern);
    for (size_t i = 0; i < listing->names.count; i++) {
        char path[8192];
        struct stat own, st;
        if (!has_file(pattern, listing->names.items[i]))
            continue;
        snprintf(path, sizeof path, "%s/%s", pattern->directory, listing->names.items[i]);
        if (lstat(path, &own) == 0 && stat(path, &st) == 0 &&
            (S_ISLNK(own.st_mode) || st.st_nlink > 1))
            *arena_push(conflicts->arena, &pattern->links) = st;
    }
}

/* Whether an existing file of the pattern is, by a link, the file `t`. */
static bool has_link_to(const Target *pattern, const Target *t)
{
    for (size_t i = 0; t->exists && i < pattern->links.count; i++)
        if (same_file(&pattern->links.items[i], &t->st))
            return true;
    return false;
}

/* Whether the texts before and after the numbers allow equal names. */
static bool look_alike(const char *a, const char *b)
{
    const NamePattern p = name_pattern_parse(a), q = name_pattern_parse(b);
    const size_t before = (size_t)(p.number - a), other = (size_t)(q.number - b);
    if (strncmp(a, b, before < other ? before : other) != 0)
        return false;
    const size_t end_a = strlen(p.after), end_b = strlen(q.after);
    const size_t shorter = end_a < end_b ? end_a : end_b;
    return !strcmp(p.after + end_a - shorter, q.after + end_b - shorter);
}

/* Whether two patterns have a file in common. */
static bool patterns_overlap(const Target *a, const Target *b)
{
    char name[4096];
    if (same_file(&a->at, &b->at) && !look_alike(a->rest, b->rest))
        return false;
    if (same_file(&a->at, &b->at) &&
        (!a->frames.count || film_frame_count(&a->frames) > MAX_ENUMERATED))
        return true;
    int64_t left = MAX_ENUMERATED;
    for (size_t i = 0; i < a->frames.count; i++)
        for (int64_t f = a->frames.items[i].first; f <= a->frames.items[i].last && left-- > 0; f++)
            if (name_pattern_file(name, sizeof name, a->rest, f) &&
                is_in_pattern(b, a->directory, name))
                return true;
    return false;
}

/* A quick answer for most pairs of a batch: other directories, or names that begin differently. */
static bool are_apart(const Target *a, const Target *b)
{
    const size_t start = a->start < b->start ? a->start : b->start;
    return !a->links.count && !b->links.count &&
           (!same_file(&a->at, &b->at) || a->directory_size != b->directory_size ||
            strncmp(a->rest, b->rest, start) != 0);
}

static bool overlap(const Target *a, const Target *b)
{
    if ((a->pattern || b->pattern) && are_apart(a, b))
        return false;
    if (a->pattern && b->pattern)
        return patterns_overlap(a, b);
    if (a->pattern)
        return is_in_pattern(a, b->directory, b->rest) || has_link_to(a, b);
    if (b->pattern)
        return overlap(b, a);
    if (a->exists && b->exists && S_ISDIR(b->st.st_mode)) /* a directory that is read */
        return same_file(&a->at, &b->st) && !strchr(a->rest, '/');
    return (a->exists && b->exists && same_file(&a->st, &b->st)) ||
           (same_file(&a->at, &b->at) && !strcmp(a->rest, b->rest));
}

/* ---- collecting ---- */

PathConflicts *path_conflicts_create(DiagKind kind, Arena *arena)
{
    PathConflicts *conflicts = arena_array(arena, PathConflicts, 1);
    *conflicts = (PathConflicts){.kind = kind, .arena = arena};
    return conflicts;
}

static void add_input(PathConflicts *conflicts, const char *label, const char *file,
                      bool may_be_pattern)
{
    for (size_t i = 0; i < conflicts->inputs.count; i++)
        if (!strcmp(conflicts->inputs.items[i]->file, file))
            return;
    Target *t = make_target(label, file, may_be_pattern, conflicts->arena);
    if (t)
        *arena_push(conflicts->arena, &conflicts->inputs) = t;
}

void path_conflicts_add_input(PathConflicts *conflicts, const char *label, const char *file)
{
    if (file)
        add_input(conflicts, label, archive_path_container(file, conflicts->arena), false);
}

void path_conflicts_add_source(PathConflicts *conflicts, const char *label, const char *source)
{
    add_input(conflicts, label, source, true);
}

size_t path_conflicts_input_count(const PathConflicts *conflicts)
{
    return conflicts->inputs.count;
}

const char *path_conflicts_input_label(const PathConflicts *conflicts, size_t index)
{
    return conflicts->inputs.items[index]->label;
}

const char *path_conflicts_input_file(const PathConflicts *conflicts, size_t index)
{
    return conflicts->inputs.items[index]->file;
}

/* Temporary files, locks and the checkpoint directory have longer names, of NAME_MAX bytes at most:
 * ".NAME.4194304.tmp.renamed", where NAME may contain the number of a frame instead of "%d". */
static bool check_length(const char *label, const char *file, Diag *diag)
{
    enum { MAX_BYTES = 225 };
    const size_t bytes = strlen(path_name(file));
    return bytes <= MAX_BYTES || file_is_stream(file) ||
           diag_fail(diag, DIAG_CREATE, "%s: the name of '%s' has %zu bytes (at most %d)", label,
                     file, bytes, MAX_BYTES);
}

bool path_conflicts_add_output(PathConflicts *conflicts, const char *label, const char *file,
                               const FrameRanges *frames, Diag *diag)
{
    if (!*file || file_is_null(file))
        return true;
    if (!check_length(label, file, diag) || !write_root_check(file, diag))
        return false;
    Target *t = make_target(label, file, frames, conflicts->arena);
    if (!t) /* the directory cannot be read, which is reported when the output is created */
        return true;
    if (frames)
        t->frames = *frames;
    if (t->pattern)
        list_links(conflicts, t);
    for (size_t i = 0; i < conflicts->inputs.count; i++) {
        const Target *in = conflicts->inputs.items[i];
        if (overlap(t, in))
            return diag_fail(diag, conflicts->kind,
                             "%s: '%s' would replace an input, '%s' (%s); choose another name",
                             label, file, in->file, in->label);
    }
    for (size_t i = 0; i < conflicts->outputs.count; i++) {
        const Target *out = conflicts->outputs.items[i];
        if (overlap(t, out))
            return diag_fail(diag, conflicts->kind,
                             "%s: '%s' is the same file as another output, '%s' (%s); choose "
                             "another name",
                             label, file, out->file, out->label);
    }
    *arena_push(conflicts->arena, &conflicts->outputs) = t;
    return true;
}

/* ---- the files of a job ---- */

static void add_shaders(PathConflicts *c, const char *key, const char *directory)
{
    for (const EmbeddedText *shader = embedded_shaders; shader->name; shader++)
        path_conflicts_add_input(c, key, arena_printf(c->arena, "%s/%s", directory, shader->name));
}

static void add_file(void *user, const JobFile *file)
{
    if (file->role == ROLE_INPUT_SHADERS)
        add_shaders(user, file->key, file->path);
    else if (file->role != ROLE_OUTPUT)
        path_conflicts_add_input(user, file->key, file->path);
}

static void add_found(PathConflicts *c, const Scene *scene)
{
    for (size_t i = 0; i < scene->model_count; i++) {
        const Model *model = scene->models[i].model;
        if (!model->file)
            continue;
        const char *from = model->mesh_file ? model->mesh_file : model->file;
        PathTree tree = path_tree_init(path_directory(from, c->arena), c->arena);
        path_conflicts_add_input(c, arena_printf(c->arena, "mesh of '%s'", model->file), from);
        for (size_t k = 0; k < model->files.paths.count; k++)
            path_conflicts_add_input(c, arena_printf(c->arena, "a file of '%s'", model->file),
                                     model->files.paths.items[k]);
        for (uint32_t k = 0; k < model->pmx.texture_count; k++) {
            const char *name = model->pmx.textures[k], *path = NULL;
            ArchiveNames same;
            if (name && *name && !pmx_texture_is_embedded(&model->pmx, k) &&
                model_find_texture(&path, &same, &tree, name))
                path_conflicts_add_input(c, arena_printf(c->arena, "texture of '%s'", model->file),
                                         path);
        }
    }
    for (size_t i = 0; i < scene->motion_files.paths.count; i++)
        path_conflicts_add_input(c, "a file of a motion", scene->motion_files.paths.items[i]);
    for (size_t i = 0; i < scene->effects.file_count; i++)
        path_conflicts_add_input(c, "a file of an effect", scene->effects.files[i]);
}

void path_conflicts_add_job(PathConflicts *conflicts, const Job *job, const Scene *scene)
{
    path_conflicts_add_input(conflicts, "the job file", job->file);
    if (job->preset_file)
        path_conflicts_add_input(conflicts, "--preset", job->preset_file);
    job_visit_files(job, add_file, conflicts);
    if (scene)
        add_found(conflicts, scene);
}

void path_conflicts_add_film(PathConflicts *conflicts, const Film *film)
{
    path_conflicts_add_job(conflicts, film->job, NULL);
    for (size_t i = 0; i < film->scene_count; i++)
        add_found(conflicts, &film->scenes[i].scene);
}

/* ---- checks ---- */

/* Outputs that -o sets are the command line's. */
static DiagKind error_kind(const Job *job)
{
    for (size_t i = 0; i < job->value_count; i++)
        if (!strncmp(job->values[i].key, "outputs", strlen("outputs")) &&
            !strcmp(job->values[i].source, "--output"))
            return DIAG_USAGE;
    return DIAG_JOB;
}

/* The files beside outputs; outputs of the same pass in a directory share theirs. */
static bool add_notes(PathConflicts *conflicts, const Film *film, Diag *diag)
{
    Arena *arena = conflicts->arena;
    const char **files = arena_array(arena, const char *, film->output_count);
    bool good = true;
    for (size_t i = 0; i < film->output_count; i++) {
        size_t k = 0;
        files[i] = film_note_file(&film->outputs[i], arena);
        while (files[i] && k < i && (!files[k] || strcmp(files[k], files[i]) != 0))
            k++;
        if (files[i] && k == i)
            good &= path_conflicts_add_output(
                conflicts, arena_printf(arena, "the JSON beside outputs.%zu.file", i), files[i],
                NULL, diag);
    }
    return good;
}

bool path_conflicts_check_film(const Film *film, Diag *diag)
{
    Arena *arena = arena_create();
    PathConflicts *c = path_conflicts_create(error_kind(film->job), arena);
    bool good = true;
    path_conflicts_add_film(c, film);
    for (size_t i = 0; i < film->output_count; i++) {
        const FilmOutput *out = &film->outputs[i];
        good &= path_conflicts_add_output(c, arena_printf(arena, "outputs.%zu.file", i),
                                          out->options.file,
                                          !out->kind->each_frame ? NULL
                                          : out->frames.count    ? &out->frames
                                                                 : &film->frames,
                                          diag);
    }
    for (size_t i = 0; i < film->preview_count; i++) {
        const FilmOutput *out = &film->previews[i].output;
        good &= path_conflicts_add_output(c, arena_printf(arena, "previews.%zu.file", i),
                                          out->options.file, NULL, diag);
    }
    good &= add_notes(c, film, diag);
    arena_destroy(arena);
    return good;
}

/* Adds the textures of models that are not loaded yet; errors are reported by the caller later. */
static void load_textures(PathConflicts *conflicts, const Job *job, Arena *arena)
{
    Diag silent = diag_quiet();
    for (size_t i = 0; i < job_scene_count(job); i++) {
        const SceneSpec spec =
            job_scene_spec(job->scene_count ? job_of_scene(job, i, 0, arena) : job, false, arena);
        Scene scene;
        if (scene_load(&scene, &spec, arena, &silent))
            add_found(conflicts, &scene);
    }
}

bool path_conflicts_check_file(const char *label, const char *file, const Job *job,
                               const Scene *scene, Diag *diag)
{
    Arena *arena = arena_create();
    PathConflicts *c = path_conflicts_create(DIAG_USAGE, arena);
    path_conflicts_add_job(c, job, scene);
    if (!scene)
        load_textures(c, job, arena);
    const bool good = path_conflicts_add_output(c, label, file, NULL, diag);
    arena_destroy(arena);
    return good;
}
