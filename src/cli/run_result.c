// SPDX-License-Identifier: MIT
#include "cli/run_result.h"

#include "evaluate/version.h"
#include "inspect/problem_report.h"
#include "render/frame_stages.h"
#include "render/version.h"
#include "run/version.h"

typedef struct RunVersions {
    VersionParts parts;
    const char *renderer;
    int picture, evaluation;
} RunVersions;

static const ResultField RunVersions_fields[] = {
    MEMBER_NAMED(RunVersions, parts.odori, "odori", "version of the program"),
    MEMBER_NAMED(RunVersions, parts.revision, "revision", "commit of the source"),
    MEMBER(RunVersions, picture, "version of drawing and encoding"),
    MEMBER(RunVersions, evaluation, "version of evaluation"),
    MEMBER_NAMED(RunVersions, parts.ffmpeg, "ffmpeg", "release of libav"),
    MEMBER(RunVersions, renderer, "backend and renderer of OpenGL, if the verb drew",
           .nullable = true),
};
RESULT(RunVersions, "versions that the outputs depend on");

typedef struct RunResult {
    const char *verb;
    bool ok;
    int exit;
    const char *job;
    int64_t frames, rendered, skipped;
    double seconds;
    const ProgressOutput *outputs;
    size_t output_count;
    const ProgressStage *stages, *cpu;
    size_t stage_count, cpu_count;
    Problem *errors, *warnings;
    size_t error_count, warning_count;
    unsigned all_warnings;
    const char *text;
    RunVersions versions;
} RunResult;

static const ResultField RunResult_fields[] = {
    MEMBER(RunResult, verb, "verb of the command line, if it is one", .nullable = true),
    MEMBER(RunResult, ok, "the exit status is 0"),
    MEMBER(RunResult, exit, "exit status"),
    MEMBER(RunResult, job, "name of the job, if it was loaded", .nullable = true),
    MEMBER(RunResult, frames, "requested frames, if they are known", .nullable = true),
    MEMBER(RunResult, rendered, "rendered frames"),
    MEMBER(RunResult, skipped, "frames that an earlier run completed"),
    MEMBER(RunResult, seconds, "wall time", .unit = "seconds"),
    MEMBER_LIST(RunResult, outputs, output_count, ProgressOutput, "written files"),
    MEMBER_LIST(RunResult, stages, stage_count, ProgressStage, "stages of the run, by wall time"),
    MEMBER_LIST(RunResult, cpu, cpu_count, ProgressStage,
                "stages of all frames, by CPU time of all processes; with --times also those of "
                "drawing"),
    MEMBER_LIST(RunResult, errors, error_count, Problem, "errors, of which the first one decides"),
    MEMBER_LIST(RunResult, warnings, warning_count, Problem, "warnings that were shown"),
    MEMBER_NAMED(RunResult, all_warnings, "warning_count", "number of warnings, shown or not"),
    MEMBER(RunResult, text, "what the verb prints without --json", .nullable = true),
    MEMBER_RECORD(RunResult, versions, RunVersions, "versions"),
};
const ResultTable run_result = RESULT_TABLE(RunResult, "what a verb did, or why it failed");

static void add_cpu_times(RunResult *result, const FrameTimes *times, Arena *arena)
{
    ProgressStage *stages = arena_array(arena, ProgressStage, FRAME_STAGES);
    for (int i = 0; i < FRAME_STAGES; i++)
        if (times->s[i] > 0)
            stages[result->cpu_count++] = (ProgressStage){frame_stage_names[i], times->s[i]};
    result->cpu = stages;
}

void run_result_print(FILE *out, const RunFacts *facts, Arena *arena)
{
    Progress *progress = facts->progress;
    progress_end_stage(progress);
    RunResult result = {.verb = facts->verb,
                        .ok = facts->status == 0,
                        .exit = facts->status,
                        .job = facts->job,
                        .frames = progress->frames,
                        .rendered = progress->rendered,
                        .skipped = progress->skipped_all,
                        .seconds = progress_seconds(progress),
                        .outputs = progress->outputs,
                        .output_count = progress->output_count,
                        .stages = progress->stages,
                        .stage_count = progress->stage_count,
                        .all_warnings = facts->warnings,
                        .text = facts->text,
                        .versions = {.parts = version_parts(),
                                     .renderer = *progress->renderer ? progress->renderer : NULL,
                                     .picture = PICTURE_VERSION,
                                     .evaluation = EVALUATE_VERSION}};
    add_cpu_times(&result, &facts->report->times, arena);
    /* Errors and warnings are lists of their own. */
    const Problem *all = problem_list_results(facts->problems, arena);
    result.errors = arena_array(arena, Problem, facts->problems->count);
    result.warnings = arena_array(arena, Problem, facts->problems->count);
    for (size_t i = 0; i < facts->problems->count; i++)
        if (all[i].severity == DIAG_ERROR)
            result.errors[result.error_count++] = all[i];
        else
            result.warnings[result.warning_count++] = all[i];
    result_print(out, &run_result, &result);
}
