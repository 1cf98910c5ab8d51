#include "cli/flags.h"

#include <string.h>

#include "cli/arguments.h"
#include "job/options.h"

static const char *const modes[] = {"auto", "tty", "plain", "json", "none", "openjd", NULL};
static const char *const formats[] = {"text", "json", "github", "openpose",
                                      NULL}; /* by ReportFormat; openpose: of pose */
static const char *const legs[] = {"fk", "ik", NULL};
static const char *const colors[] = {"auto", "always", "never", NULL};

/* One row per flag, its help text below it. */
/* clang-format off */
#define SWITCH(field)                FLAG_SWITCH, offsetof(Arguments, field), NULL, NULL, NULL
#define TEXT(field, value)           FLAG_TEXT, offsetof(Arguments, field), value, NULL, NULL
#define WORDS(field, value)          FLAG_WORDS, offsetof(Arguments, field), value, NULL, NULL
#define OPTIONAL(field, value)       FLAG_OPTIONAL, offsetof(Arguments, field), value, NULL, NULL
#define LIST(field, value)           FLAG_LIST, offsetof(Arguments, field), value, NULL, NULL
#define CHOICE(field, value, choice) FLAG_CHOICE, offsetof(Arguments, field), value, choice, NULL
#define KEY(key, value)              FLAG_KEY, 0, value, NULL, key

