// SPDX-License-Identifier: MIT
#include "hall.h"

#include <math.h>

#include "base/file.h"
#include "demo/demo.h"
#include "demo/stage.h"

enum { PICTURE_FLOOR, PICTURE_STONE, PICTURE_VAULT, PICTURE_WINDOW, PICTURE_SHADE, PICTURE_COUNT };

#define FLOOR_Y (-1.5f)
#define HALF_WIDTH 34.0f
#define HALF_LENGTH 66.0f
#define COLUMN_X 22.0f
#define SPRING_Y 22.0f /* where arches and the vault begin */
#define SIDE_Y 34.0f   /* top of the walls above the arches */

enum { COLUMNS = 7, LAMPS = 4 };

static float column_z(float i)
{
    return mix(-60.0f, 60.0f, i / (COLUMNS - 1));
}

/* Things in pairs, left and right: the pair of thing i. */
static float row_of(int i)
{
    const int row = i / 2;
    return (float)row;
}

/* ---- paintings ---- */

/* Veins of marble: bands of a sum of sines, 0..1. */
static float veins(float u, float v)
{
    const float bend = sinf(9.0f * v + 2.0f * sinf(13.0f * u)) + 0.6f * sinf(31.0f * u + 17.0f * v);
    const float wave = sinf(2.0f * GLM_PIf * (2.0f * u + v) + 1.7f * bend);
    return smooth(0.75f, 1.0f, wave);
}

/* Four tiles, light and dark like a chessboard; u and v repeat. */
static vec4s floor_paint(float u, float v)
{
    const bool dark = (u < 0.5f) != (v < 0.5f);
    const vec4s base = paint_color(dark ? 0x8a6f74 : 0xe9dccb);
    return paint_over(base, dark ? 0xc9aea4 : 0xb79f93, 0.55f * veins(u, v));
}

/* Blocks of stone, each of its own grey. */
static vec4s stone_paint(float u, float v)
{
    const float y = v * 8.0f, x = u * 4.0f + 0.5f * fmodf(floorf(y), 2.0f);
    const float joint = fminf(fabsf(y - roundf(y)) * 2.0f, fabsf(x - roundf(x)) * 4.0f);
    const float tone = paint_noise((int)floorf(x) % 4, (int)floorf(y));
    vec4s color = paint_mix(0xe6d8c4, 0xcdbba6, tone);
    return paint_over(color, 0x9d8a7c, 0.7f * (1.0f - smooth(0.03f, 0.09f, joint)));
}

/* A gold star on blue: one field of the vault. */
static vec4s vault_paint(float u, float v)
{
    const float x = 2.0f * u - 1.0f, y = 2.0f * v - 1.0f, r = sqrtf(x * x + y * y);
    const float star = 0.34f + 0.16f * cosf(8.0f * atan2f(y, x));
    vec4s color = paint_mix(0x3c4f9c, 0x27346f, smooth(0.2f, 1.2f, r));
    color = paint_over(color, 0xf2cf73, 1.0f - smooth(star - 0.03f, star + 0.03f, r));
    return paint_over(color, 0xd8b25c,
                      1.0f -
                          paint_band(u, 0.07f, 0.93f, 0.01f) * paint_band(v, 0.07f, 0.93f, 0.01f));
}

/* A rose window: petals of colored glass between tracery. */
static vec4s window_paint(float u, float v)
{
    static const unsigned glass[] = {0x3f78d8, 0xc8434f, 0xe8b84a, 0x4aa27c};
    const float x = 2.0f * u - 1.0f, y = 2.0f * v - 1.0f, r = sqrtf(x * x + y * y);
    const int ring = r < 0.2f ? 0 : r < 0.55f ? 1 : 2, petals = ring == 0 ? 1 : 6 << ring;
    const float turn = (atan2f(y, x) / (2.0f * GLM_PIf) + 0.5f) * (float)petals;
    const float across = ring == 0 ? 0.5f : turn - floorf(turn);
    const float glow = 1.0f - 0.35f * fabsf(2.0f * across - 1.0f);
    vec4s color = paint_mix(0x20202c, glass[((int)turn + ring) % 4], glow);
    const float lead = paint_band(r, 0.19f, 0.22f, 0.01f) + paint_band(r, 0.54f, 0.57f, 0.01f) +
                       (ring == 0 ? 0.0f : 1.0f - paint_band(across, 0.07f, 0.93f, 0.02f));
    color = paint_over(color, 0x3a3238, fminf(lead, 1.0f));
    return paint_over(color, 0xcdbba6, smooth(0.93f, 0.95f, r));
}

