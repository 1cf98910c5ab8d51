#include "cli/warning_flags.h"

#include <string.h>

#include "base/text.h"

/* ---- parsing ---- */

static bool report_unknown(const char *flag, const char *name, const char *prefix, Diag *diag)
{
    const char *nearest = text_nearest(name, warning_names, WARN_CLASS_COUNT);
    if (nearest)
        return diag_fail(diag, DIAG_USAGE,
                         "%s: '%s' is not a class of warnings; did you mean '%s%s'?", flag, name,
                         prefix, nearest);
    return diag_fail(diag, DIAG_USAGE,
                     "%s: '%s' is not a class of warnings; see 'odori help warnings'", flag, name);
}

/* Reads "CLASS,CLASS"; classes that begin with "no-" are added to *hidden if it is not NULL. */
static bool parse_classes(uint32_t *shown, uint32_t *hidden, const char *flag, const char *text,
                          Arena *arena, Diag *diag)
{
    for (const char *at = text;; at++) {
        const size_t size = strcspn(at, ",");
        const bool no = hidden && !strncmp(at, "no-", 3);
        const char *name = arena_strndup(arena, at + 3 * no, size - 3 * (size_t)no);
        const int found = warning_find(name, (unsigned)strlen(name));
        if (found < 0)
            return report_unknown(flag, name, no ? "no-" : "", diag);
        *(no ? hidden : shown) |= warning_bit((WarningClass)found);
        at += size;
        if (!*at)
            return true;
    }
}

bool warning_flags_parse(DiagRules *rules, const Arguments *args, Arena *arena, Diag *diag)
{
    DiagRules parsed = {.strict = args->strict && !*args->strict, .quirks = args->verbose};
    if (args->strict && *args->strict &&
        !parse_classes(&parsed.errors, NULL, "--strict", args->strict, arena, diag))
        return false;
    for (size_t i = 0; i < args->warnings.count; i++)
        if (!parse_classes(&parsed.shown, &parsed.hidden, "-W", args->warnings.items[i], arena,
                           diag))
            return false;
    *rules = parsed;
    return true;
}

/* ---- forwarding ---- */

static void add_word(TextList *words, const char *word, Arena *arena)
{
    *arena_push(arena, words) = word;
}

void warning_flags_forward(TextList *words, const Arguments *args, Arena *arena)
{
    if (args->strict)
        add_word(words,
                 *args->strict ? arena_printf(arena, "--strict=%s", args->strict) : "--strict",
                 arena);
    for (size_t i = 0; i < args->warnings.count; i++)
        add_word(words, arena_printf(arena, "--warnings=%s", args->warnings.items[i]), arena);
}

/* ---- help ---- */

void warning_flags_write_help(FILE *out)
{
    fputs("classes of warnings: --strict makes all of them errors, --strict=CLASS,... some; -W "
          "no-CLASS hides one,\n-W CLASS shows it again; in a job: warnings: { strict: [CLASS], "
          "hide: [CLASS] }\n\n",
          out);
    for (int i = 0; i < WARN_CLASS_COUNT; i++)
        fprintf(out, "  %s%s\n      %s\n", warning_classes[i].name,
                warning_classes[i].quirk ? " (shown with -v)" : "", warning_classes[i].help);
}
