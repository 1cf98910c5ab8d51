// SPDX-License-Identifier: MIT
#include "media/picture.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <webp/decode.h>

#include "base/parser_entry.h"
#include "base/reader.h"
#include "media/dds.h"
#include "media/libav.h"
#include "media/png_image.h"

/* The highest density of all formats: one-bit PNG, deflated 1032 to 1.  An image with more pixels
 * cannot be in the file, so a small file never needs much memory. */
enum { MAX_PIXELS_PER_BYTE = 8 * 1032 };

/* Pixels of a WebP that need no bytes: one color has no bits. */
enum { FREE_WEBP_PIXELS = 1 << 20 };

/* Limit of pixels times scans of a JPEG: a few seconds.  The largest image may have 16 scans. */
static const uint64_t MAX_SCANNED_PIXELS = 1 << 30;

typedef struct Size {
    int64_t width, height; /* 0 if the header is truncated */
} Size;

typedef struct Format {
    const char *name;
    enum AVCodecID codec;
    bool (*is)(Bytes bytes);
    Size (*size)(Bytes bytes);
} Format;

/* ---- format and size, from the header ---- */

static bool starts_with(Bytes bytes, const void *mark, size_t size)
{
    return bytes.size >= size && !memcmp(bytes.data, mark, size);
}

static Reader reader_at(Bytes bytes, size_t at)
{
    Reader r = reader_init(bytes.data, bytes.size);
    read_bytes(&r, at);
    return r;
}

static uint16_t read_u16_be(Reader *r)
{
    const uint8_t *b = read_bytes(r, 2);
    return b ? (uint16_t)(256u * b[0] + b[1]) : 0;
}

static uint32_t read_u32_be(Reader *r)
{
    const uint32_t high = read_u16_be(r);
    return high << 16 | read_u16_be(r);
}

static bool is_png(Bytes bytes)
{
    return starts_with(bytes, "\x89PNG\r\n\x1a\n", 8);
}

static Size png_size(Bytes bytes)
{
    Reader r = reader_at(bytes, 16);
    const int64_t width = read_u32_be(&r);
    return (Size){width, read_u32_be(&r)};
}

static bool is_jpeg(Bytes bytes)
{
    return starts_with(bytes, "\xff\xd8\xff", 3);
}

/* Markers FF xx with a u16 length, up to a frame header C0..CF (C4, C8 and CC are not). */
static Size jpeg_size(Bytes bytes)
{
    Reader r = reader_at(bytes, 2);
    while (!r.failed) {
        if (read_u8(&r) != 0xFF)
            continue;
        uint8_t marker = read_u8(&r);
        while (marker == 0xFF)
            marker = read_u8(&r);
        if (marker == 0x00 || marker == 0x01 || (marker >= 0xD0 && marker <= 0xD8))
            continue;
        const uint16_t length = read_u16_be(&r);
        if (marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 &&
            marker != 0xCC) {
            read_u8(&r); /* bits per sample */
            const int64_t height = read_u16_be(&r);
            return (Size){read_u16_be(&r), height};
        }
        read_bytes(&r, length >= 2 ? length - 2u : 0);
    }
    return (Size){0, 0};
}

/* The number of scans, each of which decodes all pixels.  Segments before the first scan may
 * contain a thumbnail with its own; the data of a scan has no marker but those of restarts. */
static uint64_t jpeg_scan_count(Bytes bytes)
{
    uint64_t scans = 0;
    size_t at = 2;
    while (at + 4 <= bytes.size) {
        const uint8_t *b = bytes.data + at;
        const bool is_application = b[0] == 0xFF && b[1] >= 0xE0 && b[1] <= 0xEF;
        scans += b[0] == 0xFF && b[1] == 0xDA;
        at += is_application && !scans ? 2 + 256u * b[2] + b[3] : 1;
    }
    return scans;
}

enum { BMP_OLD_HEADER = 12 };

