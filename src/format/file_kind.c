// SPDX-License-Identifier: MIT
#include "format/file_kind.h"

#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/archive.h"
#include "base/path.h"
#include "base/text_stream.h"

enum { HEAD_SIZE = 64 };

#define UNPACK "use a file in it, as in pack.zip/model.pmx"
#define TO_UNPACK "use the model and motion files in it: unpack the archive first"
#define CONVERT \
    "use a .glb as stage, or a .pmx model: Blender exports the one, and with a plugin the other"
#define MODEL_PLACE "use it as a file of models or stage"
#define MOTION_PLACE "use it in motions of a model, or as camera: { motion: FILE }"
#define CAPTURE_PLACE "use it in motions of a model"
#define SOUND_PLACE "use it as audio: FILE"
#define IMAGE_PLACE "use it as background: { image: FILE }"
#define COMPARE_PLACE "use it with 'odori compare'"
#define EFFECT_PLACE "use it as effect: FILE of a model, or its .x in stage"
#define VIDEO_PLACE                                                                               \
    "use it as background: { video: FILE }, its sound as audio: FILE, or look at it with 'odori " \
    "verify' or 'odori compare'"

#define KIND(id, ...) [FILE_##id] = {__VA_ARGS__},
#define MODEL(load, ...) KIND(__VA_ARGS__)
#define SCENE(load, ...) KIND(__VA_ARGS__)
#define MOTION(load, ...) KIND(__VA_ARGS__)
const FileKindRow file_kinds[FILE_KIND_COUNT] = {
#include "format/file_kind.inc"
};

static bool has_extension(FileKind kind, const char *path)
{
    const char *wanted = path_extension(path), *at = file_kinds[kind].extensions;
    const size_t size = strlen(wanted);
    for (; size && at && *at; at += strcspn(at, " "), at += *at == ' ')
        if (strcspn(at, " ") == size && !strncasecmp(at, wanted, size))
            return true;
    return false;
}

FileKind file_kind_of_name(const char *path)
{
    for (FileKind kind = FILE_UNKNOWN; kind < FILE_KIND_COUNT; kind++)
        if (has_extension(kind, path))
            return kind;
    return FILE_UNKNOWN;
}

bool file_kind_serves(const char *path, unsigned uses)
{
    return file_kinds[file_kind_of_name(path)].uses & uses;
}

static bool matches_text(const char *word, Bytes head)
{
    size_t at = head.size >= 3 && !memcmp(head.data, "\xEF\xBB\xBF", 3) ? 3 : 0;
    while (at < head.size && head.data[at] <= ' ')
        at++;
    return head.size - at >= strlen(word) &&
           !strncasecmp((const char *)head.data + at, word, strlen(word));
}

static bool begins_as(FileKind kind, Bytes head)
{
    for (const FileSignature *s = file_kinds[kind].signatures; s->bytes; s++)
        if (s->is_text ? matches_text(s->bytes, head)
                       : head.size >= s->offset + strlen(s->bytes) &&
                             !memcmp(head.data + s->offset, s->bytes, strlen(s->bytes)))
            return true;
    return false;
}

FileKind file_kind_of_bytes(Bytes head)
{
    for (FileKind kind = FILE_UNKNOWN; kind < FILE_KIND_COUNT; kind++)
        if (begins_as(kind, head))
            return kind == FILE_ZIP && !archive_has_signature(head.data, head.size) ? FILE_NPZ
                                                                                    : kind;
    return FILE_UNKNOWN;
}

const char *file_use_name(FileUse use)
{
    return use == FILE_AS_MODEL    ? "model"
           : use == FILE_AS_MOTION ? "motion"
           : use == FILE_AS_SOUND  ? "sound"
           : use == FILE_AS_EFFECT ? "effect"
           : use == FILE_AS_IMAGE  ? "image"
                                   : "video";
}

/* Models and animations of VRM begin as glTF scenes do; without such a name it is a scene. */
FileKind file_kind_find(Bytes head, const char *path)
{
    const FileKind named = file_kind_of_name(path), begun = file_kind_of_bytes(head);
    if (begun == FILE_VRMA && named != FILE_VRMA)
        return named == FILE_VRM ? FILE_VRM : FILE_GLTF;
    return begun == FILE_UNKNOWN && file_kinds[named].named ? named : begun;
}

FileKind file_kind_of_file(const char *path)
{
    uint8_t head[HEAD_SIZE];
    Diag quiet = diag_quiet();
    const int fd = file_open_input(path, &quiet);
    if (fd < 0)
        return FILE_UNKNOWN;
    const ssize_t size = path_is_file(path) ? read(fd, head, sizeof head) : -1;
    close(fd);
    return size < 0 ? FILE_UNKNOWN : file_kind_find((Bytes){head, (size_t)size}, path);
}

const char *file_kind_extensions(unsigned uses, const char *before, const char *between,
                                 Arena *arena)
{
    TextStream stream;
    FILE *out = text_stream_open(&stream, arena);
    const char *separator = "";
    for (FileKind kind = FILE_UNKNOWN; kind < FILE_KIND_COUNT; kind++)
        for (const char *at = file_kinds[kind].extensions;
             at && *at && file_kinds[kind].uses & uses; at += strcspn(at, " "), at += *at == ' ') {
            fprintf(out, "%s%s%.*s", separator, before, (int)strcspn(at, " "), at);
            separator = between;
        }
    return text_stream_close(&stream);
}
