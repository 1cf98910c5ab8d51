#include "job/job_archives.h"

#include <string.h>

#include "base/archive_path.h"
#include "base/path.h"
#include "base/text.h"
#include "base/text_stream.h"
#include "job/job_visit.h"

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

static void open_file(void *user, const JobFile *file)
{
    static const struct {
        OptionRole from;
        ArchiveRole to;
    } kinds[] = {{ROLE_INPUT_MODEL, ARCHIVE_MODEL},
                 {ROLE_INPUT_MOTION, ARCHIVE_MOTION},
                 {ROLE_INPUT_SOUND, ARCHIVE_SOUND},
                 {ROLE_INPUT_IMAGE, ARCHIVE_IMAGE},
                 {ROLE_INPUT_VIDEO, ARCHIVE_VIDEO}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (file->role == kinds[i].from && archive_path_is_archive(file->path))
            choose(user, file->field, kinds[i].to, file->key);
}

bool job_open_archives(Job *job, Arena *arena, Diag *diag)
{
    Opening o = {job, arena, diag, true};
    job_change_files(job, open_file, &o);
    return o.good;
}
