// SPDX-License-Identifier: MIT
#include "render/effects/values.h"

#include <float.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "math/srgb.h"
#include "render/model/bounding_box.h"
#include "scene/effects.h"

/* ---- what a parameter is bound to ---- */

typedef struct Name {
    const char *name;
    FxSource source, of_light; /* of_light: with Object = "Light"; FX_INITIAL: the same */
} Name;

static const Name SEMANTICS[] = {
    {"DIFFUSE", FX_DIFFUSE, FX_LIGHT_DIFFUSE},
    {"AMBIENT", FX_AMBIENT, FX_LIGHT_AMBIENT},
    {"EMISSIVE", FX_EMISSIVE, FX_INITIAL},
    {"SPECULAR", FX_SPECULAR, FX_LIGHT_SPECULAR},
    {"SPECULARPOWER", FX_SPECULAR_POWER, FX_INITIAL},
    {"TOONCOLOR", FX_TOON_COLOR, FX_INITIAL},
    {"EDGECOLOR", FX_EDGE_COLOR, FX_INITIAL},
    {"GROUNDSHADOWCOLOR", FX_GROUND_SHADOW_COLOR, FX_INITIAL},
    {"POSITION", FX_CAMERA_POSITION, FX_LIGHT_POSITION},
    {"DIRECTION", FX_CAMERA_DIRECTION, FX_LIGHT_DIRECTION},
    {"ADDINGTEXTURE", FX_TEXTURE_ADD, FX_INITIAL},
    {"MULTIPLYINGTEXTURE", FX_TEXTURE_MUL, FX_INITIAL},
    {"ADDINGSPHERETEXTURE", FX_SPHERE_ADD, FX_INITIAL},
    {"MULTIPLYINGSPHERETEXTURE", FX_SPHERE_MUL, FX_INITIAL},
    {"VIEWPORTPIXELSIZE", FX_VIEWPORT_SIZE, FX_INITIAL},
    {"TIME", FX_TIME, FX_INITIAL},
    {"ELAPSEDTIME", FX_ELAPSED_TIME, FX_INITIAL},
};

/* Parameters without a semantic. */
static const Name NAMES[] = {
    {"parthf", FX_PARTHF, FX_INITIAL},
    {"spadd", FX_SPADD, FX_INITIAL},
    {"use_texture", FX_USE_TEXTURE, FX_INITIAL},
    {"use_spheremap", FX_USE_SPHERE, FX_INITIAL},
    {"use_subtexture", FX_USE_SUBTEXTURE, FX_INITIAL},
    {"use_toon", FX_USE_TOON, FX_INITIAL},
    {"VertexCount", FX_VERTEX_COUNT, FX_INITIAL},
    {"SubsetCount", FX_SUBSET_COUNT, FX_INITIAL},
    {"EgColor", FX_EG_COLOR, FX_INITIAL},
    {"SpcColor", FX_SPC_COLOR, FX_INITIAL},
    {"LightDir", FX_LIGHT_DIRECTION, FX_INITIAL},
    {"Place", FX_CAMERA_POSITION, FX_INITIAL},
    {"TexCAdd", FX_TEXTURE_ADD, FX_INITIAL},
    {"TexCMul", FX_TEXTURE_MUL, FX_INITIAL},
    {"SphCAdd", FX_SPHERE_ADD, FX_INITIAL},
    {"SphCMul", FX_SPHERE_MUL, FX_INITIAL},
};

static const char *text_of(const EffectParameter *parameter, const char *name)
{
    const EffectAnnotation *found =
        effect_find_annotation(parameter->annotations, parameter->annotation_count, name);

    return found != NULL && found->text != NULL ? found->text : "";
}

static bool ends_with(const char *text, size_t *length, const char *end)
{
    const size_t size = strlen(end);

    if (*length <= size || strncasecmp(text + *length - size, end, size) != 0)
        return false;
    *length -= size;
    return true;
}

