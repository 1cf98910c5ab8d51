#include "job/job_look.h"
#include "job/option_rows.h"

/* clang-format off */

static const Option accumulate_rows[] = {
    {FIELD(JobAccumulate, samples), T(INT), .value = "16", RANGE(1, 256),
     .help = "number of images that are rendered and averaged for each frame"},
    {FIELD(JobAccumulate, shutter_deg), T(NUMBER), .value = "180", RANGE(0, 360), .unit = "degrees",
     .help = "time that the shutter is open; 360 is a whole frame, 0 no motion blur"},
};
static const OptionTable accumulate_table = TABLE(accumulate_rows, JobAccumulate, NULL);

static const Option focus_rows[] = {
    {FIELD(JobFocus, aperture), T(NUMBER), .value = "0.5", RANGE(0, 100), .unit = "MMD units",
     .help = "diameter of the lens; the wider, the smaller the depth of field"},
    {FIELD(JobFocus, distance), T(NUMBER), .value = "null", RANGE(0.1, 1e6), .unit = "MMD units",
     .help = "distance that is in focus, along the view; by default that of the bone"},
    {FIELD(JobFocus, model), T(TEXT), .value = "null", .affects = AFFECTS_NOTHING,
     .help = "id of the model that is in focus; by default the first one"},
    {FIELD(JobFocus, bone), T(TEXT), .value = "null",
     .help = "name of the bone in focus; by default the left eye, the head or the camera's target"},
};
static const OptionTable focus_table = TABLE(focus_rows, JobFocus, NULL);

static const Option mirror_rows[] = {
    {FIELD(JobMirror, strength), T(NUMBER), .value = "0.3", RANGE(0, 1),
     .help = "opacity of the reflection"},
    {FIELD(JobMirror, height), T(NUMBER), .value = "0", RANGE(-1e6, 1e6), .unit = "MMD units",
     .help = "height of the floor that reflects"},
    {FIELD(JobMirror, blur), T(NUMBER), .value = "0", RANGE(0, 0.05),
     .help = "radius of the blur of the reflection, part of the frame's height"},
};
static const OptionTable mirror_table = TABLE(mirror_rows, JobMirror, NULL);

static const Option ground_shadow_rows[] = {
    {FIELD(JobGroundShadow, angle_deg), T(NUMBER), .value = "6", RANGE(0, 60), .unit = "degrees",
     .help = "diameter of the light as the ground sees it; the sun has 0.5, a studio light 5 to 20"},
};
static const OptionTable ground_shadow_table = TABLE(ground_shadow_rows, JobGroundShadow, NULL);

static const Option ssao_rows[] = {
    {FIELD(JobSsao, strength), T(NUMBER), .value = "0.6", RANGE(0, 1),
     .help = "darkness of corners that see nothing of their surroundings"},
    {FIELD(JobSsao, radius), T(NUMBER), .value = "1", RANGE(0.01, 1000), .unit = "MMD units",
     .help = "radius of the surroundings that darken a place"},
};
static const OptionTable ssao_table = TABLE(ssao_rows, JobSsao, NULL);

static const Option glow_rows[] = {
    {FIELD(JobGlow, strength), T(NUMBER), .value = "1", RANGE(0, 100),
     .help = "factor of the light of materials that glow"},
    {FIELD(JobGlow, size), T(NUMBER), .value = "0.15", RANGE(0.001, 1),
     .help = "radius of the halo, part of the frame's height"},
    {.key = "materials", T(TEXTS), COUNTED(JobGlow, materials, material_count), .value = "[]",
     .help = "names of materials that glow although their models are not made for it"},
};
static const OptionTable glow_table = TABLE(glow_rows, JobGlow, NULL);

static const char *const blends[] = {"screen", "lighten", "overlay", NULL}; /* DiffusionBlend */

static const Option diffusion_rows[] = {
    {FIELD(JobDiffusion, blend), T(CHOICE), .value = "screen", .choices = blends,
     .help = "blending of the soft copy; screen and lighten spread lights, overlay adds contrast"},
    {FIELD(JobDiffusion, strength), T(NUMBER), .value = "0.5", RANGE(0, 1),
     .help = "part of the change that diffusion makes"},
    {FIELD(JobDiffusion, size), T(NUMBER), .value = "0.02", RANGE(0.001, 1),
     .help = "radius of the blur, part of the frame's height"},
};
static const OptionTable diffusion_table = TABLE(diffusion_rows, JobDiffusion, NULL);

static const Option grade_rows[] = {
    {FIELD(JobGrade, lut), T(PATH), .value = "null",
     .help = "path of a color lookup table (.cube), applied last"},
    {FIELD(JobGrade, lut_strength), T(NUMBER), .value = "1", RANGE(0, 1),
     .help = "part of the change of color that lut makes"},
    {FIELD(JobGrade, exposure_ev), T(NUMBER), .value = "0", RANGE(-10, 10), .unit = "stops",
     .help = "exposure; 1 doubles the light"},
    {FIELD(JobGrade, temperature), T(NUMBER), .value = "0", RANGE(-1, 1),
     .help = "color of the light: below 0 colder, above 0 warmer"},
    {FIELD(JobGrade, contrast), T(NUMBER), .value = "1", RANGE(0, 4),
     .help = "distance of values from middle gray; 1 is unchanged"},
    {FIELD(JobGrade, saturation), T(NUMBER), .value = "1", RANGE(0, 4),
     .help = "distance of colors from gray; 0 is black and white, 1 unchanged"},
    {FIELD(JobGrade, vignette), T(NUMBER), .value = "0", RANGE(0, 0.99),
     .help = "part of the light that is missing in the corners"},
    {FIELD(JobGrade, grain), T(NUMBER), .value = "0", RANGE(0, 0.5),
     .help = "standard deviation of film grain in mid-tones; 1 is the whole range"},
};
static const OptionTable grade_table = TABLE(grade_rows, JobGrade, "lut");

static const Option look_rows[] = {
    {FIELD(JobLook, accumulate), T(OPTIONAL), .value = "null", .table = &accumulate_table,
     .help = "motion blur, depth of field and antialiasing by averaging many images a frame"},
    {FIELD(JobLook, focus), T(OPTIONAL), .value = "null", .table = &focus_table,
     .help = "depth of field of a lens: exact with accumulate, else a fast approximation"},
    {FIELD(JobLook, mirror), T(OPTIONAL), .value = "null", .table = &mirror_table,
     .help = "reflection of the models, not of the stage, in the floor"},
    {FIELD(JobLook, ground_shadow), T(OPTIONAL), .value = "null", .table = &ground_shadow_table,
     .help = "soft ground shadows of a light with a diameter, instead of those of shadows.ground"},
    {FIELD(JobLook, ssao), T(OPTIONAL), .value = "null", .table = &ssao_table,
     .help = "ambient occlusion: corners and contacts of surfaces that receive shadows are darker"},
    {FIELD(JobLook, glow), T(OPTIONAL), .value = "null", .table = &glow_table,
     .help = "halos of materials made for AutoLuminous: specular color black, power above 100"},
    {FIELD(JobLook, diffusion), T(OPTIONAL), .value = "null", .table = &diffusion_table,
     .help = "a soft copy of the frame blended over it"},
    {FIELD(JobLook, grade), T(OPTIONAL), .value = "null", .table = &grade_table,
     .help = "color grading of the finished frames"},
};
const OptionTable option_look = TABLE(look_rows, JobLook, NULL);
/* clang-format on */
