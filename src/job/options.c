#include "job/options.h"

#include <string.h>

#include "job/job.h"
#include "job/option_rows.h"

/* One line for the type, default and range of a key and one for its help read best. */
/* clang-format off */

#define OFFSET_S RANGE(-1e5, 1e5), .unit = "s"

/* ---- models ---- */

static const char *const motion_parts[] = {"bones", "morphs", "properties", NULL};
static const char *const mocap_legs[] = {"fk", "ik", NULL};

#define MOTION_OFFSET                                                                             \
    {FIELD(JobMotion, offset), T(NUMBER), .value = "0", RANGE(-1e7, 1e7),                         \
     .unit = "frames of 1/30 s",                                                                  \
     .help = "position of the motion's frame 0 in the film"}
#define MOTION_SPEED                                                                              \
    {FIELD(JobMotion, speed), T(NUMBER), .value = "1", RANGE(0.01, 100),                          \
     .help = "playback speed; 2 is twice as fast"}

static const Option motion_rows[] = {
    {FIELD(JobMotion, file), T(PATH), .help = "path of a motion (.vmd), a pose (.vpd) or motion capture (.bvh, .vrma)"},
    MOTION_OFFSET,
    MOTION_SPEED,
    {.key = "only", T(FLAGS), .offset = offsetof(JobMotion, parts),
     .value = "[bones, morphs, properties]", .choices = motion_parts,
     .help = "kinds of keys that are used; properties are visibility and IK switches"},
    {.key = "rename", T(RENAMES), COUNTED(JobMotion, renames, rename_count), .value = "{}",
     .help = "names of the model by names of bones and morphs in the motion"},
    {FIELD(JobMotion, legs), T(CHOICE), .value = "fk", .choices = mocap_legs,
     .help = "how motion capture moves legs: by their rotations, with IK off, or by targets of "
             "foot IK"},
};
static const OptionTable motion_table = TABLE(motion_rows, JobMotion, "file");

static const Option track_rows[] = { /* a motion of the camera or the light */
    {FIELD(JobMotion, file), T(PATH), .help = "path of a camera motion (.vmd)"},
    MOTION_OFFSET,
    MOTION_SPEED,
};
static const OptionTable track_table = TABLE(track_rows, JobMotion, "file");

static const Option attach_rows[] = {
    {FIELD(JobAttach, model), T(TEXT), .affects = AFFECTS_NOTHING,
     .help = "id of the parent model"},
    {FIELD(JobAttach, bone), T(TEXT), .help = "name of the parent bone"},
    {FIELD(JobAttach, offset), T(NUMBERS), .length = 3, .value = "[0, 0, 0]", COORDINATES,
     .help = "offset from the bone"},
};
static const OptionTable attach_table = TABLE(attach_rows, JobAttach, NULL);

/* Rows that all kinds of key points share. */
#define POINT_TIME(Struct)                                                                        \
    {.key = "time_s", T(NUMBER), .offset = offsetof(Struct, time.time_s), .value = "null",        \
     RANGE(0, 1e6), .unit = "s",                                                                  \
     .help = "time of the point; alternative to frame"}
#define POINT_FRAME(Struct)                                                                       \
    {.key = "frame", T(NUMBER), .offset = offsetof(Struct, time.frame), .value = "null",          \
     RANGE(0, 3e7), .unit = "frames of 1/30 s",                                                   \
     .help = "time of the point, as in motions; alternative to time_s"}
#define POINT_CUT(Struct)                                                                         \
    {.key = "cut", T(BOOL), .offset = offsetof(Struct, time.cut), .value = "false",               \
     .help = "jump to this point; the point before is held until then"}
#define POINT_VELOCITY(Struct)                                                                    \
    {FIELD(Struct, velocity), T(NUMBERS), .length = 3, .value = "null", RANGE(-1e6, 1e6),         \
     .unit = "MMD units/s",                                                                       \
     .help = "velocity at the point; by default from its neighbors, and zero at both ends"}

static const Option placement_point_rows[] = {
    POINT_TIME(JobPlacementPoint),
    POINT_FRAME(JobPlacementPoint),
    {FIELD(JobPlacementPoint, position), T(NUMBERS), .length = 3, .value = "[0, 0, 0]", COORDINATES,
     .help = "position at that time"},
    {FIELD(JobPlacementPoint, rotation_deg), T(NUMBERS), .length = 3, .value = "[0, 0, 0]",
     ROTATION,
     .help = ROTATION_HELP},
    POINT_VELOCITY(JobPlacementPoint),
    POINT_CUT(JobPlacementPoint),
};
static const OptionTable placement_point_table =
    TABLE(placement_point_rows, JobPlacementPoint, NULL);

#define ATTACH_KEY_CARRIER                                                                        \
    {FIELD(JobAttachKey, model), T(TEXT), .value = "null", .affects = AFFECTS_NOTHING,            \
     .help = "id of the parent model; null: no parent"},                                          \
    {FIELD(JobAttachKey, bone), T(TEXT), .value = "null",                                         \
     .help = "name of the parent bone"}

static const Option attach_key_rows[] = {
    POINT_TIME(JobAttachKey),
    POINT_FRAME(JobAttachKey),
    {FIELD(JobAttachKey, own_bone), T(TEXT), .value = "null",
     .help = "name of the bone of this model that follows the parent instead of its own; null: the model"},
    ATTACH_KEY_CARRIER,
};
static const OptionTable attach_key_table = TABLE(attach_key_rows, JobAttachKey, NULL);

