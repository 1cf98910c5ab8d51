// SPDX-License-Identifier: MIT
#include "cli/verbs.h"

#include <string.h>

#include "base/embedded_text.h"
#include "base/text_stream.h"
#include "cli/flags.h"
#include "cli/help.h"
#include "cli/run_result.h"
#include "cli/serve/serve_answer.h"
#include "dispatch/batch_report.h"
#include "format/file_kind.h"
#include "inspect/check_result.h"
#include "inspect/compare.h"
#include "inspect/doctor.h"
#include "inspect/info.h"
#include "inspect/plan.h"
#include "inspect/pose.h"
#include "inspect/status.h"
#include "inspect/verify.h"
#include "job/job_options.h"
#include "run/pipeline/pass_notes.h"
#include "run/progress.h"
#include "run/version.h"

#define ASSET_FILES (FILE_AS_OPERAND | FILE_AS_TEXTURE | FILE_AS_FRAME | FILE_AS_VIDEO)

/* Flags that verbs share: to read a job, to choose frames and their size, to draw them.  A verb
 * with `size` accepts all flags that keys declare, one with `set` those of the evaluation. */
#define JOB_FLAGS "set limits sandbox strict warnings"
#define RANGE_FLAGS JOB_FLAGS " frames start duration preset size fps camera"
#define FILM_FLAGS RANGE_FLAGS " to"
#define DRAW_FLAGS FILM_FLAGS " workers gl shader-dir progress verbose"
#define OUTPUT_FLAGS "output output-format previews"
#define RENDER_FLAGS \
    OUTPUT_FLAGS     \
    " " DRAW_FLAGS   \
    " times dry-run print-job dump-config state overwrite fresh no-clobber accept-renderer"
#define STATE_FLAGS OUTPUT_FLAGS " " FILM_FLAGS " assets workers gl shader-dir state"
#define SHARD_FLAGS \
    " output previews assets workers shards no-bake accept-renderer state gl verbose"

