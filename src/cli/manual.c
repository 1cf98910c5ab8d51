#include "cli/manual.h"

#include <string.h>

#include "job/help/roff.h"
#include "cli/flags.h"
#include "cli/help.h"
#include "dispatch/batch_keys.h"
#include "job/host_limits.h"
#include "job/help/option_help.h"
#include "film/version.h"

/* ---- parts of a page ---- */

typedef struct Item {
    const char *tag, *text;
} Item;

static void write_title(FILE *out, const char *title, int section, const char *name,
                        const char *summary)
{
    fprintf(out,
            ".TH %s %d \"%s\" \"Odori %s\" \"Odori Manual\"\n"
            ".SH NAME\n%s \\- %s\n",
            title, section, ODORI_RELEASE_DATE, ODORI_VERSION, name, summary);
}

static void write_section(FILE *out, const char *title, const char *text)
{
    fprintf(out, ".SH %s\n", title);
    if (text)
        roff_text(out, ".PP", text);
}

static void write_items(FILE *out, const Item *items)
{
    for (; items->tag; items++) {
        roff_item(out, items->tag);
        roff_text(out, ".IP", items->text);
    }
}

/* Commands, each under the sentence that describes it. */
static void write_examples(FILE *out, const Item *items)
{
    write_section(out, "EXAMPLES", NULL);
    for (size_t i = 0; items->tag; i++, items++) {
        fputs(i ? ".PP\n" : "", out);
        roff_text(out, ".PP", items->text);
        fputs(".PP\n.RS 4\n.nf\n", out);
        for (const char *line = items->tag; *line;
             line += strcspn(line, "\n"), line += *line != 0) {
            char text[160];
            snprintf(text, sizeof text, "%.*s", (int)strcspn(line, "\n"), line);
            roff_inline(out, text);
            fputc('\n', out);
        }
        fputs(".fi\n.RE\n", out);
    }
}

/* ---- odori(1) ---- */

static const char description[] =
    "Odori renders MikuMikuDance (MMD) models and motions to video on machines without a screen or "
    "a "
    "GPU.  A job file in YAML names models, motions, a camera and a sound; the outputs are videos, "
    "image sequences, animations or contact sheets.\n"
    "The main process loads the assets and evaluates the frames in order; worker processes render "
    "them with Mesa on the CPU (or EGL); an encoder process writes them in order.  The same job "
    "gives "
    "the same pixels for any number of workers, any range of frames and any number of machines.\n"
    "Results are written to standard output, messages and progress to standard error.  A file "
    "under "
    "its final name is complete: it is written beside it under a temporary name, synchronised, "
    "read "
    "back and renamed.";

static const char resuming[] =
    "The same command resumes where the last run ended, however it ended, and produces the same "
    "bytes "
    "as an uninterrupted run.  Completed frames are recorded in a checkpoint directory beside the "
    "first output, or in the directory of --state.  A frame or segment counts as completed if the "
    "ledger lists it and its bytes have the recorded digest; everything else is rendered again.  "
    "At "
    "the end, the segments of a video are joined without encoding them again.  The directory may "
    "be "
    "removed at any time.\n"
    "A checkpoint directory belongs to one job.  If a value, an input or the rendering of this "
    "version has changed since the film was finished, the outputs are rendered again and replaced, "
    "and a message states the difference.  If the film was not finished, and always with "
    "--no-clobber, with --shard and for join, the run is refused; --overwrite restarts from the "
    "first frame.  The directory also records which files the job wrote, with their digests: a "
    "file that exists and is not recorded, or was changed since, is only replaced with "
    "--overwrite.  Verbs without a checkpoint directory (bake -o, pose --vertices, plot, compare) "
    "replace any existing file only with --overwrite.  Two programs that render the same frames at "
    "once are refused (exit status 75).  Animated PNG, "
    "WebP, "
    "YUV4MPEG and RealVideo have no segments and restart from the first frame.";

