#include "film/version.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libfyaml.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>
#include <png.h>
#include <webp/encode.h>
#include <zlib.h>
#include <zstd.h>

#include "base/archive.h"
#include "media/exr/exr_file.h"
#include "sandbox/sandbox.h"
#include "typesetting/font.h"
#include "typesetting/font_catalog.h"
#include "typesetting/subtitles.h"

/* Given by the Makefile. */
#ifndef ODORI_REVISION
#define ODORI_REVISION "unknown"
#endif
#ifndef ODORI_BUILD
#define ODORI_BUILD "unknown"
#endif
#ifndef ODORI_BULLET
#define ODORI_BULLET "unknown"
#endif

typedef struct Component {
    const char *name;
    char version[32];
} Component;

static Component libav_component(const char *name, unsigned version)
{
    Component part = {.name = name};
    snprintf(part.version, sizeof part.version, "%u.%u.%u", version >> 16, version >> 8 & 255,
             version & 255);
    return part;
}

static Component text_component(const char *name, const char *version)
{
    Component part = {.name = name};
    snprintf(part.version, sizeof part.version, "%s", version);
    return part;
}

static Component optional_component(const char *name, const char *version)
{
    return text_component(name, version ? version : "not available");
}

static Component freetype_component(void)
{
    Component part = {.name = "freetype"};
    font_freetype_version(part.version, sizeof part.version);
    return part;
}

enum { COMPONENT_COUNT = 4 };

static void list_components(Component components[COMPONENT_COUNT])
{
    components[0] = libav_component("libavcodec", avcodec_version());
    components[1] = libav_component("libavformat", avformat_version());
    components[2] = text_component("libpng", png_get_libpng_ver(NULL));
    components[3] = text_component("libfyaml", fy_library_version());
}

static void write_members(Json *json)
{
    Component components[COMPONENT_COUNT];
    list_components(components);
    json_pair_text(json, "odori", ODORI_VERSION);
    for (size_t i = 0; i < COMPONENT_COUNT; i++) {
        json_pair_text(json, components[i].name, components[i].version);
    }
}

/* The libraries that only `odori version` lists; reports of a film do not depend on them. */
static size_t list_more(Component components[], size_t capacity)
{
    static const char *const encoders[] = {"libx264",   "libx265",    "libvpx-vp9",
                                           "libsvtav1", "libaom-av1", "prores_ks"};
    const unsigned webp = (unsigned)WebPGetEncoderVersion();
    size_t count = 0;
    components[count++] = libav_component("libavutil", avutil_version());
    components[count++] = libav_component("libswscale", swscale_version());
    components[count++] = libav_component("libswresample", swresample_version());
    components[count++] = libav_component("libwebp", webp);
    components[count++] = text_component("zlib", zlibVersion());
    components[count++] = text_component("libzstd", ZSTD_versionString());
    components[count++] = text_component("bullet", ODORI_BULLET);
    components[count++] = text_component(
        "libarchive", archive_is_supported() ? archive_library_version() : "not available");
    components[count++] = freetype_component();
    components[count++] = optional_component("harfbuzz", font_shaping_version());
    components[count++] = optional_component("fontconfig", font_catalog_version());
    components[count++] = optional_component("libass", subtitles_version());
    components[count++] = optional_component("openexr", exr_version());
    for (size_t i = 0; i < sizeof encoders / sizeof *encoders && count < capacity; i++) {
        const bool found = avcodec_find_encoder_by_name(encoders[i]) != NULL;
        components[count++] = text_component(encoders[i], found ? "available" : "not available");
    }
    return count;
}

enum { MORE_CAPACITY = 24 };

void version_write_parts(Json *json)
{
    json_open(json, '{');
    write_members(json);
    json_close(json, '}');
}

static void write_json(FILE *out, const GlProbe *gl)
{
    Json json = json_init(out);
    json_open(&json, '{');
    write_members(&json);
    Component more[MORE_CAPACITY];
    const size_t count = list_more(more, MORE_CAPACITY);
    for (size_t i = 0; i < count; i++) {
        json_pair_text(&json, more[i].name, more[i].version);
    }
    json_pair_text(&json, "revision", ODORI_REVISION);
    json_pair_text(&json, "build", ODORI_BUILD);
    json_pair_text(&json, "gl", gl ? gl->backend : NULL);
    json_pair_text(&json, "renderer", gl ? gl->renderer : NULL);
    json_pair_open(&json, "sandbox", '{');
    json_pair_int(&json, "landlock", sandbox_support().landlock);
    json_pair_bool(&json, "seccomp", sandbox_support().seccomp);
    json_close(&json, '}');
    json_close(&json, '}');
    json_newline(&json);
}

static void write_sandbox(FILE *out)
{
    const SandboxSupport has = sandbox_support();
    if (has.landlock)
        fprintf(out, "sandbox: Landlock %d", has.landlock);
    else
        fputs("sandbox: no Landlock", out);
    fprintf(out, ", %sseccomp\n", has.seccomp ? "" : "no ");
}

void version_write(FILE *out, bool json, const GlProbe *gl)
{
    if (json) {
        write_json(out, gl);
        return;
    }
    Component components[COMPONENT_COUNT];
    list_components(components);
    Component more[MORE_CAPACITY];
    const size_t count = list_more(more, MORE_CAPACITY);
    fprintf(out, "odori %s\nrevision %s\nbuild %s\n", ODORI_VERSION, ODORI_REVISION, ODORI_BUILD);
    for (size_t i = 0; i < COMPONENT_COUNT; i++)
        fprintf(out, "%s %s\n", components[i].name, components[i].version);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%s %s\n", more[i].name, more[i].version);
    if (gl)
        fprintf(out, "OpenGL: %s, %s\n", gl->backend, gl->renderer);
    else
        fprintf(out, "OpenGL: not available\n");
    write_sandbox(out);
}
