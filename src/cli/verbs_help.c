// SPDX-License-Identifier: MIT
#include "cli/verbs.h"

#include <stdio.h>
#include <string.h>

#include "cli/completion.h"
#include "cli/help.h"
#include "cli/session.h"
#include "film/version.h"
#include "job/job_options.h"
#include "record/help/option_help.h"
#include "record/help/option_schema.h"

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

bool verb_schema(Session *s)
{
    const Arguments *args = s->given;
    const char *name = args->operands.count ? args->operands.items[0] : "job";
    const HelpFormat *format = help_formats(s->arena);
    while (format->name && strcmp(format->name, name) != 0)
        format++;
    if (format->name && args->operands.count <= 1) {
        option_schema(stdout, format->table, arena_printf(s->arena, "urn:odori:schema:%s:1", name),
                      arena_printf(s->arena, "Odori %s", format->title));
        return true;
    }
    return diag_fail(s->diag, DIAG_USAGE,
                     "schema takes one of job, batch and limits; unexpected '%s'",
                     args->operands.count > 1 ? args->operands.items[1] : name);
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