static bool is_bmp(Bytes bytes)
{
    static const uint32_t headers[] = {BMP_OLD_HEADER, 16, 40, 52, 56, 64, 108, 124};
    Reader r = reader_at(bytes, 14);
    const uint32_t header = read_u32(&r);
    bool known = false;
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        known = known || header == headers[i];
    return starts_with(bytes, "BM", 2) && !r.failed && known;
}

static Size bmp_size(Bytes bytes)
{
    Reader r = reader_at(bytes, 14);
    if (read_u32(&r) == BMP_OLD_HEADER) {
        const int64_t old_width = read_u16(&r);
        return (Size){old_width, read_u16(&r)};
    }
    const int64_t width = read_i32(&r), height = read_i32(&r);
    return (Size){width, height < 0 ? -height : height};
}

/* 32 bits without masks: the fourth byte is alpha, as in Direct3D (media/README.md 1.2). */
static bool is_plain_bmp32(Bytes bytes)
{
    Reader r = reader_at(bytes, 28);
    const uint16_t bits = read_u16(&r);
    const uint32_t compression = read_u32(&r);
    return is_bmp(bytes) && bits == 32 && compression == 0 && !r.failed;
}

static Size dds_size(Bytes bytes)
{
    Reader r = reader_at(bytes, 12);
    const int64_t height = read_u32(&r);
    return (Size){read_u32(&r), height};
}

static bool is_gif(Bytes bytes)
{
    return starts_with(bytes, "GIF87a", 6) || starts_with(bytes, "GIF89a", 6);
}

static Size gif_size(Bytes bytes)
{
    Reader r = reader_at(bytes, 6);
    const int64_t width = read_u16(&r);
    return (Size){width, read_u16(&r)};
}

static bool is_webp(Bytes bytes)
{
    return starts_with(bytes, "RIFF", 4) && bytes.size >= 12 && !memcmp(bytes.data + 8, "WEBP", 4);
}

static Size webp_size(Bytes bytes)
{
    int width = 0, height = 0;
    return WebPGetInfo(bytes.data, bytes.size, &width, &height) ? (Size){width, height}
                                                                : (Size){0, 0};
}

/*
 * TGA header, 18 bytes.  There is no magic number, so every field must be plausible:
 *    0  u8   bytes of text after the header      8  u16[2]  origin
 *    1  u8   0 or 1: has a color map         12  u16[2]  width, height
 *    2  u8   type, see below; 8 more: run-length 16  u8      bits per pixel
 *    3  u16  first color, u16 colors, u8 bits  17  u8      0..3 alpha bits, 4, 5 origin
 */
enum { TGA_HEADER_SIZE = 18, TGA_MAPPED = 1, TGA_COLOR = 2, TGA_GREY = 3, TGA_RUN_LENGTH = 8 };

static bool is_tga(Bytes bytes)
{
    if (bytes.size <= TGA_HEADER_SIZE)
        return false;
    const uint8_t *b = bytes.data;
    const int type = b[2] & ~TGA_RUN_LENGTH, bits = b[16], map_bits = b[7];
    const bool bits_fit = type == TGA_MAPPED  ? bits == 8
                          : type == TGA_COLOR ? bits == 15 || bits == 16 || bits == 24 || bits == 32
                          : type == TGA_GREY  ? bits == 8 || bits == 16
                                              : false;
    const bool map_fits = b[1] == 0 ? type != TGA_MAPPED
                                    : b[1] == 1 && (map_bits == 15 || map_bits == 16 ||
                                                    map_bits == 24 || map_bits == 32);
    return bits_fit && map_fits && (b[17] & 0xC0) == 0 && (b[12] || b[13]) && (b[14] || b[15]);
}

static Size tga_size(Bytes bytes)
{
    Reader r = reader_at(bytes, 12);
    const int64_t width = read_u16(&r);
    return (Size){width, read_u16(&r)};
}

