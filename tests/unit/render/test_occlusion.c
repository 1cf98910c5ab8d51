// SPDX-License-Identifier: MIT
/* Triangles hidden behind what is drawn: cases worked by hand on 32 x 32 samples, and the law that
 * a triangle which is omitted contains no sample that would pass the depth test. */
#include <math.h>

#include "random_value.h"
#include "render/occlusion.h"
#include "unit_test.h"

enum { SIDE = 32, BLOCKS = 4, BLOCK = SIDE / BLOCKS, TRIALS = 20000 };

static Occlusion occlusion_of(float *farthest)
{
    return (Occlusion){
        .width = SIDE, .height = SIDE, .columns = BLOCKS, .rows = BLOCKS, .farthest = farthest};
}

/* Whether the triangle is kept. */
static bool keeps(const Occlusion *occlusion, const ScreenVertex triangle[3])
{
    static const uint32_t indices[3] = {0, 1, 2};
    uint32_t out[3] = {9, 9, 9};
    const size_t count = occlusion_keep(out, occlusion, OCCLUSION_BACK_FACES, triangle, indices, 3);

    assert_true(count == 0 || (count == 3 && out[0] == 0 && out[1] == 1 && out[2] == 2));
    return count == 3;
}

typedef struct Case {
    const char *name;
    ScreenVertex triangle[3];
    bool kept;
} Case;

/* The surface has the depth 0.5 everywhere but in the lower right block, which is empty. */
static const Case CASES[] = {
    {"behind", {{4, 4, 0.4f}, {4, 14, 0.4f}, {14, 4, 0.4f}}, false},
    {"in front", {{4, 4, 0.6f}, {4, 14, 0.6f}, {14, 4, 0.6f}}, true},
    {"at the same depth", {{4, 4, 0.5f}, {4, 14, 0.5f}, {14, 4, 0.5f}}, true},
    {"one corner in front", {{4, 4, 0.4f}, {4, 14, 0.6f}, {14, 4, 0.4f}}, true},
    {"a front face", {{4, 4, 0.6f}, {14, 4, 0.6f}, {4, 14, 0.6f}}, false},
    {"over the empty block", {{20, 20, 0.1f}, {20, 30, 0.1f}, {30, 20, 0.1f}}, true},
    {"between samples", {{4.6f, 4.6f, 0.9f}, {4.6f, 5.4f, 0.9f}, {5.4f, 4.6f, 0.9f}}, false},
    {"on one sample", {{4.4f, 4.4f, 0.9f}, {4.4f, 5.4f, 0.9f}, {5.4f, 4.4f, 0.9f}}, true},
    {"outside", {{-9, 4, 0.9f}, {-9, 9, 0.9f}, {-1, 4, 0.9f}}, false},
    {"far outside", {{-1e30f, 4, 0.9f}, {-1e30f, 9e29f, 0.9f}, {-1e28f, 4, 0.9f}}, false},
    {"partly outside", {{-9, 4, 0.9f}, {-9, 14, 0.9f}, {9, 4, 0.9f}}, true},
    {"a sliver behind", {{4, 4, 0.4f}, {14, 14.1f, 0.1f}, {14, 14, 0.4f}}, true},
    {"before the near plane", {{NAN, 4, 0.4f}, {4, 14, 0.4f}, {14, 4, 0.4f}}, true},
};

static void test_omits_what_no_sample_can_show(void **state)
{
    (void)state;
    float farthest[BLOCKS * BLOCKS];
    const Occlusion occlusion = occlusion_of(farthest);

    for (int i = 0; i < BLOCKS * BLOCKS; i++)
        farthest[i] = i < BLOCKS * BLOCKS - 1 ? 0.5f : 0.0f;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
        if (keeps(&occlusion, CASES[i].triangle) != CASES[i].kept)
            fail_msg("%s: expected %s", CASES[i].name, CASES[i].kept ? "kept" : "omitted");
}

static void test_keeps_the_order(void **state)
{
    (void)state;
    static const ScreenVertex vertices[6] = {{4, 4, 0.6f}, {4, 14, 0.6f}, {14, 4, 0.6f},
                                             {4, 4, 0.4f}, {4, 14, 0.4f}, {14, 4, 0.4f}};
    static const uint32_t indices[12] = {2, 0, 1, 3, 4, 5, 0, 1, 2, 1, 2, 0};
    static const uint32_t expected[9] = {2, 0, 1, 0, 1, 2, 1, 2, 0};
    float farthest[BLOCKS * BLOCKS];
    uint32_t out[12];
    const Occlusion occlusion = occlusion_of(farthest);

    for (int i = 0; i < BLOCKS * BLOCKS; i++)
        farthest[i] = 0.5f;
    assert_int_equal(occlusion_keep(out, &occlusion, OCCLUSION_BACK_FACES, vertices, indices, 12),
                     9);
    assert_memory_equal(out, expected, sizeof expected);
}

