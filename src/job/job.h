/*
 * job.h - a job file, read: what to load, how to draw it, where it goes
 *
 * Plain values with the units of the file, in which options.c describes every key: angles in
 * degrees
 * (_deg), times in seconds (_s) or in motion frames, 30 a second.  All of it, texts too, is in the
 * arena of job_load.  Files named in a job are relative to the job file and are stored here as
 * paths to open; NULL where there is none.
 */
#ifndef JOB_JOB_H
#define JOB_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/diag.h"
#include "render/gl.h"
#include "scene/scene.h"

/* The largest output frame: 10 days at 100 a second, so that products with it fit 64 bits. */
enum { JOB_MAX_FRAME = 99999999 };

/* The largest number of outputs of a job; arrays with an entry per output have this length. */
enum { JOB_MAX_OUTPUTS = 8 };

typedef struct JobMotion {
    const char *file;
    double offset;  /* frames: where on the film's time line the motion's frame 0 lies */
    double speed;   /* > 0 */
    unsigned parts; /* MotionPart bits */
} JobMotion;

typedef struct JobMorph {
    const char *name;
    double weight;
} JobMorph;

typedef struct JobAttach {
    const char *model, *bone;
    double offset[3];
} JobAttach;

typedef struct JobMoment { /* of a point of a path; NaN: not given, and then the other one is */
    double time_s, frame;
    bool cut;
} JobMoment;

typedef struct JobPlacePoint {
    JobMoment moment;
    double position[3], rotation_deg[3];
    double velocity[3]; /* NaN: not given */
} JobPlacePoint;

typedef struct JobModel {
    const char *id; /* never NULL after job_load */
    const char *file;
    JobMotion *motions;
    size_t motion_count;
    double position[3], rotation_deg[3], scale;
    bool physics;
    double edge_scale;
    JobMorph *morphs;
    size_t morph_count;
    const char **hide_materials;
    size_t hide_count;
    JobAttach *attach;   /* NULL: stands in the world */
    JobPlacePoint *path; /* in place of position and rotation_deg */
    size_t path_count;
} JobModel;

typedef struct JobCapsule {
    const char *from, *to; /* bones */
    double radius;
} JobCapsule;

typedef struct JobClothShape {
    int form; /* ClothForm */
    int columns, rows;
    double radius[2], depth, width, length;
    double offset[3], rotation_deg[3];
    int hold; /* ClothEdge */
    double color[3];
    const char *texture;
    bool edge;
} JobClothShape;

typedef struct JobCloth {
    const char *model, *material; /* material or shape: one of both */
    double lining;
    JobClothShape *shape;
    const char *pin_bone; /* or NULL */
    const char **pin_bones;
    size_t pin_bone_count;
    JobCapsule *capsules;
    size_t capsule_count;
    bool bodies, floor;
    int integrator; /* index in INTEGRATORS */
    int substeps;   /* 0: as few as are stable */
    bool any_step;
    double mass, stiffness, shear, bend, damping, drag, air, wind[3], gust, gravity_scale;
    double contact, friction, thickness;
} JobCloth;

typedef struct JobCameraFixed {
    double target[3], distance, rotation_deg[3], fov_deg;
    bool orthographic;
} JobCameraFixed;

typedef struct JobCameraPoint {
    JobMoment moment;
    double eye[3], target[3], up[3], roll_deg, fov_deg;
    double velocity[3]; /* of the eye; NaN: not given */
} JobCameraPoint;

typedef struct JobCamera { /* at most one of the three; none: frames the models by itself */
    JobMotion *motion;
    JobCameraFixed *fixed;
    JobCameraPoint *path;
    size_t path_count;
    int orientation; /* SplineOrientation */
} JobCamera;

typedef struct JobLightPoint {
    JobMoment moment;
    double color[3], direction[3]; /* NaN: as without a path */
} JobLightPoint;

typedef struct JobLight {
    double color[3], direction[3];
    JobMotion *motion; /* NULL: the camera motion's light keys if it has any */
    JobLightPoint *path;
    size_t path_count;
} JobLight;

typedef struct JobShadows {
    bool ground, self;
    double ground_height;
    int map_size;
    double soft;
} JobShadows;

typedef struct JobBackground {
    double color[3];
    const char *image, *video; /* at most one */
    int fit;                   /* ImageFit */
    double video_offset_s;
    bool video_loop;
    bool alpha;
} JobBackground;

typedef struct JobPhysics {
    double gravity[3];
    int step_hz, cloth_hz;
    double warmup_s;
    bool floor, teleport_reset;
    const char *bake; /* "auto", "none" or a path */
} JobPhysics;

typedef struct JobCompat {
    int curve_halvings;
    int ik;           /* IkFamily */
    int append_chain; /* 0 appended, 1 own: hands its own motion on too */
    int fixed_axis;   /* 0 keys: projected at load, 1 off */
} JobCompat;

typedef enum JobSynth { SYNTH_BEEP, SYNTH_FLUIDSYNTH } JobSynth;

