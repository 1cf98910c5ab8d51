// SPDX-License-Identifier: MIT
#include "effect/states.h"

#include <string.h>

#include "base/text.h"

static const char *const STATE_NAMES[] = {
#define X(name, enumerator) [EFFECT_##enumerator] = (name),
    EFFECT_STATES(X)
#undef X
};

static const uint8_t STATE_VALUES[EFFECT_STATE_COUNT] = {
    [EFFECT_Z_FUNC] = VALUES_COMPARISON,
    [EFFECT_SRC_BLEND] = VALUES_BLEND,
    [EFFECT_DEST_BLEND] = VALUES_BLEND,
    [EFFECT_BLEND_OP] = VALUES_BLEND_OP,
    [EFFECT_SRC_BLEND_ALPHA] = VALUES_BLEND,
    [EFFECT_DEST_BLEND_ALPHA] = VALUES_BLEND,
    [EFFECT_BLEND_OP_ALPHA] = VALUES_BLEND_OP,
    [EFFECT_ALPHA_FUNC] = VALUES_COMPARISON,
    [EFFECT_CULL_MODE] = VALUES_CULL,
    [EFFECT_FILL_MODE] = VALUES_FILL,
    [EFFECT_COLOR_WRITE_ENABLE] = VALUES_COLOR_WRITE,
    [EFFECT_COLOR_WRITE_ENABLE_1] = VALUES_COLOR_WRITE,
    [EFFECT_COLOR_WRITE_ENABLE_2] = VALUES_COLOR_WRITE,
    [EFFECT_COLOR_WRITE_ENABLE_3] = VALUES_COLOR_WRITE,
    [EFFECT_STENCIL_FUNC] = VALUES_COMPARISON,
    [EFFECT_STENCIL_FAIL] = VALUES_STENCIL_OP,
    [EFFECT_STENCIL_Z_FAIL] = VALUES_STENCIL_OP,
    [EFFECT_STENCIL_PASS] = VALUES_STENCIL_OP,
    [EFFECT_CCW_STENCIL_FUNC] = VALUES_COMPARISON,
    [EFFECT_CCW_STENCIL_FAIL] = VALUES_STENCIL_OP,
    [EFFECT_CCW_STENCIL_Z_FAIL] = VALUES_STENCIL_OP,
    [EFFECT_CCW_STENCIL_PASS] = VALUES_STENCIL_OP,
};

/* States of the fixed-function pipeline, which shaders replace, and of points, patches and
 * vertices. */
static const char *const IGNORED[] = {"AdaptiveTess_X",
                                      "AdaptiveTess_Y",
                                      "AdaptiveTess_Z",
                                      "AdaptiveTess_W",
                                      "Ambient",
                                      "AmbientMaterialSource",
                                      "AntialiasedLineEnable",
                                      "AlphaArg0",
                                      "AlphaArg1",
                                      "AlphaArg2",
                                      "AlphaOp",
                                      "BumpEnvLOffset",
                                      "BumpEnvLScale",
                                      "BumpEnvMat00",
                                      "BumpEnvMat01",
                                      "BumpEnvMat10",
                                      "BumpEnvMat11",
                                      "Clipping",
                                      "ClipPlaneEnable",
                                      "ColorArg0",
                                      "ColorArg1",
                                      "ColorArg2",
                                      "ColorOp",
                                      "ColorVertex",
                                      "DiffuseMaterialSource",
                                      "DitherEnable",
                                      "EmissiveMaterialSource",
                                      "EnableAdaptiveTessellation",
                                      "FogColor",
                                      "FogDensity",
                                      "FogEnable",
                                      "FogEnd",
                                      "FogStart",
                                      "FogTableMode",
                                      "FogVertexMode",
                                      "IndexedVertexBlendEnable",
                                      "LastPixel",
                                      "LightAmbient",
                                      "LightDiffuse",
                                      "LightDirection",
                                      "LightEnable",
                                      "LightPosition",
                                      "LightRange",
                                      "LightSpecular",
                                      "LightType",
                                      "Lighting",
                                      "LocalViewer",
                                      "MaterialAmbient",
                                      "MaterialDiffuse",
                                      "MaterialEmissive",
                                      "MaterialPower",
                                      "MaterialSpecular",
                                      "MaxTessellationLevel",
                                      "MinTessellationLevel",
                                      "MultiSampleMask",
                                      "NormalDegree",
                                      "NormalizeNormals",
                                      "PatchSegments",
                                      "PointScaleEnable",
                                      "PointScale_A",
                                      "PointScale_B",
                                      "PointScale_C",
                                      "PointSize_Max",
                                      "PointSize_Min",
                                      "PointSpriteEnable",
                                      "PositionDegree",
                                      "ProjectionTransform",
                                      "RangeFogEnable",
                                      "ResultArg",
                                      "Sampler",
                                      "ShadeMode",
                                      "SpecularEnable",
                                      "SpecularMaterialSource",
                                      "TexCoordIndex",
                                      "Texture",
                                      "TextureFactor",
                                      "TextureTransform",
                                      "TextureTransformFlags",
                                      "TweenFactor",
                                      "VertexBlend",
                                      "ViewTransform",
                                      "WorldTransform",
                                      "Wrap0",
                                      "Wrap1",
                                      "Wrap2",
                                      "Wrap3",
                                      "Wrap4",
                                      "Wrap5",
                                      "Wrap6",
                                      "Wrap7",
                                      "AddressU",
                                      "AddressV",
                                      "AddressW",
                                      "MinFilter",
                                      "MagFilter",
                                      "MipFilter"};

