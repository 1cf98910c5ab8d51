#include "job/options.h"

#include <math.h>
#include <string.h>

#include "job/job.h"

#define ROWS(rows_of, Type, short_name)                                                            \
    {                                                                                              \
        .rows = (rows_of), .count = sizeof(rows_of) / sizeof *(rows_of), .size = sizeof(Type),     \
        .short_key = (short_name)                                                                  \
    }
#define MANY(Type, items, number)                                                                  \
    .offset = offsetof(Type, items), .count_offset = offsetof(Type, number)

enum { FAR = 1000000 }; /* MMD units: a coordinate beyond this has lost its precision */

/* clang-format off: a row is easier to read on as few lines as it fits */

/* ---- models ---- */

static const char *const motion_parts[] = {"bones", "morphs", "properties", NULL};

static const Option motion_rows[] = {
    {.key = "file", .type = OPTION_PATH, .offset = offsetof(JobMotion, file),
     .help = "a motion (.vmd) or a pose (.vpd)"},
    {.key = "offset", .type = OPTION_NUMBER, .offset = offsetof(JobMotion, offset), .value = "0",
     .min = -1e7, .max = 1e7, .unit = "frames of 1/30 s", .help = "where its frame 0 lies in the film"},
    {.key = "speed", .type = OPTION_NUMBER, .offset = offsetof(JobMotion, speed), .value = "1",
     .min = 0.01, .max = 100, .help = "2 is twice as fast"},
    {.key = "only", .type = OPTION_FLAGS, .offset = offsetof(JobMotion, parts),
     .value = "[bones, morphs, properties]", .choices = motion_parts,
     .help = "the parts of it that count; properties are visibility and IK switches"},
};
static const OptionTable motion_table = ROWS(motion_rows, JobMotion, "file");

static const Option track_rows[] = { /* a motion of the camera or the light */
    {.key = "file", .type = OPTION_PATH, .offset = offsetof(JobMotion, file),
     .help = "a camera motion (.vmd)"},
    {.key = "offset", .type = OPTION_NUMBER, .offset = offsetof(JobMotion, offset), .value = "0",
     .min = -1e7, .max = 1e7, .unit = "frames of 1/30 s", .help = "where its frame 0 lies in the film"},
    {.key = "speed", .type = OPTION_NUMBER, .offset = offsetof(JobMotion, speed), .value = "1",
     .min = 0.01, .max = 100, .help = "2 is twice as fast"},
};
static const OptionTable track_table = ROWS(track_rows, JobMotion, "file");

static const Option attach_rows[] = {
    {.key = "model", .type = OPTION_TEXT, .offset = offsetof(JobAttach, model),
     .reach = AFFECTS_NOTHING, .help = "id of the model that carries it"},
    {.key = "bone", .type = OPTION_TEXT, .offset = offsetof(JobAttach, bone),
     .help = "name of the bone that carries it"},
    {.key = "offset", .type = OPTION_NUMBERS, .offset = offsetof(JobAttach, offset), .length = 3,
     .value = "[0, 0, 0]", .min = -FAR, .max = FAR, .unit = "MMD units", .help = "from the bone"},
};
static const OptionTable attach_table = ROWS(attach_rows, JobAttach, NULL);

/* Points of a path begin and end alike. */
#define POINT_TIME(Type)                                                                           \
    {                                                                                              \
        .key = "time_s", .type = OPTION_NUMBER, .offset = offsetof(Type, moment.time_s),           \
        .value = "null", .min = 0, .max = 1e6, .unit = "s", .help = "when; or else:"               \
    }
#define POINT_FRAME(Type)                                                                          \
    {                                                                                              \
        .key = "frame", .type = OPTION_NUMBER, .offset = offsetof(Type, moment.frame),             \
        .value = "null", .min = 0, .max = 3e7, .unit = "frames of 1/30 s",                         \
        .help = "when, as motions count"                                                           \
    }
#define POINT_CUT(Type)                                                                            \
    {                                                                                              \
        .key = "cut", .type = OPTION_BOOL, .offset = offsetof(Type, moment.cut), .value = "false", \
        .help = "jumps here; the point before is held until now"                                   \
    }
#define POINT_VELOCITY(Type)                                                                       \
    {                                                                                              \
        .key = "velocity", .type = OPTION_NUMBERS, .offset = offsetof(Type, velocity),             \
        .length = 3, .value = "null", .min = -FAR, .max = FAR, .unit = "MMD units/s",              \
        .help = "while passing; left out: from the neighbours, and at rest at the ends"            \
    }

static const Option place_point_rows[] = {
    POINT_TIME(JobPlacePoint),
    POINT_FRAME(JobPlacePoint),
    {.key = "position", .type = OPTION_NUMBERS, .offset = offsetof(JobPlacePoint, position),
     .length = 3, .value = "[0, 0, 0]", .min = -FAR, .max = FAR, .unit = "MMD units",
     .help = "where it stands"},
    {.key = "rotation_deg", .type = OPTION_NUMBERS,
     .offset = offsetof(JobPlacePoint, rotation_deg), .length = 3, .value = "[0, 0, 0]",
     .min = -3600, .max = 3600, .unit = "degrees", .help = "turned about z, then x, then y"},
    POINT_VELOCITY(JobPlacePoint),
    POINT_CUT(JobPlacePoint),
};
static const OptionTable place_point_table = ROWS(place_point_rows, JobPlacePoint, NULL);

#define MODEL_FILE                                                                                 \
    {                                                                                              \
        .key = "file", .type = OPTION_PATH, .offset = offsetof(JobModel, file),                    \
        .help = "a model (.pmx, .pmd), or an accessory (.x, or .vac, which also places it)"        \
    }
