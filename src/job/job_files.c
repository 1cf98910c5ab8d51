#include "job/job_files.h"

#include <stdio.h>
#include <string.h>

#include "base/archive_path.h"
#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "base/text_stream.h"
#include "format/content_kind.h"
#include "format/motion/vmd.h"
#include "job/job.h"
#include "job/job_archives.h"

typedef enum FileKind {
    FILE_MODEL,
    FILE_ACCESSORY,
    FILE_MOTION,
    FILE_POSE,
    FILE_SOUND,
    FILE_JOB,
    FILE_ARCHIVE,
    FILE_OTHER
} FileKind;

static FileKind kind_of(const char *path)
{
    static const struct {
        const char *extension;
        FileKind kind;
    } kinds[] = {
        {"pmx", FILE_MODEL},     {"pmd", FILE_MODEL},   {"x", FILE_ACCESSORY},
        {"vac", FILE_ACCESSORY}, {"vmd", FILE_MOTION},  {"vpd", FILE_POSE},
        {"bvh", FILE_POSE},      {"vrma", FILE_POSE},   {"wav", FILE_SOUND},
        {"flac", FILE_SOUND},    {"ogg", FILE_SOUND},   {"oga", FILE_SOUND},
        {"opus", FILE_SOUND},    {"mp3", FILE_SOUND},   {"m4a", FILE_SOUND},
        {"aac", FILE_SOUND},     {"mid", FILE_SOUND},   {"midi", FILE_SOUND},
        {"yaml", FILE_JOB},      {"yml", FILE_JOB},     {"json", FILE_JOB},
        {"zip", FILE_ARCHIVE},   {"7z", FILE_ARCHIVE},  {"rar", FILE_ARCHIVE},
        {"lzh", FILE_ARCHIVE},   {"lha", FILE_ARCHIVE},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (text_equal_ignoring_case(path_extension(path), kinds[i].extension))
            return kinds[i].kind;
    return FILE_OTHER;
}

bool job_has_job_extension(const char *path)
{
    return kind_of(path) == FILE_JOB;
}

bool job_is_job_name(const char *path)
{
    const FileKind kind = kind_of(path);
    return kind == FILE_JOB || kind == FILE_OTHER;
}

/* The files of a command line, and the model of each motion. */
typedef struct Cast {
    const char **files; /* those in archives are named by their paths in these */
    FileKind *kinds;
    size_t count;
    int *model; /* [count]: index of a model; for a motion, of its model; else -1 */
    int model_count;
    int target; /* model of the motions that follow: the last one, or an accessory until then */
    bool has_target; /* the target is a model, not an accessory */
    const char *camera, *sound;
} Cast;

/* False for a motion that cannot be read; loading the scene reports the reason. */
static bool is_camera(const char *path)
{
    Arena *arena = arena_create();
    Diag quiet = diag_quiet();
    VmdMotion motion;
    Bytes bytes;

    const bool camera = file_load(&bytes, path, FILE_MAX_SIZE, arena, &quiet) &&
                        vmd_load(&motion, bytes, arena, &quiet) && motion.camera_key_count &&
                        !motion.bone_key_count && !motion.morph_key_count;
    arena_destroy(arena);
    return camera;
}

static bool set_once(const char **slot, const char *path, const char *what, Diag *diag)
{
    if (*slot)
        return diag_fail(diag, DIAG_USAGE, "%s: more than one %s; the first is %s", path, what,
                         *slot);
    *slot = path;
    return true;
}

static bool add_motion(Cast *cast, size_t index, Diag *diag)
{
    const char *path = cast->files[index];

    if (cast->kinds[index] == FILE_MOTION && is_camera(path))
        return set_once(&cast->camera, path, "camera motion", diag);
    cast->model[index] = cast->target;
    return true;
}

static void add_model(Cast *cast, size_t index)
{
    const FileKind kind = cast->kinds[index];
    if (kind == FILE_MODEL || !cast->has_target)
        cast->target = cast->model_count;
    cast->has_target |= kind == FILE_MODEL;
    cast->model[index] = cast->model_count++;
}

/* A job file, or a file of a kind that is not an operand. */
static bool refuse_file(const char *path, Diag *diag)
{
    const ContentKind *kind = content_kind_of_file(path);
    if (kind)
        return diag_fail(diag, DIAG_USAGE, "%s: is %s; %s", path, kind->name, kind->advice);
    return diag_fail(
        diag, DIAG_USAGE,
        "%s: unknown kind of file; expected a model (.pmx, .pmd, .x, .vac), a motion (.vmd, "
        ".vpd, .bvh, .vrma) or a sound (.wav, .flac, .ogg, .mp3, .m4a, .mid)",
        path);
}

static bool add_file(Cast *cast, size_t index, Diag *diag)
{
    const char *path = cast->files[index];

    switch (cast->kinds[index]) {
    case FILE_MODEL:
    case FILE_ACCESSORY:
        add_model(cast, index);
        return true;
    case FILE_MOTION:
    case FILE_POSE:
        return add_motion(cast, index, diag);
    case FILE_SOUND:
        return set_once(&cast->sound, path, "sound", diag);
    default:
        return refuse_file(path, diag);
    }
}

/* Writes a double-quoted YAML scalar and ends the line. */
static void write_text(FILE *out, const char *text)
{
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

static bool is_model(const Cast *cast, size_t index)
{
    return cast->kinds[index] == FILE_MODEL || cast->kinds[index] == FILE_ACCESSORY;
}

static void write_model(FILE *out, const Cast *cast, int model)
{
    bool first = true;
    for (size_t i = 0; i < cast->count; i++)
        if (cast->model[i] == model && is_model(cast, i)) {
            fputs("  - file: ", out);
            write_text(out, cast->files[i]);
        }
    for (size_t i = 0; i < cast->count; i++)
        if (cast->model[i] == model && !is_model(cast, i)) {
            fputs(first ? "    motions:\n      - " : "      - ", out);
            write_text(out, cast->files[i]);
            first = false;
        }
}

static char *write_job(const Cast *cast, Arena *arena)
{
    TextStream stream;
    FILE *out = text_stream_open(&stream, arena);
    fputs("version: 1\nmodels:\n", out);
    for (int i = 0; i < cast->model_count; i++)
        write_model(out, cast, i);
    if (cast->camera) {
        fputs("camera:\n  motion: ", out);
        write_text(out, cast->camera);
    }
    if (cast->sound) {
        fputs("audio: ", out);
        write_text(out, cast->sound);
    }
    return text_stream_close(&stream);
}

/*
 * An archive is what it contains: a model, else a motion, else a sound.  Of several models or
 * motions job_open_archives reports the names.
 */
static bool open_archive(Cast *cast, size_t index, Arena *arena, Diag *diag)
{
    static const struct {
        ArchiveRole role;
        FileKind kind;
    } kinds[] = {
        {ARCHIVE_MODEL, FILE_MODEL}, {ARCHIVE_MOTION, FILE_POSE}, {ARCHIVE_SOUND, FILE_SOUND}};
    const char *path = cast->files[index];
    diag_file(diag, path);
    const Archive *archive = archive_path_load(path, diag);
    diag_file(diag, NULL);
    for (size_t i = 0; archive && i < sizeof kinds / sizeof *kinds; i++) {
        const ArchiveMatches matches = archive_matches(archive, kinds[i].role, arena);
        if (!matches.count)
            continue;
        cast->kinds[index] = kinds[i].kind;
        if (matches.count > 1)
            return true;
        cast->files[index] = arena_printf(arena, "%s/%s", path, matches.items[0]);
        cast->kinds[index] = kind_of(cast->files[index]);
        return true;
    }
    return archive &&
           diag_fail(diag, DIAG_USAGE,
                     "%s: the archive contains neither a model, a motion nor a sound", path);
}

static bool set_kind(Cast *cast, size_t index, Arena *arena, Diag *diag)
{
    cast->model[index] = -1;
    cast->kinds[index] = kind_of(cast->files[index]);
    return cast->kinds[index] != FILE_ARCHIVE || open_archive(cast, index, arena, diag);
}

char *job_from_files(const char *const *files, size_t count, Arena *arena, Diag *diag)
{
    Cast cast = {.files = arena_copy(arena, files, count * sizeof *files),
                 .kinds = arena_array(arena, FileKind, count),
                 .count = count,
                 .model = arena_array(arena, int, count)};

    for (size_t i = 0; i < count; i++)
        if (!set_kind(&cast, i, arena, diag))
            return NULL;
    for (size_t i = 0; i < count; i++)
        if (!add_file(&cast, i, diag))
            return NULL;
    if (!cast.model_count) {
        diag_fail(diag, DIAG_USAGE, "no model (.pmx, .pmd, .x, .vac) among the files");
        return NULL;
    }
    return write_job(&cast, arena);
}
