// SPDX-License-Identifier: MIT
/* resource_estimate: sums by hand, and which values must increase with which */

#include <math.h>

#include "evaluate/frame.h"
#include "film_fixture.h"
#include "inspect/resource_estimate.h"
#include "unit_test.h"

#define JOB                                                                   \
    "version: 1\nmodels: [quad.pmx]\nshadows: { map_size: 1024 }\n"           \
    "render: { size: [640, 360], fps: 30, frames: \"0-1799\", samples: 4 }\n" \
    "outputs: [ film.mp4 ]\n"

enum { PIXELS = 640 * 360 };

typedef struct Bench {
    FilmFixture f;
    Film *film;
} Bench;

static int set_up(void **state)
{
    static Bench bench;
    film_fixture_make(&bench.f);
    bench.film = film_fixture_load(&bench.f, JOB);
    *state = &bench;
    return 0;
}

static int tear_down(void **state)
{
    film_fixture_remove(&((Bench *)*state)->f);
    return 0;
}

static MemoryEstimate of(const Film *film, int workers)
{
    return estimate_memory(film, 1 << 20, workers);
}

static void test_memory(void **state)
{
    Film film = *((Bench *)*state)->film;
    FilmScene scene = film.scenes[0];
    film.scenes = &scene;
    const MemoryEstimate one = of(&film, 1), three = of(&film, 3);

    /* The ring has two frames per worker and two more, each with the part of its image. */
    assert_int_equal(
        one.ring, 4 * (PIXELS * 4 + sizeof(ImageRect) + frame_state_size(&film.scenes[0].scene)));
    assert_int_equal(three.ring, 2 * one.ring);
    assert_int_equal(three.worker, one.worker);
    assert_true(three.peak > one.peak + 2 * one.worker);
    assert_true(one.peak > one.main + one.worker + one.encoder + one.ring);
    assert_int_equal(estimate_memory(&film, 9 << 20, 1).main - one.main, 9 << 20);

    scene.render.shadow_map = 2048; /* 16 bits of depth each */
    assert_int_equal(of(&film, 1).worker - one.worker, 2 * (2048 * 2048 - 1024 * 1024));
    scene.render.shadow_map = 1024;
    film.render.samples = 1; /* 12 bytes for each of four, and 4 of what becomes of them */
    assert_int_equal(one.worker - of(&film, 1).worker, PIXELS * (3 * 12 + 4));
    film.render.samples = 4;
    film.render.supersample = 2;
    assert_int_equal(of(&film, 1).worker - one.worker, PIXELS * 3 * (4 * 12 + 4));
    film.render.supersample = 1;
    scene.scene.models[0].spec.stage = true; /* a copy of the surface, and the finished picture */
    film.render.samples = 1;
    const uint64_t staged = of(&film, 1).worker;
    scene.scene.models[0].spec.stage = false;
    assert_int_equal(staged - of(&film, 1).worker, PIXELS * (12 + 4));
    film.render.samples = 4;

    film.outputs[0].options.video.preset = "veryslow";
    assert_true(of(&film, 1).encoder > one.encoder + 200 * PIXELS);
    film.outputs[0].options.video.preset = "ultrafast";
    assert_true(of(&film, 1).encoder < one.encoder - 80 * PIXELS);
    film.outputs[0].options.video.preset = NULL;
    film.ordered = false;
    assert_int_equal(of(&film, 1).encoder, 0);
}

/* Several workers have textures of 64 MiB and more, with the context and the meshes, once: each
 * further one needs as much, whatever its textures. */
