#include "cli/manual.h"

#include <string.h>

#include "base/embedded_text.h"
#include "cli/flags.h"
#include "cli/verbs.h"
#include "dispatch/batch_keys.h"
#include "film/version.h"
#include "job/help/option_help.h"
#include "job/help/roff.h"
#include "job/host_limits.h"

/* The fields of the pages.  `user` is an Arena *const *. */

static void write_verb(FILE *out, const Verb *verb, Arena *arena)
{
    const VerbText text = verb_text(verb, arena);
    fprintf(out, ".TP\n\\fBodori %s\\fR ", verb->name);
    roff_inline(out, text.synopsis);
    fprintf(out, "\n%c", text.summary[0] - 'a' + 'A');
    roff_text(out, ".IP", text.summary + 1);
    if (text.description[0]) {
        fputs(".IP\n", out);
        roff_text(out, ".IP", text.description);
    }
    fputs(".IP\nFlags:\n", out);
    for (const Flag *flag = flags; flag->name; flag++)
        if (verb_accepts(verb, flag)) {
            fputs("\\fB\\-\\-", out);
            roff_inline(out, flag->name);
            fputs("\\fR\n", out);
        }
}

static void write_verbs(FILE *out, const void *user)
{
    Arena *const *arena = user;
    for (const Verb *verb = verbs; verb->name; verb++)
        write_verb(out, verb, *arena);
}

static void write_flag(FILE *out, const Flag *flag, Arena *arena)
{
    const char *const *choices = flag_choices(flag);
    fputs(".TP\n", out);
    if (flag->letter)
        fprintf(out, "\\fB\\-%c\\fR, ", flag->letter);
    fputs("\\fB\\-\\-", out);
    roff_inline(out, flag->name);
    fputs("\\fR", out);
    for (size_t i = 0; choices && choices[i]; i++)
        fprintf(out, "%c%s", i ? '|' : ' ', choices[i]);
    if (flag->value && !choices)
        fprintf(out, flag_takes_value(flag) ? " \\fI%s\\fR" : "[=\\fI%s\\fR]", flag->value);
    fputc('\n', out);
    roff_text(out, ".IP", flag_help(flag, arena));
}

static void write_flags(FILE *out, const void *user)
{
    Arena *const *arena = user;
    for (const Flag *flag = flags; flag->name; flag++)
        write_flag(out, flag, *arena);
}

static void write_warnings(FILE *out, const void *user)
{
    (void)user;
    for (int i = 0; i < WARN_CLASS_COUNT; i++) {
        roff_item(out, warning_classes[i].name);
        roff_text(out, ".IP", warning_classes[i].help);
    }
}

static void write_job_keys(FILE *out, const void *user)
{
    Arena *const *arena = user;
    option_manual(out, &option_job, *arena);
}

static void write_batch_keys(FILE *out, const void *user)
{
    Arena *const *arena = user;
    option_manual(out, batch_keys_reference(*arena), *arena);
}

static void write_limits_keys(FILE *out, const void *user)
{
    Arena *const *arena = user;
    option_manual(out, &option_limits, *arena);
}

static void write_profile(FILE *out, const void *user)
{
    (void)user;
    roff_inline(out, host_limits_untrusted);
}

bool manual_write(FILE *out, const char *page, Arena *arena)
{
    static const TextField fields[] = {
        {"date", .text = ODORI_RELEASE_DATE},      {"version", .text = ODORI_VERSION},
        {"verbs", .write = write_verbs},           {"flags", .write = write_flags},
        {"warnings", .write = write_warnings},     {"job_keys", .write = write_job_keys},
        {"batch_keys", .write = write_batch_keys}, {"limits_keys", .write = write_limits_keys},
        {"profile", .write = write_profile},       {0},
    };
    const bool is_main = !page || !strcmp(page, "odori");
    const char *file = is_main ? "odori.1" : arena_printf(arena, "odori-%s.5", page);
    const char *text = embedded_text_find(embedded_texts, file);
    if (text)
        embedded_text_write(out, text, fields, &arena);
    return text != NULL;
}
