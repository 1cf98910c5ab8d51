// SPDX-License-Identifier: MIT
/* The cameras of a model's pictures: all of the model is in the frame, and rooms are entered. */

#include <math.h>
#include <stdio.h>

#include "film_fixture.h"
#include "inspect/model_sheet/interior.h"
#include "inspect/model_sheet/preview_session.h"
#include "model_fixture.h"
#include "scene_fixture.h"
#include "unit_test.h"

enum { CORNERS = 8, MAX_BOXES = 3 };

typedef struct Corners {
    float low[3], high[3];
} Corners;

/* Sides of a box: bits of a mask. */
enum { LEFT = 1, RIGHT = 2, BELOW = 4, ABOVE = 8, FRONT = 16, BEHIND = 32, ALL = 63 };

/* What a face shows. */
typedef enum Facing { OUTWARD, INWARD, TWO_SIDED } Facing;

typedef struct Shell {
    Corners corners;
    int sides;
    Facing facing;
} Shell;

/* Corner i is at the high end of x, y, z where its bit 0, 1, 2 is set; seen from outside, the
 * corners of each side are clockwise. */
static const uint32_t SIDES[6][4] = {{4, 6, 2, 0}, {1, 3, 7, 5}, {1, 5, 4, 0},
                                     {2, 6, 7, 3}, {0, 2, 3, 1}, {5, 7, 6, 4}};

static void add_side(PmxModel *m, const uint32_t *side, uint32_t first, bool inward)
{
    static const int order[2][6] = {{0, 1, 2, 0, 2, 3}, {0, 2, 1, 0, 3, 2}};
    for (int i = 0; i < 6; i++)
        m->indices[m->index_count++] = first + side[order[inward][i]];
}

static PmxModel model_of(const Shell *shells, Arena *arena)
{
    PmxModel m = fixture_bone_only(arena);
    m.vertices = arena_array(arena, PmxVertex, MAX_BOXES * CORNERS);
    m.indices = arena_array(arena, uint32_t, MAX_BOXES * 36);
    m.materials = arena_array(arena, PmxMaterial, MAX_BOXES);
    for (int s = 0; s < MAX_BOXES && shells[s].sides; s++) {
        const Shell *shell = &shells[s];
        const uint32_t first = m.vertex_count, first_index = m.index_count;
        for (int i = 0; i < CORNERS; i++) {
            const float *at[] = {shell->corners.low, shell->corners.high};
            m.vertices[m.vertex_count++] =
                fixture_vertex(at[i & 1][0], at[i >> 1 & 1][1], at[i >> 2][2], 0);
        }
        for (int side = 0; side < 6; side++)
            if (shell->sides >> side & 1)
                add_side(&m, SIDES[side], first, shell->facing == INWARD);
        PmxMaterial *material = &m.materials[m.material_count++];
        *material = fixture_material("wall", first_index, m.index_count - first_index);
        material->flags = shell->facing == TWO_SIDED ? PMX_DOUBLE_SIDED : 0;
    }
    return m;
}

/* ---- the frame ---- */

/* A point is in the frame if, in the axes of the camera, z > 0, |x| <= kx z and |y| <= ky z. */
static void expect_in_frame(const PmxModel *m, const CameraState *camera, double aspect,
                            const char *what)
{
    const CameraAxes axes = camera_axes(camera);
    const double ky = tan((double)camera->fov_deg * M_PI / 360), kx = ky * aspect;
    double widest = 0;
    for (uint32_t v = 0; v < m->vertex_count; v++) {
        const Vec3 at = vec3_sub(vec3_load(m->vertices[v].position), vec3_load(axes.eye));
        const double x = vec3_dot(at, vec3_load(axes.right)), y = vec3_dot(at, vec3_load(axes.up)),
                     z = vec3_dot(at, vec3_load(axes.forward));
        const double part = fmax(fabs(x) / (kx * z), fabs(y) / (ky * z));
        if (!(z > 0) || part > 1)
            fail_msg("%s: vertex %u at %g, %g, %g of the camera", what, (unsigned)v, x, y, z);
        widest = fmax(widest, part);
    }
    if (widest < 0.7) /* nor is it small */
        fail_msg("%s: it fills %g of the frame", what, widest);
}