/* 32 bits with 0 alpha bits in the header: the fourth byte often is alpha, unless all are 0. */
static bool is_tga32_without_alpha(Bytes bytes)
{
    return is_tga(bytes) && bytes.data[16] == 32 && (bytes.data[17] & 0x0F) == 0;
}

static const Format *find_format(Bytes bytes)
{
    static const Format formats[] = {
        {"PNG", AV_CODEC_ID_PNG, is_png, png_size},
        {"JPEG", AV_CODEC_ID_MJPEG, is_jpeg, jpeg_size},
        {"BMP", AV_CODEC_ID_BMP, is_bmp, bmp_size},
        {"DDS", AV_CODEC_ID_DDS, dds_is, dds_size},
        {"GIF", AV_CODEC_ID_GIF, is_gif, gif_size},
        {"WebP", AV_CODEC_ID_WEBP, is_webp, webp_size}, /* decoded by libwebp */
        {"TGA", AV_CODEC_ID_TARGA, is_tga, tga_size},   /* last: it has no magic number */
    };
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (formats[i].is(bytes))
            return &formats[i];
    return NULL;
}

static bool check_size(const Format *format, Bytes bytes, Diag *diag)
{
    const Size size = format->size(bytes);
    if (size.width <= 0 || size.height <= 0)
        return diag_error(diag, "%s is truncated or empty", format->name);
    if (size.width > IMAGE_MAX_SIDE || size.height > IMAGE_MAX_SIDE ||
        size.width * size.height > PICTURE_MAX_PIXELS)
        return diag_error(diag,
                          "%s of %" PRId64 " x %" PRId64
                          " pixels is too large (at most %d per side, %d in total)",
                          format->name, size.width, size.height, IMAGE_MAX_SIDE,
                          PICTURE_MAX_PIXELS);
    const int64_t free = format->codec == AV_CODEC_ID_WEBP ? FREE_WEBP_PIXELS : 0;
    if ((size.width * size.height - free) / MAX_PIXELS_PER_BYTE > (int64_t)bytes.size)
        return diag_error(diag,
                          "%s of %" PRId64 " x %" PRId64 " pixels cannot be stored in %zu bytes",
                          format->name, size.width, size.height, bytes.size);
    const uint64_t scans = format->codec == AV_CODEC_ID_MJPEG ? jpeg_scan_count(bytes) : 1;
    if ((uint64_t)(size.width * size.height) * scans > MAX_SCANNED_PIXELS)
        return diag_error(diag,
                          "JPEG of %" PRId64 " x %" PRId64 " pixels has too many scans: %" PRIu64
                          " (at most %" PRIu64 ")",
                          size.width, size.height, scans,
                          MAX_SCANNED_PIXELS / (uint64_t)(size.width * size.height));
    return true;
}

/* ---- pixels ---- */

static uint8_t to_byte(uint32_t value, uint32_t max)
{
    return (uint8_t)(((uint64_t)value * 255 + max / 2) / max);
}

static void init_image(Image *image, int width, int height, Arena *arena)
{
    *image = (Image){.width = width, .height = height};
    image->pixels = arena_calloc(arena, (size_t)width * (size_t)height, 4);
}

static size_t pixel_count(const Image *image)
{
    return (size_t)image->width * (size_t)image->height;
}

static bool has_alpha_other_than(const Image *image, uint8_t alpha)
{
    for (size_t i = 0; i < pixel_count(image); i++)
        if (image->pixels[4 * i + 3] != alpha)
            return true;
    return false;
}

static void make_opaque(Image *image)
{
    for (size_t i = 0; i < pixel_count(image); i++)
        image->pixels[4 * i + 3] = 255;
}

/* The component of the frame for channel c of R G B A; -1 if there is none (opaque alpha). */
static int find_component(const AVPixFmtDescriptor *desc, int c)
{
    const bool has_alpha = desc->flags & AV_PIX_FMT_FLAG_ALPHA;
    if (c == 3)
        return has_alpha ? desc->nb_components - 1 : -1;
    return desc->nb_components < 3 ? 0 : c; /* grey */
}

