// SPDX-License-Identifier: MIT
#include "convert/export/avatar_toon.h"

#include <math.h>
#include <string.h>

#include "convert/export/gltf_mesh.h"
#include "math/srgb.h"
#include "render/texture/toon.h"

/* Metres: an outline of size 1 at a usual distance, as the reader of VRM files takes it. */
static const double EDGE_WIDTH = 0.03 * 0.08;

typedef struct Ramp {
    const uint8_t *rows; /* RGBA; NULL: no toon */
    int count;
    size_t stride;
    uint8_t shared[TOON_ROWS][4];
} Ramp;

static void find_ramp(Ramp *ramp, const Model *model, const PmxMaterial *m)
{
    *ramp = (Ramp){0};
    if (m->toon < 0)
        return;
    if (m->shared_toon) {
        toon_ramp(ramp->shared, m->toon);
        ramp->rows = ramp->shared[0];
        ramp->count = TOON_ROWS;
        ramp->stride = 4;
    } else if (model->textures[m->toon]) {
        const Image *image = model->textures[m->toon];
        ramp->rows = image->pixels;
        ramp->count = image->height;
        ramp->stride = 4 * (size_t)image->width;
    }
}

static double sum_of_row(const Ramp *ramp, int row)
{
    const uint8_t *rgb = ramp->rows + ramp->stride * (size_t)row;
    return rgb[0] + rgb[1] + rgb[2];
}

/* The cosine of the angle to the light of the first row that is this far from lit to dark. */
static double cosine_at(const Ramp *ramp, double share)
{
    const double lit = sum_of_row(ramp, 0), dark = sum_of_row(ramp, ramp->count - 1);
    int row = 0;
    while (row < ramp->count - 1 &&
           (sum_of_row(ramp, row) - lit) / (dark - lit) < share) /* rows may be darker between */
        row++;
    return 1 - 2.0 * row / ramp->count;
}

Mtoon avatar_toon(const Model *model, uint32_t material)
{
    const PmxMaterial *m = &model->pmx.materials[material];
    Mtoon toon = {.toony = 0.9f, .rim_power = 1, .rim_lighting_mix = 1, .writes_depth = true};
    if (m->mtoon)
        return *m->mtoon;
    for (size_t i = 0; i < MTOON_TEXTURES; i++)
        toon.textures[i] = PMX_NONE;
    toon.textures[MTOON_SHADE] = m->texture;
    float color[4];
    Ramp ramp;
    find_ramp(&ramp, model, m);
    gltf_color(color, m, model->pmx.accessory);
    for (int k = 0; k < 3; k++) {
        const double dark =
            ramp.rows ? ramp.rows[ramp.stride * (size_t)(ramp.count - 1) + (size_t)k] / 255.0 : 1;
        toon.shade[k] = srgb_linear(srgb_stored((double)color[k]) * (float)dark);
    }
    if (ramp.rows && sum_of_row(&ramp, 0) != sum_of_row(&ramp, ramp.count - 1)) {
        const double lit = cosine_at(&ramp, 0.1), dark = cosine_at(&ramp, 0.9);
        toon.shift = (float)(-(lit + dark) / 2);
        toon.toony = (float)(1 - fmin(fmax((lit - dark) / 2 / 0.8, 0), 1));
    }
    if (m->sphere_mode == PMX_SPHERE_ADD)
        toon.textures[MTOON_MATCAP] = m->sphere_texture;
    for (int k = 0; k < 3; k++)
        toon.matcap_factor[k] = toon.textures[MTOON_MATCAP] >= 0;
    if (m->flags & PMX_EDGE && m->edge_color[3] > 0 && m->edge_size > 0) {
        toon.outline = MTOON_WORLD_OUTLINE;
        toon.outline_width = (float)(fmin((double)m->edge_size, 4) * EDGE_WIDTH);
    }
    return toon;
}

void avatar_toon_light(PmxMaterial *materials, const Model *model)
{
    for (uint32_t i = 0; i < model->pmx.material_count; i++) {
        Ramp ramp;
        if (materials[i].mtoon)
            continue;
        find_ramp(&ramp, model, &materials[i]);
        for (int k = 0; k < 3 && ramp.rows; k++) {
            materials[i].diffuse[k] *= (float)ramp.rows[k] / 255;
            materials[i].ambient[k] *= (float)ramp.rows[k] / 255;
        }
    }
}
