#include "passes/pass.h"

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
    [PASS_KEYPOINTS] = {"pose", PIXEL_TEXT, GEOMETRY_DEPTH},
};

const char *pass_name(Pass pass)
{
    return passes[pass].name;
}

PixelFormat pass_format(Pass pass)
{
    return passes[pass].format;
}

unsigned pass_geometry(Pass pass)
{
    return passes[pass].geometry;
}