/* The same triangle, turned over, with each kind of culling. */
static void test_omits_culled_faces(void **state)
{
    (void)state;
    static const ScreenVertex vertices[3] = {{4, 4, 0.6f}, {4, 14, 0.6f}, {14, 4, 0.6f}};
    static const uint32_t sides[2][3] = {{0, 1, 2}, {0, 2, 1}}; /* back, front */
    static const bool kept[][2] = {[OCCLUSION_BACK_FACES] = {true, false},
                                   [OCCLUSION_FRONT_FACES] = {false, true},
                                   [OCCLUSION_BOTH_FACES] = {true, true}};
    float farthest[BLOCKS * BLOCKS];
    const Occlusion occlusion = occlusion_of(farthest);

    for (int depth = 0; depth < 2; depth++) {
        for (int i = 0; i < BLOCKS * BLOCKS; i++)
            farthest[i] = depth ? 0.7f : 0.5f;
        for (int faces = 0; faces < 3; faces++)
            for (int side = 0; side < 2; side++) {
                uint32_t out[3];
                const size_t count = occlusion_keep(out, &occlusion, (OcclusionFaces)faces,
                                                    vertices, sides[side], 3);

                assert_int_equal(count, kept[faces][side] && !depth ? 3 : 0);
            }
    }
}

/* ---- the law ---- */

/* Twice the signed area of (a, b, p). */
static double edge(const ScreenVertex *a, const ScreenVertex *b, double x, double y)
{
    const double ax = (double)a->x, ay = (double)a->y;

    return ((double)b->x - ax) * (y - ay) - ((double)b->y - ay) * (x - ax);
}

/* Whether the back face shows a sample, in exact arithmetic but for rounding of doubles. */
static bool is_seen(const Occlusion *o, const ScreenVertex t[3])
{
    const double area = edge(&t[0], &t[1], (double)t[2].x, (double)t[2].y);

    for (int y = 0; y < SIDE && area < 0; y++)
        for (int x = 0; x < SIDE; x++) {
            const double a = edge(&t[1], &t[2], x + 0.5, y + 0.5) / area;
            const double b = edge(&t[2], &t[0], x + 0.5, y + 0.5) / area;
            const double depth =
                a * (double)t[0].depth + b * (double)t[1].depth + (1 - a - b) * (double)t[2].depth;

            if (a >= 0 && b >= 0 && a + b <= 1 &&
                depth >= (double)o->farthest[y / BLOCK * BLOCKS + x / BLOCK])
                return true;
        }
    return false;
}

static void test_what_is_seen_is_kept(void **state)
{
    (void)state;
    float farthest[BLOCKS * BLOCKS];
    const Occlusion occlusion = occlusion_of(farthest);
    uint32_t seed = 7;
    int omitted = 0, seen = 0;

    for (int trial = 0; trial < TRIALS; trial++) {
        const float x = random_value(&seed, -4, SIDE + 4), y = random_value(&seed, -4, SIDE + 4);
        const float size = random_value(&seed, 0.2f, 12);
        ScreenVertex triangle[3];

        for (int i = 0; i < BLOCKS * BLOCKS; i++)
            farthest[i] = random_value(&seed, -0.2f, 0.8f);
        for (int i = 0; i < 3; i++)
            triangle[i] = (ScreenVertex){x + random_value(&seed, -size, size),
                                         y + random_value(&seed, -size, size),
                                         random_value(&seed, 0.0f, 0.7f)};
        const bool kept = keeps(&occlusion, triangle), visible = is_seen(&occlusion, triangle);
        if (visible && !kept)
            fail_msg("trial %d: a triangle that is seen was omitted", trial);
        omitted += !kept;
        seen += visible;
    }
    assert_true(omitted > TRIALS / 2 && seen > TRIALS / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_omits_what_no_sample_can_show),
        cmocka_unit_test(test_keeps_the_order),
        cmocka_unit_test(test_omits_culled_faces),
        cmocka_unit_test(test_what_is_seen_is_kept),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
