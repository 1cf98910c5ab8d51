/* Pictures come in order and fill the cells of a contact sheet, which becomes a PNG at the end. */
#include "output/sink.h"

#include "base/arena.h"
#include "output/sheet.h"

struct Sink {
    Arena *arena;
    SinkOptions options;
    SheetSpec spec;
    SheetLayout layout;
    Image sheet;
    Sink *png;
    SinkOptions png_options;
    int cells; /* filled so far */
};

static bool matches(const char *file)
{
    (void)file; /* a sheet is asked for by its type, not by a name */
    return false;
}

static void destroy(Sink *sink)
{
    if (!sink)
        return;
    sink_png.destroy(sink->png);
    arena_destroy(sink->arena);
}

static Sink *create(const SinkOptions *options, Diag *diag)
{
    Arena *arena = arena_create();
    Sink *sink = arena_alloc(arena, sizeof *sink);
    sink->arena = arena;
    sink->options = *options;
    sink->spec = sink_sheet_spec(options);
    if (!sheet_layout(&sink->layout, &sink->spec)) {
        diag_fail(diag, DIAG_INTERNAL, "'%s': the sheet is too large", options->file);
        destroy(sink);
        return NULL;
    }
    sink->png_options = (SinkOptions){
        .file = options->file,
        .width = sink->layout.width,
        .height = sink->layout.height,
        .first_frame = options->first_frame,
        .frame_count = 1,
    };
    sink->png = sink_png.create(&sink->png_options, diag);
    if (!sink->png) {
        destroy(sink);
        return NULL;
    }
    const size_t pixels = (size_t)sink->layout.width * (size_t)sink->layout.height;
    sink->sheet =
        (Image){sink->layout.width, sink->layout.height, false, arena_alloc(arena, 4 * pixels)};
    sheet_clear(&sink->sheet);
    return sink;
}

static bool write_picture(Sink *sink, const Image *image, int64_t frame, Diag *diag)
{
    if (!sink_takes(&sink->options, image, diag))
        return false;
    if (sink->cells >= sink->spec.columns * sink->spec.rows)
        return diag_fail(diag, DIAG_INTERNAL, "'%s': more pictures than cells", sink->options.file);
    sheet_put(&sink->sheet, &sink->layout, &sink->spec, sink->cells++, image, frame);
    return true;
}

static bool finish(Sink *sink, Diag *diag)
{
    return sink_is_complete(&sink->options, sink->cells, diag) &&
           sink_png.write(sink->png, &sink->sheet, sink->options.first_frame, diag) &&
           sink_png.finish(sink->png, diag);
}

SheetSpec sink_sheet_spec(const SinkOptions *options)
{
    return (SheetSpec){options->columns, options->rows,    options->width,     options->height,
                       options->fps_num, options->fps_den, options->last_frame};
}

const SinkKind sink_sheet = {.name = "sheet",
                             .ordered = true,
                             .matches = matches,
                             .create = create,
                             .write = write_picture,
                             .finish = finish,
                             .destroy = destroy};
