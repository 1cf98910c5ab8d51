#include "job/job.h"
#include "job/option_rows.h"

/* clang-format off */

static const char *const integrators[] = {"euler", "symplectic", "rk2", "rk4", "leapfrog", NULL};
static const char *const cloth_forms[] = {"cone", "tube", "sheet", "skirt", "cape", "flag", NULL};
static const char *const cloth_edges[] = {"top", "left", NULL};

static const Option shape_rows[] = {
    {FIELD(JobClothShape, form), T(CHOICE), .value = "cone", .choices = cloth_forms,
     .help = "form: cone, tube, sheet; a cone with folds (skirt), its back half (cape), a sheet with a fixed left edge (flag)"},
    {FIELD(JobClothShape, columns), T(INT), .value = "40", RANGE(3, 1000),
     .help = "number of masses around the form, or from left to right"},
    {FIELD(JobClothShape, rows), T(INT), .value = "30", RANGE(2, 1000),
     .help = "number of masses from top to bottom"},
    {FIELD(JobClothShape, radius), T(NUMBERS), .length = 2, .value = "[1, 3]", RANGE(0.01, 1000),
     .unit = "MMD units",
     .help = "radius of a cone, skirt or cape at the top and at the hem; a tube has the first"},
    {FIELD(JobClothShape, depth), T(NUMBER), .value = "1", RANGE(0.05, 20),
     .help = "depth of a cone or tube relative to its width; 1 is round"},
    {FIELD(JobClothShape, width), T(NUMBER), .value = "4", RANGE(0.01, 1000), .unit = "MMD units",
     .help = "width of a sheet"},
    {FIELD(JobClothShape, length), T(NUMBER), .value = "5", RANGE(0.01, 1000), .unit = "MMD units",
     .help = "length from top to bottom"},
    {FIELD(JobClothShape, thickness), T(NUMBER), .value = "0.06", RANGE(0, 10), .unit = "MMD units",
     .help = "thickness as it is drawn: two layers and a rim; 0 is one layer"},
    {FIELD(JobClothShape, offset), T(NUMBERS), .length = 3, .value = "[0, 0, 0]", COORDINATES,
     .help = "offset of the middle of the top edge from the first pin bone"},
    {FIELD(JobClothShape, rotation_deg), T(NUMBERS), .length = 3, .value = "[0, 0, 0]", ROTATION,
     .help = ROTATION_HELP},
    {FIELD(JobClothShape, hold), T(CHOICE), .value = "top", .choices = cloth_edges,
     .help = "fixed edge; left suits a flag"},
    {FIELD(JobClothShape, color), T(COLOR), .value = "\"#c03040\"", .help = "color of both sides"},
    {FIELD(JobClothShape, texture), T(PATH), .value = "null", .help = "path of a texture image"},
    {FIELD(JobClothShape, edge), T(BOOL), .value = "false", .help = "drawing of an outline"},
};
static const OptionTable shape_table = TABLE(shape_rows, JobClothShape, NULL);

static const Option pin_rows[] = {
    {.key = "bone", T(TEXT), .offset = offsetof(JobCloth, pin_bone), .value = "null",
     .help = "name of a bone; vertices that are skinned to it are fixed to it"},
    {.key = "bones", T(TEXTS), COUNTED(JobCloth, pin_bones, pin_bone_count), .value = "[]",
     .help = "names of further pin bones"},
};
static const OptionTable pin_table = TABLE(pin_rows, JobCloth, NULL);

