#include "job/job_archives.h"

#include <string.h>

#include "base/archive_path.h"
#include "base/path.h"
#include "base/text.h"
#include "base/text_stream.h"
#include "job/job_location.h"

enum { MAX_LISTED = 12, MAX_EXTENSIONS = 16 };

static const struct {
    const char *name, *extensions[MAX_EXTENSIONS];
} roles[] = {
    [ARCHIVE_MODEL] = {"model", {"pmx"}},
    [ARCHIVE_MOTION] = {"motion", {"vmd", "vpd", "bvh", "vrma"}},
    [ARCHIVE_SOUND] = {"sound",
                       {"wav", "flac", "ogg", "oga", "opus", "mp3", "m4a", "aac", "mid", "midi"}},
    [ARCHIVE_IMAGE] = {"image", {"png", "jpg", "jpeg", "bmp", "tga", "dds", "webp"}},
    [ARCHIVE_VIDEO] = {"video", {"mp4", "m4v", "mov", "mkv", "webm", "avi"}},
};
/* Counted if an archive has none of those before them; a model often comes in both formats. */
static const char *const other_models[][MAX_EXTENSIONS] = {{"pmd"}, {"x", "vac"}};

/* macOS adds "__MACOSX/._model.pmx" beside each file. */
static bool is_resource_fork(const char *name)
{
    return strstr(name, "__MACOSX/") || !strncmp(path_name(name), "._", 2);
}

static void add_matches(ArchiveMatches *matches, const Archive *archive,
                        const char *const extensions[MAX_EXTENSIONS], Arena *arena)
{
    for (size_t i = 0; i < archive->count; i++) {
        const char *name = archive->files[i].name, *extension = path_extension(name);
        bool known = false;
        for (size_t k = 0; k < MAX_EXTENSIONS && extensions[k]; k++)
            known |= text_equal_ignoring_case(extension, extensions[k]);
        if (known && !is_resource_fork(name))
            *arena_push(arena, matches) = arena_strdup(arena, name);
    }
}

ArchiveMatches archive_matches(const Archive *archive, ArchiveRole role, Arena *arena)
{
    ArchiveMatches matches = {0};
    add_matches(&matches, archive, roles[role].extensions, arena);
    for (size_t i = 0; role == ARCHIVE_MODEL && i < sizeof other_models / sizeof *other_models; i++)
        if (!matches.count)
            add_matches(&matches, archive, other_models[i], arena);
    return matches;
}

typedef struct Opening {
    Job *job;
    Arena *arena;
    Diag *diag;
    bool good;
} Opening;

static const char *list_names(const char *archive, const ArchiveMatches *matches, Arena *arena)
{
    TextStream stream;
    FILE *out = text_stream_open(&stream, arena);
    for (size_t i = 0; i < matches->count && i < MAX_LISTED; i++)
        fprintf(out, "%s'%s/%s'", i ? ", " : "", archive, matches->items[i]);
    if (matches->count > MAX_LISTED)
        fprintf(out, ", and %zu more", matches->count - MAX_LISTED);
    return text_stream_close(&stream);
}

static void choose(Opening *o, const char **file, ArchiveRole role, const char *key)
{
    const char *name = roles[role].name;
    const DiagLocation *location = job_location(o->job, key, NULL, o->arena);
    diag_file(o->diag, *file);
    const Archive *archive = archive_path_load(*file, o->diag);
    diag_file(o->diag, NULL);
    o->good &= archive != NULL;
    if (!archive)
        return;
    const ArchiveMatches matches = archive_matches(archive, role, o->arena);
    if (matches.count == 1)
        *file = arena_printf(o->arena, "%s/%s", *file, matches.items[0]);
    else if (!matches.count)
        o->good = diag_fail_at(o->diag, location, DIAG_JOB, "'%s' contains no %s", *file, name);
    else
        o->good = diag_fail_at(o->diag, location, DIAG_JOB, "'%s' contains %zu %ss; name one: %s",
                               *file, matches.count, name, list_names(*file, &matches, o->arena));
}

static void open_file(Opening *o, const char **file, ArchiveRole role, const char *key)
{
    if (*file && archive_path_is_archive(*file))
        choose(o, file, role, key);
}

static void open_models(Opening *o, JobModel *models, size_t count, const char *list)
{
    for (size_t i = 0; i < count; i++) {
        open_file(o, &models[i].file, ARCHIVE_MODEL,
                  arena_printf(o->arena, "%s.%zu.file", list, i));
        for (size_t k = 0; k < models[i].motion_count; k++)
            open_file(o, &models[i].motions[k].file, ARCHIVE_MOTION,
                      arena_printf(o->arena, "%s.%zu.motions.%zu.file", list, i, k));
    }
}

bool job_open_archives(Job *job, Arena *arena, Diag *diag)
{
    Opening o = {job, arena, diag, true};
    open_models(&o, job->stage, job->stage_count, "stage");
    open_models(&o, job->models, job->model_count, "models");
    if (job->camera.motion)
        open_file(&o, &job->camera.motion->file, ARCHIVE_MOTION, "camera.motion");
    if (job->light.motion)
        open_file(&o, &job->light.motion->file, ARCHIVE_MOTION, "light.motion");
    open_file(&o, &job->background.image, ARCHIVE_IMAGE, "background.image");
    open_file(&o, &job->background.video, ARCHIVE_VIDEO, "background.video");
    if (job->audio)
        open_file(&o, &job->audio->file, ARCHIVE_SOUND, "audio.file");
    return o.good;
}
