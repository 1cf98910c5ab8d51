// SPDX-License-Identifier: MIT
#include "dispatch/submit_script.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/embedded_text.h"
#include "base/text.h"
#include "base/text_stream.h"
#include "dispatch/slurm.h"

#define BLANKS " \t\n"
#define RULE "----\n" /* between the two parts of text/submit_NAME.txt */

static const char *command_text(const Stages *stages, StageKind kind, Arena *arena)
{
    const StageCommand words = stages_command(stages, kind, arena);
    const char *text = text_shell_word(words.items[0], arena);
    for (size_t i = 1; i < words.count; i++)
        text = arena_printf(arena, "%s %s", text, text_shell_word(words.items[i], arena));
    return text;
}

typedef const char *WordFormat(const char *word, Arena *arena);

static const char *option_word(const char *word, Arena *arena)
{
    return arena_printf(arena, " %s", text_shell_word(word, arena));
}

/* A line of a text in which the shell expands variables. */
static const char *description_line(const char *word, Arena *arena)
{
    TextStream stream;
    FILE *out = text_stream_open(&stream, arena);
    for (const char *at = word; *at; at++) {
        if (strchr("\\$`", *at))
            fputc('\\', out);
        fputc(*at, out);
    }
    fputc('\n', out);
    return text_stream_close(&stream);
}

/* The options of the user follow ours, so that they take precedence. */
static const char *options_text(const char *words, WordFormat *format, Arena *arena)
{
    const char *text = "";
    for (const char *at = words; at && *(at += strspn(at, BLANKS)); at += strcspn(at, BLANKS)) {
        const char *word = arena_strndup(arena, at, strcspn(at, BLANKS));
        text = arena_printf(arena, "%s%s", text, format(word, arena));
    }
    return text;
}

/* ---- fields of text/submit_script.txt ---- */

/* A job that is not the array of shards. */
static const char *step_text(const Scheduler *s, const Stages *stages, StageKind kind,
                             const char *directory, Arena *arena)
{
    return arena_printf(arena,
                        "%s_step() {\n    cat <<'STEP'\n#!/bin/sh\ncd %s && %s%s%s%s\n"
                        "STEP\n}\n\n",
                        stage_names[kind], directory, s->failed ? "" : "exec ",
                        command_text(stages, kind, arena), s->failed ? " || exit " : "",
                        s->failed ? s->failed : "");
}

/* The number of a task, from 1. */
static const char *index_text(const Scheduler *s, int shards, Arena *arena)
{
    if (shards == 1)
        return "1";
    return arena_printf(arena, s->first ? "$%s" : "$((%s + 1))", s->index);
}

static const char *job_text(const Stages *stages, StageKind kind, bool waits, Arena *arena)
{
    const char *name = stage_names[kind];
    const StageResources need = stages->resources[kind];
    return arena_printf(arena, "%s=$(%s_step | submit %s %d %d%s) ||", name, name, name, need.cores,
                        need.memory_mib,
                        waits ? arena_printf(arena, " \"$%s\"", stage_names[kind - 1]) : "");
}

/* If a job cannot be submitted, the jobs before it are cancelled. */
static const char *stages_text(const Scheduler *s, const Stages *stages, Arena *arena)
{
    const char *text = s->cancel ? arena_printf(arena,
                                                "cancel() { # NUMBER...\n"
                                                "    echo \"$@\" | xargs -n 1 %s\n    exit 1\n}\n",
                                                s->cancel)
                                 : "rm -f film.dag\n";
    const char *before = "";
    const StageKind first = stages->bake ? STAGE_BAKE : STAGE_SHARDS;
    for (StageKind kind = first; kind < STAGE_KINDS; kind++) {
        text =
            arena_printf(arena, "%s%s %s%s\n", text, job_text(stages, kind, kind > first, arena),
                         s->cancel && kind > first ? "cancel" : "exit 1", s->cancel ? before : "");
        before = arena_printf(arena, "%s \"$%s\"", before, stage_names[kind]);
    }
    if (!s->cancel)
        return arena_printf(arena, "%secho nodes%s\n%s -force film.dag\n", text, before,
                            s->command);
    for (StageKind kind = first; kind < STAGE_KINDS; kind++)
        text =
            arena_printf(arena, "%secho \"%s $%s\"\n", text, stage_names[kind], stage_names[kind]);
    return text;
}

static bool check_word(const char *word, Diag *diag)
{
    if (!strchr(word, '\n'))
        return true;
    return diag_fail(diag, DIAG_USAGE, "'%s' contains a line break, which scripts do not support",
                     word);
}

static const char *fill(const char *text, const TextField *fields, Arena *arena)
{
    TextStream stream;
    embedded_text_write(text_stream_open(&stream, arena), text, fields, NULL);
    return text_stream_close(&stream);
}