static const Option cloth_rows[] = {
    {FIELD(JobCloth, model), T(TEXT), .affects = AFFECTS_NOTHING,
     .help = "id of the model that wears the cloth"},
    {FIELD(JobCloth, material), T(TEXT), .value = "null",
     .help = "material of the model that is simulated as cloth; alternative to shape"},
    {FIELD(JobCloth, lining), T(NUMBER), .value = "0.1", RANGE(0, 10), .unit = "MMD units",
     .help = "largest distance of an inner layer that moves with the outer one"},
    {FIELD(JobCloth, shape), T(OPTIONAL), .value = "null", .table = &shape_table,
     .help = "generated cloth that is attached to the pin bones, instead of a material"},
    {.key = "pin", T(SECTION), .offset = 0, .value = "{}", .table = &pin_table,
     .help = "bones to which the cloth is fixed"},
    {.key = "capsules", T(CAPSULES), COUNTED(JobCloth, capsules, capsule_count), .value = "[]",
     RANGE(0.001, 1000), .unit = "MMD units",
     .help = "collision capsules between two bones; a sphere if both are the same bone; auto: fitted to the mesh of the model"},
    {FIELD(JobCloth, bodies), T(BOOL), .value = "false",
     .help = "collision with the rigid bodies of the model that follow bones"},
    {FIELD(JobCloth, floor), T(BOOL), .value = "true", .help = "collision with the plane y = 0"},
    {FIELD(JobCloth, integrator), T(CHOICE), .value = "symplectic", .choices = integrators,
     .help = "numerical integration method"},
    {FIELD(JobCloth, substeps), T(INT), .value = "auto", RANGE(1, CLOTH_MAX_SUBSTEPS), AUTO(0),
     .help = "integration steps per tick of physics.cloth_hz; auto: the smallest stable number"},
    {FIELD(JobCloth, any_step), T(BOOL), .value = "false",
     .help = "permission for steps so long that the simulation diverges"},
    {FIELD(JobCloth, mass), T(NUMBER), .value = "1", RANGE(1e-3, 1e3),
     .help = "mass of each vertex"},
    {FIELD(JobCloth, stiffness), T(NUMBER), .value = "60000", RANGE(1, 1e8),
     .unit = "force/MMD unit",
     .help = "stiffness of the springs between neighbors"},
    {FIELD(JobCloth, shear), T(NUMBER), .value = "0.5", RANGE(0, 1),
     .help = "stiffness of the diagonal springs, relative to stiffness"},
    {FIELD(JobCloth, bend), T(NUMBER), .value = "0.1", RANGE(0, 1),
     .help = "stiffness of the springs to the second neighbor, relative to stiffness"},
    {FIELD(JobCloth, damping), T(NUMBER), .value = "0.1", RANGE(0, 2),
     .help = "damping ratio of the springs; 1 is critical damping"},
    {FIELD(JobCloth, drag), T(NUMBER), .value = "0.5", RANGE(0, 1e4), .unit = "force s/MMD unit",
     .help = "linear air drag of each vertex"},
    {FIELD(JobCloth, air), T(NUMBER), .value = "20", RANGE(0, 1e3),
     .help = "coefficient of the pressure of moving air on the surface"},
    {FIELD(JobCloth, wind), T(NUMBERS), .length = 3, .value = "[0, 0, 0]", RANGE(-1e4, 1e4),
     .unit = "MMD units/s",
     .help = "velocity of the wind"},
    {FIELD(JobCloth, gust), T(NUMBER), .value = "0.5", RANGE(0, 1),
     .help = "part of the wind that varies over time; 0 is a steady wind"},
    {FIELD(JobCloth, gravity_scale), T(NUMBER), .value = "1", RANGE(-100, 100),
     .help = "gravity of the cloth, relative to physics.gravity"},
    {FIELD(JobCloth, inertia), T(NUMBER), .value = "0.4", RANGE(0, 1),
     .help = "part of the motion of the pins that swings the cloth; the rest moves it as a whole"},
    {FIELD(JobCloth, contact), T(NUMBER), .value = "3", RANGE(0, 1000),
     .help = "stiffness of the contact with bodies, relative to stiffness"},
    {FIELD(JobCloth, friction), T(NUMBER), .value = "0.3", RANGE(0, 10),
     .help = "coefficient of friction on bodies"},
    {FIELD(JobCloth, thickness), T(NUMBER), .value = "0.15", RANGE(0, 10), .unit = "MMD units",
     .help = "distance that the cloth keeps from bodies"},
    {FIELD(JobCloth, self_collision), T(BOOL), .value = "true",
     .help = "collision with itself, and with other cloth that has it, too"},
};
const OptionTable option_cloth = TABLE(cloth_rows, JobCloth, NULL);
/* clang-format on */