/* Copies channels of 8 bits, in any order and planes. */
static void copy_bytes(Image *image, const AVFrame *frame, const AVPixFmtDescriptor *desc)
{
    for (int c = 0; c < 4; c++) {
        const int component = find_component(desc, c);
        if (component < 0)
            continue;
        const AVComponentDescriptor *comp = &desc->comp[component];
        for (int y = 0; y < image->height; y++) {
            const uint8_t *in = frame->data[comp->plane] +
                                (ptrdiff_t)y * frame->linesize[comp->plane] + comp->offset;
            uint8_t *out = image->pixels + 4 * (size_t)y * (size_t)image->width + c;
            for (int x = 0; x < image->width; x++)
                out[4 * (size_t)x] = in[(ptrdiff_t)x * comp->step];
        }
    }
}

/* Whether a pixel has all its channels in neighbouring bytes. */
static bool is_packed(const AVPixFmtDescriptor *desc)
{
    for (int c = 0; c < desc->nb_components; c++)
        if (desc->comp[c].plane != 0)
            return false;
    return desc->nb_components >= 3;
}

/* The same as make_opaque and copy_bytes, in one pass. */
static void copy_packed(Image *image, const AVFrame *frame, const AVPixFmtDescriptor *desc)
{
    const int r = desc->comp[0].offset, g = desc->comp[1].offset, b = desc->comp[2].offset;
    const int alpha = find_component(desc, 3), step = desc->comp[0].step;
    uint8_t *out = image->pixels;
    for (int y = 0; y < image->height; y++) {
        const uint8_t *in = frame->data[0] + (ptrdiff_t)y * frame->linesize[0];
        for (int x = 0; x < image->width; x++, in += step, out += 4) {
            out[0] = in[r];
            out[1] = in[g];
            out[2] = in[b];
            out[3] = alpha < 0 ? 255 : in[desc->comp[alpha].offset];
        }
    }
}

/* Copies channels of 1 to 16 bits; unrounded ones to `words`, if not NULL. */
static void copy_bits(Image *image, uint16_t *words, const AVFrame *frame,
                      const AVPixFmtDescriptor *desc, Arena *arena)
{
    const uint8_t *planes[4] = {frame->data[0], frame->data[1], frame->data[2], frame->data[3]};
    uint16_t *row = arena_array(arena, uint16_t, (size_t)image->width);

    for (int c = 0; c < 4; c++) {
        const int component = find_component(desc, c);
        if (component < 0)
            continue;
        const uint32_t max = (1u << desc->comp[component].depth) - 1;
        for (int y = 0; y < image->height; y++) {
            uint8_t *out = image->pixels + 4 * (size_t)y * (size_t)image->width + c;
            av_read_image_line2(row, planes, frame->linesize, desc, 0, y, component, image->width,
                                0, sizeof *row);
            for (int x = 0; x < image->width; x++)
                out[4 * (size_t)x] = to_byte(row[x], max);
            const size_t first = 4 * (size_t)y * (size_t)image->width + (size_t)c;
            for (size_t x = 0; words && x < (size_t)image->width; x++)
                words[first + 4 * x] = row[x];
        }
    }
}

/* Copies pixels that are indices of 256 colors, each a native u32 A R G B. */
static void copy_indexed(Image *image, const AVFrame *frame)
{
    uint32_t colors[256];
    memcpy(colors, frame->data[1], sizeof colors);
    for (int y = 0; y < image->height; y++) {
        const uint8_t *in = frame->data[0] + (ptrdiff_t)y * frame->linesize[0];
        uint8_t *out = image->pixels + 4 * (size_t)y * (size_t)image->width;
        for (int x = 0; x < image->width; x++, out += 4) {
            const uint32_t color = colors[in[x]];
            out[0] = (uint8_t)(color >> 16);
            out[1] = (uint8_t)(color >> 8);
            out[2] = (uint8_t)color;
            out[3] = (uint8_t)(color >> 24);
        }
    }
}

