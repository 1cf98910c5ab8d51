// SPDX-License-Identifier: MIT
#include "dispatch/submit_script.h"

#include <ctype.h>
#include <string.h>
#include <sys/wait.h>

#include "base/embedded_text.h"
#include "base/text.h"
#include "base/text_stream.h"

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

bool submit_script_run(const char *script, int out, Diag *diag)
{
    char command[32];
    snprintf(command, sizeof command, "exec sh -s >&%d", out);
    fflush(stdout);
    FILE *shell = popen(command, "w");
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
