// SPDX-License-Identifier: MIT
/* Post-effects and models that effects draw, with effects written by hand: what is copied is equal,
 * the first row is the top, the last effect is the outermost. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "effect/effect.h"
#include "model_fixture.h"
#include "render/effects/kept.h"
#include "render/renderer.h"
#include "render_fixture.h"
#include "unit_test.h"

enum { WIDTH = 66, HEIGHT = 46, PIXELS = WIDTH * HEIGHT };

static const char VERTEX[] = "layout(location = 0) in vec4 a_position;\n"
                             "layout(location = 8) in vec4 a_uv;\n"
                             "uniform vec4 odori_viewport;\n"
                             "uniform vec2 size;\n"
                             "out vec2 uv;\n"
                             "void main()\n"
                             "{\n"
                             "    uv = a_uv.xy + 0.5 / size;\n"
                             "    vec4 p = a_position;\n"
                             "    p.x += odori_viewport.x * p.w;\n"
                             "    p.y = p.y * odori_viewport.z + odori_viewport.y * p.w;\n"
                             "    p.z += odori_viewport.w * (p.w - 2.0 * p.z);\n"
                             "    gl_Position = p;\n"
                             "}\n";
static const char COPY_TEXT[] = "uniform sampler2D scene;\n"
                                "in vec2 uv;\n"
                                "layout(location = 0) out vec4 color;\n"
                                "void main() { color = texture(scene, uv); }\n";
static const char UV_TEXT[] = "uniform sampler2D scene;\n"
                              "in vec2 uv;\n"
                              "layout(location = 0) out vec4 color;\n"
                              "void main() { color = vec4(uv, 0.0, 1.0); }\n";
static const char HALF_TEXT[] = "uniform sampler2D scene;\n"
                                "in vec2 uv;\n"
                                "layout(location = 0) out vec4 color;\n"
                                "void main() { color = vec4(texture(scene, uv).rgb * 0.5, 1); }\n";
static const char ADD_TEXT[] = "uniform sampler2D scene;\n"
                               "in vec2 uv;\n"
                               "layout(location = 0) out vec4 color;\n"
                               "void main() { color = vec4(texture(scene, uv).rgb + 0.2, 1); }\n";

static const char CUBE_TEXT[] = "uniform samplerCube scene;\n"
                                "in vec2 uv;\n"
                                "layout(location = 0) out vec4 color;\n"
                                "void main()\n"
                                "{\n"
                                "    int face = int(uv.x * 6.0);\n"
                                "    vec3 way = vec3(0.0);\n"
                                "    way[face / 2] = face % 2 == 0 ? 1.0 : -1.0;\n"
                                "    color = texture(scene, way);\n"
                                "}\n";

static const char SCRIPT[] = "RenderColorTarget0=Scene; RenderDepthStencilTarget=Depth;"
                             "ClearSetColor=Nothing; ClearSetDepth=Far; Clear=Color; Clear=Depth;"
                             "ScriptExternal=Color; RenderColorTarget0=; RenderDepthStencilTarget=;"
                             "Pass=Post;";

enum { SIZE, SCENE, DEPTH, NOTHING, FAR_DEPTH, SAMPLER, GLOBAL, PARAMETERS };

/* A post-effect that draws the scene, as its fragment shader changes it. */
static Effect *post_effect(const char *fragment, const char *format, Arena *arena)
{
    static const float zeros[4] = {0}, one = 1;
    Effect *effect = arena_array(arena, Effect, 1);
    EffectParameter *p = arena_array(arena, EffectParameter, PARAMETERS);
    EffectAnnotation *global = arena_array(arena, EffectAnnotation, 2);
    EffectAnnotation *script = arena_array(arena, EffectAnnotation, 1);
    EffectAnnotation *draw = arena_array(arena, EffectAnnotation, 1);
    EffectAnnotation *target = arena_array(arena, EffectAnnotation, 1);
    EffectSampler *sampler = arena_array(arena, EffectSampler, 1);
    EffectUniform *uniforms = arena_array(arena, EffectUniform, 2);
    EffectShader *shaders = arena_array(arena, EffectShader, 2);
    EffectState *states = arena_array(arena, EffectState, 4);
    EffectPass *pass = arena_array(arena, EffectPass, 1);
    EffectTechnique *technique = arena_array(arena, EffectTechnique, 1);
    const EffectType text = {.base = EFFECT_STRING};

    *target = (EffectAnnotation){"Format", text, format, NULL};
    *sampler = (EffectSampler){.texture = SCENE,
                               .register_index = -1,
                               .address_u = EFFECT_CLAMP,
                               .address_v = EFFECT_CLAMP,
                               .address_w = EFFECT_CLAMP,
                               .min_filter = EFFECT_LINEAR,
                               .mag_filter = EFFECT_LINEAR};
    p[SIZE] = (EffectParameter){
        .name = "Size", .semantic = "VIEWPORTPIXELSIZE", .type = {EFFECT_FLOAT, 1, 2, 0, 0}};
    p[SCENE] = (EffectParameter){.name = "Scene",
                                 .semantic = "RENDERCOLORTARGET",
                                 .type = {.base = EFFECT_TEXTURE},
                                 .annotations = target,
                                 .annotation_count = 1};
    p[DEPTH] = (EffectParameter){
        .name = "Depth", .semantic = "RENDERDEPTHSTENCILTARGET", .type = {.base = EFFECT_TEXTURE}};
    p[NOTHING] = (EffectParameter){
        .name = "Nothing", .semantic = "", .type = {EFFECT_FLOAT, 1, 4, 0, 0}, .values = zeros};
    p[FAR_DEPTH] = (EffectParameter){
        .name = "Far", .semantic = "", .type = {EFFECT_FLOAT, 1, 1, 0, 0}, .values = &one};
    p[SAMPLER] = (EffectParameter){
        .name = "Samp", .semantic = "", .type = {.base = EFFECT_SAMPLER}, .sampler = sampler};
    global[0] = (EffectAnnotation){"ScriptClass", text, "scene", NULL};
    global[1] = (EffectAnnotation){"ScriptOrder", text, "postprocess", NULL};
    p[GLOBAL] = (EffectParameter){.name = "Script",
                                  .semantic = "STANDARDSGLOBAL",
                                  .type = {EFFECT_FLOAT, 1, 1, 0, 0},
                                  .annotations = global,
                                  .annotation_count = 2};
    uniforms[0] = (EffectUniform){SIZE, "size", EFFECT_DIMENSION_ANY};
    uniforms[1] = (EffectUniform){SAMPLER, "scene", EFFECT_2D};
    shaders[0] = (EffectShader){
        .entry = "VS", .text = VERTEX, .model = 3, .uniforms = uniforms, .uniform_count = 1};
    shaders[1] = (EffectShader){.entry = "PS",
                                .text = fragment,
                                .model = 3,
                                .color_count = 1,
                                .samplers = uniforms + 1,
                                .sampler_count = 1};
    states[0] = (EffectState){EFFECT_ALPHA_BLEND_ENABLE, 0, -1};
    states[1] = (EffectState){EFFECT_ALPHA_TEST_ENABLE, 0, -1};
    states[2] = (EffectState){EFFECT_Z_ENABLE, 0, -1};
    states[3] = (EffectState){EFFECT_Z_WRITE_ENABLE, 0, -1};
    *script = (EffectAnnotation){"Script", text, SCRIPT, NULL};
    *draw = (EffectAnnotation){"Script", text, "Draw=Buffer;", NULL};
    *pass = (EffectPass){.name = "Post",
                         .annotations = draw,
                         .annotation_count = 1,
                         .states = states,
                         .state_count = 4,
                         .vertex = &shaders[0],
                         .fragment = &shaders[1]};
    *technique = (EffectTechnique){.name = "Main",
                                   .annotations = script,
                                   .annotation_count = 1,
                                   .passes = pass,
                                   .pass_count = 1};
    *effect = (Effect){.name = "post.fx",
                       .parameters = p,
                       .parameter_count = PARAMETERS,
                       .techniques = technique,
                       .technique_count = 1};
    return effect;
}