/* Opaque black. */
static uint16_t *make_words(const Image *image, Arena *arena)
{
    uint16_t *words = arena_calloc(arena, pixel_count(image), 4 * sizeof *words);
    for (size_t i = 0; i < pixel_count(image); i++)
        words[4 * i + 3] = UINT16_MAX;
    return words;
}

/* words: set to samples of 16 bits, if the frame has them; NULL: not wanted. */
static void copy_frame(Image *image, const uint16_t **words, const AVFrame *frame,
                       bool fourth_is_alpha, Arena *arena)
{
    const enum AVPixelFormat format =
        fourth_is_alpha && frame->format == AV_PIX_FMT_BGR0 ? AV_PIX_FMT_BGRA : frame->format;
    const AVPixFmtDescriptor *desc = av_pix_fmt_desc_get(format);
    bool are_bytes = !(desc->flags & AV_PIX_FMT_FLAG_BITSTREAM);
    for (int c = 0; c < desc->nb_components; c++)
        are_bytes = are_bytes && desc->comp[c].depth == 8;

    init_image(image, frame->width, frame->height, arena);
    const bool packed = are_bytes && is_packed(desc);
    if (!packed && !(desc->flags & (AV_PIX_FMT_FLAG_ALPHA | AV_PIX_FMT_FLAG_PAL)))
        make_opaque(image);
    if (desc->flags & AV_PIX_FMT_FLAG_PAL)
        copy_indexed(image, frame);
    else if (packed)
        copy_packed(image, frame, desc);
    else if (are_bytes)
        copy_bytes(image, frame, desc);
    else {
        uint16_t *to = words && desc->comp[0].depth == 16 ? make_words(image, arena) : NULL;
        copy_bits(image, to, frame, desc, arena);
        if (words)
            *words = to;
    }
}

/* ---- YUV to RGB, for JPEG ---- */

/* RGB, gray and indexed frames are copied without conversion; all others are YUV. */
static bool is_plain(const AVFrame *frame)
{
    const AVPixFmtDescriptor *desc = av_pix_fmt_desc_get(frame->format);
    return desc->flags & (AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL) || desc->nb_components < 3;
}

/* YUVJ formats are YUV formats marked as full range, which JPEG always has. */
static enum AVPixelFormat without_range(enum AVPixelFormat format)
{
    switch (format) {
    case AV_PIX_FMT_YUVJ411P:
        return AV_PIX_FMT_YUV411P;
    case AV_PIX_FMT_YUVJ420P:
        return AV_PIX_FMT_YUV420P;
    case AV_PIX_FMT_YUVJ422P:
        return AV_PIX_FMT_YUV422P;
    case AV_PIX_FMT_YUVJ440P:
        return AV_PIX_FMT_YUV440P;
    case AV_PIX_FMT_YUVJ444P:
        return AV_PIX_FMT_YUV444P;
    default:
        return format;
    }
}

/* Converts a frame from full-range BT.601 (JFIF), with the flags that give the same result on all
 * processors. */
static bool convert(AVFrame *out, enum AVPixelFormat format, const AVFrame *in)
{
    const int flags =
        SWS_BILINEAR | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP | SWS_BITEXACT;
    const int *matrix = sws_getCoefficients(SWS_CS_ITU601);
    out->format = format;
    out->width = in->width;
    out->height = in->height;
    if (av_frame_get_buffer(out, 0) < 0)
        return false;

    struct SwsContext *sws =
        sws_getContext(in->width, in->height, without_range(in->format), out->width, out->height,
                       format, flags, NULL, NULL, NULL);
    const bool ok = sws &&
                    sws_setColorspaceDetails(sws, matrix, 1, matrix, 1, 0, 1 << 16, 1 << 16) >= 0 &&
                    sws_scale(sws, (const uint8_t *const *)in->data, in->linesize, 0, in->height,
                              out->data, out->linesize) == out->height;
    sws_freeContext(sws);
    return ok;
}

