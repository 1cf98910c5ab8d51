#include "output/image_file.h"

#include "output/sink.h"

bool image_file_save(const char *file, const Image *image, Diag *diag)
{
    const SinkOptions options = {.file = file,
                                 .width = image->width,
                                 .height = image->height,
                                 .alpha = image->has_alpha,
                                 .fps_num = 1,
                                 .fps_den = 1,
                                 .frame_count = 1};
    Sink *sink = sink_create(&sink_png, &options, diag);
    const bool good = sink && sink_write(sink, image, 0, diag) && sink_finish(sink, diag);
    sink_destroy(sink);
    return good;
}