typedef struct Bench {
    RenderFixture fixture;
    FrameState *state;
    SceneEffect items[RENDER_FIXTURE_MODELS];
    int16_t number[RENDER_FIXTURE_MODELS];
    const int16_t *draws[RENDER_FIXTURE_MODELS];
    double frame;
    uint8_t pixels[PIXELS][4];
    Diag diag;
} Bench;

static Bench *create(void)
{
    static const uint8_t colors[4][4] = {
        {255, 0, 0, 255}, {0, 200, 40, 255}, {10, 20, 255, 255}, {90, 90, 90, 255}};
    Arena *arena = arena_create();
    Bench *b = arena_array(arena, Bench, 1);

    b->fixture.arena = arena;
    diag_init(&b->diag, NULL, NULL);
    const Image **textures = arena_array(arena, const Image *, 1);
    textures[0] = render_fixture_quarters(arena, colors);
    render_fixture_add(&b->fixture, fixture_quad(arena), textures);
    return b;
}

/* An accessory with an effect; its square is far behind the camera. */
static void add_effect(Bench *b, Effect *effect)
{
    const size_t i = b->fixture.scene.model_count;

    render_fixture_add(&b->fixture, fixture_quad(b->fixture.arena),
                       arena_array(b->fixture.arena, const Image *, 1))
        ->placement.position[2] = -1000;
    b->items[i - 1] = (SceneEffect){.file = "post.fx", .effect = effect, .state = EFFECT_RUN};
    b->number[i] = (int16_t)(i - 1);
    b->draws[i] = &b->number[i];
}

