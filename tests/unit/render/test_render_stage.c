// SPDX-License-Identifier: MIT
/* What a renderer keeps from frame to frame (shapes, the picture of the stage, a whole frame)
 * changes no pixel and no distance: every frame of a sequence equals the same frame drawn after one
 * in which all differs. */

#include <string.h>

#include "model_fixture.h"
#include "render/renderer.h"
#include "render_fixture.h"
#include "unit_test.h"

enum { BLENDED = 0x100 }; /* besides the flags of a material: half transparent */
enum { SIDE = 48, FLOOR = 0, WALL = 1, FIGURE = 2, MODELS = 3 };

typedef struct Set {
    RenderFixture fixture;
    FrameState *state, *other; /* other: everything differs from all states of the test */
    Diag diag;
} Set;

static SceneModel *add_quad(Set *set, bool stage, unsigned flags)
{
    PmxModel m = fixture_quad(set->fixture.arena);

    m.materials[0].texture = PMX_NONE;
    m.materials[0].shared_toon = true;
    m.materials[0].toon = 2;
    m.materials[0].flags = (uint8_t)((flags & 0xff) | PMX_EDGE | PMX_DOUBLE_SIDED);
    if (flags & BLENDED)
        m.materials[0].diffuse[3] = 0.5f;
    SceneModel *entry = render_fixture_add(&set->fixture, m, NULL);
    entry->spec.stage = stage;
    return entry;
}

/* A floor without and a wall with self-shadow, and a figure in front of them that casts shadows. */
static void set_up(Set *set, unsigned wall_flags)
{
    *set = (Set){.fixture.arena = arena_create()};
    diag_init(&set->diag, NULL, NULL);
    SceneModel *floor = add_quad(set, true, 0);
    floor->placement = (Placement){{0, 0, 0}, {0.7071068f, 0, 0, 0.7071068f}, 14};
    SceneModel *wall = add_quad(set, true, wall_flags);
    wall->placement = (Placement){{0, 10, 12}, {0, 0, 0, 1}, 12};
    SceneModel *figure = add_quad(set, false, PMX_CAST_SHADOW | PMX_GROUND_SHADOW);
    figure->placement = (Placement){{0, 8, 0}, {0, 0, 0, 1}, 4};
    set->other = render_fixture_rest(&set->fixture);
    set->state = render_fixture_rest(&set->fixture);

    set->other->camera = (CameraState){.target = {1, 2, 3}, .distance = -30, .fov_deg = 50};
    for (int i = 0; i < MODELS; i++) {
        set->other->models[i].placement.position[0] += 1.5f;
        set->other->models[i].bones[0].position[1] += 0.5f;
        set->other->models[i].materials[0].ambient[1] = 0.9f;
    }
    set->state->light.direction[2] = 1; /* from the front, so that the wall is lit */
    set->state->camera = (CameraState){.target = {0, 8, 0}, .distance = -40, .fov_deg = 40};
}

static Renderer *create(Set *set, const RenderOptions *options)
{
    Renderer *renderer = renderer_create(&set->fixture.scene, options, &set->diag);

    assert_non_null(renderer);
    return renderer;
}

typedef struct Frame {
    uint8_t pixels[4 * SIDE * SIDE];
    float distances[SIDE * SIDE];
} Frame;

static void draw(Set *set, Frame *frame, Renderer *renderer, const FrameState *state)
{
    Image image = {.pixels = frame->pixels};

    assert_true(render_frame(&image, renderer, state, &set->diag));
    assert_true(render_distances(frame->distances, renderer, &set->diag));
}

/* Changes one value by a letter: see the rows below. */
static void change(FrameState *s, char what, int step)
{
    const float amount = (float)(step % 5) - 2.0f;
    ModelState *floor = &s->models[FLOOR], *wall = &s->models[WALL], *figure = &s->models[FIGURE];

    switch (what) {
    case 'c':
        s->camera.rotation[1] += 0.1f;
        break;
    case 'f':
        figure->placement.position[0] += amount;
        break;
    case 'b':
        figure->bones[0].position[1] += amount;
        break;
    case 'h':
        figure->visible = !figure->visible;
        break;
    case 'l':
        s->light.direction[0] += 0.2f;
        break;
    case 'm':
        floor->materials[0].ambient[0] = 0.2f * (float)(step % 4);
        break;
    case 'p':
        floor->placement.position[0] += 0.5f;
        break;
    case 's':
        s->shadow.mode = s->shadow.mode == 1 ? 2 : 1;
        break;
    case 'v':
        floor->visible = !floor->visible;
        break;
    case 'w':
        wall->visible = !wall->visible;
        break;
    case 'y':
        wall->bones[0].position[0] += 0.5f;
        break;
    default:
        break; /* '-': the same frame again */
    }
}

/* Still stretches, in which the stage is kept, before, between and after changes of each kind. */
static const char SEQUENCE[] =
    "ffff-ff-cff-cfffbbb-bhffhf--lff-fmfff-fpffff-fsff-fvfffvff-fwfffwfffyff-"
    "fhhff--c-c-ccffff";

