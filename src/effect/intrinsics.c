// SPDX-License-Identifier: MIT
#include "effect/intrinsics.h"

#include <math.h>
#include <string.h>

#include "base/text.h"

/* ---- values of constants: only what IEEE arithmetic gives exactly, so that the text that is
 * printed does not depend on a library ---- */

#define FOLD(name, expression)                              \
    static double fold_##name(double a, double b, double c) \
    {                                                       \
        (void)b;                                            \
        (void)c;                                            \
        return expression;                                  \
    }

FOLD(abs, fabs(a))
FOLD(ceil, ceil(a))
FOLD(floor, floor(a))
FOLD(frac, a - floor(a))
FOLD(round, floor(a + 0.5))
FOLD(trunc, trunc(a))
FOLD(saturate, a > 0 ? (a < 1 ? a : 1) : 0)
FOLD(sqrt, sqrt(fabs(a)))
FOLD(sign, (a > 0) - (a < 0))
FOLD(max, a > b ? a : b)
FOLD(min, a < b ? a : b)
FOLD(step, b >= a)
FOLD(clamp, a < b ? b : (a > c ? c : a))
FOLD(lerp, a + (b - a) * c)
FOLD(mad, a *b + c)

/* A way to read a texture of a dimension, whose coordinates have `size` components. */
#define TEXTURE(text, arguments, way, dimensions, size)                    \
    {                                                                      \
        .name = (text), RULE_TEXTURE, (arguments), .lookup = LOOKUP_##way, \
        .dimension = EFFECT_##dimensions, .coordinates = (size)            \
    }

/* The smallest positive normal float: keeps logarithms and roots of 0 finite. */
#define TINY "1.17549435e-38"

/*
 * Direct3D 9 takes logarithms and roots of the absolute value, and its multiplication gives 0 for 0
 * times anything, so that the normal of no length and the remainder of a division by 0 are 0
 * (README 4.2).
 */