/* Adds the effect with a picture in the place of its target. */
static void change_texture(Bench *b, Effect *effect, const char *semantic,
                           EffectDimension dimension, const TextureFile *file)
{
    Arena *arena = b->fixture.arena;
    EffectParameter *p = arena_copy(arena, effect->parameters, effect->parameter_count * sizeof *p);
    EffectTechnique *technique = arena_array(arena, EffectTechnique, 1);
    EffectPass *pass = arena_array(arena, EffectPass, 1);
    EffectShader *shader = arena_array(arena, EffectShader, 1);
    EffectUniform *sampler = arena_array(arena, EffectUniform, 1);
    EffectAnnotation *script = arena_array(arena, EffectAnnotation, 1);
    const TextureFile **pictures = arena_array(arena, const TextureFile *, PARAMETERS);

    p[SCENE].semantic = semantic;
    p[SCENE].type.dimension = dimension;
    effect->parameters = p;
    *script = (EffectAnnotation){"Script", {.base = EFFECT_STRING}, "Pass=Post;", NULL};
    *technique = effect->techniques[0];
    *pass = technique->passes[0];
    *shader = *pass->fragment;
    *sampler = shader->samplers[0];
    sampler->dimension = dimension;
    shader->samplers = sampler;
    pass->fragment = shader;
    technique->passes = pass;
    technique->annotations = script;
    effect->techniques = technique;
    add_effect(b, effect);
    pictures[SCENE] = file;
    b->items[0].pictures = pictures;
}

static void draw(Bench *b, int supersample, bool alpha, bool effects)
{
    const RenderOptions options = {.width = WIDTH,
                                   .height = HEIGHT,
                                   .samples = 1,
                                   .supersample = supersample,
                                   .background = {0.8f, 0.9f, 1, alpha ? 0.0f : 1.0f},
                                   .alpha = alpha,
                                   .frame_s = 1.0 / 60};
    Image image = {.pixels = b->pixels[0]};

    b->state = render_fixture_rest(&b->fixture);
    b->state->frame = b->frame;
    b->state->camera = (CameraState){.rotation = {-0.1f, 0.2f, 0}, .distance = -4, .fov_deg = 40};
    b->fixture.scene.effects = effects ? (SceneEffects){.items = b->items,
                                                        .count = b->fixture.scene.model_count - 1,
                                                        .draws = b->draws}
                                       : (SceneEffects){0};
    Renderer *renderer = renderer_create(&b->fixture.scene, &options, &b->diag);
    assert_non_null(renderer);
    for (int i = 0; i < 2; i++) /* a second frame is equal */
        assert_true(render_frame(&image, renderer, b->state, &b->diag));
    renderer_destroy(renderer);
}

/* The picture without effects, and that of a copy of it. */
static void expect_copy(const char *format, int supersample, bool alpha)
{
    Bench *b = create();
    uint8_t(*plain)[4];
    int different = 0, distinct = 0;

    draw(b, supersample, alpha, false);
    plain = arena_copy(b->fixture.arena, b->pixels, sizeof b->pixels);
    add_effect(b, post_effect(COPY_TEXT, format, b->fixture.arena));
    draw(b, supersample, alpha, true);
    for (int i = 0; i < PIXELS; i++) {
        different += memcmp(plain[i], b->pixels[i], 4) != 0;
        distinct += memcmp(plain[i], plain[0], 4) != 0;
    }
    assert_true(distinct > PIXELS / 8);
    if (different > 0)
        fail_msg("%s, %d samples: %d pixels differ", format, supersample, different);
    arena_destroy(b->fixture.arena);
}

static void test_copy(void **unused)
{
    (void)unused;
    expect_copy("A8R8G8B8", 1, false);
    expect_copy("A8R8G8B8", 2, false);
    expect_copy("X8R8G8B8", 2, false);
    expect_copy("A16B16G16R16F", 2, false);
    expect_copy("A8R8G8B8", 2, true);
}

