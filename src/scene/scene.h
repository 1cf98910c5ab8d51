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

/* ---- what to load ---- */

/* A DiagLocation is where the job names something, for messages; NULL if that is not known. */

typedef struct MotionSpec {
    const char *file; /* path to open */
    TimeMap time;     /* {0, 1}: unchanged */
    unsigned parts;   /* MotionPart bits */
    LayerMode mode;   /* how it is joined with the motions before */
    MocapLegs legs;   /* how motion capture moves the legs */
    const MotionRename *renames;
    size_t rename_count;
    const DiagLocation *location;
    bool in_sequence; /* joined with those beside it that are, too (sequence.h): */
    int from, to, at, fade, loop;
    bool mirror;
} MotionSpec;

typedef struct ModelSpec {
    const char *id;
    const char *file;
    const MotionSpec *motions;
    size_t motion_count;
    LipsSpec lips;              /* without seed and last_frame, which scene_load sets */
    Placement placement;        /* place in the world, or relative to the bone it is attached to */
    const PlacementPoint *path; /* replaces its position and rotation; or NULL */
    uint32_t path_count;
    ModelKeys keys;                         /* as the path; also its scale, opacity and so on */
    const char *attach_model, *attach_bone; /* NULL: not attached; see below for a .vac */
    const AttachKeySpec *attach_keys;       /* instead of both; or NULL */
    size_t attach_key_count;
    float transparency;  /* 1 - opacity; keys replace it, and the next one */
    bool casts_nothing;  /* no shadows */
    bool casts_shadow;   /* also a scene, whose materials do not */
    bool flip_v;         /* of an accessory or scene: pictures upside down */
    bool has_edge_color; /* instead of that of the materials */
    float edge_color[3];
    bool physics;
    bool stage;                /* scenery: receives ground shadows and casts none */
    float edge_scale;          /* 1: MMD's edge width; 0: no edges */
    const NamedNumber *morphs; /* constant weights, applied last */
    size_t morph_count;
    const char *const *hide_materials;
    size_t hide_count;
    const EffectAssignment
        *effects; /* without one for the whole frame: the file beside the model */
    size_t effect_count;
    const char *key; /* "models.0", for messages */
} ModelSpec;

/*
 * An accessory whose file is a .vac is placed by the .vac first, then by `placement`.  When the
 * .vac names a bone and the job attaches the accessory to nothing, it is attached to the only model
 * (neither accessory nor stage) that has the bone, by its Japanese or English name; if no or
 * several models have it, it is not attached, with a warning. A stage ignores the bone.
 */

enum { SCENE_MAX_CASTING = 200000 }; /* triangles of a scene that casts shadows */

typedef enum IkFamily { IK_PLANE, IK_PMXE } IkFamily; /* evaluate/ik/README.md 1 and 2 */

typedef struct Compat {    /* rules that other programs disagree about */
    int curve_halvings;    /* 12 */
    IkFamily ik;           /* IK_PLANE */
    bool append_chain_own; /* append of an appended bone: its own motion too, or only its append */
    bool fixed_axis_keys;  /* project rotation keys of fixed-axis bones at load */
} Compat;

#define COMPAT_DEFAULT \
    ((Compat){.curve_halvings = CURVE_HALVINGS, .ik = IK_PLANE, .fixed_axis_keys = true})

typedef enum CameraKind { CAMERA_FOLLOW, CAMERA_FIXED, CAMERA_MOTION, CAMERA_PATH } CameraKind;

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
    CameraKind camera_kind; /* FOLLOW: film/follow_load.h adds the path to the loaded scene */
    MotionSpec camera_motion;
    CameraState camera_fixed;
    const CameraPoint *camera_path;
    uint32_t camera_path_count;
    const AttachKeySpec *camera_attach; /* bones whose position is added; or NULL */
    size_t camera_attach_count;
    SplineOrientation camera_orientation;
    MotionSpec light_motion; /* file NULL: the camera motion's light keys, else `light` */
    LightState light;
    const LightPoint *light_path; /* overrides all light keys; or NULL */
    uint32_t light_path_count;
    ShadowState shadow; /* if there are no self-shadow keys */
    Compat compat;
    PhysicsSpec physics;
    bool textures; /* load textures and effects; not needed for `pose` */
    EffectsMode effects;
    const EffectPackage *effect_packages;
    size_t effect_package_count;
    uint64_t vertices_before; /* of other scenes of the film, which limits.vertices covers, too */
    SceneLimits limits;
    DiagLocator locator;               /* of the keys of models, motions and cloths; or all zero */
    const volatile sig_atomic_t *stop; /* polled between files: not 0 ends loading; or NULL */
} SceneSpec;

/* ---- the loaded scene ---- */

typedef struct SceneModel {
    const Model *model; /* shared by all entries of one file */
    const char *id;
    ModelMotion motion;
    Lips lips;                         /* keys of these are in the motion */
    Placement placement;               /* from the job; scene_placement computes the complete one */
    PlacementSpline path;              /* replaces its position and rotation if count > 0 */
    ModelKeys keys;                    /* replace placement, transparency and casts_nothing */
    int32_t attach_model, attach_bone; /* -1: none */
    const AttachTrack *attach;         /* [attach_count] instead of both, over time */
    uint32_t attach_count;
    float transparency;
    bool casts_nothing, has_edge_color;
    float edge_color[3];
    bool physics;
    bool stage;
    float edge_scale;
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
    double last_frame; /* the last key of any motion or path, in film time */
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

/* Whether a frame depends on the frames before it: physics or cloth. */
bool scene_is_simulated(const Scene *scene);

/* Index of the model with this id, or -1. */
int32_t scene_find_model(const Scene *scene, const char *id);