/* A toon: from lit stone to a violet shade. */
static vec4s shade_paint(float u, float v)
{
    (void)u;
    return paint_mix(0xffffff, 0x8a7fa6, smooth(0.05f, 0.95f, v));
}

static const Painting PAINTINGS[PICTURE_COUNT] = {
    [PICTURE_FLOOR] = {"hall_floor.png", 256, 256, floor_paint},
    [PICTURE_STONE] = {"hall_stone.png", 256, 256, stone_paint},
    [PICTURE_VAULT] = {"hall_vault.png", 128, 128, vault_paint},
    [PICTURE_WINDOW] = {"hall_window.png", 512, 512, window_paint},
    [PICTURE_SHADE] = {"hall_shade.png", 32, 32, shade_paint},
};

static const Paintings HALL_PAINTINGS = {PAINTINGS, PICTURE_COUNT};

/* ---- geometry ---- */

/* A point of a surface, u and v in 0..1; `at` is a place, whose meaning depends on the surface. */
typedef vec3s Surface(vec3s at, float u, float v);

/* A part of rows x columns points; its textures repeat.  The caller ends the part. */
static void add_surface(Shape *shape, Surface *surface, vec3s at, int rows, int columns,
                        float repeat_u, float repeat_v)
{
    shape_begin(shape);
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++) {
            const float u = (float)c / (float)(columns - 1), v = (float)r / (float)(rows - 1);
            shape_point(shape, surface(at, u, v), u * repeat_u, v * repeat_v, bind_one(0));
        }
    shape_grid(shape, rows, columns);
}

enum { TILES_X = 34, TILES_Z = 66 };

/* Tiles: three points each, of which the first is in the groove. */
static float tile_edge(float t, int tiles, float *depth)
{
    static const float steps[] = {0.0f, 0.04f, 0.96f};
    const int i = (int)lrintf(t * 3.0f * (float)tiles), tile = i / 3;

    *depth = fmaxf(*depth, i % 3 == 0 ? 0.1f : 0.0f);
    return ((float)tile + steps[i % 3]) / (float)tiles;
}

static vec3s floor_point(vec3s at, float u, float v)
{
    float depth = 0.0f;
    const float x = tile_edge(u, TILES_X, &depth), z = tile_edge(v, TILES_Z, &depth);

    (void)at;
    return vec(mix(-HALF_WIDTH, HALF_WIDTH, x), FLOOR_Y - depth, mix(-HALF_LENGTH, HALF_LENGTH, z));
}

/* A column with flutes, on a base and below a capital; at: its foot. */
static vec3s column_point(vec3s at, float u, float v)
{
    const float base = 1.0f - smooth(0.0f, 0.09f, v), top = smooth(0.88f, 1.0f, v);
    const float shaft = paint_band(v, 0.1f, 0.88f, 0.02f);
    const float flute = 0.13f * shaft * fabsf(sinf(10.0f * GLM_PIf * u));
    const float r = 1.75f - 0.25f * v + 0.75f * base + 1.1f * top * top - flute;
    return vec(at.x + r * sinf(2.0f * GLM_PIf * u), mix(FLOOR_Y, SPRING_Y, v),
               at.z + r * cosf(2.0f * GLM_PIf * u));
}

