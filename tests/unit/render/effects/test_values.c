// SPDX-License-Identifier: MIT
/* Values of parameters, worked by hand: matrices of row vectors, colors, controllers, names. */

#include "render/effects/values.h"

#include <math.h>
#include <string.h>

#include "model_fixture.h"
#include "render/effects/textures.h"
#include "render_fixture.h"
#include "unit_test.h"

enum { WIDTH = 200, HEIGHT = 100 };

typedef struct Bench {
    RenderFixture fixture;
    DrawContext draw;
    FxFrame frame;
    FxScope scope;
} Bench;

/* A model of one bone at (2, 1, 0) that is scaled by 2, and an accessory; the camera is 10 units in
 * front of the origin and looks along z. */
static Bench *create(void)
{
    static const float ground[4] = {0.1f, 0.2f, 0.3f, 0.4f};
    Arena *arena = arena_create();
    Bench *b = arena_array(arena, Bench, 1);
    PmxModel model = fixture_quad(arena), accessory = fixture_quad(arena);

    b->fixture.arena = arena;
    accessory.accessory = true;
    render_fixture_add(&b->fixture, model, NULL)->placement =
        (Placement){.position = {2, 1, 0}, .rotation = {0, 0, 0, 1}, .scale = 2};
    render_fixture_add(&b->fixture, accessory, NULL)->spec.opacity = 0.75;
    b->fixture.models[0].file = "dir/Body.pmx";
    b->fixture.models[0].mesh_file = "dir/Body.pmx";
    b->fixture.models[1].file = b->fixture.models[1].mesh_file = "dir/Hat.x";
    FrameState *state = render_fixture_rest(&b->fixture);
    state->frame = 45;
    state->camera = (CameraState){.distance = -10, .fov_deg = 90};
    state->light = (LightState){.color = {0.6f, 0.5f, 0.4f}, .direction = {0, -2, 0}};
    state->models[1].placement =
        (Placement){.position = {1, 2, 3}, .rotation = {0, 0, 0, 1}, .scale = 0.5f};
    b->fixture.entries[1].placement = state->models[1].placement;
    b->draw.view = view_of(&state->camera, &state->light, WIDTH, HEIGHT);
    b->draw.actors = arena_array(arena, Actor, 2);
    Mesh *mesh = arena_array(arena, Mesh, 1);
    mesh->pmx = &b->fixture.models[0].pmx;
    b->draw.actors[0] = (Actor){.entry = &b->fixture.entries[0],
                                .mesh = mesh,
                                .textures = arena_array(arena, MaterialTextures, 1),
                                .state = &state->models[0]};
    b->frame = (FxFrame){.scene = &b->fixture.scene,
                         .state = state,
                         .draw = &b->draw,
                         .ground_color = ground,
                         .size = {WIDTH, HEIGHT},
                         .time = 1.5,
                         .elapsed = 1.0 / 60};
    fx_frame_matrices(&b->frame);
    b->scope = (FxScope){.frame = &b->frame,
                         .actor = &b->draw.actors[0],
                         .owner = 1,
                         .size = {WIDTH / 2, HEIGHT / 2}};
    return b;
}

static const EffectType FLOAT1 = {EFFECT_FLOAT, 1, 1, 0, 0}, FLOAT4 = {EFFECT_FLOAT, 1, 4, 0, 0};
static const EffectType MATRIX = {EFFECT_FLOAT, 4, 4, 0, 0}, BOOL1 = {EFFECT_BOOL, 1, 1, 0, 0};

/* A parameter with up to two annotations. */
static EffectParameter parameter(const char *name, const char *semantic, EffectType type,
                                 EffectAnnotation *annotations, size_t count)
{
    return (EffectParameter){.name = name,
                             .semantic = semantic,
                             .type = type,
                             .annotations = annotations,
                             .annotation_count = count};
}

static EffectAnnotation text(const char *name, const char *value)
{
    return (EffectAnnotation){name, {.base = EFFECT_STRING}, value, NULL};
}

