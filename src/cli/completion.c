// SPDX-License-Identifier: MIT
#include "cli/completion.h"

#include <string.h>

#include "base/embedded_text.h"
#include "base/warning.h"
#include "cli/flags.h"
#include "cli/verbs.h"
#include "format/file_kind.h"
#include "job/job_options.h"
#include "record/help/option_help.h"

/* The syntax of a shell. */
typedef struct Shell {
    const char *name;
    const char *keys[2];                      /* before and after each key of --set */
    const char *key_choices[3];               /* before, between and after a key and its values */
    const char *choices[2];                   /* around the accepted values of a flag */
    const char *file, *directory, *set, *any; /* for the other values of flags */
} Shell;

static const Shell shells[] = {
    {.name = "bash",
     .keys = {"", "= "},
     .key_choices = {"    ", ") _odori_words '", "' ;;\n"},
     .choices = {"_odori_words '", "'"},
     .file = "_odori_files '*'",
     .directory = "_odori_files /",
     .set = "_odori_set",
     .any = ":"},
    {.name = "zsh",
     .keys = {" ", ""},
     .key_choices = {"    ", "=) compadd -- ", " ;;\n"},
     .choices = {"(", ")"},
     .file = "_files",
     .directory = "_files -/",
     .set = "_odori_set",
     .any = " "},
    {.name = "fish",
     .keys = {" ", ""},
     .key_choices = {"        case '", "'\n            printf \"$key=%s\\n\" ", "\n"},
     .choices = {" -x -a '", "'"},
     .file = " -r -F",
     .directory = " -x -a '(__fish_complete_directories)'",
     .set = " -x -a '(__odori_set)'",
     .any = " -x"},
};

/* The fields of the scripts get this. */
typedef struct Completion {
    const Shell *shell;
    OptionKeys keys; /* all keys of a job */
    Arena *arena;
} Completion;

/* ---- parts that the shells share ---- */

/* The text up to the first ';', without characters that shells or completion systems interpret. */
static void write_description(FILE *out, const char *text)
{
    for (; *text && *text != ';'; text++)
        if (!strchr("'\"`$\\[]", *text))
            fputc(*text == ':' ? ',' : *text, out);
}

static void write_choices(FILE *out, const char *const *choices)
{
    for (size_t i = 0; choices[i]; i++)
        fprintf(out, "%s%s", i ? " " : "", choices[i]);
}

/* The name of a key with something in place of N. */
static void write_key(FILE *out, const char *name, char index)
{
    for (; *name; name++)
        fputc(*name == 'N' ? index : *name, out);
}

/* The keys that --set accepts, in list items of index 0. */
static void write_keys(FILE *out, const void *user)
{
    const Completion *c = user;
    for (size_t i = 0; i < c->keys.count; i++) {
        const OptionTable *section = c->keys.items[i].option->table;
        if (section && !section->short_key)
            continue;
        fputs(c->shell->keys[0], out);
        write_key(out, c->keys.items[i].name, '0');
        fputs(c->shell->keys[1], out);
    }
}

/* One line per key with a fixed set of values; the key is a pattern for items of any index. */
static void write_key_choices(FILE *out, const void *user)
{
    static const char *const truth[] = {"true", "false", NULL};
    const Completion *c = user;
    for (size_t i = 0; i < c->keys.count; i++) {
        const Option *option = c->keys.items[i].option;
        if (!option->choices && option->type != OPTION_BOOL)
            continue;
        fputs(c->shell->key_choices[0], out);
        write_key(out, c->keys.items[i].name, '*');
        fputs(c->shell->key_choices[1], out);
        write_choices(out, option->choices ? option->choices : truth);
        fputs(c->shell->key_choices[2], out);
    }
}

/* Words that a flag takes, also among others: a class of warnings is one of several in a list. */
static const char *const *words_of(const Flag *flag)
{
    const bool classes = flag->value && !strncmp(flag->value, "CLASS", 5);
    return classes ? warning_names : flag_choices(flag);
}

/* How the value of a flag is completed. */
static void write_value(FILE *out, const Flag *flag, const Shell *shell)
{
    if (words_of(flag)) {
        fputs(shell->choices[0], out);
        write_choices(out, words_of(flag));
        fputs(shell->choices[1], out);
    } else {
        fputs(!strcmp(flag->value, "FILE")  ? shell->file
              : !strcmp(flag->value, "DIR") ? shell->directory
              : flag->type == FLAG_SET      ? shell->set
                                            : shell->any,
              out);
    }
}

static bool takes_any_file(const Verb *verb)
{
    return verb_files(verb) == FILE_AS_ANYTHING;
}

/* The extensions of operands as a pattern: "yaml|pmx"; nothing if the verb takes no files. */
static void write_extensions(FILE *out, const Verb *verb, Arena *arena)
{
    fputs(takes_any_file(verb) ? "*" : file_kind_extensions(verb_files(verb), "", "|", arena), out);
}

/* ---- bash ---- */

static void write_bash_verbs(FILE *out, const void *user)
{
    (void)user;
    for (const Verb *verb = verbs; verb->name; verb++)
        fprintf(out, "%s ", verb->name);
}

static void write_bash_flag_values(FILE *out, const void *user)
{
    const Completion *c = user;
    for (const Flag *flag = flag_table(); flag->name; flag++) {
        if (!flag->value || flag_find(flag->name) != flag) /* the first of that name */
            continue;
        fputs("    ", out);
        if (flag->letter)
            fprintf(out, "-%c | ", flag->letter);
        fprintf(out, "--%s%s) ", flag->name, flag_takes_value(flag) ? "" : "=");
        write_value(out, flag, c->shell);
        fputs("; return ;;\n", out);
    }
}