/* Scales the chroma planes to full size first: when converting directly to RGB, libswscale uses the
 * nearest chroma row, which is wrong by up to 90 at sharp edges. */
static bool to_rgba(AVFrame *rgba, const AVFrame *frame)
{
    const bool has_alpha = av_pix_fmt_desc_get(frame->format)->flags & AV_PIX_FMT_FLAG_ALPHA;
    AVFrame *full = av_frame_alloc();
    const bool ok = full &&
                    convert(full, has_alpha ? AV_PIX_FMT_YUVA444P : AV_PIX_FMT_YUV444P, frame) &&
                    convert(rgba, AV_PIX_FMT_RGBA, full);
    av_frame_free(&full);
    return ok;
}

/* ---- decoding ---- */

/* The file size in a BMP header is often wrong; libavcodec depends on it, nothing else does. */
static void set_bmp_file_size(uint8_t *data, size_t size)
{
    for (int i = 0; i < 4; i++)
        data[2 + i] = (uint8_t)(size >> (8 * i));
}

/* Decodes the first frame; libav needs the bytes in a buffer of its own with padding. */
static int decode(AVFrame *frame, AVCodecContext *context, Bytes bytes)
{
    AVPacket *packet = av_packet_alloc();
    int rc = packet ? av_new_packet(packet, (int)bytes.size) : AVERROR(ENOMEM);
    if (rc >= 0) {
        memcpy(packet->data, bytes.data, bytes.size);
        if (context->codec_id == AV_CODEC_ID_BMP)
            set_bmp_file_size(packet->data, bytes.size);
        rc = avcodec_send_packet(context, packet);
    }
    if (rc >= 0)
        rc = avcodec_send_packet(context, NULL);
    if (rc >= 0)
        rc = avcodec_receive_frame(context, frame);
    av_packet_free(&packet);
    return rc;
}

static AVCodecContext *open_decoder(const Format *format)
{
    const AVCodec *codec = avcodec_find_decoder(format->codec);
    AVCodecContext *context = codec ? avcodec_alloc_context3(codec) : NULL;
    if (!context)
        return NULL;
    context->thread_count = 1;
    context->max_pixels = PICTURE_MAX_PIXELS;
    context->log_level_offset = AV_LOG_TRACE; /* silent: errors are reported to the Diag */
    if (avcodec_open2(context, codec, NULL) < 0)
        avcodec_free_context(&context);
    return context;
}

static bool load_by_libav(Image *image, const uint16_t **words, const Format *format, Bytes bytes,
                          Arena *arena, Diag *diag)
{
    bool ok = false;
    AVFrame *frame = av_frame_alloc(), *rgba = av_frame_alloc();
    AVCodecContext *context = open_decoder(format);
    if (!context || !frame || !rgba) {
        diag_fail(diag, DIAG_RESOURCE, "libavcodec has no decoder for %s", format->name);
        goto done;
    }
    const int rc = decode(frame, context, bytes);
    if (rc < 0 || frame->width <= 0 || frame->width > IMAGE_MAX_SIDE || frame->height <= 0 ||
        frame->height > IMAGE_MAX_SIDE) {
        diag_error(diag, "%s is damaged or not supported by libavcodec", format->name);
        goto done;
    }
    const bool plain = is_plain(frame);
    if (!plain && !to_rgba(rgba, frame)) {
        diag_error(diag, "%s has a color format that cannot be converted", format->name);
        goto done;
    }
    if (frame->decode_error_flags || frame->flags & AV_FRAME_FLAG_CORRUPT)
        diag_warn(diag, WARN_TRUNCATED, "%s is damaged; only a part of it is shown", format->name);
    else
        errno = 0; /* malloc may set it and succeed; diag_warn inspects it */
    copy_frame(image, words, plain ? frame : rgba, is_plain_bmp32(bytes), arena);
    ok = true;
done:
    avcodec_free_context(&context);
    av_frame_free(&frame);
    av_frame_free(&rgba);
    return ok;
}

