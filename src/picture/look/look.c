// SPDX-License-Identifier: MIT
#include "picture/look/look.h"

#include <string.h>

#include "picture/look/defocus.h"
#include "picture/look/diffusion.h"
#include "picture/look/glow.h"
#include "picture/look/grade.h"
#include "picture/look/ssao.h"

/* The effects, in the order in which they change an image. */
static const struct {
    const LookEffect *effect;
    size_t options, size; /* offset of their pointer in LookOptions, and their size */
} EFFECTS[] = {
    {&SSAO_EFFECT, offsetof(LookOptions, ssao), sizeof(SsaoOptions)},
    {&DEFOCUS_EFFECT, offsetof(LookOptions, defocus), sizeof(FocusOptions)},
    {&GLOW_EFFECT, offsetof(LookOptions, glow), sizeof(GlowOptions)},
    {&DIFFUSION_EFFECT, offsetof(LookOptions, diffusion), sizeof(DiffusionOptions)},
    {&GRADE_EFFECT, offsetof(LookOptions, grade), sizeof(GradeOptions)},
};
enum { EFFECT_COUNT = sizeof EFFECTS / sizeof *EFFECTS };

struct Look {
    void *effects[EFFECT_COUNT]; /* NULL: the look does not have it */
    LookSetup setup;
    unsigned wanted;        /* GEOMETRY_* bits */
    GeometryImage geometry; /* holds the wanted values */
    float *distances;       /* NULL: not wanted */
};

/* NULL: the look does not have the effect. */
static const void *options_of(const LookOptions *options, int effect)
{
    const void *found;

    memcpy(&found, (const char *)options + EFFECTS[effect].options, sizeof found);
    return found;
}

bool look_load(LookOptions *options, const Scene *scene, Arena *arena, Diag *diag)
{
    for (int i = 0; i < EFFECT_COUNT; i++) {
        const LookEffect *effect = EFFECTS[i].effect;
        const void *given = options_of(options, i);

        if (given == NULL || effect->load == NULL)
            continue;
        void *found = arena_copy(arena, given, EFFECTS[i].size);
        memcpy((char *)options + EFFECTS[i].options, &found, sizeof found);
        if (!effect->load(found, scene, arena, diag))
            return false;
    }
    return true;
}

unsigned look_pixel_bytes(const LookOptions *options)
{
    unsigned bytes = 0;

    for (int i = 0; i < EFFECT_COUNT; i++)
        bytes += options_of(options, i) != NULL ? EFFECTS[i].effect->pixel_bytes : 0;
    return bytes;
}

Look *look_create(const LookOptions *options, int width, int height, Arena *arena)
{
    Look *look = arena_array(arena, Look, 1);
    LookSetup *setup = &look->setup;
    const size_t pixels = (size_t)width * (size_t)height;

    *setup = (LookSetup){.width = width, .height = height};
    for (int i = 0; i < EFFECT_COUNT; i++) {
        const LookEffect *effect = EFFECTS[i].effect;

        if (options_of(options, i) == NULL)
            continue;
        if (effect->light && setup->light == NULL)
            setup->light = light_tables_create(arena);
        look->effects[i] = effect->create(options_of(options, i), setup, arena);
        look->wanted |= effect->geometry;
        if (effect->distances && look->distances == NULL)
            look->distances = arena_array(arena, float, pixels);
    }
    if (look->wanted & GEOMETRY_DEPTH)
        look->geometry.depth = arena_array(arena, float, pixels);
    if (look->wanted & GEOMETRY_ID)
        look->geometry.ids = arena_array(arena, uint32_t, pixels);
    if (look->wanted & GEOMETRY_NORMAL)
        look->geometry.normals = arena_calloc(arena, pixels, sizeof *look->geometry.normals);
    return look;
}

void look_begin(Look *look)
{
    const size_t columns = (size_t)(look->setup.width + 1) / 2;

    if (look->setup.emission != NULL)
        memset(look->setup.emission, 0,
               columns * ((size_t)(look->setup.height + 1) / 2) * sizeof *look->setup.emission);
}

static void change(Image *image, Look *look, bool each_image, const LookFrame *frame)
{
    for (int i = 0; i < EFFECT_COUNT; i++)
        if (look->effects[i] != NULL && EFFECTS[i].effect->each_image == each_image)
            EFFECTS[i].effect->apply(image, look->effects[i], frame);
}

bool look_change_image(Image *image, Look *look, Renderer *renderer, const FrameState *state,
                       int index, int count, Diag *diag)
{
    if (look->setup.emission != NULL &&
        !render_emission(look->setup.emission, 1.0f / (float)count, renderer, diag))
        return false;
    if (look->wanted != 0 && !render_geometry(&look->geometry, renderer, look->wanted, diag))
        return false;
    if (look->distances != NULL && !state->camera.orthographic &&
        !render_distances(look->distances, renderer, diag))
        return false;
    change(image, look, true,
           &(LookFrame){.index = index,
                        .state = state,
                        .view = view_of(&state->camera, &state->light, image->width, image->height),
                        .geometry = &look->geometry,
                        .distances = look->distances});
    return true;
}

void look_change_frame(Image *image, Look *look, int64_t number)
{
    change(image, look, false, &(LookFrame){.number = number});
}