static const char machines[] =
    "'odori slurm' submits three jobs: bake (physics and cloth, once), an array of shards, and "
    "join.  "
    "A shard whose time limit is near finishes its frame and returns to the queue, as does a shard "
    "with a temporary failure (69, 74, 75), until three runs in a row complete no new frame: the "
    "time "
    "limit must allow for one segment of a video, which is two seconds or outputs.N.gop frames.  "
    "All "
    "machines must see the same files under the same paths.\n"
    "'odori k8s' prints the same as three Jobs for Kubernetes 1.29 or newer, the shards as an "
    "Indexed "
    "Job.  In other schedulers, 'odori render JOB --shard auto' reads the shard from the variables "
    "of "
    "a Slurm array, of an Indexed Job or of an AWS Batch array, and reports what it found.";

static const char warnings[] =
    "A warning means that an input was repaired or will not give what was probably meant.  Each "
    "has a class.  --strict makes all warnings errors, --strict=CLASS,... those of some classes; "
    "-W no-CLASS hides a class and -W CLASS shows it.  In a job, warnings.strict and warnings.hide "
    "do the same; the flags override them.  The classes bone-order and duplicate-name describe "
    "habits of a model's author and are reported with -v only.";

static const Item signals[] = {
    {"INT, TERM, HUP",
     "The frames in progress are finished, temporary files are removed, and the process ends by "
     "the "
     "signal, within two seconds.  A second signal, at least one second later, ends it at once."},
    {"USR1", "Prints a status line on standard error."},
    {0},
};

static const Item environment[] = {
    {"ODORI_SHARDS",
     "Number of shards, for --shard auto, where the scheduler does not provide it."},
    {"SLURM_ARRAY_TASK_ID, SLURM_ARRAY_TASK_COUNT, JOB_COMPLETION_INDEX, "
     "AWS_BATCH_JOB_ARRAY_INDEX, AWS_BATCH_JOB_ARRAY_SIZE",
     "Index of the shard and number of shards, for --shard auto."},
    {"SLURM_CPUS_PER_TASK, SLURM_MEM_PER_NODE", "Limits of the available cores and memory, besides "
                                                "those of the system and of control groups."},
    {"ODORI_LIMITS", "Limits file or profile of the host, see odori-limits(5)."},
    {"CI", "If set, progress is reported in plain lines."},
    {"NO_COLOR, TERM", "NO_COLOR, or TERM=dumb, disables colored messages."},
    {"ODORI_SANDBOX", "auto, require or off: default of --sandbox.  The job cannot override it."},
    {"TMPDIR", "Directory for the temporary files of 'odori plan --try'; default: /tmp."},
    {0},
};

static const Item files[] = {
    {".NAME.odori/", "Checkpoint directory beside the first output NAME:"},
    {".NAME.odori/job.json",
     "The resolved job with the size and digest of every input.  In this and in all JSON, a byte "
     "0xNN of a file name that is not UTF-8 is the escape \\udcNN, as Python's surrogateescape."},
    {".NAME.odori/ledger/",
     "One line per completed frame, with its size and digest; one file per shard."},
    {".NAME.odori/segment/", "Segments of videos, about one second each."},
    {".NAME.odori/bake/", "Evaluated frames, by the digest of what they depend on."},
    {".NAME.odori/report.json", "The outputs with their sizes and digests."},
    {"~/.cache/odori/, $XDG_CACHE_HOME/odori/",
     "Compiled shaders for confined workers, filled at the first run; may be removed at any time."},
    {".MANIFEST.odori/", "Logs and results of a batch, beside its manifest."},
    {0},
};