static const Option model_key_rows[] = {
    POINT_TIME(JobModelKey),
    POINT_FRAME(JobModelKey),
    {FIELD(JobModelKey, position), T(NUMBERS), .length = 3, .value = "null", COORDINATES,
     .help = "position at that time; by default that of the model"},
    {FIELD(JobModelKey, rotation_deg), T(NUMBERS), .length = 3, .value = "null", ROTATION,
     .help = ROTATION_HELP "; by default that of the model"},
    {FIELD(JobModelKey, scale), T(NUMBER), .value = "null", RANGE(0.001, 1000),
     .help = "scale factor; by default that of the model"},
    {FIELD(JobModelKey, opacity), T(NUMBER), .value = "null", RANGE(0, 1),
     .help = "opacity; by default that of the model"},
    {FIELD(JobModelKey, shadow), T(BOOL), .value = "true", .help = "casting of shadows until the next key"},
    {FIELD(JobModelKey, visible), T(BOOL), .value = "true", .help = "visibility until the next key"},
};
static const OptionTable model_key_table = TABLE(model_key_rows, JobModelKey, NULL);

#define MODEL_FILE                                                                                \
    {FIELD(JobModel, file), T(PATH),                                                              \
     .help = "path of a model (.pmx, .pmd), an accessory (.x, or .vac with its placement) or an " \
             "archive (.zip, .7z, .rar, .lzh) with one; a file in it is pack.zip/model.pmx"}
#define MODEL_POSITION                                                                            \
    {FIELD(JobModel, position), T(NUMBERS), .length = 3, .value = "[0, 0, 0]", COORDINATES,       \
     .help = "position in the world"}
#define MODEL_ROTATION                                                                            \
    {FIELD(JobModel, rotation_deg), T(NUMBERS), .length = 3, .value = "[0, 0, 0]", ROTATION,      \
     .help = ROTATION_HELP}
#define MODEL_SCALE                                                                               \
    {FIELD(JobModel, scale), T(NUMBER), .value = "1", RANGE(0.001, 1000),                         \
     .help = "scale factor"}
#define MODEL_PATH                                                                                \
    {.key = "path", T(LIST), COUNTED(JobModel, path, path_count), .value = "[]",                  \
     .table = &placement_point_table,                                                             \
     .help = "key points of the position over time, instead of position and rotation_deg"}
#define MODEL_KEYS                                                                                \
    {.key = "keys", T(LIST), COUNTED(JobModel, keys, key_count), .value = "[]",                   \
     .table = &model_key_table,                                                                   \
     .help = "placement, opacity, shadow and visibility over time, linear between keys"}
#define MODEL_OPACITY                                                                             \
    {FIELD(JobModel, opacity), T(NUMBER), .value = "1", RANGE(0, 1),                              \
     .help = "opacity, a factor of that of each material"}
#define MODEL_SHADOW                                                                              \
    {FIELD(JobModel, shadow), T(BOOL), .value = "true", .help = "casting of shadows"}
#define MODEL_EDGE                                                                                \
    {FIELD(JobModel, edge_scale), T(NUMBER), .value = "1", RANGE(0, 10),                          \
     .help = "width of the outline, relative to the model file; 0 for no outline"},               \
    {FIELD(JobModel, edge_color), T(COLOR), .value = "null",                                      \
     .help = "color of the outline; null: those of the materials"}
#define MODEL_MORPHS                                                                              \
    {.key = "morphs", T(WEIGHTS), COUNTED(JobModel, morphs, morph_count), .value = "{}",          \
     RANGE(-10, 10),                                                                              \
     .help = "constant morph weights by name, applied after the motions"}
#define MODEL_HIDE                                                                                \
    {.key = "hide_materials", T(TEXTS), COUNTED(JobModel, hide_materials, hide_count),            \
     .value = "[]",                                                                               \
     .help = "names of materials that are not drawn"}

static const Option model_rows[] = {
    {FIELD(JobModel, id), T(TEXT), .value = "null", .affects = AFFECTS_NOTHING,
     .help = "name of the model within this job; by default its file name without extension"},
    MODEL_FILE,
    {.key = "motions", T(LIST), COUNTED(JobModel, motions, motion_count), .value = "[]",
     .table = &motion_table,
     .help = "motions of the model; for each bone and morph the last one with keys is used"},
    MODEL_POSITION,
    MODEL_ROTATION,
    MODEL_SCALE,
    MODEL_PATH,
    MODEL_KEYS,
    MODEL_OPACITY,
    MODEL_SHADOW,
    {FIELD(JobModel, physics), T(BOOL), .value = "true",
     .help = "simulation of the model's rigid bodies (hair, clothes)"},
    MODEL_EDGE,
    MODEL_MORPHS,
    MODEL_HIDE,
    {FIELD(JobModel, attach), T(OPTIONAL), .value = "null", .table = &attach_table,
     .help = "bone of another model that carries this one; by default a .vac that names a bone is "
             "attached to the only model that has it"},
    {.key = "attach_keys", T(LIST), COUNTED(JobModel, attach_keys, attach_key_count),
     .value = "[]", .table = &attach_key_table,
     .help = "parents of the model and of single bones over time, instead of attach"},
};
static const OptionTable model_table = TABLE(model_rows, JobModel, "file");