/* A box between two pyramids without tips along z: what is nearest is not what is widest. */
static PmxModel wedge(double width, double height, double middle, double nose, Arena *arena)
{
    const float w = (float)width / 2, h = (float)height, z = (float)(middle / 2),
                tip = (float)(middle / 2 + nose);
    const Shell shells[MAX_BOXES] = {{{{-w, 0, -z}, {w, h, z}}, ALL, OUTWARD},
                                     {{{-w / 16, 0, -tip}, {w / 16, h / 16, -z}}, ALL, OUTWARD},
                                     {{{-w / 16, 0, z}, {w / 16, h / 16, tip}}, ALL, OUTWARD}};
    PmxModel m = model_of(shells, arena);
    for (uint32_t i = 0; i < 4; i++) { /* extremes of equal value: the first vertices win */
        const PmxVertex far = m.vertices[4 + i];
        m.vertices[4 + i] = m.vertices[i];
        m.vertices[i] = far;
    }
    return m;
}

static void shows_the_whole_model(void **state)
{
    static const struct {
        double width, height, middle, nose;
    } models[] = {
        {10, 12, 160, 20}, {10, 12, 160, 0.1}, {200, 12, 10, 5},
        {3, 20, 2, 1},     {10, 12, 300, 15},  {60, 60, 200, 80},
    };
    static const struct {
        double turn_deg;
        int width, height;
    } views[] = {{0, 380, 1040}, {0, 1040, 1040}, {90, 1040, 1040}, {35, 600, 600}};
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        FilmFixture f;
        PreviewSession session;
        (void)state;
        film_fixture_make(&f);
        const PmxModel m =
            wedge(models[i].width, models[i].height, models[i].middle, models[i].nose, f.arena);
        const Bytes bytes = pmx_write(&m, (PmxWriteOptions){0}, f.arena);
        FILE *out = fopen(film_fixture_path(&f, "wedge.pmx"), "wb");
        assert_non_null(out);
        assert_int_equal(fwrite(bytes.data, 1, bytes.size, out), bytes.size);
        assert_int_equal(fclose(out), 0);
        const Film *film = film_fixture_load(&f, "version: 1\nmodels: [wedge.pmx]\n"
                                                 "outputs: [ out/%d.png ]\n");
        assert_true(preview_session_open(&session, film->job, NULL, NULL, f.arena, &f.log.diag));
        for (size_t k = 0; k < sizeof views / sizeof *views; k++) {
            const PreviewSessionView view = {.shot = SHOT_FULL,
                                             .turn_deg = views[k].turn_deg,
                                             .width = views[k].width,
                                             .height = views[k].height};
            char what[64];
            snprintf(what, sizeof what, "model %zu, view %zu", i, k);
            assert_true(preview_session_set_view(&session, &view, &f.log.diag));
            expect_in_frame(&m, &session.film.scenes[0].scene.camera,
                            (double)view.width / view.height, what);
        }
        film_fixture_remove(&f);
    }
}

/* ---- rooms ---- */

static void expect_inside(const CameraState views[INTERIOR_VIEWS], const Corners *room,
                          const char *what)
{
    const CameraAxes a = camera_axes(&views[0]), b = camera_axes(&views[1]);
    for (int k = 0; k < 3; k++)
        if (a.eye[k] <= room->low[k] || a.eye[k] >= room->high[k] || b.eye[k] <= room->low[k] ||
            b.eye[k] >= room->high[k])
            fail_msg("%s: an eye is out of the room", what);
    if (a.forward[0] * b.forward[0] + a.forward[2] * b.forward[2] >= 0)
        fail_msg("%s: both look to the same side", what);
}

