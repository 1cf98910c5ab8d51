// SPDX-License-Identifier: MIT
#include "render_fixture.h"

#include <assert.h>
#include <string.h>

enum { SIDE = 64 };

SceneModel *render_fixture_add(RenderFixture *fixture, PmxModel pmx, const Image **textures)
{
    assert(fixture->scene.model_count < RENDER_FIXTURE_MODELS);
    const size_t i = fixture->scene.model_count++;

    fixture->models[i] = (Model){.file = "fixture.pmx", .pmx = pmx, .textures = textures};
    fixture->entries[i] =
        (SceneModel){.model = &fixture->models[i],
                     .id = "fixture",
                     .placement = PLACEMENT_NONE,
                     .attach_model = -1,
                     .attach_bone = -1,
                     .spec = {MODEL_DEFAULT},
                     .hidden = arena_array(fixture->arena, bool, pmx.material_count)};
    fixture->scene.models = fixture->entries;
    return &fixture->entries[i];
}

static MaterialState material_at_rest(const PmxMaterial *m)
{
    MaterialState s = {.specular_power = m->specular_power, .edge_size = m->edge_size};

    memcpy(s.diffuse, m->diffuse, sizeof s.diffuse);
    memcpy(s.specular, m->specular, sizeof s.specular);
    memcpy(s.ambient, m->ambient, sizeof s.ambient);
    memcpy(s.edge_color, m->edge_color, sizeof s.edge_color);
    for (int i = 0; i < 4; i++)
        s.texture_mul[i] = s.sphere_mul[i] = s.toon_mul[i] = 1.0f;
    return s;
}

FrameState *render_fixture_rest(RenderFixture *fixture)
{
    FrameState *state = frame_state_create(&fixture->scene, fixture->arena);

    state->camera = CAMERA_DEFAULT;
    state->light = LIGHT_DEFAULT;
    state->shadow = SHADOW_DEFAULT;
    for (size_t m = 0; m < fixture->scene.model_count; m++) {
        const PmxModel *pmx = &fixture->models[m].pmx;
        ModelState *model = &state->models[m];

        model->visible = true;
        model->placement = fixture->entries[m].placement;
        for (uint32_t i = 0; i < pmx->bone_count; i++) {
            memcpy(model->bones[i].position, pmx->bones[i].position, sizeof(float[3]));
            memcpy(model->bones[i].rotation, (float[4]){0, 0, 0, 1}, sizeof(float[4]));
        }
        for (uint32_t i = 0; i < pmx->material_count; i++)
            model->materials[i] = material_at_rest(&pmx->materials[i]);
    }
    fixture->state = state;
    return state;
}

Image *render_fixture_quarters(Arena *arena, const uint8_t colors[4][4])
{
    Image *image = arena_array(arena, Image, 1);

    *image = (Image){SIDE, SIDE, false, arena_array(arena, uint8_t, SIDE * SIDE * 4)};
    for (int i = 0; i < SIDE * SIDE; i++) {
        const uint8_t *color = colors[(i / SIDE >= SIDE / 2 ? 2 : 0) + (i % SIDE >= SIDE / 2)];

        memcpy(image->pixels + 4 * i, color, 4);
        image->has_alpha |= color[3] < 255;
    }
    return image;
}

Image *render_fixture_flat(Arena *arena, const uint8_t rgba[4])
{
    uint8_t colors[4][4];

    for (int i = 0; i < 4; i++)
        memcpy(colors[i], rgba, 4);
    return render_fixture_quarters(arena, (const uint8_t(*)[4])colors);
}
