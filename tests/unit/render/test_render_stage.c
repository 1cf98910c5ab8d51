// SPDX-License-Identifier: MIT
/* What a renderer keeps from frame to frame (shapes, the picture of the stage, a whole frame)
 * changes no pixel and no distance: every frame of a sequence equals the same frame drawn after one
 * in which all differs. */

#include <math.h>
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
    for (uint32_t i = 0; i < m.vertex_count; i++)
        m.vertices[i].edge_scale = 1;
    SceneModel *entry = render_fixture_add(&set->fixture, m, NULL);
    entry->spec.stage = stage;
    return entry;
}

/* ---- a stage of which parts move ---- */

/* Besides the flags of a material.  PANELS: the wall is the model below.  SOLID: its glass is
 * opaque.  BARE: it has none.  LINES << n: its material n has an outline. */
enum { PANELS = 0x200, SOLID = 0x400, BARE = 0x800, LINES = 0x1000 };
enum { FRAME, BACK, LAMP, GLASS, PANEL_MATERIALS };

/* A square at (x, y, z) that follows a bone.  away: it shows its back to -z, as what has an outline
 * must. */
static void add_square(PmxModel *m, float x, float y, float z, float half, int32_t bone, bool away)
{
    static const uint32_t corners[] = {0, 1, 2, 2, 1, 3}, reversed[] = {0, 2, 1, 2, 3, 1};

    for (uint32_t i = 0; i < 6; i++)
        m->indices[m->index_count++] = m->vertex_count + (away ? reversed : corners)[i];
    for (uint32_t i = 0; i < 4; i++) {
        const float right = i % 2 ? 1 : -1, up = i / 2 ? -1 : 1;
        PmxVertex *vertex = &m->vertices[m->vertex_count++];

        *vertex = fixture_vertex(x + half * right, y + half * up, z, bone);
        memcpy(vertex->normal, ((float[3]){0.6f * right, 0.6f * up, -0.529f}),
               sizeof vertex->normal); /* outlines are around it */
        vertex->edge_scale = 1;
    }
}

/* A frame, a back of four squares that also has one which follows the bone 1, as the lamp before it
 * does, and a pane of glass; frame and glass are before a part of both.  Facing -z; a morph moves a
 * corner of the lamp. */
static PmxModel panels(Arena *arena, unsigned flags)
{
    static const char *const names[] = {"frame", "back", "lamp", "glass"};
    PmxModel m = fixture_empty();
    PmxVertexOffset offset = {24, {0.3f, 0.2f, 0}};
    PmxMorph morph = {.name = "corner", .name_en = "", .type = PMX_MORPH_VERTEX, .count = 1};

    m.version = 2;
    m.name = "panels";
    m.bones = arena_array(arena, PmxBone, 2);
    m.bone_count = 2;
    m.bones[0] = fixture_bone("all", PMX_NONE, 0, 0, 0);
    m.bones[1] = fixture_bone("turn", 0, 0.2f, 0.1f, 0);
    m.vertices = arena_array(arena, PmxVertex, 32);
    m.indices = arena_array(arena, uint32_t, 48);
    m.materials = arena_array(arena, PmxMaterial, PANEL_MATERIALS);
    m.material_count = PANEL_MATERIALS;
    add_square(&m, 0.45f, -0.15f, -0.5f, 0.2f, 0, true);
    for (int i = 0; i < 4; i++)
        add_square(&m, i % 2 ? 0.5f : -0.5f, i / 2 ? -0.5f : 0.5f, 0, 0.5f, 0, true);
    add_square(&m, -0.2f, 0.3f, -0.25f, 0.2f, 1, true);
    add_square(&m, 0.2f, 0.1f, -0.25f, 0.25f, 1, true);
    add_square(&m, 0.3f, 0.3f, -0.5f, 0.3f, 0, true);
    for (uint32_t i = 0, first = 0; i < PANEL_MATERIALS; i++) {
        const uint32_t count = i == BACK ? 30 : 6;

        m.materials[i] = fixture_material(names[i], first, count);
        first += count;
        m.materials[i].texture = PMX_NONE;
        m.materials[i].shared_toon = true;
        m.materials[i].toon = 2;
        m.materials[i].flags =
            (uint8_t)((flags & 0xff) | PMX_DOUBLE_SIDED | (flags & (LINES << i) ? PMX_EDGE : 0));
        memset(m.materials[i].ambient, 0, sizeof m.materials[i].ambient);
        m.materials[i].ambient[(i + 2) % 3] = i == FRAME ? 0.5f : 1;
        memset(m.materials[i].diffuse, 0, sizeof m.materials[i].diffuse);
        m.materials[i].diffuse[3] = 1;
        if (i == GLASS ? !(flags & SOLID) : i == LAMP && flags & BLENDED)
            m.materials[i].diffuse[3] = i == GLASS && flags & BARE ? 0 : 0.5f;
        m.materials[i].edge_size = 2;
        m.materials[i].edge_color[3] = 1;
    }
    morph.offsets.vertex = arena_copy(arena, &offset, sizeof offset);
    m.morphs = arena_copy(arena, &morph, sizeof morph);
    m.morph_count = 1;
    return m;
}