static void expect(const Bench *b, const EffectParameter *p, const float *expected, size_t count)
{
    const FxBinding binding = fx_bind(p, &b->fixture.scene, 0, 1);
    float got[FX_VALUE_SIZE];

    fx_value(got, &binding, &p->type, &b->scope);
    for (size_t i = 0; i < count; i++)
        if (fabsf(got[i] - expected[i]) > 1e-4f)
            fail_msg("%s %s [%zu]: %g, expected %g", p->name, p->semantic, i, (double)got[i],
                     (double)expected[i]);
}

#define EXPECT(b, p, ...)                                \
    do {                                                 \
        const float e[] = {__VA_ARGS__};                 \
        const EffectParameter parameter_ = p;            \
        expect(b, &parameter_, e, sizeof e / sizeof *e); \
    } while (0)

/* Rows as Direct3D writes them: the last row of WORLD is the position. */
static void test_matrices(void **unused)
{
    Bench *b = create();
    (void)unused;

    EXPECT(b, parameter("w", "World", MATRIX, NULL, 0), 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 2, 1, 0,
           1);
    EXPECT(b, parameter("i", "WORLDINVERSE", MATRIX, NULL, 0), 0.5f, 0, 0, 0, 0, 0.5f, 0, 0, 0, 0,
           0.5f, 0, -1, -0.5f, 0, 1);
    EXPECT(b, parameter("t", "WORLDTRANSPOSE", MATRIX, NULL, 0), 2, 0, 0, 2, 0, 2, 0, 1, 0, 0, 2, 0,
           0, 0, 0, 1);
    EXPECT(b, parameter("it", "WORLDINVERSETRANSPOSE", MATRIX, NULL, 0), 0.5f, 0, 0, -1, 0, 0.5f, 0,
           -0.5f);
    EXPECT(b, parameter("v", "VIEW", MATRIX, NULL, 0), 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 10,
           1);
    /* 1 / tan 45 degrees, half of it for twice the width; depth 0 at 0.5 */
    EXPECT(b, parameter("p", "PROJECTION", MATRIX, NULL, 0), 0.5f, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1,
           0, 0, -0.5f, 0);
    /* The point (1, 0, 0) of the model is at (4, 1, 10) of the view. */
    EXPECT(b, parameter("wvp", "WORLDVIEWPROJECTION", MATRIX, NULL, 0), 1, 0, 0, 0, 0, 2, 0, 0, 0,
           0, 2, 2, 1, 1, 9.5f, 10);
    EXPECT(b, parameter("matWorld", "", MATRIX, NULL, 0), 2, 0, 0, 0);
    b->scope.kind = FX_GROUND_SHADOW; /* flattened straight down */
    EXPECT(b, parameter("w", "WORLD", MATRIX, NULL, 0), 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 2, 0, 0,
           1);
    arena_destroy(b->fixture.arena);
}

