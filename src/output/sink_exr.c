// SPDX-License-Identifier: MIT
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "media/exr/cryptomatte.h"
#include "media/exr/exr_file.h"
#include "media/picture.h"
#include "output/sink.h"

enum { VALUES = 256, MAX_RANKS = 6 };

static const float NO_DEPTH = 1e10f; /* as Blender stores it */

/* Writes one multi-layer OpenEXR file per frame. */
typedef struct ExrSink {
    const SinkOptions *options;
    Arena *arena, *scratch; /* scratch: memory of one frame */
    ExrSpec spec;
    ARENA_LIST(ExrChannel) channels;
    ARENA_LIST(ExrAttribute) attributes;
    float linear[VALUES], part[VALUES]; /* values of a byte: as linear light; as 0..1 */
    uint32_t **ids;                     /* [layer_count][name_count + 1] of a SINK_LAYER_MATTE */
} ExrSink;

static bool check_options(const SinkOptions *options, Diag *diag)
{
    if (!exr_version())
        return diag_fail(diag, DIAG_RESOURCE,
                         "'%s': .exr files need OpenEXR; this program was built without it",
                         options->file);
    return sink_png_check_name(options, diag);
}

/* ---- channels ---- */

static void add_channel(ExrSink *sink, const char *layer, const char *name, ExrType type)
{
    const char *full = *layer ? arena_printf(sink->arena, "%s.%s", layer, name) : name;

    *arena_push(sink->arena, &sink->channels) = (ExrChannel){full, type};
}

static void add_channels(ExrSink *sink, const char *layer, const char *const *names, size_t count,
                         ExrType type)
{
    for (size_t i = 0; i < count; i++)
        add_channel(sink, layer, names[i], type);
}

/* A pixel has no more different labels than samples. */
static int ranks_of(const SinkLayer *layer)
{
    return layer->samples < MAX_RANKS ? (layer->samples + 1) / 2 * 2 : MAX_RANKS;
}

static void add_matte(ExrSink *sink, const SinkLayer *layer, uint32_t **ids)
{
    static const char *const names[] = {"R", "G", "B", "A"};
    ExrAttribute attributes[CRYPTOMATTE_ATTRIBUTES];

    for (int i = 0; i < ranks_of(layer) / 2; i++)
        add_channels(sink, arena_printf(sink->arena, "%s%02d", layer->name, i), names, 4,
                     EXR_TYPE_FLOAT);
    cryptomatte_attributes(attributes, layer->name, layer->names, layer->name_count, sink->arena);
    for (int i = 0; i < CRYPTOMATTE_ATTRIBUTES; i++)
        *arena_push(sink->arena, &sink->attributes) = attributes[i];
    *ids = arena_array(sink->arena, uint32_t, layer->name_count + 1);
    for (size_t i = 0; i < layer->name_count; i++)
        (*ids)[i + 1] = cryptomatte_id(layer->names[i]);
}

static void add_layer(ExrSink *sink, const SinkLayer *layer, uint32_t **ids)
{
    static const char *const colors[] = {"R", "G", "B", "A"}, *const axes[] = {"X", "Y", "Z", "W"};

    switch (layer->kind) {
    case SINK_LAYER_COLOR:
        add_channels(sink, layer->name, colors, layer->alpha ? 4 : 3, EXR_TYPE_HALF);
        break;
    case SINK_LAYER_GREY:
        add_channel(sink, layer->name, "Y", EXR_TYPE_HALF);
        break;
    case SINK_LAYER_DEPTH:
        add_channel(sink, layer->name, "Z", EXR_TYPE_FLOAT);
        break;
    case SINK_LAYER_NORMAL:
        add_channels(sink, layer->name, axes, 3, EXR_TYPE_HALF);
        break;
    case SINK_LAYER_VECTOR:
        add_channels(sink, layer->name, axes, 4, EXR_TYPE_FLOAT);
        break;
    case SINK_LAYER_MATTE:
        add_matte(sink, layer, ids);
        break;
    default:
        break;
    }
}

/* ---- rows ---- */

/* The curve of IEC 61966-2-1. */
static float linear_light(int value)
{
    const double v = value / 255.0;

    return (float)(v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4));
}

/* Colors are premultiplied, as OpenEXR defines them. */
static void read_color(const ExrSink *sink, const SinkLayer *layer, float *const *rows,
                       const uint8_t *pixels, size_t width)
{
    for (size_t x = 0; x < width; x++) {
        const uint8_t *pixel = pixels + 4 * x;
        const float alpha = layer->alpha ? sink->part[pixel[3]] : 1.0f;

        for (int c = 0; c < 3; c++)
            rows[c][x] = sink->linear[pixel[c]] * alpha;
        if (layer->alpha)
            rows[3][x] = alpha;
    }
}

static void read_grey(const ExrSink *sink, float *row, const uint8_t *pixels, size_t width)
{
    for (size_t x = 0; x < width; x++)
        row[x] = sink->part[pixels[4 * x]];
}

