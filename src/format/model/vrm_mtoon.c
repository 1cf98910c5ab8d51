// SPDX-License-Identifier: MIT
#include "format/model/vrm_mtoon.h"

#include <math.h>
#include <string.h>

#include "math/srgb.h"

/* Orders of drawing: blended materials that write depths, then those that do not; in each the queue
 * of the file. */
enum { MAX_QUEUE = 100000, BLENDED = 1 << 20, BLENDED_WITHOUT_DEPTH = 2 << 20 };

/* A width of 1 of MMD's edges at a usual distance, units. */
static const float UNITS_OF_EDGE = 0.03f;

typedef struct Reader {
    const GltfFile *file;
    MeshBuilder *b;
    const PmxTexture *like; /* what other textures have of that of the color; NULL: nothing */
    Diag *diag;
    bool ok;
} Reader;

static float limited(const JsonValue *value, double otherwise, double low, double high)
{
    return (float)fmin(fmax(json_number(value, otherwise), low), high);
}

/* Colors of light may exceed 1. */
static void read_color(float out[3], const JsonValue *value, double otherwise)
{
    double color[4] = {otherwise, otherwise, otherwise, 1};
    json_numbers(color, value && json_count(value) > 3 ? 4 : 3, value);
    for (int k = 0; k < 3; k++)
        out[k] = (float)fmin(fmax(color[k], 0), 1e4);
}

static void read_stored_color(float out[3], const JsonValue *value, double otherwise)
{
    read_color(out, value, otherwise);
    for (int k = 0; k < 3; k++)
        out[k] = srgb_linear(out[k]);
}

static int32_t read_texture(Reader *r, const JsonValue *index)
{
    int32_t texture = PMX_NONE;
    r->ok = r->ok && gltf_texture(&texture, r->file, r->b, index, r->like, r->diag);
    return texture;
}

/* Of a texture info. */
static int32_t read_info(Reader *r, const JsonValue *json, const char *key)
{
    return read_texture(r, json_member(json_member(json, key), "index"));
}

/* ---- VRM 1.0 ---- */

static MtoonOutline outline_of(const JsonValue *mode)
{
    const char *name = json_string(mode, "none");
    return !strcmp(name, "worldCoordinates")    ? MTOON_WORLD_OUTLINE
           : !strcmp(name, "screenCoordinates") ? MTOON_SCREEN_OUTLINE
                                                : MTOON_NO_OUTLINE;
}

static void read_newer(Mtoon *m, float line[3], Reader *r, const JsonValue *material,
                       const JsonValue *json)
{
    const JsonValue *shift = json_member(json, "shadingShiftTexture");
    const float full = 6.2831853f * 1e3f;
    read_color(m->shade, json_member(json, "shadeColorFactor"), 0);
    m->textures[MTOON_SHADE] = read_info(r, json, "shadeMultiplyTexture");
    m->shift = limited(json_member(json, "shadingShiftFactor"), 0, -1e3, 1e3);
    m->textures[MTOON_SHIFT] = read_info(r, json, "shadingShiftTexture");
    m->shift_scale = limited(json_member(shift, "scale"), 1, -1e3, 1e3);
    m->toony = limited(json_member(json, "shadingToonyFactor"), 0.9, 0, 1);
    m->textures[MTOON_MATCAP] = read_info(r, json, "matcapTexture");
    read_color(m->matcap_factor, json_member(json, "matcapFactor"), 1);
    read_color(m->rim, json_member(json, "parametricRimColorFactor"), 0);
    m->rim_power = limited(json_member(json, "parametricRimFresnelPowerFactor"), 5, 1e-5, 1e3);
    m->rim_lift = limited(json_member(json, "parametricRimLiftFactor"), 0, -1e3, 1e3);
    m->rim_lighting_mix = limited(json_member(json, "rimLightingMixFactor"), 1, 0, 1);
    m->textures[MTOON_RIM] = read_info(r, json, "rimMultiplyTexture");
    const JsonValue *strength = json_member(
        json_member(json_member(material, "extensions"), "KHR_materials_emissive_strength"),
        "emissiveStrength");
    read_color(m->emission, json_member(material, "emissiveFactor"), 0);
    for (int k = 0; k < 3; k++)
        m->emission[k] *= limited(strength, 1, 0, 1e4);
    m->textures[MTOON_EMISSION] = read_info(r, material, "emissiveTexture");
    m->outline = outline_of(json_member(json, "outlineWidthMode"));
    m->outline_width = limited(json_member(json, "outlineWidthFactor"), 0, 0, 1);
    m->textures[MTOON_OUTLINE_WIDTH] = read_info(r, json, "outlineWidthMultiplyTexture");
    m->outline_lighting_mix = limited(json_member(json, "outlineLightingMixFactor"), 1, 0, 1);
    read_color(line, json_member(json, "outlineColorFactor"), 0);
    m->scroll[0] = limited(json_member(json, "uvAnimationScrollXSpeedFactor"), 0, -1e3, 1e3);
    m->scroll[1] = limited(json_member(json, "uvAnimationScrollYSpeedFactor"), 0, -1e3, 1e3);
    m->rotation = limited(json_member(json, "uvAnimationRotationSpeedFactor"), 0, (double)-full,
                          (double)full);
    m->textures[MTOON_UV_MASK] = read_info(r, json, "uvAnimationMaskTexture");
    m->writes_depth = json_bool(json_member(json, "transparentWithZWrite"), false);
    m->queue =
        (int32_t)limited(json_member(json, "renderQueueOffsetNumber"), 0, -MAX_QUEUE, MAX_QUEUE);
}

/* ---- VRM 0.x ---- */

