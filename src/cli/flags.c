#include "cli/flags.h"

#include <string.h>

#include "cli/arguments.h"

static const char *const modes[] = {"auto", "tty", "plain", "json", "none", NULL};
static const char *const colors[] = {"auto", "always", "never", NULL};
static const char *const backends[] = {"osmesa", "egl", "auto", NULL};

/* clang-format off: a table */
const Flag flags[] = {
    {"output", 'o', FLAG_TEXT, offsetof(Arguments, output), "FILE", NULL, NULL,
     "write this instead of the job's outputs; its ending says what: .mp4, .mkv, .webm, %05d.png, "
     "..., of a preview .png"},
    {"set", 0, FLAG_SET, 0, "KEY=VALUE", NULL, NULL,
     "lay a value over the job file, e.g. render.size=[640,360] or models.0.file=x.pmx; may be "
     "repeated"},
    {"frames", 'f', FLAG_TEXT, offsetof(Arguments, frames), "LIST", NULL, NULL,
     "render: output frames, \"0-99,400-499\"; pose: motion frames, \"0:300:15,10.5\" "
     "(first:last:step); plot: motion frames, \"0-299\""},
    {"shards", 0, FLAG_TEXT, offsetof(Arguments, shards), "N", NULL, NULL,
     "into how many parts the film is cut, each drawn by a process of its own"},
    {"state", 0, FLAG_TEXT, offsetof(Arguments, state), "DIR", NULL, NULL,
     "folder that remembers what is done; .NAME.odori beside the first output when left out"},
    {"no-bake", 0, FLAG_SWITCH, offsetof(Arguments, no_bake), NULL, NULL, NULL,
     "no step that evaluates physics and cloth for all shards: each does it for itself"},
    {"submit", 0, FLAG_SWITCH, offsetof(Arguments, submit), NULL, NULL, NULL,
     "run the script instead of printing it"},
    {"sbatch", 0, FLAG_TEXT, offsetof(Arguments, sbatch), "OPTIONS", NULL, NULL,
     "options of sbatch for each of the three jobs, e.g. \"--partition=long --time=2:00:00\"; they "
     "go "
     "before those of the script, such as --mem and --cpus-per-task"},
    {"image", 0, FLAG_TEXT, offsetof(Arguments, image), "IMAGE", NULL, NULL,
     "container image with odori in it"},
    {"claim", 0, FLAG_TEXT, offsetof(Arguments, claim), "NAME", NULL, NULL,
     "claim of the volume that holds the job and its files (odori)"},
    {"mount", 0, FLAG_TEXT, offsetof(Arguments, mount), "DIR", NULL, NULL,
     "where the volume is in the container (/data); names on the command line are relative to it"},
    {"workers", 'j', FLAG_KEY, 0, "N", NULL, "render.workers",
     "processes that draw; auto: one a core"},
    {"shard", 0, FLAG_TEXT, offsetof(Arguments, shard), "I/N", NULL, NULL,
     "draw one of N parts, I from 1; auto: as the scheduler's variables say (Slurm, Kubernetes, "
     "AWS)"},
    {"resume", 0, FLAG_SWITCH, offsetof(Arguments, resume), NULL, NULL, NULL,
     "go on where the last run ended, as without this flag"},
    {"overwrite", 'y', FLAG_SWITCH, offsetof(Arguments, overwrite), NULL, NULL, NULL,
     "begin anew, whatever was done, and by which job"},
    {"no-clobber", 'n', FLAG_SWITCH, offsetof(Arguments, no_clobber), NULL, NULL, NULL,
     "an output that is there, and was not made by this very job, is an error"},
    {"give-up", 0, FLAG_TEXT, offsetof(Arguments, max_stalled_runs), "N", NULL, NULL,
     "fail for good when N runs in a row have brought no new frame"},
    {"gl", 0, FLAG_KEY, 0, "BACKEND", backends, "render.gl", "how OpenGL is reached"},
    {"shader-dir", 0, FLAG_KEY, 0, "DIR", NULL, "render.shader_dir",
     "use the shaders of this folder instead of the built-in ones"},
    {"model", 0, FLAG_TEXT, offsetof(Arguments, model), "ID", NULL, NULL,
     "which of several models; the first when left out"},
    {"bone", 0, FLAG_TEXT, offsetof(Arguments, bone), "NAME", NULL, NULL,
     "plot where this bone goes"},
    {"fps", 0, FLAG_TEXT, offsetof(Arguments, fps), "LIST", NULL, NULL,
     "frame rates at which the bone is evaluated, \"24,30,60\"; the job's when left out"},
    {"vertices", 0, FLAG_TEXT, offsetof(Arguments, vertices), "FILE", NULL, NULL,
     "also write the skinned positions of the last frame, raw float32 x y z, as the GPU computed "
     "them"},
    {"no-physics", 0, FLAG_SWITCH, offsetof(Arguments, no_physics), NULL, NULL, NULL,
     "leave physics and cloth out"},
    {"summary", 0, FLAG_TEXT, offsetof(Arguments, summary), "FILE", NULL, NULL,
     "also write a Markdown page about the job, with the preview, for a pull request"},
    {"assets", 0, FLAG_TEXT, offsetof(Arguments, assets), "DIR", NULL, NULL,
     "where the demo's model, motions and sound are put"},
    {"dump-config", 0, FLAG_SWITCH, offsetof(Arguments, dump_config), NULL, NULL, NULL,
     "print the whole job with every default, ready to be loaded again, and do nothing else"},
    {"json", 0, FLAG_SWITCH, offsetof(Arguments, json), NULL, NULL, NULL, "JSON on stdout"},
    {"try", 0, FLAG_SWITCH, offsetof(Arguments, tried), NULL, NULL, NULL,
     "draw a few frames to measure time and bytes"},
    {"threshold", 0, FLAG_TEXT, offsetof(Arguments, threshold), "N", NULL, NULL,
     "how alike every picture must be: 0.99 (SSIM) or 40dB (PSNR); to the bit when left out"},
    {"names", 0, FLAG_SWITCH, offsetof(Arguments, names), NULL, NULL, NULL,
     "also the names of bones, morphs, materials and textures"},
    {"times", 0, FLAG_SWITCH, offsetof(Arguments, times), NULL, NULL, NULL,
     "measure and tell the CPU time of each stage"},
    {"slurm", 0, FLAG_SWITCH, offsetof(Arguments, slurm), NULL, NULL, NULL,
     "batch run: hand the jobs to Slurm instead of running them here"},
    {"strict", 0, FLAG_SWITCH, offsetof(Arguments, strict), NULL, NULL, NULL,
     "warnings are errors"},
    {"progress", 0, FLAG_CHOICE, offsetof(Arguments, progress), "MODE", modes, NULL,
     "how far it is: a bar, lines for a log, JSON lines"},
    {"color", 0, FLAG_CHOICE, offsetof(Arguments, color), "WHEN", colors, NULL,
     "coloured messages; NO_COLOR in the environment is heeded"},
    {"quiet", 'q', FLAG_SWITCH, offsetof(Arguments, quiet), NULL, NULL, NULL, "only errors"},
    {"verbose", 'v', FLAG_SWITCH, offsetof(Arguments, verbose), NULL, NULL, NULL,
     "tell each frame"},
    {"markdown", 0, FLAG_SWITCH, offsetof(Arguments, markdown), NULL, NULL, NULL,
     "the keys of a job as a Markdown table"},
    {"man", 0, FLAG_SWITCH, offsetof(Arguments, man), NULL, NULL, NULL, "the manual page, as roff"},
    {"help", 'h', FLAG_SWITCH, offsetof(Arguments, help), NULL, NULL, NULL, "this help"},
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

const Flag *flag_of_letter(char letter)
{
    for (const Flag *flag = flags; flag->name; flag++)
        if (flag->letter == letter)
            return flag;
    return NULL;
}
