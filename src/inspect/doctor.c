// SPDX-License-Identifier: MIT
#include "inspect/doctor.h"

#include <inttypes.h>
#include <string.h>

#include "base/cpu_quota.h"
#include "base/text_escape.h"
#include "output/codec.h"
#include "render/gl/gl_probe.h"
#include "run/version.h"
#include "sandbox/sandbox.h"
#include "typesetting/font_catalog.h"

/* ---- the results ---- */

typedef struct DoctorGl {
    const char *name; /* "osmesa", "egl", "device 0" */
    const char *renderer, *error;
    bool software, is_default;
} DoctorGl;

static const ResultField DoctorGl_fields[] = {
    MEMBER(DoctorGl, name, "value of render.gl, or device and its number (render.device)"),
    MEMBER(DoctorGl, renderer, "version and renderer; null if it does not work", .nullable = true),
    MEMBER(DoctorGl, software, "it draws on the CPU"),
    MEMBER_NAMED(DoctorGl, is_default, "default", "a job that names none is drawn with it"),
    MEMBER(DoctorGl, error, "why it does not work", .nullable = true),
};
RESULT(DoctorGl, "a way to draw");

static const ResultField CodecEncoder_fields[] = {
    MEMBER(CodecEncoder, name, "name in libavcodec"),
    MEMBER(CodecEncoder, codec, "its codec"),
    MEMBER(CodecEncoder, available, "it works here; of one of hardware, its hardware does, too"),
    MEMBER(CodecEncoder, hardware, "it needs hardware, and its bytes depend on it"),
};
RESULT(CodecEncoder, "an encoder of videos");

typedef struct DoctorFinding {
    const char *what, *cure;
    bool missing;
} DoctorFinding;

static const ResultField DoctorFinding_fields[] = {
    MEMBER(DoctorFinding, missing, "something cannot be done; false: it is slow or less safe"),
    MEMBER(DoctorFinding, what, "what is missing or slow"),
    MEMBER(DoctorFinding, cure, "what to do about it"),
};
RESULT(DoctorFinding, "something missing or slow");

typedef struct Doctor {
    VersionParts versions;
    DoctorGl *gl;
    size_t gl_count;
    SandboxSupport sandbox;
    CodecEncoders encoders;
    const char *fontconfig, *font;
    int cores;
    const char *cores_from;
    int64_t memory_mib;
    const char *cache;
    ARENA_LIST(DoctorFinding) findings;
} Doctor;

static const ResultField Doctor_fields[] = {
    MEMBER_NAMED(Doctor, versions.odori, "odori", "version of the program"),
    MEMBER_NAMED(Doctor, versions.ffmpeg, "ffmpeg", "release of libav"),
    MEMBER_LIST(Doctor, gl, gl_count, DoctorGl, "backends of OpenGL, and devices of EGL"),
    MEMBER_NAMED(Doctor, sandbox.landlock, "landlock",
                 "version of Landlock; 0: the kernel has none"),
    MEMBER_NAMED(Doctor, sandbox.seccomp, "seccomp", "the kernel filters system calls"),
    MEMBER_ITEMS(Doctor, encoders, CodecEncoder, "encoders"),
    MEMBER(Doctor, fontconfig, "version; null: no font is found by name", .nullable = true),
    MEMBER(Doctor, font, "file of the font for Japanese text", .nullable = true),
    MEMBER(Doctor, cores, "cores that a run uses"),
    MEMBER(Doctor, cores_from, "what limits them"),
    MEMBER(Doctor, memory_mib, "memory that a run may use", .unit = "MiB"),
    MEMBER_NAMED(Doctor, cache, "shader_cache", "directory of compiled shaders", .nullable = true),
    MEMBER_ITEMS(Doctor, findings, DoctorFinding, "what is missing or slow"),
};
const ResultTable doctor_result =
    RESULT_TABLE(Doctor, "what this machine offers to a run, and what it lacks");

/* ---- looking ---- */

/* DiagSink; user: the reason, in an arena */
typedef struct Reason {
    const char *text;
    Arena *arena;
} Reason;

static void keep_reason(void *user, const DiagMessage *message)
{
    Reason *reason = user;
    reason->text = arena_strdup(reason->arena, message->shown);
}

