// SPDX-License-Identifier: MIT
#include "convert/export/avatar_material.h"

#include <math.h>
#include <string.h>

#include "math/srgb.h"
#include "render/texture/toon.h"

static void write_color(Json *json, const char *key, const float color[3])
{
    json_key(json, key);
    json_floats(json, color, 3);
}

static void write_texture(Json *json, const char *key, int image)
{
    if (image < 0)
        return;
    json_key(json, key);
    json_print(json, "{index:%d}", image);
}

static void linear_edge(float out[3], const PmxMaterial *material)
{
    for (int k = 0; k < 3; k++)
        out[k] = srgb_linear(fminf(fmaxf(material->edge_color[k], 0), 1));
}

void avatar_material_write(Json *json, const AvatarMaterial *material, const GltfMesh *mesh)
{
    static const char *const modes[] = {"none", "worldCoordinates", "screenCoordinates"};
    const Mtoon *t = &material->toon;
    float edge[3];
    linear_edge(edge, mesh->material);
    json_print(json, "VRMC_materials_mtoon:{specVersion:'1.0' transparentWithZWrite:%hhd",
               mesh->alpha == GLTF_BLEND && t->writes_depth);
    if (mesh->alpha == GLTF_BLEND)
        json_print(json, "renderQueueOffsetNumber:%d",
                   t->writes_depth ? material->queue : material->queue - 9);
    write_color(json, "shadeColorFactor", t->shade);
    write_texture(json, "shadeMultiplyTexture", material->images[MTOON_SHADE]);
    json_print(json, "shadingShiftFactor:%.9g shadingToonyFactor:%.9g", (double)t->shift,
               (double)t->toony);
    if (material->images[MTOON_SHIFT] >= 0)
        json_print(json, "shadingShiftTexture:{index:%d scale:%.9g}", material->images[MTOON_SHIFT],
                   (double)t->shift_scale);
    write_color(json, "matcapFactor", t->matcap_factor);
    write_texture(json, "matcapTexture", material->images[MTOON_MATCAP]);
    write_color(json, "parametricRimColorFactor", t->rim);
    json_print(json,
               "parametricRimFresnelPowerFactor:%.9g parametricRimLiftFactor:%.9g "
               "rimLightingMixFactor:%.9g",
               (double)t->rim_power, (double)t->rim_lift, (double)t->rim_lighting_mix);
    write_texture(json, "rimMultiplyTexture", material->images[MTOON_RIM]);
    json_print(json, "outlineWidthMode:%s outlineWidthFactor:%.9g", modes[t->outline],
               (double)t->outline_width);
    write_texture(json, "outlineWidthMultiplyTexture", material->images[MTOON_OUTLINE_WIDTH]);
    write_color(json, "outlineColorFactor", edge);
    json_print(json, "outlineLightingMixFactor:%.9g", (double)t->outline_lighting_mix);
    write_texture(json, "uvAnimationMaskTexture", material->images[MTOON_UV_MASK]);
    json_print(json,
               "uvAnimationScrollXSpeedFactor:%.9g uvAnimationScrollYSpeedFactor:%.9g "
               "uvAnimationRotationSpeedFactor:%.9g}",
               (double)t->scroll[0], (double)t->scroll[1], (double)t->rotation);
}

/* ---- VRM 0.x ---- */

static void write_number(Json *json, const char *key, double value)
{
    json_key(json, key);
    json_print(json, "%.9g", value);
}

static void write_vector(Json *json, const char *key, const float linear[3], float alpha)
{
    const float stored[4] = {srgb_stored((double)linear[0]), srgb_stored((double)linear[1]),
                             srgb_stored((double)linear[2]), alpha};
    json_key(json, key);
    json_floats(json, stored, 4);
}