static void test_shared_memory(void **state)
{
    Film film = *((Bench *)*state)->film;
    FilmScene scene = film.scenes[0];
    film.scenes = &scene;
    Image image = {.width = 4096, .height = 4096};
    const Image *textures[] = {&image};
    const uint64_t bytes = 64 << 20;
    SceneModel entry = scene.scene.models[0];
    Model model = *entry.model;
    const MemoryEstimate plain = of(&film, 1), plain_three = of(&film, 3);
    model.pmx.texture_count = 1;
    model.textures = textures;
    entry.model = &model;
    scene.scene.models = &entry;
    scene.scene.model_count = 1;
    const MemoryEstimate one = of(&film, 1), two = of(&film, 2), three = of(&film, 3);

    assert_int_equal(plain.shared + plain_three.shared, 0); /* a texture of a few pixels */
    assert_int_equal(one.shared, 0);
    /* Mip levels, and those that are being made; less the small texture. */
    assert_in_range(one.worker - plain.worker, bytes / 3 * 7 - 1000, bytes / 3 * 7 + 2);
    assert_true(two.shared > 2 * bytes && two.shared < one.worker);
    assert_int_equal(two.shared, three.shared);
    assert_int_equal(two.worker, three.worker);
    assert_true(two.shared + two.worker > one.worker);
    assert_true(two.worker < plain.worker / 2);
    assert_true(three.peak - two.peak < plain.worker);
    assert_true(two.peak > two.main + two.shared + 2 * two.worker + two.encoder + two.ring);
}

static bool near(double a, double b)
{
    return fabs(a - b) < 1e-9;
}

static void test_time(void **state)
{
    (void)state;
    const FrameEstimate frame = {
        .evaluate_s = 0.01, .draw_s = 0.08, .encode_s = 0.03, .start_s = 2};
    assert_true(near(estimate_seconds(&frame, 0, 100, 1), 2 + 100 * 0.12));
    assert_true(near(estimate_seconds(&frame, 0, 100, 4), 2 + 100 * 0.03));
    /* One process evaluates, however many render; a later shard evaluates the frames before it. */
    assert_true(near(estimate_seconds(&frame, 0, 100, 64), 2 + 100 * 0.01));
    assert_true(near(estimate_seconds(&frame, 500, 100, 4), 2 + 500 * 0.01 + 100 * 0.03));
}

static void test_shards(void **state)
{
    Film film = *((Bench *)*state)->film;
    FilmScene scene = film.scenes[0];
    film.scenes = &scene;
    FrameEstimate frame = {.draw_s = 1, .start_s = 1};
    assert_int_equal(film_segment_count(&film), 60);
    assert_int_equal(estimate_shards(&film, &frame, 1), 1800 / 64);
    frame.start_s = 10; /* 1800 s in parts of 200 at least */
    assert_int_equal(estimate_shards(&film, &frame, 1), 9);
    assert_int_equal(estimate_shards(&film, &frame, 3), 3);
    frame.start_s = 1000;
    assert_int_equal(estimate_shards(&film, &frame, 1), 1);
    frame.start_s = 0;
    film.segment_frames = 900;
    assert_int_equal(estimate_shards(&film, &frame, 1), 2);
    film.segment_frames = 1;
    film.frame_count = 1000 * 64 - 1; /* at most 1000 shards of at least 64 frames */
    assert_int_equal(estimate_shards(&film, &frame, 1), 999);
    film.frame_count = 5000 * 64;
    assert_int_equal(estimate_shards(&film, &frame, 1), 1000);
    film.frame_count = 1;
    assert_int_equal(estimate_shards(&film, &frame, 1), 1);
}

static void test_disk(void **state)
{
    const Film *film = ((Bench *)*state)->film;
    const FrameEstimate frame = {.bytes = {1000}};
    const DiskEstimate disk = estimate_disk(film, &frame);
    assert_int_equal(disk.outputs, 1800 * 1000);
    assert_true(disk.state > 1800 * 1000 && disk.state < 1800 * 1200); /* segments and ledger */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory), cmocka_unit_test(test_shared_memory),
        cmocka_unit_test(test_time),   cmocka_unit_test(test_shards),
        cmocka_unit_test(test_disk),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
