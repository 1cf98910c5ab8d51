#include "format/content_kind.h"

#include <string.h>
#include <unistd.h>

#include "base/path.h"
#include "base/text.h"

enum { HEAD_SIZE = 64 };

#define UNPACK "use a file in it, as in pack.zip/model.pmx"
#define TO_UNPACK "use the model and motion files in it: unpack the archive first"
#define CONVERT "use a .pmx model: MikuMikuDance plugins for Blender and other tools export it"
#define MODEL_PLACE "use it as a file of models or stage"
#define MOTION_PLACE "use it in motions of a model, or as camera: { motion: FILE }"
#define CAPTURE_PLACE "use it in motions of a model"
#define SOUND_PLACE "use it as audio: FILE"
#define IMAGE_PLACE "use it as background: { image: FILE }"
#define VIDEO_PLACE \
    "use it as background: { video: FILE }, or look at it with 'odori verify' or 'odori compare'"

/* A signature at an offset. */
typedef struct Signature {
    size_t offset;
    const char *bytes;
    size_t size;
    ContentKind kind;
} Signature;

#define BYTES(text) text, sizeof(text) - 1

static const Signature signatures[] = {
    {0, BYTES("Pmx "), {"a PMX model", MODEL_PLACE, CONTENT_MODEL}},
    {0, BYTES("PMX "), {"a PMX model", MODEL_PLACE, CONTENT_MODEL}},
    {0, BYTES("Pmd"), {"a PMD model", MODEL_PLACE, CONTENT_MODEL}},
    {0, BYTES("xof "), {"a DirectX model", MODEL_PLACE, CONTENT_MODEL}},
    {0, BYTES("Vocaloid Motion Data"), {"a VMD motion", MOTION_PLACE, CONTENT_MOTION}},
    {0, BYTES("Vocaloid Pose Data"), {"a VPD pose", MOTION_PLACE, CONTENT_MOTION}},
    {0, BYTES("HIERARCHY"), {"motion capture (.bvh)", CAPTURE_PLACE, CONTENT_MOTION}},
    {0,
     BYTES("Polygon Movie maker"),
     {"a project of MikuMikuDance (.pmm)", "use it as the job: 'odori render FILE.pmm -o film.mp4'",
      CONTENT_OTHER}},
    {0, BYTES("PK\x03\x04"), {"a ZIP archive", UNPACK, CONTENT_OTHER}},
    {0, BYTES("PK\x05\x06"), {"an empty ZIP archive", UNPACK, CONTENT_OTHER}},
    {0, BYTES("Rar!"), {"a RAR archive", UNPACK, CONTENT_OTHER}},
    {0, BYTES("7z\xBC\xAF\x27\x1C"), {"a 7z archive", UNPACK, CONTENT_OTHER}},
    {2, BYTES("-lh"), {"an LZH archive", UNPACK, CONTENT_OTHER}},
    {0, BYTES("\x1F\x8B"), {"a gzip archive", TO_UNPACK, CONTENT_OTHER}},
    {0, BYTES("Kaydara FBX"), {"an FBX model", CONVERT, CONTENT_OTHER}},
    {0, BYTES("; FBX"), {"an FBX model", CONVERT, CONTENT_OTHER}},
    {0, BYTES("BLENDER"), {"a file of Blender", CONVERT, CONTENT_OTHER}},
    {0, BYTES("glTF"), {"a glTF or VRM model", CONVERT, CONTENT_OTHER}},
    {4, BYTES("ftypM4A"), {"a sound file", SOUND_PLACE, CONTENT_SOUND}},
    {4, BYTES("ftyp"), {"a video", VIDEO_PLACE, CONTENT_VIDEO}},
    {0, BYTES("\x1A\x45\xDF\xA3"), {"a video", VIDEO_PLACE, CONTENT_VIDEO}},
    {8, BYTES("AVI "), {"a video", VIDEO_PLACE, CONTENT_VIDEO}},
    {8, BYTES("WAVE"), {"a sound file", SOUND_PLACE, CONTENT_SOUND}},
    {8, BYTES("WEBP"), {"an image", IMAGE_PLACE, CONTENT_IMAGE}},
    {0, BYTES("fLaC"), {"a sound file", SOUND_PLACE, CONTENT_SOUND}},
    {0, BYTES("OggS"), {"a sound file", SOUND_PLACE, CONTENT_SOUND}},
    {0, BYTES("ID3"), {"a sound file", SOUND_PLACE, CONTENT_SOUND}},
    {0, BYTES("MThd"), {"a MIDI song", SOUND_PLACE, CONTENT_SOUND}},
    {0, BYTES("\x89PNG"), {"an image", IMAGE_PLACE, CONTENT_IMAGE}},
    {0, BYTES("\xFF\xD8\xFF"), {"an image", IMAGE_PLACE, CONTENT_IMAGE}},
    {0, BYTES("GIF8"), {"an image", IMAGE_PLACE, CONTENT_IMAGE}},
    {0, BYTES("DDS "), {"an image", IMAGE_PLACE, CONTENT_IMAGE}},
    {0, BYTES("%PDF"), {"a PDF document", "see the list of files in 'odori help'", CONTENT_OTHER}},
};

/* Extensions of files whose first bytes say nothing. */
static const struct {
    const char *extension;
    ContentKind kind;
} extensions[] = {
    {"bvh", {"motion capture (.bvh)", CAPTURE_PLACE, CONTENT_MOTION}},
    {"vrma", {"a VRM animation (.vrma)", CAPTURE_PLACE, CONTENT_MOTION}},
    {"fbx", {"an FBX model", CONVERT, CONTENT_OTHER}},
    {"blend", {"a file of Blender", CONVERT, CONTENT_OTHER}}, /* may be compressed */
    {"vrm", {"a VRM model", CONVERT, CONTENT_OTHER}},
    {"obj", {"an OBJ model", CONVERT, CONTENT_OTHER}},
    {"pmm",
     {"a project of MikuMikuDance (.pmm)", "use it as the job: 'odori render FILE.pmm -o film.mp4'",
      CONTENT_OTHER}},
    {"lzh", {"an LZH archive", UNPACK, CONTENT_OTHER}},
    {"zip", {"a ZIP archive", UNPACK, CONTENT_OTHER}},
};

/* Models and animations of VRM begin with the same bytes: the extension says which. */
static bool is_vrm_animation(const Signature *s, const char *path)
{
    return !strcmp(s->bytes, "glTF") && text_equal_ignoring_case(path_extension(path), "vrma");
}

const ContentKind *content_kind_find(Bytes head, const char *path)
{
    for (size_t i = 0; i < sizeof signatures / sizeof *signatures; i++) {
        const Signature *s = &signatures[i];
        if (head.size >= s->offset + s->size && !memcmp(head.data + s->offset, s->bytes, s->size) &&
            !is_vrm_animation(s, path))
            return &s->kind;
    }
    for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++)
        if (text_equal_ignoring_case(path_extension(path), extensions[i].extension))
            return &extensions[i].kind;
    return NULL;
}

const ContentKind *content_kind_of_file(const char *path)
{
    uint8_t head[HEAD_SIZE];
    Diag quiet = diag_quiet();
    const int fd = file_open_input(path, &quiet);
    if (fd < 0)
        return NULL;
    const ssize_t size = path_is_file(path) ? read(fd, head, sizeof head) : -1;
    close(fd);
    return size < 0 ? NULL : content_kind_find((Bytes){head, (size_t)size}, path);
}
