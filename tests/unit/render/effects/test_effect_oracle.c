// SPDX-License-Identifier: MIT
/*
 * Two translations of one pixel shader draw the same picture: ours, and that of glslang with
 * spirv-cross (skipped without them).  Each row of a picture is one expression over 64 inputs.
 *
 * Left out, because glslang differs from Direct3D 9: products of matrices with * (it multiplies
 * them as mul does), % and fmod of negative numbers (it rounds down), "i += f" (it converts f
 * first), lit (it multiplies by the power) and swizzles of matrices (it refuses them).  Their
 * values are worked by hand.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "effect_fixture.h"
#include "glsl_canvas.h"
#include "hlsl_peer.h"
#include "hlsl_rewrite.h"
#include "unit_test.h"

enum { WIDTH = 64, MAX_ROWS = 64 };

/* The inputs: t in -4..4, p in 0..1, n of whole numbers, b of bools, m matrices of t and p. */
static const char PRELUDE[] =
    "float4 oracle_t(float4 c) { return c.x * float4(0.113, -0.071, 0.053, 0.031) +"
    " float4(-3.6, 2.2, 0.15, -1.1); }\n"
    "float4 oracle_p(float4 c) { return c.x * float4(0.0131, 0.0113, -0.0091, 0.0071) +"
    " float4(0.11, 0.07, 0.83, 0.29); }\n"
    "struct Pair { float2 a; int b; };\n"
    "float Scale(float a, float b = 2.5) { return a * b; }\n"
    "float2 Scale(float2 a) { return a * 3; }\n"
    "void Both(float a, out float2 b, inout float c) { b = float2(a, -a); c += a; }\n"
    "static const float weights[3] = {0.2, 0.5, 0.3};\n"
    "static float changing = 1.25;\n"
    "void Change(float a) { changing *= a; }\n";

typedef struct Group {
    const char *what;
    const char *rows[MAX_ROWS]; /* statements that set o; ends with NULL */
} Group;

