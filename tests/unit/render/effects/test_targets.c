// SPDX-License-Identifier: MIT
/* Memory of targets: the sizes and formats of annotations, by hand. */

#include "render/effects/textures.h"

#include "unit_test.h"

static const EffectType number = {.base = EFFECT_FLOAT, .rows = 1, .columns = 1};
static const EffectType pair = {.base = EFFECT_FLOAT, .rows = 1, .columns = 2};

static EffectAnnotation numbers(const char *name, EffectType type, const float *values)
{
    return (EffectAnnotation){.name = name, .type = type, .values = values};
}

static EffectAnnotation format(const char *name)
{
    return (EffectAnnotation){.name = "Format", .type.base = EFFECT_STRING, .text = name};
}

static void test_bytes(void **unused)
{
    static const float size[2] = {64, 32}, width = 1000, ratio[2] = {0.5f, 0.25f}, yes = 1;
    static const float large[2] = {16384, 1024}, all = 0;
    const struct {
        const char *semantic;
        EffectAnnotation annotations[3];
        uint64_t bytes;
    } cases[] = {
        /* of the frame, 640 x 360, with the format by default */
        {"RENDERCOLORTARGET", {{0}}, 640 * 360 * 4},
        {"RENDERCOLORTARGET", {numbers("ViewportRatio", pair, ratio)}, 320 * 90 * 4},
        {"RENDERCOLORTARGET",
         {numbers("Width", number, &width), numbers("Dimensions", pair, size), format("L16")},
         64 * 32 * 2},
        {"OFFSCREENRENDERTARGET",
         {numbers("Width", number, &width), format("D3DFMT_A16B16G16R16F")},
         1000 * 64 * 8},
        /* too large: half of each side */
        {"RENDERCOLORTARGET", {numbers("Dimensions", pair, large), format("R16F")}, 8192 * 512 * 2},
        {"RENDERCOLORTARGET",
         {numbers("Dimensions", pair, size), format("A32B32G32R32F"),
          numbers("AntiAlias", number, &yes)},
         64 * 32 * (16 + 4 * (16 + 4))},
        /* levels add a third: 4 + 4 / 3, rounded up */
        {"RENDERCOLORTARGET",
         {numbers("Dimensions", pair, size), numbers("MipLevels", number, &all)},
         64 * 32 * 6},
        {"RENDERDEPTHSTENCILTARGET", {numbers("Dimensions", pair, size)}, 64 * 32 * 4},
        {"RENDERCOLORTARGET", {format("DXT1")}, 0}, /* on which nothing can be drawn */
    };
    (void)unused;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        EffectParameter p = {.semantic = cases[i].semantic, .annotations = cases[i].annotations};

        while (p.annotation_count < 3 && cases[i].annotations[p.annotation_count].name != NULL)
            p.annotation_count++;
        if (fx_target_bytes(&p, 640, 360) != cases[i].bytes)
            fail_msg("case %zu: %llu bytes, expected %llu", i,
                     (unsigned long long)fx_target_bytes(&p, 640, 360),
                     (unsigned long long)cases[i].bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bytes)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
