// SPDX-License-Identifier: MIT
#include "job/job_files.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/archive_path.h"
#include "base/encoding.h"
#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "base/text_stream.h"
#include "format/file_kind.h"
#include "format/motion/vmd.h"
#include "job/job.h"
#include "job/job_archives.h"
#include "scene/asset_files.h"
#include "scene/mocap/body.h"

enum {
    AS_MODEL = FILE_AS_MODEL | FILE_AS_ACCESSORY,
    AS_MEMBER =
        FILE_AS_OPERAND & ~(FILE_AS_JOB | FILE_AS_PROJECT) /* a file of a film without a job */
};

static unsigned uses_of(const char *path)
{
    return file_kinds[file_kind_of_name(path)].uses;
}

bool job_has_job_extension(const char *path)
{
    return file_kind_of_name(path) == FILE_JOB;
}

bool job_is_job_name(const char *path)
{
    return !(uses_of(path) & AS_MEMBER);
}

/* The files of a command line, and the model of each motion. */
typedef struct Cast {
    const char **files; /* those in archives are named by their paths in these */
    unsigned *uses;     /* [count] of FileUse */
    size_t count;
    int *model; /* [count]: index of a model; for a motion, of its model; else -1 */
    int model_count;
    int target; /* model of the motions that follow: the last one, or an accessory until then */
    bool has_target;              /* the target is a model, not an accessory */
    bool names_only, takes_first; /* as in JobSource */
    const char *camera, *sound, *subtitles;
} Cast;

/* False for a motion that cannot be read; loading the scene reports the reason. */
static bool is_camera(const char *path)
{
    uint8_t head[VMD_HEAD_SIZE];
    Diag quiet = diag_quiet();
    const int fd = file_open_input(path, &quiet);
    const ssize_t size = fd < 0 ? -1 : read(fd, head, sizeof head);
    if (fd >= 0)
        close(fd);
    return size > 0 && vmd_is_camera((Bytes){head, (size_t)size});
}

/* A scene whose animation moves a body, beside a model that it can move. */
static bool is_capture(const Cast *cast, size_t index)
{
    const unsigned uses = cast->uses[index];
    if (cast->names_only || !(uses & FILE_AS_ACCESSORY) || !(uses & FILE_AS_CAPTURE))
        return false;
    Arena *arena = arena_create();
    Diag quiet = diag_quiet();
    Mocap mocap;
    Bytes bytes;
    int32_t joints[BODY_PARTS];
    bool moves = false;
    const SideFiles side = asset_files_search(NULL, cast->files[index], arena);
    for (size_t i = 0; i < cast->count; i++)
        moves |= (cast->uses[i] & FILE_AS_MODEL) != 0;
    moves = moves && file_load(&bytes, cast->files[index], FILE_MAX_SIZE, arena, &quiet) &&
            mocap_load(&mocap, bytes, &(MocapOptions){.side = side}, arena, &quiet);
    if (moves)
        body_find_joints(joints, &mocap);
    moves = moves && !body_missing(joints);
    arena_destroy(arena);
    return moves;
}

static bool set_once(const Cast *cast, const char **slot, const char *path, const char *what,
                     Diag *diag)
{
    if (*slot && cast->takes_first)
        return true;
    if (*slot)
        return diag_fail(diag, DIAG_USAGE, "%s: more than one %s; the first is %s", path, what,
                         *slot);
    *slot = path;
    return true;
}

static bool add_motion(Cast *cast, size_t index, Diag *diag)
{
    const char *path = cast->files[index];

    if (!cast->names_only && cast->uses[index] & FILE_AS_CAMERA && is_camera(path))
        return set_once(cast, &cast->camera, path, "camera motion", diag);
    cast->model[index] = cast->target;
    return true;
}

/* A job file, or a file of a kind that is not an operand. */
static bool refuse_file(const char *path, Arena *arena, Diag *diag)
{
    const FileKind kind = file_kind_of_file(path);
    if (kind != FILE_UNKNOWN)
        return diag_fail(diag, DIAG_USAGE, "%s: is %s; %s", path, file_kinds[kind].name,
                         file_kinds[kind].advice);
    return diag_fail(diag, DIAG_USAGE,
                     "%s: unknown kind of file; expected a model (%s), a motion (%s), a sound (%s) "
                     "or subtitles (%s)",
                     path, file_kind_extensions(AS_MODEL, ".", ", ", arena),
                     file_kind_extensions(FILE_AS_MOTION, ".", ", ", arena),
                     file_kind_extensions(FILE_AS_SOUND, ".", ", ", arena),
                     file_kind_extensions(FILE_AS_SUBTITLES, ".", ", ", arena));
}

static bool is_model(const Cast *cast, size_t index)
{
    return cast->uses[index] & AS_MODEL;
}

static bool add_file(Cast *cast, size_t index, Arena *arena, Diag *diag)
{
    const char *path = cast->files[index];
    if (is_model(cast, index)) {
        const bool dances = cast->uses[index] & FILE_AS_MODEL;
        if (dances || !cast->has_target)
            cast->target = cast->model_count;
        cast->has_target |= dances;
        cast->model[index] = cast->model_count++;
        return true;
    }
    if (cast->uses[index] & FILE_AS_MOTION)
        return add_motion(cast, index, diag);
    if (cast->uses[index] & FILE_AS_SOUND)
        return set_once(cast, &cast->sound, path, "sound", diag);
    if (cast->uses[index] & FILE_AS_SUBTITLES)
        return set_once(cast, &cast->subtitles, path, "file of subtitles", diag);
    return refuse_file(path, arena, diag);
}