static const Group GROUPS[] = {
    {"operators",
     {"o = t + p;",
      "o = t - p.x;",
      "o = 2 * t;",
      "o = t / (p + 1);",
      "o = -t;",
      "o = p % 0.25;",
      "o.xy = t.xyz + p;",
      "o.x = n.x + n.y * 3;",
      "o.x = n.x / 3;",
      "o.x = n.x % 4;",
      "o = t < p;",
      "o = t <= 0.5;",
      "o = t > p.x;",
      "o = t >= -1;",
      "o = t == t.x;",
      "o = t != t.y;",
      "o = b && t > 0;",
      "o = b || t > 1;",
      "o = !b;",
      "o.x = t.x > 0 && p.x < 0.5;",
      "o.x = t.x > 0 || !b.x;",
      "o = b ? t : p;",
      "o = t.x > 0 ? t : p;",
      "o = b ? 1 : 0.25;",
      "o.xy = t.xy > p.xy ? n.xy : 2;",
      "o = t; o += p; o -= 0.5; o *= p; o /= 2;",
      "o = t; o.x += n.x; o.yz *= p.xy; o.w -= b.x;",
      "int i = n.x; i += p.x * 9; o.x = i;",
      "int i = n.x; o.x = i++ + ++i; o.y = i-- - --i;",
      "float f = t.x; o.x = f++; o.y = f;",
      "o.x = (t.x, p.x);",
      "o.x = n.x << 2; o.y = n.x >> 1; o.z = n.x & 3; o.w = n.x | 8;",
      "o.x = n.x ^ 5; o.y = ~n.x;",
      "o.x = b.x + b.y * 2;",
      "o = t * b;",
      "o.x = true; o.y = false;",
      "float a, c; a = c = t.x; o.xy = float2(a, c);",
      NULL}},
    {"conversions",
     {"o = t.x;",
      "float2 a = t; o.xy = a;",
      "int3 i = t; o.xyz = i;",
      "bool2 q = n; o.xy = q;",
      "o.x = (int)t.x;",
      "o.xyz = (float3)t;",
      "o = (float4)p.y;",
      "o.x = (bool)n.x;",
      "o = float4(t.xy, 1, n.x);",
      "o = float4(b.x, n.y, t.zw);",
      "int4 i = float4(t.xyz, 2); o = i;",
      "o.xy = int2(t.xy) / 2;",
      "o.x = int(t.x) + 0.5;",
      "float a = n.x / 2 * 1.5; o.x = a;",
      "float a[3] = {t.x, n.y, 1}; o.xyz = float3(a[0], a[1], a[2]);",
      "float2 a[2] = {{1, 2}, t.xy}; o = float4(a[0], a[1]);",
      "o.x = weights[1] * t.x;",
      "Pair q = {t.xy, 3}; o.xyz = float3(q.a, q.b);",
      "Pair q = (Pair)0; q.a.y = t.x; o.xy = q.a;",
      "o.xyz = 0.5.xxx;",
      "o = t.x.xxxx;",
      "o = t.wzyx;",
      "o.zx = t.xy;",
      "o.xy = t.rg; o.zw = t.bb;",
      "o = t; o.xy = o.yx;",
      "o = t; o[1] = p[2];",
      "int i = n.x % 4; o.x = t[abs(i)];",
      NULL}},
    {"matrices",
     {"o = mul(t, m);",
      "o = mul(m, t);",
      "o.xyz = mul(t.xyz, (float3x3)m);",
      "o.xyz = mul((float3x3)m, t.xyz);",
      "o = mul(t, mul(m, m));",
      "o = m[1];",
      "o.x = m[2][3];",
      "o.x = m._m12; o.y = m._23;",

      "float4x4 k = m; k[1] = t; o = mul(p, k);",
      "float4x4 k = m; k._m30 = 2; o = k[3];",
      "float4x4 k = m / 2; o = k[1];",
      "float4x4 k = m + m - 0.5; o = k[2];",
      "float4x4 k = m; k *= 2; o = k[0];",
      "o = mul(t, transpose(m));",
      "o.x = determinant((float3x3)m);",
      "float3x3 k = {t.xyz, p.xyz, p.yzw}; o.xyz = mul(t.xyz, k);",
      "float2x3 k = {t.xyz, p.xyz}; o.xyz = mul(t.xy, k); o.w = k._m12;",
      "float2x3 k = {t.xyz, p.xyz}; o.xy = mul(k, t.xyz);",
      "float3x2 k = transpose(float2x3(t.xyz, p.xyz)); o.xy = k[2];",
      "float2x2 k = float2x2(1, 2, 3, 4); o = float4(mul(t.xy, k), mul(k, t.xy));",
      "float3x3 k = (float3x3)m; o.xyz = k[2];",
      "o.x = mul(t.xyz, p.xyz);",
      "o = mul(2.0, t);",
      "float4x3 k = (float4x3)m; o.xyz = mul(t, k);",
      "float2x2 k = t.x; o = float4(k[0], k[1]);",
      NULL}},
    {"intrinsics",
     {"o = abs(t);",
      "o = acos(p);",
      "o.x = all(b); o.y = any(b);",
      "o.x = any(t > 1);",
      "o = asin(p);",
      "o = atan(t);",
      "o = atan2(t, p);",
      "o = ceil(t);",
      "o = clamp(t, -1, p);",
      "o = cos(t);",
      "o = cosh(p);",
      "o.xyz = cross(t.xyz, p.xyz);",
      "o = degrees(p);",
      "o.x = distance(t, p);",
      "o.x = dot(t, p); o.y = dot(t.xy, p.xy);",
      "o = exp(p);",
      "o = exp2(t);",
      "o.xyz = faceforward(t.xyz, p.xyz, t.yzx);",
      "o = floor(t);",
      "o = fmod(abs(t), p + 0.5);",
      "o = frac(t);",

      "o.x = length(t);",
      "o = lerp(t, p, 0.3);",
      "o = lerp(t, p, p);",
      "o = log(p);",
      "o = log10(p);",
      "o = log2(p);",
      "o = max(t, p);",
      "o = min(t, 0.5);",
      "o.xyz = normalize(t.xyz);",
      "o = pow(p, 2.2);",
      "o = radians(t);",
      "o.xyz = reflect(t.xyz, normalize(p.xyz));",
      "o.xyz = refract(normalize(t.xyz), normalize(p.xyz), 0.7);",
      "o = round(t * 0.99);",
      "o = rsqrt(p);",
      "o = saturate(t);",
      "o = sign(t);",
      "o = sin(t);",
      "float s, k; sincos(t.x, s, k); o.xy = float2(s, k);",
      "o = sinh(p);",
      "o = smoothstep(-2, 2, t);",
      "o = sqrt(p);",
      "o = step(p, t);",
      "o = tan(p);",
      "o = tanh(t);",
      "o = trunc(t);",
      "o.xy = max(n.xy, 2);",
      "float w; o.x = modf(t.x, w); o.y = w;",
      "o = isnan(t); o.x += isinf(t.x);",

      "o = dst(t, p);",
      "o = asfloat(asint(t));",
      "o = mad(t, p, 2);",
      "o = rcp(p);",
      NULL}},
    {"statements",
     {"for (int i = 0; i < 5; i++) o.x += t.x * i;",
      "for (int i = 0, k = 9; i < k; i++, k--) o.x += k; ",
      "int i = 0; while (i < n.x) i += 2; o.x = i;",
      "int i = 0; do i += 3; while (i < n.x); o.x = i;",
      "for (int i = 0; i < 9; i++) { if (i == 2) continue; if (i > n.x) break; o.x += i; }",
      "if (t.x > 0) o = t; else if (t.y > 0) o = p; else o.x = 3;",
      "switch (n.x) { case 1: o.x = 1; break; case 2: case 3: o.x = 2; break; default: o.x = 9; }",
      "o.x = Scale(t.x); o.y = Scale(t.x, p.x); o.zw = Scale(t.xy);",
      "float k = p.x; Both(t.x, o.xy, k); o.z = k;", "Change(t.x); o.x = changing;",
      "float a = 1; { float a = 2; o.x = a; } o.y = a;",
      "float a[4]; for (int i = 0; i < 4; i++) a[i] = t[i]; o = float4(a[3], a[2], a[1], a[0]);",
      "[unroll] for (int i = 0; i < 3; i++) o += weights[i] * t;",
      "float q = 0; for (float f = 0; f < 2; f += 0.5) q += f; o.x = q;",
      "for (int i = 0; i < 3; i++) for (int k = 0; k < 3; k++) o.x += i * k;",
      "if (all(t.xy > 0)) { o = 1; return o; } o = 2;", NULL}},
};