static void write_bash_verb_cases(FILE *out, const void *user)
{
    const Completion *c = user;
    for (const Verb *verb = verbs; verb->name; verb++) {
        fprintf(out, "    %s)\n        flags='", verb->name);
        for (const Flag *flag = flag_table(); flag->name; flag++)
            if (verb_accepts(verb, flag))
                fprintf(out, "--%s ", flag->name);
        fputs("' first='", out);
        if (verb->words)
            verb_write_words(out, verb);
        fputs("' files='", out);
        write_extensions(out, verb, c->arena);
        fputs("' ;;\n", out);
    }
}

/* ---- zsh ---- */

static void write_zsh_flag(FILE *out, const Flag *flag, const Completion *c)
{
    const bool repeats = flag->type == FLAG_SET || flag->type == FLAG_LIST;
    const char *equals = flag_takes_value(flag) ? "=" : flag->value ? "=-" : "";
    fprintf(out, " \\\n            '%s--%s%s[", repeats ? "*" : "", flag->name, equals);
    write_description(out, flag_help(flag, c->arena));
    fputs("]", out);
    if (flag->value) {
        fprintf(out, "%s:%s:", flag_takes_value(flag) ? "" : ":", flag->value);
        write_value(out, flag, c->shell);
    }
    fputs("'", out);
    if (flag->letter) {
        fprintf(out, " '%s-%c%s[--%s]", repeats ? "*" : "", flag->letter, flag->value ? "+" : "",
                flag->name);
        if (flag->value) {
            fprintf(out, ":%s:", flag->value);
            write_value(out, flag, c->shell);
        }
        fputs("'", out);
    }
}

static void write_zsh_verbs(FILE *out, const void *user)
{
    const Completion *c = user;
    for (const Verb *verb = verbs; verb->name; verb++) {
        fprintf(out, "            '%s:", verb->name);
        write_description(out, verb_text(verb, c->arena).summary);
        fputs("'\n", out);
    }
}

static void write_zsh_verb_cases(FILE *out, const void *user)
{
    const Completion *c = user;
    for (const Verb *verb = verbs; verb->name; verb++) {
        fprintf(out, "    %s)\n        _arguments -s", verb->name);
        for (const Flag *flag = flag_table(); flag->name; flag++)
            if (verb_accepts(verb, flag))
                write_zsh_flag(out, flag, c);
        if (verb->words) {
            fputs(" \\\n            '1:word:(", out);
            verb_write_words(out, verb);
            fputs(")'", out);
        }
        if (takes_any_file(verb))
            fputs(" \\\n            '*:file:_files -F \"*.odori\"'", out);
        else if (verb_files(verb)) {
            fputs(" \\\n            '*:file:_files -F \"*.odori\" -g \"*.(", out);
            write_extensions(out, verb, c->arena);
            fputs(")(-.)\"'", out);
        }
        fputs(" ;;\n", out);
    }
}

/* ---- fish ---- */

static void write_fish_flag(FILE *out, const Verb *verb, const Flag *flag, const Completion *c)
{
    fprintf(out, "complete -c odori -n '__odori_verb %s' -l %s", verb->name, flag->name);
    if (flag->letter)
        fprintf(out, " -s %c", flag->letter);
    if (flag_takes_value(flag))
        write_value(out, flag, c->shell);
    else if (words_of(flag)) { /* without -r, so that the value stays optional */
        fputs(" -f -a '", out);
        write_choices(out, words_of(flag));
        fputs("'", out);
    }
    fputs(" -d '", out);
    write_description(out, flag_help(flag, c->arena));
    fputs("'\n", out);
}

static void write_fish_verb(FILE *out, const Verb *verb, const Completion *c)
{
    fprintf(out, "complete -c odori -n '__odori_verb' -a %s -d '", verb->name);
    write_description(out, verb_text(verb, c->arena).summary);
    fputs("'\n", out);
    if (verb->words) {
        fprintf(out, "complete -c odori -n '__odori_verb %s first' -a '", verb->name);
        verb_write_words(out, verb);
        fputs("'\n", out);
    }
    if (takes_any_file(verb))
        fprintf(out, "complete -c odori -n '__odori_verb %s' -F\n", verb->name);
    else if (verb_files(verb)) {
        fprintf(out, "complete -c odori -n '__odori_verb %s%s' -a '(__odori_files \"", verb->name,
                verb->words ? " later" : "");
        write_extensions(out, verb, c->arena);
        fputs("\")'\n", out);
    }
    for (const Flag *flag = flag_table(); flag->name; flag++)
        if (verb_accepts(verb, flag))
            write_fish_flag(out, verb, flag, c);
}

static void write_fish_verbs(FILE *out, const void *user)
{
    for (const Verb *verb = verbs; verb->name; verb++)
        write_fish_verb(out, verb, user);
}

/* ---- scripts ---- */

bool completion_write(FILE *out, const char *shell, Arena *arena)
{
    static const TextField fields[] = {
        {"keys", .write = write_keys},
        {"key_choices", .write = write_key_choices},
        {"bash_verbs", .write = write_bash_verbs},
        {"bash_flag_values", .write = write_bash_flag_values},
        {"bash_verb_cases", .write = write_bash_verb_cases},
        {"zsh_verbs", .write = write_zsh_verbs},
        {"zsh_verb_cases", .write = write_zsh_verb_cases},
        {"fish_verbs", .write = write_fish_verbs},
        {0},
    };
    const char *file = arena_printf(arena, "completion.%s", shell);
    Completion completion = {NULL, option_help_list(&option_job, arena), arena};
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++)
        if (!strcmp(shell, shells[i].name))
            completion.shell = &shells[i];
    if (completion.shell)
        embedded_text_write(out, embedded_text_find(embedded_texts, file), fields, &completion);
    return completion.shell != NULL;
}
