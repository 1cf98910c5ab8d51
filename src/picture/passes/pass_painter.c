// SPDX-License-Identifier: MIT
#include "picture/passes/pass_painter.h"

#include <assert.h>
#include <string.h>

#include "base/text_stream.h"
#include "picture/passes/contours.h"
#include "picture/passes/keypoint_json.h"
#include "picture/passes/stick_figure.h"
#include "render/geometry_image.h"

struct PassPainter {
    PassSettings settings;
    const Scene *scene;
    PassLabels before;
    int width, height;
    size_t pixel_count;
    unsigned wanted; /* GEOMETRY_* bits */
    GeometryImage geometry;
    ImageRect labelled; /* part of the image of PASS_LABELS */
    Skeleton *skeletons;
    size_t skeleton_count;
    Person *people; /* [skeleton_count], of which person_count are visible in the frame */
    size_t person_count;
    uint32_t *model_labels, *material_labels; /* by id */
    bool *bare;                               /* by id: surfaces whose lines are contours */
    uint8_t *line_mask;                       /* [pixel_count]; NULL: no contours */
    View view;                                /* of the frame */
};

static void make_labels(PassPainter *painter, const Scene *scene, Arena *arena)
{
    uint32_t count = 0, id = 0;

    for (size_t i = 0; i < scene->model_count; i++)
        count += scene->models[i].model->pmx.material_count;
    painter->model_labels = arena_array(arena, uint32_t, (size_t)count + 1);
    painter->material_labels = arena_array(arena, uint32_t, (size_t)count + 1);
    for (uint32_t m = 0; m < scene->model_count; m++)
        for (uint32_t i = 0; i < scene->models[m].model->pmx.material_count; i++) {
            id++;
            painter->model_labels[id] = (uint32_t)painter->before.models + m + 1;
            painter->material_labels[id] = (uint32_t)painter->before.materials + id;
        }
}

/* Whether most of what a model shows at rest, by triangles, has outlines. */
static bool has_outlines(const PmxModel *pmx)
{
    uint64_t outlined = 0, all = 0;

    for (uint32_t i = 0; i < pmx->material_count; i++) {
        const PmxMaterial *m = &pmx->materials[i];
        if (m->diffuse[3] <= 0)
            continue;
        all += m->index_count;
        if (m->flags & PMX_EDGE && m->edge_size > 0)
            outlined += m->index_count;
    }
    return 2 * outlined > all;
}

/* Models without such outlines, which are not scenery, get contours. */
static void find_bare(PassPainter *painter, const Scene *scene, Arena *arena)
{
    size_t count = 1, id = 1;
    bool any = false;

    for (size_t m = 0; m < scene->model_count; m++)
        count += scene->models[m].model->pmx.material_count;
    painter->bare = arena_array(arena, bool, count);
    for (size_t m = 0; m < scene->model_count; m++) {
        const PmxModel *pmx = &scene->models[m].model->pmx;
        const bool is_bare = !scene->models[m].spec.stage && !has_outlines(pmx);
        for (uint32_t i = 0; i < pmx->material_count; i++)
            any |= painter->bare[id++] = is_bare;
    }
    if (!any)
        return;
    painter->line_mask = arena_array(arena, uint8_t, painter->pixel_count);
    painter->wanted |= GEOMETRY_DEPTH | GEOMETRY_ID | GEOMETRY_NORMAL;
}

PassPainter *pass_painter_create(const PassSettings *settings, const Scene *scene,
                                 PassLabels before, const Pass *passes, size_t count, int width,
                                 int height, Arena *arena)
{
    PassPainter *painter = arena_array(arena, PassPainter, 1);
    const size_t pixels = (size_t)width * (size_t)height;

    *painter = (PassPainter){.settings = *settings,
                             .scene = scene,
                             .before = before,
                             .width = width,
                             .height = height,
                             .pixel_count = pixels};
    for (size_t i = 0; i < count; i++) {
        painter->wanted |= pass_geometry(passes[i]);
        if (passes[i] == PASS_LINE)
            find_bare(painter, scene, arena);
    }
    if (painter->wanted & GEOMETRY_DEPTH)
        painter->geometry.depth = arena_array(arena, float, pixels);
    if (painter->wanted & GEOMETRY_ID)
        painter->geometry.ids = arena_array(arena, uint32_t, pixels);
    if (painter->wanted & GEOMETRY_NORMAL)
        painter->geometry.normals = arena_calloc(arena, pixels, 4);
    make_labels(painter, scene, arena);
    painter->skeletons = skeletons_find(&painter->skeleton_count, scene, settings->aliases,
                                        settings->alias_count, arena);
    painter->people = arena_array(arena, Person, painter->skeleton_count);
    return painter;
}

void pass_painter_use(PassPainter *painter, Pass pass, const Image *image)
{
    void *pixels = image->pixels;

    if (pass == PASS_WORLD_NORMAL)
        painter->geometry.world_normals = pixels;
    else if (pass == PASS_MOTION)
        painter->geometry.motion = pixels;
}

bool pass_painter_begin(PassPainter *painter, Renderer *renderer, const FrameState *state,
                        Diag *diag)
{
    if (painter->wanted && !render_geometry(&painter->geometry, renderer, painter->wanted, diag))
        return false;
    painter->view = view_of(&state->camera, &state->light, painter->width, painter->height);
    painter->person_count = 0;
    for (size_t i = 0; i < painter->skeleton_count; i++)
        if (keypoints_project(&painter->people[painter->person_count], &painter->skeletons[i],
                              painter->scene, state, painter->width, painter->height,
                              painter->geometry.depth))
            painter->person_count++;
    return true;
}

