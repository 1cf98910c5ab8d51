#include "dispatch/slurm.h"

#include <string.h>
#include <sys/wait.h>

#define BLANKS " \t\n"

/* ---- words for a shell ---- */

static bool is_plain(const char *word)
{
    static const char plain[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_%+:,./=-";
    return *word && !word[strspn(word, plain)];
}

/* So that the shell takes it as it is.  `percent`: what stands for a percent sign. */
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
    if (is_plain(word))
        fputs(word, out);
    else
        write_quoted(out, word, "%");
}

static bool check_word(const char *word, Diag *diag)
{
    if (!strchr(word, '\n'))
        return true;
    return diag_fail(diag, DIAG_USAGE, "a line break cannot be handed on to Slurm, as in '%s'",
                     word);
}

static bool check_names(const Stages *stages, const SlurmOptions *options, Arena *arena, Diag *diag)
{
    const StageCommand words = stages_command(stages, STAGE_SHARDS, arena);
    for (size_t i = 0; i < words.count; i++)
        if (!check_word(words.items[i], diag))
            return false;
    if (strchr(stages->state, '\\'))
        return diag_fail(diag, DIAG_USAGE,
                         "sbatch cannot write logs to a folder with a backslash in its name ('%s')",
                         stages->state);
    return check_word(options->folder, diag);
}

/* ---- the stages: each a script of its own, on the standard input of sbatch ---- */

static void write_command(FILE *out, const Stages *stages, StageKind kind, Arena *arena)
{
    const StageCommand words = stages_command(stages, kind, arena);
    for (size_t i = 0; i < words.count; i++) {
        if (i)
            fputc(' ', out);
        write_word(out, words.items[i]);
    }
}

static void write_step(FILE *out, const Stages *stages, StageKind kind, Arena *arena)
{
    fprintf(out, "%s_step() {\n    cat <<'STEP'\n#!/bin/sh\nexec ", stage_names[kind]);
    write_command(out, stages, kind, arena);
    fputs("\nSTEP\n}\n\n", out);
}

/*
 * What a shell must know of Slurm (22.05):
 * - scancel and requeue send TERM to the shell and to the renderer.  Handed on, it would be the
 *   renderer's second one, which ends it at once.
 * - In the last task of an array SLURM_JOB_ID is the number of the array: requeued by it, all tasks
 *   begin anew.  ARRAY_TASK always means this one.
 * - Ending with a status that RequeueExit names breaks afterok for good; a requeue from inside does
 *   not.
 * A trap ends `wait` early, so it is called again; some shells have lost the status by then (127).
 */
static const char shard_begin[] =
    "#!/bin/sh\n"
    "late=no renderer=\n"
    "# The time is nearly up: stop after this frame.\n"
    "trap 'woken=yes; late=yes; [ -z \"$renderer\" ] || kill -TERM \"$renderer\"' USR2\n"
    "# scancel and requeue stop the renderer by themselves.\n"
    "trap 'woken=yes' TERM\n\n";

static const char shard_end[] =
    " &\n"
    "renderer=$!\n"
    "[ \"$late\" = no ] || kill -TERM \"$renderer\"\n"
    "\n"
    "status=127\n"
    "while :; do\n"
    "    woken=no\n"
    "    wait \"$renderer\"\n"
    "    now=$?\n"
    "    [ \"$now\" = 127 ] || status=$now\n"
    "    [ \"$woken\" = yes ] || break # else a signal ended the waiting, not the renderer\n"
    "done\n"
    "\n"
    "case $status in\n"
    "69 | 74 | 75) again=yes ;; # a passing fault\n"
    "143) again=$late ;; # stopped by TERM\n"
    "*) again=no ;;\n"
    "esac\n"
    "# The renderer gives up after 3 runs without a new frame; 100 is for when it cannot count.\n"
    "if [ \"$again\" = yes ] && [ \"${SLURM_RESTART_COUNT:-0}\" -lt 100 ]; then\n"
    "    echo \"shard $SLURM_ARRAY_TASK_ID ended with $status and goes back into the queue\" >&2\n"
    "    scontrol requeue \"${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}\" &&\n"
    "        sleep 600 # until Slurm ends this run\n"
    "fi\n"
    "exit \"$status\"\n";

static void write_shards_step(FILE *out, const Stages *stages, Arena *arena)
{
    fputs("shards_step() {\n    cat <<'STEP'\n", out);
    fputs(shard_begin, out);
    write_command(out, stages, STAGE_SHARDS, arena);
    fprintf(out, " \\\n    --shard \"$SLURM_ARRAY_TASK_ID/%d\" --give-up 3", stages->shards);
    fputs(shard_end, out);
    fputs("STEP\n}\n\n", out);
}

