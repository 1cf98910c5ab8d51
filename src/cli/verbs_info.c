#include "cli/verbs.h"

#include <string.h>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "cli/confinement.h"
#include "cli/job_arguments.h"
#include "cli/stop.h"
#include "film/path_conflicts.h"
#include "format/motion/motion_file.h"
#include "inspect/info.h"
#include "inspect/key_density.h"
#include "inspect/model_sheet/portrait.h"
#include "output/chart/chart_file.h"

static bool write_facts(const Arguments *args, Diag *diag)
{
    const InfoOptions options = {
        .json = args->json, .names = args->names, .bones = args->bones, .model = args->model};
    bool good = true;
    for (size_t i = 0; i < args->operands.count; i++)
        good &= info_write(stdout, args->operands.items[i], &options, diag);
    return good;
}

static void read_files(Confinement *sandbox, const Arguments *args)
{
    for (size_t i = 0; i < args->operands.count; i++)
        confinement_read(sandbox, args->operands.items[i]);
    if (args->model)
        confinement_read(sandbox, args->model);
}

/* ---- the picture of a model ---- */

/* Without physics: the rest pose is the one that its author made. */
static bool load_model_job(Job *job, const Arguments *args, Arena *arena, Diag *diag)
{
    Arguments plain = *args;
    JobSource source;
    plain.output = NULL;
    *arena_push(arena, &plain.sets) = "models.0.physics=false";
    *arena_push(arena, &plain.sets) = "shadows.ground=false";
    if (job_is_job_name(args->operands.items[0]))
        return diag_fail(diag, DIAG_USAGE,
                         "'%s' is not a model: pictures are made of models (.pmx, "
                         ".pmd, .x, .vac) and charts of motions (.vmd, .vpd)",
                         args->operands.items[0]);
    return job_source_init(&source, &plain, arena, diag) && job_load(job, &source, arena, diag);
}

static bool check_picture(const char *flag, const char *file, const Job *job, const Arguments *args,
                          Diag *diag)
{
    if (!file)
        return true;
    if (!text_equal_ignoring_case(path_extension(file), "png") || strchr(file, '%'))
        return diag_fail(diag, DIAG_USAGE, "%s: '%s' is not the name of a single .png file", flag,
                         file);
    return path_conflicts_check_file(flag, file, job, NULL, diag) &&
           file_check_new(file, args->overwrite, diag);
}

static bool write_pictures(const Job *job, const Arguments *args, Progress *progress, Arena *arena,
                           Diag *diag)
{
    PreviewSession *session = arena_array(arena, PreviewSession, 1);
    return preview_session_open(session, job, progress, &stop_signal, arena, diag) &&
           (!args->output || portrait_write_views(args->output, session, diag)) &&
           (!args->morphs || portrait_write_morphs(args->morphs, session, diag));
}

static bool show_model(Progress *progress, const Arguments *args, Arena *arena, Diag *diag)
{
    Confinement sandbox;
    Job job;
    if (!confinement_begin(&sandbox, args, true, arena, diag) ||
        !load_model_job(&job, args, arena, diag))
        return false;
    read_files(&sandbox, args);
    confinement_write(&sandbox, args->morphs);
    confinement_add_fonts(&sandbox);
    return confinement_end(
        &sandbox, confinement_enter_job(&sandbox, &job, args->output, false, diag) &&
                      check_picture("--output", args->output, &job, args, diag) &&
                      check_picture("--morphs", args->morphs, &job, args, diag) &&
                      write_facts(args, diag) && write_pictures(&job, args, progress, arena, diag));
}

/* ---- the chart of a motion ---- */

static bool write_chart(const char *file, const char *motion_file, const char *model_file,
                        Arena *arena, Diag *diag)
{
    VmdMotion motion;
    Model model;
    MotionFit fit;
    Bytes bytes;
    diag_file(diag, motion_file);
    if (!file_load(&bytes, motion_file, FILE_MAX_SIZE, arena, diag) ||
        !motion_file_load(&motion, bytes, arena, diag))
        return false;
    diag_file(diag, NULL);
    const bool fits = model_file && (motion.bone_key_count || motion.morph_key_count);
    if (fits && !info_fit_motion(&fit, &model, model_file, &motion, motion_file, arena, diag))
        return false;
    diag_file(diag, NULL);
    const Chart chart = key_density_chart(path_name(motion_file), &motion, fits ? &fit : NULL,
                                          model_file ? path_name(model_file) : NULL, arena);
    return chart_file_save(file, &chart, diag);
}

static bool check_chart(const char *file, const Arguments *args, Arena *arena, Diag *diag)
{
    PathConflicts *conflicts = path_conflicts_create(DIAG_USAGE, arena);
    path_conflicts_add_source(conflicts, "operand", args->operands.items[0]);
    path_conflicts_add_input(conflicts, "--model", args->model);
    if (!chart_file_matches(file))
        return diag_fail(diag, DIAG_USAGE,
                         "--output: '%s' is not the name of a .png or .svg file, as the chart of a "
                         "motion needs",
                         file);
    return path_conflicts_add_output(conflicts, "--output", file, NULL, diag) &&
           file_check_new(file, args->overwrite, diag);
}

static bool show_motion(const Arguments *args, Arena *arena, Diag *diag)
{
    Confinement sandbox;
    if (args->morphs)
        return diag_fail(diag, DIAG_USAGE, "--morphs requires a model; '%s' is a motion",
                         args->operands.items[0]);
    if (!confinement_begin(&sandbox, args, false, arena, diag))
        return false;
    read_files(&sandbox, args);
    confinement_write(&sandbox, args->output);
    confinement_add_fonts(&sandbox);
    return confinement_end(
        &sandbox, confinement_enter(&sandbox, diag) &&
                      check_chart(args->output, args, arena, diag) && write_facts(args, diag) &&
                      write_chart(args->output, args->operands.items[0], args->model, arena, diag));
}

/* ---- the verb ---- */

static bool is_motion(const char *file)
{
    return text_equal_ignoring_case(path_extension(file), "vmd") ||
           text_equal_ignoring_case(path_extension(file), "vpd");
}

/* The limits of the host; those of a model with pictures are applied with its job. */
static bool apply_host_limits(const Arguments *args, Arena *arena, Diag *diag)
{
    HostLimits *limits = arena_array(arena, HostLimits, 1);
    return limits_apply(limits, args, arena, diag);
}

static bool show_facts(const Arguments *args, Arena *arena, Diag *diag)
{
    Confinement sandbox;
    if (!confinement_begin(&sandbox, args, false, arena, diag))
        return false;
    read_files(&sandbox, args);
    return confinement_enter(&sandbox, diag) && write_facts(args, diag);
}

bool verb_info(Progress *progress, const Arguments *args, Arena *arena, Diag *diag)
{
    const bool shows = args->output || args->morphs;
    if (shows && args->operands.count != 1)
        return diag_fail(diag, DIAG_USAGE,
                         "--output and --morphs take exactly one model or motion");
    if (args->output && args->morphs && !strcmp(args->output, args->morphs))
        return diag_fail(diag, DIAG_USAGE, "--output and --morphs name the same file");
    if (args->model && !file_check_exists(args->model, NULL, diag))
        return false;
    if (shows && !is_motion(args->operands.items[0]))
        return show_model(progress, args, arena, diag);
    return apply_host_limits(args, arena, diag) &&
           (shows ? show_motion(args, arena, diag) : show_facts(args, arena, diag));
}