static void test_colors(void **unused)
{
    Bench *b = create();
    EffectAnnotation light[] = {text("Object", "Light")}, camera[] = {text("object", "camera")};
    MaterialState *m = &b->fixture.state->models[0].materials[0];
    MaterialTextures *textures = arena_array(b->fixture.arena, MaterialTextures, 1);
    (void)unused;

    memcpy(m->diffuse, (float[4]){0.5f, 0.25f, 1, 0.75f}, sizeof m->diffuse);
    memcpy(m->ambient, (float[3]){0.1f, 0.2f, 0.3f}, sizeof m->ambient);
    memcpy(m->specular, (float[3]){1, 0.5f, 0.25f}, sizeof m->specular);
    m->specular_power = 7;
    EXPECT(b, parameter("d", "DIFFUSE", FLOAT4, NULL, 0), 0.5f, 0.25f, 1, 0.75f);
    EXPECT(b, parameter("a", "AMBIENT", FLOAT4, NULL, 0), 0.5f, 0.25f, 1, 1);
    EXPECT(b, parameter("e", "EMISSIVE", FLOAT4, NULL, 0), 0.1f, 0.2f, 0.3f, 1);
    EXPECT(b, parameter("p", "SPECULARPOWER", FLOAT1, NULL, 0), 7);
    EXPECT(b, parameter("d", "Diffuse", FLOAT4, light, 1), 0, 0, 0, 0);
    EXPECT(b, parameter("a", "AMBIENT", FLOAT4, light, 1), 0.6f, 0.5f, 0.4f, 1);
    EXPECT(b, parameter("n", "DIRECTION", FLOAT4, light, 1), 0, -1, 0, 0);
    EXPECT(b, parameter("n", "DIRECTION", FLOAT4, camera, 1), 0, 0, 1, 0);
    EXPECT(b, parameter("n", "POSITION", FLOAT4, camera, 1), 0, 0, -10, 1);
    EXPECT(b, parameter("g", "GROUNDSHADOWCOLOR", FLOAT4, NULL, 0), 0.1f, 0.2f, 0.3f, 0.4f);
    EXPECT(b, parameter("t", "TOONCOLOR", FLOAT4, NULL, 0), 1, 1, 1, 1);
    EXPECT(b, parameter("EgColor", "", FLOAT4, NULL, 0), 0.4f, 0.325f, 0.7f, 0.75f);
    EXPECT(b, parameter("SpcColor", "", FLOAT4, NULL, 0), 0.6f, 0.25f, 0.1f, 7);
    EXPECT(b, parameter("s", "VIEWPORTPIXELSIZE", FLOAT4, NULL, 0), WIDTH / 2, HEIGHT / 2);
    EXPECT(b, parameter("s", "TIME", FLOAT1, NULL, 0), 1.5f);
    EXPECT(b, parameter("s", "ELAPSEDTIME", FLOAT1, NULL, 0), 1.0f / 60);
    EXPECT(b, parameter("use_texture", "", BOOL1, NULL, 0), 0);
    EXPECT(b, parameter("use_toon", "", BOOL1, NULL, 0), 1);
    EXPECT(b, parameter("VertexCount", "", FLOAT1, NULL, 0), 4);
    textures->texture = 1;
    b->draw.actors[0].textures = textures;
    EXPECT(b, parameter("use_texture", "", BOOL1, NULL, 0), 1);
    b->scope.actor = NULL; /* of a scene there is no material */
    EXPECT(b, parameter("d", "DIFFUSE", FLOAT4, NULL, 0), 0, 0, 0, 0);
    arena_destroy(b->fixture.arena);
}