/* One shader of all rows of a group: the second coordinate chooses. */
static const char *shader_of(const Group *group, Arena *arena, int *count)
{
    const char *text = PRELUDE, *calls = "";
    for (*count = 0; group->rows[*count]; (*count)++) {
        text = arena_printf(arena,
                            "%sfloat4 Row%d(float4 t, float4 p, int4 n, bool4 b, float4x4 m)\n"
                            "{ float4 o = 0; %s return o; }\n",
                            text, *count, group->rows[*count]);
        calls = arena_printf(arena, "%s if (c.y < %d.5) return Row%d(t, p, n, b, m);\n", calls,
                             *count, *count);
    }
    return arena_printf(
        arena,
        "%sfloat4 oracle(float4 c : TEXCOORD0) : SV_TARGET0\n"
        "{ float4 t = oracle_t(c), p = oracle_p(c); int4 n = c.x / 7; bool4 b = t > p;\n"
        "  n.y = 5; float4x4 m = {t, p, t.yzwx, p.wzyx};\n%s  return 0; }\n",
        text, calls);
}

static const char *ours(EffectFixture *fixture, const char *text)
{
    Arena *scratch = arena_create();
    const bool loaded = effect_fixture_load(
        fixture,
        arena_printf(scratch,
                     "%s technique T { pass P { PixelShader = compile ps_3_0 oracle(); } }", text),
        NULL);
    arena_destroy(scratch);
    return loaded ? effect_fixture_fragment(fixture)->text : NULL;
}

