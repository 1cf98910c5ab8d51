#include "cli/verbs.h"

#include "cli/verbs_dispatch.h"
#include "cli/verbs_export.h"
#include "cli/verbs_help.h"
#include "cli/verbs_info.h"
#include "cli/verbs_inspect.h"
#include "cli/verbs_render.h"
#include "cli/verbs_report.h"

#define JOB_OR_FILES "JOB | MODEL MOTION... [SOUND]"
#define JOB_FILES                                                                                \
    "yaml yml json pmm pmx pmd x vac vmd vpd bvh vrma wav flac ogg mp3 m4a mid midi zip 7z rar " \
    "lzh"
#define ASSET_FILES JOB_FILES " png bmp tga dds jpg sph spa gif mp4 mkv webm"
#define FILES_HELP                                                                               \
    "Instead of a job file, models (.pmx, .pmd) can be given, each followed by its motions and " \
    "poses (.vmd, .vpd, .bvh, .vrma), as well as accessories (.x, .vac), a camera motion and a " \
    "sound (.wav, "                                                                              \
    ".flac, .ogg, .mp3, .m4a, .mid).  An archive (.zip, .7z, .rar, .lzh) stands for the model, " \
    "motion or "                                                                                 \
    "sound in it; a file in it is named as pack.zip/model.pmx.\n"

#define PICTURE_FLAGS "size fps camera"
#define DRAW_FLAGS                             \
    "set limits sandbox frames " PICTURE_FLAGS \
    " workers gl shader-dir progress verbose strict warnings"
#define OUTPUT_FLAGS "output output-format previews "
#define RENDER_FLAGS                                                                \
    OUTPUT_FLAGS DRAW_FLAGS " times dump-config state resume overwrite no-clobber " \
                            "accept-renderer"
#define STATE_FLAGS                                         \
    OUTPUT_FLAGS "set limits sandbox frames " PICTURE_FLAGS \
                 " assets workers gl shader-dir state strict warnings json"

