#include "cli/completion.h"

#include <string.h>

#include "base/embedded_text.h"
#include "cli/flags.h"
#include "cli/verbs.h"
#include "format/file_kind.h"
#include "job/help/option_help.h"

typedef struct Completion {
    KeyList keys; /* all keys of a job */
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

static bool is_section(const Option *option)
{
    return option->table && !option->table->short_key;
}

/* The keys that --set accepts, each followed by `after`, in list items of index 0. */
static void write_keys(FILE *out, const Completion *c, const char *before, const char *after)
{
    const KeyList *keys = &c->keys;
    for (size_t i = 0; i < keys->count; i++) {
        if (is_section(keys->items[i].option))
            continue;
        fputs(before, out);
        for (const char *at = keys->items[i].name; *at; at++)
            fputc(*at == 'N' ? '0' : *at, out);
        fputs(after, out);
    }
}

/* One line per key with a fixed set of values: `before`, a shell pattern of the key, `between`, the
 * values, `after`. */
static void write_key_choices(FILE *out, const Completion *c, const char *before,
                              const char *between, const char *after)
{
    const KeyList *keys = &c->keys;
    for (size_t i = 0; i < keys->count; i++) {
        const Option *option = keys->items[i].option;
        if (!option->choices && option->type != OPTION_BOOL)
            continue;
        fputs(before, out);
        for (const char *at = keys->items[i].name; *at; at++)
            fputc(*at == 'N' ? '*' : *at, out);
        fputs(between, out);
        if (option->choices)
            write_choices(out, option->choices);
        else
            fputs("true false", out);
        fputs(after, out);
    }
}

static bool takes_file(const Flag *flag)
{
    return flag->value && !strcmp(flag->value, "FILE");
}

static bool flag_repeats(const Flag *flag)
{
    return flag->type == FLAG_SET || flag->type == FLAG_LIST;
}

static bool takes_directory(const Flag *flag)
{
    return flag->value && !strcmp(flag->value, "DIR");
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

static void write_bash_keys(FILE *out, const void *user)
{
    write_keys(out, user, "", "= ");
}

static void write_bash_key_choices(FILE *out, const void *user)
{
    write_key_choices(out, user, "    ", ") _odori_words '", "' ;;\n");
}

static void write_bash_verbs(FILE *out, const void *user)
{
    (void)user;
    for (const Verb *verb = verbs; verb->name; verb++)
        fprintf(out, "%s ", verb->name);
}

static void write_bash_flag_values(FILE *out, const void *user)
{
    (void)user;
    for (const Flag *flag = flags; flag->name; flag++) {
        if (!flag_takes_value(flag))
            continue;
        fputs("    ", out);
        if (flag->letter)
            fprintf(out, "-%c | ", flag->letter);
        fprintf(out, "--%s) ", flag->name);
        if (flag_choices(flag)) {
            fputs("_odori_words '", out);
            write_choices(out, flag_choices(flag));
            fputs("'", out);
        } else {
            fputs(takes_file(flag)         ? "_odori_files '*'"
                  : takes_directory(flag)  ? "_odori_files /"
                  : flag->type == FLAG_SET ? "_odori_set"
                                           : ":",
                  out);
        }
        fputs("; return ;;\n", out);
    }
}

static void write_bash_verb_cases(FILE *out, const void *user)
{
    const Completion *c = user;
    for (const Verb *verb = verbs; verb->name; verb++) {
        fprintf(out, "    %s)\n        flags='", verb->name);
        for (const Flag *flag = flags; flag->name; flag++)
            if (verb_accepts(verb, flag))
                fprintf(out, "--%s ", flag->name);
        fprintf(out, "' first='%s' files='", verb->words ? verb->words : "");
        write_extensions(out, verb, c->arena);
        fputs("' ;;\n", out);
    }
}

/* ---- zsh ---- */

static void write_zsh_flag(FILE *out, const Flag *flag, Arena *arena)
{
    fprintf(out, " \\\n            '%s--%s%s[", flag_repeats(flag) ? "*" : "", flag->name,
            flag_takes_value(flag) ? "="
            : flag->value          ? "=-"
                                   : "");
    write_description(out, flag_help(flag, arena));
    fputs("]", out);
    if (flag_choices(flag)) {
        fprintf(out, ":%s:(", flag->value);
        write_choices(out, flag_choices(flag));
        fputs(")", out);
    } else if (flag->value) {
        fprintf(out, "%s:%s:%s", flag_takes_value(flag) ? "" : ":", flag->value,
                takes_file(flag)         ? "_files"
                : takes_directory(flag)  ? "_files -/"
                : flag->type == FLAG_SET ? "_odori_set"
                                         : " ");
    }
    fputs("'", out);
    if (flag->letter)
        fprintf(out, " '-%c%s[--%s]%s'", flag->letter, flag->value ? "+" : "", flag->name,
                !flag->value       ? ""
                : takes_file(flag) ? ":FILE:_files"
                                   : ":value: ");
}

static void write_zsh_keys(FILE *out, const void *user)
{
    write_keys(out, user, " ", "");
}

static void write_zsh_key_choices(FILE *out, const void *user)
{
    write_key_choices(out, user, "    ", "=) compadd -- ", " ;;\n");
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
        for (const Flag *flag = flags; flag->name; flag++)
            if (verb_accepts(verb, flag))
                write_zsh_flag(out, flag, c->arena);
        if (verb->words)
            fprintf(out, " \\\n            '1:word:(%s)'", verb->words);
        if (takes_any_file(verb))
            fputs(" \\\n            '*:file:_files'", out);
        else if (verb_files(verb)) {
            fputs(" \\\n            '*:file:_files -g \"*.(", out);
            write_extensions(out, verb, c->arena);
            fputs(")(-.)\"'", out);
        }
        fputs(" ;;\n", out);
    }
}

/* ---- fish ---- */

static void write_fish_flag(FILE *out, const Verb *verb, const Flag *flag, Arena *arena)
{
    fprintf(out, "complete -c odori -n '__odori_verb %s' -l %s", verb->name, flag->name);
    if (flag->letter)
        fprintf(out, " -s %c", flag->letter);
    if (flag_choices(flag)) {
        fputs(" -x -a '", out);
        write_choices(out, flag_choices(flag));
        fputs("'", out);
    } else if (flag_takes_value(flag)) {
        fputs(takes_file(flag)         ? " -r -F"
              : takes_directory(flag)  ? " -x -a '(__fish_complete_directories)'"
              : flag->type == FLAG_SET ? " -x -a '(__odori_set)'"
                                       : " -x",
              out);
    }
    fputs(" -d '", out);
    write_description(out, flag_help(flag, arena));
    fputs("'\n", out);
}

static void write_fish_verb(FILE *out, const Verb *verb, Arena *arena)
{
    fprintf(out, "complete -c odori -n '__odori_verb' -a %s -d '", verb->name);
    write_description(out, verb_text(verb, arena).summary);
    fputs("'\n", out);
    if (verb->words)
        fprintf(out, "complete -c odori -n '__odori_verb %s first' -a '%s'\n", verb->name,
                verb->words);
    if (takes_any_file(verb))
        fprintf(out, "complete -c odori -n '__odori_verb %s' -F\n", verb->name);
    else if (verb_files(verb)) {
        fprintf(out, "complete -c odori -n '__odori_verb %s%s' -a '(__odori_files \"", verb->name,
                verb->words ? " later" : "");
        write_extensions(out, verb, arena);
        fputs("\")'\n", out);
    }
    for (const Flag *flag = flags; flag->name; flag++)
        if (verb_accepts(verb, flag))
            write_fish_flag(out, verb, flag, arena);
}

static void write_fish_keys(FILE *out, const void *user)
{
    write_keys(out, user, " ", "");
}

static void write_fish_key_choices(FILE *out, const void *user)
{
    write_key_choices(out, user, "        case '", "'\n            printf \"$key=%s\\n\" ", "\n");
}

static void write_fish_verbs(FILE *out, const void *user)
{
    const Completion *c = user;
    for (const Verb *verb = verbs; verb->name; verb++)
        write_fish_verb(out, verb, c->arena);
}

/* ---- scripts ---- */

bool completion_write(FILE *out, const char *shell, Arena *arena)
{
    static const struct {
        const char *shell;
        TextField fields[6];
    } scripts[] = {
        {"bash",
         {{"keys", .write = write_bash_keys},
          {"key_choices", .write = write_bash_key_choices},
          {"verbs", .write = write_bash_verbs},
          {"flag_values", .write = write_bash_flag_values},
          {"verb_cases", .write = write_bash_verb_cases}}},
        {"zsh",
         {{"keys", .write = write_zsh_keys},
          {"key_choices", .write = write_zsh_key_choices},
          {"verbs", .write = write_zsh_verbs},
          {"verb_cases", .write = write_zsh_verb_cases}}},
        {"fish",
         {{"keys", .write = write_fish_keys},
          {"key_choices", .write = write_fish_key_choices},
          {"verbs", .write = write_fish_verbs}}},
    };
    const Completion completion = {key_list_of(&option_job, arena), arena};
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++)
        if (!strcmp(shell, scripts[i].shell)) {
            const char *file = arena_printf(arena, "completion.%s", shell);
            embedded_text_write(out, embedded_text_find(embedded_texts, file), scripts[i].fields,
                                &completion);
            return true;
        }
    return false;
}
