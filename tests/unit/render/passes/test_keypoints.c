/* Keypoints of a figure of a few bones: which bones they follow, and where they are in an image. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text_stream.h"
#include "model_fixture.h"
#include "render/passes/keypoints.h"
#include "render/passes/openpose.h"
#include "render/passes/stick_figure.h"
#include "render_fixture.h"
#include "unit_test.h"

enum { SIDE = 100 };

typedef struct Bench {
    RenderFixture fixture;
    Skeleton *skeletons;
    size_t count;
} Bench;

static const struct {
    const char *mmd, *vroid;
    float x, y, z;
} BONES[] = {
    {"首", "J_Bip_C_Neck", 0, 16, 0},
    {"頭", "J_Bip_C_Head", 0, 17, 0},
    {"右目", "J_Adj_R_FaceEye", -0.5f, 18, -1},
    {"左目", "J_Adj_L_FaceEye", 0.5f, 18, -1},
    {"右腕", "J_Bip_R_UpperArm", -2, 15, 0},
    {"左腕", "J_Bip_L_UpperArm", 2, 15, 0},
    {"右ひじ", "J_Bip_R_LowerArm", -4, 15, 0},
    {"左ひじ", "J_Bip_L_LowerArm", 4, 15, 0},
    {"右手首", "J_Bip_R_Hand", -6, 15, 0},
    {"左手首", "J_Bip_L_Hand", 6, 15, 0},
    {"右足", "J_Bip_R_UpperLeg", -1, 10, 0},
    {"左足", "J_Bip_L_UpperLeg", 1, 10, 0},
    {"右ひざ", "J_Bip_R_LowerLeg", -1, 5, 0},
    {"左ひざ", "J_Bip_L_LowerLeg", 1, 5, 0},
    {"右足首", "J_Bip_R_Foot", -1, 1, 0},
    {"左足首", "J_Bip_L_Foot", 1, 1, 0},
    {"左親指１", "J_Bip_L_Thumb2", 6.5f, 15, 0},
    {"左親指２", "J_Bip_L_Thumb3", 7, 15, 0},
};
enum { BONE_COUNT = sizeof BONES / sizeof *BONES };

static void bench_init(Bench *b, bool vroid)
{
    *b = (Bench){.fixture.arena = arena_create()};
    PmxModel m = fixture_quad(b->fixture.arena);

    m.bones = arena_array(b->fixture.arena, PmxBone, BONE_COUNT);
    m.bone_count = BONE_COUNT;
    for (uint32_t i = 0; i < BONE_COUNT; i++)
        m.bones[i] = fixture_bone(vroid ? BONES[i].vroid : BONES[i].mmd, PMX_NONE, BONES[i].x,
                                  BONES[i].y, BONES[i].z);
    render_fixture_add(&b->fixture, m, NULL);
    Diag diag = diag_quiet();
    model_prepare(&b->fixture.models[0], b->fixture.arena, &diag);
}

static void find(Bench *b, const BoneAlias *aliases, size_t count)
{
    b->skeletons = skeletons_find(&b->count, &b->fixture.scene, aliases, count, b->fixture.arena);
}

/* The eye is 50 units in front of (0, 10, 0), the image 50 units wide and high there: 2 pixels a
 * unit, and y = 10 is row 50. */
static Person project(Bench *b, const float *depth)
{
    FrameState *state = render_fixture_rest(&b->fixture);
    Person person;

    state->camera = (CameraState){.target = {0, 10, 0}, .distance = -50, .fov_deg = 53.130102f};
    assert_true(
        keypoints_project(&person, &b->skeletons[0], &b->fixture.scene, state, SIDE, SIDE, depth));
    return person;
}