/* WORLD, VIEW, PROJECTION and their products, with INVERSE and TRANSPOSE behind. */
static bool bind_matrix(FxBinding *out, const char *semantic, bool light)
{
    static const char *const PRODUCTS[] = {
        "WORLD", "VIEW", "WORLDVIEW", "PROJECTION", NULL, "VIEWPROJECTION", "WORLDVIEWPROJECTION"};
    size_t length = strlen(semantic);
    FxBinding found = {.source = FX_MATRIX, .light = light};

    found.transpose = ends_with(semantic, &length, "TRANSPOSE");
    found.inverse = ends_with(semantic, &length, "INVERSE");
    for (int i = 0; i < 7; i++)
        if (PRODUCTS[i] != NULL && strlen(PRODUCTS[i]) == length &&
            strncasecmp(semantic, PRODUCTS[i], length) == 0) {
            found.world = (i + 1) & 1;
            found.view = (i + 1) & 2;
            found.projection = (i + 1) & 4;
            *out = found;
            return true;
        }
    return false;
}

static FxControlItem accessory_item(const char *item)
{
    static const struct {
        const char *name;
        FxControlItem item;
    } ITEMS[] = {{"X", FX_CONTROL_X},      {"Y", FX_CONTROL_Y},   {"Z", FX_CONTROL_Z},
                 {"XYZ", FX_CONTROL_XYZ},  {"Rx", FX_CONTROL_RX}, {"Ry", FX_CONTROL_RY},
                 {"Rz", FX_CONTROL_RZ},    {"Si", FX_CONTROL_SI}, {"Tr", FX_CONTROL_TR},
                 {"Rxyz", FX_CONTROL_RXYZ}};

    for (size_t i = 0; i < sizeof ITEMS / sizeof *ITEMS; i++)
        if (strcasecmp(item, ITEMS[i].name) == 0)
            return ITEMS[i].item;
    return FX_CONTROL_MISSING;
}

static void bind_item(FxBinding *out, const EffectParameter *parameter, const Scene *scene,
                      const char *item)
{
    const Model *model = scene->models[out->model].model;
    const EffectType *type = &parameter->type;

    if (*item == '\0') {
        out->item = type->base == EFFECT_BOOL               ? FX_CONTROL_VISIBLE
                    : type->rows == 4                       ? FX_CONTROL_WORLD
                    : type->rows == 1 && type->columns == 1 ? FX_CONTROL_SCALE
                                                            : FX_CONTROL_POSITION;
        return;
    }
    if (model->pmx.accessory) {
        out->item = accessory_item(item);
        return;
    }
    const bool scalar = type->rows == 1 && type->columns == 1;
    /* Names are compared as they are: a confined process has no tables of other encodings. */
    out->index =
        text_find(scalar ? TEXT_NAMES(PmxMorph, name, model->pmx.morphs, model->pmx.morph_count)
                         : TEXT_NAMES(PmxBone, name, model->pmx.bones, model->pmx.bone_count),
                  item);
    if (out->index >= 0)
        out->item = scalar ? FX_CONTROL_MORPH : FX_CONTROL_BONE;
}

static FxBinding bind_control(const EffectParameter *parameter, const Scene *scene, int32_t model,
                              int32_t owner)
{
    const char *name = text_of(parameter, "name"), *item = text_of(parameter, "item");
    size_t length = strlen(name);
    FxBinding out = {.source = FX_CONTROL, .model = -1};

    if (strcasecmp(name, "(self)") == 0)
        out.model = model;
    else if (strcasecmp(name, "(OffscreenOwner)") == 0)
        out.model = owner;
    else
        out.model = scene_effects_find_model(scene, name, model < 0 ? 0 : (size_t)model);
    out.missing_scale = ends_with(name, &length, ".x") || ends_with(name, &length, ".vac") ? 10 : 1;
    if (*item != '\0')
        out.missing_scale = 0;
    if (out.model >= 0)
        bind_item(&out, parameter, scene, item);
    return out;
}

