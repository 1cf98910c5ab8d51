// SPDX-License-Identifier: MIT
/* Cloth: vertices at the simulated positions, and both sides lit. */
#include <stdlib.h>
#include <string.h>

#include "model_fixture.h"
#include "render/renderer.h"
#include "render_fixture.h"
#include "unit_test.h"

enum { SIDE = 16 };

static const RenderOptions OPTIONS = {.backend.backend = GL_AUTO,
                                      .width = SIDE,
                                      .height = SIDE,
                                      .samples = 1,
                                      .supersample = 1,
                                      .background = {0, 0, 0, 1}};

/* A square that faces -z, with two corners simulated as cloth. */
static RenderFixture *hanging_square(void)
{
    static uint32_t corners[] = {3, 1};
    static const Image *textures[] = {NULL};
    Arena *arena = arena_create();
    RenderFixture *fixture = arena_alloc(arena, sizeof *fixture);
    fixture->arena = arena;

    PmxModel pmx = fixture_quad(arena);
    pmx.materials[0].texture = PMX_NONE;
    SceneModel *entry = render_fixture_add(fixture, pmx, textures);
    entry->cloth_vertices = corners;
    entry->cloth_vertex_count = 2;
    fixture->models[0].is_cloth = true;
    render_fixture_rest(fixture);
    for (int i = 0; i < 2; i++) {
        const PmxVertex *v = &pmx.vertices[corners[i]];
        ClothVertex *out = &fixture->state->models[0].cloth[i];
        memcpy(out->position, v->position, sizeof out->position);
        memcpy(out->normal, v->normal, sizeof out->normal);
    }
    return fixture;
}

static Renderer *renderer_for(RenderFixture *fixture, Diag *diag)
{
    diag_init(diag, NULL, NULL);
    Renderer *renderer = renderer_create(&fixture->scene, &OPTIONS, diag);
    if (!renderer)
        fail_msg("no renderer");
    return renderer;
}

static void vertices_hang_where_the_state_says(void **unused)
{
    (void)unused;
    RenderFixture *fixture = hanging_square();
    Diag diag;
    Renderer *renderer = renderer_for(fixture, &diag);
    float positions[4][3];

    fixture->state->models[0].cloth[0].position[0] = 7;
    fixture->state->models[0].cloth[1].position[2] = -5;
    assert_true(renderer_skin_positions(positions, renderer, fixture->state, 0, &diag));
    assert_true(positions[3][0] == 7 && positions[3][1] == -1 && positions[3][2] == 0);
    assert_true(positions[1][0] == 1 && positions[1][1] == 1 && positions[1][2] == -5);
    assert_true(positions[0][0] == -1 && positions[2][0] == -1);
    renderer_destroy(renderer);
    arena_destroy(fixture->arena);
}

/*
 * Light of 0.6 along +z or -z; diffuse 0.5, ambient 0.2: without a toon a face towards the light is
 * 0.5 * 0.6 + 0.2 + 0.5 * 0.6 = 0.8, one away from it 0.5.  The eye is at -z or, rotated, at +z.
 */
static void both_sides_are_lit(void **unused)
{
    (void)unused;
    static const struct {
        const char *what;
        float light, turn;
        int expected;
    } rows[] = {
        {"front, lit", 1, 0, 204},
        {"front, from behind", -1, 0, 128},
        {"back, lit", -1, 3.14159265f, 204},
        {"back, from behind", 1, 3.14159265f, 128},
    };
    RenderFixture *fixture = hanging_square();
    Diag diag;
    Renderer *renderer = renderer_for(fixture, &diag);
    FrameState *state = fixture->state;
    MaterialState *material = &state->models[0].materials[0];
    uint8_t pixels[SIDE * SIDE * 4];
    Image image = {.width = SIDE, .height = SIDE, .pixels = pixels};

    for (int k = 0; k < 3; k++) {
        material->diffuse[k] = 0.5f;
        material->ambient[k] = 0.2f;
        material->specular[k] = 0;
        state->light.color[k] = 0.6f;
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const float direction[3] = {0, 0, rows[i].light};
        memcpy(state->light.direction, direction, sizeof direction);
        state->camera =
            (CameraState){.rotation = {0, rows[i].turn, 0}, .distance = -5, .fov_deg = 20};
        assert_true(render_frame(&image, renderer, state, &diag));
        const int got = pixels[(SIDE / 2 * SIDE + SIDE / 2) * 4];
        if (abs(got - rows[i].expected) > 1)
            fail_msg("%s: %d, not %d", rows[i].what, got, rows[i].expected);
    }
    renderer_destroy(renderer);
    arena_destroy(fixture->arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vertices_hang_where_the_state_says),
        cmocka_unit_test(both_sides_are_lit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
