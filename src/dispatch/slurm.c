#include "dispatch/slurm.h"

#include <string.h>
#include <sys/wait.h>

#include "base/embedded_text.h"
#include "base/text_stream.h"

#define BLANKS " \t\n"

/* ---- words of a shell ---- */

/* A word in single quotes; `percent` replaces each percent sign. */
static const char *quote(const char *word, const char *percent, Arena *arena)
{
    TextStream stream;
    FILE *out = text_stream_open(&stream, arena);
    fputc('\'', out);
    for (const char *at = word; *at; at++)
        if (*at == '\'')
            fputs("'\\''", out);
        else if (*at == '%')
            fputs(percent, out);
        else
            fputc(*at, out);
    fputc('\'', out);
    return text_stream_close(&stream);
}

static const char *shell_word(const char *word, Arena *arena)
{
    static const char plain[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_%+:,./=-";
    return *word && !word[strspn(word, plain)] ? word : quote(word, "%", arena);
}

static const char *command_text(const Stages *stages, StageKind kind, Arena *arena)
{
    const StageCommand words = stages_command(stages, kind, arena);
    const char *text = shell_word(words.items[0], arena);
    for (size_t i = 1; i < words.count; i++)
        text = arena_printf(arena, "%s %s", text, shell_word(words.items[i], arena));
    return text;
}

/* ---- fields of text/slurm_script.txt ---- */

/*
 * Rules of Slurm 22.05 that the step of the shards follows (dispatch/README.md 2):
 * - scancel and requeue send TERM to the shell and to the renderer.  Forwarding it would be a
 * second TERM, on which the renderer exits immediately.
 * - In the last task of an array SLURM_JOB_ID is the number of the array; requeueing it restarts
 * all tasks.  ARRAY_TASK identifies this task only.
 * - Requeueing by RequeueExit breaks afterok; scontrol requeue from inside the job does not.
 * A trap interrupts `wait`, so it is called again; some shells return 127 then.
 */
static const char *step_text(const Stages *stages, StageKind kind, Arena *arena)
{
    return arena_printf(arena, "%s_step() {\n    cat <<'STEP'\n#!/bin/sh\nexec %s\nSTEP\n}\n\n",
                        stage_names[kind], command_text(stages, kind, arena));
}

/* The options of the user follow ours, so that they take precedence. */
static const char *options_text(const char *sbatch, Arena *arena)
{
    const char *text = "";
    for (const char *at = sbatch; at && *(at += strspn(at, BLANKS)); at += strcspn(at, BLANKS)) {
        const char *word = arena_strndup(arena, at, strcspn(at, BLANKS));
        text = arena_printf(arena, "%s %s", text, shell_word(word, arena));
    }
    return text;
}

static const char *job_text(const Stages *stages, StageKind kind, Arena *arena)
{
    const char *name = stage_names[kind], *array = "", *waits = "";
    const bool is_shards = kind == STAGE_SHARDS;
    if (is_shards)
        array = arena_printf(arena, " \\\n    --array=1-%d --signal=B:USR2@60", stages->shards);
    if (kind == STAGE_JOIN || (is_shards && stages->bake))
        waits =
            arena_printf(arena, " \\\n    --dependency=afterok:\"$%s\" --kill-on-invalid-dep=yes",
                         stage_names[kind - 1]);
    return arena_printf(
        arena,
        "%s=$(%s_step | submit --job-name=%s --cpus-per-task=%d --mem=%dM \\\n"
        "    --output=%s/log/%s%s.log%s%s) || ",
        name, name, shell_word(arena_printf(arena, "%s-%s", stages->name, name), arena),
        stages->resources[kind].cores, stages->resources[kind].memory_mib,
        quote(stages->checkpoint, "%%", arena), name, is_shards ? ".%a" : "", array, waits);
}

/* If a job cannot be submitted, the jobs before it are cancelled. */
static const char *jobs_text(const Stages *stages, Arena *arena)
{
    const bool bakes = stages->bake;
    const char *bake =
        bakes ? arena_printf(arena, "%sexit 1\n", job_text(stages, STAGE_BAKE, arena)) : "";
    const char *shards = arena_printf(arena, "%s%s\n", job_text(stages, STAGE_SHARDS, arena),
                                      bakes ? "{ scancel \"$bake\"; exit 1; }" : "exit 1");
    return arena_printf(arena,
                        "%s%s%s{ scancel%s \"$shards\"; exit 1; }\n\n"
                        "%secho \"shards ${shards}_[1-%d]\"\necho \"join $join\"\n",
                        bake, shards, job_text(stages, STAGE_JOIN, arena),
                        bakes ? " \"$bake\"" : "", bakes ? "echo \"bake $bake\"\n" : "",
                        stages->shards);
}

static bool check_word(const char *word, Diag *diag)
{
    if (!strchr(word, '\n'))
        return true;
    return diag_fail(diag, DIAG_USAGE, "'%s' contains a line break, which Slurm does not support",
                     word);
}

bool slurm_write(FILE *out, const Stages *stages, const SlurmOptions *options, Arena *arena,
                 Diag *diag)
{
    const StageCommand words = stages_command(stages, STAGE_SHARDS, arena);
    for (size_t i = 0; i < words.count; i++)
        if (!check_word(words.items[i], diag))
            return false;
    if (strchr(stages->checkpoint, '\\'))
        return diag_fail(
            diag, DIAG_USAGE,
            "sbatch cannot write logs to a directory with a backslash in its name: '%s'",
            stages->checkpoint);
    if (!check_word(options->directory, diag))
        return false;

    const TextField fields[] = {
        {"name", .text = stages->name},
        {"count",
         .text = arena_printf(arena, "%d shard%s", stages->shards, stages->shards == 1 ? "" : "s")},
        {"directory", .text = shell_word(options->directory, arena)},
        {"checkpoint", .text = quote(stages->checkpoint, "%", arena)},
        {"bake_step", .text = stages->bake ? step_text(stages, STAGE_BAKE, arena) : ""},
        {"render", .text = command_text(stages, STAGE_SHARDS, arena)},
        {"shards", .text = arena_printf(arena, "%d", stages->shards)},
        {"join_step", .text = step_text(stages, STAGE_JOIN, arena)},
        {"options", .text = options_text(options->sbatch, arena)},
        {"jobs", .text = jobs_text(stages, arena)},
        {0}};
    embedded_text_write(out, embedded_text_find(embedded_texts, "slurm_script.txt"), fields, NULL);
    return true;
}

bool slurm_submit(const char *script, Diag *diag)
{
    fflush(stdout);
    FILE *shell = popen("exec sh -s", "w");
    if (!shell)
        return diag_fail(diag, DIAG_RESOURCE, "cannot start a shell");
    fputs(script, shell);
    const int status = pclose(shell);
    if (status == 0)
        return true;
    return diag_fail(diag, DIAG_RESOURCE,
                     "the jobs were not submitted: exit status %d of the script",
                     WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}
