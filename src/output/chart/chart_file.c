#include "output/chart/chart_file.h"

#include <string.h>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "base/text_stream.h"
#include "output/chart/chart_image.h"
#include "output/chart/chart_svg.h"
#include "output/sink.h"

static bool has_extension(const char *file, const char *extension)
{
    return text_equal_ignoring_case(path_extension(file), extension);
}

bool chart_file_matches(const char *file)
{
    return has_extension(file, "svg") || has_extension(file, "") ||
           (has_extension(file, "png") && !strchr(file, '%'));
}

static bool save_svg(const char *file, const Chart *chart, Arena *arena, Diag *diag)
{
    TextStream stream;
    chart_svg_write(text_stream_open(&stream, arena), chart);
    const char *text = text_stream_close(&stream);
    return file_save(file, text, stream.size, diag);
}

bool chart_file_save(const char *file, const Chart *chart, Diag *diag)
{
    Arena *arena = arena_create();
    Image image;
    const bool good = has_extension(file, "png") ? chart_image_draw(&image, chart, arena, diag) &&
                                                       sink_png_save_image(file, &image, diag)
                                                 : save_svg(file, chart, arena, diag);
    arena_destroy(arena);
    return good;
}