/* (x + 0.5) / width from the left, (y + 0.5) / height from the top. */
static void test_direction(void **unused)
{
    Bench *b = create();
    (void)unused;

    add_effect(b, post_effect(UV_TEXT, "A8R8G8B8", b->fixture.arena));
    draw(b, 1, false, true);
    for (int i = 0; i < PIXELS; i++) {
        const float x = ((float)(i % WIDTH) + 0.5f) / WIDTH;
        const float y = ((float)(i / WIDTH) + 0.5f) / HEIGHT;
        const uint8_t *p = b->pixels[i];

        if (fabsf((float)p[0] - 255 * x) > 0.51f || fabsf((float)p[1] - 255 * y) > 0.51f ||
            p[2] != 0 || p[3] != 255)
            fail_msg("pixel %d,%d: %d %d %d %d", i % WIDTH, i / WIDTH, p[0], p[1], p[2], p[3]);
    }
    arena_destroy(b->fixture.arena);
}

/* Of background 204, the last accessory is the outermost: (204 / 2) + 51, or (204 + 51) / 2. */
static void test_chain(void **unused)
{
    (void)unused;
    for (int halves_last = 0; halves_last < 2; halves_last++) {
        Bench *b = create();
        Arena *arena = b->fixture.arena;

        add_effect(b, post_effect(halves_last ? ADD_TEXT : HALF_TEXT, "A8R8G8B8", arena));
        add_effect(b, post_effect(halves_last ? HALF_TEXT : ADD_TEXT, "A16B16G16R16F", arena));
        draw(b, 1, false, true);
        const int expected = halves_last ? 128 : 153;
        if (abs(b->pixels[0][0] - expected) > 1)
            fail_msg("%d instead of %d", b->pixels[0][0], expected);
        arena_destroy(arena);
    }
}

/* The six faces of a cube in the order of Direct3D, +x -x +y -y +z -z, from left to right. */
static void test_cube(void **unused)
{
    static const uint8_t faces[6][4] = {{10, 0, 0, 255}, {20, 0, 0, 255}, {0, 30, 0, 255},
                                        {0, 40, 0, 255}, {0, 0, 50, 255}, {0, 0, 60, 255}};
    static const TextureFile file = {.width = 1,
                                     .height = 1,
                                     .faces = 6,
                                     .levels = 1,
                                     .frames = 1,
                                     .format = PIXEL_RGBA8,
                                     .pixels = faces[0]};
    Bench *b = create();
    Effect *effect = post_effect(CUBE_TEXT, "A8R8G8B8", b->fixture.arena);
    (void)unused;

    change_texture(b, effect, "", EFFECT_CUBE, &file);
    draw(b, 1, false, true);
    for (int i = 0; i < 6; i++)
        assert_memory_equal(b->pixels[HEIGHT / 2 * WIDTH + WIDTH * (2 * i + 1) / 12], faces[i], 4);
    arena_destroy(b->fixture.arena);
}

/* An animation shows the frame of the time: frame 45 of the film is at 1.5 s, of 1 s and 2 s. */
static void test_animation(void **unused)
{
    static const uint8_t colors[2][4] = {{10, 20, 30, 255}, {40, 50, 60, 255}};
    static const double ends[2] = {1, 3};
    static const TextureFile file = {.width = 1,
                                     .height = 1,
                                     .faces = 1,
                                     .levels = 1,
                                     .frames = 2,
                                     .format = PIXEL_RGBA8,
                                     .pixels = colors[0],
                                     .frame_ends = ends};
    static const struct {
        double frame;
        int shown;
    } rows[] = {{45, 1}, {0, 0}, {29, 0}, {89, 1}, {100, 0}, {125, 1}};
    (void)unused;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Bench *b = create();
        Effect *effect = post_effect(COPY_TEXT, "A8R8G8B8", b->fixture.arena);

        change_texture(b, effect, "ANIMATEDTEXTURE", EFFECT_2D, &file);
        b->frame = rows[i].frame;
        draw(b, 1, false, true);
        assert_memory_equal(b->pixels[0], colors[rows[i].shown], 4);
        arena_destroy(b->fixture.arena);
    }
}

/* A pass that draws on the target that it reads has what was there before. */
static void test_feedback(void **unused)
{
    Bench *b = create();
    Effect *effect = post_effect(HALF_TEXT, "A8R8G8B8", b->fixture.arena);
    EffectAnnotation *script = arena_array(b->fixture.arena, EffectAnnotation, 1);
    (void)unused;

    *script = (EffectAnnotation){"Script",
                                 {.base = EFFECT_STRING},
                                 "RenderColorTarget0=Scene; Clear=Color; ScriptExternal=Color;"
                                 "Pass=Post; Pass=Post; RenderColorTarget0=; Pass=Post;",
                                 NULL};
    EffectTechnique *technique = arena_array(b->fixture.arena, EffectTechnique, 1);
    *technique = effect->techniques[0];
    technique->annotations = script;
    effect->techniques = technique;
    add_effect(b, effect);
    draw(b, 1, false, true); /* 204 / 8, rounded in each pass */
    assert_true(abs(b->pixels[0][0] - 26) <= 1);
    arena_destroy(b->fixture.arena);
}