const Verb verbs[] = {
    {.name = "render",
     .run = verb_render,
     .needs = VERB_JOB | VERB_PROGRESS | VERB_DRAWS | VERB_WRITES | VERB_OUTPUT,
     .flags = RENDER_FLAGS " assets shard max-stalled-runs"},
    {.name = "join",
     .run = verb_join,
     .needs = VERB_JOB | VERB_PROGRESS | VERB_DRAWS | VERB_WRITES | VERB_OUTPUT,
     .flags = OUTPUT_FLAGS " " DRAW_FLAGS " assets state no-clobber"},
    {.name = "preview",
     .run = verb_preview,
     .needs = VERB_JOB | VERB_PROGRESS | VERB_DRAWS | VERB_WRITES | VERB_OWN_OUTPUT | VERB_PROBLEMS,
     .flags = DRAW_FLAGS " output looks assets summary no-physics overwrite"},
    {.name = "report",
     .run = verb_report,
     .needs = VERB_JOB | VERB_PROGRESS | VERB_DRAWS | VERB_OWN_OUTPUT | VERB_PROBLEMS,
     .flags = DRAW_FLAGS " output base embed-limit assets state no-physics overwrite"},
    {.name = "bake",
     .run = verb_bake,
     .needs = VERB_JOB | VERB_PROGRESS | VERB_WRITES | VERB_OUTPUT | VERB_OWN_OUTPUT,
     .flags = OUTPUT_FLAGS " " FILM_FLAGS " assets progress verbose state overwrite"},
    {.name = "plan",
     .run = verb_plan,
     .needs = VERB_JOB | VERB_DRAWS | VERB_OUTPUT_OF_FILE,
     .flags = OUTPUT_FLAGS " " FILM_FLAGS " assets workers shards try gl shader-dir verbose",
     .schema = "plan"},
    {.name = "status",
     .run = verb_status,
     .needs = VERB_JOB | VERB_OUTPUT,
     .flags = STATE_FLAGS,
     .schema = "status"},
    {.name = "verify",
     .run = verb_verify,
     .needs = VERB_OUTPUT,
     .min_operands = 1,
     .files = ASSET_FILES,
     .flags = STATE_FLAGS " format junit",
     .schema = "verify"},
    {.name = "clean",
     .run = verb_clean,
     .files = FILE_AS_JOB,
     .flags = "dry-run sandbox",
     .schema = "clean"},
    {.name = "compare",
     .run = verb_compare,
     .min_operands = 2,
     .files = FILE_AS_ANYTHING,
     .flags = "output threshold tolerance sandbox overwrite format junit verbose",
     .schema = "compare"},
    {.name = "batch",
     .run = verb_batch,
     .needs = VERB_PROGRESS,
     .min_operands = 2,
     .words = "plan run status",
     .files = FILE_AS_JOB,
     .flags = "limits sandbox summary overwrite no-clobber accept-renderer slurm options "
              "progress verbose strict warnings",
     .schema = "batch-result"},
    {.name = "serve",
     .run = verb_serve,
     .flags = "socket stdio queue parallel scenes scenes-memory limits sandbox",
     .schema = "serve"},
    {.name = "submit",
     .run = verb_submit,
     .needs = VERB_JOB | VERB_OUTPUT,
     .flags = RANGE_FLAGS SHARD_FLAGS
     " scheduler submit options shader-dir image claim mount bundle overwrite"},
    {.name = "check",
     .run = verb_check,
     .needs = VERB_JOB | VERB_OUTPUT_OF_FILE,
     .flags =
         JOB_FLAGS " output output-format preset size fps camera assets verbose format junit gl",
     .schema = "check"},
    {.name = "info",
     .run = verb_info,
     .needs = VERB_DRAWS | VERB_OWN_OUTPUT,
     .min_operands = 1,
     .files = ASSET_FILES,
     .flags = "output morphs names bones model overwrite gl limits sandbox strict warnings "
              "verbose",
     .schema = "info"},
    {.name = "pose",
     .run = verb_pose,
     .needs = VERB_JOB | VERB_DRAWS,
     .flags = JOB_FLAGS " frames fps model scene assets format no-physics vertices overwrite gl",
     .schema = "pose"},
    {.name = "init",
     .run = verb_init,
     .needs = VERB_OUTPUT,
     .flags = "output overwrite preset limits sandbox strict warnings verbose"},
    {.name = "job",
     .run = verb_job,
     .min_operands = 1,
     .files = FILE_AS_PROJECT,
     .flags = "output overwrite assets sandbox strict warnings verbose"},
    {.name = "convert",
     .run = verb_convert,
     .min_operands = 1,
     .files = FILE_AS_MOTION | FILE_AS_CAPTURE,
     .flags =
         "output overwrite model legs take up clean tolerance sandbox strict warnings verbose"},
    {.name = "export",
     .run = verb_export,
     .needs = VERB_JOB | VERB_OWN_OUTPUT,
     .flags = JOB_FLAGS
     " output overwrite assets frames fps model scene vrm-version no-physics verbose"},
    {.name = "plot",
     .run = verb_plot,
     .needs = VERB_JOB | VERB_OWN_OUTPUT,
     .flags = JOB_FLAGS " output overwrite bone fps frames model scene no-physics"},
    {.name = "demo",
     .run = verb_demo,
     .needs = VERB_PROGRESS | VERB_DRAWS | VERB_WRITES | VERB_OUTPUT,
     .flags = RENDER_FLAGS " demo-dir"},
    {.name = "schema", .run = verb_schema, .words = "job batch limits", .flags = ""},
    {.name = "help", .run = verb_help, .words = "job limits", .flags = "markdown man"},
    {.name = "completion",
     .run = verb_completion,
     .min_operands = 1,
     .words = "bash zsh fish",
     .flags = ""},
    {.name = "doctor", .run = verb_doctor, .flags = "", .schema = "doctor"},
    {.name = "version", .run = verb_version, .flags = "", .schema = "version"},
    {0},
};

const VerbResult verb_results[] = {
    {"batch-result", &batch_result},
    {"check", &check_result},
    {"clean", &clean_result},
    {"compare", &compare_result},
    {"doctor", &doctor_result},
    {"info", &info_result},
    {"plan", &plan_result},
    {"pose", &pose_result},
    {"progress", &progress_result},
    {"status", &status_result},
    {"verify", &verify_result},
    {"version", &version_result},
    {"pass-note", &pass_note_result},
    {"result", &run_result},
    {"serve", &serve_result},
    {"serve-status", &serve_status_result},
    {0},
};