static DoctorGl probe(const char *name, GlChoice choice, Arena *arena)
{
    DoctorGl gl = {.name = name};
    Reason reason = {.arena = arena};
    GlProbe found;
    Diag diag;
    diag_init(&diag, keep_reason, &reason);
    if (gl_probe(&found, choice, &diag)) {
        gl.renderer = arena_strdup(arena, found.renderer);
        gl.software = gl_is_software(gl.renderer);
    } else {
        gl.error = reason.text;
    }
    return gl;
}

/* The first of the backends that works is the default. */
static void look_for_gl(Doctor *d, Arena *arena)
{
    const int devices = gl_device_count();
    d->gl = arena_array(arena, DoctorGl, 2 + (size_t)devices);
    d->gl[d->gl_count++] = probe("osmesa", (GlChoice){GL_OSMESA, 0}, arena);
    d->gl[d->gl_count++] = probe("egl", (GlChoice){GL_EGL, 0}, arena);
    for (int i = 0; i < devices; i++)
        d->gl[d->gl_count++] =
            probe(arena_printf(arena, "device %d", i), (GlChoice){GL_EGL, i + 1}, arena);
    for (size_t i = 0; i < 2 && !(i && d->gl[0].is_default); i++)
        d->gl[i].is_default = d->gl[i].renderer != NULL;
}

/* Hardware is opened last: its drivers do not work after a fork. */
static void look_for_encoders(Doctor *d, Arena *arena)
{
    d->encoders = codec_encoders(arena);
    for (size_t i = 0; i < d->encoders.count; i++) {
        CodecEncoder *e = &d->encoders.items[i];
        SinkOptions options = {.file = "x.mkv",
                               .width = 320,
                               .height = 240,
                               .fps_num = 30,
                               .fps_den = 1,
                               .video = {.codec = e->name, .crf = -1}};
        Diag quiet = diag_quiet();
        if (e->hardware)
            e->available = codec_check_hardware(&options, &quiet);
    }
}

/* ---- judging ---- */

static void add(Doctor *d, bool missing, const char *what, const char *cure, Arena *arena)
{
    *arena_push(arena, &d->findings) = (DoctorFinding){what, cure, missing};
}

static const DoctorGl *default_gl(const Doctor *d)
{
    return d->gl[0].is_default ? &d->gl[0] : d->gl[1].is_default ? &d->gl[1] : NULL;
}

static void judge_gl(Doctor *d, Arena *arena)
{
    const DoctorGl *used = default_gl(d), *gpu = NULL;
    for (size_t i = 0; i < d->gl_count; i++)
        if (d->gl[i].renderer && !d->gl[i].software && !gpu)
            gpu = &d->gl[i];
    if (!used)
        add(d, true, "no OpenGL 4.5: nothing can be drawn",
            "install libegl1 and libegl-mesa0, or libosmesa6 (Debian 13 and older)", arena);
    else if (gpu && used->software)
        add(d, false,
            arena_printf(arena, "films are drawn on the CPU, beside a GPU (%s)", gpu->renderer),
            "--gl gpu, or render: { gl: gpu } in the job; other pixels than on the CPU", arena);
    else if (strstr(used->renderer, "softpipe") || strstr(used->renderer, "swrast"))
        add(d, false, "this build of Mesa has no llvmpipe: drawing is many times slower",
            "install the Mesa of the distribution, which has LLVM", arena);
}

static void judge_encoders(Doctor *d, Arena *arena)
{
    bool found = false;
    for (size_t i = 0; i < d->encoders.count; i++)
        found |= !strcmp(d->encoders.items[i].name, "libx264") && d->encoders.items[i].available;
    if (!found)
        add(d, true, "no encoder for H.264, the default of .mp4 and .mkv",
            "install an FFmpeg with libx264, or choose codec: vp9 or ffv1", arena);
}