#define MODEL_POSITION                                                                             \
    {                                                                                              \
        .key = "position", .type = OPTION_NUMBERS, .offset = offsetof(JobModel, position),         \
        .length = 3, .value = "[0, 0, 0]", .min = -FAR, .max = FAR, .unit = "MMD units",           \
        .help = "where it stands"                                                                  \
    }
#define MODEL_ROTATION                                                                             \
    {                                                                                              \
        .key = "rotation_deg", .type = OPTION_NUMBERS, .offset = offsetof(JobModel, rotation_deg), \
        .length = 3, .value = "[0, 0, 0]", .min = -3600, .max = 3600, .unit = "degrees",           \
        .help = "turned about z, then x, then y"                                                   \
    }
#define MODEL_SCALE                                                                                \
    {                                                                                              \
        .key = "scale", .type = OPTION_NUMBER, .offset = offsetof(JobModel, scale), .value = "1",  \
        .min = 0.001, .max = 1000, .help = "size, 1 as in its file"                                \
    }
#define MODEL_PATH                                                                                 \
    {                                                                                              \
        .key = "path", .type = OPTION_LIST, MANY(JobModel, path, path_count), .value = "[]",       \
        .table = &place_point_table, .help = "points that it passes, instead of position and "     \
                                             "rotation_deg"                                        \
    }
#define MODEL_EDGE                                                                                 \
    {                                                                                              \
        .key = "edge_scale", .type = OPTION_NUMBER, .offset = offsetof(JobModel, edge_scale),      \
        .value = "1", .min = 0, .max = 10, .help = "width of its outline; 0 for none"              \
    }
#define MODEL_MORPHS                                                                               \
    {                                                                                              \
        .key = "morphs", .type = OPTION_WEIGHTS, MANY(JobModel, morphs, morph_count),              \
        .value = "{}", .min = -10, .max = 10, .help = "constant weights by name, applied last"     \
    }
#define MODEL_HIDE                                                                                 \
    {                                                                                              \
        .key = "hide_materials", .type = OPTION_TEXTS, MANY(JobModel, hide_materials, hide_count), \
        .value = "[]", .help = "names of materials that are not drawn"                             \
    }

static const Option model_rows[] = {
    {.key = "id", .type = OPTION_TEXT, .offset = offsetof(JobModel, id), .value = "null",
     .reach = AFFECTS_NOTHING, .help = "name for use in this file; the file's name when left out"},
    MODEL_FILE,
    {.key = "motions", .type = OPTION_LIST, MANY(JobModel, motions, motion_count), .value = "[]",
     .table = &motion_table, .help = "later ones win, per bone and per morph"},
    MODEL_POSITION,
    MODEL_ROTATION,
    MODEL_SCALE,
    MODEL_PATH,
    {.key = "physics", .type = OPTION_BOOL, .offset = offsetof(JobModel, physics), .value = "true",
     .help = "hair and cloth of the model move by physics"},
    MODEL_EDGE,
    MODEL_MORPHS,
    MODEL_HIDE,
    {.key = "attach", .type = OPTION_MAYBE, .offset = offsetof(JobModel, attach), .value = "null",
     .table = &attach_table, .help = "carried by a bone of another model; left out, a .vac that "
                                     "names a bone hangs on the one model that has it"},
};
static const OptionTable model_table = ROWS(model_rows, JobModel, "file");

static const Option stage_rows[] = {
    MODEL_FILE, MODEL_POSITION, MODEL_ROTATION, MODEL_SCALE, MODEL_PATH, MODEL_EDGE, MODEL_MORPHS,
    MODEL_HIDE,
};
static const OptionTable stage_table = ROWS(stage_rows, JobModel, "file");

/* ---- cloth ---- */

static const char *const integrators[] = {"euler", "symplectic", "rk2", "rk4", "leapfrog", NULL};

static const char *const cloth_forms[] = {"cone", "tube", "sheet", NULL};
static const char *const cloth_edges[] = {"top", "left", NULL};

static const Option shape_rows[] = {
    {.key = "form", .type = OPTION_CHOICE, .offset = offsetof(JobClothShape, form), .value = "cone",
     .choices = cloth_forms, .help = "a skirt, a narrow skirt, or a cape or flag"},
    {.key = "columns", .type = OPTION_INT, .offset = offsetof(JobClothShape, columns), .value = "40",
     .min = 3, .max = 1000, .help = "masses around, or from left to right"},
    {.key = "rows", .type = OPTION_INT, .offset = offsetof(JobClothShape, rows), .value = "30",
     .min = 2, .max = 1000, .help = "masses from the top down"},
    {.key = "radius", .type = OPTION_NUMBERS, .offset = offsetof(JobClothShape, radius), .length = 2,
     .value = "[1, 3]", .min = 0.01, .max = 1000, .unit = "MMD units",
     .help = "of a cone at its top and its hem; a tube has the first"},
    {.key = "depth", .type = OPTION_NUMBER, .offset = offsetof(JobClothShape, depth), .value = "1",
     .min = 0.05, .max = 20, .help = "of cone and tube: 0.8 is a little flatter than round"},
    {.key = "width", .type = OPTION_NUMBER, .offset = offsetof(JobClothShape, width), .value = "4",
     .min = 0.01, .max = 1000, .unit = "MMD units", .help = "of a sheet"},
    {.key = "length", .type = OPTION_NUMBER, .offset = offsetof(JobClothShape, length), .value = "5",
     .min = 0.01, .max = 1000, .unit = "MMD units", .help = "how far it hangs down"},
    {.key = "offset", .type = OPTION_NUMBERS, .offset = offsetof(JobClothShape, offset), .length = 3,
     .value = "[0, 0, 0]", .min = -FAR, .max = FAR, .unit = "MMD units",
     .help = "of the middle of its top, from the first pin bone"},
    {.key = "rotation_deg", .type = OPTION_NUMBERS, .offset = offsetof(JobClothShape, rotation_deg),
     .length = 3, .value = "[0, 0, 0]", .min = -3600, .max = 3600, .unit = "degrees",
     .help = "turned about z, then x, then y"},
    {.key = "hold", .type = OPTION_CHOICE, .offset = offsetof(JobClothShape, hold), .value = "top",
     .choices = cloth_edges, .help = "the edge that is fixed; left is for a flag"},
    {.key = "color", .type = OPTION_COLOR, .offset = offsetof(JobClothShape, color),
     .value = "\"#c03040\"", .help = "of both sides"},
    {.key = "texture", .type = OPTION_PATH, .offset = offsetof(JobClothShape, texture),
     .value = "null", .help = "a picture on it"},
    {.key = "edge", .type = OPTION_BOOL, .offset = offsetof(JobClothShape, edge), .value = "false",
     .help = "with an outline"},
};
static const OptionTable shape_table = ROWS(shape_rows, JobClothShape, NULL);