FxBinding fx_bind(const EffectParameter *parameter, const Scene *scene, int32_t model,
                  int32_t owner)
{
    const char *semantic = parameter->semantic;
    const bool light = strcasecmp(text_of(parameter, "Object"), "Light") == 0;
    const Name *table = *semantic != '\0' ? SEMANTICS : NAMES;
    const size_t count =
        *semantic != '\0' ? sizeof SEMANTICS / sizeof *SEMANTICS : sizeof NAMES / sizeof *NAMES;
    FxBinding out = {.source = FX_INITIAL};

    if (parameter->type.base > EFFECT_FLOAT || parameter->type.elements > 0)
        return out;
    if (strcasecmp(semantic, "CONTROLOBJECT") == 0)
        return bind_control(parameter, scene, model, owner);
    for (size_t i = 0; i < count; i++)
        if (strcasecmp(*semantic != '\0' ? semantic : parameter->name, table[i].name) == 0)
            out.source =
                light && table[i].of_light != FX_INITIAL ? table[i].of_light : table[i].source;
    if (out.source == FX_INITIAL && parameter->type.rows > 1) {
        const char *name = *semantic != '\0'                          ? semantic
                           : strcmp(parameter->name, "matWorld") == 0 ? "WORLD"
                           : strcmp(parameter->name, "matWorldViewProj") == 0
                               ? "WORLDVIEWPROJECTION"
                               : "";
        bind_matrix(&out, name, light);
    }
    return out;
}

/* ---- the view ---- */

static void view_matrix(mat4 out, const CameraAxes *axes)
{
    const float *rows[3] = {axes->right, axes->up, axes->forward};

    glm_mat4_identity(out);
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++)
            out[column][row] = rows[row][column];
        out[3][row] = -(rows[row][0] * axes->eye[0] + rows[row][1] * axes->eye[1] +
                        rows[row][2] * axes->eye[2]);
    }
}

/* The axis of the row of the clip matrix that is nearest to the direction of a row of the view. */
static float along(mat4 clip, int row, const float axis[3])
{
    return clip[0][row] * axis[0] + clip[1][row] * axis[1] + clip[2][row] * axis[2];
}

void fx_frame_matrices(FxFrame *frame)
{
    const View *view = &frame->draw->view;
    const bool orthographic = view->fixed_distance > 0;
    View copy = *view;
    vec4 *p = frame->projection;

    view_matrix(frame->view, &view->axes);
    glm_mat4_zero(p);
    p[0][0] = along(copy.clip, 0, view->axes.right);
    p[1][1] = along(copy.clip, 1, view->axes.up);
    for (int i = 0; i < 2; i++) { /* a place on the lens shifts the picture */
        const float *eye = view->axes.eye;
        const float shift = along(copy.clip, i, view->axes.forward);
        const float rest = copy.clip[3][i] + along(copy.clip, i, eye);

        p[2][i] = orthographic ? 0.0f : fabsf(shift) > 1e-6f ? shift : 0.0f;
        p[3][i] = orthographic && fabsf(rest) > 1e-6f ? rest : 0.0f;
    }
    p[2][2] = FX_FAR / (FX_FAR - FX_NEAR);
    p[3][2] = -FX_NEAR * p[2][2];
    p[2][3] = 1.0f;
    if (orthographic) {
        p[2][2] = along(copy.clip, 2, view->axes.forward);
        p[3][2] = copy.clip[3][2] + along(copy.clip, 2, view->axes.eye);
        p[2][3] = 0.0f;
        p[3][3] = 1.0f;
    }
}

/* Extends the bounds, along the axes of the light, of what characters show. */
static void add_bounds(float low[2], float high[2], const CameraAxes *axes, const Actor *actor)
{
    const float *rows[2] = {axes->right, axes->up};

    for (uint32_t m = 0; m < actor->mesh->pmx->material_count; m++) {
        const BoundingBox box = deform_bounds(&actor->deform, m);

        for (int i = 0; i < 8 && actor->drawn[m]; i++) {
            float corner[3], at[3];

            box_corner(corner, &box, i);
            view_place(at, &actor->state->placement, corner);
            for (int k = 0; k < 2; k++) {
                const float x = rows[k][0] * at[0] + rows[k][1] * at[1] + rows[k][2] * at[2];

                low[k] = fminf(low[k], x);
                high[k] = fmaxf(high[k], x);
            }
        }
    }
}

