// SPDX-License-Identifier: MIT
#include "picture/passes/pass_image.h"

#include <string.h>

/* Grey value: inverse / z + linear * z + offset. */
typedef struct Ramp {
    float inverse, linear, offset;
} Ramp;

static Ramp ramp_of(const DepthRange *range)
{
    const double near = range->near, far = range->far, white = UINT16_MAX;

    if (range->linear)
        return (Ramp){.linear = (float)(-white / (far - near)),
                      .offset = (float)(white * far / (far - near))};
    const double span = 1.0 / near - 1.0 / far;
    return (Ramp){.inverse = (float)(white / span), .offset = (float)(-white / (far * span))};
}

static uint16_t value_of(const Ramp *ramp, float z)
{
    const float value = ramp->inverse / z + ramp->linear * z + ramp->offset;

    if (!(z > 0.0f && value > 0.0f))
        return 0;
    return (uint16_t)(value < (float)UINT16_MAX ? value + 0.5f : (float)UINT16_MAX);
}

uint16_t pass_depth_value(const DepthRange *range, float distance)
{
    const Ramp ramp = ramp_of(range);

    return value_of(&ramp, distance);
}

void pass_depth_image(uint16_t *out, const float *depth, size_t count, const DepthRange *range)
{
    const Ramp ramp = ramp_of(range);

    for (size_t i = 0; i < count; i++)
        out[i] = depth[i] > 0.0f ? value_of(&ramp, depth[i]) : 0;
}

void pass_normal_image(uint8_t (*out)[4], const uint8_t (*normals)[4], size_t count)
{
    static const uint8_t to_eye[4] = {128, 128, 255, 255};

    for (size_t i = 0; i < count; i++)
        memcpy(out[i], normals[i][3] ? normals[i] : to_eye, 4);
}

/* Bits 0, 3, 6, ... of the label become the bits 7, 6, 5, ... of red, and so on. */
void pass_label_color(uint8_t out[4], uint32_t label)
{
    memset(out, 0, 4);
    out[3] = 255;
    for (int bit = 7; bit >= 0; bit--)
        for (int channel = 0; channel < 3; channel++, label >>= 1)
            out[channel] = (uint8_t)(out[channel] | (label & 1) << bit);
}

void pass_mask_image(uint8_t (*out)[4], const uint32_t *ids, size_t count, const uint32_t *labels)
{
    uint32_t id = 0;
    uint8_t color[4] = {0, 0, 0, 255};

    for (size_t i = 0; i < count; i++) {
        if (ids[i] != id) { /* neighbours mostly have the same */
            id = ids[i];
            pass_label_color(color, labels[id]);
        }
        memcpy(out[i], color, 4);
    }
}

void pass_number_image(uint16_t *out, const uint32_t *ids, size_t count, const uint32_t *labels)
{
    for (size_t i = 0; i < count; i++) {
        const uint32_t label = labels[ids[i]];
        out[i] = label < UINT16_MAX ? (uint16_t)label : UINT16_MAX;
    }
}
