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

/* ---- the results ---- */

enum { ENCODERS = 6 };

typedef struct Libraries {
    const char *ffmpeg, *libavcodec, *libavformat, *libpng, *libfyaml, *libavutil, *libswscale;
    const char *libswresample, *libwebp, *zlib, *libzstd, *nettle, *utf8proc, *cglm, *bullet;
    const char *meshoptimizer, *draco, *libarchive, *freetype, *harfbuzz, *fontconfig, *libass;
    const char *openexr, *encoders[ENCODERS];
} Libraries;

static const ResultField Libraries_fields[] = {
    MEMBER(Libraries, ffmpeg, "release of libav"),
    MEMBER(Libraries, libavcodec, "version"),
    MEMBER(Libraries, libavformat, "version"),
    MEMBER(Libraries, libpng, "version"),
    MEMBER(Libraries, libfyaml, "version"),
    MEMBER(Libraries, libavutil, "version"),
    MEMBER(Libraries, libswscale, "version"),
    MEMBER(Libraries, libswresample, "version"),
    MEMBER(Libraries, libwebp, "version"),
    MEMBER(Libraries, zlib, "version"),
    MEMBER(Libraries, libzstd, "version"),
    MEMBER(Libraries, nettle, "version"),
    MEMBER(Libraries, utf8proc, "version"),
    MEMBER(Libraries, cglm, "version"),
    MEMBER(Libraries, bullet, "version"),
    MEMBER(Libraries, meshoptimizer, "version, or not available"),
    MEMBER(Libraries, draco, "version, or not available"),
    MEMBER(Libraries, libarchive, "version, or not available"),
    MEMBER(Libraries, freetype, "version"),
    MEMBER(Libraries, harfbuzz, "version, or not available"),
    MEMBER(Libraries, fontconfig, "version, or not available"),
    MEMBER(Libraries, libass, "version, or not available"),
    MEMBER(Libraries, openexr, "version, or not available"),
    MEMBER_NAMED(Libraries, encoders[0], "libx264", "number of its interface, or not available"),
    MEMBER_NAMED(Libraries, encoders[1], "libx265", "version, or not available"),
    MEMBER_NAMED(Libraries, encoders[2], "libvpx-vp9", "version, or not available"),
    MEMBER_NAMED(Libraries, encoders[3], "libsvtav1", "version, or not available"),
    MEMBER_NAMED(Libraries, encoders[4], "libaom-av1", "version, or not available"),
    MEMBER_NAMED(Libraries, encoders[5], "prores_ks", "available, or not available"),
};
RESULT(Libraries, "libraries");

static const ResultField SandboxSupport_fields[] = {
    MEMBER(SandboxSupport, landlock, "version of Landlock; 0: the kernel has none"),
    MEMBER(SandboxSupport, seccomp, "the kernel filters system calls"),
};
RESULT(SandboxSupport, "what the kernel offers to a sandbox");

typedef struct Version {
    const char *odori;
    const Libraries *libraries;
    const char *license, *revision, *build, *gl, *renderer;
    SandboxSupport sandbox;
} Version;

static const ResultField Version_fields[] = {
    MEMBER(Version, odori, "version of the program"),
    MEMBER_PART(Version, libraries, Libraries),
    MEMBER(Version, license, "license of this binary, by that of FFmpeg"),
    MEMBER(Version, revision, "commit of the source"),
    MEMBER(Version, build, "variant of the build, and its optional libraries"),
    MEMBER(Version, gl, "backend of OpenGL, if it is available", .nullable = true),
    MEMBER(Version, renderer, "renderer of OpenGL, if it is available", .nullable = true),
    MEMBER_RECORD(Version, sandbox, SandboxSupport, "support of the kernel for a sandbox"),
};
const ResultTable version_result =
    RESULT_TABLE(Version, "versions of the program and its libraries");

/* ---- encoders ---- */

/* Libraries that libavcodec loads and says nothing of; what they export is looked up by name. */
typedef struct Encoder {
    const char *name;     /* of libavcodec */
    const char *function; /* returns the version; NULL: there is none */
    const char *variable; /* points to it; NULL: there is none */
} Encoder;

static const Encoder encoders[ENCODERS] = {
    {"libx264", NULL, NULL}, /* no version but that of its interface, see x264_interface */
    {"libx265", NULL, "x265_version_str"},
    {"libvpx-vp9", "vpx_codec_version_str", NULL},
    {"libsvtav1", "svt_av1_get_version", NULL},
    {"libaom-av1", "aom_codec_version_str", NULL},
    {"prores_ks", NULL, NULL},
};

/* The number of the interface of libx264, its only mark: a part of the names of its functions.
 * NULL: the library is not loaded. */
