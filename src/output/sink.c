#include "output/sink.h"

#include <inttypes.h>

/* In the order of asking: the last one takes whatever libavformat knows. */
static const SinkKind *const kinds[] = {&sink_null, &sink_png, &sink_hash, &sink_ffmpeg,
                                        &sink_undivided};

const SinkKind *sink_find(const char *file, Diag *diag)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i]->matches(file))
            return kinds[i];
    diag_fail(
        diag, DIAG_JOB,
        "'%s' is no output that can be made (a video such as .mp4, .mkv or .webm, pictures as "
        "%%05d.png, digests as .sha256, or null:)",
        file);
    return NULL;
}

bool sink_takes(const SinkOptions *options, const Image *image, Diag *diag)
{
    if (image->width == options->width && image->height == options->height)
        return true;
    return diag_fail(diag, DIAG_INTERNAL, "'%s': a picture of %dx%d came instead of %dx%d",
                     options->file, image->width, image->height, options->width, options->height);
}

bool sink_is_complete(const SinkOptions *options, int64_t written, Diag *diag)
{
    if (options->frame_count == 0 || options->frame_count == written)
        return true;
    return diag_fail(diag, DIAG_INCOMPLETE, "'%s': %" PRId64 " of %" PRId64 " pictures came",
                     options->file, written, options->frame_count);
}

int sink_gop(const SinkOptions *options)
{
    if (options->gop > 0)
        return options->gop;
    const double second = (double)options->fps_num / options->fps_den;
    return second < 30.0 ? 30 : second > 240.0 ? 240 : (int)(second + 0.5);
}