const ResultTable *verb_result(const char *name)
{
    for (const VerbResult *result = verb_results; result->name; result++)
        if (!strcmp(result->name, name))
            return result->table;
    const Verb *verb = verb_find(name);
    return verb && !verb->schema ? &run_result : NULL;
}

const Verb *verb_find(const char *name)
{
    for (const Verb *verb = verbs; verb->name; verb++)
        if (!strcmp(verb->name, name))
            return verb;
    return NULL;
}

void verb_write_words(FILE *out, const Verb *verb)
{
    fputs(verb->words, out);
    for (const HelpTopic *topic = help_topics; verb->run == verb_help && topic->name; topic++)
        fprintf(out, " %s", topic->name);
    for (const Verb *other = verbs; verb->run == verb_help && other->name; other++)
        fprintf(out, " %s", other->name);
    for (const VerbResult *r = verb_results; verb->run == verb_schema && r->name; r++)
        fprintf(out, " %s", r->name);
    for (const Verb *other = verbs; verb->run == verb_schema && other->name; other++)
        if (!other->schema && strcmp(other->name, "job") != 0) /* the job file */
            fprintf(out, " %s", other->name);
}

unsigned verb_files(const Verb *verb)
{
    return verb->needs & VERB_JOB ? FILE_AS_OPERAND : verb->files;
}

/* A flag that the verb must list for one: of a key, one that its stage belongs to. */
static const char *listed_flag(const Flag *flag)
{
    if (!flag_is_of_key(flag))
        return flag_id(flag);
    return option_at(flag->key)->stage == STAGE_EVALUATION ? "set" : "size";
}

bool verb_accepts(const Verb *verb, const Flag *flag)
{
    return flag_is_listed(verb->flags, listed_flag(flag)) ||
           flag_is_listed("color json quiet help", flag->name);
}

/* ---- texts ---- */

/* The first line of *text, after which *text begins then. */
static const char *take_line(const char **text, Arena *arena)
{
    const size_t size = strcspn(*text, "\n");
    const char *line = arena_strndup(arena, *text, size);
    *text += size + 1;
    return line;
}

static const char *fill(const char *text, const TextField *fields, Arena *arena)
{
    TextStream stream;
    embedded_text_write(text_stream_open(&stream, arena), text, fields, NULL);
    return text_stream_close(&stream);
}

static const char *extensions(FileUse use, Arena *arena)
{
    return file_kind_extensions(use, ".", ", ", arena);
}

/* The section "files", which several verbs have in their descriptions. */
static const char *files_text(const char *all, Arena *arena)
{
    const TextField fields[] = {
        {"models", .text = extensions(FILE_AS_MODEL, arena)},
        {"motions", .text = extensions(FILE_AS_MOTION | FILE_AS_CAPTURE, arena)},
        {"accessories", .text = extensions(FILE_AS_ACCESSORY, arena)},
        {"sounds", .text = extensions(FILE_AS_SOUND, arena)},
        {"archives", .text = extensions(FILE_AS_ARCHIVE, arena)},
        {0},
    };
    return fill(embedded_text_section(all, "files", arena), fields, arena);
}

/* Each line of the section is one of them; without one "". */
static const char *examples_of(const Verb *verb, Arena *arena)
{
    const char *all = embedded_text_find(embedded_texts, "examples.txt");
    const char *start = strstr(all, arena_printf(arena, "# %s\n", verb->name));
    if (!start)
        return "";
    start = strchr(start, '\n') + 1;
    const char *end = strstr(start, "\n# ");
    return end ? arena_strndup(arena, start, (size_t)(end - start)) : start;
}

VerbText verb_text(const Verb *verb, Arena *arena)
{
    const char *all = embedded_text_find(embedded_texts, "verbs.txt");
    const char *section = embedded_text_section(all, verb->name, arena);
    const TextField fields[] = {{"files", .text = files_text(all, arena)}, {0}};
    VerbText text;
    text.synopsis = take_line(&section, arena);
    text.summary = take_line(&section, arena);
    text.description = fill(section, fields, arena);
    text.examples = examples_of(verb, arena);
    return text;
}
