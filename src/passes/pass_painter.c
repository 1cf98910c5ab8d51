#include "passes/pass_painter.h"

#include "render/geometry_image.h"

struct PassPainter {
    PassSettings settings;
    size_t pixel_count;
    unsigned wanted; /* GEOMETRY_* bits */
    GeometryImage geometry;
    uint32_t *model_labels, *material_labels; /* by id */
};

static uint32_t count_materials(const Scene *scene)
{
    uint32_t count = 0;

    for (size_t i = 0; i < scene->model_count; i++)
        count += scene->models[i].model->pmx.material_count;
    return count;
}

static void make_labels(PassPainter *painter, const Scene *scene, Arena *arena)
{
    const uint32_t count = count_materials(scene);
    uint32_t id = 0;

    painter->model_labels = arena_array(arena, uint32_t, (size_t)count + 1);
    painter->material_labels = arena_array(arena, uint32_t, (size_t)count + 1);
    for (uint32_t m = 0; m < scene->model_count; m++)
        for (uint32_t i = 0; i < scene->models[m].model->pmx.material_count; i++) {
            id++;
            painter->model_labels[id] = m + 1;
            painter->material_labels[id] = id;
        }
}

PassPainter *pass_painter_create(const PassSettings *settings, const Scene *scene,
                                 const Pass *passes, size_t count, int width, int height,
                                 Arena *arena)
{
    PassPainter *painter = arena_array(arena, PassPainter, 1);
    const size_t pixels = (size_t)width * (size_t)height;

    *painter = (PassPainter){.settings = *settings, .pixel_count = pixels};
    for (size_t i = 0; i < count; i++)
        painter->wanted |= pass_geometry(passes[i]);
    if (painter->wanted & GEOMETRY_DEPTH)
        painter->geometry.depth = arena_array(arena, float, pixels);
    if (painter->wanted & GEOMETRY_ID)
        painter->geometry.ids = arena_array(arena, uint32_t, pixels);
    if (painter->wanted & GEOMETRY_NORMAL)
        painter->geometry.normals = arena_calloc(arena, pixels, 4);
    make_labels(painter, scene, arena);
    return painter;
}

bool pass_painter_begin(PassPainter *painter, Renderer *renderer, Diag *diag)
{
    return !painter->wanted || render_geometry(&painter->geometry, renderer, painter->wanted, diag);
}

static void convert(uint8_t *pixels, const PassPainter *painter, Pass pass)
{
    const GeometryImage *g = &painter->geometry;
    const size_t count = painter->pixel_count;

    if (pass == PASS_DEPTH)
        pass_depth_image((uint16_t *)(void *)pixels, g->depth, count, &painter->settings.depth);
    else if (pass == PASS_NORMAL)
        pass_normal_image((uint8_t(*)[4])pixels, (const uint8_t(*)[4])g->normals, count);
    else
        pass_mask_image((uint8_t(*)[4])pixels, g->ids, count,
                        pass == PASS_MASK_MODEL ? painter->model_labels : painter->material_labels);
}

bool pass_painter_paint(Image *image, const PassPainter *painter, Renderer *renderer, Pass pass,
                        Diag *diag)
{
    if (pass == PASS_LINE)
        return render_overlay(image, renderer, RENDER_LINES, diag);
    if (pass == PASS_SHADOW)
        return render_overlay(image, renderer, RENDER_SHADOWS, diag);
    convert(image->pixels, painter, pass);
    return true;
}
