#include "run/pipeline/frame_look.h"

#include "film/film.h"
#include "film/sub_frames.h"
#include "render/geometry_image.h"
#include "render/lens.h"
#include "render/look/defocus.h"

struct FrameLook {
    const Film *film;
    GeometryImage geometry; /* pointers are NULL if no effect needs it */
    bool *darkens;          /* by the ids of `geometry`; NULL without ambient occlusion */
    Ssao *ssao;             /* or NULL, as the following */
    Defocus *defocus;
    Glow *glow;
    Diffusion *diffusion;
    Grade *grade;
};

/* ---- set-up ---- */

/* Surfaces that receive shadows; ids count the materials of all models from 1. */
static bool *find_receivers(const Scene *scene, Arena *arena)
{
    size_t count = 1, id = 1;
    for (size_t i = 0; i < scene->model_count; i++)
        count += scene->models[i].model->pmx.material_count;
    bool *receives = arena_array(arena, bool, count);
    for (size_t i = 0; i < scene->model_count; i++) {
        const PmxModel *pmx = &scene->models[i].model->pmx;
        for (uint32_t k = 0; k < pmx->material_count; k++)
            receives[id++] = pmx->materials[k].flags & PMX_RECEIVE_SHADOW;
    }
    return receives;
}

static void create_geometry(FrameLook *l, size_t pixels, Arena *arena)
{
    if (!l->ssao && !l->defocus)
        return;
    l->geometry.depth = arena_array(arena, float, pixels);
    if (!l->ssao)
        return;
    l->geometry.ids = arena_array(arena, uint32_t, pixels);
    l->geometry.normals = arena_calloc(arena, pixels, sizeof *l->geometry.normals);
    l->darkens = find_receivers(&l->film->scene, arena);
}

FrameLook *frame_look_create(const Film *film, Arena *arena)
{
    FrameLook *l = arena_array(arena, FrameLook, 1);
    const FilmLook *look = film->look;
    const int width = film->render.width, height = film->render.height;
    const bool defocus = look->focus.aperture > 0 && !film->job->look.accumulate;
    const LightTables *light = defocus || look->has_grade ? light_tables_create(arena) : NULL;

    l->film = film;
    if (look->has_ssao)
        l->ssao = ssao_create(&look->ssao, width, height, arena);
    if (defocus)
        l->defocus = defocus_create(width, height, light, arena);
    if (look->has_glow)
        l->glow = glow_create(&look->glow, width, height, arena);
    if (look->has_diffusion)
        l->diffusion = diffusion_create(&look->diffusion, width, height, arena);
    if (look->has_grade)
        l->grade = grade_create(&look->grade, light, arena);
    create_geometry(l, (size_t)width * (size_t)height, arena);
    return l;
}

/* ---- an image ---- */

float frame_look_focus(const FocusOptions *focus, const FrameState *state)
{
    return focus->distance > 0 ? focus->distance : lens_focus(state, focus->model, focus->bone);
}

static void apply_ssao(Image *image, FrameLook *l, const FrameState *state)
{
    const View view = view_of(&state->camera, &state->light, image->width, image->height);
    const SsaoScene scene = {
        .depth = l->geometry.depth,
        .normals = (const uint8_t(*)[4])l->geometry.normals,
        .ids = l->geometry.ids,
        .darkens = l->darkens,
        .half_extent = {view.half_extent[0], view.half_extent[1]},
        .orthographic = state->camera.orthographic,
    };
    ssao_apply(image, l->ssao, &scene);
}

/* A parallel view has no depth of field. */
static void apply_defocus(Image *image, FrameLook *l, const FrameState *state)
{
    const View view = view_of(&state->camera, &state->light, image->width, image->height);
    const FocusOptions *focus = &l->film->look->focus;
    const DefocusLens lens = {.focus = frame_look_focus(focus, state),
                              .scale = focus->aperture / 2 / view.pixel_size};
    if (!state->camera.orthographic)
        defocus_apply(image, l->defocus, l->geometry.depth, &lens);
}

void frame_look_begin(FrameLook *look)
{
    if (look->glow)
        glow_clear(look->glow);
}

bool frame_look_image(Image *image, FrameLook *look, Renderer *renderer, const FrameState *state,
                      int count, Diag *diag)
{
    const unsigned wanted =
        look->ssao ? GEOMETRY_DEPTH | GEOMETRY_ID | GEOMETRY_NORMAL : GEOMETRY_DEPTH;

    if (look->glow &&
        !render_emission(glow_emission(look->glow), 1.0f / (float)count, renderer, diag))
        return false;
    if (look->geometry.depth && !render_geometry(&look->geometry, renderer, wanted, diag))
        return false;
    if (look->ssao)
        apply_ssao(image, look, state);
    if (look->defocus)
        apply_defocus(image, look, state);
    return true;
}

void frame_look_finish(Image *image, FrameLook *look, int64_t frame)
{
    if (look->glow)
        glow_add(image, look->glow);
    if (look->diffusion)
        diffusion_apply(image, look->diffusion);
    if (look->grade)
        grade_apply(image, look->grade, frame);
}
