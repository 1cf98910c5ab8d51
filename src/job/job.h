/*
 * job.h - the contents of a job file: what to load, how to render it, where to write it
 *
 * Plain values in the units of the file; options.c describes every key.  Angles are in degrees
 * (_deg), times in seconds (_s) or in motion frames (30 per second).  Everything, including texts,
 * is in the arena of job_load.  Paths in a job file are relative to it; here they are paths that
 * can be opened, NULL if there is none.  Read-only after job_load, so threads may share it.
 */
#ifndef JOB_JOB_H
#define JOB_JOB_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "job/host_limits.h"
#include "job/job_look.h"
#include "render/gl/gl.h"
#include "sandbox/sandbox.h"
#include "scene/scene.h"

/* The largest output frame number: 10 days at 100 frames/s, so that products with it fit 64 bits.
 */
enum { JOB_MAX_FRAME = 99999999 };

/* The largest number of outputs of a job; arrays with an entry per output have this length. */
enum { JOB_MAX_OUTPUTS = 16 };

typedef struct JobRename {
    const char *from, *to; /* names of bones or morphs: in the motion, in the model */
} JobRename;

typedef struct JobMotion {
    const char *file;
    double offset;  /* frames: position of the motion's frame 0 in the film */
    double speed;   /* > 0 */
    unsigned parts; /* MotionPart bits */
    int legs;       /* MocapLegs */
    JobRename *renames;
    size_t rename_count;
} JobMotion;

typedef struct JobMorph {
    const char *name;
    double weight;
} JobMorph;

typedef struct JobAttach {
    const char *model, *bone;
    double offset[3];
} JobAttach;

typedef struct JobPointTime { /* of a key point: one of both is given, the other is NaN */
    double time_s, frame;
    bool cut;
} JobPointTime;

typedef struct JobAttachKey {
    JobPointTime time;
    const char *own_bone;     /* NULL: the whole model */
    const char *model, *bone; /* both NULL: carried by nothing */
} JobAttachKey;

typedef struct JobModelKey { /* NaN: that of the model */
    JobPointTime time;
    double position[3], rotation_deg[3], scale, opacity;
    bool shadow, visible;
} JobModelKey;

typedef struct JobPlacementPoint {
    JobPointTime time;
    double position[3], rotation_deg[3];
    double velocity[3]; /* NaN: not given */
} JobPlacementPoint;

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
    JobAttach *attach;         /* NULL: placed in the world */
    JobAttachKey *attach_keys; /* instead of attach */
    size_t attach_key_count;
    JobPlacementPoint *path; /* instead of position and rotation_deg */
    size_t path_count;
    JobModelKey *keys; /* instead of the path */
    size_t key_count;
    double opacity;
    bool shadow;
    double edge_color[3]; /* NaN: those of the materials */
} JobModel;

typedef struct JobCapsule {
    const char *from, *to; /* bones; NULL: capsules fitted to the mesh */
    double radius;
} JobCapsule;

typedef struct JobClothShape {
    int form; /* ClothForm */
    int columns, rows;
    double radius[2], depth, width, length, thickness;
    double offset[3], rotation_deg[3];
    int hold; /* ClothEdge */
    double color[3];
    const char *texture;
    bool edge;
} JobClothShape;

typedef struct JobCloth {
    const char *model, *material; /* exactly one of material and shape is given */
    double lining;
    JobClothShape *shape;
    const char *pin_bone; /* or NULL */
    const char **pin_bones;
    size_t pin_bone_count;
    JobCapsule *capsules;
    size_t capsule_count;
    bool bodies, floor;
    int integrator; /* index in INTEGRATORS */
    int substeps;   /* 0: the smallest stable number */
    bool any_step;
    double mass, stiffness, shear, bend, damping, drag, air, wind[3], gust, gravity_scale;
    double inertia, contact, friction, thickness;
    bool self_collision;
} JobCloth;

typedef struct JobCameraFixed {
    double target[3], distance, rotation_deg[3], fov_deg;
    bool orthographic;
} JobCameraFixed;

typedef struct JobCameraPoint {
    JobPointTime time;
    double eye[3], target[3], up[3], roll_deg, fov_deg;
    double velocity[3]; /* of the eye; NaN: not given */
} JobCameraPoint;

typedef struct JobCamera { /* at most one of motion, fixed and path; none: the camera follows the
                              models */
    JobMotion *motion;
    JobCameraFixed *fixed;
    JobCameraPoint *path;
    size_t path_count;
    int orientation;   /* SplineOrientation */
    JobAttach *attach; /* at most one of both */
    JobAttachKey *attach_keys;
    size_t attach_key_count;
    /* of a following camera: */
    const char **follow; /* ids; count 0: models that move */
    size_t follow_count;
    const char **shots; /* "full" ... "face"; count 0: full, or various with cuts */
    size_t shot_count;
    double smooth_s, margin, rotation_deg[3], fov_deg;
    double cuts; /* seconds; 0 none; -1: on beats of the sound */
} JobCamera;