typedef struct JobAudio {
    const char *file;
    double offset_s, gain_db, fade_in_s, fade_out_s;
    /* of a MIDI file alone: */
    int synth; /* JobSynth */
    int voices;
    double slice_ms;
    bool percussion;
    const char *soundfont; /* or NULL */
} JobAudio;

typedef struct JobRational {
    int num, den; /* in lowest terms, both > 0 */
} JobRational;

typedef struct JobRange { /* output frames, first and last included */
    int64_t first, last;
} JobRange;

typedef struct JobFrames { /* rising, apart from each other; count 0: all */
    JobRange *items;
    size_t count;
} JobFrames;

typedef struct JobRender {
    int size[2];
    JobRational fps;
    JobFrames frames;
    int samples, supersample, anisotropy;
    int workers; /* 0: as many as cpu_quota_cores() */
    int gl;      /* GlBackend */
    bool edges;
    int transparency;       /* 0 mmd, 1 split */
    const char *shader_dir; /* NULL: the shaders built in */
} JobRender;

typedef struct JobOutput {
    const char *file;         /* "%05d" stands for the output frame's number */
    const char *codec;        /* "auto", "h264", ... */
    int crf;                  /* -1: the codec's own default */
    const char *preset;       /* or NULL */
    int gop;                  /* 0: two seconds */
    const char *pixel_format; /* "auto" or a libav name */
    const char *audio_codec;  /* "auto" */
    int audio_kbps;           /* 0: the codec's own default */
} JobOutput;

typedef enum JobPreviewType {
    PREVIEW_SHEET,
    PREVIEW_STILL,
    PREVIEW_WEBP,
    PREVIEW_GIF
} JobPreviewType;

typedef struct JobPreview {
    int type; /* JobPreviewType */
    const char *file;
    int cells[2]; /* columns, rows */
    int width;    /* pixels; 0: by the type */
    int frame;    /* output frame of a still; -1: the one at time_s */
    double time_s;
    JobRational fps;
    double range_s[2]; /* both 0: the whole film */
} JobPreview;

typedef struct JobBurnIn {
    const char *text; /* job/burn_in_text.h */
    int corner;       /* CaptionCorner */
    const char *font; /* or NULL */
} JobBurnIn;

typedef struct JobLimits {
    double frame_timeout_s;
    double total_timeout_s; /* 0: none */
    int memory_mib;
} JobLimits;

typedef struct JobValue { /* what a job says itself, in place of a default */
    const char *key;      /* "models.0.file" */
    const char *value;    /* as written, on one line */
    const char *source;   /* "job.yaml:14", "--set", "--workers", "command line" */
} JobValue;

typedef struct Job {
    const char *file; /* as given; for messages */
    JobValue *values; /* in the order of the table */
    size_t value_count;
    int version;
    const char *name; /* never NULL after job_load */
    JobModel *models;
    size_t model_count;
    JobModel *stage; /* drawn before the models */
    size_t stage_count;
    JobCloth *cloth;
    size_t cloth_count;
    JobCamera camera;
    JobLight light;
    JobShadows shadows;
    JobBackground background;
    JobPhysics physics;
    JobCompat compat;
    JobAudio *audio; /* NULL: silent */
    JobRender render;
    JobOutput *outputs;
    size_t output_count;
    JobPreview *previews;
    size_t preview_count;
    JobBurnIn *burn_in; /* NULL: none */
    JobLimits limits;
    const char **credits;
    size_t credit_count;
} Job;

typedef struct JobFlag { /* a flag that stands for a key */
    const char *name;    /* "--workers", for messages */
    const char *set;     /* "render.workers=4" */
} JobFlag;

/* What a job is made of: a file, or the files named on the command line; and what overrides it. */
typedef struct JobSource {
    const char *path;         /* the job file; or NULL, and then: */
    const char *const *files; /* models, each with the motions after it, a camera motion, a sound */
    size_t file_count;

    const struct YamlNode *const *layers; /* maps of dotted keys, laid over it before the sets */
    size_t layer_count;
    const char *const *sets; /* "dotted.key=value", the value YAML: "render.size=[640,360]" */
    size_t set_count;
    const JobFlag *flags; /* laid over all sets, wherever they stood */
    size_t flag_count;
    const char *output; /* in place of the job's outputs, relative to the working folder; or NULL */
    bool needs_output;  /* false: a job without one is fine (pose, check) */
} JobSource;

/*
 * Reads, checks and fills in defaults; up to 20 errors are told, each with file:line:column.
 * Errors: DIAG_JOB; DIAG_MISSING when a file cannot be read; DIAG_USAGE for files of no known kind.
 */
bool job_load(Job *job, const JobSource *source, Arena *arena, Diag *diag);

/* Is this the name of a job file (.yaml, .yml, .json), not of a model or motion? */
bool job_is_job_name(const char *path);

/* What scene_load needs of the job: stages before models. */
bool job_scene_spec(SceneSpec *spec, const Job *job, bool pictures, Arena *arena, Diag *diag);

#endif