/* ---- stages of random squares ---- */

/* Besides the flags of a material: the floor and the wall are models of random squares, of a seed
 * that is in the bits above. */
enum { RANDOM = 0x10000, SEED_SHIFT = 17, SQUARES = 7, STAGE_SEEDS = 30 };

static uint32_t random_below(uint32_t *state, uint32_t limit)
{
    *state = *state * 1664525 + 1013904223;
    return (uint32_t)((uint64_t)*state * limit >> 32);
}

/* Squares before and behind one another, in any order of the file, of which each has its material:
 * opaque, blended or invisible, with or without an outline and self-shadow.  Two of three follow
 * the first bone, the others one of two bones that move. */
static PmxModel random_squares(Arena *arena, uint32_t *random)
{
    PmxModel m = fixture_empty();

    m.version = 2;
    m.name = "squares";
    m.bones = arena_array(arena, PmxBone, 3);
    m.bone_count = 3;
    m.bones[0] = fixture_bone("all", PMX_NONE, 0, 0, 0);
    m.bones[1] = fixture_bone("turn", 0, 0.2f, 0.1f, 0);
    m.bones[2] = fixture_bone("slide", 0, -0.3f, 0, 0);
    m.vertices = arena_array(arena, PmxVertex, 4 * SQUARES);
    m.indices = arena_array(arena, uint32_t, 6 * SQUARES);
    m.materials = arena_array(arena, PmxMaterial, SQUARES);
    m.material_count = SQUARES;
    for (uint32_t i = 0; i < SQUARES; i++) {
        static const float alphas[] = {1, 1, 1, 1, 0.5f, 0};
        const bool back = i == 0 && random_below(random, 2); /* a wall behind the others */
        const float x = back ? 0 : 0.1f * ((float)random_below(random, 13) - 6);
        const float y = back ? 0 : 0.1f * ((float)random_below(random, 13) - 6);
        const float z = back ? 0.5f : 0.125f * ((float)random_below(random, 7) - 3);
        const float half = back ? 1.2f : 0.1f * (float)(1 + random_below(random, 5));
        const uint32_t bone = back ? 0 : random_below(random, 6);
        const uint32_t flags = random_below(random, 256);
        const bool moves = bone >= 4, shaded = !moves || flags < 128;
        PmxMaterial *material = &m.materials[i];

        add_square(&m, x, y, z, half, moves ? (int32_t)bone - 3 : 0, flags & 64);
        *material = fixture_material("square", 6 * i, 6);
        material->texture = PMX_NONE;
        material->shared_toon = true;
        material->toon = 2;
        material->flags = (uint8_t)(PMX_DOUBLE_SIDED | (flags & 3 ? 0 : PMX_EDGE) |
                                    (back || (shaded && !(flags & 12)) ? PMX_RECEIVE_SHADOW : 0) |
                                    (shaded && !(flags & 48) ? PMX_CAST_SHADOW : 0));
        for (int k = 0; k < 3; k++) {
            material->ambient[k] = 0.25f * (float)random_below(random, 5);
            material->diffuse[k] = 0;
        }
        material->diffuse[3] = back ? 1 : alphas[random_below(random, 6)];
        material->edge_size = 2;
        material->edge_color[3] = random_below(random, 2) ? 1 : 0.5f;
    }
    return m;
}

