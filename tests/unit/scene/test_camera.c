// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>

#include "scene/camera.h"
#include "unit_test.h"

static VmdCameraKey key_at(uint32_t frame, float distance)
{
    VmdCameraKey key = {.frame = frame, .distance = distance, .fov_deg = 30};
    for (int i = 0; i < 6; i++)
        key.curves[i] = CURVE_LINEAR;
    return key;
}

static void cuts_are_not_interpolated(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    VmdCameraKey keys[] = {key_at(10, -20), key_at(0, -10), key_at(11, -80), key_at(21, -90)};
    const VmdMotion vmd = {.camera_keys = keys, .camera_key_count = 4};
    const CameraTrack track = camera_bind(&vmd, (TimeMap){0, 1}, arena);
    const struct {
        const char *what;
        double frame;
        float distance;
    } rows[] = {
        {"first", 0, -10},         {"between", 5, -15},          {"on the cut's first", 10, -20},
        {"in the cut", 10.5, -20}, {"just before", 10.999, -20}, {"after the cut", 11, -80},
        {"onwards", 16, -85},      {"after the last", 500, -90}, {"before the first", -3, -10},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const CameraState camera = camera_at(&track, rows[i].frame, 12, CAMERA_DEFAULT);
        if (fabsf(camera.distance - rows[i].distance) > 1e-5f)
            fail_msg("%s: %g", rows[i].what, (double)camera.distance);
    }
    arena_destroy(arena);
}

/* Each channel has its own curve, in the key at the end of the span; 0.18599500 is MMD's own value
 * for (0, 32, 96, 127) at 1/14. */
static void channels_have_their_curves(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    VmdCameraKey keys[] = {key_at(0, 0), key_at(14, 1)};
    keys[1].target[0] = keys[1].target[1] = keys[1].target[2] = 1;
    keys[1].rotation[0] = 7; /* more than a whole turn is wanted, so angles are mixed as numbers */
    keys[1].fov_deg = 44;
    keys[1].orthographic = true;
    keys[1].curves[1] = (Curve){0, 32, 96, 127};
    const VmdMotion vmd = {.camera_keys = keys, .camera_key_count = 2};
    const CameraTrack track = camera_bind(&vmd, (TimeMap){0, 1}, arena);
    const CameraState camera = camera_at(&track, 1, 12, CAMERA_DEFAULT);
    assert_true(fabs((double)camera.target[0] - 1.0 / 14) < 1e-6);
    assert_true(fabs((double)camera.target[1] - 0.18599500) < 2e-7);
    assert_true(fabs((double)camera.rotation[0] - 0.5) < 1e-6);
    assert_true(fabs((double)camera.fov_deg - 31) < 1e-5);
    assert_false(camera.orthographic);
    assert_true(camera_at(&track, 14, 12, CAMERA_DEFAULT).orthographic);
    arena_destroy(arena);
}

static void fallback_without_keys(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const VmdMotion vmd = {0};
    const CameraTrack camera = camera_bind(&vmd, (TimeMap){0, 1}, arena);
    const LightTrack light = light_bind(&vmd, (TimeMap){0, 1}, arena);
    const ShadowTrack shadow = shadow_bind(&vmd, (TimeMap){0, 1}, arena);
    assert_true(camera_at(&camera, 5, 12, CAMERA_DEFAULT).distance == -45);
    assert_true(light_at(&light, 5, LIGHT_DEFAULT).direction[1] == -1);
    assert_int_equal(shadow_at(&shadow, 5, SHADOW_DEFAULT).mode, 1);
    arena_destroy(arena);
}

static void field_of_view_stays_usable(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const float in[] = {0, 0.5f, 30, 400}, out[] = {1, 1, 30, 179};
    for (int i = 0; i < 4; i++) {
        VmdCameraKey key = key_at(0, -10);
        key.fov_deg = in[i];
        const VmdMotion vmd = {.camera_keys = &key, .camera_key_count = 1};
        const CameraTrack track = camera_bind(&vmd, (TimeMap){0, 1}, arena);
        assert_true(camera_at(&track, 0, 12, CAMERA_DEFAULT).fov_deg == out[i]);
    }
    arena_destroy(arena);
}