static const Intrinsic TABLE[] = {
    {.name = "abs", RULE_NUMBER, 1, "abs", .fold = fold_abs},
    {.name = "acos",
     RULE_FLOAT,
     1,
     "hlsl_acos",
     "$T hlsl_acos($T x) { return acos(clamp(x, -1.0, 1.0)); }"},
    {.name = "all", RULE_TEST, 1, "all"},
    {.name = "any", RULE_TEST, 1, "any"},
    {.name = "asfloat", RULE_BITS_TO_FLOAT, 1, "intBitsToFloat"},
    {.name = "asin",
     RULE_FLOAT,
     1,
     "hlsl_asin",
     "$T hlsl_asin($T x) { return asin(clamp(x, -1.0, 1.0)); }"},
    {.name = "asint", RULE_BITS_TO_INT, 1, "floatBitsToInt"},
    {.name = "asuint", RULE_BITS_TO_INT, 1, "floatBitsToInt"},
    {.name = "atan", RULE_FLOAT, 1, "atan"},
    {.name = "atan2", RULE_FLOAT, 2, "atan"},
    {.name = "ceil", RULE_FLOAT, 1, "ceil", .fold = fold_ceil},
    {.name = "clamp", RULE_NUMBER, 3, "clamp", .fold = fold_clamp},
    {.name = "clip",
     RULE_CLIP,
     1,
     "hlsl_clip",
     "void hlsl_clip($T x) { if (x < 0.0) discard; }@"
     "void hlsl_clip($T x) { if (any(lessThan(x, $T(0.0)))) discard; }"},
    {.name = "cos", RULE_FLOAT, 1, "cos"},
    {.name = "cosh", RULE_FLOAT, 1, "cosh"},
    {.name = "cross", RULE_CROSS, 2, "cross"},
    {.name = "D3DCOLORtoUBYTE4",
     RULE_COLOR_TO_INT,
     1,
     "hlsl_ubyte4",
     "ivec4 hlsl_ubyte4(vec4 x) { return ivec4(x.zyxw * 255.001953); }"},
    {.name = "ddx", RULE_FLOAT, 1, "dFdx"},
    {.name = "ddy", RULE_FLOAT, 1, "dFdy"},
    {.name = "degrees", RULE_FLOAT, 1, "degrees"},
    {.name = "determinant", RULE_DETERMINANT, 1, "determinant"},
    {.name = "distance", RULE_REDUCE, 2, "distance"},
    {.name = "dot", RULE_REDUCE, 2, "dot"},
    {.name = "dst",
     RULE_DST,
     2,
     "hlsl_dst",
     "vec4 hlsl_dst(vec4 a, vec4 b) { return vec4(1.0, a.y * b.y, a.z, b.w); }"},
    {.name = "exp", RULE_FLOAT, 1, "exp"},
    {.name = "exp2", RULE_FLOAT, 1, "exp2"},
    {.name = "faceforward", RULE_FLOAT, 3, "faceforward"},
    {.name = "floor", RULE_FLOAT, 1, "floor", .fold = fold_floor},
    {.name = "fmod",
     RULE_FLOAT,
     2,
     "hlsl_fmod",
     "$T hlsl_fmod($T x, $T y)\n{\n"
     "    $T q = x / y;\n"
     "    return y == 0.0 ? 0.0 : y * sign(q) * fract(abs(q));\n}@"
     "$T hlsl_fmod($T x, $T y)\n{\n"
     "    $T q = x / y;\n"
     "    return mix(y * sign(q) * fract(abs(q)), $T(0.0), equal(y, $T(0.0)));\n}"},
    {.name = "frac", RULE_FLOAT, 1, "fract", .fold = fold_frac},
    {.name = "frexp",
     RULE_OUT,
     2,
     "hlsl_frexp",
     "$T hlsl_frexp($T x, out $T e)\n{\n"
     "    $T a = max(abs(x), $T(" TINY "));\n"
     "    e = floor(log2(a)) + 1.0;\n"
     "    $T m = a * exp2(-e), up = step(1.0, m), down = 1.0 - step(0.5, m);\n"
     "    e = (e + up - down) * abs(sign(x));\n"
     "    return sign(x) * m * exp2(down - up);\n}"},
    {.name = "fwidth", RULE_FLOAT, 1, "fwidth"},
    {.name = "isfinite",
     RULE_CLASSIFY,
     1,
     "hlsl_isfinite",
     "$B hlsl_isfinite($T x) { return !isnan(x) && !isinf(x); }@"
     "$B hlsl_isfinite($T x) { return lessThanEqual(abs(x), $T(3.40282347e+38)); }"},
    {.name = "isinf", RULE_CLASSIFY, 1, "isinf"},
    {.name = "isnan", RULE_CLASSIFY, 1, "isnan"},
    {.name = "ldexp",
     RULE_FLOAT,
     2,
     "hlsl_ldexp",
     "$T hlsl_ldexp($T x, $T e) { return x * exp2(e); }"},
    {.name = "length", RULE_REDUCE, 1, "length"},
    {.name = "lerp", RULE_FLOAT, 3, "mix", .fold = fold_lerp},
    {.name = "lit",
     RULE_LIT,
     3,
     "hlsl_lit",
     "vec4 hlsl_lit(float l, float h, float m)\n{\n"
     "    float s = l < 0.0 || h < 0.0 ? 0.0 : pow(max(h, " TINY "), m);\n"
     "    return vec4(1.0, max(l, 0.0), s, 1.0);\n}"},
    {.name = "log",
     RULE_FLOAT,
     1,
     "hlsl_log",
     "$T hlsl_log($T x) { return log(max(abs(x), $T(" TINY "))); }"},
    {.name = "log10",
     RULE_FLOAT,
     1,
     "hlsl_log10",
     "$T hlsl_log10($T x) { return log2(max(abs(x), $T(" TINY "))) * 0.301029996; }"},
    {.name = "log2",
     RULE_FLOAT,
     1,
     "hlsl_log2",
     "$T hlsl_log2($T x) { return log2(max(abs(x), $T(" TINY "))); }"},
    {.name = "mad",
     RULE_FLOAT,
     3,
     "hlsl_mad",
     "$T hlsl_mad($T a, $T b, $T c) { return a * b + c; }",
     fold_mad},
    {.name = "max", RULE_NUMBER, 2, "max", .fold = fold_max},
    {.name = "min", RULE_NUMBER, 2, "min", .fold = fold_min},
    {.name = "modf",
     RULE_OUT,
     2,
     "hlsl_modf",
     "$T hlsl_modf($T x, out $T w) { w = trunc(x); return x - w; }"},
    {.name = "mul", RULE_MULTIPLY, 2},
    {.name = "noise",
     RULE_NOISE,
     1,
     "hlsl_noise",
     "float hlsl_noise(vec4 x)\n{\n"
     "    vec4 cell = floor(x), f = fract(x);\n"
     "    vec4 t = f * f * (3.0 - 2.0 * f);\n"
     "    float sum = 0.0;\n"
     "    for (int i = 0; i < 16; i++) {\n"
     "        vec4 corner = vec4(i & 1, (i >> 1) & 1, (i >> 2) & 1, i >> 3);\n"
     "        vec4 w = mix(1.0 - t, t, corner);\n"
     "        float h = fract(sin(dot(cell + corner, vec4(127.1, 311.7, 74.7, 269.5))) * "
     "43758.5453);\n"
     "        sum += w.x * w.y * w.z * w.w * (2.0 * h - 1.0);\n"
     "    }\n"
     "    return sum;\n}"},
    {.name = "normalize",
     RULE_FLOAT,
     1,
     "hlsl_normalize",
     "$T hlsl_normalize($T x) { return x * inversesqrt(max(dot(x, x), " TINY ")); }"},
    {.name = "pow",
     RULE_FLOAT,
     2,
     "hlsl_pow",
     "$T hlsl_pow($T x, $T y) { return pow(max(abs(x), $T(" TINY ")), y); }"},
    {.name = "radians", RULE_FLOAT, 1, "radians"},
    {.name = "rcp", RULE_FLOAT, 1, "hlsl_rcp", "$T hlsl_rcp($T x) { return 1.0 / x; }"},
    {.name = "reflect", RULE_FLOAT, 2, "reflect"},
    {.name = "refract", RULE_REFRACT, 3, "refract"},
    {.name = "round",
     RULE_FLOAT,
     1,
     "hlsl_round",
     "$T hlsl_round($T x) { return floor(x + 0.5); }",
     fold_round},
    {.name = "rsqrt",
     RULE_FLOAT,
     1,
     "hlsl_rsqrt",
     "$T hlsl_rsqrt($T x) { return inversesqrt(max(abs(x), $T(" TINY "))); }"},
    {.name = "saturate",
     RULE_FLOAT,
     1,
     "hlsl_saturate",
     "$T hlsl_saturate($T x) { return clamp(x, 0.0, 1.0); }",
     fold_saturate},
    {.name = "sign", RULE_SIGN, 1, "sign", .fold = fold_sign},
    {.name = "sin", RULE_FLOAT, 1, "sin"},
    {.name = "sincos",
     RULE_OUT,
     3,
     "hlsl_sincos",
     "void hlsl_sincos($T x, out $T s, out $T c) { s = sin(x); c = cos(x); }"},
    {.name = "sinh", RULE_FLOAT, 1, "sinh"},
    {.name = "smoothstep",
     RULE_FLOAT,
     3,
     "hlsl_smoothstep",
     "$T hlsl_smoothstep($T a, $T b, $T x)\n{\n"
     "    x = clamp((x - a) / (a == b ? " TINY " : b - a), 0.0, 1.0);\n"
     "    return x * x * (3.0 - 2.0 * x);\n}@"
     "$T hlsl_smoothstep($T a, $T b, $T x)\n{\n"
     "    x = clamp((x - a) / mix(b - a, $T(" TINY "), equal(a, b)), 0.0, 1.0);\n"
     "    return x * x * (3.0 - 2.0 * x);\n}"},
    {.name = "sqrt",
     RULE_FLOAT,
     1,
     "hlsl_sqrt",
     "$T hlsl_sqrt($T x) { return sqrt(abs(x)); }",
     fold_sqrt},
    {.name = "step", RULE_FLOAT, 2, "step", .fold = fold_step},
    {.name = "tan", RULE_FLOAT, 1, "tan"},
    {.name = "tanh", RULE_FLOAT, 1, "tanh"},
    TEXTURE("tex1D", 2, PLAIN, 1D, 1),
    TEXTURE("tex1D", 4, GRAD, 1D, 1),
    TEXTURE("tex1Dbias", 2, BIAS, 1D, 4),
    TEXTURE("tex1Dgrad", 4, GRAD, 1D, 1),
    TEXTURE("tex1Dlod", 2, LOD, 1D, 4),
    TEXTURE("tex1Dproj", 2, PROJ, 1D, 4),
    TEXTURE("tex2D", 2, PLAIN, 2D, 2),
    TEXTURE("tex2D", 4, GRAD, 2D, 2),
    TEXTURE("tex2Dbias", 2, BIAS, 2D, 4),
    TEXTURE("tex2Dgrad", 4, GRAD, 2D, 2),
    TEXTURE("tex2Dlod", 2, LOD, 2D, 4),
    TEXTURE("tex2Dproj", 2, PROJ, 2D, 4),
    TEXTURE("tex3D", 2, PLAIN, 3D, 3),
    TEXTURE("tex3D", 4, GRAD, 3D, 3),
    TEXTURE("tex3Dbias", 2, BIAS, 3D, 4),
    TEXTURE("tex3Dgrad", 4, GRAD, 3D, 3),
    TEXTURE("tex3Dlod", 2, LOD, 3D, 4),
    TEXTURE("tex3Dproj", 2, PROJ, 3D, 4),
    TEXTURE("texCUBE", 2, PLAIN, CUBE, 3),
    TEXTURE("texCUBE", 4, GRAD, CUBE, 3),
    TEXTURE("texCUBEbias", 2, BIAS, CUBE, 4),
    TEXTURE("texCUBEgrad", 4, GRAD, CUBE, 3),
    TEXTURE("texCUBElod", 2, LOD, CUBE, 4),
    TEXTURE("texCUBEproj", 2, PROJ, CUBE, 4),
    {.name = "transpose", RULE_TRANSPOSE, 1, "transpose"},
    {.name = "trunc", RULE_FLOAT, 1, "trunc", .fold = fold_trunc},
};

const Intrinsic *intrinsic_find(const char *name, size_t count)
{
    for (size_t i = 0; i < sizeof TABLE / sizeof *TABLE; i++)
        if (!strcmp(TABLE[i].name, name) && (TABLE[i].count == count || count == SIZE_MAX))
            return &TABLE[i];
    return NULL;
}

bool intrinsic_takes_rows(const Intrinsic *intrinsic)
{
    static const char *const OF_VECTORS[] = {"faceforward", "normalize", "reflect"};
    return (intrinsic->rule == RULE_FLOAT || intrinsic->rule == RULE_NUMBER) &&
           text_find(TEXT_ARRAY(OF_VECTORS), intrinsic->name) < 0;
}