/* A floor without and a wall with self-shadow, and a figure in front of them that casts shadows. */
static void set_up(Set *set, unsigned wall_flags)
{
    *set = (Set){.fixture.arena = arena_create()};
    diag_init(&set->diag, NULL, NULL);
    Arena *arena = set->fixture.arena;
    uint32_t random = wall_flags >> SEED_SHIFT;
    SceneModel *floor =
        wall_flags & RANDOM
            ? render_fixture_add(&set->fixture, random_squares(arena, &random), NULL)
            : add_quad(set, true, 0);
    floor->spec.stage = true;
    floor->placement = wall_flags & RANDOM
                           ? (Placement){{0, 10, 12}, {0, 0, 0, 1}, 12}
                           : (Placement){{0, 0, 0}, {0.7071068f, 0, 0, 0.7071068f}, 14};
    SceneModel *wall = wall_flags & RANDOM
                           ? render_fixture_add(&set->fixture, random_squares(arena, &random), NULL)
                       : wall_flags & PANELS
                           ? render_fixture_add(&set->fixture, panels(arena, wall_flags), NULL)
                           : add_quad(set, true, wall_flags);
    wall->spec.stage = true;
    wall->placement = (Placement){{0, 10, 12}, {0, 0, 0, 1}, 12};
    SceneModel *figure = add_quad(set, false, PMX_CAST_SHADOW | PMX_GROUND_SHADOW);
    figure->placement = (Placement){{0, 8, 0}, {0, 0, 0, 1}, 4};
    if (wall_flags & (PANELS | RANDOM)) /* its shadow is beside it, where the wall moves */
        figure->placement = (Placement){{5, 12, 0}, {0, 0, 0, 1}, 4};
    floor->spec.edge_scale = wall->spec.edge_scale = figure->spec.edge_scale = 1;
    set->other = render_fixture_rest(&set->fixture);
    set->state = render_fixture_rest(&set->fixture);

    set->other->camera = (CameraState){.target = {1, 2, 3}, .distance = -30, .fov_deg = 50};
    for (int i = 0; i < MODELS; i++) {
        set->other->models[i].placement.position[0] += 1.5f;
        set->other->models[i].bones[0].position[1] += 0.5f;
        set->other->models[i].materials[0].ambient[1] = 0.9f;
    }
    set->state->light.direction[2] = 1; /* from the front, so that the wall is lit */
    if (wall_flags & (PANELS | RANDOM))
        set->state->light.direction[1] = -0.5f;
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
    case 't': /* as a clock: the bone turns, and rises a little */
        wall->bones[1].rotation[2] = sinf(0.2f * (float)step);
        wall->bones[1].rotation[3] = cosf(0.2f * (float)step);
        wall->bones[1].position[1] += 0.01f;
        break;
    case 'z':
        /* behind and before the glass, and as far as the back or the glass */
        wall->bones[1].position[2] = 0.25f * (float)(step % 4 - 2);
        break;
    case 'r': /* as 't', of the floor */
        floor->bones[2].position[0] += 0.1f * amount;
        break;
    case 'a':
        wall->materials[LAMP].ambient[0] = 0.25f * (float)(step % 4);
        break;
    case 'g':
        wall->leaf_weights[0] = 0.25f * (float)(step % 5);
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

/* The same for a wall of which parts move: alone, with others, with pauses of less and of more than
 * PART_STILL_FRAMES, and at the same time as what ends keeping. */
static const char MOVING[] =
    "ff-zzz-zzztzttt-ftfttft--t-t-hthttfgg-gtgttaa-atattccttttlltttmtmtttpttttsttttvtttvttt-fff-t"
    "---------------------------------fff-ggg-aattt-wttwtt-yttyttt-zz-zzttt";

static const char TURNING[] = "--ttzfrfrzftfrf-trzf";

static const char *sequence_of(unsigned wall_flags)
{
    return wall_flags & RANDOM ? TURNING : wall_flags & PANELS ? MOVING : SEQUENCE;
}

/* Draws a sequence from the same start; `fresh`: each frame after one in which all differs. */
static Frame *draw_sequence(Set *set, const RenderOptions *options, unsigned wall_flags, bool fresh)
{
    const char *sequence = sequence_of(wall_flags);
    Frame *frames = test_calloc(strlen(sequence) + 1, sizeof *frames);
    set_up(set, wall_flags);
    Renderer *renderer = create(set, options);

    for (int i = 0; sequence[i] != '\0'; i++) {
        change(set->state, sequence[i], i);
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
    const char *sequence = sequence_of(wall_flags);
    Frame *drawn = draw_sequence(&set, options, wall_flags, true);
    Frame *kept = draw_sequence(&set, options, wall_flags, false);

    for (int i = 0; sequence[i] != '\0'; i++) {
        if (memcmp(drawn[i].pixels, kept[i].pixels, sizeof drawn[i].pixels) != 0)
            fail_msg("flags 0x%x, frame %d, after '%c': a kept picture differs from a drawn one",
                     wall_flags, i, sequence[i]);
        if (memcmp(drawn[i].distances, kept[i].distances, sizeof drawn[i].distances) != 0)
            fail_msg("flags 0x%x, frame %d, after '%c': distances of a kept picture differ",
                     wall_flags, i, sequence[i]);
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

/* With outlines, ground shadows, self-shadows of all kinds, and blended parts that move. */
static void test_moving_parts(void **unused)
{
    (void)unused;
    static const unsigned flags[] = {0,
                                     PMX_EDGE,
                                     SOLID,
                                     BLENDED,
                                     SOLID | BLENDED,
                                     BARE | BLENDED,
                                     SOLID | (LINES << FRAME),
                                     SOLID | (LINES << LAMP),
                                     PMX_RECEIVE_SHADOW,
                                     PMX_RECEIVE_SHADOW | PMX_CAST_SHADOW,
                                     SOLID | PMX_RECEIVE_SHADOW};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        RenderOptions options = OPTIONS;

        options.shadow_soft = i % 2 ? 0.4f : 0;
        check_sequence(&options, flags[i] | PANELS);
    }
}

static void test_random_stages(void **unused)
{
    (void)unused;
    for (unsigned seed = 0; seed < STAGE_SEEDS; seed++) {
        RenderOptions options = OPTIONS;

        options.shadow_map = seed % 2 ? 256 : 0;
        options.shadow_soft = seed % 4 == 1 ? 0.4f : 0;
        check_sequence(&options, RANDOM | seed << SEED_SHIFT);
    }
}

/* The row of the image in which a height is seen at a depth: the camera is at (0, 8, -40) and sees
 * 40 degrees. */
static int row_of(float y, float z)
{
    return (int)((0.5f - (y - 8) / (2 * (40 + z) * tanf(20 * 3.14159265f / 180))) * SIDE);
}

/* A lift rises by 6 units.  Where it was is the back behind it. */
static void test_lift(void **unused)
{
    (void)unused;
    enum { FRAMES = 12 };
    const float z = 12 - 0.25f * 12;
    Frame frame;
    Set set;

    set_up(&set, PANELS);
    set.state->models[FIGURE].visible = false;
    Renderer *renderer = create(&set, &OPTIONS);
    const int column = (int)((0.5f + 0.2f * 12 / (2 * (40 + z) * tanf(0.34906585f))) * SIDE);
    for (int i = 0; i <= FRAMES; i++) {
        const float rise = 6 * (float)i / FRAMES;
        /* The lamp is 0.1 * 12 above the middle of the wall, the glass ends 3 right of there. */
        const int now = row_of(10 + 0.1f * 12 - 1.5f + rise, z), low = row_of(10 + 1.2f - 2, z);

        set.state->models[WALL].bones[1].position[1] = 0.1f + rise / 12;
        draw(&set, &frame, renderer, set.state);
        const uint8_t *pixel = &frame.pixels[4 * (now * SIDE + column - 4)];
        assert_true(pixel[0] < 10 && pixel[1] > 245 && pixel[2] < 10);
        pixel = &frame.pixels[4 * (low * SIDE + column - 4)];
        if (rise > 4)
            assert_true(pixel[0] > 245 && pixel[1] < 10 && pixel[2] < 10);
    }
    renderer_destroy(renderer);
    arena_destroy(set.fixture.arena);
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
        cmocka_unit_test(test_moving_parts),
        cmocka_unit_test(test_random_stages),
        cmocka_unit_test(test_lift),
        cmocka_unit_test(test_background),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