static const Item examples[] = {
    {"odori demo", "Render the built-in demo to out/demo.mp4; out/demo keeps its job file:"},
    {"odori render model.pmx dance.vmd camera.vmd song.wav -o dance.mp4",
     "Render a dance without a job file:"},
    {"odori check dance.yaml\nodori render dance.yaml",
     "Check a job file and all its assets, then render it:"},
    {"odori render dance.yaml --set render.size=[640,360] -f 0-299 -o test.mp4",
     "Render the first 300 frames at a smaller size:"},
    {"odori preview dance.yaml --summary preview.md",
     "Contact sheet and report for a pull request:"},
    {"odori render dance.yaml --shard 2/16\nodori join dance.yaml",
     "Render the second of 16 shards; create the outputs when all are complete:"},
    {"odori slurm dance.yaml --shards 16 --sbatch \"--partition=long\" --submit",
     "The same on a Slurm cluster:"},
    {"odori compare a.mp4 b.mp4 --threshold 0.99", "Compare two films:"},
    {"odori pose dance.yaml --frames m0:300:15", "Poses of every 15th motion frame as JSON:"},
    {0},
};

static void write_verb(FILE *out, const Verb *verb)
{
    fprintf(out, ".TP\n\\fBodori %s\\fR%s", verb->name, verb->operands[0] ? " " : "");
    roff_inline(out, verb->operands);
    fprintf(out, "\n%c", verb->summary[0] - 'a' + 'A');
    roff_text(out, ".IP", verb->summary + 1);
    if (verb->description[0]) {
        fputs(".IP\n", out);
        roff_text(out, ".IP", verb->description);
    }
    fputs(".IP\nFlags:\n", out);
    for (const Flag *flag = flags; flag->name; flag++)
        if (verb_accepts(verb, flag)) {
            fputs("\\fB\\-\\-", out);
            roff_inline(out, flag->name);
            fputs("\\fR\n", out);
        }
}

static void write_flag(FILE *out, const Flag *flag)
{
    const char *const *choices = flag_choices(flag);
    fputs(".TP\n", out);
    if (flag->letter)
        fprintf(out, "\\fB\\-%c\\fR, ", flag->letter);
    fputs("\\fB\\-\\-", out);
    roff_inline(out, flag->name);
    fputs("\\fR", out);
    for (size_t i = 0; choices && choices[i]; i++)
        fprintf(out, "%c%s", i ? '|' : ' ', choices[i]);
    if (flag->value && !choices)
        fprintf(out, flag_takes_value(flag) ? " \\fI%s\\fR" : "[=\\fI%s\\fR]", flag->value);
    fputc('\n', out);
    roff_text(out, ".IP", flag->help);
}

static void write_odori(FILE *out, const Verb *verbs)
{
    write_title(out, "ODORI", 1, "odori", "render MikuMikuDance models and motions to video");
    fputs(".SH SYNOPSIS\n.B odori\n.I verb\n[\\fIjob\\fR | \\fIfile\\fR...]\n[\\fIflags\\fR]\n",
          out);
    write_section(out, "DESCRIPTION", description);
    write_section(out, "VERBS", NULL);
    for (const Verb *verb = verbs; verb->name; verb++)
        write_verb(out, verb);
    write_section(
        out, "FLAGS",
        "Flags may appear anywhere after the verb; -- ends them.  A flag overrides --set, "
        "--set overrides the job file.");
    for (const Flag *flag = flags; flag->name; flag++)
        write_flag(out, flag);
    write_section(out, "WARNINGS", warnings);
    for (int i = 0; i < WARN_CLASS_COUNT; i++) {
        roff_item(out, warning_classes[i].name);
        roff_text(out, ".IP", warning_classes[i].help);
    }
    write_section(out, "RESUMING A RUN", resuming);
    write_section(out, "MANY MACHINES", machines);
    write_section(out, "SIGNALS", NULL);
    write_items(out, signals);
    write_section(out, "ENVIRONMENT", NULL);
    write_items(out, environment);
    write_section(out, "FILES", NULL);
    write_items(out, files);
    write_section(out, "EXIT STATUS", "A scheduler should retry 69, 74 and 75 only.");
    for (const HelpStatus *row = help_statuses; row->text; row++) {
        fprintf(out, ".TP\n.B %d\n", row->status);
        roff_text(out, ".IP", row->text);
    }
    write_examples(out, examples);
    fputs(".SH SEE ALSO\n.BR odori\\-job (5),\n.BR odori\\-batch (5),\n.BR odori\\-limits "
          "(5),\n.BR ffmpeg (1)\n",
          out);
}