static void enters_closed_rooms(void **state)
{
#define ROOM           \
    {                  \
        {-30, 0, -40}, \
        {              \
            30, 30, 40 \
        }              \
    }
    static const struct {
        const char *what;
        Shell shells[MAX_BOXES];
        bool closed;
    } rows[] = {
        {"two-sided walls", {{ROOM, ALL, TWO_SIDED}}, true},
        {"walls with two faces",
         {{ROOM, ALL, INWARD}, {{{-31, -1, -41}, {31, 31, 41}}, ALL, OUTWARD}},
         true},
        {"a table, and a cupboard in a corner",
         {{ROOM, ALL, TWO_SIDED},
          {{{-9, 0, -6}, {9, 8, 6}}, ALL, TWO_SIDED},
          {{{-30, 0, -40}, {-18, 25, -30}}, ALL, TWO_SIDED}},
         true},
        {"without a ceiling", {{ROOM, ALL & ~ABOVE, TWO_SIDED}}, true},
        {"a corridor", {{{{-8, 0, -200}, {8, 30, 200}}, ALL, TWO_SIDED}}, true},
        {"walls that can be seen through from outside", {{ROOM, ALL, INWARD}}, false},
        {"a solid", {{ROOM, ALL, OUTWARD}}, false},
        {"a solid in a solid",
         {{ROOM, ALL, OUTWARD}, {{{-9, 9, -6}, {9, 20, 6}}, ALL, OUTWARD}},
         false},
        {"floor and two walls", {{ROOM, BELOW | BEHIND | LEFT, TWO_SIDED}}, false},
        {"a floor", {{ROOM, BELOW, TWO_SIDED}}, false},
        {"something small", {{{{-4, 0, -4}, {4, 8, 4}}, ALL, TWO_SIDED}}, false},
        {"a figure with arms spread",
         {{{{-2, 0, -1}, {2, 20, 1}}, ALL, TWO_SIDED},
          {{{-9, 15, -0.6f}, {9, 16, 0.6f}}, ALL, TWO_SIDED},
          {{{-1.4f, 17, -1.4f}, {1.4f, 20, 1.4f}}, ALL, TWO_SIDED}},
         false},
    };
#undef ROOM
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        const Scene *scene =
            fixture_scene(model_of(rows[i].shells, arena), NULL, (Compat){0}, arena);
        CameraState views[INTERIOR_VIEWS];
        if (interior_find(views, &scene->models[0], 16.0 / 9) != rows[i].closed)
            fail_msg("%s: closed is not %d", rows[i].what, rows[i].closed);
        if (rows[i].closed)
            expect_inside(views, &rows[i].shells[0].corners, rows[i].what);
        arena_destroy(arena);
    }
}

/* A cupboard that reaches far into the corner where an eye would be: no eye is in it. */
static void keeps_out_of_furniture(void **state)
{
    static const Shell shells[MAX_BOXES] = {
        {{{-30, 0, -40}, {30, 30, 40}}, ALL, TWO_SIDED},
        {{{-30, 0, -40}, {-15, 28, -20}}, ALL, TWO_SIDED},
        {{{15, 0, 20}, {30, 28, 40}}, ALL, TWO_SIDED},
    };
    Arena *arena = arena_create();
    const Scene *scene = fixture_scene(model_of(shells, arena), NULL, (Compat){0}, arena);
    CameraState views[INTERIOR_VIEWS];
    (void)state;
    assert_true(interior_find(views, &scene->models[0], 16.0 / 9));
    for (int i = 0; i < INTERIOR_VIEWS; i++)
        for (int s = 1; s < MAX_BOXES; s++) {
            const CameraAxes axes = camera_axes(&views[i]);
            const Corners *box = &shells[s].corners;
            bool inside = true;
            for (int k = 0; k < 3; k++)
                inside = inside && axes.eye[k] > box->low[k] && axes.eye[k] < box->high[k];
            assert_false(inside);
        }
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shows_the_whole_model),
        cmocka_unit_test(enters_closed_rooms),
        cmocka_unit_test(keeps_out_of_furniture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