/* ---- the submission ---- */

static void write_head(FILE *out, const Stages *stages, const SlurmOptions *options)
{
    fprintf(
        out,
        "#!/bin/sh\n"
        "# '%s' drawn by %d machine%s at once, under Slurm; made by 'odori slurm'.\n"
        "# Run it with sh where sbatch is: it submits, and prints the numbers of the jobs.\n"
        "# Logs are in the folder log of the state folder.  When a job failed, run this again:\n"
        "# what is drawn stays.\n"
        "set -eu\n\ncd ",
        stages->name, stages->shards, stages->shards == 1 ? "" : "s");
    write_word(out, options->folder);
    fputs("\nmkdir -p ", out);
    write_quoted(out, stages->state, "%");
    fputs("/log\n\n", out);
}

/* What the user asks of all three jobs: behind ours, so that it goes before them. */
static void write_submit(FILE *out, const char *sbatch, Arena *arena)
{
    fputs("submit() { # options; a step on standard input; prints the job's number\n"
          "    number=$(sbatch --parsable --requeue --open-mode=append \"$@\"",
          out);
    for (const char *at = sbatch; at && *(at += strspn(at, BLANKS)); at += strcspn(at, BLANKS)) {
        fputc(' ', out);
        write_word(out, arena_strndup(arena, at, strcspn(at, BLANKS)));
    }
    fputs(") &&\n        echo \"${number%%;*}\" # without the cluster's name\n}\n\n", out);
}

static void write_job(FILE *out, const Stages *stages, StageKind kind, Arena *arena)
{
    const char *name = stage_names[kind];
    const bool waits = kind == STAGE_JOIN || (kind == STAGE_SHARDS && stages->bake);
    fprintf(out, "%s=$(%s_step | submit --job-name=", name, name);
    write_word(out, arena_printf(arena, "%s-%s", stages->name, name));
    fprintf(out, " --cpus-per-task=%d --mem=%dM \\\n    --output=", stages->resources[kind].cores,
            stages->resources[kind].memory_mib);
    write_quoted(out, stages->state, "%%");
    fprintf(out, "/log/%s%s.log", name, kind == STAGE_SHARDS ? ".%a" : "");
    if (kind == STAGE_SHARDS)
        fprintf(out, " \\\n    --array=1-%d --signal=B:USR2@60", stages->shards);
    if (waits)
        fprintf(out, " \\\n    --dependency=afterok:\"$%s\" --kill-on-invalid-dep=yes",
                stage_names[kind - 1]);
    fputs(") || ", out);
}

/* When a job cannot be submitted, those before it are taken back. */
static void write_jobs(FILE *out, const Stages *stages, Arena *arena)
{
    fputs("command -v sbatch >/dev/null || {\n"
          "    echo 'sbatch is not found: is this a machine of the cluster?' >&2\n"
          "    exit 69\n}\n",
          out);
    if (stages->bake) {
        write_job(out, stages, STAGE_BAKE, arena);
        fputs("exit 1\n", out);
    }
    write_job(out, stages, STAGE_SHARDS, arena);
    fprintf(out, "%s\n", stages->bake ? "{ scancel \"$bake\"; exit 1; }" : "exit 1");
    write_job(out, stages, STAGE_JOIN, arena);
    fprintf(out, "{ scancel%s \"$shards\"; exit 1; }\n\n", stages->bake ? " \"$bake\"" : "");
    if (stages->bake)
        fputs("echo \"bake $bake\"\n", out);
    fprintf(out, "echo \"shards ${shards}_[1-%d]\"\necho \"join $join\"\n", stages->shards);
}

bool slurm_write(FILE *out, const Stages *stages, const SlurmOptions *options, Arena *arena,
                 Diag *diag)
{
    if (!check_names(stages, options, arena, diag))
        return false;
    write_head(out, stages, options);
    if (stages->bake)
        write_step(out, stages, STAGE_BAKE, arena);
    write_shards_step(out, stages, arena);
    write_step(out, stages, STAGE_JOIN, arena);
    write_submit(out, options->sbatch, arena);
    write_jobs(out, stages, arena);
    return true;
}

bool slurm_submit(const char *script, Diag *diag)
{
    fflush(stdout);
    FILE *shell = popen("exec sh -s", "w");
    if (!shell)
        return diag_fail(diag, DIAG_RESOURCE, "no shell can be started");
    fputs(script, shell);
    const int status = pclose(shell);
    if (status == 0)
        return true;
    return diag_fail(diag, DIAG_RESOURCE, "nothing was submitted: the script ended with status %d",
                     WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}
