// SPDX-License-Identifier: MIT
#include "render/shadow/shadow_tiles.h"

#include <math.h>
#include <string.h>

#include "render/screen_space.h"
#include "render/shadow/shadow_raster.h"
#include "render/surface.h"

enum { TILE = 8 };   /* samples on each side */
enum { LOOKUP = 4 }; /* texels beside a point that a lookup reaches, with reserve for rounding */
enum { BORDER = 1 }; /* texels of the map's matrix before the first one of its depths */
static const float RESERVE = 4.0f; /* steps of depth, for rounding */
/* The depth behind a caster, times the darkening, at which a surface is lit and dark (8.1). */
static const float LIT = 0.3f, DARK = 1.3f;

/* ---- from the surface to the map ---- */

/* A matrix of columns, in double precision: far points depend on small differences of depth. */
typedef struct Matrix {
    double m[4][4];
} Matrix;

static Matrix multiply(const Matrix *a, const Matrix *b)
{
    Matrix out = {{{0}}};
    for (int column = 0; column < 4; column++)
        for (int row = 0; row < 4; row++)
            for (int k = 0; k < 4; k++)
                out.m[column][row] += a->m[k][row] * b->m[column][k];
    return out;
}

static Matrix from_floats(mat4 from)
{
    Matrix out;
    for (int column = 0; column < 4; column++)
        for (int row = 0; row < 4; row++)
            out.m[column][row] = (double)from[column][row];
    return out;
}