static void expect(const Person *p, const char *what, int point, double x, double y,
                   double confidence)
{
    const Keypoint *k = &p->points[point];

    if (fabs((double)k->x - x) > 0.01 || fabs((double)k->y - y) > 0.01 ||
        (double)k->confidence != confidence)
        fail_msg("%s: %g, %g, %g, expected %g, %g, %g", what, (double)k->x, (double)k->y,
                 (double)k->confidence, x, y, confidence);
}

static void expect_figure(const Person *p)
{
    expect(p, "neck", KEYPOINT_NECK, 50, 38, 1);
    expect(p, "right shoulder", KEYPOINT_R_SHOULDER, 46, 40, 1);
    expect(p, "right elbow", KEYPOINT_R_SHOULDER + 1, 42, 40, 1);
    expect(p, "right wrist", KEYPOINT_R_SHOULDER + 2, 38, 40, 1);
    expect(p, "left shoulder", KEYPOINT_R_SHOULDER + 3, 54, 40, 1);
    expect(p, "right hip", KEYPOINT_R_HIP, 48, 50, 1);
    expect(p, "right knee", KEYPOINT_R_HIP + 1, 48, 60, 1);
    expect(p, "left ankle", KEYPOINT_R_HIP + 5, 52, 68, 1);
    /* at distance 49: 50 / 24.5 pixels a unit */
    expect(p, "right eye", KEYPOINT_R_EYE, 50 - 0.5 * 50 / 24.5, 50 - 8 * 50 / 24.5, 1);
    expect(p, "left eye", KEYPOINT_L_EYE, 50 + 0.5 * 50 / 24.5, 50 - 8 * 50 / 24.5, 1);
    expect(p, "left wrist", KEYPOINT_LEFT_HAND, 62, 40, 1);
    expect(p, "thumb: between the wrist and its first bone", KEYPOINT_LEFT_HAND + 1, 62.5, 40, 1);
    expect(p, "thumb", KEYPOINT_LEFT_HAND + 2, 63, 40, 1);
    expect(p, "thumb", KEYPOINT_LEFT_HAND + 3, 64, 40, 1);
    expect(p, "its tip, 0.8 of the segment before", KEYPOINT_LEFT_HAND + 4, 64.8, 40, 1);
    expect(p, "no fingers", KEYPOINT_LEFT_HAND + 5, 0, 0, 0);
    expect(p, "no right thumb", KEYPOINT_RIGHT_HAND + 1, 0, 0, 0);
}

static void test_names(void **unused)
{
    (void)unused;
    for (int vroid = 0; vroid < 2; vroid++) {
        Bench b;
        bench_init(&b, vroid);
        find(&b, NULL, 0);
        assert_int_equal(b.count, 1);
        const Person p = project(&b, NULL);
        expect_figure(&p);
        arena_destroy(b.fixture.arena);
    }
}

/* A model without a neck is no figure, unless the job names one. */
static void test_aliases(void **unused)
{
    static const BoneAlias alias = {"首", "neck_01"};
    Bench b;
    (void)unused;

    bench_init(&b, false);
    Model *model = &b.fixture.models[0];
    Diag diag = diag_quiet();
    model->pmx.bones[0].name = "neck_01";
    model_prepare(model, b.fixture.arena, &diag);
    find(&b, NULL, 0);
    assert_int_equal(b.count, 0);
    find(&b, &alias, 1);
    assert_int_equal(b.count, 1);
    const Person p = project(&b, NULL);
    expect_figure(&p);
    b.fixture.entries[0].stage = true;
    find(&b, &alias, 1);
    assert_int_equal(b.count, 0);
    arena_destroy(b.fixture.arena);
}

