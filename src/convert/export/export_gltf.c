// SPDX-License-Identifier: MIT
#include "convert/export/export_formats.h"

#include <math.h>
#include <string.h>

#include "base/text_stream.h"
#include "base/units.h"
#include "convert/export/glb.h"
#include "convert/export/gltf_document.h"
#include "convert/export/gltf_mesh.h"
#include "math/rotation.h"
#include "render/view.h"

/* Metres.  Viewers have depths of 24 bits, so the near plane is that of MMD, 0.5 units. */
static const double NEAR_PLANE = 0.04, FAR_PLANE = 8000;

/* A channel of the animation, and what it moves. */
typedef struct Channel {
    int node, output; /* output: an accessor */
    const char *path; /* "rotation", "translation", "scale", "weights" */
} Channel;

/* A model: a node with its placement, a node for each bone, then one for each mesh. */
typedef struct Part {
    const CapturedModel *captured;
    GltfMeshes meshes;
    int first_material; /* and mesh: their numbers are the same */
    int first_node;     /* the placement */
    int inverse_binds;  /* accessor */
} Part;

typedef struct Writer {
    Glb glb;
    const Capture *capture;
    Part *parts;
    ARENA_LIST(Channel) channels;
    int times; /* accessor */
    int node_count, mesh_count;
    int camera; /* node */
    const char *title;
    const GltfExtension *extension; /* or NULL */
    Arena *arena;
} Writer;

static int bone_node(const Part *part, uint32_t bone)
{
    return part->first_node + 1 + (int)bone;
}

static int mesh_node(const Part *part, size_t mesh)
{
    return bone_node(part, part->captured->model->model->pmx.bone_count) + (int)mesh;
}

/* ---- animation ---- */

static bool is_constant(const float *values, size_t count, unsigned width)
{
    for (size_t i = width; i < count * width; i++)
        if (values[i] != values[i % width])
            return false;
    return true;
}

static void add_channel(Writer *w, int node, const char *path, const float *values, unsigned width)
{
    const size_t count = w->capture->frame_count;
    if (is_constant(values, count, width))
        return;
    /* the weights of one time are separate numbers in glTF */
    const bool scalars = !strcmp(path, "weights");
    const int output = glb_floats(&w->glb, values, scalars ? count * width : count,
                                  scalars ? 1 : width, GLB_NO_TARGET, false);
    *arena_push(w->arena, &w->channels) = (Channel){node, output, path};
}

static float drawn_scale(const CapturedModel *model, uint32_t frame)
{
    return model->visible[frame] ? model->placements[frame].scale : 0;
}

/* Where the camera is and which way it looks (along +z, MMD's axes). */
static Placement camera_placement(const CameraState *camera)
{
    const CameraAxes axes = camera_axes(camera);
    const Quat turn =
        quat_from_euler_yxz(/* as camera_axes */
                            -(double)camera->rotation[0], -(double)camera->rotation[1],
                            -(double)camera->rotation[2]);
    Placement placement = {.scale = 1};
    memcpy(placement.position, axes.eye, sizeof placement.position);
    quat_store(placement.rotation, turn);
    return placement;
}

/* The rotations and translations of a node in all frames. */
typedef struct Track {
    float *rotations, *translations;
} Track;

static Track create_track(const Writer *w)
{
    const size_t count = w->capture->frame_count;
    return (Track){arena_array(w->arena, float, 4 * count),
                   arena_array(w->arena, float, 3 * count)};
}

/* Neighbours are on the same side, as viewers interpolate along the sphere. */
static void set_key(const Track *track, size_t frame, const float rotation[4],
                    const float position[3])
{
    float *out = track->rotations + 4 * frame;
    gltf_rotation(out, rotation);
    gltf_point(track->translations + 3 * frame, position);
    if (!frame)
        return;
    const float *before = out - 4;
    if (out[0] * before[0] + out[1] * before[1] + out[2] * before[2] + out[3] * before[3] < 0)
        for (size_t i = 0; i < 4; i++)
            out[i] = -out[i];
}

static void add_track(Writer *w, int node, const Track *track)
{
    add_channel(w, node, "rotation", track->rotations, 4);
    add_channel(w, node, "translation", track->translations, 3);
}

static float weight_of(const Part *part, const GltfMesh *mesh, uint32_t frame, uint32_t target)
{
    const uint32_t count = part->captured->model->model->pmx.morph_count;
    return part->captured->leaf_weights[(size_t)frame * count + mesh->morphs[target]];
}