static bool is_near(float a, float b)
{
    if (isnan(a) || isnan(b))
        return isnan(a) && isnan(b);
    if (isinf(a) || isinf(b))
        return a == b;
    return fabsf(a - b) <= 1e-4f * fmaxf(1, fmaxf(fabsf(a), fabsf(b)));
}

static void test_expressions(void **state)
{
    char log[1024];
    GlslCanvas canvas;
    Diag diag;
    (void)state;
    if (!hlsl_peer_exists())
        skip();
    diag_init(&diag, NULL, NULL);
    assert_true(glsl_canvas_init(&canvas, WIDTH, MAX_ROWS, &diag));
    unsigned rows = 0;
    double largest = 0;
    for (size_t g = 0; g < sizeof GROUPS / sizeof *GROUPS; g++) {
        Arena *arena = arena_create();
        EffectFixture fixture;
        int count;
        const char *text = shader_of(&GROUPS[g], arena, &count);
        const char *our_text = ours(&fixture, text);
        if (!our_text)
            fail_msg("%s: %s", GROUPS[g].what, fixture.log.text);
        const char *peer_text = hlsl_peer_translate(text, "oracle", arena);
        if (!peer_text)
            fail_msg("%s: glslang refuses it", GROUPS[g].what);
        float *a = arena_array(arena, float, (size_t)WIDTH *MAX_ROWS * 4);
        float *b = arena_array(arena, float, (size_t)WIDTH *MAX_ROWS * 4);
        if (!glsl_canvas_draw(&canvas, our_text, a, log))
            fail_msg("%s: ours: %s\n%s", GROUPS[g].what, log, our_text);
        if (!glsl_canvas_draw(&canvas, peer_text, b, log))
            fail_msg("%s: glslang: %s\n%s", GROUPS[g].what, log, peer_text);
        for (int i = 0; i < WIDTH * count * 4; i++) {
            if (!is_near(a[i], b[i]))
                fail_msg("%s: %s: column %d, component %d: %g, glslang %g", GROUPS[g].what,
                         GROUPS[g].rows[i / 4 / WIDTH], i / 4 % WIDTH, i % 4, (double)a[i],
                         (double)b[i]);
            if (isfinite(a[i]) && isfinite(b[i]))
                largest = fmax(largest, fabs((double)a[i] - (double)b[i]));
        }
        rows += (unsigned)count;
        effect_fixture_finish(&fixture);
        arena_destroy(arena);
    }
    print_message("%u expressions, largest difference %g\n", rows, largest);
    glsl_canvas_finish(&canvas);
}