static const Option pin_rows[] = {
    {.key = "bone", .type = OPTION_TEXT, .offset = offsetof(JobCloth, pin_bone), .value = "null",
     .help = "what is skinned to it goes with it"},
    {.key = "bones", .type = OPTION_TEXTS, MANY(JobCloth, pin_bones, pin_bone_count), .value = "[]",
     .help = "more of them"},
};
static const OptionTable pin_table = ROWS(pin_rows, JobCloth, NULL);

static const Option cloth_rows[] = {
    {.key = "model", .type = OPTION_TEXT, .offset = offsetof(JobCloth, model),
     .reach = AFFECTS_NOTHING, .help = "id of the model that wears it"},
    {.key = "material", .type = OPTION_TEXT, .offset = offsetof(JobCloth, material), .value = "null",
     .help = "its material that hangs as cloth; or:"},
    {.key = "lining", .type = OPTION_NUMBER, .offset = offsetof(JobCloth, lining), .value = "0.1",
     .min = 0, .max = 10, .unit = "MMD units",
     .help = "an inner side of the material so near its outer one is the same cloth"},
    {.key = "shape", .type = OPTION_MAYBE, .offset = offsetof(JobCloth, shape), .value = "null",
     .table = &shape_table, .help = "cloth that is made, and hangs from the pin bones"},
    {.key = "pin", .type = OPTION_SECTION, .offset = 0, .value = "{}", .table = &pin_table,
     .help = "what holds it"},
    {.key = "capsules", .type = OPTION_CAPSULES, MANY(JobCloth, capsules, capsule_count),
     .value = "[]", .min = 0.001, .max = 1000, .unit = "MMD units",
     .help = "[bone, bone, radius] each: what it lies on; a sphere when both are one bone"},
    {.key = "bodies", .type = OPTION_BOOL, .offset = offsetof(JobCloth, bodies), .value = "false",
     .help = "it lies on the model's rigid bodies that follow bones, too"},
    {.key = "floor", .type = OPTION_BOOL, .offset = offsetof(JobCloth, floor), .value = "true",
     .help = "it does not fall below y = 0"},
    {.key = "integrator", .type = OPTION_CHOICE, .offset = offsetof(JobCloth, integrator),
     .value = "symplectic", .choices = integrators, .help = "how a step is taken"},
    {.key = "substeps", .type = OPTION_INT, .offset = offsetof(JobCloth, substeps), .value = "auto",
     .min = 1, .max = CLOTH_MAX_SUBSTEPS, .word = "auto", .word_value = 0,
     .help = "steps a tick; auto: as few as are stable"},
    {.key = "any_step", .type = OPTION_BOOL, .offset = offsetof(JobCloth, any_step),
     .value = "false", .help = "take steps that tear the cloth, too"},
    {.key = "mass", .type = OPTION_NUMBER, .offset = offsetof(JobCloth, mass), .value = "1",
     .min = 1e-3, .max = 1e3, .help = "of each mass"},
    {.key = "stiffness", .type = OPTION_NUMBER, .offset = offsetof(JobCloth, stiffness),
     .value = "60000", .min = 1, .max = 1e8, .unit = "force/MMD unit",
     .help = "of springs between neighbours"},
    {.key = "shear", .type = OPTION_NUMBER, .offset = offsetof(JobCloth, shear), .value = "0.5",
     .min = 0, .max = 1, .help = "of springs over diagonals, for one of stiffness"},
    {.key = "bend", .type = OPTION_NUMBER, .offset = offsetof(JobCloth, bend), .value = "0.1",
     .min = 0, .max = 1, .help = "of springs to every second mass, for one of stiffness"},
    {.key = "damping", .type = OPTION_NUMBER, .offset = offsetof(JobCloth, damping), .value = "0.1",
     .min = 0, .max = 2, .help = "of springs; 1: they just do not swing"},
    {.key = "drag", .type = OPTION_NUMBER, .offset = offsetof(JobCloth, drag), .value = "0.5",
     .min = 0, .max = 1e4, .unit = "force s/MMD unit", .help = "of the air on each mass"},
    {.key = "air", .type = OPTION_NUMBER, .offset = offsetof(JobCloth, air), .value = "1",
     .min = 0, .max = 1e3, .help = "how much moving air pushes a surface across it"},
    {.key = "wind", .type = OPTION_NUMBERS, .offset = offsetof(JobCloth, wind), .length = 3,
     .value = "[0, 0, 0]", .min = -1e4, .max = 1e4, .unit = "MMD units/s",
     .help = "the way it blows, and how fast"},
    {.key = "gust", .type = OPTION_NUMBER, .offset = offsetof(JobCloth, gust), .value = "0.5",
     .min = 0, .max = 1, .help = "how much of the wind comes and goes"},
    {.key = "gravity_scale", .type = OPTION_NUMBER, .offset = offsetof(JobCloth, gravity_scale),
     .value = "1", .min = -100, .max = 100, .help = "of physics.gravity"},
    {.key = "contact", .type = OPTION_NUMBER, .offset = offsetof(JobCloth, contact), .value = "4",
     .min = 0, .max = 1000, .help = "how hard bodies push it out, for one of stiffness"},
    {.key = "friction", .type = OPTION_NUMBER, .offset = offsetof(JobCloth, friction),
     .value = "0.3", .min = 0, .max = 10, .help = "on bodies: sideways force for one of push"},
    {.key = "thickness", .type = OPTION_NUMBER, .offset = offsetof(JobCloth, thickness),
     .value = "0.15", .min = 0, .max = 10, .unit = "MMD units", .help = "its distance from bodies"},
};
static const OptionTable cloth_table = ROWS(cloth_rows, JobCloth, NULL);

