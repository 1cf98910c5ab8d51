// SPDX-License-Identifier: MIT
/*
 * effect.h - an effect of MikuMikuEffect: its parameters, techniques and shaders as GLSL
 *
 * Reads HLSL of shader models 2 and 3 with the effect syntax of Direct3D 9 (.fx, .fxsub) and
 * translates each shader of each pass to GLSL 330.  No OpenGL and no files: the caller gives the
 * text of the effect and a function that reads what it includes.  Everything lives in the arena
 * that is given.  Names, texts and values are as written in the file, in UTF-8; semantics and the
 * names of annotations, states and enumerants match without case, as in Direct3D.  The functions
 * keep no state.
 *
 * How the GLSL of a pass is used:
 *
 *  - Program.  glShaderSource gets "#version 330\n", then #define lines, then the text.  Vertex and
 *    fragment shader of one EffectPass link with each other, those of different passes need not.
 *  - Matrices.  A matrix of R rows and C columns is a GLSL mat{R}x{C} that holds the *rows* of the
 *    HLSL matrix as its columns: upload the values in the order of HLSL, row by row, with transpose
 *    = GL_FALSE.  Vectors are rows, as in Direct3D (position' = position * World * View * Proj),
 *    so a matrix for column vectors in column-major memory (cglm) is uploaded as it is.
 *  - Position.  The vertex shader ends with
 *        uniform vec4 odori_viewport;
 *        x += odori_viewport.x * w;  y = y * odori_viewport.z + odori_viewport.y * w;
 *        z += odori_viewport.w * (w - 2 z)
 *    x and y of the uniform shift by half a pixel (1 / width, 1 / height with the sign of the
 *    y factor in z), because pixel centers of Direct3D 9 have whole coordinates.  w is 0 for the
 *    depths of Direct3D, 0..1 from near to far, with glClipControl(..., GL_ZERO_TO_ONE); 1 reverses
 *    them.  Texture coordinates and ddy are those of Direct3D where the first row of memory is the
 *    top of the picture.
 *  - VPOS, the pixel with whole coordinates, is floor(gl_FragCoord.xy * odori_fragment.xy +
 *    odori_fragment.zw), with uniform vec4 odori_fragment where it is used.  VFACE is 1 where
 *    gl_FrontFacing is true, else -1.
 *  - Alpha test.  If ODORI_ALPHA_FUNC is defined as a comparison operator (say >=), the fragment
 *    shader discards where "alpha of COLOR0 ODORI_ALPHA_FUNC odori_alpha_ref" is false, with
 *        uniform float odori_alpha_ref;  0..1
 *  - Vertex attributes have the locations of EffectInput; missing components are 0, 0, 0, 1.
 *  - Uniforms have the names in EffectShader.uniforms; bool is int 0 or 1.  Those with
 *    `literal` set in their parameter are constants in the text and have no uniform.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"

/* Caps on hostile text. */
enum {
    EFFECT_MAX_TEXT = 1 << 20,       /* bytes after preprocessing */
    EFFECT_MAX_INCLUDE_DEPTH = 32,   /* files that include each other */
    EFFECT_MAX_FILES = 512,          /* #include lines that are followed */
    EFFECT_MAX_EXPANSIONS = 1 << 18, /* of macros */
    EFFECT_MAX_DEPTH = 128,          /* nested brackets, blocks and calls */
    EFFECT_MAX_TREE = 1024,          /* operations within each other */
    EFFECT_MAX_PARAMETERS = 4096,    /* globals, as written */
    EFFECT_MAX_PASSES = 1024,        /* of all techniques */
    EFFECT_MAX_STATES = 1024,        /* of a pass, or of a state block */
    EFFECT_MAX_ELEMENTS = 4096,      /* of an array */
    EFFECT_MAX_SAMPLERS = 16,        /* of one shader */
    EFFECT_MAX_VECTORS = 256,        /* 4-vectors of uniforms of one shader */
    EFFECT_MAX_VARYINGS = 12,        /* 4-vectors between vertex and fragment shader */
    EFFECT_MAX_OPERATIONS = 1 << 17, /* of a shader, of a function once for each call of it */
    EFFECT_MAX_OUTPUT = 64 << 20,    /* bytes of GLSL of all passes */
    EFFECT_COLOR_TARGETS = 4
};

typedef enum EffectBase {
    EFFECT_VOID,
    EFFECT_BOOL,
    EFFECT_INT,
    EFFECT_FLOAT, /* also half and double */
    EFFECT_STRING,
    EFFECT_TEXTURE,
    EFFECT_SAMPLER,
    EFFECT_STRUCT
} EffectBase;

typedef enum EffectDimension {
    EFFECT_DIMENSION_ANY, /* "texture", "sampler": 2D unless a shader uses it in another way */
    EFFECT_1D,            /* a 2D texture in GLSL, read at y = 0.5 */
    EFFECT_2D,
    EFFECT_3D,
    EFFECT_CUBE
} EffectDimension;

