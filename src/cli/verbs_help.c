#include "cli/verbs.h"

#include <stdio.h>
#include <string.h>

#include "cli/completion.h"
#include "cli/help.h"
#include "cli/manual.h"
#include "dispatch/batch_keys.h"
#include "film/version.h"
#include "job/help/option_help.h"
#include "job/help/option_schema.h"
#include "job/host_limits.h"

bool verb_help(Progress *progress, const Arguments *args, Arena *arena, Diag *diag)
{
    const char *topic = args->operands.count ? args->operands.items[0] : NULL;
    (void)progress;
    if (args->operands.count > 1)
        return diag_fail(diag, DIAG_USAGE, "help takes one topic; unexpected argument '%s'",
                         args->operands.items[1]);
    if (args->markdown)
        option_markdown(stdout, arena);
    else if (args->man)
        return manual_write(stdout, topic, arena) ||
               diag_fail(diag, DIAG_USAGE, "--man: '%s' is not one of odori, job, batch, limits",
                         topic);
    else if (topic)
        return help_write_topic(stdout, topic, arena, diag);
    else
        help_write_overview(stdout, arena);
    return true;
}

bool verb_completion(Progress *progress, const Arguments *args, Arena *arena, Diag *diag)
{
    const char *shell = args->operands.items[0];
    (void)progress;
    return (args->operands.count == 1 && completion_write(stdout, shell, arena)) ||
           diag_fail(diag, DIAG_USAGE,
                     "completion takes one of bash, zsh and fish; unexpected '%s'",
                     args->operands.items[args->operands.count - 1]);
}

bool verb_schema(Progress *progress, const Arguments *args, Arena *arena, Diag *diag)
{
    const struct {
        const char *name, *title;
        const OptionTable *table;
    } rows[] = {{"job", "Odori job file", &option_job},
                {"batch", "Odori batch manifest", batch_keys_reference(arena)},
                {"limits", "Odori limits file", &option_limits}};
    const char *name = args->operands.count ? args->operands.items[0] : "job";
    (void)progress;
    for (size_t i = 0; args->operands.count <= 1 && i < sizeof rows / sizeof *rows; i++)
        if (!strcmp(name, rows[i].name)) {
            option_schema(stdout, rows[i].table, arena_printf(arena, "urn:odori:schema:%s:1", name),
                          rows[i].title);
            return true;
        }
    return diag_fail(diag, DIAG_USAGE, "schema takes one of job, batch and limits; unexpected '%s'",
                     args->operands.count > 1 ? args->operands.items[1] : name);
}

bool verb_version(Progress *progress, const Arguments *args, Arena *arena, Diag *diag)
{
    GlProbe gl;
    Diag quiet = diag_quiet(); /* without OpenGL the versions are still printed */
    (void)progress;
    (void)arena;
    (void)diag;
    version_write(stdout, args->json, gl_probe(&gl, GL_AUTO, &quiet) ? &gl : NULL);
    return true;
}