/* Per verb its name, synopsis and summary; its description; one row of fields. */
/* clang-format off */
const Verb verbs[] = {
    {"render", JOB_OR_FILES " [-o FILE] [--set KEY=VALUE]...", "render a job",
     "Completed frames are recorded in the checkpoint directory, .NAME.odori beside the first "
     "output.  The same command resumes a run that was stopped or killed or that filled the disk, "
     "and produces the same bytes as an uninterrupted run.  Videos resume after the last complete "
     "segment (about one second), image sequences after the last frame.\n"
     "An edited job replaces the outputs of its earlier version.  Any other file that exists is "
     "only replaced with --overwrite.\n"
     "With --shard only one part is rendered; 'odori join' creates the outputs when all parts are "
     "complete.\n"
     "With -o or -f the previews of the job are left alone, unless --previews is given.  The verb "
     "may be omitted: 'odori model.pmx dance.vmd -o dance.mp4'.\n"
     "-o - writes the film to standard output, once and without a checkpoint: 'odori render JOB "
     "-o - | ffmpeg -i - ...'.  The job - is read from standard input; its paths are relative to "
     "the current directory.\n"
     "A project of MikuMikuDance (.pmm) is a job, too, here and where a verb takes a job: as "
     "'odori job' would write it, with its files below --assets DIR.  It is written to NAME.mp4 "
     "beside the project without -o.\n" FILES_HELP,
     1, "", JOB_FILES, RENDER_FLAGS " assets shard give-up", true, verb_render},
    {"join", JOB_OR_FILES " [--state DIR] [-o FILE] [--set KEY=VALUE]...",
     "create the outputs of a job that was rendered in shards",
     "Requires the same job, -o, -f and --set as the shards.  Frames are not encoded again; the "
     "sound is encoded and previews are rendered in this step.  Exit status 75 and a list of the "
     "missing frames if the shards are incomplete.\n",
     1, "", JOB_FILES, OUTPUT_FLAGS DRAW_FLAGS " assets state resume no-clobber", true, verb_join},
    {"preview", JOB_OR_FILES " [-o FILE] [--summary FILE]", "render only the previews of a job",
     "A job without previews gets a contact sheet of 6 x 4 frames, NAME-sheet.png beside its "
     "outputs; -o FILE replaces the previews of the job by a contact sheet in FILE.  Physics is "
     "evaluated from the start of the film; --no-physics saves that time.\n" FILES_HELP,
     1, "", JOB_FILES, "output " DRAW_FLAGS " assets summary no-physics overwrite", true, verb_preview},
    {"report", JOB_OR_FILES " [-o FILE.html] [--base FILE]", "write a page about a job, to look at",
     "One HTML file without outside references: the film, or some seconds of it, a contact sheet, "
     "warnings, the job, credits, time of each stage, memory, physics and versions.  24 frames are "
     "rendered at the size of the film, so that their times are those of the film; frames that "
     "'odori render --times' has recorded are used instead.  Physics is evaluated from the start of "
     "the film; --no-physics saves that time.\n"
     "With --base the film is compared with another one, or 24 frames with those of another job; "
     "the page shows the frames that differ most.  -o replaces an older report.  Without -o the "
     "page is written to standard output.\n" FILES_HELP,
     1, "", JOB_FILES, "output base embed-limit " DRAW_FLAGS " assets state no-physics overwrite", true,
     verb_report},
    {"bake", JOB_OR_FILES " [-o FILE]", "evaluate and store all frames, including physics",
     "A job uses a bake with physics.bake: FILE and renders the same frames as without it.  "
     "Without -o the bake is stored in the checkpoint directory, where every shard finds it.\n",
     1, "", JOB_FILES, OUTPUT_FLAGS "set limits sandbox frames " PICTURE_FLAGS " assets progress verbose strict warnings state overwrite",
     true, verb_bake},
    {"plan", JOB_OR_FILES " [--shards N] [--try] [--json]",
     "estimate frames, shards, memory, disk and time, and show the source of each value",
     "Memory is an upper bound for all processes together.  Time and disk space are rough "
     "estimates unless --try measures them on up to 24 frames from the start, middle and end of "
     "the film.  Precedence of values: flags, --set, environment, job file, default.\n",
     1, "", JOB_FILES, OUTPUT_FLAGS "set limits sandbox frames " PICTURE_FLAGS " assets workers shards try gl shader-dir strict warnings verbose json", false,
     verb_plan},
    {"status", "JOB | DIR [--json]", "report completed and missing frames and running processes",
     "DIR is a checkpoint directory, .NAME.odori beside the first output.  The report relies on "
     "ledgers and file sizes; 'odori verify' reads the files.  Exit status 0 if everything is "
     "complete, else 75.  Requires the same --frames, --set and -o as render.\n",
     1, "", JOB_FILES, STATE_FLAGS, false, verb_status},
    {"verify", "JOB | DIR | FILE... [--json]",
     "verify the digests of frames and outputs, and decode videos",
     "For a job or its checkpoint directory, every recorded frame and file is compared with its "
     "digest, and videos are decoded.  A single file is decoded.  Exit status 0 if everything is "
     "intact and complete, 1 if a file is damaged or missing, 66 if an operand does not exist, 75 "
     "if nothing is damaged but the film is incomplete.\n",
     1, "", ASSET_FILES, STATE_FLAGS " format junit", false, verb_verify},
    {"compare", "A B [--threshold N] [--tolerance N] [-o IMAGE.png] [--json]",
     "compare two films frame by frame: PSNR, SSIM, first difference",
     "Each operand is a video, a directory of images, a pattern such as out/%05d.png, or an "
     "image.  -o writes the least similar pair and its difference side by side.  Exit status 1 if "
     "a frame is below the threshold or one operand has frames that the other lacks; -v prints "
     "one line per frame.\n"
     "Images of 16 bits a channel are compared at 16 bits, also with one of 8 bits, and their "
     "largest difference is reported in units of 1/65535; videos are compared at 8 bits.  OpenEXR "
     "files (.exr) are compared with each other, channel by channel by name: channels that one of "
     "them lacks, and the largest difference of each channel, which --tolerance limits.  There NaN "
     "equals NaN, an infinity only itself, and ids of Cryptomattes must be equal.\n",
     2, "", "*", "output threshold tolerance sandbox overwrite json format junit verbose", false, verb_compare},
    {"batch", "plan|run|status MANIFEST [--json] [--summary FILE]",
     "expand a manifest into many jobs and run them",
     "plan loads every job, compares the files that they would write, and renders nothing.  run "
     "renders them, retries after temporary failures, and resumes an earlier run.  status reports "
     "their progress (exit status 75 if jobs are incomplete).  Logs and results are stored in "
     ".MANIFEST.odori/ beside the manifest.\n"
     "run --slurm submits for each job what 'odori slurm' would, in run.shards shards, except for "
     "jobs that are completed or queued.  A job whose values have changed since it was finished "
     "replaces its own outputs, and fails if it was not finished; --overwrite restarts all jobs.\n",
     2, "plan run status", "yaml yml json",
     "json limits sandbox summary overwrite no-clobber accept-renderer slurm sbatch progress verbose strict warnings", true,
     verb_batch},
    {"slurm", JOB_OR_FILES " --shards N [--submit]",
     "print or submit a script that renders the job on a Slurm cluster",
     "The script submits three dependent jobs: bake (if there is physics or cloth), an array of N "
     "shards, and join.  Each shard requests the cores of -j, or 4, and the memory that 'odori "
     "plan' estimates.  A shard that reaches its time limit resumes in a new run.  All machines "
     "must see the same files under the same paths; logs are written to log/ in the checkpoint "
     "directory.\n",
     1, "", JOB_FILES,
     "output previews set limits sandbox frames " PICTURE_FLAGS " assets workers shards submit sbatch no-bake accept-renderer state gl shader-dir strict warnings "
     "verbose",
     false, verb_slurm},
    {"k8s", JOB_OR_FILES " --shards N --image IMAGE [--claim NAME]",
     "print manifests that render the job on Kubernetes",
     "Prints three Jobs in one file for kubectl; its first lines describe how to apply them one "
     "after the other.  Run it in the root of the volume as mounted on this machine, with paths "
     "relative to that directory.\n",
     1, "", JOB_FILES,
     "output previews set limits sandbox frames " PICTURE_FLAGS " assets workers shards image claim mount no-bake accept-renderer state gl strict warnings "
     "verbose", false,
     verb_k8s},
    {"openjd", JOB_OR_FILES " --shards N [--bundle DIR]",
     "print a template of Open Job Description that renders the job on a render farm",
     "The template (jobtemplate-2023-09, JSON) has the steps bake (if there is physics or cloth), "
     "shards, with a task for each, and join, with cores, memory, time limits and a notice of 60 s "
     "before a task is ended; a task that is run again resumes.  Paths are parameters, so that the "
     "farm can map them; all machines must see the same files.  The template belongs into the "
     "current directory: default values of paths are relative to it.  --bundle DIR writes a job "
     "bundle, which lists every input and the directories of the outputs.\n",
     1, "", JOB_FILES,
     "output previews set limits sandbox frames " PICTURE_FLAGS " assets workers shards bundle no-bake accept-renderer state gl strict warnings "
     "verbose overwrite", false,
     verb_openjd},
    {"check", JOB_OR_FILES " [--json]", "load every asset and report all problems",
     "Also reports a sound that is shorter or longer than the film, a model that is loaded twice in "
     "one place, and an encoder whose hardware is missing; prints how many bones and morphs of "
     "each motion the models have.  --format github prints annotations, --junit FILE a report for "
     "continuous integration.\n" FILES_HELP,
     1, "", JOB_FILES, "output output-format set limits sandbox " PICTURE_FLAGS " assets strict warnings verbose json format junit gl", false, verb_check},
    {"info", "FILE... [--json] [-o IMAGE]", "print facts about models, motions, poses, images and sounds, or show them",
     "Of a model: counts, textures that are missing and where they were looked for, with --bones its "
     "bones as a tree.  -o FILE.png is a picture of it from the front, from the side and of its "
     "face, --morphs FILE.png a sheet of its face with each morph.\n"
     "Of a motion: keys over time, cuts of the camera, with --model how many of its names a model "
     "has.  -o FILE.png or FILE.svg is a chart of its keys.\n",
     1, "", ASSET_FILES, "output morphs json names bones model overwrite gl limits sandbox strict warnings verbose", false, verb_info},
    {"pose", JOB_OR_FILES " --frames LIST", "print evaluated bones, morphs and camera as JSON",
     FILES_HELP,
     1, "", JOB_FILES, "frames fps model assets format no-physics vertices overwrite set limits sandbox strict warnings gl",
     false, verb_pose},
    {"job", "PROJECT.pmm -o JOB.yaml [--assets DIR]",
     "convert a project of MikuMikuDance to a job file",
     "Writes the job and, in NAME-motions/ beside it, the motions of the project.  Files that the "
     "project names by Windows paths are looked for below DIR (default: the directory of the "
     "project) by the last parts of their names, without case.  Effects named in the .emm beside "
     "it become keys of look where there are any.  What is missing, and what a job cannot "
     "express, is reported.\n",
     1, "", "pmm", "output overwrite assets sandbox strict warnings verbose", false, verb_job},
    {"convert", "MOTION.bvh --model MODEL.pmx -o MOTION.vmd",
     "convert motion capture (.bvh, .vrma) to a motion for a model",
     "The joints are recognized by their names (Hips, LeftUpLeg, ...).  Limbs and fingers get the "
     "directions of the source; the movement is scaled by the length of the legs.  A job can use "
     "the motion capture itself, with the same result.\n",
     1, "", "bvh vrma", "output overwrite model legs sandbox strict warnings verbose", false, verb_convert},
    {"export", JOB_OR_FILES " -o FILE.vmd|FILE.glb|FILE.bvh",
     "write the evaluated dance for other programs",
     ".vmd: a motion with IK and physics baked into bone keys, which plays the same in "
     "MikuMikuDance; IK is switched off in it.  .glb: glTF 2.0 with skin, vertex morphs, textures "
     "and animation, all models or that of --model.  .bvh: the skeleton, in centimetres.  All have "
     "30 frames a second, from 0 to the last key or those of -f.  Cloth and soft bodies are not "
     "exported.\n" FILES_HELP,
     1, "", JOB_FILES, "output overwrite assets frames fps model no-physics set limits sandbox strict warnings verbose",
     false, verb_export},
    {"plot", JOB_OR_FILES " [--bone NAME] [-o FILE]",
     "plot the camera path or the trajectory of a bone as SVG or PNG",
     "Without --bone: camera.path in plan view, side view and over time, with its weights, beside "
     "the ordinary cubic.  With --bone: the trajectory of the bone at each rate of --fps, "
     "evaluated separately for each rate.  -o FILE.svg or FILE.png; without -o SVG is written to "
     "standard output.\n",
     1, "", JOB_FILES, "output overwrite bone fps frames model no-physics set limits sandbox strict warnings",
     false, verb_plot},
    {"demo", "[-o out/demo.mp4] [--assets DIR] [--hall]",
     "generate and render the built-in figure, dance and tune",
     "The model, motions, tune and job file are kept in DIR; default: out/demo for "
     "out/demo.mp4.  With --hall the default is out/hall.mp4, and its job is hall.yaml.\n",
     0, "", "", "assets hall " RENDER_FLAGS, true, verb_demo},
    {"schema", "[job | batch | limits]",
     "print the JSON Schema of a job file, manifest or limits file, for editors",
     "",
     0, "job batch limits", "", "", false, verb_schema},
    {"help", "[VERB | KEY | job | warnings | WORD] [--man [job | batch | limits]] [--markdown]",
     "show help for a verb or a key of the job file, or search for a word",
     "'odori help job' lists all keys of a job file, 'odori help KEY' describes one key or "
     "section, 'odori help batch' includes the keys of a manifest, 'odori help limits' those of a "
     "limits file, 'odori help warnings' lists the classes of warnings.  Any other word is searched in "
     "the names and texts of verbs, flags and keys.\n",
     0, "job warnings", "", "markdown man", false, verb_help},
    {"completion", "bash|zsh|fish", "print a completion script for a shell",
     "For bash: source <(odori completion bash).  'make install' installs the scripts.\n",
     1, "bash zsh fish", "", "", false, verb_completion},
    {"version", "[--json]", "print the versions of the program and its libraries",
     "",
     0, "", "", "json", false, verb_version},
    {0},
};
/* clang-format on */