/* ---- odori-job(5) ---- */

static const char job_description[] =
    "A job file describes one film.  It is a YAML file (a JSON file is valid YAML) whose root is a "
    "map.  "
    "Only version, one model and one output are required; every other key has a default.  'odori "
    "check "
    "JOB' reports every problem of a job and its assets; an unknown key is an error with the "
    "nearest "
    "known name.\n"
    "Paths are relative to the directory of the job file; case and Unicode spelling of an input "
    "path may "
    "differ from the file on disk.  Where a list of maps or a map is expected, a text stands for "
    "the "
    "map's file: 'models: [dancer.pmx]'.\n"
    "Below, N stands for the index of an item, from 0; with --set, 'models.0.file=x.pmx' sets the "
    "file of "
    "the first model.  Units are given in brackets.  One MMD unit is about 8 cm; the coordinate "
    "system "
    "is left-handed with y up, and models face -z.  Motion frames are counted at 30 per second, "
    "output "
    "frames at render.fps, which may be any fraction; frame times are computed from integers.";

static const Item job_notes[] = {
    {"Camera",
     "Two camera keys on neighbouring motion frames are a cut, at every frame rate.  Without a "
     "camera, it follows the models (camera.follow)."},
    {"Transparency", "background.alpha is stored by PNG, ProRes 4444 (.mov), VP9 (.webm, .mkv) and "
                     "FFV1, with straight "
                     "alpha: colors are not multiplied by it."},
    {"Cloth", "A time step that would be unstable is refused, with the number of substeps that is "
              "stable.  Any frame rate, range and order gives the same result."},
    {"Limits",
     "limits bounds the time of a frame and of a run (exit status 75) and the memory of each "
     "process (exit status 69).  A host can set stricter ones, see odori-limits(5)."},
    {0},
};

static const Item job_examples[] = {
    {"version: 1\nmodels: [ { file: dancer.pmx, motions: [dance.vmd] } ]\noutputs: [ dance.mp4 ]",
     "The smallest job:"},
    {"version: 1\nname: my-dance\nmodels:\n  - id: gene\n    file: models/gene.pmx\n    motions:\n"
     "      - motions/dance.vmd\n      - { file: motions/face.vmd, only: [morphs] }\n"
     "  - { file: models/glasses.pmx, attach: { model: gene, bone: head } }\n"
     "stage: [ stages/room.pmx ]\ncamera: { motion: motions/camera.vmd }\n"
     "audio: { file: song.wav, fade_out_s: 1.5 }\nrender: { size: [1920, 1080], fps: 60 }\n"
     "outputs: [ { file: out/dance.mp4, crf: 18 } ]\n"
     "previews: [ { type: sheet, file: out/sheet.png } ]",
     "A film with sound and a contact sheet:"},
    {0},
};

static void write_job(FILE *out)
{
    write_title(out, "ODORI-JOB", 5, "odori-job", "job file of odori");
    fputs(".SH SYNOPSIS\n.B odori render\n.IR job .yaml\n", out);
    write_section(out, "DESCRIPTION", job_description);
    write_section(out, "KEYS", NULL);
    option_manual(out, &option_job);
    write_section(out, "NOTES", NULL);
    write_items(out, job_notes);
    write_section(out, "ENVIRONMENT", "None; see odori(1).");
    write_section(
        out, "FILES",
        "'odori schema' prints a JSON Schema of this format for editors, whose first line "
        "in a job is: # yaml-language-server: $schema=PATH");
    write_section(out, "EXIT STATUS", "odori exits with status 78 if a job file is invalid.");
    write_examples(out, job_examples);
    fputs(".SH SEE ALSO\n.BR odori (1),\n.BR odori\\-batch (5)\n", out);
}