typedef struct Word {
    StateValues values;
    const char *word;
    uint32_t number;
} Word;

static const Word WORDS[] = {
    {VALUES_COMPARISON, "NEVER", 1},
    {VALUES_COMPARISON, "LESS", 2},
    {VALUES_COMPARISON, "EQUAL", 3},
    {VALUES_COMPARISON, "LESSEQUAL", 4},
    {VALUES_COMPARISON, "GREATER", 5},
    {VALUES_COMPARISON, "NOTEQUAL", 6},
    {VALUES_COMPARISON, "GREATEREQUAL", 7},
    {VALUES_COMPARISON, "ALWAYS", 8},
    {VALUES_BLEND, "ZERO", 1},
    {VALUES_BLEND, "ONE", 2},
    {VALUES_BLEND, "SRCCOLOR", 3},
    {VALUES_BLEND, "INVSRCCOLOR", 4},
    {VALUES_BLEND, "SRCALPHA", 5},
    {VALUES_BLEND, "INVSRCALPHA", 6},
    {VALUES_BLEND, "DESTALPHA", 7},
    {VALUES_BLEND, "INVDESTALPHA", 8},
    {VALUES_BLEND, "DESTCOLOR", 9},
    {VALUES_BLEND, "INVDESTCOLOR", 10},
    {VALUES_BLEND, "SRCALPHASAT", 11},
    {VALUES_BLEND, "BOTHSRCALPHA", 12},
    {VALUES_BLEND, "BOTHINVSRCALPHA", 13},
    {VALUES_BLEND, "BLENDFACTOR", 14},
    {VALUES_BLEND, "INVBLENDFACTOR", 15},
    {VALUES_BLEND_OP, "ADD", 1},
    {VALUES_BLEND_OP, "SUBTRACT", 2},
    {VALUES_BLEND_OP, "REVSUBTRACT", 3},
    {VALUES_BLEND_OP, "MIN", 4},
    {VALUES_BLEND_OP, "MAX", 5},
    {VALUES_CULL, "NONE", 1},
    {VALUES_CULL, "CW", 2},
    {VALUES_CULL, "CCW", 3},
    {VALUES_FILL, "POINT", 1},
    {VALUES_FILL, "WIREFRAME", 2},
    {VALUES_FILL, "SOLID", 3},
    {VALUES_STENCIL_OP, "KEEP", 1},
    {VALUES_STENCIL_OP, "ZERO", 2},
    {VALUES_STENCIL_OP, "REPLACE", 3},
    {VALUES_STENCIL_OP, "INCRSAT", 4},
    {VALUES_STENCIL_OP, "DECRSAT", 5},
    {VALUES_STENCIL_OP, "INVERT", 6},
    {VALUES_STENCIL_OP, "INCR", 7},
    {VALUES_STENCIL_OP, "DECR", 8},
    {VALUES_COLOR_WRITE, "RED", 1},
    {VALUES_COLOR_WRITE, "GREEN", 2},
    {VALUES_COLOR_WRITE, "BLUE", 4},
    {VALUES_COLOR_WRITE, "ALPHA", 8},
    {VALUES_ADDRESS, "WRAP", EFFECT_WRAP},
    {VALUES_ADDRESS, "MIRROR", EFFECT_MIRROR},
    {VALUES_ADDRESS, "CLAMP", EFFECT_CLAMP},
    {VALUES_ADDRESS, "BORDER", EFFECT_BORDER},
    {VALUES_ADDRESS, "MIRRORONCE", EFFECT_MIRROR_ONCE},
    {VALUES_FILTER, "NONE", EFFECT_FILTER_NONE},
    {VALUES_FILTER, "POINT", EFFECT_POINT},
    {VALUES_FILTER, "LINEAR", EFFECT_LINEAR},
    {VALUES_FILTER, "ANISOTROPIC", EFFECT_ANISOTROPIC},
    {VALUES_FILTER, "PYRAMIDALQUAD", EFFECT_LINEAR},
    {VALUES_FILTER, "GAUSSIANQUAD", EFFECT_LINEAR},
    {VALUES_FILTER, "MIN_MAG_MIP_POINT", EFFECT_POINT},
    {VALUES_FILTER, "MIN_MAG_MIP_LINEAR", EFFECT_LINEAR},
};

