/*
 * layers.h - the layers of a multi-layer image (.exr): what the images of a frame mean
 */
#ifndef OUTPUT_LAYERS_H
#define OUTPUT_LAYERS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/image.h"

typedef enum SinkLayerKind {
    SINK_LAYER_COLOR,  /* PIXEL_RGBA8 -> R, G, B, and A of an image with alpha */
    SINK_LAYER_GREY,   /* PIXEL_RGBA8, of which only red is used -> Y */
    SINK_LAYER_DEPTH,  /* PIXEL_FLOAT -> Z */
    SINK_LAYER_NORMAL, /* PIXEL_HALF4 -> X, Y, Z */
    SINK_LAYER_VECTOR, /* PIXEL_FLOAT4 -> X, Y, Z, W */
    SINK_LAYER_MATTE   /* PIXEL_LABELS -> Cryptomatte */
} SinkLayerKind;

typedef struct SinkLayer {
    SinkLayerKind kind;
    const char *name; /* of the channels: "N" for N.X; "" for channels without a name before them */
    bool alpha;       /* of a SINK_LAYER_COLOR: straight alpha is stored */
    int samples;      /* of a SINK_LAYER_MATTE: labels in a pixel */
    size_t label_size;        /* of a SINK_LAYER_MATTE: 1 (uint8_t) or 2 (uint16_t) bytes */
    const char *const *names; /* [name_count] of the labels from 1 */
    size_t name_count;
} SinkLayer;

/* The image of a layer in a frame. */
typedef struct SinkLayerImage {
    Image image;
    ImageRect part; /* outside of it there is nothing, and pixels are not set */
} SinkLayerImage;

#endif