/* ---- camera, light, shadows, background ---- */

static const Option fixed_rows[] = {
    {.key = "target", .type = OPTION_NUMBERS, .offset = offsetof(JobCameraFixed, target),
     .length = 3, .value = "[0, 10, 0]", .min = -FAR, .max = FAR, .unit = "MMD units",
     .help = "what it looks at"},
    {.key = "distance", .type = OPTION_NUMBER, .offset = offsetof(JobCameraFixed, distance),
     .value = "-45", .min = -FAR, .max = FAR, .unit = "MMD units",
     .help = "from the target; negative stands before it, as in MMD"},
    {.key = "rotation_deg", .type = OPTION_NUMBERS,
     .offset = offsetof(JobCameraFixed, rotation_deg), .length = 3, .value = "[0, 0, 0]",
     .min = -3600, .max = 3600, .unit = "degrees",
     .help = "about x, y and z, as in a VMD: x below 0 looks down"},
    {.key = "fov_deg", .type = OPTION_NUMBER, .offset = offsetof(JobCameraFixed, fov_deg),
     .value = "30", .min = 1, .max = 179, .unit = "degrees", .help = "vertical angle of view"},
    {.key = "orthographic", .type = OPTION_BOOL,
     .offset = offsetof(JobCameraFixed, orthographic), .value = "false",
     .help = "without perspective"},
};
static const OptionTable fixed_table = ROWS(fixed_rows, JobCameraFixed, NULL);

static const char *const orientations[] = {"target", "axes", NULL};

static const Option camera_point_rows[] = {
    POINT_TIME(JobCameraPoint),
    POINT_FRAME(JobCameraPoint),
    {.key = "eye", .type = OPTION_NUMBERS, .offset = offsetof(JobCameraPoint, eye), .length = 3,
     .min = -FAR, .max = FAR, .unit = "MMD units", .help = "where it stands"},
    {.key = "target", .type = OPTION_NUMBERS, .offset = offsetof(JobCameraPoint, target),
     .length = 3, .value = "[0, 10, 0]", .min = -FAR, .max = FAR, .unit = "MMD units",
     .help = "what it looks at"},
    {.key = "up", .type = OPTION_NUMBERS, .offset = offsetof(JobCameraPoint, up), .length = 3,
     .value = "[0, 1, 0]", .min = -FAR, .max = FAR, .help = "upward"},
    {.key = "roll_deg", .type = OPTION_NUMBER, .offset = offsetof(JobCameraPoint, roll_deg),
     .value = "0", .min = -3600, .max = 3600, .unit = "degrees",
     .help = "from there: above 0 it leans to the right"},
    {.key = "fov_deg", .type = OPTION_NUMBER, .offset = offsetof(JobCameraPoint, fov_deg),
     .value = "30", .min = 1, .max = 179, .unit = "degrees", .help = "vertical angle of view"},
    POINT_VELOCITY(JobCameraPoint),
    POINT_CUT(JobCameraPoint),
};
static const OptionTable camera_point_table = ROWS(camera_point_rows, JobCameraPoint, NULL);

static const Option camera_rows[] = {
    {.key = "motion", .type = OPTION_MAYBE, .offset = offsetof(JobCamera, motion), .value = "null",
     .table = &track_table, .help = "camera keys of a motion"},
    {.key = "fixed", .type = OPTION_MAYBE, .offset = offsetof(JobCamera, fixed), .value = "null",
     .table = &fixed_table, .help = "a camera that does not move"},
    {.key = "path", .type = OPTION_LIST, MANY(JobCamera, path, path_count), .value = "[]",
     .table = &camera_point_table, .help = "points that it passes"},
    {.key = "orientation", .type = OPTION_CHOICE, .offset = offsetof(JobCamera, orientation),
     .value = "target", .choices = orientations,
     .help = "on a path: looks at the target all the way, or turns evenly from point to point"},
};
static const OptionTable camera_table = ROWS(camera_rows, JobCamera, NULL);

