// SPDX-License-Identifier: MIT
#include "picture/look/ssao.h"

#include <math.h>
#include <string.h>

#include "picture/passes/face.h"
#include "picture/passes/keypoints.h"

enum { SAMPLES = 12, TILE = 4, TURNS = TILE * TILE }; /* a rotation of its own for each of a tile */
static const float GOLDEN_ANGLE = 2.3999632f;
static const float MAX_RADIUS = 0.1f;    /* largest radius of the samples, part of the height */
static const float BIAS = 0.02f;         /* part of the radius: keeps flat surfaces unoccluded */
static const float SAME_SURFACE = 0.05f; /* relative difference of depths that is averaged */

typedef struct Point {
    float x, y, z; /* view space: right, up, along the view; z 0: no surface */
} Point;

typedef struct Ssao {
    SsaoOptions options;
    int width, height; /* size of the image */
    int half_width, half_height;
    Point *points;                    /* [half_width * half_height] */
    float *open, *blurred;            /* the same; part of the surroundings that is open, 0..1 */
    float offsets[TURNS][SAMPLES][2]; /* in the unit disk */
} Ssao;

/* Not for a scene of which a model is missing: the film is not drawn. */
static bool load(void *options, const Scene *scene, Arena *arena, Diag *diag)
{
    SsaoOptions *ssao = options;
    size_t loaded = 0;

    (void)diag;
    while (loaded < scene->model_count && scene->models[loaded].model)
        loaded++;
    if (loaded == scene->model_count)
        ssao->darkens = ssao_surfaces_find(ssao, scene, arena);
    return true;
}

static void *create(const void *options, LookSetup *setup, Arena *arena)
{
    Ssao *s = arena_array(arena, Ssao, 1);

    *s = (Ssao){.options = *(const SsaoOptions *)options,
                .width = setup->width,
                .height = setup->height,
                .half_width = (setup->width + 1) / 2,
                .half_height = (setup->height + 1) / 2};
    const size_t count = (size_t)s->half_width * (size_t)s->half_height;
    s->points = arena_array(arena, Point, count);
    s->open = arena_array(arena, float, count);
    s->blurred = arena_array(arena, float, count);
    for (int turn = 0; turn < TURNS; turn++)
        for (int i = 0; i < SAMPLES; i++) {
            const float radius = sqrtf(((float)i + 0.5f) / SAMPLES);
            /* 7 is coprime to 16: neighbouring pixels have different rotations */
            const float first = (float)(turn * 7 % TURNS) / TURNS * 6.2831853f;
            const float angle = first + (float)i * GOLDEN_ANGLE;
            s->offsets[turn][i][0] = radius * cosf(angle);
            s->offsets[turn][i][1] = radius * sinf(angle);
        }
    return s;
}

/* Index of the pixel of the image that stands for a half-size pixel. */
static size_t full_index(const Ssao *s, int x, int y)
{
    return (size_t)(2 * y) * (size_t)s->width + (size_t)(2 * x);
}

static void place_points(Ssao *s, const LookFrame *frame)
{
    Point *p = s->points;

    for (int y = 0; y < s->half_height; y++)
        for (int x = 0; x < s->half_width; x++, p++) {
            const float z = frame->geometry->depth[full_index(s, x, y)];
            const float scale = !frame->view.reversed_depth ? 1.0f : z;
            const float u = (float)(4 * x + 1) / (float)s->width - 1.0f;
            const float v = 1.0f - (float)(4 * y + 1) / (float)s->height;
            *p = (Point){u * frame->view.half_extent[0] * scale,
                         v * frame->view.half_extent[1] * scale, z};
        }
}

