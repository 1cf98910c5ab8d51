#include "job/job_files.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "base/text_stream.h"
#include "format/motion/vmd.h"
#include "job/job.h"

typedef enum FileKind {
    FILE_MODEL,
    FILE_ACCESSORY,
    FILE_MOTION,
    FILE_POSE,
    FILE_SOUND,
    FILE_JOB,
    FILE_OTHER
} FileKind;

static FileKind kind_of(const char *path)
{
    static const struct {
        const char *extension;
        FileKind kind;
    } kinds[] = {
        {"pmx", FILE_MODEL},  {"pmd", FILE_MODEL}, {"x", FILE_ACCESSORY}, {"vac", FILE_ACCESSORY},
        {"vmd", FILE_MOTION}, {"vpd", FILE_POSE},  {"wav", FILE_SOUND},   {"flac", FILE_SOUND},
        {"ogg", FILE_SOUND},  {"oga", FILE_SOUND}, {"opus", FILE_SOUND},  {"mp3", FILE_SOUND},
        {"m4a", FILE_SOUND},  {"aac", FILE_SOUND}, {"mid", FILE_SOUND},   {"midi", FILE_SOUND},
        {"yaml", FILE_JOB},   {"yml", FILE_JOB},   {"json", FILE_JOB},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (text_equal_ignoring_case(path_extension(path), kinds[i].extension))
            return kinds[i].kind;
    return FILE_OTHER;
}

static bool is_model(const char *path)
{
    return kind_of(path) == FILE_MODEL || kind_of(path) == FILE_ACCESSORY;
}

bool job_is_job_name(const char *path)
{
    const FileKind kind = kind_of(path);
    return kind == FILE_JOB || kind == FILE_OTHER;
}

/* What the files are; motions by the index of their model. */
typedef struct Cast {
    const char *const *files;
    size_t count;
    int *model; /* [count] of a model: its number; of its motions: the same; else -1 */
    int model_count;
    int dancer; /* takes the motions that follow: the last model; an accessory while there is none
                 */
    bool has_dancer; /* it is no accessory */
    const char *camera, *sound;
} Cast;

static void say_nothing(void *user, DiagLevel level, const char *message)
{
    (void)user;
    (void)level;
    (void)message;
}

/* A motion that cannot be read is none; the scene will tell why. */
static bool is_camera(const char *path)
{
    Arena *arena = arena_create();
    Diag quiet;
    VmdMotion motion;
    Bytes bytes;

    diag_init(&quiet, say_nothing, NULL);
    const bool camera = file_load(&bytes, path, FILE_MAX_SIZE, arena, &quiet) &&
                        vmd_load(&motion, bytes, arena, &quiet) && motion.camera_key_count &&
                        !motion.bone_key_count && !motion.morph_key_count;
    arena_destroy(arena);
    return camera;
}

static bool take_once(const char **slot, const char *path, const char *what, Diag *diag)
{
    if (*slot)
        return diag_fail(diag, DIAG_USAGE, "%s: a second %s; the first is %s", path, what, *slot);
    *slot = path;
    return true;
}

static bool take_motion(Cast *cast, size_t index, FileKind kind, Diag *diag)
{
    const char *path = cast->files[index];

    if (kind == FILE_MOTION && is_camera(path))
        return take_once(&cast->camera, path, "camera motion", diag);
    cast->model[index] = cast->dancer;
    return true;
}

static void take_model(Cast *cast, size_t index, FileKind kind)
{
    if (kind == FILE_MODEL || !cast->has_dancer)
        cast->dancer = cast->model_count;
    cast->has_dancer |= kind == FILE_MODEL;
    cast->model[index] = cast->model_count++;
}

static bool take_file(Cast *cast, size_t index, Diag *diag)
{
    const char *path = cast->files[index];
    const FileKind kind = kind_of(path);

    switch (kind) {
    case FILE_MODEL:
    case FILE_ACCESSORY:
        take_model(cast, index, kind);
        return true;
    case FILE_MOTION:
    case FILE_POSE:
        return take_motion(cast, index, kind, diag);
    case FILE_SOUND:
        return take_once(&cast->sound, path, "sound", diag);
    default:
        return diag_fail(
            diag, DIAG_USAGE,
            "%s: neither a model (.pmx, .pmd, .x, .vac), a motion (.vmd, .vpd) nor a sound (.wav, "
            ".flac, .ogg, .mp3, .m4a, .mid)",
            path);
    }
}

/* YAML in double quotes. */
static void put_text(FILE *out, const char *text)
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

static void put_model(FILE *out, const Cast *cast, int model)
{
    bool first = true;
    for (size_t i = 0; i < cast->count; i++)
        if (cast->model[i] == model && is_model(cast->files[i])) {
            fputs("  - file: ", out);
            put_text(out, cast->files[i]);
        }
    for (size_t i = 0; i < cast->count; i++)
        if (cast->model[i] == model && !is_model(cast->files[i])) {
            fputs(first ? "    motions:\n      - " : "      - ", out);
            put_text(out, cast->files[i]);
            first = false;
        }
}

static char *put_job(const Cast *cast, Arena *arena)
{
    TextStream stream;
    FILE *out = text_stream_open(&stream, arena);
    fputs("version: 1\nmodels:\n", out);
    for (int i = 0; i < cast->model_count; i++)
        put_model(out, cast, i);
    if (cast->camera) {
        fputs("camera:\n  motion: ", out);
        put_text(out, cast->camera);
    }
    if (cast->sound) {
        fputs("audio: ", out);
        put_text(out, cast->sound);
    }
    return text_stream_close(&stream);
}

char *job_from_files(const char *const *files, size_t count, Arena *arena, Diag *diag)
{
    Cast cast = {.files = files, .count = count, .model = arena_array(arena, int, count)};

    for (size_t i = 0; i < count; i++)
        cast.model[i] = -1;
    for (size_t i = 0; i < count; i++)
        if (!take_file(&cast, i, diag))
            return NULL;
    if (!cast.model_count) {
        diag_fail(diag, DIAG_USAGE, "no model (.pmx, .pmd, .x, .vac) among the files");
        return NULL;
    }
    return put_job(&cast, arena);
}
