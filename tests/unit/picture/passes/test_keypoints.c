// SPDX-License-Identifier: MIT
/* Keypoints of a figure of a few bones: which bones they follow, and where they are in an image. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text_stream.h"
#include "model_fixture.h"
#include "picture/passes/keypoint_json.h"
#include "picture/passes/keypoints.h"
#include "picture/passes/stick_figure.h"
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
    b.fixture.entries[0].spec.stage = true;
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
    keypoint_json_write(text_stream_open(&stream, arena), KEYPOINTS_COCO18, &p, 1, 640, 360);
    const char *text = text_stream_close(&stream);
    assert_non_null(strstr(text, "{\"people\":[{\"pose_keypoints_2d\":[12.35,6,0.5,0,0,0,"));
    assert_non_null(strstr(text, "}],\"canvas_width\":640,\"canvas_height\":360}\n"));
    int commas = 0;
    for (const char *at = text; *at; at++)
        commas += *at == ',';
    assert_int_equal(commas, 3 * (18 + 21 + 21 + 70) - 4 + 3 + 2);
    keypoint_json_write(text_stream_open(&stream, arena), KEYPOINTS_COCO18, &p, 0, 2, 3);
    assert_string_equal(text_stream_close(&stream),
                        "{\"people\":[],\"canvas_width\":2,\"canvas_height\":3}\n");
    arena_destroy(arena);
}

/* A person whose points are at (their number + 1, 0), all visible. */
static Person numbered(void)
{
    Person p;
    for (int i = 0; i < KEYPOINT_COUNT; i++)
        p.points[i] = (Keypoint){(float)(i + 1), 0, 1, 1};
    return p;
}

/* `key` has the x of these points, each with y 0 and `last`. */
static void expect_points(const char *text, const char *key, const double *x, size_t count,
                          int last)
{
    char expected[2048];
    size_t used = (size_t)snprintf(expected, sizeof expected, "\"%s\":[", key);
    for (size_t i = 0; i < count; i++)
        used += (size_t)snprintf(expected + used, sizeof expected - used, "%s%g,0,%d", i ? "," : "",
                                 x[i], last);
    snprintf(expected + used, sizeof expected - used, "]");
    if (!strstr(text, expected))
        fail_msg("no %s in %s", expected, text);
}

enum {
    NOSE = 1,
    NECK,
    R_SHOULDER,
    R_ELBOW,
    R_WRIST,
    L_SHOULDER,
    L_ELBOW,
    L_WRIST,
    R_HIP,
    R_KNEE,
    R_ANKLE,
    L_HIP,
    L_KNEE,
    L_ANKLE,
    R_EYE,
    L_EYE,
    R_EAR,
    L_EAR,
    L_BIG_TOE = KEYPOINT_FEET + 1,
    L_SMALL_TOE,
    L_HEEL,
    R_BIG_TOE,
    R_SMALL_TOE,
    R_HEEL
};

/* The order that OpenPose documents for BODY_25; the middle of the hips is at 10.5. */
static void test_body25(void **unused)
{
    static const double order[25] = {
        NOSE,  NECK,      R_SHOULDER,  R_ELBOW, R_WRIST,   L_SHOULDER,  L_ELBOW, L_WRIST, 10.5,
        R_HIP, R_KNEE,    R_ANKLE,     L_HIP,   L_KNEE,    L_ANKLE,     R_EYE,   L_EYE,   R_EAR,
        L_EAR, L_BIG_TOE, L_SMALL_TOE, L_HEEL,  R_BIG_TOE, R_SMALL_TOE, R_HEEL};
    Arena *arena = arena_create();
    TextStream stream;
    Person p = numbered();
    (void)unused;
    keypoint_json_write(text_stream_open(&stream, arena), KEYPOINTS_BODY25, &p, 1, 64, 36);
    const char *text = text_stream_close(&stream);
    assert_non_null(strstr(text, "{\"version\":1.3,\"people\":[{\"person_id\":[-1],"));
    assert_non_null(strstr(text, "\"pose_keypoints_3d\":[],"));
    expect_points(text, "pose_keypoints_2d", order, 25, 1);
    p.points[KEYPOINT_R_HIP].confidence = 0; /* then there is no middle */
    keypoint_json_write(text_stream_open(&stream, arena), KEYPOINTS_BODY25, &p, 1, 64, 36);
    assert_non_null(strstr(text_stream_close(&stream), ",8,0,1,0,0,0,9,0,0,"));
    arena_destroy(arena);
}

