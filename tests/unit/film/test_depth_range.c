// SPDX-License-Identifier: MIT
/* The bounds of the depth pass: by hand for a square of 2 x 2 units at z = 0. */

#include "film_fixture.h"
#include "unit_test.h"

#define CAMERA "camera: { fixed: { target: [0, 0, 0], distance: -45 } }"

static void expect(const char *what, const char *job, double near, double far)
{
    FilmFixture f;
    film_fixture_make(&f);
    const Film *film = film_fixture_load(
        &f, arena_printf(f.arena,
                         "version: 1\n%s\nrender: { size: [64, 36], fps: 30, frames: 0-9 }\n"
                         "outputs: [ { file: \"d/%%d.png\", pass: depth } ]\n",
                         job));
    const DepthRange *range = &film->passes.depth;
    if (range->near != near || range->far != far)
        fail_msg("%s: %g to %g, expected %g to %g", what, range->near, range->far, near, far);
    film_fixture_remove(&f);
}

static void test_bounds(void **unused)
{
    (void)unused;
    /* a range of 0, and a unit on both sides */
    expect("in front of the camera", "models: [quad.pmx]\n" CAMERA, 44, 46);
    /* 25 to 45: a tenth of the range of 20, and a unit */
    expect("two models",
           "models: [{ id: a, file: quad.pmx, position: [0, 0, -20] }, { id: b, file: quad.pmx }]"
           "\n" CAMERA,
           22, 48);
    expect("a stage does not count",
           "models: [quad.pmx]\nstage: [{ file: quad.pmx, position: [0, 0, 900] }]\n" CAMERA, 44,
           46);
    /* 1 to 50: the margin is 5.9, but nothing in front of the near plane is visible */
    expect("close to the camera",
           "models: [{ id: a, file: quad.pmx, position: [0, 0, -44] },\n"
           "         { id: b, file: quad.pmx, position: [0, 0, 5] }]\n" CAMERA,
           0.5, 56);
    expect("declared", "models: [quad.pmx]\npasses: { near: 3, far: 7.5 }", 3, 7.5);
    expect("one of them declared", "models: [quad.pmx]\npasses: { near: 3 }\n" CAMERA, 3, 46);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bounds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