static const char *x264_interface(Arena *arena)
{
    enum { OLDEST = 100, NEWEST = 299 };
    for (int number = OLDEST; number <= NEWEST; number++) {
        if (dlsym(RTLD_DEFAULT, arena_printf(arena, "x264_encoder_open_%d", number)))
            return arena_printf(arena, "%d", number);
    }
    return NULL;
}

/* "available" where the encoder does not tell its version; NULL: libavcodec does not have it. */
static const char *encoder_version(const Encoder *encoder, Arena *arena)
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
        version = x264_interface(arena);
    }
    return version ? version : "available";
}

/* ---- all libraries ---- */

static const char *version_text(unsigned version, Arena *arena)
{
    return arena_printf(arena, "%u.%u.%u", version >> 16, version >> 8 & 255, version & 255);
}

/* The version in a row of Libraries. */
static const char **library(Libraries *list, size_t row)
{
    return (const char **)(void *)((char *)list + Libraries_fields[row].offset);
}

static Libraries list_libraries(Arena *arena)
{
    const int meshopt = gltf_packed_meshopt_version();
    char *freetype = arena_array(arena, char, 32);
    font_freetype_version(freetype, 32);
    Libraries list = {
        .ffmpeg = libav_release(),
        .libavcodec = version_text(avcodec_version(), arena),
        .libavformat = version_text(avformat_version(), arena),
        .libpng = png_get_libpng_ver(NULL),
        .libfyaml = fy_library_version(),
        .libavutil = version_text(avutil_version(), arena),
        .libswscale = version_text(swscale_version(), arena),
        .libswresample = version_text(swresample_version(), arena),
        .libwebp = version_text((unsigned)WebPGetEncoderVersion(), arena),
        .zlib = zlibVersion(),
        .libzstd = ZSTD_versionString(),
        .nettle = arena_printf(arena, "%d.%d", nettle_version_major(), nettle_version_minor()),
        .utf8proc = utf8proc_version(),
        .cglm = arena_printf(arena, "%d.%d.%d", CGLM_VERSION_MAJOR, CGLM_VERSION_MINOR,
                             CGLM_VERSION_PATCH),
        .bullet = ODORI_BULLET,
        .meshoptimizer =
            meshopt ? arena_printf(arena, "%d.%d", meshopt / 1000, meshopt % 1000 / 10) : NULL,
        .draco = draco_mesh_version(),
        .libarchive = archive_is_supported() ? archive_library_version() : NULL,
        .freetype = freetype,
        .harfbuzz = font_shaping_version(),
        .fontconfig = font_catalog_version(),
        .libass = subtitles_version(),
        .openexr = exr_version(),
    };
    for (size_t i = 0; i < ENCODERS; i++)
        list.encoders[i] = encoder_version(&encoders[i], arena);
    for (size_t i = 0; i < Libraries_result.count; i++)
        if (!*library(&list, i))
            *library(&list, i) = "not available";
    return list;
}

VersionParts version_parts(void)
{
    return (VersionParts){
        .odori = ODORI_VERSION, .revision = ODORI_REVISION, .ffmpeg = libav_release()};
}

static void write_text(FILE *out, const Version *version, Libraries *list)
{
    const SandboxSupport *has = &version->sandbox;
    fprintf(out, "odori %s\nrevision %s\nbuild %s\n", version->odori, version->revision,
            version->build);
    for (size_t i = 0; i < Libraries_result.count; i++)
        fprintf(out, "%s %s\n", Libraries_fields[i].key, *library(list, i));
    fprintf(out, "license %s\n", version->license);
    if (version->gl)
        fprintf(out, "OpenGL: %s, %s\n", version->gl, version->renderer);
    else
        fprintf(out, "OpenGL: not available\n");
    if (has->landlock)
        fprintf(out, "sandbox: Landlock %d", has->landlock);
    else
        fputs("sandbox: no Landlock", out);
    fprintf(out, ", %sseccomp\n", has->seccomp ? "" : "no ");
}

void version_write(FILE *out, bool json, const GlProbe *gl)
{
    Arena *arena = arena_create();
    Libraries list = list_libraries(arena);
    const Version version = {.odori = ODORI_VERSION,
                             .libraries = &list,
                             /* Ours allows everything (MIT); the other libraries but FFmpeg ask for
                              * less than it does. */
                             .license = avcodec_license(),
                             .revision = ODORI_REVISION,
                             .build = ODORI_BUILD,
                             .gl = gl ? gl->backend : NULL,
                             .renderer = gl ? gl->renderer : NULL,
                             .sandbox = sandbox_support()};
    if (json)
        result_print(out, &version_result, &version);
    else
        write_text(out, &version, &list);
    arena_destroy(arena);
}
