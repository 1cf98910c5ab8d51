#include <string.h>
#include <strings.h>

#include "output/sink.h"

/* Writes one text file per frame: images of PIXEL_TEXT, such as keypoints as JSON. */

static bool matches(const char *file, const char *format)
{
    return !strcasecmp(sink_extension(file, format), "json");
}

static bool check_options(const SinkOptions *options, Diag *diag)
{
    if (options->pixels != PIXEL_TEXT)
        return diag_fail(diag, DIAG_JOB, "'%s': a JSON file can contain only the pass 'pose'",
                         options->file);
    return sink_png_check_name(options, diag);
}

static bool write_text(Sink *sink, const Image *image, int64_t frame, Diag *diag)
{
    const char *text = (const char *)image->pixels;
    return sink_png_save(sink, text, strlen(text), frame, diag);
}

const SinkKind sink_text = {.name = "text",
                            .matches = matches,
                            .check = check_options,
                            .each_frame = true,
                            .open = sink_png_open,
                            .write = write_text,
                            .verify = sink_png_verify_file,
                            .inspect = sink_png_inspect};