static const Option stage_rows[] = {
    MODEL_FILE,
    MODEL_POSITION,
    MODEL_ROTATION,
    MODEL_SCALE,
    MODEL_PATH,
    MODEL_KEYS,
    MODEL_OPACITY,
    MODEL_SHADOW,
    MODEL_EDGE,
    MODEL_MORPHS,
    MODEL_HIDE,
};
static const OptionTable stage_table = TABLE(stage_rows, JobModel, "file");

/* ---- camera, light, shadows, background ---- */

static const char *const orientations[] = {"target", "axes", NULL};

#define FOV(Struct)                                                                               \
    {FIELD(Struct, fov_deg), T(NUMBER), .value = "30", RANGE(1, 179), .unit = "degrees",          \
     .help = "vertical angle of view"}
#define TARGET(Struct)                                                                            \
    {FIELD(Struct, target), T(NUMBERS), .length = 3, .value = "[0, 10, 0]", COORDINATES,          \
     .help = "point that the camera looks at"}

static const Option fixed_rows[] = {
    TARGET(JobCameraFixed),
    {FIELD(JobCameraFixed, distance), T(NUMBER), .value = "-45", COORDINATES,
     .help = "distance from the target; negative is in front of it, as in MMD"},
    {FIELD(JobCameraFixed, rotation_deg), T(NUMBERS), .length = 3, .value = "[0, 0, 0]", ROTATION,
     .help = "rotation about x, y and z, as in a VMD file; a negative x looks down"},
    FOV(JobCameraFixed),
    {FIELD(JobCameraFixed, orthographic), T(BOOL), .value = "false",
     .help = "orthographic projection, without perspective"},
};
static const OptionTable fixed_table = TABLE(fixed_rows, JobCameraFixed, NULL);

static const Option camera_point_rows[] = {
    POINT_TIME(JobCameraPoint),
    POINT_FRAME(JobCameraPoint),
    {FIELD(JobCameraPoint, eye), T(NUMBERS), .length = 3, COORDINATES,
     .help = "position of the camera"},
    TARGET(JobCameraPoint),
    {FIELD(JobCameraPoint, up), T(NUMBERS), .length = 3, .value = "[0, 1, 0]", RANGE(-1e6, 1e6),
     .help = "up vector"},
    {FIELD(JobCameraPoint, roll_deg), T(NUMBER), .value = "0", ROTATION,
     .help = "roll from the up vector; positive leans to the right"},
    FOV(JobCameraPoint),
    POINT_VELOCITY(JobCameraPoint),
    POINT_CUT(JobCameraPoint),
};
static const OptionTable camera_point_table = TABLE(camera_point_rows, JobCameraPoint, NULL);

static const Option camera_attach_rows[] = {
    {FIELD(JobAttach, model), T(TEXT), .affects = AFFECTS_NOTHING, .help = "id of the parent model"},
    {FIELD(JobAttach, bone), T(TEXT), .help = "name of the parent bone"},
};
static const OptionTable camera_attach_table = TABLE(camera_attach_rows, JobAttach, NULL);

static const Option camera_attach_key_rows[] = {
    POINT_TIME(JobAttachKey),
    POINT_FRAME(JobAttachKey),
    ATTACH_KEY_CARRIER,
};
static const OptionTable camera_attach_key_table =
    TABLE(camera_attach_key_rows, JobAttachKey, NULL);

static const char *const shots[] = {"full", "knee", "waist", "bust", "face", NULL};

static const Option camera_rows[] = {
    {FIELD(JobCamera, motion), T(OPTIONAL), .value = "null", .table = &track_table,
     .help = "motion whose camera keys are used"},
    {FIELD(JobCamera, fixed), T(OPTIONAL), .value = "null", .table = &fixed_table,
     .help = "settings of a camera that does not move"},
    {.key = "path", T(LIST), COUNTED(JobCamera, path, path_count), .value = "[]",
     .table = &camera_point_table,
     .help = "key points of the camera over time"},
    {FIELD(JobCamera, orientation), T(CHOICE), .value = "target", .choices = orientations,
     .help = "orientation between key points: towards the target, or interpolated evenly"},
    {FIELD(JobCamera, attach), T(OPTIONAL), .value = "null", .table = &camera_attach_table,
     .help = "bone whose position is added to the target; not for a camera that follows models"},
    {.key = "attach_keys", T(LIST), COUNTED(JobCamera, attach_keys, attach_key_count),
     .value = "[]", .table = &camera_attach_key_table,
     .help = "such bones over time, instead of attach"},
    {.key = "follow", T(NAMES), COUNTED(JobCamera, follow, follow_count), .value = "[]",
     .affects = AFFECTS_NOTHING, /* the fingerprint has the indices of the models */
     .help = "ids of the models that the camera follows; [], as without a camera: all that move"},
    {.key = "shot", T(CHOICES), COUNTED(JobCamera, shots, shot_count), .value = "[]",
     .choices = shots,
     .help = "part of the models that is shown, in turn if there are cuts; []: full, or various"},
    {FIELD(JobCamera, smooth_s), T(NUMBER), .value = "1", RANGE(0, 60), .unit = "s",
     .help = "time over which the path of a following camera is smoothed, half of it ahead"},
    {FIELD(JobCamera, margin), T(NUMBER), .value = "0.05", RANGE(0, 0.4),
     .help = "free part of the frame at each side of followed models"},
    {FIELD(JobCamera, rotation_deg), T(NUMBERS), .length = 3, .value = "[0, 0, 0]", ROTATION,
     .help = "rotation of a following camera about x, y and z; a negative x looks down"},
    FOV(JobCamera),
    {FIELD(JobCamera, cuts), T(CUTS), .value = "none", RANGE(0.5, 3600), .unit = "s",
     .help = "changes of shot and direction: after each time, or auto: on beats of the sound"},
};
static const OptionTable camera_table = TABLE(camera_rows, JobCamera, NULL);

