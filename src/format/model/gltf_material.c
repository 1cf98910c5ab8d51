// SPDX-License-Identifier: MIT
#include "format/model/gltf_material.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "math/srgb.h"

typedef struct Reader {
    const GltfFile *file;
    MeshBuilder *b;
    MeshShading lit; /* of what is not unlit */
    Diag *diag;
} Reader;

static const JsonValue *extension(const JsonValue *json, const char *name)
{
    return json_member(json_member(json, "extensions"), name);
}

static const JsonValue *item_of(const GltfFile *file, const char *list, int32_t index)
{
    return index < 0 ? NULL : json_item(json_member(file->root, list), (uint32_t)index);
}

/* What is outside of the picture of a texture, along u or v. */
static uint8_t read_wrap(const JsonValue *sampler, const char *key)
{
    enum { CLAMP_TO_EDGE = 33071, MIRRORED_REPEAT = 33648 };
    const int32_t wrap = json_index(json_member(sampler, key));
    return wrap == CLAMP_TO_EDGE ? PMX_CLAMP : wrap == MIRRORED_REPEAT ? PMX_MIRROR : PMX_REPEAT;
}

/* The source of a texture; a Basis texture (KTX2) may have another image beside it. */
static bool find_image(PmxTexture *out, const Reader *r, int32_t texture)
{
    const JsonValue *json = item_of(r->file, "textures", texture);
    const JsonValue *webp = extension(json, "EXT_texture_webp");
    const JsonValue *source =
        json_member(json, "source") ? json_member(json, "source") : json_member(webp, "source");
    const int32_t index = json_index(source);
    const JsonValue *image = item_of(r->file, "images", index);
    const char *uri = json_string(json_member(image, "uri"), NULL);
    const JsonValue *sampler =
        item_of(r->file, "samplers", json_index(json_member(json, "sampler")));
    out->wrap[0] = read_wrap(sampler, "wrapS");
    out->wrap[1] = read_wrap(sampler, "wrapT");
    if (json && !source && extension(json, "KHR_texture_basisu"))
        return diag_error(r->diag,
                          "texture %" PRId32 " is a KTX2 picture (KHR_texture_basisu), which is "
                          "not supported: export with PNG or JPEG",
                          texture);
    if (!image)
        return diag_error(r->diag, "texture %" PRId32 " or its image does not exist", texture);
    out->name = arena_printf(r->file->arena, "image %" PRId32, index);
    if (!uri)
        return gltf_view(&out->embedded, r->file, json_index(json_member(image, "bufferView")),
                         r->diag);
    if (strncmp(uri, "data:", 5) != 0)
        out->name = gltf_uri_name(uri, r->file->arena);
    else if (!gltf_uri_data(&out->embedded, uri, r->file->arena))
        return diag_error(r->diag, "image %" PRId32 " has no data that can be read", index);
    return true;
}

/* Of a texture info. */
static GltfUv read_uv(const JsonValue *texture)
{
    const JsonValue *t = extension(texture, "KHR_texture_transform");
    double offset[2] = {0, 0}, scale[2] = {1, 1};
    json_numbers(offset, 2, json_member(t, "offset"));
    json_numbers(scale, 2, json_member(t, "scale"));
    const double angle = json_number(json_member(t, "rotation"), 0);
    const double c = cos(angle), s = sin(angle);
    const JsonValue *set =
        json_member(t, "texCoord") ? json_member(t, "texCoord") : json_member(texture, "texCoord");
    return (GltfUv){
        .set = json_index(set) > 0 ? (uint32_t)json_index(set) : 0,
        .m = {c * scale[0], s * scale[1], offset[0], -s * scale[0], c * scale[1], offset[1]}};
}

static void read_alpha(PmxTexture *texture, GltfMaterial *m, const JsonValue *json)
{
    const char *mode = json_string(json_member(json, "alphaMode"), "OPAQUE");
    const double cutoff = json_number(json_member(json, "alphaCutoff"), 0.5);
    m->blended = !strcmp(mode, "BLEND");
    if (m->blended)
        return;
    texture->alpha = PMX_ALPHA_OPAQUE;
    if (!strcmp(mode, "MASK")) {
        const bool shown = (double)m->pmx.diffuse[3] >= cutoff;
        texture->alpha = PMX_ALPHA_MASK;
        texture->cutoff = m->pmx.diffuse[3] > 0 ? (float)cutoff / m->pmx.diffuse[3] : 2;
        m->shown_from = texture->cutoff;
        m->pmx.diffuse[3] = shown || texture->cutoff <= 1 ? 1 : 0;
    } else {
        m->pmx.diffuse[3] = 1;
    }
}

/* What transmits light is transparent, as far as its surface does not scatter it.  Smooth glass
 * keeps a tenth: it is seen by what it reflects. */