/* float is 1 x 1, float3 1 x 3, float4x3 4 x 3. */
typedef struct EffectType {
    EffectBase base;
    uint8_t rows, columns;
    uint16_t elements;         /* of an array; 0: no array */
    EffectDimension dimension; /* of textures and samplers */
} EffectType;

typedef struct EffectAnnotation {
    const char *name;
    EffectType type;     /* of base BOOL, INT, FLOAT or STRING */
    const char *text;    /* of a string, else NULL */
    const float *values; /* rows * columns * max(elements, 1), bools 0 or 1; a string has none */
} EffectAnnotation;

/* The state of a sampler, with Direct3D's numbers and defaults. */
typedef enum EffectAddress {
    EFFECT_WRAP = 1,
    EFFECT_MIRROR,
    EFFECT_CLAMP,
    EFFECT_BORDER,
    EFFECT_MIRROR_ONCE
} EffectAddress;

typedef enum EffectFilter {
    EFFECT_FILTER_NONE,
    EFFECT_POINT,
    EFFECT_LINEAR,
    EFFECT_ANISOTROPIC
} EffectFilter;

typedef struct EffectSampler {
    int texture;        /* index of its parameter; -1: none */
    int register_index; /* of ": register(s0)"; -1: none.  MMD's shadow map is at s0 */
    EffectAddress address_u, address_v, address_w;   /* WRAP unless written */
    EffectFilter min_filter, mag_filter, mip_filter; /* POINT, POINT, NONE unless written */
    float border_color[4];                           /* red, green, blue, alpha */
    float lod_bias;
    unsigned max_mip_level, max_anisotropy; /* 0, 1 unless written */
    bool srgb;                              /* texels are sRGB, and linear when read */
} EffectSampler;

/* A global variable that is not static. */
typedef struct EffectParameter {
    const char *name;
    const char *semantic; /* "" if there is none */
    EffectType type;
    bool shared;
    bool literal;        /* const with a value: its value is in the GLSL, it is no uniform */
    const float *values; /* initial, in the order of EffectAnnotation; NULL: none, zeros */
    const char *text;    /* initial value of a string, else NULL */
    const EffectAnnotation *annotations;
    size_t annotation_count;
    const EffectSampler *sampler; /* of base EFFECT_SAMPLER, else NULL */
} EffectParameter;

/* States of a pass (README 5).  X(name as in a file, enumerator) */
#define EFFECT_STATES(X)                                \
    X("ZEnable", Z_ENABLE)                              \
    X("ZWriteEnable", Z_WRITE_ENABLE)                   \
    X("ZFunc", Z_FUNC)                                  \
    X("AlphaBlendEnable", ALPHA_BLEND_ENABLE)           \
    X("SrcBlend", SRC_BLEND)                            \
    X("DestBlend", DEST_BLEND)                          \
    X("BlendOp", BLEND_OP)                              \
    X("SeparateAlphaBlendEnable", SEPARATE_ALPHA_BLEND) \
    X("SrcBlendAlpha", SRC_BLEND_ALPHA)                 \
    X("DestBlendAlpha", DEST_BLEND_ALPHA)               \
    X("BlendOpAlpha", BLEND_OP_ALPHA)                   \
    X("BlendFactor", BLEND_FACTOR)                      \
    X("AlphaTestEnable", ALPHA_TEST_ENABLE)             \
    X("AlphaRef", ALPHA_REF)                            \
    X("AlphaFunc", ALPHA_FUNC)                          \
    X("CullMode", CULL_MODE)                            \
    X("FillMode", FILL_MODE)                            \
    X("ColorWriteEnable", COLOR_WRITE_ENABLE)           \
    X("ColorWriteEnable1", COLOR_WRITE_ENABLE_1)        \
    X("ColorWriteEnable2", COLOR_WRITE_ENABLE_2)        \
    X("ColorWriteEnable3", COLOR_WRITE_ENABLE_3)        \
    X("DepthBias", DEPTH_BIAS)                          \
    X("SlopeScaleDepthBias", SLOPE_SCALE_DEPTH_BIAS)    \
    X("StencilEnable", STENCIL_ENABLE)                  \
    X("StencilFunc", STENCIL_FUNC)                      \
    X("StencilRef", STENCIL_REF)                        \
    X("StencilMask", STENCIL_MASK)                      \
    X("StencilWriteMask", STENCIL_WRITE_MASK)           \
    X("StencilFail", STENCIL_FAIL)                      \
    X("StencilZFail", STENCIL_Z_FAIL)                   \
    X("StencilPass", STENCIL_PASS)                      \
    X("TwoSidedStencilMode", TWO_SIDED_STENCIL)         \
    X("CCW_StencilFunc", CCW_STENCIL_FUNC)              \
    X("CCW_StencilFail", CCW_STENCIL_FAIL)              \
    X("CCW_StencilZFail", CCW_STENCIL_Z_FAIL)           \
    X("CCW_StencilPass", CCW_STENCIL_PASS)              \
    X("ScissorTestEnable", SCISSOR_TEST_ENABLE)         \
    X("MultiSampleAntialias", MULTISAMPLE_ANTIALIAS)    \
    X("SRGBWriteEnable", SRGB_WRITE_ENABLE)             \
    X("PointSize", POINT_SIZE)