static const Option light_point_rows[] = {
    POINT_TIME(JobLightPoint),
    POINT_FRAME(JobLightPoint),
    {FIELD(JobLightPoint, color), T(COLOR), .value = "null",
     .help = "color at that time; by default light.color"},
    {FIELD(JobLightPoint, direction), T(NUMBERS), .length = 3, .value = "null", RANGE(-1e6, 1e6),
     .help = "direction in which the light travels; by default light.direction"},
    POINT_CUT(JobLightPoint),
};
static const OptionTable light_point_table = TABLE(light_point_rows, JobLightPoint, NULL);

static const Option light_rows[] = { /* 154 of 255, the initial value of MMD */
    {FIELD(JobLight, color), T(COLOR), .value = "[0.603921569, 0.603921569, 0.603921569]",
     .help = "color of the light if it has no keys"},
    {FIELD(JobLight, direction), T(NUMBERS), .length = 3, .value = "[-0.5, -1, 0.5]",
     RANGE(-1e6, 1e6),
     .help = "direction in which the light travels if it has no keys"},
    {FIELD(JobLight, motion), T(OPTIONAL), .value = "null", .table = &track_table,
     .help = "motion whose light keys are used; by default the motion of the camera"},
    {.key = "path", T(LIST), COUNTED(JobLight, path, path_count), .value = "[]",
     .table = &light_point_table,
     .help = "key points of the light over time, instead of light.motion"},
};
static const OptionTable light_table = TABLE(light_rows, JobLight, NULL);

static const Option shadow_rows[] = {
    {FIELD(JobShadows, ground), T(BOOL), .value = "true",
     .help = "flat shadow on the ground; a stage with self-shadow receives a shadow map instead"},
    {FIELD(JobShadows, ground_height), T(NUMBER), .value = "0", COORDINATES,
     .help = "height of the ground that receives the flat shadow"},
    {FIELD(JobShadows, ground_brightness), T(NUMBER), .value = "0", RANGE(0, 10),
     .help = "color of the flat shadow, relative to the color of the light; 0 is black"},
    {FIELD(JobShadows, ground_opacity), T(NUMBER), .value = "0.5", RANGE(0, 1),
     .help = "opacity of the flat shadow"},
    {FIELD(JobShadows, self), T(BOOL), .value = "true",
     .help = "shadow map: shadows of models on themselves and on each other (shadow keys)"},
    {FIELD(JobShadows, map_size), T(INT), .value = "2048", RANGE(256, 8192), .unit = "pixels",
     .help = "side of the shadow map"},
    {FIELD(JobShadows, soft), T(NUMBER), .value = "0.05", RANGE(0, 1), .unit = "MMD units",
     .help = "half width of the soft edge of the shadow map"},
};
static const OptionTable shadow_table = TABLE(shadow_rows, JobShadows, NULL);

static const char *const fits[] = {"cover", "contain", "stretch", NULL};

static const Option background_rows[] = {
    {FIELD(JobBackground, color), T(COLOR), .value = "\"#ffffff\"", .help = "background color"},
    {FIELD(JobBackground, image), T(PATH), .value = "null", .help = "path of a background image"},
    {FIELD(JobBackground, video), T(PATH), .value = "null",
     .help = "path of a background video; its sound is not used"},
    {FIELD(JobBackground, fit), T(CHOICE), .value = "cover", .choices = fits,
     .help = "fitting of another aspect ratio: cropped, with bars of the color, or distorted"},
    {FIELD(JobBackground, video_offset_s), T(NUMBER), .value = "0", OFFSET_S,
     .help = "time at which the video begins; its first frame is shown until then"},
    {FIELD(JobBackground, video_loop), T(BOOL), .value = "false",
     .help = "repetition of the video; otherwise its last frame is held"},
    {FIELD(JobBackground, alpha), T(BOOL), .value = "false",
     .help = "transparent background, in outputs with an alpha channel: PNG, .mov, .webm, FFV1"},
};
static const OptionTable background_table = TABLE(background_rows, JobBackground, NULL);

/* ---- physics, compatibility, sound ---- */

static const char *const bake_words[] = {"auto", "none", NULL};

static const Option gravity_key_rows[] = {
    POINT_TIME(JobGravityKey),
    POINT_FRAME(JobGravityKey),
    {FIELD(JobGravityKey, gravity), T(NUMBERS), .length = 3, .value = "null", RANGE(-1e6, 1e6),
     .unit = "MMD units/s2",
     .help = "acceleration of gravity at that time; by default physics.gravity"},
    {FIELD(JobGravityKey, noise), T(NUMBER), .value = "null", RANGE(0, 1e6),
     .unit = "MMD units/s2",
     .help = "noise of gravity at that time; by default physics.gravity_noise"},
};
static const OptionTable gravity_key_table = TABLE(gravity_key_rows, JobGravityKey, NULL);