static void write_floats(Json *json, const Mtoon *t, const GltfMesh *mesh, int blend_mode)
{
    const bool blended = mesh->alpha == GLTF_BLEND;
    const struct {
        const char *key;
        double value;
    } numbers[] = {{"_Cutoff", 0.5},
                   {"_BumpScale", 1},
                   {"_ReceiveShadowRate", 1},
                   {"_ShadingGradeRate", 1},
                   {"_LightColorAttenuation", 0},
                   {"_IndirectLightIntensity", 0.1},
                   {"_RimLightingMix", (double)t->rim_lighting_mix},
                   {"_RimFresnelPower", (double)t->rim_power},
                   {"_RimLift", (double)t->rim_lift},
                   {"_OutlineWidth", 100 * (double)t->outline_width},
                   {"_OutlineScaledMaxDistance", 1},
                   {"_OutlineLightingMix", (double)t->outline_lighting_mix},
                   {"_UvAnimScrollX", (double)t->scroll[0]},
                   {"_UvAnimScrollY", -(double)t->scroll[1]},
                   {"_UvAnimRotation", (double)t->rotation / 6.283185307179586},
                   {"_MToonVersion", 38},
                   {"_DebugMode", 0},
                   {"_BlendMode", blend_mode},
                   {"_OutlineWidthMode", t->outline},
                   {"_OutlineColorMode", t->outline_lighting_mix > 0},
                   {"_CullMode", mesh->material->flags & PMX_DOUBLE_SIDED ? 0 : 2},
                   {"_OutlineCullMode", 1},
                   {"_SrcBlend", blended ? 5 : 1},
                   {"_DstBlend", blended ? 10 : 0},
                   {"_ZWrite", !blended || t->writes_depth},
                   {"_AlphaToMask", mesh->alpha == GLTF_MASK}};
    json_print(json, "floatProperties:{");
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        write_number(json, numbers[i].key, numbers[i].value);
    /* How VRM 0.x states where light falls off. */
    const double shift = fmin(fmax(-(double)t->shift - (1 - (double)t->toony), -1), 1);
    const double hard = 0.5 + 0.5 * shift;
    const double toony = hard < 1 ? ((double)t->toony - hard) / (1 - hard) : 1;
    write_number(json, "_ShadeShift", shift);
    write_number(json, "_ShadeToony", fmin(fmax(toony, 0), 1));
    json_print(json, "}");
}

void avatar_material_write_older(Json *json, const AvatarMaterial *material, const GltfMesh *mesh)
{
    static const char *const types[] = {"Opaque", "TransparentCutout", "Transparent"};
    static const int queues[] = {2000, 2450, 3000, 2501}; /* by _BlendMode */
    static const float none[3] = {0, 0, 0}, whole[4] = {0, 0, 1, 1};
    const Mtoon *t = &material->toon;
    const int blend_mode = mesh->alpha == GLTF_BLEND && t->writes_depth ? 3 : (int)mesh->alpha;
    const struct {
        const char *key;
        int image;
    } textures[] = {{"_MainTex", mesh->texture},
                    {"_ShadeTexture", material->images[MTOON_SHADE]},
                    {"_SphereAdd", material->images[MTOON_MATCAP]},
                    {"_RimTexture", material->images[MTOON_RIM]},
                    {"_UvAnimMaskTexture", material->images[MTOON_UV_MASK]},
                    {"_OutlineWidthTexture", material->images[MTOON_OUTLINE_WIDTH]}};
    float edge[3];
    linear_edge(edge, mesh->material);
    json_print(json, "\n{name:%s shader:'VRM/MToon' renderQueue:%d", mesh->material->name,
               queues[blend_mode] + (blend_mode > 1 ? material->queue : 0));
    write_floats(json, t, mesh, blend_mode);
    json_print(json, "vectorProperties:{");
    write_vector(json, "_Color", mesh->color, mesh->color[3]);
    write_vector(json, "_ShadeColor", t->shade, 1);
    write_vector(json, "_OutlineColor", edge, 1);
    write_vector(json, "_RimColor", t->rim, 1);
    write_vector(json, "_EmissionColor", none, 1);
    json_key(json, "_MainTex");
    json_floats(json, whole, 4);
    json_print(json, "} textureProperties:{");
    for (size_t i = 0; i < sizeof textures / sizeof *textures; i++)
        if (textures[i].image >= 0) {
            json_key(json, textures[i].key);
            json_int(json, textures[i].image);
        }
    json_print(json, "} keywordMap:{");
    if (mesh->alpha != GLTF_OPAQUE)
        json_print(json, mesh->alpha == GLTF_BLEND ? "_ALPHABLEND_ON:true" : "_ALPHATEST_ON:true");
    if (t->outline != MTOON_NO_OUTLINE)
        json_print(json, t->outline == MTOON_WORLD_OUTLINE ? "MTOON_OUTLINE_WIDTH_WORLD:true"
                                                           : "MTOON_OUTLINE_WIDTH_SCREEN:true");
    json_print(json, "} tagMap:{RenderType:%s}}", types[mesh->alpha]);
}

/* ---- materials of MMD as MToon ---- */

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
