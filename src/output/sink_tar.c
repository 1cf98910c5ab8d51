// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/json.h"
#include "base/text_stream.h"
#include "output/sink.h"

/*
 * Writes the passes of all frames to one tar archive, frame after frame (README.md 7): an array as
 * a NumPy file, keypoints and cameras as JSON.  It needs no seeking, so that it can be a pipe.
 */

enum { BLOCK = 512, NPY_ALIGNMENT = 64, NPY_HEADER = 2 * NPY_ALIGNMENT };

/* The first member, which says what the others are; readers of WebDataset skip names like this. */
static const char FILM_MEMBER[] = "__film__";

typedef struct TarSink {
    const SinkOptions *options;
    FileOut out;
    Arena *scratch; /* memory of one frame */
} TarSink;

/* ---- members ---- */

/* A header of POSIX.1-1988 (ustar).  No time, user or group: equal films have equal bytes. */
static void set_header(char header[BLOCK], const char *name, size_t size)
{
    unsigned sum = 0;
    memset(header, 0, BLOCK);
    snprintf(header, 100, "%s", name);
    memcpy(header + 100, "0000644", 8);         /* mode */
    memcpy(header + 108, "0000000", 8);         /* user */
    memcpy(header + 116, "0000000", 8);         /* group */
    snprintf(header + 124, 12, "%011zo", size); /* at most 1 GiB */
    memcpy(header + 136, "00000000000", 12);    /* time */
    memset(header + 148, ' ', 8);               /* sum, which counts as spaces */
    header[156] = '0';                          /* a regular file */
    memcpy(header + 257,
           "ustar\0"
           "00",
           8);
    for (int i = 0; i < BLOCK; i++)
        sum += (unsigned char)header[i];
    snprintf(header + 148, 8, "%06o", sum);
}

/* A member whose contents the caller sets: `size` bytes from the result on. */
typedef struct Member {
    uint8_t *block;
    size_t total; /* with its header, in whole blocks */
} Member;

static uint8_t *member_begin(Member *m, const char *name, size_t size, Arena *arena)
{
    m->total = BLOCK + (size + BLOCK - 1) / BLOCK * BLOCK;
    m->block = arena_calloc(arena, m->total, 1);
    set_header((char *)m->block, name, size);
    return m->block + BLOCK;
}

static bool write_text(TarSink *sink, const char *name, const char *text, Diag *diag)
{
    Member m;
    memcpy(member_begin(&m, name, strlen(text), sink->scratch), text, strlen(text));
    return file_out_write(&sink->out, m.block, m.total, diag);
}

/* ---- arrays ---- */

/* The values of an array in a file of NumPy: rows, columns and, unless 1, channels. */
typedef struct ArrayType {
    const char *type; /* NumPy's, little-endian */
    size_t bytes;     /* of a value */
    size_t channels;
    const char *values; /* what they are, for readers */
} ArrayType;

static ArrayType array_type(const SinkLayer *layer)
{
    switch (layer->kind) {
    case SINK_LAYER_COLOR:
        return (ArrayType){"|u1", 1, layer->alpha ? 4 : 3, layer->alpha ? "RGBA" : "RGB"};
    case SINK_LAYER_GREY:
        return (ArrayType){"|u1", 1, 1, "grey"};
    case SINK_LAYER_DEPTH:
        return (ArrayType){"<f4", 4, 1, "distance along the view, MMD units; inf: no surface"};
    case SINK_LAYER_VECTOR:
        return (ArrayType){"<f4", 4, 4, "pixels to the frame before and from the next one, y up"};
    case SINK_LAYER_NUMBERS:
        return (ArrayType){"<u2", 2, 1, "labels from 1; 0: no surface"};
    default:
        return (ArrayType){0};
    }
}

/* Version 1.0: magic, length of the rest, a dict of Python. */
static void set_npy_header(char header[NPY_HEADER], const ArrayType *array, int width, int height)
{
    static const char magic[] = "\x93NUMPY\x01\x00\x76"; /* 118 bytes follow the length */
    char channels[32] = "";
    if (array->channels > 1)
        snprintf(channels, sizeof channels, ", %zu", array->channels);
    memset(header, ' ', NPY_HEADER);
    memcpy(header, magic, sizeof magic);
    const int size = snprintf(header + 10, NPY_HEADER - 10,
                              "{'descr': '%s', 'fortran_order': False, 'shape': (%d, %d%s), }",
                              array->type, height, width, channels);
    header[10 + size] = ' ';
    header[NPY_HEADER - 1] = '\n';
}

/* The first channels of RGBA pixels. */
static void copy_channels(uint8_t *out, const uint8_t *pixels, size_t count, size_t channels)
{
    for (size_t i = 0; i < count; i++)
        for (size_t c = 0; c < channels; c++)
            out[channels * i + c] = pixels[4 * i + c];
}

/* The distances of a part; everything else, and distance 0, is at infinity. */
static void copy_depth(float *out, const SinkLayerImage *from)
{
    const Image *image = &from->image;
    const float *depth = (const void *)image->pixels;
    const size_t width = (size_t)image->width, count = width * (size_t)image->height;
    for (size_t i = 0; i < count; i++)
        out[i] = INFINITY;
    for (int y = from->part.top; y < from->part.bottom; y++)
        for (int x = from->part.left; x < from->part.right; x++) {
            const size_t i = (size_t)y * width + (size_t)x;
            if (depth[i] > 0)
                out[i] = depth[i];
        }
}