static void read_depth(float *row, const float *depth, size_t width)
{
    for (size_t x = 0; x < width; x++)
        row[x] = depth[x] > 0.0f ? depth[x] : NO_DEPTH;
}

static void read_normal(float *const *rows, const uint16_t *normals, size_t width)
{
    for (size_t x = 0; x < width; x++)
        for (size_t c = 0; c < 3; c++)
            rows[c][x] = picture_half(normals[4 * x + c]);
}

static void read_vector(float *const *rows, const float *vectors, size_t width)
{
    for (size_t x = 0; x < width; x++)
        for (size_t c = 0; c < 4; c++)
            rows[c][x] = vectors[4 * x + c];
}

static uint32_t label_at(const uint8_t *labels, int i, size_t size)
{
    uint16_t label;

    if (size == 1)
        return labels[i];
    memcpy(&label, labels + sizeof label * (size_t)i, sizeof label);
    return label;
}

static int rank_labels(CryptomatteRank *ranks, const uint8_t *labels, const SinkLayer *layer,
                       const uint32_t *ids)
{
    uint32_t samples[CRYPTOMATTE_MAX_SAMPLES];

    if (!memcmp(labels, labels + layer->label_size,
                layer->label_size * (size_t)(layer->samples - 1))) { /* most pixels */
        ranks[0] = (CryptomatteRank){ids[label_at(labels, 0, layer->label_size)], layer->samples};
        return ranks[0].id ? 1 : 0;
    }
    for (int i = 0; i < layer->samples; i++)
        samples[i] = ids[label_at(labels, i, layer->label_size)];
    return cryptomatte_rank(ranks, samples, layer->samples);
}

static void read_matte(float *const *rows, const uint8_t *labels, const SinkLayer *layer,
                       const uint32_t *ids, size_t width)
{
    const int stored = ranks_of(layer);
    const size_t pixel = (size_t)layer->samples * layer->label_size;

    for (size_t x = 0; x < width; x++) {
        CryptomatteRank ranks[CRYPTOMATTE_MAX_SAMPLES];
        const int count = rank_labels(ranks, labels + x * pixel, layer, ids);

        for (int i = 0; i < stored; i++) {
            const bool used = i < count;
            rows[2 * i][x] = used ? cryptomatte_float(ranks[i].id) : 0.0f;
            rows[2 * i + 1][x] = used ? (float)ranks[i].count / (float)layer->samples : 0.0f;
        }
    }
}

/* A frame to write: a sink and the images of its layers. */
typedef struct Frame {
    const ExrSink *sink;
    const SinkLayerImage *images;
} Frame;

static size_t channel_count(const SinkLayer *layer)
{
    switch (layer->kind) {
    case SINK_LAYER_COLOR:
        return layer->alpha ? 4 : 3;
    case SINK_LAYER_NORMAL:
        return 3;
    case SINK_LAYER_VECTOR:
        return 4;
    case SINK_LAYER_MATTE:
        return 2 * (size_t)ranks_of(layer);
    case SINK_LAYER_CAMERA:
        return 0;
    default:
        return 1;
    }
}

/* The values of `count` pixels from the one with this index on. */
static void read_pixels(const Frame *frame, size_t index, float *const *rows, size_t at,
                        size_t count)
{
    const SinkLayer *layer = &frame->sink->options->layers[index];
    const uint8_t *bytes = frame->images[index].image.pixels;
    const void *pixels = bytes;

    switch (layer->kind) {
    case SINK_LAYER_COLOR:
        read_color(frame->sink, layer, rows, bytes + 4 * at, count);
        break;
    case SINK_LAYER_GREY:
        read_grey(frame->sink, rows[0], bytes + 4 * at, count);
        break;
    case SINK_LAYER_DEPTH:
        read_depth(rows[0], (const float *)pixels + at, count);
        break;
    case SINK_LAYER_NORMAL:
        read_normal(rows, (const uint16_t *)pixels + 4 * at, count);
        break;
    case SINK_LAYER_VECTOR:
        read_vector(rows, (const float *)pixels + 4 * at, count);
        break;
    case SINK_LAYER_MATTE:
        read_matte(rows, bytes + at * (size_t)layer->samples * layer->label_size, layer,
                   frame->sink->ids[index], count);
        break;
    default:
        break;
    }
}

static void fill_nothing(const SinkLayer *layer, float *const *rows, size_t first, size_t end)
{
    const float nothing = layer->kind == SINK_LAYER_DEPTH ? NO_DEPTH : 0.0f;

    for (size_t c = 0; c < channel_count(layer); c++)
        for (size_t x = first; x < end; x++)
            rows[c][x] = nothing;
}

static void read_layer(const Frame *frame, size_t index, float *const *rows, int y)
{
    const SinkLayer *layer = &frame->sink->options->layers[index];
    const ImageRect part = frame->images[index].part;
    const size_t width = (size_t)frame->sink->options->width;
    const bool has_row = y >= part.top && y < part.bottom;
    const size_t left = has_row ? (size_t)part.left : width;
    const size_t right = has_row ? (size_t)part.right : width;
    float *inside[2 * MAX_RANKS];

    fill_nothing(layer, rows, 0, left);
    fill_nothing(layer, rows, right, width);
    for (size_t c = 0; c < 2 * MAX_RANKS; c++)
        inside[c] = rows[c < channel_count(layer) ? c : 0] + left;
    read_pixels(frame, index, inside, (size_t)y * width + left, right - left);
}