static void animate(Writer *w, const Part *part)
{
    const size_t count = w->capture->frame_count;
    const CapturedModel *model = part->captured;
    const PmxModel *pmx = &model->model->model->pmx;
    const Track placement = create_track(w);
    float *scales = arena_array(w->arena, float, 3 * count);
    for (uint32_t k = 0; k < count; k++) {
        set_key(&placement, k, model->placements[k].rotation, model->placements[k].position);
        for (size_t i = 0; i < 3; i++)
            scales[3 * (size_t)k + i] = drawn_scale(model, k);
    }
    add_track(w, part->first_node, &placement);
    add_channel(w, part->first_node, "scale", scales, 3);
    for (uint32_t i = 0; i < pmx->bone_count; i++) {
        const Track bone = create_track(w);
        for (uint32_t k = 0; k < count; k++) {
            const LocalPose *pose = capture_bone(model, k, i);
            float place[3];
            capture_place(place, pmx, i, pose->offset);
            set_key(&bone, k, pose->rotation, place);
        }
        add_track(w, bone_node(part, i), &bone);
    }
    for (size_t i = 0; i < part->meshes.count; i++) {
        const GltfMesh *mesh = &part->meshes.items[i];
        float *weights = arena_array(w->arena, float, count * mesh->morph_count);
        for (uint32_t k = 0; k < count; k++)
            for (uint32_t t = 0; t < mesh->morph_count; t++)
                weights[(size_t)k * mesh->morph_count + t] = weight_of(part, mesh, k, t);
        if (mesh->morph_count)
            add_channel(w, mesh_node(part, i), "weights", weights, mesh->morph_count);
    }
}

static void animate_camera(Writer *w)
{
    const Track track = create_track(w);
    for (size_t k = 0; k < w->capture->frame_count; k++) {
        const Placement placement = camera_placement(&w->capture->cameras[k]);
        set_key(&track, k, placement.rotation, placement.position);
    }
    add_track(w, w->camera, &track);
}

/* ---- the skeleton ---- */

static bool add_part(Writer *w, Part *part, const CapturedModel *model, Diag *diag)
{
    const PmxModel *pmx = &model->model->model->pmx;
    *part = (Part){.captured = model, .first_node = w->node_count, .first_material = w->mesh_count};
    GltfImages images = gltf_images(&w->glb, model->model->model, diag);
    if (!gltf_meshes(&part->meshes, &images, model->model) ||
        (w->extension && !w->extension->add(w->extension->user, &images)))
        return false;
    float(*inverse_binds)[16] = arena_calloc(w->arena, pmx->bone_count, sizeof *inverse_binds);
    for (uint32_t i = 0; i < pmx->bone_count; i++) {
        float rest[3];
        gltf_point(rest, pmx->bones[i].position);
        for (size_t k = 0; k < 4; k++)
            inverse_binds[i][5 * k] = 1;
        for (size_t k = 0; k < 3; k++)
            inverse_binds[i][12 + k] = -rest[k];
    }
    part->inverse_binds =
        glb_floats(&w->glb, inverse_binds[0], pmx->bone_count, 16, GLB_NO_TARGET, false);
    w->node_count += 1 + (int)pmx->bone_count + (int)part->meshes.count;
    w->mesh_count += (int)part->meshes.count;
    animate(w, part);
    return true;
}

/* ---- JSON ---- */

static void write_floats(Json *json, const char *key, const float *values, size_t count)
{
    json_key(json, key);
    json_floats(json, values, count);
}

static void open_node(Json *json, const char *name)
{
    json_print(json, "\n{name:%s", name);
}

static void write_place(Json *json, const float position[3], const float rotation[4])
{
    float translation[3], turn[4];
    gltf_point(translation, position);
    gltf_rotation(turn, rotation);
    write_floats(json, "translation", translation, 3);
    write_floats(json, "rotation", turn, 4);
}

/* Ends the node of a bone; that of the placement is the parent -1. */
static void close_node(Json *json, const Part *part, int32_t parent)
{
    const PmxModel *pmx = &part->captured->model->model->pmx;
    bool any = false;
    for (uint32_t i = 0; i < pmx->bone_count; i++) {
        if (pmx->bones[i].parent != parent)
            continue;
        if (!any)
            json_print(json, "children:[");
        any = true;
        json_int(json, bone_node(part, i));
    }
    json_print(json, any ? "]}" : "}");
}