static const Option physics_rows[] = {
    {FIELD(JobPhysics, enabled), T(BOOL), .value = "true",
     .help = "simulation of rigid bodies, of models that do not turn it off"},
    {FIELD(JobPhysics, gravity), T(NUMBERS), .length = 3, .value = "[0, -98, 0]", RANGE(-1e6, 1e6),
     .unit = "MMD units/s2",
     .help = "acceleration of gravity"},
    {FIELD(JobPhysics, gravity_noise), T(NUMBER), .value = "0", RANGE(0, 1e6),
     .unit = "MMD units/s2",
     .help = "largest random part of each coordinate of gravity, another one in each 1/30 s"},
    {.key = "gravity_keys", T(LIST), COUNTED(JobPhysics, gravity_keys, gravity_key_count),
     .value = "[]", .table = &gravity_key_table,
     .help = "gravity over time, linear between keys"},
    {FIELD(JobPhysics, step_hz), T(INT), .value = "120", RANGE(30, 1200), .unit = "1/s",
     .help = "simulation steps of rigid bodies per second"},
    {FIELD(JobPhysics, cloth_hz), T(INT), .value = "240", RANGE(30, 4800), .unit = "1/s",
     .help = "simulation ticks of cloth per second"},
    {FIELD(JobPhysics, warmup_s), T(NUMBER), .value = "1", RANGE(0, 60), .unit = "s",
     .help = "simulated time before the first frame, in which bodies settle"},
    {FIELD(JobPhysics, floor), T(BOOL), .value = "true", .help = "collision with the plane y = 0"},
    {FIELD(JobPhysics, teleport_reset), T(BOOL), .value = "false",
     .help = "rigid bodies move along with a model that jumps, instead of being dragged"},
    {FIELD(JobPhysics, bake), T(PATH), .value = "auto", .choices = bake_words,
     .help = "path of a file of odori bake to read frames from; auto and none evaluate them"},
};
static const OptionTable physics_table = TABLE(physics_rows, JobPhysics, NULL);

static const char *const ik_families[] = {"plane", "pmxe", NULL};
static const char *const append_chains[] = {"appended", "own", NULL};
static const char *const fixed_axes[] = {"keys", "off", NULL};

static const Option compat_rows[] = {
    {FIELD(JobCompat, curve_halvings), T(INT), .value = "12", RANGE(1, 52),
     .help = "bisection steps of easing curves; 12 as in MMD, 24 is nearly exact"},
    {FIELD(JobCompat, ik), T(CHOICE), .value = "plane", .choices = ik_families,
     .help = "solver of inverse kinematics"},
    {FIELD(JobCompat, append_chain), T(CHOICE), .value = "appended", .choices = append_chains,
     .help = "motion that an appended bone passes on: the appended one, or its own too"},
    {FIELD(JobCompat, fixed_axis), T(CHOICE), .value = "keys", .choices = fixed_axes,
     .help = "projection of the keys of fixed-axis bones onto the axis"},
};
static const OptionTable compat_table = TABLE(compat_rows, JobCompat, NULL);

static const char *const synths[] = {"beep", "fluidsynth", NULL};

static const Option audio_rows[] = {
    {FIELD(JobAudio, file), T(PATH),
     .help = "path of a sound file (.wav, .flac, .ogg, .mp3, .m4a) or a song (.mid)"},
    {FIELD(JobAudio, offset_s), T(NUMBER), .value = "0", OFFSET_S,
     .help = "time in the film at which the sound begins"},
    {FIELD(JobAudio, gain_db), T(NUMBER), .value = "0", RANGE(-100, 40), .unit = "dB",
     .help = "gain of the sound"},
    {FIELD(JobAudio, fade_in_s), T(NUMBER), .value = "0", RANGE(0, 600), .unit = "s",
     .help = "length of the fade-in at the start of the film"},
    {FIELD(JobAudio, fade_out_s), T(NUMBER), .value = "0", RANGE(0, 600), .unit = "s",
     .help = "length of the fade-out at the end of the film"},
    {FIELD(JobAudio, synth), T(CHOICE), .value = "beep", .choices = synths,
     .help = "synthesizer of a MIDI file: one square wave, or FluidSynth if it is built in"},
    {FIELD(JobAudio, voices), T(INT), .value = "16", RANGE(1, 128),
     .help = "beep: largest number of notes that alternate, low channels first"},
    {FIELD(JobAudio, slice_ms), T(NUMBER), .value = "10", RANGE(1, 1000), .unit = "ms",
     .help = "beep: time slice of a note"},
    {FIELD(JobAudio, percussion), T(BOOL), .value = "false",
     .help = "beep: notes of the percussion channel 10"},
    {FIELD(JobAudio, soundfont), T(PATH), .value = "null",
     .help = "fluidsynth: path of the sound font (.sf2, .sf3)"},
};
static const OptionTable audio_table = TABLE(audio_rows, JobAudio, "file");

/* ---- rendering and output ---- */

static const char *const backends[] = {"auto", "osmesa", "egl", NULL};
static const char *const transparencies[] = {"mmd", "split", NULL};
static const char *const qualities[] = {"draft", "good", "best", NULL}; /* JobQuality */
static const int sample_counts[] = {1, 4, 0}; /* all that llvmpipe has */