static void read_row(void *user, float *const *rows, int y)
{
    const Frame *frame = user;
    size_t channel = 0;

    for (size_t i = 0; i < frame->sink->options->layer_count; i++) {
        const size_t count = channel_count(&frame->sink->options->layers[i]);
        if (count > 0)
            read_layer(frame, i, rows + channel, y);
        channel += count;
    }
}

/* ---- the part with something in it ---- */

/* Whether a pixel is stored as zeros. */
static bool is_nothing(const uint8_t *pixel, bool alpha)
{
    return alpha ? pixel[3] == 0 : (pixel[0] | pixel[1] | pixel[2]) == 0;
}

static ImageRect rect_union(ImageRect a, ImageRect b)
{
    if (a.left >= a.right || b.left >= b.right)
        return a.left < a.right ? a : b;
    return (ImageRect){a.left < b.left ? a.left : b.left, a.top < b.top ? a.top : b.top,
                       a.right > b.right ? a.right : b.right,
                       a.bottom > b.bottom ? a.bottom : b.bottom};
}

static ImageRect color_part(const Image *image, bool alpha)
{
    ImageRect part = {0, 0, 0, 0};

    for (int y = 0; y < image->height; y++) {
        const uint8_t *row = image->pixels + 4 * (size_t)y * (size_t)image->width;
        int left = 0, right = image->width;
        while (left < right && is_nothing(row + 4 * left, alpha))
            left++;
        while (right > left && is_nothing(row + 4 * (right - 1), alpha))
            right--;
        if (left < right)
            part = rect_union(part, (ImageRect){left, y, right, y + 1});
    }
    return part;
}

/* At least a pixel, as files without any are not valid. */
static ImageRect used_part(const ExrSink *sink, const SinkLayerImage *images)
{
    ImageRect part = {0, 0, 0, 0};

    for (size_t i = 0; i < sink->options->layer_count; i++) {
        const SinkLayer *layer = &sink->options->layers[i];
        part = rect_union(part, layer->kind == SINK_LAYER_COLOR
                                    ? color_part(&images[i].image, layer->alpha)
                                    : images[i].part);
    }
    return part.left < part.right ? part : (ImageRect){0, 0, 1, 1};
}

/* ---- the sink ---- */

static void add_layers(ExrSink *sink)
{
    const SinkOptions *options = sink->options;

    sink->ids = arena_array(sink->arena, uint32_t *, options->layer_count);
    for (size_t i = 0; i < options->layer_count; i++)
        add_layer(sink, &options->layers[i], &sink->ids[i]);
    sink->spec = (ExrSpec){.width = options->width,
                           .height = options->height,
                           .channels = sink->channels.items,
                           .channel_count = sink->channels.count,
                           .attributes = sink->attributes.items,
                           .attribute_count = sink->attributes.count,
                           .fps_num = options->fps_num,
                           .fps_den = options->fps_den};
    for (int i = 0; i < VALUES; i++) {
        sink->linear[i] = linear_light(i);
        sink->part[i] = (float)i / (VALUES - 1);
    }
}

static bool open_sink(Sink *sink, Diag *diag)
{
    ExrSink *exr = sink->own = arena_array(sink->arena, ExrSink, 1);
    *exr = (ExrSink){.options = &sink->options, .arena = sink->arena, .scratch = arena_create()};
    if (!sink_png_open(sink, diag))
        return false;
    add_layers(exr);
    return true;
}

static bool write_layers(Sink *sink, const SinkLayerImage *images, int64_t frame, Diag *diag)
{
    ExrSink *exr = sink->own;
    Frame what = {exr, images};
    Bytes file;

    arena_reset(exr->scratch);
    exr->spec.frame = frame;
    for (size_t i = 0; i < sink->options.layer_count; i++)
        if (sink->options.layers[i].kind == SINK_LAYER_CAMERA)
            exr->spec.camera = (const void *)images[i].image.pixels;
    if (sink->options.crop_layers)
        exr->spec.window = used_part(exr, images);
    return exr_write(&file, &exr->spec, read_row, &what, exr->scratch, diag) &&
           sink_png_save(sink, file.data, file.size, frame, diag);
}

static void close_sink(Sink *sink)
{
    arena_destroy(((ExrSink *)sink->own)->scratch);
}

const SinkKind sink_exr = {.name = "exr",
                           .extension = "exr",
                           .help = "half floats in layers: the picture and passes",
                           .check = check_options,
                           .each_frame = true,
                           .open = open_sink,
                           .write_layers = write_layers,
                           .close = close_sink,
                           .verify = sink_png_verify_file,
                           .inspect = sink_png_inspect};