float picture_half(uint16_t half)
{
    const int exponent = half >> 10 & 31, fraction = half & 1023;
    const float magnitude = exponent == 31 ? (fraction ? NAN : INFINITY)
                            : exponent     ? ldexpf((float)(1024 + fraction), exponent - 25)
                                           : ldexpf((float)fraction, -24);
    return half & 0x8000 ? -magnitude : magnitude;
}

/* ---- DDS of any masks and of floating-point channels, of which libavcodec supports few ---- */

static bool load_dds(Image *image, Bytes bytes, Arena *arena, Diag *diag)
{
    const Size size = dds_size(bytes);
    init_image(image, (int)size.width, (int)size.height, arena);
    return dds_load_image(image, bytes, diag);
}

static bool load_png(Image *image, Bytes bytes, Arena *arena)
{
    const Size size = png_size(bytes);
    init_image(image, (int)size.width, (int)size.height, arena);
    return png_image_load(image, bytes);
}

/* ---- WebP, as browsers show it: libwebp interpolates the chroma planes ---- */

static bool load_webp(Image *image, Bytes bytes, Arena *arena, Diag *diag)
{
    const Size size = webp_size(bytes);
    init_image(image, (int)size.width, (int)size.height, arena);
    return WebPDecodeRGBAInto(bytes.data, bytes.size, image->pixels, 4 * pixel_count(image),
                              4 * image->width) ||
           diag_error(diag, "WebP is damaged or animated");
}

bool picture_size(int64_t *width, int64_t *height, Bytes bytes)
{
    parser_enter("picture");
    const Format *format = find_format(bytes);
    const Size size = format ? format->size(bytes) : (Size){0, 0};
    *width = size.width;
    *height = size.height;
    return size.width > 0 && size.height > 0;
}

/* Whether a sample of alpha is not 65535. */
static bool has_transparent_words(const Image *image, const uint16_t *words)
{
    for (size_t i = 0; i < pixel_count(image); i++)
        if (words[4 * i + 3] != UINT16_MAX)
            return true;
    return false;
}

static bool load(Image *image, const uint16_t **words, Bytes bytes, Arena *arena, Diag *diag)
{
    *image = (Image){0};
    const Format *format = find_format(bytes);
    if (!format)
        return diag_error(
            diag, "not an image of a supported format (PNG, BMP, TGA, JPEG, DDS, GIF, WebP)");
    if (bytes.size > FILE_MAX_SIZE)
        return diag_error(diag, "file of %zu bytes is too large (at most %d)", bytes.size,
                          FILE_MAX_SIZE);
    if (!check_size(format, bytes, diag))
        return false;

    const bool loaded = is_webp(bytes) ? load_webp(image, bytes, arena, diag)
                        : dds_has_numbers(bytes)
                            ? load_dds(image, bytes, arena, diag)
                            : (is_png(bytes) && load_png(image, bytes, arena)) ||
                                  load_by_libav(image, words, format, bytes, arena, diag);
    if (!loaded)
        return false;
    const bool alpha_is_padding = is_plain_bmp32(bytes) || is_tga32_without_alpha(bytes);
    if (alpha_is_padding && !has_alpha_other_than(image, 0))
        make_opaque(image);
    image->has_alpha = has_alpha_other_than(image, 255);
    return true;
}

bool picture_load(Image *image, Bytes bytes, Arena *arena, Diag *diag)
{
    parser_enter("picture");
    return load(image, NULL, bytes, arena, diag);
}

bool picture_load_16(Image *image, const uint16_t **words, Bytes bytes, Arena *arena, Diag *diag)
{
    parser_enter("picture");
    *words = NULL;
    if (!load(image, words, bytes, arena, diag))
        return false;
    if (*words)
        image->has_alpha = has_transparent_words(image, *words);
    return true;
}