static const Option render_rows[] = {
    {FIELD(JobRender, size), T(INTS), .length = 2, .by_x = true, .value = "[1920, 1080]",
     RANGE(2, 8192), .unit = "pixels",
     .help = "width and height of the frames, [1280, 720] or 1280x720"},
    {FIELD(JobRender, fps), T(RATE), .value = "60", RANGE(1, 240), .unit = "frames/s",
     .help = "frame rate: 60, 29.97 or \"30000/1001\""},
    {FIELD(JobRender, frames), T(FRAMES), .rate_offset = offsetof(JobRender, fps), .value = "all", .unit = "output frames",
     .help = "all, or ranges of frames with first and last: \"0-99,400-499\"; m150-m300: from "
             "motion frame 150 to 300 (30 per second); 5s-10s: from second 5 to before second 10"},
    {FIELD(JobRender, quality), T(CHOICE), .value = "good", .choices = qualities,
     .affects = AFFECTS_NOTHING, /* samples and supersample have its values */
     .help = "antialiasing: none (draft), 2 x 2 (good) or 3 x 3 (best) samples per pixel"},
    {FIELD(JobRender, samples), T(INT), .value = "auto", .values = sample_counts, AUTO(0),
     .help = "samples per rendered pixel (multisampling); auto: 1"},
    {FIELD(JobRender, supersample), T(INT), .value = "auto", RANGE(1, 4), AUTO(0),
     .help = "factor by which frames are rendered larger before they are scaled down; auto: by "
             "quality, or 1 with samples or look.accumulate"},
    {FIELD(JobRender, anisotropy), T(INT), .value = "1", RANGE(1, 16),
     .help = "anisotropic filtering of textures; 4 doubles the time of surfaces on a CPU"},
    {FIELD(JobRender, workers), T(INT), .value = "auto", RANGE(1, 256), AUTO(0),
     .affects = AFFECTS_NOTHING,
     .help = "number of render processes; auto: one per CPU core"},
    {FIELD(JobRender, gl), T(CHOICE), .value = "auto", .choices = backends,
     .affects = AFFECTS_NOTHING,
     .help = "OpenGL backend; auto: OSMesa if its library is installed, else EGL"},
    {FIELD(JobRender, edges), T(BOOL), .value = "true", .help = "drawing of model outlines"},
    {FIELD(JobRender, transparency), T(CHOICE), .value = "mmd", .choices = transparencies,
     .help = "mmd: in file order; split: pixels that are not opaque after all others, so that soft "
             "edges of hair and lashes show what is behind them; recommended where they leave white "
             "pixels"},
    {FIELD(JobRender, shader_dir), T(PATH), .value = "null",
     .help = "path of a directory of shaders to use instead of the built-in ones"},
};
static const OptionTable render_table = TABLE(render_rows, JobRender, NULL);

static const char *const passes[] = {"beauty", "depth",  "normal", "mask-model", "mask-material",
                                     "line",   "shadow", "pose",   "motion",     NULL}; /* Pass */
static const char *const depths[] = {"inverse", "linear", NULL};
static const char *const windows[] = {"image", "drawn", NULL};

static const Option output_rows[] = {
    {FIELD(JobOutput, file), T(PATH), .written = true,
     .help = "path of a video, or of images by a pattern like %05d.png"},
    {FIELD(JobOutput, format), T(TEXT), .value = "auto",
     .help = "format: an extension, mkv, nut, y4m, or a name of libavformat, matroska, rawvideo; "
             "auto: by the file name"},
    {FIELD(JobOutput, pass), T(CHOICE), .value = "beauty", .choices = passes,
     .help = "beauty: the picture; others: an image of another property of the same frame"},
    {.key = "passes", T(CHOICES), COUNTED(JobOutput, passes, pass_count), .value = "[]",
     .choices = passes, .help = "layers of an .exr; []: `pass` alone"},
    {FIELD(JobOutput, codec), T(TEXT), .value = "auto",
     .help = "video codec: h264, h265, vp9, av1, ...; auto: by the file name"},
    {FIELD(JobOutput, crf), T(INT), .value = "auto", RANGE(0, 63), AUTO(-1),
     .help = "constant rate factor; lower is better quality"},
    {FIELD(JobOutput, preset), T(TEXT), .value = "null",
     .help = "preset of the encoder: auto, realtime (faster, larger files), small (slower, smaller "
             "files), or one of x264: ultrafast ... medium ... veryslow"},
    {FIELD(JobOutput, gop), T(INT), .value = "auto", RANGE(1, 10000), AUTO(0), .unit = "frames",
     .help = "distance between key frames; auto: 1 s, at least 30"},
    {FIELD(JobOutput, pixel_format), T(TEXT), .value = "auto",
     .help = "pixel format: yuv420p, yuv444p, ..."},
    {FIELD(JobOutput, audio_codec), T(TEXT), .value = "auto",
     .help = "audio codec: aac, opus, ...; auto: by the container"},
    {FIELD(JobOutput, audio_kbps), T(INT), .value = "auto", RANGE(8, 1024), AUTO(0),
     .unit = "kbit/s",
     .help = "bit rate of the sound"},
};
static const OptionTable output_table = TABLE(output_rows, JobOutput, "file");

static const Option pass_rows[] = {
    {FIELD(JobPasses, depth), T(CHOICE), .value = "inverse", .choices = depths,
     .help = "grey values of the depth pass, white at `near`: inverse or linear in the distance"},
    {FIELD(JobPasses, near), T(NUMBER), .value = "null", RANGE(0.01, 1e6), .unit = "MMD units",
     .help = "distance along the view that is white in the depth pass; null: by the models"},
    {FIELD(JobPasses, far), T(NUMBER), .value = "null", RANGE(0.01, 1e6), .unit = "MMD units",
     .help = "distance along the view that is black in the depth pass; null: by the models"},
    {FIELD(JobPasses, window), T(CHOICE), .value = "image", .choices = windows,
     .help = "data window of .exr files: the whole image, or the part with something in it; not all "
             "programs can read the latter"},
    {.key = "bones", T(RENAMES), COUNTED(JobPasses, bones, bone_count), .value = "{}",
     .help = "names of the models' bones by MMD's names, for models with other names: the pose"},
};
static const OptionTable pass_table = TABLE(pass_rows, JobPasses, NULL);