static void write_part_nodes(Json *json, const Writer *w, size_t skin)
{
    const Part *part = &w->parts[skin];
    const CapturedModel *model = part->captured;
    const PmxModel *pmx = &model->model->model->pmx;
    const float scale = drawn_scale(model, 0), scales[3] = {scale, scale, scale};
    open_node(json, pmx->name);
    write_place(json, model->placements[0].position, model->placements[0].rotation);
    write_floats(json, "scale", scales, 3);
    close_node(json, part, -1);
    for (uint32_t i = 0; i < pmx->bone_count; i++) {
        const LocalPose *pose = capture_bone(model, 0, i);
        float place[3];
        capture_place(place, pmx, i, pose->offset);
        open_node(json, pmx->bones[i].name);
        write_place(json, place, pose->rotation);
        if (w->extension)
            w->extension->write_bone(json, w->extension->user, i);
        close_node(json, part, (int32_t)i);
    }
    for (size_t i = 0; i < part->meshes.count; i++) {
        open_node(json, part->meshes.items[i].material->name);
        json_print(json, "mesh:%d skin:%zu}", part->first_material + (int)i, skin);
    }
}

/* Meshes with a skin are placed by their joints, so they are roots. */
static void write_scene(Json *json, const Writer *w)
{
    json_print(json, "scene:0 scenes:[{nodes:[");
    for (size_t i = 0; i < w->capture->model_count; i++) {
        json_int(json, w->parts[i].first_node);
        for (size_t m = 0; m < w->parts[i].meshes.count; m++)
            json_int(json, mesh_node(&w->parts[i], m));
    }
    if (w->capture->cameras)
        json_int(json, w->camera);
    json_print(json, "]}]");
}

static void write_skins(Json *json, const Writer *w)
{
    json_print(json, "skins:[");
    for (size_t i = 0; i < w->capture->model_count; i++) {
        const Part *part = &w->parts[i];
        json_print(json, "{inverseBindMatrices:%d skeleton:%d joints:[", part->inverse_binds,
                   part->first_node);
        for (uint32_t b = 0; b < part->captured->model->model->pmx.bone_count; b++)
            json_int(json, bone_node(part, b));
        json_print(json, "]}");
    }
    json_print(json, "]");
}

static void write_material(Json *json, const GltfMesh *mesh, const GltfExtension *extension)
{
    static const char *const modes[] = {"OPAQUE", "MASK", "BLEND"};
    json_print(json, "\n{name:%s pbrMetallicRoughness:{", mesh->material->name);
    write_floats(json, "baseColorFactor", mesh->color, 4);
    if (mesh->texture >= 0)
        json_print(json, "baseColorTexture:{index:%d}", mesh->texture);
    json_print(json,
               "metallicFactor:0 roughnessFactor:0.9} alphaMode:%s doubleSided:%hhd "
               "extensions:{KHR_materials_unlit:{}",
               modes[mesh->alpha], (mesh->material->flags & PMX_DOUBLE_SIDED) != 0);
    if (extension)
        extension->write_material(json, extension->user, mesh);
    json_print(json, "}}");
}

/* The morphs of a mesh: their names and the weights of the first frame. */
static void write_morphs(Json *json, const Part *part, const GltfMesh *mesh)
{
    const PmxModel *pmx = &part->captured->model->model->pmx;
    json_print(json, "weights:[");
    for (uint32_t i = 0; i < mesh->morph_count; i++)
        json_print(json, "%.9g", (double)weight_of(part, mesh, 0, i));
    json_print(json, "] extras:{targetNames:[");
    for (uint32_t i = 0; i < mesh->morph_count; i++)
        json_text(json, pmx->morphs[mesh->morphs[i]].name);
    json_print(json, "]}");
}

static void write_mesh(Json *json, const Part *part, size_t index)
{
    const GltfMesh *mesh = &part->meshes.items[index];
    json_print(json, "\n{name:%s primitives:[{attributes:{", mesh->material->name);
    json_print(json, "POSITION:%d NORMAL:%d TEXCOORD_0:%d JOINTS_0:%d WEIGHTS_0:%d}",
               mesh->position, mesh->normal, mesh->uv, mesh->joints, mesh->weights);
    json_print(json, "indices:%d material:%d", mesh->indices, part->first_material + (int)index);
    if (mesh->morph_count)
        json_print(json, "targets:[");
    for (uint32_t i = 0; i < mesh->morph_count; i++)
        json_print(json, "{POSITION:%d}", mesh->targets[i]);
    json_print(json, mesh->morph_count ? "]}]" : "}]");
    if (mesh->morph_count)
        write_morphs(json, part, mesh);
    json_print(json, "}");
}

static void write_meshes(Json *json, const Writer *w)
{
    json_print(json, "materials:[");
    for (size_t i = 0; i < w->capture->model_count; i++)
        for (size_t m = 0; m < w->parts[i].meshes.count; m++)
            write_material(json, &w->parts[i].meshes.items[m], w->extension);
    json_print(json, "] meshes:[");
    for (size_t i = 0; i < w->capture->model_count; i++)
        for (size_t m = 0; m < w->parts[i].meshes.count; m++)
            write_mesh(json, &w->parts[i], m);
    json_print(json, "]");
}

