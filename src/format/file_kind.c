#include "format/file_kind.h"

#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/path.h"
#include "base/text_stream.h"

enum { HEAD_SIZE = 64, MAX_SIGNATURES = 6 };

#define UNPACK "use a file in it, as in pack.zip/model.pmx"
#define TO_UNPACK "use the model and motion files in it: unpack the archive first"
#define CONVERT "use a .pmx model: MikuMikuDance plugins for Blender and other tools export it"
#define MODEL_PLACE "use it as a file of models or stage"
#define MOTION_PLACE "use it in motions of a model, or as camera: { motion: FILE }"
#define CAPTURE_PLACE "use it in motions of a model"
#define SOUND_PLACE "use it as audio: FILE"
#define IMAGE_PLACE "use it as background: { image: FILE }"
#define COMPARE_PLACE "use it with 'odori compare'"
#define VIDEO_PLACE \
    "use it as background: { video: FILE }, or look at it with 'odori verify' or 'odori compare'"

const FileKindRow file_kinds[FILE_KIND_COUNT] = {
    [FILE_JOB] = {"a job file", "use it as the job", FILE_AS_JOB},
    [FILE_PMM] = {"a project of MikuMikuDance (.pmm)",
                  "use it as the job: 'odori render FILE.pmm -o film.mp4'", FILE_AS_PROJECT},
    [FILE_PMX] = {"a PMX model", MODEL_PLACE, FILE_AS_MODEL},
    [FILE_PMD] = {"a PMD model", MODEL_PLACE, FILE_AS_MODEL},
    [FILE_X] = {"a DirectX model", MODEL_PLACE, FILE_AS_ACCESSORY},
    [FILE_VAC] = {"an accessory of MikuMikuDance (.vac)", MODEL_PLACE, FILE_AS_ACCESSORY},
    [FILE_VMD] = {"a VMD motion", MOTION_PLACE, FILE_AS_MOTION | FILE_AS_CAMERA},
    [FILE_VPD] = {"a VPD pose", MOTION_PLACE, FILE_AS_MOTION},
    [FILE_BVH] = {"motion capture (.bvh)", CAPTURE_PLACE, FILE_AS_MOTION | FILE_AS_CAPTURE},
    [FILE_VRMA] = {"a VRM animation (.vrma)", CAPTURE_PLACE, FILE_AS_MOTION | FILE_AS_CAPTURE},
    [FILE_SOUND] = {"a sound file", SOUND_PLACE, FILE_AS_SOUND},
    [FILE_MIDI] = {"a MIDI song", SOUND_PLACE, FILE_AS_SOUND},
    [FILE_ZIP] = {"a ZIP archive", UNPACK, FILE_AS_ARCHIVE},
    [FILE_EMPTY_ZIP] = {"an empty ZIP archive", UNPACK, FILE_AS_ARCHIVE},
    [FILE_7Z] = {"a 7z archive", UNPACK, FILE_AS_ARCHIVE},
    [FILE_RAR] = {"a RAR archive", UNPACK, FILE_AS_ARCHIVE},
    [FILE_LZH] = {"an LZH archive", UNPACK, FILE_AS_ARCHIVE},
    [FILE_IMAGE] = {"an image", IMAGE_PLACE, FILE_AS_IMAGE | FILE_AS_TEXTURE | FILE_AS_FRAME},
    [FILE_SPHERE_MAP] = {"an image", IMAGE_PLACE, FILE_AS_TEXTURE},
    [FILE_EXR] = {"an OpenEXR image", COMPARE_PLACE, FILE_AS_FRAME},
    [FILE_VIDEO] = {"a video", VIDEO_PLACE, FILE_AS_VIDEO},
    [FILE_GZIP] = {"a gzip archive", TO_UNPACK, 0},
    [FILE_FBX] = {"an FBX model", CONVERT, 0},
    [FILE_BLENDER] = {"a file of Blender", CONVERT, 0},
    [FILE_GLTF] = {"a glTF or VRM model", CONVERT, 0},
    [FILE_OBJ] = {"an OBJ model", CONVERT, 0},
    [FILE_PDF] = {"a PDF document", "see the list of files in 'odori help'", 0},
};

typedef struct Signature {
    const char *bytes;
    size_t offset;
    bool is_text; /* may follow a byte order mark and blanks; in upper or lower case */
} Signature;

/* By what a kind is recognized. */
typedef struct Marks {
    const char *extensions; /* between blanks */
    bool named;             /* the extension decides if the first bytes are those of no kind */
    Signature signatures[MAX_SIGNATURES];
} Marks;