/* What a frame would take from the one before: a target that is read before anything is drawn on
 * it. */
static void test_kept(void **unused)
{
    static const struct {
        const char *script, *kept;
    } rows[] = {{SCRIPT, NULL},
                {"RenderColorTarget0=; Pass=Post;", "Scene"},
                {"RenderColorTarget0=Scene; Pass=Post;", "Scene"},
                {"RenderColorTarget0=Scene; Clear=Color; Pass=Post;", NULL},
                {"RenderColorTarget0=Scene; ScriptExternal=Color; Pass=Post;", NULL},
                {"Pass=Post; RenderColorTarget0=Scene; Clear=Color;", "Scene"}};
    (void)unused;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        Effect *effect = post_effect(COPY_TEXT, "A8R8G8B8", arena);
        const EffectAnnotation script = {"Script", {.base = EFFECT_STRING}, rows[i].script, NULL};
        EffectTechnique technique = effect->techniques[0];

        technique.annotations = &script;
        effect->techniques = &technique;
        const char *kept = fx_kept_target(effect, arena);
        if ((kept == NULL) != (rows[i].kept == NULL) ||
            (kept != NULL && strcmp(kept, rows[i].kept) != 0))
            fail_msg("%s: %s", rows[i].script, kept != NULL ? kept : "none");
        arena_destroy(arena);
    }
}

/* The texels of a target are those of the frame before, also where it is drawn on first. */
static void test_kept_texels(void **unused)
{
    static const EffectAnnotation name = {"texturename", {.base = EFFECT_STRING}, "Scene", NULL};
    Arena *arena = arena_create();
    Effect *effect = post_effect(COPY_TEXT, "A8R8G8B8", arena);
    EffectParameter *p = arena_copy(arena, effect->parameters, PARAMETERS * sizeof *p);
    (void)unused;

    assert_null(fx_kept_target(effect, arena));
    p[SIZE].semantic = "TextureValue";
    p[SIZE].type = (EffectType){EFFECT_FLOAT, 1, 4, 2, 0};
    p[SIZE].annotations = &name;
    p[SIZE].annotation_count = 1;
    effect->parameters = p;
    assert_string_equal(fx_kept_target(effect, arena), "Scene");
    arena_destroy(arena);
}

/* More than 256 passes are refused. */
static void test_limit(void **unused)
{
    static const float count = 64;
    Bench *b = create();
    Effect *effect = post_effect(COPY_TEXT, "A8R8G8B8", b->fixture.arena);
    EffectAnnotation *script = arena_array(b->fixture.arena, EffectAnnotation, 1);
    EffectTechnique *technique = arena_array(b->fixture.arena, EffectTechnique, 1);
    EffectParameter *p =
        arena_copy(b->fixture.arena, effect->parameters, effect->parameter_count * sizeof *p);
    const RenderOptions options = {
        .width = WIDTH, .height = HEIGHT, .samples = 1, .supersample = 1, .frame_s = 1.0 / 60};
    Image image = {.pixels = b->pixels[0]};
    (void)unused;

    p[FAR_DEPTH].values = &count;
    effect->parameters = p;
    *script = (EffectAnnotation){"Script",
                                 {.base = EFFECT_STRING},
                                 "LoopByCount=Far; Pass=Post; Pass=Post; Pass=Post; Pass=Post;"
                                 "Pass=Post; LoopEnd=;",
                                 NULL};
    *technique = effect->techniques[0];
    technique->annotations = script;
    effect->techniques = technique;
    add_effect(b, effect);
    b->state = render_fixture_rest(&b->fixture);
    b->fixture.scene.effects = (SceneEffects){.items = b->items, .count = 1, .draws = b->draws};
    Renderer *renderer = renderer_create(&b->fixture.scene, &options, &b->diag);
    assert_non_null(renderer);
    assert_false(render_frame(&image, renderer, b->state, &b->diag));
    renderer_destroy(renderer);
    arena_destroy(b->fixture.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copy),      cmocka_unit_test(test_direction),
        cmocka_unit_test(test_chain),     cmocka_unit_test(test_cube),
        cmocka_unit_test(test_animation), cmocka_unit_test(test_feedback),
        cmocka_unit_test(test_kept),      cmocka_unit_test(test_kept_texels),
        cmocka_unit_test(test_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