static void write_animation(Json *json, const Writer *w)
{
    json_print(json, "animations:[{name:%s samplers:[", w->title);
    for (size_t i = 0; i < w->channels.count; i++)
        json_print(json, "{input:%d output:%d}", w->times, w->channels.items[i].output);
    json_print(json, "] channels:[");
    for (size_t i = 0; i < w->channels.count; i++)
        json_print(json, "{sampler:%zu target:{node:%d path:%s}}", i, w->channels.items[i].node,
                   w->channels.items[i].path);
    json_print(json, "]}]");
}

static void write_camera(Json *json, const CameraState *camera, int width, int height)
{
    const View view = view_of(camera, &LIGHT_DEFAULT, width, height);
    const double x = (double)view.half_extent[0], y = (double)view.half_extent[1];
    if (camera->orthographic)
        json_print(json, "cameras:[{type:'orthographic' orthographic:{xmag:%.17g ymag:%.17g",
                   x * (double)GLTF_SCALE, y * (double)GLTF_SCALE);
    else
        json_print(json, "cameras:[{type:'perspective' perspective:{aspectRatio:%.17g yfov:%.17g",
                   x / y, 2 * atan(y));
    json_print(json, "znear:%.17g zfar:%.17g}}]", NEAR_PLANE, FAR_PLANE);
}

/* Whether another frame has another field of view or projection than the first one. */
static bool camera_changes(const CameraState *cameras, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (cameras[i].fov_deg != cameras[0].fov_deg ||
            cameras[i].orthographic != cameras[0].orthographic)
            return true;
    return false;
}

static void write_document(Json *json, const Writer *w)
{
    const GltfExtension *extension = w->extension;
    json_print(json, "{asset:{version:'2.0' generator:'odori'} extensionsUsed:[");
    json_text(json, "KHR_materials_unlit");
    for (size_t i = 0; extension && extension->names[i]; i++)
        json_text(json, extension->names[i]);
    json_print(json, "]");
    write_scene(json, w);
    json_print(json, "nodes:[");
    for (size_t i = 0; i < w->capture->model_count; i++)
        write_part_nodes(json, w, i);
    if (w->capture->cameras) {
        const Placement camera = camera_placement(&w->capture->cameras[0]);
        open_node(json, "camera");
        json_print(json, "camera:0");
        write_place(json, camera.position, camera.rotation);
        json_print(json, "}");
    }
    json_print(json, "]");
    if (w->capture->cameras)
        write_camera(json, &w->capture->cameras[0], w->capture->width, w->capture->height);
    if (w->mesh_count) {
        write_meshes(json, w);
        write_skins(json, w);
    }
    if (w->channels.count)
        write_animation(json, w);
    if (extension) {
        const Part *part = &w->parts[0];
        json_print(json, "extensions:{");
        extension->write_document(
            json, extension->user,
            &(GltfPlaces){&part->meshes, part->first_node + 1, mesh_node(part, 0)});
        json_print(json, "}");
    }
    glb_write_members(json, &w->glb);
    json_print(json, "}");
}

bool gltf_document(Bytes *out, const Capture *capture, const char *title,
                   const GltfExtension *extension, Arena *arena, Diag *diag)
{
    TextStream stream;
    Writer w = {.glb = {.arena = arena},
                .capture = capture,
                .parts = arena_array(arena, Part, capture->model_count),
                .title = title,
                .extension = extension,
                .arena = arena};
    float *times = arena_array(arena, float, capture->frame_count);
    for (size_t i = 0; i < capture->frame_count; i++)
        times[i] = (float)((double)i / MOTION_FPS);
    if (capture->frame_count > 1)
        w.times = glb_floats(&w.glb, times, capture->frame_count, 1, GLB_NO_TARGET, true);
    for (size_t i = 0; i < capture->model_count; i++)
        if (!add_part(&w, &w.parts[i], &capture->models[i], diag))
            return false;
    w.camera = w.node_count;
    if (capture->cameras)
        animate_camera(&w);
    if (capture->cameras && camera_changes(capture->cameras, capture->frame_count))
        diag_note(diag, "the camera of the .glb has the field of view and the projection of the "
                        "first frame; glTF cannot animate them");
    Json json = json_init(text_stream_open(&stream, arena));
    write_document(&json, &w);
    const char *text = text_stream_close(&stream);
    *out = glb_file(&w.glb, text, stream.size);
    return out->size > 0 || diag_fail(diag, DIAG_CREATE,
                                      "the file would exceed 4 GiB, the limit of .glb; export "
                                      "parts with --frames");
}

bool export_gltf(Bytes *out, const Capture *capture, const char *title, Arena *arena, Diag *diag)
{
    return gltf_document(out, capture, title, NULL, arena, diag);
}
