#include "cli/help.h"

#include <string.h>

#include "cli/flags.h"

const HelpStatus help_statuses[] = {
    {0, "all requested frames and outputs are there and were read back"},
    {1, "differences, failed frames, or failed jobs of a batch"},
    {2, "wrong usage"},
    {65, "damaged model, motion, picture or sound"},
    {66, "an input is missing"},
    {69, "memory limit reached; encoder or OpenGL absent"},
    {70, "a fault of this program"},
    {73, "an output cannot be created"},
    {74, "I/O error, disk full"},
    {75, "incomplete: timeout, lock held; try again"},
    {78, "invalid job file"},
    {130, "stopped by SIGINT (143 by SIGTERM) after leaving nothing half-written"},
    {0, NULL},
};

void help_write_usage(FILE *out, const Verb *verbs)
{
    fputs("usage: odori VERB ...\n\n", out);
    for (const Verb *verb = verbs; verb->name; verb++)
        fprintf(out, "  %-8s %s\n", verb->name, verb->summary);
    fputs("\n'odori help VERB' tells more; 'odori help job' lists all keys of a job file,\n"
          "'odori help KEY' one of them.\n",
          out);
}

static void put_flag(FILE *out, const Flag *flag)
{
    fputs("  ", out);
    if (flag->letter)
        fprintf(out, "-%c, ", flag->letter);
    fprintf(out, "--%s", flag->name);
    for (size_t i = 0; flag->choices && flag->choices[i]; i++)
        fprintf(out, "%c%s", i ? '|' : ' ', flag->choices[i]);
    if (flag->value && !flag->choices)
        fprintf(out, " %s", flag->value);
    fprintf(out, "\n      %s\n", flag->help);
}

void help_write_verb(FILE *out, const Verb *verb)
{
    fprintf(out, "usage: odori %s %s\n\n%s\n%s\n", verb->name, verb->operands, verb->summary,
            verb->more);
    for (const Flag *flag = flags; flag->name; flag++)
        if (verb_takes(verb, flag))
            put_flag(out, flag);
}

/* ---- the manual page ---- */

/* A dash is a minus sign, a backslash is doubled, a dot that begins a line is hidden. */
static void put_roff(FILE *out, const char *text)
{
    for (const char *at = text; *at; at++) {
        if (*at == '.' && (at == text || at[-1] == '\n'))
            fputs("\\&", out);
        if (*at == '-' || *at == '\\')
            fputc('\\', out);
        fputc(*at, out);
    }
}

static void put_roff_verb(FILE *out, const Verb *verb)
{
    fputs(".TP\n.B odori ", out);
    put_roff(out, verb->name);
    fputc(' ', out);
    put_roff(out, verb->operands);
    fputc('\n', out);
    put_roff(out, verb->summary);
    fputs(".\n", out);
    if (verb->more[0])
        put_roff(out, verb->more);
}

static void put_roff_flag(FILE *out, const Flag *flag)
{
    fputs(".TP\n.B ", out);
    if (flag->letter)
        fprintf(out, "\\-%c, ", flag->letter);
    fputs("\\-\\-", out);
    put_roff(out, flag->name);
    if (flag->value)
        fprintf(out, " \\fI%s\\fR", flag->value);
    fputc('\n', out);
    put_roff(out, flag->help);
    fputs(".\n", out);
}

void help_write_manual(FILE *out, const Verb *verbs)
{
    fputs(".TH ODORI 1\n.SH NAME\nodori \\- render MikuMikuDance models and motions to video\n"
          ".SH SYNOPSIS\n.B odori\n.I verb\n[\\fIjob\\fR | \\fIfile\\fR...] [\\fIflags\\fR]\n"
          ".SH VERBS\n",
          out);
    for (const Verb *verb = verbs; verb->name; verb++)
        put_roff_verb(out, verb);
    fputs(".SH FLAGS\nEach verb takes some of these; see\n.BR \"odori help \\fIverb\\fR\" .\n",
          out);
    for (const Flag *flag = flags; flag->name; flag++)
        put_roff_flag(out, flag);
    fputs(".SH JOB FILE\nYAML; every key with its range and default is told by\n"
          ".BR \"odori help job\" .\n.SH EXIT STATUS\n",
          out);
    for (const HelpStatus *row = help_statuses; row->text; row++) {
        fprintf(out, ".TP\n.B %d\n", row->status);
        put_roff(out, row->text);
        fputc('\n', out);
    }
    fputs(".SH SIGNALS\n.TP\n.B INT, TERM, HUP\nThe frames that are being drawn are finished, "
          "nothing\n"
          "temporary stays, and the program ends by the signal, within two seconds.  A second one, "
          "at\n"
          "least a second later, ends it at once.\n.TP\n.B USR1\nA line of status on standard "
          "error.\n",
          out);
}
