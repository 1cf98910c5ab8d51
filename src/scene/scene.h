/*
 * scene.h - everything of a job that can be seen, loaded once
 *
 * A SceneSpec says in plain values what to load (job/ fills it from the job file); scene_load opens
 * every file and joins names to indices.  A loaded Scene is const for the rest of the run and is
 * shared by forked workers.  It lives in the arena of scene_load.
 */
#ifndef SCENE_SCENE_H
#define SCENE_SCENE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "scene/camera.h"
#include "scene/cloth.h"
#include "scene/dynamics.h"
#include "scene/model.h"
#include "scene/motion.h"
#include "scene/key_spline.h"
#include "scene/placement.h"

/* ---- what to load ---- */

typedef struct MotionSpec {
    const char *file; /* path to open */
    TimeMap time;     /* {0, 1} as it is */
    unsigned parts;   /* MotionPart bits */
} MotionSpec;

typedef struct MorphSpec { /* constant weight, applied last */
    const char *name;
    float weight;
} MorphSpec;

typedef struct ModelSpec {
    const char *id;
    const char *file;
    const MotionSpec *motions;
    size_t motion_count;
    Placement placement;        /* of the model, or relative to the bone it is attached to */
    const PlacementPoint *path; /* in place of its position and rotation; or NULL */
    uint32_t path_count;
    const char *attach_model, *attach_bone; /* NULL: stands in the world; see below for a .vac */
    bool physics;
    bool stage;       /* scenery: ground shadows fall on it, it casts none */
    float edge_scale; /* 1: MMD's edge width; 0: no edges */
    const MorphSpec *morphs;
    size_t morph_count;
    const char *const *hide_materials;
    size_t hide_count;
} ModelSpec;

/*
 * An accessory whose file is a .vac is placed by it first, then by `placement`.  When the .vac
 * names a bone and the job attaches the accessory to nothing, it is carried by the one model (no
 * accessory, no stage) that has the bone, by its Japanese or English name; if none or several have,
 * it stands in the world, with a warning.  On a stage the bone means nothing.
 */

typedef enum IkFamily { IK_PLANE, IK_PMXE } IkFamily; /* evaluate/README.md 4 and 5 */

typedef struct Compat {    /* the disputed rules */
    int curve_halvings;    /* 12 */
    IkFamily ik;           /* IK_PLANE */
    bool append_chain_own; /* false: hand on the appended part only; true: with the bone's own
                              motion */
    bool fixed_axis_keys;  /* true: project keys at load */
} Compat;

#define COMPAT_DEFAULT \
    ((Compat){.curve_halvings = CURVE_HALVINGS, .ik = IK_PLANE, .fixed_axis_keys = true})

typedef enum CameraKind { CAMERA_AUTO, CAMERA_FIXED, CAMERA_MOTION, CAMERA_PATH } CameraKind;

typedef struct SceneSpec {
    const ModelSpec *models; /* in draw order; stages before models */
    size_t model_count;
    const ClothSpec *cloths; /* all with the same step_hz */
    size_t cloth_count;
    CameraKind camera_kind; /* AUTO: frames the models sensibly over the film */
    MotionSpec camera_motion;
    CameraState camera_fixed;
    const CameraPoint *camera_path;
    uint32_t camera_path_count;
    SplineOrientation camera_orientation;
    const char *light_motion; /* NULL: the camera motion's light keys if it has any, else `light` */
    TimeMap light_time;
    LightState light;
    const LightPoint *light_path; /* before all light keys; or NULL */
    uint32_t light_path_count;
    ShadowState shadow; /* used without self-shadow keys */
    Compat compat;
    PhysicsSpec physics;
    bool pictures; /* load textures; false for `pose` */
} SceneSpec;

/* ---- what is loaded ---- */

typedef struct SceneModel {
    const Model *model; /* two entries of one file share it */
    const char *id;
    ModelMotion motion;
    Placement placement;  /* as the job says; scene_placement for the whole of it */
    PlacementSpline path; /* in place of its position and rotation; count 0: it stands still */
    int32_t attach_model, attach_bone; /* -1: none */
    bool physics;
    bool stage;
    float edge_scale;
    float *morph_constants; /* [morph_count]; NaN: not set by the job */
    bool *hidden;           /* [material_count] */
    bool soft; /* its soft bodies are simulated; their vertices come first in the list below */
    uint32_t *cloth_vertices; /* of soft bodies, then of cloth, piece after piece */
    uint32_t cloth_vertex_count;
} SceneModel;

typedef struct Scene {
    SceneModel *models; /* those of the spec, then those that cloth made: "cloth-0" and so on */
    size_t model_count;
    ClothPlan *cloths;
    size_t cloth_count;
    uint32_t *attach_order;   /* models such that what one is attached to comes first */
    CameraSpline camera_path; /* leads where it has points, else the track */
    CameraTrack camera_track;
    CameraState camera;     /* without keys */
    LightSpline light_path; /* the same */
    LightTrack light_track;
    LightState light;
    ShadowTrack shadow_track;
    ShadowState shadow;
    Compat compat;
    PhysicsSpec physics;
    double last_frame; /* the last key of any motion or path, on the film's time line */
} Scene;

/* Tells every problem that it can before it returns false. */
bool scene_load(Scene *scene, const SceneSpec *spec, Arena *arena, Diag *diag);

/* The placement of a model at a frame, from its .vac file, the job and its path: in the world, or
 * relative to the bone that it is attached to. */
static inline Placement scene_placement(const SceneModel *model, double frame)
{
    return placement_at(&model->placement, &model->path, model->model->vac, frame);
}

/* By id; or -1. */
int32_t scene_find_model(const Scene *scene, const char *id);

#endif