static void read_transmission(GltfMaterial *m, const JsonValue *json)
{
    const JsonValue *pbr = json_member(json, "pbrMetallicRoughness");
    const double seen = 0.9;
    const double factor = json_number(
        json_member(extension(json, "KHR_materials_transmission"), "transmissionFactor"), 0);
    double roughness = json_number(json_member(pbr, "roughnessFactor"), 1);
    if (json_member(pbr, "metallicRoughnessTexture"))
        roughness /= 2; /* the middle of what the map may make of it */
    const double clear = fmin(fmax(factor, 0), 1) * (1 - fmin(fmax(roughness, 0), 1));
    m->pmx.diffuse[3] *= (float)(1 - seen * clear);
    m->blended |= clear > 0;
}

static bool read_map(GltfMaterial *m, PmxMap map, const JsonValue *texture, const Reader *r)
{
    const PmxTexture opaque = {.alpha = PMX_ALPHA_OPAQUE};
    m->map_uv[map] = read_uv(texture);
    m->pmx.maps.used |= texture != NULL;
    return gltf_texture(&m->pmx.maps.textures[map], r->file, r->b, json_member(texture, "index"),
                        &opaque, r->diag);
}

/* Emission and occlusion. */
static bool read_maps(GltfMaterial *m, const JsonValue *json, const Reader *r)
{
    const JsonValue *picture = json_member(json, "emissiveTexture");
    const JsonValue *occlusion = json_member(json, "occlusionTexture");
    const JsonValue *strength =
        json_member(extension(json, "KHR_materials_emissive_strength"), "emissiveStrength");
    double emissive[3] = {0, 0, 0};
    float emission[3];
    json_numbers(emissive, 3, json_member(json, "emissiveFactor"));
    for (int i = 0; i < 3; i++)
        emission[i] = (float)(emissive[i] * json_number(strength, 1));
    mesh_set_emission(&m->pmx, emission);
    m->pmx.maps.occlusion =
        (float)fmin(fmax(json_number(json_member(occlusion, "strength"), occlusion ? 1 : 0), 0), 1);
    return read_map(m, PMX_MAP_EMISSION, m->pmx.maps.used ? picture : NULL, r) &&
           read_map(m, PMX_MAP_OCCLUSION, m->pmx.maps.occlusion > 0 ? occlusion : NULL, r);
}

static bool read_material(GltfMaterial *m, const JsonValue *json, const Reader *r)
{
    const JsonValue *pbr = json_member(json, "pbrMetallicRoughness");
    const JsonValue *older = extension(json, "KHR_materials_pbrSpecularGlossiness");
    const JsonValue *picture =
        older ? json_member(older, "diffuseTexture") : json_member(pbr, "baseColorTexture");
    double color[4] = {1, 1, 1, 1};
    json_numbers(color, 4,
                 older ? json_member(older, "diffuseFactor") : json_member(pbr, "baseColorFactor"));
    for (int i = 0; i < 4; i++)
        m->pmx.diffuse[i] = i < 3 ? srgb_stored(color[i]) : (float)fmin(fmax(color[3], 0), 1);
    m->is_unlit = extension(json, "KHR_materials_unlit") != NULL;
    if (json_bool(json_member(json, "doubleSided"), false))
        m->pmx.flags |= PMX_DOUBLE_SIDED;
    PmxTexture texture = {0};
    m->uv = read_uv(picture);
    read_alpha(&texture, m, json);
    read_transmission(m, json);
    mesh_set_light(&m->pmx, m->is_unlit ? MESH_UNLIT : r->lit, m->pmx.diffuse);
    if (!m->is_unlit && !extension(json, "VRMC_materials_mtoon") && !read_maps(m, json, r))
        return false;
    if (!picture)
        return true;
    if (!find_image(&texture, r, json_index(json_member(picture, "index"))))
        return false;
    m->pmx.texture = mesh_add_texture(r->b, texture);
    return true;
}

bool gltf_texture(int32_t *out, const GltfFile *file, MeshBuilder *b, const JsonValue *index,
                  const PmxTexture *like, Diag *diag)
{
    const Reader r = {.file = file, .b = b, .diag = diag};
    PmxTexture texture = like ? *like : (PmxTexture){0};
    *out = PMX_NONE;
    if (json_index(index) < 0)
        return true;
    texture.embedded = (Bytes){0};
    if (!find_image(&texture, &r, json_index(index)))
        return false;
    *out = mesh_add_texture(b, texture);
    return true;
}

GltfMaterial *gltf_materials(const GltfFile *file, MeshBuilder *b, MeshShading lit, Diag *diag)
{
    const JsonValue *list = json_member(file->root, "materials");
    const uint32_t count = json_count(list);
    const Reader r = {file, b, lit, diag};
    if (count > MESH_MAX_MATERIALS) {
        diag_error(diag, "%" PRIu32 " materials (at most %d)", count, MESH_MAX_MATERIALS);
        return NULL;
    }
    GltfMaterial *materials = arena_array(b->scratch, GltfMaterial, (size_t)count + 1);
    for (uint32_t i = 0; i <= count; i++) {
        const JsonValue *json = json_item(list, i);
        materials[i].pmx = mesh_material_default(json_string(json_member(json, "name"), ""));
        if (!read_material(&materials[i], json, &r))
            return NULL;
    }
    return materials;
}