/* The moulding of an arch between two columns; at: the middle of its foot line. */
static vec3s arch_point(vec3s at, float u, float v)
{
    const float tube = 2.0f * GLM_PIf * u, turn = GLM_PIf * v, big = 10.0f;
    const float r = 0.9f + 0.14f * cosf(4.0f * tube);
    const float out = big + r * cosf(tube);
    return vec(at.x + r * sinf(tube), at.y + out * sinf(turn), at.z - out * cosf(turn));
}

/* The wall above the arches of one side: its lower edge follows the arches; at.x: its place. */
static vec3s spandrel_point(vec3s at, float u, float v)
{
    const float z = mix(-60.0f, 60.0f, u), local = fmodf(u * (COLUMNS - 1), 1.0f) * 20.0f - 10.0f;
    const float low = SPRING_Y + sqrtf(fmaxf(100.0f - local * local, 0.0f));
    return vec(at.x, mix(low, SIDE_Y, v), z);
}

/* Recessed fields of the outer walls; at.x: the wall's place. */
static vec3s wall_point(vec3s at, float u, float v)
{
    const float x = fmodf(u * 12.0f, 1.0f), arch = 0.72f - 1.2f * (x - 0.5f) * (x - 0.5f);
    const float field = paint_band(x, 0.18f, 0.82f, 0.05f) * paint_band(v, 0.12f, arch, 0.03f);
    return vec(at.x + copysignf(1.2f * field, at.x), mix(FLOOR_Y, SIDE_Y, v),
               mix(-HALF_LENGTH, HALF_LENGTH, u));
}

/* The coffered vault, and the flat ceilings of the aisles at its sides. */
static vec3s vault_point(vec3s at, float u, float v)
{
    const float angle = GLM_PIf * (1.0f - u), x = fmodf(u * 16.0f, 1.0f),
                z = fmodf(v * 36.0f, 1.0f);
    const float depth = 0.7f * paint_band(x, 0.1f, 0.9f, 0.06f) * paint_band(z, 0.1f, 0.9f, 0.06f);
    const float r = COLUMN_X + depth;
    (void)at;
    return vec(r * cosf(angle), SIDE_Y + 0.55f * r * sinf(angle),
               mix(-HALF_LENGTH, HALF_LENGTH, v));
}

static vec3s aisle_point(vec3s at, float u, float v)
{
    return vec(at.x * mix(COLUMN_X, 36.0f, u), SIDE_Y, mix(-HALF_LENGTH, HALF_LENGTH, v));
}

/* An end wall; at.z: its place.  The window is a disc before it. */
static vec3s end_point(vec3s at, float u, float v)
{
    return vec(mix(-HALF_WIDTH - 2.0f, HALF_WIDTH + 2.0f, u), mix(FLOOR_Y, 48.0f, v), at.z);
}

static vec3s window_point(vec3s at, float u, float v)
{
    const float x = 2.0f * u - 1.0f, y = 1.0f - 2.0f * v, r = fmaxf(fabsf(x), fabsf(y));
    const float length = fmaxf(sqrtf(x * x + y * y), 1e-6f), scale = 13.0f * r / length;
    return vec(at.x + scale * x, at.y + scale * y, at.z + 0.8f * (1.0f - smooth(0.8f, 1.0f, r)));
}

/* Round steps up to the dais of the dancer. */
static vec3s dais_point(vec3s at, float u, float v)
{
    static const float profile[][2] = {{0.0f, 0.0f},   {12.0f, 0.0f},   {14.6f, 0.0f},
                                       {15.0f, -0.1f}, {15.0f, -0.5f},  {16.6f, -0.5f},
                                       {17.0f, -0.6f}, {17.0f, -1.0f},  {18.6f, -1.0f},
                                       {19.0f, -1.1f}, {19.0f, FLOOR_Y}};
    enum { STEPS = sizeof profile / sizeof *profile - 1 };
    const float *p = profile[lrintf(v * STEPS)];
    const float angle = 2.0f * GLM_PIf * u;
    return vec(at.x + p[0] * sinf(angle), p[1] - 0.02f, at.z + p[0] * cosf(angle));
}

