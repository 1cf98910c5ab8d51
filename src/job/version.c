#include "job/version.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libfyaml.h>
#include <png.h>

typedef struct Part {
    const char *name;
    char version[32];
} Part;

static Part av_part(const char *name, unsigned version)
{
    Part part = {.name = name};
    snprintf(part.version, sizeof part.version, "%u.%u.%u", version >> 16, version >> 8 & 255,
             version & 255);
    return part;
}

static Part text_part(const char *name, const char *version)
{
    Part part = {.name = name};
    snprintf(part.version, sizeof part.version, "%s", version);
    return part;
}

enum { PARTS = 4 };

static void find_parts(Part parts[PARTS])
{
    parts[0] = av_part("libavcodec", avcodec_version());
    parts[1] = av_part("libavformat", avformat_version());
    parts[2] = text_part("libpng", png_get_libpng_ver(NULL));
    parts[3] = text_part("libfyaml", fy_library_version());
}

static void write_members(Json *json)
{
    Part parts[PARTS];
    find_parts(parts);
    json_key(json, "odori");
    json_text(json, ODORI_VERSION);
    for (size_t i = 0; i < PARTS; i++) {
        json_key(json, parts[i].name);
        json_text(json, parts[i].version);
    }
}

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
    json_key(&json, "gl");
    json_text(&json, gl ? gl->backend : NULL);
    json_key(&json, "renderer");
    json_text(&json, gl ? gl->renderer : NULL);
    json_close(&json, '}');
    json_newline(&json);
}

void version_write(FILE *out, bool json, const GlProbe *gl)
{
    if (json) {
        write_json(out, gl);
        return;
    }
    Part parts[PARTS];
    find_parts(parts);
    fprintf(out, "odori %s\n", ODORI_VERSION);
    for (size_t i = 0; i < PARTS; i++)
        fprintf(out, "%s %s\n", parts[i].name, parts[i].version);
    if (gl)
        fprintf(out, "OpenGL: %s, %s\n", gl->backend, gl->renderer);
    else
        fprintf(out, "OpenGL: not available\n");
}
