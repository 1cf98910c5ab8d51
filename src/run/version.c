// SPDX-License-Identifier: MIT
#include "run/version.h"

#include <cglm/version.h>
#include <dlfcn.h>
#include <libfyaml.h>
#include <nettle/version.h>
#include <png.h>
#include <string.h>
#include <utf8proc.h>
#include <webp/encode.h>
#include <zlib.h>
#include <zstd.h>

#include "base/archive.h"
#include "format/gltf/draco_mesh.h"
#include "format/gltf/gltf_packed.h"
#include "media/exr/exr_file.h"
#include "media/libav.h"
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

/* Reports of a film have the first ones; the others are listed by `odori version` only. */
enum { REPORTED = 4, MAX_COMPONENTS = 32 };

typedef struct ComponentList {
    Component items[MAX_COMPONENTS];
    size_t count;
} ComponentList;

/* version: NULL if it is not available */
static void add(ComponentList *list, const char *name, const char *version)
{
    Component *part = &list->items[list->count++];
    part->name = name;
    snprintf(part->version, sizeof part->version, "%s", version ? version : "not available");
}

static void add_number(ComponentList *list, const char *name, unsigned version)
{
    char text[32];
    snprintf(text, sizeof text, "%u.%u.%u", version >> 16, version >> 8 & 255, version & 255);
    add(list, name, text);
}

/* ---- encoders ---- */

/* Libraries that libavcodec loads and says nothing of; what they export is looked up by name. */
typedef struct Encoder {
    const char *name;     /* of libavcodec */
    const char *function; /* returns the version; NULL: there is none */
    const char *variable; /* points to it; NULL: there is none */
} Encoder;

static const Encoder encoders[] = {
    {"libx264", NULL, NULL}, /* no version but that of its interface, see x264_interface */
    {"libx265", NULL, "x265_version_str"},
    {"libvpx-vp9", "vpx_codec_version_str", NULL},
    {"libsvtav1", "svt_av1_get_version", NULL},
    {"libaom-av1", "aom_codec_version_str", NULL},
    {"prores_ks", NULL, NULL},
};

/* The number of the interface of libx264, its only mark: a part of the names of its functions.
 * NULL: the library is not loaded. */
static const char *x264_interface(char text[32])
{
    enum { OLDEST = 100, NEWEST = 299 };
    for (int number = OLDEST; number <= NEWEST; number++) {
        snprintf(text, 32, "x264_encoder_open_%d", number);
        if (dlsym(RTLD_DEFAULT, text)) {
            snprintf(text, 32, "%d", number);
            return text;
        }
    }
    return NULL;
}

/* "available" where the encoder does not tell its version; NULL: libavcodec does not have it. */
static const char *encoder_version(const Encoder *encoder, char text[32])
{
    const char *version = NULL;
    if (!avcodec_find_encoder_by_name(encoder->name))
        return NULL;
    void *symbol = encoder->function   ? dlsym(RTLD_DEFAULT, encoder->function)
                   : encoder->variable ? dlsym(RTLD_DEFAULT, encoder->variable)
                                       : NULL;
    if (symbol && encoder->function) {
        const char *(*function)(void);
        memcpy(&function, &symbol, sizeof function); /* C has no cast to a function */
        version = function();
    } else if (symbol) {
        version = *(const char *const *)symbol;
    } else if (!strcmp(encoder->name, "libx264")) {
        version = x264_interface(text);
    }
    return version ? version : "available";
}

/* ---- all components ---- */

static ComponentList list_components(void)
{
    ComponentList list = {.count = 0};
    char number[32];
    char freetype[32];
    font_freetype_version(freetype, sizeof freetype);
    add_number(&list, "libavcodec", avcodec_version());
    add_number(&list, "libavformat", avformat_version());
    add(&list, "libpng", png_get_libpng_ver(NULL));
    add(&list, "libfyaml", fy_library_version());

    add_number(&list, "libavutil", avutil_version());
    add_number(&list, "libswscale", swscale_version());
    add_number(&list, "libswresample", swresample_version());
    add_number(&list, "libwebp", (unsigned)WebPGetEncoderVersion());
    add(&list, "zlib", zlibVersion());
    add(&list, "libzstd", ZSTD_versionString());
    snprintf(number, sizeof number, "%d.%d", nettle_version_major(), nettle_version_minor());
    add(&list, "nettle", number);
    add(&list, "utf8proc", utf8proc_version());
    snprintf(number, sizeof number, "%d.%d.%d", CGLM_VERSION_MAJOR, CGLM_VERSION_MINOR,
             CGLM_VERSION_PATCH);
    add(&list, "cglm", number);
    add(&list, "bullet", ODORI_BULLET);
    const int meshopt = gltf_packed_meshopt_version();
    snprintf(number, sizeof number, "%d.%d", meshopt / 1000, meshopt % 1000 / 10);
    add(&list, "meshoptimizer", meshopt ? number : NULL);
    add(&list, "draco", draco_mesh_version());
    add(&list, "libarchive", archive_is_supported() ? archive_library_version() : NULL);
    add(&list, "freetype", freetype);
    add(&list, "harfbuzz", font_shaping_version());
    add(&list, "fontconfig", font_catalog_version());
    add(&list, "libass", subtitles_version());
    add(&list, "openexr", exr_version());
    for (size_t i = 0; i < sizeof encoders / sizeof *encoders; i++)
        add(&list, encoders[i].name, encoder_version(&encoders[i], number));
    /* Ours allows everything (MIT); the other libraries but FFmpeg ask for less than it does. */
    add(&list, "license", avcodec_license());
    return list;
}

static void write_members(Json *json, const ComponentList *list, size_t count)
{
    json_print(json, "{odori:%s", ODORI_VERSION);
    for (size_t i = 0; i < count; i++) {
        json_key(json, list->items[i].name);
        json_text(json, list->items[i].version);
    }
}

void version_write_parts(Json *json)
{
    const ComponentList list = list_components();
    write_members(json, &list, REPORTED);
    json_print(json, "}");
}

static void write_json(FILE *out, const ComponentList *list, const GlProbe *gl)
{
    Json json = json_init(out);
    write_members(&json, list, list->count);
    json_print(&json,
               "revision:%s build:%s gl:%s renderer:%s sandbox:{landlock:%d seccomp:%hhd}}\n",
               ODORI_REVISION, ODORI_BUILD, gl ? gl->backend : NULL, gl ? gl->renderer : NULL,
               sandbox_support().landlock, sandbox_support().seccomp);
}

static void write_text(FILE *out, const ComponentList *list, const GlProbe *gl)
{
    const SandboxSupport has = sandbox_support();
    fprintf(out, "odori %s\nrevision %s\nbuild %s\n", ODORI_VERSION, ODORI_REVISION, ODORI_BUILD);
    for (size_t i = 0; i < list->count; i++)
        fprintf(out, "%s %s\n", list->items[i].name, list->items[i].version);
    if (gl)
        fprintf(out, "OpenGL: %s, %s\n", gl->backend, gl->renderer);
    else
        fprintf(out, "OpenGL: not available\n");
    if (has.landlock)
        fprintf(out, "sandbox: Landlock %d", has.landlock);
    else
        fputs("sandbox: no Landlock", out);
    fprintf(out, ", %sseccomp\n", has.seccomp ? "" : "no ");
}

void version_write(FILE *out, bool json, const GlProbe *gl)
{
    const ComponentList list = list_components();
    (json ? write_json : write_text)(out, &list, gl);
}