static float dot(const float a[3], const float b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* A direction in the surface at a pixel: to the neighbour before or after it, the one that is
 * nearer along the view, so that it does not cross an edge; false if there is none. */
static bool tangent(float out[3], const Ssao *s, int x, int y, int dx, int dy)
{
    const Point *at = &s->points[(size_t)y * (size_t)s->half_width + (size_t)x];
    float nearest = HUGE_VALF;
    bool found = false;

    for (int sign = -1; sign <= 1; sign += 2) {
        const int u = x + sign * dx, v = y + sign * dy;
        if (u < 0 || v < 0 || u >= s->half_width || v >= s->half_height)
            continue;
        const Point *p = &s->points[(size_t)v * (size_t)s->half_width + (size_t)u];
        if (p->z <= 0.0f || fabsf(p->z - at->z) >= nearest)
            continue;
        nearest = fabsf(p->z - at->z);
        found = true;
        out[0] = (float)sign * (p->x - at->x);
        out[1] = (float)sign * (p->y - at->y);
        out[2] = (float)sign * (at->z - p->z);
    }
    return found;
}

/* Normals of the surface: that of shading, and that of the triangle, by the depths around it.
 * Modellers turn the normals of faces and hair, and those of smooth surfaces differ from their
 * triangles: what is above one plane only does not rise from the surface. */
static void find_normals(float out[2][3], const Ssao *s, const LookFrame *frame, int x, int y)
{
    const uint8_t *stored = frame->geometry->normals[full_index(s, x, y)];
    float a[3], b[3];

    for (int c = 0; c < 3; c++)
        out[0][c] = out[1][c] = ((float)stored[c] - 128.0f) / 127.0f;
    if (!tangent(a, s, x, y, 1, 0) || !tangent(b, s, x, y, 0, -1))
        return;
    const float n[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                        a[0] * b[1] - a[1] * b[0]};
    const float length = sqrtf(dot(n, n));
    for (int c = 0; c < 3 && length > 0.0f; c++)
        out[1][c] = n[c] / length;
}

/* Contribution of a sample: how far it rises above the surface, less with distance. */
static float occlusion(const Point *at, const float normals[2][3], const Point *sample,
                       float radius)
{
    const float d[3] = {sample->x - at->x, sample->y - at->y, at->z - sample->z};
    const float square = dot(d, d);
    const float falloff = 1.0f - square / (radius * radius);
    const float height = fminf(dot(d, normals[0]), dot(d, normals[1])) - BIAS * radius;

    if (sample->z <= 0.0f || falloff <= 0.0f || height <= 0.0f)
        return 0.0f;
    return height / sqrtf(square + 1e-12f) * falloff;
}

static float openness(const Ssao *s, const LookFrame *frame, int x, int y)
{
    const Point *at = &s->points[(size_t)y * (size_t)s->half_width + (size_t)x];
    const size_t full = full_index(s, x, y);
    const float extent = frame->view.half_extent[1] * (!frame->view.reversed_depth ? 1.0f : at->z);
    const float radius = s->options.radius;
    const float side = 0.5f * (float)s->half_height;
    const float pixels = fminf(radius / extent, 2.0f * MAX_RADIUS) * side;
    const float(*offsets)[2] = (const float(*)[2])s->offsets[(y % TILE) * TILE + x % TILE];
    float normals[2][3], sum = 0.0f;

    if (at->z <= 0.0f || !s->options.darkens[frame->geometry->ids[full]] || pixels < 0.5f)
        return 1.0f;
    find_normals(normals, s, frame, x, y);
    for (int i = 0; i < SAMPLES; i++) {
        const int u = x + (int)lrintf(offsets[i][0] * pixels);
        const int v = y + (int)lrintf(offsets[i][1] * pixels);
        if (u >= 0 && v >= 0 && u < s->half_width && v < s->half_height)
            sum += occlusion(at, (const float(*)[3])normals,
                             &s->points[(size_t)v * (size_t)s->half_width + (size_t)u], radius);
    }
    return fmaxf(1.0f - 2.0f * sum / SAMPLES, 0.0f);
}

static bool is_same_surface(float a, float b)
{
    return fabsf(a - b) <= SAME_SURFACE * fmaxf(a, b);
}

/* The mean of the 4 x 4 pixels around the upper left corner of one, whose rotations are all
 * different, as far as they lie on the same surface. */
static float blur(const Ssao *s, int x, int y)
{
    const float z = s->points[(size_t)y * (size_t)s->half_width + (size_t)x].z;
    float sum = 0.0f, weight = 0.0f;

    for (int v = y - 2; v < y + 2; v++)
        for (int u = x - 2; u < x + 2; u++) {
            const size_t at = (size_t)v * (size_t)s->half_width + (size_t)u;
            if (u < 0 || v < 0 || u >= s->half_width || v >= s->half_height ||
                !is_same_surface(s->points[at].z, z))
                continue;
            sum += s->open[at];
            weight += 1.0f;
        }
    return weight > 0.0f ? sum / weight : s->open[(size_t)y * (size_t)s->half_width + (size_t)x];
}

/* The mean of the nearest four half-size pixels that lie on the same surface. */
static float enlarge(const Ssao *s, int x, int y, float z)
{
    const int x0 = x / 2, y0 = y / 2;
    float sum = 0.0f, weight = 0.0f;

    for (int j = 0; j < 2; j++)
        for (int i = 0; i < 2; i++) {
            const int u = x0 + i * (x & 1), v = y0 + j * (y & 1);
            const size_t at = (size_t)v * (size_t)s->half_width + (size_t)u;
            if (u >= s->half_width || v >= s->half_height || !is_same_surface(s->points[at].z, z))
                continue;
            sum += s->blurred[at];
            weight += 1.0f;
        }
    return weight > 0.0f ? sum / weight : 1.0f;
}

/* The part of the light of a color, 0..1, that remains where `open` of the surroundings is open:
 * what occludes a bright surface is bright, too, and lights it (Jimenez and others 2016). */
static float remaining(float color, float open)
{
    const float a = 2.0404f * color - 0.3324f, b = -4.7951f * color + 0.6417f;
    const float c = 2.7552f * color + 0.6903f;

    return fmaxf(open, ((open * a + b) * open + c) * open);
}

static void apply(Image *image, void *effect, const LookFrame *frame)
{
    Ssao *s = effect;
    uint8_t *p = image->pixels;

    place_points(s, frame);
    for (int y = 0; y < s->half_height; y++)
        for (int x = 0; x < s->half_width; x++)
            s->open[(size_t)y * (size_t)s->half_width + (size_t)x] = openness(s, frame, x, y);
    for (int y = 0; y < s->half_height; y++)
        for (int x = 0; x < s->half_width; x++)
            s->blurred[(size_t)y * (size_t)s->half_width + (size_t)x] = blur(s, x, y);
    for (int y = 0; y < image->height; y++)
        for (int x = 0; x < image->width; x++, p += 4) {
            const size_t at = (size_t)y * (size_t)image->width + (size_t)x;
            const float z = frame->geometry->depth[at];
            if (z <= 0.0f || !s->options.darkens[frame->geometry->ids[at]])
                continue;
            const float open = enlarge(s, x, y, z);
            for (int c = 0; c < 3 && open < 1.0f; c++) {
                const float lost = 1.0f - remaining((float)p[c] / 255.0f, open);
                p[c] = (uint8_t)((float)p[c] * (1.0f - s->options.strength * lost) + 0.5f);
            }
        }
}

/* Each pixel needs depth, normal and id, and 6 bytes of the pixels of half the size. */
const LookEffect SSAO_EFFECT = {.each_image = true,
                                .geometry = GEOMETRY_DEPTH | GEOMETRY_ID | GEOMETRY_NORMAL,
                                .pixel_bytes = 18,
                                .load = load,
                                .create = create,
                                .apply = apply};

/* ---- surfaces ---- */

enum { PANEL_BROW = 1, PANEL_MOUTH = 3 }; /* of morphs: brows, eyes, mouth */

/* The part of a material's corners that morphs or eyes move, from which on it is a face: a mouth
 * and lids are a tenth of the skin that they are in. */
static const float MOVED_PART = 0.04f;
/* Distance from the middle of the eyes within which parts of the head are of the face, in distances
 * of the eyes: eyes end at 1, hair and ears are farther. */
static const float NEAR = 1.25f;

typedef struct Finder {
    const PmxModel *pmx;
    SkeletonPoint eyes[2];
    int32_t head;    /* bone; -1: none */
    float middle[3]; /* between the eyes */
    float apart;     /* distance of the eyes */
    bool *moved;     /* [vertex_count] by a morph of the face */
} Finder;

static void find_moved(Finder *f)
{
    for (uint32_t m = 0; m < f->pmx->morph_count; m++) {
        const PmxMorph *morph = &f->pmx->morphs[m];
        if (morph->type != PMX_MORPH_VERTEX || morph->panel < PANEL_BROW ||
            morph->panel > PANEL_MOUTH)
            continue;
        for (uint32_t i = 0; i < morph->count; i++)
            f->moved[morph->offsets.vertex[i].vertex] = true;
    }
}

/* Whether a bone is the head or one of an eye, or below one, as those of highlights are. */
static bool is_of_head(const Finder *f, int32_t bone)
{
    while (bone >= 0 && bone != f->head && bone != f->eyes[0].bone && bone != f->eyes[1].bone)
        bone = f->pmx->bones[bone].parent;
    return bone >= 0;
}

static bool is_near(const Finder *f, const float at[3])
{
    float square = 0;

    for (int c = 0; c < 3; c++)
        square += (at[c] - f->middle[c]) * (at[c] - f->middle[c]);
    return square <= NEAR * NEAR * f->apart * f->apart;
}

static bool is_face(const Finder *f, uint32_t first, uint32_t count)
{
    uint32_t moved = 0, near = 0;

    for (uint32_t i = first; i < first + count; i++) {
        const PmxVertex *v = &f->pmx->vertices[f->pmx->indices[i]];
        const int32_t bone = face_main_bone(v);
        if (!is_of_head(f, bone))
            continue;
        moved += f->moved[f->pmx->indices[i]] || bone == f->eyes[0].bone || bone == f->eyes[1].bone;
        near += is_near(f, v->position);
    }
    return count > 0 && (near == count || (float)moved >= MOVED_PART * (float)count);
}

/* Clears what belongs to the face of a model. */
static void spare_face(bool *darkens, const Model *model)
{
    const PmxModel *pmx = &model->pmx;
    Arena *scratch = arena_create();
    Finder f = {.pmx = pmx};

    if (skeleton_find_eyes(f.eyes, model, scratch)) {
        f.head = model_find_bone(model, "頭");
        for (int c = 0; c < 3; c++)
            f.middle[c] = (f.eyes[0].rest[c] + f.eyes[1].rest[c]) / 2;
        f.apart = fabsf(f.eyes[1].rest[0] - f.eyes[0].rest[0]);
        f.moved = arena_array(scratch, bool, pmx->vertex_count);
        find_moved(&f);
        for (uint32_t m = 0, first = 0; m < pmx->material_count; m++) {
            darkens[m] &= !is_face(&f, first, pmx->materials[m].index_count);
            first += pmx->materials[m].index_count;
        }
    }
    arena_destroy(scratch);
}

bool *ssao_surfaces_find(const SsaoOptions *options, const Scene *scene, Arena *arena)
{
    size_t count = 1, id = 1;

    for (size_t i = 0; i < scene->model_count; i++)
        count += scene->models[i].model->pmx.material_count;
    bool *darkens = arena_array(arena, bool, count);
    for (size_t i = 0; i < scene->model_count; i++) {
        const PmxModel *pmx = &scene->models[i].model->pmx;

        for (uint32_t m = 0; m < pmx->material_count; m++) {
            const PmxMaterial *material = &pmx->materials[m];
            darkens[id + m] = material->flags & PMX_RECEIVE_SHADOW;
            for (size_t e = 0; e < options->exclude_count; e++)
                darkens[id + m] &= strcmp(options->exclude[e], material->name) != 0;
        }
        if (!options->faces)
            spare_face(darkens + id, scene->models[i].model);
        id += pmx->material_count;
    }
    return darkens;
}