static void test_controls(void **unused)
{
    Bench *b = create();
    EffectAnnotation self[] = {text("name", "(self)"), text("item", "bone")};
    EffectAnnotation owner[] = {text("name", "(OffscreenOwner)"), text("item", "XYZ")};
    EffectAnnotation absent[] = {text("name", "absent.x"), text("item", "Si")};
    EffectAnnotation model[] = {text("name", "absent.pmx")};
    const char *bone = b->fixture.models[0].pmx.bones[0].name;
    (void)unused;

    self[1].text = bone;
    b->fixture.state->models[0].bones[0].position[1] = 3; /* (0, 3, 0) of the model */
    for (int i = 0; i < 3; i += 2)
        b->fixture.state->models[0].bones[0].position[i] = 0;
    EXPECT(b, parameter("p", "CONTROLOBJECT", FLOAT4, self, 2), 2, 7, 0, 1);
    EXPECT(b, parameter("m", "CONTROLOBJECT", MATRIX, self, 2), 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0,
           2, 7, 0, 1);
    EXPECT(b, parameter("v", "CONTROLOBJECT", BOOL1, self, 1), 1);
    EXPECT(b, parameter("s", "CONTROLOBJECT", FLOAT1, self, 1), 2);
    EXPECT(b, parameter("p", "CONTROLOBJECT", FLOAT4, owner, 2), 1, 2, 3, 1);
    EXPECT(b, parameter("s", "CONTROLOBJECT", FLOAT1, owner, 1), 5); /* 10 times 0.5 */
    EXPECT(b, parameter("m", "CONTROLOBJECT", MATRIX, owner, 1), 5, 0, 0, 0, 0, 5, 0, 0, 0, 0, 5, 0,
           1, 2, 3, 1);
    owner[1].text = "Tr";
    EXPECT(b, parameter("t", "CONTROLOBJECT", FLOAT1, owner, 2), 0.75f);
    owner[1].text = "Y";
    EXPECT(b, parameter("y", "CONTROLOBJECT", FLOAT1, owner, 2), 2);
    /* A quarter turn about x, then y: the angles of the panel. */
    const float half = sqrtf(0.5f);
    memcpy(b->fixture.entries[1].placement.rotation, (float[4]){half, 0, 0, half},
           sizeof(float[4]));
    owner[1].text = "Rx";
    EXPECT(b, parameter("r", "CONTROLOBJECT", FLOAT1, owner, 2), 1.5707963f);
    memcpy(b->fixture.entries[1].placement.rotation, (float[4]){0, 0, half, half},
           sizeof(float[4]));
    owner[1].text = "Rxyz";
    EXPECT(b, parameter("r", "CONTROLOBJECT", FLOAT4, owner, 2), 0, 0, 1.5707963f);
    EXPECT(b, parameter("a", "CONTROLOBJECT", FLOAT1, absent, 2), 0);
    EXPECT(b, parameter("a", "CONTROLOBJECT", FLOAT1, absent, 1), 10);
    EXPECT(b, parameter("a", "CONTROLOBJECT", BOOL1, absent, 1), 0);
    EXPECT(b, parameter("a", "CONTROLOBJECT", FLOAT4, absent, 1), 0, 0, 0, 1);
    EXPECT(b, parameter("a", "CONTROLOBJECT", FLOAT1, model, 1), 1);
    arena_destroy(b->fixture.arena);
}

/* Maps that are larger than a target may be are halved; those of the frame are not. */
static void test_sizes(void **state)
{
    static const struct {
        float width, height, ratio;
        int expected[2]; /* 0: refused */
    } rows[] = {
        {2048, 1024, 0, {2048, 1024}},
        {8192, 8192, 0, {4096, 4096}},
        {16384, 16, 0, {8192, 8}},
        {16384, 16384, 0, {4096, 4096}},
        {1e6f, 16, 0, {0}},
        {-4, 16, 0, {0}},
        {0, 0, 0.5f, {WIDTH / 2, HEIGHT / 2}},
        {0, 0, 100, {0}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const float ratio[2] = {rows[i].ratio, rows[i].ratio};
        const EffectAnnotation sides[] = {
            {.name = "Width", .type = {EFFECT_FLOAT, 1, 1}, .values = &rows[i].width},
            {.name = "Height", .type = {EFFECT_FLOAT, 1, 1}, .values = &rows[i].height}};
        const EffectAnnotation part = {
            .name = "ViewportRatio", .type = {EFFECT_FLOAT, 1, 2}, .values = ratio};
        const EffectParameter target = {.name = "Map",
                                        .annotations = rows[i].ratio > 0 ? &part : sides,
                                        .annotation_count = rows[i].ratio > 0 ? 1 : 2};
        FxTargetSpec spec = {0};
        Diag diag = diag_quiet();
        if (fx_target_spec(&spec, &target, WIDTH, HEIGHT, "a.fx", &diag) !=
                (rows[i].expected[0] > 0) ||
            spec.width != rows[i].expected[0] || spec.height != rows[i].expected[1])
            fail_msg("row %zu: %d x %d", i, spec.width, spec.height);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matrices),
        cmocka_unit_test(test_colors),
        cmocka_unit_test(test_controls),
        cmocka_unit_test(test_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
