// SPDX-License-Identifier: MIT
/*
 * pmx.h - a model as stored in its file (PMX 2.0 and 2.1; PMD and .x files are converted to it)
 *
 * Coordinates are those of MMD: left-handed, +y up, lengths in MMD units, angles in radians,
 * quaternions x y z w.  All memory is in the arena given to the loader.  The functions keep no
 * state; a loaded model may be read by several threads.
 *
 * After a successful load (format/model/README.md 2 and 6):
 *   - every float is finite and within PMX_MAX_VALUE or PMX_MAX_FORCE; every index is in range, or
 * -1 where the field allows it
 *   - texts are valid UTF-8 without NUL, "" if empty
 *   - the weights of a vertex sum to 1 (BDEF4 and QDEF: divided by their sum); a bone slot that is
 *     out of range has weight 0 and bone 0
 *   - a model that has vertices has a bone
 *   - normals are as in the file, except that zero normals are replaced by +y
 *   - parents form no cycle; material ranges are inside `indices` and are complete triangles
 *   - a fixed axis has unit length or is 0; the rotation of a bone morph is a unit quaternion
 *   - UV morphs refer only to extra UVs that the model has
 * Each repair is reported to the Diag as a warning.
 *
 * Damage up to the last bone is an error.  Damage after the bones is a warning: the complete
 * records are kept, the rest of the file is ignored.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "format/model/mtoon.h"
#include "format/model/vrm_rig.h"

enum { PMX_MAX_WEIGHTS = 4, PMX_MAX_EXTRA_UV = 4, PMX_NONE = -1 };

enum {
    PMX_MAX_EMISSION = 10000,
    PMX_MAX_VALUE = 1000000,   /* magnitude of coordinates, angles, colors, ratios, ... */
    PMX_MAX_FORCE = 1000000000 /* magnitude of masses, springs and impulses */
};

typedef enum PmxDeform { PMX_BDEF1, PMX_BDEF2, PMX_BDEF4, PMX_SDEF, PMX_QDEF } PmxDeform;

typedef struct PmxVertex {
    float position[3];
    float normal[3];
    float uv[2];
    float edge_scale;
    uint8_t deform; /* PmxDeform */
    int32_t bones[PMX_MAX_WEIGHTS];
    float weights[PMX_MAX_WEIGHTS];
    float sdef_c[3], sdef_r0[3], sdef_r1[3]; /* SDEF only */
} PmxVertex;

typedef enum PmxMaterialFlag {
    PMX_DOUBLE_SIDED = 0x01,
    PMX_GROUND_SHADOW = 0x02,
    PMX_CAST_SHADOW = 0x04,
    PMX_RECEIVE_SHADOW = 0x08,
    PMX_EDGE = 0x10,
    PMX_VERTEX_COLOR = 0x20, /* 2.1, extra UV 1 */
    PMX_POINTS = 0x40,
    PMX_LINES = 0x80
} PmxMaterialFlag;

typedef enum PmxSphereMode {
    PMX_SPHERE_OFF,
    PMX_SPHERE_MULTIPLY,
    PMX_SPHERE_ADD,
    PMX_SPHERE_SUB_TEXTURE
} PmxSphereMode;

/* What materials of scenes have beside those of MMD. */
typedef enum PmxMap {
    PMX_MAP_EMISSION,  /* a color (sRGB), which multiplies the emission */
    PMX_MAP_OCCLUSION, /* red: the share of the light from everywhere that arrives */
    PMX_MAPS
} PmxMap;

typedef struct PmxLightMaps {
    float emission[3];          /* linear, at most PMX_MAX_EMISSION; added to the finished color */
    float occlusion;            /* strength of the map, 0..1 */
    int32_t textures[PMX_MAPS]; /* index in textures, or -1: white; 0 means nothing if unused */
    bool used;
} PmxLightMaps;

typedef struct PmxMaterial {
    const char *name, *name_en, *memo;
    float diffuse[4], specular[3], specular_power, ambient[3];
    uint8_t flags; /* PmxMaterialFlag */
    float edge_color[4], edge_size;
    int32_t texture, sphere_texture; /* index in textures, or -1 */
    uint8_t sphere_mode;             /* PmxSphereMode */
    bool shared_toon;                /* toon: 0..9 for toon01..toon10, else a texture or -1 */
    int32_t toon;
    uint32_t first_index, index_count; /* range of `indices`; count a multiple of 3 */
    const Mtoon *mtoon;                /* shading of VRM instead; NULL: that of MMD */
    PmxLightMaps maps;                 /* of scenes; not with mtoon */
} PmxMaterial;