static const Option light_point_rows[] = {
    POINT_TIME(JobLightPoint),
    POINT_FRAME(JobLightPoint),
    {.key = "color", .type = OPTION_COLOR, .offset = offsetof(JobLightPoint, color),
     .value = "null", .help = "left out: the light's own"},
    {.key = "direction", .type = OPTION_NUMBERS, .offset = offsetof(JobLightPoint, direction),
     .length = 3, .value = "null", .min = -FAR, .max = FAR,
     .help = "the way the light travels; left out: the light's own"},
    POINT_CUT(JobLightPoint),
};
static const OptionTable light_point_table = ROWS(light_point_rows, JobLightPoint, NULL);

static const Option light_rows[] = {
    /* 154 of 255, as MMD starts */
    {.key = "color", .type = OPTION_COLOR, .offset = offsetof(JobLight, color),
     .value = "[0.603921569, 0.603921569, 0.603921569]", .help = "colour without light keys"},
    {.key = "direction", .type = OPTION_NUMBERS, .offset = offsetof(JobLight, direction),
     .length = 3, .value = "[-0.5, -1, 0.5]", .min = -FAR, .max = FAR,
     .help = "the way the light travels, without light keys"},
    {.key = "motion", .type = OPTION_MAYBE, .offset = offsetof(JobLight, motion), .value = "null",
     .table = &track_table, .help = "light keys of a motion; else the camera motion's, if any"},
    {.key = "path", .type = OPTION_LIST, MANY(JobLight, path, path_count), .value = "[]",
     .table = &light_point_table, .help = "points between which it changes, instead of keys"},
};
static const OptionTable light_table = ROWS(light_rows, JobLight, NULL);

static const Option shadow_rows[] = {
    {.key = "ground", .type = OPTION_BOOL, .offset = offsetof(JobShadows, ground), .value = "true",
     .help = "shadow on the floor; stages with self-shadow have theirs instead"},
    {.key = "ground_height", .type = OPTION_NUMBER, .offset = offsetof(JobShadows, ground_height),
     .value = "0", .min = -FAR, .max = FAR, .unit = "MMD units", .help = "of that floor"},
    {.key = "self", .type = OPTION_BOOL, .offset = offsetof(JobShadows, self), .value = "true",
     .help = "shadows of models on themselves and on each other, as shadow keys have them"},
    {.key = "map_size", .type = OPTION_INT, .offset = offsetof(JobShadows, map_size),
     .value = "2048", .min = 256, .max = 8192, .unit = "pixels", .help = "side of the map of these shadows"},
    {.key = "soft", .type = OPTION_NUMBER, .offset = offsetof(JobShadows, soft), .value = "0.05",
     .min = 0, .max = 1, .unit = "MMD units", .help = "half the width of these shadows' edges"},
};
static const OptionTable shadow_table = ROWS(shadow_rows, JobShadows, NULL);

static const char *const fit_words[] = {"cover", "contain", "stretch", NULL};

static const Option background_rows[] = {
    {.key = "color", .type = OPTION_COLOR, .offset = offsetof(JobBackground, color),
     .value = "\"#ffffff\"", .help = "colour behind everything"},
    {.key = "image", .type = OPTION_PATH, .offset = offsetof(JobBackground, image),
     .value = "null", .help = "a picture behind everything"},
    {.key = "video", .type = OPTION_PATH, .offset = offsetof(JobBackground, video),
     .value = "null", .help = "a video behind everything, without its sound"},
    {.key = "fit", .type = OPTION_CHOICE, .offset = offsetof(JobBackground, fit),
     .value = "cover", .choices = fit_words,
     .help = "picture or video of another shape: cut, with bars of the colour, or out of shape"},
    {.key = "video_offset_s", .type = OPTION_NUMBER,
     .offset = offsetof(JobBackground, video_offset_s), .value = "0", .min = -100000, .max = 100000,
     .unit = "s", .help = "when the video begins; its first picture stands before"},
    {.key = "video_loop", .type = OPTION_BOOL, .offset = offsetof(JobBackground, video_loop),
     .value = "false", .help = "again from its start after its end, where else its last picture stays"},
    {.key = "alpha", .type = OPTION_BOOL, .offset = offsetof(JobBackground, alpha),
     .value = "false",
     .help = "transparent background, where the output can store it: PNG, .mov, .webm, FFV1"},
};
static const OptionTable background_table = ROWS(background_rows, JobBackground, NULL);

/* ---- physics, disputed rules, sound ---- */

static const char *const bake_words[] = {"auto", "none", NULL};

static const Option physics_rows[] = {
    {.key = "gravity", .type = OPTION_NUMBERS, .offset = offsetof(JobPhysics, gravity),
     .length = 3, .value = "[0, -98, 0]", .min = -FAR, .max = FAR, .unit = "MMD units/s2",
     .help = "pull on everything"},
    {.key = "step_hz", .type = OPTION_INT, .offset = offsetof(JobPhysics, step_hz),
     .value = "120", .min = 30, .max = 1200, .unit = "1/s", .help = "steps a second"},
    {.key = "cloth_hz", .type = OPTION_INT, .offset = offsetof(JobPhysics, cloth_hz),
     .value = "240", .min = 30, .max = 4800, .unit = "1/s", .help = "ticks of cloth a second"},
    {.key = "warmup_s", .type = OPTION_NUMBER, .offset = offsetof(JobPhysics, warmup_s),
     .value = "1", .min = 0, .max = 60, .unit = "s", .help = "time to settle before the film"},
    {.key = "floor", .type = OPTION_BOOL, .offset = offsetof(JobPhysics, floor), .value = "true",
     .help = "nothing falls below y = 0"},
    {.key = "teleport_reset", .type = OPTION_BOOL, .offset = offsetof(JobPhysics, teleport_reset),
     .value = "false", .help = "hair goes along when its model jumps, instead of being whipped"},
    {.key = "bake", .type = OPTION_PATH, .offset = offsetof(JobPhysics, bake), .value = "auto",
     .choices = bake_words,
     .help = "a file of odori bake to take the frames from; auto and none evaluate them"},
};
static const OptionTable physics_table = ROWS(physics_rows, JobPhysics, NULL);