/* The half side of the map's box, and its middle along the axes of the light: around the
 * characters, in steps, so that texels stay where they are while a figure moves a little. */
static float fit_box(float middle[2], const FxFrame *frame, const CameraAxes *axes)
{
    static const float LARGEST = 60.0f, STEP = 1.25f, MARGIN = 1.1f; /* MMD units; factors */
    const float *target = frame->draw->view.target, *rows[2] = {axes->right, axes->up};
    float low[2] = {FLT_MAX, FLT_MAX}, high[2] = {-FLT_MAX, -FLT_MAX}, half = 4.0f;

    for (size_t i = 0; i < frame->draw->actor_count; i++)
        if (frame->draw->actors[i].visible && !frame->draw->actors[i].entry->spec.stage)
            add_bounds(low, high, axes, &frame->draw->actors[i]);
    for (int k = 0; k < 2; k++) {
        const float at = rows[k][0] * target[0] + rows[k][1] * target[1] + rows[k][2] * target[2];

        if (!(low[k] <= high[k]))
            low[k] = at - LARGEST, high[k] = at + LARGEST;
        if (high[k] - low[k] > 2 * LARGEST) {
            low[k] = fmaxf(low[k], at - LARGEST);
            high[k] = fminf(fmaxf(high[k], low[k]), at + LARGEST);
        }
    }
    while (half < LARGEST && half < MARGIN * fmaxf(high[0] - low[0], high[1] - low[1]) / 2)
        half *= STEP;
    for (int k = 0; k < 2; k++) /* whole numbers of texels of a map of 2048 */
        middle[k] = roundf((low[k] + high[k]) / 2 / (half / 1024)) * (half / 1024);
    return half;
}

void fx_frame_light(FxFrame *frame)
{
    static const float DEPTH = 240.0f; /* MMD units */
    const View *view = &frame->draw->view;
    vec3 direction = {-view->to_light[0], -view->to_light[1], -view->to_light[2]};
    vec3 up = {0, 1, 0}, right;
    CameraAxes axes = {{0}, {0}, {0}, {0}};
    float middle[2], depth = 0;

    if (fabsf(direction[1]) > 0.99f)
        glm_vec3_copy((vec3){0, 0, 1}, up);
    glm_vec3_crossn(up, direction, right);
    glm_vec3_cross(direction, right, up);
    memcpy(axes.right, right, sizeof right);
    memcpy(axes.up, up, sizeof up);
    memcpy(axes.forward, direction, sizeof direction);
    const float half = fit_box(middle, frame, &axes);
    for (int i = 0; i < 3; i++)
        depth += direction[i] * view->target[i];
    for (int i = 0; i < 3; i++)
        axes.eye[i] = right[i] * middle[0] + up[i] * middle[1] + direction[i] * (depth - DEPTH / 2);
    view_matrix(frame->light_view, &axes);
    glm_mat4_identity(frame->light_projection);
    frame->light_projection[0][0] = frame->light_projection[1][1] = 1 / half;
    frame->light_projection[2][2] = 1 / DEPTH;
}

void fx_view_change(View *view, int width, int height)
{
    const float scale = FX_FAR / (FX_FAR - FX_NEAR);

    for (int column = 0; column < 4; column++) {
        vec4 *c = &view->clip[column];

        (*c)[0] += (*c)[3] / (float)width;
        (*c)[1] -= (*c)[3] / (float)height;
        if (view->reversed_depth)
            (*c)[2] = scale * (*c)[3];
    }
    if (view->reversed_depth)
        view->clip[3][2] -= scale * FX_NEAR;
    view->reversed_depth = false;
}

/* ---- values ---- */