/* Points follow their bones and the placement; a model that is not visible has none. */
static void test_motion(void **unused)
{
    Bench b;
    (void)unused;

    bench_init(&b, false);
    find(&b, NULL, 0);
    FrameState *state = render_fixture_rest(&b.fixture);
    Person p;
    state->camera = (CameraState){.target = {0, 10, 0}, .distance = -50, .fov_deg = 53.130102f};
    state->models[0].bones[8].position[1] += 3; /* the right wrist */
    state->models[0].placement =
        (Placement){.scale = 0.5f, .rotation = {0, 0, 0, 1}, .position = {10, 10, 0}};
    assert_true(keypoints_project(&p, &b.skeletons[0], &b.fixture.scene, state, SIDE, SIDE, NULL));
    expect(&p, "right wrist: 10 - 3, 10 + 9", KEYPOINT_R_SHOULDER + 2, 64, 32, 1);
    state->models[0].placement.position[0] = 60;
    assert_true(keypoints_project(&p, &b.skeletons[0], &b.fixture.scene, state, SIDE, SIDE, NULL));
    expect(&p, "outside of the image", KEYPOINT_NECK, 0, 0, 0);
    state->models[0].visible = false;
    assert_false(keypoints_project(&p, &b.skeletons[0], &b.fixture.scene, state, SIDE, SIDE, NULL));
    arena_destroy(b.fixture.arena);
}

/* A surface 10 units before the figure hides the upper half; one just before the bones does not. */
static void test_hidden(void **unused)
{
    static float depth[SIDE * SIDE];
    Bench b;
    (void)unused;

    bench_init(&b, false);
    find(&b, NULL, 0);
    for (int i = 0; i < SIDE * SIDE; i++)
        depth[i] = i < 45 * SIDE ? 40 : 49.8f;
    const Person p = project(&b, depth);
    expect(&p, "shoulder behind a surface", KEYPOINT_R_SHOULDER, 46, 40, 0.5);
    expect(&p, "hip below skin", KEYPOINT_R_HIP, 48, 50, 1);
    expect(&p, "hidden nose", KEYPOINT_NOSE, 0, 0, 0);
    expect(&p, "hidden ear", KEYPOINT_L_EAR, 0, 0, 0);
    arena_destroy(b.fixture.arena);
}

static void expect_pixel(uint8_t (*image)[4], const char *what, int x, int y, int r, int g, int b)
{
    const uint8_t *p = image[y * SIDE + x];

    if (p[0] != r || p[1] != g || p[2] != b)
        fail_msg("%s at %d,%d: %d %d %d, expected %d %d %d", what, x, y, p[0], p[1], p[2], r, g, b);
}

/* Points of radius 4 * 100 / 512; colors of the points, and 0.6 of those of the limbs. */
static void test_drawing(void **unused)
{
    static uint8_t image[SIDE * SIDE][4];
    Person p = {0};
    (void)unused;

    p.points[KEYPOINT_NECK] = (Keypoint){20, 20, 1, 1};
    p.points[KEYPOINT_R_SHOULDER] = (Keypoint){60, 20, 1, 1};
    p.points[KEYPOINT_R_HIP] = (Keypoint){20, 80, 1, 0.5f};
    p.points[KEYPOINT_R_HIP + 2] = (Keypoint){80, 80, 1, 1};
    stick_figure_clear(image, SIDE, SIDE);
    stick_figure_draw(image, SIDE, SIDE, &p);
    expect_pixel(image, "neck", 20, 20, 255, 85, 0);
    expect_pixel(image, "right shoulder", 60, 20, 255, 170, 0);
    expect_pixel(image, "limb from neck to shoulder", 40, 20, 153, 0, 0);
    expect_pixel(image, "limb from neck to hip", 20, 50, 0, 153, 0);
    expect_pixel(image, "right ankle", 80, 80, 0, 170, 255);
    expect_pixel(image, "no limb without the knee", 50, 80, 0, 0, 0);
    expect_pixel(image, "background", 90, 5, 0, 0, 0);
}

static int count_white(uint8_t (*image)[4])
{
    int count = 0;

    for (int i = 0; i < SIDE * SIDE; i++)
        count += image[i][0] == 255 && image[i][1] == 255 && image[i][2] == 255;
    return count;
}

