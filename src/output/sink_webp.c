/* Pictures come in order and become an animated WebP, lossy, with the alpha channel where it is
 * kept. */
#include "output/sink.h"

#include <inttypes.h>
#include <webp/demux.h>
#include <webp/encode.h>
#include <webp/mux.h>

#include "base/arena.h"
#include "base/file.h"

enum { QUALITY = 80, METHOD = 4 }; /* of 0..100; of 0..6, fast to small */

struct Sink {
    Arena *arena;
    SinkOptions options;
    WebPConfig config;
    WebPAnimEncoder *encoder; /* keeps what it has encoded in memory */
    int64_t written;
};

static bool out_of_memory(const Sink *sink, Diag *diag)
{
    return diag_fail(diag, DIAG_RESOURCE, "'%s': out of memory for libwebp", sink->options.file);
}

static bool fail_encode(const Sink *sink, const char *what, Diag *diag)
{
    return diag_fail(diag, DIAG_INTERNAL, "'%s': libwebp fails at picture %" PRId64 ": %s",
                     sink->options.file, sink->written, what);
}

/* When a picture begins; rounded from the start, so that the whole is as long as it should be. */
static int time_ms(const Sink *sink, int64_t picture)
{
    const int64_t num = sink->options.fps_num, den = sink->options.fps_den;
    return (int)((2 * 1000 * picture * den + num) / (2 * num));
}

/* ---- writing ---- */

static void destroy(Sink *sink)
{
    if (!sink)
        return;
    WebPAnimEncoderDelete(sink->encoder);
    arena_destroy(sink->arena);
}

static bool open_encoder(Sink *sink, Diag *diag)
{
    WebPAnimEncoderOptions animation;
    if (!WebPConfigPreset(&sink->config, WEBP_PRESET_DRAWING, QUALITY) ||
        !WebPAnimEncoderOptionsInit(&animation))
        return diag_fail(diag, DIAG_RESOURCE, "'%s': the installed libwebp does not fit",
                         sink->options.file);
    sink->config.method = METHOD;
    sink->config.use_sharp_yuv = 1;       /* thin lines of strong colours stay what they are */
    animation.anim_params.loop_count = 0; /* for ever */
    sink->encoder = WebPAnimEncoderNew(sink->options.width, sink->options.height, &animation);
    return sink->encoder || out_of_memory(sink, diag);
}

static Sink *create(const SinkOptions *options, Diag *diag)
{
    Arena *arena = arena_create();
    Sink *sink = arena_alloc(arena, sizeof *sink);
    sink->arena = arena;
    sink->options = *options;
    if (sink_check_writable(options->file, diag) && open_encoder(sink, diag))
        return sink;
    destroy(sink);
    return NULL;
}

static bool write_picture(Sink *sink, const Image *image, int64_t frame, Diag *diag)
{
    const int stride = 4 * image->width;
    WebPPicture picture;
    (void)frame;
    if (!sink_check_image(&sink->options, image, diag))
        return false;
    if (!WebPPictureInit(&picture))
        return out_of_memory(sink, diag);
    picture.use_argb = 1;
    picture.width = image->width;
    picture.height = image->height;
    const bool taken = sink->options.alpha ? WebPPictureImportRGBA(&picture, image->pixels, stride)
                                           : WebPPictureImportRGBX(&picture, image->pixels, stride);
    const bool ok = taken ? WebPAnimEncoderAdd(sink->encoder, &picture,
                                               time_ms(sink, sink->written), &sink->config) ||
                                fail_encode(sink, WebPAnimEncoderGetError(sink->encoder), diag)
                          : out_of_memory(sink, diag);
    WebPPictureFree(&picture);
    sink->written += ok;
    return ok;
}

/* ---- reading back ---- */

/* Decodes all of it.  Pictures that equal the one before are that one, shown longer; a single
 * picture has no time. */
static bool looks_whole(const Sink *sink, WebPData file)
{
    WebPAnimInfo info;
    WebPAnimDecoder *decoder = WebPAnimDecoderNew(&file, NULL);
    bool whole = decoder && WebPAnimDecoderGetInfo(decoder, &info) &&
                 info.canvas_width == (uint32_t)sink->options.width &&
                 info.canvas_height == (uint32_t)sink->options.height;
    int time = 0;
    while (whole && WebPAnimDecoderHasMoreFrames(decoder)) {
        uint8_t *pixels;
        whole = WebPAnimDecoderGetNext(decoder, &pixels, &time) != 0;
    }
    whole =
        whole && info.frame_count >= 1 && (int64_t)info.frame_count <= sink->written &&
        (info.frame_count == 1 || (info.loop_count == 0 && time == time_ms(sink, sink->written)));
    WebPAnimDecoderDelete(decoder);
    return whole;
}

static bool save(const Sink *sink, WebPData file, Diag *diag)
{
    if (!looks_whole(sink, file))
        return diag_fail(diag, DIAG_INTERNAL, "'%s' is not whole when read back",
                         sink->options.file);
    return file_save(sink->options.file, file.bytes, file.size, diag);
}

static bool finish(Sink *sink, Diag *diag)
{
    if (!sink_check_count(&sink->options, sink->written, diag))
        return false;
    WebPData file;
    WebPDataInit(&file);
    const bool made = WebPAnimEncoderAdd(sink->encoder, NULL, time_ms(sink, sink->written), NULL) &&
                      WebPAnimEncoderAssemble(sink->encoder, &file);
    const bool ok = made ? save(sink, file, diag)
                         : fail_encode(sink, WebPAnimEncoderGetError(sink->encoder), diag);
    WebPDataClear(&file);
    return ok;
}

const SinkKind sink_webp = {.name = "webp",
                            .ordered = true,
                            .create = create,
                            .write = write_picture,
                            .finish = finish,
                            .destroy = destroy};