/* One link of a chain, a torus; at: its center. */
static vec3s link_point(vec3s at, float u, float v)
{
    const float tube = 2.0f * GLM_PIf * u, turn = 2.0f * GLM_PIf * v,
                r = 0.16f + 0.05f * cosf(tube);
    return vec(at.x + r * sinf(turn), at.y + 1.6f * r * cosf(turn), at.z + 0.05f * sinf(tube));
}

static void add_walls(Shape *shape)
{
    const vec3s inside = vec(0, 10, 0);

    for (int side = -1; side <= 1; side += 2) {
        const float s = (float)side;
        add_surface(shape, wall_point, vec(s * HALF_WIDTH, 0, 0), 33, 241, 24.0f, 6.0f);
        shape_end_wall(shape, inside);
        add_surface(shape, spandrel_point, vec(s * (COLUMN_X - 0.5f), 0, 0), 5, 241, 24.0f, 2.0f);
        shape_end_wall(shape, inside);
        add_surface(shape, end_point, vec(0, 0, s * HALF_LENGTH), 33, 49, 14.0f, 9.0f);
        shape_end_wall(shape, inside);
    }
}

static void add_columns(Shape *shape)
{
    for (int i = 0; i < 2 * COLUMNS; i++) {
        const float x = i % 2 ? COLUMN_X : -COLUMN_X;
        add_surface(shape, column_point, vec(x, 0, column_z(row_of(i))), 41, 49, 4.0f, 6.0f);
        shape_end_closed(shape);
    }
    for (int i = 0; i < 2 * (COLUMNS - 1); i++) {
        const float x = i % 2 ? COLUMN_X : -COLUMN_X;
        add_surface(shape, arch_point, vec(x, SPRING_Y, column_z(0.5f + row_of(i))), 49, 17, 1.0f,
                    8.0f);
        shape_end_closed(shape);
    }
}

/* Two rows of beads below the vault. */
static void add_beads(Shape *shape)
{
    enum { BEADS = 120 };

    for (int i = 0; i < 2 * BEADS; i++)
        shape_ball(shape,
                   vec(i % 2 ? COLUMN_X - 0.6f : 0.6f - COLUMN_X, SIDE_Y - 0.4f,
                       mix(-60.0f, 60.0f, row_of(i) / (BEADS - 1))),
                   vec(0.36f, 0.36f, 0.36f), 12, bind_one(0));
}

static vec3s lamp_position(int i)
{
    return vec(i % 2 ? 13.0f : -13.0f, 17.0f, column_z(1.0f + row_of(i)) + 10.0f);
}

static void add_chains(Shape *shape)
{
    enum { LINKS = 56 };

    for (int i = 0; i < 2 * LAMPS; i++)
        for (int k = 0; k < LINKS; k++) {
            const vec3s at = lamp_position(i);
            add_surface(shape, link_point, vec(at.x, at.y + 1.6f + 0.5f * (float)k, at.z), 11, 6,
                        1.0f, 1.0f);
            shape_end_closed(shape);
        }
}

