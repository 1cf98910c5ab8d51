// SPDX-License-Identifier: MIT
#include "picture/look/grade.h"

#include <math.h>
#include <string.h>

#include "base/file.h"

/* ITU-R BT.709 */
static const float LUMA[3] = {0.2126f, 0.7152f, 0.0722f};

typedef struct Grade {
    GradeOptions options;
    const LightTables *light;
    float gains[3];       /* factors of light: exposure and temperature */
    float falloff;        /* the vignette's k in (1 + k r^2)^-2 */
    float curves[3][256]; /* stored value 0..1 after gains and contrast, without a vignette */
} Grade;

static float luma(const float color[3])
{
    return LUMA[0] * color[0] + LUMA[1] * color[1] + LUMA[2] * color[2];
}

/* Light of a stored value times `gain`, as stored value 0..1. */
static float relight(const Grade *g, uint8_t value, float gain)
{
    const float light = fminf((float)g->light->light[value] * gain, (float)LIGHT_ONE);
    return g->light->stored[(int)(light + 0.5f)] / 255.0f;
}

static float apply_contrast(const Grade *g, float value)
{
    return 0.5f + (value - 0.5f) * g->options.contrast;
}

static bool load(void *options, const Scene *scene, Arena *arena, Diag *diag)
{
    GradeOptions *grade = options;
    Bytes bytes;

    (void)scene;
    if (!grade->lut)
        return true;
    Cube *cube = arena_array(arena, Cube, 1);
    Arena *scratch = arena_create();
    diag_file(diag, grade->lut);
    const bool ok = file_load(&bytes, grade->lut, FILE_MAX_SIZE, scratch, diag) &&
                    cube_load(cube, bytes, arena, diag);
    diag_file(diag, NULL);
    arena_destroy(scratch);
    grade->cube = cube;
    return ok;
}

static void *create(const void *options, LookSetup *setup, Arena *arena)
{
    Grade *g = arena_array(arena, Grade, 1);

    g->options = *(const GradeOptions *)options;
    g->light = setup->light;

    /* Red and blue change by half a stop in opposite directions; white keeps its luma. */
    const double step = (double)g->options.temperature / 2;
    const double gains[3] = {exp2(step), 1, exp2(-step)};
    double white = 0;
    for (int c = 0; c < 3; c++)
        white += (double)LUMA[c] * gains[c];
    for (int c = 0; c < 3; c++)
        g->gains[c] = (float)(gains[c] / white * exp2((double)g->options.exposure_ev));

    const bool relit = g->options.exposure_ev != 0 || g->options.temperature != 0;
    if (g->options.vignette > 0)
        g->falloff = 1.0f / sqrtf(1.0f - g->options.vignette) - 1.0f;
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < 256; i++) {
            const float value = relit ? relight(g, (uint8_t)i, g->gains[c]) : (float)i / 255.0f;
            g->curves[c][i] = apply_contrast(g, value);
        }
    return g;
}

/* ---- grain ---- */

/* An integer hash with little bias (C. Wellons, "Prospecting for hash functions", lowbias32). */
static uint32_t mix(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    x ^= x >> 16;
    return x;
}

static uint32_t row_seed(int64_t frame, int y)
{
    const uint32_t folded = (uint32_t)((uint64_t)frame ^ (uint64_t)frame >> 32);
    return mix(mix(folded + 0x9e3779b9u) + (uint32_t)y);
}

/* The sum of four uniform bytes is nearly normal: mean 510, variance 4 (256^2 - 1) / 12. */
static float noise_at(uint32_t seed, int x)
{
    const uint32_t bits = mix(seed ^ (uint32_t)x * 0x9e3779b9u);
    const uint32_t sum = (bits & 255) + (bits >> 8 & 255) + (bits >> 16 & 255) + (bits >> 24);
    return ((float)sum - 510.0f) / 147.8f;
}

float grade_noise(int64_t frame, int x, int y)
{
    return noise_at(row_seed(frame, y), x);
}

/* The same noise for all channels, strongest in mid-tones, as in a negative. */
static void add_grain(float color[3], float strength, uint32_t seed, int x)
{
    const float level = fminf(fmaxf(luma(color), 0.0f), 1.0f);
    const float change = strength * 4.0f * level * (1.0f - level) * noise_at(seed, x);
    for (int c = 0; c < 3; c++)
        color[c] += change;
}

/* ---- an image ---- */

