/* The default camera of a film: its target is the centre of what is visible, and everything fits
 * with the margins of framing.h. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "model_fixture.h"
#include "near.h"
#include "scene/framing.h"
#include "scene_fixture.h"

typedef enum Kind { STRIP, LEG, BONE } Kind;

static PmxModel model_of(Kind kind, Arena *arena)
{
    return kind == STRIP ? fixture_strip(arena)
           : kind == LEG ? fixture_leg(arena)
                         : fixture_bone_only(arena);
}

/* The strip is 1 wide and 4 high; of a leg only the IK goal at (0, 1, 0) is visible. */
static void centres_and_distances(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        Kind kind;
        Placement placement;
        float key_x; /* of a key for the first bone; 0: no key */
        Vec3 target;
        double half_width, half_height, half_depth;
    } rows[] = {
        {"strip", STRIP, {{0, 0, 0}, {0, 0, 0, 1}, 1}, 0, {0, 2, 0}, 0.5, 2, 0},
        {"placed and scaled", STRIP, {{10, 20, 30}, {0, 0, 0, 1}, 3}, 0, {10, 26, 30}, 1.5, 6, 0},
        {"rotated by 90 degrees about y",
         STRIP,
         {{0, 0, 0}, {0, 0.70710678f, 0, 0.70710678f}, 2},
         0,
         {0, 4, 0},
         0,
         4,
         1},
        {"on its side",
         STRIP,
         {{0, 0, 0}, {0, 0, 0.70710678f, 0.70710678f}, 4},
         0,
         {-8, 0, 0},
         8,
         2,
         0},
        {"keyed", STRIP, {{0, 0, 0}, {0, 0, 0, 1}, 1}, 6, {6, 2, 0}, 0.5, 2, 0},
        {"goals of IK only", LEG, {{0, 0, 0}, {0, 0, 0, 1}, 1}, 0, {0, 1, 0}, 0, 0, 0},
        {"bones without vertices", BONE, {{5, 6, 7}, {0, 0, 0, 1}, 1}, 0, {5, 6, 7}, 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        VmdBoneKey keys[] = {fixture_key("lower", 0, rows[i].key_x, 0, 0)};
        const VmdMotion motion = fixture_motion_of(keys, rows[i].key_x != 0);
        Scene *scene = fixture_scene(model_of(rows[i].kind, arena), &motion, COMPAT_DEFAULT, arena);
        scene->models[0].placement = rows[i].placement;
        scene->last_frame = 30;
        const CameraState camera = framing_camera(scene);
        const double slope = tan((double)camera.fov_deg * M_PI / 360);
        const double depth = -(double)camera.distance - rows[i].half_depth;
        if (vec3_length(vec3_sub(vec3_load(camera.target), rows[i].target)) > 1e-5)
            fail_msg("%s: target (%g %g %g)", rows[i].what, (double)camera.target[0],
                     (double)camera.target[1], (double)camera.target[2]);
        const double height =
            fmax(rows[i].half_height * 1.12, fmax(rows[i].half_width * 1.05 * 9 / 16, 1));
        assert_near(depth * slope, height, 1e-4);
        arena_destroy(arena);
    }
}

/* Models that do not move, and attached ones, count only if nothing moves. */
static void only_moving_models_count(void **state)
{
    (void)state;
    for (int moves = 0; moves < 2; moves++) {
        Arena *arena = arena_create();
        VmdBoneKey keys[] = {fixture_key("lower", 0, 6, 0, 0)};
        const VmdMotion motion = fixture_motion_of(keys, (uint32_t)moves);
        Scene *scene = fixture_scene(fixture_strip(arena), &motion, COMPAT_DEFAULT, arena);
        const Scene *still = fixture_scene(fixture_strip(arena), NULL, COMPAT_DEFAULT, arena);
        SceneModel models[] = {still->models[0], scene->models[0], scene->models[0]};
        models[0].placement.position[0] = 100;
        models[2].placement.position[0] = -900;
        models[2].attach_model = 1;
        scene->models = models;
        scene->model_count = 3;
        const CameraState camera = framing_camera(scene);
        assert_near((double)camera.target[0], moves ? 6 : 50, 1e-4);
        arena_destroy(arena);
    }
}

/* Without bones there is nothing to frame. */
static void empty_models_keep_the_default(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const Scene *scene = fixture_scene(fixture_empty(), NULL, COMPAT_DEFAULT, arena);
    const CameraState camera = framing_camera(scene), expected = CAMERA_DEFAULT;
    assert_true(camera.distance == expected.distance && camera.target[1] == expected.target[1]);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(centres_and_distances),
        cmocka_unit_test(only_moving_models_count),
        cmocka_unit_test(empty_models_keep_the_default),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