static void judge(Doctor *d, Arena *arena)
{
    enum { CAN_REFUSE_TO_TRUNCATE = 3, LITTLE_MIB = 1024 };
    judge_gl(d, arena);
    judge_encoders(d, arena);
    if (!d->sandbox.landlock)
        add(d, false, "no Landlock: processes that parse files are not kept from other files",
            "Linux 5.13 or later with landlock in lsm=, and a container that allows its calls",
            arena);
    if (!d->sandbox.seccomp)
        add(d, false, "no seccomp: system calls are not filtered",
            "a kernel with CONFIG_SECCOMP_FILTER", arena);
    if (!d->cache)
        add(d, false, "no cache of shaders: each worker compiles them, some seconds a run",
            d->sandbox.landlock < CAN_REFUSE_TO_TRUNCATE
                ? "Linux 6.2 or later (Landlock 3); or --sandbox off for jobs of your own"
                : "HOME or XDG_CACHE_HOME must be a directory that you alone can write to",
            arena);
    if (!d->font)
        add(d, true, "no font for Japanese: titles and subtitles show boxes",
            d->fontconfig
                ? "install fonts-noto-cjk, or name a font file in the job"
                : "name a font file in the job: this program was built without fontconfig",
            arena);
    if (d->cores == 1)
        add(d, false, "one core: drawing and encoding take turns",
            "more cores, or shards on several machines ('odori help submit')", arena);
    if (d->memory_mib < LITTLE_MIB)
        add(d, false,
            arena_printf(arena, "%" PRId64 " MiB of memory: large films do not fit", d->memory_mib),
            "-j 1; 'odori plan JOB' estimates the memory of a job", arena);
}

/* ---- as text ---- */

static void write_text(FILE *out, const Doctor *d)
{
    const char *before = "";
    fprintf(out, "odori %s, FFmpeg %s\n\nOpenGL\n", d->versions.odori, d->versions.ffmpeg);
    for (size_t i = 0; i < d->gl_count; i++) {
        const DoctorGl *gl = &d->gl[i];
        text_printf(out, "  %-10s %s%s%s\n", gl->name, gl->renderer ? gl->renderer : gl->error,
                    gl->software ? "; on the CPU" : "", gl->is_default ? "; the default" : "");
    }
    fputs("sandbox\n  ", out);
    if (d->sandbox.landlock)
        fprintf(out, "Landlock %d", d->sandbox.landlock);
    else
        fputs("no Landlock", out);
    fprintf(out, ", %sseccomp\nencoders\n  ", d->sandbox.seccomp ? "" : "no ");
    for (size_t i = 0; i < d->encoders.count; i++)
        if (d->encoders.items[i].available) {
            fprintf(out, "%s%s", before, d->encoders.items[i].name);
            before = ", ";
        }
    fputs("\nfonts\n", out);
    text_printf(out, "  %s%s; for Japanese: %s\n", d->fontconfig ? "fontconfig " : "",
                d->fontconfig ? d->fontconfig : "no fontconfig", d->font ? d->font : "none");
    fprintf(out, "cores and memory\n  %d core%s (%s), %" PRId64 " MiB\n", d->cores,
            d->cores == 1 ? "" : "s", d->cores_from, d->memory_mib);
    fputs("compiled shaders\n", out);
    text_printf(out, "  %s\n", d->cache ? d->cache : "not kept");
    if (!d->findings.count)
        fputs("\nnothing is missing\n", out);
    for (size_t i = 0; i < d->findings.count; i++) {
        const DoctorFinding *finding = &d->findings.items[i];
        fprintf(out, "%s%s: ", i ? "" : "\n", finding->missing ? "missing" : "slow or less safe");
        text_printf(out, "%s\n", finding->what);
        text_printf(out, "    %s\n", finding->cure);
    }
}

bool doctor_write(FILE *out, const DoctorOptions *options, Diag *diag)
{
    Arena *arena = arena_create();
    Doctor d = {.versions = version_parts(),
                .sandbox = sandbox_support(),
                .cache = options->cache,
                .memory_mib = cpu_quota_memory_mib()};
    d.cores = cpu_quota_cores_and_source(&d.cores_from);
    look_for_gl(&d, arena);
    FontSources fonts = {0};
    d.fontconfig = font_catalog_version();
    if (font_catalog_choose(&fonts, "踊り", arena))
        d.font = fonts.items[0].path;
    look_for_encoders(&d, arena);
    judge(&d, arena);
    if (options->json)
        result_print(out, &doctor_result, &d);
    else
        write_text(out, &d);
    const bool draws = default_gl(&d) != NULL;
    arena_destroy(arena);
    return draws || diag_fail(diag, DIAG_RESOURCE, "no OpenGL 4.5 core context");
}
