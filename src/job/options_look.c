#include "job/job_look.h"
#include "job/option_rows.h"

/* clang-format off */

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
    {FIELD(JobLook, grade), T(OPTIONAL), .value = "null", .table = &grade_table,
     .help = "color grading of the finished frames"},
};
const OptionTable option_look = TABLE(look_rows, JobLook, NULL);
/* clang-format on */
