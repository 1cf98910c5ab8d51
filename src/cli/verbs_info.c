// SPDX-License-Identifier: MIT
#include <string.h>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "cli/session.h"
#include "cli/stop.h"
#include "film/path_conflicts.h"
#include "format/file_kind.h"
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

static void allow_files(Session *s)
{
    for (size_t i = 0; i < s->given->operands.count; i++)
        sandbox_session_read(&s->sandbox, s->given->operands.items[i]);
    sandbox_session_read(&s->sandbox, s->given->model);
}

/* ---- the picture of a model ---- */

static bool check_picture(const char *flag, const char *file, const Job *job, const Arguments *args,
                          Diag *diag)
{
    if (!file)
        return true;
    if (!text_equal_ignoring_case(path_extension(file), "png"))
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

/* Without physics: the rest pose is the one that its author made. */
static bool show_model(Session *s)
{
    const Arguments *args = s->given;
    Diag *diag = s->diag;
    if (job_is_job_name(args->operands.items[0]))
        return diag_fail(diag, DIAG_USAGE,
                         "'%s' is not a model: pictures are made of models (.pmx, "
                         ".pmd, .x, .vac) and charts of motions (.vmd, .vpd)",
                         args->operands.items[0]);
    *arena_push(s->arena, &s->args.sets) = "models.0.physics=false";
    *arena_push(s->arena, &s->args.sets) = "shadows.ground=false";
    allow_files(s);
    sandbox_session_write(&s->sandbox, args->output);
    sandbox_session_write(&s->sandbox, args->morphs);
    sandbox_session_add_fonts(&s->sandbox);
    DiagOnce once = {.count = 0}; /* the model is loaded for the facts and for the pictures */
    bool good = session_load_job(s) &&
                check_picture("--output", args->output, &s->job, args, diag) &&
                check_picture("--morphs", args->morphs, &s->job, args, diag);
    diag->once = &once;
    good = good && write_facts(args, diag) &&
           write_pictures(&s->job, args, s->progress, s->arena, diag);
    diag->once = NULL;
    return good;
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

static bool show_motion(Session *s)
{
    const Arguments *args = s->given;
    if (args->morphs)
        return diag_fail(s->diag, DIAG_USAGE, "--morphs requires a model; '%s' is a motion",
                         args->operands.items[0]);
    allow_files(s);
    sandbox_session_add_fonts(&s->sandbox);
    return session_enter(s, args->output) && check_chart(args->output, args, s->arena, s->diag) &&
           write_facts(args, s->diag) &&
           write_chart(args->output, args->operands.items[0], args->model, s->arena, s->diag);
}

/* ---- the verb ---- */

static bool is_motion(const char *file)
{
    return file_kind_serves(file, FILE_AS_MOTION) && !file_kind_serves(file, FILE_AS_CAPTURE);
}

bool verb_info(Session *s)
{
    const Arguments *args = s->given;
    const bool shows = args->output || args->morphs;
    if (shows && args->operands.count != 1)
        return diag_fail(s->diag, DIAG_USAGE,
                         "--output and --morphs take exactly one model or motion");
    if (args->output && args->morphs && !strcmp(args->output, args->morphs))
        return diag_fail(s->diag, DIAG_USAGE, "--output and --morphs name the same file");
    if (args->model && !file_check_exists(args->model, NULL, s->diag))
        return false;
    if (shows && !is_motion(args->operands.items[0]))
        return show_model(s);
    s->needs &= ~(unsigned)VERB_DRAWS;
    if (shows)
        return show_motion(s);
    allow_files(s);
    return session_enter(s, NULL) && write_facts(args, s->diag);
}