static const char *const ik_families[] = {"plane", "pmxe", NULL};
static const char *const append_chains[] = {"appended", "own", NULL};
static const char *const fixed_axes[] = {"keys", "off", NULL};

static const Option compat_rows[] = {
    {.key = "curve_halvings", .type = OPTION_INT, .offset = offsetof(JobCompat, curve_halvings),
     .value = "12", .min = 1, .max = 52, .help = "of easing curves: 12 as MMD, 24 nearly exact"},
    {.key = "ik", .type = OPTION_CHOICE, .offset = offsetof(JobCompat, ik), .value = "plane",
     .choices = ik_families, .help = "solver of inverse kinematics"},
    {.key = "append_chain", .type = OPTION_CHOICE, .offset = offsetof(JobCompat, append_chain),
     .value = "appended", .choices = append_chains,
     .help = "what an appended bone hands on: what was appended to it, or its own motion too"},
    {.key = "fixed_axis", .type = OPTION_CHOICE, .offset = offsetof(JobCompat, fixed_axis),
     .value = "keys", .choices = fixed_axes, .help = "keys of such bones are turned onto the axis"},
};
static const OptionTable compat_table = ROWS(compat_rows, JobCompat, NULL);

static const char *const synths[] = {"beep", "fluidsynth", NULL};

static const Option audio_rows[] = {
    {.key = "file", .type = OPTION_PATH, .offset = offsetof(JobAudio, file),
     .help = "a sound (.wav, .flac, .ogg, .mp3, .m4a) or a song (.mid)"},
    {.key = "offset_s", .type = OPTION_NUMBER, .offset = offsetof(JobAudio, offset_s),
     .value = "0", .min = -1e5, .max = 1e5, .unit = "s", .help = "when it begins"},
    {.key = "gain_db", .type = OPTION_NUMBER, .offset = offsetof(JobAudio, gain_db), .value = "0",
     .min = -100, .max = 40, .unit = "dB", .help = "louder or softer"},
    {.key = "fade_in_s", .type = OPTION_NUMBER, .offset = offsetof(JobAudio, fade_in_s),
     .value = "0", .min = 0, .max = 600, .unit = "s", .help = "at the film's start"},
    {.key = "fade_out_s", .type = OPTION_NUMBER, .offset = offsetof(JobAudio, fade_out_s),
     .value = "0", .min = 0, .max = 600, .unit = "s", .help = "at the film's end"},
    {.key = "synth", .type = OPTION_CHOICE, .offset = offsetof(JobAudio, synth), .value = "beep",
     .choices = synths,
     .help = "what plays a MIDI file: one square wave, or FluidSynth where it is built in"},
    {.key = "voices", .type = OPTION_INT, .offset = offsetof(JobAudio, voices), .value = "16",
     .min = 1, .max = 128, .help = "beep: notes that take turns, low channels first"},
    {.key = "slice_ms", .type = OPTION_NUMBER, .offset = offsetof(JobAudio, slice_ms),
     .value = "10", .min = 1, .max = 1000, .unit = "ms", .help = "beep: the turn of a note"},
    {.key = "percussion", .type = OPTION_BOOL, .offset = offsetof(JobAudio, percussion),
     .value = "false", .help = "beep: channel 10 too"},
    {.key = "soundfont", .type = OPTION_PATH, .offset = offsetof(JobAudio, soundfont),
     .value = "null", .help = "fluidsynth: its instruments (.sf2, .sf3)"},
};
static const OptionTable audio_table = ROWS(audio_rows, JobAudio, "file");

/* ---- drawing and writing ---- */

static const char *const backends[] = {"osmesa", "egl", "auto", NULL};

static const char *const transparencies[] = {"mmd", "split", NULL};

static const Option render_rows[] = {
    {.key = "size", .type = OPTION_INTS, .offset = offsetof(JobRender, size), .length = 2,
     .value = "[1920, 1080]", .min = 2, .max = 8192, .unit = "pixels", .help = "width and height"},
    {.key = "fps", .type = OPTION_RATE, .offset = offsetof(JobRender, fps), .value = "60",
     .min = 1, .max = 240, .unit = "frames/s", .help = "60, 29.97 or \"30000/1001\""},
    {.key = "frames", .type = OPTION_FRAMES, .offset = offsetof(JobRender, frames),
     .value = "all", .unit = "output frames",
     .help = "all, or ranges with first and last: \"0-99,400-499\""},
    {.key = "samples", .type = OPTION_INT, .offset = offsetof(JobRender, samples), .value = "4",
     .min = 1, .max = 4, .help = "of a pixel: 1 or 4"},
    {.key = "supersample", .type = OPTION_INT, .offset = offsetof(JobRender, supersample),
     .value = "1", .min = 1, .max = 4, .help = "drawn so many times larger, then averaged"},
    {.key = "anisotropy", .type = OPTION_INT, .offset = offsetof(JobRender, anisotropy),
     .value = "1", .min = 1, .max = 16,
     .help = "textures at a slant stay sharper; 4 doubles the time of surfaces on a CPU"},
    {.key = "workers", .type = OPTION_INT, .offset = offsetof(JobRender, workers),
     .value = "auto", .min = 1, .max = 256, .word = "auto", .word_value = 0,
     .reach = AFFECTS_NOTHING, .help = "processes that draw; auto: one a core"},
    {.key = "gl", .type = OPTION_CHOICE, .offset = offsetof(JobRender, gl), .value = "osmesa",
     .choices = backends, .help = "how OpenGL is reached"},
    {.key = "edges", .type = OPTION_BOOL, .offset = offsetof(JobRender, edges), .value = "true",
     .help = "outlines of models"},
    {.key = "transparency", .type = OPTION_CHOICE, .offset = offsetof(JobRender, transparency),
     .value = "mmd", .choices = transparencies,
     .help = "mmd: in file order, and hides what comes later behind it; split: last, hiding nothing"},
    {.key = "shader_dir", .type = OPTION_PATH, .offset = offsetof(JobRender, shader_dir),
     .value = "null", .help = "folder of shaders to use instead of the built-in ones"},
};
static const OptionTable render_table = ROWS(render_rows, JobRender, NULL);

