// SPDX-License-Identifier: MIT
#include "cli/verbs.h"

#include <stdio.h>
#include <string.h>

#include "base/text_stream.h"
#include "cli/completion.h"
#include "cli/help.h"
#include "cli/session.h"
#include "job/job_options.h"
#include "record/help/option_help.h"
#include "record/help/option_schema.h"
#include "record/help/result_schema.h"
#include "run/version.h"

bool verb_help(Session *s)
{
    const Arguments *args = s->given;
    const char *topic = args->operands.count ? args->operands.items[0] : NULL;
    if (args->operands.count > 1)
        return diag_fail(s->diag, DIAG_USAGE, "help takes one topic; unexpected argument '%s'",
                         args->operands.items[1]);
    if (args->markdown)
        option_markdown(stdout, &option_job, s->arena);
    else if (args->man)
        return help_write_manual(stdout, topic, s->arena) ||
               diag_fail(s->diag, DIAG_USAGE, "--man: '%s' is not one of odori, job, batch, limits",
                         topic);
    else if (topic)
        return help_write_topic(stdout, topic, s->arena, s->diag);
    else
        help_write_overview(stdout, s->arena);
    return true;
}

bool verb_completion(Session *s)
{
    const Arguments *args = s->given;
    const char *shell = args->operands.items[0];
    return (args->operands.count == 1 && completion_write(stdout, shell, s->arena)) ||
           diag_fail(s->diag, DIAG_USAGE,
                     "completion takes one of bash, zsh and fish; unexpected '%s'",
                     args->operands.items[args->operands.count - 1]);
}

static bool write_schema(const char *name, Arena *arena)
{
    const char *id = arena_printf(arena, "urn:odori:schema:%s:1", name);
    for (const HelpFormat *format = help_formats(arena); format->name; format++)
        if (!strcmp(format->name, name)) {
            option_schema(stdout, format->table, id,
                          arena_printf(arena, "Odori %s", format->title));
            return true;
        }
    for (const VerbResult *result = verb_results; result->name; result++)
        if (!strcmp(result->name, name)) {
            result_schema(stdout, result->table, id);
            return true;
        }
    return false;
}

bool verb_schema(Session *s)
{
    const TextList *operands = &s->given->operands;
    const char *name = operands->count ? operands->items[0] : "job";
    if (operands->count <= 1 && write_schema(name, s->arena))
        return true;
    TextStream words;
    verb_write_words(text_stream_open(&words, s->arena), verb_find("schema"));
    return diag_fail(s->diag, DIAG_USAGE, "schema takes one of: %s; unexpected '%s'",
                     text_stream_close(&words), operands->items[operands->count - 1]);
}

bool verb_version(Session *s)
{
    const Arguments *args = s->given;
    GlProbe gl;
    if (args->operands.count)
        return diag_fail(s->diag, DIAG_USAGE, "version takes no operand; unexpected argument '%s'",
                         args->operands.items[0]);
    Diag quiet = diag_quiet(); /* without OpenGL the versions are still printed */
    version_write(stdout, args->json, gl_probe(&gl, GL_AUTO, &quiet) ? &gl : NULL);
    return true;
}