/* Rows of the part; the rest stays 0. */
static void copy_rows(uint8_t *out, const SinkLayerImage *from, size_t pixel)
{
    const size_t width = (size_t)from->image.width, left = (size_t)from->part.left;
    const size_t columns = (size_t)(from->part.right - from->part.left);
    for (int y = from->part.top; y < from->part.bottom; y++) {
        const size_t at = pixel * ((size_t)y * width + left);
        memcpy(out + at, from->image.pixels + at, pixel * columns);
    }
}

static bool write_array(TarSink *sink, const char *name, const SinkLayer *layer,
                        const SinkLayerImage *from, Diag *diag)
{
    const ArrayType array = array_type(layer);
    const int width = from->image.width, height = from->image.height;
    const size_t count = (size_t)width * (size_t)height;
    Member m;
    uint8_t *data =
        member_begin(&m, name, NPY_HEADER + count * array.channels * array.bytes, sink->scratch);
    set_npy_header((char *)data, &array, width, height);
    data += NPY_HEADER;
    if (layer->kind == SINK_LAYER_DEPTH)
        copy_depth((float *)(void *)data, from);
    else if (array.bytes == 1)
        copy_channels(data, from->image.pixels, count, array.channels);
    else
        copy_rows(data, from, array.channels * array.bytes);
    return file_out_write(&sink->out, m.block, m.total, diag);
}

/* ---- the sink ---- */

static bool is_text(const SinkLayer *layer)
{
    return layer->kind == SINK_LAYER_TEXT || layer->kind == SINK_LAYER_CAMERA;
}

static const char *extension(const SinkLayer *layer)
{
    return is_text(layer) ? "json" : "npy";
}

static const char *film_json(const SinkOptions *options, Arena *arena)
{
    TextStream stream;
    Json json = json_init(text_stream_open(&stream, arena));
    json_print(&json, "{width:%d height:%d fps:[%d, %d] first_frame:%jd frames:%jd passes:[",
               options->width, options->height, options->fps_num, options->fps_den,
               options->first_frame, options->frame_count);
    for (size_t i = 0; i < options->layer_count; i++) {
        const SinkLayer *layer = &options->layers[i];
        json_print(&json, "{name:%s extension:%s", layer->name, extension(layer));
        if (!is_text(layer))
            json_print(&json, "values:%s", array_type(layer).values);
        if (layer->kind == SINK_LAYER_NUMBERS) {
            json_print(&json, "labels:[");
            for (size_t k = 0; k < layer->name_count; k++)
                json_text(&json, layer->names[k]);
            json_print(&json, "]");
        }
        json_print(&json, "}");
    }
    json_print(&json, "]}\n");
    return text_stream_close(&stream);
}

static bool open_sink(Sink *sink, Diag *diag)
{
    TarSink *tar = sink->own = arena_array(sink->arena, TarSink, 1);
    *tar = (TarSink){.options = &sink->options, .out.fd = -1, .scratch = arena_create()};
    if (!file_out_open(&tar->out, sink->options.file, diag))
        return false;
    tar->out.approval = sink->options.approval;
    return write_text(tar, FILM_MEMBER, film_json(tar->options, tar->scratch), diag);
}

static bool write_layers(Sink *sink, const SinkLayerImage *images, int64_t frame, Diag *diag)
{
    TarSink *tar = sink->own;
    const SinkOptions *options = tar->options;
    char name[100];
    bool good = true;
    for (size_t i = 0; good && i < options->layer_count; i++) {
        const SinkLayer *layer = &options->layers[i];
        const void *pixels = images[i].image.pixels;
        arena_reset(tar->scratch);
        snprintf(name, sizeof name, "%05jd.%s.%s", (intmax_t)frame, layer->name, extension(layer));
        if (layer->kind == SINK_LAYER_TEXT)
            good = write_text(tar, name, pixels, diag);
        else if (layer->kind == SINK_LAYER_CAMERA)
            good = write_text(
                tar, name, sink_camera_json(pixels, options->width, options->height, tar->scratch),
                diag);
        else
            good = write_array(tar, name, layer, &images[i], diag);
    }
    return good;
}

/* Two empty blocks are the end. */
static bool finish(Sink *sink, Diag *diag)
{
    static const char end[2 * BLOCK];
    TarSink *tar = sink->own;
    return file_out_write(&tar->out, end, sizeof end, diag) && file_out_commit(&tar->out, diag);
}

static void close_sink(Sink *sink)
{
    TarSink *tar = sink->own;
    file_out_abort(&tar->out);
    arena_destroy(tar->scratch);
}

const SinkKind sink_tar = {.name = "tar",
                           .ordered = true,
                           .extension = "tar",
                           .help = "arrays of NumPy, one per frame and pass",
                           .open = open_sink,
                           .write_layers = write_layers,
                           .finish = finish,
                           .close = close_sink};
