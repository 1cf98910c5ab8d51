// SPDX-License-Identifier: MIT
#include "format/file_kind.h"

#include <string.h>
#include <strings.h>
#include <unistd.h>

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

const FileKindRow file_kinds[FILE_KIND_COUNT] = {
    [FILE_JOB] = {"a job file", "yaml yml json", FILE_AS_JOB, "use it as the job"},
    [FILE_PMM] = {"a project of MikuMikuDance (.pmm)",
                  "pmm",
                  FILE_AS_PROJECT,
                  "use it as the job: 'odori render FILE.pmm -o film.mp4'",
                  {{"Polygon Movie maker"}},
                  .named = true},
    [FILE_PMX] = {"a PMX model", "pmx", FILE_AS_MODEL, MODEL_PLACE, {{"PMX "}, {"Pmx "}}},
    [FILE_PMD] = {"a PMD model", "pmd", FILE_AS_MODEL, MODEL_PLACE, {{"Pmd"}}},
    [FILE_X] = {"a DirectX model", "x", FILE_AS_ACCESSORY, MODEL_PLACE, {{"xof "}}},
    [FILE_VAC] = {"an accessory of MikuMikuDance (.vac)", "vac", FILE_AS_ACCESSORY, MODEL_PLACE},
    [FILE_VMD] = {"a VMD motion",
                  "vmd",
                  FILE_AS_MOTION | FILE_AS_CAMERA,
                  MOTION_PLACE,
                  {{"Vocaloid Motion Data"}}},
    [FILE_VPD] = {"a VPD pose",
                  "vpd",
                  FILE_AS_MOTION,
                  MOTION_PLACE,
                  {{"Vocaloid Pose Data", .is_text = true}}},
    [FILE_BVH] = {"motion capture (.bvh)",
                  "bvh",
                  FILE_AS_MOTION | FILE_AS_CAPTURE,
                  CAPTURE_PLACE,
                  {{"HIERARCHY", .is_text = true}},
                  .named = true},
    [FILE_VRMA] = {"a VRM animation (.vrma)",
                   "vrma",
                   FILE_AS_MOTION | FILE_AS_CAPTURE,
                   CAPTURE_PLACE,
                   {{"glTF"}},
                   .named = true},
    [FILE_SOUND] =
        {"a sound file",
         "wav flac ogg oga opus mp3 m4a m4b aac aiff aif aifc wma mka weba ac3 ec3 eac3 "
         "mp2 mpa w64 caf au snd wv tta amr dts 3gp 3g2 asf wmv flv ts m2ts mpg mpeg ogv",
         FILE_AS_SOUND, /* of videos that are no background, too */
         SOUND_PLACE,
         {{"ftypM4A", 4},
          {"WAVE", 8},
          {"fLaC"},
          {"OggS"},
          {"ID3"},
          {"AIFF", 8},
          {"AIFC", 8},
          {"\x30\x26\xB2\x75"},
          {"caff"},
          {"wvpk"},
          {"TTA1"},
          {"#!AMR"},
          {"FLV\x01"},
          {".snd"}}},
    [FILE_MIDI] = {"a MIDI song", "mid midi", FILE_AS_SOUND, SOUND_PLACE, {{"MThd"}}},
    [FILE_SUBTITLES] = {"subtitles", "srt ass ssa", FILE_AS_SUBTITLES, "use it as subtitles: FILE"},
    [FILE_ZIP] = {"a ZIP archive", "zip", FILE_AS_ARCHIVE, UNPACK, {{"PK\x03\x04"}}, .named = true},
    [FILE_EMPTY_ZIP] = {"an empty ZIP archive", "", FILE_AS_ARCHIVE, UNPACK, {{"PK\x05\x06"}}},
    [FILE_7Z] = {"a 7z archive", "7z", FILE_AS_ARCHIVE, UNPACK, {{"7z\xBC\xAF\x27\x1C"}}},
    [FILE_RAR] = {"a RAR archive", "rar", FILE_AS_ARCHIVE, UNPACK, {{"Rar!"}}},
    [FILE_LZH] =
        {"an LZH archive", "lzh lha", FILE_AS_ARCHIVE, UNPACK, {{"-lh", 2}}, .named = true},
    [FILE_IMAGE] = {"an image",
                    "png jpg jpeg bmp tga dds webp gif",
                    FILE_AS_IMAGE | FILE_AS_TEXTURE | FILE_AS_FRAME,
                    IMAGE_PLACE,
                    {{"\x89PNG"}, {"\xFF\xD8\xFF"}, {"GIF8"}, {"DDS "}, {"WEBP", 8}}},
    [FILE_SPHERE_MAP] = {"an image", "sph spa", FILE_AS_TEXTURE, IMAGE_PLACE},
    [FILE_EXR] = {"an OpenEXR image", "exr", FILE_AS_FRAME, COMPARE_PLACE, {{"\x76\x2F\x31\x01"}}},
    [FILE_VIDEO] = {"a video",
                    "mp4 m4v mov mkv webm avi",
                    FILE_AS_VIDEO | FILE_AS_SOUND,
                    VIDEO_PLACE,
                    {{"ftyp", 4}, {"\x1A\x45\xDF\xA3"}, {"AVI ", 8}}},
    [FILE_RADIANCE] = {"a Radiance picture",
                       "hdr",
                       FILE_AS_EFFECT,
                       "use it as a picture of an effect",
                       {{"#?RADIANCE"}, {"#?RGBE"}}},
    [FILE_EFFECT] = {"an effect", "fx fxsub", FILE_AS_EFFECT, EFFECT_PLACE, .named = true},
    [FILE_EMD] = {"effects of a model (.emd)", "emd", FILE_AS_EFFECT,
                  "use it as effect: FILE of a model", .named = true},
    [FILE_EMM] = {"effects of a project (.emm)", "emm", 0, "it is used with the .pmm beside it",
                  .named = true},
    [FILE_GZIP] = {"a gzip archive", "gz tgz", 0, TO_UNPACK, {{"\x1F\x8B"}}},
    [FILE_FBX] = {"an FBX model", "fbx", 0, CONVERT, {{"Kaydara FBX"}, {"; FBX"}}, .named = true},
    [FILE_BLENDER] = {"a file of Blender",
                      "blend",
                      0,
                      CONVERT,
                      {{"BLENDER"}},
                      .named = true}, /* may be compressed */
    [FILE_VRM] = {"a VRM avatar", "vrm", FILE_AS_MODEL, MODEL_PLACE, {{"glTF"}}, .named = true},
    [FILE_GLTF] =
        {"a glTF scene", "glb gltf", FILE_AS_ACCESSORY, MODEL_PLACE, {{"glTF"}}, .named = true},
    [FILE_OBJ] = {"an OBJ scene", "obj", FILE_AS_ACCESSORY, MODEL_PLACE, .named = true},
    [FILE_PDF] = {"a PDF document", "pdf", 0, "see the list of files in 'odori help'", {{"%PDF"}}},
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
            return kind;
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