typedef struct JobLightPoint {
    JobPointTime time;
    double color[3], direction[3]; /* NaN: those of the light */
} JobLightPoint;

typedef struct JobLight {
    double color[3], direction[3];
    JobMotion *motion; /* NULL: light keys of the camera motion, if it has any */
    JobLightPoint *path;
    size_t path_count;
} JobLight;

typedef struct JobShadows {
    bool ground, self;
    double ground_height, ground_brightness, ground_opacity;
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

typedef struct JobGravityKey { /* NaN: those of the physics */
    JobPointTime time;
    double gravity[3], noise;
} JobGravityKey;

typedef struct JobPhysics {
    bool enabled;
    double gravity[3], gravity_noise;
    JobGravityKey *gravity_keys;
    size_t gravity_key_count;
    int step_hz, cloth_hz;
    double warmup_s;
    bool floor, teleport_reset;
    const char *bake; /* "auto", "none" or a path */
} JobPhysics;

typedef struct JobCompat {
    int curve_halvings;
    int ik;           /* IkFamily */
    int append_chain; /* 0 appended, 1 own: passes on its own motion too */
    int fixed_axis;   /* 0 keys: keys are projected when loaded; 1 off */
} JobCompat;

typedef enum JobSynth { SYNTH_BEEP, SYNTH_FLUIDSYNTH } JobSynth;

typedef struct JobAudio {
    const char *file;
    double offset_s, gain_db, fade_in_s, fade_out_s;
    /* only for MIDI files: */
    int synth; /* JobSynth */
    int voices;
    double slice_ms;
    bool percussion;
    const char *soundfont; /* or NULL */
} JobAudio;

typedef struct JobSubtitles {
    const char *file;
    double offset_s;  /* added to the times of the file */
    const char *font; /* FONT_AUTO or a font file */
    double scale;     /* of the sizes */
} JobSubtitles;

typedef struct JobRational {
    int num, den; /* in lowest terms, both > 0 */
} JobRational;

typedef struct JobRange { /* output frames, first and last included */
    int64_t first, last;
} JobRange;

typedef struct JobFrames { /* ascending, not overlapping; count 0: all frames */
    JobRange *items;
    size_t count;
} JobFrames;

/* Samples per pixel that a film has without render.samples and render.supersample. */
typedef enum JobQuality { QUALITY_DRAFT, QUALITY_GOOD, QUALITY_BEST } JobQuality;

typedef struct JobRender {
    int size[2];
    JobRational fps;
    JobFrames frames;
    int quality;              /* JobQuality */
    int samples, supersample; /* job_load replaces "auto" */
    int anisotropy;
    int workers; /* 0: cpu_quota_cores() */
    int gl;      /* GlBackend */
    bool edges;
    int transparency;       /* 0 mmd, 1 split */
    const char *shader_dir; /* NULL: the built-in shaders */
} JobRender;

typedef struct JobOutput {
    const char *file;    /* "%05d" is replaced by the number of the output frame */
    const char *format;  /* as in SinkOptions: "auto", "nut", "matroska", ... */
    int pass;            /* Pass */
    const char **passes; /* of an image with layers; count 0: `pass` alone */
    size_t pass_count;
    const char *codec;        /* "auto", "h264", ... */
    int crf;                  /* -1: the default of the codec */
    const char *preset;       /* or NULL */
    int gop;                  /* 0: see sink_gop() */
    const char *pixel_format; /* "auto" or a libav name */
    const char *audio_codec;  /* "auto" */
    int audio_kbps;           /* 0: the default of the codec */
} JobOutput;

/* The data window of files of layers. */
enum { JOB_WINDOW_IMAGE, JOB_WINDOW_DRAWN };

typedef struct JobPasses {
    int depth;        /* 0 inverse, 1 linear */
    int window;       /* JOB_WINDOW_... */
    double near, far; /* of the depth pass, MMD units; NaN: by the models */
    JobRename *bones; /* of the pose: names of the models by MMD's */
    size_t bone_count;
} JobPasses;

typedef enum JobPreviewType {
    PREVIEW_SHEET,
    PREVIEW_STILL,
    PREVIEW_WEBP,
    PREVIEW_GIF
} JobPreviewType;

typedef enum JobLabelFont { LABELS_AUTO, LABELS_BUILT_IN } JobLabelFont;

typedef struct JobPreview {
    int type; /* JobPreviewType */
    const char *file;
    int cells[2]; /* columns, rows */
    int width;    /* pixels; 0: the default of the type */
    int frame;    /* output frame of a still; -1: the frame at time_s */
    double time_s;
    JobRational fps;
    double range_s[2]; /* both 0: the whole film */
    int font;          /* JobLabelFont, of a sheet */
} JobPreview;

#define FONT_AUTO "auto" /* fonts of this machine */

typedef struct JobBurnIn {
    const char *text; /* job/burn_in_text.h */
    int corner;       /* CaptionCorner */
    const char *font; /* or NULL */
} JobBurnIn;

typedef struct JobLimits {
    double frame_timeout_s;
    double total_timeout_s; /* 0: none */
    int memory_mib;
    int sandbox; /* SandboxMode */
    /* Of each value, for messages: "limits.memory_mib", or "memory_mib: limits.yaml:3". */
    const char *frame_origin, *total_origin, *memory_origin;
} JobLimits;

typedef struct JobWarnings { /* sets of classes, bits of WarningClass */
    unsigned strict, hide;
} JobWarnings;

typedef struct JobValue { /* a key that is not a default */
    const char *key;      /* "models.0.file" */
    const char *value;    /* as written, on one line */
    const char *source;   /* "job.yaml:14", "--set", "--workers", "command line" */
} JobValue;

typedef struct Job {
    const char *file;            /* as given; for messages */
    const struct YamlNode *root; /* the tree it was read from (job_location.h); NULL: none */
    JobValue *values;            /* in the order of the table */
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
    JobLook look;
    JobPhysics physics;
    JobCompat compat;
    JobAudio *audio; /* NULL: silent */
    JobRender render;
    JobOutput *outputs;
    size_t output_count;
    JobPasses passes;
    JobPreview *previews;
    size_t preview_count;
    JobBurnIn *burn_in;      /* NULL: none */
    JobSubtitles *subtitles; /* NULL: none */
    JobLimits limits;        /* lowered to those of the host */
    JobWarnings warnings;
    const char **credits;
    size_t credit_count;
    HostLimits host;
    const volatile sig_atomic_t *stop; /* JobSource.stop */
} Job;

typedef struct JobFlag { /* a command line flag that sets a key */
    const char *name;    /* "--workers", for messages */
    const char *set;     /* "render.workers=4" */
} JobFlag;

/* Reads files of other programs as the text of a job. */
typedef struct JobConverter {
    bool (*matches)(const char *path);
    bool (*convert)(Bytes *text, void *user, const char *path, Arena *arena, Diag *diag);
    void *user;
} JobConverter;

/* The sources of a job: a job file, or the files of a command line; and what overrides it. */
typedef struct JobSource {
    const char *path;         /* the job file, "-" for standard input; NULL: `files` */
    const char *const *files; /* models, each followed by its motions; a camera motion; a sound */
    size_t file_count;

    const struct YamlNode *const *layers; /* maps of dotted keys, applied before `sets` */
    size_t layer_count;
    const char *const *sets; /* "dotted.key=value" with a YAML value: "render.size=[640,360]" */
    size_t set_count;
    const JobFlag *flags; /* applied after all sets */
    size_t flag_count;
    const char *output; /* replaces all outputs; relative to the current directory; or NULL */
    const char *output_format;         /* its format, or NULL: by its extension */
    const JobConverter *converter;     /* of files at `path`; or NULL */
    bool needs_output;                 /* false: a job without outputs is valid (pose, check) */
    const HostLimits *host;            /* NULL: the defaults */
    const volatile sig_atomic_t *stop; /* polled by long loops that load or evaluate; or NULL */
} JobSource;

/* The name of a job from standard input in messages. */
#define JOB_STDIN_NAME "<stdin>"

/* The name of the source in messages. */
const char *job_source_name(const JobSource *source);

/*
 * Reads and checks a job and fills in defaults.  Reports up to 20 errors, each with
 * file:line:column.
 * Errors: DIAG_JOB; DIAG_MISSING when a file cannot be read; DIAG_USAGE for files of an unknown
 * kind.
 */
bool job_load(Job *job, const JobSource *source, Arena *arena, Diag *diag);

/* The font file that burn_in names; NULL if there is none or the font is installed. */
const char *job_burn_in_font(const Job *job);

/* The same for the subtitles. */
const char *job_subtitle_font(const Job *job);

/* Whether fonts are chosen among those of this machine. */
bool job_uses_installed_fonts(const Job *job);

/* True unless the name is that of a model, motion or sound: a job file (.yaml, .yml, .json). */
bool job_is_job_name(const char *path);

/* True for a name that ends in .yaml, .yml or .json. */
bool job_has_job_extension(const char *path);

#endif