/* Draws the sequence from the same start; `fresh`: each frame after one in which all differs. */
static Frame *draw_sequence(Set *set, const RenderOptions *options, unsigned wall_flags, bool fresh)
{
    Frame *frames = test_calloc(sizeof SEQUENCE, sizeof *frames);
    set_up(set, wall_flags);
    Renderer *renderer = create(set, options);

    for (int i = 0; SEQUENCE[i] != '\0'; i++) {
        change(set->state, SEQUENCE[i], i);
        if (fresh)
            draw(set, &frames[i], renderer, set->other);
        draw(set, &frames[i], renderer, set->state);
    }
    renderer_destroy(renderer);
    arena_destroy(set->fixture.arena);
    return frames;
}

static void check_sequence(const RenderOptions *options, unsigned wall_flags)
{
    Set set;
    Frame *drawn = draw_sequence(&set, options, wall_flags, true);
    Frame *kept = draw_sequence(&set, options, wall_flags, false);

    for (int i = 0; SEQUENCE[i] != '\0'; i++) {
        if (memcmp(drawn[i].pixels, kept[i].pixels, sizeof drawn[i].pixels) != 0)
            fail_msg("frame %d, after '%c': a kept picture differs from a drawn one", i,
                     SEQUENCE[i]);
        if (memcmp(drawn[i].distances, kept[i].distances, sizeof drawn[i].distances) != 0)
            fail_msg("frame %d, after '%c': distances of a kept picture differ", i, SEQUENCE[i]);
    }
    test_free(drawn);
    test_free(kept);
}

static const RenderOptions OPTIONS = {.width = SIDE,
                                      .height = SIDE,
                                      .samples = 1,
                                      .supersample = 2,
                                      .background = {0.3f, 0.4f, 0.5f, 1},
                                      .ground_shadow = true,
                                      .ground_opacity = 0.5f,
                                      .shadow_map = 256,
                                      .edges = true};

static void test_stage_without_shadows(void **unused)
{
    (void)unused;
    check_sequence(&OPTIONS, 0);
}

/* The wall depends on the figure: it is kept with the shadows of the stages alone. */
static void test_stage_with_shadows(void **unused)
{
    (void)unused;
    check_sequence(&OPTIONS, PMX_RECEIVE_SHADOW);
}

/* Of opaque surfaces and of others, with sharp and soft edges. */
static void test_kinds_of_shadows(void **unused)
{
    (void)unused;
    static const unsigned flags[] = {PMX_RECEIVE_SHADOW | PMX_CAST_SHADOW,
                                     PMX_RECEIVE_SHADOW | BLENDED,
                                     PMX_RECEIVE_SHADOW | PMX_CAST_SHADOW | BLENDED};
    for (size_t i = 0; i < 2 * sizeof flags / sizeof *flags; i++) {
        RenderOptions options = OPTIONS;

        options.edges = i % 2;
        options.shadow_soft = i % 2 ? 0.4f : 0;
        check_sequence(&options, flags[i / 2]);
    }
}

static void test_transparent_film(void **unused)
{
    (void)unused;
    RenderOptions options = OPTIONS;

    options.alpha = true;
    memcpy(options.background, ((float[4]){0.5f, 0, 0, 0.25f}), sizeof options.background);
    check_sequence(&options, PMX_RECEIVE_SHADOW);
}

static void test_split_transparency(void **unused)
{
    (void)unused;
    RenderOptions options = OPTIONS;

    options.split_transparency = true;
    options.supersample = 1;
    check_sequence(&options, 0);
}

static void test_multisampling(void **unused)
{
    (void)unused;
    RenderOptions options = OPTIONS;

    options.samples = 4;
    options.supersample = 1;
    check_sequence(&options, 0);
}

/* A background image that changes below a stage that is kept.  The corner shows only the image. */
static void test_background(void **unused)
{
    (void)unused;
    Frame frame;
    Set set;

    set_up(&set, 0);
    Renderer *renderer = create(&set, &OPTIONS);
    for (int i = 0; i < 16; i++) {
        const uint8_t grey = (uint8_t)(40 * (i / 4));
        const Image *image =
            render_fixture_flat(set.fixture.arena, (const uint8_t[4]){grey, grey, 90, 255});

        if (i % 4 == 0)
            renderer_set_background(renderer, image);
        change(set.state, 'f', i);
        draw(&set, &frame, renderer, set.state);
        assert_int_equal(frame.pixels[0], grey);
    }
    renderer_destroy(renderer);
    arena_destroy(set.fixture.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stage_without_shadows),
        cmocka_unit_test(test_stage_with_shadows),
        cmocka_unit_test(test_kinds_of_shadows),
        cmocka_unit_test(test_transparent_film),
        cmocka_unit_test(test_split_transparency),
        cmocka_unit_test(test_multisampling),
        cmocka_unit_test(test_background),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