/* What glslang computes in another way or refuses, with values worked by hand. */
static void test_by_hand(void **state)
{
    static const struct {
        const char *statements;
        float expected[4];
    } rows[] = {
        {"float2x2 a = {1, 2, 3, 4}; a *= a; o = float4(a[0], a[1]);", {1, 4, 9, 16}},
        {"o = float4(-7.5, 7.5, -1, 1) % 2;", {-1.5f, 1.5f, -1, 1}},
        {"o.x = fmod(-5, 3); o.y = fmod(5, -3); o.z = fmod(1, 0);", {-2, 2, 0, 0}},
        {"int i = 3; i += 0.75; o.x = i; i = -3; i -= 0.5; o.y = i;", {3, -3, 0, 0}},
        {"o = lit(0.5, 0.25, 2);", {1, 0.5f, 0.0625f, 1}},
        {"o = lit(-1, 0.25, 2);", {1, 0, 0, 1}},
        {"float3x3 a = {1, 2, 3, 4, 5, 6, 7, 8, 9}; o = a._m00_m11_m22_m02;", {1, 5, 9, 3}},
        {"float2x2 a = {1, 2, 3, 4}; a._m00_m11 = float2(8, 9); o = float4(a[0], a[1]);",
         {8, 2, 3, 9}},
        {"float2x2 a = {1, 2, 3, 4}; a._12_21 += a._11_22; o = float4(a[0], a[1]);", {1, 3, 7, 4}},
        {"float2x2 a = {1, 2, 3, 4}; o.xy = (a._22_11 = 5) + 1; o.zw = a._11_22;", {6, 6, 5, 5}},
        {"o.x = noise(float2(3, 7)) - noise(float4(3, 7, 0, 0)); o.y = abs(noise(0.3)) < 1;",
         {0, 1, 0, 0}},
        {"o.xy = smoothstep(1, 1, float2(0.5, 2)); o.z = smoothstep(1, 0, 0.25);",
         {0, 1, 0.84375f, 0}},
        {"o.x = 1 / (p.x - p.x) > 1e30; o.y = 0 * (1 / (p.x - p.x)); o.zw = normalize(p.xy * 0);",
         {1, 0, 0, 0}},
        {"o = round(float4(0.5, 1.5, -0.5, -1.5));", {1, 2, 0, -1}},
        {"o.x = pow(-2, 2); o.y = sqrt(-4); o.z = acos(1.5); o.w = rsqrt(-4);", {4, 2, 0, 0.5f}},
    };
    enum { COUNT = sizeof rows / sizeof *rows };
    char log[1024];
    GlslCanvas canvas;
    EffectFixture fixture;
    Diag diag;
    Arena *arena = arena_create();
    Group group = {.what = "by hand"};
    float *pixels = arena_array(arena, float, (size_t)WIDTH *MAX_ROWS * 4);
    int count;
    (void)state;
    for (size_t i = 0; i < COUNT; i++)
        group.rows[i] = rows[i].statements;
    diag_init(&diag, NULL, NULL);
    assert_true(glsl_canvas_init(&canvas, WIDTH, MAX_ROWS, &diag));
    const char *text = ours(&fixture, shader_of(&group, arena, &count));
    if (!text)
        fail_msg("%s", fixture.log.text);
    if (!glsl_canvas_draw(&canvas, text, pixels, log))
        fail_msg("%s\n%s", log, text);
    for (int i = 0; i < WIDTH * COUNT * 4; i++)
        if (!is_near(pixels[i], rows[i / 4 / WIDTH].expected[i % 4]))
            fail_msg("%s: column %d, component %d: %g, not %g", rows[i / 4 / WIDTH].statements,
                     i / 4 % WIDTH, i % 4, (double)pixels[i],
                     (double)rows[i / 4 / WIDTH].expected[i % 4]);
    effect_fixture_finish(&fixture);
    glsl_canvas_finish(&canvas);
    arena_destroy(arena);
}

typedef struct Counts {
    unsigned entries, refused, equal, outside;
} Counts;

/* Our text with roots as GLSL has them: of negative numbers they are undefined, while Direct3D 9
 * takes the absolute value (effect/README.md 4.2). */
static const char *with_plain_roots(const char *text, Arena *arena)
{
    static const char root[] = "return sqrt(abs(x));", plain[] = "return sqrt(x);     ";
    char *copy = arena_strdup(arena, text);
    for (char *at = copy; (at = strstr(at, root)) != NULL;)
        memcpy(at, plain, sizeof plain - 1);
    return copy;
}

static unsigned count_different(const float *a, const float *b)
{
    unsigned count = 0;
    for (unsigned i = 0; i < WIDTH * 4; i++)
        count += !is_near(a[i], b[i]);
    return count;
}