typedef enum PmxBoneFlag {
    PMX_BONE_TAIL_IS_BONE = 0x0001,
    PMX_BONE_ROTATABLE = 0x0002,
    PMX_BONE_MOVABLE = 0x0004,
    PMX_BONE_VISIBLE = 0x0008,
    PMX_BONE_OPERABLE = 0x0010,
    PMX_BONE_IK = 0x0020,
    PMX_BONE_APPEND_LOCAL = 0x0080,
    PMX_BONE_APPEND_ROTATION = 0x0100,
    PMX_BONE_APPEND_TRANSLATION = 0x0200,
    PMX_BONE_FIXED_AXIS = 0x0400,
    PMX_BONE_LOCAL_AXES = 0x0800,
    PMX_BONE_AFTER_PHYSICS = 0x1000,
    PMX_BONE_EXTERNAL_PARENT = 0x2000
} PmxBoneFlag;

typedef struct PmxIkLink {
    int32_t bone;
    bool limited;
    float lower[3], upper[3]; /* radians, lower <= upper */
} PmxIkLink;

typedef struct PmxIk {
    int32_t effector;
    int32_t loops;    /* 0..256 */
    float unit_angle; /* largest rotation per step, radians; 0: not limited */
    PmxIkLink *links; /* nearest to the effector first */
    uint32_t link_count;
} PmxIk;

typedef struct PmxBone {
    const char *name, *name_en;
    float position[3]; /* absolute rest position */
    int32_t parent;
    int32_t layer;
    uint16_t flags;        /* PmxBoneFlag */
    int32_t tail_bone;     /* or -1 */
    float tail_offset[3];  /* if the tail is not a bone */
    int32_t append_source; /* bone, or -1 */
    float append_ratio;
    float fixed_axis[3]; /* unit length; zero: not restricted */
    float local_x[3], local_z[3];
    int32_t external_key;
    PmxIk ik; /* with PMX_BONE_IK */
} PmxBone;

typedef enum PmxMorphType {
    PMX_MORPH_GROUP,
    PMX_MORPH_VERTEX,
    PMX_MORPH_BONE,
    PMX_MORPH_UV,
    PMX_MORPH_UV1, /* extra UV 1..4 are consecutive */
    PMX_MORPH_UV2,
    PMX_MORPH_UV3,
    PMX_MORPH_UV4,
    PMX_MORPH_MATERIAL,
    PMX_MORPH_FLIP,
    PMX_MORPH_IMPULSE
} PmxMorphType;

typedef struct PmxGroupOffset { /* group and flip */
    int32_t morph;
    float ratio;
} PmxGroupOffset;

typedef struct PmxVertexOffset {
    uint32_t vertex;
    float offset[3];
} PmxVertexOffset;

typedef struct PmxBoneOffset {
    int32_t bone;
    float translation[3], rotation[4];
} PmxBoneOffset;

typedef struct PmxUvOffset {
    uint32_t vertex;
    float offset[4];
} PmxUvOffset;

typedef struct PmxMaterialOffset {
    int32_t material; /* -1: all */
    uint8_t add;      /* 0 multiply, 1 add */
    float diffuse[4], specular[3], specular_power, ambient[3];
    float edge_color[4], edge_size;
    float texture[4], sphere[4], toon[4];
} PmxMaterialOffset;

typedef struct PmxImpulseOffset {
    int32_t body;
    uint8_t local;
    float velocity[3], torque[3];
} PmxImpulseOffset;

typedef struct PmxMorph {
    const char *name, *name_en;
    uint8_t panel, type; /* type: PmxMorphType, selects the pointer below */
    uint32_t count;
    union {
        PmxGroupOffset *group; /* also flip */
        PmxVertexOffset *vertex;
        PmxBoneOffset *bone;
        PmxUvOffset *uv; /* all five UV kinds */
        PmxMaterialOffset *material;
        PmxImpulseOffset *impulse;
    } offsets;
} PmxMorph;

typedef struct PmxDisplayItem {
    bool is_morph;
    int32_t index;
} PmxDisplayItem;

typedef struct PmxDisplayFrame {
    const char *name, *name_en;
    bool special;
    PmxDisplayItem *items;
    uint32_t item_count;
} PmxDisplayFrame;

typedef enum PmxShape { PMX_SPHERE, PMX_BOX, PMX_CAPSULE } PmxShape;
typedef enum PmxBodyMode { PMX_FOLLOW_BONE, PMX_PHYSICS, PMX_PHYSICS_WITH_BONE } PmxBodyMode;

typedef struct PmxBody {
    const char *name, *name_en;
    int32_t bone;
    uint8_t group; /* 0..15 */
    uint16_t mask; /* bit k: collides with group k */
    uint8_t shape; /* PmxShape */
    float size[3]; /* sphere: radius; box: half extents; capsule: radius, height without caps */
    float position[3], rotation[3]; /* absolute; Euler, R = Ry Rx Rz */
    float mass, linear_damping, angular_damping, restitution, friction;
    uint8_t mode; /* PmxBodyMode */
} PmxBody;

typedef enum PmxJointType {
    PMX_JOINT_SPRING_6DOF,
    PMX_JOINT_6DOF,
    PMX_JOINT_POINT,
    PMX_JOINT_CONE_TWIST,
    PMX_JOINT_SLIDER,
    PMX_JOINT_HINGE
} PmxJointType;