/* ---- odori-batch(5) ---- */

static const char batch_description[] =
    "A manifest makes many jobs from a base job.  It is a YAML file for 'odori batch'.  Each "
    "combination "
    "of the values of the axes in matrix is a job, except for those that exclude removes; include "
    "adds "
    "single jobs.  A job is named after its values, joined by '-', in the order of the axes.\n"
    "Paths are relative to the manifest, also those among the values.  Before anything is "
    "rendered, "
    "every job is loaded and the files that the jobs would write are compared: a wrong key is "
    "reported "
    "at its position in the manifest, and two jobs that would write the same file are refused.";

static const Item batch_notes[] = {
    {"Running", "At most run.jobs jobs run at the same time, and no more than cores and memory "
                "allow by the estimate "
                "of 'odori plan'; they share the cores.  Jobs with the exit statuses 69, 74 and 75 "
                "are retried after "
                "increasing delays; other failures are final.  With on_failure: continue the "
                "remaining jobs run and "
                "the batch ends with status 1; with stop no further job starts.  Jobs whose models "
                "move by physics or "
                "cloth and whose evaluated frames are equal are simulated once."},
    {"Resuming", "The same command resumes a stopped batch.  A job that was changed since it was "
                 "finished replaces its own outputs; one that was not finished is refused, unless "
                 "--overwrite restarts all jobs.  A second batch of the same "
                 "manifest is refused while "
                 "the first runs."},
    {"Clusters",
     "'odori batch run MANIFEST --slurm' submits each job as 'odori slurm' would, in run.shards "
     "shards, except for jobs that are completed or queued."},
    {0},
};

static const Item batch_files[] = {
    {".MANIFEST.odori/", "Logs, results and shared bakes, beside the manifest."},
    {0},
};

static const Item batch_examples[] = {
    {"version: 1\nbase: jobs/dance.yaml\nmatrix:\n"
     "  model: { miku: { models.0.file: miku.pmx }, rin: { models.0.file: rin.pmx } }\n"
     "  size: { preview: { render.size: [640, 360] }, final: {} }\n"
     "  render.fps: [30, 60]\n"
     "exclude: [ { size: preview, render.fps: 60 } ]\n"
     "include:\n  - { name: test, with: { model: rin, size: preview },\n"
     "      set: { render.frames: \"0-59\" } }\n"
     "out: \"out/{name}.mp4\"\nrun: { jobs: 2, retries: 2 }",
     "Seven films, named miku-preview-30, miku-final-30, ... and test:"},
    {"odori batch plan m.yaml\nodori batch run m.yaml --summary batch.md\nodori batch status "
     "m.yaml",
     "Print the jobs, run them, report their progress:"},
    {0},
};

static void write_batch(FILE *out)
{
    write_title(out, "ODORI-BATCH", 5, "odori-batch", "batch manifest of odori");
    fputs(".SH SYNOPSIS\n.B odori batch run\n.IR manifest .yaml\n", out);
    write_section(out, "DESCRIPTION", batch_description);
    write_section(out, "KEYS", NULL);
    batch_keys_write_manual(out);
    write_section(out, "NOTES", NULL);
    write_items(out, batch_notes);
    write_section(out, "ENVIRONMENT", "None; see odori(1).");
    write_section(out, "FILES", NULL);
    write_items(out, batch_files);
    write_section(
        out, "EXIT STATUS",
        "odori batch exits with status 0 if all jobs are completed, 1 if jobs failed, 75 if jobs "
        "are incomplete, 78 if the manifest or a job is invalid.");
    write_examples(out, batch_examples);
    fputs(".SH SEE ALSO\n.BR odori (1),\n.BR odori\\-job (5)\n", out);
}

/* ---- odori-limits(5) ---- */