/* Flattened on the ground along the light, as ground shadows are. */
static void flatten(mat4 world, const View *view)
{
    const float *d = view->to_light;
    mat4 flat;

    if (!(d[1] > 1e-3f))
        return;
    glm_mat4_identity(flat);
    flat[1][0] = -d[0] / d[1];
    flat[1][1] = 0.0f;
    flat[1][2] = -d[2] / d[1];
    flat[3][0] = view->ground * d[0] / d[1];
    flat[3][1] = view->ground;
    flat[3][2] = view->ground * d[2] / d[1];
    glm_mat4_mul(flat, world, world);
}

static void matrix_value(float out[16], const FxBinding *b, const FxScope *scope)
{
    FxFrame frame = *scope->frame; /* cglm takes no constants */
    mat4 result, world;

    glm_mat4_identity(result);
    if (b->projection)
        glm_mat4_copy(b->light ? frame.light_projection : frame.projection, result);
    if (b->view)
        glm_mat4_mul(result, b->light ? frame.light_view : frame.view, result);
    if (b->world && scope->model >= 0) {
        view_placement(world, &frame.state->models[scope->model].placement);
        if (scope->kind == FX_GROUND_SHADOW)
            flatten(world, &frame.draw->view);
        glm_mat4_mul(result, world, result);
    }
    if (b->inverse)
        glm_mat4_inv(result, result);
    if (b->transpose)
        glm_mat4_transpose(result);
    memcpy(out, result, sizeof result);
}

/* Radians about x, y, z of the rotation about z, then x, then y. */
static void angles_of(float out[3], const Placement *placement)
{
    mat4 m;
    Placement unit = *placement;

    unit.scale = 1;
    view_placement(m, &unit);
    out[0] = asinf(fmaxf(-1.0f, fminf(1.0f, -m[2][1])));
    out[1] = atan2f(m[2][0], m[2][2]);
    out[2] = atan2f(m[0][1], m[1][1]);
}

static void bone_value(float out[16], const ModelState *state, int32_t index, bool is_matrix)
{
    const BonePose *bone = &state->bones[index];
    mat4 world, local;
    float at[3];

    view_place(at, &state->placement, bone->position);
    memcpy(out, (float[4]){at[0], at[1], at[2], 1}, sizeof(float[4]));
    if (!is_matrix)
        return;
    Placement pose = {.scale = 1};
    memcpy(pose.position, bone->position, sizeof pose.position);
    memcpy(pose.rotation, bone->rotation, sizeof pose.rotation);
    view_placement(local, &pose);
    view_placement(world, &state->placement);
    glm_mat4_mul(world, local, world);
    memcpy(out, world, sizeof world);
}

static void missing_value(float out[16], const FxBinding *b, const EffectType *type)
{
    const float scale = b->missing_scale != 0 ? b->missing_scale : 1;

    if (type->rows == 4) {
        mat4 m;
        glm_mat4_identity(m);
        for (int i = 0; i < 3; i++)
            m[i][i] = scale;
        memcpy(out, m, sizeof m);
    } else if (type->columns >= 3) {
        out[3] = 1;
    } else if (type->base != EFFECT_BOOL) {
        out[0] = b->missing_scale;
    }
}