static const char *const preview_types[] = {"sheet", "still", "webp", "gif", NULL};

static const char *const label_fonts[] = {"auto", "built-in", NULL}; /* JobLabelFont */

static const Option preview_rows[] = {
    {FIELD(JobPreview, type), T(CHOICE), .choices = preview_types,
     .help = "kind of preview: a contact sheet, one frame, or a small animation"},
    {FIELD(JobPreview, file), T(PATH), .written = true,
     .help = "path of the preview: a .png for sheet and still, a .webp, a .gif"},
    {FIELD(JobPreview, cells), T(INTS), .length = 2, .by_x = true, .value = "[6, 4]", RANGE(1, 64),
     .help = "columns and rows of a sheet"},
    {FIELD(JobPreview, width), T(INT), .value = "auto", RANGE(16, 8192), AUTO(0), .unit = "pixels",
     .help = "width of one image, with the aspect ratio of the film; auto: 320 in a sheet, 480 in "
             "an animation, the width of the film for a still"},
    {FIELD(JobPreview, frame), T(INT), .value = "auto", RANGE(0, JOB_MAX_FRAME), AUTO(-1),
     .unit = "output frame",
     .help = "frame of a still; auto: the one at time_s"},
    {FIELD(JobPreview, time_s), T(NUMBER), .value = "0", RANGE(0, 400000), .unit = "s",
     .help = "time of a still in the film"},
    {FIELD(JobPreview, fps), T(RATE), .value = "12", RANGE(1, 60), .unit = "frames/s",
     .help = "frame rate of an animation; at most that of the film, and 50 in a GIF"},
    {FIELD(JobPreview, range_s), T(NUMBERS), .length = 2, .value = "[0, 0]", RANGE(0, 1e6),
     .unit = "s",
     .help = "start and end of the part of the film that is shown; [0, 0]: all of it"},
    {FIELD(JobPreview, font), T(CHOICE), .value = "auto", .choices = label_fonts,
     .help = "font of the labels of a sheet: auto is one that is installed, built-in is the same on "
             "every machine"},
};
static const OptionTable preview_table = TABLE(preview_rows, JobPreview, NULL);

static const char *const corners[] = {"top-left", "top-right", "bottom-left", "bottom-right", NULL};

static const char *const font_words[] = {FONT_AUTO, NULL};

static const Option burn_in_rows[] = {
    {FIELD(JobBurnIn, text), T(TEXT),
     .help = "text with the fields {name}, {frame} and {time}; {{ is a literal brace"},
    {FIELD(JobBurnIn, corner), T(CHOICE), .value = "bottom-left", .choices = corners,
     .help = "corner of the frame in which the text is drawn"},
    {FIELD(JobBurnIn, font), T(PATH), .value = "null", .choices = font_words,
     .help = "path of a font file (.ttf, .otf, .ttc); auto: an installed font that has the text and "
             "Japanese; null: the built-in font, ASCII only, the same everywhere"},
};
static const OptionTable burn_in_table = TABLE(burn_in_rows, JobBurnIn, NULL);

static const Option subtitle_rows[] = {
    {FIELD(JobSubtitles, file), T(PATH),
     .help = "path of a subtitle file: Advanced SubStation Alpha (.ass) or SubRip (.srt), in UTF-8, "
             "UTF-16 or Shift-JIS"},
    {FIELD(JobSubtitles, offset_s), T(NUMBER), .value = "0", OFFSET_S,
     .help = "time in the film at which the subtitles begin"},
    {FIELD(JobSubtitles, font), T(PATH), .value = "auto", .choices = font_words,
     .help = "path of the only font file, besides fonts attached to the script; auto: the installed "
             "fonts that the script names, and one with Japanese"},
    {FIELD(JobSubtitles, scale), T(NUMBER), .value = "1", RANGE(0.1, 10),
     .help = "factor of the font sizes"},
};
static const OptionTable subtitle_table = TABLE(subtitle_rows, JobSubtitles, "file");

static const char *const sandbox_modes[] = {"auto", "require", "off", NULL};

static const Option limit_rows[] = {
    {FIELD(JobLimits, frame_timeout_s), T(NUMBER), .value = "60", RANGE(0.1, 86400), .unit = "s",
     .help = "limit of CPU time to evaluate and of time to render one frame; the run ends with status 75"},
    {FIELD(JobLimits, total_timeout_s), T(NUMBER), .value = "0", RANGE(0, 31536000), .unit = "s",
     .help = "time limit for a run, which stops cleanly with status 75; 0: no limit"},
    {FIELD(JobLimits, memory_mib), T(INT), .value = "8192", RANGE(64, 16777216), .unit = "MiB",
     .help = "memory limit for one process, else status 69; the largest frames need 6000"},
    {FIELD(JobLimits, sandbox), T(CHOICE), .value = "auto", .choices = sandbox_modes,
     .help = "confinement of the processes that read, draw and encode; auto: as far as the kernel "
             "can; require: status 69 if it cannot; off: only from the command line"},
};
static const OptionTable limit_table = TABLE(limit_rows, JobLimits, NULL);