static const char limits_description[] =
    "A limits file bounds what any job may do and use on a host.  It is a YAML file, given by the "
    "flag "
    "--limits or by the environment variable ODORI_LIMITS to every verb that reads a job.  Its "
    "values win over those of the job: where both set a limit, the lower one applies.  'odori "
    "batch', 'odori slurm' and 'odori k8s' pass it on to the jobs that they start.\n"
    "'--limits untrusted' is the same as a file with the line 'profile: untrusted'.  It suits "
    "jobs, "
    "models and motions of strangers; other keys in the file replace single values of the "
    "profile.\n"
    "For each key, 0 means no limit unless its description says otherwise.  A job that exceeds a "
    "limit is refused before anything large is allocated, as far as the files show it, by 'odori "
    "check' too.  The message names the limit, the value, the limit's value and the place where it "
    "was set.";

static const Item limits_notes[] = {
    {"Paths",
     "With paths: job_directory a job file can name files below its own directory only; symbolic "
     "links "
     "are resolved before the comparison.  Values of the command line are not restricted, as they "
     "are the host's own.  Textures are always confined to the directory of their model.  With a "
     "manifest, the values in it are compared with the directory of the base job, and out with "
     "that "
     "of the manifest."},
    {"Shaders", "render.shader_dir is never accepted from a job file, only from the command "
                "line."},
    {"Processes",
     "Memory and CPU time are those of all processes of a run, measured once a second; in "
     "addition no single process can allocate more private memory than memory_mib and a margin.  "
     "'odori batch' applies the limits to each of its jobs."},
    {0},
};

static const Item limits_examples[] = {
    {"profile: untrusted\nmemory_mib: 2048\nframe_pixels: 2073600", "A server for uploads:"},
    {"odori render upload/job.yaml --limits limits.yaml\nODORI_LIMITS=limits.yaml odori check "
     "upload/job.yaml",
     "Its use:"},
    {0},
};

static void write_limits(FILE *out)
{
    write_title(out, "ODORI-LIMITS", 5, "odori-limits", "limits of a host for jobs of odori");
    fputs(".SH SYNOPSIS\n.B odori render\n.I job\n.B \\-\\-limits\n.IR limits .yaml\n", out);
    write_section(out, "DESCRIPTION", limits_description);
    write_section(out, "KEYS", NULL);
    option_manual(out, &option_limits);
    write_section(out, "PROFILE UNTRUSTED", "The values of the profile:");
    fputs(".PP\n.RS 4\n.nf\n", out);
    for (const char *line = host_limits_untrusted; *line;) {
        char text[160];
        const size_t size = strcspn(line, "\n");
        snprintf(text, sizeof text, "%.*s", (int)size, line);
        roff_inline(out, text);
        fputc('\n', out);
        line += size + (line[size] == '\n');
    }
    fputs(".fi\n.RE\n", out);
    write_section(out, "NOTES", NULL);
    write_items(out, limits_notes);
    write_section(out, "ENVIRONMENT", NULL);
    roff_item(out, "ODORI_LIMITS");
    roff_text(out, ".IP", "The limits file or profile, unless --limits names another one.");
    write_section(out, "FILES", "'odori schema limits' prints a JSON Schema for editors.");
    write_section(out, "EXIT STATUS",
                  "odori exits with status 69 if a job exceeds a limit of its contents or of "
                  "memory, 75 if it exceeds a limit of time, 78 if the limits file is invalid or "
                  "a path is not allowed.");
    write_examples(out, limits_examples);
    fputs(".SH SEE ALSO\n.BR odori (1),\n.BR odori\\-job (5)\n", out);
}

bool manual_write(FILE *out, const Verb *verbs, const char *page)
{
    if (!page || !strcmp(page, "odori"))
        write_odori(out, verbs);
    else if (!strcmp(page, "job"))
        write_job(out);
    else if (!strcmp(page, "batch"))
        write_batch(out);
    else if (!strcmp(page, "limits"))
        write_limits(out);
    else
        return false;
    return true;
}
