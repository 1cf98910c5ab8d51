// SPDX-License-Identifier: MIT
/* Encodes images in order to an animated WebP, lossy, with alpha if the options keep it. */
#include "output/sink.h"

#include <inttypes.h>
#include <webp/demux.h>
#include <webp/encode.h>
#include <webp/mux.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/parser_entry.h"

enum { QUALITY = 80, METHOD = 4 }; /* 0..100; 0 (fast) to 6 (small) */

typedef struct WebpSink {
    WebPConfig config;
    WebPAnimEncoder *encoder; /* holds the encoded frames in memory */
} WebpSink;

/* False if the installed libwebp has an incompatible version. */
static bool set_config(WebPConfig *config, int quality)
{
    if (!WebPConfigPreset(config, WEBP_PRESET_DRAWING, (float)quality))
        return false;
    config->method = METHOD;
    config->use_sharp_yuv = 1; /* preserves thin lines of saturated colors */
    return true;
}

static bool import(WebPPicture *picture, const Image *image, bool alpha)
{
    const int stride = 4 * image->width;
    picture->use_argb = 1;
    picture->width = image->width;
    picture->height = image->height;
    return alpha ? WebPPictureImportRGBA(picture, image->pixels, stride)
                 : WebPPictureImportRGBX(picture, image->pixels, stride);
}

static bool out_of_memory(const Sink *sink, Diag *diag)
{
    return diag_fail(diag, DIAG_RESOURCE, "'%s': out of memory for libwebp", sink->options.file);
}

static bool fail_encode(const Sink *sink, const char *what, Diag *diag)
{
    return diag_fail(diag, DIAG_INTERNAL, "'%s': libwebp failed at frame %" PRId64 ": %s",
                     sink->options.file, sink->written, what);
}

/* Start time of a frame; rounded from the first frame, so that rounding errors do not add up. */
static int time_ms(const Sink *sink, int64_t index)
{
    const int64_t num = sink->options.fps_num, den = sink->options.fps_den;
    return (int)((2 * 1000 * index * den + num) / (2 * num));
}

/* ---- writing ---- */

static void close_sink(Sink *sink)
{
    WebPAnimEncoderDelete(((WebpSink *)sink->own)->encoder);
}

static bool open_sink(Sink *sink, Diag *diag)
{
    WebpSink *webp = sink->own = arena_array(sink->arena, WebpSink, 1);
    WebPAnimEncoderOptions animation;
    if (!sink_check_writable(sink->options.file, diag))
        return false;
    if (!set_config(&webp->config, QUALITY) || !WebPAnimEncoderOptionsInit(&animation))
        return diag_fail(diag, DIAG_RESOURCE,
                         "'%s': the installed libwebp has an incompatible version",
                         sink->options.file);
    animation.anim_params.loop_count = 0; /* forever */
    webp->encoder = WebPAnimEncoderNew(sink->options.width, sink->options.height, &animation);
    return webp->encoder || out_of_memory(sink, diag);
}

static bool write_image(Sink *sink, const Image *image, int64_t frame, Diag *diag)
{
    WebpSink *webp = sink->own;
    WebPPicture picture;
    (void)frame;
    if (!WebPPictureInit(&picture))
        return out_of_memory(sink, diag);
    const bool ok = import(&picture, image, sink->options.alpha)
                        ? WebPAnimEncoderAdd(webp->encoder, &picture, time_ms(sink, sink->written),
                                             &webp->config) ||
                              fail_encode(sink, WebPAnimEncoderGetError(webp->encoder), diag)
                        : out_of_memory(sink, diag);
    WebPPictureFree(&picture);
    return ok;
}

/* ---- reading back ---- */

/* Decodes the whole animation.  Identical frames are merged into a longer one; a single frame has
 * no duration. */
static bool is_complete(const Sink *sink, WebPData file)
{
    parser_enter("webp");
    WebPAnimInfo info;
    WebPAnimDecoder *decoder = WebPAnimDecoderNew(&file, NULL);
    bool ok = decoder && WebPAnimDecoderGetInfo(decoder, &info) &&
              info.canvas_width == (uint32_t)sink->options.width &&
              info.canvas_height == (uint32_t)sink->options.height;
    int time = 0;
    while (ok && WebPAnimDecoderHasMoreFrames(decoder)) {
        uint8_t *pixels;
        ok = WebPAnimDecoderGetNext(decoder, &pixels, &time) != 0;
    }
    ok = ok && info.frame_count >= 1 && (int64_t)info.frame_count <= sink->written &&
         (info.frame_count == 1 || (info.loop_count == 0 && time == time_ms(sink, sink->written)));
    WebPAnimDecoderDelete(decoder);
    return ok;
}

static bool save(const Sink *sink, WebPData file, Diag *diag)
{
    if (!is_complete(sink, file))
        return diag_fail(diag, DIAG_INTERNAL, "'%s' is incomplete when read back",
                         sink->options.file);
    return file_save_approved(sink->options.file, file.bytes, file.size, sink->options.approval,
                              diag);
}

static bool finish(Sink *sink, Diag *diag)
{
    WebpSink *webp = sink->own;
    WebPData file;
    WebPDataInit(&file);
    const bool assembled =
        WebPAnimEncoderAdd(webp->encoder, NULL, time_ms(sink, sink->written), NULL) &&
        WebPAnimEncoderAssemble(webp->encoder, &file);
    const bool ok = assembled ? save(sink, file, diag)
                              : fail_encode(sink, WebPAnimEncoderGetError(webp->encoder), diag);
    WebPDataClear(&file);
    return ok;
}

const SinkKind sink_webp = {.name = "webp",
                            .ordered = true,
                            .open = open_sink,
                            .write = write_image,
                            .finish = finish,
                            .close = close_sink};

/* ---- single images ---- */

bool sink_webp_encode(Bytes *out, const Image *image, int quality, Arena *arena, Diag *diag)
{
    WebPConfig config;
    WebPPicture picture;
    WebPMemoryWriter writer;
    if (!set_config(&config, quality) || !WebPPictureInit(&picture))
        return diag_fail(diag, DIAG_RESOURCE, "the installed libwebp has an incompatible version");
    WebPMemoryWriterInit(&writer);
    picture.writer = WebPMemoryWrite;
    picture.custom_ptr = &writer;
    const bool good = import(&picture, image, image->has_alpha) && WebPEncode(&config, &picture);
    const int error = (int)picture.error_code;
    WebPPictureFree(&picture);
    *out = (Bytes){arena_copy(arena, writer.mem, writer.size), writer.size};
    WebPMemoryWriterClear(&writer);
    return good ||
           diag_fail(diag, error == VP8_ENC_ERROR_OUT_OF_MEMORY ? DIAG_RESOURCE : DIAG_INTERNAL,
                     "libwebp cannot encode an image of %dx%d pixels: error %d", image->width,
                     image->height, error);
}
