// SPDX-License-Identifier: MIT
/* Images in order fill the cells of a contact sheet, which is written as a PNG at the end. */
#include "output/sink.h"

#include "base/arena.h"
#include "output/sheet.h"

typedef struct SheetSink {
    SheetSpec spec;
    SheetLayout layout;
    Image sheet;
    Font *font;
} SheetSink;

static bool open_sink(Sink *sink, Diag *diag)
{
    const SinkOptions *options = &sink->options;
    SheetSink *s = sink->own = arena_array(sink->arena, SheetSink, 1);
    s->spec = sink_sheet_spec(options);
    if (!sheet_layout(&s->layout, &s->spec))
        return diag_fail(diag, DIAG_INTERNAL, "'%s': the sheet is too large", options->file);
    const int width = s->layout.width, height = s->layout.height;
    if (!sink_check_writable(options->file, diag))
        return false;
    s->sheet =
        (Image){width, height, false, arena_alloc(sink->arena, 4 * (size_t)width * (size_t)height)};
    sheet_clear(&s->sheet);
    s->font = sheet_open_font(&s->layout, &s->spec, &options->sheet.fonts, diag);
    return s->font != NULL;
}

static void close_sink(Sink *sink)
{
    SheetSink *s = sink->own;
    font_close(s->font);
}

static bool write_image(Sink *sink, const Image *image, int64_t frame, Diag *diag)
{
    SheetSink *s = sink->own;
    if (sink->written >= (int64_t)s->spec.columns * s->spec.rows)
        return diag_fail(diag, DIAG_INTERNAL, "'%s': more images than cells", sink->options.file);
    sheet_draw_cell(&s->sheet, &s->layout, &s->spec, (int)sink->written, image, frame, s->font);
    return true;
}

static bool finish(Sink *sink, Diag *diag)
{
    SheetSink *s = sink->own;
    return sink_png_save_image(sink->options.file, &s->sheet, sink->options.approval, diag);
}

SheetSpec sink_sheet_spec(const SinkOptions *o)
{
    return (SheetSpec){o->sheet.columns, o->sheet.rows, o->width,           o->height,
                       o->fps_num,       o->fps_den,    o->sheet.last_frame};
}

const SinkKind sink_sheet = {.name = "sheet",
                             .ordered = true,
                             .open = open_sink,
                             .write = write_image,
                             .finish = finish,
                             .close = close_sink};