static const struct {
    const char *name;
    SamplerState state;
    StateValues values;
} SAMPLER_STATES[] = {{"Texture", SAMPLER_TEXTURE, VALUES_NUMBER},
                      {"AddressU", SAMPLER_ADDRESS_U, VALUES_ADDRESS},
                      {"AddressV", SAMPLER_ADDRESS_V, VALUES_ADDRESS},
                      {"AddressW", SAMPLER_ADDRESS_W, VALUES_ADDRESS},
                      {"MinFilter", SAMPLER_MIN_FILTER, VALUES_FILTER},
                      {"MagFilter", SAMPLER_MAG_FILTER, VALUES_FILTER},
                      {"MipFilter", SAMPLER_MIP_FILTER, VALUES_FILTER},
                      {"Filter", SAMPLER_FILTER, VALUES_FILTER},
                      {"BorderColor", SAMPLER_BORDER_COLOR, VALUES_NUMBER},
                      {"MipMapLodBias", SAMPLER_LOD_BIAS, VALUES_NUMBER},
                      {"MipLodBias", SAMPLER_LOD_BIAS, VALUES_NUMBER},
                      {"MaxMipLevel", SAMPLER_MAX_MIP_LEVEL, VALUES_NUMBER},
                      {"MaxAnisotropy", SAMPLER_MAX_ANISOTROPY, VALUES_NUMBER},
                      {"SRGBTexture", SAMPLER_SRGB, VALUES_NUMBER},
                      {"ElementIndex", SAMPLER_IGNORED, VALUES_NUMBER},
                      {"DMapOffset", SAMPLER_IGNORED, VALUES_NUMBER}};

int state_find(const char *name)
{
    return text_equal_ignoring_case(name, "ColorWriteEnable0")
               ? EFFECT_COLOR_WRITE_ENABLE
               : text_find_ignoring_case(TEXT_WORDS(STATE_NAMES, EFFECT_STATE_COUNT), name);
}

StateValues state_values(EffectStateKind kind)
{
    return (StateValues)STATE_VALUES[kind];
}

bool state_is_ignored(const char *name)
{
    return text_find_ignoring_case(TEXT_ARRAY(IGNORED), name) >= 0;
}

bool state_word(double *out, StateValues values, const char *word)
{
    const char *bar = strchr(word, '_');
    if (bar && !strncmp(word, "D3D", 3))
        word = bar + 1;
    *out = text_equal_ignoring_case(word, "true");
    if (*out != 0 || text_equal_ignoring_case(word, "false"))
        return true;
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++)
        if (WORDS[i].values == values && text_equal_ignoring_case(WORDS[i].word, word)) {
            *out = WORDS[i].number;
            return true;
        }
    return false;
}

int sampler_state_find(const char *name)
{
    for (size_t i = 0; i < sizeof SAMPLER_STATES / sizeof *SAMPLER_STATES; i++)
        if (text_equal_ignoring_case(SAMPLER_STATES[i].name, name))
            return (int)SAMPLER_STATES[i].state;
    return -1;
}

StateValues sampler_state_values(SamplerState state)
{
    for (size_t i = 0; i < sizeof SAMPLER_STATES / sizeof *SAMPLER_STATES; i++)
        if (SAMPLER_STATES[i].state == state)
            return SAMPLER_STATES[i].values;
    return VALUES_NUMBER;
}
