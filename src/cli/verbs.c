#include "cli/verbs.h"

#include "base/file.h"
#include "base/text_stream.h"
#include "cli/batch.h"
#include "cli/verbs_render.h"
#include "cli/help.h"
#include "cli/verbs_inspect.h"
#include "cli/verbs_dispatch.h"
#include "inspect/check.h"
#include "inspect/info.h"
#include "job/job.h"
#include "job/option_text.h"
#include "inspect/plot.h"
#include "inspect/pose_run.h"
#include "job/version.h"

/* ---- check, pose, plot, info ---- */

static bool run_check(Progress *progress, const Arguments *args, Arena *arena, Diag *diag)
{
    JobSource source;
    (void)progress;
    (void)arena;
    if (!source_find(&source, args, diag))
        return false;
    source.needs_output = source.path != NULL;
    return check_job(stdout, &source, args->json, diag);
}

static void leave_physics_out(Job *job)
{
    for (size_t i = 0; i < job->model_count; i++)
        job->models[i].physics = false;
    job->cloth_count = 0;
}

static bool run_pose(Progress *progress, const Arguments *args, Arena *arena, Diag *diag)
{
    const PoseOptions options = {args->frames, args->model, args->vertices};
    JobSource source;
    Job job;
    (void)progress;

    if (!args->frames)
        return diag_fail(diag, DIAG_USAGE, "--frames is needed, like 0:300:15,10.5");
    if (!source_find(&source, args, diag))
        return false;
    if (!job_load(&job, &source, arena, diag))
        return false;
    if (args->no_physics)
        leave_physics_out(&job);
    return pose_run(stdout, &job, &options, diag);
}

static bool plot(FILE *out, const Job *job, const Arguments *args, Diag *diag)
{
    const PlotBoneOptions bone = {args->bone, args->model, args->fps, args->frames};
    return args->bone ? plot_bone(out, job, &bone, diag) : plot_camera(out, job, diag);
}

static bool run_plot(Progress *progress, const Arguments *args, Arena *arena, Diag *diag)
{
    JobSource source;
    Job job;
    TextStream stream;
    (void)progress;

    if (!args->bone && (args->model || args->fps || args->frames))
        return diag_fail(diag, DIAG_USAGE, "--model, --fps and --frames belong to --bone");
    if (!source_find(&source, args, diag))
        return false;
    source.output = NULL; /* -o names the plot */
    if (!job_load(&job, &source, arena, diag))
        return false;
    if (args->no_physics)
        leave_physics_out(&job);
    bool good = plot(text_stream_open(&stream, arena), &job, args, diag);
    const char *text = text_stream_close(&stream);
    if (good && args->output)
        good = file_save(args->output, text, stream.size, diag);
    else if (good)
        fwrite(text, 1, stream.size, stdout);
    return good;
}

static bool run_info(Progress *progress, const Arguments *args, Arena *arena, Diag *diag)
{
    const InfoOptions options = {.json = args->json, .names = args->names};
    bool good = true;
    (void)progress;
    (void)arena;
    for (size_t i = 0; i < args->files.count; i++)
        good &= info_write(stdout, args->files.items[i], &options, diag);
    return good;
}

/* ---- schema, help, version ---- */

static bool run_schema(Progress *progress, const Arguments *args, Arena *arena, Diag *diag)
{
    (void)args;
    (void)progress;
    (void)arena;
    (void)diag;
    option_schema(stdout);
    return true;
}

static bool run_help(Progress *progress, const Arguments *args, Arena *arena, Diag *diag)
{
    const char *topic = args->files.count ? args->files.items[0] : NULL;
    const Verb *verb = topic ? verb_find(verbs, topic) : NULL;
    (void)progress;
    (void)arena;
    if (args->markdown)
        option_markdown(stdout);
    else if (args->man)
        help_write_manual(stdout, verbs);
    else if (!topic)
        help_write_usage(stdout, verbs);
    else if (verb)
        help_write_verb(stdout, verb);
    else if (!option_help(stdout, topic))
        return diag_fail(diag, DIAG_USAGE, "'%s' is neither a verb nor a key of a job", topic);
    return true;
}