static const Marks all_marks[FILE_KIND_COUNT] = {
    [FILE_JOB] = {"yaml yml json"},
    [FILE_PMM] = {"pmm", true, {{"Polygon Movie maker"}}},
    [FILE_PMX] = {"pmx", .signatures = {{"PMX "}, {"Pmx "}}},
    [FILE_PMD] = {"pmd", .signatures = {{"Pmd"}}},
    [FILE_X] = {"x", .signatures = {{"xof "}}},
    [FILE_VAC] = {"vac"},
    [FILE_VMD] = {"vmd", .signatures = {{"Vocaloid Motion Data"}}},
    [FILE_VPD] = {"vpd", .signatures = {{"Vocaloid Pose Data", .is_text = true}}},
    [FILE_BVH] = {"bvh", true, {{"HIERARCHY", .is_text = true}}},
    [FILE_VRMA] = {"vrma", true, {{"glTF"}}},
    [FILE_SOUND] = {"wav flac ogg oga opus mp3 m4a aac",
                    .signatures = {{"ftypM4A", 4}, {"WAVE", 8}, {"fLaC"}, {"OggS"}, {"ID3"}}},
    [FILE_MIDI] = {"mid midi", .signatures = {{"MThd"}}},
    [FILE_ZIP] = {"zip", true, {{"PK\x03\x04"}}},
    [FILE_EMPTY_ZIP] = {"", .signatures = {{"PK\x05\x06"}}},
    [FILE_7Z] = {"7z", .signatures = {{"7z\xBC\xAF\x27\x1C"}}},
    [FILE_RAR] = {"rar", .signatures = {{"Rar!"}}},
    [FILE_LZH] = {"lzh lha", true, {{"-lh", 2}}},
    [FILE_IMAGE] = {"png jpg jpeg bmp tga dds webp gif",
                    .signatures = {{"\x89PNG"}, {"\xFF\xD8\xFF"}, {"GIF8"}, {"DDS "}, {"WEBP", 8}}},
    [FILE_SPHERE_MAP] = {"sph spa"},
    [FILE_EXR] = {"exr", .signatures = {{"\x76\x2F\x31\x01"}}},
    [FILE_VIDEO] = {"mp4 m4v mov mkv webm avi",
                    .signatures = {{"ftyp", 4}, {"\x1A\x45\xDF\xA3"}, {"AVI ", 8}}},
    [FILE_GZIP] = {"gz tgz", .signatures = {{"\x1F\x8B"}}},
    [FILE_FBX] = {"fbx", true, {{"Kaydara FBX"}, {"; FBX"}}},
    [FILE_BLENDER] = {"blend", true, {{"BLENDER"}}}, /* may be compressed */
    [FILE_GLTF] = {"vrm glb gltf", true, {{"glTF"}}},
    [FILE_OBJ] = {"obj", true},
    [FILE_PDF] = {"pdf", .signatures = {{"%PDF"}}},
};

static bool has_extension(FileKind kind, const char *path)
{
    const char *wanted = path_extension(path), *at = all_marks[kind].extensions;
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
    const char *at = (const char *)head.data, *end = at + head.size;
    if (head.size >= 3 && !memcmp(at, "\xEF\xBB\xBF", 3))
        at += 3;
    while (at < end && (unsigned char)*at <= ' ')
        at++;
    return (size_t)(end - at) >= strlen(word) && !strncasecmp(at, word, strlen(word));
}

static bool begins_as(FileKind kind, Bytes head)
{
    for (const Signature *s = all_marks[kind].signatures; s->bytes; s++)
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
           : use == FILE_AS_IMAGE  ? "image"
                                   : "video";
}

/* Models and animations of VRM begin with the same bytes; without a name it is a model. */
FileKind file_kind_find(Bytes head, const char *path)
{
    const FileKind named = file_kind_of_name(path), begun = file_kind_of_bytes(head);
    if (begun == FILE_VRMA && named != FILE_VRMA)
        return FILE_GLTF;
    return begun == FILE_UNKNOWN && all_marks[named].named ? named : begun;
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
        for (const char *at = all_marks[kind].extensions; at && *at && file_kinds[kind].uses & uses;
             at += strcspn(at, " "), at += *at == ' ') {
            fprintf(out, "%s%s%.*s", separator, before, (int)strcspn(at, " "), at);
            separator = between;
        }
    return text_stream_close(&stream);
}