size_t pass_text_size(const Scene *scene)
{
    return KEYPOINT_FRAME_SIZE + scene->model_count * KEYPOINT_PERSON_SIZE;
}

/* A number has at most 9 characters and a comma, so that a person has less than 4200. */
static void write_keypoints(uint8_t *text, const PassPainter *painter)
{
    Arena *arena = arena_create();
    TextStream stream;

    keypoint_json_write(text_stream_open(&stream, arena), painter->settings.keypoints,
                        painter->people, painter->person_count, painter->width, painter->height);
    const char *written = text_stream_close(&stream);
    assert(stream.size < pass_text_size(painter->scene));
    memcpy(text, written, stream.size + 1);
    arena_destroy(arena);
}

static void copy_distances(float *out, const PassPainter *painter)
{
    const ImageRect part = painter->geometry.part;
    const size_t width = (size_t)painter->width, columns = (size_t)(part.right - part.left);

    for (int y = part.top; y < part.bottom; y++) {
        const size_t first = (size_t)y * width + (size_t)part.left;

        memcpy(out + first, painter->geometry.depth + first, columns * sizeof *out);
    }
}

/* Labels of the scene to labels of the film. */
static void add_to_labels(void *labels, size_t size, size_t first, size_t count, size_t before)
{
    uint8_t *small = labels;
    uint16_t *large = labels;

    for (size_t i = first; i < first + count; i++)
        if (size == 1 && small[i])
            small[i] = (uint8_t)(small[i] + before);
        else if (size == 2 && large[i])
            large[i] = (uint16_t)(large[i] + before);
}

static bool draw_labels(void *labels, PassPainter *painter, Renderer *renderer, Diag *diag)
{
    const PassSettings *settings = &painter->settings;
    const ImageRect *part = &painter->labelled;
    const size_t samples = (size_t)settings->label_scale * (size_t)settings->label_scale;

    if (!render_labels(labels, &painter->labelled, renderer, settings->label_scale,
                       settings->label_size, diag))
        return false;
    for (int y = part->top; painter->before.materials > 0 && y < part->bottom; y++)
        add_to_labels(labels, settings->label_size,
                      samples * ((size_t)y * (size_t)painter->width + (size_t)part->left),
                      samples * (size_t)(part->right - part->left), painter->before.materials);
    return true;
}

bool pass_painter_paint(Image *image, PassPainter *painter, Renderer *renderer, Pass pass,
                        Diag *diag)
{
    const GeometryImage *g = &painter->geometry;
    const int width = painter->width, height = painter->height;
    uint8_t(*pixels)[4] = (uint8_t(*)[4])image->pixels;

    switch (pass) {
    case PASS_LINE:
        if (!render_overlay(image, renderer, RENDER_LINES, diag))
            return false;
        if (painter->line_mask)
            contours_draw(pixels, painter->line_mask, width, height, g, painter->bare,
                          &painter->view);
        return true;
    case PASS_SHADOW:
        return render_overlay(image, renderer, RENDER_SHADOWS, diag);
    case PASS_LABELS:
        return draw_labels(image->pixels, painter, renderer, diag);
    case PASS_POSE:
        stick_figure_clear(pixels, width, height);
        for (size_t i = 0; i < painter->person_count; i++)
            stick_figure_draw(pixels, width, height, &painter->people[i]);
        return true;
    case PASS_KEYPOINTS:
        write_keypoints(image->pixels, painter);
        return true;
    case PASS_CAMERA:
        *(ImageCamera *)(void *)image->pixels = view_image_camera(&painter->view);
        return true;
    case PASS_DISTANCE:
        copy_distances((float *)(void *)image->pixels, painter);
        return true;
    case PASS_DEPTH:
        pass_depth_image((uint16_t *)(void *)image->pixels, g->depth, painter->pixel_count,
                         &painter->settings.depth);
        return true;
    case PASS_NORMAL:
        pass_normal_image(pixels, (const uint8_t(*)[4])g->normals, painter->pixel_count);
        return true;
    case PASS_MASK_MODEL:
        pass_mask_image(pixels, g->ids, painter->pixel_count, painter->model_labels);
        return true;
    case PASS_MASK_MATERIAL:
        pass_mask_image(pixels, g->ids, painter->pixel_count, painter->material_labels);
        return true;
    case PASS_MODEL_NUMBERS:
        pass_number_image((uint16_t *)(void *)image->pixels, g->ids, painter->pixel_count,
                          painter->model_labels);
        return true;
    case PASS_MATERIAL_NUMBERS:
        pass_number_image((uint16_t *)(void *)image->pixels, g->ids, painter->pixel_count,
                          painter->material_labels);
        return true;
    default:
        return true; /* drawn by pass_painter_begin */
    }
}

ImageRect pass_painter_part(const PassPainter *painter, Pass pass)
{
    if (pass == PASS_LABELS)
        return painter->labelled;
    if (pass == PASS_DISTANCE || pass == PASS_WORLD_NORMAL || pass == PASS_MOTION)
        return painter->geometry.part;
    if (pass_is_text(pass))
        return (ImageRect){0, 0, 0, 0};
    return (ImageRect){0, 0, painter->width, painter->height};
}