/* In 100 rows a point of a large face has the radius 3 * 100 / 512 < 0.71: the centers of pixels in
 * a disc of 0.71 pixels are four around a corner, and one around a center. */
static void test_face_drawing(void **unused)
{
    static uint8_t image[SIDE * SIDE][4];
    Person p = {0};
    (void)unused;

    p.points[KEYPOINT_NOSE] = (Keypoint){30.5f, 30.5f, 1, 1};
    p.points[KEYPOINT_FACE] = (Keypoint){30.5f, 30.5f, 1, 1};      /* over the nose */
    p.points[KEYPOINT_FACE + 16] = (Keypoint){70.5f, 30.5f, 1, 1}; /* last of the jaw */
    p.points[KEYPOINT_FACE + KEYPOINT_FACE_COUNT - 1] = (Keypoint){90, 80, 1, 1}; /* pupil */
    stick_figure_clear(image, SIDE, SIDE);
    stick_figure_draw(image, SIDE, SIDE, &p);
    expect_pixel(image, "jaw over the nose", 30, 30, 255, 255, 255);
    expect_pixel(image, "end of the jaw", 70, 30, 255, 255, 255);
    expect_pixel(image, "beside the end of the jaw", 71, 30, 0, 0, 0);
    expect_pixel(image, "pupil", 90, 80, 255, 255, 255);
    expect_pixel(image, "points that are unknown", 0, 0, 0, 0, 0);
    assert_int_equal(count_white(image), 1 + 1 + 4);
}

/* 512 rows: 3 pixels in a face of 200 rows, 1 in one of 60. */
static void test_face_sizes(void **unused)
{
    enum { ROWS = 512, COLUMNS = 40 };
    static uint8_t image[ROWS * COLUMNS][4];
    const struct {
        float height;
        int inside, outside; /* columns from the point */
    } cases[] = {{200, 2, 3}, {60, 0, 1}};
    (void)unused;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Person p = {0};

        p.points[KEYPOINT_FACE] = (Keypoint){20.5f, 100.5f, 1, 1};
        p.points[KEYPOINT_FACE + 8] = (Keypoint){20.5f, 100.5f + cases[i].height, 1, 1};
        stick_figure_clear(image, COLUMNS, ROWS);
        stick_figure_draw(image, COLUMNS, ROWS, &p);
        assert_int_equal(image[100 * COLUMNS + 20 + cases[i].inside][0], 255);
        assert_int_equal(image[100 * COLUMNS + 21 + cases[i].outside][0], 0);
    }
}

static void test_json(void **unused)
{
    Arena *arena = arena_create();
    TextStream stream;
    Person p = {0};
    (void)unused;

    p.points[KEYPOINT_NOSE] = (Keypoint){12.345f, 6, 1, 0.5f};
    openpose_write(text_stream_open(&stream, arena), &p, 1, 640, 360);
    const char *text = text_stream_close(&stream);
    assert_non_null(strstr(text, "{\"people\":[{\"pose_keypoints_2d\":[12.35,6,0.5,0,0,0,"));
    assert_non_null(strstr(text, "}],\"canvas_width\":640,\"canvas_height\":360}\n"));
    int commas = 0;
    for (const char *at = text; *at; at++)
        commas += *at == ',';
    assert_int_equal(commas, 3 * (18 + 21 + 21 + 70) - 4 + 3 + 2);
    openpose_write(text_stream_open(&stream, arena), &p, 0, 2, 3);
    assert_string_equal(text_stream_close(&stream),
                        "{\"people\":[],\"canvas_width\":2,\"canvas_height\":3}\n");
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),      cmocka_unit_test(test_aliases),
        cmocka_unit_test(test_motion),     cmocka_unit_test(test_hidden),
        cmocka_unit_test(test_drawing),    cmocka_unit_test(test_face_drawing),
        cmocka_unit_test(test_face_sizes), cmocka_unit_test(test_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