static const Option warning_rows[] = {
    {FIELD(JobWarnings, strict), T(FLAGS), .value = "null", .choices = warning_names,
     .help = "classes of warnings that are errors; see 'odori help warnings'"},
    {FIELD(JobWarnings, hide), T(FLAGS), .value = "null", .choices = warning_names,
     .help = "classes of warnings that are not reported"},
};
static const OptionTable warning_table = TABLE(warning_rows, JobWarnings, NULL);

/* ---- the job ---- */

static const Option job_rows[] = {
    {FIELD(Job, version), T(INT), RANGE(1, 1), .help = "version of the job format"},
    {FIELD(Job, name), T(TEXT), .value = "null", .affects = AFFECTS_FILES,
     .help = "name of the film for messages and metadata; by default the name of the job file"},
    {.key = "models", T(LIST), COUNTED(Job, models, model_count), RANGE(1, OPTION_MAX_ITEMS),
     .table = &model_table,
     .help = "models with their motions"},
    {.key = "stage", T(LIST), COUNTED(Job, stage, stage_count), .value = "[]",
     .table = &stage_table,
     .help = "models without motions, drawn first"},
    {.key = "cloth", T(LIST), COUNTED(Job, cloth, cloth_count), .value = "[]",
     .table = &option_cloth,
     .help = "cloth simulated as masses and springs"},
    {FIELD(Job, camera), T(SECTION), .value = "{}", .table = &camera_table,
     .help = "camera; by default one that follows the models"},
    {FIELD(Job, light), T(SECTION), .value = "{}", .table = &light_table,
     .help = "the directional light"},
    {FIELD(Job, shadows), T(SECTION), .value = "{}", .table = &shadow_table, .help = "shadows"},
    {FIELD(Job, background), T(SECTION), .value = "{}", .table = &background_table,
     .help = "background of the frames"},
    {FIELD(Job, look), T(SECTION), .value = "{}", .table = &option_look,
     .help = "lens and light: effects on the frames, all off by default"},
    {FIELD(Job, physics), T(SECTION), .value = "{}", .table = &physics_table,
     .help = "simulation of rigid bodies and cloth"},
    {FIELD(Job, compat), T(SECTION), .value = "{}", .table = &compat_table,
     .help = "rules in which MMD-compatible programs differ"},
    {FIELD(Job, audio), T(OPTIONAL), .value = "null", .table = &audio_table,
     .help = "sound of the film"},
    {FIELD(Job, render), T(SECTION), .value = "{}", .table = &render_table,
     .help = "size, rate and quality of the frames"},
    {.key = "outputs", T(LIST), COUNTED(Job, outputs, output_count), RANGE(1, JOB_MAX_OUTPUTS),
     .table = &output_table,
     .help = "files that the film is written to"},
    {FIELD(Job, passes), T(SECTION), .value = "{}", .table = &pass_table,
     .help = "settings of the passes that outputs take"},
    {.key = "previews", T(LIST), COUNTED(Job, previews, preview_count), .value = "[]",
     .table = &preview_table, .affects = AFFECTS_FILES,
     .help = "small images of the film"},
    {FIELD(Job, burn_in), T(OPTIONAL), .value = "null", .table = &burn_in_table,
     .help = "text drawn into every frame"},
    {FIELD(Job, subtitles), T(OPTIONAL), .value = "null", .table = &subtitle_table,
     .help = "subtitles drawn into the frames, below burn_in"},
    {FIELD(Job, limits), T(SECTION), .value = "{}", .table = &limit_table,
     .affects = AFFECTS_NOTHING,
     .help = "limits at which a run ends"},
    {FIELD(Job, warnings), T(SECTION), .value = "{}", .table = &warning_table,
     .affects = AFFECTS_NOTHING,
     .help = "treatment of warnings; --strict and -W override it"},
    {.key = "credits", T(TEXTS), COUNTED(Job, credits, credit_count), .value = "[]",
     .affects = AFFECTS_FILES,
     .help = "credits of models and motions, copied into the metadata of the video"},
};
const OptionTable option_job = TABLE(job_rows, Job, NULL);
/* clang-format on */

const Option *option_find(const OptionTable *table, const char *key)
{
    for (size_t i = 0; i < table->count; i++)
        if (!strcmp(table->rows[i].key, key))
            return &table->rows[i];
    return NULL;
}

/* Copies the next word of a dotted key; false at its end, or if the word is too long. */
static bool next_word(char *out, size_t size, const char **at)
{
    const size_t length = strcspn(*at, ".");
    if (!**at || length >= size)
        return false;
    memcpy(out, *at, length);
    out[length] = '\0';
    *at += length + ((*at)[length] == '.');
    return true;
}

static bool is_index(const char *word)
{
    return !strcmp(word, "N") || (word[0] && !word[strspn(word, "0123456789")]);
}

const Option *option_at_table(const OptionTable *table, const char *dotted)
{
    const Option *option = NULL;
    char word[64];

    while (next_word(word, sizeof word, &dotted)) {
        if (option && option->type == OPTION_LIST && is_index(word))
            continue;
        option = table ? option_find(table, word) : NULL;
        if (!option)
            return NULL;
        table = option->table;
    }
    return *dotted ? NULL : option;
}

const Option *option_at(const char *dotted)
{
    return option_at_table(&option_job, dotted);
}

bool option_is_ranged(const Option *option)
{
    return option->min < option->max || option->min > 0;
}