static void light_and_shadow(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    VmdLightKey lights[] = {
        {0, {0, 0, 0}, {0, -1, 0}}, {10, {1, 0.5f, 0}, {1, 1, 0}}, {11, {0, 0, 0}, {0, 0, 0}}};
    VmdShadowKey shadows[] = {{0, 1, 0.01f}, {10, 2, 0.02f}};
    const VmdMotion vmd = {
        .light_keys = lights, .light_key_count = 3, .shadow_keys = shadows, .shadow_key_count = 2};
    const LightTrack light = light_bind(&vmd, (TimeMap){0, 1}, arena);
    const ShadowTrack shadow = shadow_bind(&vmd, (TimeMap){0, 1}, arena);
    const LightState middle = light_at(&light, 5, LIGHT_DEFAULT);
    assert_true(middle.color[0] == 0.5f && middle.color[1] == 0.25f && middle.color[2] == 0);
    assert_true(middle.direction[0] == 0.5f && middle.direction[1] == 0);
    assert_true(light_at(&light, 10.5, LIGHT_DEFAULT).color[0] == 1);    /* held */
    assert_true(light_at(&light, 11, LIGHT_DEFAULT).direction[1] == -1); /* no direction at all */
    assert_int_equal(shadow_at(&shadow, 9.9, SHADOW_DEFAULT).mode, 1);
    assert_int_equal(shadow_at(&shadow, 10, SHADOW_DEFAULT).mode, 2);
    assert_true(fabsf(shadow_at(&shadow, 5, SHADOW_DEFAULT).distance - 0.015f) < 1e-8f);
    arena_destroy(arena);
}

/* Ry(-ry) Rx(-rx) Rz(-rz), worked by hand. */
static void axes(void **state)
{
    (void)state;
    const float pi = (float)M_PI, h = sqrtf(0.75f);
    const struct {
        const char *what;
        float rotation[3], distance;
        float eye[3], right[3], up[3], forward[3];
    } rows[] = {
        {"straight on", {0, 0, 0}, -10, {1, 10, -8}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
        {"from above",
         {-pi / 6, 0, 0},
         -10,
         {1, 15, 2 - 10 * h},
         {1, 0, 0},
         {0, h, 0.5f},
         {0, -0.5f, h}},
        {"turned", {0, pi / 2, 0}, -10, {11, 10, 2}, {0, 0, 1}, {0, 1, 0}, {-1, 0, 0}},
        {"rolled", {0, 0, pi / 2}, -10, {1, 10, -8}, {0, -1, 0}, {1, 0, 0}, {0, 0, 1}},
        {"past the target", {0, 0, 0}, 4, {1, 10, 6}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        CameraState camera = CAMERA_DEFAULT;
        const float target[3] = {1, 10, 2};
        for (int k = 0; k < 3; k++) {
            camera.target[k] = target[k];
            camera.rotation[k] = rows[i].rotation[k];
        }
        camera.distance = rows[i].distance;
        const CameraAxes a = camera_axes(&camera);
        for (int k = 0; k < 3; k++)
            if (fabsf(a.eye[k] - rows[i].eye[k]) > 1e-5f ||
                fabsf(a.up[k] - rows[i].up[k]) > 1e-6f ||
                fabsf(a.right[k] - rows[i].right[k]) > 1e-6f ||
                fabsf(a.forward[k] - rows[i].forward[k]) > 1e-6f)
                fail_msg("%s: axis %d", rows[i].what, k);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cuts_are_not_interpolated), cmocka_unit_test(channels_have_their_curves),
        cmocka_unit_test(fallback_without_keys),     cmocka_unit_test(field_of_view_stays_usable),
        cmocka_unit_test(light_and_shadow),          cmocka_unit_test(axes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
