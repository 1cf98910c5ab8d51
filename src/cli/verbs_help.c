// SPDX-License-Identifier: MIT
#include "cli/verbs.h"

#include <stdio.h>
#include <string.h>

#include "base/text_stream.h"
#include "cli/completion.h"
#include "cli/help.h"
#include "cli/run_result.h"
#include "cli/session.h"
#include "cli/shader_cache.h"
#include "inspect/doctor.h"
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
        option_markdown(s->out, &option_job, s->arena);
    else if (args->man)
        return help_write_manual(s->out, topic, s->arena) ||
               diag_fail(s->diag, DIAG_USAGE, "--man: '%s' is not one of odori, job, batch, limits",
                         topic);
    else if (topic)
        return help_write_topic(s->out, topic, s->arena, s->diag);
    else
        help_write_overview(s->out, s->arena);
    return true;
}

bool verb_completion(Session *s)
{
    const Arguments *args = s->given;
    const char *shell = args->operands.items[0];
    return (args->operands.count == 1 && completion_write(s->out, shell, s->arena)) ||
           diag_fail(s->diag, DIAG_USAGE,
                     "completion takes one of bash, zsh and fish; unexpected '%s'",
                     args->operands.items[args->operands.count - 1]);
}

static bool write_schema(FILE *out, const char *name, Arena *arena)
{
    const char *id = arena_printf(arena, "urn:odori:schema:%s:1", name);
    for (const HelpFormat *format = help_formats(arena); format->name; format++)
        if (!strcmp(format->name, name)) {
            option_schema(out, format->table, id, arena_printf(arena, "Odori %s", format->title));
            return true;
        }
    const ResultTable *table = verb_result(name);
    bool fails = false;
    for (const Verb *verb = verbs; verb->name; verb++)
        fails |= verb->schema && !strcmp(verb->schema, name);
    if (table)
        result_schema(out, table, fails ? &run_result : NULL, id);
    return table != NULL;
}

bool verb_schema(Session *s)
{
    const TextList *operands = &s->given->operands;
    const char *name = operands->count ? operands->items[0] : "job";
    if (operands->count <= 1 && write_schema(stdout, name, s->arena))
        return true;
    TextStream words;
    verb_write_words(text_stream_open(&words, s->arena), verb_find("schema"));
    return diag_fail(s->diag, DIAG_USAGE, "schema takes one of: %s; unexpected '%s'",
                     text_stream_close(&words), operands->items[operands->count - 1]);
}

bool verb_doctor(Session *s)
{
    const Arguments *args = s->given;
    if (args->operands.count)
        return diag_fail(s->diag, DIAG_USAGE, "doctor takes no operand; unexpected argument '%s'",
                         args->operands.items[0]);
    const ShaderCacheState cache = shader_cache_state(s->arena);
    const DoctorOptions options = {args->json, cache.confined ? cache.directory : NULL};
    return doctor_write(stdout, &options, s->diag);
}

bool verb_version(Session *s)
{
    const Arguments *args = s->given;
    GlProbe gl;
    if (args->operands.count)
        return diag_fail(s->diag, DIAG_USAGE, "version takes no operand; unexpected argument '%s'",
                         args->operands.items[0]);
    Diag quiet = diag_quiet(); /* without OpenGL the versions are still printed */
    version_write(s->out, args->json, gl_probe(&gl, (GlChoice){0}, &quiet) ? &gl : NULL);
    return true;
}