typedef struct PmxJoint {
    const char *name, *name_en;
    uint8_t type;           /* PmxJointType */
    int32_t body_a, body_b; /* both -1: the joint must be ignored */
    float position[3], rotation[3];
    float linear_lower[3], linear_upper[3], angular_lower[3], angular_upper[3];
    float linear_spring[3], angular_spring[3];
} PmxJoint;

typedef enum PmxSoftShape { PMX_SOFT_MESH, PMX_SOFT_ROPE } PmxSoftShape;

enum { /* flags of a soft body */
       PMX_SOFT_B_LINK = 1,
       PMX_SOFT_CLUSTERS = 2,
       PMX_SOFT_HYBRID = 4
};

typedef struct PmxSoftAnchor {
    int32_t body;
    uint32_t vertex;
    uint8_t near_mode;
} PmxSoftAnchor;

typedef struct PmxSoftBody { /* 2.1 */
    const char *name, *name_en;
    uint8_t shape; /* PmxSoftShape */
    int32_t material;
    uint8_t group;
    uint16_t mask;
    uint8_t flags; /* PMX_SOFT_... */
    int32_t b_link_distance, cluster_count;
    float mass, margin;
    int32_t aero_model;
    float config[12];      /* VCF DP DG LF PR VC DF MT CHR KHR SHR AHR */
    float cluster[6];      /* SRHR SKHR SSHR SR_SPLT SK_SPLT SS_SPLT */
    int32_t iterations[4]; /* V P D C */
    float stiffness[3];    /* LST AST VST */
    PmxSoftAnchor *anchors;
    uint32_t anchor_count;
    uint32_t *pins; /* vertices */
    uint32_t pin_count;
} PmxSoftBody;

typedef enum PmxAlpha {
    PMX_ALPHA_AS_STORED,
    PMX_ALPHA_OPAQUE, /* every pixel is opaque */
    PMX_ALPHA_MASK    /* pixels with at least `cutoff` are opaque, the others transparent */
} PmxAlpha;

/* What is outside of a picture, in each direction. */
typedef enum PmxWrap { PMX_REPEAT, PMX_MIRROR, PMX_CLAMP, PMX_WRAPS } PmxWrap;

/* A texture of a format that may contain pictures itself. */
typedef struct PmxTexture {
    const char *name; /* path as in the file */
    Bytes embedded;   /* the picture, encoded; data NULL: it is in a file */
    uint8_t alpha;    /* PmxAlpha */
    uint8_t wrap[2];  /* PmxWrap along u and v */
    float cutoff;
} PmxTexture;

typedef struct PmxModel {
    float version; /* 2.0 or 2.1; 1.0 for a converted PMD */
    bool from_pmd;
    bool accessory; /* from a .x file or of a scene: shaded without toon; ambient is the emissive
                     * color */
    const char *ignored; /* parts of the file that are not used, as "2 normal maps"; NULL: none */
    const char *name, *name_en, *comment, *comment_en;

    PmxVertex *vertices;
    uint32_t vertex_count;
    uint32_t extra_uv_count;
    float (*extra_uv[PMX_MAX_EXTRA_UV])[4]; /* [channel][vertex][4] */
    float (*map_uv)[2 * PMX_MAPS]; /* [vertex] u and v of each PmxMap; NULL: no material has one */
    uint32_t *indices;
    uint32_t index_count;
    const char **textures;             /* paths as in the file, UTF-8 */
    const PmxTexture *texture_sources; /* [texture_count]; NULL: all are files, alpha as stored */
    uint32_t texture_count;
    PmxMaterial *materials;
    uint32_t material_count;
    PmxBone *bones;
    uint32_t bone_count;
    PmxMorph *morphs;
    uint32_t morph_count;
    PmxDisplayFrame *display_frames;
    uint32_t display_frame_count;
    PmxBody *bodies;
    uint32_t body_count;
    PmxJoint *joints;
    uint32_t joint_count;
    PmxSoftBody *soft_bodies;
    uint32_t soft_body_count;
    const VrmRig *rig; /* of a VRM figure; NULL for others */
} PmxModel;

static inline bool pmx_texture_is_embedded(const PmxModel *model, uint32_t index)
{
    return model->texture_sources && model->texture_sources[index].embedded.data;
}

/* Parses a file.  The caller has set the file of `diag`.  `bytes` may be freed afterwards. */
bool pmx_load(PmxModel *model, Bytes bytes, Arena *arena, Diag *diag);

typedef struct PmxWriteOptions {
    bool utf8;      /* texts in UTF-8 instead of UTF-16LE */
    int index_size; /* least size of all indices, 1, 2 or 4 bytes; 0: smallest possible */
} PmxWriteOptions;

/* The bytes of a file of PMX 2.0, or of 2.1 if the model needs it; the model must satisfy this
 * page.
 */
Bytes pmx_write(const PmxModel *model, PmxWriteOptions options, Arena *arena);