static bool run_version(Progress *progress, const Arguments *args, Arena *arena, Diag *diag)
{
    (void)progress;
    (void)arena;
    (void)diag;
    version_write(stdout, args->json);
    return true;
}

#define JOB_OR_FILES "JOB | MODEL MOTION... [SOUND]"
#define FILES_HELP                                                                                 \
    "\nInstead of a job file there may be models (.pmx, .pmd), each followed by its motions and\n" \
    "poses (.vmd, .vpd), accessories (.x, .vac), a camera motion and a sound (.wav, .flac, "       \
    ".ogg,\n"                                                                                      \
    ".mp3, .m4a, .mid).\n"
#define RENDER_FLAGS                                                                           \
    "output set frames workers gl shader-dir progress verbose strict times dump-config state " \
    "resume "                                                                                  \
    "overwrite no-clobber"

const Verb verbs[] = {
    {"render", JOB_OR_FILES " [-o FILE] [--set KEY=VALUE]...", "draw the whole job",
     "\nWhat is done is remembered in a folder beside the first output: a run that was stopped, "
     "killed\n"
     "or out of disk goes on from there with the same command, and ends with the same bytes.  A "
     "video\n"
     "goes on at its last whole piece (about a second), pictures one by one.\n"
     "With --shard only a part is drawn; odori join makes the outputs when all parts are "
     "done.\n" FILES_HELP,
     1, RENDER_FLAGS " shard give-up", true, verb_render},
    {"join", JOB_OR_FILES " [--state DIR] [-o FILE] [--set KEY=VALUE]...",
     "make the outputs of a job drawn in shards",
     "\nTakes the same job, -o, -f and --set as the shards.  Pictures are not encoded again; the "
     "sound is\n"
     "encoded here, and previews are drawn.  Ends with 75 and the list of frames if any are "
     "missing.\n",
     1, "output set frames workers gl shader-dir progress verbose strict state resume no-clobber",
     true, verb_join},
    {"preview", JOB_OR_FILES " [-o FILE] [--summary FILE]",
     "draw the previews alone, small and quick",
     "\nA job without previews gets a contact sheet of 6 x 4 frames, NAME-sheet.png beside its\n"
     "outputs; -o puts a sheet elsewhere, in place of the job's previews.  Physics is computed "
     "from\n"
     "the start of the film; --no-physics saves that time.\n" FILES_HELP,
     1, "output set frames workers gl shader-dir progress verbose strict summary no-physics", true,
     verb_preview},
    {"bake", JOB_OR_FILES " [-o FILE]", "evaluate all frames, physics too, and store them",
     "\nA job takes them with physics.bake: FILE, and draws the same pictures as without.  Without "
     "-o they\n"
     "go into the folder that remembers what is done, from where every shard takes them.\n",
     1, "output set frames progress verbose strict state", true, verb_bake},
    {"plan", JOB_OR_FILES " [--shards N] [--try] [--json]",
     "what it will take: frames, shards, memory, disk, time, and where each value comes from",
     "\nMemory is what all processes use together, at most.  Time and disk are rough, unless "
     "--try\n"
     "draws up to 24 frames from the film's start, middle and end.  Flags go before --set, that "
     "before\n"
     "the environment, and that before the job file.\n",
     1, "output set frames workers shards try gl shader-dir strict json", false, verb_plan},
    {"status", "JOB | DIR [--json]", "what of a job is done: which frames lack, and who is at work",
     "\nDIR is the folder that holds what is done, .NAME.odori beside the first output.  Ledgers "
     "and\n"
     "sizes of files are believed; odori verify reads all of them.  Exit status: 0 when everything "
     "is\n"
     "there, 75 when not.  JOB is given as to render: with the same --frames, --set and -o.\n",
     1, "output set frames workers gl shader-dir state strict json", false, verb_status},
    {"verify", "JOB | DIR | FILE... [--json]", "are the files whole: digests, pictures, sound",
     "\nOf a job, or of its folder .NAME.odori: every picture and file that was recorded is "
     "compared\n"
     "with its digest, and videos are decoded.  A file by itself is decoded.  Exit status: 0 when "
     "all\n"
     "is whole and finished, 1 when something is damaged or gone, 66 when DIR or FILE is not "
     "there,\n"
     "75 when nothing is damaged but the film is not finished.\n",
     1, "output set frames workers gl shader-dir state strict json", false, verb_verify},
    {"compare", "A B [--threshold N] [-o PICTURE.png] [--json]",
     "two films picture by picture: PSNR, SSIM, the first difference",
     "\nEach is a video, a folder of pictures, a pattern like out/%05d.png, or a picture.  -o "
     "writes the\n"
     "worst pair and what differs in it, beside each other.  Exit status 1 when a picture is less "
     "alike\n"
     "than the threshold, or one of the two has pictures that the other lacks; -v tells each "
     "picture.\n",
     2, "output threshold json verbose", false, verb_compare},
    {"batch", "plan|run|status MANIFEST [--json] [--summary FILE]",
     "many jobs made from one: a matrix of values, several at once",
     "\nplan loads every job, compares the files they will write, and draws nothing; run draws "
     "them,\n"
     "tries again after faults that may pass, and goes on where an earlier run was stopped; "
     "status\n"
     "tells how far they are (75: not all are done).  Logs and results are in .MANIFEST.odori/ "
     "beside\n"
     "the manifest.  With --slurm, run submits what 'odori slurm' would for each job, in "
     "run.shards shards,\n"
     "but for those that are done or in the queue.  A job whose values have changed since it was "
     "drawn\n"
     "fails; --overwrite begins them all anew.\n",
     2, "json summary overwrite no-clobber slurm sbatch progress verbose strict", true, verb_batch},
    {"slurm", JOB_OR_FILES " --shards N [--submit]",
     "print, or run, a script that draws the job on a Slurm cluster",
     "\nThe script submits three jobs that wait for each other: bake (where there is physics or "
     "cloth), an\n"
     "array of N shards, join.  Each shard asks for as many cores as -j says, or 4, and for the "
     "memory that\n"
     "'odori plan' tells.  One that is stopped by its time limit goes on in a new run.  All "
     "machines must\n"
     "see the same files under the same names; logs go to log/ in the state folder.\n",
     1, "output set frames workers shards submit sbatch no-bake state gl shader-dir strict verbose",
     false, verb_slurm},
    {"k8s", JOB_OR_FILES " --shards N --image IMAGE [--claim NAME]",
     "print manifests that draw the job on Kubernetes",
     "\nThree Jobs in one file, for kubectl; its first lines say how they are applied one after "
     "the other.\n"
     "Run it where the volume is mounted here, with names relative to that folder.\n",
     1, "output set frames workers shards image claim mount no-bake state gl strict verbose", false,
     verb_k8s},
    {"check", JOB_OR_FILES " [--json]", "open every asset, report every problem, draw nothing",
     FILES_HELP, 1, "output set strict json gl", false, run_check},
    {"info", "FILE... [--json]", "facts about models, motions, poses, pictures and sounds", "", 1,
     "json names strict", false, run_info},
    {"pose", JOB_OR_FILES " --frames LIST", "evaluated frames as JSON: bones, morphs, camera",
     FILES_HELP, 1, "frames model no-physics vertices set strict gl", false, run_pose},
    {"plot", JOB_OR_FILES " [--bone NAME] [-o FILE.svg]",
     "curves as SVG: the camera's path, or where a bone goes",
     "\nWithout --bone: camera.path from above, from the side and over time, with its weights, "
     "beside\n"
     "the ordinary cubic.  With it: the bone's way at each rate of --fps, evaluated for each "
     "anew.\n",
     1, "output bone fps frames model no-physics set strict", false, run_plot},
    {"demo", "[-o out/demo.mp4] [--assets DIR]",
     "make the built-in figure, dance and tune, and draw them",
     "\nThe model, motions, tune and job file are left in DIR, which is out/demo for "
     "out/demo.mp4.\n",
     0, "assets " RENDER_FLAGS, true, verb_demo},
    {"schema", "", "JSON Schema of the job file, for editors", "", 0, "", false, run_schema},
    {"help", "[VERB | KEY | job] [--markdown] [--man]",
     "help about a verb or a key of the job file", "", 0, "markdown man", false, run_help},
    {"version", "[--json]", "version of the program and its libraries", "", 0, "json", false,
     run_version},
    {0},
};