const Flag flags[] = {
    {"output",          'o', TEXT(output, "FILE"),
     "output file, instead of the outputs of the job; the file name extension selects the format: "
     ".mp4, .mkv, .webm, %05d.png, ...; for previews .png; - is standard output (render, demo)"},
    {"output-format",    0,  TEXT(output_format, "FORMAT"),
     "format of -o FILE, instead of the one that its extension selects: y4m, nut, rawvideo, mkv, "
     "ts, sha256, ... or a name of libavformat; default for standard output: nut, with FFV1 and "
     "PCM, without any loss"},
    {"set",              0,  FLAG_SET, 0, "KEY=VALUE", NULL, NULL,
     "value that overrides a key of the job file, e.g. render.size=[640,360] or "
     "models.0.file=x.pmx; with -o, outputs.0 is the output of -o; may be repeated"},
    {"frames",          'f', TEXT(frames, "LIST"),
     "output frames, \"0-99,400-499\"; m150-m300 is from motion frame 150 to 300 (30 per second), "
     "5s-10s from second 5 to before second 10; pose also first:last:step, \"m0:300:15\""},
    {"shards",           0,  TEXT(shards, "N"),
     "number of shards into which the film is divided, each rendered by a process of its own "
     "(1..10000)"},
    {"state",            0,  TEXT(state, "DIR"),
     "checkpoint directory; default: .NAME.odori beside the first output"},
    {"limits",           0,  TEXT(limits, "FILE"),
     "limits of the host, which win over those of the job: a file of limits, or the profile "
     "untrusted for jobs of strangers; default: the environment variable ODORI_LIMITS"},
    {"no-bake",          0,  SWITCH(no_bake),
     "no separate bake stage; every shard evaluates physics and cloth itself"},
    {"submit",           0,  SWITCH(submit),
     "execution of the script, instead of printing it"},
    {"sbatch",           0,  WORDS(sbatch, "OPTIONS"),
     "options of sbatch for each of the three Slurm jobs, e.g. \"--partition=long "
     "--time=2:00:00\"; they precede the options of the script, such as --mem and --cpus-per-task"},
    {"image",            0,  TEXT(image, "IMAGE"),
     "container image that contains odori"},
    {"legs",             0,  CHOICE(legs, "MODE", legs),
     "how motion capture moves legs: by their rotations, with IK off (fk, the default), or by "
     "targets of foot IK (ik)"},
    {"bundle",           0,  TEXT(bundle, "DIR"),
     "job bundle: a new directory with the template, its parameter values and a list of all inputs"},
    {"claim",            0,  TEXT(claim, "NAME"),
     "name of the persistent volume claim for the job and its files; default: odori"},
    {"mount",            0,  TEXT(mount, "DIR"),
     "mount point of the volume in the container; relative paths on the command line start there; "
     "default: /data"},
    {"workers",         'j', KEY("render.workers", "N"),
     "number of render processes (1..256), or auto: one per available core"},
    {"shard",            0,  TEXT(shard, "I/N"),
     "shard to render, I of N (I from 1), or auto: from the environment variables of the scheduler "
     "(Slurm, Kubernetes, AWS Batch)"},
    {"resume",           0,  SWITCH(resume),
     "resume from the completed frames of earlier runs; the default"},
    {"overwrite",       'y', SWITCH(overwrite),
     "replaces existing files that this job did not write; render, demo and batch restart from the "
     "first frame and remove checkpoints, also those of another job"},
    {"no-clobber",      'n', SWITCH(no_clobber),
     "error instead of replacing the outputs of an earlier version of the job"},
    {"accept-renderer",  0,  SWITCH(accept_renderer),
     "continue a film that another version of OpenGL (Mesa) has rendered so far; its frames may "
     "look slightly different"},
    {"give-up",          0,  TEXT(max_stalled_runs, "N"),
     "maximum number of consecutive runs without a new frame (1..1000); after them the failure is "
     "final"},
    {"gl",               0,  KEY("render.gl", "BACKEND"),
     "OpenGL backend"},
    {"sandbox",          0,  KEY("limits.sandbox", "MODE"),
     "confinement of the processes that handle assets: auto, require (status 69 where the kernel "
     "cannot) or off"},
    {"shader-dir",       0,  KEY("render.shader_dir", "DIR"),
     "directory of shaders that replace the built-in ones"},
    {"model",            0,  TEXT(model, "ID"),
     "id of the model; default: the first model; info: file of a model to which motions are compared"},
    {"bone",             0,  TEXT(bone, "NAME"),
     "name of the bone whose trajectory is plotted"},
    {"size",             0,  KEY("render.size", "WxH"),
     "size of the frames in pixels, 1280x720"},
    {"fps",              0,  TEXT(fps, "RATE"),
     "frame rate (frames/s), 30 or 30000/1001; plot: rates at which the bone is evaluated, "
     "\"24,30,60\"; default: the rate of the job"},
    {"camera",           0,  TEXT(camera, "FILE"),
     "camera motion (.vmd), instead of the camera of the job"},
    {"previews",         0,  SWITCH(previews),
     "previews of the job as well, although -o or -f is given"},
    {"vertices",         0,  TEXT(vertices, "FILE"),
     "file for the skinned vertex positions of the last frame as the GPU computed them: raw "
     "float32 x y z, MMD units"},
    {"no-physics",       0,  SWITCH(no_physics),
     "evaluation without physics and cloth"},
    {"summary",          0,  TEXT(summary, "FILE"),
     "Markdown report, e.g. for a pull request: of preview with the preview image, of batch a "
     "table of the jobs"},
    {"base",             0,  TEXT(base, "FILE"),
     "film, directory of images or job with which the film is compared: before and after"},
    {"embed-limit",      0,  TEXT(embed_limit, "SIZE"),
     "size of the largest film that is embedded in the page, 500K, 20M (default) or 1G; from a larger "
     "one some seconds are shown; 0: only stills"},
    {"assets",           0,  TEXT(assets, "DIR"),
     "directory for the generated model, motions, sound and job file; of a project (.pmm): "
     "directory in which its files are looked for; default: that of the project"},
    {"hall",             0,  SWITCH(hall),
     "dance in a vaulted hall of 300,000 triangles; the camera stands still for half of the film"},
    {"dump-config",      0,  SWITCH(dump_config),
     "print the complete job with all defaults, as a loadable job file, and exit"},
    {"json",             0,  SWITCH(json),
     "JSON on standard output"},
    {"format",           0,  CHOICE(format, "FORMAT", formats),
     "form of the report on standard output: text, json (as --json), or github: annotations of a "
     "GitHub workflow; of pose: json, or openpose: keypoints of all models, a line per frame"},
    {"junit",            0,  TEXT(junit, "FILE"),
     "JUnit XML report, besides the one on standard output; an older report is replaced"},
    {"try",              0,  SWITCH(measure),
     "time and bytes measured by rendering up to 24 frames, instead of a rough estimate"},
    {"threshold",        0,  TEXT(threshold, "N"),
     "minimum similarity of every frame, as SSIM (0..1, e.g. 0.99) or PSNR (e.g. 40dB); default: "
     "identical frames"},
    {"tolerance",        0,  TEXT(tolerance, "N"),
     "largest absolute difference of two samples of .exr files (0 or more); default: 0"},
    {"morphs",           0,  TEXT(morphs, "FILE"),
     "contact sheet of the model's face with each morph (.png)"},
    {"bones",            0,  SWITCH(bones),
     "the bones of a model as a tree"},
    {"names",            0,  SWITCH(names),
     "names of bones, morphs, materials and textures as well"},
    {"times",            0,  SWITCH(times),
     "CPU time of each stage, in milliseconds per frame"},
    {"slurm",            0,  SWITCH(slurm),
     "batch run: submission of the jobs to Slurm, instead of running them on this machine"},
    {"strict",           0,  OPTIONAL(strict, "CLASSES"),
     "treat warnings as errors: all, or with --strict=CLASS,... those of some classes; 'odori help "
     "warnings' lists the classes"},
    {"warnings",        'W', LIST(warnings, "CLASS"),
     "class of warnings that is shown, or with no-CLASS hidden; may be repeated"},
    {"progress",         0,  CHOICE(progress, "MODE", modes),
     "form of the progress report on standard error: a bar (tty), log lines (plain), JSON lines "
     "(json)"},
    {"color",            0,  CHOICE(color, "WHEN", colors),
     "colored messages; auto respects the environment variable NO_COLOR"},
    {"quiet",           'q', SWITCH(quiet),
     "errors only"},
    {"verbose",         'v', SWITCH(verbose),
     "one line per frame, and warnings about quirks of a model's author"},
    {"markdown",         0,  SWITCH(markdown),
     "job keys as a Markdown table"},
    {"man",              0,  SWITCH(man),
     "manual page in roff: odori(1); with the operand job odori-job(5), with batch odori-batch(5), "
     "with limits odori-limits(5)"},
    {"help",            'h', SWITCH(help),
     "help for the verb"},
    {0},
};
/* clang-format on */

const Flag *flag_find(const char *name, size_t size)
{
    for (const Flag *flag = flags; flag->name; flag++)
        if (strlen(flag->name) == size && !memcmp(flag->name, name, size))
            return flag;
    return NULL;
}

const Flag *flag_find_letter(char letter)
{
    for (const Flag *flag = flags; flag->name; flag++)
        if (flag->letter == letter)
            return flag;
    return NULL;
}

bool flag_takes_value(const Flag *flag)
{
    return flag->value && flag->type != FLAG_OPTIONAL;
}

const char *const *flag_choices(const Flag *flag)
{
    const Option *option = flag->key ? option_at(flag->key) : NULL;
    return option ? option->choices : flag->choices;
}
