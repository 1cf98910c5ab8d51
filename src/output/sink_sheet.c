/* Images in order fill the cells of a contact sheet, which is written as a PNG at the end. */
#include "output/sink.h"

#include "base/arena.h"
#include "output/sheet.h"

struct Sink {
    Arena *arena;
    SinkOptions options;
    SheetSpec spec;
    SheetLayout layout;
    Image sheet;
    Font *font;
    Sink *png;
    SinkOptions png_options;
    int cells; /* filled so far */
};

static void destroy(Sink *sink)
{
    if (!sink)
        return;
    sink_png.destroy(sink->png);
    font_close(sink->font);
    arena_destroy(sink->arena);
}

static bool open_sheet(Sink *sink, Diag *diag)
{
    const SinkOptions *options = &sink->options;
    SheetLayout *layout = &sink->layout;
    if (!sheet_layout(layout, &sink->spec))
        return diag_fail(diag, DIAG_INTERNAL, "'%s': the sheet is too large", options->file);
    sink->png_options = (SinkOptions){
        .file = options->file,
        .width = layout->width,
        .height = layout->height,
        .first_frame = options->first_frame,
        .frame_count = 1,
        .approval = options->approval,
    };
    sink->png = sink_png.create(&sink->png_options, diag);
    if (!sink->png)
        return false;
    const size_t pixels = (size_t)layout->width * (size_t)layout->height;
    sink->sheet =
        (Image){layout->width, layout->height, false, arena_alloc(sink->arena, 4 * pixels)};
    sheet_clear(&sink->sheet);
    sink->font = sheet_open_font(layout, &sink->spec, options->sheet.font, diag);
    return sink->font != NULL;
}

static Sink *create(const SinkOptions *options, Diag *diag)
{
    Arena *arena = arena_create();
    Sink *sink = arena_array(arena, Sink, 1);
    sink->arena = arena;
    sink->options = *options;
    sink->spec = sink_sheet_spec(options);
    if (open_sheet(sink, diag))
        return sink;
    destroy(sink);
    return NULL;
}

static bool write_image(Sink *sink, const Image *image, int64_t frame, Diag *diag)
{
    if (!sink_check_image(&sink->options, image, diag))
        return false;
    if (sink->cells >= sink->spec.columns * sink->spec.rows)
        return diag_fail(diag, DIAG_INTERNAL, "'%s': more images than cells", sink->options.file);
    sheet_draw_cell(&sink->sheet, &sink->layout, &sink->spec, sink->cells++, image, frame,
                    sink->font);
    return true;
}

static bool finish(Sink *sink, Diag *diag)
{
    return sink_check_count(&sink->options, sink->cells, diag) &&
           sink_png.write(sink->png, &sink->sheet, sink->options.first_frame, diag) &&
           sink_png.finish(sink->png, diag);
}

SheetSpec sink_sheet_spec(const SinkOptions *o)
{
    return (SheetSpec){o->sheet.columns, o->sheet.rows, o->width,           o->height,
                       o->fps_num,       o->fps_den,    o->sheet.last_frame};
}

const SinkKind sink_sheet = {.name = "sheet",
                             .ordered = true,
                             .create = create,
                             .write = write_image,
                             .finish = finish,
                             .destroy = destroy};