/* The columns of the picture have different inputs. */
static void compare_entry(Counts *counts, GlslCanvas *canvas, const char *path,
                          const HlslEntry *entry)
{
    char log[1024] = "";
    Arena *arena = arena_create();
    EffectFixture fixture;
    const char *our_text = ours(&fixture, entry->text);
    if (!our_text)
        fail_msg("%s: %s: %s", path, entry->name, fixture.log.text);
    const char *peer_text = hlsl_peer_translate(entry->text, "oracle", arena);
    float *a = arena_array(arena, float, (size_t)WIDTH * 4);
    float *b = arena_array(arena, float, (size_t)WIDTH * 4);
    counts->entries++;
    if (!glsl_canvas_draw(canvas, our_text, a, log))
        fail_msg("%s: %s: %s", path, entry->name, log);
    if (!peer_text || !glsl_canvas_draw(canvas, peer_text, b, log)) {
        counts->refused++;
        if (getenv("ODORI_ORACLE_LOG"))
            print_message("glslang refuses %s: %s: %s\n", path, entry->name, log);
    } else {
        unsigned different = count_different(a, b);
        counts->equal += !different;
        if (different && glsl_canvas_draw(canvas, with_plain_roots(our_text, arena), a, log)) {
            different = count_different(a, b);
            counts->outside += !different;
        }
        if (different)
            print_message("%s: %s: %u of %d values differ\n", path, entry->name, different,
                          WIDTH * 4);
    }
    effect_fixture_finish(&fixture);
    arena_destroy(arena);
}

/* The entries of the packages, with formulas for textures; of all with ODORI_ORACLE=all, which
 * takes minutes. */
static void test_entries(void **state)
{
    GlslCanvas canvas;
    Diag diag;
    Counts counts = {0};
    Arena *arena = arena_create();
    const EffectPaths paths = effect_fixture_packages(arena);
    (void)state;
    if (!paths.count || !hlsl_peer_exists()) {
        arena_destroy(arena);
        skip();
    }
    diag_init(&diag, NULL, NULL);
    assert_true(glsl_canvas_init(&canvas, WIDTH, 1, &diag));
    for (size_t i = 0; i < paths.count; i++) {
        EffectFixture fixture;
        EffectSource source;
        HlslEntries entries = {0};
        if (strstr(paths.items[i], "/ray-mmd/") && !getenv("ODORI_ORACLE"))
            continue;
        assert_true(effect_fixture_source(&fixture, &source, paths.items[i]));
        if (!hlsl_rewrite(&entries, &source, fixture.arena, &fixture.log.diag))
            fail_msg("%s", fixture.log.text);
        for (size_t k = 0; k < entries.count; k++)
            compare_entry(&counts, &canvas, paths.items[i], &entries.items[k]);
        effect_fixture_finish(&fixture);
    }
    print_message(
        "%u entries: %u equal, %u equal but for roots of negative numbers, %u that glslang "
        "refuses\n",
        counts.entries, counts.equal, counts.outside, counts.refused);
    glsl_canvas_finish(&canvas);
    arena_destroy(arena);
    assert_int_equal(counts.equal + counts.outside + counts.refused, counts.entries);
}

/* OpenGL takes each pass of the packages of the shared data. */
static void test_packages(void **state)
{
    char log[1024];
    GlslCanvas canvas;
    Diag diag;
    Arena *arena = arena_create();
    const EffectPaths paths = effect_fixture_packages(arena);
    unsigned passes = 0;
    (void)state;
    diag_init(&diag, NULL, NULL);
    assert_true(glsl_canvas_init(&canvas, 1, 1, &diag));
    for (size_t i = 0; i < paths.count; i++) {
        EffectFixture fixture;
        if (!effect_fixture_open(&fixture, paths.items[i]))
            fail_msg("%s", fixture.log.text);
        for (size_t k = 0; k < fixture.effect->technique_count; k++)
            for (size_t p = 0; p < fixture.effect->techniques[k].pass_count; p++) {
                const EffectPass *pass = &fixture.effect->techniques[k].passes[p];
                if (!pass->vertex || !pass->fragment)
                    continue;
                if (!glsl_canvas_link(&canvas, pass->vertex->text, pass->fragment->text, log))
                    fail_msg("%s: %s: %s", paths.items[i], pass->name, log);
                passes++;
            }
        effect_fixture_finish(&fixture);
    }
    print_message("%u passes\n", passes);
    glsl_canvas_finish(&canvas);
    arena_destroy(arena);
    if (!passes)
        skip();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_expressions),
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_entries),
        cmocka_unit_test(test_packages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