bool submit_script_write(FILE *out, const Scheduler *scheduler, const Stages *stages,
                         const SubmitOptions *options, Arena *arena, Diag *diag)
{
    const StageCommand words = stages_command(stages, STAGE_SHARDS, arena);
    for (size_t i = 0; i < words.count; i++)
        if (!check_word(words.items[i], diag))
            return false;
    if (!check_word(options->directory, diag))
        return false;

    char label[STAGES_LABEL_SIZE];
    stages_label(label, stages);
    const char *late = scheduler->late ? scheduler->late : "USR2";
    const char *directory = text_shell_word(options->directory, arena);
    const bool late_term = strcmp(late, "TERM") == 0;
    TextField fields[] = {
        {"name", .text = stages->name},
        {"title", .text = scheduler->title},
        {"to", .text = scheduler->name},
        {"command", .text = scheduler->command},
        {"job_name", .text = text_shell_word(stages->name, arena)},
        /* For schedulers that refuse other characters, or a digit at the start. */
        {"label", .text = arena_printf(arena, "%s%s",
                                       isdigit((unsigned char)*label) ? "odori-" : "", label)},
        {"count",
         .text = arena_printf(arena, "%d shard%s", stages->shards, stages->shards == 1 ? "" : "s")},
        {"directory", .text = directory},
        {"checkpoint", .text = text_shell_quote(stages->checkpoint, arena)},
        {"late", .text = late},
        /* A trap would interrupt `wait`, after which bash may have lost the status. */
        {"term", .text = late_term ? "" : "trap '' TERM # the renderer gets it, too\n"},
        {"default_term", .text = late_term ? "" : "trap - TERM\n"},
        {"render", .text = command_text(stages, STAGE_SHARDS, arena)},
        {"index", .text = index_text(scheduler, stages->shards, arena)},
        /* Some have no arrays of one task. */
        {"array", .text = stages->shards > 1 ? stage_names[STAGE_SHARDS] : "none"},
        {"shards", .text = arena_printf(arena, "%d", stages->shards)},
        {"options", .text = options_text(options->words, option_word, arena)},
        {"commands", .text = options_text(options->words, description_line, arena)},
        {"bake_step",
         .text = stages->bake ? step_text(scheduler, stages, STAGE_BAKE, directory, arena) : ""},
        {"join_step", .text = step_text(scheduler, stages, STAGE_JOIN, directory, arena)},
        {"stages", .text = stages_text(scheduler, stages, arena)},
        {"again", .text = NULL},
        {"submit", .text = NULL},
        {0}};
    const char *name = arena_printf(arena, "submit_%s.txt", scheduler->name);
    const char *own = embedded_text_find(embedded_texts, name), *middle = strstr(own, RULE);
    TextField *again = fields, *submit;
    while (strcmp(again->name, "again") != 0)
        again++;
    submit = again + 1;
    submit->text = fill(middle + strlen(RULE), fields, arena);
    again->text = fill(arena_strndup(arena, own, (size_t)(middle - own)), fields, arena);
    embedded_text_write(out, embedded_text_find(embedded_texts, "submit_script.txt"), fields, NULL);
    return true;
}

/* A file without a name, for the input and the output of the script: no pipe can fill up. */
static int open_memory(const char *text)
{
    const int file = memfd_create("script", MFD_CLOEXEC);
    const size_t size = strlen(text);
    if (file >= 0 && (write(file, text, size) != (ssize_t)size || lseek(file, 0, SEEK_SET) != 0)) {
        close(file);
        return -1;
    }
    return file;
}

/* Descriptors of the script. */
typedef struct ScriptFiles {
    int in, out, messages[2]; /* -1 if closed; a pipe */
} ScriptFiles;

static _Noreturn void run_shell(const ScriptFiles *files)
{
    if (dup2(files->in, 0) == 0 && dup2(files->out, 1) == 1 && dup2(files->messages[1], 2) == 2)
        execlp("sh", "sh", "-s", (char *)NULL);
    _exit(127);
}

/* Repeats messages while they come, and keeps the last error of the scheduler.  cat, which gives it
 * the script, only says that it read none of it. */
static void repeat_messages(char *last, size_t size, int file)
{
    char line[1024];
    FILE *in = fdopen(file, "r");
    for (*last = '\0'; in && fgets(line, sizeof line, in);) {
        fputs(line, stderr);
        const bool is_error = strstr(line, "error:") || strstr(line, "fatal:");
        const bool is_other = strstr(line, "scancel:") || !strncmp(line, "cat: ", 5);
        if ((is_error && !is_other) || !*last)
            snprintf(last, size, "%.*s", (int)strcspn(line, "\n"), line);
    }
    if (in)
        fclose(in);
}

static void copy_output(FILE *out, int file)
{
    char bytes[4096];
    ssize_t size;
    lseek(file, 0, SEEK_SET);
    while ((size = read(file, bytes, sizeof bytes)) > 0)
        fwrite(bytes, 1, (size_t)size, out);
}

static bool report_refusal(int status, const char *last, Arena *arena, Diag *diag)
{
    const bool final = slurm_refusal_is_final(last);
    const int number = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    if (!*last)
        return diag_fail(diag, DIAG_RESOURCE,
                         "the jobs were not submitted: exit status %d of the script", number);
    return diag_fail(diag, final ? DIAG_FAILED : DIAG_RESOURCE, "the jobs were not submitted: %s%s",
                     text_from_utf8(last, strlen(last), arena),
                     final ? "; -j sets the cores of a shard, --options options of sbatch" : "");
}

bool submit_script_run(FILE *out, const char *script, Arena *arena, Diag *diag)
{
    ScriptFiles files = {open_memory(script), open_memory(""), {-1, -1}};
    char last[1024] = "";
    int status = 0;
    pid_t shell = -1;
    fflush(NULL);
    if (files.in >= 0 && files.out >= 0 && pipe2(files.messages, O_CLOEXEC) == 0)
        shell = fork();
    if (shell == 0)
        run_shell(&files);
    if (files.messages[1] >= 0)
        close(files.messages[1]);
    if (files.messages[0] >= 0)
        repeat_messages(last, sizeof last, files.messages[0]);
    while (shell > 0 && waitpid(shell, &status, 0) < 0 && errno == EINTR)
        ;
    if (shell > 0)
        copy_output(out, files.out);
    if (files.in >= 0)
        close(files.in);
    if (files.out >= 0)
        close(files.out);
    if (shell < 0)
        return diag_fail(diag, DIAG_RESOURCE, "cannot start a shell: %s", strerror(errno));
    return status == 0 || report_refusal(status, last, arena, diag);
}