static const Option output_rows[] = {
    {.key = "file", .type = OPTION_PATH, .offset = offsetof(JobOutput, file),
     .written = true,
     .help = "video, or pictures by a pattern like %05d.png"},
    {.key = "codec", .type = OPTION_TEXT, .offset = offsetof(JobOutput, codec), .value = "auto",
     .help = "h264, h265, vp9, av1, ...; auto: by the file's name"},
    {.key = "crf", .type = OPTION_INT, .offset = offsetof(JobOutput, crf), .value = "auto",
     .min = 0, .max = 63, .word = "auto", .word_value = -1, .help = "quality; less is better"},
    {.key = "preset", .type = OPTION_TEXT, .offset = offsetof(JobOutput, preset), .value = "null",
     .help = "of the encoder: ultrafast ... medium ... veryslow"},
    {.key = "gop", .type = OPTION_INT, .offset = offsetof(JobOutput, gop), .value = "auto",
     .min = 1, .max = 10000, .word = "auto", .word_value = 0, .unit = "frames",
     .help = "between key frames; auto: 1 s, at least 30"},
    {.key = "pixel_format", .type = OPTION_TEXT, .offset = offsetof(JobOutput, pixel_format),
     .value = "auto", .help = "yuv420p, yuv444p, ..."},
    {.key = "audio_codec", .type = OPTION_TEXT, .offset = offsetof(JobOutput, audio_codec),
     .value = "auto", .help = "aac, opus, ...; auto: by the container"},
    {.key = "audio_kbps", .type = OPTION_INT, .offset = offsetof(JobOutput, audio_kbps),
     .value = "auto", .min = 8, .max = 1024, .word = "auto", .word_value = 0, .unit = "kbit/s",
     .help = "of the sound"},
};
static const OptionTable output_table = ROWS(output_rows, JobOutput, "file");

static const char *const preview_types[] = {"sheet", "still", "webp", "gif", NULL};

static const Option preview_rows[] = {
    {.key = "type", .type = OPTION_CHOICE, .offset = offsetof(JobPreview, type),
     .choices = preview_types, .help = "a contact sheet, one frame, or a small animation"},
    {.key = "file", .type = OPTION_PATH, .offset = offsetof(JobPreview, file),
     .written = true,
     .help = "where it goes: a .png for sheet and still, a .webp, a .gif"},
    {.key = "cells", .type = OPTION_INTS, .offset = offsetof(JobPreview, cells), .length = 2,
     .value = "[6, 4]", .min = 1, .max = 64, .help = "of a sheet: columns and rows"},
    {.key = "width", .type = OPTION_INT, .offset = offsetof(JobPreview, width), .value = "auto",
     .min = 16, .max = 8192, .word = "auto", .word_value = 0, .unit = "pixels",
     .help = "of one picture, in the film's shape; auto: 320 in a sheet, 480 in an animation, "
             "the film's for a still"},
    {.key = "frame", .type = OPTION_INT, .offset = offsetof(JobPreview, frame), .value = "auto",
     .min = 0, .max = JOB_MAX_FRAME, .word = "auto", .word_value = -1, .unit = "output frame",
     .help = "of a still; auto: the one at time_s"},
    {.key = "time_s", .type = OPTION_NUMBER, .offset = offsetof(JobPreview, time_s),
     .value = "0", .min = 0, .max = 400000, .unit = "s", .help = "of a still"},
    {.key = "fps", .type = OPTION_RATE, .offset = offsetof(JobPreview, fps), .value = "12",
     .min = 1, .max = 60, .unit = "frames/s",
     .help = "of an animation; at most the film's, and 50 in a GIF"},
    {.key = "range_s", .type = OPTION_NUMBERS, .offset = offsetof(JobPreview, range_s),
     .length = 2, .value = "[0, 0]", .min = 0, .max = 1e6, .unit = "s",
     .help = "part of the film that a sheet or an animation shows; [0, 0]: all"},
};
static const OptionTable preview_table = ROWS(preview_rows, JobPreview, NULL);

static const char *const corners[] = {"top-left", "top-right", "bottom-left", "bottom-right", NULL};