static void control_value(float out[16], const FxBinding *b, const EffectType *type,
                          const FxScope *scope)
{
    const FrameState *state = scope->frame->state;

    if (b->model < 0 || b->item == FX_CONTROL_MISSING) {
        missing_value(out, b, type);
        return;
    }
    const SceneModel *entry = &scope->frame->scene->models[b->model];
    const ModelState *model = &state->models[b->model];
    const bool accessory = entry->model->pmx.accessory;
    const Placement own = scene_placement(entry, state->frame);
    float angles[3];

    angles_of(angles, &own);
    switch (b->item) {
    case FX_CONTROL_VISIBLE:
        out[0] = model->visible;
        break;
    case FX_CONTROL_SCALE:
    case FX_CONTROL_SI:
        out[0] = accessory ? 10 * model->placement.scale : model->placement.scale;
        break;
    case FX_CONTROL_POSITION:
        if (!accessory && entry->model->pmx.bone_count > 0)
            bone_value(out, model, 0, false);
        else
            memcpy(out, model->placement.position, sizeof(float[3]));
        out[3] = 1;
        break;
    case FX_CONTROL_WORLD: {
        mat4 world;
        view_placement(world, &model->placement);
        for (int i = 0; i < 3 && accessory; i++)
            glm_vec4_scale(world[i], 10, world[i]);
        memcpy(out, world, sizeof world);
        break;
    }
    case FX_CONTROL_BONE:
        bone_value(out, model, b->index, type->rows == 4);
        break;
    case FX_CONTROL_MORPH:
        out[0] = model->key_weights[b->index];
        break;
    case FX_CONTROL_X:
    case FX_CONTROL_Y:
    case FX_CONTROL_Z:
        out[0] = own.position[b->item - FX_CONTROL_X];
        break;
    case FX_CONTROL_XYZ:
        memcpy(out, own.position, sizeof own.position);
        out[3] = 1;
        break;
    case FX_CONTROL_RX:
    case FX_CONTROL_RY:
    case FX_CONTROL_RZ:
        out[0] = angles[b->item - FX_CONTROL_RX];
        break;
    case FX_CONTROL_RXYZ:
        memcpy(out, angles, sizeof angles);
        break;
    case FX_CONTROL_TR:
        out[0] = scene_opacity(entry, state->frame);
        break;
    case FX_CONTROL_MISSING:
        break;
    }
}

static void set3(float out[16], const float color[3], float scale, float last)
{
    for (int i = 0; i < 3; i++)
        out[i] = color[i] * scale;
    out[3] = last;
}

FxSubject fx_subject(const Actor *actor, uint32_t material, bool self_shadow)
{
    const MaterialTextures *t = &actor->textures[material];

    return (FxSubject){.material = material,
                       .texture = t->texture != 0,
                       .sphere = t->sphere != 0,
                       .toon = !actor->mesh->pmx->accessory,
                       .self_shadow = self_shadow};
}

/* Values of the material, of which a scene has none. */
static void material_value(float out[16], FxSource source, const FxScope *scope)
{
    const Actor *actor = scope->actor;
    const PmxModel *pmx = actor->mesh->pmx;
    const MaterialState *m = &actor->state->materials[scope->material];
    const MaterialTextures *t = &actor->textures[scope->material];
    const PmxSphereMode mode = pmx->materials[scope->material].sphere_mode;
    const PmxLightMaps *maps = &pmx->materials[scope->material].maps;
    const bool emits = maps->used && maps->textures[PMX_MAP_EMISSION] < 0; /* without a map */
    const float *light = scope->frame->draw->view.light_color;

    switch (source) {
    case FX_DIFFUSE:
        memcpy(out, m->diffuse, sizeof m->diffuse);
        break;
    case FX_AMBIENT:
        set3(out, m->diffuse, 1, 1);
        break;
    case FX_EMISSIVE:
        set3(out, m->ambient, 1, 1);
        for (int i = 0; emits && i < 3; i++)
            out[i] = fminf(out[i] + srgb_stored((double)maps->emission[i]), 1);
        break;
    case FX_SPECULAR:
        set3(out, m->specular, 1, 1);
        break;
    case FX_SPECULAR_POWER:
        out[0] = m->specular_power;
        break;
    case FX_TOON_COLOR:
        set3(out, t->toon.texture != 0 ? t->toon.dark : (float[3]){1, 1, 1}, 1, 1);
        break;
    case FX_EDGE_COLOR:
        memcpy(out, m->edge_color, sizeof m->edge_color);
        break;
    case FX_TEXTURE_ADD:
        memcpy(out, m->texture_add, sizeof m->texture_add);
        break;
    case FX_TEXTURE_MUL:
        memcpy(out, m->texture_mul, sizeof m->texture_mul);
        break;
    case FX_SPHERE_ADD:
        memcpy(out, m->sphere_add, sizeof m->sphere_add);
        break;
    case FX_SPHERE_MUL:
        memcpy(out, m->sphere_mul, sizeof m->sphere_mul);
        break;
    case FX_EG_COLOR:
        for (int i = 0; i < 3; i++) {
            const float emission = emits ? srgb_stored((double)maps->emission[i]) : 0;

            out[i] = fminf(fmaxf(m->ambient[i] + emission + m->diffuse[i] * light[i], 0), 1);
        }
        out[3] = fminf(fmaxf(m->diffuse[3], 0), 1);
        break;
    case FX_SPC_COLOR:
        for (int i = 0; i < 3; i++)
            out[i] = m->specular[i] * light[i];
        out[3] = m->specular_power;
        break;
    case FX_SPADD:
        out[0] = t->sphere != 0 && mode == PMX_SPHERE_ADD;
        break;
    case FX_USE_TEXTURE:
        out[0] = t->texture != 0;
        break;
    case FX_USE_SPHERE:
        out[0] = t->sphere != 0;
        break;
    case FX_USE_SUBTEXTURE:
        out[0] = t->sphere != 0 && mode == PMX_SPHERE_SUB_TEXTURE;
        break;
    case FX_USE_TOON:
        out[0] = !pmx->accessory;
        break;
    case FX_VERTEX_COUNT:
        out[0] = (float)pmx->vertex_count;
        break;
    case FX_SUBSET_COUNT:
        out[0] = (float)pmx->material_count;
        break;
    default:
        break;
    }
}