/* The orders that the data format of COCO-WholeBody documents. */
static void test_wholebody(void **unused)
{
    static const double body[17] = {NOSE,       L_EYE,   R_EYE,   L_EAR,   R_EAR,   L_SHOULDER,
                                    R_SHOULDER, L_ELBOW, R_ELBOW, L_WRIST, R_WRIST, L_HIP,
                                    R_HIP,      L_KNEE,  R_KNEE,  L_ANKLE, R_ANKLE};
    static const double feet[6] = {L_BIG_TOE, L_SMALL_TOE, L_HEEL, R_BIG_TOE, R_SMALL_TOE, R_HEEL};
    double face[68], left[21];
    Arena *arena = arena_create();
    TextStream stream;
    Person p = numbered();
    (void)unused;
    for (int i = 0; i < 68; i++)
        face[i] = KEYPOINT_FACE + i + 1;
    for (int i = 0; i < 21; i++)
        left[i] = KEYPOINT_LEFT_HAND + i + 1;
    keypoint_json_write(text_stream_open(&stream, arena), KEYPOINTS_WHOLEBODY, &p, 1, 64, 36);
    const char *text = text_stream_close(&stream);
    expect_points(text, "keypoints", body, 17, 2);
    expect_points(text, "foot_kpts", feet, 6, 2);
    expect_points(text, "face_kpts", face, 68, 2);
    expect_points(text, "lefthand_kpts", left, 21, 2);
    assert_non_null(strstr(text, "{\"images\":[{\"id\":1,\"width\":64,\"height\":36}],"));
    assert_non_null(strstr(text, "\"num_keypoints\":17,\"bbox\":[1,0,135,0],\"area\":0,"));
    assert_non_null(strstr(text, "\"face_box\":[61,0,67,0],\"face_valid\":true,"));

    p = (Person){.points[KEYPOINT_NECK] = {4, 5, 1, 1}, /* which is not in COCO's list */
                 .points[KEYPOINT_L_EYE] = {2, 3, 1, 0.5f}};
    keypoint_json_write(text_stream_open(&stream, arena), KEYPOINTS_WHOLEBODY, &p, 1, 64, 36);
    text = text_stream_close(&stream);
    assert_non_null(strstr(text, "\"num_keypoints\":1,\"bbox\":[2,3,2,2],\"area\":4,"
                                 "\"keypoints\":[0,0,0,2,3,1,0,0,0,"));
    assert_non_null(strstr(text, "\"foot_valid\":false,"));
    keypoint_json_write(text_stream_open(&stream, arena), KEYPOINTS_WHOLEBODY, &p, 0, 64, 36);
    assert_non_null(strstr(text_stream_close(&stream), "\"annotations\":[],"));
    arena_destroy(arena);
}

/* Toes and heel of a right foot that points forward and a little outwards. */
static void test_feet(void **unused)
{
    static const float shape[][3] = {
        {-1, 0, 0.5f},        /* heel */
        {-0.7f, 0, -1.6f},    /* big toe */
        {-1.5f, 0.1f, -1.2f}, /* small toe */
        {-1.1f, 0.9f, -2},    /* the instep, above the toes */
        {-1.2f, 0, -0.5f},    /* inside */
        {-1, 0.8f, 0.9f},     /* the back of the ankle */
    };
    enum { COUNT = sizeof shape / sizeof *shape };
    Bench b;
    (void)unused;
    bench_init(&b, false);
    PmxModel *m = &b.fixture.models[0].pmx;
    m->vertices = arena_array(b.fixture.arena, PmxVertex, COUNT);
    m->vertex_count = COUNT;
    m->indices = arena_array(b.fixture.arena, uint32_t, COUNT);
    m->index_count = m->materials[0].index_count = COUNT;
    for (uint32_t i = 0; i < COUNT; i++) {
        m->vertices[i] = fixture_vertex(shape[i][0], shape[i][1], shape[i][2], 14); /* 右足首 */
        m->indices[i] = i;
    }
    find(&b, NULL, 0);
    const SkeletonPoint *right = &b.skeletons[0].points[KEYPOINT_FEET + 3];
    assert_memory_equal(right[0].rest, shape[1], sizeof shape[1]);
    assert_memory_equal(right[1].rest, shape[2], sizeof shape[2]);
    assert_memory_equal(right[2].rest, shape[0], sizeof shape[0]);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(right[i].bone, 14);
        assert_int_equal(right[i - 3].bone, -1); /* the left foot has no vertices */
    }
    arena_destroy(b.fixture.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),      cmocka_unit_test(test_aliases),
        cmocka_unit_test(test_motion),     cmocka_unit_test(test_hidden),
        cmocka_unit_test(test_drawing),    cmocka_unit_test(test_face_drawing),
        cmocka_unit_test(test_face_sizes), cmocka_unit_test(test_json),
        cmocka_unit_test(test_body25),     cmocka_unit_test(test_wholebody),
        cmocka_unit_test(test_feet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