/* All steps that depend on the color alone; vignette: the gain of light at this pixel. */
static void grade_color(float out[3], const Grade *g, const uint8_t pixel[3], float vignette)
{
    const GradeOptions *o = &g->options;

    for (int c = 0; c < 3; c++)
        out[c] = g->falloff > 0 ? apply_contrast(g, relight(g, pixel[c], g->gains[c] * vignette))
                                : g->curves[c][pixel[c]];
    const float grey = luma(out);
    for (int c = 0; c < 3 && o->saturation != 1; c++)
        out[c] = grey + (out[c] - grey) * o->saturation;
    if (!o->cube)
        return;
    float mapped[3];
    lut_eval(mapped, o->cube, out);
    for (int c = 0; c < 3; c++)
        out[c] += (mapped[c] - out[c]) * o->lut_strength;
}

static uint8_t to_byte(float value)
{
    return (uint8_t)(fminf(fmaxf(value, 0.0f), 1.0f) * 255.0f + 0.5f);
}

/* Gain of light at a pixel; 1 in the middle of the image. */
static float vignette_at(const Grade *g, const Image *image, int x, int y)
{
    const float dx = (float)(2 * x + 1 - image->width), dy = (float)(2 * y + 1 - image->height);
    const float width = (float)image->width, height = (float)image->height;
    const float r2 = (dx * dx + dy * dy) / (width * width + height * height);
    const float root = 1.0f / (1.0f + g->falloff * r2);
    return root * root;
}

static void grade_row(Image *image, const Grade *g, int64_t frame, int y)
{
    uint8_t *p = image->pixels + 4 * (size_t)y * (size_t)image->width;
    const uint32_t seed = row_seed(frame, y);
    uint8_t last[3] = {0};
    float color[3], ungrained[3];

    grade_color(ungrained, g, last, 1);
    for (int x = 0; x < image->width; x++, p += 4) {
        if (!p[3])
            continue;
        if (g->falloff > 0 || memcmp(p, last, 3) != 0) { /* flat areas cost little */
            const float vignette = g->falloff > 0 ? vignette_at(g, image, x, y) : 1;
            memcpy(last, p, 3);
            grade_color(ungrained, g, p, vignette);
        }
        memcpy(color, ungrained, sizeof color);
        if (g->options.grain > 0)
            add_grain(color, g->options.grain, seed, x);
        for (int c = 0; c < 3; c++)
            p[c] = to_byte(color[c]);
    }
}

static void apply(Image *image, void *effect, const LookFrame *frame)
{
    for (int y = 0; y < image->height; y++)
        grade_row(image, effect, frame->number, y);
}

const LookEffect GRADE_EFFECT = {.light = true, .load = load, .create = create, .apply = apply};

/* ---- lookup tables ---- */

typedef struct Cell {
    size_t index; /* index of the entry before, at most size - 2 */
    float part;   /* 0..1 of the way to the next one */
} Cell;

static Cell find_cell(const Cube *lut, int channel, float value)
{
    const float low = lut->domain_min[channel], last = (float)(lut->size - 1);
    const float at = (value - low) / (lut->domain_max[channel] - low) * last;
    const float clamped = fminf(fmaxf(at, 0.0f), last); /* NaN becomes 0 */
    const float index = fminf(floorf(clamped), last - 1.0f);
    return (Cell){(size_t)index, clamped - index};
}

static void eval_1d(float out[3], const Cube *lut, const float in[3])
{
    for (int c = 0; c < 3; c++) {
        const Cell cell = find_cell(lut, c, in[c]);
        const float a = lut->entries[cell.index][c], b = lut->entries[cell.index + 1][c];
        out[c] = a + (b - a) * cell.part;
    }
}

/* Walks from the corner of the cell nearest to black to the one nearest to white, along the
 * channels in descending order of their parts. */
static void eval_3d(float out[3], const Cube *lut, const float in[3])
{
    const size_t strides[3] = {1, lut->size, lut->size * lut->size};
    Cell cells[3];
    size_t entry = 0;
    int order[3] = {0, 1, 2};

    for (int c = 0; c < 3; c++) {
        cells[c] = find_cell(lut, c, in[c]);
        entry += cells[c].index * strides[c];
    }
    for (int pass = 0; pass < 3; pass++) { /* 0 1, 1 2, 0 1: sorted */
        const int i = pass & 1, a = order[i], b = order[i + 1];
        if (cells[a].part < cells[b].part) {
            order[i] = b;
            order[i + 1] = a;
        }
    }
    const float *corner = lut->entries[entry];
    for (int c = 0; c < 3; c++)
        out[c] = corner[c];
    for (int step = 0; step < 3; step++) {
        const int channel = order[step];
        entry += strides[channel];
        const float *next = lut->entries[entry];
        for (int c = 0; c < 3; c++)
            out[c] += (next[c] - corner[c]) * cells[channel].part;
        corner = next;
    }
}

void lut_eval(float out[3], const Cube *lut, const float in[3])
{
    if (lut->is_3d)
        eval_3d(out, lut, in);
    else
        eval_1d(out, lut, in);
}