/* By elimination with pivots.  False if it has no inverse. */
static bool invert(Matrix *out, Matrix a)
{
    *out = (Matrix){{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};
    for (int c = 0; c < 4; c++) {
        int pivot = c;
        for (int i = c + 1; i < 4; i++)
            if (fabs(a.m[i][c]) > fabs(a.m[pivot][c]))
                pivot = i;
        if (!(fabs(a.m[pivot][c]) > 0))
            return false;
        for (int k = 0; k < 4; k++) {
            const double x = a.m[c][k], y = out->m[c][k];
            a.m[c][k] = a.m[pivot][k];
            a.m[pivot][k] = x;
            out->m[c][k] = out->m[pivot][k];
            out->m[pivot][k] = y;
        }
        const double scale = 1 / a.m[c][c];
        for (int k = 0; k < 4; k++) {
            a.m[c][k] *= scale;
            out->m[c][k] *= scale;
        }
        for (int i = 0; i < 4; i++) {
            const double factor = i == c ? 0 : a.m[i][c];
            for (int k = 0; k < 4; k++) {
                a.m[i][k] -= factor * a.m[c][k];
                out->m[i][k] -= factor * out->m[c][k];
            }
        }
    }
    return true;
}

/* From samples of the surface and their depths to texels. */
static bool surface_to_map(Matrix *out, const Target *target, const View *view,
                           const ShadowFit *fit)
{
    const int scale = target->spec.scale;
    const double width = target->spec.width * scale, height = target->spec.height * scale;
    const double left = target->window.left * scale, top = target->window.top * scale;
    const Matrix to_clip = {{{2 / width, 0, 0, 0},
                             {0, -2 / height, 0, 0},
                             {0, 0, 1, 0},
                             {2 * left / width - 1, 1 - 2 * top / height, 0, 1}}};
    mat4 clip, map, identity = GLM_MAT4_IDENTITY_INIT;
    memcpy(clip, view->clip, sizeof clip);
    shadow_fit_matrix(map, fit, identity);
    Matrix from_clip;
    if (!invert(&from_clip, from_floats(clip)))
        return false;
    const Matrix from_world = from_floats(map), world = multiply(&from_clip, &to_clip);
    *out = multiply(&from_world, &world);
    return true;
}

typedef struct Bounds {
    double left, top, right, bottom, near, far;
} Bounds;

/* Unlike fmin and fmax, single instructions. */
static double least(double a, double b)
{
    return b < a ? b : a;
}

static double greatest(double a, double b)
{
    return b > a ? b : a;
}

static const Bounds NO_BOUNDS = {HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL, HUGE_VAL, -HUGE_VAL};

static void add_texel(Bounds *bounds, double u, double v, double depth)
{
    bounds->left = least(bounds->left, u);
    bounds->right = greatest(bounds->right, u);
    bounds->top = least(bounds->top, v);
    bounds->bottom = greatest(bounds->bottom, v);
    bounds->near = least(bounds->near, depth);
    bounds->far = greatest(bounds->far, depth);
}

/* A sample of the surface with its depth. */
static void add_sample(Bounds *bounds, const Matrix *matrix, double x, double y, double depth)
{
    const double(*m)[4] = matrix->m;
    const double w = m[0][3] * x + m[1][3] * y + m[2][3] * depth + m[3][3];
    add_texel(bounds, (m[0][0] * x + m[1][0] * y + m[2][0] * depth + m[3][0]) / w,
              (m[0][1] * x + m[1][1] * y + m[2][1] * depth + m[3][1]) / w,
              (m[0][2] * x + m[1][2] * y + m[2][2] * depth + m[3][2]) / w);
}

static int16_t texel_in(double at, int count)
{
    return (int16_t)fmin(fmax(at, 0), count - 1);
}

/* With the texels beside them that a lookup reaches. */
static ShadowTile tile_of(const Bounds *b, const ShadowFit *fit)
{
    const double left = floor(b->left) - BORDER - LOOKUP, right = ceil(b->right) - BORDER + LOOKUP;
    const double top = floor(b->top) - BORDER - LOOKUP, bottom = ceil(b->bottom) - BORDER + LOOKUP;
    if (!(left <= right) || right < 0 || bottom < 0 || left >= fit->width || top >= fit->height)
        return (ShadowTile){.texels = {0, 0, -1, -1}};
    return (ShadowTile){{texel_in(left, fit->width), texel_in(top, fit->height),
                         texel_in(right, fit->width), texel_in(bottom, fit->height)},
                        (float)(fmin(b->near, 1) * (double)SHADOW_FARTHEST) - RESERVE,
                        (float)(fmin(b->far, 1) * (double)SHADOW_FARTHEST) + RESERVE};
}

/* The texels that the samples of a tile look up.  Each sample counts: between a post and the wall
 * behind it there is nothing. */
static ShadowTile find_tile(const float *depths, size_t stride, int x, int y, int width, int height,
                            const Matrix *matrix, const ShadowFit *fit)
{
    Bounds b = NO_BOUNDS;
    for (int row = 0; row < height; row++)
        for (int column = 0; column < width; column++) {
            const float depth = depths[(size_t)row * stride + (size_t)column];
            if (depth > 0)
                add_sample(&b, matrix, x + column + 0.5, y + row + 0.5, (double)depth);
        }
    return tile_of(&b, fit);
}

void shadow_tiles_find(ShadowTiles *tiles, const DrawContext *context, const ShadowFit *fit)
{
    const Target *target = &context->target;
    const GlApi *gl = context->gl;
    const int columns = (target->width + TILE - 1) / TILE,
              rows = (target->height + TILE - 1) / TILE;
    const size_t count = (size_t)columns * (size_t)rows, stride = (size_t)target->width;
    Matrix matrix;
    tiles->columns = columns;
    tiles->rows = surface_to_map(&matrix, target, &context->view, fit) ? rows : 0;
    tiles->face_count = 0;
    if (count > tiles->capacity)
        tiles->tiles = arena_array(context->arena, ShadowTile, tiles->capacity = count);
    if (TILE * stride > tiles->depth_capacity)
        tiles->depths = arena_array(context->arena, float, tiles->depth_capacity = TILE * stride);
    gl->BindFramebuffer(GL_READ_FRAMEBUFFER, target->draw);
    gl->PixelStorei(GL_PACK_ROW_LENGTH, 0);
    for (int row = 0; row < tiles->rows; row++) {
        const int y = row * TILE;
        const int height = target->height - y < TILE ? target->height - y : TILE;
        gl->ReadPixels(0, y, target->width, height, GL_DEPTH_COMPONENT, GL_FLOAT, tiles->depths);
        for (int column = 0; column < columns; column++) {
            const int x = column * TILE;
            const int width = target->width - x < TILE ? target->width - x : TILE;
            tiles->tiles[(size_t)row * (size_t)columns + (size_t)column] =
                find_tile(tiles->depths + x, stride, x, y, width, height, &matrix, fit);
        }
    }
}

/* ---- faces that are not opaque ---- */

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* The pixels of the image that a triangle may cover; all of the window if a corner is not in front
 * of the eye. */
static ImageRect pixels_of(const ScreenSpace *space, const Target *target,
                           const DeformVertex *vertices, const uint32_t corners[3])
{
    const float scale = (float)target->spec.scale;
    const ImageRect window = target->window;
    float left = FLT_MAX, right = -FLT_MAX, top = FLT_MAX, bottom = -FLT_MAX;
    for (int k = 0; k < 3; k++) {
        float clip[4], at[2];
        screen_clip(clip, space, vertices[corners[k]].position);
        if (!(clip[3] > 0.0f) || clip[2] >= clip[3])
            return window;
        screen_place(at, space, clip);
        left = fminf(left, at[0]);
        right = fmaxf(right, at[0]);
        top = fminf(top, at[1]);
        bottom = fmaxf(bottom, at[1]);
    }
    const float width = (float)(window.right - window.left),
                height = (float)(window.bottom - window.top);
    return (ImageRect){window.left + (int)fminf(fmaxf(floorf(left / scale) - 1.0f, 0.0f), width),
                       window.top + (int)fminf(fmaxf(floorf(top / scale) - 1.0f, 0.0f), height),
                       window.left + (int)fminf(fmaxf(ceilf(right / scale) + 1.0f, 0.0f), width),
                       window.top + (int)fminf(fmaxf(ceilf(bottom / scale) + 1.0f, 0.0f), height)};
}

static void add_face(ShadowTiles *tiles, const ShadowTile *tile, ImageRect pixels, Arena *arena)
{
    if (tile->texels.left > tile->texels.right || pixels.left >= pixels.right ||
        pixels.top >= pixels.bottom)
        return;
    if (tiles->face_count == tiles->face_capacity) {
        const size_t capacity = 2 * tiles->face_capacity + 1024;
        ShadowFace *faces = arena_array(arena, ShadowFace, capacity);
        if (tiles->face_count > 0)
            memcpy(faces, tiles->faces, tiles->face_count * sizeof *faces);
        tiles->faces = faces;
        tiles->face_capacity = capacity;
    }
    tiles->faces[tiles->face_count++] =
        (ShadowFace){*tile, (int16_t)pixels.left, (int16_t)pixels.top, (int16_t)pixels.right,
                     (int16_t)pixels.bottom};
}

static void add_material(ShadowTiles *tiles, const DrawContext *context, const ScreenSpace *space,
                         mat4 map, const DeformVertex *vertices, const uint32_t *indices,
                         size_t count, const ShadowFit *fit)
{
    for (size_t i = 0; i + 2 < count; i += 3) {
        Bounds bounds = NO_BOUNDS;
        for (size_t k = i; k < i + 3; k++) {
            const float *p = vertices[indices[k]].position;
            double at[3];
            for (int row = 0; row < 3; row++)
                at[row] = (double)map[0][row] * (double)p[0] + (double)map[1][row] * (double)p[1] +
                          (double)map[2][row] * (double)p[2] + (double)map[3][row];
            add_texel(&bounds, at[0], at[1], at[2]);
        }
        const ShadowTile tile = tile_of(&bounds, fit);
        add_face(tiles, &tile, pixels_of(space, &context->target, vertices, indices + i),
                 context->arena);
    }
}

void shadow_tiles_add_faces(ShadowTiles *tiles, const DrawContext *context, const Actor *actor,
                            const ShadowFit *fit)
{
    const ModelBlock block = view_for_model(&context->view, &actor->state->placement);
    const ScreenSpace space = screen_space(&context->target, (const float(*)[4])block.clip);
    const uint32_t *indices;
    const DeformVertex *vertices;
    mat4 world, map;
    view_placement(world, &actor->state->placement);
    shadow_fit_matrix(map, fit, world);
    const bool mapped = deform_map(&actor->deform, &indices, &vertices);
    for (uint32_t i = 0; mapped && i < actor->mesh->pmx->material_count; i++) {
        const MeshMaterial *mesh = &actor->mesh->materials[i];
        if (actor->receives[i] && !surface_is_opaque(actor, i, &context->view))
            add_material(tiles, context, &space, map, vertices, indices + mesh->first, mesh->count,
                         fit);
    }
    deform_unmap(&actor->deform);
}

/* ---- what changed ---- */

/* The part of the map in which any texel differs. */
static ShadowTexelRect changed_texels(const uint16_t *before, const uint16_t *now, size_t stride,
                                      const ShadowFit *fit)
{
    const int width = fit->width;
    int left = width, right = -1, top = fit->height, bottom = -1;
    for (int y = 0; y < fit->height; y++, before += stride, now += stride) {
        if (memcmp(before, now, (size_t)width * sizeof *now) == 0)
            continue;
        int first = 0, last = width - 1;
        while (before[first] == now[first])
            first++;
        while (before[last] == now[last])
            last--;
        left = first < left ? first : left;
        right = last > right ? last : right;
        top = y < top ? y : top;
        bottom = y;
    }
    return (ShadowTexelRect){(int16_t)left, (int16_t)top, (int16_t)right, (int16_t)bottom};
}

/* Numbers of changed texels in all rectangles from the corner of a part, with a first row and
 * column of 0. */
static void count_changes(ShadowTiles *tiles, const uint16_t *before, const uint16_t *now,
                          size_t stride, ShadowTexelRect part, Arena *arena)
{
    const size_t width = (size_t)(part.right - part.left) + 2;
    const size_t height = (size_t)(part.bottom - part.top) + 2;
    if (width * height > tiles->count_capacity)
        tiles->counts = arena_array(arena, uint32_t, tiles->count_capacity = width * height);
    memset(tiles->counts, 0, width * sizeof *tiles->counts);
    for (size_t y = 1; y < height; y++) {
        const size_t at = ((size_t)part.top + y - 1) * stride + (size_t)part.left;
        uint32_t *row = tiles->counts + y * width, sum = 0;
        row[0] = 0;
        for (size_t x = 1; x < width; x++) {
            sum += before[at + x - 1] != now[at + x - 1];
            row[x] = row[x - width] + sum;
        }
    }
}

/* Two maps of the same size. */
typedef struct Maps {
    const uint16_t *before, *now;
    size_t stride;
    ShadowTexelRect part; /* outside of which they are equal */
    float darkening;      /* for each step of depth */
} Maps;

/* Whether a tile looks up a texel whose change changes its light. */
static bool is_changed(const ShadowTiles *tiles, const Maps *maps, const ShadowTile *tile)
{
    const ShadowTexelRect part = maps->part, own = tile->texels;
    const int left = larger(own.left, part.left), right = smaller(own.right, part.right);
    const int top = larger(own.top, part.top), bottom = smaller(own.bottom, part.bottom);
    if (left > right || top > bottom)
        return false;
    const size_t width = (size_t)(part.right - part.left) + 2;
    const uint32_t *above = tiles->counts + (size_t)(top - part.top) * width;
    const uint32_t *below = tiles->counts + (size_t)(bottom + 1 - part.top) * width;
    const int from = left - part.left, to = right + 1 - part.left;
    if (below[to] - below[from] == above[to] - above[from])
        return false;
    const float lit = tile->far - LIT / maps->darkening;
    const float dark = tile->near - DARK / maps->darkening;
    for (int y = top; y <= bottom; y++)
        for (int x = left; x <= right; x++) {
            const size_t at = (size_t)y * maps->stride + (size_t)x;
            const uint16_t a = maps->before[at], b = maps->now[at];
            if (a != b && (float)smaller(a, b) < lit && (float)larger(a, b) > dark)
                return true;
        }
    return false;
}

ImageRect shadow_tiles_changed(ShadowTiles *tiles, const DrawContext *context,
                               const uint16_t *before, const uint16_t *now, size_t stride,
                               const ShadowFit *fit)
{
    const Target *target = &context->target;
    const int scale = target->spec.scale;
    const ImageRect window = target->window;
    const Maps maps = {before, now, stride, changed_texels(before, now, stride, fit),
                       fit->darkening * (float)fit->range / (float)SHADOW_FARTHEST};
    ImageRect area = {tiles->columns, tiles->rows, 0, 0}; /* in tiles */
    if (maps.part.right < maps.part.left || tiles->rows == 0)
        return tiles->rows == 0 ? window : (ImageRect){0, 0, 0, 0};
    count_changes(tiles, before, now, stride, maps.part, context->arena);
    for (int y = 0; y < tiles->rows; y++)
        for (int x = 0; x < tiles->columns; x++)
            if (is_changed(tiles, &maps,
                           &tiles->tiles[(size_t)y * (size_t)tiles->columns + (size_t)x]))
                area = (ImageRect){smaller(area.left, x), smaller(area.top, y),
                                   larger(area.right, x + 1), larger(area.bottom, y + 1)};
    if (area.left < area.right)
        area = (ImageRect){
            window.left + area.left * TILE / scale, window.top + area.top * TILE / scale,
            smaller(window.left + (area.right * TILE + scale - 1) / scale, window.right),
            smaller(window.top + (area.bottom * TILE + scale - 1) / scale, window.bottom)};
    else
        area = (ImageRect){window.right, window.bottom, 0, 0};
    for (size_t i = 0; i < tiles->face_count; i++) {
        const ShadowFace *face = &tiles->faces[i];
        if (is_changed(tiles, &maps, &face->tile))
            area = (ImageRect){smaller(area.left, face->left), smaller(area.top, face->top),
                               larger(area.right, face->right), larger(area.bottom, face->bottom)};
    }
    return area.left < area.right ? area : (ImageRect){0, 0, 0, 0};
}