static const Option burn_in_rows[] = {
    {.key = "text", .type = OPTION_TEXT, .offset = offsetof(JobBurnIn, text),
     .help = "{name}, {frame} and {time} are filled in; {{ is a brace"},
    {.key = "corner", .type = OPTION_CHOICE, .offset = offsetof(JobBurnIn, corner),
     .value = "bottom-left", .choices = corners, .help = "where it stands"},
    {.key = "font", .type = OPTION_PATH, .offset = offsetof(JobBurnIn, font), .value = "null",
     .help = "a font file (.ttf, .otf, .ttc) for more than ASCII; left out: built-in letters"},
};
static const OptionTable burn_in_table = ROWS(burn_in_rows, JobBurnIn, NULL);

static const Option limit_rows[] = {
    {.key = "frame_timeout_s", .type = OPTION_NUMBER,
     .offset = offsetof(JobLimits, frame_timeout_s), .value = "60", .min = 0.1, .max = 86400,
     .unit = "s",
     .help = "longest time for one frame; the run ends with status 75"},
    {.key = "total_timeout_s", .type = OPTION_NUMBER,
     .offset = offsetof(JobLimits, total_timeout_s), .value = "0", .min = 0, .max = 31536000,
     .unit = "s", .help = "longest time for a run, which ends like a stopped one, with status 75; 0: any"},
    {.key = "memory_mib", .type = OPTION_INT, .offset = offsetof(JobLimits, memory_mib),
     .value = "8192", .min = 64, .max = 16777216, .unit = "MiB",
     .help = "most memory of one process, else status 69; the largest pictures need 6000"},
};
static const OptionTable limit_table = ROWS(limit_rows, JobLimits, NULL);

/* ---- the job ---- */

static const Option job_rows[] = {
    {.key = "version", .type = OPTION_INT, .offset = offsetof(Job, version), .min = 1, .max = 1,
     .help = "of this format: 1"},
    {.key = "name", .type = OPTION_TEXT, .offset = offsetof(Job, name), .value = "null",
     .reach = AFFECTS_FILE, .help = "for messages and metadata; the file's name when left out"},
    {.key = "models", .type = OPTION_LIST, MANY(Job, models, model_count), .min = 1,
     .max = OPTION_MAX_ITEMS, .table = &model_table, .help = "who dances"},
    {.key = "stage", .type = OPTION_LIST, MANY(Job, stage, stage_count), .value = "[]",
     .table = &stage_table, .help = "models without motion, drawn first"},
    {.key = "cloth", .type = OPTION_LIST, MANY(Job, cloth, cloth_count), .value = "[]",
     .table = &cloth_table, .help = "skirts and capes as masses and springs"},
    {.key = "camera", .type = OPTION_SECTION, .offset = offsetof(Job, camera), .value = "{}",
     .table = &camera_table, .help = "left out: one that frames the models"},
    {.key = "light", .type = OPTION_SECTION, .offset = offsetof(Job, light), .value = "{}",
     .table = &light_table, .help = "the one light"},
    {.key = "shadows", .type = OPTION_SECTION, .offset = offsetof(Job, shadows), .value = "{}",
     .table = &shadow_table, .help = "which shadows are drawn"},
    {.key = "background", .type = OPTION_SECTION, .offset = offsetof(Job, background),
     .value = "{}", .table = &background_table, .help = "behind everything"},
    {.key = "physics", .type = OPTION_SECTION, .offset = offsetof(Job, physics), .value = "{}",
     .table = &physics_table, .help = "rigid bodies of the models"},
    {.key = "compat", .type = OPTION_SECTION, .offset = offsetof(Job, compat), .value = "{}",
     .table = &compat_table, .help = "rules on which programs differ"},
    {.key = "audio", .type = OPTION_MAYBE, .offset = offsetof(Job, audio), .value = "null",
     .table = &audio_table, .help = "the sound"},
    {.key = "render", .type = OPTION_SECTION, .offset = offsetof(Job, render), .value = "{}",
     .table = &render_table, .help = "the pictures"},
    {.key = "outputs", .type = OPTION_LIST, MANY(Job, outputs, output_count), .min = 1, .max = 8,
     .table = &output_table, .help = "where the film goes"},
    {.key = "previews", .type = OPTION_LIST, MANY(Job, previews, preview_count), .value = "[]",
     .table = &preview_table, .reach = AFFECTS_FILE, .help = "small pictures of the film"},
    {.key = "burn_in", .type = OPTION_MAYBE, .offset = offsetof(Job, burn_in), .value = "null",
     .table = &burn_in_table, .help = "text in every picture"},
    {.key = "limits", .type = OPTION_SECTION, .offset = offsetof(Job, limits), .value = "{}",
     .table = &limit_table, .reach = AFFECTS_NOTHING, .help = "when to give up"},
    {.key = "credits", .type = OPTION_TEXTS, MANY(Job, credits, credit_count), .value = "[]",
     .reach = AFFECTS_FILE, .help = "who made the models and motions: copied into the video's metadata"},
};
const OptionTable option_job = ROWS(job_rows, Job, NULL);
/* clang-format on */

const Option *option_find(const OptionTable *table, const char *key)
{
    for (size_t i = 0; i < table->count; i++)
        if (!strcmp(table->rows[i].key, key))
            return &table->rows[i];
    return NULL;
}

/* The next word of a dotted path into `out`; false at its end or when it is too long. */
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

const Option *option_at(const char *dotted)
{
    const OptionTable *table = &option_job;
    const Option *option = NULL;
    char word[64];

    while (next_word(word, sizeof word, &dotted)) {
        const bool index = option && option->type == OPTION_LIST && word[0] &&
                           !word[strspn(word, "0123456789")];
        if (index)
            continue;
        option = table ? option_find(table, word) : NULL;
        if (!option)
            return NULL;
        table = option->table;
    }
    return *dotted ? NULL : option;
}