static void read_older(Mtoon *m, float line[3], Reader *r, const JsonValue *json)
{
    const JsonValue *floats = json_member(json, "floatProperties");
    const JsonValue *colors = json_member(json, "vectorProperties");
    const JsonValue *textures = json_member(json, "textureProperties");
    const double turn = 6.283185307179586;
    /* There the width of the fall-off is on one side of a place that moves with the shift. */
    const float shift = limited(json_member(floats, "_ShadeShift"), 0, -1, 1);
    const float toony = limited(json_member(floats, "_ShadeToony"), 0.9, 0, 1);
    m->toony = toony + (1 - toony) * (0.5f + 0.5f * shift);
    m->shift = -shift - (1 - m->toony);
    read_stored_color(m->shade, json_member(colors, "_ShadeColor"), 1);
    m->textures[MTOON_SHADE] = read_texture(r, json_member(textures, "_ShadeTexture"));
    m->textures[MTOON_SHIFT] = PMX_NONE;
    m->textures[MTOON_MATCAP] = read_texture(r, json_member(textures, "_SphereAdd"));
    for (int k = 0; k < 3; k++)
        m->matcap_factor[k] = 1;
    read_stored_color(m->rim, json_member(colors, "_RimColor"), 0);
    m->rim_power = limited(json_member(floats, "_RimFresnelPower"), 1, 1e-5, 1e3);
    m->rim_lift = limited(json_member(floats, "_RimLift"), 0, -1e3, 1e3);
    m->rim_lighting_mix = limited(json_member(floats, "_RimLightingMix"), 0, 0, 1);
    m->textures[MTOON_RIM] = read_texture(r, json_member(textures, "_RimTexture"));
    read_stored_color(m->emission, json_member(colors, "_EmissionColor"), 0);
    m->textures[MTOON_EMISSION] = read_texture(r, json_member(textures, "_EmissionMap"));
    const double mode = json_number(json_member(floats, "_OutlineWidthMode"), 0);
    m->outline = mode == 1   ? MTOON_WORLD_OUTLINE
                 : mode == 2 ? MTOON_SCREEN_OUTLINE
                             : MTOON_NO_OUTLINE;
    m->outline_width = limited(json_member(floats, "_OutlineWidth"), 0, 0, 100) / 100; /* cm */
    m->textures[MTOON_OUTLINE_WIDTH] =
        read_texture(r, json_member(textures, "_OutlineWidthTexture"));
    if (json_number(json_member(floats, "_OutlineColorMode"), 0) == 1)
        m->outline_lighting_mix = limited(json_member(floats, "_OutlineLightingMix"), 1, 0, 1);
    read_stored_color(line, json_member(colors, "_OutlineColor"), 0);
    m->scroll[0] = limited(json_member(floats, "_UvAnimScrollX"), 0, -1e3, 1e3);
    m->scroll[1] = -limited(json_member(floats, "_UvAnimScrollY"), 0, -1e3, 1e3);
    m->rotation =
        (float)(turn * (double)limited(json_member(floats, "_UvAnimRotation"), 0, -1e3, 1e3));
    m->textures[MTOON_UV_MASK] = read_texture(r, json_member(textures, "_UvAnimMaskTexture"));
    m->is_older = true;
    m->writes_depth = json_number(json_member(floats, "_ZWrite"), 1) == 1;
    m->queue = (int32_t)limited(json_member(json, "renderQueue"), 0, -MAX_QUEUE, MAX_QUEUE);
}

/* ---- the material ---- */

/* The color of the file, stored values; MToon emits by itself. */
static void set_color(PmxMaterial *pmx, const JsonValue *material)
{
    const JsonValue *pbr = json_member(material, "pbrMetallicRoughness");
    double color[4] = {1, 1, 1, 1};
    json_numbers(color, 4, json_member(pbr, "baseColorFactor"));
    for (int k = 0; k < 3; k++)
        pmx->diffuse[k] = srgb_stored(color[k]);
    mesh_set_light(pmx, MESH_TOON, pmx->diffuse);
}

bool vrm_mtoon_set(MeshMaterial *out, const GltfFile *file, MeshBuilder *b, uint32_t index,
                   const JsonValue *older, Arena *arena, Diag *diag)
{
    const JsonValue *material = json_item(json_member(file->root, "materials"), index);
    const JsonValue *newer =
        json_member(json_member(material, "extensions"), "VRMC_materials_mtoon");
    PmxMaterial *pmx = &out->pmx;
    if (older && strcmp(json_string(json_member(older, "shader"), ""), "VRM/MToon") != 0)
        older = NULL;
    if (!older && !newer)
        return true;
    const PmxTexture like = pmx->texture >= 0 ? b->textures.items[pmx->texture] : (PmxTexture){0};
    Reader r = {.file = file, .b = b, .like = &like, .diag = diag, .ok = true};
    Mtoon *m = arena_array(arena, Mtoon, 1);
    float line[3];
    m->blended = out->order != 0;
    set_color(pmx, material);
    pmx->maps.used = false;
    if (newer)
        read_newer(m, line, &r, material, newer);
    else
        read_older(m, line, &r, older);
    if (m->blended)
        out->order = (m->writes_depth ? BLENDED : BLENDED_WITHOUT_DEPTH) + m->queue;
    m->writes_depth |= !m->blended;
    if (m->outline != MTOON_NO_OUTLINE && m->outline_width > 0) {
        pmx->flags |= PMX_EDGE;
        pmx->edge_size =
            m->outline == MTOON_SCREEN_OUTLINE
                ? 1
                : fminf(m->outline_width * (float)MESH_UNITS_PER_METRE / UNITS_OF_EDGE, 4);
        for (int k = 0; k < 3; k++)
            pmx->edge_color[k] = srgb_stored((double)line[k]);
    }
    pmx->mtoon = m;
    return r.ok;
}
