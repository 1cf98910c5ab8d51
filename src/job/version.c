#include "job/version.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libfyaml.h>
#include <png.h>

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
    json_key(json, "odori");
    json_text(json, ODORI_VERSION);
    for (size_t i = 0; i < COMPONENT_COUNT; i++) {
        json_key(json, components[i].name);
        json_text(json, components[i].version);
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
    Component components[COMPONENT_COUNT];
    list_components(components);
    fprintf(out, "odori %s\n", ODORI_VERSION);
    for (size_t i = 0; i < COMPONENT_COUNT; i++)
        fprintf(out, "%s %s\n", components[i].name, components[i].version);
    if (gl)
        fprintf(out, "OpenGL: %s, %s\n", gl->backend, gl->renderer);
    else
        fprintf(out, "OpenGL: not available\n");
}