/* Writes a double-quoted YAML scalar and ends the line.  A path of other bytes, which an unzip
 * program left, is found by the text that they mean (base/path.h). */
static void write_text(FILE *out, const char *path, Arena *arena)
{
    const size_t size = strlen(path);
    const char *text = text_is_utf8(path, size) ? path : encoding_decode_text(path, size, arena);
    fputc('"', out);
    for (; *text; text++)
        if (*text == '"' || *text == '\\')
            fprintf(out, "\\%c", *text);
        else if ((unsigned char)*text < 0x20)
            fprintf(out, "\\x%02x", (unsigned)*text);
        else
            fputc(*text, out);
    fputs("\"\n", out);
}

static void write_model(FILE *out, const Cast *cast, int model, Arena *arena)
{
    bool first = true;
    for (size_t i = 0; i < cast->count; i++)
        if (cast->model[i] == model && is_model(cast, i)) {
            fputs("  - file: ", out);
            write_text(out, cast->files[i], arena);
        }
    for (size_t i = 0; i < cast->count; i++)
        if (cast->model[i] == model && !is_model(cast, i)) {
            fputs(first ? "    motions:\n      - " : "      - ", out);
            write_text(out, cast->files[i], arena);
            first = false;
        }
}

static char *write_job(const Cast *cast, Arena *arena)
{
    TextStream stream;
    FILE *out = text_stream_open(&stream, arena);
    fputs("version: 1\nmodels:\n", out);
    for (int i = 0; i < cast->model_count; i++)
        write_model(out, cast, i, arena);
    if (cast->camera) {
        fputs("camera:\n  motion: ", out);
        write_text(out, cast->camera, arena);
    }
    if (cast->sound) {
        fputs("audio: ", out);
        write_text(out, cast->sound, arena);
    }
    if (cast->subtitles) {
        fputs("subtitles: ", out);
        write_text(out, cast->subtitles, arena);
    }
    return text_stream_close(&stream);
}

/*
 * An archive is what it contains: a model, else a motion, else a sound.  Of several models or
 * motions job_open_archives reports the names.
 */
static bool open_archive(Cast *cast, size_t index, Arena *arena, Diag *diag)
{
    static const FileUse uses[] = {FILE_AS_MODEL, FILE_AS_MOTION, FILE_AS_SOUND};
    const char *path = cast->files[index];
    diag_file(diag, path);
    const Archive *archive = archive_path_load(path, diag);
    diag_file(diag, NULL);
    for (size_t i = 0; archive && i < sizeof uses / sizeof *uses; i++) {
        const ArchiveMatches matches = archive_matches(archive, uses[i], arena);
        if (!matches.count)
            continue;
        cast->uses[index] = uses[i];
        if (matches.count > 1)
            return true;
        cast->files[index] = arena_printf(arena, "%s/%s", path, matches.items[0]);
        cast->uses[index] = uses_of(cast->files[index]);
        return true;
    }
    return archive &&
           diag_fail(diag, DIAG_USAGE,
                     "%s: the archive contains neither a model, a motion nor a sound", path);
}

static bool find_use(Cast *cast, size_t index, Arena *arena, Diag *diag)
{
    cast->model[index] = -1;
    cast->uses[index] = uses_of(cast->files[index]);
    if (cast->uses[index] & FILE_AS_ARCHIVE && cast->names_only)
        cast->uses[index] = FILE_AS_MODEL;
    return !(cast->uses[index] & FILE_AS_ARCHIVE) || open_archive(cast, index, arena, diag);
}

const char *job_files_output(const char *const *files, size_t count, const char *extension,
                             Arena *arena)
{
    const char *model = NULL, *motion = NULL;
    for (size_t i = 0; i < count; i++) {
        const unsigned uses = uses_of(files[i]);
        if (!model && uses & (AS_MODEL | FILE_AS_ARCHIVE))
            model = path_stem(files[i], arena);
        else if (!motion && uses & (FILE_AS_MOTION | FILE_AS_ARCHIVE))
            motion = path_stem(files[i], arena);
    }
    return arena_printf(arena, "%s%s%s.%s", model ? model : "film", motion ? "-" : "",
                        motion ? motion : "", extension);
}

char *job_from_files(const JobSource *source, Arena *arena, Diag *diag)
{
    const size_t count = source->file_count;
    Cast cast = {.files = arena_copy(arena, source->files, count * sizeof *source->files),
                 .uses = arena_array(arena, unsigned, count),
                 .count = count,
                 .model = arena_array(arena, int, count),
                 .names_only = source->names_only,
                 .takes_first = source->takes_first};

    for (size_t i = 0; i < count; i++)
        if (!find_use(&cast, i, arena, diag))
            return NULL;
    for (size_t i = 0; i < count; i++)
        if (is_capture(&cast, i))
            cast.uses[i] = FILE_AS_MOTION | FILE_AS_CAPTURE;
    for (size_t i = 0; i < count; i++)
        if (!add_file(&cast, i, arena, diag))
            return NULL;
    if (!cast.model_count) {
        diag_fail(diag, DIAG_USAGE, "no model (%s) among the files",
                  file_kind_extensions(AS_MODEL, ".", ", ", arena));
        return NULL;
    }
    return write_job(&cast, arena);
}