typedef enum EffectStateKind {
#define X(name, enumerator) EFFECT_##enumerator,
    EFFECT_STATES(X)
#undef X
        EFFECT_STATE_COUNT
} EffectStateKind;

/* Values are the numbers of Direct3D: D3DBLEND, D3DCMP, D3DCULL, ... (SRCALPHA 5, LESSEQUAL 4, CCW
 * 3), false and true are 0 and 1, RED | GREEN are 3, colors 0xAARRGGBB. */
typedef struct EffectState {
    EffectStateKind kind;
    double value;
    int parameter; /* the value is that of this parameter; -1: it is `value` */
} EffectState;

/* Locations of vertex attributes, which are vec4 in GLSL. */
typedef enum EffectInput {
    EFFECT_INPUT_POSITION,
    EFFECT_INPUT_NORMAL,
    EFFECT_INPUT_COLOR0,
    EFFECT_INPUT_COLOR1,
    EFFECT_INPUT_TANGENT,
    EFFECT_INPUT_BINORMAL,
    EFFECT_INPUT_INDEX, /* _INDEX: the number of the vertex */
    EFFECT_INPUT_POINT_SIZE,
    EFFECT_INPUT_TEXCOORD0, /* TEXCOORD1..4 are the additional UVs of a model */
    EFFECT_INPUT_COUNT = EFFECT_INPUT_TEXCOORD0 + 8
} EffectInput;

/* A uniform that a shader declares: where its value comes from, and its name. */
typedef struct EffectUniform {
    int parameter;
    const char *name;
    EffectDimension dimension; /* of a sampler: 2D, 3D or CUBE; else ANY */
} EffectUniform;

typedef struct EffectShader {
    const char *entry; /* the function, for messages */
    const char *text;  /* GLSL 330 without its #version line */
    unsigned model;    /* 2 or 3: of vs_2_0, ps_3_0, ... */
    const EffectUniform *uniforms, *samplers;
    size_t uniform_count, sampler_count;
    uint32_t inputs;      /* vertex shader: bits of EffectInput that it declares */
    unsigned color_count; /* fragment shader: COLOR0 up to the last one that it writes; locations
                           * 0..3 */
    bool writes_depth;    /* fragment shader */
} EffectShader;

typedef struct EffectPass {
    const char *name; /* "" if it has none */
    const EffectAnnotation *annotations;
    size_t annotation_count;
    const EffectState *states; /* in file order */
    size_t state_count;
    const EffectShader *vertex, *fragment; /* NULL: not set, or set to NULL; with a fragment shader
                                            * alone `vertex` does what that of MMD does */
} EffectPass;

typedef struct EffectTechnique {
    const char *name;
    const EffectAnnotation *annotations;
    size_t annotation_count;
    const EffectPass *passes;
    size_t pass_count;
} EffectTechnique;

/* Something in the text that has no effect, for reports: "state 'FogEnable' is ignored". */
typedef struct EffectNote {
    const char *file;
    unsigned line;
    const char *text;
} EffectNote;

typedef struct Effect {
    const char *name;                  /* of EffectSource */
    const EffectParameter *parameters; /* in file order */
    size_t parameter_count;
    const EffectTechnique *techniques; /* in file order */
    size_t technique_count;
    const char *const *files; /* names of all files that were read, the effect first, each once */
    size_t file_count;
    const EffectNote *notes;
    size_t note_count;
} Effect;

/* Bytes of a file in cp932, UTF-8, UTF-16 or GBK. */
typedef struct EffectText {
    const void *bytes;
    size_t size;
} EffectText;

/*
 * Reads a file that the text includes; false, without a message, if there is none.
 *
 * path   of the file, beside the name of the including file and then beside that of the effect,
 *        with '/', without "." and with ".." only at the start: "pack/ray.fx" includes "a\b.fxsub"
 *        as "pack/a/b.fxsub".  Case is as written.
 * text   must live as long as the call of effect_load
 */
typedef bool EffectRead(void *user, EffectText *text, const char *path);

typedef struct EffectMacro {
    const char *name, *value;
} EffectMacro;

typedef struct EffectSource {
    const char *name; /* path in messages; includes are beside it */
    EffectText text;
    EffectRead *read; /* NULL: nothing can be included */
    void *user;
    const EffectMacro *macros; /* defined in addition to those of README 2 */
    size_t macro_count;
} EffectSource;

/*
 * Loads and translates an effect.  False after one error with file, line, column and the files that
 * include each other; what is not supported is named.
 */
bool effect_load(Effect **out, const EffectSource *source, Arena *arena, Diag *diag);

/* Index of the parameter with the name, or -1. */
int effect_find_parameter(const Effect *effect, const char *name);

/* The annotation with the name, without case; NULL if there is none. */
const EffectAnnotation *effect_find_annotation(const EffectAnnotation *annotations, size_t count,
                                               const char *name);

/* Numbers in a parameter or annotation of the type; 0 for strings, textures and samplers. */
size_t effect_type_size(EffectType type);
