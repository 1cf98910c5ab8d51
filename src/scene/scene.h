// SPDX-License-Identifier: MIT
/*
 * scene.h - everything visible of a job, loaded once
 *
 * A SceneSpec specifies in plain values what to load (job/ fills it from the job file); scene_load
 * opens every file and resolves names to indices.  A loaded Scene is const for the rest of the run
 * and is shared by forked workers.  It lives in the arena of scene_load.
 */
#pragma once

#include <signal.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/limit.h"
#include "record/values.h"
#include "scene/attach.h"
#include "scene/camera.h"
#include "scene/cloth/cloth.h"
#include "scene/dynamics/dynamics.h"
#include "scene/effects.h"
#include "scene/follow.h"
#include "scene/key_spline.h"
#include "scene/lips.h"
#include "scene/mocap/retarget.h"
#include "scene/model.h"
#include "scene/motion.h"
#include "scene/placement.h"
#include "scene/reframe.h"
#include "scene/scene_options.h"

/* ---- what to load ---- */

/* What a job says about a model by default. */
#define MODEL_DEFAULT                                                     \
    .key = "", .scale = 1, .opacity = 1, .shadow = true, .edge_scale = 1, \
    .edge_color = {NAN, NAN, NAN}

/*
 * An accessory whose file is a .vac is placed by the .vac first, then by the job.  When the .vac
 * names a bone and the job attaches the accessory to nothing, it is attached to the only model
 * (neither accessory nor stage) that has the bone, by its Japanese or English name; if no or
 * several models have it, it is not attached, with a warning. A stage ignores the bone.
 */

enum { SCENE_MAX_CASTING = 200000 }; /* triangles of a scene that casts shadows */

#define COMPAT_DEFAULT ((Compat){.curve_halvings = CURVE_HALVINGS})

/* Limits of what a scene may contain and of the work of evaluating it.  All zero: no limit but
 * those of the defaults in complexity.h. */
typedef struct SceneLimits {
    Limit models;   /* models, accessories and generated cloth */
    Limit vertices; /* vertices of all models together */
    Limit bodies;   /* rigid bodies, vertices of soft bodies and masses of cloth */
    Limit textures; /* MiB of decoded images, four bytes a pixel */
    Limit sound_s;  /* seconds of a voice */
    Limit pairs;    /* overlapping rigid bodies */
    Limit ik;       /* bones that IK updates in a frame */
    Limit soft;     /* links, faces and anchors solved in a tick */
    Limit cloth;    /* springs evaluated in a tick */
} SceneLimits;

typedef struct SceneSpec {
    const ModelSpec *models; /* in draw order; stages before models */
    size_t model_count;
    const ClothSpec *cloths; /* all with the same step_hz */
    size_t cloth_count;
    CameraSpec camera; /* one that follows models: film/follow_load.h adds its path */
    LightSpec light;
    Compat compat;
    PhysicsSpec physics;
    EffectsSpec effects;
    bool textures;            /* load textures and effects; not needed for `pose` */
    uint64_t vertices_before; /* of other scenes of the film, which limits.vertices covers, too */
    SceneLimits limits;
    DiagLocator locator;               /* of the keys of models, motions and cloths; or all zero */
    const volatile sig_atomic_t *stop; /* polled between files: not 0 ends loading; or NULL */
} SceneSpec;

/* ---- the loaded scene ---- */

typedef struct SceneModel {
    const Model *model; /* shared by all entries of one file */
    const char *id;
    ModelSpec spec; /* of the job, and MODEL_DEFAULT of a generated cloth */
    ModelMotion motion;
    Lips lips;                         /* keys of these are in the motion */
    Placement placement;               /* from the job; scene_placement computes the complete one */
    PlacementSpline path;              /* replaces its position and rotation if count > 0 */
    ModelKeys keys;                    /* replace placement, opacity and shadow */
    int32_t attach_model, attach_bone; /* -1: none */
    const AttachTrack *attach;         /* [attach_count] instead of both, over time */
    uint32_t attach_count;
    float *morph_constants; /* [morph_count]; NaN: not set by the job */
    bool *hidden;           /* [material_count] */
    bool soft; /* its soft bodies are simulated; their vertices come first in the list below */
    uint32_t *cloth_vertices; /* vertices of soft bodies, then of each cloth */
    uint32_t cloth_vertex_count;
} SceneModel;

struct Scene {
    SceneModel *models; /* those of the spec, then generated cloth models: "cloth-0" ... */
    size_t model_count;
    ClothPlan *cloths;
    size_t cloth_count;
    uint32_t *attach_order; /* all models; a model comes after the one it is attached to */
    bool attach_changes;    /* attach_order_at gives the order of a frame instead */
    const AttachTrack *camera_attach; /* NULL: the camera is attached to nothing */
    CameraSpline camera_path;         /* used if it has points, otherwise the track */
    FollowTrack camera_follow;        /* as camera_path */
    CameraTrack camera_track;
    ReframeTrack camera_reframe; /* what is done to that of the track */
    CameraState camera;          /* if there are no keys */
    LightSpline light_path;      /* as for the camera */
    LightTrack light_track;
    LightState light;
    ShadowTrack shadow_track;
    ShadowState shadow;
    Compat compat;
    PhysicsSpec physics;
    uint64_t vertices;      /* of all models and of other scenes before */
    uint64_t texture_bytes; /* of all decoded textures */
    bool *without_pixels;   /* textures are decoded, but discarded: texture_pixels.h */
    SceneLimits limits;
    SceneEffects effects;
    AssetFiles motion_files; /* other files that motions are in */
    double last_frame;       /* the last key of any motion or path, in film time */
};

/* Reports as many errors as possible before it returns false. */
bool scene_load(Scene *scene, const SceneSpec *spec, Arena *arena, Diag *diag);

/* The placement of a model at a frame, from its .vac file, the job, its path and keys: in the
 * world, or relative to the bone that it is attached to. */
static inline Placement scene_placement(const SceneModel *model, double frame)
{
    Placement base = model->placement;
    if (model->keys.count) {
        const ModelKey key = model_keys_at(&model->keys, frame);
        base = model_keys_placement(&key);
    }
    return placement_at(&base, &model->path, model->model->vac, frame);
}

/* The opacity of a model at a frame: that of its keys, or of the job, which is kept as a float of
 * the transparency. */
static inline float scene_opacity(const SceneModel *model, double frame)
{
    return model->keys.count ? (float)model_keys_at(&model->keys, frame).opacity
                             : 1 - (float)(1 - model->spec.opacity);
}

/* Whether a frame depends on the frames before it: physics or cloth. */
/* Replaces what needs no file in a loaded scene: camera.fixed, unless film/follow_load.h then adds
 * a path; light.color and light.direction.  Keys of motions and points of paths stay. */
void scene_change_camera(Scene *scene, const CameraSpec *camera);
void scene_change_light(Scene *scene, const LightSpec *light);

bool scene_is_simulated(const Scene *scene);

/* Index of the model with this id, or -1. */
int32_t scene_find_model(const Scene *scene, const char *id);
