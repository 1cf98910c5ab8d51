// SPDX-License-Identifier: MIT
#include "job/job_archives.h"

#include <string.h>

#include "base/archive_path.h"
#include "base/path.h"
#include "base/text_stream.h"
#include "job/job_visit.h"

enum { MAX_LISTED = 12 };

/* macOS adds "__MACOSX/._model.pmx" beside each file. */
static bool is_resource_fork(const char *name)
{
    return strstr(name, "__MACOSX/") || !strncmp(path_name(name), "._", 2);
}

/* 0 for the best kind that can be used so, more for others that count without it; -1: none.  A
 * model often comes in both formats, a song beside its video. */
static int rank_of(const char *name, FileUse use)
{
    const FileKind kind = file_kind_of_name(name);
    const unsigned uses = file_kinds[kind].uses;
    if (is_resource_fork(name))
        return -1;
    if (use == FILE_AS_MODEL && uses & FILE_AS_ACCESSORY)
        return 2;
    if (use == FILE_AS_SOUND && uses & FILE_AS_VIDEO)
        return 1;
    return uses & use ? kind == FILE_PMD : -1;
}

ArchiveMatches archive_matches(const Archive *archive, FileUse use, Arena *arena)
{
    ArchiveMatches matches = {0};
    for (int rank = 0; rank <= 2 && !matches.count; rank++)
        for (size_t i = 0; i < archive->count; i++)
            if (rank_of(archive->files[i].name, use) == rank)
                *arena_push(arena, &matches) = arena_strdup(arena, archive->files[i].name);
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

static void choose(Opening *o, const char **file, FileUse use, const char *key)
{
    const char *name = file_use_name(use);
    const DiagLocation *location = job_location(o->job, key, NULL, o->arena);
    diag_file(o->diag, *file);
    const Archive *archive = archive_path_load(*file, o->diag);
    diag_file(o->diag, NULL);
    o->good &= archive != NULL;
    if (!archive)
        return;
    ArchiveMatches matches = archive_matches(archive, use, o->arena);
    if (use == FILE_AS_MOTION && !matches.count) /* scenes and avatars with an animation */
        matches = archive_matches(archive, FILE_AS_CAPTURE, o->arena);
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
        FileUse to;
    } kinds[] = {{ROLE_INPUT_MODEL, FILE_AS_MODEL},   {ROLE_INPUT_MOTION, FILE_AS_MOTION},
                 {ROLE_INPUT_SOUND, FILE_AS_SOUND},   {ROLE_INPUT_TEXTURE, FILE_AS_IMAGE},
                 {ROLE_INPUT_EFFECT, FILE_AS_EFFECT}, {ROLE_INPUT_IMAGE, FILE_AS_IMAGE},
                 {ROLE_INPUT_VIDEO, FILE_AS_VIDEO}};
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
