#include "dispatch/slurm.h"

#include <string.h>
#include <sys/wait.h>

#include "base/embedded_text.h"

#define BLANKS " \t\n"

/* ---- words of a shell ---- */

/* Writes a word in single quotes; `percent` replaces each percent sign. */
static void write_quoted(FILE *out, const char *word, const char *percent)
{
    fputc('\'', out);
    for (const char *at = word; *at; at++)
        if (*at == '\'')
            fputs("'\\''", out);
        else if (*at == '%')
            fputs(percent, out);
        else
            fputc(*at, out);
    fputc('\'', out);
}

static void write_word(FILE *out, const char *word)
{
    static const char plain[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_%+:,./=-";
    if (*word && !word[strspn(word, plain)])
        fputs(word, out);
    else
        write_quoted(out, word, "%");
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
typedef struct Script {
    const Stages *stages;
    const SlurmOptions *options;
    Arena *arena;
} Script;

static void write_directory(FILE *out, const void *user)
{
    write_word(out, ((const Script *)user)->options->directory);
}

static void write_checkpoint(FILE *out, const void *user)
{
    write_quoted(out, ((const Script *)user)->stages->checkpoint, "%");
}

static void write_command(FILE *out, const Script *script, StageKind kind)
{
    const StageCommand words = stages_command(script->stages, kind, script->arena);
    for (size_t i = 0; i < words.count; i++) {
        if (i)
            fputc(' ', out);
        write_word(out, words.items[i]);
    }
}

static void write_render(FILE *out, const void *user)
{
    write_command(out, user, STAGE_SHARDS);
}

static void write_step(FILE *out, const Script *script, StageKind kind)
{
    fprintf(out, "%s_step() {\n    cat <<'STEP'\n#!/bin/sh\nexec ", stage_names[kind]);
    write_command(out, script, kind);
    fputs("\nSTEP\n}\n\n", out);
}

static void write_bake_step(FILE *out, const void *user)
{
    if (((const Script *)user)->stages->bake)
        write_step(out, user, STAGE_BAKE);
}

static void write_join_step(FILE *out, const void *user)
{
    write_step(out, user, STAGE_JOIN);
}

/* The options of the user follow ours, so that they take precedence. */
static void write_options(FILE *out, const void *user)
{
    const Script *script = user;
    for (const char *at = script->options->sbatch; at && *(at += strspn(at, BLANKS));
         at += strcspn(at, BLANKS)) {
        fputc(' ', out);
        write_word(out, arena_strndup(script->arena, at, strcspn(at, BLANKS)));
    }
}

static void write_job(FILE *out, const Script *script, StageKind kind)
{
    const Stages *stages = script->stages;
    const char *name = stage_names[kind];
    const bool waits = kind == STAGE_JOIN || (kind == STAGE_SHARDS && stages->bake);
    fprintf(out, "%s=$(%s_step | submit --job-name=", name, name);
    write_word(out, arena_printf(script->arena, "%s-%s", stages->name, name));
    fprintf(out, " --cpus-per-task=%d --mem=%dM \\\n    --output=", stages->resources[kind].cores,
            stages->resources[kind].memory_mib);
    write_quoted(out, stages->checkpoint, "%%");
    fprintf(out, "/log/%s%s.log", name, kind == STAGE_SHARDS ? ".%a" : "");
    if (kind == STAGE_SHARDS)
        fprintf(out, " \\\n    --array=1-%d --signal=B:USR2@60", stages->shards);
    if (waits)
        fprintf(out, " \\\n    --dependency=afterok:\"$%s\" --kill-on-invalid-dep=yes",
                stage_names[kind - 1]);
    fputs(") || ", out);
}

/* If a job cannot be submitted, the jobs before it are cancelled. */
static void write_jobs(FILE *out, const void *user)
{
    const Stages *stages = ((const Script *)user)->stages;
    if (stages->bake) {
        write_job(out, user, STAGE_BAKE);
        fputs("exit 1\n", out);
    }
    write_job(out, user, STAGE_SHARDS);
    fprintf(out, "%s\n", stages->bake ? "{ scancel \"$bake\"; exit 1; }" : "exit 1");
    write_job(out, user, STAGE_JOIN);
    fprintf(out, "{ scancel%s \"$shards\"; exit 1; }\n\n", stages->bake ? " \"$bake\"" : "");
    if (stages->bake)
        fputs("echo \"bake $bake\"\n", out);
    fprintf(out, "echo \"shards ${shards}_[1-%d]\"\necho \"join $join\"\n", stages->shards);
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
    const Script script = {stages, options, arena};
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
        {"name", NULL, stages->name},
        {"count", NULL,
         arena_printf(arena, "%d shard%s", stages->shards, stages->shards == 1 ? "" : "s")},
        {"directory", write_directory, NULL},
        {"checkpoint", write_checkpoint, NULL},
        {"bake_step", write_bake_step, NULL},
        {"render", write_render, NULL},
        {"shards", NULL, arena_printf(arena, "%d", stages->shards)},
        {"join_step", write_join_step, NULL},
        {"options", write_options, NULL},
        {"jobs", write_jobs, NULL},
        {0}};
    embedded_text_write(out, embedded_text_find(embedded_texts, "slurm_script.txt"), fields,
                        &script);
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
