// SPDX-License-Identifier: MIT
#include "picture/passes/pass.h"

#include "render/geometry_image.h"

static const struct {
    const char *name;
    PixelFormat format;
    unsigned geometry;
} passes[PASS_COUNT] = {
    [PASS_BEAUTY] = {"beauty", PIXEL_RGBA8, 0},
    [PASS_DEPTH] = {"depth", PIXEL_GREY16, GEOMETRY_DEPTH},
    [PASS_NORMAL] = {"normal", PIXEL_RGBA8, GEOMETRY_NORMAL},
    [PASS_MASK_MODEL] = {"mask-model", PIXEL_RGBA8, GEOMETRY_ID},
    [PASS_MASK_MATERIAL] = {"mask-material", PIXEL_RGBA8, GEOMETRY_ID},
    [PASS_LINE] = {"line", PIXEL_RGBA8, 0},
    [PASS_SHADOW] = {"shadow", PIXEL_RGBA8, 0},
    [PASS_POSE] = {"pose", PIXEL_RGBA8, GEOMETRY_DEPTH},
    [PASS_MOTION] = {"motion", PIXEL_FLOAT4, GEOMETRY_MOTION},
    [PASS_KEYPOINTS] = {"keypoints", PIXEL_TEXT, GEOMETRY_DEPTH},
    [PASS_CAMERA] = {"camera", PIXEL_CAMERA, 0},
    [PASS_DISTANCE] = {"depth", PIXEL_FLOAT, GEOMETRY_DEPTH},
    [PASS_WORLD_NORMAL] = {"normal", PIXEL_HALF4, GEOMETRY_WORLD_NORMAL},
    [PASS_LABELS] = {"mask-material", PIXEL_LABELS, 0},
    [PASS_MODEL_NUMBERS] = {"mask-model", PIXEL_GREY16, GEOMETRY_ID},
    [PASS_MATERIAL_NUMBERS] = {"mask-material", PIXEL_GREY16, GEOMETRY_ID},
};

const char *pass_name(Pass pass)
{
    return passes[pass].name;
}

PixelFormat pass_format(Pass pass)
{
    return passes[pass].format;
}

Pass pass_as_layer(Pass pass)
{
    switch (pass) {
    case PASS_DEPTH:
        return PASS_DISTANCE;
    case PASS_NORMAL:
        return PASS_WORLD_NORMAL;
    case PASS_MASK_MODEL:
    case PASS_MASK_MATERIAL:
        return PASS_LABELS;
    default:
        return pass;
    }
}

Pass pass_as_array(Pass pass)
{
    switch (pass) {
    case PASS_DEPTH:
        return PASS_DISTANCE;
    case PASS_MASK_MODEL:
        return PASS_MODEL_NUMBERS;
    case PASS_MASK_MATERIAL:
        return PASS_MATERIAL_NUMBERS;
    default:
        return pass;
    }
}

bool pass_is_text(Pass pass)
{
    return pass == PASS_KEYPOINTS || pass == PASS_CAMERA;
}

unsigned pass_geometry(Pass pass)
{
    return passes[pass].geometry;
}