static void build_mesh(Shape *shape)
{
    const vec3s up = vec(0, 1, 0), zero = vec(0, 0, 0);

    add_surface(shape, vault_point, zero, 145, 97, 16.0f, 36.0f);
    shape_end_wall(shape, vec(0, 10, 0));
    stage_material(shape, "天井", "vault", PICTURE_VAULT, 0xffffff, PICTURE_SHADE);
    add_walls(shape);
    for (int side = -1; side <= 1; side += 2) {
        add_surface(shape, aisle_point, vec((float)side, 0, 0), 25, 5, 4.0f, 24.0f);
        shape_end_sheet(shape, vec(0, -1, 0));
    }
    stage_material(shape, "壁", "walls", PICTURE_STONE, 0xf2e8dc, PICTURE_SHADE);
    add_surface(shape, window_point, vec(0, 26, HALF_LENGTH - 1.0f), 65, 65, 1.0f, 1.0f);
    shape_end_sheet(shape, vec(0, 0, -1));
    stage_material(shape, "窓", "window", PICTURE_WINDOW, 0xffffff, PMX_NONE);
    add_surface(shape, floor_point, zero, 3 * TILES_Z + 1, 3 * TILES_X + 1, 0.5f * TILES_X,
                0.5f * TILES_Z);
    shape_end_sheet(shape, up);
    add_surface(shape, dais_point, zero, 11, 97, 24.0f, 4.0f);
    shape_end_sheet(shape, up);
    stage_material(shape, "床", "floor", PICTURE_FLOOR, 0xffffff, PICTURE_SHADE);
    add_columns(shape);
    stage_material(shape, "柱", "columns", PICTURE_STONE, 0xfff6ea, PICTURE_SHADE);
    add_beads(shape);
    add_chains(shape);
    stage_material(shape, "飾り", "ornament", PMX_NONE, 0xe2b95a, PICTURE_SHADE);
    for (int i = 0; i < 2 * LAMPS; i++)
        shape_ball(shape, lamp_position(i), vec(1.1f, 1.5f, 1.1f), 32, bind_one(0));
    stage_material(shape, "灯", "lamps", PMX_NONE, 0xffe6b4, PMX_NONE);
}

PmxModel hall_make(Arena *arena)
{
    Shape shape = shape_init(arena);

    build_mesh(&shape);
    return stage_model("広間", "hall", &shape, HALL_PAINTINGS);
}

VmdMotion hall_camera_make(Arena *arena)
{
    static const DanceShot shots[] = {
        {0, false, {0, 9.5f, 0}, 47, 2, 0, 0, 40},  {24, false, {0, 9.5f, 0}, 47, 2, 0, 0, 40},
        {24, true, {0, 9, 0}, 36, -8, -38, 0, 40},  {36, false, {0, 9, 0}, 30, 4, 30, 0, 40},
        {36, true, {0, 12, 0}, 18, 6, 16, 0, 40},   {42, false, {0, 11, 0}, 24, 2, -14, 0, 40},
        {48, false, {0, 9.5f, 0}, 47, 2, 0, 0, 40},
    };

    return dance_shots(shots, sizeof shots / sizeof *shots, arena);
}

/* ---- files ---- */

static const char JOB_TEXT[] =
    "# The built-in demo of Odori: all of it was made by the program itself.\n"
    "version: 1\n"
    "name: odori-hall\n"
    "models:\n"
    "  - id: dancer\n"
    "    file: figure.pmx\n"
    "    motions: [dance.vmd]\n"
    "stage:\n"
    "  - { file: hall.pmx }\n"
    "camera: { motion: hall-camera.vmd }\n"
    "audio: { file: tune.wav, fade_out_s: 0.6 }\n"
    "background: { color: \"#7a70c4\" }\n"
    "render: { size: [1280, 720], fps: 30, frames: \"0-719\" }\n"
    "outputs:\n"
    "  - { file: hall.mp4, codec: h264, crf: 18 }\n";

static bool save(const char *directory, const char *name, Bytes bytes, Arena *arena, Diag *diag)
{
    return file_save(arena_printf(arena, "%s/%s", directory, name), bytes.data, bytes.size, diag);
}

bool hall_write(const char *directory, Arena *arena, Diag *diag)
{
    const PmxModel hall = hall_make(arena);
    const VmdMotion camera = hall_camera_make(arena);

    if (!demo_write(directory, NULL, arena, diag) || !demo_write_job(directory, NULL, arena, diag))
        return false;
    for (size_t i = 0; i < HALL_PAINTINGS.count; i++)
        if (!painting_save(&HALL_PAINTINGS.items[i], directory, NULL, arena, diag))
            return false;
    return save(directory, "hall.pmx", pmx_write(&hall, (PmxWriteOptions){0}, arena), arena,
                diag) &&
           save(directory, "hall-camera.vmd", vmd_write(&camera, arena), arena, diag) &&
           save(directory, "hall.yaml", (Bytes){(const uint8_t *)JOB_TEXT, sizeof JOB_TEXT - 1},
                arena, diag);
}
