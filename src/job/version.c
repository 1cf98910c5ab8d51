#include "job/version.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libfyaml.h>
#include <png.h>

#include "base/json.h"

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

void version_put(FILE *out, bool json)
{
    const Part parts[] = {
        av_part("libavcodec", avcodec_version()),
        av_part("libavformat", avformat_version()),
        text_part("libpng", png_get_libpng_ver(NULL)),
        text_part("libfyaml", fy_library_version()),
    };
    const size_t count = sizeof parts / sizeof *parts;

    if (!json) {
        fprintf(out, "odori %s\n", ODORI_VERSION);
        for (size_t i = 0; i < count; i++)
            fprintf(out, "%s %s\n", parts[i].name, parts[i].version);
        return;
    }
    Json object = json_init(out);
    json_open(&object, '{');
    json_key(&object, "odori");
    json_text(&object, ODORI_VERSION);
    for (size_t i = 0; i < count; i++) {
        json_key(&object, parts[i].name);
        json_text(&object, parts[i].version);
    }
    json_close(&object, '}');
    json_newline(&object);
}