/* nanoem: what MMD gives to the light of models and of accessories. */
static void light_value(float out[16], FxSource source, const FxScope *scope)
{
    const bool accessory = scope->actor != NULL && scope->actor->mesh->pmx->accessory;
    const View *view = &scope->frame->draw->view;
    const float *color = view->light_color;

    switch (source) {
    case FX_LIGHT_DIFFUSE:
        for (int i = 0; i < 4; i++)
            out[i] = accessory;
        break;
    case FX_LIGHT_AMBIENT:
        for (int i = 0; i < 3; i++)
            out[i] = accessory ? color[i] - 0.3f : color[i];
        out[3] = 1;
        break;
    case FX_LIGHT_SPECULAR:
        set3(out, color, 1, 1);
        break;
    case FX_LIGHT_POSITION:
        set3(out, view->to_light, 1, 0);
        break;
    default:
        set3(out, view->to_light, -1, 0);
        break;
    }
}

void fx_value(float out[FX_VALUE_SIZE], const FxBinding *binding, const EffectType *type,
              const FxScope *scope)
{
    const FxFrame *frame = scope->frame;
    const CameraAxes *axes = &frame->draw->view.axes;

    memset(out, 0, FX_VALUE_SIZE * sizeof *out);
    switch (binding->source) {
    case FX_INITIAL:
        break;
    case FX_MATRIX:
        matrix_value(out, binding, scope);
        break;
    case FX_CONTROL:
        control_value(out, binding, type, scope);
        break;
    case FX_LIGHT_DIFFUSE:
    case FX_LIGHT_AMBIENT:
    case FX_LIGHT_SPECULAR:
    case FX_LIGHT_POSITION:
    case FX_LIGHT_DIRECTION:
        light_value(out, binding->source, scope);
        break;
    case FX_CAMERA_POSITION:
        set3(out, axes->eye, 1, 1);
        break;
    case FX_CAMERA_DIRECTION:
        set3(out, axes->forward, 1, 0);
        break;
    case FX_GROUND_SHADOW_COLOR:
        memcpy(out, frame->ground_color, sizeof(float[4]));
        break;
    case FX_VIEWPORT_SIZE:
        out[0] = scope->size[0];
        out[1] = scope->size[1];
        break;
    case FX_TIME:
        out[0] = (float)frame->time;
        break;
    case FX_ELAPSED_TIME:
        out[0] = (float)frame->elapsed;
        break;
    case FX_PARTHF:
        out[0] = frame->state->shadow.mode == 2;
        break;
    default:
        if (scope->actor != NULL)
            material_value(out, binding->source, scope);
        break;
    }
}
