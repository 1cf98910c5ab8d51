#include "cli/manual.h"

#include "cli/flags.h"
#include "cli/help.h"

/* Escapes '-' and '\', and a control character ('.' or ''') at the start of a line. */
static void write_text(FILE *out, const char *text)
{
    for (const char *at = text; *at; at++) {
        if ((*at == '.' || *at == '\'') && (at == text || at[-1] == '\n'))
            fputs("\\&", out);
        if (*at == '-' || *at == '\\')
            fputc('\\', out);
        fputc(*at, out);
    }
}

static void write_verb(FILE *out, const Verb *verb)
{
    fputs(".TP\n.B odori ", out);
    write_text(out, verb->name);
    fputc(' ', out);
    write_text(out, verb->operands);
    fputc('\n', out);
    write_text(out, verb->summary);
    fputs(".\n", out);
    write_text(out, verb->description);
}

static void write_flag(FILE *out, const Flag *flag)
{
    fputs(".TP\n.B ", out);
    if (flag->letter)
        fprintf(out, "\\-%c, ", flag->letter);
    fputs("\\-\\-", out);
    write_text(out, flag->name);
    if (flag->value)
        fprintf(out, " \\fI%s\\fR", flag->value);
    fputc('\n', out);
    write_text(out, flag->help);
    fputs(".\n", out);
}

void manual_write(FILE *out, const Verb *verbs)
{
    fputs(".TH ODORI 1\n.SH NAME\nodori \\- render MikuMikuDance models and motions to video\n"
          ".SH SYNOPSIS\n.B odori\n.I verb\n[\\fIjob\\fR | \\fIfile\\fR...] [\\fIflags\\fR]\n"
          ".SH VERBS\n",
          out);
    for (const Verb *verb = verbs; verb->name; verb++)
        write_verb(out, verb);
    fputs(".SH FLAGS\n", out);
    for (const Flag *flag = flags; flag->name; flag++)
        write_flag(out, flag);
    fputs(".SH EXIT STATUS\n", out);
    for (const HelpStatus *row = help_statuses; row->text; row++) {
        fprintf(out, ".TP\n.B %d\n", row->status);
        write_text(out, row->text);
        fputc('\n', out);
    }
}
